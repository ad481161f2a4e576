"""The part of a pit in which its seeds lie, for a second look from close by.

The counter adds up a map of seeds (see `vision.train.nets.Counter`). In a wide pit, a few small seeds fill only a
corner of the picture. Drawn larger, they have the size at which the counter tells seeds apart best.
"""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.seeds.parameters import CLOSE_UP

Image = NDArray[np.uint8]
Map = NDArray[np.float32]
Window = tuple[float, float, float]
"""Centre (x, y) and half a side, as shares of the picture's side."""



def window(seeds: Map) -> Window | None:
    """Return the square round the seeds of one map float32[c, c]; None if it would be no closer than the picture is.
    """
    n = float(seeds.sum())
    if not n >= CLOSE_UP.least_seeds:
        return None
    spans = [_span(seeds.sum(axis=k), n) for k in (0, 1)]
    extent = max(high - low for low, high in spans)
    half = extent / 2 + CLOSE_UP.beside * extent / math.sqrt(max(1.0, n)) + CLOSE_UP.free
    half = max(half, CLOSE_UP.least_half if n >= 1.5 else CLOSE_UP.least_half_alone)
    if half > CLOSE_UP.most_half:
        return None
    (x0, x1), (y0, y1) = spans
    return (x0 + x1) / 2, (y0 + y1) / 2, half


def _span(along: Map, n: float) -> tuple[float, float]:
    """Return where the first and the last of n seeds lie along one axis, as shares of the axis."""
    total = np.concatenate([[0.0], np.cumsum(along, dtype=np.float64)])
    edges = np.linspace(0.0, 1.0, len(total))
    outer = min(CLOSE_UP.seeds_outside, n / 4)
    low, high = np.interp([outer, n - outer], total, edges)
    return float(low), float(high)


def closer(picture: Image, at: Window, size: int) -> Image:
    """Return uint8[size, size, 3], the window of a square picture uint8[s, s, 3]. Outside the picture its edge pixels
    are repeated."""
    side = picture.shape[0]
    x, y, half = (v * side for v in at)
    step = 2 * half / size
    low = (x - half + step / 2 - 0.5, y - half + step / 2 - 0.5)  # pixel centres lie at whole numbers
    m = np.array([[step, 0.0, low[0]], [0.0, step, low[1]]])
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    out = cv2.warpAffine(picture, m, (size, size), flags=how, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(out, np.uint8)
