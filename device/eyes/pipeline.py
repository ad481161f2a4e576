"""Frames on their way through the eye: hands at once, pits beside the frames.

A frame never waits for the counter. What it shows of the hands is there at once; its pits are counted when the counter
is free, and the frames in between are not counted. Readings come out in the order of their frames, so what follows a
frame that is being counted is held back until that is done. Readings are small; no picture is held but the one that is
being counted.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

import numpy as np

from device.eyes.looking import Looking, Teachable, Watching
from vision.reading import BoardView, Frame, Reading, Watched

T = TypeVar("T")

QUICK_S = 0.35
"""Seconds that one counting may take: so late the table hears of hands at the most. A guess."""
MANY, GROWS = 64, 1.25
"""Pits of the largest board and more; and by how much the next portion may grow."""


class Counting(Protocol):
    """Who does what takes long, one thing at a time, in the order in which it was asked."""

    @property
    def free(self) -> bool:
        """Whether nothing is being done, so that what is asked now begins at once."""

    @property
    def most(self) -> int | None:
        """Pits that can be counted within `QUICK_S`, about; None for as many as there are."""

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """Have it done."""

    def close(self) -> None:
        """Nothing more is asked."""


class AtOnce:
    """Does it while the frames wait: the same recording gives the same readings every time."""

    free, most = True, None

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """Done when this returns."""
        done: Future[T] = Future()
        done.set_result(work())
        return done

    def close(self) -> None:
        """There is nothing to end."""


class Portions:
    """How many pits are counted at one time: the fewer the longer it takes, so that the table is not left without a
    word."""

    def __init__(self) -> None:
        self._most = float(MANY)

    @property
    def most(self) -> int:
        """Pits."""
        return max(1, int(self._most))

    def took(self, seconds: float) -> None:
        """A counting took so long."""
        better = self._most * QUICK_S / max(seconds, QUICK_S / GROWS)
        self._most = min(float(MANY), max(1.0, better))


class Beside:
    """Does it on a thread of its own, beside the frames of a live camera. clock: seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._pool = ThreadPoolExecutor(1, "counter")
        self._last: Future[Any] | None = None
        self._clock, self._portions = clock, Portions()

    @property
    def most(self) -> int | None:
        """Pits that can be counted quickly enough here."""
        return self._portions.most

    @property
    def free(self) -> bool:
        """Whether the last thing asked is done."""
        return self._last is None or self._last.done()

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """Done later; what it raises is raised to whoever asks for the result."""
        self._last = asked = self._pool.submit(self._timed, work)
        return asked

    def _timed(self, work: Callable[[], T]) -> T:
        began = self._clock()
        result = work()
        self._portions.took(self._clock() - began)
        return result

    def close(self) -> None:
        """What has not begun is not done any more."""
        self._pool.shutdown(cancel_futures=True)


@dataclass(frozen=True, slots=True)
class Looked:
    """What came out of one frame. view: where the board lay in it; None where none was known."""

    reading: Reading
    view: BoardView | None


class Pipeline:
    """One eye, and who counts for it. Frames go in by `look`, readings come out of `ready`, in the same order."""

    def __init__(self, eye: Looking, counting: Counting) -> None:
        self.eye = eye
        self._counting = counting
        self._held: deque[tuple[Watched, Future[Reading] | None]] = deque()
        self.uncounted = 0
        """Frames that were to be counted while the counter was busy."""

    def look(self, frame: Frame, *, count: bool, afresh: bool) -> None:
        """Take in the next frame. count, afresh: as of `vision.eye.Eye.look`."""
        if count and (not self._counting.free or any(asked is not None for _, asked in self._held)):
            # What the table learns of one counting is taught before the next: see `teach`.
            count = False
            self.uncounted += 1
        if isinstance(self.eye, Watching):
            watched = self.eye.watch(frame, count=count, afresh=afresh)
        else:
            watched = Watched(self.eye.look(frame, count=count, afresh=afresh), self.eye.view)
        counting, most = watched.counting, self._counting.most
        asked = None if counting is None else self._counting.submit(lambda: counting(most))
        self._held.append((replace(watched, counting=None), asked))

    def ready(self, *, wait: bool = False) -> Iterator[Looked]:
        """The readings that are done, in the order of their frames. wait: all that were begun."""
        while self._held:
            watched, asked = self._held[0]
            if asked is not None and not (wait or asked.done()):
                return
            self._held.popleft()
            yield Looked(watched.reading if asked is None else asked.result(), watched.view)

    def teach(self, counts: Sequence[int] | None) -> None:
        """Tell the eye what the pits hold as it counted them last, if that is known and it can learn."""
        if counts is not None and isinstance(self.eye, Teachable):
            known = np.asarray(counts, np.int64)
            self._counting.submit(lambda: self._learn(known))

    def _learn(self, counts: np.ndarray[tuple[int], np.dtype[np.int64]]) -> None:
        assert isinstance(self.eye, Teachable)
        self.eye.told(counts)
