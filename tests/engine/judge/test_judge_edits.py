"""Edits of a lap that change how many seeds the hand holds, where one of them falls, or what becomes of seeds won."""

from __future__ import annotations

import pytest

from engine.drawing import steps
from engine.explain import sentence
from engine.judge import judge
from engine.judge.edits import beside
from engine.position import Position
from engine.rules import ruleset
from engine.trace import apply, laps
from tests.engine.judge.by_hand import SOUTHS, by_hand, seen

DUE = "4,1,3,3,3,0,2,3/5,3,3,1,5,5,0,5/0,0,1,0,2,1,0,0/0,3,4,0,5,1,0,1 S 0-0 ply=16 caps=2-2"
"""Omweso: South's e ends in c; F and N have to be taken and sown on from e."""
SLEEPS = "1,1,5,6,0,0,0,1/0,0,4,4,4,4,4,0 S 10-0 ply=4"
"""Enkeshui: South's c ends in g, is sown on, and ends in D."""

EDITS = [
    ("omweso", DUE, "^e d c xFN", ("kept", "F", 1, 6), "the six seeds captured at F stayed in the hand", "capture"),
    ("omweso", DUE, "^e d c +FN b a i j k l", ("wrong-pit", "c", 1, 6),
     "the captured seeds were sown on from c, where they do not begin", "capture"),
    ("enkeshui", SLEEPS, "^c ~-2 d e ^e f g h A B", ("palmed", "c", 1, 2), "two seeds vanished from the hand", "stray"),
    ("enkeshui", SLEEPS, "^c ~-3 d ^d e f g h A ^A B C", ("palmed", "c", 1, 3), "three seeds vanished from the hand",
     "stray"),
    ("enkeshui", SLEEPS, "^c ~2 d e f g h A ^A B C", ("smuggled", "c", 1, 2), "two seeds came into the hand", "stray"),
    ("enkeshui", SLEEPS, "^c d e D g ^g h A B C D ^D E F ^F G H a b c d ^d e f g h A B ^B C D",
     ("wrong-pit", "D", 1, 1), "a seed was dropped into D, which was not the next pit", "drop"),
    ("enkeshui", SLEEPS, "^c ^e d e f g h A B C", ("two-pits", "e", 1, 4),
     "e was lifted together with the pit that the move began from", "lift"),
]


@pytest.mark.parametrize(("game", "line", "play", "fault", "words", "shown"), EDITS, ids=[e[2] for e in EDITS])
def test_an_edit_is_named_with_its_pit_lap_and_number(
    game: str, line: str, play: str, fault: tuple[str, str, int, int], words: str, shown: str
) -> None:
    before, after = Position.parse(line), by_hand(line, play)
    v = judge(ruleset(game), before, seen(after.counts, SOUTHS))
    assert v.kind == "illegal", v.best
    (told,) = v.faults
    assert (told.code, before.board.name(told.pit or 0), told.lap, told.n) == fault
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
    around = {board.name(p): weight for p, weight in beside(board, board.pit("b")).items()}
    assert around == {"a": 1.0, "c": 1.0, "j": 1.0, "G": 1.0, "i": 0.3, "k": 0.3, "F": 0.3, "H": 0.3}
