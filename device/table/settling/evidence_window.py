"""Readings of a quiet board gathered into evidence, and what can be said of them without any rules."""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import copy

import numpy as np
from numpy.typing import NDArray

from device.table.parameters import EVIDENCE
from device.table.settling.pit_baseline import NewestStays, PitBaseline, plainly_touched, untouched
from engine.likeliest_boards import LikeliestBoards
from vision.reading import COUNTS, Reading

Array = NDArray[np.float64]


class Window:
    """Quiet readings of one stretch.

    Frames that follow one another show the same seeds in the same light, so their errors are the same too: the
    log-likelihoods are averaged, not added up. That takes the camera's noise out and claims no more than one frame
    knows. counted: for a pit that people, or the rules, have counted: (what the camera reads there, what they say). As
    long as the camera goes on reading the former, the latter counts; once the board was touched, either may be so, but
    where the pit plainly looks otherwise: there something else lies than what was misread.
    baseline: the pits when it was known what they held.
    """

    def __init__(self, pits: int, counted: dict[int, tuple[int, int]] | None = None, *, touched: bool = False,
                 baseline: PitBaseline | None = None) -> None:
        """pits: of the board; touched: somebody has touched it since the counted pits were known; the others as in
        the class."""
        self.frames = 0
        self.first_ns = self.last_ns = 0
        self._counted = counted if counted is not None else {}
        self._touched = touched
        self._baseline = baseline
        self._sum = np.zeros((pits, COUNTS))
        self._newest = NewestStays.unseen(pits)
        self._seen = np.zeros(pits, np.int64)

    def add(self, reading: Reading) -> None:
        """Take in a counted reading. One of another number of pits than the window's raises ValueError."""
        if reading.loglik.shape != self._sum.shape:
            raise ValueError(f"a reading of {len(reading.loglik)} pits for a board of {len(self._sum)}")
        if not self.frames:
            self.first_ns = reading.time_ns
        self.last_ns = reading.time_ns
        self.frames += 1
        self._sum += np.where(reading.seen[:, None], reading.loglik, 0.0)
        self._seen += reading.seen
        self._newest.see(reading, reading.seen)

    def put(self, pit: int, readings: Sequence[Reading]) -> None:
        """Take one pit from counted readings in which it was open, none where there are none: the window is as one
        reading of which no single frame shows all."""
        self.frames = 1
        for reading in readings:
            self.first_ns = min(self.first_ns or reading.time_ns, reading.time_ns)
            self.last_ns = max(self.last_ns, reading.time_ns)
            self._sum[pit] += reading.loglik[pit]
            self._seen[pit] += 1
            self._newest.see(reading, np.arange(len(self._seen)) == pit)

    def against(self, baseline: PitBaseline | None) -> Window:
        """The same readings, held against the pits at another time; this window is not changed."""
        other = copy(self)
        other._baseline = baseline
        return other

    @property
    def seconds(self) -> float:
        """From the first reading to the last."""
        return (self.last_ns - self.first_ns) / 1e9

    @property
    def seen(self) -> NDArray[np.bool_]:
        """bool[pits]: open in enough of the readings."""
        return (self._seen > 0) & (self._seen >= EVIDENCE.seen_share * self.frames)

    @property
    def raw(self) -> Array:
        """float64[pits, 26]: `loglik` as vision alone has it."""
        return np.asarray(self._sum / np.maximum(self._seen, 1)[:, None])

    @property
    def loglik(self) -> Array:
        """float64[pits, 26]: the mean over the readings in which the pit was open; zero where it never was."""
        raw, changed = self.raw, self.changed if self._counted and self._touched else None
        mean = raw.copy()
        for pit, (read, true) in self._counted.items():
            if self._touched and changed is not None and changed[pit]:
                mean[pit] = misread_again(mean[pit], read - true)
            elif self._seen[pit] and int(raw[pit].argmax()) in (read, true):  # the latter once vision was told
                if not self._touched:
                    mean[pit] = EVIDENCE.against_counted
                    mean[pit, true] = 0.0
                else:
                    mean[pit, true] = mean[pit].max()
        return np.asarray(mean)

    @property
    def stays(self) -> NDArray[np.int64] | None:
        """int64[pits]: the number of each pit's stay, -1 where it was not seen; None where no reading told of it."""
        return np.where(self.seen, self._newest.numbers, -1) if self._newest.told else None

    @property
    def baseline(self) -> PitBaseline | None:
        """What the pits are held against."""
        return self._baseline

    @property
    def touched(self) -> Array | None:
        """float64[pits]: log-odds that each pit was touched since the baseline; 0 where that is not known, None where
        it is of no pit."""
        odds = None if self._baseline is None else self._newest.since(self._baseline)
        return None if odds is None else np.where(self.seen, odds, 0.0)

    @property
    def unchanged(self) -> NDArray[np.bool_]:
        """bool[pits]: those that look as when it was last known what they held."""
        touched = self.touched
        return np.zeros(len(self._seen), np.bool_) if touched is None else untouched(touched)

    @property
    def changed(self) -> NDArray[np.bool_] | None:
        """bool[pits]: those that plainly look otherwise than then; None where that is not known."""
        touched = self.touched
        return None if touched is None else plainly_touched(touched)

    @property
    def held(self) -> NDArray[np.int64]:
        """int[pits]: what is known to lie there, whatever is read, since nobody touched it; -1 where that is not known.
        A shadow that falls on a pit takes nothing out of it."""
        none = np.full(len(self._seen), -1, np.int64)
        if self._baseline is None or len(self._baseline.counts) != len(none):
            return none
        return np.where(self.unchanged, self._baseline.counts, none) if self._touched else self._baseline.counts

    @property
    def counts(self) -> NDArray[np.int64]:
        """int[pits]: the likeliest count of each pit, by itself."""
        return np.asarray(self.loglik.argmax(axis=1), np.int64)

    @property
    def most(self) -> NDArray[np.int64]:
        """int[pits]: the largest count of each pit that another does not clearly lead."""
        loglik = self.loglik
        likely = loglik >= loglik.max(axis=1, keepdims=True) - EVIDENCE.clear_lead
        return np.asarray(loglik.shape[1] - 1 - likely[:, ::-1].argmax(axis=1), np.int64)

    @property
    def read(self) -> tuple[int, ...]:
        """The same, to be held against another time's."""
        return tuple(self.counts.tolist())

    def raw_count(self, pit: int) -> int:
        """What the camera alone reads there."""
        return int((self._sum[pit]).argmax())

    def clearly_otherwise(self, counts: Sequence[int]) -> list[int]:
        """The seen pits that are read clearly otherwise than `counts` says."""
        loglik = self.loglik
        expected = np.minimum(np.asarray(counts), COUNTS - 1)
        lag = loglik.max(axis=1) - loglik[np.arange(len(loglik)), expected]
        return [int(p) for p in np.flatnonzero(self.seen & (lag > EVIDENCE.clear_lead))]

    def otherwise(self, counts: Sequence[int]) -> list[int]:
        """The pits that are not seen, or whose likeliest count is another."""
        return [int(p) for p in np.flatnonzero(~self.seen | (self.counts != np.asarray(counts)))]

    def correlation(self, counts: Sequence[int]) -> float:
        """Correlation of the likeliest counts with `counts` over the pits; 0 where either are all the same. A table
        that is read badly all over has still more read in it where more lies."""
        read, there = self.counts, np.asarray(counts)
        return float(np.corrcoef(read, there)[0, 1]) if len(set(read.tolist())) > 1 < len(set(there.tolist())) else 0.0

    def clear(self) -> bool:
        """Every pit is seen, and each one's likeliest count is sure."""
        return not self.unclear()

    def unclear(self) -> list[int]:
        """The pits that are not seen, whose likeliest count is not sure, or that hold more than can be counted."""
        loglik = self.loglik
        odds = np.exp(loglik - loglik.max(axis=1, keepdims=True))
        sure = (1 / odds.sum(axis=1)) >= EVIDENCE.clear_odds
        return [int(p) for p in np.flatnonzero(~(self.seen & sure & (self.counts < COUNTS - 1)))]


def misread_again(loglik: Array, by: int) -> Array:
    """Log-likelihoods float64[26] of the counts of a pit in which `by` seeds too many were read before."""
    plain = loglik - np.logaddexp.reduce(loglik)
    once_more = np.full(COUNTS, EVIDENCE.against_counted)
    kept = np.arange(max(0, -by), min(COUNTS, COUNTS - by))
    once_more[kept] = plain[kept + by]
    again = EVIDENCE.misread_again
    return np.asarray(np.logaddexp(math.log(1 - again) + plain, math.log(again) + once_more))


def against_total(total: NDArray[np.int64], most: int, usual: int | None) -> Array:
    """Log-odds, by numbers of seeds on the whole board, against those that are not as `usual`, where that is told, or
    more than the `most` there are."""
    other = np.zeros(len(total)) if usual is None else EVIDENCE.clear_lead * (total != usual)
    return np.asarray(-other - EVIDENCE.against_smuggled * (total > most), np.float64)


def likeliest_board(window: Window, most: int, usual: int | None = None) -> tuple[int, ...] | None:
    """The likeliest counts of the whole board that together hold at most `most` seeds: seeds do not multiply, though
    somebody may have smuggled one.

    usual: the number on the board before, which is likelier than any other when nobody captured. None when a pit is not
    seen, or when the best board is far less likely than the pits by themselves.
    """
    if not window.seen.all():
        return None
    loglik, totals = window.loglik, np.arange(most + EVIDENCE.most_smuggled + 1)
    boards = LikeliestBoards(loglik, int(totals[-1]))
    total = int((boards.log_likelihoods + against_total(totals, most, usual)).argmax())
    lag = loglik[:, : COUNTS - 1].max(axis=1).sum() - boards.log_likelihoods[total]
    return None if lag > 2 * EVIDENCE.clear_lead else boards.of(total)
