"""Omweso, point by point as engine/games/omweso.md says it. Positions show only pits that matter."""

import random
import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import drawing, explain
from engine.board import Board, Direction, Side
from engine.games import laps
from engine.games.base import Move, MoveError, Over, Rules
from engine.position import Position
from engine.referee.faults import Work, wrong_start_outcomes
from engine.rules import RulesError, ruleset
from engine.trace import Capture, Choose, Drop, Lift, Step
from tests.engine.games.naive_omweso import TooLongError, naive
from tests.engine.trace_applied import apply

BOARD = Board(4, 8)
RULES = ruleset("omweso")
EXAMPLE = "5,0,0,0,1,1,1,1/0,3,0,5,5,5,0,5/10,4,1,4,4,0,0,4/1,0,0,0,4,0,0,0 S 0-0 ply=30"


def board(to_move: Side = Side.SOUTH, /, **pits: int) -> Position:
    counts = [0] * 32
    for name, seeds in pits.items():
        counts[BOARD.pit(name)] = seeds
    return Position(BOARD, tuple(counts), (), to_move, ply=30)


def lies(position: Position, side: Side = Side.SOUTH) -> dict[str, int]:
    return {BOARD.name(p): position.counts[p] for p in BOARD.own(side) if position.counts[p]}


def names(position: Position, rules: Rules = RULES) -> list[str]:
    return [m.name for m in rules.moves(position).moves]


def play(position: Position, name: str, rules: Rules = RULES) -> Move:
    return rules.play(position, name)


# ---- set-up and arrangement --------------------------------------------------------------------------------

def test_setups_have_32_for_each_player() -> None:
    for name in RULES.setups(BOARD):
        position = RULES.setup(name)
        assert RULES.problem_sentences(position) == []
        assert sum(position.counts[:16]) == 32
    assert lies(RULES.setup()) == dict.fromkeys("ijklmnop", 4)
    assert set(RULES.setup("4x8-twos").counts) == {2}


def test_setups_and_boards_that_are_none_are_refused() -> None:
    with pytest.raises(RulesError, match="'2x8' is not a set-up of Omweso: 4x8-outer or 4x8-twos"):
        RULES.setup("2x8")
    with pytest.raises(RulesError, match="not on 2x8"):
        RULES.setup(board=Board(2, 8))
    assert RULES.setups(Board(2, 8)) == ()
    assert RULES.problem_sentences(ruleset("enkeshui").setup()) == ["Omweso is played on 4x8, not on 2x8"]


@pytest.mark.parametrize(("line", "said"), [
    (EXAMPLE.replace("10,4", "9,4"), "63 seeds"),
    (EXAMPLE.replace("10,4", "10s,4"), "pit a is marked as a bull, and Omweso has none"),
    (EXAMPLE.replace("0-0", "2-0").replace("10,4", "8,4"), "captured seeds are 2-0: Omweso has none"),
])
def test_what_omweso_does_not_have_is_refused(line: str, said: str) -> None:
    assert said in RULES.problem_sentences(Position.parse(line))[0]


# ---- sowing ------------------------------------------------------------------------------------------------

def test_the_worked_example_of_the_source() -> None:
    move = play(Position.parse(EXAMPLE), "m")
    assert str(move.position) == (
        "5,0,0,0,1,1,1,0/0,3,0,5,5,5,0,0/10,4,1,4,4,1,1,6/1,0,0,0,0,2,2,2 N 0-0 ply=31 caps=1-0"
    )
    assert (move.captured, move.laps, move.ends) == (6, 2, "sleeps")


def test_a_move_begins_from_a_pit_of_at_least_two() -> None:
    position = board(i=1, k=2, A=5)
    assert [BOARD.name(p) for p in RULES.starts(position)] == ["k"]
    with pytest.raises(MoveError, match="move i: pit i holds 1 seeds"):
        play(position, "i")


def test_each_player_sows_round_his_own_ring_anticlockwise() -> None:
    assert lies(play(board(o=4), "o").position) == {"p": 1, "h": 1, "g": 1, "f": 1}
    assert lies(play(board(b=3), "b").position) == {"a": 1, "i": 1, "j": 1}
    north = board(Side.NORTH, B=3)
    assert lies(play(north, "B").position, Side.NORTH) == {"A": 1, "I": 1, "J": 1}


def test_last_seed_into_an_empty_pit_ends_the_move() -> None:
    move = play(board(p=2, B=3, J=2), "p")
    assert (lies(move.position), move.ends, move.captured) == ({"h": 1, "g": 1}, "sleeps", 0)


def test_last_seed_into_an_own_occupied_inner_pit_captures_both_pits_of_the_column() -> None:
    move = play(board(p=2, g=1, B=3, J=2), "p")
    assert move.trace[:4] == (Lift(7, 2), Drop(8), Drop(9), Capture((BOARD.pit("B"), BOARD.pit("J")), 5, 7))
    assert lies(move.position, Side.NORTH) == {}
    # Sown from p on, the first into h; the capturing pit g is not lifted.
    assert lies(move.position) == {"h": 2, "g": 3, "f": 1, "e": 1, "d": 1}
    assert (move.captured, move.laps, move.position.captured, move.position.caps) == (5, 2, (0, 0), (1, 0))


def test_north_captures_in_the_same_way() -> None:
    move = play(board(Side.NORTH, P=2, G=1, b=3, j=2), "P")
    assert lies(move.position, Side.NORTH) == {"H": 2, "G": 3, "F": 1, "E": 1, "D": 1}
    assert move.position.caps == (0, 1)


@pytest.mark.parametrize("theirs", [{"B": 3}, {"J": 2}, {"A": 3, "I": 2}])
def test_with_one_of_the_two_pits_empty_the_lap_relays(theirs: dict[str, int]) -> None:
    move = play(board(p=2, g=1, **theirs), "p")
    assert lies(move.position) == {"h": 1, "f": 1, "e": 1}
    assert (move.captured, move.laps) == (0, 2)


def test_an_outer_pit_never_captures() -> None:
    move = play(board(m=2, o=1, B=3, J=2), "m")
    assert lies(move.position) == {"n": 1, "p": 1, "h": 1}


def test_a_capture_after_a_relay_is_sown_from_where_that_lap_began() -> None:
    move = play(board(n=2, p=1, g=1, B=1, J=1), "n")  # o, p; from p: h, g, which captures; from p again: h, g …
    assert [s.sown_from for s in move.trace if isinstance(s, Capture)] == [7]
    assert lies(move.position) == {"o": 1, "f": 1, "e": 1, "d": 1, "h": 2}


def test_a_lap_of_sixteen_drops_into_its_own_beginning() -> None:
    move = play(board(p=16), "p")
    assert (set(move.position.counts[:16]), move.laps) == ({1}, 1)


def test_captured_seeds_are_sown_from_the_beginning_without_lifting_it() -> None:
    move = play(board(p=18, B=1, J=1), "p")  # ends in g, which it has filled itself; then h and g again
    assert move.captured == 2
    first = next(i for i, s in enumerate(move.trace) if isinstance(s, Capture))
    assert move.trace[first + 1 : first + 3] == (Drop(8), Drop(9))
    assert move.position.counts[7] >= 1


# ---- reverse -----------------------------------------------------------------------------------------------

CLOCKWISE = {"b": 2, "d": 1, "E": 2, "M": 1}
"""b sown clockwise ends in d, in a column that can be captured."""


def test_a_lap_from_the_four_leftmost_pits_that_captures_may_go_clockwise() -> None:
    position = board(**CLOCKWISE)
    assert names(position) == ["b>", "b<"]
    move = play(position, "b<")
    assert move.trace[:4] == (Choose(Direction.CW), Lift(14, 2), Drop(13), Drop(12))
    assert (lies(play(position, "b>").position), move.captured) == ({"a": 1, "i": 1, "d": 1}, 3)


@pytest.mark.parametrize(("pits", "left"), [
    ({"a": 2, "c": 1, "F": 1, "N": 1}, "a"), ({"b": 2, "d": 1, "E": 1, "M": 1}, "b"),
    ({"i": 2, "b": 1, "G": 1, "O": 1}, "i"), ({"j": 3, "b": 1, "G": 1, "O": 1}, "j"),
])
def test_each_of_the_four_leftmost(pits: dict[str, int], left: str) -> None:
    assert {n[:2] for n in names(board(**pits)) if n[0] == left} == {f"{left}<", f"{left}>"}


def test_from_another_pit_no_lap_goes_clockwise() -> None:
    assert names(board(c=2, e=1, D=2, L=1)) == ["c"]


def test_a_lap_that_would_not_capture_may_not_go_clockwise() -> None:
    for missing in ("d", "E", "M"):
        assert names(board(**{**CLOCKWISE, missing: 0})) == ["b"]
    with pytest.raises(MoveError, match="ends after 0 of the 1 choices"):
        play(board(b=2), "b<")


def test_reverse_can_be_ruled_out() -> None:
    assert names(board(**CLOCKWISE), ruleset("omweso", None, {"reverse": "false"})) == ["b"]


def test_a_choice_that_is_due_has_to_be_named() -> None:
    with pytest.raises(MoveError, match="a direction has to be chosen for the first lap: b> or b<"):
        play(board(**CLOCKWISE), "b")


def test_a_relay_lap_whose_lifted_pit_is_one_of_the_four_may_turn() -> None:
    position = board(e=3, b=1, d=1, E=2, M=1)  # d, c, b: two in b, which clockwise end in d
    assert names(position) == ["e>", "e<"]
    move = play(position, "e<")
    assert (move.captured, [s.sown_from for s in move.trace if isinstance(s, Capture)]) == (3, [14])


def test_seeds_won_clockwise_may_go_clockwise_again_if_that_captures_too() -> None:
    # From b clockwise into d: three are won, and clockwise again they end in e, in its column.
    position = board(**CLOCKWISE, e=1, D=1, L=1)
    assert names(position) == ["b>", "b<>", "b<<"]
    assert play(position, "b<<").captured == 5
    # With nothing to win there they go anticlockwise, and there is no choice.
    assert names(board(**CLOCKWISE, e=1)) == ["b>", "b<"]
    assert lies(play(board(**CLOCKWISE, e=1), "b<").position)["a"] == 1


def test_seeds_won_anticlockwise_are_sown_anticlockwise() -> None:
    # From j: k … p, h. h is occupied: two are won; from j clockwise they would end in a, in an occupied column.
    position = board(j=7, h=1, A=1, I=1, a=1, H=1, P=1)
    other = ruleset("omweso", None, {"reverse_after_forward_capture": "true"})
    assert [n for n in names(position) if n[0] == "j"] == ["j"]
    assert [n for n in names(position, other) if n[0] == "j"] == ["j>", "j<"]
    assert play(position, "j").position == play(position, "j>", other).position
    assert play(position, "j<", other).captured == 4


def test_igisoro_turns_at_both_ends_of_the_outer_row_and_the_second_from_each_end_of_the_inner() -> None:
    igisoro = ruleset("omweso", "igisoro")
    there = [board(i=2, b=1, G=1, O=1), board(p=8, a=1, H=1, P=1), board(**CLOCKWISE), board(g=15, f=1, C=1, K=1)]
    assert [any(n.startswith(f"{pit}<") for n in names(p, igisoro)) for pit, p in zip("ipbg", there, strict=True)] == [
        True, True, True, True,
    ]
    assert [any("<" in n for n in names(p)) for p in there] == [True, False, True, False]
    assert names(board(a=2, c=1, F=1, N=1), igisoro) == ["a"]
    assert names(board(a=2, c=1, F=1, N=1)) == ["a>", "a<"]


def test_in_the_first_free_turns_a_lap_that_would_capture_relays() -> None:
    rules = ruleset("omweso", None, {"capture_free_turns": "2"})
    position = board(p=2, g=1, B=3, J=2)
    for ply, captured in ((0, 0), (2, 0), (3, 0), (4, 5)):
        assert play(replace(position, ply=ply), "p", rules).captured == captured
    assert names(replace(board(**CLOCKWISE), ply=0), rules) == ["b"]  # and no lap that captures nothing goes clockwise


# ---- the end -----------------------------------------------------------------------------------------------

def test_who_has_no_pit_of_two_or_more_loses() -> None:
    position = board(Side.NORTH, A=1, B=1, i=40, j=22)
    assert RULES.over(position) == Over((62, 2), Side.SOUTH, "North has no pit of two or more")
    assert RULES.moves(position).moves == ()
    assert RULES.over(replace(position, to_move=Side.SOUTH)) is None


def test_emitwe_ebiri_captures_at_both_ends_in_one_move_and_wins_at_once() -> None:
    # o: p, h, which captures nine; from o again they end in a, which captures two; the rest relays to its end.
    position = board(o=2, h=1, A=1, I=8, H=1, P=1, C=9, a=1)
    move = play(position, "o")
    assert [BOARD.name(s.pits[0]) for s in move.trace if isinstance(s, Capture)] == ["A", "H"]
    assert (move.ends, move.position.won) == ("win", Side.SOUTH)
    assert str(move.position).endswith("ply=31 caps=1-0 won=S")
    over = RULES.over(move.position)
    assert over is not None
    assert (over.winner, over.reason) == (Side.SOUTH, "South captured at both ends of the board in one move")
    assert RULES.moves(move.position).moves == ()
    off = ruleset("omweso", None, {"emitwe_ebiri": "false"})
    assert play(position, "o", off).position == replace(move.position, won=None)


def test_a_relay_after_emitwe_ebiri_need_not_end() -> None:
    sowing, pit = RULES.begin(ENDLESS), BOARD.pit("g")
    assert laps.chain(RULES, sowing.copy(), pit, Direction.CCW, RULES.max_laps) is laps.Stop.CYCLE
    sowing.taken = frozenset({BOARD.pit("A"), BOARD.pit("H")})
    decision = laps.chain(RULES, sowing, pit, Direction.CCW, RULES.max_laps)
    assert not isinstance(decision, laps.Stop)
    sowing.end(decision)
    assert sowing.position(ENDLESS).won is Side.SOUTH


TAKES_ALL = "0,0,0,0,0,0,7,0/0,0,0,0,0,0,6,0/0,5,6,0,4,7,1,0/1,6,5,0,3,5,1,2 S 0-0 ply=24"
"""p captures all that North has, and relays for ever."""
TAKES_SOME = TAKES_ALL.replace("0,0,0,0,0,0,7,0/", "1,0,0,1,2,0,7,1/")


def test_a_relay_after_akawumbi_need_not_end() -> None:
    move = play(Position.parse(TAKES_ALL), "p")
    assert (move.captured, move.ends, lies(move.position, Side.NORTH)) == (13, "win", {})
    assert RULES.over(move.position) == Over((59, 0), Side.SOUTH, "South captured all that North had", 3)
    south = Position.parse(TAKES_ALL)
    norths = play(Position(BOARD, south.counts[16:] + south.counts[:16], (), Side.NORTH, ply=25), "P")
    assert (norths.captured, norths.ends) == (13, "win")
    assert RULES.over(norths.position) == Over((0, 59), Side.NORTH, "North captured all that South had", 3)
    assert RULES.moves(Position.parse(TAKES_SOME)).endless == (BOARD.pit("p"),)


def test_a_relay_after_akakyala_need_not_end() -> None:
    rules, position = ruleset("omweso", None, {"akakyala": "true"}), Position.parse(TAKES_SOME)
    move = play(replace(position, caps=(1, 0)), "p", rules)
    assert (move.ends, move.position.caps) == ("win", (2, 0))
    assert rules.over(move.position) == Over(
        (59, 5), Side.SOUTH, "South captured in two moves before North's first capture")
    for caps in ((0, 0), (1, 1), (0, 1)):
        with pytest.raises(MoveError, match="move p: the sowing never ends"):
            play(replace(position, caps=caps), "p", rules)
    with pytest.raises(MoveError, match="move p: the sowing never ends"):
        play(replace(position, caps=(1, 0)), "p")


def test_other_games_are_not_won_midway() -> None:
    rules = ruleset("endodoi")
    said = rules.problem_sentences(replace(rules.setup(), won=Side.NORTH))
    assert said == ["won=N is not possible: En Dodoi is not won in the middle of a move"]


def test_akakyala_two_captures_before_the_opponents_first_win() -> None:
    rules = ruleset("omweso", None, {"akakyala": "true"})
    position = replace(board(p=2, g=1, B=3, J=2, C=9), caps=(1, 0))
    after = play(position, "p").position
    assert after.caps == (2, 0)
    over = rules.over(after)
    assert over is not None
    assert (over.winner, over.reason) == (Side.SOUTH, "South captured in two moves before North's first capture")
    assert RULES.over(after) is None
    assert rules.over(play(replace(position, caps=(1, 1)), "p").position) is None
    assert rules.over(play(replace(position, caps=(0, 0)), "p").position) is None


def test_two_captures_in_one_move_count_once() -> None:
    position = board(**CLOCKWISE, e=1, D=1, L=1, A=5)
    assert sum(isinstance(s, Capture) for s in play(position, "b<<").trace) == 2
    assert play(position, "b<<").position.caps == (1, 0)


def test_akawumbi_captures_all_that_the_opponent_had_and_weighs_more() -> None:
    after = play(board(p=2, g=1, B=3, J=2), "p").position
    assert RULES.over(after) == Over((8, 0), Side.SOUTH, "South captured all that North had", 3)
    over = ruleset("omweso", None, {"akawumbi_points": "2"}).over(after)
    assert over is not None and over.points == 2
    plain = RULES.over(board(Side.NORTH, A=1, i=5))
    assert plain is not None and plain.points == 1


def test_clocks_are_fields() -> None:
    assert [RULES.values[n] for n in ("clocks", "begin_seconds", "move_seconds")] == [True, 3, 180]
    with pytest.raises(RulesError, match="begin_seconds is '0': a whole number from 1 to 60"):
        ruleset("omweso", None, {"begin_seconds": "0"})


# ---- never-ending sowing -----------------------------------------------------------------------------------

ENDLESS = Position.parse("1,0,0,1,2,0,0,1/0,0,0,0,0,0,0,0/4,0,4,1,6,1,17,1/5,2,3,6,1,0,3,5 S 0-0 ply=24 caps=2-0")
TOO_DEEP = Position.parse("0,0,0,1,1,0,0,0/0,0,0,0,0,0,0,0/7,6,1,8,3,6,1,4/4,4,1,2,6,2,4,3 S 0-0 ply=24")


def test_an_endless_relay_is_proved_and_one_that_is_cut_off_is_called_so() -> None:
    proved, cut = RULES.moves(ENDLESS), RULES.moves(TOO_DEEP)
    assert (proved.endless, proved.unproved) == ((BOARD.pit("g"),), ())
    assert (cut.endless, cut.unproved) == ((BOARD.pit("i"),), (BOARD.pit("i"),))
    with pytest.raises(MoveError, match="move g: the sowing never ends"):
        play(ENDLESS, "g")
    with pytest.raises(MoveError, match="move i: the sowing does not end within 1000 laps"):
        play(TOO_DEEP, "i")


# ---- the same by another way -------------------------------------------------------------------------------

@st.composite
def reached(draw: st.DrawFn) -> Position:
    rng = random.Random(draw(st.integers(0, 10_000)))
    position = RULES.setup(rng.choice(RULES.setups(BOARD)))
    for _ in range(draw(st.integers(0, 30))):
        found = RULES.moves(position).moves
        if not found:
            break
        position = rng.choice(found).position
    return position


@settings(max_examples=40, deadline=None)
@given(reached())
def test_the_legal_moves_are_those_of_a_naive_walk(position: Position) -> None:
    if RULES.over(position) is not None:
        return
    found = RULES.moves(position)
    for pit in RULES.starts(position):
        try:
            expected = naive(position, pit)
        except TooLongError:
            continue
        assert {(m.position.counts, m.captured) for m in found.moves if m.pit == pit} == expected


@settings(max_examples=40, deadline=None)
@given(reached())
def test_seeds_are_conserved_through_every_step(position: Position) -> None:
    for move in RULES.moves(position).moves:
        counts, hand = list(position.counts), 0
        for step in move.trace:
            counts, hand = done(step, counts, hand)
            assert (sum(counts) + hand, hand >= 0) == (64, True)
        assert tuple(counts) == move.position.counts
        assert apply(position, move.trace) == move.position


def done(step: Step, counts: list[int], hand: int) -> tuple[list[int], int]:
    """The board and the hand after a step that may be done there."""
    match step:
        case Lift(pit, n):
            assert n == counts[pit] > 1 and not hand
            return [0 if p == pit else held for p, held in enumerate(counts)], n
        case Drop(pit):
            return [held + (p == pit) for p, held in enumerate(counts)], hand - 1
        case Capture(pits, n):
            assert n == sum(counts[p] for p in pits) and not hand
            return [0 if p in pits else held for p, held in enumerate(counts)], n
    return counts, hand


def test_heavy_positions_answer_in_under_a_second() -> None:
    for position in (TOO_DEEP, RULES.setup("4x8-twos"), RULES.setup()):
        before = time.process_time()
        RULES.moves(position)
        assert time.process_time() - before < 1


# ---- words and faults --------------------------------------------------------------------------------------

def test_the_steps_of_a_capture_say_from_where_it_is_sown_on() -> None:
    drawn = drawing.steps(BOARD, play(board(p=2, g=1, B=3, J=2), "p").trace)
    assert [(d.kind, d.pit, d.n, d.lap) for d in drawn[3:5]] == [("capture", "B,J", 5, 1), ("drop", "h", 1, 2)]
    assert drawn[3].text == "captures five seeds from B and J, to be sown on from pit p"
    assert drawn[4].text == "second lap, from pit p: one seed into h"


def test_a_lone_seed_lifted_is_its_own_fault() -> None:
    lifted = {name: wrong_start_outcomes(RULES, board(i=1, A=3), Side.SOUTH, BOARD.pit(name), Work(100))
              for name in ("i", "A")}
    codes = {name: {o.fault.code for o in outcomes} for name, outcomes in lifted.items()}
    assert codes == {"i": {"lone-seed"}, "A": {"wrong-side"}}
    fault = next(iter(wrong_start_outcomes(RULES, board(i=1), Side.SOUTH, BOARD.pit("i"), Work(100)))).fault
    said = explain.fault_sentence(BOARD, "South", "i", fault, ())
    assert said == "South started from i, which held only one seed; at least two are needed."
