"""What boards drawn by Cycles look like before they are drawn: see `tests.bench.cyclesmaking`."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

F64 = NDArray[np.float64]
Triple = tuple[float, float, float]
SIZE = (1280, 720)
MOST = 12
"""Most seeds that fall into a pit."""
LIGHTS = ("sun", "lamps", "low lamp", "back light", "overcast")


@dataclass(frozen=True)
class Skin:
    """A surface. pattern: a key of `cyclesmaking.PATTERNS`; a, b: its two colours, linear; mark: the colour of marked
    places, such as a furrow; rough, glass: how rough and how transparent, 0 to 1."""

    pattern: str
    a: Triple
    b: Triple
    mark: Triple
    rough: float
    glass: float = 0.0


@dataclass(frozen=True)
class Kind:
    """A kind of seeds. axes: half axes in radii; least, most: radius in pit radii; shape: see `bean`."""

    name: str
    axes: Triple
    least: float
    most: float
    shape: Callable[[F64, np.random.Generator], tuple[F64, F64]]
    skins: tuple[Skin, ...]


@dataclass(frozen=True)
class Plan:
    """A board before anything is drawn, in column pitches. centres float64[pits, 2], rims float64[pits, 64]: radii of
    each rim by direction; depth, power: of a bowl, and of its profile; half: half axes of the board; corner: power of
    its outline; kind, radius: of the seeds; light: of `LIGHTS`; eye, roll: the camera's place, and its turn about its
    own axis, radians; wide: half the picture's width at distance 1; falls: seeds let fall into each pit."""

    rows: int
    cols: int
    centres: F64
    rims: F64
    depth: float
    power: float
    half: F64
    corner: float
    kind: Kind
    radius: float
    light: str
    eye: F64
    roll: float
    wide: float
    falls: tuple[int, ...]

    @classmethod
    def draw(cls, seed: int, number: int) -> Plan:
        """Return the plan of a board. Kinds of seeds and light come in turn, so that every pair occurs."""
        rng = np.random.default_rng((seed, number))
        rows, cols = ((2, 6), (2, 7), (2, 8), (4, 8))[rng.choice(4, p=[0.35, 0.15, 0.25, 0.25])]
        pitch = float(rng.uniform(0.98, 1.3 if rows == 2 else 1.08))
        centres = np.array([(c - (cols - 1) / 2, ((rows - 1) / 2 - r) * pitch) for r, c in ring(rows, cols)])
        centres += rng.normal(0, float(rng.choice(np.array([0.0, 0.012]))), centres.shape)
        rims = drawn_rims(rng, len(centres))
        corner = float(rng.choice(np.array([30.0, 8.0, 5.0])))
        half = np.abs(centres).max(axis=0) + rims.max() + rng.uniform(0.08, 0.3, 2)
        half *= 2 ** (1 / corner)
        kind = KINDS[(number + seed) % len(KINDS)]
        radius = float(rng.uniform(kind.least, kind.most) * rims.mean())
        room = min(MOST, int(0.9 * (rims.mean() / radius) ** 2))
        same = int(rng.integers(2, 6)) if rng.random() < 0.2 else None
        falls = tuple(drawn_count(rng, room) if same is None else min(room, same) for _ in centres)
        wide = 0.5 * 36 / float(rng.uniform(30, 60))
        tilt, way = math.radians(rng.uniform(0, 35)), rng.uniform(0, 2 * math.pi)
        eye = np.array([math.sin(tilt) * math.cos(way), math.sin(tilt) * math.sin(way), math.cos(tilt)])
        plan = cls(rows, cols, centres, rims, float(rng.uniform(0.16, 0.34)), float(rng.uniform(2, 5)), half, corner,
                   kind, radius, LIGHTS[(number + seed) % len(LIGHTS)], eye, float(rng.normal(0, 0.04)), wide, falls)
        return plan.moved_off(float(rng.uniform(0.75, 0.94)))

    def moved_off(self, share: float) -> Plan:
        """Return the plan with the camera where the board fills this share of the picture's width or height."""
        corners = np.array([(x, y, 0.0) for x in (-1, 1) for y in (-1, 1)]) * (*self.half, 0)
        near = 1.0
        for _ in range(60):
            plan = replace(self, eye=self.eye * near)
            if near > 2 * self.half.max() and np.abs(plan.project(corners) / SIZE - 0.5).max() < share / 2:
                return plan
            near *= 1.06
        raise AssertionError("a board fits into a picture from far enough away")

    def axes(self) -> F64:
        """Return the camera's right, up and backward direction, float64[3, 3], a column each."""
        back = self.eye / np.linalg.norm(self.eye)
        right = np.cross((math.sin(self.roll), math.cos(self.roll), 0.0), back)
        right /= np.linalg.norm(right)
        return np.stack([right, np.cross(back, right), back], axis=1)

    def project(self, points: F64) -> F64:
        """Return where points float64[n, 3] lie in the picture, float64[n, 2] in pixels."""
        x, y, z = ((points - self.eye) @ self.axes()).T
        return np.stack([0.5 * SIZE[0] * (1 - x / z / self.wide), 0.5 * SIZE[1] + 0.5 * SIZE[0] * y / z / self.wide], 1)

    def place(self, points: F64) -> tuple[NDArray[np.int64], F64]:
        """Return the nearest pit of points float64[n, 2], and their distance from its middle in radii of its rim."""
        away = points[:, None] - self.centres
        pit = np.hypot(*away.transpose(2, 0, 1)).argmin(axis=1)
        x, y = away[np.arange(len(points)), pit].T
        turn = np.arctan2(y, x) % (2 * math.pi) / (2 * math.pi) * self.rims.shape[1]
        low = turn.astype(int) % self.rims.shape[1]
        rim, after = self.rims[pit, low], self.rims[pit, (low + 1) % self.rims.shape[1]]
        return pit, np.hypot(x, y) / (rim + (turn % 1) * (after - rim))

    def surface(self, step: float) -> tuple[F64, NDArray[np.int64], F64]:
        """Return the top as a mesh, float64[n, 3] and int64[m, 4], and how deep each point lies in a pit, 0 to 1."""
        x, y = (np.arange(-h - 6 * step, h + 7 * step, step) for h in self.half)
        flat = np.stack(np.meshgrid(x, y), axis=2).reshape(-1, 2)
        down = 1 - self.place(flat)[1] ** self.power
        deep = (np.sqrt(down**2 + 0.01) + down) / 2
        out = ((np.abs(flat) / self.half) ** self.corner).sum(axis=1) ** (1 / self.corner) - 1
        z = -self.depth * deep - (self.depth + 0.1) * np.clip(out * self.half.max() / step / 5, 0, 1)
        k = (np.arange(len(y) - 1)[:, None] * len(x) + np.arange(len(x) - 1)).ravel()
        return np.column_stack([flat, z]), np.stack([k, k + 1, k + len(x) + 1, k + len(x)], axis=1), deep

    def pits(self, counts: list[int], visible: Sequence[float | None]) -> list[dict[str, Any]]:
        """Return the pits in the form of a list of photographs. visible: of each, the share of its least visible seed.
        """
        turn, out = np.linspace(0, 2 * math.pi, self.rims.shape[1], endpoint=False), []
        for (cx, cy), rim, count, least in zip(self.centres, self.rims, counts, visible, strict=True):
            seen = self.project(np.stack([cx + rim * np.cos(turn), cy + rim * np.sin(turn), 0 * turn], axis=1))
            (x, y), r = seen.mean(axis=0), math.sqrt(cv2.contourArea(seen.astype(np.float32)) / math.pi)
            out.append({"cx": round(float(x), 2), "cy": round(float(y), 2), "r": round(r, 2), "count": count,
                        "kind": "pit", "confidence": "sure", "visible": least})
        return out


def ring(rows: int, cols: int) -> list[tuple[int, int]]:
    """Return row and column of every pit in the order of its number, as `vision.board.lattice` numbers them."""
    ways = ((1, 1), (0, -1)) if rows == 2 else ((3, 1), (2, -1), (0, -1), (1, 1))
    return [(row, col) for row, way in ways for col in range(cols)[::way]]


def drawn_rims(rng: np.random.Generator, pits: int) -> F64:
    """Return rims float64[pits, 64]: round ones, ones with four sides, or uneven ones."""
    turn = np.linspace(0, 2 * math.pi, 64, endpoint=False)
    form, rims = rng.choice(3), np.ones((pits, 64))
    if form == 1:
        p = rng.uniform(2.6, 5)
        rims *= (np.abs(np.cos(turn)) ** p + np.abs(np.sin(turn)) ** p) ** (-1 / p)
    if form == 2:
        for k in (1, 2, 3, 4):
            rims += 0.07 / k * rng.normal(size=(pits, 1)) * np.cos(k * turn + rng.uniform(0, 6.28, (pits, 1)))
    return np.asarray(rng.uniform(0.37, 0.44) * rims / np.sqrt((rims**2).mean(axis=1, keepdims=True))).clip(0.2, 0.48)


def drawn_count(rng: np.random.Generator, room: int) -> int:
    """Return how many seeds fall into a pit: none into every sixth, more than eight into every eighth, but at most
    `room`, as many as it holds."""
    low, high = ((0, 0), (1, 8), (9, MOST))[rng.choice(3, p=[0.165, 0.71, 0.125])]
    return min(room, int(rng.integers(low, high + 1)))


def plain(ball: F64, _: np.random.Generator) -> tuple[F64, F64]:
    """Return the sphere's points unchanged, and no mark."""
    return ball, np.zeros(len(ball))


def bean(ball: F64, rng: np.random.Generator) -> tuple[F64, F64]:
    """Return points of the unit sphere float64[n, 3] bent to a kidney, and where its pale scar is, 0 to 1."""
    x, y, z = ball.T
    scar = np.clip(1.5 - 14 * (x**2 + z**2), 0, 1) * (y > 0)
    bend = float(rng.uniform(0.25, 0.45))
    return np.stack([x, y * (1 - 0.2 * (1 - x**2) * (y > 0)) - bend * x**2, z], axis=1), scar


def pebble(ball: F64, rng: np.random.Generator) -> tuple[F64, F64]:
    """Return the sphere with bumps of its own, and no mark."""
    waves = rng.normal(0, 1.7, (9, 3))
    bumps = np.cos(ball @ waves.T + rng.uniform(0, 6.28, 9)) @ rng.normal(0, 0.07, 9)
    return ball * (1 + bumps)[:, None], np.zeros(len(ball))


def furrowed(ball: F64, _: np.random.Generator) -> tuple[F64, F64]:
    """Return a half egg, and the furrow along its flat side: a coffee bean or a cowrie."""
    x, y, z = ball.T
    furrow = np.exp(-((y / 0.13) ** 2)) * (z > 0) * np.clip(3 - 3 * np.abs(x), 0, 1)
    return np.stack([x, y, np.minimum(z, 0.45 - 0.15 * y**2) - 0.25 * furrow], axis=1), furrow


def maize(ball: F64, _: np.random.Generator) -> tuple[F64, F64]:
    """Return a flat wedge with blunt edges, and its pale tip."""
    block = np.sign(ball) * np.abs(ball) ** 0.75
    x, y, z = block.T
    return np.stack([x, y * (0.72 + 0.28 * x), z], axis=1), np.clip(-2.2 * x - 0.9, 0, 1)


DARK, PALE = (0.03, 0.015, 0.01), (0.75, 0.68, 0.52)
"""Colours of marks, linear."""
KINDS: tuple[Kind, ...] = (
    Kind("bean", (1.35, 0.85, 0.75), 0.17, 0.25, bean, (
        Skin("cloudy", (0.16, 0.012, 0.012), (0.07, 0.008, 0.008), PALE, 0.25),
        Skin("cloudy", (0.78, 0.74, 0.62), (0.7, 0.62, 0.48), DARK, 0.35),
        Skin("speckled", (0.5, 0.3, 0.18), (0.2, 0.04, 0.03), PALE, 0.3),
        Skin("cloudy", (0.012, 0.011, 0.012), (0.03, 0.02, 0.02), PALE, 0.2))),
    Kind("brown seed", (1.05, 1.0, 0.9), 0.17, 0.27, plain, (
        Skin("cloudy", (0.22, 0.09, 0.035), (0.09, 0.035, 0.015), DARK, 0.4),
        Skin("speckled", (0.33, 0.18, 0.08), (0.2, 0.1, 0.05), DARK, 0.6))),
    Kind("nickernut", (1.05, 0.98, 0.88), 0.2, 0.29, plain, (
        Skin("grain", (0.34, 0.35, 0.31), (0.26, 0.27, 0.23), DARK, 0.25),
        Skin("cloudy", (0.42, 0.41, 0.33), (0.3, 0.31, 0.27), DARK, 0.35))),
    Kind("pebble", (1.15, 0.95, 0.68), 0.18, 0.28, pebble, (
        Skin("speckled", (0.3, 0.29, 0.27), (0.16, 0.16, 0.16), DARK, 0.8),
        Skin("cloudy", (0.55, 0.5, 0.42), (0.34, 0.25, 0.18), DARK, 0.7),
        Skin("cloudy", (0.07, 0.075, 0.08), (0.13, 0.13, 0.13), DARK, 0.55))),
    Kind("coffee", (1.25, 0.9, 0.75), 0.17, 0.24, furrowed, (
        Skin("cloudy", (0.06, 0.025, 0.012), (0.03, 0.013, 0.008), (0.015, 0.008, 0.005), 0.4),
        Skin("cloudy", (0.3, 0.3, 0.18), (0.2, 0.21, 0.12), (0.5, 0.45, 0.3), 0.6))),
    Kind("maize", (1.15, 0.9, 0.5), 0.18, 0.25, maize, (
        Skin("cloudy", (0.75, 0.36, 0.03), (0.6, 0.24, 0.02), PALE, 0.35),
        Skin("cloudy", (0.78, 0.66, 0.4), (0.7, 0.55, 0.28), PALE, 0.4))),
    Kind("glass gem", (1.0, 1.0, 0.58), 0.2, 0.3, plain, tuple(
        Skin("cloudy", hue, hue, hue, 0.03, 1.0) for hue in
        ((0.75, 0.9, 0.95), (0.1, 0.35, 0.85), (0.1, 0.7, 0.25), (0.85, 0.12, 0.08), (0.9, 0.6, 0.08)))),
    Kind("cowrie", (1.3, 0.92, 0.8), 0.19, 0.26, furrowed, (
        Skin("cloudy", (0.78, 0.72, 0.6), (0.62, 0.5, 0.33), DARK, 0.2),
        Skin("cloudy", (0.72, 0.72, 0.7), (0.5, 0.48, 0.5), DARK, 0.2))),
)
"""The kinds of seeds, one after the other from board to board."""
BOARDS = (
    Skin("grain", (0.36, 0.19, 0.08), (0.2, 0.09, 0.035), (0.26, 0.13, 0.055), 0.45),
    Skin("grain", (0.13, 0.06, 0.03), (0.06, 0.03, 0.015), (0.08, 0.04, 0.02), 0.35),
    Skin("grain", (0.62, 0.44, 0.25), (0.5, 0.33, 0.17), (0.56, 0.39, 0.21), 0.6),
    Skin("cloudy", (0.45, 0.17, 0.08), (0.33, 0.12, 0.06), (0.4, 0.15, 0.07), 0.9),
    Skin("cloudy", (0.5, 0.47, 0.42), (0.36, 0.33, 0.3), (0.42, 0.39, 0.35), 0.85),
    Skin("cloudy", (0.05, 0.2, 0.3), (0.04, 0.16, 0.26), (0.55, 0.4, 0.2), 0.4),
    Skin("cloudy", (0.5, 0.05, 0.03), (0.42, 0.04, 0.03), (0.12, 0.1, 0.08), 0.4),
)
"""Woods, clay, stone, and paint; the mark is what the pits' bottoms look like."""
TABLES = (
    Skin("grain", (0.3, 0.2, 0.12), (0.2, 0.12, 0.07), DARK, 0.5),
    Skin("woven", (0.25, 0.27, 0.3), (0.45, 0.45, 0.42), DARK, 0.95),
    Skin("cloudy", (0.12, 0.16, 0.05), (0.3, 0.22, 0.12), DARK, 1.0),
    Skin("cloudy", (0.7, 0.7, 0.68), (0.62, 0.62, 0.6), DARK, 0.6),
)
