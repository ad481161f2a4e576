"""The words: every fault of the list has a sentence of its own, and the step where it lies is marked."""

from __future__ import annotations

import pytest

from engine.board import Board, Direction, Side
from engine.drawing import steps
from engine.explain import fault_sentence, listed, ordinal_lap, played, seeds, sentence
from engine.judge import Fault, Verdict
from engine.judge.parameters import PRIORS
from engine.judge.verdict import Explanation
from engine.position import Position
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
    (Fault("wrong-way", c, 1, 1), ONE_LAP,
     "North sowed c: lap 1, from c, went clockwise, to which there was no right."),
    (Fault("wrong-way", c, 1, 0), ONE_LAP,
     "North sowed c: lap 1, from c, went clockwise, to which there was no right; so did those after it."),
    (Fault("stopped-short", f, 1), ONE_LAP,
     "North sowed c: the move was ended in f after lap 1, but f was occupied, so its seeds had to be sown on."),
    (Fault("ran-on", e, 1), TWO_LAPS,
     "North sowed c: lap 1 ended in the empty pit e, where the move ends, but it was sown on."),
    (Fault("bull-missed", e, 1), TWO_LAPS,
     "North sowed c: lap 1 made a bull of e, where the move ends, but it was sown on."),
    (Fault("bull-missed", f, 1), ONE_LAP,
     "North sowed c: the move was ended in f after lap 1, but f was no bull, so its seeds had to be sown on."),
    (Fault("bull-lifted", c, 1), ONE_LAP, "North lifted c, which is a bull and may not be emptied."),
    (Fault("bull-lifted", e, 1), TWO_LAPS,
     "North sowed c: lap 1 ended in the bull e, where the move ends, but e was lifted and sown on."),
    (Fault("bull-lifted", e, 1, 4), ONE_LAP, "North sowed c: after lap 1 the bull e was captured from."),
    (Fault("false-capture", e, 1, 5), ONE_LAP,
     "North sowed c: after lap 1 five seeds were captured from e, to which there was no right."),
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
    for code in PRIORS.faults:
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


BEFORE = Position.parse("4,4,4,4,4,4,4,4/4,4,4,4,4,4,4,4 S 0-0 ply=0")


def doubt(pits: tuple[int, ...], *best: Explanation) -> str:
    return sentence(Verdict("not-sure", BEFORE, BEFORE, best=best, pits=pits))


def held(pit: int, n: int) -> Position:
    counts = list(BEFORE.counts)
    counts[pit] = n
    return BEFORE.with_counts(tuple(counts))


def test_a_doubt_says_what_would_have_to_lie_there_for_either() -> None:
    legal = Explanation("legal", 0.9, Side.SOUTH, "c", (), held(f, 6))
    palmed = Explanation("illegal", 0.1, Side.SOUTH, "c", (Fault("palmed", f, 0, 2),), held(f, 4))
    assert doubt((f,), legal, palmed) == (
        "Not sure what was played: please look at pit f. It may have been South's c, legally (six seeds in f) or "
        "South's c with a fault: two seeds vanished from f (four seeds in f).")


def test_a_doubt_about_much_of_the_board_asks_to_look_at_all_of_it() -> None:
    legal = Explanation("legal", 0.9, Side.SOUTH, "c", (), held(f, 6))
    assert doubt(tuple(range(7)), legal) == (
        "Not sure what was played: please look at the whole board. It may have been South's c, legally.")
    assert doubt((0, 1, 2, 3), legal) == (
        "Not sure what was played: please look at pits a, b, c and d. It may have been South's c, legally.")


def test_a_doubt_about_seeds_that_were_changed_says_which() -> None:
    either = [Explanation("tampered", 0.5, faults=(Fault("tampered", pit, 0, 1),), position=held(pit, 5))
              for pit in (c, d)]
    assert doubt((c,), *either) == (
        "Not sure what was played: please look at pit c. It may have been seeds changed with no move, c holds 5 where "
        "4 lay or seeds changed with no move, d holds 5 where 4 lay.")


@pytest.mark.parametrize("code", sorted(PRIORS.faults))
def test_every_fault_that_may_have_been_is_told_in_words(code: str) -> None:
    told = doubt((f,), Explanation("illegal", 0.5, Side.SOUTH, "c", (Fault(code, f, 1, 1),), held(f, 4)))
    assert "with a fault: " in told and code not in told.replace("double-move", "") and not told.count("  ")


def test_directions_that_were_chosen_are_told_in_words() -> None:
    assert [played(move) for move in ("d", "d<", "d<>")] == [
        "d", "d (clockwise)", "d (clockwise, then counter-clockwise)"]
    told = fault_sentence(BOARD, "North", "c<", Fault("skip", d, 1, 1), ONE_LAP)
    assert told == "North sowed c (clockwise): in lap 1 no seed was dropped into d."
