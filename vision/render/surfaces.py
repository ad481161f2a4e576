"""The geometry: the board as a height field, seeds as ellipsoids, fingers and sleeves as capsules, and their
intersections with rays."""

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from vision.render.columns import (
    ANY,
    FLAT,
    GRID,
    INSIDE,
    PART_SHAPE,
    PIT_DEPTH,
    PIT_LIP,
    PIT_POWER,
    PIT_RX,
    PIT_RY,
    PIT_SQUARE,
    PIT_X,
    PIT_Y,
    TABLE,
)

F64 = NDArray[np.float64]


@njit(cache=True, fastmath=True, error_model="numpy")
def chance(a: int, b: int, c: int) -> float:
    """A pseudo-random number in 0…1, determined by three integers."""
    h = (a * 374761393 + b * 668265263 + c * 2147483647 + 974711) & 0xFFFFFFFF
    h = ((h ^ (h >> 13)) * 1274126177) & 0xFFFFFFFF
    h = ((h ^ (h >> 16)) * 2246822519) & 0xFFFFFFFF
    return ((h ^ (h >> 15)) & 0xFFFFFF) / 16777216.0


@njit(cache=True, fastmath=True, error_model="numpy")
def nearest_pit(grid: NDArray[np.int16], ox: float, oy: float, x: float, y: float) -> int:
    """Row of `pits` of the pit nearest to (x, y), -1 off the map. grid: int16[h, w, 2], the map of places; ox, oy: its
    corner; world units."""
    i = int((x - ox) * GRID)
    j = int((y - oy) * GRID)
    if i < 0 or j < 0 or j >= grid.shape[0] or i >= grid.shape[1]:
        return -1
    return int(grid[j, i, 0])


@njit(cache=True, fastmath=True, error_model="numpy")
def place_kind(grid: NDArray[np.int16], ox: float, oy: float, x: float, y: float) -> int:
    """The kind of place at (x, y): ANY, FLAT, TABLE or INSIDE; arguments as for `nearest_pit`."""
    i = int((x - ox) * GRID)
    j = int((y - oy) * GRID)
    if i < 0 or j < 0 or j >= grid.shape[0] or i >= grid.shape[1]:
        return TABLE
    return int(grid[j, i, 1])


@njit(cache=True, fastmath=True, error_model="numpy")
def pit_radius(pits: F64, k: int, x: float, y: float) -> float:
    """Distance from a pit's centre, 1 on its rim."""
    u = abs(x - pits[k, PIT_X]) / pits[k, PIT_RX]
    v = abs(y - pits[k, PIT_Y]) / pits[k, PIT_RY]
    e = pits[k, PIT_SQUARE]
    if e <= 2.01:
        return math.sqrt(u * u + v * v)
    return (u**e + v**e) ** (1.0 / e)


@njit(cache=True, fastmath=True, error_model="numpy")
def outline_at(field: NDArray[np.float32], ox: float, oy: float, x: float, y: float) -> float:
    """Approximate distance to the board's outline, negative inside, read from a map because its formula is slow."""
    u = (x - ox) * GRID - 0.5
    v = (y - oy) * GRID - 0.5
    i = int(u)
    j = int(v)
    if u < 0.0 or v < 0.0 or j >= field.shape[0] - 1 or i >= field.shape[1] - 1:
        return 1.0
    fu = u - i
    fv = v - j
    return float(
        (field[j, i] * (1.0 - fu) + field[j, i + 1] * fu) * (1.0 - fv)
        + (field[j + 1, i] * (1.0 - fu) + field[j + 1, i + 1] * fu) * fv
    )


@njit(cache=True, fastmath=True, error_model="numpy")
def bowl_power(r: float, p: float) -> float:
    """r to the power p, one of the bowls' powers 2, 3, 4, 6; a general power would halve the tracer's speed."""
    if p < 2.5:
        return r * r
    if p < 3.5:
        return r * r * r
    q = r * r
    return q * q if p < 5.0 else q * q * q


@njit(cache=True, fastmath=True, error_model="numpy")
def height_at(
    x: float, y: float, pits: F64, grid: NDArray[np.int16], field: NDArray[np.float32], ox: float, oy: float, board: F64
) -> float:
    """Height of the table, the board or a pit's wall at (x, y), world units, with the board's top at 0. field:
    float32[h, w], the board's outline as for `outline_at`; the rest as for `nearest_pit` and in `columns`."""
    place = place_kind(grid, ox, oy, x, y)
    if place == TABLE:
        return float(-board[5])
    z = 0.0
    if place == FLAT:
        return z
    if place == ANY:
        s = outline_at(field, ox, oy, x, y)
        if s > 0.0:
            return float(-board[5])
        bevel = board[6]
        if s > -bevel:
            t = 1.0 + s / bevel
            z = -bevel * t * t
    if board[9] > 0.5:
        d = abs((x if board[9] < 1.5 else y) - board[7])
        if d < board[8]:
            z = -0.5 * board[5]
    k = nearest_pit(grid, ox, oy, x, y)
    if k >= 0:
        r = pit_radius(pits, k, x, y)
        if r < 1.0:
            z -= pits[k, PIT_DEPTH] * (1.0 - bowl_power(r, pits[k, PIT_POWER]))
        lip = pits[k, PIT_LIP]
        if lip > 0.0 and r < 1.3:
            t = (r - 1.06) / 0.06
            z += lip * math.exp(-t * t)
    return z


@njit(cache=True, fastmath=True, error_model="numpy")
def texture_at(tex: NDArray[np.float32], u: float, v: float, out: F64) -> None:
    """Sample a repeating texture bilinearly; u and v in widths of the texture."""
    h, w = tex.shape[0], tex.shape[1]
    x = (u - math.floor(u)) * w
    y = (v - math.floor(v)) * h
    i0 = int(x) % w
    j0 = int(y) % h
    i1 = (i0 + 1) % w
    j1 = (j0 + 1) % h
    fx = x - math.floor(x)
    fy = y - math.floor(y)
    for c in range(3):
        a = tex[j0, i0, c] * (1.0 - fx) + tex[j0, i1, c] * fx
        b = tex[j1, i0, c] * (1.0 - fx) + tex[j1, i1, c] * fx
        out[c] = a * (1.0 - fy) + b * fy


@njit(cache=True, fastmath=True, error_model="numpy")
def hit_cylinder(al: float, bl: float, ap: float, bp: float, aq: float, bq: float) -> float:
    """Distance along a ray to a cylinder of radius 1 that reaches from -1 to 1 along its axis; a huge number if the ray
    misses it. al, bl: the ray's origin and direction along the axis; ap, bp, aq, bq: across it."""
    a = bp * bp + bq * bq + 1e-12
    b = ap * bp + aq * bq
    disc = b * b - a * (ap * ap + aq * aq - 1.0)
    if disc <= 0.0:
        return 1e9
    root = math.sqrt(disc)
    along = bl if abs(bl) > 1e-9 else 1e-9
    t1, t2 = (-1.0 - al) / along, (1.0 - al) / along
    enter = max((-b - root) / a, min(t1, t2))
    leave = min((-b + root) / a, max(t1, t2))
    return enter if enter < leave and enter > 1e-4 else 1e9


@njit(cache=True, fastmath=True, error_model="numpy")
def hit_part(parts: F64, e: int, o: F64, d: F64) -> float:
    """Distance along the ray to an ellipsoid or a cylinder; a huge number if the ray misses it."""
    px, py, pz = o[0] - parts[e, 0], o[1] - parts[e, 1], o[2] - parts[e, 2]
    along = px * d[0] + py * d[1] + pz * d[2]
    if px * px + py * py + pz * pz - along * along > parts[e, 13]:
        return 1e9
    ax = parts[e, 3] * px + parts[e, 4] * py + parts[e, 5] * pz
    ay = parts[e, 6] * px + parts[e, 7] * py + parts[e, 8] * pz
    az = parts[e, 9] * px + parts[e, 10] * py + parts[e, 11] * pz
    bx = parts[e, 3] * d[0] + parts[e, 4] * d[1] + parts[e, 5] * d[2]
    by = parts[e, 6] * d[0] + parts[e, 7] * d[1] + parts[e, 8] * d[2]
    bz = parts[e, 9] * d[0] + parts[e, 10] * d[1] + parts[e, 11] * d[2]
    if parts[e, PART_SHAPE] > 0.5:
        if parts[e, PART_SHAPE] > 1.5:
            return hit_cylinder(az, bz, ax, bx, ay, by)
        return hit_cylinder(ax, bx, ay, by, az, bz)
    a = bx * bx + by * by + bz * bz
    b = ax * bx + ay * by + az * bz
    c = ax * ax + ay * ay + az * az - 1.0
    disc = b * b - a * c
    if disc <= 0.0:
        return 1e9
    t = (-b - math.sqrt(disc)) / a
    return t if t > 1e-4 else 1e9


@njit(cache=True, fastmath=True, error_model="numpy")
def hit_limb(limbs: F64, e: int, o: F64, d: F64) -> float:
    """Distance along the ray to a capsule of one mean radius (Quilez' form); a huge number if the ray misses it."""
    bx, by, bz = limbs[e, 3] - limbs[e, 0], limbs[e, 4] - limbs[e, 1], limbs[e, 5] - limbs[e, 2]
    ox, oy, oz = o[0] - limbs[e, 0], o[1] - limbs[e, 1], o[2] - limbs[e, 2]
    r = limbs[e, 6]
    baba = bx * bx + by * by + bz * bz
    bard = bx * d[0] + by * d[1] + bz * d[2]
    baoa = bx * ox + by * oy + bz * oz
    rdoa = d[0] * ox + d[1] * oy + d[2] * oz
    oaoa = ox * ox + oy * oy + oz * oz
    a = baba - bard * bard
    b = baba * rdoa - baoa * bard
    c = baba * oaoa - baoa * baoa - r * r * baba
    h = b * b - a * c
    if h < 0.0:
        return 1e9
    if a > 1e-12:
        t = (-b - math.sqrt(h)) / a
        y = baoa + t * bard
        if 0.0 < y < baba:
            return t if t > 1e-4 else 1e9
        if y <= 0.0:
            cx, cy, cz = ox, oy, oz
        else:
            cx, cy, cz = ox - bx, oy - by, oz - bz
    else:
        cx, cy, cz = ox, oy, oz
    b = d[0] * cx + d[1] * cy + d[2] * cz
    c = cx * cx + cy * cy + cz * cz - r * r
    h = b * b - c
    if h <= 0.0:
        return 1e9
    t = -b - math.sqrt(h)
    return t if t > 1e-4 else 1e9


@njit(cache=True, fastmath=True, error_model="numpy")
def hit_ground(
    o: F64, d: F64, pits: F64, grid: NDArray[np.int16], field: NDArray[np.float32], ox: float, oy: float, board: F64
) -> float:
    """Distance along the ray to the height field: steps down in z, then bisects."""
    t0 = (0.06 - o[2]) / d[2]
    th = -o[2] / d[2]
    place = place_kind(grid, ox, oy, o[0] + th * d[0], o[1] + th * d[1])
    if place == FLAT:
        return th
    t1 = (-board[5] - 0.001 - o[2]) / d[2]
    if place == TABLE:
        return t1
    steps = 22
    if place == INSIDE and board[9] < 0.5:
        k = nearest_pit(grid, ox, oy, o[0] + th * d[0], o[1] + th * d[1])
        if k >= 0:
            t1 = (-pits[k, PIT_DEPTH] - 0.001 - o[2]) / d[2]
            steps = 12
    dt = (t1 - t0) / steps
    lo = t0
    t = t0
    for _ in range(steps + 1):
        if o[2] + t * d[2] < height_at(o[0] + t * d[0], o[1] + t * d[1], pits, grid, field, ox, oy, board):
            hi = t
            for _ in range(7):
                m = 0.5 * (lo + hi)
                if o[2] + m * d[2] < height_at(o[0] + m * d[0], o[1] + m * d[1], pits, grid, field, ox, oy, board):
                    hi = m
                else:
                    lo = m
            return 0.5 * (lo + hi)
        lo = t
        t += dt
    return t1


def place_map(
    pits: F64, board: F64, ox: float, oy: float, width: float, height: float
) -> tuple[NDArray[np.int16], NDArray[np.float32]]:
    """Return a map of the places: int16[h, w, 2], for each cell of 1/GRID world unit the nearest pit (by distance in
    its own radii; -1 far from all) and the kind of place; and float32[h, w], the distance to the board's outline. ox,
    oy: the map's corner; width, height: its size; world units."""
    xs = ox + (np.arange(int(width * GRID) + 1) + 0.5) / GRID
    ys = oy + (np.arange(int(height * GRID) + 1) + 0.5) / GRID
    gx, gy = np.meshgrid(xs, ys)
    u = np.abs(gx[..., None] - pits[:, PIT_X]) / pits[:, PIT_RX]
    v = np.abs(gy[..., None] - pits[:, PIT_Y]) / pits[:, PIT_RY]
    e = pits[:, PIT_SQUARE]
    r = (u**e + v**e) ** (1 / e)
    near = np.where(r.min(axis=-1) < 2.0, r.argmin(axis=-1), -1)
    cell = 0.75 / GRID
    n = board[4]
    bu, bv = np.abs(gx - board[0]) / board[2], np.abs(gy - board[1]) / board[3]
    outline = np.minimum(9.0, (bu**n + bv**n) ** (1 / n) - 1) * min(board[2], board[3])
    # The outline's measure underestimates distances along the long axis: leave a generous edge.
    inside = (
        (outline < -board[6] - 0.15)
        & (np.abs(bu) < 1 - (board[6] + 2 * cell) / board[2])
        & (np.abs(bv) < 1 - (board[6] + 2 * cell) / board[3])
    )
    clear = ((r - 1.0) * np.minimum(pits[:, PIT_RX], pits[:, PIT_RY])).min(axis=-1) > 0.11 + 2 * cell
    if board[9] > 0.5:
        clear &= np.abs((gx if board[9] < 1.5 else gy) - board[7]) > board[8] + 3 * cell
    away = (outline > 0.8) | (bu > 1 + 0.8 / board[2]) | (bv > 1 + 0.8 / board[3])
    kind = np.where(inside & clear, FLAT, np.where(inside, INSIDE, np.where(away, TABLE, ANY)))
    return np.stack([near, kind], axis=-1).astype(np.int16), outline.astype(np.float32)
