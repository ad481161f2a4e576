"""How well boards fit the evidence: numpy over arrays of boards."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.board import Side
from engine.judge.parameters import READING, Reading
from engine.judge.pictures import Pictures
from engine.judge.verdict import COUNTS, Evidence


class BoardLikelihood:
    """How likely the evidence of the quiet board, and of the hands that were over it, is for every board and player.

    p: float64[pits, 26], the reader's own probabilities, flat where a pit was not seen; believed: the same with what
    the pits' looks say, since what looks as before holds what it held. read: float64[pits, 26], log-likelihoods of what
    is read, with misreadings beyond what the reader owns up to (heavy-tailed: no one pit can veto a board); table: of
    what is read and of the pits' looks. same: bool[pits], pits that are known to look as before. best: the
    log-likelihood of the likeliest board of all; best_read: the same of what is read alone, whatever lay there before.
    both_hands: the log-likelihood of the hands, if both players reached in.
    """

    def __init__(self, evidence: Evidence, before: Sequence[int] | None = None) -> None:
        """Of this evidence; what was read while hands were in play is not looked at. before: the board when the pits
        were last known, from which `evidence.touched` counts; without it their looks say nothing of what they hold."""
        loglik = evidence.loglik - evidence.loglik.max(axis=1, keepdims=True)
        p = np.exp(loglik)
        p /= p.sum(axis=1, keepdims=True)
        p[~evidence.seen] = 1 / COUNTS
        pictures = Pictures.of(evidence)
        read = np.where(evidence.seen[:, None], np.log(with_misreadings(p, loglik, READING)), 0.0)
        looks = np.zeros_like(read) if pictures is None or before is None else pictures.of_counts(before)
        self.p, self.seen = p, evidence.seen
        self.believed = p * np.exp(looks)
        self.believed /= self.believed.sum(axis=1, keepdims=True)
        self.same = np.zeros(len(p), np.bool_) if pictures is None else pictures.same
        self.read, self.table = read, read + looks
        self.best, self.best_read = float(self.table.max(axis=1).sum()), float(read.max(axis=1).sum())
        self._hands = _hands_log_likelihoods(evidence.hands)
        self.both_hands = self._hands[2]

    def of_boards(self, counts: NDArray[np.int64]) -> NDArray[np.float64]:
        """float64[n], the log-likelihood of n boards, counts int64[n, pits]."""
        if not len(counts):
            return np.zeros(0)
        pits = np.arange(counts.shape[1])
        return np.asarray(self.table[pits, np.minimum(counts, COUNTS - 1)].sum(axis=1))

    def per_pit(self, counts: Sequence[int]) -> NDArray[np.float64]:
        """float64[pits], the log-likelihood of one board, pit by pit."""
        return _of_counts(self.table, counts)

    def read_per_pit(self, counts: Sequence[int]) -> NDArray[np.float64]:
        """float64[pits], the same of what is read alone, without the pits' looks."""
        return _of_counts(self.read, counts)

    def of_best_other(self, counts: Sequence[int]) -> float:
        """The log-likelihood of the likeliest board but this one."""
        at = np.minimum(np.asarray(counts, np.int64), COUNTS - 1)
        rest = self.table.copy()
        rest[np.arange(len(at)), at] = -np.inf
        rest[~self.seen] = 0.0  # another count where nobody saw costs nothing
        best = self.table.max(axis=1)
        return float((best.sum() - best + rest.max(axis=1)).max())

    def clearly_nearer(self, counts: Sequence[int], others: Sequence[int]) -> NDArray[np.bool_]:
        """bool[pits], where the reader is sure that it is rather these counts than the others: of the counts that are
        nearer to them. Where they are the same it is sure of the very count."""
        at, to = (np.minimum(np.asarray(c, np.int64), COUNTS - 1)[:, None] for c in (counts, others))
        every = np.arange(COUNTS)
        nearer = np.where(at == to, every == at, np.abs(every - at) < np.abs(every - to))
        return np.asarray(((self.p * nearer).sum(axis=1) >= READING.clearly) & self.seen)

    def denying_pits(self, counts: Sequence[int], *, plainly: bool = False) -> list[int]:
        """The pits that are hardly read as holding these counts; plainly: where the reader is sure of something else,
        not merely in doubt among others."""
        at = np.minimum(np.asarray(counts, np.int64), COUNTS - 1)
        got, most = self.believed[np.arange(len(at)), at], self.believed.max(axis=1)
        return [
            int(i)
            for i in np.flatnonzero(
                self.seen & (got * READING.denied_times < most) & (most >= READING.denied_plainly * plainly)
            )
        ]

    def pits_plainly_off(self, counts: Sequence[int]) -> list[int]:
        """The pits that plainly hold two seeds more than these counts or two fewer, or plainly none where some should
        lie, or some where none should."""
        at, every = np.minimum(np.asarray(counts, np.int64), COUNTS - 1)[:, None], np.arange(COUNTS)
        like = (np.abs(every - at) <= 1) & ((every == 0) == (at == 0))
        off = (self.believed * like).sum(axis=1) <= 1 - READING.plainly_off
        return [int(i) for i in np.flatnonzero(self.seen & off)]

    def read_counts(self, counts: Sequence[int]) -> tuple[int, ...]:
        """The likeliest count of every pit that was seen, and these of those that were not."""
        return tuple(int(n) for n in np.where(self.seen, self.p.argmax(axis=1), counts))

    def of_hand(self, player: Side) -> float:
        """The log-likelihood of the hands seen if this player reached in, and nobody else."""
        return self._hands[player]


def _of_counts(table: NDArray[np.float64], counts: Sequence[int]) -> NDArray[np.float64]:
    """float64[pits], of a table float64[pits, 26] the column of every pit that its count has."""
    at = np.minimum(np.asarray(counts, np.int64), COUNTS - 1)
    return np.asarray(table[np.arange(len(at)), at])


def _sharpness(loglik: NDArray[np.float64]) -> NDArray[np.float64]:
    """float64[pits], from 0 where the eye is no more than just sure of a count to 1 where it is as sure as can be."""
    second, best = np.partition(loglik, COUNTS - 2, axis=1)[:, -2:].T
    return np.asarray(
        np.clip((best - second - READING.just_sure_nats) / (READING.sharp_nats - READING.just_sure_nats), 0.0, 1.0)
    )


def with_misreadings(p: NDArray[np.float64], loglik: NDArray[np.float64], reading: Reading) -> NDArray[np.float64]:
    """float64[pits, 26], how likely what is read is for every true count, misreadings allowed for. p: float64[pits,
    26], what is read of each pit, probabilities; loglik: the same as log-likelihoods, up to a constant a pit."""
    shape, just, sure = _misreading(reading)
    sharp = _sharpness(loglik)[:, None]
    rate = np.exp((1 - sharp) * np.log(just) + sharp * np.log(sure))
    return np.asarray((1 - rate) * p + rate * (p @ shape.T))


@lru_cache(maxsize=1)
def _misreading(reading: Reading) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Where misreadings fall by these parameters, float64[26, 26], row: the true count, column: the count the eye is
    sure of; and how often they happen, float64[26] each, where it is just sure and where as sure as can be."""
    true, read = np.mgrid[:COUNTS, :COUNTS]
    just, sure = np.array([next(rates for most, *rates in reading.misread if n <= most) for n in range(COUNTS)]).T
    many, fewer, more = np.array(
        [next(how for most, *how in reading.misread_by if n <= most) for n in range(COUNTS)]
    ).T[..., None]
    off = np.abs(true - read) - 1.0
    near = np.where(read < true, (1 - many) * (1 - fewer) * fewer**off, many * (1 - more) * more**off)
    near[true == read] = 0.0
    near[(read == 0) & (true >= reading.heap)] = 0.0
    near /= near.sum(axis=1, keepdims=True)
    far = np.where(true == read, 0.0, 1 / (COUNTS - 1))
    part = (reading.misread_anyhow / sure)[:, None]
    return (1 - part) * near + part * far, just, sure


def _hands_log_likelihoods(hands: tuple[float, float]) -> tuple[float, float, float]:
    """How well the hands fit that South moved, that North did, that both did. 0 where no hand was seen.

    Explanations that need a hand that was not there are so much the worse, the plainer the other one was.
    """
    total, most, least = sum(hands), max(hands), min(hands)
    if total < READING.hand_seen:
        return (0.0, 0.0, 0.0)
    absent = min(max(READING.hand_absent, READING.hand_plain / most), READING.hand_cuff)
    came = (least / most - absent) / (READING.hand_present - absent) if least >= READING.hand_seen else 0.0
    both = min(1.0, max(0.0, came))
    fits = [h / total * (1.0 if h == most else both) for h in hands]
    dim = (READING.hand_plain - most) / (READING.hand_plain - READING.hand_seen)
    wrong = READING.wrong_hand + (READING.wrong_hand_dim - READING.wrong_hand) * min(1.0, max(0.0, dim))
    south, north, two = (float(np.log(wrong + (1 - wrong) * likelihood)) for likelihood in (*fits, both))
    return (south, north, two)
