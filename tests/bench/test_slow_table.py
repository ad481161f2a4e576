"""The virtual clock of a slower machine."""

from functools import partial

import pytest

from tests.bench.slow_table import COUNTING_MS, WEIGHING_MS, Clock, MeteredReader, SlowCounting, SlowWeighing


def test_the_referee_answers_as_it_does_and_by_as_much_later_as_the_machine_is_slower() -> None:
    clock = Clock(2.0, now=1.0)
    weighing = SlowWeighing(clock)
    answers = [weighing.submit(lambda: "first"), weighing.submit(lambda: "second")]
    clock.now = 1.001 + 2 * WEIGHING_MS / 1000
    assert [a.done() for a in answers] == [True, False] and not weighing.free
    clock.now += 2 * WEIGHING_MS / 1000
    assert answers[1].done() and [a.result() for a in answers] == ["first", "second"]


def test_what_the_referee_has_not_begun_may_be_cancelled() -> None:
    clock, done = Clock(2.0, now=1.0), list[str]()
    weighing = SlowWeighing(clock)
    asked = [weighing.submit(partial(done.append, name)) for name in "abc"]
    assert not asked[0].cancel() and asked[1].cancel()
    asked[2].result()
    assert done == ["a", "c"] and weighing.until == pytest.approx(1.0 + 4 * WEIGHING_MS / 1000)


def test_counting_takes_as_long_as_its_looks_and_the_next_one_waits() -> None:
    clock, reader = Clock(4.0), MeteredReader()

    def look() -> None:
        reader.spent += 10.0

    counting = SlowCounting(clock, reader)
    first, second = counting.submit(look), counting.submit(look)
    one = 4 * (COUNTING_MS + 10.0) / 1000
    assert counting.until == pytest.approx(2 * one)
    clock.now = 1.01 * one
    assert first.done() and not second.done() and not counting.free
