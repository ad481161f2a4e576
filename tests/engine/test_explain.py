"""The words: every fault of the list has a sentence of its own, and the step where it lies is marked."""

from __future__ import annotations

import pytest

from engine.board import Board, Direction
from engine.explain import fault_sentence, listed, ordinal_lap, seeds, steps
from engine.judge import Fault
from engine.judge.priors import FAULTS
from engine.rules import ruleset
from engine.trace import Capture, Choose, Drop, End, Lift, MakeBull, Stray, Trace

BOARD = Board(2, 8)
c, d, e, f = 2, 3, 4, 5
ONE_LAP: Trace = (Lift(c, 3), Drop(d), Drop(e), Drop(f), End("sleeps"))
TWO_LAPS: Trace = (Lift(c, 2), Drop(d), Drop(e), Lift(e, 1), Drop(f), End("sleeps"))


@pytest.mark.parametrize(("fault", "trace", "said"), [
    (Fault("skip", d, 1, 1), ONE_LAP, "North sowed c: in lap 1 no seed was dropped into d."),
    (Fault("double", f, 1, 1), ONE_LAP, "North sowed c: in lap 1 two seeds were dropped into f where one was due."),
    (Fault("left-seed", c, 1, 2), ONE_LAP,
     "North sowed c: in lap 1 two seeds were left in c, which has to be lifted whole."),
    (Fault("wrong-way", c, 1, 1), ONE_LAP, "North sowed c: lap 1, from c, went clockwise with no right to."),
    (Fault("wrong-way", c, 1, 0), ONE_LAP,
     "North sowed c: lap 1, from c, went clockwise with no right to, and so did those after it."),
    (Fault("stopped-short", f, 1), ONE_LAP,
     "North sowed c: it was ended in f after lap 1, but f was occupied: its seeds had to be sown on."),
    (Fault("ran-on", e, 1), TWO_LAPS,
     "North sowed c: lap 1 ended in the empty pit e, where the move ends, but it was sown on."),
    (Fault("bull-missed", e, 1), TWO_LAPS,
     "North sowed c: lap 1 made a bull of e, where the move ends, but it was sown on."),
    (Fault("bull-missed", f, 1), ONE_LAP,
     "North sowed c: it was ended in f after lap 1, but f was no bull: its seeds had to be sown on."),
    (Fault("bull-lifted", c, 1), ONE_LAP, "North lifted c, which is a bull and may not be emptied."),
    (Fault("bull-lifted", e, 1), TWO_LAPS,
     "North sowed c: lap 1 ended in the bull e, where the move ends, but e was lifted and sown on."),
    (Fault("bull-lifted", e, 1, 4), ONE_LAP, "North sowed c: after lap 1 the bull e was captured from."),
    (Fault("false-capture", e, 1, 5), ONE_LAP,
     "North sowed c: after lap 1 five seeds were captured from e with no right to."),
    (Fault("short-capture", e, 1, 1), ONE_LAP,
     "North sowed c: after lap 1 one seed that had to be captured was left on the board, at e."),
    (Fault("palmed", e, 0, 2), ONE_LAP, "North sowed c: two seeds vanished from e."),
    (Fault("palmed", c, 1, 1), ONE_LAP, "North sowed c: in lap 1 one seed vanished from the hand."),
    (Fault("smuggled", e, 0, 1), ONE_LAP, "North sowed c: one seed too many came into e."),
    (Fault("smuggled", c, 2, 1), ONE_LAP, "North sowed c: in lap 2 one seed came into the hand."),
    (Fault("wrong-side", c, 1), ONE_LAP, "North began in c, which is South's pit."),
    (Fault("out-of-turn", c), ONE_LAP, "North sowed c, but it was South's turn."),
    (Fault("double-move", e), ONE_LAP, "North sowed c and then moved again from e, before South had moved."),
])
def test_a_fault_is_one_plain_sentence(fault: Fault, trace: Trace, said: str) -> None:
    assert fault_sentence(BOARD, "North", "c", fault, trace) == said


def test_every_fault_that_the_judge_knows_has_words_of_its_own() -> None:
    for code in FAULTS:
        assert code not in fault_sentence(BOARD, "South", "c", Fault(code, e, 1, 1), ONE_LAP)


def test_steps_have_laps_pits_and_words() -> None:
    drawn = steps(BOARD, (*TWO_LAPS[:-1], Capture((f, 10), 6), End("capture")))
    assert [(s.kind, s.pit, s.n, s.lap) for s in drawn] == [
        ("lift", "c", 2, 1), ("drop", "d", 1, 1), ("drop", "e", 1, 1), ("lift", "e", 1, 2), ("drop", "f", 1, 2),
        ("capture", "f,C", 6, 2), ("end", "", 0, 2),
    ]
    assert drawn[4].text == "second lap, from pit e: one seed into f"
    assert drawn[5].text == "captures six seeds from f and C"


def test_two_seeds_into_one_pit_are_one_step_and_marked() -> None:
    drawn = steps(BOARD, (Lift(c, 3), Drop(d), Drop(d), Drop(e), End("sleeps")), (Fault("double", d, 1, 1),))
    assert [(s.text, s.wrong) for s in drawn[1:3]] == [
        ("first lap, from pit c: two seeds into d", True), ("first lap, from pit c: one seed into e", False),
    ]


def test_a_skipped_pit_is_marked_at_the_drop_after_it() -> None:
    drawn = steps(BOARD, (Lift(c, 3), Drop(d), Drop(f), Drop(6), End("sleeps")), (Fault("skip", e, 1, 1),))
    assert [s.pit for s in drawn if s.wrong] == ["f"]


def test_the_rarer_steps_have_words() -> None:
    rare = (Choose(Direction.CW), MakeBull((c,)), MakeBull((c, d)), Stray(None, -1), Stray(e, 2), End("bull"))
    drawn = steps(BOARD, rare)
    assert [s.text for s in drawn] == [
        "the next lap goes clockwise, by choice", "c becomes a bull", "c and d become bulls",
        "one seed vanished from the hand", "two seeds came into pit e", "the move ends with a new bull",
    ]


def test_numbers_in_words() -> None:
    assert (seeds(1), seeds(13), seeds(0)) == ("one seed", "13 seeds", "no seeds")
    assert (ordinal_lap(3), ordinal_lap(11)) == ("third lap", "lap 11")
    assert (listed(["a"]), listed(["a", "b", "c"], "or")) == ("a", "a, b or c")


def test_the_trace_of_a_legal_move_in_words() -> None:
    move = ruleset("enkeshui").play(ruleset("enkeshui").setup(), "h")
    texts = [s.text for s in steps(BOARD, move.trace)]
    assert texts[0] == "first lap: four seeds lifted from pit h"
    assert texts[-2:] == ["captures eleven seeds from a, H and G", "the move ends with the capture"]
