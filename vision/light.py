"""The light over the board: by how much it is another one than in the reference, in every part of the canvas.

Light multiplies what lies there. In the logarithm of light it adds something smooth, and the fine structure (grain,
rims, edges) stays what it was; a hand puts a structure of its own in the place of the board's. So where the fine
structure of frame and reference agree, by their local normalised cross-correlation (Lewis 1995, "Fast normalized
cross-correlation"), the difference between the two is the light's doing, and tells it for what lies about. The edge of
a hard shade lies between two such lights, and is a mixture of both.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Float = NDArray[np.float32]
Mask = NDArray[np.bool_]

FINE = 9
"""Canvas pixels across which the mean is taken off, so that the fine structure is left."""
WINDOW = 13
"""Canvas pixels across which the structure is compared: most of a pit's rim and what lies beside it."""
ALIKE = 0.8
"""Correlation from which on the board's structure shows through: that of skin and board is 0 on the average."""
FAINTEST = 0.02
"""Spread (natural log of light) of a structure in the reference that can be told from noise; and so many times the
frames' noise."""
TIMES_NOISE = 1.0
CONTRAST = (0.35, 2.5)
"""Times as strong as in the reference that a structure may be which is the same: light from another side raises or
lowers it, and a brightness added to every level, as by a mist on the lens, lowers it."""
NEAR, WIDE = 9, 41
"""Canvas pixels across which the light is averaged where much of the structure shows through, and where little does."""
ENOUGH, PRIOR = 0.3, 0.1
"""Share of what lies near that has to show through for it alone to tell the light; and the weight, as such a share, of
the whole board's light."""
REACH = 17
"""Canvas pixels across which two lights may meet: the edge of a shade, which the correlation does not see."""
APART = 0.15
"""Difference (natural log of light) from which on two lights that meet are two."""


def shows_through(now: Float, reference: Float, noise: float) -> Mask:
    """bool[h, w], where the structure of the reference shows through. now, reference: float32[h, w], the mean of the
    colours; noise: of a frame, all in natural log of light."""
    a, b = (x - cv2.blur(x, (FINE, FINE), borderType=cv2.BORDER_REFLECT) for x in (now, reference))
    both, ours, theirs = (cv2.blur(x, (WINDOW, WINDOW), borderType=cv2.BORDER_REFLECT) for x in (a * b, a * a, b * b))
    plain = theirs > max(FAINTEST, TIMES_NOISE * noise) ** 2
    low, high = CONTRAST
    same = (ours > low**2 * theirs) & (ours < high**2 * theirs)
    alike = both > ALIKE * np.sqrt(np.maximum(ours * theirs, 1e-12))
    return np.asarray(plain & same & alike, np.bool_)


def light_over(difference: Float, shown: Mask, usual: Float) -> Float:
    """float32[h, w, 3], the light's part of a difference float32[h, w, 3] between frame and reference, natural log.

    shown: bool[h, w], where it is nothing but light. usual: float32[3], the whole board's.
    """
    weight = shown.astype(np.float32)
    told = np.where(shown[..., None], difference, np.float32(0))
    near, share = _mean_about(told, NEAR), _mean_about(weight, NEAR)[..., None]
    wide, far = _mean_about(told, WIDE), _mean_about(weight, WIDE)[..., None]
    broad = (wide + np.float32(PRIOR) * usual) / (far + np.float32(PRIOR))
    sure = np.minimum(share / np.float32(ENOUGH), 1)
    field = sure * near / np.maximum(share, np.float32(1e-6)) + (1 - sure) * broad
    return _between(difference, shown, np.asarray(field, np.float32))


def _between(difference: Float, shown: Mask, field: Float) -> Float:
    """The light, where two lights meet their mixture that is nearest to what is seen, the same in every colour."""
    square = np.ones((REACH, REACH), np.uint8)
    low = cv2.erode(np.where(shown[..., None], field, np.float32(9)), square)
    high = cv2.dilate(np.where(shown[..., None], field, np.float32(-9)), square)
    span = high - low
    mean_span = span.mean(axis=2)
    meet = (mean_span > APART) & ~shown
    if not meet.any():
        return field
    seen = cv2.blur(difference, (3, 3))
    part = np.clip((seen - low).mean(axis=2) / np.maximum(mean_span, np.float32(1e-6)), 0, 1)
    return np.asarray(np.where(meet[..., None], low + part[..., None] * span, field), np.float32)


def _mean_about(picture: Float, across: int) -> Float:
    return np.asarray(cv2.blur(picture, (across, across), borderType=cv2.BORDER_REFLECT), np.float32)
