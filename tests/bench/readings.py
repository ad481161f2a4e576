"""An eye at the level of readings, to try the referee without pictures.

`Measured` draws from what the product's own eye made of pits whose count is known (`tests.bench.eye_errors`).
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
from engine.referee.observation import COUNTS, F64, Look, Observation
from engine.rules import Rules
from vision.seeds.knowledge.known_counts import with_unchanged_counts
from vision.seeds.parameters import CHANGE

Boards = NDArray[np.int64]
"""int64[steps, pits], the boards that a move passes through (`engine.trace.boards`)."""

FILE, STEP = Path(__file__).with_name("eye.npz"), 16.0
"""Where `tests.bench.eye_errors` keeps what it measured, and in which parts of a nat log-likelihoods stand there."""

SURELY = CHANGE.most_nats
"""Log-odds that a pit was touched of one that plainly looks otherwise; against it of one that looks as before."""

JOSTLED = 0.003
"""How often the seeds of a pit that nobody sows into come to lie otherwise in a move; no table was watched for it."""

RESTS_S, PLAIN, NEW_STAY = 5.0, 0.1, 1_000_000
"""Seconds of rest after a move; share of the board from which on a hand is made out; number of the stay of a pit that
nobody touched and that is not recognized."""

FRAMES, HIDDEN = 10.0, 0.3
"""While hands are in play: readings a second, and share of the pits that a hand covers besides the one it is at."""


@dataclass(frozen=True, slots=True)
class Tempo:
    """How people play. drop_s: seconds a drop; answered: share of the legal moves that the opponent answers with his
    hand in before the last one is away, so that both are one disturbance."""

    name: str
    drop_s: float
    answered: float


NORMAL = Tempo("normal pace", 1 / 3, 0.02)
"""3 drops a second, a second between turns: now and then somebody does not wait."""
FAST = Tempo("fast", 1 / 6, 0.35)
"""6 drops a second, 0.2 s between turns, hands that overlap."""


@dataclass(frozen=True)
class Seen:
    """What is read of a board before a move and after it, with the looks while hands were in play."""

    before: Observation
    after: Observation

    def found(self, rules: Rules, position: Position, history: Sequence[Position] = ()) -> list[Finding]:
        """What the referee says happened after that position. history: those before it, oldest first."""
        referee = Referee(rules, position, history=history)
        referee.observe(self.before, over=True)
        return referee.observe(self.after, over=True)


class Eye(Protocol):
    """Somebody who sees moves made on one board."""

    def watch(self, rng: random.Random, boards: Boards, hands: tuple[float, float], drop_s: float) -> Seen:
        """What is read of a move that passes through these boards, and while it does. drop_s: seconds a drop."""

    def lies(self, boards: Boards) -> None:
        """This move of those watched stands: the game goes on from its board."""


def seen_of(passing: Passing, reads: tuple[F64, Sequence[F64], F64], hands: tuple[float, float], touched: F64) -> Seen:
    """What an eye makes of a move. reads: float64[pits, 26] before it, in each look and after it; touched:
    float64[pits], log-odds that each pit was, by its look."""
    pits, t = len(touched), len(passing.frames) / FRAMES + 2.0
    before, looks, after = reads
    none, everywhere, stays = np.zeros((pits, 0)), np.ones(pits, bool), passing.stay[-1].astype(np.int64)
    new = np.where((stays == 0) & (touched >= 0), NEW_STAY, stays)
    first = Observation(1.0, before, everywhere, np.zeros(pits, np.int64), none.astype(np.int64), none, (0.0, 0.0),
                        2.0, 0.0, 0.0)
    while_ = tuple(Look(1.5 + k / FRAMES, one, open_, passing.stay[step].astype(np.int64),
                        (hands[0] > PLAIN, hands[1] > PLAIN))
                   for k, (one, open_, step) in enumerate(zip(looks, passing.seen, passing.frames, strict=True)))
    return Seen(first, Observation(t + RESTS_S, after, everywhere, new, np.zeros((pits, 1), np.int64),
                                   touched[:, None], hands, RESTS_S, 1.5, t, while_, last=True))


class Passing:
    """Which heap lies in which pit when: a heap lasts until its pit is touched."""

    def __init__(self, rng: random.Random, boards: Boards, drop_s: float) -> None:
        pits = boards.shape[1]
        touched = np.zeros(boards.shape, bool)
        touched[1:] = boards[1:] != boards[:-1]
        self.stay: Boards = np.cumsum(touched, axis=0)
        """int64[steps, pits], how often the pit has been touched."""
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


# ---- as it was measured
# ------------------------------------------------------------------------------------------------------


class Library:
    """The pits of `eye_errors`' file. tables: their numbers. true: int[n], seeds; quiet: float32[n, 26] and looks:
    float32[n, frames, 26], log-likelihoods of the quiet board and of single frames; same: float, how often a pit that
    nobody touched is seen to be as it was; unseen: float, how often one whose seeds have changed seems to be as it was;
    changed: float, how often such a one is seen to be otherwise."""

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
        """The heaps of a table by their number of seeds."""
        found: dict[int, list[int]] = {}
        for at in np.flatnonzero(self.table == table):
            found.setdefault(int(self.true[at]), []).append(int(at))
        return found


@lru_cache(maxsize=1)
def library() -> Library:
    """What was measured last."""
    return Library(FILE)


Heap = tuple[int, int]
"""A heap of the library, and how many seeds more lie here than in it: not every number was measured at every table."""


class Measured:
    """One table of the library, by lot. Heaps that nobody touches stay what they are, move after move."""

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
        for pit in np.flatnonzero(jostled):  # somewhere along the way; seeds that lie otherwise are another heap
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
        """The heaps of every pit after each step: another one by lot where the pit was touched."""
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
        """Raises ValueError where these very boards were not watched since the last that stood."""
        left = next((heaps for watched, heaps in reversed(self._left) if watched is boards), None)
        if left is None:
            raise ValueError("a move that was not watched cannot stand")
        self._now, self._left = left, []
