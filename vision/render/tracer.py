"""A small ray tracer: a carved board as a height field, seeds as ellipsoids, fingers and sleeves as capsules.

World units are column pitches: x to South's right, y towards South (as in the picture), z up, the board's top at z = 0. One
lamp with soft shadows, a hemisphere of ambient light, glossy and translucent seeds. Everything is packed into flat arrays, see
the column constants, because numba compiles those best.

Light is computed in linear RGB; `scene` does exposure, white balance and the rest of the camera.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit
from numba.core import cgutils, types
from numba.extending import intrinsic
from numpy.typing import NDArray

F64 = NDArray[np.float64]

# Columns of `pits`: centre, half axes, in-plane superellipse exponent, depth, power of the bowl's profile, rim's width of paint.
PIT_X, PIT_Y, PIT_RX, PIT_RY, PIT_SQUARE, PIT_DEPTH, PIT_POWER, PIT_LIP, PIT_FIRST, PIT_SEEDS = range(10)
PIT_COLUMNS = 10
# Columns of `parts` (ellipsoids): centre 3, matrix 9 (|M (p - c)| = 1 on the surface), row of `looks`, squares of the longest
# half axis and of the mean one.
PART_COLUMNS = 15
# Columns of `looks`: first colour 3, second colour 3, pattern, its scale, gloss, shine, glass, slit, bump.
LOOK_PATTERN, LOOK_SCALE, LOOK_GLOSS, LOOK_SHINE, LOOK_GLASS, LOOK_SLIT, LOOK_BUMP, LOOK_METAL = range(6, 14)
LOOK_COLUMNS = 14
# Columns of `limbs` (capsules): end 3, end 3, radius at either end, colour 3, gloss, stripes, stripe colour 3.
LIMB_COLUMNS = 16
# `board`: centre 2, half axes 2, outline exponent, thickness, bevel, gap's place, gap's half width, gap's axis (0 none, 1 x, 2 y),
# texture scale, table's texture scale, how much of the pits is painted, gloss, wood's bump.
BOARD_COLUMNS = 16
# `light`: direction to the lamp 3, its colour 3, softness, sky colour 3, ground bounce 3.
LIGHT_COLUMNS = 13
# `camera`: position 3, rotation rows (right, down, forward) 9, focal length in pixels, principal point 2, radial distortion k1.
CAMERA_COLUMNS = 16

@intrinsic  # type: ignore[untyped-decorator]  # numba comes untyped
def _borrow(_context: Any, array: types.Array) -> Any:
    """The same array without its owner, for as long as the owner lives elsewhere. numba counts references at every call, and
    atomically, which took nine tenths of the tracer's time; arrays without an owner are not counted."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        view = context.make_array(signature.args[0])(context, builder, arguments[0])
        view.meminfo = cgutils.get_null_value(view.meminfo.type)
        return view._getvalue()

    return array(array), codegen


GRID = 16  # cells a world unit in the map of places

# What `place_map` says of a cell besides its nearest pit: anything, bare flat top, table well away from the board, inside the
# outline (pits, gap, no edge). Most rays meet plain places, and need no marching there.
ANY, FLAT, TABLE, INSIDE = range(4)


@njit(cache=True, fastmath=True, error_model="numpy")
def _hash(a: int, b: int, c: int) -> float:
    """A number in 0…1 that looks random and depends on three integers alone."""
    h = (a * 374761393 + b * 668265263 + c * 2147483647 + 974711) & 0xFFFFFFFF
    h = ((h ^ (h >> 13)) * 1274126177) & 0xFFFFFFFF
    h = ((h ^ (h >> 16)) * 2246822519) & 0xFFFFFFFF
    return ((h ^ (h >> 15)) & 0xFFFFFF) / 16777216.0


@njit(cache=True, fastmath=True, error_model="numpy")
def _nearest(grid: NDArray[np.int16], ox: float, oy: float, x: float, y: float) -> int:
    i = int((x - ox) * GRID)
    j = int((y - oy) * GRID)
    if i < 0 or j < 0 or j >= grid.shape[0] or i >= grid.shape[1]:
        return -1
    return int(grid[j, i, 0])


@njit(cache=True, fastmath=True, error_model="numpy")
def _place(grid: NDArray[np.int16], ox: float, oy: float, x: float, y: float) -> int:
    i = int((x - ox) * GRID)
    j = int((y - oy) * GRID)
    if i < 0 or j < 0 or j >= grid.shape[0] or i >= grid.shape[1]:
        return TABLE
    return int(grid[j, i, 1])


@njit(cache=True, fastmath=True, error_model="numpy")
def _pit_radius(pits: F64, k: int, x: float, y: float) -> float:
    """Distance from a pit's centre, 1 on its rim."""
    u = abs(x - pits[k, PIT_X]) / pits[k, PIT_RX]
    v = abs(y - pits[k, PIT_Y]) / pits[k, PIT_RY]
    e = pits[k, PIT_SQUARE]
    if e <= 2.01:
        return math.sqrt(u * u + v * v)
    return (u**e + v**e) ** (1.0 / e)


@njit(cache=True, fastmath=True, error_model="numpy")
def _outline(field: NDArray[np.float32], ox: float, oy: float, x: float, y: float) -> float:
    """Roughly the distance to the board's outline, negative inside: read off a map, since its formula is slow."""
    u = (x - ox) * GRID - 0.5
    v = (y - oy) * GRID - 0.5
    i = int(u)
    j = int(v)
    if u < 0.0 or v < 0.0 or j >= field.shape[0] - 1 or i >= field.shape[1] - 1:
        return 1.0
    fu = u - i
    fv = v - j
    return float((field[j, i] * (1.0 - fu) + field[j, i + 1] * fu) * (1.0 - fv)
                 + (field[j + 1, i] * (1.0 - fu) + field[j + 1, i + 1] * fu) * fv)


@njit(cache=True, fastmath=True, error_model="numpy")
def _power(r: float, p: float) -> float:
    """r to one of the bowls' powers 2, 3, 4, 6; a general power costs the tracer half its speed."""
    if p < 2.5:
        return r * r
    if p < 3.5:
        return r * r * r
    q = r * r
    return q * q if p < 5.0 else q * q * q


@njit(cache=True, fastmath=True, error_model="numpy")
def _height(x: float, y: float, pits: F64, grid: NDArray[np.int16], field: NDArray[np.float32], ox: float, oy: float, board: F64) -> float:
    place = _place(grid, ox, oy, x, y)
    if place == TABLE:
        return float(-board[5])
    z = 0.0
    if place == FLAT:
        return z
    if place == ANY:
        s = _outline(field, ox, oy, x, y)
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
    k = _nearest(grid, ox, oy, x, y)
    if k >= 0:
        r = _pit_radius(pits, k, x, y)
        if r < 1.0:
            z -= pits[k, PIT_DEPTH] * (1.0 - _power(r, pits[k, PIT_POWER]))
        lip = pits[k, PIT_LIP]
        if lip > 0.0 and r < 1.3:
            t = (r - 1.06) / 0.06
            z += lip * math.exp(-t * t)
    return z


@njit(cache=True, fastmath=True, error_model="numpy")
def _sample(tex: NDArray[np.float32], u: float, v: float, out: F64) -> None:
    """Bilinear sample of a texture that repeats, u and v in its widths."""
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
def _hit_part(parts: F64, e: int, o: F64, d: F64) -> float:
    """Distance along the ray to an ellipsoid, or a huge number."""
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
    a = bx * bx + by * by + bz * bz
    b = ax * bx + ay * by + az * bz
    c = ax * ax + ay * ay + az * az - 1.0
    disc = b * b - a * c
    if disc <= 0.0:
        return 1e9
    t = (-b - math.sqrt(disc)) / a
    return t if t > 1e-4 else 1e9


@njit(cache=True, fastmath=True, error_model="numpy")
def _hit_limb(limbs: F64, e: int, o: F64, d: F64) -> float:
    """Distance along the ray to a capsule of one mean radius (Quilez' form), or a huge number."""
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
def _hit_ground(o: F64, d: F64, pits: F64, grid: NDArray[np.int16], field: NDArray[np.float32], ox: float, oy: float, board: F64) -> float:
    """Distance along the ray to the height field. Steps down in z, then bisects."""
    t0 = (0.06 - o[2]) / d[2]
    th = -o[2] / d[2]
    place = _place(grid, ox, oy, o[0] + th * d[0], o[1] + th * d[1])
    if place == FLAT:
        return th
    t1 = (-board[5] - 0.001 - o[2]) / d[2]
    if place == TABLE:
        return t1
    steps = 22
    if place == INSIDE and board[9] < 0.5:
        k = _nearest(grid, ox, oy, o[0] + th * d[0], o[1] + th * d[1])
        if k >= 0:
            t1 = (-pits[k, PIT_DEPTH] - 0.001 - o[2]) / d[2]
            steps = 12
    dt = (t1 - t0) / steps
    lo = t0
    t = t0
    for _ in range(steps + 1):
        if o[2] + t * d[2] < _height(o[0] + t * d[0], o[1] + t * d[1], pits, grid, field, ox, oy, board):
            hi = t
            for _ in range(7):
                m = 0.5 * (lo + hi)
                if o[2] + m * d[2] < _height(o[0] + m * d[0], o[1] + m * d[1], pits, grid, field, ox, oy, board):
                    hi = m
                else:
                    lo = m
            return 0.5 * (lo + hi)
        lo = t
        t += dt
    return t1


@njit(cache=True, fastmath=True, error_model="numpy")
def _lit(p: F64, l: F64, skip: int, pit: int, pits: F64, parts: F64, looks: F64, limbs: F64,
         grid: NDArray[np.int16], field: NDArray[np.float32], ox: float, oy: float, board: F64, march: bool) -> float:
    """Share of the lamp's light that reaches a point (glass lets some through)."""
    for e in range(limbs.shape[0]):
        if _hit_limb(limbs, e, p, l) < 1e8:
            return 0.0
    light = 1.0
    if pit >= 0:
        first = int(pits[pit, PIT_FIRST])
        for e in range(first, first + int(pits[pit, PIT_SEEDS])):
            if e != skip and _hit_part(parts, e, p, l) < 1e8:
                light *= 0.55 * looks[int(parts[e, 12]), LOOK_GLASS]
                if light < 0.02:
                    return 0.0
    if march and l[2] > 0.05:
        reach = (0.05 - p[2]) / l[2]
        for i in range(1, 9):
            t = reach * i / 8.0
            if p[2] + t * l[2] < _height(p[0] + t * l[0], p[1] + t * l[1], pits, grid, field, ox, oy, board) - 0.004:
                return 0.0
    return light


@njit(cache=True, fastmath=True, error_model="numpy")
def _sky(x: float, y: float, z: float, l: F64, sky: F64, c: int) -> float:
    """What a mirror sees in a direction: a room that is brighter above, with a window round the lamp."""
    up = 0.5 + 0.5 * z
    s = sky[c] * (0.25 + 0.75 * up * up)
    a = x * l[0] + y * l[1] + z * l[2]
    if a > 0.93:
        s += 2.2 * (a - 0.93) / 0.07
    return float(s)


@njit(cache=True, fastmath=True, error_model="numpy")
def _shade_seed(e: int, p: F64, d: F64, l: F64, lit: float, parts: F64, looks: F64, light: F64, floor: F64,
                ao: float, out: F64) -> None:
    qx, qy, qz = p[0] - parts[e, 0], p[1] - parts[e, 1], p[2] - parts[e, 2]
    ux = parts[e, 3] * qx + parts[e, 4] * qy + parts[e, 5] * qz
    uy = parts[e, 6] * qx + parts[e, 7] * qy + parts[e, 8] * qz
    uz = parts[e, 9] * qx + parts[e, 10] * qy + parts[e, 11] * qz
    nx = parts[e, 3] * ux + parts[e, 6] * uy + parts[e, 9] * uz
    ny = parts[e, 4] * ux + parts[e, 7] * uy + parts[e, 10] * uz
    nz = parts[e, 5] * ux + parts[e, 8] * uy + parts[e, 11] * uz
    m = int(parts[e, 12])
    bump = looks[m, LOOK_BUMP]
    if bump > 0.0:
        f = 4.0
        nx += bump * math.sin(f * ux * 2.1 + 3.0 * uy + m) * abs(nx + 0.3) * 3.0
        ny += bump * math.sin(f * uy * 1.7 + 2.0 * uz + 2.0 * m) * abs(ny + 0.3) * 3.0
    n = 1.0 / math.sqrt(nx * nx + ny * ny + nz * nz + 1e-12)
    nx *= n
    ny *= n
    nz *= n
    # Which of the two colours: 0 plain, 1 swirl, 2 speckles, 3 two halves, 4 bands.
    kind = int(looks[m, LOOK_PATTERN])
    s = looks[m, LOOK_SCALE]
    mix = 0.0
    if kind == 1:
        mix = 0.5 + 0.5 * math.sin(s * (ux + 0.6 * math.sin(2.3 * uy + m)) + 2.0 * uz)
        mix = min(1.0, max(0.0, 2.5 * mix - 1.2))
    elif kind == 2:
        mix = 1.0 if _hash(int(40 + ux * s), int(40 + uy * s), int(40 + uz * s) + m) > 0.75 else 0.0
    elif kind == 3:
        mix = 1.0 if ux + 0.2 * math.sin(3.0 * uy) > 0.2 else 0.0
    elif kind == 4:
        mix = 0.5 + 0.5 * math.sin(s * uz * 3.0 + math.sin(3.0 * ux))
    slit = looks[m, LOOK_SLIT]
    dark = 1.0
    if slit > 0.0 and uz > 0.0 and abs(ux) < 0.85:
        w = 0.10 + 0.03 * math.sin(24.0 * ux)
        if abs(uy) < w:
            dark = 1.0 - slit
        elif abs(uy) < 3.0 * w and slit > 0.6:
            dark = 1.0 - 0.35 * slit * (0.5 + 0.5 * math.sin(30.0 * ux))
    nl = max(0.0, nx * l[0] + ny * l[1] + nz * l[2])
    nv = max(0.0, -(nx * d[0] + ny * d[1] + nz * d[2]))
    rx, ry, rz = d[0] + 2.0 * nv * nx, d[1] + 2.0 * nv * ny, d[2] + 2.0 * nv * nz
    rl = max(0.0, rx * l[0] + ry * l[1] + rz * l[2])
    fresnel = 0.04 + 0.96 * (1.0 - nv) ** 5
    gloss = looks[m, LOOK_GLOSS]
    shine = looks[m, LOOK_SHINE]
    spec = gloss * lit * rl**shine * (shine + 8.0) / 30.0
    glass = looks[m, LOOK_GLASS]
    metal = looks[m, LOOK_METAL]
    # Light gathers on a glass bead's far side from the lamp.
    glow = max(0.0, -(nx * l[0] + ny * l[1]) * 0.9 + 0.25 * nz)
    for c in range(3):
        base = (looks[m, c] * (1.0 - mix) + looks[m, 3 + c] * mix) * dark
        amb = light[7 + c] * (0.55 + 0.45 * nz) * ao + light[10 + c] * (0.5 - 0.5 * nz) * ao
        diffuse = base * (nl * lit * light[3 + c] + amb)
        through = floor[c] * (0.35 + 0.65 * base) + base * light[3 + c] * (0.25 + 1.1 * glow * glow) * (0.35 + 0.65 * lit) * 0.8
        through *= 0.35 + 0.65 * nv
        body = diffuse * (1.0 - glass) + through * base * glass
        mirror = _sky(rx, ry, rz, l, light[7:10], c)
        refl = fresnel * gloss * (0.4 + 0.6 * ao)
        if metal > 0.0:
            body = body * (1.0 - metal) + metal * base * mirror * 1.3 * (0.4 + 0.6 * ao)
        out[c] = body * (1.0 - 0.5 * refl) + mirror * refl + spec * light[3 + c]


@njit(cache=True, fastmath=True, error_model="numpy")
def _occlusion(p: F64, nx: float, ny: float, nz: float, skip: int, pit: int, pits: F64, parts: F64) -> float:
    """Ambient light left by a pit's seeds: spheres' form factors, multiplied."""
    left = 1.0
    if pit < 0:
        return left
    first = int(pits[pit, PIT_FIRST])
    for e in range(first, first + int(pits[pit, PIT_SEEDS])):
        if e == skip:
            continue
        dx, dy, dz = parts[e, 0] - p[0], parts[e, 1] - p[1], parts[e, 2] - p[2]
        d2 = dx * dx + dy * dy + dz * dz + 1e-9
        r2 = parts[e, 14]
        if d2 > 16.0 * r2:
            continue
        cos = (nx * dx + ny * dy + nz * dz) / math.sqrt(d2)
        if cos > -0.2:
            left *= 1.0 - min(0.8, 0.7 * (cos * 0.8 + 0.2) * r2 / max(d2, r2))
    return left


@njit(cache=True, fastmath=True, error_model="numpy")
def _seed_colour(e: int, pit: int, p: F64, d: F64, l: F64, pits: F64, parts: F64, looks: F64, limbs: F64,
                 grid: NDArray[np.int16], field: NDArray[np.float32], ox: float, oy: float, board: F64, light: F64, floor: F64, out: F64) -> None:
    """Light from a seed's surface at p, which is moved off it a little."""
    sx, sy, sz = p[0] - parts[e, 0], p[1] - parts[e, 1], p[2] - parts[e, 2]
    n = 1.0 / math.sqrt(sx * sx + sy * sy + sz * sz + 1e-12)
    sx *= n
    sy *= n
    sz *= n
    ao = _occlusion(p, sx, sy, sz, e, pit, pits, parts)
    ao *= 1.0 - 0.35 * min(1.0, max(0.0, -p[2] / max(0.05, pits[pit, PIT_DEPTH])))
    p[0] += 0.004 * sx
    p[1] += 0.004 * sy
    p[2] += 0.004 * sz
    lit = _lit(p, l, e, pit, pits, parts, looks, limbs, grid, field, ox, oy, board, p[2] < 0.0)
    _shade_seed(e, p, d, l, lit, parts, looks, light, floor, ao, out)


@njit(cache=True, fastmath=True, error_model="numpy", nogil=True)
def trace(out: NDArray[np.float32], cover: NDArray[np.float32], affine: F64, camera: F64, pits: F64, parts: F64,
          looks: F64, limbs: F64, grid: NDArray[np.int16], field: NDArray[np.float32], ox: float, oy: float, board: F64, light: F64,
          wood: NDArray[np.float32], bowl: NDArray[np.float32], table: NDArray[np.float32], samples: int, seed: int) -> None:
    """Fill `out` float32[h, w, 3] (linear RGB) and `cover` float32[h, w] (share of the pixel behind a limb).

    affine float64[2, 3] takes a pixel of `out` to a pixel of the camera's picture, so that a crop is traced in its own
    resolution. `samples` rays a side and pixel (2 means four rays). wood, bowl, table: textures float32[s, s, 3].
    """
    v = np.empty((7, 3))
    _trace(_borrow(out), _borrow(cover),
           _borrow(affine), _borrow(camera),
           _borrow(pits), _borrow(parts),
           _borrow(looks), _borrow(limbs),
           _borrow(grid), _borrow(field), ox, oy,
           _borrow(board), _borrow(light),
           _borrow(wood), _borrow(bowl),
           _borrow(table), samples, seed, _borrow(v))
    v[0, 0] = 0.0  # keeps the scratch space alive until here


@njit(cache=True, fastmath=True, error_model="numpy")
def _trace(out: NDArray[np.float32], cover: NDArray[np.float32], affine: F64, camera: F64, pits: F64, parts: F64,
           looks: F64, limbs: F64, grid: NDArray[np.int16], field: NDArray[np.float32], ox: float, oy: float, board: F64, light: F64,
           wood: NDArray[np.float32], bowl: NDArray[np.float32], table: NDArray[np.float32], samples: int, seed: int, v3: F64) -> None:
    o, d, p, l, rgb, tex, floor = v3[0], v3[1], v3[2], v3[3], v3[4], v3[5], v3[6]
    for j in range(out.shape[0]):
        for i in range(out.shape[1]):
            acc0 = acc1 = acc2 = hidden = 0.0
            for s in range(samples * samples):
                r1 = _hash(i, j, 7 * s + seed)
                r2 = _hash(i, j, 7 * s + 3 + seed)
                u = i + ((s % samples) + r1) / samples - 0.5
                v = j + ((s // samples) + r2) / samples - 0.5
                x = affine[0, 0] * u + affine[0, 1] * v + affine[0, 2] - camera[13]
                y = affine[1, 0] * u + affine[1, 1] * v + affine[1, 2] - camera[14]
                x /= camera[12]
                y /= camera[12]
                k1 = 1.0 - camera[15] * (x * x + y * y)
                x *= k1
                y *= k1
                for c in range(3):
                    o[c] = camera[c]
                    d[c] = camera[3 + c] * x + camera[6 + c] * y + camera[9 + c]
                n = 1.0 / math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])
                for c in range(3):
                    d[c] *= n
                if d[2] > -0.05:
                    d[2] = -0.05
                a1 = 6.2832 * _hash(j, i, 11 * s + seed)
                a2 = light[6] * math.sqrt(_hash(i + 31, j, 13 * s + seed))
                l[0] = light[0] + a2 * math.cos(a1)
                l[1] = light[1] + a2 * math.sin(a1)
                l[2] = light[2]
                n = 1.0 / math.sqrt(l[0] * l[0] + l[1] * l[1] + l[2] * l[2])
                for c in range(3):
                    l[c] *= n
                t = _hit_ground(o, d, pits, grid, field, ox, oy, board)
                gx, gy = o[0] + t * d[0], o[1] + t * d[1]
                # Seeds belong to the pit that the ray meets at half height of a heap.
                th = -o[2] / d[2]
                pit = _nearest(grid, ox, oy, o[0] + th * d[0], o[1] + th * d[1])
                seed_hit = -1
                ts = t
                if pit >= 0:
                    first = int(pits[pit, PIT_FIRST])
                    for e in range(first, first + int(pits[pit, PIT_SEEDS])):
                        te = _hit_part(parts, e, o, d)
                        if te < ts:
                            ts = te
                            seed_hit = e
                limb_hit = -1
                for e in range(limbs.shape[0]):
                    te = _hit_limb(limbs, e, o, d)
                    if te < ts:
                        ts = te
                        limb_hit = e
                        seed_hit = -1
                if limb_hit >= 0:
                    hidden += 1.0
                    for c in range(3):
                        p[c] = o[c] + ts * d[c]
                    _shade_limb(limb_hit, p, d, l, limbs, light, rgb)
                    acc0 += rgb[0]
                    acc1 += rgb[1]
                    acc2 += rgb[2]
                    continue
                # The ground's colour is needed under glass, too.
                if seed_hit >= 0 and looks[int(parts[seed_hit, 12]), LOOK_GLASS] < 0.01:
                    for c in range(3):
                        p[c] = o[c] + ts * d[c]
                        floor[c] = 0.0
                    _seed_colour(seed_hit, pit, p, d, l, pits, parts, looks, limbs, grid, field, ox, oy, board, light, floor, rgb)
                    acc0 += rgb[0]
                    acc1 += rgb[1]
                    acc2 += rgb[2]
                    continue
                p[0], p[1] = gx, gy
                p[2] = _height(gx, gy, pits, grid, field, ox, oy, board)
                h = 0.01
                place = _place(grid, ox, oy, gx, gy)
                nx = ny = 0.0
                if place == ANY or place == INSIDE:
                    nx = -(_height(gx + h, gy, pits, grid, field, ox, oy, board) - _height(gx - h, gy, pits, grid, field, ox, oy, board)) / (2 * h)
                    ny = -(_height(gx, gy + h, pits, grid, field, ox, oy, board) - _height(gx, gy - h, pits, grid, field, ox, oy, board)) / (2 * h)
                nx = min(4.0, max(-4.0, nx))
                ny = min(4.0, max(-4.0, ny))
                outside = place == TABLE or (place == ANY and _outline(field, ox, oy, gx, gy) > 0.0)
                inside = 0.0
                kg = _nearest(grid, ox, oy, gx, gy)
                rad = 9.0
                if kg >= 0:
                    rad = _pit_radius(pits, kg, gx, gy)
                    if rad < 1.0:
                        inside = 1.0
                if outside:
                    _sample(table, gx * board[11], gy * board[11], tex)
                elif inside > 0.0:
                    _sample(bowl, gx * board[10] + 0.31 * kg, gy * board[10] + 0.17 * kg + p[2] * 0.3, tex)
                else:
                    _sample(wood, gx * board[10], gy * board[10] + p[2] * 0.5, tex)
                lum = (tex[0] + tex[1] + tex[2]) / 3.0
                nz = 1.0
                grain = board[14] * (lum - 0.4)
                nx += grain * 0.6
                n = 1.0 / math.sqrt(nx * nx + ny * ny + nz * nz)
                nx *= n
                ny *= n
                nz *= n
                ao = _occlusion(p, nx, ny, nz, -1, kg if inside > 0.0 else -1, pits, parts)
                if inside > 0.0:
                    deep = min(1.0, -p[2] / max(0.05, pits[kg, PIT_DEPTH]))
                    ao *= 1.0 - 0.45 * deep * min(1.0, pits[kg, PIT_DEPTH] / 0.35)
                elif outside and place == ANY:
                    ao *= 1.0 - 0.6 * math.exp(-_outline(field, ox, oy, gx, gy) / 0.12)
                p[2] += 0.003
                lit = _lit(p, l, -1, kg, pits, parts, looks, limbs, grid, field, ox, oy, board, inside > 0.0 or (outside and place == ANY))
                nl = max(0.0, nx * l[0] + ny * l[1] + nz * l[2])
                nv = -(nx * d[0] + ny * d[1] + nz * d[2])
                rl = max(0.0, (d[0] + 2 * nv * nx) * l[0] + (d[1] + 2 * nv * ny) * l[1] + (d[2] + 2 * nv * nz) * l[2])
                gloss = 0.03 if outside else board[13]
                for c in range(3):
                    floor[c] = tex[c] * (nl * lit * light[3 + c] + light[7 + c] * (0.55 + 0.45 * nz) * ao)
                    floor[c] += gloss * (lit * rl**24 * 1.3 * light[3 + c] + 0.10 * light[7 + c])
                    if 0.97 < rad < 1.05 and not outside:
                        floor[c] *= 1.0 - board[15]
                if seed_hit >= 0:
                    for c in range(3):
                        p[c] = o[c] + ts * d[c]
                    _seed_colour(seed_hit, pit, p, d, l, pits, parts, looks, limbs, grid, field, ox, oy, board, light, floor, rgb)
                    acc0 += rgb[0]
                    acc1 += rgb[1]
                    acc2 += rgb[2]
                else:
                    acc0 += floor[0]
                    acc1 += floor[1]
                    acc2 += floor[2]
            n = 1.0 / (samples * samples)
            out[j, i, 0] = acc0 * n
            out[j, i, 1] = acc1 * n
            out[j, i, 2] = acc2 * n
            cover[j, i] = hidden * n


@njit(cache=True, fastmath=True, error_model="numpy")
def _shade_limb(e: int, p: F64, d: F64, l: F64, limbs: F64, light: F64, out: F64) -> None:
    bx, by, bz = limbs[e, 3] - limbs[e, 0], limbs[e, 4] - limbs[e, 1], limbs[e, 5] - limbs[e, 2]
    px, py, pz = p[0] - limbs[e, 0], p[1] - limbs[e, 1], p[2] - limbs[e, 2]
    bb = bx * bx + by * by + bz * bz + 1e-12
    t = min(1.0, max(0.0, (px * bx + py * by + pz * bz) / bb))
    nx, ny, nz = px - t * bx, py - t * by, pz - t * bz
    n = 1.0 / math.sqrt(nx * nx + ny * ny + nz * nz + 1e-12)
    nx *= n
    ny *= n
    nz *= n
    lit = 1.0
    sx, sy, sz = p[0] + 0.01 * nx, p[1] + 0.01 * ny, p[2] + 0.01 * nz
    out[0], out[1], out[2] = sx, sy, sz
    for k in range(limbs.shape[0]):
        if k != e and _hit_limb(limbs, k, out, l) < 1e8:
            lit = 0.25
            break
    nl = max(0.0, nx * l[0] + ny * l[1] + nz * l[2])
    wrap = 0.75 * nl + 0.25 * max(0.0, 0.3 + 0.7 * (nx * l[0] + ny * l[1] + nz * l[2]))
    nv = max(0.0, -(nx * d[0] + ny * d[1] + nz * d[2]))
    rl = max(0.0, (d[0] + 2 * nv * nx) * l[0] + (d[1] + 2 * nv * ny) * l[1] + (d[2] + 2 * nv * nz) * l[2])
    stripe = limbs[e, 12] > 0.0 and math.sin(limbs[e, 12] * t * math.sqrt(bb)) > 0.2
    for c in range(3):
        base = limbs[e, 13 + c] if stripe else limbs[e, 8 + c]
        amb = light[7 + c] * (0.5 + 0.5 * nz)
        out[c] = base * (wrap * lit * light[3 + c] + amb) + limbs[e, 11] * lit * rl**16 * light[3 + c]


def place_map(pits: F64, board: F64, ox: float, oy: float, width: float,
              height: float) -> tuple[NDArray[np.int16], NDArray[np.float32]]:
    """int16[h, w, 2]: for each cell of 1/GRID world unit the nearest pit (by distance in its own radii; -1 far from all) and
    the kind of place; and float32[h, w], the distance to the board's outline. ox, oy: the map's corner; width, height: world units.
    """
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
    # The outline's measure is short of the true distance along the long axis: leave a generous edge.
    inside = (outline < -board[6] - 0.15) & (np.abs(bu) < 1 - (board[6] + 2 * cell) / board[2]) & (np.abs(bv) < 1 - (board[6] + 2 * cell) / board[3])
    clear = ((r - 1.0) * np.minimum(pits[:, PIT_RX], pits[:, PIT_RY])).min(axis=-1) > 0.11 + 2 * cell
    if board[9] > 0.5:
        clear &= np.abs((gx if board[9] < 1.5 else gy) - board[7]) > board[8] + 3 * cell
    away = (outline > 0.8) | (bu > 1 + 0.8 / board[2]) | (bv > 1 + 0.8 / board[3])
    kind = np.where(inside & clear, FLAT, np.where(inside, INSIDE, np.where(away, TABLE, ANY)))
    return np.stack([near, kind], axis=-1).astype(np.int16), outline.astype(np.float32)
