"""What is known of every pit: one piece of evidence for each stay.

A stay lasts from one touch of a pit to the next; all that time the pit shows the same seeds. Looks at one stay err
alike, so they are averaged, never added up: a stay claims no more than one look knows, with the camera's noise and the
network's preference for a position taken out. A pit is looked at again only until its stay is settled. What nobody
touched costs nothing.

What else is known of a pit at this table corrects a look before it enters its stay: how the pit looked when it was
empty, how much of it one seed covers, and what came to lie in it since its count was known. How the counter errs here
corrects what is said of every stay. Nobody corrects it once more.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.reading import COUNTS, BoardView
from vision.seeds.adaptation import Adaptation
from vision.seeds.added_seeds import Added
from vision.seeds.counter import Reader
from vision.seeds.coverage import Covers
from vision.seeds.crops import FINE, SIZE, crop_view
from vision.seeds.empty_pits import Empties
from vision.seeds.occlusion import OcclusionCalibration
from vision.seeds.parameters import COUNTER, STAYS

Image = NDArray[np.uint8]
Cells = NDArray[np.float32]
Mask = NDArray[np.bool_]


def noise_of(now: Cells, then: Cells) -> float:
    """Standard deviation of the camera's noise, grey levels, by the same pits in two frames, float32[pits, k, k]: the
    root mean square of the change in a pit, the lower quartile over the pits, so that most may be touched."""
    return float(np.sqrt(np.quantile(np.square(_change(now, then)).mean(axis=(1, 2)), 0.25)))


def looks_otherwise(now: Cells, then: Cells, noise: float) -> Mask:
    """bool[pits]: which pits look otherwise, by their cells float32[pits, k, k]. The change of light on the whole board
    is taken out, and some cell has to differ by more than the camera's noise makes it, a standard deviation."""
    return np.asarray(np.abs(_change(now, then)).max(axis=(1, 2)) > max(STAYS.same_grey, STAYS.noise * noise))


def _change(now: Cells, then: Cells) -> Cells:
    change = now - then
    return np.asarray(change - np.median(change), np.float32)


def is_sure(loglik: NDArray[np.float32]) -> Mask:
    """bool[n]: whether the likeliest count of log-likelihoods float32[n, 26] is as good as certain, by itself."""
    return np.asarray(loglik.max(axis=1) - np.logaddexp.reduce(loglik, axis=1) > np.log(COUNTER.sure))


@dataclass
class _Stays:
    """One row a pit, of its present stay.

    cells: float32[pits, k, k], how the pit looked at its newest look. crops: uint8[pits, FINE, FINE, 3], that look.
    counted: float32[pits, 26], what the counter says, the mean over the looks. table: float32[pits, 26], what is known
    of this table says besides, of the newest look. covered: float32[pits], how likely the newest look shows a hand.
    maps: float32[pits, SIZE / 4, SIZE / 4], mean map of seeds. looks: int64[pits]. fine: float32[pits, FINE / 2,
    FINE / 2], heat of the look at all the pixels, NaN where there was none in this stay. due: bool[pits], those
    that were touched and not looked at since. number: int64[pits], of the stay, counted up from 0.
    """

    cells: Cells
    crops: Image
    counted: NDArray[np.float32]
    table: NDArray[np.float32]
    covered: NDArray[np.float32]
    maps: NDArray[np.float32]
    looks: NDArray[np.int64]
    fine: NDArray[np.float32]
    due: Mask
    number: NDArray[np.int64]

    @classmethod
    def begin(cls, cells: Cells) -> _Stays:
        """Of pits that were never looked at."""
        n = len(cells)
        return cls(cells.copy(), np.zeros((n, FINE, FINE, 3), np.uint8), np.zeros((n, COUNTS), np.float32),
                   np.zeros((n, COUNTS), np.float32), np.zeros(n, np.float32),
                   np.zeros((n, SIZE // 4, SIZE // 4), np.float32), np.zeros(n, np.int64),
                   np.full((n, FINE // 2, FINE // 2), np.nan, np.float32), np.ones(n, np.bool_),
                   np.zeros(n, np.int64))

    def end(self, touched: Mask) -> None:
        """In these pits another stay begins."""
        self.number[touched & ~self.due] += 1
        self.looks[touched] = 0
        self.fine[touched] = np.nan
        self.due |= touched

    @property
    def loglik(self) -> NDArray[np.float32]:
        """float32[pits, 26], log-likelihoods of each stay's count, up to a constant a pit."""
        return self.counted + self.table

    @property
    def settled(self) -> Mask:
        """bool[pits]: those at which another look would teach nothing."""
        return np.asarray((self.looks >= STAYS.looks) | (is_sure(self.loglik) & (self.looks >= STAYS.plain_looks)))


class PitEvidence:
    """The stays of one board as it lies now, and what was learnt of its pits.

    counter: reads pits. covers, adaptation: how much of a pit one seed covers at this table, and how the counter errs
    here, which hold wherever the board lies.
    """

    def __init__(self, counter: Reader, covers: Covers, adaptation: Adaptation) -> None:
        """See the class; nothing was looked at yet."""
        self._counter, self._covers, self._adaptation = counter, covers, adaptation
        self._empties, self._added = Empties(counter), Added()
        self._calibration: OcclusionCalibration | None = None
        self._stays: _Stays | None = None
        self._frame: tuple[Cells, Mask] | None = None
        self._noises = deque([0.0], maxlen=STAYS.noise_frames)
        self._bare = self._seen = np.zeros(0, np.bool_)
        self._position = 0

    def look(self, image: Image, view: BoardView, cells: Cells, bare: Mask, limit: float, *, afresh: bool,
             most: int | None = None) -> tuple[NDArray[np.float32], Mask, int]:
        """Log-likelihoods float32[pits, 26] of each stay's count, as they are to be read at this table; bool[pits],
        which pits are open; and at how many pits the counter looked.

        cells: float32[pits, k, k], how the pits look now. bare: bool[pits], those that no hand is over; the others are
        not looked at. limit: probability from which on the counter's word that a pit is covered holds. afresh: there
        is time, so stays that are not settled are looked at again, and doubtful pits with all their pixels. most: pits
        that are looked at, at most, and a share of so many that were looked at before; of one that was touched and not
        looked at since, nothing is said.
        """
        if self._stays is None:
            self._stays = _Stays.begin(cells)
            self._calibration = OcclusionCalibration(len(cells))
        stays = self._stays
        stays.end(self._touched(cells, bare))
        pits = np.flatnonzero(bare & stays.due)[:most]
        if afresh:
            pits = np.sort(np.append(pits, self._again(bare, most, len(pits))))
        if len(pits):
            self._look_at(pits, image, view, cells, afresh=afresh)
        assert self._calibration is not None
        open_ = self._calibration.believed(stays.covered) < limit
        self._bare, self._seen = bare, bare & open_ & ~stays.due
        return self._adapted(stays.loglik), self._seen, len(pits)

    def _adapted(self, loglik: NDArray[np.float32]) -> NDArray[np.float32]:
        """Log-likelihoods float32[pits, 26] as they are to be read at this table."""
        return self._adaptation.apply(loglik.astype(np.float64)).astype(np.float32)

    def _touched(self, cells: Cells, bare: Mask) -> Mask:
        """bool[pits]: the pits in `bare`, bool[pits], that look otherwise than at their newest look."""
        assert self._stays is not None
        touched = np.zeros_like(bare)
        self._measure_noise(cells, bare)
        if bare.any():
            touched[bare] = looks_otherwise(cells[bare], self._stays.cells[bare], min(self._noises))
        return touched

    def _measure_noise(self, cells: Cells, bare: Mask) -> None:
        """Hold a frame against the one before. In one in which light or hands come most of the board changes, and that
        is no noise: so the least of the last few frames counts, and of few open pits nothing is told."""
        if self._frame is not None:
            both = bare & self._frame[1]
            if 2 * np.count_nonzero(both) >= len(both):
                self._noises.append(noise_of(cells[both], self._frame[0][both]))
        self._frame = cells, bare

    def _again(self, bare: Mask, most: int | None, due: int) -> NDArray[np.intp]:
        """The pits that are looked at again, those with the fewest looks first; as many as there is time for beside
        those that are due."""
        assert self._stays is not None
        pits = np.flatnonzero(bare & ~self._stays.settled & ~self._stays.due)
        if most is None:
            return pits
        pits = pits[np.argsort(self._stays.looks[pits], kind="stable")]
        return pits[:max(0, math.ceil(STAYS.again_share * most) - due)]

    def learn(self, counts: NDArray[np.int64]) -> None:
        """The pits, as they were looked at last, hold so many, int64[pits], -1 where that is not known. Counts of
        another board, or before the first look, are passed over."""
        stays = self._stays
        if stays is None or self._calibration is None or len(counts) != len(stays.looks):
            return
        self._calibration.learn(stays.covered, self._bare & (stays.loglik.argmax(axis=1) == counts))
        known = np.where(self._seen, counts, -1)
        self._adaptation.learn(stays.loglik.astype(np.float64), known >= 0, known)
        self._covers.learn(stays.crops, self._empties.bare(stays.crops, np.arange(len(known))), known)
        self._empties.learn(stays.crops, known)
        self._added.learn(stays.crops, stays.maps, known)
        looked = np.flatnonzero(stays.crops.any(axis=(1, 2, 3)))
        stays.table[looked] = self._covers.say(stays.crops[looked], self._empties.bare(stays.crops, looked))

    @property
    def numbers(self) -> NDArray[np.int64]:
        """int64[pits], the number of each pit's stay, as of the newest look; none before the first."""
        return np.zeros(0, np.int64) if self._stays is None else self._stays.number.copy()

    def _look_at(self, pits: NDArray[np.intp], image: Image, view: BoardView, cells: Cells, *, afresh: bool) -> None:
        stays = self._stays
        assert stays is not None
        stays.crops[pits] = crops = crop_view(image, view, only=np.isin(np.arange(len(cells)), pits))
        fine, maps = stays.fine[pits], stays.maps[pits]
        loglik, covered = self._counter.read(
            crops, first=self._position, empties=self._empties.of(pits), again=afresh, fine=fine, drawn=maps)
        self._position += 1
        share = (1 / (stays.looks[pits] + 1))[:, None].astype(np.float32)
        stays.maps[pits] += (maps - stays.maps[pits]) * share[:, :, None]
        stays.counted[pits] += (loglik - stays.counted[pits]) * share
        stays.table[pits] = self._covers.say(crops, self._empties.bare(stays.crops, pits))
        if afresh:
            some = ~is_sure(stays.counted[pits])
            stays.table[pits[some]] += self._added.say(crops[some], stays.maps[pits[some]], pits[some])
        stays.covered[pits], stays.fine[pits], stays.cells[pits] = covered, fine, cells[pits]
        stays.looks[pits] = np.where(covered < STAYS.covered, stays.looks[pits] + 1, 0)
        stays.due[pits] = False
