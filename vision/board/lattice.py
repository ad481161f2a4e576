"""From candidate pits to a board: fits the lattice of pits under a homography.

Rows of like circles (`vision.board.chains`) are paired. A pair that could be two rows of a board before an ordinary
camera is a hypothesis: it gathers the other pits, is refitted, and is judged by how many of its places are filled.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from statistics import median

import numpy as np
from numpy.typing import NDArray

from vision.board.chains import Candidate, off_patterns
from vision.board.geometry import camera_columns, fit_homography, jacobian, project
from vision.board.parameters import CHAINS, LATTICE, ROW_PAIRS
from vision.board.row_pairs import Model, paired_rows, plausible
from vision.reading import BoardView

__all__ = ["Candidate", "NotFound", "check_size", "fit_lattices", "oriented", "ring_order", "stores_of", "view_on"]

Array = NDArray[np.float64]
Sizes = Mapping[int, range]
SIZES: Sizes = {2: range(5, 13), 4: range(8, 9)}
"""The boards to look for by default: possible numbers of columns, keyed by the number of rows."""
ListedSizes = Sequence[tuple[int, int]]
"""Sizes one by one: rows and columns of each."""


@dataclass(frozen=True, slots=True)
class NotFound:
    """No board was found. reason: for people, one clause without a full stop. likeliest: rows and columns of the most
    board-like thing, if any; cut: whether the picture's edge cuts that thing."""

    reason: str
    likeliest: tuple[int, int] | None = None
    cut: bool = False


NO_ROWS = "no board was found: two or four rows of pits, seen from above, all in the picture"
"""The reason where nothing resembles a board."""


def ring_order(rows: int, cols: int) -> list[tuple[int, int]]:
    """(row, column) of every pit in the order of its number, row 0 North's edge, column 0 South's left.

    Two rows: South's from his left, then North's from hers, one ring. Four rows of n: South's outer row left to right,
    his inner right to left, then North's two likewise from where she sits.
    Raises ValueError for any other number of rows.
    """
    right, left = range(cols), range(cols - 1, -1, -1)
    if rows == 2:
        ring = [(1, right), (0, left)]
    elif rows == 4:
        ring = [(3, right), (2, left), (0, left), (1, right)]
    else:
        raise ValueError(f"a board has 2 or 4 rows of pits, not {rows}")
    return [(row, col) for row, way in ring for col in way]


def check_size(rows: int | None, cols: int | None, sizes: Sizes = SIZES) -> None:
    """Raise ValueError if none of the boards `sizes` has that many rows or columns."""
    if rows is not None and rows not in sizes:
        raise ValueError(f"a board has {' or '.join(map(str, sorted(sizes)))} rows of pits, not {rows}")
    if cols is not None and not any(cols in c for r, c in sizes.items() if rows in (None, r)):
        rows = rows or min(sizes)
        ends = dict.fromkeys((sizes[rows][0], sizes[rows][-1]))
        raise ValueError(f"a board of {rows} rows has {' to '.join(map(str, ends))} columns, not {cols}")


def oriented(view: BoardView, south: str = "bottom") -> BoardView:
    """Return the same board with its rows and columns as South sees them, seated at the edge `south` of the picture.

    south: 'bottom', 'top', 'left' or 'right'. Raises ValueError for another word.
    """
    toward = {"bottom": (0, 1), "top": (0, -1), "left": (-1, 0), "right": (1, 0)}.get(south)
    if toward is None:
        raise ValueError(f"South sits at the bottom, top, left or right of the picture, not '{south}'")
    down = view.centres[-1].mean(0) - view.centres[0].mean(0)
    return view if float(down @ toward) >= 0 else _half_turn(view)


def _half_turn(view: BoardView) -> BoardView:
    origin = project(np.linalg.inv(view.homography), view.centres[-1, -1])
    turn = np.array([[-1, 0, origin[0]], [0, -1, origin[1]], [0, 0, 1.0]])
    h = view.homography @ turn
    return replace(view, centres=view.centres[::-1, ::-1].copy(), radii=view.radii[::-1, ::-1].copy(),
                   homography=h / h[2, 2], stores=view.stores[::-1])


# ---- from rows to boards ----



@dataclass(frozen=True, slots=True)
class _Board:
    """A model with known ends, and the candidates at its places. col, row: of its first place in the model; hit:
    int[rows, cols], candidate's index or -1; worth: of its places together; cut: whether the picture's edge cuts it."""

    model: Model
    col: int
    row: int
    hit: NDArray[np.int64]
    worth: float
    cut: bool

    @property
    def members(self) -> set[int]:
        """The candidates at its places; contains -1 if a place has none."""
        return set(self.hit.ravel().tolist())


def fit_lattices(candidates: Sequence[Candidate], picture_size: tuple[int, int], rows: int | None = None,
                 cols: int | None = None, limit: int = 6, sizes: Sizes = SIZES) -> list[BoardView]:
    """Return the boards that explain the candidates best, best first; some candidates may be missing, false or
    displaced.

    picture_size: (width, height). rows, cols: where known. limit: the most boards to return. sizes: the boards to look
    for. Stores among the candidates are part of a board if they lie at its ends. South is at the bottom of the picture
    (`oriented` for another edge). Raises ValueError for a size that no board has.
    """
    check_size(rows, cols, sizes)
    most = cols or max(span[-1] for span in sizes.values())
    pits = off_patterns([c for c in candidates if c.kind == "pit" and c.r > 0], most + LATTICE.ends_in_line)
    stores = [c for c in candidates if c.kind == "store"]
    listed = [(n, k) for n, widths in sizes.items() if rows in (None, n) for k in widths if cols in (None, k)]
    circles = np.array([c[:4] for c in pits], np.float64).reshape(-1, 4)
    sought = _Sought(pits, circles, picture_size, listed, cols is not None)
    most_settled = LATTICE.settled_of_known_size if sought.known else LATTICE.settled
    boards = [_settled(b, sought) for b in _best_of_each(_first_boards(sought)[:most_settled])]
    return [oriented(_view(b, pits, stores, picture_size)) for b in _best_of_each(boards)[:limit]]


@dataclass(frozen=True, slots=True)
class _Sought:
    """What a search looks for, and where. pits: the candidates; circles: the same as float64[n, 4] (x, y, radius,
    score); picture_size: (width, height); sizes: of the boards to look for; known: whether the number of columns is
    known."""

    pits: Sequence[Candidate]
    circles: Array
    picture_size: tuple[int, int]
    sizes: ListedSizes
    known: bool


def _first_boards(sought: _Sought) -> list[_Board]:
    """Return boards from pairs of rows, best first; stop early at a board that explains everything."""
    plain = {k for k, c in enumerate(sought.pits) if c.score > LATTICE.plain_score}
    first: list[_Board] = []
    known: list[set[int]] = []
    for members, model in paired_rows(tuple(sought.pits), sought.picture_size):
        if any(members <= board for board in known):
            continue  # these rows belong to a board that was already examined
        more = _boards(model, sought)
        first += more
        known += [b.members for b in more]
        if any(_explains_all(b, plain) for b in more):
            break
    return sorted(first, key=lambda b: -b.worth)


def _best_of_each(boards: Sequence[_Board]) -> list[_Board]:
    """Return the boards best first, one for each size and set of candidates."""
    kept: dict[object, _Board] = {}
    for board in sorted(boards, key=lambda b: -b.worth):
        kept.setdefault((board.hit.shape, frozenset(board.members)), board)
    return list(kept.values())


def _boards(model: Model, sought: _Sought) -> list[_Board]:
    """Return the boards that a pair of rows may belong to."""
    return [b for m, sizes in _variants(model, sought.sizes) if (b := _ends(m, sought, sizes)) is not None]


def _explains_all(board: _Board, plain: set[int]) -> bool:
    """Whether every place of the board is filled and every plain candidate lies on it: no other lattice can explain
    more."""
    return not board.cut and bool((board.hit >= 0).all()) and plain <= board.members


# ---- from a hypothesis to a board ----

def _settled(board: _Board, sought: _Sought) -> _Board:
    """Fit the board to its candidates, gather candidates again, and fit again."""
    for _ in range(2):
        fitted = _refit(board, sought.pits)
        if fitted is None or not plausible(fitted.h, sought.picture_size):
            break
        again = _ends(fitted, sought, sought.sizes)
        if again is None or again.worth < board.worth - 0.5:
            break
        board = again
    return board


def _variants(model: Model, sizes: ListedSizes) -> Iterator[tuple[Model, ListedSizes]]:
    """Yield the hypothesis with its possible sizes; for four rows also with a wider gap in the middle, whichever two
    rows of the four the pair may be."""
    yield model, sizes
    four = [size for size in sizes if size[0] == 4]
    if four:
        for mid, row_gap in product((-1, 1), (0.2, 0.45)):  # both rows below the middle, or both above it
            h = model.h if mid > 0 else model.h @ _lift(row_gap)
            yield replace(model, mid=mid, row_gap=row_gap, h=h), four


def _lift(by: float) -> Array:
    return np.array([[1, 0, 0], [0, 1, -by], [0, 0, 1.0]])


def _ends(model: Model, sought: _Sought, sizes: ListedSizes) -> _Board | None:
    """Find where the board ends: the window of places, of one of these sizes, whose filled places most outweigh its
    empty ones."""
    span_c, span_r = np.arange(-12, 24), np.arange(-3, 5)
    gc, gr = np.meshgrid(span_c, span_r)
    gathered = _gather(model, sought, gc.ravel().astype(float), gr.ravel().astype(float))
    if gathered is None:
        return None
    worth, hit, inside = gathered[0].reshape(gc.shape), gathered[1].reshape(gc.shape), gathered[2].reshape(gc.shape)
    best: _Board | None = None
    for total, corner, size in _windows(worth, sizes):
        if best is not None and total <= best.worth:
            break  # the remaining windows are worth less
        board = _window(model, total, hit, inside, corner, size, sought.known)
        if board is not None and (best is None or board.worth > best.worth):
            best = board
    if best is None:
        return None
    return replace(best, col=int(span_c[best.col]), row=int(span_r[best.row]))


def _windows(worth: Array, sizes: ListedSizes, limit: int = 60
             ) -> list[tuple[float, tuple[int, int], tuple[int, int]]]:
    """Return the windows of these sizes that are worth the most: total worth, corner, size. worth: float64[rows,
    columns], the worth of each place."""
    windows = []
    total = np.pad(worth.cumsum(0).cumsum(1), ((1, 0), (1, 0)))
    for n_rows, n_cols in sizes:
        below, above = total[n_rows:], total[:-n_rows]
        sums = below[:, n_cols:] - above[:, n_cols:] - below[:, :-n_cols] + above[:, :-n_cols]
        windows += [(float(sums[r, c]), (int(r), int(c)), (n_rows, n_cols))
                    for r, c in np.argwhere(sums > max(0.0, float(sums.max()) - 4))]
    return sorted(windows, reverse=True)[:limit]


def _gather(model: Model, sought: _Sought, c: Array, r: Array
            ) -> tuple[Array, NDArray[np.int64], NDArray[np.bool_]] | None:
    """For every place, return its worth, its candidate's index or -1, and whether it lies in the picture."""
    where = model.places(c, r)
    w = where @ model.h[2, :2] + model.h[2, 2]
    ahead = w * (model.h[2, 2] or 1.0) > 0.05 * model.h[2, 2] ** 2
    at = project(model.h, np.where(ahead[:, None], where, 0.0))
    inside = np.asarray(ahead & (at > 0).all(1) & (at < np.asarray(sought.picture_size)).all(1), np.bool_)
    worth, hit = np.full(len(c), -LATTICE.unseen_loss), np.full(len(c), -1, np.int64)
    taken = _taken(at[inside], jacobian(model.h, where[inside]), sought.circles)
    if taken is None:
        return None
    worth[inside], hit[inside] = taken
    return worth, hit, inside


def _taken(at: Array, jac: Array, circles: Array) -> tuple[Array, NDArray[np.int64]] | None:
    """Return the worth of places in the picture, and their candidates' indices or -1; None where no candidate fits.

    at: float64[n, 2], pixels. jac: float64[n, 2, 2], pixels a board unit there. circles: float64[m, 4], as in
    `_Sought`.
    """
    pitch = np.linalg.norm(jac[..., 0], axis=-1)
    radius, score = circles[:, 2], circles[:, 3]
    off = np.sqrt((at[:, :1] - circles[:, 0]) ** 2 + (at[:, 1:] - circles[:, 1]) ** 2) / pitch[:, None]
    fits = np.asarray(off < LATTICE.off_place, np.bool_)
    fits &= radius > LATTICE.least_radius * 0.8 * pitch[:, None]
    fits &= radius < LATTICE.most_radius * 1.1 * pitch[:, None]
    some = np.nonzero(fits.any(1))[0]
    if not len(some):
        return None
    nearest = np.where(fits[some], off[some], np.inf).argmin(1)
    usual = median((radius[nearest] / pitch[some]).tolist())  # radii must be alike, too
    ratio = radius / (usual * pitch[:, None])
    fits &= (ratio < CHAINS.radius_ratio) & (ratio > 1 / CHAINS.radius_ratio)
    if not fits.any():
        return None
    rank = np.where(fits, off - 0.1 * score, np.inf)
    hit = np.where(fits.any(1), rank.argmin(1), -1)
    near = np.take_along_axis(off, np.maximum(hit, 0)[:, None], 1)[:, 0]
    slender = max(0.0, LATTICE.slender - usual) * LATTICE.slender_loss
    usual_score = median(np.sort(score[hit[hit >= 0]])[-12:].tolist())
    best = np.minimum(1.0, 1.0 - LATTICE.faint_loss * (LATTICE.usual_share - score[np.maximum(hit, 0)] / usual_score))
    worth = np.where(hit >= 0, best - LATTICE.off_loss * (near / LATTICE.off_place) ** 2 - slender, -LATTICE.miss_loss)
    return np.maximum(worth, -LATTICE.miss_loss), hit.astype(np.int64)


def _window(model: Model, total: float, hit: NDArray[np.int64], inside: NDArray[np.bool_], corner: tuple[int, int],
            n: tuple[int, int], known: bool) -> _Board | None:
    """Return the window of `n` rows and columns from `corner` as a board, or None if it cannot be one.

    total: the worth of its places together. A hinge lies in a board's middle unless the frame cuts the board.
    """
    (r, c), (n_rows, n_cols) = corner, n
    filled = np.asarray(hit[r:r + n_rows, c:c + n_cols] >= 0, np.bool_)
    lies = np.asarray(inside[r:r + n_rows, c:c + n_cols], np.bool_)
    enough = filled.sum(1) >= np.maximum(3, 0.0 if known else LATTICE.least_filled_row * lies.sum(1))
    if filled.sum() < max(5, LATTICE.least_filled * lies.sum()) or not np.all(enough):
        return None
    if not known and not (filled[:, 0].any() and filled[:, -1].any() and np.all(lies.any(0))):
        return None  # columns out of sight are assumed only where their number is known
    next_to = [bool(inside[r:r + n_rows, k].all()) for k in (max(c - 1, 0), min(c + n_cols, inside.shape[1] - 1))]
    lopsided = _parted_off_middle(model, c, n_cols)
    if lopsided and all(next_to):
        total -= LATTICE.lopsided_loss
    cut = not lies.all() or (lopsided and not all(next_to))
    total -= LATTICE.beyond_loss * _beyond(hit >= 0, r, c, n_rows, n_cols)
    return _Board(model, c, r, hit[r:r + n_rows, c:c + n_cols], total, cut)


def _parted_off_middle(model: Model, c: int, n_cols: int) -> bool:
    """Whether the window (from index `c` of the searched span) has a hinge anywhere but in its middle."""
    if model.hinge is None or model.gap < LATTICE.plain_hinge:
        return False
    after = model.hinge - (c - 12)
    return 0 <= after < n_cols - 1 and after != n_cols // 2 - 1


def _beyond(filled: NDArray[np.bool_], r: int, c: int, n_rows: int, n_cols: int) -> float:
    """Count the filled places just outside the window: bricks, keys and waffles continue, a board ends."""
    over = 0.0
    for k in (r - 1, r + n_rows):
        if 0 <= k < len(filled):
            over += float(filled[k, c:c + n_cols].sum())
    for k in (c - 1, c + n_cols):
        if 0 <= k < filled.shape[1]:
            over += float(filled[r:r + n_rows, k].all())
    return over


def _refit(board: _Board, pits: Sequence[Candidate]) -> Model | None:
    """Fit the model to the board's candidates, try hinges and row gaps, then bend it. None if nothing fits."""
    r, c = np.where(board.hit >= 0)
    at = np.array([(pits[k].x, pits[k].y) for k in board.hit[r, c]], np.float64)
    cc, rr = (c + board.col).astype(float), (r + board.row).astype(float)
    best, least = None, math.inf
    for trial in _trials(board):
        where = trial.places(cc, rr)
        try:
            h = fit_homography(where, at)
        except ValueError:
            continue
        error = float(((project(h, where) - at) ** 2).sum()) * (1 + 0.05 * (trial.gap > 0))
        if error < least:
            best, least = replace(trial, h=h), error
    return None if best is None else _bent(best, board, cc, rr, at)


def _bent(flat: Model, board: _Board, cols: Array, rows: Array, at: Array) -> Model:
    """Bend the model along a parabola to fit the pits at these columns and rows. at: float64[n, 2], pixels. Other
    deviations come from the plane or from uneven carving."""
    x, y = flat.places(cols, rows).T
    first, last = flat.places(np.array([board.col, board.col + board.hit.shape[1] - 1]), np.zeros(2))[:, 0]
    middle, half = (first + last) / 2, (last - first) / 2
    u = (x - middle) / half
    basis = np.stack([u**2, np.ones_like(u), u, y, u * y], 1)
    held = np.diag([LATTICE.flat_weight, *4 * [1e-6]])
    off = project(np.linalg.inv(flat.h), at)[:, 1] - y
    fit: Array = np.zeros(5)
    for _ in range(4):
        w = basis / (1 + ((off - basis @ fit) / LATTICE.off_bend) ** 2)[:, None]
        fit = np.linalg.solve(w.T @ basis + held, w.T @ off)
    most = LATTICE.most_bend
    bent = replace(flat, bend=min(most, max(-most, float(fit[0]))) / half**2, middle=middle)
    try:
        return replace(bent, h=fit_homography(bent.places(cols, rows), at))
    except ValueError:
        return flat


def _trials(board: _Board) -> Iterator[Model]:
    """Yield models of the board with hinges and row gaps near the present ones, without fitted homographies."""
    m, (n_rows, n_cols) = board.model, board.hit.shape
    hinge = m.hinge
    if hinge is None or not board.col <= hinge < board.col + n_cols - 1:
        hinge = board.col + n_cols // 2 - 1 if n_cols % 2 == 0 else None
    gaps = [0.0] if hinge is None else _around(m.gap, 0.0, 1.0)
    row_gaps = _around(m.row_gap, 0.0, 0.8) if n_rows == 4 else [0.0]
    for gap, row_gap in product(gaps, row_gaps):
        yield Model(np.eye(3), hinge, gap, board.row + n_rows // 2 - 1, row_gap)


def _around(x: float, low: float, high: float) -> list[float]:
    return sorted({min(high, max(low, round(x + d, 3))) for d in (-0.12, -0.06, -0.03, 0.0, 0.03, 0.06, 0.12)} | {0.0})


# ---- the answer ----

def view_on(h: Array, where: Array, picture_size: tuple[int, int], centres: Array | None = None,
            radii: Array | None = None, pit_radius: float | None = None) -> BoardView:
    """Return a view from a homography whose x and y units may differ, rescaled to column pitches both ways.

    where: float64[rows, cols, 2], the pits' places in the homography's units. centres, radii: where the pits were seen
    (pixels); by default computed from the homography. Without radii and `pit_radius` (in column pitches), pits get
    `LATTICE.pit_radius`.
    """
    x, y = camera_columns(h, picture_size)
    ratio = float(np.linalg.norm(y) / np.linalg.norm(x))
    ratio = min(ROW_PAIRS.most_row_pitch * 1.2, max(ROW_PAIRS.least_row_pitch / 1.2, ratio))
    g = h @ np.array([[1, 0, where[0, 0, 0]], [0, 1 / ratio, where[0, 0, 1]], [0, 0, 1.0]])
    g = g / g[2, 2]
    rows, cols = where.shape[:2]
    places = (where - where[0, 0]) * (1, ratio)
    scale = np.sqrt(np.abs(np.linalg.det(jacobian(g, places))))
    if radii is not None:
        pit_radius = float(np.median(radii / scale))
    pit_radius = LATTICE.pit_radius if pit_radius is None else pit_radius
    return BoardView(rows, cols, project(g, places) if centres is None else centres,
                     scale * pit_radius if radii is None else radii, g, pit_radius, picture_size)


def _view(board: _Board, pits: Sequence[Candidate], stores: Sequence[Candidate], picture_size: tuple[int, int]
          ) -> BoardView:
    m = board.model
    rows, cols = board.hit.shape
    c, r = np.meshgrid(np.arange(cols) + board.col, np.arange(rows) + board.row)
    where = m.places(c.ravel().astype(float), r.ravel().astype(float)).reshape(rows, cols, 2)
    h, hit = m.h, board.hit
    if np.linalg.det(jacobian(h, where[0, 0])) < 0:
        # Rows are counted upwards. Only the moves tell a picture in a mirror (`device/table/turned_picture.py`).
        where, hit, h = where[::-1] * (1, -1), hit[::-1], h @ np.diag([1.0, -1.0, 1.0])
    at = project(h, where)
    scale = np.sqrt(np.abs(np.linalg.det(jacobian(h, where))))
    seen = hit >= 0
    got = np.array([[(pits[k].x, pits[k].y, pits[k].r) if k >= 0 else (0, 0, 0) for k in row] for row in hit], float)
    relative = float(np.median(got[..., 2][seen] / scale[seen]))
    centres = np.where(seen[..., None], got[..., :2], at)
    radii = np.where(seen, np.clip(got[..., 2], 0.85 * relative * scale, 1.15 * relative * scale), relative * scale)
    view = view_on(h, where, picture_size, centres, radii)
    over = [bool((c - r < 0).any() or (c + r > np.asarray(picture_size)).any())
            for c, r in zip(centres.reshape(-1, 2), radii.ravel() * 0.75, strict=True)]
    score = max(0.0, min(1.0, board.worth / (rows * cols)))
    return replace(view, score=score, cut=board.cut or any(over), stores=stores_of(view, stores))


def stores_of(view: BoardView, stores: Sequence[Candidate]) -> tuple[tuple[float, float, float, float], ...]:
    """The best store at either end, left one first: near the last pit, halfway between the outer rows."""
    back = np.linalg.inv(view.homography)
    last = project(back, view.centres[:, -1]).mean(0)
    first = project(back, view.centres[:, 0]).mean(0)
    ends: dict[bool, Candidate] = {}
    for s in stores:
        x, y = project(back, (s.x, s.y))
        aside = abs(y - (first[1] + last[1]) / 2)
        left, right = first[0] - x, x - last[0]
        if aside < LATTICE.store_aside and 0.5 < max(left, right) < LATTICE.store_reach:
            key = left > right
            if key not in ends or s.score > ends[key].score:
                ends[key] = s
    return tuple((float(e.x), float(e.y), float(e.r), float(e.r)) for e in (ends.get(True), ends.get(False)) if e)
