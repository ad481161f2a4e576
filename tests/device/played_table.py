"""A table that is played without pictures: readings made from counts, and the referee is the real one."""

import copy
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from device.eyes.pipeline import InlineRunner, JobRunner
from device.journal.events import Body, Event, Order, VerdictGiven
from device.journal.game import Game
from device.journal.states import State
from device.table.orders import game_started, starting_position
from device.table.table import Table
from engine.board import Side
from engine.position import Position
from engine.rules import Rules, ruleset
from tests.device.told_stays import Stays
from vision.reading import COUNTS, BoardView, Lesson, Reading
from vision.seeds.knowledge.known_counts import with_unchanged_counts

FPS = 15.0
Said = TypeVar("Said", bound=Body)
T = TypeVar("T")


MIDDLE = "2,8,3,2,0,2,0,2/3,3,1,2,3,1,8,8 S 0-0 ply=4"
"""Enkeshui after four moves: South has 13 moves, the board looks otherwise when turned, and nobody may rearrange."""


def likelihoods(counts: Sequence[int], doubt: dict[int, int] | None = None, lean: float = -0.2) -> NDArray[np.float32]:
    """Log-likelihoods sharply peaked at `counts`; in the pits of `doubt` the count named there is nearly as likely.
    lean: nats of that one beside the count that lies there."""
    out = np.full((len(counts), COUNTS), -9.0, np.float32)
    out[np.arange(len(counts)), list(counts)] = 0.0
    for pit, other in (doubt or {}).items():
        out[pit, other] = lean
    return out


class Later(InlineRunner):
    """Does what is asked of it when it is let go on, and at once from then on."""

    def __init__(self) -> None:
        """Nothing was asked yet."""
        self.goes_on = False
        self._asked: list[tuple[Future[Any], Callable[[], Any]]] = []

    @property
    def waiting(self) -> int:
        """How much was asked that is not done, and not taken back."""
        return sum(not asked.cancelled() for asked, _ in self._asked)

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """Done now or when it goes on."""
        if self.goes_on:
            return super().submit(work)
        asked: Future[T] = Future()
        self._asked.append((asked, work))
        return asked

    def go_on(self) -> None:
        """Do what was asked, in the order in which it was."""
        self.goes_on = True
        for asked, work in self._asked:
            if asked.set_running_or_notify_cancel():
                asked.set_result(work())
        self._asked = []


@dataclass
class Played:
    """A table under test: `say` collects what it says; time goes on with every frame."""

    game: Game = field(default_factory=Game)
    work: JobRunner = field(default_factory=InlineRunner)
    events: list[Event] = field(default_factory=list)
    t: float = 1.0
    lies: bool = False
    view: BoardView | None = None
    sure: bool = False
    known: Lesson | None = None

    def __post_init__(self) -> None:
        """Make what follows from the fields."""
        self.table = self._table()
        self.counts: list[int] = []
        self.doubt: dict[int, int] = {}
        self.lean = -0.2
        self.stays = Stays()
        self.counted = 0

    def _table(self) -> Table:
        return Table(self.game, self.append, self.work, as_it_lies_at_start=self.lies, start_is_sure=self.sure)

    def append(self, body: Body) -> Event:
        """An event of the table's, kept in memory alone."""
        number = len(self.events) + 1
        event = Event.spoken(number, body)
        self.events.append(event)
        return event

    def start(self, game: str = "enkeshui", line: str = "", rules: str | None = None) -> Rules:
        """A game begins and its set-up lies on the board."""
        played = ruleset(game, rules)
        position = starting_position(played, None, line)
        self.game.fold(self.append(game_started(played, position, "test")))
        self.table = self._table()
        self.counts = list(position.counts)
        return played

    def frames(self, seconds: float, hands: tuple[float, float] = (0.0, 0.0), seen: Sequence[int] | None = None,
               trouble: dict[str, bool] | dict[str, float] | None = None) -> None:
        """So many seconds of frames of the board as it lies; seen: the open pits; trouble: fields of the reading."""
        self.stays.show(self.counts)
        for _ in range(max(1, round(seconds * FPS))):
            self.t += 1 / FPS
            ns = round(self.t * 1e9)
            counted = self.table.wants_count(ns)
            self.counted += counted
            open_pits = np.ones(len(self.counts), bool)
            if seen is not None:
                open_pits[[p for p in range(len(self.counts)) if p not in seen]] = False
            loglik = self._with_known(likelihoods(self.counts, self.doubt, self.lean)) * counted
            motion = 0.05 if any(hands) else 0.0
            reading = Reading(ns, loglik, open_pits & counted, hands, counted=counted, motion=motion)
            self.table.reading(self.stays.told(replace(reading, **(trouble or {}))), self.view)
            self.known = self.table.counts_to_teach() or self.known

    def _with_known(self, loglik: NDArray[np.float32]) -> NDArray[np.float32]:
        """Log-likelihoods as vision has them, which was told what pits hold in some stays."""
        if self.known is None or self.known.stays is None or len(self.known.counts) != len(loglik):
            return loglik
        return with_unchanged_counts(loglik, self.known.stays == self.stays.numbers, np.asarray(self.known.counts))

    def touch(self, pits: Collection[int]) -> None:
        """Somebody stirs the seeds of these pits; as many lie there as did."""
        self.stays.show(self.counts, pits)

    def move(self, counts: Sequence[int], side: Side, seconds: float = 1.5, pause: float = 1.5) -> None:
        """A hand comes in from a side, changes the board, leaves."""
        hands = (0.08, 0.0) if side is Side.SOUTH else (0.0, 0.08)
        self.frames(seconds, hands)
        self.counts = list(counts)
        self.frames(0.2, hands)
        self.frames(pause)

    def play(self, name: str | None = None, pause: float = 1.5) -> None:
        """The player to move makes a legal move."""
        rules, position = self.game.playing
        move = rules.play(position, name) if name else rules.moves(position).moves[0]
        self.move(move.position.counts, position.to_move, pause=pause)

    def order(self, order: Order) -> bool:
        """People order something."""
        event = self.append(order)
        self.game.fold(event)
        return self.table.order(event.number)

    def said(self, kind: type[Said]) -> list[Said]:
        """The bodies of one type, in order."""
        return [e.body for e in self.events if isinstance(e.body, kind)]

    def at(self, state: State) -> bool:
        """Whether the table is in that state now."""
        return self.table.state is state


def begun(line: str = MIDDLE, rules: str | None = None) -> Played:
    """A table whose first game has begun, of Enkeshui, from a position; "" for the set-up."""
    played = Played()
    played.start("enkeshui", line, rules)
    played.frames(1.0)
    assert played.at(State.WATCHING)
    return played


def doubted(played: Played, pause: float) -> tuple[int, ...]:
    """South plays b from `MIDDLE`, and it reads as if one of its seeds had rather fallen into d twice; the counts that
    it leaves."""
    rules, position = played.game.playing
    target = rules.play(position, "b").position.counts
    played.doubt, played.lean = {3: target[3] + 1, 4: target[4] - 1}, 5.5
    played.move(target, Side.SOUTH, pause=pause)
    return target


def verdicts(played: Played) -> list[VerdictGiven]:
    """What was said of moves."""
    return played.said(VerdictGiven)


def cheat(played: Played, pause: float = 1.5) -> tuple[int, ...]:
    """South plays b from `MIDDLE`, and drops two seeds into d and none into e."""
    rules, position = played.game.playing
    counts = list(rules.play(position, "b").position.counts)
    counts[3], counts[4] = counts[3] + 1, counts[4] - 1
    played.move(counts, Side.SOUTH, pause=pause)
    return tuple(counts)


@cache
def _fouled() -> Played:
    work = Later()
    work.go_on()
    played = Played(work=work)
    played.start(line=MIDDLE)
    played.frames(1.0)
    cheat(played)
    assert verdicts(played)[-1].kind == "illegal"
    return played


def fouled_once() -> Played:
    """A table where `cheat` was called illegal, with `Later` as `work`: judged once, copied for each test."""
    return copy.deepcopy(_fouled())


@cache
def _went_on() -> tuple[Played, list[Position]]:
    played = fouled_once()
    real = [played.game.playing[0].play(Position.parse(verdicts(played)[-1].before), "b").position]
    go_on(played, real)
    return played, real


def went_on() -> tuple[Played, list[Position]]:
    """The same, and North has moved legally from the board as it really lay, with the positions after either move."""
    return copy.deepcopy(_went_on())


def go_on(played: Played, real: list[Position]) -> None:
    """Play goes on legally from the last of these positions; the next is put to them."""
    real.append(played.game.playing[0].moves(real[-1]).moves[0].position)
    played.move(real[-1].counts, real[-2].to_move, pause=4.0)
