"""Two rows of like circles as two rows of a board before an ordinary camera: what a lattice begins from."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import heappush, heappushpop
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from vision.board.chains import Candidate, Chain, find_chains
from vision.board.geometry import camera_columns, fit_homography, jacobian, project
from vision.board.parameters import ROW_PAIRS

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Model:
    """A lattice before its edges are known. h: from (place along the row, row) to pixels. hinge: column after which the
    halves part by `gap` columns. row_gap: by how many rows the two middle ones of four lie further apart, after `mid`.
    """

    h: Array
    hinge: int | None = None
    gap: float = 0.0
    mid: int = 0
    row_gap: float = 0.0

    def places(self, cols: Array, rows: Array) -> Array:
        """float64[n, 2], places of whole columns and rows."""
        x = cols + (self.gap * (cols > self.hinge) if self.hinge is not None else 0.0)
        return np.stack([x, rows + self.row_gap * (rows > self.mid)], -1)


def paired_rows(pits: Sequence[Candidate], size: tuple[int, int], limit: int = 40) -> list[tuple[set[int], Model]]:
    """Pairs of rows and the models they make, the best first."""
    chains = find_chains(pits)
    xy = np.array([(c.x, c.y) for c in pits], np.float64).reshape(-1, 2)
    r, score = (np.array([c[k] for c in pits], np.float64) for k in (2, 3))
    apart = [(a, b, set(a.members) | set(b.members)) for a, b in combinations(chains, 2)
             if not set(a.members) & set(b.members)]
    worths = [float((ROW_PAIRS.member_worth + score[list(members)]).sum()) for _, _, members in apart]
    found: list[tuple[float, set[int], Model]] = []
    best: list[float] = []  # of the values found, a heap
    # Most pairs are worth less than those found already, however well they fit: these are not fitted.
    for worth, (a, b, members) in sorted(zip(worths, apart, strict=True), key=lambda pair: -pair[0]):
        if len(best) == limit and worth < best[0]:
            break
        for error, model in _models(xy, r, a, b, size):
            value = worth * (1 - ROW_PAIRS.error_loss * error)
            found.append((value, members, model))
            (heappushpop if len(best) == limit else heappush)(best, value)
    return [f[1:] for f in sorted(found, key=lambda f: -f[0])[:limit]]


def _models(xy: Array, r: Array, a: Chain, b: Chain, size: tuple[int, int]) -> Iterator[tuple[float, Model]]:
    """Two rows as models, each with its error in column pitches: one for every way to line them up that may be right.
    """
    for other in _alongside(xy, r, a, b):
        model = _paired(xy, a, other, size)
        if model is not None:
            yield model


def _alongside(xy: Array, r: Array, a: Chain, b: Chain) -> Iterator[Chain]:
    """`b` as a row beside `a`, its places counted as those of `a`: every way to line the two up that may be right."""
    pa, pb = xy[list(a.members)], xy[list(b.members)]
    ua, ub = _step(pa, a), _step(pb, b)
    if ua @ ub < 0:
        b, pb, ub = b.turned(), pb[::-1], -ub
    la, lb = float(np.hypot(*ua)), float(np.hypot(*ub))
    alike = ROW_PAIRS.least_step_ratio < la / lb < ROW_PAIRS.most_step_ratio
    if not alike or ua @ ub < ROW_PAIRS.least_parallel * la * lb:
        return
    n = np.array([-ua[1], ua[0]]) / la
    apart = abs(float(np.mean((pb - pa.mean(0)) @ n)))
    radius = float(np.median(r[list(a.members) + list(b.members)]))
    if not ROW_PAIRS.least_apart * radius < apart < ROW_PAIRS.most_apart * max(la, lb):
        return
    across = pb.mean(0) - pa.mean(0) - float(b.places.mean() - a.places.mean()) * ua
    middle = across @ ua / la**2
    for shift in range(math.floor(middle) - 1, math.ceil(middle) + 2):
        hinge = None if b.hinge is None else b.hinge + shift
        column = across - shift * ua
        if abs(column @ ua) < ROW_PAIRS.most_lean * la * float(np.hypot(*column)) and (
                hinge is None or a.hinge is None or hinge == a.hinge):
            yield Chain(b.members, tuple(c + shift for c in b.cols), hinge, b.gap)


def _step(p: Array, chain: Chain) -> Array:
    """float64[2], one step along the row, by least squares."""
    t = chain.places - chain.places.mean()
    return np.asarray((t[:, None] * (p - p.mean(0))).sum(0) / (t**2).sum(), np.float64)


def _paired(xy: Array, a: Chain, b: Chain, size: tuple[int, int]) -> tuple[float, Model] | None:
    """Two rows as a model, with its error in column pitches; None if no camera sees a board so."""
    hinge = a.hinge if a.hinge is not None else b.hinge
    gaps = [c.gap for c in (a, b) if c.hinge is not None]
    model = Model(np.eye(3), hinge, float(np.mean(gaps)) if gaps else 0.0)
    where = np.vstack([model.places(np.array(c.cols, np.float64), np.full(len(c.cols), float(k)))
                       for k, c in enumerate((a, b))])
    target = xy[list(a.members) + list(b.members)]
    try:
        h = fit_homography(where, target)
    except ValueError:
        return None
    model = replace(model, h=h)
    pitch = _pitch(model, where)
    if pitch is None:
        return None
    error = float(np.sqrt((((project(h, where) - target) / pitch[:, None]) ** 2).sum(1).mean()))
    return (error, model) if error < ROW_PAIRS.most_error and plausible(h, size) else None


def _pitch(model: Model, where: Array) -> Array | None:
    """float64[n], pixels from column to column at each place; None where the plane is seen edge on or from behind."""
    j = jacobian(model.h, where)
    w = where @ model.h[2, :2] + model.h[2, 2]
    det = np.linalg.det(j)
    if w.min() <= 0 < w.max() or w.min() * w.max() <= 0 or det.min() <= 0 < det.max():
        return None
    out = np.linalg.norm(j[..., 0], axis=-1)
    return np.asarray(out, np.float64) if out.min() > 1 and out.max() < ROW_PAIRS.most_depth * out.min() else None


def plausible(h: Array, size: tuple[int, int]) -> bool:
    """Whether a camera with an ordinary lens may see a board so: its rows and columns nearly at right angles, its rows
    about as far apart as its columns. h: float64[3, 3], from places to pixels; size: (width, height) of the picture."""
    x, y = camera_columns(h, size)
    lx, ly = float(np.linalg.norm(x)), float(np.linalg.norm(y))
    square = abs(float(x @ y)) < ROW_PAIRS.most_skew * lx * ly
    return square and ROW_PAIRS.least_row_pitch < ly / lx < ROW_PAIRS.most_row_pitch
