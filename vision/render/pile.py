"""Lets seeds settle in a pit: dropped one after another they push, roll, tilt, lean on one another and come to rest.

Each seed is a rigid body of a few spheres that touch its surface from within. The spheres move by position-based
dynamics (Müller et al. 2007); shape matching (Müller et al. 2005) keeps a seed's shape, and its rotation is found as in
Müller et al. 2016.
"""

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]

STEP, GRAVITY = 1 / 240, 120.0
"""Seconds; and column pitches, of about eight centimetres, per second squared."""
BETWEEN, AFTER = 7, 90
"""Steps between two falling seeds, and at most after the last."""
ROUND = 1.12
"""An ellipsoid whose half axes differ by at most this factor is one sphere."""
OUT = 0.75
"""Distance of the outer spheres from a seed's middle, relative to where the inscribed sphere shrinks to a point."""
ROLLING = 0.05
"""Friction of seeds that are one sphere, and so roll."""
ON_RIM = 0.45
"""Least distance of a seed's middle from the rim, inwards, in its radii."""
STILL = 0.004
"""A heap is at rest when no seed's middle moves by more than this share of its radius per step."""


def spheres(axes: F64) -> tuple[F64, F64]:
    """Offsets float64[k, 3] and radii float64[k] of a seed's spheres. axes: its half axes, float64[3]."""
    order = np.argsort(-axes)
    a, b, c = axes[order]
    if a < ROUND * c:
        return np.zeros((1, 3)), np.array([(a * b * c) ** (1 / 3)])
    angles = np.array([0.0, math.pi]) if b < ROUND * c else np.linspace(0, 2 * math.pi, 7)[:-1]
    # Along a half axis h of an ellipse with the other half axis c: the inscribed circle at x has the radius
    # c √(1 - x² / (h² - c²)), and shrinks to the point of the ellipse at x = (h² - c²) / h.
    along = 1 / np.sqrt((np.cos(angles) / a) ** 2 + (np.sin(angles) / b) ** 2)
    room = np.maximum(along**2 - c**2, 1e-12)
    x = OUT * room / along
    offsets = np.zeros((len(x) + 1, 3))
    offsets[1:, order[0]], offsets[1:, order[1]] = x * np.cos(angles), x * np.sin(angles)
    return offsets, np.concatenate([[c], c * np.sqrt(1 - x**2 / room)])


@njit(cache=True, fastmath=True, error_model="numpy")
def _out(x: float, y: float, bowl: F64) -> float:
    """Distance from a bowl's middle: 0 in the middle, 1 on the rim. bowl: half axes 2, exponent, depth, power."""
    u, v = abs(x) / bowl[0], abs(y) / bowl[1]
    if bowl[2] <= 2.01:
        return math.sqrt(u * u + v * v)
    return float((u ** bowl[2] + v ** bowl[2]) ** (1.0 / bowl[2]))


@njit(cache=True, fastmath=True, error_model="numpy")
def _floor(x: float, y: float, bowl: F64) -> float:
    q = _out(x, y, bowl)
    return -bowl[3] * (1.0 - q ** bowl[4]) if q < 1.0 else 0.0


@njit(cache=True, fastmath=True, error_model="numpy")
def _held(p: F64, was: F64, k: int, n0: float, n1: float, n2: float, deep: float, rough: float) -> None:
    """Apply friction: a sphere pushed out by `deep` along a normal moves less across it."""
    t0, t1, t2 = p[k, 0] - was[k, 0], p[k, 1] - was[k, 1], p[k, 2] - was[k, 2]
    along = t0 * n0 + t1 * n1 + t2 * n2
    t0 -= along * n0
    t1 -= along * n1
    t2 -= along * n2
    far = math.sqrt(t0 * t0 + t1 * t1 + t2 * t2) + 1e-12
    back = min(1.0, rough * deep / far)
    p[k, 0] -= back * t0
    p[k, 1] -= back * t1
    p[k, 2] -= back * t2


@njit(cache=True, fastmath=True, error_model="numpy")
def _on_floor(p: F64, was: F64, k: int, r: float, bowl: F64, rough: float) -> None:
    x, y = p[k, 0], p[k, 1]
    h = 0.004
    low = _floor(x, y, bowl)
    if p[k, 2] - low > 3.0 * r:
        return
    sx = (_floor(x + h, y, bowl) - _floor(x - h, y, bowl)) / (2 * h)
    sy = (_floor(x, y + h, bowl) - _floor(x, y - h, bowl)) / (2 * h)
    n = 1.0 / math.sqrt(1.0 + sx * sx + sy * sy)
    deep = r - (p[k, 2] - low) * n
    if deep <= 0.0:
        return
    p[k, 0] -= deep * sx * n
    p[k, 1] -= deep * sy * n
    p[k, 2] += deep * n
    _held(p, was, k, -sx * n, -sy * n, n, deep, rough)


@njit(cache=True, fastmath=True, error_model="numpy")
def _apart(p: F64, was: F64, radius: F64, a: int, b: int, rough: float) -> None:
    """Push two spheres of different seeds apart if they overlap."""
    dx, dy, dz = p[a, 0] - p[b, 0], p[a, 1] - p[b, 1], p[a, 2] - p[b, 2]
    d2 = dx * dx + dy * dy + dz * dz
    reach = radius[a] + radius[b]
    if d2 >= reach * reach:
        return
    d = math.sqrt(d2) + 1e-12
    deep = reach - d
    dx, dy, dz = dx / d, dy / d, dz / d
    for c, s in ((a, 0.5), (b, -0.5)):
        p[c, 0] += s * deep * dx
        p[c, 1] += s * deep * dy
        p[c, 2] += s * deep * dz
        _held(p, was, c, dx, dy, dz, 0.5 * deep, rough)


@njit(cache=True, fastmath=True, error_model="numpy")
def _lay(p: F64, shape: F64, lo: int, hi: int, turn: F64, middle: F64) -> None:
    """Place spheres lo to hi, those of one seed, according to its middle and rotation."""
    for k in range(lo, hi):
        for c in range(3):
            p[k, c] = middle[c] + turn[c, 0] * shape[k, 0] + turn[c, 1] * shape[k, 1] + turn[c, 2] * shape[k, 2]


@njit(cache=True, fastmath=True, error_model="numpy")
def _rigid(p: F64, shape: F64, first: I64, i: int, turn: F64, middle: F64) -> None:
    """Restore the shape of seed i: rotate (float64[3, 3]) and move (float64[3]) it to fit where its spheres are now."""
    lo, hi = first[i], first[i + 1]
    m0 = m1 = m2 = 0.0
    for k in range(lo, hi):
        m0 += p[k, 0]
        m1 += p[k, 1]
        m2 += p[k, 2]
    n = hi - lo
    m0, m1, m2 = m0 / n, m1 / n, m2 / n
    middle[0], middle[1], middle[2] = m0, m1, m2
    if n == 1:
        return
    a = np.zeros((3, 3))
    for k in range(lo, hi):
        x, y, z = p[k, 0] - m0, p[k, 1] - m1, p[k, 2] - m2
        for c in range(3):
            a[0, c] += x * shape[k, c]
            a[1, c] += y * shape[k, c]
            a[2, c] += z * shape[k, c]
    for _ in range(3):
        w0 = w1 = w2 = dot = 0.0
        for c in range(3):
            w0 += turn[1, c] * a[2, c] - turn[2, c] * a[1, c]
            w1 += turn[2, c] * a[0, c] - turn[0, c] * a[2, c]
            w2 += turn[0, c] * a[1, c] - turn[1, c] * a[0, c]
            dot += turn[0, c] * a[0, c] + turn[1, c] * a[1, c] + turn[2, c] * a[2, c]
        s = 1.0 / (abs(dot) + 1e-15)
        w0, w1, w2 = w0 * s, w1 * s, w2 * s
        angle = math.sqrt(w0 * w0 + w1 * w1 + w2 * w2)
        if angle < 1e-9:
            break
        w0, w1, w2 = w0 / angle, w1 / angle, w2 / angle
        angle = min(angle, 0.5)
        co, si = math.cos(angle), math.sin(angle)
        for c in range(3):  # Rodrigues, column after column
            x, y, z = turn[0, c], turn[1, c], turn[2, c]
            along = (w0 * x + w1 * y + w2 * z) * (1.0 - co)
            turn[0, c] = x * co + (w1 * z - w2 * y) * si + w0 * along
            turn[1, c] = y * co + (w2 * x - w0 * z) * si + w1 * along
            turn[2, c] = z * co + (w0 * y - w1 * x) * si + w2 * along
    _lay(p, shape, lo, hi, turn, middle)


@njit(cache=True, fastmath=True, error_model="numpy")
def _fall(
    middles: F64, turns: F64, shape: F64, radius: F64, first: I64, reach: F64, lying: int, bowl: F64, rough: float
) -> None:
    """Let seeds fall into a bowl, one after another. The first `lying` seeds lie there already. middles float64[n, 3],
    turns float64[n, 3, 3]: the seeds' places and rotations, changed in place; seeds that are yet to fall start above
    their x and y. shape float64[k, 3], radius float64[k]: the spheres, those of seed i from first[i] on; reach
    float64[n]: longest half axis."""
    n = len(reach)
    p = np.zeros_like(shape)
    for i in range(lying):
        _lay(p, shape, first[i], first[i + 1], turns[i], middles[i])
    v = np.zeros_like(shape)
    was = p.copy()
    there, since = lying, 0
    for step in range((n - lying) * BETWEEN + AFTER):
        if there < n and step % BETWEEN == 0:
            i = there
            top = _floor(middles[i, 0], middles[i, 1], bowl)
            for j in range(there):
                dx, dy = middles[j, 0] - middles[i, 0], middles[j, 1] - middles[i, 1]
                if dx * dx + dy * dy < (reach[i] + reach[j]) ** 2:
                    top = max(top, middles[j, 2] + reach[j])
            middles[i, 2] = top + 1.1 * reach[i]
            _lay(p, shape, first[i], first[i + 1], turns[i], middles[i])
            there += 1
            since = 0
        balls = first[there]
        for k in range(balls):
            v[k, 2] -= GRAVITY * STEP
            for c in range(3):
                was[k, c] = p[k, c]
                p[k, c] += STEP * 0.985 * v[k, c]
        for _ in range(3):
            for i in range(there):
                for j in range(i):
                    far = 0.0
                    for c in range(3):
                        far += (middles[i, c] - middles[j, c]) ** 2
                    if far > 1.2 * (reach[i] + reach[j]) ** 2:
                        continue
                    one = first[i + 1] - first[i] == 1 or first[j + 1] - first[j] == 1
                    for a in range(first[i], first[i + 1]):
                        for b in range(first[j], first[j + 1]):
                            _apart(p, was, radius, a, b, ROLLING if one else rough)
            for i in range(there):
                alone = first[i + 1] - first[i] == 1
                for k in range(first[i], first[i + 1]):
                    _on_floor(p, was, k, radius[k], bowl, ROLLING if alone else rough)
                _rigid(p, shape, first, i, turns[i], middles[i])
                q = _out(middles[i, 0], middles[i, 1], bowl)
                limit = 1.0 - ON_RIM * reach[i] / min(bowl[0], bowl[1])
                if q > limit:
                    for c in range(2):
                        inward = middles[i, c] * (limit / q - 1.0)
                        middles[i, c] += inward
                        for k in range(first[i], first[i + 1]):
                            p[k, c] += inward
        moved = 0.0
        for i in range(there):
            for k in range(first[i], first[i + 1]):
                far = 0.0
                for c in range(3):
                    far += (p[k, c] - was[k, c]) ** 2
                far = math.sqrt(far)
                moved = max(moved, far / reach[i])
                slow = min(1.0, 0.5 * reach[i] / (far + 1e-12)) / STEP  # cap the speed, so that no seed flies off
                for c in range(3):
                    v[k, c] = (p[k, c] - was[k, c]) * slow
        since = since + 1 if moved < STILL else 0
        if there == n and since > 4:
            break


def settle(
    axes: F64,
    bowl: tuple[float, float, float, float, float],
    rng: np.random.Generator,
    lying: tuple[F64, F64] | None = None,
    spread: float = 0.7,
    at: tuple[float, float] = (0.0, 0.0),
    rough: float = 0.05,
) -> tuple[F64, F64]:
    """Let seeds come to rest in a bowl about the origin with its rim at z = 0. Return their middles float64[n, 3] and
    rotations float64[n, 3, 3], whose columns are the axes.

    axes float64[n, 3]: half axes. bowl: half axes x and y, exponent of the rim's superellipse, depth, and power of its
    profile. lying: middles and rotations of the first seeds, which lie there already and may be pushed by the others.
    at: the point round which seeds are dropped; spread: how far from it, in radii of the pit. rough: the seeds'
    friction: from 0.02 to 0.1, heaps are as broad and as high, and hide as many seeds, as those that Bullet simulates,
    a library for rigid bodies.
    """
    n = len(axes)
    middles, turns = np.zeros((n, 3)), np.tile(np.eye(3), (n, 1, 1))
    m = 0 if lying is None else min(len(lying[0]), n)
    if lying is not None:
        middles[:m], turns[:m] = lying[0][:m], lying[1][:m]
    if m == n:
        return middles, turns
    for i in range(m, n):
        a, q = rng.uniform(0, 2 * math.pi), spread * math.sqrt(rng.uniform())
        middles[i, :2] = bowl[0] * (at[0] + q * math.cos(a)), bowl[1] * (at[1] + q * math.sin(a))
        turns[i] = _random_rotation(rng)
    parts = [spheres(a) for a in axes]
    first = np.concatenate([[0], np.cumsum([len(r) for _, r in parts])]).astype(np.int64)
    shape, radius = np.concatenate([o for o, _ in parts]), np.concatenate([r for _, r in parts])
    _fall(middles, turns, shape, radius, first, axes.max(axis=1), m, np.array(bowl, np.float64), rough)
    return middles, turns


def _random_rotation(rng: np.random.Generator) -> F64:
    """A uniformly random rotation float64[3, 3]."""
    w, x, y, z = (q := rng.normal(size=4)) / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
