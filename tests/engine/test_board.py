"""Boards: numbers, letters, places, rings."""

import pytest

from engine.board import Board, Direction, Side

BOARDS = [*(Board(2, n) for n in range(5, 13)), Board(4, 8)]


@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_names_numbers_and_places_are_one_to_one(board: Board) -> None:
    assert [board.pit(board.name(p)) for p in range(board.pits)] == list(range(board.pits))
    assert [board.at(*board.place(p)) for p in range(board.pits)] == list(range(board.pits))
    assert Board.parse(str(board)) == board


@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_facing_pits_stand_in_one_column_and_face_back(board: Board) -> None:
    for pit in range(board.pits):
        across = board.facing(pit)
        assert board.place(across)[1] == board.place(pit)[1]
        assert board.facing(across) == pit
        assert board.owner(across) is board.owner(pit).other


def test_south_pit_i_faces_north_pit_n_1_i() -> None:
    board = Board(2, 12)
    assert [board.name(board.facing(board.pit(p))) for p in "abl"] == ["L", "K", "A"]


def test_two_rows_are_one_ring_anticlockwise() -> None:
    board = Board(2, 6)
    step, names, at = board.step(Direction.CCW), "", 0
    for _ in range(board.pits):
        names += board.name(at)
        at = step[at]
    assert (names, at) == ("abcdefABCDEF", 0)
    back = board.step(Direction.CW)
    assert all(back[step[p]] == p for p in range(board.pits))


@pytest.mark.parametrize(("start", "ring"), [("i", "ijklmnophgfedcba"), ("I", "IJKLMNOPHGFEDCBA")])
def test_four_rows_are_two_rings(start: str, ring: str) -> None:
    board = Board(4, 8)
    step, names, at = board.step(Direction.CCW), "", board.pit(start)
    for _ in range(16):
        names += board.name(at)
        at = step[at]
    assert (names, board.name(at)) == (ring, start)


def test_a_column_of_four_rows() -> None:
    board = Board(4, 8)
    assert "".join(board.name(board.at(r, 0)) for r in range(4)) == "PHai"
    assert board.owner(board.pit("P")) is Side.NORTH


@pytest.mark.parametrize(
    ("text", "said"),
    [("3x8", "3 rows"), ("4x6", "8 pits in each, not 6"), ("2x27", "not 27"), ("2x", "'2x' is no board"),
     ("2x8; DROP", "is no board"), ("٢x٨", "is no board")],
)
def test_what_is_no_board_is_said_in_a_sentence(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Board.parse(text)


def test_a_pit_that_is_not_there_is_named() -> None:
    with pytest.raises(ValueError, match="'z' is no pit of a 2x8 board: a–h or A–H"):
        Board(2, 8).pit("z")
    with pytest.raises(ValueError, match="row 2, column 0 is not on a 2x8 board"):
        Board(2, 8).at(2, 0)
