"""The light that a surface sends back along a ray: lamp with shadows, ambient light, gloss, glass, skin and cloth."""

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from vision.render.columns import (
    LOOK_BUMP,
    LOOK_GLASS,
    LOOK_GLOSS,
    LOOK_METAL,
    LOOK_PATTERN,
    LOOK_SCALE,
    LOOK_SHINE,
    LOOK_SLIT,
    PART_SHAPE,
    PIT_DEPTH,
    PIT_FIRST,
    PIT_SEEDS,
    TracedScene,
)
from vision.render.surfaces import chance, height_at, hit_limb, hit_part

F64 = NDArray[np.float64]


@njit(cache=True, fastmath=True, error_model="numpy", forceinline=True)
def lamp_share(scene: TracedScene, p: F64, lamp: F64, skip: int, pit: int, march: bool) -> float:
    """Share of the lamp's light that reaches a point (glass lets some through). skip: the seed's part that the point
    lies on, -1 for none; pit: whose seeds cast shadows, -1 for none; march: the ground may cast one, too."""
    limbs, pits, parts = scene.limbs, scene.pits, scene.parts
    for e in range(limbs.shape[0]):
        if hit_limb(limbs, e, p, lamp) < 1e8:
            return 0.0
    light = _through_seeds(p, lamp, skip, pit, pits, parts, scene.looks)
    if light > 0.0 and march and lamp[2] > 0.05 and _ground_between(
            p, lamp, pits, scene.grid, scene.field, scene.ox, scene.oy, scene.board):
        return 0.0
    return light


@njit(cache=True, fastmath=True, error_model="numpy", forceinline=True)
def _through_seeds(p: F64, lamp: F64, skip: int, pit: int, pits: F64, parts: F64, looks: F64) -> float:
    """Share of the lamp's light that a pit's seeds let through to a point; arguments as for `lamp_share`."""
    light = 1.0
    if pit < 0:
        return light
    first = int(pits[pit, PIT_FIRST])
    for e in range(first, first + int(pits[pit, PIT_SEEDS])):
        if e != skip and hit_part(parts, e, p, lamp) < 1e8:
            light *= looks[int(parts[e, 12]), LOOK_GLASS] * gathered(parts, e, p, lamp)
            if light < 0.02:
                return 0.0
    return light


@njit(cache=True, fastmath=True, error_model="numpy", forceinline=True)
def _ground_between(
    p: F64, lamp: F64, pits: F64, grid: NDArray[np.int16], field: NDArray[np.float32], ox: float, oy: float, board: F64
) -> bool:
    """Whether the ground hides the lamp from a point below the board's top."""
    reach = (0.05 - p[2]) / lamp[2]
    for i in range(1, 9):
        t = reach * i / 8.0
        ground = height_at(p[0] + t * lamp[0], p[1] + t * lamp[1], pits, grid, field, ox, oy, board)
        if p[2] + t * lamp[2] < ground - 0.004:
            return True
    return False


@njit(cache=True, fastmath=True, error_model="numpy")
def gathered(parts: F64, e: int, p: F64, lamp: F64) -> float:
    """How strongly a glass seed between a point and the lamp focuses the light: bright behind its middle, dark behind
    its edge."""
    qx, qy, qz = parts[e, 0] - p[0], parts[e, 1] - p[1], parts[e, 2] - p[2]
    along = qx * lamp[0] + qy * lamp[1] + qz * lamp[2]
    off = (qx * qx + qy * qy + qz * qz - along * along) / (parts[e, 14] + 1e-12)
    inner = max(0.0, 1.0 - 1.6 * off)
    return 0.3 + 1.7 * inner * inner * inner


@njit(cache=True, fastmath=True, error_model="numpy")
def sky_light(x: float, y: float, z: float, light: F64, c: int) -> float:
    """The mirrored light from a direction: a room that is brighter above and darker on one side, the camera and its
    operator, a glow round the lamp, and a window."""
    up = 0.5 + 0.5 * z
    s = light[7 + c] * (0.25 + 0.75 * up * up)
    side = x * light[17] + y * light[18] + z * light[19]
    s *= 1.0 - light[20] * min(1.0, max(0.0, 0.5 + 2.5 * side))
    if z > 0.9:
        s *= 1.0 - light[21] * min(1.0, (z - 0.9) / 0.05)
    a = x * light[0] + y * light[1] + z * light[2]
    if a > 0.93:
        s += 2.2 * (a - 0.93) / 0.07
    if light[16] > 0.0 and x * light[13] + y * light[14] + z * light[15] > 0.955:
        s += light[16]
    return float(s)


@njit(cache=True, fastmath=True, error_model="numpy")
def cored(parts: F64, e: int, d: F64, ux: float, uy: float, uz: float, thin: float) -> float:
    """Whether a refracted ray meets the core of a clear glass seed: 1 if so, 0 if not. The ray enters seed e in
    direction d, at the point (ux, uy, uz) of its unit sphere. thin: the core's thickness relative to the seed's."""
    tx = parts[e, 3] * d[0] + parts[e, 4] * d[1] + parts[e, 5] * d[2]
    ty = parts[e, 6] * d[0] + parts[e, 7] * d[1] + parts[e, 8] * d[2]
    tz = parts[e, 9] * d[0] + parts[e, 10] * d[1] + parts[e, 11] * d[2]
    n = 1.0 / math.sqrt(tx * tx + ty * ty + tz * tz + 1e-12)
    tx, ty, tz = tx * n, ty * n, tz * n
    cos = max(0.0, -(tx * ux + ty * uy + tz * uz))
    eta = 1.0 / 1.5
    k = eta * cos - math.sqrt(1.0 - eta * eta * (1.0 - cos * cos))
    tx, ty, tz = (eta * tx + k * ux) / 0.75, (eta * ty + k * uy) / 0.6, (eta * tz + k * uz) / thin
    x, y, z = ux / 0.75, uy / 0.6, uz / thin
    along = tx * x + ty * y + tz * z
    room = along * along - (tx * tx + ty * ty + tz * tz) * (x * x + y * y + z * z - 1.0)
    return 1.0 if room > 0.0 and along < 0.0 else 0.0


@njit(cache=True, fastmath=True, error_model="numpy")
def _surface(parts: F64, e: int, p: F64, bump: float) -> tuple[float, float, float, float, float, float, bool]:
    """Return the point p of a part as a point of its unit sphere, the surface's normal there in the world, and whether
    it lies on one of a cylinder's ends. bump: how uneven the surface is."""
    qx, qy, qz = p[0] - parts[e, 0], p[1] - parts[e, 1], p[2] - parts[e, 2]
    ux = parts[e, 3] * qx + parts[e, 4] * qy + parts[e, 5] * qz
    uy = parts[e, 6] * qx + parts[e, 7] * qy + parts[e, 8] * qz
    uz = parts[e, 9] * qx + parts[e, 10] * qy + parts[e, 11] * qz
    # The surface normal in the seed's own axes; a cylinder has ends.
    wx, wy, wz = ux, uy, uz
    face = False
    if parts[e, PART_SHAPE] > 1.5:
        face = abs(uz) > math.sqrt(ux * ux + uy * uy)
        wx, wy, wz = (0.0, 0.0, uz) if face else (ux, uy, 0.0)
    elif parts[e, PART_SHAPE] > 0.5:
        face = abs(ux) > math.sqrt(uy * uy + uz * uz)
        wx, wy, wz = (ux, 0.0, 0.0) if face else (0.0, uy, uz)
    nx = parts[e, 3] * wx + parts[e, 6] * wy + parts[e, 9] * wz
    ny = parts[e, 4] * wx + parts[e, 7] * wy + parts[e, 10] * wz
    nz = parts[e, 5] * wx + parts[e, 8] * wy + parts[e, 11] * wz
    if bump > 0.0:
        f = 4.0
        nx += bump * math.sin(f * ux * 2.1 + 3.0 * uy + parts[e, 12]) * abs(nx + 0.3) * 3.0
        ny += bump * math.sin(f * uy * 1.7 + 2.0 * uz + 2.0 * parts[e, 12]) * abs(ny + 0.3) * 3.0
    n = 1.0 / math.sqrt(nx * nx + ny * ny + nz * nz + 1e-12)
    return ux, uy, uz, nx * n, ny * n, nz * n, face


@njit(cache=True, fastmath=True, error_model="numpy")
def _colours(kind: int, s: float, m: int, ux: float, uy: float, uz: float, face: bool) -> float:
    """Share of the second colour, 0 to 1, at a point of a seed's unit sphere. kind: 0 plain, 1 swirl, 2 speckles, 3
    two halves, 4 bands; s: the pattern's scale; m: row of `looks`; face: the point lies on a cylinder's end."""
    mix = 1.0 if face else 0.0
    if kind == 1:
        mix = 0.5 + 0.5 * math.sin(s * (ux + 0.6 * math.sin(2.3 * uy + m)) + 2.0 * uz)
        mix = min(1.0, max(0.0, 2.5 * mix - 1.2))
    elif kind == 2:
        mix = 1.0 if chance(int(40 + ux * s), int(40 + uy * s), int(40 + uz * s) + m) > 0.75 else 0.0
    elif kind == 3:
        mix = 1.0 if ux + 0.2 * math.sin(3.0 * uy) > 0.2 else 0.0
    elif kind == 4:
        mix = 0.5 + 0.5 * math.sin(s * uz * 3.0 + math.sin(3.0 * ux))
    return float(mix)


@njit(cache=True, fastmath=True, error_model="numpy")
def _ribbon(parts: F64, e: int, d: F64, ux: float, uy: float, uz: float, scale: float) -> float:
    """The ribbon inside clear glass that a refracted ray meets: 0 or 1 for its colour, -1 for none. It is sampled half
    a radius behind the surface."""
    tx = parts[e, 3] * d[0] + parts[e, 4] * d[1] + parts[e, 5] * d[2]
    ty = parts[e, 6] * d[0] + parts[e, 7] * d[1] + parts[e, 8] * d[2]
    tz = parts[e, 9] * d[0] + parts[e, 10] * d[1] + parts[e, 11] * d[2]
    k = 0.55 / math.sqrt(tx * tx + ty * ty + tz * tz + 1e-12)
    ix, iy, iz = 0.75 * ux + k * tx, 0.75 * uy + k * ty, 0.75 * uz + k * tz
    m = parts[e, 12]
    if 1.0 - ix * ix <= 0.2:
        return -1.0
    if abs(iy - 0.35 * math.sin(2.6 * ix + 1.7 * m)) < 0.10 + 0.06 * scale / 9.0:
        return 0.0
    return 1.0 if abs(iz - 0.3 * math.sin(2.2 * ix + 2.9 * m + 1.0)) < 0.14 else -1.0


@njit(cache=True, fastmath=True, error_model="numpy")
def _slit_shade(slit: float, ux: float, uy: float, uz: float) -> float:
    """Factor on the colour, 0 to 1, from a shell's slit at a point of its unit sphere. slit: how dark it is."""
    if slit > 0.0 and uz > 0.0 and abs(ux) < 0.85:
        w = 0.10 + 0.03 * math.sin(24.0 * ux)
        if abs(uy) < w:
            return 1.0 - slit
        if abs(uy) < 3.0 * w and slit > 0.6:
            return 1.0 - 0.35 * slit * (0.5 + 0.5 * math.sin(30.0 * ux))
    return 1.0


@njit(cache=True, fastmath=True, error_model="numpy")
def shade_seed(
    e: int, p: F64, d: F64, lamp: F64, lit: float, parts: F64, looks: F64, light: F64, floor: F64, ao: float, out: F64
) -> None:
    """Write the light that a seed's surface sends back along a ray into `out`, float64[3], linear RGB.

    e: row of `parts`; p, d: float64[3], the point and the ray's direction; lamp: float64[3], the direction to the lamp;
    lit: share of the lamp's light that arrives, 0 to 1; floor: float64[3], the light from below; ao: share of the sky's
    light that arrives, 0 to 1. The other arrays are explained in `columns`.
    """
    m = int(parts[e, 12])
    ux, uy, uz, nx, ny, nz, face = _surface(parts, e, p, looks[m, LOOK_BUMP])
    kind, scale, glass, clear = int(looks[m, LOOK_PATTERN]), looks[m, LOOK_SCALE], looks[m, LOOK_GLASS], 0.0
    mix = _colours(kind, scale, m, ux, uy, uz, face)
    if kind == 5:  # ribbons inside clear glass
        ribbon = _ribbon(parts, e, d, ux, uy, uz, scale)
        clear = 1.0 if ribbon < 0.0 else 0.0
        mix = mix if ribbon < 0.0 else ribbon
        glass = 0.95 if clear > 0.0 else 0.25
    elif kind == 6:  # a flat core inside clear glass
        clear = 1.0 - cored(parts, e, d, ux, uy, uz, 0.08 + 0.025 * scale)
        glass = 0.95 if clear > 0.0 else 0.2
    dark = _slit_shade(looks[m, LOOK_SLIT], ux, uy, uz)
    nl = max(0.0, nx * lamp[0] + ny * lamp[1] + nz * lamp[2])
    nv = max(0.0, -(nx * d[0] + ny * d[1] + nz * d[2]))
    rx, ry, rz = d[0] + 2.0 * nv * nx, d[1] + 2.0 * nv * ny, d[2] + 2.0 * nv * nz
    # Highlights mirror the whole lamp, not the single point of it that this ray's shadow tests.
    rl = max(0.0, rx * light[0] + ry * light[1] + rz * light[2])
    fresnel = 0.04 + 0.96 * (1.0 - nv) ** 5
    gloss = looks[m, LOOK_GLOSS]
    shine = looks[m, LOOK_SHINE]
    spec = gloss * lit * rl**shine * (shine + 8.0) / 30.0
    metal = looks[m, LOOK_METAL]
    limpid = min(1.0, max(0.0, 3.0 * glass - 1.6))
    # Light gathers on the side of a glass bead that is away from the lamp.
    glow = max(0.0, -(nx * lamp[0] + ny * lamp[1]) * 0.9 + 0.25 * nz)
    for c in range(3):
        base = (looks[m, c] * (1.0 - mix) + looks[m, 3 + c] * mix) * dark
        base = base * (1.0 - clear) + clear * (0.72 + 0.1 * looks[m, c])
        amb = light[7 + c] * (0.55 + 0.45 * nz) * ao + light[10 + c] * (0.5 - 0.5 * nz) * ao
        diffuse = base * (nl * lit * light[3 + c] + amb)
        through = (
            floor[c] * (0.35 + 0.65 * base)
            + base * light[3 + c] * (0.25 + 1.1 * glow * glow) * (0.35 + 0.65 * lit) * 0.8
        )
        through *= 0.35 + 0.65 * nv
        if limpid > 0.0:
            # Clear glass shows the floor through its middle, absorbs light with the length of the path, is dark where
            # the rim bends rays away, and gathers the lamp's light in a crescent on the far side.
            way = base ** (0.4 + 1.2 * nv)
            clear_light = floor[c] * way * (0.25 + 0.9 * nv * nv) * 1.2
            clear_light += way * light[3 + c] * (0.35 + 0.65 * lit) * (0.06 + 2.6 * glow**4 * min(1.0, 2.0 * nv))
            through += limpid * (clear_light - through)
        body = diffuse * (1.0 - glass) + through * base * glass
        mirror = sky_light(rx, ry, rz, light, c)
        refl = fresnel * gloss * (0.4 + 0.6 * ao)
        if metal > 0.0:
            below = min(1.0, max(0.0, -3.0 * rz))  # rays that go down meet the bowl, not the room
            seen = mirror * (1.0 - below) + 0.8 * floor[c] * below
            body = body * (1.0 - metal) + metal * base * seen * 1.5 * (0.4 + 0.6 * ao)
        out[c] = body * (1.0 - 0.5 * refl) + mirror * refl + spec * light[3 + c]


@njit(cache=True, fastmath=True, error_model="numpy")
def ambient_left(p: F64, nx: float, ny: float, nz: float, skip: int, pit: int, pits: F64, parts: F64) -> float:
    """Share of the ambient light that a pit's seeds leave: the product of the spheres' form factors."""
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


@njit(cache=True, fastmath=True, error_model="numpy", forceinline=True)
def seed_colour(scene: TracedScene, e: int, pit: int, p: F64, d: F64, lamp: F64, floor: F64, out: F64) -> None:
    """Write the light from the surface of a seed's part e, at p, into `out`; p is moved off the surface a little.
    Arguments as for `shade_seed`; pit: the seed's."""
    pits, parts = scene.pits, scene.parts
    sx, sy, sz = p[0] - parts[e, 0], p[1] - parts[e, 1], p[2] - parts[e, 2]
    n = 1.0 / math.sqrt(sx * sx + sy * sy + sz * sz + 1e-12)
    sx *= n
    sy *= n
    sz *= n
    ao = ambient_left(p, sx, sy, sz, e, pit, pits, parts)
    ao *= 1.0 - 0.35 * min(1.0, max(0.0, -p[2] / max(0.05, pits[pit, PIT_DEPTH])))
    p[0] += 0.004 * sx
    p[1] += 0.004 * sy
    p[2] += 0.004 * sz
    lit = lamp_share(scene, p, lamp, e, pit, p[2] < 0.0)
    shade_seed(e, p, d, lamp, lit, parts, scene.looks, scene.light, floor, ao, out)


@njit(cache=True, fastmath=True, error_model="numpy")
def shade_limb(e: int, p: F64, d: F64, lamp: F64, limbs: F64, light: F64, out: F64) -> None:
    """Write the light that a limb's surface sends back along a ray into `out`, float64[3], linear RGB. e: row of
    `limbs`; other arguments as for `shade_seed`."""
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
        if k != e and hit_limb(limbs, k, out, lamp) < 1e8:
            lit = 0.25
            break
    nl = max(0.0, nx * lamp[0] + ny * lamp[1] + nz * lamp[2])
    wrap = 0.75 * nl + 0.25 * max(0.0, 0.3 + 0.7 * (nx * lamp[0] + ny * lamp[1] + nz * lamp[2]))
    nv = max(0.0, -(nx * d[0] + ny * d[1] + nz * d[2]))
    rl = max(0.0, (d[0] + 2 * nv * nx) * lamp[0] + (d[1] + 2 * nv * ny) * lamp[1] + (d[2] + 2 * nv * nz) * lamp[2])
    stripe = limbs[e, 12] > 0.0 and math.sin(limbs[e, 12] * t * math.sqrt(bb)) > 0.2
    for c in range(3):
        base = limbs[e, 13 + c] if stripe else limbs[e, 8 + c]
        amb = light[7 + c] * (0.5 + 0.5 * nz)
        out[c] = base * (wrap * lit * light[3 + c] + amb) + limbs[e, 11] * lit * rl**16 * light[3 + c]
