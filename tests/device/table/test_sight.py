"""Blindness, and going on where the journal stands."""


import pytest

from device.journal.events import (
    Blind,
    CorrectPit,
    Sighted,
    StateEntered,
    VerdictGiven,
    Withdraw,
)
from device.journal.game import Game
from device.journal.messages import message
from device.journal.states import State
from device.table.sight import Sight
from tests.device.played_table import MIDDLE, Later, Played, begun, cheat, verdicts


@pytest.mark.parametrize(("trouble", "word", "seconds"), [
    ({"found": False}, "not in the picture", 3.0), ({"dark": True}, "dark", 2.0),
    ({"moved": True}, "moved", 1.5), ({"blurred": True}, "blurred", 4.0)])
def test_the_table_says_that_it_is_blind_and_that_it_sees(trouble: dict[str, bool], word: str, seconds: float) -> None:
    played = begun()
    played.frames(seconds, trouble=trouble)
    (blind,) = played.said(Blind)
    assert word in blind.why and blind.todo
    assert played.at(State.BLIND)
    played.frames(1.0)
    assert len(played.said(Sighted)) == 1 and played.at(State.WATCHING)


def test_a_moment_of_trouble_is_passed_over() -> None:
    played = begun()
    played.frames(0.3, trouble={"dark": True})
    played.frames(1.0)
    assert not played.said(Blind) and played.at(State.WATCHING)


def test_a_move_made_while_blind_is_open_and_the_game_goes_on_from_the_board_as_it_lies() -> None:
    played = begun()
    rules, position = played.game.playing
    played.table.camera_gone("the camera was pulled out")
    played.counts = list(rules.moves(position).moves[0].position.counts)
    played.frames(3.0)
    assert [type(e.body).__name__ for e in played.events if type(e.body) in (Blind, Sighted)] == ["Blind", "Sighted"]
    (verdict,) = verdicts(played)
    assert verdict.kind == "not-sure" and verdict.doubts == ["UNWATCHED"]
    assert played.game.synced and list(played.game.playing[1].counts) == played.counts


def busy() -> tuple[Played, Later]:
    """A table whose game has begun, and whose referee is busy from now on."""
    work = Later()
    work.go_on()
    played = Played(work=work)
    played.start(line=MIDDLE)
    played.frames(1.0)
    work.goes_on = False
    return played, work


def test_the_board_is_read_while_the_referee_is_busy_with_the_move_before() -> None:
    played, work = busy()
    rules, position = played.game.playing
    for _ in range(3):
        move = rules.moves(position).moves[0]
        played.move(move.position.counts, position.to_move, pause=0.5)
        position = move.position
    assert not verdicts(played)
    work.go_on()
    played.frames(0.5)
    assert [(v.kind, v.player) for v in verdicts(played)] == [("legal", "S"), ("legal", "N"), ("legal", "S")]


def test_of_a_rest_only_the_first_and_the_newest_observation_wait_for_a_busy_referee() -> None:
    played, work = busy()
    played.play(pause=5.0)
    assert work.waiting == 4, "the end of the rest before, the hand that came, and two of this rest"
    work.go_on()
    played.frames(0.5)
    assert [v.kind for v in verdicts(played)] == ["legal"]


@pytest.mark.parametrize("ends", [False, True], ids=["it sees again", "the recording ends"])
def test_what_the_referee_finds_while_the_table_is_blind_is_said(ends: bool) -> None:
    played, work = busy()
    cheat(played)
    played.frames(1.0, trouble={"dark": True})
    assert played.at(State.BLIND) and not verdicts(played)
    work.go_on()
    if ends:
        played.table.finish()
    else:
        played.frames(1.0)
    assert [v.kind for v in verdicts(played)] == ["illegal"]
    if not ends:
        played.play()
        assert [v.kind for v in verdicts(played)] == ["illegal", "legal"]


def test_the_journal_leads_to_the_same_game() -> None:
    played = begun()
    cheat(played)
    number = next(e.number for e in played.events if isinstance(e.body, VerdictGiven))
    played.order(Withdraw(verdict=number))
    again = Game.recalled(played.events)
    assert again.rules is not None and again.rules.name == "driedger"
    again.rules = played.game.rules
    assert again == played.game
    resumed = Played(game=again, events=list(played.events), t=played.t)
    resumed.counts = played.counts
    resumed.frames(1.0)
    assert resumed.at(State.WITHDRAWING)


def test_a_table_started_anew_goes_on_with_the_move_made_meanwhile() -> None:
    played = begun()
    played.play()
    resumed = Played(game=Game.recalled(played.events), events=list(played.events), t=played.t)
    rules, position = played.game.playing
    resumed.counts = list(rules.moves(position).moves[0].position.counts)
    resumed.frames(3.0)
    assert [v.player for v in verdicts(resumed)] == ["S", "N"]


def test_orders_left_over_are_in_the_game_that_is_recalled() -> None:
    played = begun()
    event = played.append(CorrectPit(pit="c", count=2))
    again = Game.recalled(played.events)
    assert again.pending == {event.number: event.body}


def test_quiet_returns_are_not_written_down() -> None:
    played = begun()
    written = len(played.said(StateEntered))
    for _ in range(3):
        played.play()
    assert len(played.said(StateEntered)) == written


def test_a_last_move_that_has_settled_is_said_at_the_end() -> None:
    played = begun()
    cheat(played, pause=0.3)
    assert not verdicts(played)
    played.table.finish()
    assert [v.kind for v in verdicts(played)] == ["illegal"]


def test_a_last_move_with_the_hand_still_there_is_not_guessed_at() -> None:
    played = begun()
    played.frames(1.0, hands=(0.1, 0.0))
    played.table.finish()
    assert not verdicts(played)


def test_a_reading_of_another_board_is_passed_over() -> None:
    played = begun()
    played.counts = [1] * 4
    played.frames(1.0)
    assert played.at(State.WATCHING)


@pytest.mark.parametrize("reason", ["reason.other-camera", "reason.ended", "reason.silent"])
def test_only_a_camera_that_is_silent_may_have_a_loose_cable(reason: str) -> None:
    """The others say what can be done about themselves."""
    sight = Sight()
    sight.lose_camera(message(reason, camera="camera") if reason == "reason.silent" else message(reason))
    assert sight.blind is not None
    own = reason != "reason.silent"
    assert sight.blind.todo == message(f"{reason}.todo" if own else "reason.no-camera.todo")
