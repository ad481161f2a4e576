"""Finding the board in a picture, without a click; and from four corners, where that fails.

Circles proposed from rims (and, where there is one, by a network) are put together into lattices; the picture is then
asked about each: how much of every pit's rim is really there. The answer's pits lie on their rims to a fraction of a
pixel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.chains import Candidate
from vision.geometry import fit_homography, jacobian, pit_affines, pit_places, project
from vision.lattice import COLS, NotFound, check_size, fit_lattices, view_on
from vision.pitnet import WEIGHTS, pitnet, shrunk
from vision.reading import BoardView
from vision.rims import ANGLES, WORK, Edges, edges_of, rim_support, round_rims, trace_rims

__all__ = ["Candidate", "NotFound", "find", "from_corners"]

Image = NDArray[np.uint8]
Array = NDArray[np.float64]
Part = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels."""
Propose = Callable[[Image], Sequence[Candidate]]

PAR = 0.34
"""Share of a rim that speaks neither for nor against a pit."""
LEAST = 0.42
"""Least mean share of the rims found, for a board."""
GOES_ON = 0.65
"""Rims beside the board, as a share of the board's own, from which on it is no board but part of a pattern."""
STEPS = ((0.30, 0.0), (0.20, 0.0), (0.16, 0.2), (0.11, 0.22), (0.11, 0.22))
"""How far a rim may lie off, and then a pit off its place on the lattice, in radii: at first the board moves as a
whole."""
EVEN, UNEVEN = 0.07, 3.5
"""Radii that a pit may lie off even steps on any board, and how many times as far as its board's middle one."""
HOLD = 4.0
"""How many edge points a pit's place on the lattice weighs."""
VOUCHES = 0.7
"""Share of a rim that the network's word, when it is sure, weighs as much as."""
EXPLAINS = 0.2
"""What a pit that the network is sure of is worth besides, in rims."""
FEWEST = 0.28
"""Least share of a rim found at four pits of five."""
SURE = 0.3
"""Score of a candidate of the network from which on it tells where to look again."""
ODD = 0.45
"""What speaks against an end column where a store lies, when the other end's store lies beyond the pits."""
SMALL = 11.0
"""Radius in the network's own picture below which pits are looked at in pieces, pixels."""
PIECE = 0.62
"""Side of such a piece, as a share of the part's: they overlap by more than a pit."""
SMALLEST_SIDE = 64
"""Pictures with a shorter side than this are not searched, pixels."""


@dataclass(frozen=True, slots=True)
class _Scene:
    """A picture's edges, fine and coarse, and what the network proposed."""

    fine: Edges
    coarse: Edges
    proposed: Sequence[Candidate] = ()

    def edges_for(self, radius: float) -> Edges:
        """Those that suit a rim of that radius (pixels of the picture): of large ones only the coarse are the rim's."""
        return self.coarse if radius * self.fine.scale > 17 else self.fine


def network(image: Image) -> list[Candidate]:
    """Candidates from the network that comes with the program; none where its weights are missing.

    Its own picture is small: where the pits come out small there, the part of the picture in which they lie is looked
    at again, enlarged, and if need be in four pieces.
    """
    if not WEIGHTS.is_file():
        return []
    whole = (0, 0, image.shape[1], image.shape[0])
    proposed = _candidates(image, whole)
    part = _part(proposed, whole)
    if part is not None:
        proposed = _united(_candidates(image, part), proposed)
        usual = float(np.median([c.r for c in proposed if c.score > SURE] or [0.0]))
        small = 0 < usual * shrunk(part[2] - part[0], part[3] - part[1]) < SMALL
        for piece in _pieces(part) if small else ():
            proposed = _united(_candidates(image, piece), proposed)
    return proposed


def _candidates(image: Image, part: Part) -> list[Candidate]:
    """The network's, from a part of the picture; those that its edge cuts left out, where it is not the picture's."""
    left, top, right, bottom = part
    h, w = image.shape[:2]
    out = []
    for p in pitnet().propose(np.ascontiguousarray(image[top:bottom, left:right])):
        x, y, r = p.x + left, p.y + top, 0.8 * p.r
        if (left == 0 or x - r > left) and (top == 0 or y - r > top) and (right == w or x + r < right) and (
                bottom == h or y + r < bottom):
            out.append(Candidate(x, y, p.r, p.score, "store" if p.store else "pit"))
    return out


def _part(proposed: Sequence[Candidate], whole: Part) -> Part | None:
    """The part of the picture about most of the candidates; None where there are too few to say."""
    good = np.array([(c.x, c.y, c.r) for c in proposed if c.score > SURE])
    if len(good) < 3:
        return None
    middle, r = np.median(good[:, :2], 0), float(np.median(good[:, 2]))
    away = np.abs(good[:, :2] - middle)
    near = good[(away <= np.maximum(3 * np.median(away, 0), 4 * r)).all(1)]
    low, high = near[:, :2].min(0) - 5 * r, near[:, :2].max(0) + 5 * r
    left, top = np.maximum(np.floor(low), 0).astype(int)
    right, bottom = np.minimum(np.ceil(high), whole[2:]).astype(int)
    return int(left), int(top), int(right), int(bottom)


def _pieces(part: Part) -> list[Part]:
    """Four overlapping quarters of a part."""
    left, top, right, bottom = part
    w, h = round((right - left) * PIECE), round((bottom - top) * PIECE)
    return [(x, y, x + w, y + h) for y in (top, bottom - h) for x in (left, right - w)]


def find(image: Image, rows: int | None = None, cols: int | None = None,
         propose: Propose = network) -> BoardView | NotFound:
    """The board in a picture, South at the bottom.

    image: uint8[h, w, 3], BGR. rows, cols: where known. propose: candidates to unite with those from rims.
    Raises ValueError for a board that there is not, or for something that is no picture.
    """
    check_size(rows, cols)
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
        raise ValueError(f"a picture is uint8[h, w, 3], got {image.dtype}{list(image.shape)}")
    if min(image.shape[:2]) < SMALLEST_SIDE:
        return NotFound(f"the picture is too small: {image.shape[1]}x{image.shape[0]}")
    size = (image.shape[1], image.shape[0])
    proposed = list(propose(image))
    scene = _Scene(edges_of(image, WORK), edges_of(image, WORK // 2), proposed)
    sets = [round_rims((scene.fine, scene.coarse))]
    if proposed:
        sets = [proposed, _united(proposed, sets[0])]
    best: BoardView | None = None
    for candidates in sets:
        for view in fit_lattices(candidates, size, rows, cols):
            measured = _measured(scene, view, candidates, cols)
            if measured is not None and (best is None or _worth(scene, measured) > _worth(scene, best)):
                best = measured
    if best is None:
        return NotFound("no board-like lattice of pits")
    if best.score < LEAST:
        return NotFound("a lattice of round things, but not with the rims of a board's pits")
    return best


def _united(proposed: Sequence[Candidate], rims: Sequence[Candidate]) -> list[Candidate]:
    """The network's candidates, and those from rims that it did not name."""
    new = [c for c in rims if not any((c.x - p.x) ** 2 + (c.y - p.y) ** 2 < (0.5 * p.r) ** 2 for p in proposed)]
    return [*proposed, *(c._replace(score=0.7 * c.score) for c in new)]


def _worth(scene: _Scene, view: BoardView) -> float:
    """What a board explains: rims beyond those that any picture has, and what the network saw."""
    return (view.score - PAR) * view.rows * view.cols + EXPLAINS * float(_vouched(scene, view)[0].sum())


def _measured(scene: _Scene, view: BoardView, candidates: Sequence[Candidate], cols: int | None) -> BoardView | None:
    """The hypothesis laid on the picture: its pits on their rims, its columns those that have rims, its score their
    share."""
    view = _on_rims(scene, _sized(scene, _evened(view)))
    if cols is None and (not view.cut or _taken_for_pits(scene, view)):
        trimmed = _trimmed(scene, view)
        if trimmed is None:
            return None
        view = replace(trimmed, cut=view.cut and trimmed.cols == view.cols)
    support = _evidence(scene, view)
    seen = _inside(view)
    if not seen.any() or np.quantile(support[seen], 0.2) < FEWEST or _support(scene, view)[seen].mean() < FEWEST:
        return None  # the network may vouch for some of the pits, not for a board without rims
    if _goes_on(scene, view, candidates, float(np.median(support[seen]))):
        return None
    view = replace(view, score=float(np.mean(support[seen])) * (1 - min(0.5, 2 * _roughness(view))))
    return _centred(scene, view)


def _goes_on(scene: _Scene, view: BoardView, candidates: Sequence[Candidate], usual: float) -> bool:
    """Whether the lattice goes on beside the board, or between its rows, as bricks, keys and trays do."""
    where = pit_places(view)
    beside = [2 * where[0] - where[1], 2 * where[-1] - where[-2], (where[0] + where[1]) / 2]
    if view.cols == COLS[view.rows][-1]:
        beside += [2 * where[:, 0] - where[:, 1], 2 * where[:, -1] - where[:, -2]]
    e = scene.edges_for(float(np.median(view.radii)))
    for places in beside:
        at = project(view.homography, places)
        shapes = jacobian(view.homography, places) * (view.pit_radius * e.scale)
        inside = ((at > 0) & (at < np.asarray(view.size))).all(-1)
        if inside.sum() > 0.6 * len(at):
            support = rim_support(e, (at[inside] + 0.5) * e.scale - 0.5, shapes[inside])
            radius = np.sqrt(np.abs(np.linalg.det(shapes[inside]))) / e.scale
            like = [any(np.hypot(x - c.x, y - c.y) < 0.5 * r and 0.7 < c.r / r < 1.4 and c.score > 0.7 * usual
                        for c in candidates) for (x, y), r in zip(at[inside], radius, strict=True)]
            if float(support.mean()) > GOES_ON * usual or np.mean(like) > GOES_ON:
                return True
    return False


def _inside(view: BoardView) -> NDArray[np.bool_]:
    c = view.centres
    return np.asarray(((c > 0) & (c < np.asarray(view.size))).all(-1), np.bool_)


def _support(scene: _Scene, view: BoardView, scale: float = 1.0) -> Array:
    """float64[rows, cols], the share of every pit's rim that is there, with the radii times `scale`."""
    e = scene.edges_for(float(np.median(view.radii)) * scale)
    shapes = pit_affines(view).reshape(-1, 2, 2) * (e.scale * scale)
    centres = (view.centres.reshape(-1, 2) + 0.5) * e.scale - 0.5
    return rim_support(e, centres, shapes).reshape(view.rows, view.cols)


def _evidence(scene: _Scene, view: BoardView) -> Array:
    """float64[rows, cols], how much speaks for every pit: its rim, or the network where the rim is hard to see."""
    return np.asarray(np.maximum(_support(scene, view), VOUCHES * _vouched(scene, view)[0]), np.float64)


def _vouched(scene: _Scene, view: BoardView) -> tuple[Array, Array]:
    """float64[rows, cols], the score of the network's pit at each pit, 0 for none; float64[rows, cols, 2], where it
    has it."""
    pits = np.array([(c.x, c.y, c.r, c.score) for c in scene.proposed if c.kind == "pit"]).reshape(-1, 4)
    if not len(pits):
        return np.zeros(view.radii.shape), view.centres
    away = np.linalg.norm(view.centres[..., None, :] - pits[:, :2], axis=-1) / view.radii[..., None]
    ratio = np.abs(np.log(pits[:, 2] / view.radii[..., None]))
    score = np.where((away < 0.4) & (ratio < 0.4), pits[:, 3], 0.0)
    best = score.argmax(axis=-1)
    there = score.max(axis=-1)
    return there, np.where((there > 0)[..., None], pits[best, :2], view.centres)


def _centred(scene: _Scene, view: BoardView) -> BoardView:
    """The view with those pits whose rims are hardly seen half way to where the network has them."""
    score, at = _vouched(scene, view)
    share = np.clip(0.8 - 2 * _support(scene, view), 0.0, 0.5) * (score > 0)
    return replace(view, centres=view.centres + share[..., None] * (at - view.centres))


def _sized(scene: _Scene, view: BoardView) -> BoardView:
    """The view with the pits' common radius at the rims: the widest of the radii that the picture speaks for."""
    even = replace(view, radii=view.radii * 0 + _scales(view) * view.pit_radius)
    steps = np.exp(np.arange(-5, 8) * 0.07)
    steps = steps[(steps * view.pit_radius < 0.56) & (steps * view.pit_radius > 0.2)]
    if not len(steps):
        return even
    found = np.array([_support(scene, even, float(s)).mean() for s in steps])
    good = np.nonzero(found >= 0.85 * found.max())[0]
    k = good[-1]
    while k > 0 and found[k - 1] > found[k]:
        k -= 1
    return replace(even, radii=even.radii * steps[k], pit_radius=even.pit_radius * float(steps[k]))


def _scales(view: BoardView) -> Array:
    """float64[rows, cols], pixels a board unit at each pit."""
    return np.asarray(np.sqrt(np.abs(np.linalg.det(jacobian(view.homography, pit_places(view))))), np.float64)


def _on_rims(scene: _Scene, view: BoardView) -> BoardView:
    """Every pit moved and resized until it lies on the edges about its rim, no further than hands may have carved it.
    """
    e = scene.edges_for(float(np.median(view.radii)))
    t = np.linspace(0, 2 * np.pi, ANGLES, endpoint=False)
    basis = np.stack([np.cos(t), np.sin(t), np.ones_like(t)], 1)
    where = pit_places(view)
    for give, stray in STEPS:
        shapes = pit_affines(view).reshape(-1, 2, 2)
        off, _ = trace_rims(e, (view.centres.reshape(-1, 2) + 0.5) * e.scale - 0.5, shapes * e.scale, give)
        moves = np.array([_fitted(basis, o) for o in off]).reshape(view.rows, view.cols, 3)
        at = view.centres + np.einsum("rcij,rcj->rci", shapes.reshape(view.rows, view.cols, 2, 2), moves[..., :2])
        weight = 0.05 + np.mean(~np.isnan(off), 1)
        try:
            h = fit_homography(where.reshape(-1, 2), at.reshape(-1, 2), weight)
        except ValueError:
            return view
        fitted, scale = project(h, where), np.sqrt(np.abs(np.linalg.det(jacobian(h, where))))
        relative = view.radii * (1 + moves[..., 2]) / scale
        usual = float(np.median(relative))
        away = np.linalg.norm(at - fitted, axis=-1, keepdims=True) / (usual * scale[..., None])
        at = fitted + (at - fitted) * np.minimum(1.0, stray / np.maximum(away, 1e-9))  # beyond it, some other edge's
        radii = np.clip(relative, 0.9 * usual, 1.1 * usual) * scale
        view = replace(view, centres=at, radii=radii, homography=h, pit_radius=usual)
    return view


def _evened(view: BoardView) -> BoardView:
    """The view with those pits brought nearer that lie far off even steps although the others do not: there a heap or
    paint was taken for the rim. Every row begins where it will, and there may be a gap in the middle, at a hinge."""
    places = pit_places(view)
    row, col = (k.ravel() for k in np.mgrid[:view.rows, :view.cols])
    basis = np.column_stack([row[:, None] == np.arange(view.rows), col, col >= view.cols / 2]).astype(np.float64)
    at, w = places.reshape(-1, 2), np.ones((len(row), 1))
    for _ in range(8):
        even = basis @ np.linalg.lstsq(basis * w, at * w, rcond=None)[0]
        off = np.linalg.norm(at - even, axis=1, keepdims=True)
        usual = float(np.median(off))
        w = 1 / (1 + (off / max(0.02, 1.5 * usual)) ** 2)
    most = max(EVEN * view.pit_radius, UNEVEN * usual)
    nearer = even + (at - even) * np.minimum(1.0, most / np.maximum(off, 1e-9))
    return replace(view, centres=project(view.homography, nearer.reshape(places.shape)))


def _fitted(basis: Array, off: Array) -> Array:
    """float64[3], shift (in half axes) and growth that bring a rim onto the edges `off` it, held back where they are
    few."""
    ok = ~np.isnan(off)
    if ok.sum() < 8:
        return np.zeros(3)
    x: Array = np.zeros(3)
    for _ in range(3):
        rest = off[ok] - basis[ok] @ x
        w = 1 / (1 + (rest / 0.05) ** 2)
        b = basis[ok] * w[:, None]
        x = np.asarray(np.linalg.solve(b.T @ basis[ok] + HOLD * np.eye(3), b.T @ off[ok]), np.float64)
    return x


def _trimmed(scene: _Scene, view: BoardView) -> BoardView | None:
    """The view with a column more at an end where the rims go on, and without end columns that are no pits, such as two
    corners of a store; None if too little is left."""
    for before in (True, False):
        wider = _widened(view, before)
        if wider is not None:
            wider = _on_rims(scene, wider)
            if _ends(scene, wider)[0 if before else -1] > 0.75:
                view = wider
    while True:
        worth = _ends(scene, view)
        end = 0 if worth[0] < worth[-1] else view.cols - 1
        if worth[end] > 0.62:
            return view
        if view.cols - 1 not in COLS[view.rows]:
            return view if worth[end] > 0.3 else None
        view = _columns(view, 1, view.cols) if end == 0 else _columns(view, 0, view.cols - 1)


def _ends(scene: _Scene, view: BoardView) -> Array:
    """float64[cols], how much every column is like the middle one: some 1 for pits, less where rims are missing."""
    facing = _facing(scene, view)
    bare = np.minimum(0.0, facing - 0.6 * float(np.median(facing)))
    bare[_vouched(scene, view)[0].mean(0) > 0.5] = 0.0
    like = [s.mean(0) / max(float(np.median(s)), 0.05) for s in (_support(scene, view), _evidence(scene, view))]
    worth = np.asarray(np.maximum(*like) + 0.6 * bare, np.float64)
    for end in _taken_for_pits(scene, view):
        worth[end] -= ODD
    return worth


def _taken_for_pits(scene: _Scene, view: BoardView) -> list[int]:
    """The ends, 0 or -1, at which a store lies where the column is, while at the other end one lies beyond the last
    column: a board has two stores or none."""
    stores = np.array([(c.x, c.y, c.score) for c in scene.proposed if c.kind == "store"]).reshape(-1, 3)
    columns = view.centres.mean(axis=0)
    across = float(np.linalg.norm(view.centres[-1].mean(axis=0) - view.centres[0].mean(axis=0)))
    at, beyond = {0: 0.0, -1: 0.0}, {0: 0.0, -1: 0.0}
    for end, inner in ((0, 1), (-1, -2)):
        out = columns[end] - columns[inner]
        away = stores[:, :2] - columns[end]
        steps = away @ out / float(out @ out)
        near = np.linalg.norm(away - steps[:, None] * out, axis=1) < 0.5 * across
        for here, low, high in ((at, -0.5, 0.5), (beyond, 0.5, 2.0)):
            scores = stores[near & (steps > low) & (steps <= high), 2]
            here[end] = float(scores.max()) if len(scores) else 0.0
    return [end for end in (0, -1) if at[end] > beyond[end] and beyond[-1 - end] > SURE]


def _widened(view: BoardView, before: bool) -> BoardView | None:
    """The view with one column more at its left or right end, if there is such a board and it lies in the picture."""
    if view.cols + 1 not in COLS[view.rows]:
        return None
    where = pit_places(view)
    step = (where[:, -1] - where[:, 0]) / (view.cols - 1)
    step = np.median(np.diff(where, axis=1), axis=1) * (1, 0) + step * (0, 1)
    new = where[:, 0] - step if before else where[:, -1] + step
    k = 0 if before else view.cols
    wide = np.insert(where, k, new, axis=1)
    at = project(view.homography, new)
    scale = np.sqrt(np.abs(np.linalg.det(jacobian(view.homography, new))))
    r = scale * view.pit_radius
    if (at < r[:, None] * 0.8).any() or (at > np.asarray(view.size) - 0.8 * r[:, None]).any():
        return None
    shift = np.array([[1, 0, wide[0, 0, 0]], [0, 1, wide[0, 0, 1]], [0, 0, 1.0]])
    h = view.homography @ shift
    return replace(view, cols=view.cols + 1, centres=np.insert(view.centres, k, at, axis=1),
                   radii=np.insert(view.radii, k, r, axis=1), homography=h / h[2, 2])


def _facing(scene: _Scene, view: BoardView) -> Array:
    """float64[cols], how much of the rims is there where the rows of a column face each other: a store has none there.
    """
    e = scene.edges_for(float(np.median(view.radii)))
    shapes = pit_affines(view).reshape(-1, 2, 2) * e.scale
    off, _ = trace_rims(e, (view.centres.reshape(-1, 2) + 0.5) * e.scale - 0.5, shapes)
    there = ~np.isnan(off).reshape(view.rows, view.cols, ANGLES)
    eighth = ANGLES // 8
    south = there[:-1, :, eighth:3 * eighth].mean((0, 2))
    north = there[1:, :, 5 * eighth:7 * eighth].mean((0, 2))
    return np.asarray((south + north) / 2, np.float64)


def _columns(view: BoardView, start: int, stop: int) -> BoardView:
    where = pit_places(view)[:, start:stop]
    shift = np.array([[1, 0, where[0, 0, 0]], [0, 1, where[0, 0, 1]], [0, 0, 1.0]])
    h = view.homography @ shift
    return replace(view, cols=stop - start, centres=view.centres[:, start:stop], radii=view.radii[:, start:stop],
                   homography=h / h[2, 2])


def _roughness(view: BoardView) -> float:
    """How far the pits lie off even steps along and across the board, in column pitches (root mean square)."""
    p = pit_places(view)
    x = p[..., 0] - p[..., 0].mean(1, keepdims=True)
    y = p[..., 1] - p[..., 1].mean(1, keepdims=True)
    return float(np.sqrt(((x - x.mean(0)) ** 2 + y**2).mean()))


def from_corners(corners: ArrayLike, rows: int, cols: int, size: tuple[int, int],
                 image: Image | None = None) -> BoardView:
    """The board whose four corner pits have these centres.

    corners: float64[4, 2], pixels: North-left, North-right, South-right, South-left, as South sees them. size: (width,
    height) of the picture. With `image` the pits are then brought onto their rims where these show.
    Raises ValueError for corners that do not go round a four-sided field, or for a board that there is not.
    """
    check_size(rows, cols)
    p = np.asarray(corners, np.float64)
    if p.shape != (4, 2) or not np.isfinite(p).all():
        raise ValueError("four corners are needed, each with x and y")
    turn = [float(np.cross(np.append(p[(k + 1) % 4] - p[k], 0), np.append(p[(k + 2) % 4] - p[(k + 1) % 4], 0))[2])
            for k in range(4)]
    if min(turn) <= 1e-6 * max(size) ** 2:
        raise ValueError("the corners must go round the board clockwise: North's left, North's right, South's right,"
                         " South's left")
    where = np.stack(np.meshgrid(np.arange(cols, dtype=np.float64), np.arange(rows, dtype=np.float64)), -1)
    h = fit_homography(where[[0, 0, -1, -1], [0, -1, -1, 0]], p)
    view = view_on(h, where, size)
    if image is None:
        return view
    scene = _Scene(edges_of(image, WORK), edges_of(image, WORK // 2))
    drawn = _on_rims(scene, _sized(scene, view))
    return drawn if float(_support(scene, drawn).mean()) > PAR else view
