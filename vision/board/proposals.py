"""Candidates for pits and stores from the network that comes with the program."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.board.chains import Candidate
from vision.board.parameters import PROPOSALS
from vision.board.proposal_network import WEIGHTS, pitnet, shrunk

__all__ = ["Part", "closely", "network", "part_of", "united"]

Image = NDArray[np.uint8]
Part = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels."""



def network(image: Image) -> list[Candidate]:
    """Return candidates from the network that comes with the program; none if its weights are missing.

    The network's input is small. Where the pits come out small in it, the part of the picture that holds them is
    enlarged and examined again, if need be in four pieces.
    """
    if not WEIGHTS.is_file():
        return []
    whole = (0, 0, image.shape[1], image.shape[0])
    return _nearer(image, _candidates(image, whole), whole)


def closely(image: Image) -> list[Candidate]:
    """Return candidates as `network` does, for a picture known to show a board. Pieces of the picture are examined,
    too, because a small board on a chequered cloth is missed in the whole picture. On pictures without a board that
    would add false candidates."""
    if not WEIGHTS.is_file():
        return []
    whole = (0, 0, image.shape[1], image.shape[0])
    proposed = _candidates(image, whole)
    if part_of(proposed, whole) is None:
        proposed = united(_in_pieces(image, whole), proposed)
    return _nearer(image, proposed, whole)


def _nearer(image: Image, proposed: list[Candidate], whole: Part) -> list[Candidate]:
    """Return the candidates together with those found in an enlarged cut-out around them, and in its pieces if the
    pits are still small."""
    part = part_of(proposed, whole)
    if part is not None:
        proposed = united(_candidates(image, part), proposed)
        usual = float(np.median([c.r for c in proposed if c.score > PROPOSALS.sure] or [0.0]))
        small = 0 < usual * shrunk(part[2] - part[0], part[3] - part[1]) < PROPOSALS.small_radius
        if small:
            proposed = united(_in_pieces(image, part), proposed)
    return proposed


def _in_pieces(image: Image, part: Part) -> list[Candidate]:
    """Return the network's candidates from the four pieces of a part of the picture."""
    return _best(c for piece in _pieces(part) for c in _candidates(image, piece))


def _candidates(image: Image, part: Part) -> list[Candidate]:
    """Return the network's candidates from a part of the picture, without those that an inner edge of the part cuts."""
    left, top, right, bottom = part
    h, w = image.shape[:2]
    out = []
    for p in pitnet().propose(np.ascontiguousarray(image[top:bottom, left:right])):
        candidate = Candidate(p.x + left, p.y + top, p.r, p.score, "store" if p.store else "pit")
        if _whole(candidate, part, (w, h)):
            out.append(candidate)
    return out


def _whole(c: Candidate, part: Part, size: tuple[int, int]) -> bool:
    """Whether a candidate is not cut by the edge of the part in which it was seen; the picture's own edge may cut it.
    size: (width, height) of the picture."""
    return all(_off_edge(at, PROPOSALS.cut_off * c.r, low, high, length) for at, low, high, length in (
        (c.x, part[0], part[2], size[0]), (c.y, part[1], part[3], size[1])))


def _off_edge(at: float, r: float, low: int, high: int, length: int) -> bool:
    """Whether the span of `r` pixels either side of `at` lies between `low` and `high`; ends of the picture, 0 and
    `length`, are no limits."""
    return (low == 0 or at - r > low) and (high == length or at + r < high)


def part_of(proposed: Sequence[Candidate], whole: Part) -> Part | None:
    """Return the part of the picture that holds most of the candidates; None if they are too few."""
    good = np.array([(c.x, c.y, c.r) for c in proposed if c.score > PROPOSALS.sure])
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
    """Return four overlapping quarters of a part."""
    left, top, right, bottom = part
    w, h = round((right - left) * PROPOSALS.piece), round((bottom - top) * PROPOSALS.piece)
    return [(x, y, x + w, y + h) for y in (top, bottom - h) for x in (left, right - w)]


def _best(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Keep the candidate with the higher score where two pieces show the same place."""
    kept: list[Candidate] = []
    for c in sorted(candidates, key=lambda c: -c.score):
        if not any(_at_one_place(c, k) for k in kept):
            kept.append(c)
    return kept


def _at_one_place(c: Candidate, other: Candidate) -> bool:
    return (c.x - other.x) ** 2 + (c.y - other.y) ** 2 < (PROPOSALS.same_place * other.r) ** 2


def united(proposed: Sequence[Candidate], rims: Sequence[Candidate]) -> list[Candidate]:
    """Return the network's candidates together with those from rims that the network did not propose."""
    new = [c for c in rims if not any(_at_one_place(c, p) for p in proposed)]
    return [*proposed, *(c._replace(score=PROPOSALS.rim_weight * c.score) for c in new)]
