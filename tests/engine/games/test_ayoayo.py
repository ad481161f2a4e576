"""Ayoayo, rule by rule (engine/games/ayoayo.md), and what is judged of it."""

import random

import numpy as np
import pytest

from device.sim.fouls import draw, kinds
from engine.board import Side
from engine.drawing import steps
from engine.explain import sentence
from engine.games.ayoayo import BOARD, Ayoayo
from engine.games.base import MoveError
from engine.position import Position
from engine.referee.faults import Work, one_fault_outcomes
from engine.rules import RulesError, ruleset
from engine.trace import Drop
from engine.verdict import Fault
from tests.engine.referee.by_hand import SOUTHS, by_hand, judged, seen

RUSS, WIKIPEDIA = Ayoayo(), Ayoayo("wikipedia")


def after(line: str, move: str, rules: Ayoayo = RUSS) -> str:
    """The line of the board after a move."""
    return str(rules.play(Position.parse(line), move).position)


# ---- its rules ---------------------------------------------------------------------------------------------------

def test_four_lie_in_every_pit_and_south_may_lift_any_of_his() -> None:
    start = RUSS.setup()
    assert str(start) == "4,4,4,4,4,4/4,4,4,4,4,4 S 0-0 ply=0"
    assert RUSS.starts(start) == list(range(6)) and RUSS.seeds(start.board) == 48 and not RUSS.problems(start)
    with pytest.raises(RulesError, match="'2x8' is not a set-up of Ayoayo: 2x6"):
        RUSS.setup("2x8")


def test_a_lap_into_an_occupied_pit_is_sown_on() -> None:
    """Two from a end in c, whose two end in the empty e, which faces nothing."""
    assert after("0,0,0,0,0,40/2,1,1,1,0,3 S 0-0 ply=4", "a") == "0,0,0,0,0,40/0,2,0,2,1,3 N 0-0 ply=5"


def test_an_own_empty_pit_captures_what_faces_it_and_the_seed_that_captures() -> None:
    line = "0,0,0,3,0,42/0,0,1,0,0,2 S 0-0 ply=4"
    assert after(line, "c") == "0,0,0,0,0,42/0,0,0,0,0,2 N 4-0 ply=5"
    assert after(line, "c", WIKIPEDIA) == "0,0,0,0,0,42/0,0,0,1,0,2 N 3-0 ply=5"


def test_a_lap_into_an_occupied_pit_of_the_other_side_is_sown_on_too() -> None:
    """Two from f end in B beside one, and its two end in the empty D."""
    assert after("0,0,0,0,1,41/0,0,0,0,2,2 S 2-0 ply=4", "f") == "0,0,1,1,0,42/0,0,0,0,2,0 N 2-0 ply=5"


def test_who_is_fed_already_need_not_be_fed_again() -> None:
    assert RUSS.starts(Position.parse("0,0,0,0,0,1/1,0,0,0,0,0 S 27-19 ply=30")) == [0]


@pytest.mark.parametrize("line", ["0,0,0,0,0,45/0,0,1,0,0,2 S 0-0 ply=4", "5,3,0,35,0,0/0,0,0,0,2,1 S 2-0 ply=4"])
def test_nothing_is_captured_where_nothing_faces_it_nor_on_the_other_side(line: str) -> None:
    position = Position.parse(line)
    assert all(move.ends == "sleeps" and not move.captured for move in RUSS.moves(position).moves)


def test_a_lap_of_twelve_passes_its_own_beginning_by() -> None:
    """The twelfth seed from f falls into A, not into f."""
    position = Position.parse("2,2,2,2,2,2/2,2,2,2,2,12 S 14-0 ply=4")
    passed, sown = Drop(6), Drop(5)
    assert RUSS.trace(position, 5)[12] == passed
    assert Ayoayo(sets={"skip_origin": "false"}).trace(position, 5)[12] == sown


def test_who_finds_the_other_without_seeds_gives_him_some() -> None:
    position = Position.parse("0,0,0,0,0,0/1,0,0,0,2,2 S 43-0 ply=30")
    assert [position.board.name(p) for p in RUSS.starts(position)] == ["e", "f"]
    with pytest.raises(MoveError, match="move a: pit a leaves North without a seed"):
        RUSS.play(position, "a")
    with pytest.raises(MoveError, match="move b: pit b holds no seeds"):
        RUSS.play(position, "b")


def test_who_reaches_the_other_side_in_a_later_lap_feeds_it_too() -> None:
    position = Position.parse("0,0,0,0,0,0/0,1,0,1,2,0 S 44-0 ply=30")
    assert [position.board.name(p) for p in RUSS.starts(position)] == ["d", "e"], "b sleeps in the empty c"
    fed = RUSS.play(position, "d").position  # its one seed makes three of e, which are sown on
    assert [position.board.name(p) for p in position.board.own(Side.NORTH) if fed.counts[p]] == ["A", "B"]


@pytest.mark.parametrize(("line", "result", "reason"), [
    ("0,0,0,0,0,0/1,0,0,0,0,0 S 27-20 ply=30", (27, 21), "South cannot give North a seed"),
    ("0,0,0,1,0,0/0,0,0,0,0,0 S 27-20 ply=30", (27, 21), "South cannot move"),
])
def test_the_game_ends_where_nobody_can_go_on_and_who_moved_last_gets_the_rest(
        line: str, result: tuple[int, int], reason: str) -> None:
    over = RUSS.over(Position.parse(line))
    assert over is not None and (over.result, over.reason, over.winner) == (result, reason, Side.SOUTH)


def test_by_wikipedia_who_can_feed_nobody_moves_freely_and_then_the_other_cannot() -> None:
    position = Position.parse("0,0,0,0,0,0/1,0,0,0,0,0 S 27-20 ply=30")
    assert WIKIPEDIA.over(position) is None
    moved = WIKIPEDIA.play(position, "a").position
    over = WIKIPEDIA.over(moved)
    assert over is not None and (over.result, over.reason) == ((28, 20), "North cannot move")
    feeds = Position.parse("0,0,0,0,0,0/1,0,0,0,0,1 S 26-20 ply=30")
    assert [BOARD.name(p) for p in WIKIPEDIA.starts(feeds)] == ["f"]


@pytest.mark.parametrize("seed", range(20))
def test_no_seed_is_lost_in_a_game(seed: int) -> None:
    rng, position = random.Random(seed), RUSS.setup()
    for _ in range(300):
        over = RUSS.over(position)
        if over is not None:
            assert sum(over.result) == 48
            return
        moves = RUSS.moves(position).moves
        if not moves:  # nothing but sowings that never end
            return
        position = rng.choice(moves).position
        assert not RUSS.problems(position)


# ---- what is judged of it ------------------------------------------------------------------------------------------

@pytest.mark.parametrize("rules", [RUSS, WIKIPEDIA], ids=lambda rules: rules.name)
def test_the_judge_knows_its_moves_and_its_faults(rules: Ayoayo) -> None:
    line = "0,0,3,0,0,2/0,0,1,1,4,0 S 20-17 ply=4"
    legal = rules.play(Position.parse(line), "e")
    verdict = judged(rules, Position.parse(line), seen(legal.position.counts, SOUTHS))
    assert (verdict.kind, verdict.move) == ("legal", "e")
    verdict = judged(rules, Position.parse(line), seen(by_hand(line, "^e f f A B").counts, SOUTHS))
    assert verdict.kind == "illegal" and [fault.code for fault in verdict.faults] == ["double"]


@pytest.mark.parametrize("rules", [RUSS, WIKIPEDIA], ids=lambda rules: rules.name)
def test_who_leaves_the_other_without_a_seed_is_told_so_and_which_moves_would_have_fed_him(rules: Ayoayo) -> None:
    line = "0,0,0,0,0,0/1,0,0,0,2,2 S 23-20 ply=30"
    verdict = judged(rules, Position.parse(line), seen(by_hand(line, "^a b").counts, SOUTHS))
    assert (verdict.kind, verdict.faults) == ("illegal", (Fault("starved", 0, 1, instead=(4, 5)),))
    assert sentence(verdict) == "South played a, which leaves North without a seed; e or f would have given some."
    assert [drawn.pit for drawn in steps(BOARD, verdict.trace, verdict.faults) if drawn.wrong] == ["a"]
    assert verdict.expected == Position.parse(line)


def test_players_starve_their_opponent_now_and_then() -> None:
    position = Position.parse("0,0,0,0,0,0/1,1,0,0,2,2 S 22-20 ply=30")
    assert "starved" in kinds(RUSS, position) and "starved" not in kinds(ruleset("enkeshui"), position)
    for seed in range(4):
        foul = draw(RUSS, position, "starved", np.random.default_rng(seed))
        assert foul is not None and foul.codes == ("starved",) and foul.play.at in (0, 1) and not foul.alike


CAPTURES = "0,0,0,3,3,5/0,0,1,0,1,1 S 17-17 ply=4"
"""South's c ends in d and captures the three seeds in C, and with `russ` the one in d, too."""


@pytest.mark.parametrize(("rules", "play", "code", "pit", "n"), [
    (RUSS, "^c d", "short-capture", "C", 4), (WIKIPEDIA, "^c d", "short-capture", "C", 3),
    (RUSS, "^c d xdB", "false-capture", "B", 3), (WIKIPEDIA, "^c d xB", "false-capture", "B", 3),
    (RUSS, "^c d xdCB", "false-capture", "B", 3), (WIKIPEDIA, "^c d xCB", "false-capture", "B", 3),
])
def test_the_judge_knows_what_is_captured_wrongly(rules: Ayoayo, play: str, code: str, pit: str, n: int) -> None:
    verdict = judged(rules, Position.parse(CAPTURES), seen(by_hand(CAPTURES, play).counts, SOUTHS))
    (fault,) = verdict.faults
    assert (verdict.kind, fault.code, BOARD.name(fault.pit or 0), fault.n) == ("illegal", code, pit, n)


@pytest.mark.parametrize(("rules", "play", "code"), [
    (RUSS, "^c d xC", "short-capture"), (WIKIPEDIA, "^c d xdC", "false-capture")], ids=["left", "taken, too"])
def test_the_seed_that_captures_is_taken_where_it_is_due_and_only_there(rules: Ayoayo, play: str, code: str) -> None:
    """One seed in one pit may be misread on a quiet board, so it is not said; but it is the likeliest."""
    verdict = judged(rules, Position.parse(CAPTURES), seen(by_hand(CAPTURES, play).counts, SOUTHS, 0.99))
    (fault,) = verdict.best[0].faults
    assert (verdict.kind, fault.code, BOARD.name(fault.pit or 0), fault.n) == ("not-sure", code, "d", 1)


@pytest.mark.parametrize("rules", [RUSS, WIKIPEDIA], ids=lambda rules: rules.name)
def test_what_is_done_at_a_capture_has_one_name(rules: Ayoayo) -> None:
    pit, named = BOARD.pit("c"), dict[tuple[int, ...], list[Fault]]()
    for outcome in one_fault_outcomes(rules, Position.parse(CAPTURES), Side.SOUTH, pit, Work(60_000)):
        named.setdefault(outcome.counts, []).append(outcome.fault)
    assert all(len(found) == len(set(found)) for found in named.values())
    codes = [{fault.code for fault in found} for found in named.values()]
    assert {"palmed"} in codes and {"false-capture"} in codes
    assert not [found for found in codes if {"palmed", "false-capture"} <= found]
