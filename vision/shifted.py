"""By how much the board's edges have shifted on the canvas."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.canvas import Canvas

Float = NDArray[np.float32]


def edges(grey: Float, canvas: Canvas) -> Float:
    """float32[h, w], edges of the ridge and rims alone, pits' insides left out, fading towards the canvas's edge."""
    g = grey - cv2.blur(grey, (15, 15), borderType=cv2.BORDER_REFLECT)
    gx, gy = cv2.Sobel(g, cv2.CV_32F, 1, 0, ksize=3), cv2.Sobel(g, cv2.CV_32F, 0, 1, ksize=3)
    e = np.minimum(np.sqrt(gx * gx + gy * gy), 1.5)
    return np.asarray(np.where(canvas.valid, e, 0), np.float32)


def shifted(now: Float, then: Float) -> tuple[float, float, float]:
    """dx, dy in pixels from `then` to `now`, and how sure. What OpenCV finds between a picture and itself is taken off.
    """
    window = cv2.createHanningWindow((now.shape[1], now.shape[0]), cv2.CV_32F)
    (dx, dy), sure = cv2.phaseCorrelate(then, now, window)
    (bx, by), _ = cv2.phaseCorrelate(then, then, window)
    return float(dx - bx), float(dy - by), float(sure)
