"""How every pit looks, coarsely: enough to tell whether something in a pit has changed."""

import math
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.geometry import pit_affines
from vision.board.lattice import ring_order
from vision.reading import BoardView
from vision.seeds.crops import MARGIN

CELLS = 16
"""Cells of a side of a pit's picture."""
SAMPLES = 3
"""Places of a cell's side at which it is sampled, in a picture that was made so much smaller that hardly any pixel is
left out."""


class CellSampler:
    """Samples the mean grey of each cell of each pit of one board: noise is averaged away, a seed is not.

    The pictures are those of `vision.seeds.crops.crop_view`, but all pits are sampled together from the grey picture:
    every frame pays for it.
    """

    def __init__(self, view: BoardView) -> None:
        """view: where the board lies, oriented."""
        side = CELLS * SAMPLES
        places = (np.arange(side) - (side - 1) / 2) * (2 * MARGIN / side)
        x, y = np.meshgrid(places, places)
        affines = pit_affines(view)
        at = np.array([np.stack([x, y], -1) @ affines[rc].T + view.centres[rc]
                       for rc in ring_order(view.rows, view.cols)])
        finest = 2 * MARGIN / side * float(np.median(view.radii))
        self._shrink = max(1, round(finest))
        size = np.asarray(view.picture_size)
        low = np.clip(np.floor(at.min((0, 1, 2))), 0, size - 2).astype(int)
        high = np.clip(np.ceil(at.max((0, 1, 2))) + 1 + self._shrink, low + 2, size).astype(int)
        self._box = (*low.tolist(), *high.tolist())
        small = (at - low - (self._shrink - 1) / 2) / self._shrink  # pixel centres lie at whole numbers
        flat = np.asarray(small.reshape(-1, side, 2), np.float32)
        self._maps = cv2.convertMaps(flat[..., 0], flat[..., 1], cv2.CV_16SC2)

    def of(self, image: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Return the cells, float32[pits, CELLS, CELLS], of a picture uint8[h, w, 3]; it has the size in which the
        board was found."""
        x0, y0, x1, y1 = self._box
        part: NDArray[Any] = cv2.cvtColor(image[y0:y1, x0:x1], cv2.COLOR_BGR2GRAY)
        if self._shrink > 1:
            size = [max(1, math.floor(n / self._shrink)) for n in part.shape]
            part = part[:size[0] * self._shrink, :size[1] * self._shrink]
            part = cv2.resize(part, (size[1], size[0]), interpolation=cv2.INTER_AREA)
        seen = cv2.remap(part, *self._maps, interpolation=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        cells = cv2.resize(seen, (CELLS, seen.shape[0] // SAMPLES), interpolation=cv2.INTER_AREA)
        return np.asarray(cells.reshape(-1, CELLS, CELLS), np.float32)
