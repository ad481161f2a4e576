"""Simulated eyes that give readings, to test the referee without pictures.

`Measured` draws from what the product's own eye read in pits whose count is known (`tests.bench.eye_errors`).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.position import Position
from engine.referee.decide import Referee
from engine.referee.finding import Finding
from engine.referee.observation import COUNTS, F64, LookUnderHands, Observation
from engine.rules import Rules
from vision.seeds.knowledge.known_counts import with_unchanged_counts
from vision.seeds.parameters import TOUCH

Boards = NDArray[np.int64]
"""int64[steps, pits], the boards that a move passes through (`engine.trace.boards`)."""

FILE, STEP = Path(__file__).with_name("eye.npz"), 16.0
"""Where `tests.bench.eye_errors` keeps its measurements, and in which fractions of a nat log-likelihoods are stored."""

SURELY = TOUCH.most_nats
"""Log-odds that a pit was touched if it clearly looks different; negated if it looks as before."""

JOSTLED = 0.003
"""How often the seeds of an untouched pit shift during a move; a guess, measured at no table."""

RESTS_S, PLAIN, NEW_STAY = 5.0, 0.1, 1_000_000
"""Seconds of rest after a move; least share of the board at which a hand is noticed; number of the new stay of a pit
that nobody touched but that looks different."""

FRAMES, HIDDEN = 10.0, 0.3
"""While hands are in play: readings per second, and the share of pits that a hand covers besides the one it is at."""


@dataclass(frozen=True, slots=True)
class Tempo:
    """How people play. drop_s: seconds per drop; answered: share of the legal moves whose answer begins before the hand
    is away, so that both moves come as one observation."""

    name: str
    drop_s: float
    answered: float


NORMAL = Tempo("normal pace", 1 / 3, 0.02)
"""3 drops a second, a second between turns; now and then somebody does not wait."""
FAST = Tempo("fast", 1 / 6, 0.35)
"""6 drops a second, 0.2 s between turns, hands that overlap."""


@dataclass(frozen=True)
class Seen:
    """The readings of a board before and after a move, with the looks while hands were in play."""

    before: Observation
    after: Observation

    def found(self, rules: Rules, position: Position, history: Sequence[Position] = ()) -> list[Finding]:
        """Return the referee's findings on what followed that position. history: earlier positions, oldest first."""
        referee = Referee(rules, position, history=history)
        referee.observe(self.before, over=True)
        return referee.observe(self.after, over=True)


class Eye(Protocol):
    """Watches moves on one board."""

    def watch(self, rng: random.Random, boards: Boards, hands: tuple[float, float], drop_s: float) -> Seen:
        """Return the readings before, during and after a move through these boards. drop_s: seconds per drop."""

    def lies(self, boards: Boards) -> None:
        """Accept this watched move: the game goes on from its board."""


def seen_of(passing: Passing, reads: tuple[F64, Sequence[F64], F64], hands: tuple[float, float], touched: F64) -> Seen:
    """Return the observations of a move. reads: float64[pits, 26] before it, in each look, and after it; touched:
    float64[pits], log-odds that each pit was touched, judged by its look."""
    pits, t = len(touched), len(passing.frames) / FRAMES + 2.0
    before, looks, after = reads
    none, everywhere, stays = np.zeros((pits, 0)), np.ones(pits, bool), passing.stay[-1].astype(np.int64)
    new = np.where((stays == 0) & (touched >= 0), NEW_STAY, stays)
    first = Observation(1.0, before, everywhere, np.zeros(pits, np.int64), none.astype(np.int64), none, (0.0, 0.0),
                        2.0, 0.0, 0.0)
    while_ = tuple(LookUnderHands(1.5 + k / FRAMES, one, open_, passing.stay[step].astype(np.int64),
                        (hands[0] > PLAIN, hands[1] > PLAIN))
                   for k, (one, open_, step) in enumerate(zip(looks, passing.seen, passing.frames, strict=True)))
    return Seen(first, Observation(t + RESTS_S, after, everywhere, new, np.zeros((pits, 1), np.int64),
                                   touched[:, None], hands, RESTS_S, 1.5, t, while_, last=True))


class Passing:
    """Which heap is in which pit at each step: a heap lasts until its pit is touched."""

    def __init__(self, rng: random.Random, boards: Boards, drop_s: float) -> None:
        pits = boards.shape[1]
        touched = np.zeros(boards.shape, bool)
        touched[1:] = boards[1:] != boards[:-1]
        self.stay: Boards = np.cumsum(touched, axis=0)
        """int64[steps, pits], how often each pit has been touched."""
        frames: list[int] = []
        seen: list[NDArray[np.bool_]] = []
        clock = 0.0
        for k in range(len(boards)):
            clock += drop_s * FRAMES * rng.uniform(0.6, 1.5)
            for _ in range(int(clock)):
                first = rng.randrange(pits)
                open_ = ~touched[k]
                open_[[(first + i) % pits for i in range(round(HIDDEN * pits))]] = False
                frames.append(k)
                seen.append(open_)
            clock %= 1
        self.frames = frames
        """The step of each reading."""
        self.seen: NDArray[np.bool_] = np.array(seen, bool).reshape(-1, pits)


# ---- the measured eye
# ------------------------------------------------------------------------------------------------------


class Library:
    """The pits in `eye_errors`' file. tables: their numbers. true: int[n], seeds; quiet: float32[n, 26] and looks:
    float32[n, frames, 26], log-likelihoods for the quiet board and for single frames; same: how often an untouched pit
    is recognised as unchanged; unseen: how often a changed pit is taken for unchanged; changed: how often a changed pit
    is seen as changed."""

    def __init__(self, path: Path) -> None:
        with np.load(path) as kept:
            self.table, self.true = kept["table"].astype(int), kept["true"].astype(int)
            self.quiet = kept["quiet"].astype(np.float32) / -STEP
            self.looks = kept["looks"].astype(np.float32) / -STEP
            untouched = kept["before"] == kept["true"]
            self.same = (int(kept["same"][untouched].sum()) + 0.5) / (int(untouched.sum()) + 1)  # Jeffreys
            self.unseen = int(kept["same"][~untouched].sum()) / max(1, int((~untouched).sum()))
            self.changed = (int((~kept["same"][~untouched].astype(bool)).sum()) + 0.5) / (int((~untouched).sum()) + 1)
        self.tables = sorted(set(self.table.tolist()))

    def heaps(self, table: int) -> dict[int, list[int]]:
        """Return the heaps of a table by their number of seeds."""
        found: dict[int, list[int]] = {}
        for at in np.flatnonzero(self.table == table):
            found.setdefault(int(self.true[at]), []).append(int(at))
        return found


@lru_cache(maxsize=1)
def library() -> Library:
    """Return the kept measurements."""
    return Library(FILE)


Heap = tuple[int, int]
"""A heap of the library, and how many more seeds it stands for: not every count was measured at every table."""


class Measured:
    """A random table of the library. Untouched heaps stay the same, move after move."""

    def __init__(self, rng: random.Random, kept: Library | None = None) -> None:
        self._library = kept or library()
        self._heaps = self._library.heaps(rng.choice(self._library.tables))
        self._now: list[Heap] = []
        self._left: list[tuple[Boards, list[Heap]]] = []

    def _heap(self, rng: random.Random, seeds: int) -> Heap:
        like = min(self._heaps, key=lambda n: (abs(n - seeds), n))
        return rng.choice(self._heaps[like]), seeds - like

    def watch(self, rng: random.Random, boards: Boards, hands: tuple[float, float], drop_s: float) -> Seen:
        pits = range(boards.shape[1])
        if not self._now:
            self._now = [self._heap(rng, int(n)) for n in boards[0]]
        passing = Passing(rng, boards, drop_s)
        heaps = self._passed(rng, boards, passing)
        jostled = np.array([passing.stay[-1, p] == 0 and boards[0, p] > 0 and rng.random() < JOSTLED for p in pits])
        for pit in np.flatnonzero(jostled):  # at a random step; shifted seeds count as another heap
            other = self._heap(rng, int(boards[0, pit]))
            for step in range(rng.randrange(len(boards)), len(boards)):
                heaps[step][pit] = other
        self._left.append((boards, heaps[-1]))
        frames = [self._read(self._library.looks[:, rng.randrange(self._library.looks.shape[1])], heaps[k])
                  for k in passing.frames]
        quiet = self._read(self._library.quiet, heaps[-1])
        empty = (boards[0] == 0) & (boards[-1] == 0)
        alike = ((passing.stay[-1] == 0) & ~jostled) | empty
        same = np.array([rng.random() < (self._library.same if a else self._library.unseen) for a in alike])
        changed = ~alike & ~same & np.array([rng.random() < self._library.changed for _ in pits])
        quiet = with_unchanged_counts(quiet.astype(np.float32), same, boards[0]).astype(np.float64)
        before = self._read(self._library.quiet, self._now)
        return seen_of(passing, (before, frames, quiet), hands, SURELY * (changed.astype(np.float64) - same))

    def _passed(self, rng: random.Random, boards: Boards, passing: Passing) -> list[list[Heap]]:
        """Return the heaps of every pit after each step: a new random heap wherever the pit was touched."""
        heaps = [list(self._now)]
        for k in range(1, len(boards)):
            heaps.append([self._heap(rng, int(boards[k, pit])) if stay != before else heap for pit, (stay, before, heap)
                          in enumerate(zip(passing.stay[k], passing.stay[k - 1], heaps[-1], strict=True))])
        return heaps

    def _read(self, table: NDArray[np.float32], heaps: Sequence[Heap]) -> NDArray[np.float64]:
        rows = table[[at for at, _ in heaps]].astype(np.float64)
        for pit, (_, more) in enumerate(heaps):
            if more:
                shifted = np.full(COUNTS, rows[pit].min())
                part = rows[pit, max(0, -more): COUNTS - max(0, more)]
                shifted[max(0, more): COUNTS - max(0, -more)] = part
                rows[pit] = shifted
        return rows

    def lies(self, boards: Boards) -> None:
        """Accept a watched move. Raises ValueError if these boards were not watched since the last accepted move."""
        left = next((heaps for watched, heaps in reversed(self._left) if watched is boards), None)
        if left is None:
            raise ValueError("a move that was not watched cannot stand")
        self._now, self._left = left, []
