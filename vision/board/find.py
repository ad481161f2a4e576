"""Finds the board in a picture without a click.

Circles proposed from rims and by a network are combined into lattices. Each lattice is then checked against the
picture: how much of every pit's rim is really there. The resulting pits lie on their rims to a fraction of a pixel.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.chains import Candidate
from vision.board.chequered import chequered
from vision.board.columns import moved_along, stores_along, taken_for_pits, trimmed, widened
from vision.board.geometry import jacobian, pit_places, project
from vision.board.hypothesis import (
    Scene,
    evidence,
    fit_aspect,
    fit_radius,
    inside,
    network_score,
    on_rims,
    pull_to_network,
    regularise_outliers,
    rims_there,
    roughness,
    shrink_to_lattice,
)
from vision.board.lattice import NO_ROWS, SIZES, NotFound, Sizes, check_size, fit_lattices, oriented, stores_of
from vision.board.levelling import Level, guessed, level_on, slant
from vision.board.odds import Odds, odds_about
from vision.board.parameters import ACCEPTANCE, COLUMNS, LATTICE, LEVELLING, PROPOSALS
from vision.board.proposals import closely, network, part_of, united
from vision.board.rims import WORK, Edges, edges_of, rim_support, round_rims
from vision.reading import BoardView

__all__ = ["Candidate", "NotFound", "elsewhere", "find"]

Image = NDArray[np.uint8]
Array = NDArray[np.float64]
Propose = Callable[[Image], Sequence[Candidate]]


def find(image: Image, rows: int | None = None, cols: int | None = None,
         propose: Propose | None = None, radius: float | None = None, sizes: Sizes = SIZES) -> BoardView | NotFound:
    """Find the board in a picture, South at the bottom.

    image: uint8[h, w, 3], BGR. rows, cols: where known. propose: yields candidates to unite with those from rims; by
    default the network's. radius: approximate radius of the pits, pixels, where known. sizes: the boards to look for.
    Raises ValueError for a size that no board has, or if `image` is no picture.
    """
    check_size(rows, cols, sizes)
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
        raise ValueError(f"a picture is uint8[h, w, 3], got {image.dtype}{list(image.shape)}")
    if min(image.shape[:2]) < ACCEPTANCE.least_side:
        return NotFound(f"the picture is too small: {image.shape[1]}x{image.shape[0]} pixels")
    propose = propose or (network if cols is None else closely)
    found = _find_once(image, rows, cols, propose, radius, sizes)
    if isinstance(found, NotFound) or found.score < ACCEPTANCE.doubtful:
        again = _find_once(lifted(image), rows, cols, propose, radius, sizes)
        if _tells_more(again, found):
            return again
    return found


def _tells_more(again: BoardView | NotFound, found: BoardView | NotFound) -> bool:
    """Whether a second search found more than the first: a board, or a surer one; or at least a likely size."""
    if isinstance(again, NotFound):
        return isinstance(found, NotFound) and found.likeliest is None and again.likeliest is not None
    return isinstance(found, NotFound) or again.score > found.score


def _find_once(image: Image, rows: int | None, cols: int | None, propose: Propose,
               radius: float | None, sizes: Sizes) -> BoardView | NotFound:
    """Find the board in one picture, which is levelled first if the board is seen at a slant."""
    best, scene, lattice = _search(image, propose, rows, cols, sizes, radius)
    # Do not search tilted views on rims alone: seen at a slant, most textures have some that suit a board.
    if scene.proposed if best is None or best.score < ACCEPTANCE.least_score else slant(best) > LEVELLING.slanted:
        best, odds = _search_levelled(image, best, scene, lattice, propose, rows, cols)
    else:
        odds = _odds(scene, best)
    if best is None:
        return _unseen(scene, lattice)
    if not _like(best, radius) or float(best.radii.mean()) < ACCEPTANCE.least_radius:
        return NotFound(NO_ROWS)
    if odds.board < -math.log(ACCEPTANCE.shown):
        return _refused(best, odds)
    if chequered(image, best):
        return NotFound("squares in two alternating colours, as on a board for chess or draughts")
    if best.cut and scene.proposed and float(network_score(scene, best)[0].mean()) <= ACCEPTANCE.least_named:
        return NotFound("round things in rows that continue beyond the picture, hardly a board's pits", None, cut=True)
    return replace(best, sizes=odds.sizes)


def _odds(scene: Scene, view: BoardView | None) -> Odds:
    """Odds about a board, or odds of zero for None."""
    return Odds(-math.inf, ()) if view is None else odds_about(scene, view, scene.proposed)


def _unseen(scene: Scene, lattice: BoardView | None) -> NotFound:
    """Say why there is no board where nothing has a board's rims, though circles may lie as a board's pits do."""
    odds = _odds(scene, lattice)
    return NotFound(NO_ROWS) if lattice is None or not _possible(odds) else _refused(lattice, odds)


def _possible(odds: Odds) -> bool:
    return odds.board >= -math.log(ACCEPTANCE.possible)


def _refused(view: BoardView, odds: Odds) -> NotFound:
    """Say why the most board-like thing is refused, and which board it would be."""
    if not _possible(odds):
        return NotFound("round things in rows, but hardly a board's pits")
    rows, cols = odds.sizes[0][:2] if odds.sizes else (view.rows, view.cols)
    edge = "the picture's edge cuts it" if view.cut else "too little of its pits' rims is visible"
    return NotFound(f"perhaps a {rows}x{cols} board, but {edge}", (rows, cols), view.cut)


def elsewhere(image: Image, view: BoardView, propose: Propose = closely) -> Iterator[BoardView]:
    """Yield the other places where the board found at `view` may lie, South at the bottom: first moved along by a
    column or two, then the other boards of that size that explain the picture, most likely first. Rims may not tell
    them apart; the contents of the pits do."""
    picture_size = (image.shape[1], image.shape[0])
    scene = Scene(edges_of(image, WORK), edges_of(image, WORK // 2), list(propose(image)))
    view = oriented(view)
    known = [view]
    for moved in _aside(scene, view):
        known.append(moved)
        yield moved
    laid = (_lay_lattices(scene, candidates, picture_size, view.rows, view.cols, LATTICE.laid_elsewhere)
            for candidates in _candidate_sources(scene))
    found = [there for pairs in laid for _, there in pairs if there is not None]
    for there in sorted(found, key=partial(_worth, scene), reverse=True):
        if all(_apart(there, k) for k in known):
            known.append(there)
            yield there


def _apart(view: BoardView, other: BoardView) -> bool:
    """Whether two boards of the same size lie too far apart to be the same one."""
    off = np.linalg.norm(view.centres - other.centres, axis=-1).mean()
    return bool(off > ACCEPTANCE.apart * other.radii.mean())


def _aside(scene: Scene, view: BoardView) -> Iterator[BoardView]:
    """The board moved along by a column or two, nearer places first."""
    ends = {True: view, False: view}
    for _ in range(ACCEPTANCE.aside_columns):
        further = {before: moved_along(last, before) for before, last in ends.items()}
        ends = {before: moved for before, moved in further.items() if moved is not None}
        for moved in ends.values():
            yield shrink_to_lattice(scene, on_rims(scene, fit_radius(scene, regularise_outliers(moved))))


def lifted(image: Image) -> Image:
    """uint8[h, w, 3], the picture with its dark parts brightened."""
    levels = np.round(255 * (np.arange(256) / 255) ** ACCEPTANCE.dark_power).astype(np.uint8)
    return np.asarray(cv2.LUT(image, levels), np.uint8)


def _like(view: BoardView, radius: float | None) -> bool:
    """Whether the board's pits are about as large as `radius` says."""
    return radius is None or 1 / ACCEPTANCE.other_size < float(view.radii.mean()) / radius < ACCEPTANCE.other_size


def _search(image: Image, propose: Propose, rows: int | None, cols: int | None, sizes: Sizes,
            radius: float | None = None) -> tuple[BoardView | None, Scene, BoardView | None]:
    """Return the best board in a picture, if any; the scene that was searched; and the best lattice before it was
    checked against the picture."""
    scene = Scene(edges_of(image, WORK), edges_of(image, WORK // 2), list(propose(image)), sizes)
    picture_size = (image.shape[1], image.shape[0])
    best: BoardView | None = None
    lattice: BoardView | None = None
    for candidates in _candidate_sources(scene):
        pairs = list(_lay_lattices(scene, candidates, picture_size, rows, cols))
        lattice = _best([lattice, *(view for view, _ in pairs)], _filled)
        best = _best([best, *(board for _, board in pairs)], partial(_worth, scene), radius)
        if best is not None and _settles(scene, best, cols):
            return best, scene, lattice
        if best is not None and _plainly_named(scene, best, cols):
            break  # rims would tell nothing new
    if best is not None and cols is not None:
        best = _shift_columns(scene, best, candidates, cols)
        # A store taken for a column moves the board aside; a search for any number of columns is free of that.
        size = best.rows, best.cols
        every = [board for _, board in _lay_lattices(scene, candidates, picture_size, best.rows, None)]
        alike = [b for b in every if b is not None and (b.rows, b.cols) == size and _like(b, radius)]
        best = max([best, *alike], key=lambda b: b.score)
    return best, scene, lattice


def _best(views: Sequence[BoardView | None], worth: Callable[[BoardView], float], radius: float | None = None
          ) -> BoardView | None:
    """Return the first of the views that are worth the most, if any. radius: of their pits, pixels, where known."""
    return max((v for v in views if v is not None and _like(v, radius)), default=None, key=worth)


def _filled(view: BoardView) -> float:
    """The expected number of a lattice's places that hold something."""
    return view.score * view.rows * view.cols


def _plainly_named(scene: Scene, view: BoardView, cols: int | None) -> bool:
    """Whether the network is so sure of the pits of a board whose columns were given that rims add nothing."""
    named = network_score(scene, view)[0]
    return cols is not None and _whole(named) and bool(named.mean() > COLUMNS.plain_score)


def _settles(scene: Scene, view: BoardView, cols: int | None) -> bool:
    """Whether the network's pits show where this board ends, and that there is no other."""
    return (_is_unambiguous(scene, view) or _plainly_named(scene, view, cols)) and not _has_adjacent_column(scene, view)


def _candidate_sources(scene: Scene) -> Iterator[Sequence[Candidate]]:
    """Yield candidates to find lattices among: the network's, then these united with the rims; or the rims alone."""
    if scene.proposed:
        yield scene.proposed
    rims = round_rims((scene.fine, scene.coarse))
    yield united(scene.proposed, rims) if scene.proposed else rims


def _lay_lattices(scene: Scene, candidates: Sequence[Candidate], picture_size: tuple[int, int], rows: int | None,
                  cols: int | None, limit: int = LATTICE.laid) -> Iterator[tuple[BoardView, BoardView | None]]:
    """Yield the lattices that explain the candidates best, each with the board it becomes once laid on the picture, or
    None."""
    for view in fit_lattices(candidates, picture_size, rows, cols, limit, scene.sizes):
        yield view, _lay(scene, view, candidates, cols)


def _shift_columns(scene: Scene, view: BoardView, candidates: Sequence[Candidate], cols: int) -> BoardView:
    """Move the board along, one column at a time, as long as it explains more of the picture: a store at one end may
    pass for a column, and then the last column at the other end is left out. cols: as many as were asked for."""

    def worth(v: BoardView) -> float:
        return _worth(scene, v) - COLUMNS.store_loss * v.rows * len(taken_for_pits(scene, v))

    for before in (True, False):
        while (along := moved_along(view, before)) is not None:
            moved = _lay(scene, along, candidates, cols)
            if moved is None or worth(moved) <= worth(view):
                break
            view = replace(moved, stores=stores_of(moved, [c for c in candidates if c.kind == "store"]))
    return view


def _search_levelled(image: Image, best: BoardView | None, scene: Scene, lattice: BoardView | None, propose: Propose,
                     rows: int | None, cols: int | None) -> tuple[BoardView | None, Odds]:
    """Search again in the picture levelled on what was found, or on a guess. Return the better board, and its odds in
    the picture in which it was found."""
    picture_size = (image.shape[1], image.shape[0])
    odds = _odds(scene, best)
    worth = -math.inf if best is None else _worth(scene, best)
    whole = (0, 0, *picture_size)
    plane = best or lattice
    ways = [] if plane is None else [level_on(fit_aspect(scene, plane), _sure_pits(scene))]
    tilt = math.radians(LEVELLING.guessed_tilt_deg)
    ways.append(guessed(part_of(scene.proposed, whole) or whole, picture_size, tilt))
    for k, way in enumerate(ways):
        if k == len(ways) - 1 and best is not None and best.score >= ACCEPTANCE.least_score:
            break  # what was found needs no guess
        for there, much, its in _boards_when_levelled(image, way, plane, scene, propose, rows, cols):
            usual = _median_support(scene, there)
            if much > worth and not _continues_beyond(scene, there, scene.proposed, usual):
                best, worth, odds = there, much, its
    return best, odds


def _boards_when_levelled(image: Image, level: Level | None, was: BoardView | None, scene: Scene, propose: Propose,
                          rows: int | None, cols: int | None) -> Iterator[tuple[BoardView, float, Odds]]:
    """Yield the boards found in the levelled picture, and in the picture levelled again on them, each with its worth
    and its odds there. was: the board that the first levelling was based on."""
    picture_size = (image.shape[1], image.shape[0])
    for _ in range(LEVELLING.rounds):
        if level is None:
            return
        found, drawn, _ = _search(level.draw(image), propose, rows, cols, scene.sizes)
        if found is None:
            return
        true = fit_aspect(drawn, found)
        askew = slant(true)
        named = float(network_score(drawn, found)[0].mean())
        if named > ACCEPTANCE.least_named or not (scene.proposed or drawn.proposed):
            worth = _worth(drawn, found) * min(1.0, LEVELLING.level / askew)
            yield oriented(level.back(found, picture_size)), worth, _odds(drawn, found)
        if was is not None and (was.rows, was.cols) == (found.rows, found.cols) and askew < LEVELLING.askew:
            return
        level, was = level_on(level.back(true, picture_size), _sure_pits(scene)), found


def _sure_pits(scene: Scene) -> Array:
    """float64[n, 2], pixels: where the network is sure of a pit."""
    return np.array([(c.x, c.y) for c in scene.proposed if c.kind == "pit" and c.score > PROPOSALS.sure]).reshape(-1, 2)


def _worth(scene: Scene, view: BoardView) -> float:
    """Return how much a board explains: the rims that it has beyond those of any picture, and the network's pits."""
    named = float(network_score(scene, view)[0].sum())
    return (view.score - ACCEPTANCE.par) * view.rows * view.cols + ACCEPTANCE.network_worth * named


def _lay(scene: Scene, view: BoardView, candidates: Sequence[Candidate], cols: int | None) -> BoardView | None:
    """Lay the hypothesis on the picture: move its pits onto their rims, keep the columns that have rims, and set its
    score to the share of rims found. None if too little is found."""
    view = _onto_rims(scene, regularise_outliers(view), cols)
    if cols is None and (not view.cut or taken_for_pits(scene, view)):
        pits = trimmed(scene, view)
        if pits is None:
            return None
        view = replace(pits, cut=view.cut and pits.cols == view.cols)
    named, seen = network_score(scene, view)[0], inside(view)
    whole = cols is not None and _whole(named)
    every = rims_there(scene, view)
    support = evidence(scene, view, whole, every)
    sure = np.mean(named > ACCEPTANCE.named_score) >= ACCEPTANCE.named_sure
    least = ACCEPTANCE.least_rim_named if sure else ACCEPTANCE.least_rim
    worst = ACCEPTANCE.worst_fifth if cols is None else ACCEPTANCE.worst_of_known_size
    rims = float(every[seen].mean()) if seen.any() else 0.0
    if rims < ACCEPTANCE.least_rim_everywhere or not (
            whole or (np.quantile(support[seen], worst) >= ACCEPTANCE.least_rim and rims >= least)):
        return None  # the network can replace some rims, but not all of a board's
    if _continues_beyond(scene, view, candidates, _median_support(scene, view, every)):
        return None
    loss = min(ACCEPTANCE.most_rough_loss, ACCEPTANCE.rough_loss * roughness(pit_places(view)))
    view = replace(view, score=float(np.mean(support[seen])) * (1 - loss))
    return shrink_to_lattice(scene, pull_to_network(scene, view))


def _onto_rims(scene: Scene, view: BoardView, cols: int | None) -> BoardView:
    """Move the board's pits onto their rims. They stay where they are if they would lose pits that the network sees:
    on dark wood the edges of seeds are plainer than rims."""
    drawn = on_rims(scene, fit_radius(scene, view))
    if cols is None or not _whole(network_score(scene, view)[0]) or _whole(network_score(scene, drawn)[0]):
        return drawn
    return view


def _whole(named: Array) -> bool:
    """Whether the network sees something at every place of a board; by chance some places would be missing."""
    something = (named > ACCEPTANCE.something_score).mean()
    return bool(something >= ACCEPTANCE.something_everywhere and named.mean() > ACCEPTANCE.least_named)


def _has_adjacent_column(scene: Scene, view: BoardView) -> bool:
    """Whether the network sees something where one more column would lie at either end."""
    for before in (True, False):
        wider = widened(view, before)
        if wider is None:
            continue
        beside = network_score(scene, wider)[0][:, 0 if before else -1]
        if float(beside.max()) > ACCEPTANCE.something_score:
            return True
    return False


def _is_unambiguous(scene: Scene, view: BoardView) -> bool:
    """Whether the network is sure of every pit of a board with plain rims, and of no other pit."""
    if view.cut or view.score < ACCEPTANCE.doubtful or float(network_score(scene, view)[0].min()) < PROPOSALS.sure:
        return False
    away = np.linalg.norm(_sure_pits(scene)[:, None] - view.centres.reshape(-1, 2), axis=-1).min(axis=1)
    return bool((away < view.radii.mean()).all())


def _median_support(scene: Scene, view: BoardView, rims: Array | None = None) -> float:
    """The median evidence for the pits that lie in the picture. rims: what `rims_there` returns, where known."""
    within = inside(view)
    return float(np.median(evidence(scene, view, rims=rims)[within])) if within.any() else 0.0


def _continues_beyond(scene: Scene, view: BoardView, candidates: Sequence[Candidate], usual: float) -> bool:
    """Whether the lattice continues beside the board or between its rows, as bricks, keys and trays do. A store beyond
    the end is no continuation."""
    where = pit_places(view)
    beside = [2 * where[0] - where[1], 2 * where[-1] - where[-2], (where[0] + where[1]) / 2]
    if view.cols == scene.sizes[view.rows][-1]:
        _, stores = stores_along(scene, view)
        beside += [2 * where[:, end] - where[:, inner] for end, inner in ((0, 1), (-1, -2))
                   if stores[end] <= PROPOSALS.sure]
    e = scene.edges_for(float(np.median(view.radii)))
    return any(_like_pits(e, view, places, candidates, usual) for places in beside)


def _like_pits(e: Edges, view: BoardView, places: Array, candidates: Sequence[Candidate], usual: float) -> bool:
    """Whether the picture shows pits at the given places beside a board. places: float64[n, 2], in board units; usual:
    the rim support of the board's own pits."""
    at = project(view.homography, places)
    shapes = jacobian(view.homography, places) * (view.pit_radius * e.scale)
    within = ((at > 0) & (at < np.asarray(view.picture_size))).all(-1)
    if within.sum() <= ACCEPTANCE.beside_inside * len(at):
        return False
    support = rim_support(e, (at[within] + 0.5) * e.scale - 0.5, shapes[within])
    radius = np.sqrt(np.abs(np.linalg.det(shapes[within]))) / e.scale
    least = ACCEPTANCE.beside_score * usual
    circles = np.array([(c.x, c.y, c.r) for c in candidates if c.score > least]).reshape(-1, 3)
    off = np.linalg.norm(at[within][:, None] - circles[:, :2], axis=-1)
    ratio = circles[:, 2] / radius[:, None]
    like = (off < ACCEPTANCE.beside_off * radius[:, None]) & (ratio > ACCEPTANCE.beside_least_radius)
    like = (like & (ratio < ACCEPTANCE.beside_most_radius)).any(axis=1)
    return float(support.mean()) > ACCEPTANCE.goes_on * usual or float(like.mean()) > ACCEPTANCE.goes_on
