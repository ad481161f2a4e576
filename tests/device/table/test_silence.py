"""A move is judged under a hand that lies still. A changed board of which nothing can be said for eight seconds is said
to be unseen, and play goes on."""

import pytest

from device.eyes.brightening import Brightening
from device.journal.events import Blind, Sighted
from device.journal.states import State
from device.table.parameters import OBSERVING, SIGHT
from engine.board import Side
from engine.referee.parameters import TIMES
from tests.device.painted import IdleEye
from tests.device.played_table import Played, begun, verdicts

SHADE = (0.2, 0.0)
MANY = 12
"""Of the pits: when so many are hidden, nothing can be said of a move."""


def lying(played: Played, seconds: float, lain: float = 20.0, motion: float = 0.0, hidden: int = 2) -> None:
    """So many seconds in which something lies over the first pits of South's."""
    seen = range(hidden, len(played.counts))
    played.frames(seconds, SHADE, seen, {"lain": lain, "motion": motion})


def sown(played: Played, under: bool = True) -> None:
    """South plays while it lies there, and draws his hand back."""
    rules, position = played.game.playing
    lying(played, 1.5, 0.5, 0.05)
    if under:
        played.counts = list(rules.moves(position).moves[0].position.counts)


def test_it_is_said_with_why_and_the_reference_begins_anew_and_play_goes_on() -> None:
    played = begun()
    sown(played)
    lying(played, SIGHT.unsaid_s - 1.0, hidden=MANY)
    assert not played.said(Blind) and not played.table.takes_reference_reset()
    lying(played, 1.5, hidden=MANY)
    (blind,) = played.said(Blind)
    assert "covered part" in blind.why and blind.todo and blind.told is not None
    assert played.table.takes_reference_reset() and not played.table.takes_reference_reset()
    played.frames(4.0)
    assert len(played.said(Sighted)) == 1
    (asked,) = verdicts(played)
    assert asked.kind == "not-sure" and asked.doubts == ["UNWATCHED"]
    played.play()
    assert [v.kind for v in verdicts(played)] == ["not-sure", "legal"]


def test_nobody_is_accused_of_what_was_played_meanwhile() -> None:
    played = begun()
    sown(played)
    played.counts[3] += 1
    lying(played, SIGHT.unsaid_s + 0.5)
    played.frames(6.0)
    assert not {v.kind for v in verdicts(played)} & {"illegal", "tampered"}


def test_a_move_is_judged_by_the_open_pits_under_a_hand_that_lies_still_and_so_is_the_next_ones() -> None:
    played = begun()
    sown(played)
    lying(played, OBSERVING.hidden_s + 0.5)
    assert [(v.kind, v.player) for v in verdicts(played)] == [("legal", "S")]
    rules, position = played.game.playing
    played.frames(1.5, (SHADE[0], 0.1), range(2, len(played.counts)))
    played.counts = list(rules.moves(position).moves[0].position.counts)
    lying(played, OBSERVING.hidden_s + 0.5)
    assert [(v.kind, v.player) for v in verdicts(played)] == [("legal", "S"), ("legal", "N")]
    played.frames(1.5)
    played.play()
    assert [v.kind for v in verdicts(played)] == ["legal"] * 3


def test_what_nothing_explains_under_a_hand_that_lies_still_is_asked_about_once_the_hand_has_left() -> None:
    played = begun()
    sown(played)
    played.counts[3] += 1
    lying(played, 3 * OBSERVING.hidden_s)
    assert not verdicts(played)
    played.frames(TIMES.ask_midway_s + 0.5)
    assert [v.kind for v in verdicts(played)] == ["not-sure"]


def test_a_move_in_which_the_hand_lies_still_is_judged_once_it_is_complete() -> None:
    played = begun()
    rules, position = played.game.playing
    before, after = played.counts, list(rules.moves(position).moves[0].position.counts)
    lying(played, 1.0, 0.5, 0.05)
    half = len(before) // 2
    played.counts = after[:half] + before[half:]
    lying(played, 3 * OBSERVING.hidden_s)
    assert played.counts != after and not verdicts(played)
    lying(played, 1.0, 0.5, 0.05)
    played.counts = after
    played.frames(1.5)
    assert [v.kind for v in verdicts(played)] == ["legal"]


def test_a_hand_that_rests_over_an_unchanged_board_is_waited_for() -> None:
    played = begun()
    sown(played, under=False)
    lying(played, 4 * SIGHT.unsaid_s)
    assert not played.said(Blind) and played.at(State.HANDS_IN)


def test_whoever_is_sowing_is_let_go_on() -> None:
    """A relay of twelve seconds, beside the other side's hand, which rests."""
    played = begun()
    sown(played)
    for _ in range(round(12 / SIGHT.pause_s)):
        lying(played, SIGHT.pause_s / 2, motion=0.05)
        lying(played, SIGHT.pause_s / 3)
    assert not played.said(Blind)


def test_a_hand_that_has_not_lain_for_so_long_is_waited_for() -> None:
    played = begun()
    sown(played)
    lying(played, SIGHT.unsaid_s + 2.0, lain=3.0)
    assert not played.said(Blind)


@pytest.mark.parametrize("motion", [0.015, 0.6])
def test_a_picture_that_never_comes_to_rest_is_said(motion: float) -> None:
    """More than the camera's noise, and less, or more, than anybody's hand."""
    played = begun()
    rules, position = played.game.playing
    played.counts = list(rules.moves(position).moves[0].position.counts)
    played.doubt = {3: played.counts[3] + 1}
    played.frames(2.0, trouble={"motion": motion})
    said = len(verdicts(played))
    played.frames(SIGHT.unsaid_s + 1.0, trouble={"motion": motion})
    assert said or verdicts(played) or "not settled" in played.said(Blind)[0].why


class Remembering(IdleEye):
    """An eye that counts how often it began anew."""

    began = 0

    def reset_reference(self) -> None:
        """Once more."""
        self.began += 1


def test_the_eye_in_its_light_begins_anew() -> None:
    eye = Remembering()
    Brightening(eye).reset_reference()
    assert eye.began == 1


def test_it_is_whoever_is_to_move_after_it() -> None:
    played = begun()
    sown(played)
    lying(played, SIGHT.unsaid_s + 0.5)
    played.frames(4.0)
    assert played.game.playing[1].to_move is Side.NORTH
