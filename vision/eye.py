"""The eye: from a frame to a reading. Finds the board, keeps it, follows the hands, counts the pits that can be
seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.board.find import find
from vision.board.lattice import SIZES, NotFound, Sizes, oriented
from vision.hands.segmentation import Hands, HandWatch
from vision.reading import COUNTS, BoardView, Frame, Reading
from vision.seeds.added_seeds import Added
from vision.seeds.appearance import Cells
from vision.seeds.counter import SURE, Reader, reader
from vision.seeds.coverage import Covers
from vision.seeds.crops import FINE, SIZE, crop_view
from vision.seeds.empty_pits import Empties
from vision.seeds.occlusion import OcclusionCalibration

SEARCH_EVERY = 0.4
"""Seconds between two searches for a board that is not known, or has moved."""
WHOLE_S = 1.0
"""Seconds for which a whole board is looked for before one is believed that the picture's edge cuts: a single picture,
such as a recording's first, may show that where the others show all of it."""
HIDDEN = 0.6
"""Share of the board that no hands cover: above it the board lies elsewhere, or something hides all of it."""
HALF, HOLD_S = 0.5, 4.0
"""The same, and seconds for which it does not move: nobody holds hands over half a board as long. If the board is found
where it lay, what it is held against was wrong, and begins anew."""
SAME = 7.0
"""A pit looks as before when none of its cells (`vision.seeds.appearance`) differs by more grey levels."""
LOOKS = 8
"""Looks at a pit over whose maps the mean goes: one in each position."""
COVERED, PLAINLY_COVERED = 0.5, 0.95
"""Probability from which on the counter's word that a pit is covered holds: while hands are about, and while nothing
moves and no hand is known of."""


@dataclass
class _Counted:
    """How each pit looked when it was counted last, float32[pits, CELLS, CELLS] and uint8[pits, FINE, FINE, 3], and
    what came of it; the map of its seeds, float32[pits, SIZE / 4, SIZE / 4], the mean of so many looks, int64[pits], at
    what looked alike; and the heat of its seeds when it was last looked at with all its pixels, float32[pits, FINE / 2,
    FINE / 2], NaN where it was not, and how it looked then."""

    cells: NDArray[np.float32]
    crops: NDArray[np.uint8]
    loglik: NDArray[np.float32]
    covered: NDArray[np.float32]
    maps: NDArray[np.float32]
    looks: NDArray[np.int64]
    fine: NDArray[np.float32]
    fine_cells: NDArray[np.float32]


def _changed(now: NDArray[np.float32], then: NDArray[np.float32]) -> NDArray[np.bool_]:
    """bool[pits]: which pits look otherwise, by their cells float32[pits, CELLS, CELLS]; the whole board's change of
    light taken out."""
    change = now - then
    return np.asarray(np.abs(change - np.median(change)).max(axis=(1, 2)) > SAME)


class Eye:
    """Reads one board under one camera, frame by frame, in order.

    rows, cols: the board's, or None to find out. south: the picture's edge at which South sits, bottom, top, left or
    right. sizes: of the boards that are looked for.
    """

    def __init__(
        self, rows: int | None, cols: int | None, south: str = "bottom", counter: Reader | None = None,
        sizes: Sizes = SIZES,
    ) -> None:
        self._rows, self._cols, self._south, self._sizes = rows, cols, south, sizes
        self._counter = counter or reader()
        self._watch: HandWatch | None = None
        self._cells: Cells | None = None
        self._next_search = -1.0
        self._cut_since: float | None = None
        self._counted = 0
        self._last: _Counted | None = None
        self._empties, self._covers, self._added = Empties(self._counter), Covers(), Added()
        self._openly: OcclusionCalibration | None = None
        self._seen: NDArray[np.bool_] | None = None
        self._bare: NDArray[np.bool_] | None = None
        self.view: BoardView | None = None
        """The board as it was found; None before."""
        self.why = ""
        """Why no board was found, for people; empty once one is."""

    def look(self, frame: Frame, *, count: bool = True, afresh: bool = True) -> Reading:
        """What one frame says. count: the pits, too, which costs the most; afresh: those, too, that look as when they
        were counted last, and where a pit is doubtful, with a second look: when there is time."""
        seconds = frame.time_ns / 1e9
        if self.view is not None and self.view.size != (frame.image.shape[1], frame.image.shape[0]):
            self._forget()
        if self.view is None or self._watch is None:
            self._search(frame.image, seconds)
        if self.view is None or self._watch is None:
            return self._nothing(frame)
        hands = self._watch.look(frame.image, seconds)
        # A board that lies elsewhere looks like hands, too, so these are not asked about.
        covered = sum(hands.shares)
        gone = hands.moved or covered > HIDDEN or (covered > HALF and hands.lain > HOLD_S)
        if gone and hands.quiet and self._search(frame.image, seconds):
            hands = self._watch.look(frame.image, seconds)
        return self._reading(frame, hands, count, afresh)

    def told(self, counts: NDArray[np.int64]) -> None:
        """The pits, as they were counted last, are known to hold so many, int[pits] along the ring; -1 for one of
        which that is not known. How the empty ones look is remembered, to be held beside what lies in them later; and
        that those that no hand was over were open, if just that was read in them."""
        if self._last is not None and self._seen is not None and len(counts) == len(self._seen):
            if self._openly is not None and self._bare is not None:
                self._openly.learn(self._last.covered, self._bare & (self._last.loglik.argmax(axis=1) == counts))
            crops, known = self._last.crops, np.where(self._seen, counts, -1)
            self._covers.learn(crops, self._empties.bare(crops, np.arange(len(crops))), known)
            self._empties.learn(crops, known)
            self._added.learn(crops, self._last.maps, known)

    def _reading(self, frame: Frame, hands: Hands, count: bool, afresh: bool) -> Reading:
        assert self.view is not None and self._cells is not None
        pits = self.view.rows * self.view.cols
        loglik: NDArray[np.float32] = np.zeros((pits, COUNTS), np.float32)
        seen = np.zeros(pits, np.bool_)
        cells = None
        if count and not hands.dark:
            cells = self._cells.of(frame.image)
            loglik, covered = self._count(frame.image, self.view, cells, afresh)
            self._openly = self._openly or OcclusionCalibration(pits)
            covered, self._bare = self._openly.believed(covered), ~hands.covered
            seen = ~hands.covered & (covered < (COVERED if sum(hands.shares) or not hands.quiet else PLAINLY_COVERED))
            self._seen = seen
        return Reading(
            frame.time_ns,
            loglik,
            seen,
            hands.shares,
            moved=hands.moved,
            blurred=hands.blurred,
            dark=hands.dark,
            counted=count,
            motion=hands.motion,
            lain=hands.lain,
            cells=cells,
        )

    def _count(
        self, image: NDArray[np.uint8], view: BoardView, cells: NDArray[np.float32], afresh: bool
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Log-likelihoods float32[pits, 26] and how likely a pit is covered, float32[pits]."""
        before = self._last
        n = len(cells)
        if before is None:
            before = self._last = _Counted(
                cells.copy(), np.zeros((n, FINE, FINE, 3), np.uint8), np.zeros((n, COUNTS), np.float32),
                np.zeros(n, np.float32), np.zeros((n, SIZE // 4, SIZE // 4), np.float32),
                np.zeros(n, np.int64), np.full((n, FINE // 2, FINE // 2), np.nan, np.float32), cells.copy())
            ask = np.ones(n, np.bool_)
        else:
            ask = np.ones(n, np.bool_) if afresh else _changed(cells, before.cells)
            before.fine[_changed(cells, before.fine_cells)] = np.nan
        if ask.any():
            bare = self._empties.of(np.flatnonzero(ask))
            before.crops[ask] = crops = crop_view(image, view, only=ask)
            before.looks[_changed(cells, before.cells)] = 0
            pits, fine, drawn = np.flatnonzero(ask), before.fine[ask], before.maps[ask]
            loglik, before.covered[ask] = self._counter.read(
                crops, first=self._counted, empties=bare, again=afresh, fine=fine, drawn=drawn)
            before.looks[ask] = np.minimum(before.looks[ask] + 1, LOOKS)
            maps = before.maps[ask]
            maps += (drawn - maps) / before.looks[ask][:, None, None]
            unsure = np.flatnonzero(loglik.max(axis=1) < np.log(SURE))
            loglik += self._covers.say(crops, self._empties.bare(before.crops, pits))
            if afresh:
                loglik[unsure] += self._added.say(crops[unsure], maps[unsure], pits[unsure])
            before.loglik[ask], before.maps[ask] = loglik, np.asarray(maps, np.float32)
            new = ask.copy()
            new[ask] = np.isnan(before.fine[ask][:, 0, 0]) & ~np.isnan(fine[:, 0, 0])
            before.fine[ask], before.fine_cells[new] = fine, cells[new]
            before.cells[ask] = cells[ask]
            self._counted += 1
        return before.loglik.copy(), before.covered.copy()

    def _search(self, image: NDArray[np.uint8], seconds: float) -> bool:
        if seconds < self._next_search:
            return False
        self._next_search = seconds + SEARCH_EVERY
        found: BoardView | NotFound | None = None
        if self.view is not None:  # a pattern beside it may look more like a board, but not like this one
            found = find(image, self._rows, self._cols, radius=float(self.view.radii.mean()),
                         sizes=self._sizes)
        if not isinstance(found, BoardView):
            found = find(image, self._rows, self._cols, sizes=self._sizes)
        if isinstance(found, NotFound):
            self.why = found.reason
            return False
        if found.cut and self.view is None:
            self._cut_since = seconds if self._cut_since is None else self._cut_since
            if seconds < self._cut_since + WHOLE_S:
                self._next_search = seconds
                return False
        self.place(oriented(found, self._south))
        return True

    def place(self, view: BoardView) -> None:
        """The board lies there, until it moves. What was known of how its pits look no longer holds: the light falls
        otherwise."""
        self.view, self.why, self._last, self._seen, self._openly = view, "", None, None, None
        self._watch, self._cells, self._cut_since = HandWatch(view), Cells(view), None
        self._empties, self._added = Empties(self._counter), Added()

    def anew(self) -> None:
        """How the board looked before does not hold any more; it lies where it lay."""
        if self.view is not None:
            self.place(self.view)

    def _forget(self) -> None:
        self.view, self._watch, self._next_search = None, None, -1.0

    def _nothing(self, frame: Frame) -> Reading:
        pits = (self._rows or 0) * (self._cols or 0)
        dark = float(np.median(frame.image[::8, ::8])) < 8
        return Reading(
            frame.time_ns,
            np.zeros((pits, COUNTS), np.float32),
            np.zeros(pits, np.bool_),
            found=False,
            dark=dark,
            counted=False,
        )
