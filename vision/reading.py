"""What passes out of this room: a frame comes in, a reading goes out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

COUNTS = 26
"""Width of a count's distribution: 0…24, and the last for "more"."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture.

    image: uint8[h, w, 3], BGR. time_ns: the sensor's time, monotonic, nanoseconds. number: counted by the camera from
    0;
    a gap means dropped frames.
    """

    image: NDArray[np.uint8]
    time_ns: int
    number: int


@dataclass(frozen=True, slots=True)
class Reading:
    """What one frame says of the board; never a number, always how sure of every number.

    loglik: float32[pits, 26], log-likelihood of each count (0…24, more), up to a constant a pit; pits are numbered
    along the ring from South's left (see `vision.board.lattice.ring_order`). seen: bool[pits], False under a hand.
    hands: share of the board's area covered from South's side and from North's side, 0…1. found: the board is known in
    this frame; moved: it lies elsewhere than it did; counted: the pits were read in this frame (they are not when only
    hands were looked for, and then `loglik` is zero and `seen` False).
    """

    time_ns: int
    loglik: NDArray[np.float32]
    seen: NDArray[np.bool_]
    hands: tuple[float, float] = (0.0, 0.0)
    found: bool = True
    moved: bool = False
    blurred: bool = False
    dark: bool = False
    counted: bool = True
    motion: float = 0.0
    """Share of the board's area that changed since the frame before."""
    lain: float = 0.0
    """Seconds for which what is taken for a hand has lain over part of the board without moving."""
    looks: int = 0
    """Pits at which the counter looked for this reading; what the others say was known."""
    stays: NDArray[np.int64] | None = None
    """int64[pits], the number of each pit's stay, where the pits were counted: a pit that looks touched is in another
    one, and is in an earlier one again where it looks as in that. What is read of one stay is one piece of evidence,
    however many frames showed it."""
    earlier: NDArray[np.int64] | None = None
    """int64[pits, k], the numbers of some stays of each pit, those that are remembered; -1 for none."""
    changed: NDArray[np.float32] | None = None
    """float32[pits, k], log-odds that the pit was touched between each of these and the present stay."""

    @property
    def counts(self) -> NDArray[np.int64]:
        """int[pits], the most likely count of each pit (25 stands for "more")."""
        return np.asarray(self.loglik.argmax(axis=1), np.int64)

    @property
    def probabilities(self) -> NDArray[np.float32]:
        """float32[pits, 26], the likelihoods normalised, every count being as likely beforehand."""
        e = np.exp(self.loglik - self.loglik.max(axis=1, keepdims=True))
        return np.asarray(e / e.sum(axis=1, keepdims=True), np.float32)


@dataclass(frozen=True, slots=True)
class Lesson:
    """What is known of the pits, to teach the eye by. counts: of each along the ring, what it holds, -1 where that is
    not known. stays: int64[pits], the stays in which they hold it; None: as they were counted last. supposed: the empty
    ones are only supposed to be so, and are if they look alike. errors: it was not made of what was read, so that pits
    are in it that were misread, and it tells how the counter errs."""

    counts: tuple[int, ...]
    stays: NDArray[np.int64] | None = None
    supposed: bool = False
    errors: bool = False


@dataclass(frozen=True, slots=True)
class BoardView:
    """A board found in a picture.

    rows, cols: of the lattice. centres: float64[rows, cols, 2], pixels (x, y) of the pits' centres, row 0 the North
    edge and column 0 South's left, so that South sits below the last row. radii: float64[rows, cols], pixels, the
    geometric mean of the ellipse's half axes. homography: float64[3, 3], from board units to pixels: x along the
    rows, y from North to South, both in column pitches, pit (0, 0) at the origin; rows may lie further apart than
    columns and a hinge may part the middle columns, so `vision.board.geometry.pit_places` says where each pit lies.
    pit_radius: of a pit in board units; a pit is a circle there. stores: (x, y, rx, ry) pixels. score: 0…1, how
    sure. cut: some pits lie over the frame's edge. size: (width, height) of the picture. sizes: (rows, columns,
    probability) of the sizes that the board may have, the likeliest first, those that are hardly likely left out; none
    where its size was told.
    """

    rows: int
    cols: int
    centres: NDArray[np.float64]
    radii: NDArray[np.float64]
    homography: NDArray[np.float64]
    pit_radius: float
    size: tuple[int, int]
    stores: tuple[tuple[float, float, float, float], ...] = ()
    score: float = 1.0
    cut: bool = False
    sizes: tuple[tuple[int, int, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Watched:
    """What a frame said at once. reading: of the hands, with no pit counted. view: where the board lies; None where
    none is known. counting: counts the pits, which takes long; None where there is nothing to count. It is told for how
    many pits there is time, None for all. It may run beside the frames that follow, on any one thread, but no two of
    one eye at a time."""

    reading: Reading
    view: BoardView | None
    counting: Callable[[int | None], Reading] | None = None

    def counted(self) -> Reading:
        """The whole reading; the pits are counted now."""
        return self.reading if self.counting is None else self.counting(None)
