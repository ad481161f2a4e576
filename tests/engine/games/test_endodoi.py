"""En Dodoi `merker`, rule by rule, and sowing that never ends (engine/games/endodoi.md)."""

import pytest

from engine.board import Board, Direction, Side
from engine.games import laps
from engine.position import Position
from engine.rules import Move, MoveError, RulesError, ruleset

RULES = ruleset("endodoi", "merker")


def play(line: str, move: str) -> Move:
    return RULES.play(Position.parse(line), move)


def lies(move: Move) -> str:
    return str(move.position).split()[0]


def test_last_seed_into_an_occupied_pit_of_either_side_relays() -> None:
    m = play("0,0,0,0,1/0,0,0,1,1 S 0-0", "d")  # d→e, e→A B, B is empty
    assert (lies(m), m.laps, m.ends) == ("0,0,0,1,2/0,0,0,0,0", 2, "sleeps")


def test_four_are_no_bull() -> None:
    assert play("0,0,0,0,0/1,3,0,0,0 S 0-0", "a").laps == 2


def test_a_single_seed_may_be_sown() -> None:
    assert lies(play("0,0,0,0,0/1,0,0,0,0 S 0-0", "a")) == "0,0,0,0,0/0,1,0,0,0"


def test_last_seed_into_an_own_empty_pit_captures_the_facing_and_the_capturing_seed_and_no_string() -> None:
    m = play("0,5,2,0,0/1,0,0,0,0 S 0-0", "a")
    assert (lies(m), m.captured, m.ends) == ("0,0,2,0,0/0,0,0,0,0", 6, "capture")


def test_an_empty_facing_pit_captures_nothing() -> None:
    assert play("0,0,2,0,0/1,0,0,0,0 S 0-0", "a").captured == 0


def test_last_seed_into_an_empty_pit_of_the_opponents_ends_the_move() -> None:
    assert play("0,0,0,0,0/4,0,0,0,1 S 0-0", "e").ends == "sleeps"


def test_who_moved_last_gets_all_that_is_left() -> None:
    over = RULES.over(Position.parse("3,0,2,0,0/0,0,0,0,0 S 20-15 ply=30"))
    assert over is not None
    assert (over.result, over.winner, over.reason) == ((20, 20), None, "South cannot move")
    other = RULES.over(Position.parse("0,0,0,0,0/0,0,1,0,0 N 20-19 ply=30"))
    assert other is not None
    assert (other.result, other.winner) == ((21, 19), Side.SOUTH)


@pytest.mark.parametrize("cols", range(5, 11))
def test_four_seeds_in_every_pit(cols: int) -> None:
    position = RULES.setup(board=Board(2, cols))
    assert position == RULES.setup(f"2x{cols}")
    assert (set(position.counts), RULES.problem_sentences(position)) == ({4}, [])


def test_what_en_dodoi_does_not_have_is_refused() -> None:
    with pytest.raises(RulesError, match="'2x12' is not a set-up"):
        RULES.setup("2x12")
    with pytest.raises(RulesError, match="not on 2x4"):
        RULES.setup(board=Board(2, 4))
    said = RULES.problem_sentences(Position.parse("4,4,4,4,4/4,4,4s,4,4 S 0-0"))
    assert said == ["pit c is marked as a bull, and En Dodoi has none"]
    assert "39 seeds" in RULES.problem_sentences(Position.parse("4,4,4,4,4/4,4,4,4,3 S 0-0"))[0]


# ---- never-ending sowing -----------------------------------------------------------------------------------

ENDLESS = Position.parse("1,0,1,2,1/7,2,3,1,2 S 20-0 ply=14")
TOO_DEEP = Position.parse("3,0,3,0,3/7,0,4,3,4 S 10-3 ply=10")


def test_endless_sowing_is_proved_by_the_return_to_its_first_state() -> None:
    found = RULES.moves(ENDLESS)
    assert [ENDLESS.board.name(p) for p in found.endless] == ["c"]
    assert found.unproved == ()
    assert laps.chain(RULES, RULES.begin(ENDLESS), 2, Direction.CCW, RULES.max_laps) is laps.Stop.CYCLE
    with pytest.raises(MoveError, match="move c: the sowing never ends"):
        RULES.play(ENDLESS, "c")


def test_the_cycle_that_was_proved_is_one() -> None:
    sowing, seen = RULES.begin(ENDLESS), set()
    pit = 2
    for _ in range(10_000):
        sowing.sow(pit, Direction.CCW)
        assert RULES.decide(sowing).ends is None
        pit = sowing.last
        if sowing.state() in seen:
            return
        seen.add(sowing.state())
    pytest.fail("the sowing did not come back to a state")


def test_running_into_max_laps_proves_nothing_and_says_so() -> None:
    found = RULES.moves(TOO_DEEP)
    assert found.endless == found.unproved == (0,)
    with pytest.raises(MoveError, match="does not end within 1000 laps"):
        RULES.play(TOO_DEEP, "a")


def test_max_laps_is_how_deep_a_relay_is_followed() -> None:
    line = "0,0,0,0,1/0,0,0,1,1 S 0-0"
    shallow = ruleset("endodoi", None, {"max_laps": "1"})
    assert shallow.moves(Position.parse(line)).unproved == (3, 4)
    assert ruleset("endodoi", None, {"max_laps": "2"}).moves(Position.parse(line)).unproved == ()


def test_where_every_state_with_a_choice_is_visited_once_the_graph_ends() -> None:
    """Heavy pits give choices lap after lap; the list of moves stays finite and each outcome is listed once."""
    rules = ruleset("enkeshui", None, {"direction_choice": "move"})
    position = Position.parse("1,2,1,1,2,1,1,1/1,1,1,1,1,2,16,16 S 0-0 ply=20")
    found = rules.moves(position)
    reached = [(m.pit, m.position) for m in found.moves]
    assert len(reached) == len(set(reached))
    assert any(len(m.choices) > 1 for m in found.moves)
    for m in found.moves:
        assert rules.play(position, m.name).position == m.position
