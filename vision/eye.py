"""The eye: from a frame to a reading. Finds the board, keeps it, follows the hands, counts the pits that can be
seen."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.board.find import find
from vision.board.lattice import SIZES, NotFound, Sizes, oriented
from vision.hands.segmentation import Hands, HandWatch
from vision.hands.shift import lies_elsewhere
from vision.parameters import COVERED, SEARCH
from vision.reading import COUNTS, BoardView, Frame, Lesson, Reading, Watched
from vision.seeds.appearance import Cells
from vision.seeds.counter import Reader, reader
from vision.seeds.evidence import PitEvidence
from vision.seeds.knowledge.adaptation import Adaptation
from vision.seeds.knowledge.coverage import Covers

Search = Callable[[Callable[[], BoardView | NotFound]], "Future[BoardView | NotFound]"]
"""Has a board looked for: takes the search, and returns where its result will be."""


def at_once(search: Callable[[], BoardView | NotFound]) -> Future[BoardView | NotFound]:
    """Searches while the frame waits."""
    done: Future[BoardView | NotFound] = Future()
    done.set_result(search())
    return done


def _was_moved(found: BoardView, searched: NDArray[np.uint8], image: NDArray[np.uint8]) -> bool:
    """Whether a board was moved while it was looked for: found in one picture, uint8[h, w, 3], it lies elsewhere in the
    present one."""
    return searched is not image and (searched.shape != image.shape or lies_elsewhere(found, searched, image))


class Eye:
    """Reads one board under one camera, frame by frame, in order."""

    def __init__(
        self, rows: int | None, cols: int | None, south: str = "bottom", counter: Reader | None = None,
        sizes: Sizes = SIZES, search: Search = at_once,
    ) -> None:
        """rows, cols: the board's, or None to find out. south: the picture's edge at which South sits, bottom, top,
        left or right. counter: reads pits; the networks that come with the program unless given. sizes: of the boards
        that are looked for. search: has a search done, at once or beside the frames."""
        self._rows, self._cols, self._south, self._sizes = rows, cols, south, sizes
        self._counter = counter or reader()
        self._watch: HandWatch | None = None
        self._cells: Cells | None = None
        self._next_search, self._search_by = -1.0, search
        self._searching: tuple[NDArray[np.uint8], Future[BoardView | NotFound]] | None = None
        self._cut_since: float | None = None
        self._covers, self._adaptation = Covers(), Adaptation()
        self._evidence = PitEvidence(self._counter, self._covers, self._adaptation)
        self.view: BoardView | None = None
        """The board as it was found; None before."""
        self.why = ""
        """Why no board was found, for people; empty once one is."""

    def look(self, frame: Frame, *, count: bool = True, afresh: bool = True) -> Reading:
        """What one frame says. count: the pits, too, which costs the most; afresh: those, too, whose stay is not
        settled, and where a pit is doubtful, with a second look: when there is time."""
        return self.watch(frame, count=count, afresh=afresh).counted()

    def watch(self, frame: Frame, *, count: bool = True, afresh: bool = True) -> Watched:
        """What one frame says at once, and the counting that is left to do: `look`, with its dear part put off."""
        seconds = frame.time_ns / 1e9
        if self.view is not None and self.view.size != (frame.image.shape[1], frame.image.shape[0]):
            self._forget()
        if self.view is None or self._watch is None:
            self._search(frame.image, seconds)
        if self.view is None or self._watch is None:
            return Watched(self._nothing(frame), None)
        hands = self._watch.look(frame.image, seconds)
        # A board that lies elsewhere looks like hands, too, so these are not asked about.
        covered = sum(hands.shares)
        gone = hands.moved or covered > SEARCH.hidden or (covered > SEARCH.half and hands.lain > SEARCH.half_held_s)
        if not gone:
            self._searching = None
        elif (hands.quiet or self._searching is not None) and self._search(frame.image, seconds):
            hands = self._watch.look(frame.image, seconds)
        return self._watched(frame, hands, count, afresh)

    def told(self, lesson: Lesson) -> None:
        """It is known what the pits hold. How the empty ones look is remembered, to be held beside what lies in them
        later; and that those that no hand was over were open, if just that was read in them. Not while a frame is
        counted."""
        self._evidence.learn(lesson)

    def _watched(self, frame: Frame, hands: Hands, count: bool, afresh: bool) -> Watched:
        assert self.view is not None and self._cells is not None
        view, evidence, pits = self.view, self._evidence, self.view.rows * self.view.cols
        reading = Reading(
            frame.time_ns,
            np.zeros((pits, COUNTS), np.float32),
            np.zeros(pits, np.bool_),
            hands.shares,
            moved=hands.moved,
            blurred=hands.blurred,
            dark=hands.dark,
            counted=count,
            motion=hands.motion,
            lain=hands.lain,
        )
        if not count or hands.dark:
            return Watched(reading, view)
        cells, bare = self._cells.of(frame.image), ~hands.covered
        limit = COVERED.with_hands if sum(hands.shares) or not hands.quiet else COVERED.with_none

        def counted(most: int | None) -> Reading:
            loglik, seen, looks = evidence.look(frame.image, view, cells, bare, limit, afresh=afresh, most=most)
            earlier, changed = evidence.since
            return replace(reading, loglik=loglik, seen=seen, looks=looks, stays=evidence.numbers, earlier=earlier,
                           changed=changed)

        return Watched(reading, view, counted)

    def _search(self, image: NDArray[np.uint8], seconds: float) -> bool:
        """Whether the board has just been found. A search that runs beside the frames is asked after at each of them.
        """
        if self._searching is None and seconds >= self._next_search:
            self._next_search = seconds + SEARCH.every_s
            radius = None if self.view is None else float(self.view.radii.mean())
            self._searching = image, self._search_by(lambda: self._sought(image, radius))
        if self._searching is None or not self._searching[1].done():
            return False
        (searched, result), self._searching = self._searching, None
        found = result.result()
        if isinstance(found, NotFound):
            self.why = found.reason
            return False
        if _was_moved(found, searched, image) or self._may_be_whole(found, seconds):
            return False
        self.place(oriented(found, self._south))
        return True

    def _may_be_whole(self, found: BoardView, seconds: float) -> bool:
        """Whether a board that the picture's edge cuts may yet be seen whole, so that it is looked for again at once.
        """
        if not found.cut or self.view is not None:
            return False
        self._cut_since = seconds if self._cut_since is None else self._cut_since
        if seconds >= self._cut_since + SEARCH.whole_s:
            return False
        self._next_search = seconds
        return True

    def _sought(self, image: NDArray[np.uint8], radius: float | None) -> BoardView | NotFound:
        """The board in a picture; radius: of its pits as they were, pixels, None for a board that is not known."""
        if radius is not None:  # a pattern beside it may look more like a board, but not like this one
            found = find(image, self._rows, self._cols, radius=radius, sizes=self._sizes)
            if isinstance(found, BoardView):
                return found
        return find(image, self._rows, self._cols, sizes=self._sizes)

    def place(self, view: BoardView) -> None:
        """The board lies there, until it moves. What was known of how its pits look no longer holds, since the light
        falls otherwise; but a pit that looks as it did lies as it did."""
        self.view, self.why, self._searching = view, "", None
        self._watch, self._cells, self._cut_since = HandWatch(view), Cells(view), None
        self._evidence = PitEvidence(self._counter, self._covers, self._adaptation, self._evidence)

    def anew(self) -> None:
        """How the board looked before does not hold any more; it lies where it lay."""
        if self.view is not None:
            self.place(self.view)

    def _forget(self) -> None:
        self.view, self._watch, self._next_search, self._searching = None, None, -1.0, None

    def _nothing(self, frame: Frame) -> Reading:
        pits = (self._rows or 0) * (self._cols or 0)
        dark = float(np.median(frame.image[::8, ::8])) < COVERED.dark_grey
        return Reading(
            frame.time_ns,
            np.zeros((pits, COUNTS), np.float32),
            np.zeros(pits, np.bool_),
            found=False,
            dark=dark,
            counted=False,
        )
