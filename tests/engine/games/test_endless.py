"""Never-ending sowing (engine/games/README.md): in every game proved or capped, in bounded time and memory."""

import time
import tracemalloc

import pytest

from engine.board import Direction
from engine.games import laps
from engine.position import Position
from engine.rules import MoveError, Rules, ruleset
from tests.engine.games import test_omweso

ENDODOI, ENKESHUI, OMWESO = ruleset("endodoi"), ruleset("enkeshui"), ruleset("omweso")

PROVED = [
    (ENDODOI, "1,0,2,1,0/2,0,1,2,3 S 14-14 ply=14", "e", 11),
    (ENDODOI, "3,2,3,2,3,4/0,1,3,3,0,1 S 12-11 ply=14", "c", 133),
    (ENDODOI, "0,1,2,3,2/2,1,2,1,2 S 12-12 ply=14", "e", 206),
    (ENKESHUI, "2,3,2,1,4,0,1,0/1,2,2,1,2,1,2,1 S 23-0 ply=0", "b", 281),  # a first move, in which no bulls are made
    (ENKESHUI, "1,2,1,0,3,0,1,4/2,1,2,1,0,3,2,3 S 22-0 ply=0", "g", 821),
    (ruleset("endodoi", None, {"max_laps": "100000"}), "2,1,0,5,4/6,3,1,4,7 S 7-0 ply=9", "b", 22_586),
]
"""Rules, position, pit, and the laps after which the relay has come back to the state after its first lap."""

CAPPED = [
    (ENDODOI, "5,4,0,8,5/6,5,2,2,3 S 0-0 ply=14", "c"),  # a cycle of 1,516,331 laps
    (ENDODOI, "3,4,3,4,3/4,5,1,3,4 S 6-0 ply=14", "a"),  # one of 210,381
    (ENDODOI, "4,1,4,1,4,7/5,4,4,3,5,6 S 0-0 ply=8", "b"),  # not back after 5,000,000 laps
    (ruleset("enkeshui", None, {"direction_choice": "never"}), "4,5,3,4,3,4,5,2/3,3,4,1,2,1,2,1 S 1-0 ply=0", "a"),
    (OMWESO, str(test_omweso.TOO_DEEP), "i"),
]
"""Relays that go on for more laps than are followed."""


@pytest.mark.parametrize(("rules", "line", "pit", "length"), PROVED)
def test_a_cycle_is_proved_by_its_first_state(rules: Rules, line: str, pit: str, length: int) -> None:
    position = Position.parse(line)
    assert rules.problem_sentences(position) == []
    start = position.board.pit(pit)
    sowing = rules.begin(position)
    assert laps.chain(rules, sowing, start, Direction.CCW, rules.max_laps) is laps.Stop.CYCLE
    assert sowing.laps == length
    found = rules.moves(position)
    assert (start in found.endless, start in found.unproved) == (True, False)
    with pytest.raises(MoveError, match=f"move {pit}: the sowing never ends"):
        rules.play(position, pit)


def test_a_cycle_of_omweso_is_proved() -> None:
    found = OMWESO.moves(test_omweso.ENDLESS)
    assert found.endless
    assert not found.unproved


@pytest.mark.parametrize(("rules", "line", "pit"), CAPPED)
def test_a_relay_of_millions_of_laps_is_capped_and_called_unproved(rules: Rules, line: str, pit: str) -> None:
    position = Position.parse(line)
    assert rules.problem_sentences(position) == []
    began = time.process_time()
    found = rules.moves(position)
    assert time.process_time() - began < 1
    start = position.board.pit(pit)
    assert start in found.unproved
    with pytest.raises(MoveError, match="the sowing does not end within 1000 laps"):
        rules.play(position, pit)


def test_a_relay_takes_no_memory_by_its_length() -> None:
    rules = ruleset("endodoi", None, {"max_laps": "20000"})
    position = Position.parse(CAPPED[2][1])
    most = []
    for _ in range(3):  # what other threads of the process take meanwhile is counted, too
        tracemalloc.start()
        try:
            rules.moves(position)
            most.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    assert min(most) < 1 << 20


@pytest.mark.parametrize("choice", ["next_lap", "move"])
def test_choices_on_heavy_boards_end_soon(choice: str) -> None:
    """Laps that go round give choices again and again; each state with one is visited once, and all is capped."""
    rules = ruleset("enkeshui", None, {"direction_choice": choice})
    for line in ("1,0,1,2,0,0,16,1/0,0,1,3,13,9,0,1 S 0-0 ply=0", "1,2,1,1,2,1,1,1/1,1,1,1,1,2,16,16 S 0-0 ply=20",
                 "2,3,4,1,2,3,0,7/1,7,2,3,0,5,4,4 S 0-0 ply=0"):
        began = time.process_time()
        found = rules.moves(Position.parse(line))
        assert time.process_time() - began < 1
        assert all(rules.play(Position.parse(line), m.name).position == m.position for m in found.moves)
