"""Flat and path-traced clips show what their truth says."""

from pathlib import Path

import numpy as np
import pytest

from engine.board import Board, Side
from engine.position import Position
from tests.bench.flatmaking import SEED, TURNS, Flat, make, played
from tests.bench.pathtraced import SIZE
from tests.bench.test_othermaking import film
from tests.bench.tracedmaking import Traced, held_by, number

pytestmark = pytest.mark.for_bench

NUMBER = 5


def test_flat_seeds_lie_in_their_pits_as_many_as_the_game_says() -> None:
    _, start, _, done, rng = played(NUMBER, SEED, 3)
    table = Flat(start, rng, (640, 480))
    for one in done:
        for _, pit, by in one.changes:
            table.change(pit, by)
        assert tuple(map(len, table.lying)) == one.turn.after.counts
        assert all(np.hypot(x, y) < table.pit for lying in table.lying for x, y, *_ in lying)


@pytest.mark.parametrize("edge", ["bottom", *TURNS])
def test_a_flat_hand_reaches_in_from_its_own_sides_edge(edge: str) -> None:
    _, start, _, _, rng = played(NUMBER, SEED, 1)
    table = Flat(start, rng, (640, 480), edge)
    table.noise = np.zeros_like(table.noise)
    last = start.board.rows - 1.0
    with_hand = table.frame([(Side.SOUTH, 2.0, last, "pinch", (0.0, 0.0))]).astype(float)
    changed = np.abs(with_hand - table.frame([])).max(2) > 40
    bands = {"bottom": changed[-5:], "top": changed[:5], "left": changed[:, :5], "right": changed[:, -5:]}
    assert max(bands, key=lambda side: float(bands[side].mean())) == edge


def test_a_flat_clip_holds_what_its_truth_says(tmp_path: Path) -> None:
    told = make(NUMBER, tmp_path / "clip", moves=1)
    frames, fps = film(tmp_path / "clip.mp4")
    move = told["moves"][0]
    before, after = Position.parse(told["start"]), Position.parse(move["position"])
    _, start, _, done, _ = played(NUMBER, SEED, 1)
    assert before == start and after == done[0].turn.after
    assert len(frames) / fps > move["t_out"] + 1.5
    assert np.abs(frames[-1].astype(float) - frames[0]).max() > 40


def test_the_layers_of_a_traced_clip_are_what_its_pits_hold_one_change_after_the_other() -> None:
    _, start, _, done, _ = played(NUMBER, SEED, 3)
    held, after = held_by(start, done), done[-1].turn.after
    for pit in range(start.board.pits):
        counts = held[number(start.board, pit)]
        assert (counts[0], counts[-1]) == (start.counts[pit], after.counts[pit])
        assert len(counts) == 1 + sum(changed == pit for v in done for _, changed, _ in v.changes)


def test_a_traced_pit_changes_alone() -> None:
    board = Board.parse("2x6")
    layers = [np.full((SIZE[1], SIZE[0], 3), shade, np.uint8) for shade in (40, 90, 160)]
    pits = [{"cx": 200 + 170 * (k % 6), "cy": 250 + 200 * (k // 6)} for k in range(12)]
    table = Traced(board, layers, pits, 0.0, np.random.default_rng(2))
    table.south = "bottom"
    for pit in (1, 1, 7):
        table.change(pit, 1)
    seen = table.frame([])
    shades = [int(seen[p["cy"], p["cx"], 0]) for p in pits]
    due = [40] * 12
    due[number(board, 1)], due[number(board, 7)] = 160, 90
    assert shades == due
