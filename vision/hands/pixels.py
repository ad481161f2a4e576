"""Operations on the canvas's pixels: means, quantiles, shares of zones, borders."""

from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.hands.parameters import REGION

Array = NDArray[np.float64]
Float = NDArray[np.float32]
Mask = NDArray[np.bool_]
Values = TypeVar("Values", Float, NDArray[np.uint8])


def mean_of(colours: Float) -> Float:
    """float32[h, w], the mean of the three colours."""
    return np.asarray(cv2.transform(colours, np.full((1, 3), 1 / 3, np.float32)), np.float32)


def area_of(part: Mask) -> int:
    """Count the pixels of a part bool[...]; numpy's own sum takes ten times as long."""
    return int(np.count_nonzero(part))


def part_of(part: Mask) -> float:
    """The share of the pixels of an array bool[...] that are True; 0 for an empty array."""
    return area_of(part) / max(1, part.size)


def quantile(values: Values, share: float) -> np.float32:
    """The value that the share `share` of the values [n], float32 or uint8, do not exceed; 0 for no values."""
    if not values.size:
        return np.float32(0)
    at = min(values.size - 1, int(share * values.size))
    return np.float32(np.partition(values, at)[at])


def most_of(colours: Values) -> Values:
    """[...], the greatest of the three colours [..., 3]; numpy's own maximum along so short an axis takes forty times
    as long."""
    return np.maximum(np.maximum(colours[..., 0], colours[..., 1]), colours[..., 2])


def mean_about(grey: Float) -> Float:
    """Return float32[h, w], the mean of a picture float32[h, w] in a square of 9 pixels round every pixel."""
    return np.asarray(cv2.blur(grey, (9, 9), borderType=cv2.BORDER_REFLECT), np.float32)


def share_of(zone: NDArray[np.int16], part: Mask, areas: NDArray[np.int64]) -> Array:
    """float64[pits], the share of every pit's zone that a part of the canvas covers. zone: int16[h, w], -1 for no
    pit."""
    return np.asarray(np.bincount(zone[part & (zone >= 0)], minlength=len(areas)) / areas)


def border_of(valid: Mask) -> tuple[Mask, Mask, Mask]:
    """The outermost pixels that the picture shows: South's long edge, North's, and both ends."""
    h, w = valid.shape
    inner = cv2.erode(np.pad(valid, 1).astype(np.uint8), np.ones((3, 3), np.uint8))[1:-1, 1:-1] > 0
    rim = valid & ~inner
    y, x = np.mgrid[:h, :w]
    to_south, to_north = h - 1 - y, y
    to_end = np.minimum(x, w - 1 - x)
    south = rim & (to_south <= to_end) & (to_south < to_north)
    north = rim & (to_north <= to_end) & (to_north <= to_south)
    return south, north, rim & ~south & ~north


def sides_of(one: Mask, edge: list[int]) -> tuple[Mask, Mask]:
    """Divide a hand into South's part and North's: by the long edge it crosses; if it crosses both, it is two hands
    that touch."""
    south, north, _ = edge
    none = np.zeros_like(one)
    half = one.shape[0] // 2
    if min(south, north) > REGION.both_sides * max(south, north):
        upper = one.copy()
        upper[half:] = False
        return one & ~upper, upper
    if south == north == 0:  # it came round the board's end: decide by the half it is in at the edge
        y = np.nonzero(one)[0]
        return (one, none) if y.mean() >= half else (none, one)
    return (one, none) if south >= north else (none, one)
