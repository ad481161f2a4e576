"""Position lines: there and back, and every error a sentence with value and place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board import Board, Side
from engine.position import MAX_LINE, Position, PositionError

SETUP = "3,3,0,3,3,0,3,3,0,3,3,0/0,3,3,0,3,3,0,3,3,0,3,3 S 0-0 ply=0"
MIDDLE = "0,1,4n,0,6,0,2,1/5,0,0,4s,0,1,0,3 N 12-9 ply=17"

FOUR_ROWS = "5,0,0,0,1,1,1,1/0,3,0,5,5,5,0,5/10,4,1,4,4,0,0,4/1,0,0,0,4,0,0,0 S 0-0 ply=30 caps=2-1 won=N"


@pytest.mark.parametrize("line", [SETUP, MIDDLE, "2,2/3,3 N 1-2 ply=0 caps=1-0", FOUR_ROWS])
def test_a_line_reads_back(line: str) -> None:
    assert str(Position.parse(line)) == line


def test_rows_are_as_south_sees_them() -> None:
    p = Position.parse(MIDDLE)
    board = p.board
    assert (p.counts[board.pit("H")], p.counts[board.pit("A")], p.counts[board.pit("a")]) == (0, 1, 5)
    assert p.bulls[board.pit("F")] is Side.NORTH
    assert p.bulls[board.pit("d")] is Side.SOUTH
    assert (p.to_move, p.captured, p.ply, p.total) == (Side.NORTH, (12, 9), 17, 48)
    assert p.rows() == ((0, 1, 4, 0, 6, 0, 2, 1), (5, 0, 0, 4, 0, 1, 0, 3))


def test_four_rows_are_as_south_sees_them() -> None:
    p = Position.parse(FOUR_ROWS)
    seeds = {name: p.counts[p.board.pit(name)] for name in "aihpAIHP"}
    assert seeds == {"a": 10, "i": 1, "h": 4, "p": 0, "A": 5, "I": 1, "H": 0, "P": 5}
    assert (p.caps, p.won) == ((2, 1), Side.NORTH)


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Any position, also such as no game reaches."""
    board = draw(st.sampled_from([Board(2, 5), Board(2, 8), Board(2, 12), Board(4, 8)]))
    counts = tuple(draw(st.lists(st.integers(0, 60), min_size=board.pits, max_size=board.pits)))
    sides = st.sampled_from([None, Side.SOUTH, Side.NORTH])
    bulls = tuple(draw(sides) if n else None for n in counts)
    pair = st.tuples(st.integers(0, 99), st.integers(0, 99))
    ply = draw(st.integers(0, 999))
    return Position(board, counts, bulls, draw(st.sampled_from(Side)), draw(pair), ply, draw(pair), draw(sides))


@given(positions())
def test_any_position_reads_back(position: Position) -> None:
    assert Position.parse(str(position)) == position


@given(st.text())
def test_any_text_is_a_position_or_one_sentence(text: str) -> None:
    try:
        Position.parse(text)
    except PositionError as e:
        assert str(e)
        assert len(str(e)) < 200


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("3,3/0,1,2 S 0-0", "row 2 has 3 pits, row 1 has 2"),
        ("1,1,1 S 0-0", "1 row of pits; a board has 2 or 4"),
        ("1,1/1,1/1,1 S 0-0", "3 rows of pits"),
        ("1,1/1,1/1,1/1,1 S 0-0", "8 pits in each, not 2"),
        ("1,x/1,1 S 0-0", "'x' in row 1, pit 2 from the left is no count"),
        ("1,1/-1,1 S 0-0", "'-1' in row 2, pit 1"),
        ("1,1/1000,1 S 0-0", "'1000' in row 2, pit 1"),
        ("1,1/٣,1 S 0-0", "in row 2, pit 1"),
        ("1,1/4q,1 S 0-0", "'4q' in row 2, pit 1"),
        ("1,1/0s,1 S 0-0", "pit a is marked as a bull but is empty"),
        ("1,1/1,1 X 0-0", "'X' after the rows is no side to move"),
        ("1,1/1,1 S 0", "'0' is no captured seeds"),
        ("1,1/1,1 S", "'1,1/1,1 S' is no position line"),
        ("", "'' is no position line"),
        ("1,1/1,1 S 0-0 ply=x", "ply is 'x'"),
        ("1,1/1,1 S 0-0 ply=-1", "ply is '-1'"),
        ("1,1/1,1 S 0-0 ply=1 ply=2", "ply is given twice"),
        ("1,1/1,1 S 0-0 won=X", "won is 'X': S or N"),
        ("1,1/1,1 S 0-0 caps=1", "'1' is no caps South-North"),
        ("1,1/1,1 S 0-0 moon=1", "'moon=1' is not known"),
        ("1" * (MAX_LINE + 1), "characters"),
    ],
)
def test_every_error_names_value_and_place(line: str, said: str) -> None:
    with pytest.raises(PositionError) as e:
        Position.parse(line)
    assert said in str(e.value)


def test_a_bull_without_seeds_is_none() -> None:
    p = Position.parse(MIDDLE)
    emptied = p.with_counts((0,) * 16)
    assert emptied.bulls == (None,) * 16


def test_lengths_have_to_fit_the_board() -> None:
    with pytest.raises(ValueError, match="3 counts"):
        Position(Board(2, 8), (1, 2, 3))
