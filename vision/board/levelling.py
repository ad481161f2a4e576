"""Levelling: redraws a board seen at a slant as if the camera looked straight down on it.

In the levelled picture pits are round and alike, columns even, and far pits as large as near ones, so the search for
round pits at even steps can be repeated there.
"""

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.geometry import jacobian, pit_affines, pit_places, project
from vision.board.parameters import CAMERA, LEVELLING
from vision.reading import BoardView

__all__ = ["Level", "guessed", "level_on", "slant"]

Image = NDArray[np.uint8]
Array = NDArray[np.float64]

NOTHING = np.zeros((0, 2))


@dataclass(frozen=True, slots=True)
class Level:
    """How a picture is levelled; nothing is drawn yet. matrix: float64[3, 3], from pixels of the picture to those of
    the levelled one. size: (width, height) of the levelled one."""

    matrix: Array
    size: tuple[int, int]

    def draw(self, image: Image) -> Image:
        """uint8[h, w, 3], the levelled picture; outside the original picture it is grey."""
        drawn = cv2.warpPerspective(image, self.matrix, self.size, flags=cv2.INTER_LINEAR,
                                    borderMode=cv2.BORDER_CONSTANT, borderValue=np.median(image, (0, 1)).tolist())
        return np.asarray(drawn, np.uint8)

    def back(self, view: BoardView, size: tuple[int, int]) -> BoardView:
        """Map a board found in the levelled picture back to the original one, of size (width, height)."""
        h: Array = np.asarray(np.linalg.inv(self.matrix), np.float64)
        centres = project(h, view.centres)
        radii = view.radii * _scale(h, view.centres)
        g: Array = np.asarray(h @ view.homography, np.float64)
        stores = []
        for x, y, rx, ry in view.stores:
            k = float(_scale(h, np.array([x, y])))
            at = project(h, (x, y))
            stores.append((float(at[0]), float(at[1]), rx * k, ry * k))
        over = (centres - 0.75 * radii[..., None] < 0) | (centres + 0.75 * radii[..., None] > np.asarray(size))
        return replace(view, centres=centres, radii=radii, homography=g / g[2, 2], picture_size=size,
                       stores=tuple(stores), cut=bool(over.any()))


def _scale(h: Array, at: Array) -> Array:
    """float64[…], by how much lengths grow at each place, as the geometric mean of both directions."""
    return np.asarray(np.sqrt(np.abs(np.linalg.det(jacobian(h, at)))), np.float64)


def slant(view: BoardView) -> float:
    """How strongly a board is seen at a slant; 1 if seen straight. The greater of two ratios: of the longer axis to the
    shorter one in the flattest pit, and of the nearest pit's size to the farthest pit's."""
    s = np.linalg.svd(pit_affines(view), compute_uv=False)
    size = np.sqrt(s[..., 0] * s[..., 1])
    return float(max((s[..., 0] / s[..., 1]).max(), size.max() / size.min()))


def level_on(view: BoardView, more: Array = NOTHING) -> Level | None:
    """Level the picture on a board or a supposed board; None if its plane cannot be determined.

    more: float64[n, 2], pixels, other possible pits: the levelled picture includes those in line with the board's rows.
    """
    p = pit_places(view).reshape(-1, 2)
    low, high = p.min(0), p.max(0)
    back = np.linalg.inv(view.homography)
    ahead = (more @ back[2, :2] + back[2, 2]) * (view.centres[0, 0] @ back[2, :2] + back[2, 2]) > 0
    q = project(back, more[ahead])
    reach = np.array([LEVELLING.reach_along, LEVELLING.reach_across])
    q = q[((q > low - reach) & (q < high + reach)).all(1)]
    low, high = np.vstack([low, q]).min(0), np.vstack([high, q]).max(0)
    room = np.array([LEVELLING.room_along, LEVELLING.room_across])
    rooms = (room * k for k in (1.0, 0.6, 0.3))
    return next((level for room in rooms if (level := _window(view.homography, low - room, high + room, p.mean(0)))),
                None)


def guessed(part: tuple[float, float, float, float], size: tuple[int, int], tilt: float,
            focal: float = CAMERA.focal) -> Level | None:
    """Level a part of a picture as if an upright camera looked down at it from the front.

    part: left, top, right, bottom, pixels. tilt: radians off the plumb. focal: focal length, in longer picture sides.
    """
    w, h = size
    f = focal * max(w, h)
    # The plane's axes in camera space; its middle lies one focal length away.
    m = np.array([[1.0, 0, 0], [0, math.cos(tilt), 0], [0, -math.sin(tilt) / f, 1.0]])
    plane = np.array([[1, 0, w / 2], [0, 1, h / 2], [0, 0, 1.0]]) @ m
    left, top, right, bottom = part
    corners = project(np.linalg.inv(plane), [(left, top), (right, top), (right, bottom), (left, bottom)])
    return _window(plane, corners.min(0), corners.max(0), corners.mean(0))


def _window(plane: Array, low: Array, high: Array, middle: Array) -> Level | None:
    """Return a rectangle of a plane as a picture, or None. plane: float64[3, 3], from its units to pixels."""
    w = np.array([[x, y, 1.0] for x in (low[0], high[0]) for y in (low[1], high[1])]) @ plane[2]
    at = float(np.append(middle, 1.0) @ plane[2])
    if (w * np.sign(at)).min() < abs(at) / LEVELLING.farthest:
        return None
    corners = np.array([[x, y] for x in (low[0], high[0]) for y in (low[1], high[1])])
    span = high - low
    fine = float(_scale(plane, corners).max())
    scale = min(fine, LEVELLING.longest_side / float(span.max()))
    size = np.maximum(np.ceil(span * scale), 8).astype(int)
    shift = np.array([[scale, 0, -low[0] * scale], [0, scale, -low[1] * scale], [0, 0, 1.0]])
    return Level(shift @ np.linalg.inv(plane), (int(size[0]), int(size[1])))
