"""Pass frames through the eye: hands are read at once, pits are counted beside the frames.

A frame never waits for the counter. Its hands are read at once; its pits are counted if the counter is free, and the
frames in between are not counted. Readings come out in the order of their frames, so those after a frame that is being
counted are held back until that is done. Readings are small; only the picture that is being counted is held.
"""

import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

from device.eyes.pace import Pace
from device.eyes.parameters import COUNTING
from device.eyes.table_eye import TableEye
from vision.reading import BoardView, Frame, Lesson, Reading, Watched

T = TypeVar("T")


class JobRunner(Protocol):
    """Executes long work, one job at a time, in the order of submission."""

    @property
    def free(self) -> bool:
        """Whether a job submitted now would begin at once."""

    def count(self, counting: Callable[[int | None], Reading]) -> Future[Reading]:
        """Submit a counting, of as many pits as there is time for (`vision.reading.Watched.counting`)."""

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """Submit any other work."""

    def close(self) -> None:
        """End; nothing more may be submitted."""


class InlineRunner:
    """Works at once while the frames wait, so that a recording gives the same readings every time."""

    free = True

    def count(self, counting: Callable[[int | None], Reading]) -> Future[Reading]:
        """Count all pits before returning."""
        return self.submit(lambda: counting(None))

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """Do the work before returning."""
        done: Future[T] = Future()
        done.set_result(work())
        return done

    def close(self) -> None:
        """Do nothing: there is nothing to end."""


class CountingBudget:
    """Decides how many pits to count in one go: fewer if each takes longer, so that the table soon hears of hands."""

    def __init__(self) -> None:
        """Start without knowing this machine's speed."""
        self._pit_s: float | None = None

    @property
    def most(self) -> int:
        """Most pits to count in one go."""
        return COUNTING.first_pits if self._pit_s is None else max(1, int(COUNTING.quick_s / self._pit_s))

    def took(self, seconds: float, looks: int) -> None:
        """Note that a counting of `looks` pits took `seconds`."""
        if looks and seconds > 0:
            pit_s, new = seconds / looks, COUNTING.newest_weight
            self._pit_s = pit_s if self._pit_s is None else (1 - new) * self._pit_s + new * pit_s


SWITCH_S = 0.0005
"""Longest time, seconds, for which Python code on one thread holds up another thread. A frame is looked at in dozens of
short steps, and every step would wait for a busy referee."""


class ThreadRunner:
    """Works on a thread of its own, beside the frames of a live camera."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, name: str = "counter") -> None:
        """clock: seconds; name: the thread's."""
        sys.setswitchinterval(SWITCH_S)
        self._pool = ThreadPoolExecutor(1, name)
        self._last: Future[Any] | None = None
        self._clock, self._portions = clock, CountingBudget()

    @property
    def free(self) -> bool:
        """Whether the last job is done."""
        return self._last is None or self._last.done()

    def count(self, counting: Callable[[int | None], Reading]) -> Future[Reading]:
        """Count later, as many pits as `CountingBudget.most`."""
        return self.submit(lambda: self._timed(counting))

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """Do the work later; the future's `result` raises its errors."""
        self._last = asked = self._pool.submit(work)
        return asked

    def _timed(self, counting: Callable[[int | None], Reading]) -> Reading:
        began = self._clock()
        reading = counting(self._portions.most)
        self._portions.took(self._clock() - began, reading.looks)
        return reading

    def close(self) -> None:
        """End, and cancel the jobs that have not begun."""
        self._pool.shutdown(cancel_futures=True)


@dataclass(frozen=True, slots=True)
class FrameReading:
    """One frame's reading. view: the board's place in it; None if unknown."""

    reading: Reading
    view: BoardView | None


class Pipeline:
    """One eye with its counter. Frames go in by `look`, readings come out of `ready` in the same order."""

    def __init__(self, eye: TableEye, counting: JobRunner, pace: Pace | None = None) -> None:
        """eye: reads the frames; counting: executes the countings; pace: counts those that are skipped."""
        self.eye = eye
        self._counting = counting
        self._held: deque[tuple[Watched, Future[Reading] | None]] = deque()
        self._teaching: Future[None] | None = None
        self.hands = False
        """Whether the newest frame shows hands over the board."""
        self.pace = pace or Pace()

    def look(self, frame: Frame, *, count: bool, revisit: bool) -> None:
        """Take in the next frame. count, revisit: as in `vision.eye.Eye.look`."""
        if count and (not self._counting.free or any(asked is not None for _, asked in self._held)):
            # The eye must learn from one counting before the next: see `teach`.
            count = False
            self.pace.uncounted += 1
        watched = self.eye.watch(frame, count=count, revisit=revisit)
        asked = None if watched.counting is None else self._counting.count(watched.counting)
        self.hands = any(watched.reading.hands)
        self._held.append((replace(watched, counting=None), asked))

    def ready(self, *, wait: bool = False) -> Iterator[FrameReading]:
        """Yield the finished readings, in the order of their frames. wait: wait for all that were begun. Raises errors
        of counting and teaching."""
        if self._teaching is not None and (wait or self._teaching.done()):
            done, self._teaching = self._teaching, None
            done.result()
        while self._held:
            watched, asked = self._held[0]
            if asked is not None and not (wait or asked.done()):
                return
            self._held.popleft()
            yield FrameReading(watched.reading if asked is None else asked.result(), watched.view)

    def teach(self, lesson: Lesson | None) -> None:
        """Teach the eye what the pits hold, if that is known."""
        if lesson is not None:
            self._teaching = self._counting.submit(lambda: self.eye.learn(lesson))
