"""A hypothesis laid on the picture: how much of its pits' rims is visible, and its pits moved onto them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from vision.board.chains import Candidate
from vision.board.geometry import fit_homography, jacobian, pit_affines, pit_places, project
from vision.board.lattice import SIZES, Sizes
from vision.board.parameters import FITTING
from vision.board.rims import ANGLES, Edges, rim_support, trace_rims
from vision.reading import BoardView

__all__ = [
    "Scene",
    "evidence",
    "facing",
    "fit_aspect",
    "fit_radius",
    "inside",
    "network_score",
    "on_rims",
    "pull_to_network",
    "regularise_outliers",
    "rims_there",
    "roughness",
    "shrink_to_lattice",
]

Array = NDArray[np.float64]

ROW_PITCHES = (0.6, 0.72, 0.85, 1.0, 1.18, 1.4, 1.65)
"""Distances of rows that are tried, as multiples of the assumed one."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture's fine and coarse edges, the network's proposals, and the boards to look for."""

    fine: Edges
    coarse: Edges
    proposed: Sequence[Candidate] = ()
    sizes: Sizes = field(default_factory=lambda: SIZES)

    def edges_for(self, radius: float) -> Edges:
        """The edges that suit a rim of this radius (pixels of the picture): only the coarse ones for a large rim."""
        return self.coarse if radius * self.fine.scale > 17 else self.fine


def inside(view: BoardView) -> NDArray[np.bool_]:
    """bool[rows, cols], whether each pit's centre lies in the picture."""
    c = view.centres
    return np.asarray(((c > 0) & (c < np.asarray(view.picture_size))).all(-1), np.bool_)


def rims_there(scene: Scene, view: BoardView, scale: float = 1.0) -> Array:
    """float64[rows, cols], the share of every pit's rim that is visible, with the radii multiplied by `scale`."""
    e = scene.edges_for(float(np.median(view.radii)) * scale)
    shapes = pit_affines(view).reshape(-1, 2, 2) * (e.scale * scale)
    centres = (view.centres.reshape(-1, 2) + 0.5) * e.scale - 0.5
    return rim_support(e, centres, shapes).reshape(view.rows, view.cols)


def evidence(scene: Scene, view: BoardView, whole: bool = False, rims: Array | None = None) -> Array:
    """float64[rows, cols], the evidence for every pit: its rim, or the network's score where the rim is hard to see.
    whole: the network sees a pit at every place, so each is likelier than its score. rims: from `rims_there`, where
    known."""
    named = network_score(scene, view)[0]
    said = FITTING.network_weight * (np.sqrt(named) if whole else named)
    return np.asarray(np.maximum(rims_there(scene, view) if rims is None else rims, said), np.float64)


def network_score(scene: Scene, view: BoardView) -> tuple[Array, Array]:
    """Return float64[rows, cols], the score of the network's pit at each pit, 0 for none; and float64[rows, cols, 2],
    where the network sees it."""
    pits = np.array([(c.x, c.y, c.r, c.score) for c in scene.proposed if c.kind == "pit"]).reshape(-1, 4)
    if not len(pits):
        return np.zeros(view.radii.shape), view.centres
    away = np.linalg.norm(view.centres[..., None, :] - pits[:, :2], axis=-1) / view.radii[..., None]
    ratio = np.abs(np.log(pits[:, 2] / view.radii[..., None]))
    score = np.where((away < 0.4) & (ratio < 0.4), pits[:, 3], 0.0)
    best = score.argmax(axis=-1)
    there = score.max(axis=-1)
    return there, np.where((there > 0)[..., None], pits[best, :2], view.centres)


def facing(scene: Scene, view: BoardView) -> Array:
    """float64[cols], how much of the rims is visible where the rows of a column face each other; a store has no rim
    there."""
    e = scene.edges_for(float(np.median(view.radii)))
    shapes = pit_affines(view).reshape(-1, 2, 2) * e.scale
    off, _ = trace_rims(e, (view.centres.reshape(-1, 2) + 0.5) * e.scale - 0.5, shapes)
    there = ~np.isnan(off).reshape(view.rows, view.cols, ANGLES)
    eighth = ANGLES // 8
    south = there[:-1, :, eighth:3 * eighth].mean((0, 2))
    north = there[1:, :, 5 * eighth:7 * eighth].mean((0, 2))
    return np.asarray((south + north) / 2, np.float64)


def roughness(places: Array) -> float:
    """Root mean square distance, in column pitches, of pits from even steps along and across a board. The board may be
    bent; the two inner rows may lie closer or farther apart. places: float64[rows, cols, 2]."""
    x = places[..., 0] - places[..., 0].mean(1, keepdims=True)
    rows = places[..., 1].mean(1)
    uneven = (rows[0] + rows[-1] - rows[1] - rows[-2]) / 4
    y = places[..., 1] - rows[:, None]
    bow = _bow(places.shape[1])
    y = y - float((y * bow).mean() / (bow**2).mean()) * bow
    return float(np.sqrt(((x - x.mean(0)) ** 2 + y**2).mean() + uneven**2))


def _bow(cols: int) -> Array:
    """float64[cols], the parabola along which rows sag: mean 0, ends 1 higher than the middle."""
    u = np.linspace(-1, 1, cols)
    return np.asarray(u**2 - (u**2).mean(), np.float64)


def pull_to_network(scene: Scene, view: BoardView) -> BoardView:
    """Move pits whose rims are hardly visible up to half way to where the network sees them."""
    score, at = network_score(scene, view)
    share = np.clip(0.8 - 2 * rims_there(scene, view), 0.0, 0.5) * (score > 0)
    return replace(view, centres=view.centres + share[..., None] * (at - view.centres))


def shrink_to_lattice(scene: Scene, view: BoardView) -> BoardView:
    """Move each pit towards evenly spaced places; the less of its rim is visible, the further. Hand-carved boards are
    uneven, but a heap or a shadow shifts a pit more than that."""
    even = project(view.homography, _even(view)[0])
    share = FITTING.steadied_bare + (FITTING.steadied_plain - FITTING.steadied_bare) * rims_there(scene, view)
    return replace(view, centres=view.centres + share[..., None] * (even - view.centres))


def fit_radius(scene: Scene, view: BoardView) -> BoardView:
    """Fit the pits' common radius to the rims: the widest radius that the picture supports."""
    even = replace(view, radii=view.radii * 0 + _scales(view) * view.pit_radius)
    steps = np.exp(np.arange(-5, 8) * 0.07)
    steps = steps[(steps * view.pit_radius < 0.56) & (steps * view.pit_radius > 0.2)]
    if not len(steps):
        return even
    found = np.array([rims_there(scene, even, float(s)).mean() for s in steps])
    good = np.nonzero(found >= 0.85 * found.max())[0]
    k = good[-1]
    while k > 0 and found[k - 1] > found[k]:
        k -= 1
    return replace(even, radii=even.radii * steps[k], pit_radius=even.pit_radius * float(steps[k]))


def fit_aspect(scene: Scene, view: BoardView) -> BoardView:
    """Fit the row pitch, in column pitches, so that the pits are as flat as the rims: for two rows alone the camera
    does not determine it."""
    best, most = view, -1.0
    for k in ROW_PITCHES:
        stretch = np.diag([1.0, k, 1.0])
        stretched = replace(view, homography=view.homography @ stretch, pit_radius=view.pit_radius / k**0.5)
        trial = fit_radius(scene, stretched)
        support = float(rims_there(scene, trial).mean()) - FITTING.shape_bias * abs(math.log(k))
        if support > most:
            best, most = trial, support
    return best


def _scales(view: BoardView) -> Array:
    """float64[rows, cols], pixels a board unit at each pit."""
    return np.asarray(np.sqrt(np.abs(np.linalg.det(jacobian(view.homography, pit_places(view))))), np.float64)


def on_rims(scene: Scene, view: BoardView) -> BoardView:
    """Move and resize every pit until it lies on the edges about its rim, within the tolerance of hand carving."""
    e = scene.edges_for(float(np.median(view.radii)))
    t = np.linspace(0, 2 * np.pi, ANGLES, endpoint=False)
    basis = np.stack([np.cos(t), np.sin(t), np.ones_like(t)], 1)
    where = pit_places(view)
    for give, stray in zip(FITTING.rim_reach, FITTING.place_reach, strict=True):
        shapes = pit_affines(view).reshape(-1, 2, 2)
        off, _ = trace_rims(e, (view.centres.reshape(-1, 2) + 0.5) * e.scale - 0.5, shapes * e.scale, give)
        moves = _fitted(basis, off).reshape(view.rows, view.cols, 3)
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
        at = fitted + (at - fitted) * np.minimum(1.0, stray / np.maximum(away, 1e-9))  # farther edges are not the rim's
        radii = np.clip(relative, 0.9 * usual, 1.1 * usual) * scale
        view = replace(view, centres=at, radii=radii, homography=h, pit_radius=usual)
    return view


def regularise_outliers(view: BoardView) -> BoardView:
    """Move pits nearer to even steps if they lie much farther off than most pits: their rims were confused with heaps
    or with paint. Even steps allow each row its own start, a hinge's gap in the middle, and bent rows."""
    places = pit_places(view)
    even, usual = _even(view)
    off = np.linalg.norm(places - even, axis=-1, keepdims=True)
    most = max(FITTING.uneven * view.pit_radius, FITTING.unevener * usual)
    nearer = even + (places - even) * np.minimum(1.0, most / np.maximum(off, 1e-9))
    return replace(view, centres=project(view.homography, nearer))


def _even(view: BoardView) -> tuple[Array, float]:
    """Return where the pits would lie at even steps, float64[rows, cols, 2] in board units; and the median distance of
    the pits from there."""
    places = pit_places(view)
    row, col = (k.ravel() for k in np.mgrid[:view.rows, :view.cols])
    basis = np.column_stack([row[:, None] == np.arange(view.rows), col, col >= view.cols / 2, _bow(view.cols)[col]]
                            ).astype(np.float64)
    at, w = places.reshape(-1, 2), np.ones((len(row), 1))
    for _ in range(8):
        even = basis @ np.linalg.lstsq(basis * w, at * w, rcond=None)[0]
        off = np.linalg.norm(at - even, axis=1, keepdims=True)
        usual = float(np.median(off))
        w = 1 / (1 + (off / max(0.02, 1.5 * usual)) ** 2)
    return np.asarray(even, np.float64).reshape(places.shape), usual


def _fitted(basis: Array, off: Array) -> Array:
    """float64[n, 3], the shifts (in half axes) and growth that bring rims onto the edges `off` them, damped where edges
    are few. basis: float64[angles, 3], what each does at an angle. off: float64[n, angles], NaN without an edge."""
    there = ~np.isnan(off)
    off = np.where(there, off, 0.0)
    squares = (basis[:, :, None] * basis[:, None, :]).reshape(-1, 9)
    held = FITTING.place_weight * np.eye(3)
    x: Array = np.zeros((len(off), 3))
    for _ in range(3):
        w = there / (1 + ((off - x @ basis.T) / 0.05) ** 2)
        pulls = ((w * off) @ basis)[..., None]
        x = np.asarray(np.linalg.solve((w @ squares).reshape(-1, 3, 3) + held, pulls)[..., 0], np.float64)
    return np.asarray(np.where(there.sum(1, keepdims=True) < 8, 0.0, x), np.float64)
