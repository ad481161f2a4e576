"""Frames on their way through the eye: hands at once, pits beside the frames.

A frame never waits for the counter. What it shows of the hands is there at once; its pits are counted when the counter
is free, and the frames in between are not counted. Readings come out in the order of their frames, so what follows a
frame that is being counted is held back until that is done. Readings are small; no picture is held but the one that is
being counted.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

from device.eyes.looking import Looking, Teachable, Watching
from device.eyes.pace import Pace
from device.eyes.parameters import COUNTING
from vision.reading import BoardView, Frame, Lesson, Reading, Watched

T = TypeVar("T")


class Counting(Protocol):
    """Who does what takes long, one thing at a time, in the order in which it was asked."""

    @property
    def free(self) -> bool:
        """Whether nothing is being done, so that what is asked now begins at once."""

    def count(self, counting: Callable[[int | None], Reading]) -> Future[Reading]:
        """Have pits counted, as many as there is time for (`vision.reading.Watched.counting`)."""

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """Have anything else done."""

    def close(self) -> None:
        """Nothing more is asked."""


class AtOnce:
    """Does it while the frames wait: the same recording gives the same readings every time."""

    free = True

    def count(self, counting: Callable[[int | None], Reading]) -> Future[Reading]:
        """All the pits are counted when this returns."""
        return self.submit(lambda: counting(None))

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """Done when this returns."""
        done: Future[T] = Future()
        done.set_result(work())
        return done

    def close(self) -> None:
        """There is nothing to end."""


class Portions:
    """How many pits are counted at one time: the fewer the longer each takes, so that the table hears of hands soon."""

    def __init__(self) -> None:
        """Nothing is known of this machine."""
        self._pit_s: float | None = None

    @property
    def most(self) -> int:
        """Pits."""
        return COUNTING.first_pits if self._pit_s is None else max(1, int(COUNTING.quick_s / self._pit_s))

    def took(self, seconds: float, looks: int) -> None:
        """A counting that looked at so many pits took so long."""
        if looks and seconds > 0:
            pit_s, new = seconds / looks, COUNTING.newest_weight
            self._pit_s = pit_s if self._pit_s is None else (1 - new) * self._pit_s + new * pit_s


class Beside:
    """Does it on a thread of its own, beside the frames of a live camera."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, name: str = "counter") -> None:
        """clock: seconds; name: of the thread."""
        self._pool = ThreadPoolExecutor(1, name)
        self._last: Future[Any] | None = None
        self._clock, self._portions = clock, Portions()

    @property
    def free(self) -> bool:
        """Whether the last thing asked is done."""
        return self._last is None or self._last.done()

    def count(self, counting: Callable[[int | None], Reading]) -> Future[Reading]:
        """Counted later, as many pits as can be quickly."""
        return self.submit(lambda: self._timed(counting))

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """Done later; what it raises is raised to whoever asks for the result."""
        self._last = asked = self._pool.submit(work)
        return asked

    def _timed(self, counting: Callable[[int | None], Reading]) -> Reading:
        began = self._clock()
        reading = counting(self._portions.most)
        self._portions.took(self._clock() - began, reading.looks)
        return reading

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

    def __init__(self, eye: Looking, counting: Counting, pace: Pace | None = None) -> None:
        """eye: sees; counting: counts; pace: is told of what is not counted."""
        self.eye = eye
        self._counting = counting
        self._held: deque[tuple[Watched, Future[Reading] | None]] = deque()
        self._taught: Future[None] | None = None
        self.hands = False
        """Whether the newest frame shows hands over the board."""
        self.pace = pace or Pace()

    def look(self, frame: Frame, *, count: bool, afresh: bool) -> None:
        """Take in the next frame. count, afresh: as in `vision.eye.Eye.look`."""
        if count and (not self._counting.free or any(asked is not None for _, asked in self._held)):
            # What the table learns of one counting is taught before the next: see `teach`.
            count = False
            self.pace.uncounted += 1
        if isinstance(self.eye, Watching):
            watched = self.eye.watch(frame, count=count, afresh=afresh)
        else:
            watched = Watched(self.eye.look(frame, count=count, afresh=afresh), self.eye.view)
        asked = None if watched.counting is None else self._counting.count(watched.counting)
        self.hands = any(watched.reading.hands)
        self._held.append((replace(watched, counting=None), asked))

    def ready(self, *, wait: bool = False) -> Iterator[Looked]:
        """The readings that are done, in the order of their frames. wait: all that were begun. Raises what went wrong
        in counting or teaching."""
        if self._taught is not None and (wait or self._taught.done()):
            taught, self._taught = self._taught, None
            taught.result()
        while self._held:
            watched, asked = self._held[0]
            if asked is not None and not (wait or asked.done()):
                return
            self._held.popleft()
            yield Looked(watched.reading if asked is None else asked.result(), watched.view)

    def teach(self, lesson: Lesson | None) -> None:
        """Tell the eye what the pits hold, if that is known and it can learn."""
        if lesson is not None and isinstance(self.eye, Teachable):
            told = self.eye.told
            self._taught = self._counting.submit(lambda: told(lesson))
