"""Rows of like circles at even steps, from which a board's lattice is built."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.board.parameters import CHAINS

Array = NDArray[np.float64]



class Candidate(NamedTuple):
    """A circle that may be a pit (or a store): centre and radius in pixels, score 0…1."""

    x: float
    y: float
    r: float
    score: float = 1.0
    kind: Literal["pit", "store"] = "pit"


@dataclass(frozen=True, slots=True)
class Chain:
    """Circles in a row. members: their indices among the candidates; cols: their places in the row, ascending, perhaps
    with gaps. hinge: the place after which the row is divided into halves, or None; gap: the extra distance between the
    halves, in steps."""

    members: tuple[int, ...]
    cols: tuple[int, ...]
    hinge: int | None = None
    gap: float = 0.0

    def turned(self) -> Chain:
        """The same row from its other end; place 0 stays where it was."""
        hinge = None if self.hinge is None else -self.hinge - 1
        return Chain(self.members[::-1], tuple(-c for c in self.cols[::-1]), hinge, self.gap)

    @property
    def places(self) -> Array:
        """float64[n], how far along the row each member lies, in steps."""
        c = np.asarray(self.cols, np.float64)
        return c if self.hinge is None else c + self.gap * (c > self.hinge)


def off_patterns(candidates: Sequence[Candidate], longest: int) -> list[Candidate]:
    """Return the candidates without those in rows of more than `longest` like circles: such rows are the dots of a
    cloth."""
    pattern = {k for chain in _every_chain(tuple(candidates)) if len(chain.members) > longest for k in chain.members}
    return [c for k, c in enumerate(candidates) if k not in pattern]


def find_chains(candidates: Sequence[Candidate], limit: int = 80) -> list[Chain]:
    """The best `limit` rows of three circles or more, longest and surest first."""
    score = np.array([c.score for c in candidates], np.float64)
    ranked = sorted(_every_chain(tuple(candidates)),
                    key=lambda c: -float(score[list(c.members)].sum() + CHAINS.member_worth * len(c.members)))
    return ranked[:limit]


@lru_cache(maxsize=4)  # several callers ask for the chains of the same circles
def _every_chain(candidates: tuple[Candidate, ...]) -> tuple[Chain, ...]:
    """Return every row of three circles or more, each grown as far as possible."""
    if len(candidates) < 3:
        return ()
    xy = np.array([(c.x, c.y) for c in candidates], np.float64)
    r = np.array([c.r for c in candidates], np.float64)
    found: dict[frozenset[int], Chain] = {}
    d = np.linalg.norm(xy[:, None] - xy[None], axis=-1)
    mean = (r[:, None] + r[None]) / 2
    like = np.maximum(r[:, None] / r[None], r[None] / r[:, None]) < CHAINS.radius_ratio
    near = (d > CHAINS.least_step * mean) & (d < CHAINS.most_step * mean) & like
    for i, j in np.argwhere(np.triu(near)):
        chain = _grow(xy, r, like, int(i), int(j))
        if len(chain.members) >= 3:
            found.setdefault(frozenset(chain.members), chain)
    return tuple(found.values())


def _grow(xy: Array, r: Array, like: NDArray[np.bool_], i: int, j: int) -> Chain:
    """Grow a row through two neighbours as far as possible in both directions."""
    onward = _onward(xy, r, like, Chain((i, j), (0, 1)), xy[j] - xy[i])
    return _onward(xy, r, like, onward.turned(), xy[i] - xy[j]).turned()


def _onward(xy: Array, r: Array, like: NDArray[np.bool_], row: Chain, step: Array) -> Chain:
    """Extend a row beyond its last circle as far as possible. step: float64[2], pixels from place to place there."""
    members, cols, hinge, gap = list(row.members), list(row.cols), row.hinge, row.gap
    while (found := _next(xy, r, like, members[-1], step, hinge is None)) is not None and found[0] not in members:
        k, jump, extra = found
        if extra:
            hinge, gap = cols[-1], extra
        else:
            step = 0.5 * step + 0.5 * (xy[k] - xy[members[-1]]) / jump
        members.append(k)
        cols.append(cols[-1] + jump)
    return Chain(tuple(members), tuple(cols), hinge, gap)


def _next(xy: Array, r: Array, like: NDArray[np.bool_], end: int, step: Array,
          may_part: bool) -> tuple[int, int, float] | None:
    """Return the row's next circle after `end`: its index, how many places on it lies, and the hinge's gap (0 for
    none)."""
    long = float(np.hypot(*step))
    if long < CHAINS.least_step * CHAINS.shrunk_step * r[end]:
        return None
    rel = (xy - xy[end]) / long
    along = rel @ step / long
    aside = np.abs(rel @ np.array([-step[1], step[0]]) / long)
    fits = like[end] & (aside < CHAINS.off_place)
    fits[end] = False
    if not fits.any():
        return None
    off = np.hypot(along - 1, aside)
    k = int(np.argmin(np.where(fits, off, np.inf)))
    if fits[k] and off[k] < CHAINS.off_place:
        return k, 1, 0.0
    if may_part:
        parted = fits & (along > CHAINS.least_hinge_step) & (along < CHAINS.most_hinge_step)
        parted &= aside < CHAINS.hinge_aside * CHAINS.off_place
        if parted.any():
            k = int(np.argmin(np.where(parted, aside, np.inf)))
            return k, 1, float(along[k]) - 1
    for jump, farther in ((2, CHAINS.off_one_missing), (3, CHAINS.off_two_missing)):
        off = np.hypot(along - jump, aside)
        k = int(np.argmin(np.where(fits, off, np.inf)))
        if fits[k] and off[k] < CHAINS.off_place * farther:
            return k, jump, 0.0
    return None
