"""Measures how far the board's edges have shifted on the canvas."""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.hands.canvas import UNIT, Canvas
from vision.hands.parameters import SHIFT
from vision.hands.pixels import mean_of
from vision.reading import BoardView

Float = NDArray[np.float32]



def edges(grey: Float, canvas: Canvas) -> Float:
    """float32[h, w], edges of the ridge and rims, without the pits' insides, fading towards the canvas's edge."""
    g = grey - cv2.blur(grey, (15, 15), borderType=cv2.BORDER_REFLECT)
    gx, gy = cv2.Sobel(g, cv2.CV_32F, 1, 0, ksize=3), cv2.Sobel(g, cv2.CV_32F, 0, 1, ksize=3)
    e = np.minimum(np.sqrt(gx * gx + gy * gy), SHIFT.strongest_edge)
    return np.asarray(np.where(canvas.valid, e, 0), np.float32)


def shifted(now: Float, then: Float) -> tuple[float, float, float]:
    """Return dx, dy in pixels from `then` to `now`, and how sure they are. OpenCV's bias between identical pictures is
    subtracted."""
    window = _window(now.shape[1], now.shape[0])
    (dx, dy), sure = cv2.phaseCorrelate(then, now, window)
    (bx, by), _ = cv2.phaseCorrelate(then, then, window)
    return float(dx - bx), float(dy - by), float(sure)


@dataclass(frozen=True, slots=True)
class Displaced:
    """The board's displacement. shift: board units along x and y, and the turn in board units at one unit's distance;
    elsewhere: whether the board lies elsewhere, as far as one frame can tell."""

    shift: tuple[float, float, float]
    elsewhere: bool


def displaced(now: Float, then: Float, canvas: Canvas) -> Displaced:
    """Measure how far the board has shifted on the canvas, by the edges of its ridge; if these look unchanged, the
    shift is zero. now, then: float32[h, w], the canvas in grey, as the logarithm of light."""
    now, then = edges(now, canvas), edges(then, canvas)
    alike = float((now * then).sum() / (np.sqrt((now**2).sum() * (then**2).sum()) + 1e-9))
    if alike >= SHIFT.alike:
        return Displaced((0.0, 0.0, 0.0), False)
    half = canvas.width // 2
    parts = [shifted(now[:, s], then[:, s]) for s in (slice(0, half), slice(half, None))]
    trusted = [(x, y) for x, y, sure in parts if sure > SHIFT.trusted]
    shift = (0.0, 0.0, 0.0)
    if trusted:
        dx, dy = (float(np.mean([p[k] for p in trusted])) / UNIT for k in (0, 1))
        turn = (trusted[1][1] - trusted[0][1]) / half if len(trusted) == 2 else 0.0
        shift = (dx, dy, float(turn))
    off = max((float(np.hypot(*p)) / UNIT for p in trusted), default=0.0)
    plainly = all(sure > SHIFT.plain and np.hypot(x, y) > SHIFT.moved_plainly * UNIT for x, y, sure in parts)
    return Displaced(shift, off > SHIFT.moved or plainly or alike < SHIFT.unlike)


def lies_elsewhere(view: BoardView, then: NDArray[np.uint8], now: NDArray[np.uint8]) -> bool:
    """Whether a board at `view` in the picture `then`, uint8[h, w, 3], lies elsewhere in `now`, of the same size."""
    canvas = Canvas(view)
    return displaced(mean_of(canvas.flat(now)), mean_of(canvas.flat(then)), canvas).elsewhere


@lru_cache(maxsize=4)
def _window(width: int, height: int) -> Float:
    return np.asarray(cv2.createHanningWindow((width, height), cv2.CV_32F), np.float32)
