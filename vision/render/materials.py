"""The seeds: their kinds, shapes and looks.

A seed is one ellipsoid or three (beans); its looks are a row for the tracer. Sizes are in units of the seed's own
radius.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.render import columns

F64 = NDArray[np.float64]
Colour = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class SeedKind:
    """A kind of seed. axes: half axes (long, wide, high) relative to the radius; vary: relative spread of the sizes;
    colours: the choice of main colours; look: (pattern, scale, gloss, shine, glass, slit, bump, metal)."""

    name: str
    axes: tuple[float, float, float]
    vary: float
    colours: tuple[Colour, ...]
    gloss: tuple[float, float]
    shine: tuple[float, float]
    glass: tuple[float, float] = (0.0, 0.0)
    slit: tuple[float, float] = (0.0, 0.0)
    bump: tuple[float, float] = (0.0, 0.0)
    metal: tuple[float, float] = (0.0, 0.0)
    patterns: tuple[int, ...] = (0,)
    second: tuple[Colour, ...] = ()
    bent: float = 0.0
    mixed: bool = False
    shape: int = 0
    """0 ellipsoid, 1 lying cylinder, 2 cylinder standing on its end."""


GLASS: tuple[Colour, ...] = (
    (0.02, 0.10, 0.62),
    (0.02, 0.45, 0.12),
    (0.75, 0.05, 0.05),
    (0.85, 0.75, 0.06),
    (0.8, 0.85, 0.85),
    (0.05, 0.45, 0.65),
    (0.35, 0.05, 0.45),
    (0.85, 0.35, 0.03),
    (0.35, 0.62, 0.42),
    (0.03, 0.03, 0.04),
    (0.55, 0.75, 0.9),
    (0.55, 0.25, 0.12),
)
CLEAR: tuple[Colour, ...] = ((0.93, 0.96, 0.95), (0.80, 0.93, 0.84), (0.80, 0.88, 0.95), (0.95, 0.86, 0.70))
PLAIN: tuple[Colour, ...] = (
    (0.75, 0.08, 0.06),
    (0.05, 0.15, 0.6),
    (0.85, 0.75, 0.1),
    (0.05, 0.4, 0.12),
    (0.85, 0.85, 0.82),
    (0.03, 0.03, 0.03),
    (0.85, 0.4, 0.06),
    (0.4, 0.4, 0.42),
)

KINDS: tuple[SeedKind, ...] = (
    SeedKind(
        "nickernut",
        (1.06, 0.98, 0.85),
        0.10,
        ((0.30, 0.33, 0.24), (0.38, 0.36, 0.24), (0.24, 0.27, 0.22), (0.50, 0.44, 0.24)),
        (0.3, 1.0),
        (20, 70),
        patterns=(0, 0, 4),
        second=((0.22, 0.22, 0.16), (0.45, 0.42, 0.3)),
    ),
    SeedKind(
        "river stone",
        (1.15, 0.92, 0.6),
        0.22,
        ((0.35, 0.34, 0.32), (0.18, 0.17, 0.17), (0.5, 0.46, 0.4), (0.62, 0.6, 0.56), (0.3, 0.2, 0.15)),
        (0.02, 0.3),
        (6, 25),
        bump=(0.05, 0.22),
        patterns=(0, 2, 4),
        second=((0.6, 0.58, 0.55), (0.12, 0.12, 0.12)),
    ),
    SeedKind(
        "marble",
        (1.0, 1.0, 1.0),
        0.04,
        (*GLASS, *CLEAR),
        (0.8, 1.6),
        (60, 200),
        glass=(0.35, 1.0),
        patterns=(0, 0, 1, 3, 5, 5, 5, 6, 6),
        second=GLASS,
        mixed=True,
    ),
    SeedKind(
        "lustre bead",
        (1.1, 1.0, 0.55),
        0.08,
        (*GLASS, (0.8, 0.8, 0.8), (0.85, 0.7, 0.5), (0.5, 0.42, 0.36), (0.7, 0.1, 0.1), (0.1, 0.3, 0.35)),
        (0.9, 1.6),
        (50, 200),
        glass=(0.3, 0.9),
        metal=(0.3, 0.95),
        patterns=(0,),
        mixed=True,
    ),
    SeedKind(
        "glass bead",
        (1.05, 1.0, 0.55),
        0.09,
        (*GLASS, *CLEAR),
        (0.7, 1.5),
        (50, 160),
        glass=(0.2, 1.0),
        patterns=(0, 0, 1),
        second=GLASS,
        mixed=True,
    ),
    SeedKind("opaque bead", (1.03, 1.0, 0.6), 0.08, GLASS, (0.5, 1.2), (40, 120), patterns=(0,), mixed=True),
    SeedKind(
        "cowrie",
        (1.36, 0.9, 0.76),
        0.14,
        ((0.78, 0.70, 0.55), (0.85, 0.80, 0.70), (0.7, 0.58, 0.38)),
        (0.4, 1.0),
        (25, 80),
        slit=(0.6, 0.95),
        patterns=(0, 0, 4),
        second=((0.6, 0.45, 0.25), (0.5, 0.48, 0.42)),
    ),
    SeedKind(
        "bean",
        (1.2, 0.8, 0.75),
        0.12,
        ((0.55, 0.5, 0.38), (0.25, 0.05, 0.04), (0.03, 0.025, 0.025), (0.45, 0.2, 0.1)),
        (0.3, 0.9),
        (20, 60),
        patterns=(0, 0, 2),
        second=((0.3, 0.1, 0.08), (0.7, 0.65, 0.5)),
        bent=0.2,
    ),
    SeedKind(
        "coffee seed",
        (1.2, 0.88, 0.65),
        0.1,
        ((0.12, 0.06, 0.03), (0.2, 0.1, 0.05), (0.07, 0.04, 0.025)),
        (0.1, 0.6),
        (10, 40),
        slit=(0.5, 0.8),
    ),
    SeedKind(
        "brown seed",
        (1.08, 0.96, 0.8),
        0.12,
        ((0.16, 0.08, 0.04), (0.26, 0.15, 0.07), (0.4, 0.25, 0.12), (0.08, 0.05, 0.04)),
        (0.05, 0.8),
        (10, 60),
        bump=(0.0, 0.1),
    ),
    SeedKind("ball", (1.0, 1.0, 1.0), 0.03, PLAIN, (0.1, 0.9), (10, 80)),
    SeedKind(
        "dark ball",
        (1.0, 1.0, 1.0),
        0.04,
        ((0.015, 0.015, 0.015), (0.04, 0.03, 0.03), (0.02, 0.03, 0.06)),
        (0.05, 0.8),
        (10, 80),
    ),
    SeedKind(
        "metal bead",
        (1.0, 1.0, 0.9),
        0.06,
        ((0.75, 0.75, 0.76), (0.8, 0.65, 0.35), (0.55, 0.5, 0.48)),
        (0.5, 1.0),
        (20, 90),
        metal=(0.6, 0.95),
        bump=(0.0, 0.08),
    ),
    SeedKind("plastic", (1.05, 1.0, 0.7), 0.04, PLAIN, (0.3, 1.0), (20, 90), glass=(0.0, 0.4), mixed=True),
    SeedKind(
        "lentil",
        (1.0, 1.0, 0.4),
        0.08,
        ((0.5, 0.35, 0.15), (0.25, 0.22, 0.12), (0.6, 0.25, 0.1), (0.8, 0.78, 0.7)),
        (0.05, 0.5),
        (8, 40),
    ),
)
RARE: tuple[SeedKind, ...] = (
    SeedKind(
        "long seed",
        (1.55, 0.72, 0.68),
        0.08,
        ((0.02, 0.015, 0.015), (0.05, 0.03, 0.025), (0.14, 0.06, 0.03), (0.3, 0.2, 0.1), (0.7, 0.62, 0.48)),
        (0.4, 1.2),
        (25, 120),
    ),
    SeedKind(
        "pale pebble",
        (1.25, 0.9, 0.7),
        0.2,
        ((0.8, 0.76, 0.7), (0.68, 0.62, 0.54), (0.86, 0.85, 0.83), (0.6, 0.58, 0.56)),
        (0.02, 0.3),
        (6, 30),
        bump=(0.0, 0.15),
    ),
    SeedKind(
        "dowel",
        (1.12, 0.86, 0.86),
        0.06,
        ((0.12, 0.05, 0.03), (0.3, 0.16, 0.08), (0.6, 0.42, 0.22), (0.05, 0.03, 0.025), (0.5, 0.1, 0.06)),
        (0.02, 0.4),
        (8, 40),
        second=((0.2, 0.1, 0.06), (0.7, 0.55, 0.35), (0.4, 0.25, 0.14)),
        shape=1,
    ),
    SeedKind(
        "disc",
        (1.08, 1.05, 0.36),
        0.1,
        ((0.25, 0.15, 0.08), (0.1, 0.06, 0.04), (0.5, 0.4, 0.28), (0.75, 0.7, 0.62)),
        (0.02, 0.4),
        (8, 40),
        second=((0.7, 0.55, 0.35), (0.45, 0.3, 0.17), (0.8, 0.78, 0.72)),
        shape=2,
    ),
    SeedKind("counter", (1.05, 1.05, 0.28), 0.03, PLAIN, (0.2, 1.0), (20, 90), mixed=True, shape=2),
)
"""Seeds that lessons show on unusual tables alone: long ones, pebbles, and those with two faces and a side."""
INSIDE = (5, 6)
"""Patterns that lie inside clear glass."""
BY_NAME = {k.name: k for k in (*KINDS, *RARE)}


@dataclass(frozen=True, slots=True)
class Bag:
    """The seeds of one table: one kind, with colours and gloss chosen once."""

    kind: SeedKind
    radius: float
    palette: tuple[int, ...]
    second: int
    gloss: float
    shine: float
    glass: float
    slit: float
    bump: float
    pattern: int
    scale: float
    metal: float = 0.0
    form: tuple[float, float, float] = (1.0, 1.0, 1.0)
    """Length, width and height of this bag's seeds relative to their kind's."""

    @classmethod
    def draw(cls, rng: np.random.Generator, radius: float, kind: SeedKind | None = None) -> Bag:
        """Draw a random bag. radius: of a mean seed, world units."""
        k = kind or KINDS[rng.integers(len(KINDS))]
        n = int(rng.integers(1, len(k.colours) + 1)) if k.mixed or rng.random() < 0.25 else 1
        palette = tuple(int(i) for i in rng.choice(len(k.colours), n, replace=False))
        bag = cls(
            k,
            radius,
            palette,
            int(rng.integers(max(1, len(k.second)))),
            rng.uniform(*k.gloss),
            rng.uniform(*k.shine),
            rng.uniform(*k.glass),
            rng.uniform(*k.slit),
            rng.uniform(*k.bump),
            int(rng.choice(np.array(k.patterns))),
            float(rng.uniform(2.0, 9.0)),
            float(rng.uniform(*k.metal)),
            _form(rng, k),
        )
        # A pattern inside glass is visible only if the glass is clear; then its shadow is clear, too.
        return replace(bag, glass=max(bag.glass, 0.85)) if bag.pattern in INSIDE else bag

    def take(self, rng: np.random.Generator) -> tuple[F64, F64]:
        """Draw one seed: its half axes float64[3] in world units and its row of looks float64[LOOK_COLUMNS]."""
        k = self.kind
        size = self.radius * max(0.5, 1.0 + k.vary * rng.normal())
        axes = size * np.array(k.axes) * self.form * np.exp(0.4 * k.vary * rng.normal(size=3))
        look = np.zeros(columns.LOOK_COLUMNS)
        tint = np.exp(rng.normal(0, 0.08) + rng.normal(0, 0.03, 3))
        look[0:3] = np.clip(np.array(k.colours[self.palette[rng.integers(len(self.palette))]]) * tint, 0.004, 0.95)
        look[3:6] = k.second[(self.second + int(rng.integers(3))) % len(k.second)] if k.second else look[0:3]
        look[columns.LOOK_PATTERN] = self.pattern
        look[columns.LOOK_SCALE] = self.scale
        look[columns.LOOK_GLOSS] = self.gloss
        look[columns.LOOK_SHINE] = self.shine
        look[columns.LOOK_GLASS] = self.glass
        look[columns.LOOK_SLIT] = self.slit if rng.random() < 0.7 else 0.0
        look[columns.LOOK_BUMP] = self.bump
        look[columns.LOOK_METAL] = self.metal
        return axes, look


def _form(rng: np.random.Generator, kind: SeedKind) -> tuple[float, float, float]:
    """Random proportions of a bag's seeds; balls stay balls."""
    if kind.vary < 0.05:
        return 1.0, 1.0, 1.0
    x, y, z = np.exp(rng.normal(0, 0.12, 3))
    return float(x), float(y), float(z)


def parts_of(kind: SeedKind, axes: F64, centre: F64, turn: F64) -> list[F64]:
    """Return a seed's ellipsoids or cylinder as rows for the tracer, without a row of looks. turn: rotation float64[3,
    3] whose columns are the axes."""
    if kind.bent <= 0:
        return [_row(centre, axes, turn, kind.shape)]
    rows = [_row(centre, axes * [0.9, 1.0, 1.0], turn)]
    for side in (-1.0, 1.0):
        a = side * kind.bent
        c, s = np.cos(a), np.sin(a)
        yaw = turn @ np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        end = centre + turn @ np.array([side * 0.3 * axes[0], -0.5 * abs(a) * 0.3 * axes[0], 0.0])
        rows.append(_row(end, axes * [0.74, 0.97, 0.97], yaw))
    return rows


def _row(centre: F64, axes: F64, turn: F64, shape: int = 0) -> F64:
    far = (axes**2).sum() if shape else axes.max() ** 2
    return np.concatenate([centre, ((turn / axes).T).ravel(), [0.0, far, axes.prod() ** (2 / 3), shape]])
