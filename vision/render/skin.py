"""The surfaces of hands and arms: skin, nails, cloth, beads and rings, as colours and bumps over a limb's relief."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render.limbs import BEADS, METAL, SKIN, SLEEVE, Bone, Build, Relief

Floats = NDArray[np.float32]
RGB = tuple[float, float, float]

# One colour of each of Fitzpatrick's skin types I … VI, sRGB; people differ from it (`HandStyle.random`).
SKIN_TONES: tuple[RGB, ...] = (
    (238, 205, 184),
    (226, 184, 154),
    (205, 155, 120),
    (172, 118, 82),
    (118, 76, 52),
    (74, 49, 38),
)
_CLOTHS: tuple[RGB, ...] = (
    (188, 28, 36),
    (30, 52, 120),
    (236, 232, 222),
    (32, 32, 36),
    (214, 168, 44),
    (52, 100, 62),
    (120, 120, 126),
    (150, 90, 150),
    (92, 58, 36),
    (70, 140, 170),
)
_BEADS: tuple[RGB, ...] = (
    (200, 24, 30),
    (240, 238, 230),
    (28, 60, 160),
    (240, 190, 30),
    (30, 120, 60),
    (20, 20, 22),
    (240, 120, 30),
)


def _linear(rgb: RGB) -> Floats:
    return np.asarray((np.array(rgb, np.float32) / 255) ** 2.2, np.float32)


@dataclass(frozen=True, slots=True)
class HandStyle:
    """One person's hand. skin, cloth, cloth2: sRGB; pattern: plain, rings (stripes round the arm), lines (along
    it), check. left: a left hand. size: hands in board units (column pitches). beads: colours of the bracelets'
    beads."""

    build: Build = field(default_factory=Build)
    skin: RGB = SKIN_TONES[2]
    cloth: RGB = _CLOTHS[0]
    cloth2: RGB = _CLOTHS[1]
    pattern: str = "plain"
    stripe: float = 0.12
    beads: tuple[RGB, ...] = _BEADS[:3]
    gold: bool = True
    left: bool = False
    size: float = 2.5
    seed: int = 0

    @classmethod
    def random(cls, rng: np.random.Generator, tone: int | None = None, size: float | None = None) -> HandStyle:
        """Draw a random person's hand. tone: Fitzpatrick type 1…6, None for any. Raises ValueError for another."""
        if tone is not None and not 1 <= tone <= len(SKIN_TONES):
            raise ValueError(f"skin type {tone} is not known: 1 to {len(SKIN_TONES)}")
        # Between the tones, too: types are marks on a scale, not kinds.
        at = np.clip((tone - 1 if tone else rng.uniform(-0.4, 5.4)) + rng.uniform(-0.35, 0.35), 0, len(SKIN_TONES) - 1)
        k = min(int(at), len(SKIN_TONES) - 2)
        low, high = np.array(SKIN_TONES[k]), np.array(SKIN_TONES[k + 1])
        skin = (low + (at - k) * (high - low)) * rng.uniform(0.95, 1.04) * (1 + rng.normal(0, (0.01, 0.02, 0.03)))
        bare = rng.random() < 0.3
        cuff = None if bare else float(rng.choice((rng.uniform(0.1, 0.25), rng.uniform(0.3, 1.2))))
        bands = []
        at_band = float(rng.uniform(0.06, 0.14))
        while rng.random() < 0.35 and (cuff is None or at_band + 0.1 < cuff):
            broad = float(rng.uniform(0.025, 0.08))
            bands.append((at_band, broad))
            at_band += broad + float(rng.uniform(0.008, 0.04))
        rings = tuple(i for i in range(1, 5) if rng.random() < 0.1)
        cloths = rng.permutation(len(_CLOTHS))
        return cls(
            Build(
                float(rng.uniform(0.9, 1.12)),
                cuff,
                float(rng.uniform(1.18, 1.5)),
                tuple(bands),
                rings,
                float(rng.uniform(-0.25, 0.25)),
            ),
            _rgb(skin),
            _CLOTHS[cloths[0]],
            _CLOTHS[cloths[1]],
            str(rng.choice(("plain", "plain", "rings", "lines", "check"))),
            float(rng.uniform(0.05, 0.2)),
            tuple(_BEADS[i] for i in rng.permutation(len(_BEADS))[:3]),
            bool(rng.random() < 0.6),
            bool(rng.random() < 0.12),
            float(rng.uniform(2.1, 2.9)) if size is None else size,
            int(rng.integers(1 << 30)),
        )


def _rgb(v: NDArray[np.float64]) -> RGB:
    r, g, b = (float(x) for x in np.clip(v, 0, 255))
    return (r, g, b)


def _noise(rng: np.random.Generator, shape: tuple[int, int], grain: float) -> Floats:
    """Smooth noise float32[h, w], about -1…1, with lumps of `grain` pixels."""
    h, w = max(2, int(shape[0] / grain) + 2), max(2, int(shape[1] / grain) + 2)
    small = rng.normal(0, 0.5, (h, w)).astype(np.float32)
    return np.asarray(cv2.resize(small, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC), np.float32)


def paint(r: Relief, style: HandStyle) -> tuple[Floats, Floats]:
    """Return the limb's own colours (linear RGB) and shine; change `r.normal` where skin wrinkles, cloth folds and
    beads bulge."""
    rng = np.random.default_rng(style.seed)
    x, y = r.grid()
    material = np.array([b.material for b in r.bones] + [SKIN])[r.bone]
    # A tone is the colour of skin in a fair light; its albedo is somewhat lower.
    skin = 0.85 * _linear(style.skin)
    # Blood shows in finger tips and knuckles, more in light skin; in dark skin the knuckles are darker instead.
    light = float(skin.mean())
    albedo = np.empty((*r.z.shape, 3), np.float32)
    albedo[:] = skin
    mottle = 1 + 0.05 * _noise(rng, r.z.shape, 0.09 * r.res) + 0.035 * _noise(rng, r.z.shape, 0.02 * r.res)
    albedo *= mottle[..., None]
    shine = np.full(r.z.shape, 0.045, np.float32)
    side = _handed(r)
    knuckles = _knuckles(r, x, y, side)
    tint = np.array((1.0, 0.80, 0.76) if light > 0.2 else (0.80, 0.74, 0.72), np.float32)
    albedo *= 1 - knuckles[..., None] * (1 - tint)
    _crease(r, x, y, side)
    nails = _nails(r, x, y, side)
    nail = np.asarray(0.55 * skin + 0.45 * np.array((0.75, 0.48, 0.42), np.float32) * (0.5 + light), np.float32)
    albedo = albedo * (1 - nails[..., None]) + nail * nails[..., None]
    shine += 0.35 * nails
    around = np.asarray(np.arctan2(r.normal[..., 1], np.maximum(r.normal[..., 2], 0.05)) * 0.2, np.float32)
    r.normal[material == SLEEVE] += (0.32 * _fold(rng, r.z.shape, r.res))[material == SLEEVE]
    r.normal[material == SKIN] += (0.022 * _bumps(_noise(rng, r.z.shape, 0.010 * r.res)))[material == SKIN]
    sleeve = material == SLEEVE
    if sleeve.any():
        albedo[sleeve] = _cloth(style, x, around)[sleeve]
        shine[sleeve] = 0.02
    bead = material == BEADS
    if bead.any():
        _string_beads(r, bead, albedo, style, x)
        shine[bead] = 0.5
    metal = material == METAL
    albedo[metal] = _linear((230, 180, 70) if style.gold else (190, 190, 195))
    shine[metal] = 0.9
    return albedo, shine


def _bumps(height: Floats) -> Floats:
    """float32[h, w, 3]: the change of the normal on a bumpy surface."""
    out = np.zeros((*height.shape, 3), np.float32)
    out[..., 0] = -cv2.Sobel(height, cv2.CV_32F, 1, 0, ksize=3)
    out[..., 1] = cv2.Sobel(height, cv2.CV_32F, 0, 1, ksize=3)
    return out


def _fold(rng: np.random.Generator, shape: tuple[int, int], res: float) -> Floats:
    """Folds of a sleeve: soft oblique ridges across it."""
    wide = _noise(rng, (shape[0], max(2, shape[1] // 3)), 0.10 * res)
    h = np.asarray(cv2.resize(wide, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC), np.float32)
    return _bumps(np.asarray(h * 0.05 * res, np.float32)) * np.float32(0.5)


def _window(r: Relief, side: float, ends: tuple[tuple[float, ...], ...], margin: float) -> tuple[slice, slice]:
    """The rows and columns of the picture that are within `margin` of a bone's ends (hands). side: see `_handed`."""
    xs = [(p[0] - r.origin[0]) * r.res for p in ends]
    ys = [(r.origin[1] - side * p[1]) * r.res for p in ends]
    m = margin * r.res
    return slice(max(0, int(min(ys) - m)), max(0, int(max(ys) + m) + 1)), slice(
        max(0, int(min(xs) - m)), max(0, int(max(xs) + m) + 1)
    )


def _knuckles(r: Relief, x: Floats, y: Floats, side: float) -> Floats:
    """float32[h, w], 0…1: nearness to a knuckle. side: see `_handed`."""
    out = np.zeros(r.z.shape, np.float32)
    for bone in r.bones:
        if bone.material == SKIN and bone.part < 5:
            w = _window(r, side, (bone.a,), 3 * bone.ra)
            near = (x[w] - bone.a[0]) ** 2 + (y[w] - bone.a[1] * side) ** 2
            out[w] = np.maximum(out[w], 0.8 * np.exp(-near / (0.9 * bone.ra) ** 2))
    return out


def _handed(r: Relief) -> float:
    """1, or -1 for a mirrored relief, whose thumb is on the other side."""
    rows = np.nonzero(np.isin(r.bone, [i for i, b in enumerate(r.bones) if b.part == 0]))[0]
    return 1.0 if len(rows) == 0 or r.origin[1] - float(rows.mean()) / r.res > 0 else -1.0


def _crease(r: Relief, x: Floats, y: Floats, side: float) -> None:
    """Wrinkles across the fingers' joints and tendons down the back of the hand, as bumps of the normal."""
    height = np.zeros(r.z.shape, np.float32)
    for bone in r.bones:
        if bone.material != SKIN or bone.part > 5:
            continue
        dx, dy = bone.b[0] - bone.a[0], side * (bone.b[1] - bone.a[1])
        length = math.hypot(dx, dy)
        if length < 0.03:
            continue
        w = _window(r, side, (bone.a, bone.b), 2.5 * bone.ra)
        px, py = x[w] - bone.a[0], y[w] - side * bone.a[1]
        along, across = (px * dx + py * dy) / length, (py * dx - px * dy) / length
        if bone.part == 5:
            ends = np.clip(along / 0.12, 0, 1) * np.clip((length - along) / 0.08, 0, 1)
            height[w] += 0.7 * np.exp(-((across / 0.014) ** 2)) * ends
        else:
            near = np.exp(-((along / 0.035) ** 2) - (across / (0.9 * bone.ra)) ** 2)
            height[w] += 0.5 * near * np.cos(along * 2 * math.pi / 0.018)
    r.normal[:] += _bumps(height) * np.float32(0.05)


def _nails(r: Relief, x: Floats, y: Floats, side: float) -> Floats:
    """float32[h, w], 0…1: visible nails."""
    out = np.zeros(r.z.shape, np.float32)
    for k, bone in enumerate(r.bones):
        if bone.nail and bone.up[2] > 0.15:
            w = _window(r, side, (bone.a, bone.b), 1.5 * bone.rb)
            out[w] = np.maximum(out[w], _nail(bone, x[w], side * y[w], r.z[w]) * (r.bone[w] == k))
    return np.asarray(cv2.GaussianBlur(out, (3, 3), 0), np.float32)


def _nail(bone: Bone, x: Floats, y: Floats, z: Floats) -> Floats:
    """float32, 0…1: the area of a bone's back that its nail covers; x, y, z in hands."""
    a, up = np.array(bone.a), np.array(bone.up)
    way = np.array(bone.b) - a
    length = float(np.linalg.norm(way))
    way /= length
    rel = np.stack([x - a[0], y - a[1], z - a[2]], axis=-1)
    along, across = rel @ way, rel @ np.cross(up, way)
    back = (rel - along[..., None] * way) @ up
    shape = ((along - length - 0.25 * bone.rb) / (0.95 * bone.rb)) ** 4 + (across / (0.72 * bone.rb)) ** 4
    return np.asarray(np.where(back > 0.3 * bone.rb, np.clip(3 * (1 - shape), 0, 1), 0), np.float32)


def _cloth(style: HandStyle, x: Floats, around: Floats) -> Floats:
    """Linear RGB float32[h, w, 3] of the sleeve; x and around: along and round the arm, hands."""
    rings = (x / style.stripe % 1 < 0.4).astype(np.float32)
    lines = (around / style.stripe % 1 < 0.4).astype(np.float32)
    mix = {"rings": rings, "lines": lines, "check": 0.5 * (rings + lines)}.get(style.pattern, np.zeros_like(rings))
    weave = 1 + 0.06 * np.sin(x * 260)
    one, two = _linear(style.cloth), _linear(style.cloth2)
    return np.asarray((one * (1 - mix[..., None]) + two * mix[..., None]) * weave[..., None], np.float32)


def _string_beads(r: Relief, on: NDArray[np.bool_], albedo: Floats, style: HandStyle, x: Floats) -> None:
    """Rows of round beads round the wrist, in bands of colour."""
    size = 0.026
    around = np.arctan2(r.normal[..., 1], np.maximum(r.normal[..., 2], 0.02)) * 0.16
    i, j = np.floor(x / size), np.floor(around / size)
    u, v = (x / size - i) * 2 - 1, (around / size - j) * 2 - 1
    # Runs of beads of one colour, shifted from row to row.
    which = (((j + 2 * i) // 3).astype(np.int64)) % len(style.beads)
    colours = np.stack([_linear(c) for c in style.beads])
    edge = np.clip(1.25 - np.maximum(np.abs(u), np.abs(v)) ** 3, 0.2, 1)
    albedo[on] = (colours[which] * edge[..., None])[on]
    bump = np.zeros_like(r.normal)
    bump[..., 0], bump[..., 1] = 0.6 * u, 0.6 * v
    r.normal[on] += bump[on]
