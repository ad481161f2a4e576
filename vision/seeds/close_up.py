"""Where in a pit its seeds lie, so that they can be looked at from close by.

The counter adds up a map of seeds (see `vision.train.nets.Counter`). In a wide pit a few small ones fill a corner of
the picture; drawn larger, they look like seeds of the size that it tells apart best.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Map = NDArray[np.float32]
Window = tuple[float, float, float]
"""Centre (x, y) and half a side, as shares of the picture's side."""

OUTER = 0.3
"""Seeds that may lie farther out than the window's reach on each side: the map is smeared, and faint where nothing
is."""
APART = 1.2
"""Half the distance of neighbours in a heap is a seed's radius, more or less, and so much of it is left beside them."""
LEFT, FLOOR, ALONE = 0.04, 0.13, 0.3
"""Share of the side that is left free besides; half a window's side at least, and of one that holds one seed."""
WORTH = 0.4
"""Half a window's side from which on the picture shows the seeds as large as the window would."""
SEEDS = 0.5
"""With fewer in the map there is nothing to look at."""


def window(seeds: Map) -> Window | None:
    """The square round the seeds of one map float32[c, c]; None where it would show no more than the picture does."""
    n = float(seeds.sum())
    if not n >= SEEDS:
        return None
    spans = [_span(seeds.sum(axis=k), n) for k in (0, 1)]
    extent = max(high - low for low, high in spans)
    half = extent / 2 + APART * extent / math.sqrt(max(1.0, n)) + LEFT
    half = max(half, FLOOR if n >= 1.5 else ALONE)
    if half > WORTH:
        return None
    (x0, x1), (y0, y1) = spans
    return (x0 + x1) / 2, (y0 + y1) / 2, half


def _span(along: Map, n: float) -> tuple[float, float]:
    """Where the first and the last of n seeds lie along one axis, as shares of it."""
    total = np.concatenate([[0.0], np.cumsum(along, dtype=np.float64)])
    edges = np.linspace(0.0, 1.0, len(total))
    outer = min(OUTER, n / 4)
    low, high = np.interp([outer, n - outer], total, edges)
    return float(low), float(high)


def closer(picture: Image, at: Window, size: int) -> Image:
    """uint8[size, size, 3]: what a square picture uint8[s, s, 3] shows in the window; its edge drawn out beyond it."""
    side = picture.shape[0]
    x, y, half = (v * side for v in at)
    step = 2 * half / size
    low = (x - half + step / 2 - 0.5, y - half + step / 2 - 0.5)  # pixel centres lie at whole numbers
    m = np.array([[step, 0.0, low[0]], [0.0, step, low[1]]])
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    out = cv2.warpAffine(picture, m, (size, size), flags=how, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(out, np.uint8)
