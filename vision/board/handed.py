"""Shapes of pits given as circles by people: the ellipses that a board seen at a slant makes of them.

Unlike the proposals from rims and network, all these circles are pits and hardly one is missing. But their radii say
little about their distances: in a picture taken from low down they overlap. So rows are found one after the other from
the outside inwards, and one homography is fitted to all of them. No homography fits a board that sags: there the steps
between the pits give their shapes.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from vision.board.geometry import camera_columns, flattest, jacobian
from vision.board.lattice import SIZES
from vision.board.parameters import CAMERA, HANDED
from vision.board.row_pairs import Model, Trial, fit_trials, plausible

Array = NDArray[np.float64]
Numbers = NDArray[np.intp]

FOCALS = 29
"""Number of focal lengths tried, from half to twice the assumed one."""


def handed_shapes(circles: Sequence[tuple[float, float, float]], size: tuple[int, int]) -> Array:
    """float64[n, 2, 2], the map from the unit disc to each pit, in pixels, as in `vision.board.geometry.pit_affines`.

    circles: (x, y, r) of all known pits of one picture, pixels, in any order; r is the mean of a pit's half axes. size:
    (width, height) of the picture. A pit stays a circle (r times the identity) where no board of two or four rows
    explains all circles, or where the camera is high enough above for the pits to look round. A sagging board is tried
    only where the circles overlap.
    """
    c = np.array(circles, np.float64).reshape(-1, 3)
    as_circles = np.asarray(np.eye(2) * c[:, 2, None, None], np.float64)
    if not HANDED.least_pits <= len(c) <= HANDED.most_pits:
        return as_circles
    shapes = _on_a_board(c, size)
    if shapes is None and overlapping(circles, as_circles):
        shapes = _on_a_sagging_board(c)
    if shapes is None:
        return as_circles
    return shapes if flattest(shapes) < HANDED.round_from else as_circles


def overlapping(circles: Sequence[tuple[float, float, float]], shapes: Array) -> bool:
    """Whether circles overlap though `handed_shapes` left all of them round. Real pits do not, so some places or radii
    are wrong. shapes: the result of `handed_shapes`."""
    c = np.array(circles, np.float64).reshape(-1, 3)
    if len(c) < 2 or flattest(shapes) < 1 - 1e-9:
        return False
    i, j = np.triu_indices(len(c), 1)
    apart = np.hypot(*(c[i, :2] - c[j, :2]).T)
    return bool((apart < HANDED.beside * (c[i, 2] + c[j, 2])).any())


def _on_a_board(c: Array, size: tuple[int, int]) -> Array | None:
    """float64[n, 2, 2], the shapes of the circles as round pits of the board that explains them best, or None."""
    trials = [(loss, trial) for rows in _in_rows(c) for loss, trial in _trials(c, rows)]
    fits = [(error + loss, h, trial.where) for (loss, trial), (error, h)
            in zip(trials, fit_trials([trial for _, trial in trials]), strict=True) if error < HANDED.most_error]
    best, least = None, math.inf
    for loss, h, where in sorted(fits, key=lambda fit: fit[0]):
        if loss >= least:
            break
        unlikely, focal = _likeliest_lens(h, size)
        loss += HANDED.unlikely_loss * unlikely
        if loss < least and plausible(h, size, focal):
            best, least = (h, where, focal), loss
    return None if best is None else _round_pits(c, *best, size)


def _round_pits(c: Array, h: Array, where: Array, focal: float, size: tuple[int, int]) -> Array:
    """Return the ellipses that round pits make in the picture, float64[n, 2, 2], each as large as its circle in the
    mean. h: the board's homography; where: float64[n, 2], the pits' places in the lattice."""
    x, y = camera_columns(h, size, focal)
    return _sized(c, jacobian(h, where) @ np.diag([1.0, float(np.linalg.norm(x) / np.linalg.norm(y))]))


def _sized(c: Array, a: Array) -> Array:
    """float64[n, 2, 2], the same shapes turned the right way round, each scaled to the mean size of its circle."""
    a = a * (1.0, math.copysign(1.0, float(np.linalg.det(a[0]))))  # a board is never seen in a mirror
    a = a * math.copysign(1.0, float(a[:, 1, 1].mean()))  # South sits at the bottom
    return np.asarray(a * (c[:, 2] / np.linalg.svd(a, compute_uv=False).mean(1))[:, None, None], np.float64)


def _on_a_sagging_board(c: Array) -> Array | None:
    """float64[n, 2, 2], pixels, the shapes of the circles as pits of the bent lattice that fits best; its rows have
    equal lengths and even steps and are straight or bowed alike. None if no such lattice fits.

    The rows lie at their usual distance, or closer where the pits of a row would overlap.
    """
    best, least = None, HANDED.most_error
    for rows in (rows for bow in HANDED.bows for rows in _in_rows(_straightened(c, bow))):
        cols = len(rows[0])
        if any(len(row) != cols for row in rows) or cols not in SIZES[len(rows)]:
            continue
        order, col = np.concatenate(rows), np.tile(np.arange(float(cols)), len(rows))
        row, one, no = np.repeat(np.arange(float(len(rows))), cols), np.ones(len(c)), np.zeros(len(c))
        lattice = np.stack([one, col, row, col * row, col**2], -1)
        bent = np.linalg.lstsq(lattice, c[order, :2], rcond=None)[0]
        along, across = np.stack([no, one, no, row, 2 * col], -1) @ bent, np.stack([no, no, one, col, no], -1) @ bent
        step, pitch = np.hypot(*along.T), np.hypot(*across.T)
        error = float(np.sqrt((((lattice @ bent - c[order, :2]) / step[:, None]) ** 2).sum(1).mean()))
        if error < least and pitch.min() > 0:
            flat = np.clip(4 * c[order, 2] / step - 1, pitch / step / HANDED.row_pitch, 1.0)
            shapes = np.empty((len(c), 2, 2))
            shapes[order] = np.stack([along / step[:, None], across * (flat / pitch)[:, None]], -1)
            best, least = _sized(c, shapes), error
    return best


def _straightened(c: Array, bow: float) -> Array:
    """float64[n, 3], the circles after removing a bow of `bow` mean radii along their longest axis."""
    off = c[:, :2] - c[:, :2].mean(0)
    way = np.linalg.svd(off, full_matrices=False)[2][0]
    along = off @ way / max(float(np.abs(off @ way).max()), 1e-9)
    moved = (bow * c[:, 2].mean() * along**2)[:, None] * (-way[1], way[0])
    return np.concatenate([c[:, :2] + moved, c[:, 2:]], 1)


def _likeliest_lens(h: Array, size: tuple[int, int]) -> tuple[float, float]:
    """Return how unlikely the board under `h` is with its most likely lens (squared standard deviations), and that
    lens's focal length, in longer sides of the picture. Prior: rows and columns at right angles, the usual distance of
    rows, an ordinary lens."""
    def unlikely(focal: float) -> float:
        x, y = camera_columns(h, size, focal)
        lx, ly = float(np.linalg.norm(x)), float(np.linalg.norm(y))
        skew = float(x @ y) / (lx * ly) / HANDED.usual_skew
        lens = math.log(focal / CAMERA.focal) / HANDED.focal_spread
        return skew**2 + lens**2 + (math.log(ly / lx / HANDED.row_pitch) / HANDED.row_pitch_spread) ** 2

    return min((unlikely(f), f) for f in np.geomspace(CAMERA.focal / 2, CAMERA.focal * 2, FOCALS).tolist())


# ---- rows ----

def _in_rows(c: Array) -> list[list[Numbers]]:
    """Return every way found to divide the circles into two or four rows; each row is ordered along its length, all in
    the same direction."""
    found: dict[frozenset[frozenset[int]], list[Numbers]] = {}
    for rows in _taken_off(c, np.arange(len(c)), None, 4):
        lengths = [len(row) for row in rows]
        if len(rows) in (2, 4) and max(lengths) - min(lengths) <= HANDED.most_missing:
            found.setdefault(frozenset(frozenset(row.tolist()) for row in rows), rows)
    return [_same_way_round(c, rows) for rows in found.values()]


def _taken_off(c: Array, left: Numbers, last: Numbers | None, most: int) -> Iterator[list[Numbers]]:
    """Yield at most `most` rows, one behind the other. left: circles in no row yet; last: the row before."""
    if not len(left):
        yield []
    elif most and len(left) >= HANDED.least_row:
        for row in _outermost(c, left, last):
            rest = np.setdiff1d(left, row)
            yield from ([row, *rows] for rows in _taken_off(c, rest, row, most - 1))


def _outermost(c: Array, left: Numbers, last: Numbers | None) -> list[Numbers]:
    """Return the longest straight rows that have all other circles of `left` on one side and, if there is a row before,
    that row on the other."""
    i, j = np.array(list(combinations(left.tolist(), 2)), np.intp).T
    along = c[j, :2] - c[i, :2]
    across = np.stack([-along[:, 1], along[:, 0]], -1) / np.maximum(np.hypot(*along.T), 1e-9)[:, None]
    off = across @ c[left, :2].T - (across * c[i, :2]).sum(1)[:, None]
    near = np.abs(off) < HANDED.off_row * c[left, 2]
    side = np.where(near, 0, np.sign(off))
    good = (np.abs(side.sum(1)) == (~near).sum(1)) & (near.sum(1) >= HANDED.least_row)
    if last is not None:
        before = np.sign(across @ c[last, :2].mean(0) - (across * c[i, :2]).sum(1))
        good &= before * side.sum(1) <= 0
    rows = {tuple(left[one].tolist()) for one in near[good]}
    return [np.array(row, np.intp) for row in sorted(rows, key=lambda row: (-len(row), row))[:HANDED.rows_tried]]


def _same_way_round(c: Array, rows: list[Numbers]) -> list[Numbers]:
    """Order the circles of each row along it, all rows from the same end."""
    ways = [np.linalg.svd(c[row, :2] - c[row, :2].mean(0))[2][0] for row in rows]
    return [row[np.argsort(c[row, :2] @ (way * math.copysign(1.0, float(way @ ways[0]))))]
            for row, way in zip(rows, ways, strict=True)]


# ---- boards ----

def _trials(c: Array, rows: list[Numbers]) -> Iterator[tuple[float, Trial]]:
    """Yield the rows as boards, for every choice of a few missing pits and a gap in the middle, each with a loss that
    is added to its fitting error and grows with what is assumed."""
    n, order = len(rows), np.concatenate(rows)
    r = np.repeat(np.arange(n, dtype=np.float64), [len(row) for row in rows])
    longest = max(map(len, rows))
    for cols in range(longest, (len(c) + HANDED.most_missing) // n + 1):
        loss = HANDED.missing_loss * (n * cols - len(c))
        for taken in product(*(combinations(range(cols), len(row)) for row in rows)):
            at = np.concatenate(taken).astype(np.float64)
            for model in _partings(n, cols):
                where = np.empty((len(c), 2))
                where[order] = model.places(at, r)
                parted = model.gap > 0 or model.row_gap > 0
                yield loss + HANDED.gap_loss * parted, Trial(frozenset(), model, where, c[:, :2])


def _partings(rows: int, cols: int) -> Iterator[Model]:
    """Yield boards in one piece, then with a gap between the middle columns or between the middle rows of four."""
    yield Model(np.eye(3))
    for gap in HANDED.gaps:
        if cols % 2 == 0:
            yield Model(np.eye(3), hinge=cols // 2 - 1, gap=gap)
        if rows == 4:
            yield Model(np.eye(3), mid=1, row_gap=gap)
