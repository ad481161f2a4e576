"""Layli Goobalay, point by point (engine/games/layligoobalay.md), and what is judged of it."""

import random

import numpy as np
import pytest

from device.sim.fouls import draw
from device.sim.plays import legal
from engine.board import Side
from engine.drawing import steps
from engine.explain import sentence
from engine.games.base import MoveError
from engine.position import Position
from engine.rules import ruleset
from engine.trace import End, Lay, MakeBull, laps
from engine.verdict import Fault
from tests.engine.referee.by_hand import SOUTHS, by_hand, judged, seen

RULES = ruleset("layligoobalay")
MAKES = "5,0,0,3,2,4/0,0,1,0,1,1 S 16-15 ply=4"
"""South's c ends in d, and D faces it with no seeds; C does with three."""


def after(line: str, name: str) -> str:
    """The line of the board after a move."""
    return str(RULES.play(Position.parse(line), name).position)


# ---- its rules ---------------------------------------------------------------------------------------------------

def test_four_lie_in_every_pit_and_a_lap_into_an_occupied_one_is_sown_on() -> None:
    assert str(RULES.setup()) == "4,4,4,4,4,4/4,4,4,4,4,4 S 0-0 ply=0" and RULES.boards == (RULES.setup().board,)
    assert after("0,0,0,0,0,40/2,1,1,1,0,3 S 0-0 ply=4", "a") == "0,0,0,0,0,40/0,2,0,2,1,3 N 0-0 ply=5"


def test_a_lap_skips_no_pit_not_even_its_own() -> None:
    assert after("2,2,2,2,2,2/0,2,2,2,2,12 S 0-16 ply=4", "f").split("/")[0] != "2,2,2,2,2,2"
    assert RULES.trace(Position.parse("2,2,2,2,2,2/0,2,2,2,2,12 S 0-16 ply=4"), 5)[12].pit == 5  # type: ignore[union-attr]


@pytest.mark.parametrize("count", [1, 2, 4, 5])
def test_an_own_empty_pit_captures_what_faces_it_and_itself(count: int) -> None:
    line = f"0,0,0,{count},0,4/0,0,1,0,1,1 S {41 - count}-0 ply=4"
    assert after(line, "c") == f"0,0,0,0,0,4/0,0,0,0,1,1 N {42}-0 ply=5"


@pytest.mark.parametrize("line", [
    "5,0,0,0,2,4/0,0,1,0,1,1 S 19-15 ply=4",  # nothing faces it
    "5,0,0,4n,2,4/0,0,1,0,1,1 S 15-15 ply=4",  # an uur does
    "5,0,0,3s,2,4/0,0,1,0,1,1 S 16-15 ply=4",
])
def test_nothing_is_captured_where_nothing_or_an_uur_faces_it(line: str) -> None:
    move = RULES.play(Position.parse(line), "c")
    assert (move.ends, move.captured) == ("sleeps", 0)


def test_nothing_is_captured_on_the_other_side() -> None:
    """South's e ends in A, which his own f faces with two seeds."""
    move = RULES.play(Position.parse("5,3,0,35,0,0/0,0,0,0,2,1 S 2-0 ply=4"), "e")
    assert (move.ends, move.captured) == ("sleeps", 0)


def test_three_that_face_it_become_two_and_two_which_are_uurs() -> None:
    move = RULES.play(Position.parse(MAKES), "c")
    assert str(move.position) == "5,0,0,2s,2,4/0,0,0,2s,1,1 N 16-15 ply=5"
    assert move.trace[-3:] == (Lay(8, 3), MakeBull((3, 8)), End("bull")) and laps(move.trace) == 1


def test_an_uur_is_sown_into_and_ends_a_move_and_is_never_begun_from() -> None:
    line = "5,0,0,2s,2,4/0,0,1,2s,1,1 S 15-15 ply=6"
    move = RULES.play(Position.parse(line), "c")
    assert (str(move.position), move.ends) == ("5,0,0,2s,2,4/0,0,0,3s,1,1 N 15-15 ply=7", "in-bull")
    with pytest.raises(MoveError, match="move d: pit d is an uur"):
        RULES.play(Position.parse(line), "d")


def test_the_game_ends_where_a_player_cannot_move_and_everybody_gets_his_uurs_and_his_row() -> None:
    over = RULES.over(Position.parse("1,0,3s,0,0,2/0,4n,5s,0,0,0 S 16-17 ply=30"))
    assert over is not None and (over.result, over.winner, over.reason) == ((24, 24), None, "South cannot move")
    over = RULES.over(Position.parse("1,0,3s,0,0,2/0,4n,5s,0,0,0 S 15-18 ply=30"))
    assert over is not None and (over.result, over.winner) == ((23, 25), Side.NORTH)


@pytest.mark.parametrize("seed", range(10))
def test_no_seed_is_lost_in_a_game(seed: int) -> None:
    rng, position = random.Random(seed), RULES.setup()
    for _ in range(300):
        over = RULES.over(position)
        moves = RULES.moves(position).moves
        if over is not None or not moves:
            break
        position = rng.choice(moves).position
        assert not RULES.problems(position)
    assert position.total == 48


# ---- what is judged of it ----------------------------------------------------------------------------------------

def test_a_new_uur_is_told_drawn_and_laid_by_hand() -> None:
    move = RULES.play(Position.parse(MAKES), "c")
    verdict = judged(RULES, Position.parse(MAKES), seen(move.position.counts, SOUTHS))
    assert sentence(verdict, RULES.verbs) == "South sowed c in one lap and made uurs of d and C."
    assert [(d.kind, d.pit) for d in steps(move.before.board, move.trace)][-4:] == [
        ("lift", "C"), ("drop", "d"), ("bull", "d,C"), ("end", "")]
    acts = [(act.kind, act.pit, act.n) for act in legal(move).acts]
    assert acts[-2:] == [("lift", 8, 1), ("drop", 3, 1)]


@pytest.mark.parametrize("play", ["^c d xdC", "^c d ^d e xeB"], ids=["takes all four", "relays"])
def test_an_uur_that_is_not_made_is_named(play: str) -> None:
    line = MAKES.replace("1,0,1,1 ", "1,0,0,2 ")
    verdict = judged(RULES, Position.parse(line), seen(by_hand(line, play).counts, SOUTHS))
    assert (verdict.kind, verdict.faults) == ("illegal", (Fault("bull-missed", 3, 1),))


def test_players_empty_uurs_now_and_then() -> None:
    position = Position.parse("5,0,0,2s,2,4/0,0,1,2s,1,1 S 15-15 ply=6")
    foul = draw(RULES, position, "bull-lifted", np.random.default_rng(1))
    assert foul is not None and foul.play.at == 3 and foul.play.player is Side.SOUTH
    verdict = judged(RULES, position, seen(foul.play.after.counts, SOUTHS))
    assert [fault.code for fault in verdict.faults] == ["bull-lifted"]
