"""Pictures changed at random, for training: turned, moved, in another light, through a worse camera."""

import math
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
F32 = NDArray[np.float32]

FADED, FAINT_GREY = 0.3, (14.0, 50.0)
"""Share of the pictures whose seeds are made nearly the colour of their pit, and by how many grey levels they still
differ, the least and the most."""
SEEDS_PERCENTILE = 95
"""Percentile of a pit's change beside its empty picture that counts as what its seeds differ by."""
DRIFT = 0.05
"""Standard deviation of the logarithm of how much brighter it is than when the pit was empty."""


def moved(pictures: Image, middles: F32, rng: np.random.Generator) -> tuple[Image, F32]:
    """Return square pictures uint8[n, s, s, channels] turned by any angle, mirrored, scaled and shifted a little; and
    the places of their seeds' middles, float32[n, most, 2], pixels, NaN for none. Two in five are only turned by
    quarter turns, because these do not smooth a picture."""
    out, at = np.empty_like(pictures), middles.copy()
    for k in range(len(pictures)):
        placed, how = _placed(pictures.shape[1], rng)
        for c in range(0, pictures.shape[3], 3):  # OpenCV's cubic takes four channels at most
            out[k, ..., c : c + 3] = _warped(pictures[k, ..., c : c + 3], placed, how)
        at[k] = middles[k] @ placed[:, :2].T + placed[:, 2]
    return out, at


def _placed(size: int, rng: np.random.Generator) -> tuple[NDArray[np.float64], int]:
    """Return a random map float64[2, 3] of a picture's pixels, and OpenCV's interpolation for it. size: the side of the
    picture, pixels."""
    middle = (size - 1) / 2
    plain = rng.random() < 0.4
    angle = rng.integers(4) * math.pi / 2 if plain else rng.uniform(0, 2 * math.pi)
    scale = 1.0 if plain else math.exp(float(np.clip(rng.normal(0, 0.06), -0.15, 0.15)))
    shift = np.zeros(2) if plain else rng.normal(0, 0.02 * size, 2)
    cos, sin = scale * math.cos(angle), scale * math.sin(angle)
    turn = np.array([[cos, -sin], [sin, cos]]) @ np.diag([-1.0 if rng.random() < 0.5 else 1.0, 1.0])
    placed = np.concatenate([turn, (shift + middle - turn @ [middle, middle])[:, None]], axis=1)
    if plain:
        return placed, cv2.INTER_NEAREST
    return placed, cv2.INTER_CUBIC if rng.random() < 0.5 else cv2.INTER_LINEAR


def _warped(picture: Image, placed: NDArray[np.float64], how: int) -> Image:
    """Return a square picture uint8[s, s, 3] with its pixels mapped by `placed`; a black one stays black."""
    colours = np.ascontiguousarray(picture)
    if not colours.any():
        return colours
    size = (len(picture), len(picture))
    return np.asarray(cv2.warpAffine(colours, placed, size, flags=how, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def faded(pictures: Image, empties: Image, rng: np.random.Generator) -> Image:
    """Return the pictures uint8[n, s, s, 3]. In some, the seeds get nearly the colour of their pit: they differ from
    its empty picture by a few grey levels. These are a share `FADED` of the pictures whose empty one, of the same
    shape, is not black."""
    out = pictures.copy()
    for k in np.flatnonzero(rng.random(len(pictures)) < FADED):
        if not empties[k].any():
            continue
        change = pictures[k].astype(np.float32) - empties[k]
        much = float(np.percentile(np.abs(change).max(axis=2), SEEDS_PERCENTILE))
        left = math.exp(rng.uniform(*np.log(FAINT_GREY)))
        if much > left:
            out[k] = np.clip(np.round(empties[k] + change * np.float32(left / much)), 0, 255)
    return out


def recolour(pictures: Image, rng: np.random.Generator) -> F32:
    """Return float32, 0…255: the pictures with random light, contrast and white balance, and now and then with quite
    different colours."""
    n = len(pictures)
    swapped = pictures.copy()
    for i in np.flatnonzero(rng.random(n) < 0.3):
        swapped[i] = pictures[i][..., rng.permutation(3)]
    gain = np.exp(rng.normal(0, 0.18, (n, 1, 1, 1)) + rng.normal(0, 0.06, (n, 1, 1, 3)))
    gamma = np.exp(rng.normal(0, 0.15, (n, 1, 1, 1)))
    levels = np.arange(256)[None, None, :, None] * gain / 255
    table = (255 * np.clip(levels, 1e-4, 1) ** gamma).astype(np.float32)[:, 0]
    out = np.empty(pictures.shape, np.float32)
    for k in range(n):
        out[k] = cv2.LUT(swapped[k], np.ascontiguousarray(table[k][:, None]))
    return out


def worn(pictures: F32, rng: np.random.Generator) -> F32:
    """Return the pictures float32[n, s, s, 3], 0…255, some a little out of focus, some noisy, some sharpened, some
    pale."""
    out: NDArray[Any] = pictures
    cv2.setRNGSeed(int(rng.integers(1 << 31)))
    noise = np.empty(out.shape[1:], np.float32)
    for k in range(len(out)):
        p = out[k]
        lot = rng.random(4)
        if lot[0] < 0.15:
            p = cv2.GaussianBlur(p, (0, 0), rng.uniform(0.3, 1.0))
        elif lot[0] < 0.3:
            p = p + rng.uniform(0.3, 1.0) * (p - cv2.GaussianBlur(p, (0, 0), rng.uniform(0.7, 1.5)))
        if lot[1] < 0.25:
            grey = p.mean(axis=2, keepdims=True)
            p = grey + rng.uniform(0.0, 1.5) * (p - grey)
        if lot[2] < 0.3:
            cv2.randn(noise, np.zeros(3), np.ones(3))
            p = p + math.exp(rng.uniform(0, 2.1)) * noise
        out[k] = np.clip(p, 0, 255)
    return np.asarray(out, np.float32)


def lit(
    pictures: Image, empties: Image, rng: np.random.Generator
) -> tuple[F32, F32]:
    """Return the pictures and the empty pictures of the same pits, float32[n, s, s, 3] each, 0…255, both in one random
    light and each with camera faults of its own; black ones stay black."""
    size, known = pictures.shape[2], empties.reshape(len(empties), -1).any(axis=1)
    seen, bare = np.empty(pictures.shape, np.float32), np.zeros(pictures.shape, np.float32)
    seen[~known] = recolour(pictures[~known], rng)
    both = recolour(np.concatenate([pictures[known], empties[known]], axis=2), rng)
    seen[known] = both[:, :, :size]
    drift = np.exp(rng.normal(0, DRIFT, (len(both), 1, 1, 1))).astype(np.float32)
    bare[known] = np.clip(worn(np.ascontiguousarray(both[:, :, size:]), rng) * drift, 1, 255)
    return worn(seen, rng), bare
