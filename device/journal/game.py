"""The game at the table, as the journal tells it: known when a table starts anew, and after every event."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from device.journal.events import (
    AgreeEnd,
    CorrectPit,
    Event,
    Forfeit,
    GameOver,
    GameStarted,
    LetStand,
    NewGame,
    NotAsSeen,
    Order,
    OrderAnswered,
    PositionSet,
    RulingUndone,
    StateEntered,
    Told,
    Undo,
    VerdictGiven,
    Withdraw,
)
from device.journal.states import State
from engine.board import Side
from engine.position import Position
from engine.rules import Rules, ruleset
from engine.rules import game as game_named


@dataclass(frozen=True, slots=True)
class Ruled:
    """A verdict: its event's number, what was said, and the position before and after it."""

    number: int
    body: VerdictGiven
    before: Position
    after: Position


@dataclass(frozen=True, slots=True)
class Laid:
    """A board that was taken as it lay, or as people said, between two moves: its event's number, and why."""

    number: int
    position: Position
    why: str
    told: Told | None = None


@dataclass(frozen=True, slots=True)
class Given:
    """A ruling's order: its event's number, and what the game stood at when it was given."""

    number: int
    position: Position
    last: Ruled | None
    end: GameOver | None
    history: tuple[Position, ...] = ()
    moves: tuple[Ruled | Laid, ...] = ()


Said = TypeVar("Said")


@dataclass
class LaterAnswers(Generic[Said]):
    """What later moves showed of moves that were asked about, and what holds where people take such a move back or
    count its board."""

    _said: dict[int, list[tuple[int, Said]]] = field(default_factory=dict, init=False)
    """Of each verdict that was answered, what was said of its move, oldest first: by which verdict it was shown, 0 for
    none, and the words."""

    def enter(self, asked: int, before: Said, told: Said, shown_by: int) -> None:
        """What verdict `shown_by` shows of the move of verdict `asked`. before: what was said of it until now."""
        self._said.setdefault(asked, [(0, before)]).append((shown_by, told))

    def go_on(self, number: int, by: int) -> None:
        """The hand went on with the move of verdict `number`: verdict `by` is about the whole of it, and shows the
        same."""
        for told in self._said.values():
            told[:] = [(by if shown == number else shown, words) for shown, words in told]

    def take_back(self, numbers: Container[int]) -> dict[int, Said]:
        """Those verdicts stand no more, so what they showed falls; what holds now of each move that stands."""
        changed = {}
        for asked, told in self._said.items():
            left = [one for one in told if one[0] not in numbers]
            if asked not in numbers and len(left) < len(told):
                told[:], changed[asked] = left, left[-1][1]
        return changed


@dataclass
class Game:
    """State of the game, changed by `fold` alone, so that a table that starts anew goes on where it stood.

    position: as the game stands. history: the positions before, oldest first. begun: the set-up was seen on the
    board. synced: the position is known; False after a "not sure", until the board was taken as it lies. last: the last
    verdict that people may rule on. end: how the game ended; None while it goes on. withdrawing: the verdict whose move
    is being taken back; the game's end, if there was one, holds until the board lies as before. pending: orders not
    answered yet. ruling: the last ruling, as long as nothing came after it, for it may be undone. moves: the verdicts
    that stand, oldest first, and the boards that were laid between them. start: what the game began from.
    """

    rules: Rules | None = None
    position: Position | None = None
    history: list[Position] = field(default_factory=list)
    begun: bool = False
    end: GameOver | None = None
    synced: bool = True
    last: Ruled | None = None
    withdrawing: Ruled | None = None
    pending: dict[int, Order] = field(default_factory=dict)
    rulings: dict[int, Given] = field(default_factory=dict)
    stood: dict[int, int] = field(default_factory=dict)
    earlier: set[int] = field(default_factory=set)
    moves: list[Ruled | Laid] = field(default_factory=list)
    start: Position | None = None
    _given: dict[int, Given] = field(default_factory=dict)
    _verdicts: dict[int, Ruled] = field(default_factory=dict)
    _answers: LaterAnswers[VerdictGiven] = field(default_factory=LaterAnswers)

    @classmethod
    def recalled(cls, events: Iterable[Event]) -> Game:
        """The game as a journal leaves it. Raises ValueError for positions and rules that cannot be."""
        game = cls()
        for event in events:
            game.fold(event)
        return game

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.end is not None

    @property
    def playing(self) -> tuple[Rules, Position]:
        """Rules and position. Raises LookupError before the first game."""
        if self.rules is None or self.position is None:
            raise LookupError("no game has begun at this table")
        return self.rules, self.position

    def rules_for(self, name: str = "", rules: str = "", sets: Mapping[str, str] | None = None,
                  usual: str = "enkeshui") -> Rules:
        """The rules of a game that is asked for. name: the game, "" for this table's, or `usual` where it has none;
        rules: the ruleset, "" for the one that is played; sets: fields to change. As long as it is the ruleset that is
        played, the fields that people changed stay changed. Raises RulesError."""
        mine = self.rules
        other = mine is None or (name and game_named(name).game != mine.game) or rules.casefold() not in ("", mine.name)
        if mine is None or other:
            return ruleset(name or (usual if mine is None else mine.game), rules or None, sets)
        return ruleset(mine.game, mine.name, mine.sets | dict(sets or {}))

    @property
    def doubts(self) -> tuple[tuple[Position, float], ...]:
        """The boards that may lie there after a "not sure", each with its probability, the likeliest first. Those
        whose probability the journal has rounded to zero are left out."""
        if self.synced or self.last is None:
            return ()
        return tuple((Position.parse(e.position), e.p) for e in self.last.body.best if e.position and e.p > 0)

    def move(self, number: int) -> Ruled | None:
        """The verdict of that number, if it is one of this game's that stand."""
        return next((m for m in self.moves if isinstance(m, Ruled) and m.number == number), None)

    def fold(self, event: Event) -> None:
        """Take in one event."""
        match event.body:
            case GameStarted() as body:
                self._start(body)
            case StateEntered(state=State.WATCHING):
                self.begun = True
            case VerdictGiven() as body:
                self._verdict(event.number, body)
            case PositionSet() as body:
                self._laid(Laid(event.number, Position.parse(body.position), body.why, body.told), body.answers)
            case GameOver() as body:
                self._ended(body)
            case OrderAnswered() as body:
                self._answered(body)
            case RulingUndone() as body:
                self._undone(body)
            case (NewGame() | LetStand() | Withdraw() | CorrectPit() | NotAsSeen() | Forfeit() | AgreeEnd()
                  | Undo()) as order:
                self.pending[event.number] = order
                self._give(event.number)
            case _:
                pass

    def _start(self, body: GameStarted) -> None:
        self.rules = ruleset(body.game, body.rules or None, body.sets)
        self.position = self.start = Position.parse(body.position)
        self.history, self.last, self.withdrawing = [], None, None
        self.begun, self.synced = False, True
        self.end = None
        self.earlier |= self._verdicts.keys()
        self.rulings, self._given, self._verdicts, self.moves = {}, {}, {}, []
        self._answers = LaterAnswers()

    def _set(self, position: Position) -> None:
        self.position, self.last, self.withdrawing, self.synced = position, None, None, True

    def _laid(self, laid: Laid, answers: int) -> None:
        if not self.begun:
            self.start = laid.position
        self._set(laid.position)
        if answers:
            self.end = None
            self._forget_from(answers)
        self.moves.append(laid)

    def _ended(self, end: GameOver) -> None:
        self.end, self.withdrawing = end, None
        if not end.by_people and self.last is not None and not self.last.body.answers:
            self._order_anew()  # it ended by the move that was made last, and by no ruling

    def _forget_from(self, number: int) -> None:
        """What came of the event of that number, and what was played after it, stands no more."""
        at = next((k for k, move in enumerate(self.moves) if move.number == number), len(self.moves))
        gone = self.moves[at] if at < len(self.moves) else None
        if isinstance(gone, Ruled) and gone.before in self.history:
            del self.history[self.history.index(gone.before):]
        self._cut(at)

    def _cut(self, at: int) -> None:
        """The moves from that one on stand no more, nor does what they showed of earlier ones."""
        gone = {move.number for move in self.moves[at:]}
        del self.moves[at:]
        for number, said in self._answers.take_back(gone).items():
            if (asked := self.move(number)) is not None:
                self._put(asked, Ruled(number, said, asked.before, asked.after))

    def _put(self, asked: Ruled, told: Ruled) -> None:
        """What is said now of a move that was asked about stands in the question's place."""
        self.last = told if self.last is asked else self.last
        self.moves[self.moves.index(asked)] = self._verdicts[told.number] = told

    def _verdict(self, number: int, body: VerdictGiven) -> None:
        before, after = Position.parse(body.before), Position.parse(body.position)
        if body.instead_of:
            self._answer(Ruled(body.instead_of, body, before, after))
            return
        if body.kind == "withdrawn":
            # Back to an earlier position: what was played since is no history of this game any more.
            if after in self.history:
                del self.history[self.history.index(after):]
            back = next((k for k, move in enumerate(self.moves) if isinstance(move, Ruled) and move.before == after),
                        len(self.moves))
            self._cut(back)
            self._set(after)
            self.end = None
            return
        self._stand_at(Ruled(number, body, before, after))
        if not body.answers:  # play has gone on; what is ordered from now on is ordered here
            self._order_anew()

    def _answer(self, told: Ruled) -> None:
        """What was asked about a move is answered: the answer stands in the question's place, under its number. The
        board lies as it did; where nothing was played since, it is known now."""
        asked = self.move(told.number)
        if asked is None:
            return  # it was taken back, or its board was counted
        self._answers.enter(told.number, asked.body, told.body, told.body.shown_by)
        if self.last is asked and not self.synced:
            self.position, self.synced = told.after, told.body.kind != "not-sure"
        else:
            told = Ruled(told.number, told.body, asked.before, asked.after)
        self._put(asked, told)

    def _stand_at(self, ruled: Ruled) -> None:
        """The game stands after this verdict's move, which was made from the position before it."""
        if ruled.body.answers:  # judged again: what was said before counts no more
            self.end = self.withdrawing = None
        if ruled.body.answers and ruled.before in self.history:
            del self.history[self.history.index(ruled.before):]
        if ruled.body.answers:
            if not self._counted(ruled.body.answers):
                self._answers.go_on(ruled.body.answers, ruled.number)
            self._forget_from(ruled.body.answers)
        self.history.append(ruled.before)
        self.moves.append(ruled)
        self.position, self.last, self.synced = ruled.after, ruled, ruled.body.kind != "not-sure"
        self._verdicts[ruled.number] = ruled

    def _counted(self, verdict: int) -> bool:
        """Whether people just counted the board of that verdict, so that it is judged again."""
        return any(isinstance(order, NotAsSeen) and order.verdict == verdict for order in self.pending.values())

    def _order_anew(self) -> None:
        """Play has gone on: what is ordered and was not taken up yet is ordered here."""
        for order in list(self._given):
            self._give(order)

    def _give(self, order: int) -> None:
        if self.position is not None:
            self._given[order] = Given(order, self.position, self.last, self.end, tuple(self.history),
                                       tuple(self.moves))

    def _undone(self, body: RulingUndone) -> None:
        ruled, given = self._verdicts.get(body.verdict), self.rulings.pop(body.order, None)
        self.stood.pop(body.order, None)
        if body.kept:
            return
        self.rulings = {order: one for order, one in self.rulings.items() if order < body.order}
        self._set(Position.parse(body.position))
        if given is not None:
            self.history = list(given.history)
            self.moves = [move for move in given.moves if move.number != body.verdict]
        if ruled is not None:
            if ruled.before in self.history:
                del self.history[self.history.index(ruled.before):]
            self._stand_at(ruled)
        self.end = body.end

    def _answered(self, body: OrderAnswered) -> None:
        order, given = self.pending.pop(body.order, None), self._given.pop(body.order, None)
        if order is None or not body.done:
            return
        if given is not None and not isinstance(order, NewGame | Undo):
            self.rulings[body.order] = given
        if isinstance(order, LetStand):
            self.stood[body.order] = order.verdict
        match order:
            case Withdraw(verdict=number) if (back := self.move(number)) is not None:
                self.withdrawing = back
            case LetStand(verdict=number) if self.withdrawing is not None and self.withdrawing.number == number:
                self.withdrawing = None


def side_of(letter: str) -> Side | None:
    """The side of an event's letter; None where it names nobody."""
    return Side.parse(letter) if letter in ("S", "N") else None
