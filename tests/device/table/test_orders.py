"""What people order: moves withdrawn, let stand, pits corrected."""

import re

import pytest

from device.journal.events import (
    CorrectPit,
    LetStand,
    NewGame,
    OrderAnswered,
    VerdictGiven,
    Withdraw,
)
from device.journal.records import records
from device.journal.states import State
from engine.board import Side
from engine.position import Position
from tests.device.played_table import MIDDLE, Played, begun, fouled_once, verdicts

BEFORE = Position.parse(MIDDLE)
"""The position before South's foul."""


def fouled() -> tuple[Played, int]:
    """A table that has just called South's move illegal, and that verdict's number."""
    played = fouled_once()
    return played, next(e.number for e in played.events if isinstance(e.body, VerdictGiven))


def test_a_withdrawn_move_is_laid_back_and_played_anew() -> None:
    played, number = fouled()
    assert played.order(Withdraw(verdict=number))
    assert played.at(State.WITHDRAWING)
    played.frames(1.5)
    assert "not yet back as before" in played.table.why
    played.move(BEFORE.counts, Side.SOUTH)
    assert verdicts(played)[-1].kind == "withdrawn" and verdicts(played)[-1].answers == number
    assert played.game.playing[1] == BEFORE and played.game.history == []
    played.play()
    assert verdicts(played)[-1].kind == "legal"


def test_taken_back_and_played_on_in_one_go() -> None:
    played, number = fouled()
    rules, _ = played.game.playing
    played.order(Withdraw(verdict=number))
    played.move(rules.moves(BEFORE).moves[0].position.counts, Side.SOUTH, pause=2.5)
    assert [v.kind for v in verdicts(played)] == ["illegal", "withdrawn", "legal"]


def test_a_move_let_stand() -> None:
    played, number = fouled()
    assert played.order(LetStand(verdict=number))
    assert list(played.game.playing[1].counts) == played.counts and played.at(State.WATCHING)


def test_a_withdrawal_may_be_given_up() -> None:
    played, number = fouled()
    played.order(Withdraw(verdict=number))
    assert played.order(LetStand(verdict=number))
    assert played.at(State.WATCHING) and played.game.withdrawing is None


def test_an_earlier_move_is_withdrawn_with_what_came_after_it() -> None:
    played, number = fouled()
    played.play()
    assert played.order(Withdraw(verdict=number)) and played.at(State.WITHDRAWING)
    (answered,) = played.said(OrderAnswered)
    assert answered.sentence.startswith("Put the board back as it was before South's move. The move after it is")
    played.move(BEFORE.counts, Side.SOUTH)
    assert verdicts(played)[-1].kind == "withdrawn" and verdicts(played)[-1].answers == number
    assert played.game.playing[1] == BEFORE and not played.game.history and not played.game.moves
    played.play()
    assert verdicts(played)[-1].kind == "legal"


def test_letting_an_earlier_move_stand_disturbs_nothing() -> None:
    """A hand is over the board while people rule: the move that it makes is judged as if nobody had said anything."""
    played, number = fouled()
    played.play()
    rules, stood = played.game.playing
    played.frames(0.4, hands=(0.1, 0.1))
    assert played.at(State.HANDS_IN) and played.order(LetStand(verdict=number)) and played.at(State.HANDS_IN)
    assert played.said(OrderAnswered)[-1].sentence == "That move stands; later moves stay as they were."
    record, = records(played.events)
    assert ["it stands" in " ".join(item.comments) for item in record.items] == [True, False]
    played.move(rules.moves(stood).moves[0].position.counts, stood.to_move)
    assert verdicts(played)[-1].kind == "legal" and len(verdicts(played)) == 3


def test_a_move_that_was_withdrawn_is_not_ruled_on_again() -> None:
    played, number = fouled()
    played.move(BEFORE.counts, Side.SOUTH)
    assert verdicts(played)[-1].kind == "withdrawn"
    for order in (Withdraw(verdict=number), LetStand(verdict=number)):
        assert not played.order(order) and "not a valid move of this game" in played.said(OrderAnswered)[-1].sentence


def test_a_corrected_pit_holds_whatever_the_camera_says() -> None:
    played = begun()
    played.frames(1.0)
    counts = list(played.game.playing[1].counts)
    assert played.order(CorrectPit(pit="c", count=counts[2] - 1))
    played.frames(4.0)
    assert played.game.playing[1].counts[2] == counts[2] - 1
    assert not verdicts(played), "the camera still reads the old number there, and nobody has touched it"


@pytest.mark.parametrize(("order", "word"), [
    (CorrectPit(pit="z", count=3), "pit"), (CorrectPit(pit="c", count=-1), "cannot hold"),
    (CorrectPit(pit="c", count=4000), "cannot hold"), (NewGame(game="chess", rules="", board=""), "chess"),
    (NewGame(game="enkeshui", rules="house", board=""), "house"),
    (NewGame(game="enkeshui", rules="driedger", board="3x3"), "3"),
    (NewGame(game="enkeshui", rules="driedger", board="2x8", position="1,2/3,4 S 0-0"), "2x8|seeds|played"),
    (NewGame(game="enkeshui", rules="driedger", board="", position="nonsense"), "line"),
    (Withdraw(verdict=99), "Event 99 is not a valid move"), (LetStand(verdict=-1), "Event -1 is not a valid move")])
def test_orders_that_cannot_be_are_refused_in_a_sentence(order: CorrectPit | NewGame | Withdraw, word: str) -> None:
    played = begun()
    before = played.game.playing[1]
    assert not played.order(order)
    (answered,) = played.said(OrderAnswered)
    assert re.search(word, answered.sentence), answered.sentence
    assert played.game.playing[1] == before and played.at(State.WATCHING)
