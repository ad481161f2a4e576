"""What looks at a board say of its counts, of touches and of whose hands were there."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from engine.board import Side
from engine.decoder import Looks
from engine.decoder.parameters import EMISSION, TOUCH
from engine.judge.verdict import COUNTS
from tests.engine.decoder.sown import BETWEEN_S, NORTHS, SOUTHS, Eye

HELD = np.array((2, 0, 3))


def eye(known: bool = False) -> Eye:
    """At a board of three pits."""
    return Eye((2, 0, 3), known=known)


@pytest.mark.parametrize("field", ["times", "loglik", "stays", "hands", "known"])
def test_what_does_not_fit_the_board_or_the_number_of_looks_is_refused(field: str) -> None:
    three = eye()
    three.look(times=4)
    looks = three.looks()
    with pytest.raises(ValueError, match="a board of 3 pits"):
        replace(looks, **{field: getattr(looks, field)[:-1]})
    if field == "loglik":
        with pytest.raises(ValueError, match="a board of 3 pits"):
            replace(looks, loglik=looks.loglik[..., :-1])


def test_a_look_is_as_long_as_the_time_since_the_one_before() -> None:
    three = eye()
    three.look(times=3)
    assert three.looks().seconds.tolist() == [0.0, BETWEEN_S, BETWEEN_S] and len(three.looks()) == 3


def test_the_count_that_is_read_costs_nothing_and_no_other_one_more_than_a_misread_stay() -> None:
    three = eye()
    three.look()
    emissions = three.looks().emissions(HELD)
    assert emissions.shape == (1, 4, COUNTS)
    assert (emissions[0, np.arange(3), HELD] == 0).all()
    others = np.delete(emissions[0, 0], HELD[0])
    assert (others < -3).all() and (others > math.log(EMISSION.unreliable / COUNTS)).all()


def test_a_pit_that_is_none_costs_nothing() -> None:
    three = eye()
    three.look(times=2)
    assert (three.looks().emissions(HELD)[:, -1] == 0).all()


@pytest.mark.parametrize("times", [1, 5])
def test_all_looks_at_one_stay_weigh_together_as_one(times: int) -> None:
    once, often = eye(), eye()
    once.look()
    often.look(times=times)
    assert np.allclose(often.looks().emissions(HELD).sum(axis=0), once.looks().emissions(HELD)[0])


def test_each_stay_of_a_pit_weighs_as_one_however_many_looks_showed_it() -> None:
    three = eye()
    three.look(times=4)
    three.counts = (0, 1, 3)
    three.look(times=2)
    emissions = three.looks().emissions(HELD)
    assert np.isclose(emissions[:4, 0, 0].sum(), emissions[4:, 0, 2].sum()), "two were read first, none then"


def test_what_is_hidden_costs_nothing_and_is_no_look_at_its_stay() -> None:
    three = eye()
    three.look()
    three.look(hidden=(0,), times=3)
    emissions = three.looks().emissions(HELD)
    assert (emissions[1:, 0] == 0).all()
    assert np.isclose(emissions[0, 0, 7], emissions[:, 1, 7].sum()), "like that of a pit that was seen all the time"


def test_a_pit_that_still_shows_the_stay_in_which_its_count_was_known_holds_that_whatever_is_read() -> None:
    three = eye(known=True)
    three.counts = (9, 0, 3)
    three.look()
    half = EMISSION.untouched_lone_nats / 2
    assert three.looks().emissions(HELD)[0, 0].tolist() == [0.0 if n == 2 else -half for n in range(COUNTS)]
    three.counts = (8, 0, 3)
    three.look()
    assert three.looks().emissions(HELD)[1, 0].argmax() == 8, "until it was touched"


def test_the_more_lies_in_a_pit_the_more_may_have_come_to_it_unseen() -> None:
    one = Eye((0, 1, 2, 3, 20))
    one.look()
    worst = one.looks().emissions(np.array([0, 1, 2, 3, 20]))[0, :5].min(axis=1)
    lone = EMISSION.untouched_lone_nats
    assert worst.tolist() == [-lone, -lone, -lone / 2, -EMISSION.untouched_nats, -EMISSION.untouched_nats]


def test_a_pit_is_touched_where_it_is_hidden_or_was_so_at_the_look_before() -> None:
    three = eye()
    three.look()
    three.look(hidden=(1,))
    three.look(times=2)
    free, same = -TOUCH.open_nats, -TOUCH.unnoticed_nats
    assert three.looks().touches[:, :3].tolist() == [[free] * 3, [same, 0, same], [same, 0, same], [same] * 3]
    assert (three.looks().touches[:, 3] == -np.inf).all(), "and one that is none never"


def test_an_open_pit_is_hardly_touched_while_it_shows_the_same_stay() -> None:
    three = eye()
    three.look()
    three.counts = (8, 0, 4)
    three.look()
    touched = [p for p, (now, before) in enumerate(zip(three.counts, HELD, strict=True)) if now != before]
    touches = three.looks().touches[1, :3]
    assert touched
    assert touches.tolist() == [-TOUCH.open_nats if p in touched else -TOUCH.unnoticed_nats for p in range(3)]


def test_a_touch_with_no_hand_of_that_side_there_is_next_to_impossible() -> None:
    three = eye()
    for hands in (SOUTHS, NORTHS, (True, True)):
        three.look(hands)
    looks: Looks = three.looks()
    assert looks.present(Side.SOUTH).tolist() == [0, -TOUCH.no_hand_nats, 0]
    assert looks.present(Side.NORTH).tolist() == [-TOUCH.no_hand_nats, 0, 0]
