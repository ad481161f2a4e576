"""The virtual clock of a slower machine."""

from __future__ import annotations

import pytest

from engine.decoder import decode
from tests.bench.slow_table import COUNTING_MS, DECODING_MS, Clock, MeteredReader, SlowCounting, SlowJudge
from tests.engine.decoder.sown import RULES, Eye, position


def test_the_decoder_answers_as_it_does_and_by_as_much_later_as_the_machine_is_slower() -> None:
    before, clock = position(), Clock(2.0, now=1.0)
    eye = Eye(before.counts)
    eye.look(times=3)
    answer = SlowJudge(clock).submit(lambda: decode(RULES, [(before, 1.0)], eye.looks()))
    clock.now = 0.999 + 2 * DECODING_MS / 1000
    assert not answer.done()
    clock.now += 0.002
    found, same = answer.result(), decode(RULES, [(before, 1.0)], eye.looks())
    assert answer.done() and found is not None and same is not None and found.p == same.p


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
