"""A table whose people do what a script says: hands that overlap, leave off and come back, each at its own time.

`device.sim.world` plays whole games, one turn after another; here a scene of a few seconds is told in advance.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from device.sim.gestures import PACES, GesturePace, HandAt, Reachable, Track
from device.sim.plays import Act
from engine.board import Board, Side

REACH_S = 0.5
"""Seconds in which a guest's hand comes in, and in which it goes."""


@dataclass(frozen=True, slots=True)
class Visit:
    """A player's hand at work. began: on the scene's clock, when it sets out."""

    track: Track
    began: float

    @property
    def ends(self) -> float:
        """When the hand is back."""
        return self.began + self.track.ends


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody's hand over the board's left end that touches no seed: it points at a place and is drawn back.

    side: in whose sleeve it is drawn. began: seconds; stays: how long it points; place: (column, row).
    """

    side: Side
    began: float
    stays: float
    place: tuple[float, float]

    @property
    def ends(self) -> float:
        """When it is gone."""
        return self.began + 2 * REACH_S + self.stays

    def at(self, clock: float) -> HandAt | None:
        """The hand at that time; None before it and after it."""
        t = clock - self.began
        if not 0 <= t <= self.ends - self.began:
            return None
        there = min(1.0, t / REACH_S, (self.ends - clock) / REACH_S)
        x, y = self.place
        away = x + 4.5
        tip = (x - (1 - there) * away, y)
        speed = away / REACH_S * (0.0 if there == 1 else math.copysign(1.0, REACH_S + self.stays / 2 - t))
        return HandAt(self.side, tip, (tip[0] - 7.0, y), 0.3, "open", (speed, 0.0))


class StagedScene:
    """What lies on a board and whose hands are over it, at any time, in seconds.

    lies: what lies there first, along the ring; reach: where hands rest (`TablePicture.reach`).
    """

    def __init__(self, board: Board, lies: Sequence[int], reach: Reachable | None = None, seed: int = 0) -> None:
        """board, lies: the seeds at the beginning, along the ring; reach: how far hands go away; seed: of their
        chances."""
        self.board, self.lies, self.reach, self.seed = board, tuple(lies), reach or Reachable(), seed
        self.visits: list[Visit] = []
        self.guests: list[Guest] = []

    def visit(self, side: Side, acts: Sequence[Act], at: float, pace: GesturePace = PACES["normal"]) -> Visit:
        """A player's hand comes at that time and does these acts."""
        track = Track(self.board, side, acts, pace, (self.seed, len(self.visits)), self.reach)
        self.visits.append(Visit(track, at))
        return self.visits[-1]

    def guest(self, at: float, stays: float, place: tuple[float, float], side: Side = Side.SOUTH) -> Guest:
        """Somebody else's hand comes at that time; see `Guest`."""
        self.guests.append(Guest(side, at, stays, place))
        return self.guests[-1]

    def counts(self, clock: float) -> list[int]:
        """What lies there then. Raises ValueError where the script takes more seeds out of a pit than it holds."""
        counts = list(self.lies)
        for visit in self.visits:
            for change in visit.track.changes:
                if visit.began + change.t <= clock:
                    counts[change.pit] += change.by
        for pit, n in enumerate(counts):
            if n < 0:
                raise ValueError(f"pit {self.board.name(pit)} would hold {n} seeds at {clock:.2f} s")
        return counts

    def hands(self, clock: float) -> list[HandAt]:
        """The hands there are then, North's first: South's lies over it in the picture."""
        seen = [v.track.at(clock - v.began) for v in self.visits] + [g.at(clock) for g in self.guests]
        return sorted((h for h in seen if h is not None), key=lambda h: -h.side)
