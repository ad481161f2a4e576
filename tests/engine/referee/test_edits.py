"""Edits of a lap: which pits lie beside one, and what may be done wrong at a capture."""

from engine.board import Direction
from engine.drawing import steps
from engine.position import Position
from engine.referee.edits import Lap, judgement_edits, neighbours
from engine.rules import ruleset
from engine.sowing import Decision
from engine.trace import laps
from tests.engine.referee.by_hand import SOUTHS, by_hand, judged, seen
from tests.engine.referee.test_faults_named import DUE, SLEEPS


def test_two_pits_lifted_together_are_one_lap() -> None:
    """And are drawn as two steps of it."""
    before, after = Position.parse(SLEEPS), by_hand(SLEEPS, "^c ^e d e f g h A B C")
    said = judged(ruleset("enkeshui"), before, seen(after.counts, SOUTHS))
    assert laps(said.trace) == 1
    drawn = [(s.kind, s.pit, s.lap) for s in steps(before.board, said.trace) if s.kind == "lift"]
    assert drawn == [("lift", "c", 1), ("lift", "e", 1)]


def test_beside_a_pit_are_those_that_touch_it() -> None:
    board = Position.parse(DUE).board
    around = {board.name(p): weight for p, weight in neighbours(board, board.pit("b")).items()}
    assert sorted(around) == list("FGHacijk")
    assert {p for p, weight in around.items() if weight == 1.0} == set("acjG")


def test_a_string_of_which_the_capturing_seed_stays_is_cut_short_and_lengthened_like_any_other() -> None:
    """South's a ends in b and wins what lies in G, F and E, but not the seed in b."""
    before = Position.parse("0,2,1,3,2,1,0,0/1,0,0,0,0,0,0,0 S 19-19 ply=8")
    rules, board = ruleset("enkeshui"), before.board
    sowing = rules.begin(before)
    after = sowing.copy()
    after.sow(0, Direction.CCW)
    due = tuple(map(board.pit, "GFE"))
    lap = Lap(sowing, 0, 0, Direction.CCW, True, "", after, Decision("capture", due))
    found = [(edit.fault.code, board.name(edit.fault.pit or 0), edit.fault.n, "".join(map(board.name, edit.take)))
             for edit in judgement_edits(rules, lap) if not edit.left]
    assert sorted(found) == sorted([
        ("ran-on", "b", 0, ""), ("short-capture", "G", 6, ""),
        ("short-capture", "G", 2, "FE"), ("short-capture", "F", 1, "GE"), ("short-capture", "E", 3, "GF"),
        ("short-capture", "F", 4, "G"),
        ("false-capture", "D", 2, "GFED"), ("false-capture", "D", 2, "D"),
        ("false-capture", "C", 1, "GFEC"), ("false-capture", "C", 1, "C"),
        ("false-capture", "b", 1, "GFEb"),
    ])
