"""Which events are to be sent next, whatever the hall says and whenever."""

import random

import pytest

from device.publishing.messages import MOST_IN_FLIGHT
from device.publishing.outbox import LONGEST_STALL_S, MOST_BYTES, Outbox


def begun(confirmed: int = 0, **timings: float) -> Outbox:
    outbox = Outbox(**timings)  # type: ignore[arg-type]  # seconds alone
    outbox.begin(confirmed, 0.0)
    return outbox


def send(outbox: Outbox, events: int, now: float = 0.0, size: int = 10) -> None:
    for _ in range(events):
        outbox.sent(size, now)


def test_no_more_are_under_way_than_was_agreed() -> None:
    outbox = begun(7)
    assert outbox.next == 8 and outbox.room == MOST_IN_FLIGHT
    send(outbox, MOST_IN_FLIGHT)
    assert outbox.room == 0
    outbox.confirm(17, 1.0)
    assert (outbox.confirmed, outbox.next, outbox.room) == (17, 8 + MOST_IN_FLIGHT, 10)


def test_large_events_are_fewer_at_a_time_and_one_goes_however_large() -> None:
    outbox = begun()
    send(outbox, 1, size=2 * MOST_BYTES)
    assert outbox.room == 0
    outbox.confirm(1, 1.0)
    assert outbox.room == MOST_IN_FLIGHT


def test_the_same_number_once_more_begins_again_but_not_for_every_event_behind_the_gap() -> None:
    outbox = begun(again_s=1.0)
    send(outbox, 50)
    outbox.confirm(20, 2.0)
    outbox.confirm(20, 2.0)
    outbox.tick(2.0)
    assert outbox.next == 21
    send(outbox, 30, 2.0)
    for _ in range(29):  # they were behind the gap, and are answered all the same
        outbox.confirm(20, 2.1)
    outbox.tick(2.1)
    assert outbox.next == 51
    outbox.tick(3.0)
    assert outbox.next == 21, "if nothing came of it, once more"


def test_what_goes_on_is_not_begun_again() -> None:
    outbox = begun(again_s=1.0)
    send(outbox, 10)
    outbox.tick(5.0)
    outbox.confirm(0, 5.0)
    outbox.confirm(4, 5.0)
    outbox.tick(9.0)
    assert outbox.next == 11


def test_the_number_again_while_nothing_is_under_way_is_no_gap() -> None:
    outbox = begun(5, again_s=0.0)
    outbox.confirm(5, 1.0)
    send(outbox, 3, 1.0)
    outbox.tick(1.0)
    assert outbox.next == 9


@pytest.mark.parametrize("number", [0, 2, 11, 400])
def test_a_number_out_of_what_is_under_way_is_where_it_goes_on(number: int) -> None:
    outbox = begun(5)
    send(outbox, 5)
    outbox.confirm(number, 1.0)
    assert outbox.next == number + 1 and outbox.room == MOST_IN_FLIGHT


def test_a_hall_that_says_nothing_is_sent_all_again_ever_less_often() -> None:
    outbox, now, waits = begun(stall_s=20.0), 0.0, []
    for _ in range(8):
        send(outbox, 5, now)
        began = now
        while outbox.next == 6:
            now += 1.0
            outbox.tick(now)
        waits.append(now - began)
    assert waits == [20.0, 40.0, 80.0, 160.0, 300.0, 300.0, 300.0, 300.0] and waits[-1] == LONGEST_STALL_S
    send(outbox, 5, now)
    outbox.confirm(1, now)
    outbox.tick(now + 20.0)
    assert outbox.next == 2, "once it has spoken it is waited for as at first"


@pytest.mark.parametrize("seed", range(20))
def test_all_arrives_through_a_link_that_drops_what_it_likes(seed: int) -> None:
    lot, outbox, now, has = random.Random(seed), begun(again_s=0.5, stall_s=3.0), 0.0, 0
    outbox = begun(again_s=0.5, stall_s=3.0)
    for _ in range(5000):
        now += 0.1
        outbox.tick(now)
        answers = []
        while outbox.room and outbox.next <= 500 and lot.random() < 0.9:
            number = outbox.next
            outbox.sent(10, now)
            if lot.random() < 0.9:
                has += number == has + 1
                answers.append(has)
        for said in answers:
            if lot.random() < 0.9:
                outbox.confirm(said, now)
        if has == 500:
            return
    pytest.fail(f"{has} of 500 arrived")
