"""What was done has one name, so that the referee need not choose between two for the same."""

import pytest

from engine.position import Position
from engine.referee import search
from engine.referee.faults import Work
from engine.referee.parameters import BEAM
from engine.rules import ruleset


@pytest.mark.parametrize("line", [
    "4,2,0,2,1,0,2,0/0,3,1,0,6,0,7,1 S 19-0 ply=8",
    "7,2,1,1,0,0,2,2/3,0,1,0,7,0,7,2 N 13-0 ply=3",
    "0,3,0,2,1,2,1,3/4,1,2,1,1,1,1,4s N 13-8 ply=5",
])
def test_all_seeds_taken_from_a_pit_of_the_opponents_were_captured_and_not_palmed(line: str) -> None:
    rules, before = ruleset("enkeshui"), Position.parse(line)
    named: dict[tuple[str | None, tuple[int, ...]], set[str]] = {}
    for c in search.faulty_moves(rules, before, Work(BEAM.fault_laps)):
        if c.fault is not None and (c.fault.code != "palmed" or not c.fault.lap):
            named.setdefault((c.move, c.counts), set()).add(c.fault.code)
    assert any("palmed" in codes for codes in named.values())
    assert any("false-capture" in codes for codes in named.values())
    assert not [codes for codes in named.values() if {"palmed", "false-capture"} <= codes]
    for move in rules.moves(before).moves:
        for pit in before.board.own(before.to_move.other):
            counts = move.position.counts
            emptied = (*counts[:pit], 0, *counts[pit + 1 :])
            assert not counts[pit] or named[move.name, emptied], "nothing that can be done has lost its name"
