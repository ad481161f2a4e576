"""The sowing that all games share, by itself: laps right and wrong, branches, whose turn it is."""

import random
from dataclasses import replace

import pytest

from engine.board import Board, Direction, Side
from engine.position import Position
from engine.rules import ruleset
from engine.sowing import RELAY, WIN, Decision, Sowing
from engine.trace import Capture, Choose, Drop, End, Lift, MakeBull, Stray
from tests.engine.trace_applied import apply

EMPTY = "0,0,0,0,0,0,0,0"
LINE = "0,1,4n,0,6,0,2,1/5,0,0,4s,0,1,0,3 N 12-9 ply=17"
STATE = ("counts", "bulls", "captured", "laps", "origin", "seeds", "direction", "last", "previous", "held", "hand",
         "resown", "taken", "won", "player", "turn", "first", "skip_origin",
         "caps")


def at(line: str) -> Position:
    return Position.parse(line if " " in line else f"{line} S 0-0 ply=10")


def of(sowing: Sowing) -> dict[str, object]:
    return {name: getattr(sowing, name) for name in STATE}


def test_a_sowing_begins_on_the_position_as_it_is() -> None:
    position = at(f"{LINE} caps=2-1")
    sowing = Sowing(position)
    assert sowing.caps == (2, 1)
    assert (tuple(sowing.counts), tuple(sowing.bulls)) == (position.counts, position.bulls)
    assert (sowing.player, sowing.turn, sowing.first) == (Side.NORTH, 8, False)
    assert (sowing.captured, sowing.laps, sowing.seeds, sowing.hand, sowing.resown) == (0, 0, 0, 0, 0)
    assert (sowing.origin, sowing.last) == (-1, -1)
    assert (sowing.taken, sowing.won, sowing.previous, sowing.steps) == (frozenset(), False, None, None)
    assert (sowing.direction, sowing.held, sowing.skip_origin) == (Direction.CCW, Direction.CCW, False)
    assert Sowing(position, traced=True).steps == []


@pytest.mark.parametrize(("ply", "mover", "turn", "others"), [
    (0, Side.SOUTH, 0, 0), (1, Side.NORTH, 0, 1), (2, Side.SOUTH, 1, 1), (3, Side.NORTH, 1, 2), (17, Side.NORTH, 8, 9),
])
def test_who_is_not_to_move_has_moved_once_more_or_as_often(ply: int, mover: Side, turn: int, others: int) -> None:
    position = replace(at(LINE), ply=ply, to_move=mover)
    mine, other = Sowing(position), Sowing(position, mover.other)
    assert (mine.player, mine.turn, mine.first) == (mover, turn, turn == 0)
    assert (other.player, other.turn, other.first) == (mover.other, others, others == 0)


def test_the_other_side_may_be_the_one_that_moves() -> None:
    rules, position = ruleset("endodoi"), ruleset("endodoi").setup()
    assert [m.name[0] for m in rules.moves(position, Side.NORTH).moves] == list("ABCDEF")


@pytest.mark.parametrize("skip", [False, True])
def test_a_traced_lap_is_the_same_lap(skip: bool) -> None:
    rng = random.Random(3)
    for _ in range(60):
        board = rng.choice((Board(2, 5), Board(2, 8), Board(4, 8)))
        position = Position(board, tuple(rng.choices((0, 1, 2, 5, 17), k=board.pits)))
        pit = rng.choice([p for p in range(board.pits) if position.counts[p]] or [-1])
        way = rng.choice(list(Direction))
        if pit < 0:
            continue
        plain, traced = Sowing(position, skip_origin=skip), Sowing(position, skip_origin=skip, traced=True)
        plain.sow(pit, way)
        traced.sow(pit, way)
        assert of(plain) == of(traced)
        path = plain.path(pit, way, position.counts[pit])
        assert traced.steps == [Lift(pit, position.counts[pit]), *map(Drop, path)]
        assert (plain.laps, plain.origin, plain.seeds, plain.direction) == (1, pit, position.counts[pit], way)
        assert (plain.last, plain.next) == (path[-1], path[-1])
        assert plain.previous == (path[-2] if len(path) > 1 else None)
        assert pit not in path or not skip


def test_a_branch_goes_on_by_itself() -> None:
    for traced in (False, True):
        sowing = Sowing(at(LINE), traced=traced)
        sowing.sow(11, Direction.CW)
        sowing.hand, sowing.resown, sowing.taken, sowing.won = 2, 1, frozenset({3}), True
        sowing.held = Direction.CW
        branch = sowing.copy()
        assert of(branch) == of(sowing)
        assert (branch.steps, branch.board, branch.state()) == (sowing.steps, sowing.board, sowing.state())
        before, steps = of(sowing) | {"counts": sowing.counts[:], "bulls": sowing.bulls[:]}, list(sowing.steps or ())
        branch.hand = 0
        branch.sow(0, Direction.CCW)
        branch.end(Decision("bull", (1,)))
        assert (of(sowing), sowing.steps or []) == (before, steps)


# ---- laps as the hand made them ----------------------------------------------------------------------------


def test_seeds_may_be_left_in_the_pit_lifted() -> None:
    sowing = Sowing(at(f"{EMPTY}/5s,0,0,0,0,0,0,0"), traced=True)
    sowing.drop(0, Direction.CCW, [1, 2, 3], left=2)
    assert sowing.counts[:5] == [2, 1, 1, 1, 0]
    assert sowing.bulls[0] is Side.SOUTH
    assert sowing.steps == [Lift(0, 3), Drop(1), Drop(2), Drop(3)]
    assert (sowing.seeds, sowing.last, sowing.previous) == (3, 3, 2)


def test_a_bull_that_is_emptied_is_none_any_more() -> None:
    for traced in (False, True):
        sowing = Sowing(at(f"{EMPTY}/5s,3n,0,0,0,0,0,0"), traced=traced)
        sowing.sow(0, Direction.CCW)
        assert sowing.bulls[:2] == [None, Side.NORTH]
        sowing.take((1,))
        assert sowing.bulls[:2] == [None, None]


@pytest.mark.parametrize(("drops", "stray"), [([1, 2], -1), ([1, 2, 3, 4], 1), ([1, 2, 3], 0)])
def test_seeds_that_vanish_from_the_hand_or_come_into_it_are_a_step(drops: list[int], stray: int) -> None:
    before = at(f"{EMPTY}/3,0,0,0,0,0,0,0")
    sowing = Sowing(before, traced=True)
    sowing.drop(0, Direction.CCW, drops)
    odd = [Stray(None, stray)] if stray else []
    assert sowing.steps == [Lift(0, 3), *odd, *map(Drop, drops)]
    assert sum(sowing.counts) == 3 + stray
    assert apply(before, [*sowing.steps, End("sleeps")]).counts == tuple(sowing.counts)


@pytest.mark.parametrize(("n", "bull"), [(2, Side.SOUTH), (-1, Side.SOUTH), (-4, None)])
def test_seeds_that_come_into_a_pit_or_vanish_from_it_are_a_step(n: int, bull: Side | None) -> None:
    for traced in (False, True):
        sowing = Sowing(at(f"{EMPTY}/4s,1,0,0,0,0,0,0"), traced=traced)
        sowing.stray(0, n)
        assert (sowing.counts[0], sowing.bulls[0]) == (4 + n, bull)
        assert sowing.steps == ([Stray(0, n)] if traced else None)


def test_a_capture_may_leave_seeds_of_its_last_pit() -> None:
    sowing = Sowing(at(f"{EMPTY}/1,5,6,0,0,0,0,0"), traced=True)
    sowing.take((1, 2), left=2)
    assert (sowing.counts[:3], sowing.captured, sowing.steps) == ([1, 0, 2], 9, [Capture((1, 2), 9)])
    sowing.take((0,))
    assert (sowing.counts[:3], sowing.captured) == ([0, 0, 2], 10)


# ---- ends --------------------------------------------------------------------------------------------------


def test_a_relay_is_no_end() -> None:
    with pytest.raises(ValueError, match=r"^a relay is no end$"):
        Sowing(at(LINE)).end(RELAY)


def test_every_step_of_an_end_is_kept() -> None:
    sowing = Sowing(at(f"{EMPTY}/1,3,4,0,0,0,0,0"), traced=True)
    sowing.choose(Direction.CW)
    sowing.end(Decision("bull", (1, 2)))
    assert sowing.steps == [Choose(Direction.CW), MakeBull((1, 2)), End("bull")]
    assert sowing.bulls[:3] == [None, Side.SOUTH, Side.SOUTH]
    assert not sowing.won
    sowing.end(WIN)
    assert sowing.won


def test_seeds_won_are_sown_on_from_where_the_lap_began() -> None:
    sowing = Sowing(Position(Board(4, 8), tuple([2] * 32)), traced=True)
    sowing.sow(3, Direction.CCW)
    sowing.go_on(RELAY)
    assert (sowing.hand, sowing.next, sowing.captured) == (0, 5, 0)
    sowing.go_on(Decision(None, (20, 27)))
    assert (sowing.hand, sowing.next, sowing.captured, sowing.taken) == (4, 3, 4, frozenset({20, 27}))
    assert sowing.state()[1:] == (3, Direction.CCW, 4, frozenset({20, 27}))
    sowing.sow(3, Direction.CW)
    assert (sowing.hand, sowing.resown, sowing.counts[3], sowing.origin, sowing.last) == (0, 4, 0, 3, 15)
    assert sowing.steps is not None
    assert sowing.steps[-5:] == [Capture((20, 27), 4, 3), *map(Drop, (2, 1, 0, 15))]
