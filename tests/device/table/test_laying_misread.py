"""A board on which hardly a pit is read rightly, though people say what was laid there."""

from collections.abc import Sequence

import numpy as np
import pytest

from device.journal.states import State
from device.table.parameters import LAYING
from engine.board import Side
from engine.referee.search import continuations
from tests.device.played_table import MIDDLE, Later, Played, verdicts

LINE = "5,0,2,1,0,6,3,0/1,0,3,1,4,0,0,3 S 11-8 ply=8"
SOUTH = (0.08, 0.0)


def begun(line: str = LINE, *, sure: bool = True) -> Played:
    played = Played(sure=sure)
    played.start("enkeshui", line)
    return played


def twice(counts: Sequence[int]) -> list[int]:
    """As glass in a glossy bowl is read."""
    return [2 * n for n in counts]


def alike(a: Sequence[int], b: Sequence[int]) -> float:
    return float(np.corrcoef(a, b)[0, 1])


def moved(played: Played) -> tuple[int, ...]:
    """What the move leaves after which most lies as before it."""
    rules, position = played.game.playing
    boards = [move.position.counts for move in rules.moves(position).moves]
    near = max(boards, key=lambda counts: alike(counts, position.counts))
    assert LAYING.known_correlation < alike(near, position.counts) < 1
    return near


def starts(played: Played) -> bool:
    """Whether a hand that comes is one that plays."""
    played.frames(1.2)
    assert played.at(State.SETTING_UP)
    played.frames(0.3, SOUTH)
    return played.at(State.HANDS_IN)


def test_where_more_is_read_where_more_was_laid_that_is_what_lies_there() -> None:
    played = begun()
    played.counts = twice(played.counts)
    assert starts(played)


def test_nobody_is_accused_on_it_before_a_move_was_read_rightly() -> None:
    played = begun()
    laid = played.counts
    played.counts = twice(laid)
    played.frames(1.2)
    played.move([n + (pit == 3) for pit, n in enumerate(twice(laid))], Side.SOUTH, pause=4.0)
    assert [v.kind for v in verdicts(played)] in ([], ["not-sure"])


def test_not_unless_people_have_said_that_it_was_laid() -> None:
    played = begun(sure=False)
    played.counts = twice(played.counts)
    assert not starts(played)


@pytest.mark.parametrize("lies", ["turned", "moved", "the same in all", "hidden"])
def test_another_board_is_not_taken_for_it(lies: str) -> None:
    played = begun()
    seen = list(range(16))
    if lies == "turned":
        played.counts = twice(played.counts[::-1])
    elif lies == "moved":
        played.counts = twice(moved(played))
    elif lies == "hidden":
        played.counts, seen = twice(played.counts), seen[:-1]
    else:
        played.counts = [7] * 16
    played.frames(1.2, seen=seen)
    played.frames(0.3, SOUTH)
    assert played.at(State.SETTING_UP)


def test_not_after_a_hand_has_been_there() -> None:
    played = begun()
    played.counts = twice(played.counts)
    played.frames(0.5, SOUTH)
    assert not starts(played)


def test_a_first_move_that_was_made_unseen_is_judged_beside_the_frames() -> None:
    work = Later()
    played = Played(sure=True, work=work)
    played.start("enkeshui", LINE)
    rules, position = played.game.playing
    move = rules.moves(position).moves[-1]
    played.counts = list(move.position.counts)
    played.frames(8.0)
    assert played.at(State.SETTING_UP) and not verdicts(played)
    work.go_on()
    played.frames(0.5)
    assert [v.kind for v in verdicts(played)] == ["legal"] and played.at(State.WATCHING)


def test_nobody_is_accused_by_later_moves_of_one_that_began_unseen() -> None:
    """Two pits are read with doubt, and people are asked; then they are read clearly, with a seed too many."""
    played = Played(sure=True)
    rules = played.start("enkeshui", MIDDLE)
    start = played.game.playing[1]
    moved_far = [move.position for move in rules.moves(start).moves if apart(move.position.counts, start.counts) > 12]
    legal, cheated = next((lies, h.counts) for lies in moved_far for h in continuations(rules, start).one_fault.listed
                          if h.fault is not None and h.fault.code == "left-seed" and apart(h.counts, lies.counts) == 2)
    played.counts = list(cheated)
    played.doubt = {pit: n for pit, n in enumerate(legal.counts) if n != cheated[pit]}
    played.lean = -3.0
    played.frames(0.5, SOUTH)
    played.frames(4.0)
    assert [v.kind for v in verdicts(played)] == ["not-sure"]
    played.doubt = {}
    answer = rules.moves(legal.with_counts(cheated)).moves[0]
    played.move(answer.position.counts, Side.NORTH, pause=3.0)
    assert [(v.kind, v.player) for v in verdicts(played)] == [("not-sure", "S"), ("legal", "N")]


def apart(a: Sequence[int], b: Sequence[int]) -> int:
    """By how many seeds two boards differ."""
    return sum(abs(n - m) for n, m in zip(a, b, strict=True))
