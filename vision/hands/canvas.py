"""The canvas: the board laid flat and small, watched for hands, with its zones labelled."""

import math
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.geometry import board_box, pit_places, project
from vision.board.lattice import ring_order
from vision.hands.parameters import CANVAS
from vision.reading import BoardView

Array = NDArray[np.float64]
Float = NDArray[np.float32]
Image = NDArray[np.uint8]

UNIT = 16
"""Canvas pixels per column pitch; a finger is about five of them wide."""


class Canvas:
    """A rectified view of the board and its close surroundings; row 0 is North's.

    pits: int16[h, w], ring number of the pit that a pixel lies in, -1 outside. rims: the same for the band just outside
    every pit. within: the same for each pit together with the zone onto which its seeds may reflect light; about: the
    same for the band beyond that zone. Both assign a pixel to the nearest pit. ridge: bool[h, w], the board's surface
    between and about the pits, which play does not change. strips: int16[h, w], 0 on the ridge, -1 in the pits, and
    beside the board a number for every line along its edge. field: bool[h, w], the board's area; shares of the board
    are shares of it. valid: bool[h, w], the part of the canvas that the picture shows.
    """

    def __init__(self, view: BoardView, margin: float = 0.7) -> None:
        """view: the board, oriented. margin: width of the border round the pits' rims, in board units."""
        box = board_box(view, view.pit_radius + margin)
        self.width, self.height = (math.ceil(float(s) * UNIT) for s in box[2] - box[0])
        from_canvas = np.array([[1 / UNIT, 0, box[0, 0]], [0, 1 / UNIT, box[0, 1]], [0, 0, 1.0]])
        h = view.homography @ from_canvas
        corners = project(h, [[0, 0], [self.width, 0], [self.width, self.height], [0, self.height]])
        low = np.floor(np.maximum(corners.min(0), 0)).astype(int)
        high = np.ceil(np.minimum(corners.max(0), view.picture_size)).astype(int)
        self._box = (int(low[0]), int(low[1]), max(int(high[0]), int(low[0]) + 2), max(int(high[1]), int(low[1]) + 2))
        finest = float(np.median(view.radii)) / view.pit_radius / UNIT
        self._halvings = max(0, math.floor(math.log2(finest / 1.2)))
        self._shrink = 2 ** self._halvings
        to_small = np.array([[1, 0, -float(low[0])], [0, 1, -float(low[1])], [0, 0, self._shrink]])
        to_small[0, 2] -= (self._shrink - 1) / 2
        to_small[1, 2] -= (self._shrink - 1) / 2
        self._to_small = (to_small @ h).astype(np.float64)
        self._label(view, box)
        x, y = np.meshgrid(np.arange(self.width), np.arange(self.height))
        at = project(h, np.stack([x, y], -1))
        self.valid = np.asarray(((at >= 0) & (at <= np.asarray(view.picture_size) - 1)).all(-1), np.bool_)
        self.ridge = np.asarray(self.field & (self.pits < 0) & self.valid, np.bool_)
        self.strips = self._strips()
        self.patch = self._sharp_patch(view)

    def _label(self, view: BoardView, box: Array) -> None:
        x, y = np.meshgrid(np.arange(self.width) / UNIT + box[0, 0], np.arange(self.height) / UNIT + box[0, 1])
        self.pits = np.full(x.shape, -1, np.int16)
        self.rims, self.within, self.about = (np.full(x.shape, -1, np.int16) for _ in range(3))
        where = pit_places(view)
        nearest = np.full(x.shape, np.inf)
        for number, (r, c) in enumerate(ring_order(view.rows, view.cols)):
            d = np.hypot(x - where[r, c, 0], y - where[r, c, 1]) / view.pit_radius
            self.pits[d < CANVAS.pit_edge] = number
            self.rims[(d >= CANVAS.pit_edge) & (d < CANVAS.rim_edge) & (d < nearest)] = number
            off = (d - CANVAS.pit_edge) * view.pit_radius * UNIT
            self.within[(off < CANVAS.about_begins) & (d < nearest)] = number
            self.about[(off >= CANVAS.about_begins) & (off < CANVAS.about_ends) & (d < nearest)] = number
            nearest = np.minimum(nearest, d)
        low, high = where.reshape(-1, 2).min(0), where.reshape(-1, 2).max(0)
        reach = view.pit_radius + CANVAS.field_margin
        self.field = np.asarray((x > low[0] - reach) & (x < high[0] + reach)
                                      & (y > low[1] - reach) & (y < high[1] + reach), np.bool_)
        self.rims[self.pits >= 0] = -1
        self.about[self.within >= 0] = -1

    def _strips(self) -> NDArray[np.int16]:
        y, x = np.mgrid[:self.height, :self.width]
        rows, cols = (np.asarray(self.field.any(axis=k), np.bool_) for k in (1, 0))
        strips = np.where(rows[:, None], np.where(cols, 0, 1 + self.height + x), 1 + y)
        return np.where(self.valid & (self.pits < 0), strips, -1).astype(np.int16)

    def _sharp_patch(self, view: BoardView) -> tuple[int, int, int, int]:
        """x0, y0, x1, y1 in the picture: a patch about the middle of the board, at most 240 pixels across."""
        w, h = view.picture_size
        middle = view.centres.reshape(-1, 2).mean(0)
        half = min(120.0, 1.3 * float(np.median(view.radii)) / view.pit_radius)
        x0, y0 = (max(0, int(m - half)) for m in middle)
        return x0, y0, min(w, int(middle[0] + half)), min(h, int(middle[1] + half))

    def flat(self, image: Image) -> Float:
        """float32[h, w, 3], the canvas of a picture as the logarithm of light, area-averaged and lightly smoothed."""
        x0, y0, x1, y1 = self._box
        part: NDArray[Any] = image[y0:y1, x0:x1]
        k = self._shrink
        part = part[:max(k, part.shape[0] // k * k), :max(k, part.shape[1] // k * k)]
        for _ in range(self._halvings):  # four times as fast as one step by three, twice as fast as one by five
            part = cv2.resize(part, (part.shape[1] // 2, part.shape[0] // 2), interpolation=cv2.INTER_AREA)
        small = cv2.warpPerspective(part, self._to_small, (self.width, self.height),
                                    flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE)
        small = cv2.GaussianBlur(small, (3, 3), 0)
        return np.asarray(np.log(small.astype(np.float32) + np.float32(CANVAS.light_floor_grey)), np.float32)
