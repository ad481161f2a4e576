"""How likely each possible size of a board is: one score, fitted on rendered pictures (`vision.train.board_odds`).

The evidence for and against pits at the columns of a lattice is measured once. Every window of columns is then a
hypothesis with its own features. Its score is their weighted sum: the log-odds of that board against no board at all.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.board.chains import Candidate
from vision.board.columns import columns_of, widened
from vision.board.geometry import jacobian, pit_places, project
from vision.board.hypothesis import Scene, facing, inside, network_score, on_rims, rims_there, roughness
from vision.board.levelling import slant
from vision.board.parameters import ACCEPTANCE, COLUMNS, FITTING, PROPOSALS
from vision.board.rims import rim_support
from vision.reading import BoardView

Array = NDArray[np.float64]

WEIGHTS = Path(__file__).parents[1] / "weights" / "board_odds.json"
FEATURES = (
    "a board", "no network", "rims", "rims of the worst fifth", "named", "named at the worst fifth", "evidence",
    "evidence at the worst fifth", "pits", "rims together", "evidence together", "named together", "four rows",
    "roughness", "rims at the ends", "rims at the worse end", "named at the ends", "named at the worse end",
    "facing at the worse end", "rims beside", "evidence beside", "named beside", "beside lies outside",
    "store at an end", "store beyond an end", "stores beyond both ends", "store at one end only", "rows beside",
    "circles in rows beside", "between rows", "circles between rows", "slant", "sure elsewhere",
    "share of what is sure", "parted off the middle", "parted in the middle", "rims, no network",
    "rims of the worst fifth, no network", "rims together, no network", "rims at the worse end, no network",
    "store rather than pits at an end")
"""The features of a hypothesis."""
WHOLE_STEP = 0.75
"""A step wider than the others by more than this, in steps, skips a column: no hinge is so wide."""


@dataclass(frozen=True, slots=True)
class LatticeEvidence:
    """Measurements at a lattice laid on the picture, widened by one column on either side where these lie in the
    picture. start, stop: the lattice's own columns. rims: float64[rows, cols], rim support; named: the same of the
    network's scores; lies: bool[rows, cols], whether the place lies in the picture; facing: float64[cols]; beside:
    float64[2, 3, cols], from `_beside`; stores: float64[n, 2], column and score of those that the network found;
    places: float64[rows, cols, 2], of the pits on the board; slant: as `slant`; bare: whether the network found
    nothing; sure: float64[n, 2], pixels, the pits that the network is sure of."""

    view: BoardView
    start: int
    stop: int
    rims: Array
    named: Array
    lies: NDArray[np.bool_]
    facing: Array
    beside: Array
    stores: Array
    places: Array
    slant: float
    bare: bool
    sure: Array

    def without_network(self) -> LatticeEvidence:
        """Return the same measurements as if the network had found nothing."""
        return replace(self, named=np.zeros_like(self.named), stores=self.stores[:0], sure=self.sure[:0], bare=True)

    def window(self, start: int, stop: int) -> BoardView:
        """Return the board of these columns."""
        whole = start == 0 and stop == self.view.cols
        return self.view if whole else columns_of(self.view, start, stop)


def laid(scene: Scene, view: BoardView, candidates: Sequence[Candidate]) -> LatticeEvidence:
    """Measure what is seen at a lattice already fitted to the picture's rims, and beside it."""
    return _seen(scene, *grown(scene, view, 0, view.cols), candidates)


def grown(scene: Scene, view: BoardView, start: int, stop: int) -> tuple[BoardView, int, int]:
    """Widen the view by a column at either end where it stays in the picture; also return start and stop renumbered."""
    wide = view
    for before in (True, False):
        more = widened(wide, before)
        if more is not None:
            wide, start, stop = more, start + before, stop + before
    if wide.cols == view.cols:
        return view, start, stop
    # Keep the original columns in place: whatever lies beside them must not move them.
    ends = on_rims(scene, wide)
    centres, radii = wide.centres.copy(), wide.radii.copy()
    left, right = start > 0 and wide.cols > view.cols, stop < wide.cols
    for end, more_there in ((0, left), (-1, right)):
        if more_there:
            centres[:, end], radii[:, end] = ends.centres[:, end], ends.radii[:, end]
    return replace(wide, centres=centres, radii=radii), start, stop


def _seen(scene: Scene, view: BoardView, start: int, stop: int, candidates: Sequence[Candidate]) -> LatticeEvidence:
    named = network_score(scene, view)[0]
    back = np.linalg.inv(view.homography)
    where = pit_places(view)
    found = np.array([(c.x, c.y, c.score) for c in scene.proposed if c.kind == "store"]).reshape(-1, 3)
    columns = where[..., 0].mean(0)
    at = project(back, found[:, :2]) if len(found) else np.zeros((0, 2))
    steps = np.interp(at[:, 0], columns, np.arange(view.cols, dtype=np.float64))
    steps = np.where(at[:, 0] < columns[0], at[:, 0] - columns[0], steps)
    steps = np.where(at[:, 0] > columns[-1], view.cols - 1 + at[:, 0] - columns[-1], steps)
    near = np.abs(at[:, 1] - where[..., 1].mean()) < 0.5 * (where[-1, :, 1].mean() - where[0, :, 1].mean())
    stores = np.column_stack([steps, found[:, 2]])[near]
    sure = np.array([(c.x, c.y) for c in scene.proposed if c.kind == "pit" and c.score > PROPOSALS.sure])
    return LatticeEvidence(view, start, stop, rims_there(scene, view), named, inside(view), facing(scene, view),
               _beside(scene, view, candidates, where), stores, where, slant(view), not scene.proposed,
               sure.reshape(-1, 2))


def _beside(scene: Scene, view: BoardView, candidates: Sequence[Candidate], where: Array) -> Array:
    """float64[2, 3, cols]: rim support and circle scores, each above the board's rows, below them, and between the
    first two; NaN outside the picture."""
    rows = np.stack([2 * where[0] - where[1], 2 * where[-1] - where[-2], (where[0] + where[1]) / 2])
    places = rows.reshape(-1, 2)
    e = scene.edges_for(float(np.median(view.radii)))
    at = project(view.homography, places)
    shapes = jacobian(view.homography, places) * (view.pit_radius * e.scale)
    support = rim_support(e, (at + 0.5) * e.scale - 0.5, shapes)
    radius = np.sqrt(np.abs(np.linalg.det(shapes))) / e.scale
    circles = np.array([(c.x, c.y, c.r, c.score) for c in candidates]).reshape(-1, 4)
    off = np.linalg.norm(at[:, None] - circles[:, :2], axis=-1) / radius[:, None]
    like = (off < 0.5) & (np.abs(np.log(circles[:, 2] / radius[:, None])) < 0.35)
    score = np.where(like, circles[:, 3], 0.0).max(1, initial=0.0)
    lies = ((at > 0) & (at < np.asarray(view.picture_size))).all(-1)
    both = np.where(lies, np.stack([support, score]), np.nan)
    return np.asarray(both.reshape(2, 3, view.cols), np.float64)


def described(lot: LatticeEvidence, start: int, stop: int) -> Array:
    """float64[len(FEATURES)], the features of the board of these columns."""
    own = slice(start, stop)
    lies = lot.lies[:, own]
    rims, named = lot.rims[:, own][lies], lot.named[:, own][lies]
    if not len(rims):
        rims, named = np.zeros(1), np.zeros(1)
    every = np.maximum(lot.rims, FITTING.network_weight * lot.named)
    evidence = every[:, own][lies] if lies.any() else np.zeros(1)
    usual_rims, usual = max(float(np.median(rims)), 0.1), max(float(np.median(evidence)), 0.1)
    usual_named = max(float(np.median(named)), 0.1)
    pits = lot.rims.shape[0] * (stop - start)
    column_rims, column_named, column_all = lot.rims.mean(0), lot.named.mean(0), every.mean(0)
    ends = (start, stop - 1)
    at_rims = [min(1.2, float(column_rims[k]) / usual_rims) for k in ends]
    at_named = [min(1.2, float(column_named[k]) / usual_named) for k in ends]
    usual_facing = max(float(np.median(lot.facing[own])), 0.1)
    at_facing = min(min(1.2, float(lot.facing[k]) / usual_facing) for k in ends)
    out = [k for k in (start - 1, stop) if 0 <= k < lot.view.cols]
    beside_rims = max((min(1.2, float(column_rims[k]) / usual_rims) for k in out), default=0.0)
    beside_all = max((min(1.2, float(column_all[k]) / usual) for k in out), default=0.0)
    beside_named = max((float(column_named[k]) for k in out), default=0.0)
    at, beyond = _stores(lot, start, stop)
    rows, like, between, like_between = _rows(lot.beside[:, :, own], usual)
    elsewhere, share = _sure(lot, start, stop)
    places = lot.places[:, own]
    parted, middle = _parted(places)
    worst = float(np.quantile(rims, 0.2))
    bare = [lot.bare * v for v in (float(rims.mean()), worst, pits / 10 * float(rims.mean()), min(at_rims))]
    rather = max(0.0, max(at) - min(at_named) * float(named.mean()))
    return np.array([
        1.0, lot.bare, rims.mean(), worst, named.mean(),
        np.quantile(named, 0.2), evidence.mean(), np.quantile(evidence, 0.2), pits / 10,
        pits / 10 * rims.mean(), pits / 10 * evidence.mean(), pits / 10 * named.mean(), lot.rims.shape[0] == 4,
        min(0.3, roughness(places)), sum(at_rims), min(at_rims), sum(at_named), min(at_named), at_facing,
        beside_rims, beside_all, beside_named, 2 - len(out), max(at), max(beyond), min(beyond),
        max(min(at[0], beyond[1]), min(at[1], beyond[0])), rows, like, between, like_between,
        min(2.0, math.log(lot.slant)), math.log1p(elsewhere), share,
        parted, middle, *bare, rather], np.float64)


def _parted(places: Array) -> tuple[float, float]:
    """By how much the widest step between columns exceeds the median step: first if it is off the middle or a column
    wide, second if it is a hinge in the middle; the other value is 0."""
    steps = np.diff(places[..., 0].mean(0))
    widest = int(steps.argmax())
    more = min(1.0, float(steps[widest] / np.median(steps)) - 1)
    hinge = len(steps) % 2 == 1 and widest == len(steps) // 2 and more < WHOLE_STEP
    return (0.0, more) if hinge else (more, 0.0)


def _stores(lot: LatticeEvidence, start: int, stop: int) -> tuple[list[float], list[float]]:
    """The network's best scores for a store: at the first and last column, and beyond each."""
    steps, score = lot.stores[:, 0], lot.stores[:, 1]
    out = (start - steps, steps - (stop - 1))
    at = [float(score[(o > -0.5) & (o <= 0.5)].max(initial=0.0)) for o in out]
    return at, [float(score[(o > 0.5) & (o <= 2.2)].max(initial=0.0)) for o in out]


def _rows(beside: Array, usual: float) -> tuple[float, float, float, float]:
    """How much the rows beside these columns, and between them, look like pits, as shares: beside by rims and by
    circles, then between by rims and by circles."""
    there = (~np.isnan(beside[0])).mean(-1) > 0.6
    shares = np.where(there, np.nan_to_num(beside).mean(-1) / max(usual, 0.1), 0.0).clip(0, 1.3)
    return float(shares[0, :2].max()), float(shares[1, :2].max()), float(shares[0, 2]), float(shares[1, 2])


def _sure(lot: LatticeEvidence, start: int, stop: int) -> tuple[int, float]:
    """How many pits the network is sure of outside the board, and the share of its sure pits that are the board's."""
    if not len(lot.sure):
        return 0, 0.0
    centres = lot.view.centres[:, start:stop].reshape(-1, 2)
    away = np.linalg.norm(lot.sure[:, None] - centres, axis=-1).min(1)
    near = away < lot.view.radii[:, start:stop].mean()
    return int((~near).sum()), float(near.mean())


@cache
def _table() -> dict[str, Any]:
    table: dict[str, Any] = json.loads(WEIGHTS.read_text("utf-8"))
    return table


@cache
def weights() -> Array:
    """float64[len(FEATURES)], what one unit of each feature adds to the log-odds."""
    return np.array([_table()["weights"][name] for name in FEATURES], np.float64)


def score(lot: LatticeEvidence, start: int, stop: int) -> float:
    """The log-odds of a board of these columns against no board. The odds from all features are mixed with those
    without the network's, in case the network fails."""
    odds = float(described(lot, start, stop) @ weights())
    if lot.bare:
        return odds
    alone = float(described(lot.without_network(), start, stop) @ weights())
    fails = ACCEPTANCE.network_fails
    return float(np.logaddexp(math.log1p(-fails) + odds, math.log(fails) + alone))


def windows(lot: LatticeEvidence, sizes: Mapping[int, range]) -> Iterator[tuple[int, int]]:
    """Yield the first column of every part of the lattice that may be a board, and the column after its last; at most
    three columns are left out at either end. sizes: columns that a board may have, by its rows."""
    widths = sizes.get(lot.view.rows, range(0))
    for start in range(min(4, lot.view.cols)):
        for stop in range(max(start + 1, lot.view.cols - 3), lot.view.cols + 1):
            if stop - start in widths:
                yield start, stop


class Odds(NamedTuple):
    """Odds of what was found. board: log-odds that it is a board at all, if a board was as likely as none beforehand.
    sizes: rows, columns and probability of its possible sizes, likeliest first; they sum to 1 together with the
    unlikely ones, which are left out."""

    board: float
    sizes: tuple[tuple[int, int, float], ...]


def odds_about(scene: Scene, view: BoardView, candidates: Sequence[Candidate]) -> Odds:
    """Return the odds that a board lies at `view`, and its possible sizes: as found, or with columns left out or one
    more at either end."""
    lot = laid(scene, view, candidates)
    best: dict[int, float] = {}
    for start, stop in windows(lot, scene.sizes):
        best[stop - start] = max(best.get(stop - start, -math.inf), score(lot, start, stop))
    if not best:
        return Odds(-math.inf, ())
    top = max(best.values())
    total = sum(math.exp(odds - top) for odds in best.values())
    shares = sorted(((math.exp(odds - top) / total, cols) for cols, odds in best.items()), reverse=True)
    sizes = tuple((view.rows, cols, p) for p, cols in shares if p >= COLUMNS.named_odds)
    return Odds(top + math.log(total), sizes)
