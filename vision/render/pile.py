"""Seeds that settle in a pit: dropped one after another, pushed apart and down the bowl until they lie.

Position-based dynamics (Müller et al. 2007) on spheres that are flattened in z, which is what matters for how heaps
look from above: seeds lean on one another, ride on others, hide others.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

F64 = NDArray[np.float64]

ROLL = 0.2
"""How fast a seed rolls off another: share of the way a step."""


@njit(cache=True, fastmath=True)
def _relax(
    pos: F64,
    radius: F64,
    flat: F64,
    n: int,
    rx: float,
    ry: float,
    square: float,
    depth: float,
    power: float,
    rounds: int,
    pull: float,
) -> None:
    for it in range(rounds):
        g = pull * (1.0 if it < rounds * 2 // 3 else 0.4)
        for i in range(n):
            pos[i, 2] -= g
        for _ in range(2):
            for i in range(n):
                for j in range(i):
                    f = 0.5 * (flat[i] + flat[j])
                    dx, dy = pos[i, 0] - pos[j, 0], pos[i, 1] - pos[j, 1]
                    dz = (pos[i, 2] - pos[j, 2]) / f
                    reach = radius[i] + radius[j]
                    d2 = dx * dx + dy * dy + dz * dz
                    flat2 = dx * dx + dy * dy
                    if flat2 < 0.64 * reach * reach and abs(dz) < 1.05 * reach:
                        # One on top of another rolls off, unless others hold it in a hollow.
                        away = math.sqrt(flat2) + 1e-9
                        ux, uy = (dx / away, dy / away) if away > 0.02 * reach else (math.cos(i + j), math.sin(i + j))
                        roll = ROLL * (0.8 * reach - away)
                        pos[i, 0] += roll * ux
                        pos[i, 1] += roll * uy
                        pos[j, 0] -= roll * ux
                        pos[j, 1] -= roll * uy
                        dx, dy = dx + 2 * roll * ux, dy + 2 * roll * uy
                        d2 = dx * dx + dy * dy + dz * dz
                    if d2 < reach * reach:
                        d = math.sqrt(d2) + 1e-9
                        k = 0.5 * (reach - d) / d
                        pos[i, 0] += k * dx
                        pos[i, 1] += k * dy
                        pos[i, 2] += k * dz * f
                        pos[j, 0] -= k * dx
                        pos[j, 1] -= k * dy
                        pos[j, 2] -= k * dz * f
        for i in range(n):
            _keep_in(pos, i, radius[i], radius[i] * flat[i], rx, ry, square, depth, power)


@njit(cache=True, fastmath=True)
def _keep_in(
    pos: F64, i: int, r: float, half: float, rx: float, ry: float, square: float, depth: float, power: float
) -> None:
    """Push a seed back over the bowl's floor and inside its rim."""
    u, v = pos[i, 0] / rx, pos[i, 1] / ry
    q = math.sqrt(u * u + v * v) if square <= 2.01 else (abs(u) ** square + abs(v) ** square) ** (1.0 / square)
    limit = 1.0 - 0.75 * r / min(rx, ry)
    if q > limit:
        s = limit / (q + 1e-9)
        pos[i, 0] *= s
        pos[i, 1] *= s
        u *= s
        v *= s
        q = limit
    floor = -depth * (1.0 - q**power)
    slope = depth * power * q ** max(0.0, power - 1.0) / min(rx, ry)
    nz = 1.0 / math.sqrt(1.0 + slope * slope)
    low = floor + half / nz - pos[i, 2]
    if low > 0.0:
        # Along the floor's normal: up, and towards the middle on a slope.
        pos[i, 2] += low * nz * nz
        if q > 1e-6:
            k = low * nz * slope * nz / (math.sqrt(u * u + v * v) + 1e-9)
            pos[i, 0] -= min(0.5, k) * u
            pos[i, 1] -= min(0.5, k) * v


def settle(
    radius: F64,
    flat: F64,
    rx: float,
    ry: float,
    square: float,
    depth: float,
    power: float,
    rng: np.random.Generator,
    start: F64 | None = None,
    spread: float = 0.7,
    rounds: int = 24,
    at: tuple[float, float] = (0.0, 0.0),
) -> F64:
    """Centres float64[n, 3] of seeds at rest in a bowl about the origin, its rim at z = 0.

    radius float64[n] horizontal radii, flat float64[n] height over width. start float64[m, 3] keeps the first m seeds
    where they lay (they may be nudged by the others). at, spread: where seeds are dropped and how far from there, in
    radii of the pit; rounds: of relaxation a seed, few leave seeds lying on the slope.
    """
    n = len(radius)
    pos = np.zeros((n, 3))
    m = 0 if start is None else min(len(start), n)
    if start is not None:
        pos[:m] = start[:m]
    for i in range(m, n):
        a, q = rng.uniform(0, 2 * math.pi), spread * math.sqrt(rng.uniform())
        pos[i] = (rx * (at[0] + q * math.cos(a)), ry * (at[1] + q * math.sin(a)), 0.0)
        top = max(
            (
                pos[j, 2] + radius[j] * flat[j]
                for j in range(i)
                if math.hypot(pos[j, 0] - pos[i, 0], pos[j, 1] - pos[i, 1]) < radius[j] + radius[i]
            ),
            default=-depth,
        )
        pos[i, 2] = top + radius[i] * flat[i]
        _relax(pos, radius, flat, i + 1, rx, ry, square, depth, power, max(3, rounds // 3), 0.06 * depth + 0.01)
    if n:
        _relax(pos, radius, flat, n, rx, ry, square, depth, power, rounds, 0.03 * depth + 0.004)
    return pos
