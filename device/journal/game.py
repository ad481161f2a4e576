"""The state of the game at the table, folded from the journal's events."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from device.journal.events import (
    Event,
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
class JudgedMove:
    """A verdict that stands: its event's number and body, and the positions before and after the move."""

    number: int
    body: VerdictGiven
    before: Position
    after: Position


@dataclass(frozen=True, slots=True)
class PositionChange:
    """A position set between two moves, from the board or by people: the number of its event, and why."""

    number: int
    position: Position
    why: str
    told: Told | None = None


@dataclass(frozen=True, slots=True)
class Superseded:
    """Why a verdict no longer stands. by: number of the event that says so; how: its move was judged again, was
    withdrawn, or followed from a ruling that was undone."""

    by: int
    how: Literal["again", "withdrawn", "undone"]


@dataclass(frozen=True, slots=True)
class OrderContext:
    """An order for a ruling: its event's number, and the state of the game when it was given. since: the last event
    before what followed from it; moves played before the table took it up come before it."""

    number: int
    since: int
    position: Position
    last: JudgedMove | None
    end: GameOver | None
    history: tuple[Position, ...] = ()
    moves: tuple[JudgedMove | PositionChange, ...] = ()
    verdicts: tuple[int, ...] = ()
    gone: Mapping[int, Superseded] = field(default_factory=dict)


@dataclass
class LaterAnswers:
    """What later moves showed about moves in question, and what to say of these when people take a later move back or
    count its board."""

    _said: dict[int, list[tuple[int, VerdictGiven]]] = field(default_factory=dict, init=False)
    """By the number of each answered verdict, all that was said of its move, oldest first: the number of the verdict
    that showed it (0 for none), and what was said."""

    def enter(self, asked: int, before: VerdictGiven, told: VerdictGiven, shown_by: int) -> None:
        """Add what verdict `shown_by` shows about the move of verdict `asked`. before: what was said of that move until
        now."""
        self._said.setdefault(asked, [(0, before)]).append((shown_by, told))

    def go_on(self, number: int, by: int) -> None:
        """Replace verdict `number` by `by`: the hand went on, so `by` judges the whole move and shows the same."""
        for told in self._said.values():
            told[:] = [(by if shown == number else shown, words) for shown, words in told]

    def take_back(self, numbers: Container[int]) -> dict[int, VerdictGiven]:
        """Forget what these verdicts showed, because they no longer stand. Return, by number, what is now said of each
        move for which that has changed."""
        changed = {}
        for asked, told in self._said.items():
            left = [one for one in told if one[0] not in numbers]
            if asked not in numbers and len(left) < len(told):
                told[:], changed[asked] = left, left[-1][1]
        return changed


@dataclass
class Game:
    """State of the game. Only `fold` changes it, so a restarted table goes on where it was.

    position: the current one. history: the earlier ones, oldest first. begun: the set-up was seen on the board.
    synced: the position is known; False after a "not sure", until the board is taken as it lies. last: the last verdict
    that people may rule on. end: how the game ended; None while it goes on. withdrawing: the verdict whose move is
    being taken back; the game's end, if there was one, holds until the board lies as before. pending: orders not
    answered yet. rulings: those that can be undone, each with the state before it, by their orders' numbers. stood: by
    order, the verdict that it let stand. earlier: verdicts of earlier games. moves: the verdicts that stand, oldest
    first, and the positions that were set between them. start: the position that the game began from. verdicts: all of
    this game's, as each was last told, by number. gone: those that no longer stand; replaced at each change. retold:
    the verdicts that the last event has answered, or asked about again. number: of the last event.
    """

    number: int = 0
    rules: Rules | None = None
    position: Position | None = None
    history: list[Position] = field(default_factory=list)
    begun: bool = False
    end: GameOver | None = None
    synced: bool = True
    last: JudgedMove | None = None
    withdrawing: JudgedMove | None = None
    pending: dict[int, Order] = field(default_factory=dict)
    rulings: dict[int, OrderContext] = field(default_factory=dict)
    stood: dict[int, int] = field(default_factory=dict)
    earlier: set[int] = field(default_factory=set)
    moves: list[JudgedMove | PositionChange] = field(default_factory=list)
    start: Position | None = None
    verdicts: dict[int, JudgedMove] = field(default_factory=dict)
    gone: dict[int, Superseded] = field(default_factory=dict)
    retold: list[int] = field(default_factory=list)
    _given: dict[int, OrderContext] = field(default_factory=dict)
    _answers: LaterAnswers = field(default_factory=LaterAnswers)

    @classmethod
    def recalled(cls, events: Iterable[Event]) -> Game:
        """The game after all of a journal's events. Raises ValueError for impossible positions or rules."""
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
        """The rules that somebody asks for. name: the game, "" for the table's current one, or `usual` without one;
        rules: the ruleset, "" for the current one; sets: fields to change. If the ruleset is the current one, fields
        changed earlier stay changed. Raises RulesError."""
        mine = self.rules
        other = mine is None or (name and game_named(name).game != mine.game) or rules.casefold() not in ("", mine.name)
        if mine is None or other:
            return ruleset(name or (usual if mine is None else mine.game), rules or None, sets)
        return ruleset(mine.game, mine.name, mine.sets | dict(sets or {}))

    @property
    def doubts(self) -> tuple[tuple[Position, float], ...]:
        """The candidate boards after a "not sure", each with its probability, likeliest first. Those that the journal
        rounded to probability 0 are left out."""
        if self.synced or self.last is None:
            return ()
        return tuple((Position.parse(e.position), e.p) for e in self.last.body.best if e.position and e.p > 0)

    def move(self, number: int) -> JudgedMove | None:
        """The verdict of that number; None unless it stands in this game."""
        return next((m for m in self.moves if isinstance(m, JudgedMove) and m.number == number), None)

    def fold(self, event: Event) -> None:
        """Take in one event."""
        self.number, self.retold = event.number, []
        match event.body:
            case GameStarted() as body:
                self._start(body)
            case StateEntered(state=State.WATCHING):
                self.begun = True
            case VerdictGiven() as body:
                self._verdict(event.number, body)
            case PositionSet() as body:
                change = PositionChange(event.number, Position.parse(body.position), body.why, body.told)
                self._laid(change, body.answers)
            case GameOver() as body:
                self._ended(body)
            case OrderAnswered() as body:
                self._answered(body)
            case RulingUndone() as body:
                self._undone(event.number, body)
            case body:
                if isinstance(body, Order):
                    self.pending[event.number] = body
                    self._give(event.number)

    def _start(self, body: GameStarted) -> None:
        self.rules = ruleset(body.game, body.rules or None, body.sets)
        self.position = self.start = Position.parse(body.position)
        self.history, self.last, self.withdrawing = [], None, None
        self.begun, self.synced = False, True
        self.end = None
        self.earlier |= {n for n, ruled in self.verdicts.items() if ruled.body.kind != "withdrawn"}
        self.rulings, self._given, self.verdicts, self.gone, self.moves = {}, {}, {}, {}, []
        self._answers = LaterAnswers()

    def _set(self, position: Position) -> None:
        self.position, self.last, self.withdrawing, self.synced = position, None, None, True

    def _laid(self, laid: PositionChange, answers: int) -> None:
        if not self.begun:
            self.start = laid.position
        self._set(laid.position)
        if answers:
            self.end = None
            self._forget_from(answers, laid.number)
        self.moves.append(laid)

    def _ended(self, end: GameOver) -> None:
        self.end, self.withdrawing = end, None
        if not end.by_people and self.last is not None and not self.last.body.answers:
            self._rebase_orders()  # the last move ended it, not a ruling

    def _forget_from(self, number: int, by: int) -> None:
        """Remove the verdict of the event of that number, its effects, and all later moves. by: the event that judges
        the move again."""
        at = next((k for k, move in enumerate(self.moves) if move.number == number), len(self.moves))
        gone = self.moves[at] if at < len(self.moves) else None
        if isinstance(gone, JudgedMove) and gone.before in self.history:
            del self.history[self.history.index(gone.before):]
        self._cut(at, Superseded(by, "again"))

    def _cut(self, at: int, why: Superseded) -> None:
        """Remove the moves from index `at` on, and the answers that they gave to questions about earlier moves."""
        gone = {move.number for move in self.moves[at:]}
        if gone & self.verdicts.keys():
            self.gone = {n: why for n in self.verdicts if n >= min(gone & self.verdicts.keys())} | self.gone
        del self.moves[at:]
        for number, said in self._answers.take_back(gone).items():
            if (asked := self.move(number)) is not None:
                self._put(asked, JudgedMove(number, said, asked.before, asked.after))

    def _put(self, asked: JudgedMove, told: JudgedMove) -> None:
        """Replace the question about a move by its current verdict."""
        self.last = told if self.last is asked else self.last
        self.moves[self.moves.index(asked)] = self.verdicts[told.number] = told
        self.retold.append(told.number)

    def _verdict(self, number: int, body: VerdictGiven) -> None:
        before, after = Position.parse(body.before), Position.parse(body.position)
        if body.instead_of:
            self._answer(JudgedMove(body.instead_of, body, before, after))
            return
        if body.kind == "withdrawn":
            # Back to an earlier position: what was played since leaves the game's history.
            if after in self.history:
                del self.history[self.history.index(after):]
            back = next((k for k, move in enumerate(self.moves)
                         if isinstance(move, JudgedMove) and move.before == after), len(self.moves))
            self._cut(back, Superseded(number, "withdrawn"))
            self.verdicts[number] = JudgedMove(number, body, before, after)
            self._set(after)
            self.end = None
            return
        self._stand_at(JudgedMove(number, body, before, after))
        if not body.answers:  # play has gone on: pending orders refer to the new state
            self._rebase_orders()

    def _answer(self, told: JudgedMove) -> None:
        """Replace a question by its answer, under the question's number. The position stays as it is; if no move was
        made since, it is certain now."""
        asked = self.move(told.number)
        if asked is None:
            return  # it was taken back, or its board was counted
        self._answers.enter(told.number, asked.body, told.body, told.body.shown_by)
        if self.last is asked and not self.synced:
            self.position, self.synced = told.after, told.body.kind != "not-sure"
        else:
            told = JudgedMove(told.number, told.body, asked.before, asked.after)
        self._put(asked, told)

    def _stand_at(self, ruled: JudgedMove) -> None:
        """Add this verdict's move: the game stands at the position after it."""
        if ruled.body.answers:  # judged again: what was said before counts no more
            self.end = self.withdrawing = None
        if ruled.body.answers and ruled.before in self.history:
            del self.history[self.history.index(ruled.before):]
        if ruled.body.answers:
            if not self._counted(ruled.body.answers):
                self._answers.go_on(ruled.body.answers, ruled.number)
            self._forget_from(ruled.body.answers, ruled.number)
        self.history.append(ruled.before)
        self.moves.append(ruled)
        self.position, self.last, self.synced = ruled.after, ruled, ruled.body.kind != "not-sure"
        self.verdicts[ruled.number] = ruled

    def _counted(self, verdict: int) -> bool:
        """Whether an order counts the board of that verdict, so that it is judged again."""
        return any(isinstance(order, NotAsSeen) and order.verdict == verdict for order in self.pending.values())

    def _rebase_orders(self) -> None:
        """Play has gone on: treat pending orders as given in the new state."""
        for order in list(self._given):
            self._give(order)

    def _give(self, order: int) -> None:
        if self.position is not None:
            self._given[order] = OrderContext(
                order, self.number, self.position, self.last, self.end, tuple(self.history), tuple(self.moves),
                tuple(self.verdicts), self.gone)

    def _undone(self, number: int, body: RulingUndone) -> None:
        ruled, given = self.verdicts.get(body.verdict), self.rulings.pop(body.order, None)
        self.stood.pop(body.order, None)
        if body.kept:
            return
        self.rulings = {order: one for order, one in self.rulings.items() if order < body.order}
        self._set(Position.parse(body.position))
        if given is not None:
            self.history = list(given.history)
            self.moves = [move for move in given.moves if move.number != body.verdict]
            self.verdicts |= {move.number: move for move in given.moves if isinstance(move, JudgedMove)}
            since = self.verdicts.keys() - set(given.verdicts)
            self.gone = {**given.gone, **dict.fromkeys(since, Superseded(number, "undone"))}
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
    """The side of an event's letter, S or N; None for any other."""
    return Side.parse(letter) if letter in ("S", "N") else None
