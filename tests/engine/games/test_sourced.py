"""Ayoayo and Layli Goobalay are played as their written sources tell it: moves, endless sowings, ends and results.

Seeds lie as they fall, so that rows are empty, heaps go round the board, and uurs are anybody's: games seldom show it.
"""

import random

import pytest

from engine.board import Board, Side
from engine.position import Position
from engine.rules import ruleset
from tests.engine.games.naive_two_rows import table
from tests.engine.games.sourced_two_rows import moves, result
from tests.examples import examples


def scattered(rng: random.Random, uurs: bool) -> Position:
    """Some of 48 seeds thrown into some of the pits, the others captured."""
    lying = rng.choice((48, 40, 30, 20, 12, 8, 5, 3, 2, 1))
    into = rng.choice((range(12), range(6), range(6, 12), rng.sample(range(12), 4)))
    counts, south = [0] * 12, rng.randint(0, 48 - lying)
    for _ in range(lying):
        counts[rng.choice(into)] += 1
    owners = [Side(rng.randrange(2)) if uurs and n > 1 and rng.random() < 0.25 else None for n in counts]
    return Position(Board(2, 6), tuple(counts), tuple(owners), Side(rng.randrange(2)), (south, 48 - lying - south), 9)


@pytest.mark.parametrize(("game", "name"), [
    ("ayoayo", "russ"), ("ayoayo", "wikipedia"), ("layligoobalay", "wikipedia")])
def test_scattered_seeds_are_played_as_the_sources_tell_it(game: str, name: str) -> None:
    rules, rng, ended = ruleset(game, name), random.Random(52), 0
    for _ in range(examples(300)):
        position = scattered(rng, rules.has_bulls)
        ends, endless = moves(game, name, table(position))
        found, over = rules.moves(position), rules.over(position)
        assert {m.pit: table(m.position) for m in found.moves} == ends, position
        assert set(found.endless) == endless or (over is not None and not found.endless), position
        assert (over is None) == bool(ends or endless), position
        if over is not None:
            assert over.result == result(game, table(position)), position
            ended += 1
    assert ended > 20
