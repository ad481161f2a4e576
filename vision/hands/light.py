"""The light over the board: how it differs from the reference's light in every part of the canvas.

Light multiplies what lies there. In the logarithm of light it adds something smooth, and the fine structure (grain,
rims, edges) stays; a hand replaces the board's structure by its own. So where the fine structures of frame and
reference agree, by their local normalised cross-correlation (Lewis 1995, "Fast normalized cross-correlation"), their
difference is due to light, and gives the light of the surroundings, too. The edge of a hard shadow lies between two
such lights and is a mixture of both.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.hands.parameters import LIGHT

Float = NDArray[np.float32]
Mask = NDArray[np.bool_]



def shows_through(now: Float, reference: Float, noise: float) -> Mask:
    """bool[h, w], where the structure of the reference shows through. now, reference: float32[h, w], means of the
    colours; noise: of a frame; all in natural log of light."""
    a, b = (x - _mean_about(x, LIGHT.fine) for x in (now, reference))
    both, ours, theirs = (_mean_about(x, LIGHT.window) for x in (a * b, a * a, b * b))
    plain = theirs > max(LIGHT.faintest, LIGHT.faintest_in_noise * noise) ** 2
    low, high = LIGHT.least_contrast, LIGHT.most_contrast
    same = (ours > low**2 * theirs) & (ours < high**2 * theirs)
    alike = both > LIGHT.alike * np.sqrt(np.maximum(ours * theirs, 1e-12))
    return np.asarray(plain & same & alike, np.bool_)


def light_over(difference: Float, shown: Mask, usual: Float) -> Float:
    """float32[h, w, 3], the light's part of a difference float32[h, w, 3] between frame and reference, natural log.

    shown: bool[h, w], where the difference is light alone. usual: float32[3], the whole board's.
    """
    weight = shown.astype(np.float32)
    told = np.where(shown[..., None], difference, np.float32(0))
    near, share = _mean_about(told, LIGHT.near), _mean_about(weight, LIGHT.near)[..., None]
    wide, far = _mean_about(told, LIGHT.wide), _mean_about(weight, LIGHT.wide)[..., None]
    broad = (wide + np.float32(LIGHT.board_weight) * usual) / (far + np.float32(LIGHT.board_weight))
    sure = np.minimum(share / np.float32(LIGHT.enough), 1)
    field = sure * near / np.maximum(share, np.float32(1e-6)) + (1 - sure) * broad
    return _between(difference, shown, np.asarray(field, np.float32))


def _between(difference: Float, shown: Mask, field: Float) -> Float:
    """Return the light; where two lights meet, the mixture of them nearest to what is seen, equal for all colours."""
    square = np.ones((LIGHT.edge_reach, LIGHT.edge_reach), np.uint8)
    low = cv2.erode(np.where(shown[..., None], field, np.float32(9)), square)
    high = cv2.dilate(np.where(shown[..., None], field, np.float32(-9)), square)
    span = high - low
    mean_span = span.mean(axis=2)
    meet = (mean_span > LIGHT.apart) & ~shown
    if not meet.any():
        return field
    seen = cv2.blur(difference, (3, 3))
    part = np.clip((seen - low).mean(axis=2) / np.maximum(mean_span, np.float32(1e-6)), 0, 1)
    return np.asarray(np.where(meet[..., None], low + part[..., None] * span, field), np.float32)


def _mean_about(picture: Float, across: int) -> Float:
    """The mean about every pixel, in a square of `across` pixels."""
    return np.asarray(cv2.blur(picture, (across, across), borderType=cv2.BORDER_REFLECT), np.float32)
