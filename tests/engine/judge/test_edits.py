"""Edits of a lap that change how many seeds the hand holds, where one of them falls, or what becomes of seeds won."""

from __future__ import annotations

import pytest

from engine.board import Direction
from engine.drawing import steps
from engine.explain import sentence
from engine.judge import judge
from engine.judge.edits import Lap, judgement_edits, neighbours
from engine.position import Position
from engine.rules import ruleset
from engine.sowing import Decision
from engine.trace import apply, laps
from tests.engine.judge.by_hand import SOUTHS, by_hand, seen

DUE = "4,1,3,3,3,0,2,3/5,3,3,1,5,5,0,5/0,0,1,0,2,1,0,0/0,3,4,0,5,1,0,1 S 0-0 ply=16 caps=2-2"
"""Omweso: South's e ends in c; F and N have to be taken and sown on from e."""
SLEEPS = "1,1,5,6,0,0,0,1/0,0,4,4,4,4,4,0 S 10-0 ply=4"
"""Enkeshui: South's c ends in g, is sown on, and ends in D."""

EDITS = [
    ("omweso", DUE, "^e d c xFN", ("kept", "F", 1, 6), "kept the six seeds captured at F", "capture"),
    ("omweso", DUE, "^e d c +FN b a i j k l", ("wrong-pit", "c", 1, 6),
     "sowed the captured seeds on from c", "capture"),
    ("enkeshui", SLEEPS, "^c ~-2 d e ^e f g h A B", ("palmed", "c", 1, 2),
     "two seeds disappeared from the hand", "stray"),
    ("enkeshui", SLEEPS, "^c ~-3 d ^d e f g h A ^A B C", ("palmed", "c", 1, 3), "three seeds disappeared from the hand",
     "stray"),
    ("enkeshui", SLEEPS, "^c ~2 d e f g h A ^A B C", ("smuggled", "c", 1, 2),
     "sowed two seeds more than were picked up", "stray"),
    ("enkeshui", SLEEPS, "^c d e D g ^g h A B C D ^D E F ^F G H a b c d ^d e f g h A B ^B C D",
     ("wrong-pit", "D", 1, 1), "dropped a seed into D in lap 1, which was not the next pit", "drop"),
    ("enkeshui", SLEEPS, "^c ^e d e f g h A B C", ("two-pits", "e", 1, 4),
     "lifted e as well", "lift"),
]


@pytest.mark.parametrize(("game", "line", "play", "fault", "words", "shown"), EDITS, ids=[e[2] for e in EDITS])
def test_an_edit_is_named_with_its_pit_lap_and_number(
    game: str, line: str, play: str, fault: tuple[str, str, int, int], words: str, shown: str
) -> None:
    before, after = Position.parse(line), by_hand(line, play)
    v = judge(ruleset(game), before, seen(after.counts, SOUTHS))
    assert v.kind == "illegal", v.best
    (named,) = v.faults
    assert (named.code, before.board.name(named.pit or 0), named.lap, named.n) == fault
    assert v.position.counts == after.counts == apply(before, v.trace, v.player).counts
    assert words in sentence(v)
    (wrong,) = [step for step in steps(before.board, v.trace, v.faults) if step.wrong]
    assert wrong.kind == shown


def test_two_pits_lifted_together_are_one_lap() -> None:
    before, after = Position.parse(SLEEPS), by_hand(SLEEPS, "^c ^e d e f g h A B C")
    v = judge(ruleset("enkeshui"), before, seen(after.counts, SOUTHS))
    assert laps(v.trace) == 1
    drawn = [(s.kind, s.pit, s.lap) for s in steps(before.board, v.trace) if s.kind == "lift"]
    assert drawn == [("lift", "c", 1), ("lift", "e", 1)]


def test_beside_a_pit_are_those_that_touch_it() -> None:
    board = Position.parse(DUE).board
    around = {board.name(p): weight for p, weight in neighbours(board, board.pit("b"), 0.25).items()}
    assert around == {"a": 1.0, "c": 1.0, "j": 1.0, "G": 1.0, "i": 0.25, "k": 0.25, "F": 0.25, "H": 0.25}


def test_a_string_of_which_the_capturing_seed_stays_is_cut_short_and_lengthened_like_any_other() -> None:
    """South's a ends in b and wins what lies in G, F and E, but not the seed in b."""
    before = Position.parse("0,2,1,3,2,1,0,0/1,0,0,0,0,0,0,0 S 19-19 ply=8")
    rules, board = ruleset("enkeshui"), before.board
    sowing = rules.begin(before)
    after = sowing.copy()
    after.sow(0, Direction.CCW)
    due = tuple(map(board.pit, "GFE"))
    lap = Lap(sowing, 0, 0, Direction.CCW, (Direction.CCW,), "", after, Decision("capture", due))
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
