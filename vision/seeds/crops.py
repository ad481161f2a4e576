"""Every pit cut out and rectified to one size, for the counter."""

import math
from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.geometry import pit_affines
from vision.board.lattice import ring_order
from vision.reading import BoardView

Image = NDArray[np.uint8]
Array = NDArray[np.float64]

SIZE = 80
"""Pixels of a side of what the network looks at."""
FINE = 160
"""Pixels of a side of what is cut out of a frame for the reader, which may look closer at what lies in a pit."""
MARGIN = 1.25
"""Half a side of what is cut out, in radii of its pit."""
MAX_SUPERSAMPLING = 8
"""Places of a pixel's side, at the most, at which a finer picture is sampled for it."""


def crop_view(image: Image, view: BoardView, size: int = FINE, margin: float = MARGIN,
              only: NDArray[np.bool_] | None = None) -> Image:
    """Return uint8[pits, size, size, 3], the pits in ring order, each rectified to a circle of radius `size / 2 /
    margin`. only: bool[pits], which pits; None for all. The crop's x axis is the board's, so a pit looks the same
    whichever way the board lies in the picture. Outside the picture its edge pixels are repeated. Raises ValueError for
    a picture that is not uint8[h, w, 3]."""
    affines = pit_affines(view)
    order = [rc for k, rc in enumerate(ring_order(view.rows, view.cols)) if only is None or only[k]]
    return _crops(image, [(affines[rc], view.centres[rc]) for rc in order], size, margin)


def crop_circles(image: Image, circles: Iterable[tuple[float, float, float]], size: int = FINE,
                 margin: float = MARGIN, shapes: Array | None = None) -> Image:
    """Return uint8[n, size, size, 3]: what `crop_view` returns, for circles (x, y, r) in pixels, in the order given.
    shapes: float64[n, 2, 2], for circles seen at a slant: the map from the unit disc to each, in pixels (see
    `vision.board.handed.handed_shapes`). Raises ValueError for a radius that is not above zero."""
    pits = []
    for i, (x, y, r) in enumerate(circles):
        if not (r > 0 and math.isfinite(x + y + r)):
            raise ValueError(f"pit {i + 1}: x, y and r must be finite and r above zero, got {x:g},{y:g},{r:g}")
        pits.append((np.eye(2) * r if shapes is None else shapes[i], np.array([x, y], np.float64)))
    return _crops(image, pits, size, margin)


def circles_of(view: BoardView) -> list[tuple[float, float, float]]:
    """Return the pits of a board in ring order, each as a circle (x, y, r) of its size in the picture, pixels."""
    order = ring_order(view.rows, view.cols)
    return [(*view.centres[rc].tolist(), float(view.radii[rc])) for rc in order]


def _crops(image: Image, shapes: list[tuple[Array, Array]], size: int, margin: float) -> Image:
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
        raise ValueError(f"a picture is uint8[h, w, 3], got {image.dtype}{list(image.shape)}")
    out = np.empty((len(shapes), size, size, 3), np.uint8)
    for i, (affine, centre) in enumerate(shapes):
        out[i] = _crop(image, affine * (2 * margin / size), centre, size)
    return out


def _crop(image: Image, step: Array, centre: Array, size: int) -> Image:
    """Return one crop. step: float64[2, 2], the picture's pixels per pixel of the crop. A picture finer than the crop
    is sampled finer and averaged over areas, against aliasing."""
    fine = min(MAX_SUPERSAMPLING, max(1, math.ceil(float(np.linalg.norm(step, 2)) - 0.25)))
    a = step / fine
    middle = (size * fine - 1) / 2  # pixel centres lie at whole numbers
    m = np.hstack([a, (np.asarray(centre) - a @ (middle, middle))[:, None]])
    crop = cv2.warpAffine(image, m, (size * fine, size * fine), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
                          borderMode=cv2.BORDER_REPLICATE)
    if fine > 1:
        crop = cv2.resize(crop, (size, size), interpolation=cv2.INTER_AREA)
    return np.asarray(crop, np.uint8)
