"""A small ray tracer for tables: one lamp with soft shadows, a hemisphere of ambient light, glossy and translucent
seeds.

Light is computed in linear RGB; `scene` does exposure, white balance and the rest of the camera. The arrays' columns
are explained in `columns`. Vectors are float64[3]; functions write into the ones that the caller gives, because making
an array for each ray would take most of the time. Functions that take the whole scene are inlined: to pass its arrays
takes as long as to trace a ray.
"""

import math
from typing import Any

import numpy as np
from numba import njit
from numba.core import cgutils, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from vision.render.columns import (
    ANY,
    BOARD_FLOOR,
    FLOOR_RIM,
    INSIDE,
    LOOK_GLASS,
    PIT_DEPTH,
    PIT_FIRST,
    PIT_RX,
    PIT_RY,
    PIT_SEEDS,
    PIT_X,
    PIT_Y,
    TABLE,
    TracedScene,
)
from vision.render.shading import ambient_left, lamp_share, seed_colour, shade_limb, sky_light
from vision.render.surfaces import (
    chance,
    height_at,
    hit_ground,
    hit_limb,
    hit_part,
    nearest_pit,
    outline_at,
    pit_radius,
    place_kind,
    texture_at,
)

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

ALIKE = 0.02
"""Two rays agree if their light differs by no more than this share of their sum."""
STEEPEST = 4.0
"""Greatest slope of the ground that is shaded."""


@intrinsic
def _borrow(_context: Any, array: types.Array) -> Any:
    """Return the same array without its owner; valid while the owner lives elsewhere. numba counts references
    atomically at every call, which took nine tenths of the tracer's time; arrays without an owner are not counted."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        view = context.make_array(signature.args[0])(context, builder, arguments[0])
        view.meminfo = cgutils.get_null_value(view.meminfo.type)
        return view._getvalue()

    return array(array), codegen


@njit(cache=True, fastmath=True, error_model="numpy", nogil=True)
def trace(out: F32, cover: F32, affine: F64, camera: F64, scene: TracedScene, samples: int, seed: int) -> None:
    """Fill `out` float32[h, w, 3] (linear RGB) and `cover` float32[h, w] (share of the pixel behind a limb).

    affine float64[2, 3] maps a pixel of `out` to a pixel of the camera's picture, so that a crop is traced in its own
    resolution. samples: rays per pixel and side (2 means four rays).
    """
    scratch = np.empty((8, 3))
    borrowed = TracedScene(
        _borrow(scene.pits), _borrow(scene.grid), _borrow(scene.field), scene.ox, scene.oy, _borrow(scene.board),
        _borrow(scene.parts), _borrow(scene.looks), _borrow(scene.limbs), _borrow(scene.light), _borrow(scene.wood),
        _borrow(scene.bowl), _borrow(scene.table))
    _picture(_borrow(out), _borrow(cover), _borrow(affine), _borrow(camera), borrowed, samples, seed, _borrow(scratch))
    scratch[0, 0] = 0.0  # keeps the scratch space alive until here


@njit(cache=True, fastmath=True, error_model="numpy")
def _picture(out: F32, cover: F32, affine: F64, camera: F64, scene: TracedScene, samples: int, seed: int, v: F64
             ) -> None:
    """Trace every pixel. v: float64[8, 3], scratch space."""
    light = v[7]
    for j in range(out.shape[0]):
        for i in range(out.shape[1]):
            hidden, taken = _pixel(i, j, affine, camera, scene, samples, seed, v)
            n = 1.0 / taken
            for c in range(3):
                out[j, i, c] = light[c] * n
            cover[j, i] = hidden * n


@njit(cache=True, fastmath=True, error_model="numpy", forceinline=True)
def _pixel(i: int, j: int, affine: F64, camera: F64, scene: TracedScene, samples: int, seed: int, v: F64
           ) -> tuple[float, int]:
    """Sum up a pixel's light in v[7]; return how many of its rays met a limb, and how many were traced."""
    o, d, lamp, rgb, light = v[0], v[1], v[2], v[3], v[7]
    light[0] = light[1] = light[2] = 0.0
    hidden = 0.0
    before = -1.0
    # Random numbers depend on the picture's pixels, so that a window looks the same when traced again.
    x, y = i + int(affine[0, 2]), j + int(affine[1, 2])
    for k in range(samples * samples):
        # The two rays on the pixel's diagonal first: where they agree, the others would add nothing.
        s = k * (samples + 1) % (samples * samples) if samples == 2 else k
        if k == 1:
            before = light[0] + light[1] + light[2]
        elif k == 2 and samples == 2:
            other = light[0] + light[1] + light[2] - before
            if hidden in (0.0, 2.0) and abs(other - before) < ALIKE * (other + before):
                return hidden, 2
        _aim(i + ((s % samples) + chance(x, y, 7 * s + seed)) / samples - 0.5,
             j + ((s // samples) + chance(x, y, 7 * s + 3 + seed)) / samples - 0.5, affine, camera, o, d)
        _point_of_lamp(scene, chance(y, x, 11 * s + seed), chance(x + 31, y, 13 * s + seed), lamp)
        if _shade(scene, o, d, lamp, v, rgb):
            hidden += 1.0
        for c in range(3):
            light[c] += rgb[c]
    return hidden, samples * samples


@njit(cache=True, fastmath=True, error_model="numpy")
def _aim(u: float, v: float, affine: F64, camera: F64, o: F64, d: F64) -> None:
    """Write the origin and direction of the ray through the point (u, v) of the window into o and d."""
    x = (affine[0, 0] * u + affine[0, 1] * v + affine[0, 2] - camera[13]) / camera[12]
    y = (affine[1, 0] * u + affine[1, 1] * v + affine[1, 2] - camera[14]) / camera[12]
    bent = 1.0 - camera[15] * (x * x + y * y)
    x *= bent
    y *= bent
    for c in range(3):
        o[c] = camera[c]
        d[c] = camera[3 + c] * x + camera[6 + c] * y + camera[9 + c]
    _shorten(d)
    d[2] = min(d[2], -0.05)


@njit(cache=True, fastmath=True, error_model="numpy")
def _point_of_lamp(scene: TracedScene, r1: float, r2: float, lamp: F64) -> None:
    """Write the direction to a point of the lamp, chosen by two random numbers in 0…1, into `lamp`."""
    angle, radius = 6.2832 * r1, scene.light[6] * math.sqrt(r2)
    lamp[0] = scene.light[0] + radius * math.cos(angle)
    lamp[1] = scene.light[1] + radius * math.sin(angle)
    lamp[2] = scene.light[2]
    _shorten(lamp)


@njit(cache=True, fastmath=True, error_model="numpy")
def _shorten(d: F64) -> None:
    """Give a vector length 1."""
    n = 1.0 / math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])
    for c in range(3):
        d[c] *= n


@njit(cache=True, fastmath=True, error_model="numpy")
def _go(o: F64, d: F64, t: float, p: F64) -> None:
    """Write the ray's point at distance t into p."""
    for c in range(3):
        p[c] = o[c] + t * d[c]


@njit(cache=True, fastmath=True, error_model="numpy", forceinline=True)
def _shade(scene: TracedScene, o: F64, d: F64, lamp: F64, v: F64, rgb: F64) -> bool:
    """Write the light that comes along a ray into rgb; return whether it met a limb."""
    p, floor, tex = v[4], v[5], v[6]
    pits, parts, limbs = scene.pits, scene.parts, scene.limbs
    ground = hit_ground(o, d, pits, scene.grid, scene.field, scene.ox, scene.oy, scene.board)
    # Seeds belong to the pit that the ray meets at half height of a heap.
    th = -o[2] / d[2]
    pit = nearest_pit(scene.grid, scene.ox, scene.oy, o[0] + th * d[0], o[1] + th * d[1])
    seed, t = _nearest_seed(pits, parts, pit, o, d, ground)
    limb = -1
    for e in range(limbs.shape[0]):
        te = hit_limb(limbs, e, o, d)
        if te < t:
            t = te
            limb = e
    if limb >= 0:
        _go(o, d, t, p)
        shade_limb(limb, p, d, lamp, limbs, scene.light, rgb)
        return True
    # The ground's colour is needed under glass, too.
    if seed >= 0 and scene.looks[int(parts[seed, 12]), LOOK_GLASS] < 0.01:
        floor[0] = floor[1] = floor[2] = 0.0
    else:
        _go(o, d, ground, p)
        _shade_ground(scene, p, d, lamp, tex, floor)
    if seed >= 0:
        _go(o, d, t, p)
        seed_colour(scene, seed, pit, p, d, lamp, floor, rgb)
    else:
        for c in range(3):
            rgb[c] = floor[c]
    return False


@njit(cache=True, fastmath=True, error_model="numpy")
def _nearest_seed(pits: F64, parts: F64, pit: int, o: F64, d: F64, ground: float) -> tuple[int, float]:
    """Return the row of `parts` that the ray meets first and its distance; -1 and the ground's distance if none."""
    found, t = -1, ground
    if pit >= 0:
        first = int(pits[pit, PIT_FIRST])
        for e in range(first, first + int(pits[pit, PIT_SEEDS])):
            te = hit_part(parts, e, o, d)
            if te < t:
                found, t = e, te
    return found, t


@njit(cache=True, fastmath=True, error_model="numpy", forceinline=True)
def _shade_ground(scene: TracedScene, p: F64, d: F64, lamp: F64, tex: F64, out: F64) -> None:
    """Write the light from the table, the board or a pit's floor at (p[0], p[1]) into `out`; p gets its height."""
    pits, grid, field, ox, oy, board, light = (
        scene.pits, scene.grid, scene.field, scene.ox, scene.oy, scene.board, scene.light)
    x, y = p[0], p[1]
    p[2] = height_at(x, y, pits, grid, field, ox, oy, board)
    place = place_kind(grid, ox, oy, x, y)
    outside = place == TABLE or (place == ANY and outline_at(field, ox, oy, x, y) > 0.0)
    pit = nearest_pit(grid, ox, oy, x, y)
    rad = pit_radius(pits, pit, x, y) if pit >= 0 else 9.0
    inside = rad < 1.0
    _ground_texture(scene, p, pit, inside, outside, tex)
    nx, ny = _slope(x, y, pits, grid, field, ox, oy, board) if place in (ANY, INSIDE) else (0.0, 0.0)
    grain = 0.6 * board[14] * ((tex[0] + tex[1] + tex[2]) / 3.0 - 0.4)
    nx += grain
    nz = 1.0 / math.sqrt(nx * nx + ny * ny + 1.0)
    nx *= nz
    ny *= nz
    beside = outside and place == ANY
    ao = _ambient(scene, p, nx, ny, nz, pit if inside else -1, beside)
    p[2] += 0.003
    lit = lamp_share(scene, p, lamp, -1, pit, inside or beside)
    nl = max(0.0, nx * lamp[0] + ny * lamp[1] + nz * lamp[2])
    nv = -(nx * d[0] + ny * d[1] + nz * d[2])
    rx, ry, rz = d[0] + 2 * nv * nx, d[1] + 2 * nv * ny, d[2] + 2 * nv * nz
    rl = max(0.0, rx * lamp[0] + ry * lamp[1] + rz * lamp[2])
    gloss, varnish = (0.03, 0.0) if outside else (board[13], board[16])
    # The lamp's own image is as large as the lamp, and the smaller the brighter.
    towards = max(0.0, rx * light[0] + ry * light[1] + rz * light[2])
    sharp = towards ** board[17] * (board[17] + 8.0) / 80.0 if varnish > 0.0 else 0.0
    for c in range(3):
        out[c] = tex[c] * (nl * lit * light[3 + c] + light[7 + c] * (0.55 + 0.45 * nz) * ao)
        out[c] += gloss * (lit * rl**24 * 1.3 * light[3 + c] + 0.10 * light[7 + c])
        if varnish > 0.0:
            mirrored = sky_light(rx, ry, rz, light, c) * ao
            fresnel = 0.04 + 0.96 * (1.0 - max(0.0, nv)) ** 5
            out[c] += varnish * (fresnel * mirrored + lit * sharp * light[3 + c])
        if 0.97 < rad < 1.05 and not outside:
            out[c] *= 1.0 - board[15]


@njit(cache=True, fastmath=True, error_model="numpy", forceinline=True)
def _ambient(scene: TracedScene, p: F64, nx: float, ny: float, nz: float, pit: int, beside: bool) -> float:
    """Share of the ambient light that reaches the ground at p. pit: whose floor it is, -1 for none; beside: p lies
    close beside the board."""
    left = ambient_left(p, nx, ny, nz, -1, pit, scene.pits, scene.parts)
    if pit >= 0:
        depth = scene.pits[pit, PIT_DEPTH]
        left *= 1.0 - 0.45 * min(1.0, -p[2] / max(0.05, depth)) * min(1.0, depth / 0.35)
    elif beside:
        left *= 1.0 - 0.6 * math.exp(-outline_at(scene.field, scene.ox, scene.oy, p[0], p[1]) / 0.12)
    return left


@njit(cache=True, fastmath=True, error_model="numpy")
def _slope(
    x: float, y: float, pits: F64, grid: NDArray[np.int16], field: F32, ox: float, oy: float, board: F64
) -> tuple[float, float]:
    """Return the ground's negative slopes along x and y, at most `STEEPEST`."""
    h = 0.01
    west = height_at(x - h, y, pits, grid, field, ox, oy, board)
    east = height_at(x + h, y, pits, grid, field, ox, oy, board)
    north = height_at(x, y - h, pits, grid, field, ox, oy, board)
    south = height_at(x, y + h, pits, grid, field, ox, oy, board)
    nx, ny = (west - east) / (2 * h), (north - south) / (2 * h)
    return min(STEEPEST, max(-STEEPEST, nx)), min(STEEPEST, max(-STEEPEST, ny))


@njit(cache=True, fastmath=True, error_model="numpy", forceinline=True)
def _ground_texture(scene: TracedScene, p: F64, pit: int, inside: bool, outside: bool, tex: F64) -> None:
    """Write the colour of the ground at p into tex. pit: the nearest one; inside: p lies in it; outside: p lies beside
    the board."""
    board, pits = scene.board, scene.pits
    x, y = p[0], p[1]
    if outside:
        texture_at(scene.table, x * board[11], y * board[11], tex)
    elif inside and board[BOARD_FLOOR] > 0.5:
        # Painted or turned by hand, so every pit's pattern is rotated differently.
        cos, sin = math.cos(2.4 * pit), math.sin(2.4 * pit)
        u = FLOOR_RIM * (x - pits[pit, PIT_X]) / pits[pit, PIT_RX]
        v = FLOOR_RIM * (y - pits[pit, PIT_Y]) / pits[pit, PIT_RY]
        texture_at(scene.bowl, 0.5 + cos * u - sin * v, 0.5 + sin * u + cos * v, tex)
    elif inside:
        texture_at(scene.bowl, x * board[10] + 0.31 * pit, y * board[10] + 0.17 * pit + p[2] * 0.3, tex)
    else:
        texture_at(scene.wood, x * board[10], y * board[10] + p[2] * 0.5, tex)
