"""Plane geometry: homographies, their local affine maps, and the board's circles seen as ellipses."""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.board.parameters import CAMERA
from vision.reading import BoardView

Array = NDArray[np.float64]


class Ellipse(NamedTuple):
    """Centre and half axes in pixels (rx ≥ ry); `angle` of the rx axis in degrees, clockwise in the picture."""

    x: float
    y: float
    rx: float
    ry: float
    angle: float


def project(h: NDArray[np.floating[Any]], points: ArrayLike) -> Array:
    """float64[…, 2] points through the homography `h` (float64[3, 3])."""
    p: Array = np.asarray(points, np.float64)
    q = p @ h[:, :2].T + h[:, 2]
    return np.asarray(q[..., :2] / q[..., 2:], np.float64)


def jacobian(h: Array, points: ArrayLike) -> Array:
    """float64[…, 2, 2], the derivative of the homography at each point, which says how it stretches a small circle
    there."""
    p: Array = np.asarray(points, np.float64)
    q = p @ h[:, :2].T + h[:, 2]
    xy, w = q[..., :2] / q[..., 2:], q[..., 2]
    return np.asarray((h[:2, :2] - xy[..., :, None] * h[2, :2]) / w[..., None, None], np.float64)


def fit_homography(source: ArrayLike, target: ArrayLike, weights: ArrayLike | None = None) -> Array:
    """The least-squares homography from `source` to `target` (float64[n, 2], n ≥ 4), by normalised DLT after Hartley.

    Raises ValueError if the points do not determine one.
    """
    a, b = np.asarray(source, np.float64), np.asarray(target, np.float64)
    if len(a) < 4 or a.shape != b.shape:
        raise ValueError(f"a homography needs four pairs of points or more, got {len(a)} and {len(b)}")
    w = np.ones(len(a)) if weights is None else np.asarray(weights, np.float64)
    h: Array = fit_homographies(a[None], b[None], w[None])[0]
    if np.isnan(h[0, 0]):
        raise ValueError("the points do not determine a homography: too many lie on one line, or it would fold the"
                         " plane")
    return h


def fit_homographies(sources: Array, targets: Array, weights: Array) -> Array:
    """float64[m, 3, 3], the homography of each of m sets of points, as in `fit_homography`; NaN where the points do not
    determine one.

    sources, targets: float64[m, n, 2], n ≥ 4. weights: float64[m, n], 0 for points that only pad a shorter set.
    """
    (a, ta), (b, tb) = (_normalised(p, weights > 0) for p in (sources, targets))
    places = np.concatenate([a, np.ones((*a.shape[:2], 1))], 2)
    rows = np.zeros((*a.shape[:2], 2, 9))
    rows[:, :, 0, :3] = rows[:, :, 1, 3:6] = places
    rows[..., 6:] = -b[..., None] * places[:, :, None]
    rows *= weights[..., None, None]
    _, s, vt = np.linalg.svd(rows.reshape(len(a), -1, 9), full_matrices=a.shape[1] == 4)
    g = vt[:, -1].reshape(-1, 3, 3)
    h = np.linalg.inv(tb) @ g @ ta
    poor = (s[:, 7] < 1e-9 * s[:, 0]) | (np.abs(h[:, 2, 2]) < 1e-12) | (np.abs(np.linalg.det(g)) < 1e-9)
    return np.asarray(np.where(poor, np.nan, h.T / np.where(poor, 1.0, h[:, 2, 2])).T, np.float64)


def _normalised(points: Array, there: NDArray[np.bool_]) -> tuple[Array, Array]:
    """Move and scale each of m sets of points, float64[m, n, 2], to mean 0 and a mean distance of √2 from the origin;
    also return the matrices that do so, float64[m, 3, 3]. there: bool[m, n], the points that count."""
    n = there.sum(1)
    middle = (points * there[..., None]).sum(1) / n[:, None]
    off = points - middle[:, None]
    scale = math.sqrt(2) / np.maximum((np.sqrt((off**2).sum(2)) * there).sum(1) / n, 1e-12)
    t = np.zeros((len(points), 3, 3))
    t[:, 0, 0] = t[:, 1, 1] = scale
    t[:, :2, 2] = -scale[:, None] * middle
    t[:, 2, 2] = 1
    return off * scale[:, None, None], t


def ellipse_of(a: Array, centre: ArrayLike, radius: float = 1.0) -> Ellipse:
    """Return the image of a circle about `centre` under the local affine map `a` (float64[2, 2])."""
    u, s, _ = np.linalg.svd(a)
    x, y = np.asarray(centre, np.float64)
    return Ellipse(float(x), float(y), float(s[0] * radius), float(s[1] * radius),
                   math.degrees(math.atan2(u[1, 0], u[0, 0])))


def camera_columns(h: Array, size: tuple[int, int], focal: float = CAMERA.focal) -> tuple[Array, Array]:
    """The board's x and y axes in camera space, for an ideal camera whose optical axis meets the picture's middle.

    size: (width, height) of the picture. On a real board the axes are at right angles and as long as a board unit along
    x and y: this tells a lattice of true columns from a sheared one, and gives the row pitch in column pitches.
    """
    w, t = size
    f = focal * max(w, t)
    k = np.array([[1 / f, 0, -w / (2 * f)], [0, 1 / f, -t / (2 * f)], [0, 0, 1]])
    m = k @ h
    return np.asarray(m[:, 0], np.float64), np.asarray(m[:, 1], np.float64)


def pit_places(view: BoardView) -> Array:
    """float64[rows, cols, 2], the pits' centres in board units."""
    return project(np.linalg.inv(view.homography), view.centres)


def pit_affines(view: BoardView) -> Array:
    """Local affine maps from the unit disc to each pit, in pixels: float64[rows, cols, 2, 2].

    The columns of each matrix are the pit's half axes along the board's x and y. The homography gives shape and
    orientation, the pit's own radius the size.
    """
    a = jacobian(view.homography, pit_places(view))
    size = np.sqrt(np.abs(np.linalg.det(a)))
    return np.asarray(a * (view.radii / size)[..., None, None], np.float64)


def flattest(shapes: Array) -> float:
    """The shorter half axis of the flattest pit, divided by its longer one; 1 if all pits are round. shapes: float64[…,
    2, 2], from the unit disc to each pit."""
    axes = np.linalg.svd(shapes, compute_uv=False)
    return float((axes[..., 1] / axes[..., 0]).min())


def pit_ellipses(view: BoardView) -> list[list[Ellipse]]:
    """Every pit's rim as the picture shows it, by row and column."""
    a = pit_affines(view)
    return [[ellipse_of(a[r, c], view.centres[r, c]) for c in range(view.cols)] for r in range(view.rows)]


def board_box(view: BoardView, margin: float = 0.8) -> Array:
    """float64[4, 2], corners of the pits' field in board units: North-left, North-right, South-right, South-left. It
    reaches `margin` beyond the outermost centres."""
    p = pit_places(view).reshape(-1, 2)
    (x0, y0), (x1, y1) = p.min(0) - margin, p.max(0) + margin
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
