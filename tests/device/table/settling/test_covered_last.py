"""What a hand was last over is seen again before its move is told while the next hand is there."""

from __future__ import annotations

import numpy as np
import pytest

from device.table.settling.judge_worker import JudgeAtOnce
from tests.device.played_table import Played, begun, verdicts
from tests.device.sowing_hands import BOTH, LINE, NORTH, SOUTH, answer, boards_of, hovers, lays, legal, sows

MOVES = pytest.mark.parametrize("name", ["b", "c", "e", "g", "h"])
"""All that South may play there."""


def at_the_table() -> Played:
    """In the middle of a game."""
    return begun(JudgeAtOnce(), line=LINE)


def told(played: Played) -> list[tuple[str, str]]:
    return [(v.kind, v.player) for v in verdicts(played)]


@MOVES
@pytest.mark.parametrize("takes", [0, 1])
def test_a_pit_that_the_mover_covered_last_is_seen_again_before_anything_is_said(name: str, takes: int) -> None:
    """He may have taken a seed there, and the next hand comes over it as his leaves."""
    played = at_the_table()
    move = legal(played, name)
    sows(played, move, SOUTH)
    last = next(pit for pit in (15, 14) if played.counts[pit] and move.before.counts[pit] == played.counts[pit])
    hovers(played, SOUTH, (last,), 0.4)
    played.counts[last] -= takes
    hovers(played, BOTH, (last,), 0.3)
    hovers(played, NORTH, (last,), 1.5)
    assert not verdicts(played)
    hovers(played, NORTH, (), 1.5)
    played.frames(3.0)
    assert told(played) == [("illegal" if takes else "legal", "S")]


@pytest.mark.parametrize("name", ["b", "e", "g", "h"])
def test_so_is_one_that_he_had_sown_as_long_as_the_next_move_has_not_begun(name: str) -> None:
    played = at_the_table()
    move = legal(played, name)
    sows(played, move, SOUTH)
    last = [pit for pit, n in enumerate(played.counts) if n and move.before.counts[pit] != n][-1]
    hovers(played, SOUTH, (last,), 0.4)
    hovers(played, BOTH, (last,), 0.3)
    hovers(played, NORTH, (last,), 1.5)
    assert not verdicts(played)
    hovers(played, NORTH, (), 1.5)
    assert told(played) == [("legal", "S")]


@MOVES
def test_what_was_sown_last_and_hidden_at_once_by_a_hand_that_moves_keeps_nothing_back(name: str) -> None:
    """It holds what the next player sees and sows on from."""
    played = at_the_table()
    move = legal(played, name)
    other = answer(played, move)
    played.frames(0.4, SOUTH)
    lays(played, boards_of(move), SOUTH)
    last = np.flatnonzero(np.array(boards_of(move)[-1]) != np.array(boards_of(move)[-2])).tolist()
    lays(played, boards_of(other)[:1], BOTH, last)
    lays(played, boards_of(other)[1:4], NORTH, last)
    assert told(played) == [("legal", "S")] and played.game.position == move.position
