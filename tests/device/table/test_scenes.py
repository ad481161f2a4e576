"""What people do around moves, and how fast they do it: scenes in pictures, each with its verdict."""

from collections.abc import Sequence
from typing import Any

import pytest

from device.sim.gestures import GesturePace
from device.sim.plays import Act, legal
from engine.board import Side
from engine.position import Position
from engine.rules import ruleset
from tests.device.sim.staged_scenes import Stage

DODOI = ruleset("endodoi")
LINE = "0,1,2,0,1,3/2,1,0,3,1,0 S 17-17 ply=8"
SOUTH, NORTH = Side.SOUTH, Side.NORTH
QUICK = GesturePace(drop=0.16, lift=0.12, reach=0.2, pause=(0.2, 0.2))


@pytest.fixture
def stage() -> Stage:
    """En Dodoi in mid-game, South to move."""
    return Stage(DODOI, LINE)


def said(forms: Sequence[dict[str, Any]]) -> list[tuple[str, ...]]:
    """Kind, player and move of each verdict."""
    return [(v["kind"], v["player"], v.get("move") or "") for v in forms if v["event"] == "verdict"]


# ---- fast play


def test_the_next_player_lifts_before_the_last_hand_is_away(stage: Stage) -> None:
    stage.play("d", "fast", rest=-0.45)
    stage.play("D", "fast")
    assert said(stage.run()) == [("legal", "S", "d"), ("legal", "N", "D")]


def test_two_moves_inside_one_disturbance(stage: Stage) -> None:
    """North's hand waits over the board until South has dropped his last seed."""
    south = stage.play("a", "fast", rest=0.0)
    stage.t = south.began + 0.1
    wait = Act("rest", stage.position.board.pit("D"), round(10 * (south.track.ends - 0.7)))
    stage.visit(NORTH, [wait, *legal(stage.rules.play(stage.position, "E")).acts], "fast", rest=1.2)
    assert said(stage.run()) == [("legal", "S", "a"), ("legal", "N", "E")]


def test_a_hand_of_either_side_over_the_board_while_one_moves(stage: Stage) -> None:
    south = stage.play("d", "fast")
    stage.t = south.began
    stage.visit(NORTH, [Act("rest", stage.position.board.pit("F"), 25)], rest=1.5)
    assert said(stage.run()) == [("legal", "S", "d")]


def test_an_answer_that_begins_at_once_and_rests_is_one(stage: Stage) -> None:
    """North begins before South's hand is away, and draws his back after his first lap."""
    stage.play("d", "fast", rest=-0.35)
    acts = legal(stage.rules.play(stage.position, "B")).acts
    second = [k for k, act in enumerate(acts) if act.kind == "lift"][1]
    stage.visit(NORTH, acts[:second], "fast", rest=1.6)
    stage.visit(NORTH, acts[second:], "fast", rest=1.5)
    assert said(stage.run()) == [("legal", "S", "d"), ("legal", "N", "B")]


def test_an_answer_that_rests_longer_accuses_nobody_once_it_has_gone_on(stage: Stage) -> None:
    """He draws his hand back with seeds in it."""
    stage.play("a", "fast", rest=-0.35)
    acts = legal(stage.rules.play(stage.position, "B")).acts
    stage.visit(NORTH, acts[:2], "fast", rest=5.0)
    stage.visit(NORTH, acts[2:], "fast", rest=1.5)
    verdicts = said(stage.run())
    assert sorted(kind for kind, *_ in verdicts) == ["legal", "legal", "not-sure"]
    assert {("legal", "S", "a"), ("legal", "N", "B")} <= set(verdicts)


def test_a_move_in_under_a_second(stage: Stage) -> None:
    visit = stage.play("e", QUICK, rest=0.5)
    assert visit.track.t_out - visit.track.t_in < 1.0
    later = stage.play("E", QUICK)
    assert later.track.t_out - later.track.t_in < 1.0
    assert said(stage.run()) == [("legal", "S", "e"), ("legal", "N", "E")]


def test_a_hand_that_rests_over_the_board_goes_on(stage: Stage) -> None:
    acts = legal(stage.rules.play(stage.position, "d")).acts
    second = [k for k, act in enumerate(acts) if act.kind == "lift"][1]
    stage.visit(SOUTH, [*acts[:second], Act("rest", acts[second].pit, 25), *acts[second:]], "fast", rest=1.2)
    assert said(stage.run()) == [("legal", "S", "d")]


def test_a_seed_that_falls_beside_the_board_is_put_back(stage: Stage) -> None:
    acts = list(legal(stage.rules.play(stage.position, "d")).acts)
    missed = next(k for k, act in enumerate(acts) if act.kind == "drop" and act.pit == stage.position.board.pit("f"))
    fell = acts.pop(missed)
    first_lap = [act for act in acts[:missed] if act.kind != "take"]
    stage.visit(SOUTH, first_lap, "fast", rest=0.0)
    stage.beside((2.0, 2.2), 1.0)
    stage.rest(0.4)
    stage.visit(SOUTH, [Act("add", fell.pit), *acts[missed:]], "fast", rest=1.2)
    assert said(stage.run()) == [("legal", "S", "d")]


def test_a_last_seed_that_falls_beside_the_board_is_put_back_a_moment_later() -> None:
    stage = Stage(DODOI, "0,1,0,0,1,3/0,2,0,3,1,0 N 20-17 ply=9")
    acts = list(legal(stage.rules.play(stage.position, "A")).acts)
    fell = acts.pop()
    assert fell.kind == "drop"
    stage.visit(NORTH, acts, "fast", rest=0.0)
    stage.beside((2.0, -1.2), 1.2)
    stage.rest(0.6)
    stage.visit(NORTH, [Act("add", fell.pit)], "fast", rest=1.2)
    assert said(stage.run()) == [("legal", "N", "A")]


def test_captured_seeds_are_carried_to_a_store(stage: Stage) -> None:
    move = stage.rules.play(stage.position, "e")
    assert move.captured == 4
    stage.visit(SOUTH, [*legal(move).acts, Act("store", move.pit, 4)], "normal", rest=1.2)
    (verdict,) = stage.verdicts()
    assert (verdict["kind"], verdict["move"], verdict["captured"]) == ("legal", "e", 4)


# ---- trial moves


def test_a_trial_move_is_retracted_and_replaced(stage: Stage) -> None:
    """By the opponents' hand."""
    before = stage.position
    stage.play("a", "fast")
    stage.lay(before, NORTH, "fast")
    stage.position = before
    stage.play("e", "fast")
    assert said(stage.run()) == [("legal", "S", "a"), ("withdrawn", "S", ""), ("legal", "S", "e")]


def test_a_move_is_retracted_partly_and_then_fully(stage: Stage) -> None:
    before = stage.position
    stage.play("d", "fast")
    changed = [p for p in range(12) if before.counts[p] != stage.position.counts[p]]
    stage.lay(before, SOUTH, "fast", rest=0.8, pits=changed[:2])
    stage.lay(before, SOUTH, "fast")
    assert said(stage.run()) == [("legal", "S", "d"), ("withdrawn", "S", "")]


def test_one_move_in_place_of_another_in_one_reach(stage: Stage) -> None:
    """Taken back and played anew before the hand leaves: what stands is the second."""
    before = stage.position
    first = stage.rules.play(before, "a")
    stage.play("a", "fast")
    back = [Act("take", p, a - b) if a > b else Act("add", p, b - a)
            for p, (a, b) in enumerate(zip(first.position.counts, before.counts, strict=True)) if a != b]
    stage.visit(SOUTH, [*back, *legal(stage.rules.play(before, "e")).acts], "fast", rest=3.0)
    verdicts = said(stage.run())
    assert verdicts[0] == ("legal", "S", "a")
    assert {kind for kind, *_ in verdicts} <= {"legal", "withdrawn", "not-sure"}, "nobody cheated"


# ---- what is no move


def test_a_spectators_hand_is_no_move(stage: Stage) -> None:
    guest = stage.scene.guest(stage.t, 1.0, (3.0, 0.5))
    stage.t = guest.ends + 1.0
    stage.play("a", "fast")
    assert said(stage.run()) == [("legal", "S", "a")]


def test_a_nudged_board_is_no_move(stage: Stage) -> None:
    stage.visit(SOUTH, [Act("rest", 3, 3)], "fast", rest=-0.4)
    stage.shift(5)
    stage.rest(2.5)
    stage.play("a", "fast")
    assert said(stage.run()) == [("legal", "S", "a")]


def test_a_board_that_is_pushed_away_is_found_again_and_nobody_is_accused(stage: Stage) -> None:
    stage.shift(30)
    stage.rest(3.5)
    stage.play("a", "fast")
    assert said(stage.run()) == [("legal", "S", "a")]


def test_somebody_straightens_the_seeds_in_a_pit(stage: Stage) -> None:
    pit = stage.position.board.pit("d")
    stage.visit(NORTH, [Act("lift", pit, 2), Act("rest", pit, 4), Act("drop", pit, 2)], "fast", rest=1.2)
    stage.play("a", "fast")
    assert said(stage.run()) == [("legal", "S", "a")]


# ---- the end of a game, and the next


def test_the_board_is_cleared_after_the_game_and_the_next_is_set_up() -> None:
    stage = Stage(DODOI, "0,0,2,0,0,0/0,1,0,1,0,0 S 22-22 ply=20")
    stage.play("b", "fast", rest=0.8)
    empty = Position(stage.position.board, (0,) * 12)
    stage.lay(empty, NORTH, "fast", rest=0.5)
    setup = DODOI.setup()
    south = stage.lay(setup, SOUTH, "fast", pits=range(6))
    stage.t = south.began
    stage.lay(setup, NORTH, "fast", pits=range(6, 12))
    stage.t = max(visit.ends for visit in stage.scene.visits) + 1.5
    stage.position = setup
    stage.play("a", "fast")
    forms = stage.run()
    assert [f["event"] for f in forms] == ["position", "verdict", "end", "position", "verdict"]
    assert (forms[2]["result"], forms[2]["winner"]) == ("26-22", "S")
    assert forms[3]["position"] == str(setup)
    assert [kind for kind, *_ in said(forms)] == ["legal", "legal"]


def test_a_new_game_is_set_up_in_the_middle_of_one(stage: Stage) -> None:
    stage.play("a", "fast")
    setup = DODOI.setup()
    south = stage.lay(setup, SOUTH, "fast", pits=range(6))
    stage.t = south.began + 0.3
    stage.lay(setup, NORTH, "fast", pits=range(6, 12))
    stage.t = max(visit.ends for visit in stage.scene.visits) + 1.5
    forms = stage.run()
    assert said(forms) == [("legal", "S", "a")], "nobody is asked while the board is laid"
    assert forms[-1]["event"] == "position" and forms[-1]["position"] == str(setup)


# ---- before the first move


RACE = "4,0,4,4,4,0,4,4/3,4,4,2,4,4,0,3 S 0-0"
"""From here the two relays of a race do not meet."""


def test_a_false_start_and_then_the_race() -> None:
    """South lifts too early, lays the seeds back; then both sow at once, and South is asleep first."""
    rules = ruleset("enkeshui")
    stage = Stage(rules, RACE, 9)  # hands that are over the board together for long
    start = stage.position
    h = start.board.pit("h")
    stage.visit(SOUTH, [Act("lift", h, 3), Act("rest", h, 3), Act("drop", h, 3)], "fast", rest=0.8)
    south = stage.play("h", "fast")
    stage.t = south.began + 0.1
    north = stage.play("H", "normal", rest=2.3)
    assert north.ends > south.ends + 0.5
    forms = stage.run()
    assert said(forms) == [("legal", "S", "h"), ("legal", "N", "H")], "both relays, one after the other"
    assert forms[-1]["position"].split()[:2] == [str(stage.position).split()[0], "S"]
