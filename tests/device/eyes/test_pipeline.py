"""Frames never wait for the counter, and no reading overtakes another."""

import sys
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from threading import Event, current_thread
from typing import TypeVar

import numpy as np
import pytest

from device.eyes.parameters import COUNTING
from device.eyes.pipeline import SWITCH_S, CountingBudget, InlineRunner, Pipeline, ThreadRunner
from tests.device.painted import IdleEye
from vision.reading import COUNTS, Frame, Lesson, Reading, Watched

T = TypeVar("T")


def frame(number: int) -> Frame:
    """A black picture."""
    return Frame(np.zeros((2, 2, 3), np.uint8), number, number)


class Eye(IdleEye):
    """Sees one pit, and notes what it was asked."""

    def __init__(self, wait: Callable[[], object] = lambda: None) -> None:
        self.counted: list[tuple[int, int | None, str]] = []
        self.learnt: list[list[int]] = []
        self._wait = wait

    def watch(self, frame: Frame, *, count: bool = True, revisit: bool = True) -> Watched:
        """Hands at once."""
        reading = Reading(frame.time_ns, np.zeros((1, COUNTS), np.float32), np.zeros(1, np.bool_), counted=count)

        def counting(most: int | None) -> Reading:
            self._wait()
            self.counted.append((frame.number, most, current_thread().name))
            return replace(reading, seen=np.ones(1, np.bool_))

        return Watched(reading, None, counting if count else None)

    def learn(self, lesson: Lesson) -> None:
        """Learn."""
        self.learnt.append(list(lesson.counts))


class ByHand:
    """Does things when it is told to."""

    def __init__(self) -> None:
        self.asked: list[Callable[[], None]] = []

    @property
    def free(self) -> bool:
        """Whether nothing is left to do."""
        return not self.asked

    def count(self, counting: Callable[[int | None], Reading]) -> Future[Reading]:
        """Three pits, but not yet."""
        return self.submit(lambda: counting(3))

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """Not yet."""
        later: Future[T] = Future()
        self.asked.append(lambda: later.set_result(work()))
        return later

    def do(self) -> None:
        """Do the first thing."""
        self.asked.pop(0)()

    def close(self) -> None:
        """Nothing more."""


def numbers(pipeline: Pipeline, *, wait: bool = False) -> list[tuple[int, bool]]:
    """Times of the readings that are ready, and whether their pits were counted."""
    return [(one.reading.time_ns, bool(one.reading.seen.all())) for one in pipeline.ready(wait=wait)]


def test_a_recording_is_counted_frame_by_frame() -> None:
    pipeline = Pipeline(Eye(), InlineRunner())
    for k in range(3):
        pipeline.look(frame(k), count=True, revisit=True)
        assert numbers(pipeline) == [(k, True)]
    assert pipeline.pace.uncounted == 0


def test_frames_go_on_while_one_is_counted_and_come_out_in_their_order() -> None:
    eye, hand = Eye(), ByHand()
    pipeline = Pipeline(eye, hand)
    pipeline.look(frame(0), count=False, revisit=False)
    for k in range(1, 5):
        pipeline.look(frame(k), count=True, revisit=False)
    assert numbers(pipeline) == [(0, False)], "the others come after the one that is being counted"
    assert pipeline.pace.uncounted == 3
    hand.do()
    assert eye.counted == [(1, 3, "MainThread")], "so many pits as there is time for"
    assert numbers(pipeline) == [(1, True), (2, False), (3, False), (4, False)]


def test_nothing_is_counted_before_the_table_has_heard_of_the_last_counting() -> None:
    """Else the eye would be taught what lay there by a later picture."""
    eye, hand = Eye(), ByHand()
    pipeline = Pipeline(eye, hand)
    pipeline.look(frame(0), count=True, revisit=True)
    hand.do()
    pipeline.look(frame(1), count=True, revisit=True)
    assert hand.free
    assert numbers(pipeline) == [(0, True), (1, False)]
    pipeline.teach(Lesson((4,)))
    pipeline.look(frame(2), count=True, revisit=True)
    assert len(hand.asked) == 1 and not eye.learnt, "the teaching comes first"
    hand.do()
    assert eye.learnt == [[4]]
    pipeline.teach(None)
    assert hand.free


def test_beside_the_frames_it_is_another_thread_that_counts() -> None:
    go = Event()
    eye, beside = Eye(lambda: go.wait(10)), ThreadRunner()
    pipeline = Pipeline(eye, beside)
    for k in range(3):
        pipeline.look(frame(k), count=True, revisit=True)
    assert numbers(pipeline) == [] and not beside.free
    go.set()
    assert numbers(pipeline, wait=True) == [(0, True), (1, False), (2, False)]
    assert eye.counted[0][2].startswith("counter")
    beside.close()


def test_what_goes_wrong_beside_the_frames_is_raised_where_the_readings_are_taken() -> None:
    def wrong() -> None:
        raise RuntimeError("the network is gone")

    beside = ThreadRunner()
    pipeline = Pipeline(Eye(wrong), beside)
    pipeline.look(frame(0), count=True, revisit=True)
    with pytest.raises(RuntimeError, match="the network is gone"):
        numbers(pipeline, wait=True)
    beside.close()


def test_what_goes_wrong_in_teaching_is_raised_there_too() -> None:
    class Unteachable(Eye):
        def learn(self, lesson: Lesson) -> None:
            raise RuntimeError("nothing can be learnt")

    beside = ThreadRunner()
    pipeline = Pipeline(Unteachable(), beside)
    pipeline.teach(Lesson((4,)))
    with pytest.raises(RuntimeError, match="nothing can be learnt"):
        numbers(pipeline, wait=True)
    beside.close()


def test_a_slow_machine_counts_few_pits_at_a_time_and_looks_at_nothing_new_teach_nothing() -> None:
    portions = CountingBudget()
    assert portions.most == COUNTING.first_pits, "nothing is known of the machine"
    portions.took(1.0, 1)
    assert portions.most == 1
    for _ in range(30):
        portions.took(0.001, 0)  # a still board is counted in no time
    assert portions.most == 1
    for _ in range(60):
        portions.took(0.1, 10)
    assert portions.most == pytest.approx(COUNTING.quick_s / 0.01, abs=1)


def test_python_on_one_thread_does_not_hold_up_the_frames_on_another() -> None:
    sys.setswitchinterval(0.005)
    ThreadRunner().close()
    assert sys.getswitchinterval() == pytest.approx(SWITCH_S)
