"""Readings gathered into observations: where one episode of hands ends, and what the pits show then."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.referee.observation import COUNTS, Look, Observation
from vision.reading import Reading

ENTER, LEAVE = 0.006, 0.003
QUIET = 0.02
RESTS = (0.15, 0.35, 0.6, 0.9, 1.3, 1.8, 2.5, 3.5, 5.0)
MOST_LOOKS = 96
SETTLED = 2
HANDOVER_S = 0.25
HIDDEN_S = 1.2


@dataclass
class Pits:
    """The newest reading of each pit."""

    loglik: NDArray[np.float64]
    seen: NDArray[np.bool_]
    stays: NDArray[np.int64]
    earlier: NDArray[np.int64] | None = None
    changed: NDArray[np.float32] | None = None

    @classmethod
    def unseen(cls, pits: int) -> Pits:
        return cls(np.zeros((pits, COUNTS)), np.zeros(pits, np.bool_), np.full(pits, -1, np.int64))

    def take(self, reading: Reading) -> None:
        assert reading.stays is not None and reading.earlier is not None and reading.changed is not None
        if self.earlier is None or self.earlier.shape != reading.earlier.shape:
            self.earlier, self.changed = np.full_like(reading.earlier, -1), np.zeros_like(reading.changed)
        s = reading.seen
        self.loglik[s], self.stays[s] = reading.loglik[s], reading.stays[s]
        self.earlier[s], self.changed[s] = reading.earlier[s], reading.changed[s]
        self.seen |= s


@dataclass
class Observer:
    """Feed it readings; it yields observations, each with whether it ends an episode: the next hand has come.

    Yields (observation, over): a rest is observed again and again while it lasts, over False; when a hand comes the last
    one holds.
    """

    pits: int
    looks: list[Look] = field(default_factory=list)
    shares: list[float] = field(default_factory=lambda: [0.0, 0.0])
    there: list[bool] = field(default_factory=lambda: [False, False])
    since: list[float] = field(default_factory=lambda: [0.0, 0.0])
    own: list[float] = field(default_factory=lambda: [0.0, 0.0])
    began: float = -1.0
    left: float = -1.0
    rest: Pits | None = None
    rest_frames: int = 0
    told: int = 0
    told_stays: NDArray[np.int64] | None = None
    hands_since: list[bool] = field(default_factory=lambda: [False, False])
    last_reading: Reading | None = None
    observed: Observation | None = None
    leaving: tuple[int, float] | None = None
    after: Pits | None = None
    came: float | None = None
    after_frames: int = 0

    def add(self, reading: Reading) -> Iterator[tuple[Observation, bool]]:
        t = reading.time_ns / 1e9
        was = list(self.there)
        for side in (0, 1):
            share = reading.hands[side]
            on = share > (LEAVE if self.there[side] else ENTER)
            if on and not self.there[side]:
                self.since[side], self.own[side] = t, 0.0
            self.there[side] = on
            if on:
                self.own[side] = max(self.own[side], share)
        if any(self.there) and not any(was):  # a hand comes: the rest holds
            if self.observed is not None:
                yield self.observed, True
                self._next()
            self.rest, self.rest_frames, self.told, self.told_stays = None, 0, 0, None
            self.came = t
            if self.began < 0:
                self.began = t
        if any(self.there):
            self.left = t
            for side in (0, 1):
                if self.there[side]:
                    self.shares[side] = max(self.shares[side], reading.hands[side])
            if self.came is not None and (max(self.shares) > 0.03 or t - self.came > 0.4):
                self.came = None
                yield int(self.shares[1] > self.shares[0]), t
            yield from self._in_play(reading, t, was)
        elif reading.counted:
            yield from self._resting(reading, t)

    def _in_play(self, reading: Reading, t: float, was: list[bool]) -> Iterator[tuple[Observation, bool]]:
        for side in (0, 1):
            self.hands_since[side] |= self.there[side]
            # one leaves while the other stays
            if was[side] and not self.there[side] and self.there[1 - side]:
                big, small = self.own[side], self.own[1 - side]
                if min(big, small) > max(0.03, 0.25 * max(big, small)):
                    self.leaving, self.after, self.after_frames = (side, t), Pits.unseen(self.pits), 0
            if self.there[side] and self.leaving is not None and self.leaving[0] == side:
                self.leaving = None
        if reading.counted:
            if self.leaving is not None:
                self.after.take(reading)
                self.after_frames += 1
            self._look(reading, t)
            if self.leaving is not None and (self.after_frames >= 2 or t - self.leaving[1] > HANDOVER_S):
                yield from self._hand_over(t)

    def _hand_over(self, t: float) -> Iterator[tuple[Observation, bool]]:
        side = self.leaving[0]
        of = [0.0, 0.0]
        of[side] = self.own[side]
        of[1 - side] = min(self.own[1 - side], 0.3 * self.own[side])
        o = self._observation(self.after, t, tuple(of), 0.0)
        yield o, True
        self.observed = o
        self._next()
        self.leaving = None
        self.began = self.since[1 - side]
        self.shares[1 - side] = self.own[1 - side]

    def _look(self, reading: Reading, t: float) -> None:
        self.looks.append(Look(t, np.asarray(reading.loglik, np.float64), reading.seen, reading.stays,
                               (self.hands_since[0], self.hands_since[1])))
        self.hands_since = [False, False]
        if len(self.looks) > MOST_LOOKS:
            half = MOST_LOOKS // 2
            self.looks = self.looks[:half:2] + self.looks[half:]

    def _resting(self, reading: Reading, t: float) -> Iterator[tuple[Observation, bool]]:
        if reading.motion > QUIET:
            return
        if self.rest is None:
            self.rest, self.rest_since = Pits.unseen(self.pits), t
        self.rest.take(reading)
        self.rest_frames += 1
        if self.rest_frames < SETTLED:
            return
        rest_s = t - max(self.left, self.rest_since - 0.1) if self.left >= 0 else t - self.rest_since
        if not self.rest.seen.all() and rest_s < HIDDEN_S:  # what hides a pit may be a hand
            return
        n = sum(rest_s >= r for r in RESTS)
        other = self.told_stays is not None and (self.told_stays != self.rest.stays).any()
        if n > self.told or (other and n):
            self.told, self.told_stays = n, self.rest.stays.copy()
            self.observed = self._observation(self.rest, t, tuple(self.shares), max(rest_s, 0.01))
            yield self.observed, False

    def _observation(self, pits: Pits, t: float, hands: tuple[float, float], rest_s: float) -> Observation:
        none = np.full((self.pits, 0), -1)
        earlier, changed = (none, none.astype(np.float64)) if pits.earlier is None else (pits.earlier, pits.changed)
        return Observation(t, pits.loglik.copy(), pits.seen.copy(), pits.stays.copy(), earlier.copy(),
                           np.asarray(changed, np.float64).copy(), hands, rest_s, self.began, self.left,
                           tuple(self.looks))

    def _next(self) -> None:
        self.looks, self.shares, self.began, self.observed = [], [0.0, 0.0], -1.0, None

    def end(self) -> Iterator[tuple[Observation, bool]]:
        if self.observed is not None:
            from dataclasses import replace
            yield replace(self.observed, last=True), True
