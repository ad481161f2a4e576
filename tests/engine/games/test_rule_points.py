"""Points of the rules that no other file names: what captures and bulls come to, draws, endless starts, free
choices."""

from dataclasses import replace

import pytest

from engine.board import Board, Direction, Side
from engine.games.base import Over
from engine.matches import MatchBegun
from engine.matches.forms import GamesForm
from engine.position import Position
from engine.rules import MoveError, Rules, ruleset
from engine.trace import Capture, Drop
from tests.engine.matches.shorthand import ENDODOI as ENDODOI_MATCH
from tests.engine.matches.shorthand import ENKESHUI as ENKESHUI_MATCH

ENKESHUI, ENDODOI, OMWESO = ruleset("enkeshui"), ruleset("endodoi"), ruleset("omweso")
AYOAYO, LAYLI = ruleset("ayoayo"), ruleset("layligoobalay")
AYOAYO_MATCH, LAYLI_MATCH = (MatchBegun(game, GamesForm(3)) for game in ("ayoayo", "layligoobalay"))
RELAYED = [ENKESHUI_MATCH, ENDODOI_MATCH, AYOAYO_MATCH, LAYLI_MATCH]
EMPTY = "0,0,0,0,0,0,0,0"


def at(line: str) -> Position:
    return Position.parse(line if " " in line else f"{line} S 0-0 ply=10")


# ---- Enkeshui, point 4 and the end -------------------------------------------------------------------------


def test_captured_seeds_leave_the_board() -> None:
    before = at("0,5,0,0,0,0,0,0/1,0,1,0,0,0,0,0 S 21-20 ply=30")
    after = ENKESHUI.play(before, "a").position
    assert (sum(before.counts), sum(after.counts), after.captured, after.total) == (7, 1, (27, 20), 48)


def test_a_bulls_seeds_stay_for_the_rest_of_the_game() -> None:
    after = ENKESHUI.play(at("0,5,0,0,4s,0,0,2/0,0,4n,1,1,0,2,1 S 16-12 ply=20"), "h").position  # in D it sleeps
    assert str(after) == "0,5,0,0,5s,1,1,0/0,0,4n,1,1,0,2,0 N 16-12 ply=21"
    assert {"c", "D"}.isdisjoint(after.board.name(p) for side in Side for p in ENKESHUI.starts(after, side))


def test_a_bulls_seeds_count_for_its_owner_on_whichever_side_it_stands() -> None:
    over = ENKESHUI.over(at("0,0,0,9s,0,0,0,0/0,0,5n,0,0,0,0,0 S 20-14 ply=40"))
    assert over == Over((29, 19), Side.SOUTH, "South cannot move")


def test_seeds_outside_bulls_go_to_the_player_whose_row_it_is() -> None:
    over = ENKESHUI.over(at("1,2,0,0,0,0,0,3/0,0,0,0,0,0,0,0 S 20-22 ply=40"))
    assert over == Over((20, 28), Side.NORTH, "South cannot move")


def test_twenty_four_all_is_a_draw() -> None:
    over = ENKESHUI.over(at(f"{EMPTY}/0,0,0,0,0,0,0,4 N 20-24 ply=40"))
    assert over == Over((24, 24), None, "North cannot move")


def test_the_last_seed_is_lifted_with_the_rest_of_an_occupied_pit() -> None:
    move = ENKESHUI.play(at(f"{EMPTY}/1,2,0,0,0,0,0,0"), "a")
    assert str(move.position).split()[0] == f"{EMPTY}/0,0,1,1,1,0,0,0"


# ---- En Dodoi ----------------------------------------------------------------------------------------------


def test_en_dodoi_is_sown_anticlockwise_over_both_rows() -> None:
    move = ENDODOI.play(at("0,0,0,0,0/0,0,0,0,8 S 0-0"), "e")
    assert move.trace[1:9] == tuple(map(Drop, (5, 6, 7, 8, 9, 0, 1, 2)))
    assert str(move.position).split()[0] == "1,1,0,1,1/1,1,0,0,0"  # in the empty c it captures from C
    with pytest.raises(MoveError, match="it ends after 0 of the 1 choices"):
        ENDODOI.play(ENDODOI.setup(), "a<")


def test_en_dodoi_is_played_on_two_rows_of_five_to_ten() -> None:
    assert [str(b) for b in ENDODOI.boards] == ["2x5", "2x6", "2x7", "2x8", "2x9", "2x10"]
    assert [ENDODOI.seeds(b) for b in ENDODOI.boards] == [40, 48, 56, 64, 72, 80]


# ---- Omweso ------------------------------------------------------------------------------------------------


def ring(**pits: int) -> Position:
    board = Board(4, 8)
    counts = [0] * 32
    for name, seeds in pits.items():
        counts[board.pit(name)] = seeds
    return Position(board, tuple(counts), ply=30)


def test_reverse_is_never_compulsory() -> None:
    position = ring(b=2, d=1, E=2, M=1)
    assert [m.name for m in OMWESO.moves(position).moves] == ["b>", "b<"]
    assert OMWESO.play(position, "b>").captured == 0


@pytest.mark.parametrize("side", Side)
def test_an_inner_pit_captures_both_pits_of_its_own_column(side: Side) -> None:
    board = Board(4, 8)
    own = board.own(side)
    for pit in own[8:]:
        row, col = board.place(pit)
        across = (board.at(3 - row, col), board.at(0 if row == 2 else 3, col))
        counts = [0] * 32
        counts[pit - 2], counts[pit], counts[across[0]], counts[across[1]] = 2, 1, 3, 2
        position = Position(board, tuple(counts), (), side, ply=30)
        move = OMWESO.play(position, board.name(pit - 2))
        assert next(s for s in move.trace if isinstance(s, Capture)) == Capture(across, 5, pit - 2)
        assert board.owner(across[0]) is side.other


def test_norths_four_leftmost_pits_are_his_own() -> None:
    position = replace(ring(B=2, D=1, e=2, m=1), to_move=Side.NORTH)
    assert [m.name for m in ruleset("omweso").moves(position).moves] == ["B>", "B<"]


def test_emitwe_ebiri_is_a_field_and_on() -> None:
    position = ring(o=2, h=1, A=1, I=8, H=1, P=1, C=9, a=1)
    for sets, ends in (({}, "win"), ({"emitwe_ebiri": "false"}, "sleeps")):
        assert ruleset("omweso", None, sets).play(position, "o").ends == ends


@pytest.mark.parametrize(("caps", "winner"), [((2, 0), Side.SOUTH), ((0, 2), Side.NORTH), ((0, 3), Side.NORTH)])
def test_akakyala_is_either_players(caps: tuple[int, int], winner: Side) -> None:
    over = ruleset("omweso", None, {"akakyala": "true"}).over(replace(OMWESO.setup(), caps=caps))
    assert over == Over((32, 32), winner, f"{winner.title} captured in two moves before {winner.other.title}'s first "
                        "capture")


def test_any_other_occupied_pit_of_ones_own_is_a_relay() -> None:
    for pits in ({"m": 2, "o": 1}, {"p": 2, "g": 1}, {"p": 2, "g": 1, "B": 3}, {"p": 2, "g": 1, "J": 3}):
        position = ring(**pits)
        move = OMWESO.play(position, next(iter(pits)))
        assert (move.laps, move.captured) == (2, 0)


def test_all_64_seeds_stay_on_the_board() -> None:
    position = OMWESO.setup("4x8-twos")
    for _ in range(12):
        position = OMWESO.moves(position).moves[-1].position
        assert (sum(position.counts), position.captured) == (64, (0, 0))


def test_akakyala_need_not_be_two_moves_running() -> None:
    rules = ruleset("omweso", None, {"akakyala": "true"})
    first = replace(ring(p=2, g=1, B=3, J=2, C=9), caps=(0, 0))
    one = rules.play(first, "p").position
    between = replace(first, caps=one.caps, ply=one.ply + 3)  # meanwhile a move of South's that captured nothing
    assert rules.over(one) is None
    over = rules.over(rules.play(between, "p").position)
    assert over is not None
    assert over.winner is Side.SOUTH


# ---- never-ending sowing -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "line", "pit"), [
    (ENDODOI, "1,0,1,2,1/7,2,3,1,2 S 20-0 ply=14", "c"),
    (ENKESHUI, "2,3,2,1,4,0,1,0/1,2,2,1,2,1,2,1 S 23-0 ply=0", "b"),
    (AYOAYO, "1,2,3,1,0,1/0,1,4,0,3,0 S 32-0 ply=10", "c"),
    (LAYLI, "2,3,4,3,2,5/1,4,1,2,1,2 S 18-0 ply=10", "f"),
])
def test_an_endless_start_is_legal_to_begin_and_cannot_be_finished(rules: Rules, line: str, pit: str) -> None:
    position = at(line)
    number = position.board.pit(pit)
    assert number in rules.starts(position)
    found = rules.moves(position)
    assert number in found.endless
    assert number not in {m.pit for m in found.moves}
    with pytest.raises(MoveError, match="the sowing never ends"):
        rules.play(position, pit)


# ---- fields that all games have ----------------------------------------------------------------------------


@pytest.mark.parametrize("game", [ENKESHUI, ENDODOI, OMWESO])
def test_skip_origin_a_lap_of_a_whole_round_drops_into_its_own_origin_or_not(game: Rules) -> None:
    board = game.boards[0]
    ring = board.pits if board.rows == 2 else board.half
    heap = Position(board, (ring, *[0] * (board.pits - 1)), ply=10)
    for skip, left in (("false", 1), ("true", 0)):
        rules = ruleset(game.game, None, {"skip_origin": skip})
        sowing = rules.begin(heap)
        assert sowing.steps is None  # kept only where asked for
        sowing.sow(0, Direction.CCW)
        assert (sowing.counts[0], sowing.counts[1]) == (left, 2 - left)
        assert rules.begin(heap, traced=True).steps == []


def test_a_choice_that_makes_no_difference_is_one_move() -> None:
    # h's eight end in H, whose sixteen go all round either way and end in H, empty by then.
    found = ENKESHUI.moves(at("15,0,0,0,0,0,0,0/0,0,0,0,0,0,0,8")).moves
    assert [m.name for m in found] == ["h>"]
    assert ENKESHUI.play(found[0].before, "h<").position == found[0].position
