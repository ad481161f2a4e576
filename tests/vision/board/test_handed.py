"""Shapes of pits whose circles people hand over: right on boards seen slantwise, circles where there is no board."""

import numpy as np
import pytest

from tests.vision.boards import Array, camera, places
from vision.board.geometry import jacobian, project
from vision.board.handed import handed_shapes

SIZE = (1280, 800)
Circles = list[tuple[float, float, float]]


def marked(where: Array, tilt: float, way: float, *, turn: float = 15, focal: float = 1.2, shaken: float = 0.0,
           seed: int = 1) -> tuple[Circles, Array]:
    """Circles as people would mark the pits of a board, in any order, `shaken` by that share of their radii; and the
    true shapes float64[n, 2, 2]. Of each ellipse the radius is the mean half axis."""
    rng = np.random.default_rng(seed)
    at = where.reshape(-1, 2)[rng.permutation(where.size // 2)]
    h = camera(SIZE, turn, tilt, way, 1.5 * where.shape[1], at.mean(0), focal)
    true = 0.4 * jacobian(h, at)
    r = np.linalg.svd(true, compute_uv=False).mean(1)
    middles = project(h, at) + rng.normal(0, shaken, at.shape) * r[:, None]
    radii = r * np.exp(rng.normal(0, shaken, len(r)))
    return [(float(x), float(y), float(q)) for (x, y), q in zip(middles, radii, strict=True)], true


def off(shapes: Array, true: Array) -> float:
    """The greatest distance of two ellipses, wherever their axes begin, as a share of their size."""
    seen, there = shapes @ shapes.swapaxes(1, 2), true @ true.swapaxes(1, 2)
    return float((np.linalg.norm(seen - there, axis=(1, 2)) / np.linalg.norm(there, axis=(1, 2))).max())


def as_circles(circles: Circles) -> Array:
    return np.asarray(np.eye(2) * np.array(circles)[:, 2, None, None], np.float64)


BOARDS = {"six": places(2, 6, 1.2), "seven": places(2, 7, 1.15), "hinged": places(2, 6, 1.2, 0.4),
          "wide hinge": places(2, 8, 1.2, 0.8), "four rows": places(4, 8, 1.1),
          "parted rows": places(4, 8, 1.1, 0, 0.35)}


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize(("tilt", "way"), [(45, 90), (45, 20), (60, 75), (60, 160), (60, 300)])
def test_pits_of_a_board_seen_slantwise_are_ellipses(board: str, tilt: float, way: float) -> None:
    circles, true = marked(BOARDS[board], tilt, way)
    shapes = handed_shapes(circles, SIZE)
    assert off(shapes, true) < 0.05 < off(as_circles(circles), true)
    assert np.linalg.svd(shapes, compute_uv=False).mean(1) == pytest.approx([r for *_, r in circles])


@pytest.mark.parametrize("board", BOARDS)
def test_pits_of_a_board_seen_from_above_stay_circles(board: str) -> None:
    circles, _ = marked(BOARDS[board], 0, 0)
    assert (handed_shapes(circles, SIZE) == as_circles(circles)).all()


@pytest.mark.parametrize("seed", range(6))
def test_circles_are_marked_by_hand(seed: int) -> None:
    circles, true = marked(BOARDS["hinged"], 55, 40 + 50 * seed, shaken=0.04, seed=seed)
    assert off(handed_shapes(circles, SIZE), true) < min(0.3, 0.5 * off(as_circles(circles), true))


@pytest.mark.parametrize("way", [115, 150])
@pytest.mark.parametrize("focal", [0.8, 0.9, 1.2, 1.8, 2.2])
def test_the_lens_is_told_by_rows_and_columns_at_right_angles(focal: float, way: float) -> None:
    """Seen over a corner, where both run towards the horizon."""
    circles, true = marked(BOARDS["six"], 60, way, turn=0, focal=focal)
    assert off(handed_shapes(circles, SIZE), true) < 0.15


@pytest.mark.parametrize("missing", [1, 2])
@pytest.mark.parametrize("board", ["six", "seven", "parted rows"])
def test_a_pit_or_two_may_be_missing(board: str, missing: int) -> None:
    circles, true = marked(BOARDS[board], 60, 75, seed=4)
    assert off(handed_shapes(circles[missing:], SIZE), true[missing:]) < 0.15


def test_shapes_have_the_boards_axes_south_at_the_bottom_and_never_in_a_mirror() -> None:
    circles, _ = marked(BOARDS["six"], 50, 75, turn=180)
    shapes = handed_shapes(circles, SIZE)
    assert (np.linalg.det(shapes) > 0).all() and (shapes[:, 1, 1] > 0).all()
    assert (np.abs(shapes[:, 0, 0]) > np.abs(shapes[:, 1, 0])).all()


RNG = np.random.default_rng(3)
NO_BOARDS: dict[str, Circles] = {
    "none": [], "one": [(300, 200, 40)],
    "anywhere": [(x, y, 30) for x, y in RNG.uniform(0, 700, (12, 2))],
    "one row": [(100 * k, 300 + k % 2, 40) for k in range(12)],
    "a ring": [(640 + 300 * np.cos(a), 400 + 150 * np.sin(a), 40) for a in np.linspace(0, 6, 12)],
    "three rows": [(100 + 100 * x + 20 * y, 100 + 45 * y, 40) for x in range(4) for y in range(3)],
    "all in one place": [(300, 200, 40)] * 12,
    "of no even steps": [(x, y, 30) for y in (200, 290) for x in (0, 60, 320, 400, 730, 800)],
    "too many": [(20.0 * x, 20.0 + 12 * y, 9) for x in range(20) for y in range(20)]}


@pytest.mark.parametrize("name", NO_BOARDS)
def test_circles_of_no_board_stay_circles(name: str) -> None:
    circles = NO_BOARDS[name]
    assert (handed_shapes(circles, SIZE) == np.eye(2) * np.array([r for *_, r in circles]).reshape(-1, 1, 1)).all()


@pytest.mark.parametrize("turn", [0, 8, 180])
def test_pits_of_a_board_that_sags_are_ellipses(turn: float) -> None:
    """Of four rows, each bowed by a pit's radius: neither a line goes through one nor a plane through all."""
    circles, true = marked(places(4, 8, 1.0), 60, 90, turn=turn)
    middles, r = np.array(circles)[:, :2], float(np.mean([r for *_, r in circles]))
    way = np.array([np.cos(np.radians(turn)), np.sin(np.radians(turn))])
    along = (middles - middles.mean(0)) @ way
    down = r * (1 - (along / np.abs(along).max()) ** 2)[:, None] * np.array([-way[1], way[0]])
    bowed = [(float(x), float(y), q) for (x, y), (*_, q) in zip(middles + down, circles, strict=True)]
    assert off(handed_shapes(bowed, SIZE), true) < 0.7 * off(as_circles(bowed), true)
