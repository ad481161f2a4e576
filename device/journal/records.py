"""Game records from a journal: verdicts and rulings as games that can be replayed."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from device.journal.events import (
    CorrectPit,
    Event,
    FaultSeen,
    GameOver,
    GameStarted,
    LetStand,
    Objected,
    PositionSet,
    RulingUndone,
    VerdictGiven,
    Withdraw,
)
from device.journal.game import Game, side_of
from device.journal.projection.fold import Projection, Ruling
from engine import certainty
from engine.position import Position
from engine.records.record import BACK, RACE, SET, UNREAD, Item, Record, numbers, plain_text
from engine.rules import Rules, ruleset


class ExportError(ValueError):
    """An event that does not fit into a game. The message is one sentence with the event's number."""


@dataclass
class _RecordDraft:
    """A game record in the making. before: the positions before each play, for taking plays back. stood: the position
    before each item. item_of: the index of a verdict's item, by the number of its event. asked: by event number, the
    original items of unread moves, each with the verdict that is written there now."""

    rules: Rules
    start: Position
    position: Position
    date: str
    items: list[Item] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    before: list[Position] = field(default_factory=list)
    stood: list[Position] = field(default_factory=list)
    item_of: dict[int, int] = field(default_factory=dict)
    asked: dict[int, tuple[Item, VerdictGiven]] = field(default_factory=dict)

    def add(self, word: str, after: Position | None, leads_to: Position, comment: str = "") -> None:
        """Append an item, with a comment unless it is empty."""
        if word not in (SET, BACK):
            self.before.append(self.position)
        self.stood.append(self.position)
        self.items.append(Item(word, after, (plain_text(comment),) if plain_text(comment) else ()))
        self.position = leads_to

    def remark(self, text: str, at: int = -1) -> None:
        """Add a comment to the last item or to the one at index `at`; without items, to the game."""
        comment = plain_text(text)
        if comment and self.items:
            item = self.items[at]
            self.items[at] = replace(item, comments=(*item.comments, comment))
        elif comment:
            self.comments.append(comment)

    def record(self, end: GameOver | None) -> Record:
        """The game as a record. end: how it ended."""
        result, winner, ended = None if end is None else _result(end), None, ""
        if end is not None:
            winner, over = side_of(end.winner), self.rules.ended(self.position, self.before)
            if over is None or (over.result, over.winner) != (result, winner):
                ended = plain_text(end.reason) or "no reason given"
        return Record.of(self.rules, self.start, self.items, tags={"Date": self.date}, result=result, winner=winner,
                         ended=ended, comments=self.comments)


def records(events: Iterable[Event]) -> Iterator[Record]:
    """Yield every game of a journal, in order. Raises ExportError for an event that does not fit into a game."""
    game: _RecordDraft | None = None
    now = Projection()
    for event in events:
        try:
            if isinstance(event.body, GameStarted):
                if game is not None:
                    yield game.record(now.game.end)
                game = _started(event.body, event.at)
            done = now.enter(event)
            if game is not None:
                _take_in(game, now, event, done)
        except ValueError as e:
            raise ExportError(f"event {event.number} ({event.type}): {e}") from None
    if game is not None:
        yield game.record(now.game.end)


def _take_in(game: _RecordDraft, now: Projection, event: Event, done: Ruling | None) -> None:
    """Take in one event. now: the projection after it; done: the order that it reports as carried out."""
    if now.problem:
        raise ValueError(now.problem)
    _fold(game, now.game, event)
    if done is not None and done.order.number > now.number:
        _ruled(game, done.order.body)
    _answer(game, now.game)


def _started(body: GameStarted, at: str) -> _RecordDraft:
    start = Position.parse(body.position)
    return _RecordDraft(ruleset(body.game, body.rules or None, body.sets), start, start, at[:10].replace("-", "."))


def _fold(game: _RecordDraft, table: Game, event: Event) -> None:
    """Take in one event. table: the game after it."""
    match event.body:
        case VerdictGiven(instead_of=0) as body:
            _play(game, body)
            if game.items:
                game.item_of[event.number] = len(game.items) - 1
            if body.kind != "withdrawn" and game.items[-1].word == UNREAD:
                game.asked[event.number] = game.items[-1], body
        case PositionSet() as body:
            _set(game, Position.parse(body.position), body.why, begun=table.begun)
        case RulingUndone() as body:
            _undone(game, body)
        case GameOver() as body:
            _result(body)  # or refuse it here, with the event's number
        case Objected(verdict=number):
            game.remark("somebody at the table objects", game.item_of.get(number, -1))
        case _:
            pass


def _set(game: _RecordDraft, position: Position, why: str, *, begun: bool) -> None:
    if not begun and not game.items:
        game.start = game.position = position  # before the first move the board differed from the announced set-up
        game.remark(why)
    elif position != game.position:
        game.add(SET, position, position, why)
    else:
        game.remark(why)


def _play(game: _RecordDraft, body: VerdictGiven) -> None:
    before, after = Position.parse(body.before), Position.parse(body.position)
    if body.kind == "withdrawn":
        _taken_back(game, after, body.sentence)
        return
    if before != game.position:
        game.add(SET, before, before, "the game stood here")
    comment, played = _words(body), _reached(game.rules, game.position, body.move)
    match body.kind:
        case "legal" | "rearranged" if played is not None:
            game.add(body.move, None, played, comment)
            if played != after:
                game.add(SET, after, after, "as it was read")
        case "race":
            game.add(RACE, after, after, comment)
        case "tampered" | "rearranged":
            game.add(SET, after, after, comment)
        case "illegal":
            game.add(f"{body.move}?" if _written(body.move) else UNREAD, after, after, comment)
        case _:
            game.add(UNREAD, after, after, comment)


def _answer(game: _RecordDraft, table: Game) -> None:
    """Rewrite each move that was asked about as the table knows it now: as its answer, or as the question again if the
    move that showed the answer was taken back. Moves that were themselves taken back stay as they are."""
    for number, (asked, told) in game.asked.items():
        ruled = table.move(number)
        if ruled is not None and ruled.body is not told:
            game.asked[number] = asked, ruled.body
            _rewrite(game, game.item_of[number], asked, ruled.body)


def _rewrite(game: _RecordDraft, at: int, asked: Item, body: VerdictGiven) -> None:
    """Put the move in the question's place if the game goes on from the board that it leaves; else only comment it."""
    comment = plain_text(f"asked about {'again' if body.kind == 'not-sure' else 'before'}; {_words(body)}")
    before, after = Position.parse(body.before), Position.parse(body.position)
    goes_on = after == asked.after or (at + 1 < len(game.items) and game.items[at + 1].word == SET)
    word = f"{body.move}?" if body.kind == "illegal" and _written(body.move) else UNREAD
    if body.kind == "legal" and before == game.stood[at] and _reached(game.rules, before, body.move) == after:
        word = body.move
    if goes_on:
        asked = Item(word, None if word == body.move else after)
    game.items[at] = replace(asked, comments=(comment, *game.items[at].comments))


def _reached(rules: Rules, before: Position, move: str) -> Position | None:
    """The position after a legal move; None if the rules do not allow it."""
    try:
        return rules.play(before, move).position
    except ValueError:
        return None


def _written(move: str) -> bool:
    """Whether a move can be written in a record."""
    try:
        return bool(move) and Item(move).legal
    except ValueError:
        return False


def _taken_back(game: _RecordDraft, to: Position, comment: str) -> None:
    """Take plays back until the game stands at `to`; set the position if none of them led there."""
    if to in game.before:
        while to in game.before:
            earlier = game.before.pop()
            game.add(BACK, None, earlier)
            if earlier == to:
                break
        game.remark(f"withdrawn: {comment}")
    else:
        game.add(SET, to, to, f"withdrawn: {comment}")


def _result(body: GameOver) -> tuple[int, int]:
    """The final seeds of South and North. Raises ValueError."""
    south, _, north = body.result.partition("-")
    if not (south.isdecimal() and north.isdecimal()):
        raise ValueError(f"{body.result[:40]!r} is no result, such as 27-21")
    return int(south), int(north)


def _undone(game: _RecordDraft, body: RulingUndone) -> None:
    """Return to the position in which the ruling was ordered. If `kept`, the position does not change."""
    if body.kept:
        game.remark("the ruling was undone", game.item_of.get(body.verdict, -1))
        return
    position = Position.parse(body.position)
    if position != game.position:
        game.add(SET, position, position, "the ruling was undone")


def _ruled(game: _RecordDraft, order: object) -> None:
    """Comment on an order that the table carried out, if it is a ruling."""
    at = -1
    match order:
        case LetStand(verdict=number):
            ruling, at = "it stands", game.item_of.get(number, -1)
        case Withdraw(verdict=number):
            how = _retraction(order)
            ruling, at = f"to be withdrawn{f', {how}' if how else ''}", game.item_of.get(number, -1)
        case CorrectPit(pit=pit, count=count):
            ruling = f"pit {pit} holds {count}"
        case _:
            return
    game.remark(f"ruling: {ruling}{f', by {order.by}' if order.by else ''}", at)


def _words(body: VerdictGiven) -> str:
    """A verdict as a comment."""
    sure = f" {certainty.shown(body.confidence):.4f}" if body.confidence else ""
    if body.kind == "legal":
        return f"legal{sure}"
    faults = f" [{'; '.join(map(_fault, body.faults))}]" if body.faults else ""
    pits = f" [{', '.join(body.pits)}]" if body.pits else ""
    return f"{body.kind}{sure}: {body.sentence}{faults}{pits}"


def _fault(fault: FaultSeen) -> str:
    pit = f" {fault.pit}" if fault.pit else ""
    lap = f" lap {fault.lap}" if fault.lap else ""
    return f"{fault.code}{pit}{lap}{f' n {fault.n}' if fault.n else ''}"


def form(number: int, record: Record) -> dict[str, Any]:
    """A game in JSON's types; `text` is the record in its text form. number: of the game, from 1."""
    counted = numbers(record.rules, record.start, record.items)
    return {
        "record": number, "game": record.game, "rules": record.name, "set": dict(record.sets),
        "board": str(record.start.board), "position": str(record.start), "tags": dict(record.tags),
        "comments": list(record.comments),
        "moves": [
            {"number": n, "move": item.word, "position": None if item.after is None else str(item.after),
             "comments": list(item.comments)}
            for n, item in zip(counted, record.items, strict=True)
        ],
        "result": record.end, "winner": None if record.winner is None else record.winner.letter,
        "termination": record.ended, "text": str(record),
    }


SIDES = {"S": "South", "N": "North", "R": "the referee"}
WHY = {"illegal": "an illegal move", "turn": "out of turn", "cheat": "a cheat",
       "not-entitled": "made by somebody not entitled to play", "no-agreement": "the team did not agree"}


def _retraction(order: Withdraw) -> str:
    """Who took a move back and why (engine/games/enkeshui.md, "Teams"), in English, to end a sentence about the move;
    "" if not stated."""
    parts = []
    if order.side:
        parts.append(f"by {SIDES[order.side]}")
    if order.why:
        parts.append(WHY[order.why])
    if order.spectator:
        parts.append(f"{order.mover}, a spectator, had moved" if order.mover else "a spectator had moved")
    elif order.mover:
        parts.append(f"{order.mover} had moved")
    return ", ".join(parts)
