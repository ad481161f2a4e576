"""Boards for the tests of this room: a plane board seen by an ideal camera."""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.geometry import jacobian, project
from vision.reading import BoardView

Array = NDArray[np.float64]
Image = NDArray[np.uint8]


def camera(size: tuple[int, int], turn: float, tilt: float, way: float, span: float, middle: Array,
           focal: float = 1.2) -> Array:
    """float64[3, 3], board units → pixels. turn: of the board in the picture; tilt: of the camera away from the
    vertical, towards `way` (degrees). span: board units that the picture's width shows. middle: what it looks at."""
    w, h = size
    f = focal * max(w, h)
    t, p, q = (math.radians(v) for v in (tilt, way, turn))
    rz = _about_z(q)
    ry = np.array([[math.cos(t), 0, math.sin(t)], [0, 1, 0], [-math.sin(t), 0, math.cos(t)]])
    r = _about_z(p) @ ry @ _about_z(-p) @ rz
    z = f * span / w
    shift = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, 1.0]])
    k = np.array([[f, 0, (w - 1) / 2], [0, f, (h - 1) / 2], [0, 0, 1.0]])
    m = k @ np.column_stack([r[:, 0], r[:, 1], [0, 0, z]]) @ shift
    return np.asarray(m / m[2, 2], np.float64)


def _about_z(a: float) -> Array:
    return np.array([[math.cos(a), -math.sin(a), 0], [math.sin(a), math.cos(a), 0], [0, 0, 1]])


def places(rows: int, cols: int, pitch: float = 1.0, gap: float = 0.0, row_gap: float = 0.0) -> Array:
    """float64[rows, cols, 2], the pits' places in board units: rows `pitch` apart, a hinge's `gap` between the middle
    columns, `row_gap` between the middle rows."""
    x = np.arange(cols, dtype=np.float64)
    x[(cols + 1) // 2:] += gap
    y = np.arange(rows, dtype=np.float64) * pitch
    y[rows // 2:] += row_gap
    return np.stack(np.meshgrid(x, y), -1)


def view_of(h: Array, where: Array, pit_radius: float, size: tuple[int, int]) -> BoardView:
    """The true view of pits at `where` (float64[rows, cols, 2], board units) under the homography `h`."""
    radii = pit_radius * np.sqrt(np.abs(np.linalg.det(jacobian(h, where))))
    return BoardView(where.shape[0], where.shape[1], project(h, where), radii, h, pit_radius, size)


def paint(view: BoardView, where: Array, *, seeds: int = 0, noise: float = 3.0,
          table: tuple[int, int, int] = (150, 160, 165),
          wood: tuple[int, int, int] = (70, 110, 160), light: float = 1.0, seed: int = 1) -> Image:
    """uint8[h, w, 3], the board painted flat: table, plank, pits with a shaded wall, `seeds` pale seeds a pit."""
    rng = np.random.default_rng(seed)
    w, h = view.picture_size
    picture = np.empty((h, w, 3), np.float64)
    picture[:] = table
    lo, hi = where.reshape(-1, 2).min(0) - 0.75, where.reshape(-1, 2).max(0) + 0.75
    plank = project(view.homography, [[lo[0], lo[1]], [hi[0], lo[1]], [hi[0], hi[1]], [lo[0], hi[1]]])
    cv2.fillConvexPoly(picture, np.round(plank * 16).astype(np.int32), wood, cv2.LINE_AA, 4)
    for x, y in where.reshape(-1, 2):
        for k in range(5):
            _disc(picture, view, (x + 0.02 * k, y + 0.02 * k), view.pit_radius * (1 - 0.12 * k),
                  tuple(v * (0.45 + 0.11 * k) for v in wood))
        for _ in range(seeds):
            a, d = rng.uniform(0, 2 * math.pi), view.pit_radius * 0.6 * math.sqrt(rng.uniform())
            tone = rng.uniform(0.8, 1.1)
            _disc(picture, view, (x + d * math.cos(a), y + d * math.sin(a)), view.pit_radius * 0.22,
                  (180 * tone, 205 * tone, 215 * tone))
    picture = picture * light
    if noise:
        picture += rng.normal(0, noise, picture.shape)
    return np.clip(picture, 0, 255).astype(np.uint8)


def _disc(picture: Array, view: BoardView, at: tuple[float, float], r: float, colour: tuple[float, ...]) -> None:
    t = np.linspace(0, 2 * math.pi, 40, endpoint=False)
    rim = project(view.homography, np.stack([at[0] + r * np.cos(t), at[1] + r * np.sin(t)], -1))
    cv2.fillPoly(picture, [np.round(rim * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)
