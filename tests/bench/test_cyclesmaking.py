"""What Cycles is to draw holds together before it is drawn; Blender itself is not needed."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.bench import photos
from tests.bench.cyclesplans import KINDS, LIGHTS, MOST, SIZE, Plan, ring
from vision.board.lattice import ring_order

PLANS = [Plan.draw(900, number) for number in range(40)]


def test_a_plan_is_the_same_whenever_it_is_drawn_and_another_for_another_board() -> None:
    again = Plan.draw(900, 3)
    assert again.falls == PLANS[3].falls and np.array_equal(again.rims, PLANS[3].rims)
    assert len({(plan.depth, *plan.eye) for plan in [*PLANS, Plan.draw(901, 3)]}) == 41


def test_counts_are_within_their_bounds_and_some_pits_are_empty() -> None:
    falls = [n for plan in PLANS for n in plan.falls]
    assert (min(falls), max(falls)) == (0, MOST)
    assert 0.05 < falls.count(0) / len(falls) < 0.3


def test_every_kind_of_seeds_comes_with_every_light() -> None:
    assert len({(plan.kind.name, plan.light) for plan in PLANS}) == len(KINDS) * len(LIGHTS)


@pytest.mark.parametrize(("rows", "cols"), [(2, 6), (2, 8), (4, 8)])
def test_pits_come_in_the_projects_order(rows: int, cols: int) -> None:
    assert ring(rows, cols) == ring_order(rows, cols)


def test_a_boards_pits_lie_in_the_picture_apart_from_each_other() -> None:
    for plan in PLANS:
        pits = plan.pits([1] * plan.rows * plan.cols, [None] * plan.rows * plan.cols)
        at, r = np.array([(p["cx"], p["cy"]) for p in pits]), np.array([p["r"] for p in pits])
        assert ((at > r[:, None]) & (at < np.array(SIZE) - r[:, None])).all() and (r > 18).all()
        apart = np.hypot(*(at[:, None] - at).transpose(2, 0, 1)) + np.eye(len(at)) * 1e3
        assert (apart > 1.2 * r).all()
        assert at[: plan.cols, 1].mean() > at[plan.cols:, 1].mean() and at[0, 0] < at[plan.cols - 1, 0]


def test_a_place_is_in_the_pit_in_whose_rim_it_lies() -> None:
    plan = PLANS[0]
    pit, away = plan.place(plan.centres + (0, 0.9) * plan.rims[:, 16:17])
    assert pit.tolist() == list(range(len(plan.centres))) and np.allclose(away, 0.9)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_seed_is_about_as_large_as_its_kind_says(kind: object) -> None:
    rng = np.random.default_rng(1)
    ball = rng.normal(size=(500, 3))
    points, mark = next(one for one in KINDS if one is kind).shape(ball / np.linalg.norm(ball, axis=1)[:, None], rng)
    assert np.isfinite(points).all() and 0.6 < np.abs(points).max() < 1.7
    assert mark.min() >= 0 and mark.max() <= 1


def test_the_list_of_boards_is_measured_as_one_of_photographs(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a grey picture no board is found, and pits that are given can be read."""
    plan = PLANS[0]
    pits = plan.pits(list(plan.falls), [0.3 if n else None for n in plan.falls])
    cv2.imwrite(str(tmp_path / "board000.png"), np.full((SIZE[1], SIZE[0], 3), 128, np.uint8))
    (tmp_path / "boards.json").write_text(json.dumps([{"file": "board000.png", "pits": pits}]), "utf-8")
    monkeypatch.setenv("INKEEK_CYCLES", str(tmp_path))
    rows = {(row.measure, row.basis): row for row in photos.cycles_rows()}
    assert rows["boards found", "boards drawn by Cycles"].value == "0.0 %"
    assert rows["pits exact", "boards drawn by Cycles, pits given"].n == len(pits)
