"""Three eyes at the level of readings, to try the judge without pictures, and Wilson's interval.

`Modelled` errs as the issue of the judge supposed when it was planned; `Asked` no more than what is asked of the reader
lets it, so that what goes wrong with it is the judge's own share; `Measured` draws from what the product's own eye made
of pits whose count is known (`tests.bench.eye_errors`).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.judge import COUNTS, Evidence, Timeline
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


class Eye(Protocol):
    """Somebody who sees moves made on one board."""

    def watch(self, rng: random.Random, boards: Boards, hands: tuple[float, float], drop_s: float) -> Evidence:
        """What is read of a move that passes through these boards, and while it does. drop_s: seconds a drop."""

    def lies(self, boards: Boards) -> None:
        """This move of those watched stands: the game goes on from its board."""


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


# ---- as it was supposed
# ------------------------------------------------------------------------------------------------------

Rates = tuple[tuple[int, float], ...]
ERRS: Rates = ((0, 0.0005), (4, 0.001), (8, 0.005), (14, 0.03), (999, 0.1))
"""Up to so many seeds, how often the most likely count of a pit is wrong."""
BLUR, SAME = 4.0, 0.8
"""While hands are in play: how many times as often a pit is misread, and how often one that nobody touches any more is
read as it is afterwards."""


class Modelled:
    """worse: times as often as `ERRS` says a pit is misread."""

    quiet = ERRS
    hasty = tuple((most, BLUR * often) for most, often in ERRS)

    def __init__(self, worse: float = 1.0) -> None:
        self.worse = worse

    def watch(self, rng: random.Random, boards: Boards, hands: tuple[float, float], drop_s: float) -> Evidence:
        final = evidence(rng, boards[-1].tolist(), hands, worse=self.worse, errs=self.quiet)
        passing = Passing(rng, boards, drop_s)
        pits = boards.shape[1]
        stays: dict[tuple[int, int], NDArray[np.float64]] = {}
        loglik = np.empty((len(passing.frames), pits, COUNTS))
        for i, k in enumerate(passing.frames):
            for pit, stay in enumerate(passing.stay[k].tolist()):
                key = (pit, stay)
                if key not in stays and stay == passing.stay[-1, pit] and rng.random() < SAME:
                    stays[key] = final.loglik[pit]
                if key not in stays:
                    one = (int(boards[k, pit]),)
                    stays[key] = evidence(rng, one, worse=self.worse, errs=self.hasty).loglik[0]
                loglik[i, pit] = stays[key]
        return Evidence(final.loglik, final.seen, final.frames, hands, Timeline(loglik, passing.seen))

    def lies(self, boards: Boards) -> None:
        """It remembers nothing."""


class Asked(Modelled):
    """Errs as often as is asked of the reader at the most: with pictures of the empty board and ten frames once the
    board is quiet, and as in single frames while hands are in play. What has changed the table sees besides."""

    quiet = ((0, 0.0), (4, 0.001), (8, 0.005), (14, 0.03), (999, 0.1))
    hasty = ((0, 0.001), (4, 0.005), (8, 0.02), (14, 0.1), (999, 0.25))

    def watch(self, rng: random.Random, boards: Boards, hands: tuple[float, float], drop_s: float) -> Evidence:
        seen = super().watch(rng, boards, hands, drop_s)
        touched = (boards != boards[0]).any(axis=0)
        jostled = ~touched & (boards[0] > 0) & np.array([rng.random() < JOSTLED for _ in touched])
        changed = jostled | (touched & ((boards[0] > 0) | (boards[-1] > 0)))
        return replace(seen, touched=np.where(changed, SURELY, -SURELY))


def evidence(rng: random.Random, counts: Sequence[int], hands: tuple[float, float] = (0.0, 0.0), *,
             worse: float = 1.0, errs: Rates = ERRS) -> Evidence:
    """What an eye with these error rates, times `worse`, would make of a board: at times sure and wrong, or right and
    unsure."""
    loglik = np.empty((len(counts), COUNTS))
    for pit, true in enumerate(counts):
        err = min(0.5, worse * next(e for most, e in errs if true <= most))
        read, sure = min(true, COUNTS - 1), 1 - rng.uniform(0.0001, 0.003)
        if rng.random() < err:
            read = max(0, min(COUNTS - 1, true + rng.choice((-1, -1, -1, 1, 1, 1, -2, 2))))
            sure = 0.995 if rng.random() < 0.15 else rng.uniform(0.4, 0.95)
        elif rng.random() < 3 * err:
            sure = rng.uniform(0.45, 0.95)
        loglik[pit] = _around(read, sure, true if read != true else rng.choice((read - 1, read + 1)))
    return Evidence(loglik, np.ones(len(counts), bool), 6, hands)


_FALL = np.exp(-1.5 * np.abs(np.subtract.outer(np.arange(COUNTS), np.arange(COUNTS))) - 6)


def _around(read: int, sure: float, second: int) -> NDArray[np.float64]:
    p = _FALL[read].copy()
    p[max(0, min(COUNTS - 1, second))] += 3
    p[read] = 0
    p *= (1 - sure) / p.sum()
    p[read] = sure
    return np.asarray(np.log(p / p.sum()))


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

    def watch(self, rng: random.Random, boards: Boards, hands: tuple[float, float], drop_s: float) -> Evidence:
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
        during = Timeline(np.array(frames, np.float64).reshape(-1, len(pits), COUNTS), passing.seen)
        return Evidence(quiet, np.ones(len(pits), bool), 4, hands, during,
                        touched=SURELY * (changed.astype(np.float64) - same))

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
