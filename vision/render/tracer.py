"""A small ray tracer for tables: one lamp with soft shadows, a hemisphere of ambient light, glossy and translucent
seeds.

Light is computed in linear RGB; `scene` does exposure, white balance and the rest of the camera. The arrays' columns
are explained in `columns`.
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

F64 = NDArray[np.float64]

ALIKE = 0.02
"""Two rays agree if their light differs by no more than this share of their sum."""


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
def trace(
    out: NDArray[np.float32],
    cover: NDArray[np.float32],
    affine: F64,
    camera: F64,
    pits: F64,
    parts: F64,
    looks: F64,
    limbs: F64,
    grid: NDArray[np.int16],
    field: NDArray[np.float32],
    ox: float,
    oy: float,
    board: F64,
    light: F64,
    wood: NDArray[np.float32],
    bowl: NDArray[np.float32],
    table: NDArray[np.float32],
    samples: int,
    seed: int,
) -> None:
    """Fill `out` float32[h, w, 3] (linear RGB) and `cover` float32[h, w] (share of the pixel behind a limb).

    affine float64[2, 3] maps a pixel of `out` to a pixel of the camera's picture, so that a crop is traced in its own
    resolution. samples: rays per pixel and side (2 means four rays). wood, bowl, table: textures float32[s, s, 3].
    """
    v = np.empty((7, 3))
    _trace(
        _borrow(out),
        _borrow(cover),
        _borrow(affine),
        _borrow(camera),
        _borrow(pits),
        _borrow(parts),
        _borrow(looks),
        _borrow(limbs),
        _borrow(grid),
        _borrow(field),
        ox,
        oy,
        _borrow(board),
        _borrow(light),
        _borrow(wood),
        _borrow(bowl),
        _borrow(table),
        samples,
        seed,
        _borrow(v),
    )
    v[0, 0] = 0.0  # keeps the scratch space alive until here


@njit(cache=True, fastmath=True, error_model="numpy")
def _trace(
    out: NDArray[np.float32],
    cover: NDArray[np.float32],
    affine: F64,
    camera: F64,
    pits: F64,
    parts: F64,
    looks: F64,
    limbs: F64,
    grid: NDArray[np.int16],
    field: NDArray[np.float32],
    ox: float,
    oy: float,
    board: F64,
    light: F64,
    wood: NDArray[np.float32],
    bowl: NDArray[np.float32],
    table: NDArray[np.float32],
    samples: int,
    seed: int,
    v3: F64,
) -> None:
    o, d, p, lamp, rgb, tex, floor = v3[0], v3[1], v3[2], v3[3], v3[4], v3[5], v3[6]
    # Random numbers depend on the picture's pixels, so that a window looks the same when traced again.
    left = int(affine[0, 2])
    top = int(affine[1, 2])
    for j in range(out.shape[0]):
        for i in range(out.shape[1]):
            acc0 = acc1 = acc2 = hidden = 0.0
            taken = samples * samples
            before = -1.0
            for k in range(samples * samples):
                # The two rays on the pixel's diagonal first: where they agree, the others would add nothing.
                s = k * (samples + 1) % (samples * samples) if samples == 2 else k
                if k == 1:
                    before = acc0 + acc1 + acc2
                elif k == 2 and samples == 2:
                    other = acc0 + acc1 + acc2 - before
                    if hidden in (0.0, 2.0) and abs(other - before) < ALIKE * (other + before):
                        taken = 2
                        break
                r1 = chance(i + left, j + top, 7 * s + seed)
                r2 = chance(i + left, j + top, 7 * s + 3 + seed)
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
                a1 = 6.2832 * chance(j + top, i + left, 11 * s + seed)
                a2 = light[6] * math.sqrt(chance(i + left + 31, j + top, 13 * s + seed))
                lamp[0] = light[0] + a2 * math.cos(a1)
                lamp[1] = light[1] + a2 * math.sin(a1)
                lamp[2] = light[2]
                n = 1.0 / math.sqrt(lamp[0] * lamp[0] + lamp[1] * lamp[1] + lamp[2] * lamp[2])
                for c in range(3):
                    lamp[c] *= n
                t = hit_ground(o, d, pits, grid, field, ox, oy, board)
                gx, gy = o[0] + t * d[0], o[1] + t * d[1]
                # Seeds belong to the pit that the ray meets at half height of a heap.
                th = -o[2] / d[2]
                pit = nearest_pit(grid, ox, oy, o[0] + th * d[0], o[1] + th * d[1])
                seed_hit = -1
                ts = t
                if pit >= 0:
                    first = int(pits[pit, PIT_FIRST])
                    for e in range(first, first + int(pits[pit, PIT_SEEDS])):
                        te = hit_part(parts, e, o, d)
                        if te < ts:
                            ts = te
                            seed_hit = e
                limb_hit = -1
                for e in range(limbs.shape[0]):
                    te = hit_limb(limbs, e, o, d)
                    if te < ts:
                        ts = te
                        limb_hit = e
                        seed_hit = -1
                if limb_hit >= 0:
                    hidden += 1.0
                    for c in range(3):
                        p[c] = o[c] + ts * d[c]
                    shade_limb(limb_hit, p, d, lamp, limbs, light, rgb)
                    acc0 += rgb[0]
                    acc1 += rgb[1]
                    acc2 += rgb[2]
                    continue
                # The ground's colour is needed under glass, too.
                if seed_hit >= 0 and looks[int(parts[seed_hit, 12]), LOOK_GLASS] < 0.01:
                    for c in range(3):
                        p[c] = o[c] + ts * d[c]
                        floor[c] = 0.0
                    seed_colour(
                        seed_hit,
                        pit,
                        p,
                        d,
                        lamp,
                        pits,
                        parts,
                        looks,
                        limbs,
                        grid,
                        field,
                        ox,
                        oy,
                        board,
                        light,
                        floor,
                        rgb,
                    )
                    acc0 += rgb[0]
                    acc1 += rgb[1]
                    acc2 += rgb[2]
                    continue
                p[0], p[1] = gx, gy
                p[2] = height_at(gx, gy, pits, grid, field, ox, oy, board)
                h = 0.01
                place = place_kind(grid, ox, oy, gx, gy)
                nx = ny = 0.0
                if place in (ANY, INSIDE):
                    nx = -(
                        height_at(gx + h, gy, pits, grid, field, ox, oy, board)
                        - height_at(gx - h, gy, pits, grid, field, ox, oy, board)
                    ) / (2 * h)
                    ny = -(
                        height_at(gx, gy + h, pits, grid, field, ox, oy, board)
                        - height_at(gx, gy - h, pits, grid, field, ox, oy, board)
                    ) / (2 * h)
                nx = min(4.0, max(-4.0, nx))
                ny = min(4.0, max(-4.0, ny))
                outside = place == TABLE or (place == ANY and outline_at(field, ox, oy, gx, gy) > 0.0)
                inside = 0.0
                kg = nearest_pit(grid, ox, oy, gx, gy)
                rad = 9.0
                if kg >= 0:
                    rad = pit_radius(pits, kg, gx, gy)
                    if rad < 1.0:
                        inside = 1.0
                if outside:
                    texture_at(table, gx * board[11], gy * board[11], tex)
                elif inside > 0.0 and board[BOARD_FLOOR] > 0.5:
                    # Painted or turned by hand, so every pit's pattern is rotated differently.
                    tc, tn = math.cos(2.4 * kg), math.sin(2.4 * kg)
                    tu = FLOOR_RIM * (gx - pits[kg, PIT_X]) / pits[kg, PIT_RX]
                    tv = FLOOR_RIM * (gy - pits[kg, PIT_Y]) / pits[kg, PIT_RY]
                    texture_at(bowl, 0.5 + tc * tu - tn * tv, 0.5 + tn * tu + tc * tv, tex)
                elif inside > 0.0:
                    texture_at(bowl, gx * board[10] + 0.31 * kg, gy * board[10] + 0.17 * kg + p[2] * 0.3, tex)
                else:
                    texture_at(wood, gx * board[10], gy * board[10] + p[2] * 0.5, tex)
                lum = (tex[0] + tex[1] + tex[2]) / 3.0
                nz = 1.0
                grain = board[14] * (lum - 0.4)
                nx += grain * 0.6
                n = 1.0 / math.sqrt(nx * nx + ny * ny + nz * nz)
                nx *= n
                ny *= n
                nz *= n
                ao = ambient_left(p, nx, ny, nz, -1, kg if inside > 0.0 else -1, pits, parts)
                if inside > 0.0:
                    deep = min(1.0, -p[2] / max(0.05, pits[kg, PIT_DEPTH]))
                    ao *= 1.0 - 0.45 * deep * min(1.0, pits[kg, PIT_DEPTH] / 0.35)
                elif outside and place == ANY:
                    ao *= 1.0 - 0.6 * math.exp(-outline_at(field, ox, oy, gx, gy) / 0.12)
                p[2] += 0.003
                lit = lamp_share(
                    p,
                    lamp,
                    -1,
                    kg,
                    pits,
                    parts,
                    looks,
                    limbs,
                    grid,
                    field,
                    ox,
                    oy,
                    board,
                    inside > 0.0 or (outside and place == ANY),
                )
                nl = max(0.0, nx * lamp[0] + ny * lamp[1] + nz * lamp[2])
                nv = -(nx * d[0] + ny * d[1] + nz * d[2])
                rl = max(
                    0.0,
                    (d[0] + 2 * nv * nx) * lamp[0] + (d[1] + 2 * nv * ny) * lamp[1] + (d[2] + 2 * nv * nz) * lamp[2],
                )
                gloss = 0.03 if outside else board[13]
                varnish = 0.0 if outside else board[16]
                rx = ry = rz = sharp = 0.0
                if varnish > 0.0:
                    rx, ry, rz = d[0] + 2 * nv * nx, d[1] + 2 * nv * ny, d[2] + 2 * nv * nz
                    # The lamp's own image is as large as the lamp, and the smaller the brighter.
                    towards = max(0.0, rx * light[0] + ry * light[1] + rz * light[2])
                    sharp = towards ** board[17] * (board[17] + 8.0) / 80.0
                for c in range(3):
                    floor[c] = tex[c] * (nl * lit * light[3 + c] + light[7 + c] * (0.55 + 0.45 * nz) * ao)
                    floor[c] += gloss * (lit * rl**24 * 1.3 * light[3 + c] + 0.10 * light[7 + c])
                    if varnish > 0.0:
                        mirrored = sky_light(rx, ry, rz, light, c) * ao
                        fresnel = 0.04 + 0.96 * (1.0 - max(0.0, nv)) ** 5
                        floor[c] += varnish * (fresnel * mirrored + lit * sharp * light[3 + c])
                    if 0.97 < rad < 1.05 and not outside:
                        floor[c] *= 1.0 - board[15]
                if seed_hit >= 0:
                    for c in range(3):
                        p[c] = o[c] + ts * d[c]
                    seed_colour(
                        seed_hit,
                        pit,
                        p,
                        d,
                        lamp,
                        pits,
                        parts,
                        looks,
                        limbs,
                        grid,
                        field,
                        ox,
                        oy,
                        board,
                        light,
                        floor,
                        rgb,
                    )
                    acc0 += rgb[0]
                    acc1 += rgb[1]
                    acc2 += rgb[2]
                else:
                    acc0 += floor[0]
                    acc1 += floor[1]
                    acc2 += floor[2]
            n = 1.0 / taken
            out[j, i, 0] = acc0 * n
            out[j, i, 1] = acc1 * n
            out[j, i, 2] = acc2 * n
            cover[j, i] = hidden * n
