"""People's rulings: not as seen, forfeit, undo; what follows from them, and that a table started anew agrees."""

from copy import deepcopy
from dataclasses import replace
from functools import cache
from typing import TypeVar

import pytest

from device.eyes.pipeline import ThreadRunner
from device.journal.events import (
    AgreeEnd,
    CorrectPit,
    Forfeit,
    GameOver,
    LetStand,
    NewGame,
    NotAsSeen,
    Order,
    OrderAnswered,
    PositionSet,
    RulingUndone,
    Undo,
    VerdictGiven,
    Withdraw,
)
from device.journal.game import Game, PositionChange
from device.journal.records import records
from device.journal.states import State
from device.table import recount
from device.table.parameters import JUDGEMENT
from engine.board import Side
from engine.position import Position
from engine.trace import Drop
from tests.device.played_table import MIDDLE, Later, Played, cheat, fouled_once, go_on, went_on

T = TypeVar("T")


@pytest.fixture
def fouled() -> Played:
    """A game in which South's first move was said to be illegal."""
    return fouled_once()


@pytest.fixture
def work(fouled: Played) -> Later:
    """Who does what takes the referee long."""
    assert isinstance(fouled.work, Later)
    return fouled.work


def last(played: Played) -> VerdictGiven:
    return played.said(VerdictGiven)[-1]


def number(played: Played) -> int:
    return next(e.number for e in reversed(played.events) if isinstance(e.body, VerdictGiven))


def first_number(played: Played) -> int:
    return next(e.number for e in played.events if isinstance(e.body, VerdictGiven))


def last_number(played: Played, answers: int) -> int:
    """Of the last verdict that answers that number."""
    return next(e.number for e in reversed(played.events)
                if isinstance(e.body, VerdictGiven) and e.body.answers == answers)


def sentence(played: Played) -> str:
    return played.said(OrderAnswered)[-1].sentence


def order_number(played: Played) -> int:
    return played.said(OrderAnswered)[-1].order


def recalled(played: Played) -> None:
    """A table that starts anew knows the same game, and the journal can be written as records."""
    anew, game = Game.recalled(played.events), played.game
    assert (anew.position, anew.history, anew.over, anew.synced) == (
        game.position, game.history, game.over, game.synced)
    assert anew.last == game.last and anew.withdrawing == game.withdrawing and anew.rulings == game.rulings
    assert list(records(played.events))


# ---- not as seen

def test_what_people_counted_makes_the_move_legal(fouled: Played) -> None:
    before, accused = Position.parse(last(fouled).before), number(fouled)
    right = fouled.game.playing[0].play(before, "b")
    fouled.frames(1.0)
    assert fouled.order(NotAsSeen(verdict=accused, counts=list(right.position.counts)))
    verdict = last(fouled)
    assert (verdict.kind, verdict.move, verdict.answers) == ("legal", right.name, accused)
    assert fouled.game.position == right.position and fouled.game.history == [before]
    recalled(fouled)
    fouled.frames(3.0)
    assert len(fouled.said(VerdictGiven)) == 2, "the camera still reads otherwise, and people's word holds"


def test_the_frames_do_not_wait_for_a_move_that_is_judged_again(fouled: Played, work: Later) -> None:
    before, accused = Position.parse(last(fouled).before), number(fouled)
    right = fouled.game.playing[0].play(before, "b")
    fouled.frames(1.0)
    work.goes_on = False
    counts, right_counts = list(fouled.counts), list(right.position.counts)
    assert not fouled.order(NotAsSeen(verdict=accused, counts=right_counts))
    fouled.move(counts, Side.NORTH)
    assert fouled.table.recounts() and not fouled.said(OrderAnswered) and len(fouled.said(VerdictGiven)) == 1
    work.go_on()
    assert not fouled.table.recounts() and fouled.said(OrderAnswered)[-1].done
    assert fouled.game.position == right.position and fouled.at(State.WATCHING)


def test_an_order_waits_for_the_one_before_it_that_is_judged_again() -> None:
    beside = ThreadRunner()
    fouled = Played(work=beside)
    fouled.start(line=MIDDLE)
    fouled.frames(1.0)
    cheat(fouled)
    while not fouled.said(VerdictGiven):
        fouled.frames(1.0)
    before, accused = Position.parse(last(fouled).before), number(fouled)
    right = fouled.game.playing[0].play(before, "b")
    fouled.order(NotAsSeen(verdict=accused, counts=list(right.position.counts)))
    assert fouled.order(Forfeit(side="N"))
    assert [answered.done for answered in fouled.said(OrderAnswered)] == [True, True]
    assert last(fouled).kind == "legal" and fouled.at(State.OVER)
    beside.close()


def test_what_people_counted_is_another_fault(fouled: Played) -> None:
    before, accused = Position.parse(last(fouled).before), number(fouled)
    right = fouled.game.playing[0].play(before, "b")
    counts = list(right.position.counts)
    passed = next(step.pit for step in right.trace if isinstance(step, Drop) and counts[step.pit] > 0)
    counts[passed] -= 1
    counts[before.board.step(fouled.game.playing[0].first_direction)[passed]] += 1
    assert fouled.order(NotAsSeen(verdict=accused, counts=counts))
    assert fouled.game.position is not None and fouled.game.position.counts == tuple(counts)
    recalled(fouled)


def test_board_that_nothing_explains_lies_as_people_say(fouled: Played) -> None:
    counts = list(reversed(Position.parse(last(fouled).position).counts))
    assert fouled.order(NotAsSeen(verdict=number(fouled), counts=counts))
    assert sentence(fouled) == "Counts corrected by the referee."
    assert fouled.game.position is not None and fouled.game.position.counts == tuple(counts)
    recalled(fouled)


def test_the_same_board_again_is_the_same_fault() -> None:
    """As the simulated table plays it: two seeds into A in South's second lap."""
    played = Played()
    played.start(line="2,2,2,1,4n,3n,1,0/1,1,1,0,6,6,1,1 S 16-0 ply=4")
    played.frames(1.0)
    lies = (1, 1, 1, 0, 6, 6, 0, 0, 0, 2, 4, 4, 1, 2, 2, 2)
    played.move(lies, Side.SOUTH, pause=3.0)
    accused = last(played)
    assert (accused.kind, accused.move) == ("illegal", "g")
    assert played.order(NotAsSeen(verdict=number(played), counts=list(lies)))
    again = last(played)
    assert (again.kind, again.move, again.faults) == (accused.kind, accused.move, accused.faults)
    assert again.answers and again.position == accused.position
    recalled(played)


def test_no_move_at_all(fouled: Played) -> None:
    before = Position.parse(last(fouled).before)
    assert fouled.order(NotAsSeen(verdict=number(fouled), counts=list(before.counts)))
    assert isinstance(fouled.events[-2].body, PositionSet) and fouled.game.position == before
    recalled(fouled)


@pytest.mark.parametrize(("counts", "word"), [
    ([4] * 15, "15 counts"), ([], "0 counts"), ([-1] + [3] * 15, "cannot hold -1"), ([400] + [3] * 15, "hold 400")])
def test_counts_that_cannot_be(fouled: Played, counts: list[int], word: str) -> None:
    played, before = fouled, fouled.game.position
    if len(counts) > 14 and played.game.playing[1].board.pits != 16:
        counts = counts[:1] + [0] * (played.game.playing[1].board.pits - 1) if "hold" in word else counts
    assert not played.order(NotAsSeen(verdict=number(played), counts=counts))
    assert word in sentence(played) and played.game.position == before


# ---- not as seen, some moves ago

def test_a_ruling_on_an_earlier_move_judges_again_what_came_after_and_is_undone() -> None:
    """Only the first move was misread; whoever moved after it seemed to cheat, too."""
    fouled, real = went_on()
    go_on(fouled, real)
    game, accused, start = fouled.game, first_number(fouled), Position.parse(fouled.said(VerdictGiven)[0].before)
    said = [v.kind for v in fouled.said(VerdictGiven)]
    assert said[0] == "illegal" and said[1] in ("illegal", "not-sure") and len(said) == 3
    stood = (game.position, list(game.history), list(game.moves))
    seen = NotAsSeen(verdict=accused, counts=list(real[0].counts))
    assert fouled.order(seen)
    anew = fouled.said(VerdictGiven)[3:]
    assert [v.kind for v in anew] == ["legal"] * 3
    numbers = [e.number for e in fouled.events if isinstance(e.body, VerdictGiven)]
    assert [v.answers for v in anew] == numbers[:3]
    assert game.position == real[-1] and game.history == [start, *real[:-1]]
    assert sentence(fouled).startswith("Counts corrected by the referee. The move and ")
    recalled(fouled)
    assert fouled.order(Undo(order=order_number(fouled)))
    assert (game.position, game.history, game.moves) == stood
    recalled(fouled)
    assert fouled.order(seen) and game.position == real[-1]
    fouled.play()
    assert last(fouled).kind == "legal"


def test_a_move_of_which_nothing_can_be_said_now_is_asked_about() -> None:
    """People say that the first move was none at all: what came after it fits nothing."""
    fouled, _ = went_on()
    accused, before = first_number(fouled), Position.parse(fouled.said(VerdictGiven)[0].before)
    rules = fouled.game.playing[0]
    nobody = list(reversed(rules.moves(before).moves[0].position.counts))
    assert fouled.order(NotAsSeen(verdict=accused, counts=nobody))
    assert last(fouled).kind == "not-sure" and not fouled.game.synced
    recalled(fouled)
    fouled.frames(3.0)
    assert fouled.game.synced, "the board is taken as it lies"


def test_a_move_from_before_the_board_was_set_is_judged_again_and_the_board_lies_as_it_was_set(fouled: Played) -> None:
    accused, start = number(fouled), Position.parse(last(fouled).before)
    right = fouled.game.playing[0].play(start, "b").position
    fouled.frames(1.0)
    assert fouled.order(CorrectPit(pit="c", count=2))
    stood = fouled.game.position
    fouled.play()
    after = fouled.game.position
    assert fouled.order(NotAsSeen(verdict=accused, counts=list(right.counts)))
    anew = [v for v in fouled.said(VerdictGiven) if v.answers]
    assert [(v.kind, v.answers) for v in anew] == [("legal", accused), ("legal", last_number(fouled, 0))]
    laid = fouled.said(PositionSet)[-1]
    assert laid.position == str(stood) and laid.why.startswith("pit c holds 2") and fouled.game.position == after
    assert fouled.game.history[0] == start
    recalled(fouled)
    assert fouled.order(Undo(order=order_number(fouled)))
    assert fouled.game.position == after
    recalled(fouled)


def test_an_earlier_move_that_nothing_explains_lies_as_people_say(fouled: Played) -> None:
    """And it is no verdict any more that could be ruled on."""
    accused = number(fouled)
    counts = list(reversed(Position.parse(last(fouled).position).counts))
    assert fouled.order(NotAsSeen(verdict=accused, counts=counts))
    assert [type(move) for move in fouled.game.moves] == [PositionChange] and not fouled.game.history
    assert not fouled.order(LetStand(verdict=accused)) and "not a valid move of this game" in sentence(fouled)
    recalled(fouled)


def test_more_than_the_table_can_wait_for_is_refused(fouled: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recount, "JUDGEMENT", replace(JUDGEMENT, most_judged_again=0))
    accused = number(fouled)
    right = fouled.game.playing[0].play(Position.parse(last(fouled).before), "b").position
    fouled.play()
    stood = len(fouled.events)
    assert not fouled.order(NotAsSeen(verdict=accused, counts=list(right.counts)))
    assert "more than 0 later moves" in sentence(fouled).lower()
    assert not [e for e in fouled.events[stood:] if isinstance(e.body, VerdictGiven) and e.body.answers]


def test_a_move_that_was_taken_back_is_not_judged_again(fouled: Played) -> None:
    accused, before = number(fouled), Position.parse(last(fouled).before)
    fouled.move(before.counts, Side.SOUTH)
    assert last(fouled).kind == "withdrawn" and not fouled.game.moves
    assert not fouled.order(NotAsSeen(verdict=accused, counts=list(fouled.counts)))


# ---- the captured seeds

def test_captured_seeds_that_people_counted_decide_the_game() -> None:
    played = ended_oware()
    pits, verdict = list(played.game.playing[1].counts), number(played)
    assert played.order(NotAsSeen(verdict=verdict, counts=pits, captured=[22, 23]))
    assert (last(played).kind, last(played).answers) == ("legal", verdict)
    assert played.said(PositionSet)[-1].why == "captured seeds corrected by the referee: South 22, North 23"
    over = played.said(GameOver)[-1]
    assert (over.result, over.winner, played.game.playing[1].captured) == ("22-26", "N", (22, 23))
    recalled(played)
    assert [record.result for record in records(played.events)] == [(22, 26)]
    assert played.order(NotAsSeen(verdict=number(played), counts=pits, captured=[24, 21])), "and once more"
    assert played.said(GameOver)[-1].result == "24-24" and played.game.playing[1].captured == (24, 21)
    assert sum(isinstance(move, PositionChange) for move in played.game.moves) == 1, "the new count replaces the old"
    for result in ("22-26", "23-25"):
        assert played.order(Undo(order=max(played.game.rulings)))
        assert played.game.end is not None and played.game.end.result == result
        recalled(played)


def test_captured_seeds_that_people_counted_stay_when_an_earlier_move_is_judged_again() -> None:
    played = ended_oware()
    assert played.order(NotAsSeen(verdict=number(played), counts=list(played.counts), captured=[25, 20]))
    earlier = next(move for move in played.game.moves if not isinstance(move, PositionChange))
    assert played.order(NotAsSeen(verdict=earlier.number, counts=list(earlier.after.counts)))
    assert played.game.playing[1].captured == (25, 20)
    over = played.said(GameOver)[-1]
    assert (over.result, over.winner, over.reason) == ("25-23", "S", "both sides agreed to stop"), "not: half the seeds"
    recalled(played)


@pytest.mark.parametrize(("captured", "why"), [
    ([25, 21], "3 seeds in the pits and 46 captured ones make 49; this game has 48."),
    ([-1, 20], "Captured seeds are given for South and for North, each from 0 to 48.")])
def test_captured_seeds_that_cannot_be_are_refused(captured: list[int], why: str) -> None:
    played = ended_oware()
    stood = played.game.position
    assert not played.order(NotAsSeen(verdict=number(played), counts=list(played.counts), captured=captured))
    assert sentence(played) == why and played.game.position == stood and played.game.over


# ---- forfeit

def test_forfeit_ends_the_game(fouled: Played) -> None:
    assert fouled.order(Forfeit(side="S"))
    (over,) = fouled.said(GameOver)
    assert (over.winner, over.reason) == ("N", "South resigned")
    assert fouled.at(State.OVER) and fouled.game.over
    recalled(fouled)
    assert not fouled.order(Forfeit(side="N")) and "already over" in sentence(fouled)
    (record,) = records(fouled.events)
    assert record.winner is Side.NORTH


# ---- both sides agree to stop

CIRCLE = "1,0,0,0,0,0/0,0,0,0,2,0 S 23-22 ply=40"
"""Each side playing what it can, a position comes again after 27 moves."""


def of_oware(rules: str) -> Played:
    """A table at which a game of Oware goes round in a circle."""
    played = Played()
    played.start("oware", CIRCLE, rules)
    played.frames(1.5)
    assert played.at(State.WATCHING)
    return played


@cache
def late_oware() -> Played:
    """That table after 27 moves: 23 to 22 captured, three seeds in the pits. To be copied."""
    played = of_oware("abapa")
    for _ in range(27):
        played.play()
    return played


def ended_oware() -> Played:
    """The same, and both sides have agreed to stop."""
    played = deepcopy(late_oware())
    assert played.order(AgreeEnd())
    return played


def test_both_sides_may_agree_to_stop() -> None:
    played = deepcopy(late_oware())
    assert not played.game.over, "a position came again"
    number = played.events[-1].number + 1
    assert played.order(AgreeEnd())
    (over,) = played.said(GameOver)
    assert (over.result, over.winner, over.reason) == ("23-25", "N", "both sides agreed to stop")
    assert played.at(State.OVER) and played.game.over
    recalled(played)
    (record,) = records(played.events)
    assert (record.result, record.ended) == ((23, 25), "both sides agreed to stop")
    assert not played.order(AgreeEnd()) and "already over" in sentence(played)
    assert played.order(Undo(order=number)) and not played.game.over and played.at(State.WATCHING)


def test_a_game_whose_rules_know_no_such_end_goes_on() -> None:
    played = Played()
    played.start("enkeshui")
    assert not played.order(AgreeEnd()) and not played.game.over
    assert sentence(played) == "A game of Enkeshui cannot end by agreement."


def test_a_position_that_comes_again_ends_the_game_where_the_rules_say_so() -> None:
    played = of_oware("openspiel")
    for _ in range(27):
        assert not played.game.over
        played.play()
    (over,) = played.said(GameOver)
    assert (over.result, over.reason) == ("23-25", "the position stood before")
    (record,) = records(played.events)
    assert (record.result, record.ended) == ((23, 25), "")


# ---- undo

def rule(played: Played, ruling: str) -> Order:
    verdict = number(played)
    right = after_before(played)
    rulings: dict[str, Order] = {
        "stand": LetStand(verdict=verdict), "withdraw": Withdraw(verdict=verdict),
        "correct": CorrectPit(pit="c", count=2), "forfeit": Forfeit(side="S"),
        "not-as-seen": NotAsSeen(verdict=verdict, counts=list(right.counts)),
    }
    return rulings[ruling]


def after_before(played: Played) -> Position:
    rules, _ = played.game.playing
    return rules.moves(Position.parse(last(played).before)).moves[0].position


@pytest.mark.parametrize("ruling", ["stand", "withdraw", "correct", "forfeit", "not-as-seen"])
def test_every_ruling_can_be_undone_and_given_again(fouled: Played, ruling: str) -> None:
    game, accused = fouled.game, number(fouled)
    stood = (game.position, list(game.history), game.last, game.over, game.synced)
    given = rule(fouled, ruling)
    for _ in range(2):
        assert fouled.order(given)
        assert fouled.order(Undo(order=order_number(fouled)))
        assert (game.position, game.history, game.last, game.over, game.synced) == stood
        assert game.withdrawing is None and game.last is not None and game.last.number == accused
        assert fouled.at(State.WATCHING)
        recalled(fouled)
    assert len(fouled.said(RulingUndone)) == 2


def test_a_withdrawal_laid_back_already_is_undone(fouled: Played) -> None:
    game = fouled.game
    stood, history = game.position, list(game.history)
    assert fouled.order(Withdraw(verdict=number(fouled)))
    ruling = order_number(fouled)
    fouled.move(Position.parse(fouled.said(VerdictGiven)[0].before).counts, Side.SOUTH)
    assert last(fouled).kind == "withdrawn" and game.history == []
    assert fouled.order(Undo(order=ruling))
    assert (game.position, game.history) == (stood, history)
    recalled(fouled)


def test_a_ruling_is_undone_though_play_has_gone_on(fouled: Played) -> None:
    """What was played since on the board that it led to goes with it."""
    game = fouled.game
    stood, history = game.position, list(game.history)
    assert fouled.order(Withdraw(verdict=number(fouled)))
    ruling = order_number(fouled)
    fouled.move(Position.parse(fouled.said(VerdictGiven)[0].before).counts, Side.SOUTH)
    fouled.play()
    fouled.play()
    assert not fouled.order(Undo(order=ruling + 40)) and "no such ruling" in sentence(fouled)
    assert fouled.order(Undo(order=ruling))
    assert (game.position, game.history) == (stood, history) and game.last is not None
    assert [move.number for move in game.moves] == [game.last.number]
    assert not fouled.order(Undo(order=ruling)) and "no such ruling" in sentence(fouled)
    recalled(fouled)


def test_that_a_past_move_stands_is_undone_without_touching_the_game(fouled: Played) -> None:
    accused = number(fouled)
    assert fouled.order(LetStand(verdict=accused))
    ruling = order_number(fouled)
    fouled.play()
    game = fouled.game
    stood = (game.position, list(game.history), list(game.moves), game.last)
    assert fouled.order(Undo(order=ruling)) and "stays as it is" in sentence(fouled)
    assert (game.position, game.history, game.moves, game.last) == stood
    assert fouled.said(RulingUndone)[-1].kept and fouled.said(RulingUndone)[-1].verdict == accused
    recalled(fouled)
    (record,) = records(fouled.events)
    assert "the ruling was undone" in " ".join(record.items[0].comments)


def test_that_the_last_move_stands_is_undone_and_the_board_stays(fouled: Played) -> None:
    accused = number(fouled)
    assert fouled.order(LetStand(verdict=accused))
    assert fouled.order(Undo(order=order_number(fouled))) and "The board stays as it is." in sentence(fouled)
    assert fouled.said(RulingUndone)[-1].kept
    assert fouled.order(LetStand(verdict=accused)), "it may be ruled on again"
    recalled(fouled)


def test_a_move_of_an_earlier_game_may_be_let_stand(fouled: Played) -> None:
    accused = number(fouled)
    rules, _ = fouled.game.playing
    assert fouled.order(NewGame(game=rules.game, rules=rules.name, board="2x8"))
    begun = fouled.game.position
    assert fouled.order(LetStand(verdict=accused))
    ruling = order_number(fouled)
    assert fouled.order(Undo(order=ruling)) and fouled.said(RulingUndone)[-1].kept
    assert fouled.game.position == begun and not fouled.game.moves
    recalled(fouled)


def test_an_undoing_is_not_undone(fouled: Played) -> None:
    assert fouled.order(LetStand(verdict=number(fouled)))
    assert fouled.order(Undo(order=order_number(fouled)))
    assert not fouled.order(Undo(order=order_number(fouled)))
