"""Hands and forearms as solids: a skeleton of rounded cones, and its relief as seen by a camera straight above.

Lengths are in hands (wrist crease to the tip of the middle finger = 1, about 18.5 cm). x runs along the arm to the
finger tips, y to the thumb's side, z up to the camera. Proportions follow the usual anthropometric tables (palm 0.53 of
the hand's length, breadth over the knuckles 0.44).
"""

import itertools
import math
from dataclasses import dataclass, field
from itertools import accumulate
from typing import NamedTuple

import cv2
import numba
import numpy as np
from numpy.typing import NDArray

Vec = tuple[float, float, float]
Floats = NDArray[np.float32]

SKIN, NAIL, SLEEVE, BEADS, METAL = range(5)

POSES = ("open", "lift", "grip", "drop")
"""Reaching; finger tips together in a pit; seeds held in the fist; thumb and finger letting a seed fall."""


class Bone(NamedTuple):
    """A rounded cone from `a` to `b`, radii `ra` and `rb`. blend: how softly it joins the bones before it. flat: cut
    off square at both ends (cuffs, bracelets). part: the finger it belongs to (0 thumb … 4 little), 5 palm, 6 arm, 7
    band. up: the direction of its back, where a nail would be."""

    a: Vec
    b: Vec
    ra: float
    rb: float
    material: int
    blend: float
    flat: bool = False
    part: int = 6
    nail: bool = False
    up: Vec = (0.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Build:
    """The proportions of one person's arm. stout: breadth relative to the usual. cuff: distance of the sleeve's end
    from the wrist, in hands up the arm (None: no sleeve). loose: the sleeve's width relative to the arm's. bands:
    (place up the arm, breadth) of bracelets. rings: fingers that wear one. wrist: sideways bend of the wrist,
    radians."""

    stout: float = 1.0
    cuff: float | None = 0.5
    loose: float = 1.25
    bands: tuple[tuple[float, float], ...] = ()
    rings: tuple[int, ...] = ()
    wrist: float = 0.0

    @property
    def reach(self) -> float:
        """How far up the arm it becomes a straight tube, in hands."""
        return 1.1 if self.cuff is None else max(self.cuff, 0.1) + 0.3


@dataclass(frozen=True, slots=True)
class Pose:
    """Joint angles in degrees. fingers: for index … little (sideways, then flexion of the three joints); thumb:
    (sideways, down) of its three bones. pitch: how far the hand points down, arm: how steeply the forearm comes
    down."""

    fingers: tuple[tuple[float, float, float, float], ...]
    thumb: tuple[tuple[float, float], ...]
    pitch: float
    arm: float
    tips: tuple[int, ...] = (1, 2)


_POSE = {
    "open": Pose(
        ((7, 12, 18, 8), (2, 8, 16, 8), (-4, 10, 18, 8), (-12, 14, 20, 8)), ((46, 12), (30, 8), (20, 4)), 14, 16, (1, 2)
    ),
    "lift": Pose(
        ((2, 34, 38, 20), (0, 32, 42, 22), (-2, 34, 44, 22), (-6, 38, 44, 22)),
        ((42, 28), (18, 22), (2, 18)),
        16,
        22,
        (0, 1, 2, 3),
    ),
    "grip": Pose(
        ((3, 52, 88, 45), (1, 54, 92, 48), (-2, 56, 92, 48), (-6, 58, 90, 48)),
        ((36, 30), (2, 34), (-38, 16)),
        12,
        20,
        (1, 2),
    ),
    "drop": Pose(
        ((2, 14, 34, 16), (0, 40, 72, 40), (-3, 54, 86, 44), (-7, 58, 86, 44)),
        ((34, 26), (16, 14), (6, 10)),
        14,
        20,
        (0, 1, 1),
    ),
}

# Knuckle (x, y), lengths of the three bones, radii at the knuckle, the two joints and the tip; index … little.
_FINGERS = (
    ((0.520, 0.150), (0.225, 0.135, 0.085), (0.060, 0.052, 0.046, 0.037)),
    ((0.535, 0.045), (0.250, 0.155, 0.090), (0.062, 0.054, 0.047, 0.038)),
    ((0.505, -0.058), (0.235, 0.148, 0.090), (0.058, 0.050, 0.044, 0.036)),
    ((0.455, -0.152), (0.180, 0.105, 0.082), (0.052, 0.043, 0.039, 0.032)),
)
_THUMB = ((0.10, 0.115, -0.030), (0.245, 0.165, 0.105), (0.075, 0.062, 0.055, 0.042))


class Limb(NamedTuple):
    """A posed arm. tip: where the hand works (x, y of the seeds it takes or drops). rise: how much higher the arm gets,
    per hand's length away from the tip. reach: see `Build.reach`."""

    bones: tuple[Bone, ...]
    tip: tuple[float, float]
    rise: float
    reach: float


def _step(p: Vec, length: float, yaw: float, down: float) -> Vec:
    """The point `length` from `p`, in a direction `yaw` degrees towards the thumb and `down` degrees downwards."""
    a, b = math.radians(yaw), math.radians(down)
    return (
        p[0] + length * math.cos(b) * math.cos(a),
        p[1] + length * math.cos(b) * math.sin(a),
        p[2] - length * math.sin(b),
    )


def _back(yaw: float, down: float) -> Vec:
    a, b = math.radians(yaw), math.radians(down)
    return (math.sin(b) * math.cos(a), math.sin(b) * math.sin(a), math.cos(b))


def _digit(
    start: Vec,
    lengths: tuple[float, ...],
    radii: tuple[float, ...],
    turns: list[tuple[float, float]],
    part: int,
    stout: float,
    ring: bool,
) -> list[Bone]:
    bones, p = [], start
    for i, (length, (yaw, down)) in enumerate(zip(lengths, turns, strict=True)):
        q = _step(p, length, yaw, down)
        bones.append(
            Bone(
                p,
                q,
                radii[i] * stout,
                radii[i + 1] * stout,
                SKIN,
                0.035 if i == 0 else 0.012,
                part=part,
                nail=i == len(lengths) - 1,
                up=_back(yaw, down),
            )
        )
        if ring and i == 0:
            a, b = _step(p, 0.50 * length, yaw, down), _step(p, 0.50 * length + 0.028, yaw, down)
            r = 0.5 * (radii[0] + radii[1]) * stout + 0.006
            bones.append(Bone(a, b, r, r, METAL, 0.0, True, 7))
        p = q
    return bones


def _palm(pitch: float, stout: float) -> list[Bone]:
    bones = []
    for (x, y), _, _ in _FINGERS:
        a = (0.06, 0.42 * y * stout, 0.0)
        length = math.hypot(x - 0.06, 0.58 * y)
        b = _step(a, length, math.degrees(math.atan2(0.58 * y * stout, x - 0.06)), pitch)
        bones.append(Bone(a, b, 0.085 * stout, 0.064 * stout, SKIN, 0.06, part=5))
    a = (0.08, 0.085 * stout, -0.035)
    bones.append(Bone(a, _step(a, 0.24, 24, pitch + 8), 0.085 * stout, 0.075 * stout, SKIN, 0.06, part=5))
    a = (0.07, -0.075 * stout, -0.035)
    bones.append(Bone(a, _step(a, 0.26, -10, pitch + 4), 0.080 * stout, 0.066 * stout, SKIN, 0.06, part=5))
    return bones


def _arm_axis(build: Build, slope: float, s: float) -> Vec:
    """The middle of the arm `s` hands up from the wrist, where it bends sideways."""
    return (-s * math.cos(build.wrist), s * math.sin(build.wrist), s * math.tan(slope))


def _arm_width(s: float) -> tuple[float, float]:
    """Half the distance between the two bones' middles, and the radius, `s` hands up from the wrist."""
    s = min(max(s, 0.0), 1.0)
    return 0.055 + 0.012 * s, 0.098 + 0.062 * s**0.8


def _tube(
    build: Build, slope: float, s0: float, s1: float, wide: tuple[float, float], material: int, flat: bool
) -> list[Bone]:
    """A piece of the arm between `s0` and `s1`: two cones side by side, at each end `wide` times as wide as the arm."""
    out = []
    c0, c1 = _arm_axis(build, slope, s0), _arm_axis(build, slope, s1)
    for side in (-1.0, 1.0):
        ends = []
        for c, s, w in ((c0, s0, wide[0]), (c1, s1, wide[1])):
            half, r = _arm_width(s0 if flat else s)[0], _arm_width(s)[1]
            ends.append(((c[0], c[1] + side * half * w * build.stout, c[2]), r * w * build.stout))
        (a, ra), (b, rb) = ends
        out.append(Bone(a, b, ra, rb, material, 0.06, flat, 6 if material in (SKIN, SLEEVE) else 7))
    return out


def _digits(pose: Pose, build: Build) -> list[list[Bone]]:
    """The bones of thumb, index … little, each from the hand outwards."""
    wide = build.stout
    start, lengths, radii = _THUMB
    turns = [(yaw, down + 0.5 * pose.pitch) for yaw, down in pose.thumb]
    digits = [_digit(start, lengths, radii, turns, 0, wide, 0 in build.rings)]
    for i, ((x, y), lengths, radii) in enumerate(_FINGERS):
        yaw, *flex = pose.fingers[i]
        toward = math.degrees(math.atan2(0.58 * y * wide, x - 0.06))
        knuckle = _step((0.06, 0.42 * y * wide, 0.0), math.hypot(x - 0.06, 0.58 * y), toward, pose.pitch)
        downs = accumulate(flex, initial=pose.pitch)
        next(downs)
        digits.append(_digit(knuckle, lengths, radii, [(yaw, d) for d in downs], i + 1, wide, i + 1 in build.rings))
    return digits


def posed(name: str, build: Build) -> Limb:
    """Return the arm in pose `name`, one of POSES. Raises KeyError for another name."""
    pose = _POSE[name]
    slope = math.radians(pose.arm)
    bones = _palm(pose.pitch, build.stout)
    end = 2.0 if build.cuff is None else build.cuff + 0.25
    cuts = [c for c in (0.0, 0.45, 1.0) if c < end] + [end]
    bones += _tube(build, slope, -0.06, 0.01, (0.92, 1.0), SKIN, False)
    for s0, s1 in itertools.pairwise(cuts):
        bones += _tube(build, slope, s0, s1, (1.0, 1.0), SKIN, False)
    digits = _digits(pose, build)
    bones += [bone for digit in digits for bone in digit]
    bones.sort(key=lambda bone: -bone.blend)
    if build.cuff is not None:
        wide = build.loose
        bones += _tube(build, slope, build.cuff, build.cuff + 0.05, (wide * 1.04, wide * 1.02), SLEEVE, True)
        bones += _tube(build, slope, build.cuff + 0.03, build.cuff + 2.0, (wide, wide * 1.08), SLEEVE, True)
    for where, broad in build.bands:
        bones += _tube(build, slope, where, where + broad, (1.06, 1.06), BEADS, True)
    # A fist works where its knuckles are: its finger tips are curled up underneath.
    used = [digits[i][0].b if name == "grip" else digits[i][-1].b for i in pose.tips]
    tip = (sum(t[0] for t in used) / len(used), sum(t[1] for t in used) / len(used))
    return Limb(tuple(bones), tip, math.tan(slope), build.reach)


@dataclass(frozen=True, slots=True)
class Relief:
    """A limb as seen from above, float32[h, w] each: z (hands), normal (x, y, z with y up in the picture), open (share
    of the sky not hidden by the limb itself), bone (int, -1 for none), along (0…1 on the bone), cover (0…1, fractional
    at edges). origin: x, y of pixel (0, 0), res: pixels a hand."""

    z: Floats
    normal: Floats
    open: Floats
    bone: NDArray[np.int32]
    along: Floats
    cover: Floats
    origin: tuple[float, float]
    res: float
    bones: tuple[Bone, ...] = field(repr=False)

    def grid(self) -> tuple[Floats, Floats]:
        """x and y in hands of every pixel, float32[h, w] each."""
        h, w = self.z.shape
        x = self.origin[0] + np.arange(w, dtype=np.float32)[None, :] / self.res
        y = self.origin[1] - np.arange(h, dtype=np.float32)[:, None] / self.res
        return np.broadcast_to(x, (h, w)), np.broadcast_to(y, (h, w))


def relief(limb: Limb, res: float, coarse: int = 2) -> Relief:
    """Trace `limb` from straight above, at `res` pixels a hand. coarse: step in pixels between traced rays; values
    between them are interpolated."""
    table = np.array([[*b.a, *b.b, b.ra, b.rb, b.blend, float(b.flat)] for b in limb.bones], np.float32)
    grow = np.maximum(table[:, 6], table[:, 7])[:, None] + 0.05
    low = np.minimum(table[:, 0:2], table[:, 3:5]) - grow
    high = np.maximum(table[:, 0:2], table[:, 3:5]) + grow
    x0, y0 = -limb.reach, float(low[:, 1].min())
    x1, y1 = float(high[:, 0].max()), float(high[:, 1].max())
    h, w = math.ceil((y1 - y0) * res / coarse), math.ceil((x1 - x0) * res / coarse)
    out = np.zeros((h, w, 7), np.float32)
    bone = np.full((h, w), -1, np.int32)
    _march(table, x0, y1, res / coarse, out, bone)
    if coarse > 1:
        size = (w * coarse, h * coarse)
        out = np.asarray(cv2.resize(out, size, interpolation=cv2.INTER_LINEAR), np.float32)
        bone = np.repeat(np.repeat(bone, coarse, axis=0), coarse, axis=1)
        # Traced coarsely the outline is a ramp of `coarse` pixels; make it as steep as a lens would.
        out[:, :, 6] = np.clip((out[:, :, 6] - 0.5) * 1.4 + 0.5, 0, 1)
    z, normal, shade, along, cover = out[:, :, 0], out[:, :, 1:4], out[:, :, 4], out[:, :, 5], out[:, :, 6]
    return Relief(z, normal, shade, bone, along, cover, (x0, y1), res, limb.bones)


@numba.njit(cache=True, nogil=True, fastmath=True)
def _distance(t, x, y, z):  # type: ignore[no-untyped-def]  # numba compiles it; types are those of its arguments
    """Distance of (x, y, z) from the cone t, and where along it (0…1)."""
    bx, by, bz = t[3] - t[0], t[4] - t[1], t[5] - t[2]
    px, py, pz = x - t[0], y - t[1], z - t[2]
    length2 = bx * bx + by * by + bz * bz + 1e-9
    s = (px * bx + py * by + pz * bz) / length2
    u = min(max(s, 0.0), 1.0)
    dx, dy, dz = px - u * bx, py - u * by, pz - u * bz
    if t[9] > 0.5:
        dx, dy, dz = px - s * bx, py - s * by, pz - s * bz
        side = math.sqrt(dx * dx + dy * dy + dz * dz) - (t[6] + u * (t[7] - t[6]))
        return max(side, max(-s, s - 1.0) * math.sqrt(length2)), u
    return math.sqrt(dx * dx + dy * dy + dz * dz) - (t[6] + u * (t[7] - t[6])), u


@numba.njit(cache=True, nogil=True, fastmath=True)
def _field(table, near, n, x, y, z):  # type: ignore[no-untyped-def]  # as above
    """Distance of (x, y, z) from the union of the bones near[:n], the nearest bone and where along it."""
    d, best, who, along = 1e9, 1e9, -1, 0.0
    for i in range(n):
        t = table[near[i]]
        e, u = _distance(t, x, y, z)
        k = t[8]
        if k > 0.0 and d < 1e8:
            m = max(k - abs(d - e), 0.0) / k
            d = min(d, e) - m * m * k * 0.25
        else:
            d = min(d, e)
        if e < best:
            best, who, along = e, near[i], u
    return d, who, along


@numba.njit(cache=True, nogil=True, fastmath=True)
def _march(table, x0, y1, res, out, bone):  # type: ignore[no-untyped-def]  # as above
    """Fill out[h, w] = z, normal, openness, along, cover and bone[h, w] by sphere tracing straight down."""
    h, w = bone.shape
    near = np.empty(table.shape[0], np.int64)
    half = 0.7 / res
    for row in range(h):
        y = y1 - (row + 0.5) / res
        for col in range(w):
            x = x0 + (col + 0.5) / res
            n, top, bottom = 0, -1e9, 1e9
            for i in range(table.shape[0]):
                t = table[i]
                bx, by = t[3] - t[0], t[4] - t[1]
                u = ((x - t[0]) * bx + (y - t[1]) * by) / (bx * bx + by * by + 1e-9)
                u = min(max(u, 0.0), 1.0)
                dx, dy = x - t[0] - u * bx, y - t[1] - u * by
                r = max(t[6], t[7])
                if dx * dx + dy * dy < (r + t[8] * 0.5 + 0.03) ** 2:
                    near[n] = i
                    n += 1
                    top = max(top, max(t[2], t[5]) + r)
                    bottom = min(bottom, min(t[2], t[5]) - r)
            if n == 0:
                continue
            z, least, d, who, along = top + 0.02, 1e9, 1e9, -1, 0.0
            for _ in range(48):
                d, who, along = _field(table, near, n, x, y, z)
                least = min(least, d)
                if d < 0.0015 or z < bottom:
                    break
                z -= max(d * 0.95, 0.0012)
            cover = 1.0 if d < 0.0015 else min(max(0.5 - 0.5 * least / half, 0.0), 1.0)
            if cover <= 0.0:
                continue
            e = 0.004
            gx = _field(table, near, n, x + e, y, z)[0] - _field(table, near, n, x - e, y, z)[0]
            gy = _field(table, near, n, x, y + e, z)[0] - _field(table, near, n, x, y - e, z)[0]
            gz = _field(table, near, n, x, y, z + e)[0] - _field(table, near, n, x, y, z - e)[0]
            g = math.sqrt(gx * gx + gy * gy + gz * gz) + 1e-9
            gx, gy, gz = gx / g, gy / g, gz / g
            shut = 0.0
            for i in range(1, 4):
                step = 0.028 * i
                free = _field(table, near, n, x + gx * step, y + gy * step, z + gz * step)[0]
                shut += max(step - free, 0.0) / step * 0.45 / i
            out[row, col, 0] = z
            out[row, col, 1], out[row, col, 2], out[row, col, 3] = gx, gy, gz
            out[row, col, 4] = max(1.0 - shut, 0.15)
            out[row, col, 5] = along
            out[row, col, 6] = cover
            bone[row, col] = who
