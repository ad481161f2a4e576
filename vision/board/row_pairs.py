"""Pairs of rows of like circles that may be two rows of one board seen by an ordinary camera: the start of a
lattice."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from statistics import median

import numpy as np
from numpy.typing import NDArray

from vision.board.chains import Candidate, Chain, find_chains
from vision.board.geometry import camera_columns, fit_homographies
from vision.board.parameters import CAMERA, ROW_PAIRS

Array = NDArray[np.float64]

TOGETHER = 32
"""Number of pairs of rows that are fitted in one batch."""


@dataclass(frozen=True, slots=True)
class Model:
    """A lattice before its ends are known. h: from (place along the row, row) to pixels. hinge: column after which the
    halves part by `gap` columns. row_gap: extra distance, in rows, between the two middle rows of four, after row
    `mid`. bend: displacement of the rows, in rows, one column from `middle`; it grows with the square of the columns,
    since old boards sag."""

    h: Array
    hinge: int | None = None
    gap: float = 0.0
    mid: int = 0
    row_gap: float = 0.0
    bend: float = 0.0
    middle: float = 0.0

    def places(self, cols: Array, rows: Array) -> Array:
        """float64[n, 2], lattice places of these columns and rows."""
        x = cols + (self.gap * (cols > self.hinge) if self.hinge is not None else 0.0)
        return np.stack([x, rows + self.row_gap * (rows > self.mid) + self.bend * (x - self.middle) ** 2], -1)


@dataclass(frozen=True, slots=True)
class _Row:
    """A chain and where it lies. at: float64[n, 2], its circles, pixels; step: float64[2], one step along it, by least
    squares; middle: float64[2], mean of its circles; radii: theirs, pixels; worth: of all circles together."""

    chain: Chain
    at: Array
    step: Array
    middle: Array
    radii: list[float]
    worth: float

    def turned(self) -> _Row:
        """The same row from its other end."""
        return replace(self, chain=self.chain.turned(), at=self.at[::-1], step=-self.step, radii=self.radii[::-1])


@dataclass(frozen=True, slots=True)
class Trial:
    """Two rows lined up. members: the indices of their circles; model: the lattice, still without a homography; where:
    float64[n, 2], the circles' places in the lattice; target: float64[n, 2], their places in the picture, pixels."""

    members: frozenset[int]
    model: Model
    where: Array
    target: Array


@lru_cache(maxsize=4)  # a search tries several kinds of boards on the same circles
def paired_rows(pits: tuple[Candidate, ...], size: tuple[int, int], limit: int = 40
                ) -> tuple[tuple[frozenset[int], Model], ...]:
    """Return pairs of rows and the models they make, best first."""
    rows = [_row(pits, chain) for chain in find_chains(pits)]
    pairs = [(rows[i].worth + rows[j].worth, rows[i], rows[j]) for i, j in _beside_each_other(rows, len(pits))]
    pairs.sort(key=lambda pair: -pair[0])
    found: list[tuple[float, frozenset[int], Model]] = []
    for first in range(0, len(pairs), TOGETHER):
        # Skip pairs that are worth less than those already found, however well they fit.
        if len(found) == limit and pairs[first][0] < found[-1][0]:
            break
        found += _models(pairs[first:first + TOGETHER], size)
        found = sorted(found, key=lambda f: -f[0])[:limit]
    return tuple(f[1:] for f in found)


def _models(pairs: Sequence[tuple[float, _Row, _Row]], size: tuple[int, int]
            ) -> Iterator[tuple[float, frozenset[int], Model]]:
    """Fit pairs of rows, given with their circles' worth; yield worth, circles and model of each plausible fit."""
    trials = [(worth, trial) for worth, a, b in pairs for trial in _trials(a, b)]
    for (worth, trial), (error, h) in zip(trials, fit_trials([trial for _, trial in trials]), strict=True):
        if error < ROW_PAIRS.most_error and plausible(h, size):
            yield worth * (1 - ROW_PAIRS.error_loss * error), trial.members, replace(trial.model, h=h)


def _row(pits: Sequence[Candidate], chain: Chain) -> _Row:
    x, y, radii, score = np.array([pits[k][:4] for k in chain.members], np.float64).T
    at = np.stack([x, y], -1)
    t = chain.places - chain.places.mean()
    step = (t[:, None] * (at - at.mean(0))).sum(0) / (t**2).sum()
    return _Row(chain, at, step, at.mean(0), radii.tolist(), float((ROW_PAIRS.member_worth + score).sum()))


def _beside_each_other(rows: Sequence[_Row], n: int) -> list[tuple[int, int]]:
    """Return pairs of rows by index, lower first, that share none of the n circles, run alike and lie near each
    other."""
    if len(rows) < 2:
        return []
    step, middle = np.array([row.step for row in rows]), np.array([row.middle for row in rows])
    has = np.zeros((len(rows), n))
    for k, row in enumerate(rows):
        has[k, list(row.chain.members)] = 1
    long = np.hypot(*step.T)
    ratio = long[:, None] / long
    along = (middle[None] - middle[:, None]) @ np.array([[0.0, 1.0], [-1.0, 0.0]])
    apart = np.abs(np.einsum("ijk,ik->ij", along, step)) / long[:, None]
    good = (has @ has.T == 0) & (ratio > ROW_PAIRS.least_step_ratio) & (ratio < ROW_PAIRS.most_step_ratio)
    good &= np.abs(step @ step.T) >= ROW_PAIRS.least_parallel * long[:, None] * long
    good &= apart < ROW_PAIRS.most_apart * np.maximum(long[:, None], long)
    return [(int(i), int(j)) for i, j in np.argwhere(np.triu(good, 1))]


def _trials(a: _Row, b: _Row) -> Iterator[Trial]:
    """Yield two rows as a lattice, for every plausible way to line them up."""
    b = b.turned() if a.step @ b.step < 0 else b
    for chain in _alongside(a, b):
        chains = (a.chain, chain)
        hinge = a.chain.hinge if a.chain.hinge is not None else chain.hinge
        gaps = [c.gap for c in chains if c.hinge is not None]
        model = Model(np.eye(3), hinge, sum(gaps) / len(gaps) if gaps else 0.0)
        cols = np.array([col for c in chains for col in c.cols], np.float64)
        rows = np.repeat([0.0, 1.0], [len(c.cols) for c in chains])
        members = frozenset(a.chain.members + chain.members)
        yield Trial(members, model, model.places(cols, rows), np.concatenate([a.at, b.at]))


def _alongside(a: _Row, b: _Row) -> Iterator[Chain]:
    """Yield `b` as a row beside `a`, its places counted like those of `a`, in every plausible way to line them up."""
    long = float(np.hypot(*a.step))
    between = b.middle - a.middle
    apart = abs(float(a.step[0] * between[1] - a.step[1] * between[0])) / long
    if apart <= ROW_PAIRS.least_apart * median(a.radii + b.radii):
        return
    across = between - float(b.chain.places.mean() - a.chain.places.mean()) * a.step
    middle = across @ a.step / long**2
    for shift in range(math.floor(middle) - 1, math.ceil(middle) + 2):
        hinge = None if b.chain.hinge is None else b.chain.hinge + shift
        column = across - shift * a.step
        if abs(column @ a.step) < ROW_PAIRS.most_lean * long * float(np.hypot(*column)) and (
                hinge is None or a.chain.hinge is None or hinge == a.chain.hinge):
            yield Chain(b.chain.members, tuple(c + shift for c in b.chain.cols), hinge, b.chain.gap)


def fit_trials(trials: Sequence[Trial]) -> Iterator[tuple[float, Array]]:
    """For each trial, yield the error of its best homography, in column pitches, and the homography, float64[3, 3]. The
    error is infinite if the plane would be seen edge on or from behind, or would reach too far."""
    if not trials:
        return
    counts = np.array([len(t.where) for t in trials])
    # Pad trials that have fewer circles with their first circle, at weight 0.
    there = np.arange(counts.max()) < counts[:, None]
    k = np.where(there, np.arange(counts.max()), 0)
    where, target = (np.stack([p[i] for p, i in zip(points, k, strict=True)])
                     for points in ([t.where for t in trials], [t.target for t in trials]))
    h = fit_homographies(where, target, there.astype(np.float64))
    q = where @ h[:, :, :2].swapaxes(1, 2) + h[:, None, :, 2]
    w = q[..., 2]
    at = q[..., :2] / w[..., None]
    jac = (h[:, None, :2, :2] - at[..., None] * h[:, None, None, 2, :2]) / w[..., None, None]
    pitch, det = np.linalg.norm(jac[..., 0], axis=-1), np.linalg.det(jac)
    seen = (w.min(1) * w.max(1) > 0) & ((det.min(1) > 0) | (det.max(1) <= 0))
    seen &= (pitch.min(1) > 1) & (pitch.max(1) < ROW_PAIRS.most_depth * pitch.min(1))
    off = (((at - target) / pitch[..., None]) ** 2).sum(2)
    error = np.where(seen, np.sqrt((off * there).sum(1) / counts), np.inf)
    yield from zip(error.tolist(), h, strict=True)


def plausible(h: Array, size: tuple[int, int], focal: float = CAMERA.focal) -> bool:
    """Whether a camera with an ordinary lens may see a board like this: rows and columns nearly at right angles, rows
    about as far apart as columns. h: float64[3, 3], from places to pixels; size: (width, height) of the picture; focal:
    focal length, in longer sides of the picture."""
    x, y = camera_columns(h, size, focal)
    lx, ly = float(np.linalg.norm(x)), float(np.linalg.norm(y))
    square = abs(float(x @ y)) < ROW_PAIRS.most_skew * lx * ly
    return square and ROW_PAIRS.least_row_pitch < ly / lx < ROW_PAIRS.most_row_pitch
