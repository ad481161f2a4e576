import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.boards import Array, camera, places, view_of
from vision.board import row_pairs
from vision.board.chains import off_patterns
from vision.board.geometry import fit_homographies, pit_places, project
from vision.board.lattice import Candidate, check_size, fit_lattices, oriented
from vision.reading import BoardView

PHOTOGRAPHS = Path(__file__).parents[4] / "shared" / "real-boards" / "boards.json"
SIZE = (1280, 800)


def candidates(view: BoardView, rng: np.random.Generator, drop: int = 0, add: int = 0,
               jitter: float = 0.02) -> list[Candidate]:
    """The view's pits as a proposer might name them: shaken, `drop` of them missing, `add` false ones elsewhere."""
    circles = np.column_stack([view.centres.reshape(-1, 2), view.radii.ravel()])
    r = float(np.median(view.radii))
    kept = rng.permutation(len(circles))[drop:]
    out = [Candidate(x + rng.normal(0, jitter) * a, y + rng.normal(0, jitter) * a, a * np.exp(rng.normal(0, jitter)),
                     float(rng.uniform(0.7, 1))) for x, y, a in circles[kept]]
    width, height = view.picture_size
    out += [Candidate(rng.uniform(0, width), rng.uniform(0, height), r * rng.uniform(0.5, 1.6),
                      float(rng.uniform(0.3, 0.7))) for _ in range(add)]
    return [out[i] for i in rng.permutation(len(out))]


def the_board(circles: list[Candidate], size: tuple[int, int], rows: int | None = None, cols: int | None = None
              ) -> BoardView | None:
    """The board that explains the circles best."""
    return next(iter(fit_lattices(circles, size, rows, cols, 1)), None)


def off(found: BoardView, true: Array, radii: Array) -> float:
    """Greatest distance of a true centre from the nearest found one, in radii."""
    d = np.linalg.norm(found.centres.reshape(-1, 1, 2) - true.reshape(1, -1, 2), axis=-1).min(0)
    return float((d / radii.ravel()).max())


boards = st.tuples(st.integers(5, 12), st.floats(1.0, 1.5), st.floats(0.34, 0.46), st.sampled_from([0.0, 0.3, 0.6]))
stands = st.tuples(st.floats(0, 360), st.floats(0, 28), st.floats(0, 360), st.floats(2.0, 2.6))


def made(board: tuple[int, float, float, float], stand: tuple[float, float, float, float]) -> tuple[BoardView, Array]:
    cols, pitch, radius, gap = board
    where = places(2, cols, pitch, gap if cols % 2 == 0 else 0.0)
    turn, tilt, way, room = stand
    h = camera(SIZE, turn, tilt, way, (cols + gap + 1) * room, where.reshape(-1, 2).mean(0))
    return view_of(h, where, radius, SIZE), where


def test_boards_of_other_sizes_are_looked_for_where_these_are_named() -> None:
    """A board of two rows of fourteen, which no game here has."""
    view, _ = made((14, 1.2, 0.4, 0.0), (0.0, 5.0, 0.0, 2.2))
    circles = candidates(view, np.random.default_rng(1))
    usual, wider = fit_lattices(circles, SIZE)[0], fit_lattices(circles, SIZE, sizes={2: range(5, 15)})[0]
    assert (usual.cols, wider.rows, wider.cols) == (12, 2, 14)
    check_size(2, 14, {2: range(5, 15)})
    with pytest.raises(ValueError, match="a board of 2 rows has 5 to 12 columns, not 14"):
        check_size(2, 14)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(boards, stands, st.integers(0, 10**6))
def test_two_rows_are_found_in_any_turn_and_tilt(board: tuple[int, float, float, float],
                                                 stand: tuple[float, float, float, float], seed: int) -> None:
    view, _ = made(board, stand)
    found = the_board(candidates(view, np.random.default_rng(seed)), SIZE)
    assert found is not None
    assert (found.rows, found.cols) == (2, board[0])
    assert off(found, view.centres, view.radii) < 0.15
    assert not found.cut and found.score > 0.8
    assert np.linalg.det(found.homography[:2, :2]) != 0
    assert np.allclose(project(found.homography, pit_places(found)), found.centres, atol=1e-3)


@pytest.mark.parametrize("row_gap", [0.0, 0.3])
@pytest.mark.parametrize("turn", [0, 35, 205])
def test_four_rows_of_eight(turn: float, row_gap: float) -> None:
    where = places(4, 8, 1.1, 0, row_gap)
    view = view_of(camera(SIZE, turn, 15, 100, 17, where.reshape(-1, 2).mean(0)), where, 0.4, SIZE)
    found = the_board(candidates(view, np.random.default_rng(3), drop=2, add=4), SIZE)
    assert found is not None
    assert (found.rows, found.cols) == (4, 8)
    assert off(found, view.centres, view.radii) < 0.25


def test_misses_and_false_circles_are_borne_nearly_always() -> None:
    good = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        board = (int(rng.integers(6, 13)), float(rng.uniform(1, 1.4)), float(rng.uniform(0.36, 0.45)), 0.0)
        view, _ = made(board, (float(rng.uniform(0, 360)), float(rng.uniform(0, 25)), float(rng.uniform(0, 360)), 2.1))
        found = the_board(candidates(view, rng, drop=1, add=8, jitter=0.04), SIZE)
        good += (found is not None and (found.rows, found.cols) == (2, board[0])
                 and off(found, view.centres, view.radii) < 0.25)
    assert good >= 18


def sagging(rows: int, cols: int, sag: float, turn: float = 10) -> BoardView:
    """A board whose rows' ends lie `sag` column pitches lower than their middle."""
    where = places(rows, cols, 1.15)
    where[..., 1] += sag * np.linspace(-1, 1, cols) ** 2
    return view_of(camera(SIZE, turn, 20, 100, 2.2 * cols, where.reshape(-1, 2).mean(0)), where, 0.42, SIZE)


@pytest.mark.parametrize(("rows", "cols", "sag"), [(2, 10, 0.3), (2, 10, -0.3), (4, 8, 0.3), (4, 8, -0.45)])
def test_the_rows_of_an_old_board_sag(rows: int, cols: int, sag: float) -> None:
    """Where the pits lie that no circle was seen of, the bent rows tell: a plane would have them 0.2 radii off or more.
    """
    view = sagging(rows, cols, sag)
    found = the_board(candidates(view, np.random.default_rng(2), drop=3, add=3), SIZE)
    assert found is not None and (found.rows, found.cols) == (rows, cols)
    assert off(found, view.centres, view.radii) < 0.15


@pytest.mark.parametrize("sag", [0.9, 1.2])
def test_circles_on_arcs_are_no_board_that_sags(sag: float) -> None:
    view = sagging(2, 10, sag)
    assert the_board(candidates(view, np.random.default_rng(2)), SIZE) is None


def test_a_wide_hinge_keeps_its_halves_together() -> None:
    view, _ = made((6, 1.25, 0.42, 0.6), (12, 10, 40, 1.6))
    found = the_board(candidates(view, np.random.default_rng(1)), SIZE)
    assert found is not None and found.cols == 6
    x = pit_places(found)[..., 0].mean(0)
    assert x[3] - x[2] == pytest.approx(1.6, abs=0.08)
    y = pit_places(found)[..., 1].mean(1)
    assert y[1] - y[0] == pytest.approx(1.25, abs=0.12)  # rows keep their distance, though it is not the columns'
    assert found.pit_radius == pytest.approx(0.42, abs=0.03)


def test_stores_are_no_pits_but_come_with_the_board() -> None:
    view, _ = made((6, 1.2, 0.42, 0.0), (8, 12, 70, 1.9))
    ends = project(view.homography, [[-1.2, 0.6], [6.2, 0.6]])
    stores = [Candidate(x, y, 70, 0.9, "store") for x, y in ends] + [Candidate(20, 20, 70, 0.9, "store")]
    found = the_board(candidates(view, np.random.default_rng(1)) + stores, SIZE)
    assert found is not None and found.cols == 6
    assert [s[:2] for s in found.stores] == [pytest.approx(tuple(e)) for e in ends]


def test_the_known_size_decides() -> None:
    view, _ = made((8, 1.2, 0.42, 0.0), (0, 5, 0, 1.5))
    rng = np.random.default_rng(4)
    assert (f := the_board(candidates(view, rng), SIZE, 2, 8)) and f.cols == 8
    assert the_board(candidates(view, rng), SIZE, 4, 8) is None
    for rows, cols, words in ((3, None, "not 3"), (2, 13, "5 to 12 columns, not 13"), (4, 6, "8 columns, not 6"),
                              (None, 4, "not 4")):
        with pytest.raises(ValueError, match=words):
            the_board([], SIZE, rows, cols)


def test_a_board_over_the_frames_edge_is_cut() -> None:
    where = places(2, 6, 1.2, 0.5)
    h = camera(SIZE, 0, 0, 0, 6.2, np.array([3.4, 0.6]))
    view = view_of(h, where, 0.42, SIZE)
    inside = [c for c in candidates(view, np.random.default_rng(2), jitter=0.01) if 0 < c.x < SIZE[0]]
    assert len(inside) == 10
    found = the_board(inside, SIZE)
    assert found is not None and found.cut
    assert found.rows * found.cols == len(inside)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 12, 40])
def test_scattered_circles_are_no_board(n: int) -> None:
    rng = np.random.default_rng(n)
    scattered = [Candidate(rng.uniform(0, 1280), rng.uniform(0, 800), rng.uniform(10, 60), 0.6) for _ in range(n)]
    found = the_board(scattered, SIZE)
    assert found is None or found.score < 0.5
    if n < 4:
        assert found is None


def test_one_row_is_no_board() -> None:
    assert the_board([Candidate(100 + 80 * i, 300, 34) for i in range(8)], SIZE) is None


@pytest.mark.parametrize(("turn", "south", "as_laid"), [(0, "bottom", True), (0, "top", False), (90, "left", True),
                                                        (90, "right", False), (270, "right", True), (180, "top", True)])
def test_south_sits_where_one_says(turn: float, south: str, as_laid: bool) -> None:
    where = places(2, 6, 1.2)
    view = view_of(camera(SIZE, turn, 10, 30, 14, np.array([2.5, 0.6])), where, 0.4, SIZE)
    for start in (view, replace(oriented(view, "top"), score=0.5), oriented(view, "bottom")):
        seen = oriented(start, south)
        wanted = view.centres if as_laid else view.centres[::-1, ::-1]
        assert np.allclose(seen.centres, wanted)
        assert np.allclose(project(seen.homography, pit_places(seen)), seen.centres)
        assert np.allclose(pit_places(seen)[0, 0], 0, atol=1e-6)
        assert pit_places(seen)[1, 5] == pytest.approx([5, 1.2], abs=1e-6)


def test_a_word_that_is_no_edge() -> None:
    with pytest.raises(ValueError, match="'up'"):
        oriented(made((6, 1.2, 0.4, 0.0), (0, 0, 0, 1.5))[0], "up")


def test_real_boards_from_their_true_pits() -> None:
    """Of photographs: the pits that people marked make the board that people named."""
    if not PHOTOGRAPHS.exists():
        pytest.skip("boards in photographs (boards.json and its pictures in ../shared/real-boards)")
    for photograph in json.loads(PHOTOGRAPHS.read_text()):
        marked = [Candidate(q["cx"], q["cy"], q["r"], 1.0, q.get("kind", "pit")) for q in photograph["pits"]]
        pits = np.array([c[:3] for c in marked if c.kind == "pit"], float)
        found = the_board(marked, (photograph["width"], photograph["height"]))
        assert found is not None, photograph["file"]
        assert found.rows == 2
        if "cropped" not in photograph["board"] and "hidden" not in photograph["board"]:
            assert found.cols == int(photograph["board"][2])
            assert off(found, pits[:, :2], pits[:, 2]) < 0.25


def test_pairs_of_rows_that_are_not_fitted_could_not_have_been_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    where = places(4, 8, 1.2)
    h = camera(SIZE, 20, 15, 75, 20, where.reshape(-1, 2).mean(0))
    pits = candidates(view_of(h, where, 0.4, SIZE), np.random.default_rng(4), drop=3, add=20)
    fitted: list[int] = []

    def counted(*points: Array) -> Array:
        fitted.append(len(points[0]))
        return fit_homographies(*points)

    monkeypatch.setattr(row_pairs, "fit_homographies", counted)
    every = row_pairs.paired_rows(tuple(pits), SIZE, 10**6)
    all_of_them = sum(fitted)
    best = row_pairs.paired_rows(tuple(pits), SIZE, 3)
    assert [(m, model.h.tolist()) for m, model in best] == [(m, model.h.tolist()) for m, model in every[:3]]
    assert len(every) > 10 and sum(fitted) - all_of_them < 0.7 * all_of_them


def test_the_dots_of_a_cloth_are_not_in_the_way_of_the_board_that_lies_on_it() -> None:
    """There are more of them, in more rows, than the board has pits."""
    where = places(2, 12, 1.15)
    h = camera(SIZE, 4, 5, 75, 17, where.reshape(-1, 2).mean(0))
    view = view_of(h, where, 0.38, SIZE)
    pits = [c._replace(score=0.5) for c in candidates(view, np.random.default_rng(6), jitter=0.01)]
    low, high = view.centres.reshape(-1, 2).min(0) - 60, view.centres.reshape(-1, 2).max(0) + 60
    dots = [Candidate(20 + 48 * i, 20 + 48 * k, 14.0, 0.9) for i in range(26) for k in range(16)]
    about = [c for c in dots if not (low[0] < c.x < high[0] and low[1] < c.y < high[1])]
    found = the_board([*pits, *about], SIZE, 2, 12)
    assert found is not None and off(found, view.centres, view.radii) < 0.2


@pytest.mark.parametrize(("circles", "left"), [(14, 14), (15, 0)])
def test_a_row_longer_than_any_board_and_its_stores_is_a_pattern(circles: int, left: int) -> None:
    row = [Candidate(60.0 * k, 300.0 + k, 20.0, 0.9) for k in range(circles)]
    assert len(off_patterns([*row, Candidate(90.0, 700.0, 20.0)], 14)) == left + 1
