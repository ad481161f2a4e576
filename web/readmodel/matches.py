"""The match, folded from the journal by `engine.matches`: what the table said and people ruled, as events of a match.

What the engine refuses (a game that began from some other board than was due) does not stop the fold: the game is then
not counted, and the sentence says why.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from device.journal import events as journal
from device.journal.events import Event, told
from engine import certainty
from engine import matches as match
from engine.board import Board, Side
from engine.games.base import Rearranging
from engine.messages import message
from engine.position import Position
from engine.rules import RulesError, ruleset
from web.readmodel.reasons import MessageJson, message_json, plain_message

WHY = {"illegal": match.Why.ILLEGAL, "turn": match.Why.OUT_OF_TURN, "not-entitled": match.Why.NOT_ENTITLED,
       "no-agreement": match.Why.NO_AGREEMENT, "cheat": match.Why.CHEAT, "": match.Why.NOT_SAID}
"""Why a move is withdrawn, by the journal's word."""
NOTED = match.VerdictRevised | match.Joined | match.Left | match.Annulled
"""What happens in a match and comes of no ruling."""

OfBoard = journal.VerdictGiven | journal.PositionSet | journal.GameOver | journal.GameAnnulled
"""What the table says of the board."""

STOOD = "the game stood here"
"""Why the board is laid anew from which a verdict says that somebody moved."""

MOST = 99
"""Games, wins or points that a match can be agreed to."""


def begun(agreed: journal.MatchAgreed) -> match.MatchState:
    """A match as it was agreed. Raises MatchError or RulesError, one sentence."""
    if not 0 <= agreed.number <= MOST:
        raise match.MatchError(f"the agreed number is {str(agreed.number)[:20]}: up to {MOST}")
    rules = ruleset(agreed.game, agreed.rules or None, agreed.sets)
    setup = Position.parse(agreed.start) if agreed.start else rules.setup(board=Board.parse(agreed.board))
    form = match.FORMS[agreed.form](agreed.number, agreed.to_points)
    return match.fold([match.MatchBegun(agreed.game, form, rules=agreed.rules, sets=tuple(sorted(agreed.sets.items())),
                                        setup=setup)])


def _verdict_of(kind: str, confidence: float) -> match.MoveVerdict:
    return match.MoveVerdict(kind, (), certainty.shown(max(0.0, min(1.0, confidence))))


@dataclass
class MatchBook:
    """The match that is on, if any, kept up event by event.

    agreed: how, and by which event. state: `engine.matches`'s, None without a match. counted: number of each journal
    game within the match, by its event. problems: why a game of the journal is not counted, by its event, in English;
    messages: the same for other languages.
    """

    agreed: tuple[int, journal.MatchAgreed] | None = None
    state: match.MatchState | None = None
    counted: dict[int, int] = field(default_factory=dict)
    problems: dict[int, str] = field(default_factory=dict)
    messages: dict[int, MessageJson] = field(default_factory=dict)
    teams: journal.TeamsNamed = field(default_factory=journal.TeamsNamed)
    _game: tuple[int, journal.GameStarted] | None = None
    _fresh: bool = False
    _orders: dict[int, tuple[journal.Order, int]] = field(default_factory=dict)
    _stood: dict[int, int] = field(default_factory=dict)
    """Which of the match's events each order became by which a move stands."""
    _taken: set[int] = field(default_factory=set)
    """Orders that the table has carried out."""
    _moves: dict[int, int] = field(default_factory=dict)
    _answering: bool = False
    """What was said last came of a ruling."""
    _ended: bool = False
    """The game on the board has ended, or counts for nothing."""

    def enter(self, event: Event) -> None:
        """Take in one event of the journal."""
        try:
            self._enter(event)
        except (match.MatchError, RulesError, ValueError) as error:
            if self._game is not None:
                self._refuse(self._game[0], error)

    def note(self, changed: Iterable[Mapping[str, Any]]) -> None:
        """Take in what the feed says now of moves that were asked about: a later move shows what one was, and where
        that later move falls, so does what it showed."""
        for item in changed:
            move = self._moves.get(item["number"], 0)
            if self.state is None or not move or item["gone"] is not None:
                continue
            verdict = _verdict_of(item["verdict"], item["confidence"])
            with suppress(match.MatchError):  # the move was undone
                if self.state.move(move).verdict != verdict:
                    self._happen(match.VerdictRevised(move, verdict))

    def _refuse(self, game: int, error: ValueError) -> None:
        """Why a game is not counted: the first of what was refused in it."""
        if game in self.problems:
            return
        self.problems[game] = str(error)
        self.messages[game] = message_json(told(plain_message(error))) or {"key": "match.odd"}

    def _enter(self, event: Event) -> None:
        match event.body:
            case journal.MatchAgreed() as body:
                self._agree(event.number, body)
            case journal.TeamsNamed() as body:
                self._name(body)
            case journal.GameStarted() as body:
                self._game, self._fresh, self._ended = (event.number, body), True, False
                self._begin()
            case journal.VerdictGiven(instead_of=asked) if asked:
                pass  # see `note`
            case journal.VerdictGiven() | journal.PositionSet() | journal.GameOver() | journal.GameAnnulled():
                self._enter_board(event.number, event.body)
            case _ if self.state is not None:  # without a match nothing is ever undone in one
                self._enter_ruling(event)
            case _:
                pass

    def _enter_board(self, number: int, body: OfBoard) -> None:
        """What the table says of the board: who moved, what lies there, how the game ended."""
        self._ended = isinstance(body, journal.GameOver | journal.GameAnnulled)
        match body:
            case journal.VerdictGiven():
                self._fresh = False
                self._answering = bool(body.answers)
                self._verdict(number, body)
                if not body.answers:
                    self._order_anew()
            case journal.PositionSet():
                self._answering = bool(body.answers)
                if body.answers:
                    self._reopen()
                if self._running() is not None:
                    self._lie(Position.parse(body.position), body.why)
            case journal.GameOver():
                self._over(body)
                if not (self._answering or body.by_people):
                    self._order_anew()
            case journal.GameAnnulled(game=game):
                self._annul(game)

    def _enter_ruling(self, event: Event) -> None:
        """What people order, and what becomes of it."""
        match event.body:
            case journal.LetStand() | journal.Withdraw() | journal.CorrectPit() | journal.NotAsSeen() | (
                    journal.Forfeit() | journal.AgreeEnd()) as order:
                self._orders[event.number] = (order, 0 if self.state is None else len(self.state.log))
            case journal.OrderAnswered(order=number, done=True) if number in self._orders:
                self._taken.add(number)
                self._ruled(number, self._orders[number][0])
            case journal.RulingUndone(order=number, kept=True) if number in self._stood:
                self._happen(match.EventUndone(self._stood.pop(number)))
            case journal.RulingUndone(order=number, kept=False) if number in self._orders:
                self._undo(self._orders[number][1])
            case _:
                pass

    # ---- the match and its games ------------------------------------------------------------------------------

    def _agree(self, number: int, agreed: journal.MatchAgreed) -> None:
        self.agreed, self.state = (number, agreed), begun(agreed)
        self.counted, self.problems, self.messages, self._moves, self._orders = {}, {}, {}, {}, {}
        self._stood = {}
        self._taken = set()
        teams, self.teams = self.teams, journal.TeamsNamed()
        self._name(teams)
        if self._fresh:
            self._begin()
        elif self._game is not None and not self._ended:
            self._refuse(self._game[0], match.MatchError(message("contest.before")))

    def _name(self, teams: journal.TeamsNamed) -> None:
        before, self.teams = self.teams, teams
        for side, old, new in ((Side.SOUTH, before.south, teams.south), (Side.NORTH, before.north, teams.north)):
            for name in old:
                if name not in new:
                    self._happen(match.Left(side, name))
        for side, old, new in ((Side.SOUTH, before.south, teams.south), (Side.NORTH, before.north, teams.north)):
            for name in new:
                if name not in old:
                    self._happen(match.Joined(side, name))

    def _begin(self) -> None:
        """The journal's game as the match's next, where it is one of it."""
        if self.state is None or self.agreed is None or self._game is None or self.state.outcome is not None:
            return
        self._leave()
        number, body = self._game
        agreed = self.agreed[1]
        if (body.game, body.board) != (agreed.game, agreed.board):
            titles = {name: ruleset(name).title for name in (body.game, agreed.game)}
            raise match.MatchError(message(
                "contest.elsewhere", game=titles[body.game], lies=body.board.replace("x", " × "),
                agreed=titles[agreed.game], board=agreed.board.replace("x", " × ")))
        due, position = self.place, Position.parse(body.position)
        self._happen(match.GameBegun(due, position.to_move, position))
        self.counted[number] = due

    def _leave(self) -> None:
        """A game of the match that was stopped for another counts for nothing, and is due again."""
        if self.state is None or self.state.game is None:
            return
        left = self.state.game.number
        self._happen(match.Annulled(left, match.Annulment.AGREED))
        for game in [game for game, number in self.counted.items() if number == left]:
            del self.counted[game]
            self._refuse(game, match.MatchError(message("contest.left")))

    @property
    def outside(self) -> int:
        """The event that began the game on the board, where it does not count for the match that is on (`problems` says
        why); else 0."""
        if self.state is None or self.state.outcome is not None or self._game is None or self._ended:
            return 0
        number = self._game[0]
        return number if number in self.problems and number not in self.counted else 0

    @property
    def place(self) -> int:
        """The number of the present or next game within its match, from 1; 0 without a match."""
        if self.state is None:
            return 0
        last = self.state.games[-1] if self.state.games else None
        return 1 if last is None else last.number + (last.scored is not None)

    def _over(self, body: journal.GameOver) -> None:
        game = self._running()
        if game is None or self.state is None:
            return
        winner = Side.parse(body.winner) if body.winner else None
        tries: list[match.MatchEvent] = [match.GameEnded(game.number)]
        if body.forfeited and winner is not None:
            tries = [match.Forfeited(winner.other)]
        south, _, north = body.result.partition("-")
        result = (int(south), int(north)) if south.isdecimal() and north.isdecimal() else None
        tries += [match.GameScored(game.number, winner, result), match.GameScored(game.number, winner)]
        for event in tries:
            try:
                self._happen(event)
            except match.MatchError as error:
                refused = error
            else:
                return
        raise refused

    def _annul(self, number: int) -> None:
        """The game counts for nothing, and is due again."""
        game = self._running()
        if game is not None and self.counted.get(number) == game.number:
            self._happen(match.Annulled(game.number, match.Annulment.AGREED))
            del self.counted[number]

    # ---- moves and rulings -------------------------------------------------------------------------------------

    def _verdict(self, number: int, body: journal.VerdictGiven) -> None:
        if self.state is None or self._game is None or self._game[0] not in self.counted:
            return
        before, after = Position.parse(body.before), Position.parse(body.position)
        if body.answers:
            self._reopen()
        game = self._running()
        if game is None:
            return
        move = self._moves.get(body.answers, 0)
        if body.kind == "withdrawn":
            self._take_back(game, move, body, after)
        elif move and game.position == game.moves[-1].position and after.to_move is game.position.to_move:
            self._happen(match.MoveCorrected(move, after))
            self._happen(match.VerdictRevised(move, _verdict_of(body.kind, body.confidence)))
            self._moves[number] = move
        elif after.to_move is not before.to_move and body.kind != "race":
            self._lie(before, STOOD)
            name = body.move if body.move and "=" not in body.move else ""
            self._moves[number] = self._happen(
                match.MoveMade(game.number, before.to_move, "", name, after, _verdict_of(body.kind, body.confidence)))
        elif body.kind == "rearranged" and not after.ply and self.state.rules.rearranging is Rearranging.SETUP:
            self._lie(before, STOOD)
            self._happen(match.Rearranged(game.number, after))
        else:
            self._lie(after, body.kind)

    def _take_back(self, game: match.GameRecord, move: int, body: journal.VerdictGiven, after: Position) -> None:
        last = game.moves[-1] if move and game.moves else None
        if last is not None and last.number == move and game.position == last.position:
            self._happen(self._retracted(move, body.answers))
        self._lie(after, "taken back")

    def _retracted(self, move: int, verdict: int) -> match.Retracted:
        """The move is taken back, as people ordered it last: nobody is called a cheat where nobody said so."""
        orders = (order for order, _ in reversed(self._orders.values()) if isinstance(order, journal.Withdraw))
        order = next((one for one in orders if one.verdict == verdict), journal.Withdraw(verdict=verdict))
        side = Side.parse(order.side) if order.side in ("S", "N") else None
        return match.Retracted(move, side, WHY[order.why], mover=order.mover,
                               spectator=order.spectator)

    def _lie(self, position: Position, why: str) -> None:
        """The running game goes on from this board, if it does not stand there already."""
        game = self._running()
        if game is not None and game.position != position:
            words = "".join(c for c in why if c.isprintable())[:200]
            self._happen(match.BoardSet(game.number, position, words))

    def _ruled(self, number: int, order: journal.Order) -> None:
        if isinstance(order, journal.LetStand) and order.verdict in self._moves:
            with suppress(match.MatchError):  # it stands already: to say so twice changes nothing
                self._stood[number] = self._happen(match.MoveLetStand(self._moves[order.verdict]))

    def _order_anew(self) -> None:
        """Play has gone on: the table takes up later what was ordered meanwhile, and undoes it from here."""
        mark = 0 if self.state is None else len(self.state.log)
        self._orders = {number: (order, before if number in self._taken else mark)
                        for number, (order, before) in self._orders.items()}

    def _undo(self, mark: int) -> None:
        """All that came of an order counts no more, and an end that it took back holds again: nobody has moved since.
        What people noted meanwhile is none of it."""
        if self.state is None:
            return
        for number in range(len(self.state.log), max(mark, 1), -1):
            entry = self.state.log[number - 1]
            if not entry.skipped and not isinstance(entry.event, NOTED):
                self._happen(match.EventUndone(number))

    def _reopen(self) -> None:
        """The end of the game is taken back with the move, or the board, that brought it."""
        if self.state is None or self.state.game is not None or not self.state.games or self._game is None:
            return
        last = self.state.games[-1]
        if last.ended is not None and self.counted.get(self._game[0]) == last.number:
            self._happen(match.EventUndone(last.ended))

    # ---- shared ------------------------------------------------------------------------------------------------

    def _running(self) -> match.GameRecord | None:
        """The match's game, if the journal's game is it."""
        if self.state is None or self._game is None:
            return None
        game = self.state.game
        return game if game is not None and self.counted.get(self._game[0]) == game.number else None

    def _happen(self, event: match.MatchEvent) -> int:
        """Its number in the match; 0 without a match. Raises MatchError."""
        if self.state is None:
            return 0
        self.state = match.after(self.state, event)
        return len(self.state.log)
