"""Faults that are followed by the next move while its own hand has hardly gone."""

from __future__ import annotations

from dataclasses import replace

from device.table.settling.judge_worker import JudgeAtOnce
from engine.board import Side
from tests.device.played_table import Played, begun, verdicts
from tests.device.sowing_hands import BOTH, LINE, NORTH, SOUTH, boards_of, lays, sows, the_wrong_way


def at_the_table() -> Played:
    """In the middle of a game."""
    return begun(JudgeAtOnce(), line=LINE)


def told(played: Played) -> list[tuple[str, str]]:
    """What was said."""
    return [(v.kind, v.player) for v in verdicts(played)]


def test_a_fault_is_said_once_the_next_move_has_begun_and_that_is_judged_from_there() -> None:
    """The next hand comes before the last one has gone, and sows at once."""
    played = at_the_table()
    played.frames(0.4, SOUTH)
    lays(played, the_wrong_way(played), SOUTH)
    rules, before = played.game.playing
    bulls = tuple(Side.SOUTH if pit == 1 else None for pit in range(len(played.counts)))  # four lie in b
    lies = replace(before, counts=tuple(played.counts), bulls=bulls, to_move=Side.NORTH, ply=before.ply + 1)
    move = max(rules.moves(lies).moves, key=lambda one: len(one.trace))
    lays(played, boards_of(move)[:1], BOTH)
    lays(played, boards_of(move)[1:4], NORTH)
    assert told(played) == [("illegal", "S")], "long before its hand has been away for as long as an accusation takes"
    assert [f.code for f in verdicts(played)[0].faults] == ["wrong-way"]
    lays(played, boards_of(move)[4:], NORTH)
    played.frames(2.5)
    assert told(played) == [("illegal", "S"), ("legal", "N")]


def test_a_move_out_of_turn_is_said_once_the_next_has_begun() -> None:
    """North moves, then South, whose turn it was."""
    played = at_the_table()
    rules, before = played.game.playing
    first = max(rules.moves(before, Side.NORTH).moves, key=lambda one: len(one.trace))
    sows(played, first, NORTH)
    then = max(rules.moves(first.position, Side.SOUTH).moves, key=lambda one: len(one.trace))
    lays(played, boards_of(then)[:1], BOTH)
    lays(played, boards_of(then)[1:4], SOUTH)
    assert told(played) == [("illegal", "N")], "long before its hand has been away for as long as an accusation takes"
    assert [f.code for f in verdicts(played)[0].faults] == ["out-of-turn"]
    lays(played, boards_of(then)[4:], SOUTH)
    played.frames(2.5)
    assert told(played) == [("illegal", "N"), ("legal", "S")]
