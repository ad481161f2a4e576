"""The words: every fault of the list has a sentence of its own, and the step where it lies is marked."""

import pytest

from engine.board import Board, Direction, Side
from engine.course import followed
from engine.drawing import steps
from engine.explain import fault_sentence, listed, ordinal_lap, played, seeds, sentence
from engine.position import Position
from engine.referee.parameters import FAULTS
from engine.rules import ruleset
from engine.trace import Capture, Choose, Drop, End, Lay, Lift, MakeBull, Stray, Trace
from engine.verdict import Explanation, Fault, Verdict

BOARD = Board(2, 8)
c, d, e, f = 2, 3, 4, 5
ONE_LAP: Trace = (Lift(c, 3), Drop(d), Drop(e), Drop(f), End("sleeps"))
TWO_LAPS: Trace = (Lift(c, 2), Drop(d), Drop(e), Lift(e, 1), Drop(f), End("sleeps"))


@pytest.mark.parametrize(("fault", "trace", "said"), [
    (Fault("skip", d, 1, 1), ONE_LAP, "North played c but skipped d in lap 1; every pit must get one seed."),
    (Fault("double", f, 1, 1), ONE_LAP, "North played c but dropped two seeds into f in lap 1; only one is allowed."),
    (Fault("left-seed", c, 1, 2), ONE_LAP,
     "North played c but left two seeds in c in lap 1; a pit must be lifted whole."),
    (Fault("wrong-way", c, 1, 1), ONE_LAP, "North sowed clockwise from c; only anticlockwise is allowed here."),
    (Fault("wrong-way", c, 1, 0), ONE_LAP, "North sowed clockwise from c; only anticlockwise is allowed here."),
    (Fault("wrong-way", c, 1, 0), TWO_LAPS,
     "North sowed clockwise from c and in all laps after; only anticlockwise is allowed here."),
    (Fault("wrong-way", e, 2, 1), TWO_LAPS,
     "North played c but sowed clockwise from e; only anticlockwise is allowed here."),
    (Fault("stopped-short", f, 1), ONE_LAP,
     "North played c but stopped in f after lap 1; it held seeds, so they must be sown on."),
    (Fault("ran-on", e, 1), TWO_LAPS,
     "North played c but sowed on from e after lap 1; it was empty, so the move ends there."),
    (Fault("bull-missed", e, 1), TWO_LAPS,
     "North played c but sowed on from e after lap 1; it became a bull, so the move ends there."),
    (Fault("bull-missed", f, 1), ONE_LAP,
     "North played c but stopped in f after lap 1; it was no bull, so its seeds must be sown on."),
    (Fault("bull-lifted", c, 1), ONE_LAP, "North lifted c, but a bull must never be emptied."),
    (Fault("bull-lifted", e, 1), TWO_LAPS,
     "North played c but sowed on from the bull e after lap 1; a move that reaches a bull ends there."),
    (Fault("bull-lifted", e, 1, 4), ONE_LAP,
     "North played c but captured from the bull e after lap 1; a bull must never be emptied."),
    (Fault("false-capture", e, 1, 5), ONE_LAP,
     "North played c but took five seeds from e after lap 1, which were not theirs to capture."),
    (Fault("short-capture", e, 1, 1), ONE_LAP,
     "North played c but should have captured one more seed at e after lap 1."),
    (Fault("kept", e, 1, 3), ONE_LAP,
     "North played c but kept the three seeds captured at e after lap 1, which must be sown on."),
    (Fault("two-pits", e, 1), ONE_LAP, "North played c but lifted e as well; only one pit may be lifted."),
    (Fault("palmed", e, 0, 2), ONE_LAP, "North played c, but two seeds disappeared from e."),
    (Fault("palmed", c, 1, 1), ONE_LAP, "North played c, but one seed disappeared from the hand in lap 1."),
    (Fault("smuggled", e, 0, 1), ONE_LAP, "North played c, but an extra seed was added to e."),
    (Fault("smuggled", c, 2, 1), ONE_LAP, "North played c but sowed one seed more than were picked up in lap 2."),
    (Fault("wrong-side", c, 1), ONE_LAP, "North started from c, which is South's pit."),
    (Fault("lone-seed", c, 1), ONE_LAP, "North started from c, which held only one seed; at least two are needed."),
    (Fault("out-of-turn", c), ONE_LAP, "North played c, but it was South's turn."),
    (Fault("double-move", e), ONE_LAP, "North played c and then e before South had moved."),
])
def test_a_fault_is_one_plain_sentence(fault: Fault, trace: Trace, said: str) -> None:
    assert fault_sentence(BOARD, "North", "c", fault, trace) == said


def test_skipped_pits_are_told_in_the_order_of_the_lap() -> None:
    back: Trace = (Lift(f, 2), Drop(c), Drop(1), End("sleeps"))
    assert "skipped d and e in lap 1" in fault_sentence(BOARD, "North", "c", Fault("skip", d, 1, 2), ONE_LAP)
    assert "skipped e and d in lap 1" in fault_sentence(BOARD, "North", "f", Fault("skip", e, 1, 2), back)


@pytest.mark.parametrize(("made", "due", "said"), [
    ((Lift(c, 1), Drop(e), Capture((12,), 3), End("capture")), (Lift(c, 1), Drop(d), End("sleeps")),
     "3 seeds were captured from E; the move should have ended in d"),
    ((Lift(c, 1), Drop(d), End("sleeps")), (Lift(c, 2), Drop(d), Drop(e), Capture((11, 12), 1), End("capture")),
     "the move ended in d; 1 seed should have been captured from D and E"),
    ((Lift(c, 1), Drop(e), Capture((11, 12, 13), 4), End("capture")), (Lift(c, 1), Drop(d), End("sleeps")),
     "4 seeds were captured from D, E and F; the move should have ended in d"),
    ((Lift(c, 1), Drop(e), Lift(e, 2), Drop(f), Drop(6), End("sleeps")),
     (Lift(c, 1), Drop(e), Lift(e, 2), Drop(f), End("sleeps")), ""),
    ((Lift(c, 1), Drop(d), Lift(d, 2), Drop(e), End("sleeps")),
     (Lift(c, 1), Drop(e), Lift(e, 2), Drop(d), Lift(d, 1), Drop(e), End("sleeps")), ""),
], ids=["captured", "not captured", "captured from three", "ended elsewhere", "another way before it"])
def test_what_a_slip_changed_is_told_where_the_courses_part(made: Trace, due: Trace, said: str) -> None:
    counts = (0, 0, 2, 1, 1, 0, 0, 0, 0, 0, 0, 1, 3, 0, 0, 0)
    lap = 1 if said else 2
    found = followed(BOARD, counts, made, due, Fault("skip", d, lap, 1))
    assert str(found or "") == (f"as a result, {said}" if said else "")


def alike(p: float, other: Explanation) -> str:
    """The sentence of two seeds into d, so sure, beside another explanation of the same board."""
    said = Verdict("illegal", BEFORE, BEFORE, Side.SOUTH, "c", TWO_LAPS, (Fault("double", d, 1, 1),), confidence=p,
                   alike=(other,))
    return sentence(said)


def test_where_two_faults_leave_one_board_and_are_nearly_as_likely_the_sentence_says_both() -> None:
    skipped = Explanation("illegal", 0.3, Side.SOUTH, "c", (Fault("skip", d, 2, 1),))
    one = "South played c but dropped two seeds into d in lap 1"
    assert alike(0.6, skipped) == f"{one}, or skipped d in lap 2."
    assert alike(0.91, skipped) == f"{one}; only one is allowed.", "three to one are no near odds"
    started = Explanation("illegal", 0.3, Side.SOUTH, "d", (Fault("lone-seed", d, 1),))
    assert alike(0.6, started) == f"{one}, or South started from d, which held only one seed."


def test_every_fault_that_the_judge_knows_has_words_of_its_own() -> None:
    for code in FAULTS:
        assert "broke a rule" not in fault_sentence(BOARD, "South", "c", Fault(code, e, 1, 1), ONE_LAP)


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
    rare = (Choose(Direction.CW), Lay(d, c), MakeBull((c,)), MakeBull((c, d)), Stray(None, -1), Stray(e, 2),
            End("bull"))
    drawn = steps(BOARD, rare)
    assert [s.text for s in drawn] == [
        "the next lap goes clockwise, by choice", "one seed taken from pit d", "one seed laid into c",
        "c becomes a bull", "c and d become bulls",
        "one seed disappeared from the hand", "two seeds came into pit e", "the move ends with a new bull",
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
        "Please count f: 6 – the move is legal; 4 – two seeds disappeared at f.")
    wrong = Explanation("illegal", 0.1, Side.NORTH, "c", (Fault("false-capture", f, 1, 2),), held(f, 0))
    other = Explanation("legal", 0.9, Side.NORTH, "c", (), held(f, 1))
    assert doubt((f,), other, wrong) == (
        "Please count f: 1 – the move is legal; 0 – North captured wrongly.")


def test_a_doubt_in_which_the_same_was_played_either_way_says_so_once() -> None:
    five, six = (Explanation("legal", 0.5, Side.SOUTH, "c", (), held(f, n)) for n in (5, 6))
    assert doubt((f,), five, six) == "South may have played c legally. Please count f."


def test_a_doubt_between_two_moves_names_them() -> None:
    one = Explanation("legal", 0.6, Side.SOUTH, "c", (), held(f, 6))
    two = Explanation("illegal", 0.4, Side.SOUTH, "d", (Fault("skip", e, 1, 1),), held(f, 5))
    assert doubt((f,), one, two) == (
        "Please count f: 6 – South played c legally; 5 – South skipped e when playing d.")
    assert doubt((e, f), one, two) == (
        "Please count e and f: 4·6 – South played c legally; 4·5 – South skipped e when playing d.")


def test_a_doubt_that_no_count_decides_says_where_to_look() -> None:
    either = [Explanation("legal", 0.5, Side.SOUTH, "c", (), held(f, 6)),
              Explanation("illegal", 0.5, Side.SOUTH, "c", (Fault("skip", e, 1, 1),), held(f, 6))]
    assert doubt((f,), *either) == (
        "Not sure what was played. Please check pit f. South may have played c legally, or South may have skipped e.")


def test_a_doubt_about_much_of_the_board_asks_to_check_all_of_it() -> None:
    legal = Explanation("legal", 0.9, Side.SOUTH, "c", (), held(f, 6))
    assert doubt(tuple(range(7)), legal) == (
        "Not sure what was played. Please check the whole board. South may have played c legally.")
    assert doubt((0, 1, 2, 3), legal) == (
        "Not sure what was played. Please check pits a, b, c and d. South may have played c legally.")


def test_a_doubt_about_seeds_that_were_changed_says_which() -> None:
    either = [Explanation("tampered", 0.5, faults=(Fault("tampered", pit, 0, 1),), position=held(pit, 5))
              for pit in (c, d)]
    assert doubt((c,), *either) == (
        "Please count c: 5 – seeds were changed with no move (c holds 5 instead of 4); "
        "4 – seeds were changed with no move (d holds 5 instead of 4).")


@pytest.mark.parametrize("code", sorted(FAULTS))
def test_every_fault_that_may_have_been_is_told_in_words(code: str) -> None:
    told = doubt((f,), Explanation("illegal", 0.5, Side.SOUTH, "c", (Fault(code, f, 1, 1),), held(f, 4)))
    assert "may have " in told and "a rule" not in told and not told.count("  ")


def test_directions_that_were_chosen_are_told_in_words() -> None:
    assert [played(move) for move in ("d", "d<", "d<>")] == [
        "d", "d (clockwise)", "d (clockwise, then anticlockwise)"]
    told = fault_sentence(BOARD, "North", "c<", Fault("skip", d, 1, 1), ONE_LAP)
    assert told == "North played c (clockwise) but skipped d in lap 1; every pit must get one seed."
