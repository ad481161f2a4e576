"""A board's columns: which of them are pits, and whether more follow at either end."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.board.geometry import jacobian, pit_places, project
from vision.board.hypothesis import Scene, evidence, facing, network_score, on_rims, rims_there
from vision.board.parameters import COLUMNS, PROPOSALS
from vision.reading import BoardView

Array = NDArray[np.float64]


def trimmed(scene: Scene, view: BoardView) -> BoardView | None:
    """Return the view with columns added at either end while their rims continue, and without end columns that are not
    pits but, say, two corners of a store. Return None if too few columns are left."""
    view = _lengthened(scene, view)
    while True:
        worth = _like_the_middle(scene, view)
        end = 0 if worth[0] < worth[-1] else view.cols - 1
        if worth[end] > COLUMNS.kept:
            return _lengthened(scene, view)  # a store left out at one end may leave room for a column at the other
        if view.cols - 1 not in scene.sizes[view.rows]:
            return view if worth[end] > COLUMNS.kept_needed else None
        view = columns_of(view, 1, view.cols) if end == 0 else columns_of(view, 0, view.cols - 1)


def _lengthened(scene: Scene, view: BoardView) -> BoardView:
    """Add columns at either end while their rims continue. An endless pattern grows to the widest board, which gives it
    away."""
    for before in (True, False):
        while view.cols + 1 in scene.sizes[view.rows] and (wider := widened(view, before)) is not None:
            wider = on_rims(scene, wider)
            if _like_the_middle(scene, wider)[0 if before else -1] <= COLUMNS.added:
                break
            view = wider
    return view


def _like_the_middle(scene: Scene, view: BoardView) -> Array:
    """float64[cols], how much each column resembles the middle one: about 1 for pits, less where rims are missing."""
    there = facing(scene, view)
    bare = np.minimum(0.0, there - COLUMNS.facing_share * float(np.median(there)))
    named = network_score(scene, view)[0].mean(0)
    bare[named > COLUMNS.named] = 0.0
    rims = rims_there(scene, view)
    like = [s.mean(0) / max(float(np.median(s)), 0.05) for s in (rims, evidence(scene, view, rims=rims))]
    worth = np.asarray(np.maximum(*like) + COLUMNS.facing_weight * bare, np.float64)
    usual = float(np.median(named))
    if usual > COLUMNS.plain_score:  # heaps hide rims, but the network recognises pits with heaps
        worth = np.where(named > COLUMNS.alike * usual, np.maximum(worth, 1.0), worth)
    for end in taken_for_pits(scene, view):
        may_be_pits = named[end] > COLUMNS.unlike * max(COLUMNS.plain_score, usual)
        worth[end] -= COLUMNS.store_loss if may_be_pits else 2 * COLUMNS.store_loss
    return worth


def taken_for_pits(scene: Scene, view: BoardView) -> list[int]:
    """Return the ends (0 or -1) whose column is really a store. That is so if a store lies beyond the last column at
    the other end, because a board has two stores or none. Both ends are returned if the network sees stores at both and
    hardly any pits."""
    at, beyond = stores_along(scene, view)
    named, sure = network_score(scene, view)[0].mean(0), PROPOSALS.sure
    if all(at[end] > max(sure, beyond[end], named[end]) and named[end] < named[1:-1].min() for end in (0, -1)):
        return [0, -1]
    return [end for end in (0, -1) if at[end] > beyond[end] and beyond[-1 - end] > sure]


def stores_along(scene: Scene, view: BoardView) -> tuple[dict[int, float], dict[int, float]]:
    """Return, by end (0 or -1), the network's best scores for a store at the place of the end column and beyond it."""
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
    return at, beyond


def widened(view: BoardView, before: bool) -> BoardView | None:
    """Return the view with one more column, on the left if `before`, else on the right; None if the column would lie
    outside the picture."""
    where = pit_places(view)
    step = (where[:, -1] - where[:, 0]) / (view.cols - 1)
    step = np.median(np.diff(where, axis=1), axis=1) * (1, 0) + step * (0, 1)
    new = where[:, 0] - step if before else where[:, -1] + step
    k = 0 if before else view.cols
    wide = np.insert(where, k, new, axis=1)
    at = project(view.homography, new)
    scale = np.sqrt(np.abs(np.linalg.det(jacobian(view.homography, new))))
    r = scale * view.pit_radius
    if (at < r[:, None] * 0.8).any() or (at > np.asarray(view.picture_size) - 0.8 * r[:, None]).any():
        return None
    shift = np.array([[1, 0, wide[0, 0, 0]], [0, 1, wide[0, 0, 1]], [0, 0, 1.0]])
    h = view.homography @ shift
    return replace(view, cols=view.cols + 1, centres=np.insert(view.centres, k, at, axis=1),
                   radii=np.insert(view.radii, k, r, axis=1), homography=h / h[2, 2])


def moved_along(view: BoardView, before: bool) -> BoardView | None:
    """Return the view moved by one column to its left (`before`) or right; None if it would leave the picture."""
    wider = widened(view, before)
    return None if wider is None else columns_of(wider, *((0, view.cols) if before else (1, view.cols + 1)))


def columns_of(view: BoardView, start: int, stop: int) -> BoardView:
    """Return the view's columns from `start` up to, not including, `stop`."""
    where = pit_places(view)[:, start:stop]
    shift = np.array([[1, 0, where[0, 0, 0]], [0, 1, where[0, 0, 1]], [0, 0, 1.0]])
    h = view.homography @ shift
    return replace(view, cols=stop - start, centres=view.centres[:, start:stop], radii=view.radii[:, start:stop],
                   homography=h / h[2, 2])
