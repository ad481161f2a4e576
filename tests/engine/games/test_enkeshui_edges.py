"""Enkeshui's edges (engine/games/enkeshui.md): the race, rearranging, both readings of the choice of direction,
strings at bulls, bulls in the first move, agreed set-ups on every board.

In a line the upper row reads H G F E D C B A, the lower one a b c d e f g h.
"""

import random
import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import drawing
from engine.board import Board, Side
from engine.games import race
from engine.games.race import Chance
from engine.games.rearranging import rearrangements
from engine.position import Position
from engine.rules import Move, MoveError, Rules, RulesError, ruleset
from engine.trace import ARRANGED, REARRANGED, Drop, Lift, laps
from tests.engine.trace_applied import apply

DRIEDGER, WIKIPEDIA = ruleset("enkeshui"), ruleset("enkeshui", "wikipedia")
SETUP = DRIEDGER.setup("2x8-right")
EMPTY = "0,0,0,0,0,0,0,0"
S, N = Side


def at(line: str, ply: int = 10) -> Position:
    return Position.parse(line if " " in line else f"{line} S 0-0 ply={ply}")


def play(line: str, move: str, rules: str = "driedger", ply: int = 10, **sets: str) -> Move:
    return ruleset("enkeshui", rules, sets).play(at(line, ply), move)


def lies(move: Move) -> str:
    return str(move.position).split()[0]


# ---- the race ----------------------------------------------------------------------------------------------

TWO = at(f"0,0,0,0,0,0,0,2/{EMPTY[:-1]}2", 0)
"""South races from h with two seeds, North from A with two."""
STARTS = (7, 8)


def upper(**pits: int) -> tuple[int, ...]:
    """Seeds in North's row alone."""
    counts = [0] * 16
    for name, n in pits.items():
        counts[TWO.board.pit(name)] = n
    return tuple(counts)


def test_any_interleaving_can_explain_the_board_after_a_race() -> None:
    by_board: dict[tuple[int, ...], set[Side]] = {}
    for outcome in race.outcomes(DRIEDGER, TWO, STARTS):
        assert outcome is not None
        by_board.setdefault(outcome.counts, set()).update(outcome.first)
    assert by_board[upper(A=1, C=2, D=1)] >= {N}  # South's second seed finds North's in B, and he sows both on
    assert by_board[upper(A=1, B=2, C=1)] == {S}
    assert upper(B=2, C=1, D=1) in by_board  # South's first seed fell into A before North had lifted it
    assert all(sum(counts) == 4 for counts in by_board)
    for counts in by_board:
        assert race.explain(DRIEDGER, TWO, STARTS, counts).chance is Chance.POSSIBLE


def test_a_board_that_no_interleaving_leads_to_is_not_explained() -> None:
    found = race.explain(DRIEDGER, TWO, STARTS, upper(H=4))
    assert (found.chance, found.outcome) == (Chance.NOT_EXPLAINED, None)
    few = race.explain(DRIEDGER, TWO, STARTS, upper(A=3))
    assert (few.chance, few.why) == (Chance.NOT_EXPLAINED, "3 seeds in 16 pits, 4 in 16 before the race")


def test_a_search_that_is_cut_off_says_so_and_is_soon_done() -> None:
    lying = list(SETUP.counts)
    lying[0], lying[5] = 1, 3
    began = time.process_time()
    found = race.explain(DRIEDGER, SETUP, race.custom(SETUP), lying)
    assert (found.chance, found.why) == (Chance.OPEN, f"{race.BUDGET} states were looked at")
    assert time.process_time() - began < 5


def test_by_custom_the_far_right_pits_are_raced_from() -> None:
    assert tuple(map(SETUP.board.name, race.custom(SETUP))) == ("h", "H")
    even = race.explain(DRIEDGER, SETUP, race.custom(SETUP), (1, 2, 0, 1, 6, 6, 6, 2) * 2)
    assert even.outcome is not None
    assert (even.outcome.first, even.outcome.apart) == (frozenset(Side), 1)  # who was first the board does not tell


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 9999))
def test_a_race_at_an_even_pace_is_always_explained(seed: int) -> None:
    rng = random.Random(seed)
    before = DRIEDGER.setup(rng.choice(("2x8-right", "2x8-left", "2x12")))
    own = [[p for p in before.board.own(side) if before.counts[p]] for side in Side]
    starts = (rng.choice(own[0]), rng.choice(own[1]))
    outcomes = [o for o in race.outcomes(DRIEDGER, before, starts, 1500) if o is not None and o.apart <= 2]
    for outcome in outcomes[:3]:
        assert sum(outcome.counts) == 48
        found = race.explain(DRIEDGER, before, starts, outcome.counts)
        assert found.chance is Chance.POSSIBLE
        assert found.outcome is not None
        assert found.outcome.apart <= outcome.apart


def test_the_race_counts_as_each_players_first_move() -> None:
    after = race.after(SETUP, (1, 2, 0, 1, 6, 6, 6, 2) * 2, N)
    assert (after.ply, after.to_move, after.captured) == (2, N, (0, 0))
    assert race.problems(DRIEDGER, SETUP, after) == []
    assert not DRIEDGER.begin(after).first


@pytest.mark.parametrize(("change", "said"), [
    ({"counts": (1, 2, 0, 1, 6, 6, 6, 1, *(1, 2, 0, 1, 6, 6, 6, 2))}, "47 seeds lie on the board after the race, 48"),
    ({"bulls": (S, *(None,) * 15)}, "pit a is marked as a bull"),
    ({"captured": (1, 0)}, "captured seeds are 1-0"),
    ({"ply": 1}, "ply is 1"),
])
def test_after_the_race_48_seeds_are_all_that_is_certain(change: dict[str, object], said: str) -> None:
    after = race.after(SETUP, (1, 2, 0, 1, 6, 6, 6, 2) * 2, N)
    assert said in race.problems(DRIEDGER, SETUP, replace(after, **change))[0]  # type: ignore[arg-type]  # by name
    twelve = DRIEDGER.setup("2x12")
    assert "the race was run on 2x12" in race.problems(DRIEDGER, twelve, after)[0]


@pytest.mark.parametrize(("rules", "before", "starts", "said"), [
    (DRIEDGER, SETUP, (8, 15), "South races from a pit of his own, not from A"),
    (DRIEDGER, SETUP, (0, 15), "South cannot race from pit a: it is empty"),
    (DRIEDGER, replace(SETUP, ply=1), (7, 15), "the race comes before the first move, and 1 was made"),
    (ruleset("enkeshui", None, {"first_mover": "agreement"}), SETUP, (7, 15), "first_mover is agreement"),
    (ruleset("endodoi"), ruleset("endodoi").setup(), (5, 11), "first_mover is no field of these rules"),
])
def test_no_race_where_there_is_none_to_run(rules: Rules, before: Position, starts: tuple[int, int], said: str) -> None:
    with pytest.raises(MoveError, match=said):
        race.check(rules, before, starts)


# ---- rearranging -------------------------------------------------------------------------------------------


def test_rearranging_lifts_two_pits_and_lays_them_anywhere_in_the_row() -> None:
    move = DRIEDGER.play(SETUP, "dh=5,3,4,0,4,4,4,0")
    assert lies(move) == "4,4,4,4,4,4,0,0/5,3,4,0,4,4,4,0"
    assert (move.captured, move.laps, move.ends) == (0, 0, "arranged")
    assert sum(move.position.counts) == 48
    assert DRIEDGER.play(SETUP, "hd=5,3,4,0,4,4,4,0").name == "dh=5,3,4,0,4,4,4,0"


def test_rearrange_setup_before_the_first_move_is_nobodys_turn() -> None:
    for name in ("cd=4,4,0,0,4,4,4,4", "CD=4,4,0,0,4,4,4,4"):
        after = DRIEDGER.play(SETUP, name).position
        assert (after.to_move, after.ply) == (S, 0)
    begun = DRIEDGER.play(SETUP, "f").position
    with pytest.raises(MoveError, match="allowed before the first move only, and 1 was made"):
        DRIEDGER.play(begun, "CD=4,4,0,0,4,4,4,4")


def test_rearrange_special_is_a_turn_of_its_own() -> None:
    after = WIKIPEDIA.play(SETUP, "cd=4,4,0,0,4,4,4,4").position
    assert (after.to_move, after.ply) == (N, 1)
    with pytest.raises(MoveError, match="South rearranges, and North is to move"):
        WIKIPEDIA.play(after, "ef=4,4,0,0,4,4,4,4")
    later = at("0,5,0,0,0,0,0,20/1,0,2,0,4s,0,6n,0 S 5-5")
    assert lies(WIKIPEDIA.play(later, "ac=0,0,0,2,5,0,6,0")) == "0,5,0,0,0,0,0,20/0,0,0,2,5s,0,6n,0"


def test_rearrange_never() -> None:
    with pytest.raises(MoveError, match="these rules have no rearranging"):
        ruleset("enkeshui", None, {"rearrange": "never"}).play(SETUP, "cd=4,4,0,0,4,4,4,4")
    with pytest.raises(MoveError, match="En Dodoi has no rearranging"):
        ruleset("endodoi").play(ruleset("endodoi").setup(), "cd=4,4,0,0,8,8")


def test_laying_a_four_makes_no_bull() -> None:
    assert not any(WIKIPEDIA.play(SETUP, "cd=4,4,0,0,4,4,4,4").position.bulls)


@pytest.mark.parametrize(("name", "said"), [
    ("c=4,4,0,0,4,4,4,4", "two pits are lifted and named before the =, not 'c'"),
    ("cc=4,4,0,0,4,4,4,4", "two pits are lifted"),
    ("cde=4,4,0,0,4,4,4,4", "two pits are lifted"),
    ("=4,4,0,0,4,4,4,4", "two pits are lifted"),
    ("cz=4,4,0,0,4,4,4,4", "'z' is no pit of a 2x8 board"),
    ("cD=4,4,0,0,4,4,4,4", "pits c and D are not in one row"),
    ("cd=4,4,0,0,4,4,4", "7 counts after the =, and a row has 8 pits"),
    ("cd=4,4,0,0,4,4,4,x", "count 8 after the = is 'x'"),
    ("cd=4,4,0,0,4,4,4,-4", "count 8 after the = is '-4'"),
    ("cd=4,4,0,0,4,4,4,5", "the row adds up to 25 seeds, 24 lie in it"),
    ("cd=8,4,0,0,0,4,4,4", "pit e would hold 0 of its 4 seeds, and it was not lifted"),
    ("ac=4,4,0,0,4,4,4,4", "pit a holds no seeds to lay elsewhere"),
    ("cd=0,0,4,4,4,4,4,4", "nothing changes"),
])
def test_a_rearrangement_that_is_none_is_refused(name: str, said: str) -> None:
    with pytest.raises(MoveError) as e:
        DRIEDGER.play(SETUP, name)
    assert said in str(e.value)
    assert name in str(e.value)


def test_bulls_are_not_rearranged() -> None:
    with pytest.raises(MoveError, match="pit e is a bull and stays as it is"):
        WIKIPEDIA.play(at("0,5,0,0,0,0,0,20/1,0,2,0,4s,0,6n,0 S 5-5"), "ae=0,0,2,5,0,0,6,0")


def test_a_rearrangement_has_a_trace_and_words() -> None:
    for rules, end in ((DRIEDGER, ARRANGED), (WIKIPEDIA, REARRANGED)):
        move = rules.play(SETUP, "cd=8,0,0,0,4,4,4,4")
        assert move.trace == (Lift(2, 4), Lift(3, 4), *[Drop(0)] * 8, end)
        assert apply(SETUP, move.trace) == move.position
        assert laps(move.trace) == 0
        assert "laid elsewhere" in drawing.steps(SETUP.board, move.trace)[-1].text


def test_a_board_tells_which_rearrangement_it_may_have_been() -> None:
    after = WIKIPEDIA.play(SETUP, "cd=8,0,0,0,4,4,4,4").position
    assert rearrangements(WIKIPEDIA, SETUP, after.counts) == ["cd=8,0,0,0,4,4,4,4"]
    one = WIKIPEDIA.play(SETUP, "ch=4,0,0,4,4,4,4,4").position.counts  # the second pit may have been any
    assert rearrangements(WIKIPEDIA, SETUP, one) == [f"c{p}=4,0,0,4,4,4,4,4" for p in "defgh"]
    assert rearrangements(WIKIPEDIA, SETUP, SETUP.counts) == []
    norths = DRIEDGER.play(SETUP, "CD=8,0,0,0,4,4,4,4").position.counts
    assert rearrangements(DRIEDGER, SETUP, norths) == ["CD=8,0,0,0,4,4,4,4"]
    assert rearrangements(DRIEDGER, SETUP, after.counts[:8] + norths[8:]) == []  # two, one of each side
    gaps = at("0,5,0,0,0,0,0,20/1,0,2,0,4s,0,6n,0 S 5-5")
    name = "ac=0,0,0,2,5,0,6,0"
    assert rearrangements(WIKIPEDIA, gaps, WIKIPEDIA.play(gaps, name).position.counts) == [name]
    assert rearrangements(WIKIPEDIA, SETUP, DRIEDGER.play(SETUP, "h").position.counts) == []
    assert rearrangements(WIKIPEDIA, SETUP, SETUP.counts[:8]) == []


# ---- both readings of the choice of direction --------------------------------------------------------------

ROUND = "1,0,0,0,0,0,0,0/0,0,0,0,0,0,0,8"
"""The lap from h drops a seed into every pit of North's, the last into H, which relays with two."""


@pytest.mark.parametrize(("choice", "names"), [
    ("next_lap", {"h<": (3, "sleeps"), "h>": (2, "capture")}),
    ("move", {"h<": (5, "capture"), "h>": (2, "capture")}),
    ("never", {"h": (2, "capture")}),
])
def test_direction_choice_in_its_three_readings(choice: str, names: dict[str, tuple[int, str]]) -> None:
    moves = ruleset("enkeshui", None, {"direction_choice": choice}).moves(at(ROUND)).moves
    assert {m.name: (m.laps, m.ends) for m in moves} == names


def test_a_choice_may_be_made_anew_after_another_such_lap() -> None:
    line = "1,1,1,1,1,1,1,1/0,0,0,0,0,0,17,16"
    for choice in ("next_lap", "move"):
        moves = ruleset("enkeshui", None, {"direction_choice": choice}).moves(at(line)).moves
        assert any(len(m.choices) > 1 for m in moves)


def test_an_origin_that_is_passed_by_gets_no_seed_so_that_not_all_of_the_opponents_did() -> None:
    line = at("0,0,0,0,0,0,16,1/0,0,0,0,0,0,0,2")  # h's two end in B, whose seventeen go all round
    names = {}
    for skip in ("false", "true"):
        rules = ruleset("enkeshui", None, {"skip_origin": skip})
        names[skip] = {m.name for m in rules.moves(line).moves}
    assert {len(name) > 1 for name in names["false"]} == {True}
    assert names["true"] == {"h"}


# ---- strings at bulls --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("upper_row", "stop", "skip"), [
    ("0,5,4n,7,0,0,0,0", "0,0,4n,7,0,0,0,0", "0,0,4n,0,0,0,0,0"),
    ("0,5,4s,5n,7,0,0,0", "0,0,4s,5n,7,0,0,0", "0,0,4s,5n,0,0,0,0"),
    ("0,5,7,4n,0,7,0,0", "0,0,0,4n,0,7,0,0", "0,0,0,4n,0,7,0,0"),  # past a bull an empty pit still stops it
    ("0,5,4n,0,0,0,0,0", "0,0,4n,0,0,0,0,0", "0,0,4n,0,0,0,0,0"),
])
def test_string_at_bull_stop_or_skip(upper_row: str, stop: str, skip: str) -> None:
    for value, after in (("stop", stop), ("skip", skip)):
        assert lies(play(f"{upper_row}/1,0,0,0,0,0,0,0", "a", string_at_bull=value)) == f"{after}/{EMPTY}"


def test_string_at_bull_skip_does_not_begin_at_a_bull() -> None:
    move = play("0,4n,7,0,0,0,0,0/1,0,0,0,0,0,0,0", "a", string_at_bull="skip")
    assert (move.ends, move.captured) == ("sleeps", 0)


# ---- bulls in the first move -------------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "ply", "ends"), [
    ("driedger", 0, "sleeps"), ("driedger", 1, "sleeps"), ("driedger", 2, "bull"),
    ("wikipedia", 0, "bull"), ("wikipedia", 1, "bull"), ("wikipedia", 2, "bull"),
])
def test_bulls_in_first_move(rules: str, ply: int, ends: str) -> None:
    four, pair = f"{EMPTY}/1,3,0,0,0,0,0,0", f"{EMPTY}/2,2,3,0,0,0,0,0"
    assert play(four, "a", rules, ply).ends == ends
    assert play(pair, "a", rules, ply).ends == ends


def test_a_bull_that_is_there_in_the_first_move_is_one() -> None:
    assert play(f"{EMPTY}/1,4s,0,0,0,0,0,0", "a", ply=0).ends == "in-bull"


def test_a_turn_of_rearranging_is_a_players_first_move() -> None:
    rules = ruleset("enkeshui", None, {"rearrange": "special"})
    after = rules.play(rules.play(SETUP, "cd=8,0,0,0,4,4,4,4").position, "D").position
    assert not rules.begin(after).first


# ---- agreed set-ups ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("board", "row"), [
    ("2x8", "3,3,3,3,3,3,3,3"), ("2x10", "0,4,4,4,0,0,4,4,4,0"), ("2x12", "2,2,2,2,2,2,2,2,2,2,2,2"),
])
def test_agreed_set_ups_of_48_seeds_on_every_board(board: str, row: str) -> None:
    for rules in (DRIEDGER, WIKIPEDIA):
        for side in "SN":
            position = Position.parse(f"{row}/{row} {side} 0-0")
            assert str(position.board) == board
            assert rules.problem_sentences(position) == []
            assert rules.moves(position).moves
            short = Position.parse(f"{row}/{row[:-1]}{int(row[-1]) + 1} {side} 0-0")
            assert rules.problem_sentences(short)[0].startswith("49 seeds")


def test_no_set_up_is_written_for_2x10() -> None:
    with pytest.raises(RulesError, match="no written set-up for 2x10: give the position"):
        DRIEDGER.setup(board=Board(2, 10))
    assert DRIEDGER.setups(Board(2, 10)) == ()


@pytest.mark.parametrize("cols", [7, 9, 11])
def test_odd_boards_are_refused(cols: int) -> None:
    row = ",".join(["0"] * (cols - 1) + ["24"])
    assert DRIEDGER.problem_sentences(Position.parse(f"{row}/{row} S 0-0")) == [
        f"Enkeshui is played on 2x8, 2x10 or 2x12, not on 2x{cols}"]
