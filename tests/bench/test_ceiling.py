"""How much of each seed a picture shows, and the rows of the ceiling."""

import json
import math
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.bench import photos
from tests.bench.ceiling import F64, Pinhole, all_show, least_shown, seen
from tests.bench.pathtraced import FOV, SIZE, Board, pits, shown

ABOVE = Pinhole(np.array([0.0, 0.0, 10.0]), (400, 300), 30.0)
BOWL = Board(1, 1, 0.4, 0.3, 2.0, np.zeros((1, 2)))


def egg(at: tuple[float, float, float], *axes: float) -> F64:
    """Return an egg whose axes are parallel to the world's."""
    out = np.diag([*(axes if len(axes) > 1 else axes * 3), 1.0])
    out[:3, 3] = at
    return out


def all_open(points: F64) -> NDArray[np.bool_]:
    """Hide nothing: there is no wood."""
    return np.ones(len(points), np.bool_)


def test_a_seed_by_itself_covers_what_a_ball_does() -> None:
    shows, alone = seen(np.array([egg((0.3, -0.2, 0.0), 0.2)]), ABOVE, all_open)
    assert shows.tolist() == alone.tolist()
    assert alone[0] == pytest.approx(math.pi * (0.2 * ABOVE.focal / 10) ** 2, rel=0.02)


def test_the_longer_a_seed_the_more_it_covers() -> None:
    _, alone = seen(np.array([egg((0.0, 0.0, 0.0), 0.3, 0.15, 0.2)]), ABOVE, all_open)
    assert alone[0] == pytest.approx(math.pi * 0.3 * 0.15 * (ABOVE.focal / 10) ** 2, rel=0.03)


@pytest.mark.parametrize("upper", [0, 1])
def test_the_nearer_of_two_hides_the_other_whichever_is_named_first(upper: int) -> None:
    heap = [egg((0.0, 0.0, 0.5), 0.2), egg((0.1, 0.0, 0.0), 0.2)]
    shows, alone = seen(np.array(heap if upper == 0 else heap[::-1]), ABOVE, all_open)
    lower = 1 - upper
    assert shows[upper] == alone[upper] and 0.1 < shows[lower] / alone[lower] < 0.5


def test_what_lies_beside_the_picture_shows_nothing() -> None:
    shows, alone = seen(np.array([egg((20.0, 0.0, 0.0), 0.2), egg((0.0, 0.0, 0.0), 0.2)]), ABOVE, all_open)
    assert (shows[0], alone[0]) == (0, 0) and shows[1] > 0


def test_the_wood_hides_what_is_seen_through_another_place_than_the_opening() -> None:
    deep = np.array([[-0.2, 0.0, -0.15], [0.2, 0.0, -0.15], [0.5, 0.0, 0.01], [0.0, 0.0, -0.31], [0.5, 0.0, -0.01]])
    straight, slant = np.array([0.0, 0.0, 10.0]), np.array([-10.0, 0.0, 4.0])
    assert BOWL.is_open(deep, straight).tolist() == [True, True, True, False, False]
    assert BOWL.is_open(deep, slant).tolist() == [False, True, True, False, False]


def test_the_least_of_a_pit_is_that_of_its_seeds_and_an_empty_pit_has_none() -> None:
    least = least_shown([0, 2, 0], 3, np.array([40, 90, 30]), np.array([400, 100, 60]))
    assert least == [{"pixels": 30, "share": 0.1}, None, {"pixels": 90, "share": 0.9}]


@pytest.mark.parametrize(("least", "enough"), [
    (None, True), ({"pixels": 15, "share": 0.1}, True), ({"pixels": 14, "share": 0.9}, False),
    ({"pixels": 200, "share": 0.0999}, False), ({"pixels": 0, "share": 0.0}, False)])
def test_every_seed_shows_enough_by_pixels_and_by_share(least: dict[str, float] | None, enough: bool) -> None:
    assert all_show(least) == enough


def test_a_board_tells_of_the_seeds_that_stayed_in_its_pits() -> None:
    board = Board(1, 2, 0.4, 0.3, 2.0, np.array([[-0.5, 0.0], [0.5, 0.0]]))
    poses = np.array([egg(at, 1.0) for at in ((-0.5, 0.0, -0.2), (-0.5, 0.0, -0.05), (0.0, 0.6, 0.1))])
    eye = np.array([0.0, 0.0, 4.0])
    left, right = shown(board, [0, 0, -1], poses, np.full((3, 3), 0.1), eye)
    assert left is not None and left["share"] < 0.1 and right is None


def test_pits_lie_where_the_camera_sees_them() -> None:
    board = Board(1, 2, 0.4, 0.3, 2.0, np.array([[-0.5, 0.2], [0.5, 0.2]]))
    left, right = pits(board, [3, 0], np.array([0.0, 0.0, 4.0]))
    scale = SIZE[0] / 2 / math.tan(math.radians(FOV) / 2) / 4
    assert (left["cx"], right["cx"]) == pytest.approx((640 - 0.5 * scale, 640 + 0.5 * scale), abs=0.02)
    assert left["cy"] == pytest.approx(360 - 0.2 * scale, abs=0.02)
    assert left["r"] == pytest.approx(0.4 * scale, rel=0.01)


def listed(folder: Path, shows: bool) -> None:
    """List two boards of two pits without a picture: of 3 and 0 seeds, and of 2 and 9; one of the nine is hidden."""
    boards: list[list[dict[str, Any]]] = [
        [{"count": 3, "shows": {"pixels": 90, "share": 0.5}}, {"count": 0, "shows": None}],
        [{"count": 2, "shows": {"pixels": 9, "share": 0.5}}, {"count": 9, "shows": {"pixels": 0, "share": 0.0}}]]
    if not shows:
        del boards[1][0]["shows"]
    (folder / "boards.json").write_text(json.dumps([{"pits": pits} for pits in boards]))


def test_the_ceiling_is_told_by_bands_of_all_pits_and_of_every_other_one(tmp_path: Path) -> None:
    listed(tmp_path, shows=True)
    told = {(row.basis, row.measure.removeprefix("ceiling of one picture")): (row.value, row.n)
            for row in photos.ceilings(tmp_path, "traced")}
    assert told == {
        ("traced", ""): ("50.0 %", 4), ("traced", ", of 0 seeds"): ("100.0 %", 1),
        ("traced", ", of 1-4 seeds"): ("50.0 %", 2), ("traced", ", of 9-14 seeds"): ("0.0 %", 1),
        ("traced, every other pit", ""): ("50.0 %", 2), ("traced, every other pit", ", of 0 seeds"): ("100.0 %", 1),
        ("traced, every other pit", ", of 9-14 seeds"): ("0.0 %", 1)}


def test_no_ceiling_is_told_of_boards_whose_list_does_not_tell_what_shows(tmp_path: Path) -> None:
    listed(tmp_path, shows=False)
    assert {row.basis for row in photos.ceilings(tmp_path, "traced")} == {"traced, every other pit"}


@pytest.mark.parametrize("shows", [True, False])
def test_pits_in_which_every_seed_shows_are_told_apart_where_the_list_tells_it(
        shows: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cv2.imwrite(str(tmp_path / "table.png"), np.zeros((60, 80, 3), np.uint8))
    told = [{"pixels": 90, "share": 0.5}, {"pixels": 0, "share": 0.0}]
    row = {"file": "table.png", "pits": [{"cx": 20 * k, "cy": 30, "r": 8, "count": 3} | ({"shows": told[k]} if shows
                                         else {}) for k in range(2)]}
    (tmp_path / "boards.json").write_text(json.dumps([row]))
    monkeypatch.setattr(photos, "said", lambda *_: ([3, 2], [0.9, 0.9]))
    exact = {row.basis: row.value for row in photos.given(tmp_path, "boards", "traced") if row.measure == "pits exact"}
    apart = {"traced, pits given, those in which every seed shows": "100.0 %"} if shows else {}
    assert exact == {"traced, pits given": "50.0 %", **apart}
