"""Enkeshui `driedger`, rule by rule (engine/games/enkeshui.md); boards are sparse so that each can be checked by
eye.

In a line the upper row reads H G F E D C B A, the lower one a b c d e f g h.
"""

import pytest

from engine.board import Board, Direction, Side
from engine.games.enkeshui import Enkeshui
from engine.messages import any_of
from engine.position import Position
from engine.rules import Move, MoveError, RulesError, games, ruleset
from engine.sowing import Sowing

EMPTY = "0,0,0,0,0,0,0,0"


def at(line: str) -> Position:
    """A position in the middle of a game, South to move unless the line says more."""
    return Position.parse(line if " " in line else f"{line} S 0-0 ply=10")


def play(line: str, move: str, rules: str = "driedger", **sets: str) -> Move:
    return ruleset("enkeshui", rules, sets).play(at(line), move)


def lies(move: Move) -> str:
    return str(move.position).split()[0]


# ---- point 1: lifting and sowing ---------------------------------------------------------------------------


def test_sows_one_into_each_following_pit_anticlockwise() -> None:
    m = play(f"{EMPTY}/3,1,1,0,0,0,0,0", "a")
    assert (lies(m), m.ends, m.laps) == (f"{EMPTY}/0,2,2,1,0,0,0,0", "sleeps", 1)
    assert str(m.position).endswith("N 0-0 ply=11")


def test_sowing_goes_on_along_the_opponents_row_and_round_to_ones_own() -> None:
    m = play("0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,10", "h")
    # One into every pit from A to b; b was empty, and from there the string takes G to A.
    assert (lies(m), m.captured) == ("1,0,0,0,0,0,0,0/1,0,0,0,0,0,0,0", 8)
    assert lies(play("0,0,0,0,0,0,2,1/0,0,0,0,0,0,0,0 N 0-0 ply=9", "B")) == "0,0,0,0,1,1,0,1/0,0,0,0,0,0,0,0"


def test_bulls_on_the_way_get_a_seed() -> None:
    assert lies(play(f"{EMPTY}/3,4s,5n,0,0,0,0,0", "a")) == f"{EMPTY}/0,5s,6n,1,0,0,0,0"


def test_a_long_lap_drops_into_its_own_origin_unless_the_ruleset_says_otherwise() -> None:
    for skip, a, b in ((False, 1, 2), (True, 0, 2)):
        sowing = Sowing(at(f"{EMPTY}/17,0,0,0,0,0,0,0"), skip_origin=skip)
        sowing.sow(0, Direction.CCW)
        assert sowing.counts[:2] == [a, b]
        assert sum(sowing.counts) == 17


def test_neither_an_empty_pit_nor_a_bull_nor_the_opponents_may_be_lifted() -> None:
    position = at("1,1,1,1,1,1,1,1/1,0,4s,5n,1,0,0,0")
    rules = ruleset("enkeshui")
    assert [position.board.name(p) for p in rules.starts(position)] == ["a", "e"]
    for move, why in (("b", "holds no seeds"), ("c", "is a bull"), ("A", "is North's, and South is to move"),
                      ("z", "is no pit"), ("a<", "0 of the 1 choices"), ("a+", "only < and >"),
                      ("", "is no pit")):
        with pytest.raises(MoveError, match=why):
            rules.play(position, move)


# ---- point 2: the last seed of a lap -----------------------------------------------------------------------


@pytest.mark.parametrize("owner", ["s", "n"])
def test_last_seed_into_a_bull_of_anyones_sleeps(owner: str) -> None:
    m = play(f"{EMPTY}/1,4{owner},0,0,0,0,0,0", "a")
    assert (lies(m), m.ends) == (f"{EMPTY}/0,5{owner},0,0,0,0,0,0", "in-bull")


def test_last_seed_that_makes_four_makes_a_bull() -> None:
    m = play(f"{EMPTY}/1,3,0,0,0,0,0,0", "a")
    assert (lies(m), m.ends) == (f"{EMPTY}/0,4s,0,0,0,0,0,0", "bull")


def test_a_bull_can_be_made_on_the_opponents_side() -> None:
    assert lies(play("0,0,0,0,0,0,0,3/0,0,0,0,0,0,0,1", "h")) == f"0,0,0,0,0,0,0,4s/{EMPTY}"


@pytest.mark.parametrize(("b", "c"), [(2, 3), (3, 2)])
def test_last_two_seeds_that_make_three_and_four_make_two_bulls(b: int, c: int) -> None:
    m = play(f"{EMPTY}/2,{b},{c},0,0,0,0,0", "a")
    assert (lies(m), m.ends) == (f"{EMPTY}/0,{b + 1}s,{c + 1}s,0,0,0,0,0", "bull")


def test_a_pair_with_a_bull_in_it_is_none() -> None:
    m = play(f"{EMPTY}/2,3s,2,0,0,0,0,0", "a")
    assert (lies(m), m.ends, m.laps) == (f"{EMPTY}/0,4s,0,1,1,1,0,0", "sleeps", 2)


def test_a_four_beside_a_bull_of_three_is_one_bull() -> None:
    assert lies(play(f"{EMPTY}/2,2n,3,0,0,0,0,0", "a")) == f"{EMPTY}/0,3n,4s,0,0,0,0,0"


def test_a_lap_of_one_seed_has_no_last_two() -> None:
    sowing = Sowing(at(f"{EMPTY}/1,2,0,0,0,0,0,0"))
    sowing.sow(0, Direction.CCW)
    assert sowing.previous is None
    assert play("4,0,0,0,0,0,0,0/1,2,0,0,0,0,0,0", "a").laps == 2  # three beside a four that was there: no pair


def test_last_seed_that_makes_three_alone_relays() -> None:
    assert lies(play(f"{EMPTY}/1,2,0,0,0,0,0,0", "a")) == f"{EMPTY}/0,0,1,1,1,0,0,0"


@pytest.mark.parametrize(("line", "after"), [
    (f"{EMPTY}/1,1,0,0,0,0,0,0", f"{EMPTY}/0,0,1,1,0,0,0,0"),
    ("0,0,0,0,0,0,0,1/0,0,0,0,0,0,0,1", "0,0,0,0,0,1,1,0/0,0,0,0,0,0,0,0"),
])
def test_last_seed_into_an_occupied_pit_of_either_side_relays(line: str, after: str) -> None:
    m = play(line, "a" if "/1" in line else "h")
    assert (lies(m), m.laps) == (after, 2)


def test_last_seed_into_an_empty_pit_of_the_opponents_sleeps() -> None:
    m = play("0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,1", "h")
    assert (lies(m), m.ends) == (f"0,0,0,0,0,0,0,1/{EMPTY}", "sleeps")


def test_last_seed_into_an_own_empty_pit_captures_facing_and_capturing_seeds() -> None:
    m = play("0,5,0,0,0,0,0,0/1,0,1,0,0,0,0,0", "a")
    assert (lies(m), m.ends, m.captured) == (f"{EMPTY}/0,0,1,0,0,0,0,0", "capture", 6)
    assert m.position.captured == (6, 0)


def test_a_capture_runs_on_as_a_string_while_own_is_empty_and_facing_is_not() -> None:
    m = play("0,5,2,7,3,0,6,0/1,0,0,0,0,0,0,0", "a")
    assert (lies(m), m.captured) == (f"0,0,0,0,0,0,6,0/{EMPTY}", 6 + 2 + 7 + 3)


def test_a_string_stops_at_an_own_occupied_pit() -> None:
    m = play("0,5,2,7,0,0,0,0/1,0,0,1,0,0,0,0", "a")
    assert (lies(m), m.captured) == ("0,0,0,7,0,0,0,0/0,0,0,1,0,0,0,0", 8)


def test_a_string_stops_at_the_end_of_the_row() -> None:
    m = play("0,0,0,0,0,0,5,2/0,0,0,0,0,1,0,0", "f")
    assert (lies(m), m.captured) == (f"{EMPTY}/{EMPTY}", 8)


def test_norths_string_runs_to_norths_right() -> None:
    m = play("0,0,0,0,0,0,0,1/0,0,0,0,3,2,5,0 N 0-0 ply=11", "A")
    assert (lies(m), m.position.captured) == (f"{EMPTY}/{EMPTY}", (0, 11))


def test_a_string_stops_at_a_facing_bull_or_skips_it() -> None:
    line = "0,5,4n,7,0,0,0,0/1,0,0,0,0,0,0,0"
    assert lies(play(line, "a")) == f"0,0,4n,7,0,0,0,0/{EMPTY}"
    assert lies(play(line, "a", string_at_bull="skip")) == f"0,0,4n,0,0,0,0,0/{EMPTY}"


def test_a_facing_bull_is_not_captured_and_begins_no_string() -> None:
    m = play("0,4n,7,0,0,0,0,0/1,0,0,0,0,0,0,0", "a")
    assert (lies(m), m.ends, m.captured) == ("0,4n,7,0,0,0,0,0/0,1,0,0,0,0,0,0", "sleeps", 0)


def test_an_empty_facing_pit_captures_nothing_not_even_the_string() -> None:
    m = play("0,0,7,0,0,0,0,0/1,0,0,0,0,0,0,0", "a")
    assert (lies(m), m.ends) == ("0,0,7,0,0,0,0,0/0,1,0,0,0,0,0,0", "sleeps")


# ---- point 3: direction ------------------------------------------------------------------------------------

ROUND = "1,0,0,0,0,0,0,0/0,0,0,0,0,0,0,8"
"""The lap from h drops a seed into every pit of North's, the last into H, which relays with two."""


def test_a_lap_through_all_of_the_opponents_pits_gives_the_choice() -> None:
    moves = ruleset("enkeshui").moves(at(ROUND)).moves
    assert {m.name for m in moves} == {"h>", "h<"}
    with pytest.raises(MoveError, match="a direction has to be chosen after lap 1: h> or h<"):
        play(ROUND, "h")


def test_a_lap_that_misses_one_of_the_opponents_pits_gives_none() -> None:
    assert play("0,1,0,0,0,0,0,0/0,0,0,0,0,0,0,7", "h").name == "h"


def test_the_choice_anticlockwise() -> None:
    m = play(ROUND, "h>")  # H's two into a and b; b is empty and faces G; the string takes the rest of the row
    assert (lies(m), m.captured) == (f"{EMPTY}/1,0,0,0,0,0,0,0", 8)


def test_the_choice_holds_for_the_next_lap() -> None:
    m = play(ROUND, "h<")  # H's two into G and F; F relays anticlockwise: G, and H, which is empty
    assert (lies(m), m.ends, m.laps) == (f"1,3,0,1,1,1,1,1/{EMPTY}", "sleeps", 3)


def test_under_move_the_choice_holds_for_the_rest_of_the_move() -> None:
    m = play(ROUND, "h<", direction_choice="move")  # H→G F, F→E D, D→C B, B→A h; h is empty and faces A's two
    assert (lies(m), m.ends, m.captured, m.laps) == (f"0,2,0,2,0,2,0,0/{EMPTY}", "capture", 3, 5)


def test_under_move_a_choice_of_anticlockwise_holds_too() -> None:
    line = "1,0,0,0,0,0,0,0/0,1,0,0,0,0,0,8"
    m = play(line, "h>", direction_choice="move")  # H's two into a and b, b's into c and d, which is empty and faces E
    assert (lies(m), m.captured, m.laps) == ("0,1,1,0,0,0,0,0/1,0,1,0,0,0,0,0", 6, 3)


def test_under_never_there_is_no_choice() -> None:
    m = play(ROUND, "h", direction_choice="never")
    assert lies(m) == lies(play(ROUND, "h>"))


def test_a_string_runs_anticlockwise_after_a_clockwise_lap() -> None:
    rules = Enkeshui()
    sowing = Sowing(at("0,3,2,1,0,0,0,0/0,0,0,1,0,0,0,0"))
    sowing.sow(3, Direction.CW)
    pits = rules.decide(sowing).pits
    assert [sowing.board.name(p) for p in pits] == ["c", "F", "E"]


# ---- point 4 and the end -----------------------------------------------------------------------------------


def test_the_game_ends_when_the_player_to_move_has_no_seed_outside_bulls() -> None:
    rules = ruleset("enkeshui")
    over = rules.over(at("0,5,0,4s,0,0,0,2/0,0,4s,0,0,5n,0,0 S 16-12 ply=40"))
    assert over is not None
    assert (over.result, over.winner, over.reason) == ((16 + 8, 12 + 7 + 5), None, "South cannot move")
    assert rules.over(at("0,5,0,0,0,0,0,2/0,0,4s,0,1,0,0,0 S 24-12 ply=40")) is None


def test_more_seeds_wins() -> None:
    over = ruleset("enkeshui").over(at(f"{EMPTY}/9,0,0,0,0,0,0,0 N 20-19 ply=40"))
    assert over is not None
    assert (over.result, over.winner) == ((29, 19), Side.SOUTH)


# ---- the fields --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("ply", "bull"), [(0, False), (1, False), (2, True)])
def test_no_bulls_in_each_players_first_move(ply: int, bull: bool) -> None:
    line = f"{EMPTY}/1,3,0,0,0,0,0,0 S 0-0 ply={ply}"
    assert play(line, "a").ends == ("bull" if bull else "sleeps")
    assert play(line, "a", bulls_in_first_move="true").ends == "bull"
    pair = f"{EMPTY}/2,2,3,0,0,0,0,0 S 0-0 ply={ply}"
    assert play(pair, "a").ends == ("bull" if bull else "sleeps")


def test_wikipedia_forfeits_captures_after_a_relay() -> None:
    line = "0,0,0,5,0,0,0,0/1,1,0,0,0,0,0,0"
    assert (play(line, "a").captured, play(line, "a", "wikipedia").captured) == (6, 0)
    assert play("0,5,0,0,0,0,0,0/1,0,0,0,0,0,0,0", "a", "wikipedia").captured == 6


def test_wikipedia_is_mere_field_values() -> None:
    rules = ruleset("enkeshui", "wikipedia")
    changed = {k for k, v in rules.values.items() if ruleset("enkeshui").values[k] != v}
    assert changed == {"relay_forfeits_capture", "bulls_in_first_move", "direction_choice", "rearrange"}


# ---- set-ups and what is refused ---------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "line"), [
    ("2x12", "3,3,0,3,3,0,3,3,0,3,3,0/0,3,3,0,3,3,0,3,3,0,3,3"),
    ("2x8-right", "4,4,4,4,4,4,0,0/0,0,4,4,4,4,4,4"),
    ("2x8-left", "0,0,4,4,4,4,4,4/4,4,4,4,4,4,0,0"),
])
def test_setups(name: str, line: str) -> None:
    position = ruleset("enkeshui").setup(name)
    assert str(position) == f"{line} S 0-0 ply=0"
    assert ruleset("enkeshui").problem_sentences(position) == []


def test_a_setup_that_is_not_written_is_refused() -> None:
    rules = ruleset("enkeshui")
    for name, board, said in ((None, Board(2, 10), "no written set-up for 2x10"),
                              ("2x9", None, "'2x9' is not a set-up"),
                              ("2x12", Board(2, 8), "does not fit on 2x8")):
        with pytest.raises(RulesError, match=said):
            rules.setup(name, board)


def test_a_position_is_checked() -> None:
    rules = ruleset("enkeshui")
    (said,) = rules.problem_sentences(at("3,3,0,3,3,0,3,3,0,3,3,0/0,3,3,0,3,3,0,3,3,0,3,2"))
    assert said == "47 seeds (47 on the board and 0 captured): Enkeshui on 2x12 is played with 48"
    (said,) = rules.problem_sentences(at("9,9,9,9,9/3,0,0,0,0"))
    assert said.startswith("Enkeshui is played on 2x8, 2x10 or 2x12, not on 2x5")


@pytest.mark.parametrize(("game", "rules", "sets", "said"), [
    ("chess", None, {}, f"'chess' is not a game known here: {any_of(games())}"),
    ("enkeshui", "merker", {}, "'merker' is not a ruleset of Enkeshui: driedger or wikipedia"),
    ("enkeshui", None, {"bulls": "true"}, "'bulls' is not a field of these rules"),
    ("enkeshui", None, {"direction_choice": "always"}, "direction_choice is 'always': next_lap, move or never"),
    ("enkeshui", None, {"bulls_in_first_move": "perhaps"}, "bulls_in_first_move is 'perhaps': true or false"),
    ("enkeshui", None, {"max_laps": "0"}, "max_laps is '0': a whole number from 1 to 100000"),
    ("endodoi", None, {"max_laps": "²"}, "max_laps is '²'"),
])
def test_what_does_not_exist_is_said_in_a_sentence(
    game: str, rules: str | None, sets: dict[str, str], said: str
) -> None:
    with pytest.raises(RulesError) as e:
        ruleset(game, rules, sets)
    assert said in str(e.value)
