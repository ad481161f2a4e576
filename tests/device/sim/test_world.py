"""The simulated table's world: the course of a game, what it remembers, and how its players hear the referee."""

import itertools

import msgspec
import numpy as np
import pytest

from device.sim.memory import WorldMemory, recall, remember
from device.sim.players import HEED_S, Players, default_players
from device.sim.world import BETWEEN_GAMES_S, World
from engine.board import Board, Side
from engine.position import Position
from engine.rules import ruleset
from engine.trace import MakeBull
from tests.engine.referee.by_hand import NORTHS, SOUTHS, judged, seen


def world(**more: object) -> World:
    rules = ruleset("enkeshui")
    settings: dict[str, object] = {"players": Players(cheats=0.4), "seed": 4, **more}
    return World(rules, rules.setup(), **settings)  # type: ignore[arg-type]  # settings of many types


def run(table: World, seconds: float, step: float = 0.1) -> None:
    end = table.clock + seconds
    while table.clock < end:
        table.advance(min(table.clock + step, end))


def until_truths(table: World, number: int) -> None:
    for _ in range(20000):
        if len(table.truths) >= number:
            return
        table.advance(table.clock + 0.1)
    raise AssertionError(f"only {len(table.truths)} turns")


def test_what_lies_there_is_what_the_truth_says() -> None:
    table = world()
    for number in range(1, 13):
        until_truths(table, number)
        last = table.truths[-1]
        assert tuple(table.counts) == last.play.after.counts
        assert not table.busy
    turns = table.truths
    assert all(a.t_in < a.t_out < b.t_in for a, b in itertools.pairwise(turns))
    assert {t.play.kind for t in turns} >= {"legal", "illegal"}
    for a, b in itertools.pairwise(turns):
        assert b.play.before == a.play.after
    assert {t.plain()["kind"] for t in turns} <= {"legal", "illegal", "tampered"}


def test_the_course_does_not_hang_on_how_often_it_is_looked_at() -> None:
    one, other = world(), world()
    run(one, 60, 0.05)
    run(other, 60, 1.7)
    assert [t.plain() for t in one.truths] == [t.plain() for t in other.truths]
    assert one.counts == other.counts
    another = world(seed=5)
    run(another, 60, 1.7)
    assert [t.plain() for t in another.truths] != [t.plain() for t in one.truths]


def test_a_world_written_down_in_the_middle_of_a_turn_goes_on_as_if_nothing_had_been() -> None:
    table = world()
    while not (table.busy and table.counts != list(table.position.counts) and table.clock > 20):
        table.advance(table.clock + 0.13)
    kept = msgspec.json.decode(msgspec.json.encode(remember(table)), type=WorldMemory)
    again = recall(kept, table.players)
    assert again.counts == table.counts
    assert [h.tip for h in again.hands()] == [h.tip for h in table.hands()] != []
    before = len(table.truths)
    run(table, 40)
    run(again, 40)
    assert [t.plain() for t in again.truths] == [t.plain() for t in table.truths[before:]]
    assert again.counts == table.counts


@pytest.mark.parametrize(
    "wrong", [{"version": 99}, {"pace": "hasty"}, {"position": "1,2/3 S 0-0"}, {"counts": [1, 2]}, {"game": "go"}]
)
def test_a_memory_that_is_none_is_refused(wrong: dict[str, object]) -> None:
    kept = msgspec.structs.replace(remember(world()), **wrong)
    with pytest.raises(ValueError, match=r"\S+ \S+"):
        recall(kept, Players())


@pytest.mark.parametrize("board", ["2x8", "2x12"])
def test_the_referee_sees_the_shows_opening_as_it_was_played(board: str) -> None:
    rules = ruleset("enkeshui")
    position = rules.setup(board=Board.parse(board))
    history: list[Position] = []
    players = default_players(rules, position.board)
    for number in range(len(players.script)):
        play = players.turn(rules, position, number, np.random.default_rng(0))
        assert play is not None
        hands = SOUTHS if play.player is Side.SOUTH else NORTHS
        verdict = judged(rules, position, seen(play.after.counts, hands), history)
        assert (verdict.kind, verdict.player) == (play.kind, play.player)
        assert play.pit is not None
        assert (verdict.move or "").startswith(position.board.name(play.pit))
        # By the board alone two faults may be as likely; the verdict names the other beside the one.
        told = [verdict.faults, *(other.faults for other in verdict.alike)]
        named = {tuple((f.code, f.pit) for f in faults) for faults in told}
        assert ((play.fault, play.at),) in named if play.fault else not verdict.faults
        history.append(position)
        position = play.after


def test_a_ruleset_with_changed_fields_is_remembered() -> None:
    rules = ruleset("enkeshui", "driedger", {"bulls_in_first_move": "true", "direction_choice": "never"})
    again = recall(remember(World(rules, rules.setup(), Players())), Players()).rules
    assert (again.game, again.name, again.values) == (rules.game, rules.name, rules.values)


def test_after_a_withdrawal_the_board_lies_as_before_and_the_same_player_makes_another_legal_move() -> None:
    table = world(players=Players(("c", "!double"), cheats=0))
    until_truths(table, 2)
    caught = table.truths[-1].play
    assert caught.fault == "double"
    assert table.withdraw()
    until_truths(table, 3)
    laid = table.truths[-1].play
    assert laid.kind == "withdrawn"
    assert laid.player is caught.player
    assert tuple(table.counts) == caught.before.counts
    assert table.position == caught.before
    until_truths(table, 4)
    instead = table.truths[-1].play
    assert (instead.kind, instead.player, instead.before) == ("legal", caught.player, caught.before)
    assert instead.after.counts != caught.after.counts


def test_a_turn_can_be_withdrawn_while_it_is_made_and_there_may_be_none() -> None:
    table = world(players=Players(cheats=0))
    assert not table.withdraw()
    run(table, 6)
    assert table.busy
    start = table.position
    assert table.withdraw()
    until_truths(table, 1)
    assert tuple(table.counts) == start.counts


def test_a_new_game_is_laid_by_both_players_and_begins() -> None:
    table = world(players=Players(cheats=0))
    run(table, 40)
    table.new_game(table.rules.setup())
    table.advance(table.clock + 0.6)
    assert {hand.side for hand in table.hands()} == {Side.SOUTH, Side.NORTH}
    seen = len(table.truths)
    until_truths(table, seen + 1)
    assert tuple(table.counts) == table.rules.setup().counts
    assert table.position == table.rules.setup()
    until_truths(table, seen + 2)
    assert table.truths[-1].play.player is Side.SOUTH


def test_after_the_end_of_a_game_a_new_one_is_laid() -> None:
    table = world(players=Players(cheats=0), pace="fast")
    for _ in range(40000):
        table.advance(table.clock + 0.5)
        if table.ended and table.truths[-1].play.kind == "laid":
            break
    ends = [i for i, t in enumerate(table.truths) if table.rules.over(t.play.after) is not None]
    assert ends, "no game ended"
    last, laid = table.truths[ends[0]], table.truths[ends[0] + 1]
    assert laid.play.kind == "laid"
    assert laid.t_in - last.t_out > BETWEEN_GAMES_S - 1


def test_players_heed_the_referee_after_a_fault_unless_it_stands() -> None:
    slow, quick = (world(players=Players(("!skip",), cheats=0), heed=7.0) for _ in range(2))
    for table in (slow, quick):
        until_truths(table, 1)
    quick.play_on()
    assert slow.until - slow.clock > 5
    assert quick.until - quick.clock <= 1.0


@pytest.mark.parametrize("board", ["2x8", "2x12"])
def test_the_show_has_a_capture_a_bull_and_a_cheat_within_three_minutes(board: str) -> None:
    rules = ruleset("enkeshui")
    start = rules.setup(board=Board.parse(board))
    table = World(rules, start, default_players(rules, start.board), seed=1, heed=HEED_S)
    run(table, 170, 0.5)
    legal = [t.play for t in table.truths if t.play.kind == "legal"]
    assert any(p.after.captured != p.before.captured for p in legal)
    assert any(t.play.kind == "illegal" for t in table.truths[:8])
    made = [m for p in legal for m in rules.moves(p.before).moves if m.position == p.after]
    assert any(isinstance(step, MakeBull) for m in made for step in m.trace)
    script = rules.demonstrations["driedger", board]
    played = [t.play for t in table.truths[: len(script)]]
    assert [p.fault for p in played] == [w[1:].split(":")[0] if w[0] == "!" else None for w in script]
    assert max(t.t_out - t.t_in for t in table.truths) < 26


def played(table: World, turns: int) -> list[tuple[int | None, str | None]]:
    """The next turns: the pit that each starts from, and its fault."""
    before = len(table.truths)
    for _ in range(20000):
        made = [one.play for one in table.truths[before:] if one.play.kind not in ("laid", "withdrawn")]
        if len(made) >= turns:
            return [(play.pit, play.fault) for play in made[:turns]]
        table.advance(table.clock + 1.0)
    raise AssertionError(f"only {len(made)} turns")


def test_a_demo_plays_its_script_once_and_then_by_another_lot_each_time() -> None:
    rules = ruleset("enkeshui")
    first, second = [], []
    for _ in range(2):
        table = world(players=default_players(rules, rules.setup().board), seed=1, by_lot=True)
        first.append(played(table, 5))
        table.new_game(rules.setup())
        second.append(played(table, 9))
    assert first[0] == first[1], "every visitor sees a capture, a bull and a foul within three minutes"
    assert second[0] != second[1] and first[0] not in (second[0][:5], second[1][:5])


def test_the_players_make_a_foul_when_they_are_asked_for_one() -> None:
    table = world(players=Players(cheats=0))
    assert all(fault is None for _, fault in played(table, 4))
    table.foul_due = True
    kept = msgspec.json.decode(msgspec.json.encode(remember(table)), type=WorldMemory)
    assert recall(kept, table.players).foul_due, "a table that starts anew still owes it"
    assert [fault is not None for _, fault in played(table, 3)].count(True) == 1
