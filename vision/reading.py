"""The interface of `vision`: a frame comes in, a reading goes out."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

COUNTS = 26
"""Length of a count's distribution: 0…24, and the last entry for "more"."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture.

    image: uint8[h, w, 3], BGR. time_ns: the sensor's monotonic time, nanoseconds. number: counted by the camera from 0;
    a gap means dropped frames.
    """

    image: NDArray[np.uint8]
    time_ns: int
    number: int


@dataclass(frozen=True, slots=True)
class Reading:
    """What one frame says of the board: for each pit a likelihood of every count, never a single number.

    loglik: float32[pits, 26], log-likelihood of each count (0…24, more), up to a constant per pit; pits are numbered
    along the ring from South's left (see `vision.board.lattice.ring_order`). seen: bool[pits], False under a hand.
    hands: share of the board's area covered from South's side and from North's side, 0…1. found: the board is known in
    this frame; moved: it lies elsewhere than before; counted: the pits were read in this frame (if only hands were
    looked for, they were not, `loglik` is zero and `seen` False).
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
    """Seconds for which a supposed hand has lain over part of the board without moving."""
    looks: int = 0
    """Number of pits that the counter examined for this reading; the others were known already."""
    stays: NDArray[np.int64] | None = None
    """int64[pits], the number of each pit's stay, if the pits were counted. A pit that looks touched starts a new stay,
    or returns to an earlier one that it looks like. All readings of one stay are one piece of evidence, however many
    frames showed it."""
    earlier: NDArray[np.int64] | None = None
    """int64[pits, k], the numbers of the remembered earlier stays of each pit; -1 for none."""
    changed: NDArray[np.float32] | None = None
    """float32[pits, k], log-odds that the pit was touched between each of those stays and the present one."""

    @property
    def counts(self) -> NDArray[np.int64]:
        """int[pits], the most likely count of each pit (25 stands for "more")."""
        return np.asarray(self.loglik.argmax(axis=1), np.int64)

    @property
    def probabilities(self) -> NDArray[np.float32]:
        """float32[pits, 26], the normalised likelihoods: the posterior under a uniform prior."""
        e = np.exp(self.loglik - self.loglik.max(axis=1, keepdims=True))
        return np.asarray(e / e.sum(axis=1, keepdims=True), np.float32)


@dataclass(frozen=True, slots=True)
class Lesson:
    """Known counts to teach the eye with. counts: of each pit along the ring, -1 where unknown. stays: int64[pits], the
    stays in which the pits hold these counts; None for those last counted. supposed: the pits are only supposed to be
    empty; the eye believes it if they look alike. errors: the counts do not come from readings, so they reveal misread
    pits and how the counter errs."""

    counts: tuple[int, ...]
    stays: NDArray[np.int64] | None = None
    supposed: bool = False
    errors: bool = False


@dataclass(frozen=True, slots=True)
class BoardView:
    """A board found in a picture.

    rows, cols: of the lattice. centres: float64[rows, cols, 2], pixels (x, y) of the pits' centres; row 0 is the North
    edge and column 0 South's left, so South sits below the last row. radii: float64[rows, cols], pixels, the geometric
    mean of the ellipse's half axes. homography: float64[3, 3], from board units to pixels: x along the rows, y from
    North to South, both in column pitches, pit (0, 0) at the origin; rows may lie further apart than columns, and there
    may be a hinge between the middle columns, so `vision.board.geometry.pit_places` says where each pit lies.
    pit_radius: a pit's radius in board units, in which it is a circle. stores: (x, y, rx, ry) pixels. score: 0…1, how
    sure. cut: some pits lie over the frame's edge. picture_size: (width, height) of the picture. sizes: (rows, columns,
    probability) of the board's possible sizes, likeliest first, without unlikely ones; empty if its size was given.
    """

    rows: int
    cols: int
    centres: NDArray[np.float64]
    radii: NDArray[np.float64]
    homography: NDArray[np.float64]
    pit_radius: float
    picture_size: tuple[int, int]
    stores: tuple[tuple[float, float, float, float], ...] = ()
    score: float = 1.0
    cut: bool = False
    sizes: tuple[tuple[int, int, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Watched:
    """What a frame says at once. reading: of the hands, with no pit counted. view: where the board lies, or None if
    unknown. counting: counts the pits, which takes long; None if there is nothing to count. Its argument is the number
    of pits there is time for, None for all. It may run beside later frames, on any single thread, but only one may run
    per eye at a time."""

    reading: Reading
    view: BoardView | None
    counting: Callable[[int | None], Reading] | None = None

    def counted(self) -> Reading:
        """Count the pits now and return the whole reading."""
        return self.reading if self.counting is None else self.counting(None)
