"""The eye turns a frame into a reading: it finds the board, tracks it, follows the hands, and counts the visible
pits."""

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
from vision.seeds.appearance import CellSampler
from vision.seeds.counter import Reader, reader
from vision.seeds.evidence import PitEvidence
from vision.seeds.knowledge.adaptation import Adaptation
from vision.seeds.knowledge.seed_area import SeedAreaModel

Search = Callable[[Callable[[], BoardView | NotFound]], "Future[BoardView | NotFound]"]
"""Starts a search for a board, given as a function, and returns a future with its result."""


def at_once(search: Callable[[], BoardView | NotFound]) -> Future[BoardView | NotFound]:
    """Run the search now, while the frame waits."""
    done: Future[BoardView | NotFound] = Future()
    done.set_result(search())
    return done


def _was_moved(found: BoardView, searched: NDArray[np.uint8], image: NDArray[np.uint8]) -> bool:
    """Whether the board was moved during the search: found in the picture `searched`, uint8[h, w, 3], it lies elsewhere
    in the present one."""
    return searched is not image and (searched.shape != image.shape or lies_elsewhere(found, searched, image))


class Eye:
    """Reads one board under one camera, frame by frame, in order."""

    def __init__(
        self, rows: int | None, cols: int | None, south: str = "bottom", counter: Reader | None = None,
        sizes: Sizes = SIZES, search: Search = at_once,
    ) -> None:
        """rows, cols: the board's size, or None to find it out. south: the picture's edge at which South sits: bottom,
        top, left or right. counter: reads pits; by default the networks that come with the program. sizes: the boards
        to look for. search: runs a search for a board, at once or beside the frames."""
        self._rows, self._cols, self._south, self._sizes = rows, cols, south, sizes
        self._counter = counter or reader()
        self._watch: HandWatch | None = None
        self._cells: CellSampler | None = None
        self._next_search, self._search_by = -1.0, search
        self._searching: tuple[NDArray[np.uint8], Future[BoardView | NotFound]] | None = None
        self._cut_since: float | None = None
        self._seed_area, self._adaptation = SeedAreaModel(), Adaptation()
        self._evidence = PitEvidence(self._counter, self._seed_area, self._adaptation)
        self.view: BoardView | None = None
        """The board as it was found; None before."""
        self.shown: NDArray[np.uint8] | None = None
        """The last picture that was looked at, uint8[h, w, 3]; None before the first."""

    def look(self, frame: Frame, *, count: bool = True, revisit: bool = True) -> Reading:
        """Read one frame. count: also count the pits, which takes the most time. revisit: if there is time, also count
        pits whose stay is not settled, and look twice at doubtful ones."""
        return self.watch(frame, count=count, revisit=revisit).counted()

    def watch(self, frame: Frame, *, count: bool = True, revisit: bool = True) -> Watched:
        """Do the quick part of `look`: read what the frame shows at once, and return the counting as a function to call
        later."""
        self.shown, seconds = frame.image, frame.time_ns / 1e9
        if self.view is not None and self.view.picture_size != (frame.image.shape[1], frame.image.shape[0]):
            self._forget()
        if self.view is None or self._watch is None:
            self._search(frame.image, seconds)
        if self.view is None or self._watch is None:
            return Watched(self._nothing(frame), None)
        hands = self._watch.look(frame.image, seconds)
        # Search even while hands seem to cover the board: a board that has moved looks like hands.
        covered = sum(hands.shares)
        gone = hands.moved or covered > SEARCH.hidden or (covered > SEARCH.half and hands.lain > SEARCH.half_held_s)
        if not gone:
            self._searching = None
        elif (hands.quiet or self._searching is not None) and self._search(frame.image, seconds):
            hands = self._watch.look(frame.image, seconds)
        return self._watched(frame, hands, count, revisit)

    def learn(self, lesson: Lesson) -> None:
        """Learn what the pits hold. Remember the look of empty pits, to compare later contents with. A pit without a
        hand over it was open if its reading matches the known count. Do not call this while a frame is being
        counted."""
        self._evidence.learn(lesson)

    def _watched(self, frame: Frame, hands: Hands, count: bool, revisit: bool) -> Watched:
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
        cells, uncovered = self._cells.of(frame.image), ~hands.covered
        limit = COVERED.with_hands if sum(hands.shares) or not hands.quiet else COVERED.with_none

        def counted(most: int | None) -> Reading:
            loglik, seen, looks = evidence.look(frame.image, view, cells, uncovered, limit, revisit=revisit, most=most)
            earlier, changed = evidence.earlier_stays
            return replace(reading, loglik=loglik, seen=seen, looks=looks, stays=evidence.numbers, earlier=earlier,
                           changed=changed)

        return Watched(reading, view, counted)

    def _search(self, image: NDArray[np.uint8], seconds: float) -> bool:
        """Return whether the board has just been found. A search that runs beside the frames is polled at each of
        them."""
        if self._searching is None and seconds >= self._next_search:
            self._next_search = seconds + SEARCH.every_s
            radius = None if self.view is None else float(self.view.radii.mean())
            self._searching = image, self._search_by(lambda: self._sought(image, radius))
        if self._searching is None or not self._searching[1].done():
            return False
        (searched, result), self._searching = self._searching, None
        found = result.result()
        if isinstance(found, NotFound):
            return False
        if _was_moved(found, searched, image) or self._may_be_whole(found, seconds):
            return False
        self.place(oriented(found, self._south))
        return True

    def _may_be_whole(self, found: BoardView, seconds: float) -> bool:
        """Whether a board cut by the picture's edge may soon be seen whole; if so, the next search starts at once."""
        if not found.cut or self.view is not None:
            return False
        self._cut_since = seconds if self._cut_since is None else self._cut_since
        if seconds >= self._cut_since + SEARCH.whole_s:
            return False
        self._next_search = seconds
        return True

    def _sought(self, image: NDArray[np.uint8], radius: float | None) -> BoardView | NotFound:
        """Find the board in a picture. radius: the radius that its pits had before it moved, pixels, None if no board
        was known."""
        if radius is not None:  # a pattern beside it may look more like a board, but not like this one
            found = find(image, self._rows, self._cols, radius=radius, sizes=self._sizes)
            if isinstance(found, BoardView):
                return found
        return find(image, self._rows, self._cols, sizes=self._sizes)

    def place(self, view: BoardView) -> None:
        """Set where the board lies until it moves. The known look of its empty pits no longer holds, because light
        falls differently there; but a pit that looks unchanged still holds the same seeds."""
        self.view, self._searching = view, None
        self._watch, self._cells, self._cut_since = HandWatch(view), CellSampler(view), None
        self._evidence = PitEvidence(self._counter, self._seed_area, self._adaptation, self._evidence)

    def reset_reference(self) -> None:
        """Forget how the board looked, but not where it lies."""
        if self.view is not None:
            self.place(self.view)

    def _forget(self) -> None:
        self.view, self._watch, self._next_search, self._searching = None, None, -1.0, None

    def _nothing(self, frame: Frame) -> Reading:
        pits = (self._rows or 0) * (self._cols or 0)
        dark = float(np.median(frame.image[::8, ::8])) < SEARCH.dark_grey
        return Reading(
            frame.time_ns,
            np.zeros((pits, COUNTS), np.float32),
            np.zeros(pits, np.bool_),
            found=False,
            dark=dark,
            counted=False,
        )
