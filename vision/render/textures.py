"""Random surfaces: wood, planks, cloth, stone, paper, carpet. float32[s, s, 3], linear RGB, periodic at their edges."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render.columns import FLOOR_RIM

Texture = NDArray[np.float32]
Colour = tuple[float, float, float]

WOODS: tuple[Colour, ...] = (
    (0.55, 0.36, 0.18),
    (0.42, 0.22, 0.10),
    (0.25, 0.12, 0.06),
    (0.10, 0.055, 0.035),
    (0.65, 0.47, 0.27),
    (0.32, 0.14, 0.07),
    (0.72, 0.56, 0.36),
    (0.18, 0.09, 0.05),
    (0.045, 0.03, 0.025),
    (0.48, 0.28, 0.15),
)


def noise(size: int, cells: tuple[int, int], rng: np.random.Generator, octaves: int = 4) -> NDArray[np.float32]:
    """float32[size, size], 0…1: smooth noise with `cells` = (down, across) features; each finer octave has half the
    weight."""
    total = np.zeros((size, size), np.float32)
    weight = 1.0
    for k in range(octaves):
        h, w = min(size, cells[0] << k), min(size, cells[1] << k)
        small = rng.random((h, w), np.float32)
        small = np.pad(small, ((2, 2), (2, 2)), mode="wrap")  # so that the pattern repeats
        big = cv2.resize(small, None, fx=size / w, fy=size / h, interpolation=cv2.INTER_CUBIC)
        y, x = round(2 * size / h), round(2 * size / w)
        total += weight * big[y : y + size, x : x + size]
        weight *= 0.5
    low, high = float(total.min()), float(total.max())
    return np.asarray((total - low) / (high - low + 1e-6), np.float32)


def _mix(a: Colour, b: Colour, t: NDArray[np.floating]) -> Texture:
    return np.asarray(np.array(a) * (1 - t[..., None]) + np.array(b) * t[..., None], np.float32)


def _shift(c: Colour, rng: np.random.Generator, amount: float) -> Colour:
    f = np.exp(rng.normal(0, amount, 3) * 0.4 + rng.normal(0, amount))
    return (min(0.95, c[0] * f[0]), min(0.95, c[1] * f[1]), min(0.95, c[2] * f[2]))


def wood(size: int, rng: np.random.Generator, base: Colour | None = None) -> Texture:
    """Wood with its grain along x: long streaks, wandering rings, pores, a knot now and then."""
    c = base or _shift(WOODS[rng.integers(len(WOODS))], rng, 0.15)
    wander = noise(size, (3, 1), rng, 3)
    y = np.linspace(0, 1, size, endpoint=False, dtype=np.float32)[:, None]
    rings = int(rng.integers(3, 14))
    x = np.linspace(0, 1, size, endpoint=False, dtype=np.float32)[None, :]
    bend = wander * rng.uniform(0.3, 2.5)
    for _ in range(rng.poisson(0.5)):
        kx, ky, r = rng.uniform(0.2, 0.8), rng.uniform(0.2, 0.8), rng.uniform(0.03, 0.1)
        bend = bend + 2.5 * np.exp(-(((x - kx) / (2 * r)) ** 2 + ((y - ky) / r) ** 2))
    ring = 0.5 + 0.5 * np.sin(2 * np.pi * (rings * y + bend))
    streak = noise(size, (64, 2), rng, 3)
    pores = (noise(size, (128, 8), rng, 2) > 0.78).astype(np.float32)
    t = np.clip(rng.uniform(0.1, 0.8) * ring**2 + rng.uniform(0.2, 0.7) * streak, 0, 1).astype(np.float32)
    dark = _shift((c[0] * 0.5, c[1] * 0.45, c[2] * 0.42), rng, 0.08)
    out = _mix(c, dark, t)
    out *= 1 - rng.uniform(0, 0.35) * pores[..., None]
    worn = noise(size, (2, 2), rng, 3)[..., None]
    return np.asarray(out * (1 + rng.uniform(-0.3, 0.4) * (worn - 0.5)), np.float32)


def carved(size: int, rng: np.random.Generator, base: Colour) -> Texture:
    """Wood with lines and dots cut or painted into it, as on boards for show."""
    out = wood(size, rng, base)
    mask = np.zeros((size, size), np.float32)
    for _ in range(rng.integers(10, 60)):
        x, y = (int(v) for v in rng.integers(0, size, 2))
        r = int(rng.integers(4, size // 10))
        kind = rng.integers(3)
        if kind == 0:
            cv2.circle(mask, (x, y), r, 1.0, int(rng.integers(1, 4)))
        elif kind == 1:
            a = rng.uniform(0, np.pi)
            cv2.line(
                mask, (x, y), (int(x + 3 * r * np.cos(a)), int(y + 3 * r * np.sin(a))), 1.0, int(rng.integers(1, 4))
            )
        else:
            cv2.ellipse(
                mask, (x, y), (r, r // 3 + 1), float(rng.uniform(0, 180)), 0, 360, 1.0, -1 if rng.random() < 0.5 else 2
            )
    ink = np.float32(rng.choice(np.array([[0.02, 0.02, 0.02], [0.7, 0.6, 0.4], [0.5, 0.08, 0.05], [0.8, 0.8, 0.75]])))
    mask = mask[..., None] * rng.uniform(0.3, 0.95)
    return np.asarray(out * (1 - mask) + ink * mask, np.float32)


def floor(size: int, rng: np.random.Generator, base: Texture) -> Texture:
    """The floor of one pit, centred in the picture: wood `base` with one to three painted, turned, cut or burnt
    patterns."""
    y, x = (np.mgrid[0:size, 0:size].astype(np.float32) + 0.5) / size - 0.5
    at = Polar(np.hypot(x, y) / np.float32(FLOOR_RIM), np.arctan2(y, x))
    out = np.asarray(base, np.float32).copy()
    for how in rng.choice(len(_FLOORS), int(rng.integers(1, 4)), replace=False, p=_FLOOR_SHARES):
        ink = rng.choice(np.array(WOODS)) if rng.random() < 0.6 else rng.uniform(0.01, 0.85, 3)
        much = _FLOORS[how](at, rng)[..., None] * np.float32(rng.uniform(0.3, 1.0))
        out = out * (1 - much) + np.asarray(ink, np.float32) * much
    return np.asarray(np.clip(out, 0.003, 1), np.float32)


Mask = NDArray[np.float32]
"""float32[s, s], 0…1, how much ink each pixel has."""


class Polar(NamedTuple):
    """Every pixel of a pit's floor: its distance from the middle, in radii, and its angle; float32[s, s] each."""

    r: Mask
    angle: Mask


def _petals(at: Polar, rng: np.random.Generator) -> Mask:
    """A flower of four to eight petals, each with a line along it."""
    n, long, sharp = int(rng.integers(4, 9)), rng.uniform(0.6, 1.0), rng.uniform(0.3, 1.6)
    wave = np.abs(np.cos(n * at.angle / 2 + rng.uniform(0, 6)))
    petal = np.clip((long * wave**sharp - at.r) * 12, 0, 1) * (at.r > rng.uniform(0.05, 0.25))
    return np.asarray(petal * np.where(wave > 0.985, rng.uniform(0.2, 1), 1.0), np.float32)


def _rings(at: Polar, rng: np.random.Generator) -> Mask:
    """Rings of a lathe: many, or one to three."""
    if rng.random() < 0.4:
        return np.asarray(0.5 + 0.5 * np.sin(2 * np.pi * rng.uniform(2, 9) * at.r), np.float32)
    places = rng.uniform(0.15, 0.9, rng.integers(1, 4))
    lines = [np.exp(-(((at.r - far) / rng.uniform(0.015, 0.05)) ** 2)) for far in places]
    return np.asarray(np.max(lines, axis=0), np.float32)


def _middle(at: Polar, rng: np.random.Generator) -> Mask:
    """A mark in the middle: a spot, a hole, or a plug with its edge."""
    far = rng.uniform(0.04, 0.22)
    spot = np.clip((far - at.r) * 30, 0, 1)
    return np.asarray(spot if rng.random() < 0.6 else np.exp(-(((at.r - far) / 0.03) ** 2)), np.float32)


def _strokes(at: Polar, rng: np.random.Generator) -> Mask:
    """Marks of an adze or a chisel, or a relief."""
    out, size = np.zeros(at.r.shape, np.float32), len(at.r)
    for _ in range(int(rng.integers(4, 40))):
        start, way = rng.uniform(0.1, 0.9, 2) * size, rng.uniform(0, 6.3)
        end = start + size * rng.uniform(0.03, 0.25) * np.array([np.cos(way), np.sin(way)])
        ends = [tuple(int(v) for v in p) for p in (start, end)]
        cv2.line(out, ends[0], ends[1], float(rng.uniform(0.3, 1)), int(rng.integers(1, max(2, size // 40))))
    return out


def _burnt(at: Polar, rng: np.random.Generator) -> Mask:
    """Smoke, dirt or wear, strongest in the middle or at the rim."""
    fall = np.exp(-((at.r / rng.uniform(0.3, 0.8)) ** 2))
    return np.asarray(np.clip((fall if rng.random() < 0.5 else 1 - fall) * noise(len(at.r), (3, 3), rng) * 1.6, 0, 1))


def _specks(at: Polar, rng: np.random.Generator) -> Mask:
    """Wormholes, pores, grains of dirt."""
    out, size = np.zeros(at.r.shape, np.float32), len(at.r)
    for x, y in rng.uniform(0.08, 0.92, (int(rng.integers(3, 60)), 2)) * size:
        cv2.circle(out, (int(x), int(y)), int(rng.integers(1, max(2, size // 24))), float(rng.uniform(0.4, 1)), -1)
    return out


_FLOORS: tuple[Callable[[Polar, np.random.Generator], Mask], ...] = (
    _petals, _rings, _middle, _strokes, _burnt, _specks)
_FLOOR_SHARES = (0.35, 0.13, 0.13, 0.13, 0.13, 0.13)


def photographed(size: int, rng: np.random.Generator, photographs: Sequence[Path]) -> Texture:
    """Return float32[size, size, 3], linear light: a square cut from a random one of the photographs, at a random
    scale, in one of four rotations. Two in three times it takes the colour of a wood. It is mirrored to the right and
    downwards, so that it tiles without seams. Raises OSError for a file that is no picture."""
    path = photographs[int(rng.integers(len(photographs)))]
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if picture is None:
        raise OSError(f"{path} is no picture")
    h, w = picture.shape[:2]
    side = int(min(h, w) * rng.uniform(0.3, 1.0))
    y, x = int(rng.integers(h - side + 1)), int(rng.integers(w - side + 1))
    half = cv2.resize(picture[y : y + side, x : x + side, ::-1], (size // 2, size // 2), interpolation=cv2.INTER_AREA)
    linear = (np.rot90(half, int(rng.integers(4))).astype(np.float32) / 255) ** 2.2
    if rng.random() < 0.67:
        grey = linear.mean(axis=2, keepdims=True)
        tone = _shift(WOODS[rng.integers(len(WOODS))], rng, 0.2)
        linear = grey / (grey.mean() + 1e-3) * np.array(tone, np.float32)
    across = np.concatenate([linear, linear[:, ::-1]], axis=1)
    return np.asarray(np.clip(np.concatenate([across, across[::-1]], axis=0), 0.003, 0.95), np.float32)


def planks(size: int, rng: np.random.Generator) -> Texture:
    """Boards of wood side by side, float32[size, size, 3], linear light."""
    out = wood(size, rng)
    n = int(rng.integers(2, 9))
    for k in range(n):
        a, b = k * size // n, (k + 1) * size // n
        out[a:b] = np.roll(out[a:b], int(rng.integers(size)), axis=1) * rng.uniform(0.75, 1.25)
        out[a : a + max(1, size // 150)] *= 0.35
    return np.ascontiguousarray(out.transpose(1, 0, 2)) if rng.random() < 0.5 else out


def cloth(size: int, rng: np.random.Generator) -> Texture:
    """Checked, striped, dotted or plain cloth, float32[size, size, 3], linear light."""
    c: Colour = tuple(float(v) for v in rng.uniform(0.02, 0.8, 3))  # type: ignore[assignment]  # three floats
    d: Colour = tuple(float(v) for v in rng.uniform(0.02, 0.8, 3))  # type: ignore[assignment]  # three floats
    x = np.arange(size)
    f, g = int(rng.integers(2, 40)), int(rng.integers(2, 40))
    kind = rng.integers(4)
    u, v = np.sin(2 * np.pi * f * x / size), np.sin(2 * np.pi * g * x / size)
    if kind == 0:
        t = (u[:, None] > 0) ^ (v[None, :] > 0)
    elif kind == 1:
        t = np.broadcast_to(u[:, None] > 0.3, (size, size))
    elif kind == 2:
        t = (u[:, None] * v[None, :]) > 0.5
    else:
        t = np.broadcast_to(False, (size, size))
    weave = rng.normal(1, rng.uniform(0.02, 0.25), (size, size, 1)).astype(np.float32)
    return np.clip(_mix(c, d, t.astype(np.float32)) * cv2.GaussianBlur(weave, (0, 0), 0.7)[..., None], 0.005, 1)


def stone(size: int, rng: np.random.Generator) -> Texture:
    """Veined stone, float32[size, size, 3], linear light."""
    c = rng.uniform(0.15, 0.85)
    n = noise(size, (4, 4), rng, 6)
    vein = 1 - np.abs(2 * noise(size, (3, 3), rng, 5) - 1) ** 0.35
    return np.clip(
        _mix((c, c * 0.97, c * 0.92), (c * 0.5, c * 0.5, c * 0.5), n * 0.5 + vein * rng.uniform(0, 0.8)), 0.01, 1
    )


def plain(size: int, rng: np.random.Generator) -> Texture:
    """Paper, a painted table, a studio's white or black backdrop."""
    if rng.random() < 0.6:
        v = float(rng.choice(np.array([0.01, 0.05, 0.5, 0.85, 0.95])))
        c = (v, v, v)
    else:
        c = tuple(float(v) for v in rng.uniform(0.02, 0.9, 3))  # type: ignore[assignment]  # three floats
    n = noise(size, (6, 6), rng, 3)
    return np.clip(_mix(c, (c[0] * 0.9, c[1] * 0.9, c[2] * 0.9), n * rng.uniform(0, 1)), 0.003, 1)


def ground(size: int, rng: np.random.Generator) -> Texture:
    """Carpet, earth, grass: strong fine grain in two or three colours."""
    a = rng.uniform(0.05, 0.6, 3)
    b = a * rng.uniform(0.3, 1.5, 3)
    t = noise(size, (24, 24), rng, 5)
    out = _mix((a[0], a[1], a[2]), (b[0], b[1], b[2]), t)
    grain = rng.normal(1, rng.uniform(0.1, 0.5), (size, size, 1)).astype(np.float32)
    return np.clip(out * grain, 0.005, 1)


TABLES: tuple[Callable[[int, np.random.Generator], Texture], ...] = (wood, planks, cloth, stone, plain, plain, ground)


def table(size: int, rng: np.random.Generator) -> Texture:
    """A random surface that a board may lie on."""
    return TABLES[rng.integers(len(TABLES))](size, rng)
