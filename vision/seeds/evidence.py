"""What is known of every pit: one piece of evidence for each stay.

A stay lasts from one touch of a pit to the next; all that time the pit shows the same seeds. Looks at one stay err
alike, so they are averaged, never added up: averaging removes the camera's noise and the network's preference for a
position, but a stay is no surer than one look. A pit is looked at again only until its stay is settled. Untouched pits
cost nothing.

Other knowledge of a pit at this table corrects a look before it enters its stay: how the pit looked when it was empty,
how much of it one seed takes up, and what was added since its count was known. Two things correct every stay without
another look at the pictures: how the counter errs at this table, and what the pit was known to hold if it looks as it
did then.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.reading import COUNTS, BoardView, Lesson
from vision.seeds.counter import Reader
from vision.seeds.crops import FINE, SIZE, crop_view
from vision.seeds.knowledge.adaptation import Adaptation
from vision.seeds.knowledge.added_seeds import AddedSeedModel
from vision.seeds.knowledge.changes import contrast_of, even_odds_grey, noise_of, touched_log_odds
from vision.seeds.knowledge.earlier_looks import EarlierLooks
from vision.seeds.knowledge.empty_pits import EmptyPitReference, alike
from vision.seeds.knowledge.known_counts import KnownCounts, with_unchanged_counts
from vision.seeds.knowledge.occlusion import OcclusionCalibration
from vision.seeds.knowledge.seed_area import SeedAreaModel
from vision.seeds.parameters import COUNTER, STAYS, TOUCH

Image = NDArray[np.uint8]
Cells = NDArray[np.float32]
Mask = NDArray[np.bool_]


def is_sure(loglik: NDArray[np.float32]) -> Mask:
    """Return bool[n]: whether the likeliest count of log-likelihoods float32[n, 26] is nearly certain by itself."""
    return np.asarray(loglik.max(axis=1) - np.logaddexp.reduce(loglik, axis=1) > np.log(COUNTER.sure))


@dataclass
class _PresentStays:
    """The present stay of each pit, one row a pit.

    crops: uint8[pits, FINE, FINE, 3], how the pit looked at its newest look. counted: float32[pits, 26], the counter's
    log-likelihoods, the mean over the looks. table: float32[pits, 26], log-likelihoods from other knowledge of this
    table, at the newest look. covered: float32[pits], the probability that the newest look shows a hand. maps:
    float32[pits, SIZE / 4, SIZE / 4], mean map of seeds. looks: int64[pits], their number. fine: float32[pits, FINE /
    2, FINE / 2], heat of the look at full resolution, NaN if there was none in this stay. due: bool[pits], pits that
    were touched and not looked at since.
    """

    crops: Image
    counted: NDArray[np.float32]
    table: NDArray[np.float32]
    covered: NDArray[np.float32]
    maps: NDArray[np.float32]
    looks: NDArray[np.int64]
    fine: NDArray[np.float32]
    due: Mask

    @classmethod
    def unseen(cls, n: int) -> _PresentStays:
        """Return the rows of `n` pits that were never looked at."""
        return cls(np.zeros((n, FINE, FINE, 3), np.uint8), np.zeros((n, COUNTS), np.float32),
                   np.zeros((n, COUNTS), np.float32), np.zeros(n, np.float32),
                   np.zeros((n, SIZE // 4, SIZE // 4), np.float32), np.zeros(n, np.int64),
                   np.full((n, FINE // 2, FINE // 2), np.nan, np.float32), np.ones(n, np.bool_))

    def renew(self, touched: Mask) -> None:
        """Begin another stay in the pits of `touched`, bool[pits]."""
        self.looks[touched] = 0
        self.fine[touched] = np.nan
        self.due |= touched

    @property
    def loglik(self) -> NDArray[np.float32]:
        """float32[pits, 26], log-likelihoods of each stay's count, up to a constant per pit."""
        return self.counted + self.table

    @property
    def settled(self) -> Mask:
        """bool[pits]: the pits at which another look would teach nothing."""
        return np.asarray((self.looks >= STAYS.looks) | (is_sure(self.loglik) & (self.looks >= STAYS.plain_looks)))


@dataclass(frozen=True)
class _PitHistory:
    """What is remembered of the pits of one board from its first look on. stays: the present ones; earlier: how the
    pits looked in these and in earlier ones; calibration: whether they are covered when the counter says so."""

    stays: _PresentStays
    earlier: EarlierLooks
    calibration: OcclusionCalibration

    @classmethod
    def begin(cls, cells: Cells, inherited: EarlierLooks | None) -> _PitHistory:
        """Return the history at the first look. cells: float32[pits, k, k], how the pits look now; inherited: what
        was seen of the pits at the board's earlier place, used if that board had as many."""
        n = len(cells)
        earlier = EarlierLooks(cells) if inherited is None or len(inherited.number) != n else inherited
        return cls(_PresentStays.unseen(n), earlier, OcclusionCalibration(n))


class PitEvidence:
    """The stays of one board's pits at its present place, and what was learnt about the pits.

    counter: reads pits. seed_area, adaptation: how much of a pit one seed takes up at this table, and how the counter
    errs here; both hold wherever the board lies.
    """

    def __init__(self, counter: Reader, seed_area: SeedAreaModel, adaptation: Adaptation,
                 before: PitEvidence | None = None) -> None:
        """Start with no look. before: the evidence of the board at its earlier place, None for none; other arguments:
        see the class."""
        self._counter, self._seed_area, self._adaptation = counter, seed_area, adaptation
        self._empties, self._added = EmptyPitReference(counter), AddedSeedModel()
        self._begun: _PitHistory | None = None
        earlier = None if before is None else before._earlier
        self._inherited = None if earlier is None else earlier.found_aside()
        self._frame: tuple[Cells, Mask] | None = None
        self._noises, self._light = deque[float](maxlen=STAYS.noise_frames), np.float32(0)
        self._uncovered = self._seen = np.zeros(0, np.bool_)
        self._position = 0

    def look(self, image: Image, view: BoardView, cells: Cells, uncovered: Mask, limit: float, *, revisit: bool,
             most: int | None = None) -> tuple[NDArray[np.float32], Mask, int]:
        """Look at the pits that need it. Return the log-likelihoods float32[pits, 26] of each stay's count, corrected
        for this table; bool[pits], which pits are open; and the number of pits that the counter looked at.

        cells: float32[pits, k, k], how the pits look now. uncovered: bool[pits], those with no hand over them; the
        others are not looked at. limit: a pit counts as covered if the counter's probability for that is at least this.
        revisit: look again at unsettled stays, and at doubtful pits at full resolution, because there is time. most:
        the most pits to look at; pits are looked at again only while the total is within a share of it. A pit that was
        touched and not looked at since counts as not open.
        """
        if self._begun is None:
            self._begun = _PitHistory.begin(cells, self._inherited)
        stays, cells = self._begun.stays, self._evenly_lit(cells, uncovered)
        stays.renew(self._touched(cells, uncovered))
        self._begun.earlier.last(uncovered & ~stays.due)
        pits = np.flatnonzero(uncovered & stays.due)[:most]
        if revisit:
            pits = np.sort(np.append(pits, self._again(uncovered, most, len(pits))))
        if len(pits):
            self._look_at(pits, image, view, cells, revisit=revisit)
        open_ = self._begun.calibration.believed(stays.covered) < limit
        self._uncovered, self._seen = uncovered, uncovered & open_ & ~stays.due
        return self._final(stays.loglik), self._seen, len(pits)

    @property
    def _history(self) -> _PitHistory:
        """The history, which the first look begins."""
        assert self._begun is not None
        return self._begun

    @property
    def _earlier(self) -> EarlierLooks | None:
        """The earlier looks at the pits; before the first look those at another place, None if there are none."""
        return self._inherited if self._begun is None else self._begun.earlier

    def _final(self, loglik: NDArray[np.float32]) -> NDArray[np.float32]:
        """Correct log-likelihoods float32[pits, 26] for this table, and for pits that look as they did when their count
        was last known."""
        read, earlier = self._adaptation.apply(loglik.astype(np.float64)).astype(np.float32), self._history.earlier
        return with_unchanged_counts(read, earlier.as_known, earlier.known.counts)

    def _evenly_lit(self, cells: Cells, uncovered: Mask) -> Cells:
        """Return the cells without the change of light on the whole board, measured in the pits of `uncovered`,
        bool[pits]."""
        self._measure_noise(cells, uncovered)
        if uncovered.any():
            self._light = np.float32(np.median(cells[uncovered] - self._history.earlier.present[uncovered]))
        return np.asarray(cells - self._light, np.float32)

    def _touched(self, cells: Cells, uncovered: Mask) -> Mask:
        """Return bool[pits]: the pits of `uncovered`, bool[pits], that look different from their newest look, inside or
        round their rims."""
        now, then = (one.reshape(len(one), -1) for one in (cells, self._history.earlier.present))
        return uncovered & (touched_log_odds(now, then, self._even_grey) > TOUCH.same_log_odds)

    @property
    def _even_grey(self) -> float:
        """Grey levels, see `vision.seeds.knowledge.changes.even_odds_grey`; the usual ones while the noise is unknown.
        """
        if len(self._noises) < STAYS.noise_frames:
            return TOUCH.even_grey
        return even_odds_grey(min(self._noises), contrast_of(self._history.earlier.present))

    def _measure_noise(self, cells: Cells, uncovered: Mask) -> None:
        """Compare a frame with the one before. When light or hands come, most of the board changes, and that is no
        noise: so the least of the last few frames counts. Few open pits tell nothing."""
        if self._frame is not None:
            both = uncovered & self._frame[1]
            if 2 * np.count_nonzero(both) >= len(both):
                self._noises.append(noise_of(cells[both], self._frame[0][both]))
        self._frame = cells, uncovered

    def _again(self, uncovered: Mask, most: int | None, due: int) -> NDArray[np.intp]:
        """Return the pits to look at again, those with the fewest looks first: as many as there is time for besides the
        `due` ones."""
        stays = self._history.stays
        pits = np.flatnonzero(uncovered & ~stays.settled & ~stays.due)
        if most is None:
            return pits
        pits = pits[np.argsort(stays.looks[pits], kind="stable")]
        return pits[:max(0, math.ceil(STAYS.again_share * most) - due)]

    def learn(self, lesson: Lesson) -> None:
        """Learn what the pits hold. A lesson for another board, or before the first look, is ignored."""
        if self._begun is None or len(lesson.counts) != len(self._begun.stays.looks):
            return
        stays, earlier = self._begun.stays, self._begun.earlier
        counts = np.asarray(lesson.counts, np.int64)
        if lesson.supposed and not alike(earlier.present[counts == 0]):
            return
        held = earlier.number.copy() if lesson.stays is None else lesson.stays
        if not lesson.supposed:
            earlier.known = KnownCounts(counts, held)
        counts = np.where(held == earlier.number, counts, -1)
        self._begun.calibration.learn(stays.covered, self._uncovered & (stays.loglik.argmax(axis=1) == counts))
        known = np.where(self._seen, counts, -1)
        if lesson.errors:
            self._adaptation.learn(stays.loglik.astype(np.float64), known >= 0, known)
        self._seed_area.learn(stays.crops, self._empties.pictures(stays.crops, np.arange(len(known))), known)
        self._empties.learn(stays.crops, known)
        self._added.learn(stays.crops, stays.maps, known)
        looked = np.flatnonzero(stays.crops.any(axis=(1, 2, 3)))
        stays.table[looked] = self._seed_area.say(stays.crops[looked], self._empties.pictures(stays.crops, looked))

    @property
    def numbers(self) -> NDArray[np.int64]:
        """int64[pits], the number of each pit's stay at the newest look; none before the first."""
        return np.zeros(0, np.int64) if self._earlier is None else self._earlier.number.copy()

    @property
    def earlier_stays(self) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """int64[pits, k], the numbers of the stays that are remembered of each pit, -1 for none; and float32[pits, k],
        log-odds that it was touched between each of them and the present one. Both at the newest look."""
        earlier = self._history.earlier
        return earlier.earlier.copy(), earlier.changed.copy()

    def _look_at(self, pits: NDArray[np.intp], image: Image, view: BoardView, cells: Cells, *, revisit: bool) -> None:
        stays = self._history.stays
        stays.crops[pits] = crops = crop_view(image, view, only=np.isin(np.arange(len(cells)), pits))
        fine, maps = stays.fine[pits], stays.maps[pits]
        loglik, covered = self._counter.read(
            crops, first=self._position, empties=self._empties.for_counter(pits), again=revisit, fine=fine, drawn=maps)
        self._position += 1
        share = (1 / (stays.looks[pits] + 1))[:, None].astype(np.float32)
        stays.maps[pits] += (maps - stays.maps[pits]) * share[:, :, None]
        stays.counted[pits] += (loglik - stays.counted[pits]) * share
        stays.table[pits] = self._seed_area.say(crops, self._empties.pictures(stays.crops, pits))
        if revisit:
            some = ~is_sure(stays.counted[pits])
            stays.table[pits[some]] += self._added.say(crops[some], stays.maps[pits[some]], pits[some])
        stays.covered[pits], stays.fine[pits] = covered, fine
        self._history.earlier.take(pits, cells[pits], self._even_grey)
        stays.looks[pits] = np.where(covered < STAYS.covered, stays.looks[pits] + 1, 0)
        stays.due[pits] = False
