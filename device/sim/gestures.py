"""The timing of a simulated move: the hand's path over the board, and when each pit changes under it.

Places are in board units, x = column, y = row, row 0 North's; South's hand comes from large y, North's from negative y.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from device.sim.plays import Act
from engine.board import Board, Side

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class GesturePace:
    """Seconds that each gesture takes. drop: one seed, with the way to its pit; lift: a pit's seeds; reach: in or away;
    pause: between turns, least and most."""

    drop: float
    lift: float
    reach: float
    pause: tuple[float, float]


PACES = {
    "calm": GesturePace(0.50, 0.50, 0.65, (2.0, 3.5)),
    "normal": GesturePace(0.30, 0.40, 0.50, (1.0, 2.5)),
    "fast": GesturePace(0.12, 0.18, 0.28, (0.5, 0.8)),
}


@dataclass(frozen=True, slots=True)
class Reachable:
    """Distances beyond a side's row, in rows. rest: where its hand waits; edge: nearer than this, the hand counts as
    over the board."""

    rest: float = 3.2
    edge: float = 1.0


class HandAt(NamedTuple):
    """A hand at one moment. tip, shoulder: board units; height: the tip's; speed: the tip's, units a second."""

    side: Side
    tip: Point
    shoulder: Point
    height: float
    pose: str
    speed: Point


class _Key(NamedTuple):
    t: float
    x: float
    y: float
    pose: str


class SeedChange(NamedTuple):
    """A change of a pit's count. t: seconds of the track."""

    t: float
    pit: int
    by: int


class Track:
    """One hand's path through its acts; the same seed gives the same path.

    ends: its duration, seconds. t_in, t_out: seconds at which the hand comes over the board and leaves it. changes: the
    pits' changes in order of time.
    """

    def __init__(
        self,
        board: Board,
        side: Side,
        acts: Sequence[Act],
        pace: GesturePace,
        seed: Sequence[int],
        reach: Reachable | None = None,
    ) -> None:
        """side: whose hand; acts: what it does; pace: how fast; seed: for its random numbers; reach: where it rests."""
        self.board, self.side, self.acts, self.pace, self.seed = board, side, tuple(acts), pace, tuple(seed)
        self._rng = np.random.default_rng(self.seed)
        self.reach = reach or Reachable()
        self.changes: list[SeedChange] = []
        self._keys: list[_Key] = []
        self._plan()
        self._times = [k.t for k in self._keys]
        self.ends = self._keys[-1].t
        inside = [t for t in np.arange(0, self.ends, 0.02) if self._over(self._where(float(t))[1])]
        self.t_in, self.t_out = (float(inside[0]), float(inside[-1])) if inside else (0.0, self.ends)

    def again(self, reach: Reachable) -> Track:
        """A track with the same acts at the same times, but another reach."""
        return Track(self.board, self.side, self.acts, self.pace, self.seed, reach)

    def _over(self, y: float) -> bool:
        south, north = self.board.rows - 1 + self.reach.edge, -self.reach.edge
        return y < south if self.side is Side.SOUTH else y > north

    def _rest(self, x: float) -> Point:
        """Where the hand rests: near its next pit, since people lean over rather than stretch."""
        middle = (self.board.cols - 1) / 2
        away = self.reach.rest
        return (middle + 0.6 * (x - middle), self.board.rows - 1 + away if self.side is Side.SOUTH else -away)

    def _spread(self, seconds: float) -> float:
        return seconds * float(np.clip(self._rng.normal(1, 0.15), 0.65, 1.6))

    def _middle(self, act: Act) -> Point:
        """Where an act happens: over the middle of its pit, or where captured seeds are laid."""
        if act.kind == "store":
            south = self.side is Side.SOUTH
            return (self.board.cols + 0.2 if south else -1.2, (self.board.rows - 1) / 2)
        row, col = self.board.place(act.pit)
        return (col, row)

    def _go(self, seconds: float, to: Point, pose: str) -> None:
        self._keys.append(_Key(self._keys[-1].t + seconds, *to, pose))

    def _plan(self) -> None:
        towards = self._middle(self.acts[0])[0] if self.acts else self.board.cols // 2
        self._keys.append(_Key(0.0, *self._rest(towards), "open"))
        held, before = 0, None
        for act in self.acts:
            col, row = self._middle(act)
            spot = (col + float(self._rng.normal(0, 0.05)), row + float(self._rng.normal(0, 0.05)))
            if act.kind == "drop":
                self._drop(act, before, spot)
                held -= act.n
            elif act.kind in ("rest", "store"):
                self._stay(act, before, spot)
            else:
                self._grasp(act, before, spot, held)
                held += act.n if act.kind == "lift" else 0
            before = act
        took = before is not None and before.kind == "take"
        self._go(self._spread(self.pace.reach), self._rest(col), "grip" if took else "open")

    def _step(self, before: Act | None, spot: Point) -> float:
        """Distance of the hand from the spot, board units; 0 for the first act, to which the hand reaches in."""
        return 0.0 if before is None else math.dist(self._keys[-1][1:3], spot)

    def _drop(self, act: Act, before: Act | None, spot: Point) -> None:
        """Go to `spot` and drop a seed, or several at once, which takes a little longer."""
        seconds = self._spread(self.pace.drop)
        self._go(0.7 * seconds * max(1.0, 0.6 * self._step(before, spot)), spot, "drop")
        self.changes.append(SeedChange(self._keys[-1].t + 0.05 * seconds, act.pit, act.n))
        self._go(0.3 * seconds * (1 + 0.5 * (act.n - 1)), spot, "drop")

    def _stay(self, act: Act, before: Act | None, spot: Point) -> None:
        """Rest over a pit, `act.n` tenths of a second, or lay captured seeds beside the board."""
        stores = act.kind == "store"
        if stores or before is None or before.pit != act.pit:
            self._go(self._spread(self.pace.reach), spot, "grip")
        self._go(self._spread(self.pace.lift) if stores else act.n / 10, spot, "drop")

    def _grasp(self, act: Act, before: Act | None, spot: Point, held: int) -> None:
        """Lift a pit's seeds, take some away, or add some. held: seeds in the hand before."""
        if before is None or before.pit != act.pit:
            along = self.pace.drop * 0.8 * max(1.0, 0.5 * self._step(before, spot))
            travel = self.pace.reach if before is None else along
            self._go(self._spread(travel), spot, "grip" if held > 0 and act.kind != "add" else "open")
        seconds = self._spread(self.pace.lift)
        self.changes.append(SeedChange(self._keys[-1].t + 0.6 * seconds, act.pit, act.change))
        self._go(seconds, spot, "drop" if act.kind == "add" else "lift")

    def _where(self, t: float) -> tuple[float, float, float, str]:
        """x, y, height and pose of the hand at `t`."""
        t = min(max(t, 0.0), self.ends)
        i = min(max(bisect_right(self._times, t), 1), len(self._keys) - 1)
        a, b = self._keys[i - 1], self._keys[i]
        u = (t - a.t) / max(b.t - a.t, 1e-9)
        s = u * u * (3 - 2 * u)
        far = math.dist(a[1:3], b[1:3])
        height = 0.18 + min(0.5, 0.22 * far) * 4 * u * (1 - u)
        return a.x + s * (b.x - a.x), a.y + s * (b.y - a.y), height, b.pose

    def at(self, t: float) -> HandAt | None:
        """The hand `t` seconds into the track; None before its start and after its end."""
        if not 0 <= t <= self.ends:
            return None
        x, y, height, pose = self._where(t)
        x0, y0, _, _ = self._where(t - 0.01)
        x1, y1, _, _ = self._where(t + 0.01)
        middle = (self.board.cols - 1) / 2
        back = 6.0 + self.reach.rest / 2
        shoulder = (
            middle + 0.7 * (x - middle) + (0.6 if self.side is Side.SOUTH else -0.6),
            self.board.rows - 1 + back if self.side is Side.SOUTH else -back,
        )
        return HandAt(self.side, (x, y), shoulder, height, pose, ((x1 - x0) / 0.02, (y1 - y0) / 0.02))
