"""The light changes, or something is laid beside the board, and play goes on: in pictures, each with its verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from engine.rules import ruleset
from tests.device.lit import LitStage, over, to

DODOI = ruleset("endodoi")
LINE = "0,1,2,0,1,3/2,1,0,3,1,0 S 17-17 ply=8"


def said(forms: Sequence[dict[str, Any]]) -> list[tuple[str, ...]]:
    """Kind, player and move of each verdict."""
    return [(v["kind"], v["player"], v.get("move") or "") for v in forms if v["event"] == "verdict"]


def played(stage: LitStage, *moves: str) -> list[tuple[str, ...]]:
    """These moves one after the other, and what is due to be said of them."""
    due = []
    for name in moves:
        due.append(("legal", stage.position.to_move.letter, name))
        stage.play(name, "fast")
    return due


@pytest.mark.parametrize("part", [0.36, 0.64], ids=["a third", "two thirds"])
@pytest.mark.parametrize("soft", [0.03, 0.12], ids=["hard", "soft"])
def test_a_shade_that_comes_and_stays_is_light_and_play_goes_on(part: float, soft: float) -> None:
    stage = LitStage(DODOI, LINE)
    due = played(stage, "d")
    stage.shade(over(part, soft))
    stage.rest(1.5)
    due += played(stage, "D", "a")
    stage.rest(1.0)
    assert said(stage.run()) == due


def test_a_shade_that_comes_with_the_mover_and_stays(
) -> None:
    """Somebody leans in as he moves, and stays so."""
    stage = LitStage(DODOI, LINE)
    due = played(stage, "d")
    stage.shade(over(0.5, 0.1))
    due += played(stage, "D", "a")
    stage.rest(1.0)
    assert said(stage.run()) == due


@pytest.mark.parametrize(("at_first", "then"), [(1.0, 0.0), (0.0, 1.0)], ids=["off", "on"])
def test_a_lamp_is_switched(at_first: float, then: float) -> None:
    stage = LitStage(DODOI, LINE, at_first=at_first)
    due = played(stage, "d")
    stage.shade(to(then, 0.0, at_first))
    stage.rest(1.2)
    due += played(stage, "D", "a")
    stage.rest(1.0)
    assert said(stage.run()) == due


def test_the_sun_goes_behind_a_cloud_and_comes_out_again() -> None:
    stage = LitStage(DODOI, LINE)
    due = played(stage, "d")
    stage.shade(to(0.15, 1.5))
    stage.rest(1.2)
    due += played(stage, "D")
    stage.shade(to(1.0, 1.5, 0.15))
    due += played(stage, "a")
    stage.rest(1.0)
    assert said(stage.run()) == due


def test_a_paper_is_laid_at_the_boards_edge() -> None:
    stage = LitStage(DODOI, LINE)
    due = played(stage, "d")
    stage.paper((1.2, 1.75), (3.8, 1.85), (3.9, 3.4), (1.1, 3.4))
    stage.rest(1.5)
    due += played(stage, "D", "a")
    stage.rest(1.0)
    assert said(stage.run()) == due
