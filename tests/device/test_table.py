"""The table's states: what readings and orders lead to, with no picture anywhere."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from device.game import Game
from device.journal.events import (
    Blind,
    CorrectPit,
    GameOver,
    GameStarted,
    LetStand,
    NewGame,
    OrderAnswered,
    PositionSet,
    Sighted,
    StateEntered,
    VerdictGiven,
    Withdraw,
)
from device.judging import AtOnce, Judge, Question, Verdict
from device.states import State
from engine.board import Side
from engine.judge.verdict import Fault
from engine.position import Position
from engine.rules import ruleset
from tests.device.players import Played, simple_judge


@pytest.fixture
def table() -> Played:
    played = Played()
    played.start()
    return played


def begun() -> Played:
    played = Played()
    played.start()
    played.frames(1.0)
    assert played.at(State.WATCHING)
    return played


def stopped_short(verdict: Verdict) -> Verdict:
    """The same, but for an accusation: of having stopped short."""
    if verdict.kind != "illegal":
        return verdict
    return replace(verdict, faults=(Fault("stopped-short", 3, 1, 0),))


def verdicts(played: Played) -> list[VerdictGiven]:
    return played.said(VerdictGiven)


def cheat(played: Played, pause: float = 1.5) -> tuple[int, ...]:
    """The player to move plays, and one seed too many lies in another pit than his."""
    rules, position = played.game.playing
    counts = list(rules.moves(position).moves[0].position.counts)
    counts[3], counts[12] = counts[3] + 1, counts[12] - 1 if counts[12] else counts[12]
    played.move(counts, position.to_move, pause=pause)
    return tuple(counts)


# ---- setting up

def test_a_set_up_that_lies_there_begins_the_game(table: Played) -> None:
    table.frames(0.6)
    assert table.at(State.WATCHING)
    assert table.table.why == "16 of 16 pits read right" or table.table.why == "24 of 24 pits read right"
    assert table.game.begun


def test_a_set_up_that_does_not_lie_there_is_waited_for_and_named(table: Played) -> None:
    right = list(table.counts)
    table.counts = [0] * len(right)
    table.frames(5)
    assert table.at(State.SETTING_UP) and "pits read right; look at" in table.table.why
    table.frames(1, hands=(0.1, 0.1))
    table.counts = right
    table.frames(1)
    assert table.at(State.WATCHING)


def test_a_pit_misread_at_the_set_up_is_known_from_then_on(table: Played) -> None:
    table.counts[4] += 1
    table.frames(2)
    assert table.at(State.SETTING_UP)
    table.frames(3)
    assert table.at(State.WATCHING) and "look at" not in table.table.why
    table.frames(5)
    assert table.at(State.WATCHING) and not verdicts(table), "the pit goes on being misread; nobody touched it"


def test_a_set_up_that_is_read_with_doubt_but_nowhere_clearly_otherwise_begins_the_game(table: Played) -> None:
    right = table.game.playing[1].counts
    for pit in [p for p, n in enumerate(right) if n][:7]:
        table.doubt[pit] = table.counts[pit]
        table.counts[pit] -= 1
    table.frames(2)
    assert table.at(State.SETTING_UP)
    table.frames(2.5)
    assert table.at(State.WATCHING)
    table.frames(3)
    assert table.at(State.WATCHING) and not verdicts(table)


def test_a_first_move_made_before_the_table_was_content_counts(table: Played) -> None:
    table.counts[4] += 1
    table.frames(1)
    rules, position = table.game.playing
    table.move(rules.moves(position).moves[0].position.counts, Side.SOUTH)
    assert [v.kind for v in verdicts(table)] == ["legal"]


def test_a_recording_without_a_start_begins_from_the_board_as_it_lies() -> None:
    played = Played(lies=True)
    played.start()
    setup = played.game.playing[1]
    counts = list(setup.counts)
    half = len(counts) // 2
    counts[0:4], counts[half:half + 4] = [12, 0, 0, 0], [12, 0, 0, 0]
    counts = [n if i in (0, half) else 0 for i, n in enumerate(counts)]
    counts[1], counts[half + 1] = 12, 12
    played.counts = counts
    played.frames(1.5)
    assert played.at(State.WATCHING)
    assert played.game.playing[1].counts == tuple(counts)


# ---- moves

def test_a_legal_move_is_said_soon_after_the_hands_leave() -> None:
    played = begun()
    _, position = played.game.playing
    played.play()
    (verdict,) = verdicts(played)
    assert verdict.kind == "legal" and verdict.player == "S"
    assert verdict.before == str(position)
    assert verdict.t - verdict.hands_out < 0.5
    assert 1.0 < verdict.hands_out - verdict.hands_in < 2.0
    assert played.game.playing[1].to_move is Side.NORTH and played.at(State.WATCHING)
    assert verdict.steps[0].kind == "lift" and verdict.steps[-1].kind == "end"


def test_a_whole_game_is_followed_to_its_end() -> None:
    played = Played()
    played.start("endodoi")
    played.frames(1)
    for _ in range(300):
        if played.game.over:
            break
        played.play(pause=0.6)
    (over,) = played.said(GameOver)
    assert "-" in over.result
    assert {v.kind for v in verdicts(played)} == {"legal"}
    assert played.at(State.OVER)


def test_an_accusation_waits_longer_than_a_legal_move() -> None:
    played = begun()
    cheat(played, pause=0.5)
    assert not verdicts(played)
    played.frames(0.8)
    (verdict,) = verdicts(played)
    assert verdict.kind == "illegal" and verdict.t - verdict.hands_out >= 0.8
    assert verdict.faults[0].code == "double" and verdict.faults[0].pit == "d"


def test_a_hand_that_rests_between_two_laps_is_not_accused_of_stopping() -> None:
    played = Played(judge=AtOnce(lambda question: stopped_short(simple_judge(question))))
    played.start()
    played.frames(1)
    rules, position = played.game.playing
    half = list(position.counts)
    half[2] += 1
    played.move(half, Side.SOUTH, pause=1.3)
    assert not verdicts(played)
    played.move(rules.moves(position).moves[0].position.counts, Side.SOUTH)
    assert [v.kind for v in verdicts(played)] == ["legal"]


def test_after_the_board_was_taken_as_it_lies_who_moves_is_not_out_of_turn() -> None:
    played = begun()
    played.table._desk.turn_known = False
    rules, position = played.game.playing
    theirs = replace(position, to_move=Side.NORTH)
    played.move(rules.moves(theirs).moves[0].position.counts, Side.NORTH)
    assert [(v.kind, v.player) for v in verdicts(played)] == [("legal", "N")]
    played.play()
    assert [(v.kind, v.player) for v in verdicts(played)] == [("legal", "N"), ("legal", "S")]


def test_a_hand_that_is_not_recognised_is_given_time_before_anybody_is_accused() -> None:
    played = begun()
    played.frames(2)
    counts = list(played.counts)
    counts[2] += 1
    played.frames(1, trouble={"motion": 0.1})
    played.counts = counts
    played.frames(2.2)
    played.frames(0.5, trouble={"motion": 0.1})
    played.frames(2.2)
    assert not verdicts(played)
    played.frames(2)
    assert [v.kind for v in verdicts(played)] == ["illegal"]


def test_the_players_own_hand_coming_back_goes_on_with_the_move() -> None:
    played = begun()
    rules, position = played.game.playing
    move = rules.moves(position).moves[0]
    halfway = list(position.counts)
    halfway[move.pit] = 0  # the seeds are in his hand, and the hand is out of the picture
    played.move(halfway, Side.SOUTH, pause=0.5)
    played.move(move.position.counts, Side.SOUTH)
    assert [(v.kind, v.move) for v in verdicts(played)] == [("legal", move.name)]


def test_the_opponents_hand_ends_a_move_that_was_not_said_yet() -> None:
    played = begun()
    cheat(played, pause=0.5)
    played.frames(0.4, hands=(0.0, 0.08))
    assert [v.kind for v in verdicts(played)] == ["illegal"]
    assert played.at(State.HANDS_IN)


def test_hands_that_change_nothing_are_no_move() -> None:
    played = begun()
    played.move(played.counts, Side.NORTH)
    assert not verdicts(played) and played.at(State.WATCHING)


def test_after_an_illegal_move_the_board_is_taken_as_it_lies() -> None:
    played = begun()
    counts = cheat(played)
    assert played.game.playing[1].counts == counts and played.game.playing[1].to_move is Side.NORTH
    played.play()
    assert [v.kind for v in verdicts(played)] == ["illegal", "legal"]


def test_a_change_with_no_hand_seen_is_weighed_once_it_stays() -> None:
    played = begun()
    rules, position = played.game.playing
    played.counts = list(rules.moves(position).moves[0].position.counts)
    played.frames(0.5)
    assert not verdicts(played)
    played.frames(3)
    assert [v.kind for v in verdicts(played)] == ["legal"]


def test_a_covered_pit_is_waited_for() -> None:
    played = begun()
    rules, position = played.game.playing
    target = rules.moves(position).moves[0].position.counts
    played.frames(1, hands=(0.1, 0.0))
    played.counts = list(target)
    played.frames(1.0, seen=range(3, len(target)))
    assert not verdicts(played)
    played.frames(1.0)
    assert [v.kind for v in verdicts(played)] == ["legal"]


def test_a_lamp_that_flickers_does_not_hold_a_move_up_for_ever() -> None:
    played = begun()
    rules, position = played.game.playing
    played.frames(1, hands=(0.1, 0.0))
    played.counts = list(rules.moves(position).moves[0].position.counts)
    played.frames(5, trouble={"motion": 0.5})
    assert [v.kind for v in verdicts(played)] == ["legal"]


def test_something_that_moves_and_is_not_known_for_a_hand_holds_the_judgement_up() -> None:
    played = begun()
    rules, position = played.game.playing
    halfway = list(position.counts)
    halfway[rules.moves(position).moves[0].pit] = 0
    played.move(halfway, Side.SOUTH, pause=0.2)
    played.frames(1.0, trouble={"motion": 0.08})
    played.counts = list(rules.moves(position).moves[0].position.counts)
    played.frames(1.0)
    assert [v.kind for v in verdicts(played)] == ["legal"]


def test_a_hand_that_is_not_recognised_for_long_is_waited_for_but_not_for_ever() -> None:
    played = begun()
    rules, position = played.game.playing
    played.frames(1, hands=(0.1, 0.0))
    played.counts = list(rules.moves(position).moves[0].position.counts)
    played.frames(6, trouble={"motion": 0.1})
    assert not verdicts(played)
    played.frames(12, trouble={"motion": 0.1})
    assert [v.kind for v in verdicts(played)] == ["legal"]


def test_few_frames_are_counted_while_nothing_happens() -> None:
    played = begun()
    before = played.counted
    played.frames(20)
    assert played.counted - before <= 45
    before = played.counted
    played.frames(10, hands=(0.1, 0.0))
    assert 60 <= played.counted - before <= 90


def test_two_moves_in_one_go_are_two_events() -> None:
    def both(question: Question) -> Verdict:
        first = question.rules.moves(question.before).moves[0]
        second = question.rules.moves(first.position).moves[0]
        return Verdict("legal", question.before, second.position, question.before.to_move, first.name, first.trace,
                       confidence=0.9, then=(first.position.to_move, second.name))

    played = Played(judge=AtOnce(both))
    rules = played.start()
    played.frames(1)
    first = rules.moves(played.game.playing[1]).moves[0]
    second = rules.moves(first.position).moves[0]
    played.move(second.position.counts, Side.SOUTH)
    assert [(v.player, v.move) for v in verdicts(played)] == [("S", first.name), ("N", second.name)]
    assert played.game.playing[1] == second.position and len(played.game.history) == 2


# ---- a judge that takes his time

class Slow(Judge):
    """Answers when told to."""

    def __init__(self) -> None:
        self.question: Question | None = None
        self.ready = False

    def ask(self, question: Question) -> None:
        self.question = question

    def answer(self, wait: bool = False) -> Verdict | None:
        if self.question is None or not (self.ready or wait):
            return None
        question, self.question = self.question, None
        return simple_judge(question)

    def close(self) -> None:
        """Nothing to end."""


def test_the_next_hands_may_come_while_the_judge_is_weighing() -> None:
    judge = Slow()
    played = Played(judge=judge)
    played.start()
    played.frames(1)
    rules, position = played.game.playing
    first = rules.moves(position).moves[0]
    played.move(first.position.counts, Side.SOUTH, pause=0.5)
    assert played.at(State.JUDGING)
    played.frames(1.0, hands=(0.0, 0.08))
    judge.ready = True
    played.frames(0.2, hands=(0.0, 0.08))
    assert played.at(State.HANDS_IN)
    second = rules.moves(first.position).moves[0]
    played.counts = list(second.position.counts)
    played.frames(1.0)
    one, two = verdicts(played)
    assert (one.move, two.move) == (first.name, second.name)
    assert two.hands_out - two.hands_in > 1.0, "the hands came in while the first move was weighed"


# ---- not sure, and in step again

def test_not_sure_is_said_late_and_the_board_is_then_taken_as_it_lies() -> None:
    played = begun()
    rules, position = played.game.playing
    target = rules.moves(position).moves[0].position.counts
    played.doubt = {3: target[3] + 1}
    played.move(target, Side.SOUTH, pause=1.0)
    assert not verdicts(played)
    played.frames(2.0)
    (verdict,) = verdicts(played)
    assert verdict.kind == "not-sure" and verdict.pits == ["d"]
    played.doubt = {}
    played.frames(1.0)
    (taken,) = played.said(PositionSet)
    assert "as it lies" in taken.why
    now = Position.parse(taken.position)
    assert now.counts == target and now.to_move is Side.NORTH and now.total == 48
    played.play()
    assert verdicts(played)[-1].kind == "legal"


def test_more_frames_may_make_sure() -> None:
    played = begun()
    rules, position = played.game.playing
    target = rules.moves(position).moves[0].position.counts
    played.doubt = {3: target[3] + 1}
    played.move(target, Side.SOUTH, pause=0.4)
    played.doubt = {}
    played.frames(1.6)
    assert [v.kind for v in verdicts(played)] == ["legal"]


def test_a_doubtful_board_is_taken_by_the_number_of_its_seeds() -> None:
    played = begun()
    rules, position = played.game.playing
    target = rules.moves(position).moves[0].position.counts
    played.doubt = {3: target[3] + 1}
    played.move(target, Side.SOUTH, pause=3.0)
    assert verdicts(played)[0].kind == "not-sure"
    played.frames(4.0)
    assert played.game.synced and played.game.playing[1].counts == target


# ---- rulings

def test_a_withdrawn_move_is_laid_back_and_played_anew() -> None:
    played = begun()
    _, before = played.game.playing
    cheat(played)
    number = next(e.number for e in played.events if isinstance(e.body, VerdictGiven))
    assert played.order(Withdraw(verdict=number))
    assert played.at(State.WITHDRAWING)
    played.frames(1.5)
    assert "still to be laid" in played.table.why
    played.move(before.counts, Side.SOUTH)
    assert verdicts(played)[-1].kind == "withdrawn" and verdicts(played)[-1].answers == number
    assert played.game.playing[1] == before and played.game.history == []
    played.play()
    assert verdicts(played)[-1].kind == "legal"


def test_taken_back_and_played_on_in_one_go() -> None:
    played = begun()
    rules, before = played.game.playing
    cheat(played)
    number = next(e.number for e in played.events if isinstance(e.body, VerdictGiven))
    played.order(Withdraw(verdict=number))
    played.move(rules.moves(before).moves[0].position.counts, Side.SOUTH, pause=2.5)
    assert [v.kind for v in verdicts(played)] == ["illegal", "withdrawn", "legal"]


def test_a_move_let_stand() -> None:
    played = begun()
    counts = cheat(played)
    number = next(e.number for e in played.events if isinstance(e.body, VerdictGiven))
    assert played.order(LetStand(verdict=number))
    assert played.game.playing[1].counts == counts and played.at(State.WATCHING)


def test_a_withdrawal_may_be_given_up() -> None:
    played = begun()
    cheat(played)
    number = next(e.number for e in played.events if isinstance(e.body, VerdictGiven))
    played.order(Withdraw(verdict=number))
    assert played.order(LetStand(verdict=number))
    assert played.at(State.WATCHING) and played.game.withdrawing is None


def test_only_the_last_move_can_be_ruled_on() -> None:
    played = begun()
    cheat(played)
    number = next(e.number for e in played.events if isinstance(e.body, VerdictGiven))
    played.play()
    assert not played.order(Withdraw(verdict=number))
    (answered,) = played.said(OrderAnswered)
    assert not answered.done and "last move" in answered.sentence


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
    (Withdraw(verdict=99), "last move"), (LetStand(verdict=-1), "last move")])
def test_orders_that_cannot_be_are_refused_in_a_sentence(order: CorrectPit | NewGame | Withdraw, word: str) -> None:
    played = begun()
    before = played.game.playing[1]
    assert not played.order(order)
    (answered,) = played.said(OrderAnswered)
    assert re.search(word, answered.sentence), answered.sentence
    assert played.game.playing[1] == before and played.at(State.WATCHING)


def test_a_new_game_begins_when_its_set_up_lies_there() -> None:
    played = begun()
    played.play()
    assert played.order(NewGame(game="endodoi", rules="merker", board="2x8"))
    assert played.at(State.SETTING_UP)
    setup = ruleset("endodoi").setup(board=played.game.playing[1].board)
    played.counts = list(setup.counts)
    played.frames(1.0)
    assert played.at(State.WATCHING) and played.game.playing[1] == setup


def test_a_new_game_from_the_board_as_it_lies() -> None:
    played = begun()
    played.play()
    played.frames(1.0)
    lies = tuple(played.counts)
    if sum(lies) == 48:
        assert played.order(NewGame(game="enkeshui", rules="driedger", board="", position="lies"))
        assert played.game.playing[1].counts == lies


def test_the_next_set_up_begins_the_next_game() -> None:
    played = Played()
    played.start("endodoi")
    played.frames(1)
    setup = played.game.playing[1]
    for _ in range(300):
        if played.game.over:
            break
        played.play(pause=0.6)
    played.move(setup.counts, Side.SOUTH)
    assert played.at(State.WATCHING) and played.game.playing[1] == setup and not played.game.over
    started = played.said(GameStarted)[-1]
    assert started.by == "table"


def test_the_next_set_up_may_be_read_with_doubt() -> None:
    played = Played()
    played.start("endodoi")
    played.frames(1)
    setup = played.game.playing[1]
    for _ in range(300):
        if played.game.over:
            break
        played.play(pause=0.6)
    doubtful = list(setup.counts)
    for pit in (1, 4, 6):
        doubtful[pit] += 1
        played.doubt[pit] = 4
    played.move(doubtful, Side.SOUTH)
    assert played.at(State.WATCHING) and played.game.playing[1] == setup


def test_a_set_up_laid_in_mid_game_is_the_next_game_and_no_move_taken_back() -> None:
    played = begun()
    setup = tuple(played.counts)
    for _ in range(3):
        played.play()
    played.move(setup, Side.SOUTH)
    assert played.at(State.WATCHING) and played.said(GameStarted)[-1].position == str(played.game.playing[1])
    assert played.game.playing[1].ply == 0
    assert {v.kind for v in verdicts(played)} == {"legal"}


# ---- blindness

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


def test_a_move_made_while_blind_is_weighed_afterwards() -> None:
    played = begun()
    rules, position = played.game.playing
    played.table.camera_gone("the camera was pulled out")
    played.counts = list(rules.moves(position).moves[0].position.counts)
    played.frames(3.0)
    assert [type(e.body).__name__ for e in played.events if type(e.body) in (Blind, Sighted)] == ["Blind", "Sighted"]
    assert [v.kind for v in verdicts(played)] == ["legal"]


# ---- the journal tells the same

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


# ---- the end of a recording

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


def test_captured_seeds_stay_accounted_for_when_the_board_is_taken_as_it_lies() -> None:
    played = begun()
    rules, position = played.game.playing
    counts = list(position.counts)
    taken = next(i for i, n in enumerate(counts) if n)
    counts[taken] -= 1
    played.doubt = {5: counts[5] + 1}
    played.move(counts, Side.SOUTH, pause=3.0)
    played.doubt = {}
    played.frames(1.5)
    now = played.game.playing[1]
    assert now.total == 48 and now.captured == (1, 0) and rules.check(now) == []
    assert replace(now, captured=(0, 0)).counts == tuple(counts)
