"""What holds in every position of every game: seeds are conserved, traces apply, moves have names that play."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.board import Side
from engine.drawing import steps
from engine.position import Position
from engine.rules import Rules, games, ruleset, rulesets
from engine.trace import Capture, Choose, Drop, End, Lay, Lift, Trace, TraceError, laps
from tests.engine.trace_applied import apply

ALL = [ruleset(g, r) for g in games() for r in rulesets(g)]
ALL.append(ruleset("enkeshui", None, {"skip_origin": "true", "string_at_bull": "skip", "direction_choice": "move"}))


@st.composite
def reached(draw: st.DrawFn) -> tuple[Rules, Position]:
    """A position that random play reaches, and its rules."""
    rules = draw(st.sampled_from(ALL))
    rng = random.Random(draw(st.integers(0, 10_000)))
    position = rules.setup(board=rng.choice([b for b in rules.boards if str(b) != "2x10" or rules.game == "endodoi"]))
    for _ in range(draw(st.integers(0, 40))):
        moves = rules.moves(position).moves
        if not moves:
            break
        position = rng.choice(moves).position
    return rules, position


@settings(max_examples=120, deadline=None)
@given(reached())
def test_every_legal_move(case: tuple[Rules, Position]) -> None:
    rules, before = case
    assert rules.problem_sentences(before) == []
    assert Position.parse(str(before)) == before
    for move in rules.moves(before).moves:
        after = move.position
        assert rules.problem_sentences(after) == []  # conserves seeds
        assert (after.to_move, after.ply) == (before.to_move.other, before.ply + 1)
        assert apply(before, move.trace) == after
        again = rules.play(before, move.name)
        assert (again.position, again.laps, again.captured) == (after, move.laps, move.captured)
        assert laps(move.trace) == move.laps
        assert "".join(s.direction.value for s in move.trace if isinstance(s, Choose)) == move.choices
        assert move.trace[-1] == End(move.ends)
        gain = after.captured[before.to_move] - before.captured[before.to_move]
        takes = [s for s in move.trace if isinstance(s, Capture)]
        assert move.captured == sum(s.n for s in takes)
        assert gain == sum(s.n for s in takes if s.sown_from is None)
        assert after.captured[before.to_move.other] == before.captured[before.to_move.other]


@settings(max_examples=40, deadline=None)
@given(reached())
def test_bulls_are_never_lifted_nor_captured_and_only_grow(case: tuple[Rules, Position]) -> None:
    rules, before = case
    for move in rules.moves(before).moves:
        for pit, owner in enumerate(before.bulls):
            if owner is not None:
                assert move.position.bulls[pit] is owner
                assert move.position.counts[pit] >= before.counts[pit]


@settings(max_examples=60, deadline=None)
@given(reached())
def test_a_game_is_over_or_somebody_can_move(case: tuple[Rules, Position]) -> None:
    rules, position = case
    over, found = rules.over(position), rules.moves(position)
    assert (over is None) == bool(found.moves or found.endless)
    if over is not None:
        assert sum(over.result) == position.total
        assert over.winner in (None, Side.SOUTH, Side.NORTH)


@settings(max_examples=40, deadline=None)
@given(reached())
def test_a_board_seen_from_the_other_side_plays_the_same(case: tuple[Rules, Position]) -> None:
    rules, position = case
    half, other = position.board.half, [None if b is None else b.other for b in position.bulls]
    turned = Position(position.board, position.counts[half:] + position.counts[:half], (*other[half:], *other[:half]),
                      position.to_move.other, position.captured[::-1], position.ply, position.caps[::-1],
                      None if position.won is None else position.won.other)
    names = [m.name.swapcase() for m in rules.moves(turned).moves]
    assert sorted(names) == sorted(m.name for m in rules.moves(position).moves)


@settings(max_examples=30, deadline=None)
@given(reached())
def test_steps_for_drawing_hold_every_seed(case: tuple[Rules, Position]) -> None:
    rules, position = case
    for move in rules.moves(position).moves:
        drawn = steps(position.board, move.trace)
        dropped = sum(isinstance(s, Drop | Lay) for s in move.trace)
        assert sum(d.n for d in drawn if d.kind == "drop") == dropped
        assert sum(d.n for d in drawn if d.kind == "lift") == sum(s.n for s in move.trace if isinstance(s, Lift | Lay))
        assert all(d.text and not d.wrong for d in drawn)


@pytest.mark.parametrize(("trace", "said"), [
    ((Lift(0, 9),), "9 seeds lifted from a, which holds 4"),
    ((Drop(0),), "a seed dropped into a from an empty hand"),
    ((Lift(0, 4), End("sleeps")), "ended with 4 seeds in the hand"),
    ((Capture((0,), 5),), "5 seeds captured, the pits hold 4"),
    ((Lay(0, 1, 5),), "5 seeds laid from a, which holds 4"),
])
def test_a_trace_that_cannot_have_happened_is_refused(trace: Trace, said: str) -> None:
    with pytest.raises(TraceError) as e:
        apply(ruleset("endodoi").setup(), trace)
    assert said in str(e.value)
