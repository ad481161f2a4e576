import json
import math
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

import vision.board.find
from tests.bench.othermaking import Scene, filming_of, start_of
from tests.examples import examples
from tests.vision.boards import Image, camera, paint, places, view_of
from vision.board.find import Candidate, NotFound, elsewhere, find
from vision.board.geometry import project
from vision.board.rims import Edges, round_rims
from vision.reading import BoardView

PHOTOGRAPHS = Path(__file__).parents[4] / "shared" / "real-boards"
SIZE = (960, 640)


def none(_: Image) -> list[Candidate]:
    """A proposer that has nothing to say: what is left is found by rims alone."""
    return []


def painted(cols: int, turn: float, tilt: float, room: float = 1.6, gap: float = 0.0, rows: int = 2,
            seeds: int = 4) -> tuple[Image, BoardView]:
    where = places(rows, cols, 1.2, gap)
    h = camera(SIZE, turn, tilt, 75, (cols + gap + 1) * room, where.reshape(-1, 2).mean(0))
    view = view_of(h, where, 0.42, SIZE)
    return paint(view, where, seeds=seeds, noise=4), view


def halved(picture: NDArray[np.float64], view: BoardView, rng: np.random.Generator) -> tuple[Image, BoardView]:
    """A picture float64[h, w, 3] and its board half as large, with a camera's noise: searched through in half the time.
    """
    small = cv2.resize(picture, (SIZE[0] // 2, SIZE[1] // 2), interpolation=cv2.INTER_AREA)
    noisy = np.clip(small + rng.normal(0, 2, small.shape), 0, 255).astype(np.uint8)
    return noisy, replace(view, centres=view.centres / 2, radii=view.radii / 2)


def furthest(found: BoardView, view: BoardView) -> float:
    d = np.linalg.norm(found.centres.reshape(-1, 1, 2) - view.centres.reshape(1, -1, 2), axis=-1).min(0)
    return float((d / view.radii.ravel()).max())


@pytest.mark.parametrize(("cols", "turn", "tilt", "gap", "rows", "seeds"), [
    (6, 0, 0, 0.0, 2, 4), (8, 20, 15, 0.0, 2, 3), (6, 200, 10, 0.5, 2, 5), (12, 5, 25, 0.0, 2, 0),
    (8, 40, 10, 0.0, 4, 2)])
def test_a_painted_board_is_found_by_its_rims_alone(cols: int, turn: float, tilt: float, gap: float, rows: int,
                                                    seeds: int) -> None:
    picture, view = painted(cols, turn, tilt, gap=gap, rows=rows, seeds=seeds)
    found = find(picture, propose=none)
    assert isinstance(found, BoardView)
    assert (found.rows, found.cols) == (rows, cols)
    assert furthest(found, view) < 0.12
    assert np.median(found.radii / np.median(view.radii)) == pytest.approx(1, abs=0.1)
    assert found.centres[-1, :, 1].mean() > found.centres[0, :, 1].mean()  # South below
    assert found.picture_size == SIZE


def test_of_two_boards_the_one_is_found_whose_pits_are_as_large_as_is_known() -> None:
    """One of them may be a pattern beside the board that was moved, and look more like one."""
    small = view_of(camera(SIZE, 2, 8, 90, 22, np.array([3.5, -4.0])), places(2, 8), 0.42, SIZE)
    large = view_of(camera(SIZE, 2, 8, 90, 11, np.array([3.5, 1.6])), places(2, 8), 0.42, SIZE)
    picture = paint(large, places(2, 8), wood=(100, 122, 140), noise=0)
    plain = paint(small, places(2, 8), noise=0)
    part = (plain != plain[0, 0]).any(axis=2)
    picture[part] = plain[part]
    for view in (small, large):
        found = find(picture, 2, 8, none, 1.2 * float(view.radii.mean()))
        assert isinstance(found, BoardView) and furthest(found, view) < 0.12
    assert isinstance(find(picture, 2, 8, none, 3 * float(large.radii.mean())), NotFound)


def test_the_pits_lie_on_their_rims_to_a_pixel() -> None:
    picture, view = painted(6, 10, 15)
    found = find(picture, 2, 6, propose=none)
    assert isinstance(found, BoardView)
    assert np.abs(found.centres - view.centres).max() < 1.5
    assert np.abs(found.radii / view.radii - 1).max() < 0.06


def test_a_dark_board_on_a_table_that_is_not_is_found_with_its_dark_drawn_out() -> None:
    picture, view = painted(6, 10, 15, seeds=3)
    dark = np.round(picture * 0.05).astype(np.uint8)
    dark[:, :40] = 230
    found = find(dark, 2, 6, propose=none)
    assert isinstance(found, BoardView) and furthest(found, view) < 0.12


@pytest.mark.parametrize(("plain", "drawn_out", "taken"), [
    (0.45, 0.55, 0.55), (0.45, 0.44, 0.45), (0.55, 0.9, 0.55), (0.45, None, 0.45), (None, 0.45, 0.45)])
def test_only_what_is_doubtful_is_looked_for_again_and_the_better_of_both_taken(
        plain: float | None, drawn_out: float | None, taken: float, monkeypatch: pytest.MonkeyPatch) -> None:
    picture, view = painted(6, 10, 15)

    def found(image: Image, *_: object) -> BoardView | NotFound:
        score = plain if image is picture else drawn_out
        return NotFound("nothing") if score is None else replace(view, score=score)

    monkeypatch.setattr("vision.board.find._find_once", found)
    board = find(picture, propose=none)
    assert isinstance(board, BoardView) and board.score == taken


@pytest.mark.parametrize(("told", "every", "cols", "radius", "taken"), [
    (0.7, 0.8, 6, None, 0.8), (0.7, 0.6, 6, None, 0.7), (0.7, 0.8, 6, 1.0, None), (0.7, 0.8, 5, None, 0.7),
    (0.7, None, 6, None, 0.7), (None, 0.8, 6, None, None)])
def test_of_a_board_of_the_size_that_was_told_the_plainer_one_is_taken(
        told: float | None, every: float | None, cols: int, radius: float | None, taken: float | None,
        monkeypatch: pytest.MonkeyPatch) -> None:
    """What is there when nobody says how many columns there are may be as many, and lie elsewhere."""
    picture, view = painted(6, 10, 15)
    asked = replace(view, cols=cols, centres=view.centres[:, :cols], radii=view.radii[:, :cols])

    def explained(_: object, __: object, ___: object, rows: int | None, known: int | None
                  ) -> list[tuple[BoardView, BoardView | None]]:
        score, board = (told, asked) if known else (every, view)
        return [(board, None if score is None else replace(board, score=score))]

    monkeypatch.setattr(vision.board.find, "_lay_lattices", explained)
    monkeypatch.setattr(vision.board.find, "_shift_columns", lambda _, best, *__: best)
    monkeypatch.setattr(vision.board.find, "_search_levelled", lambda _, best, *__: best)
    found = find(picture, 2, cols, propose=none, radius=radius)
    assert taken == (found.score if isinstance(found, BoardView) else None)


def test_a_network_that_dreams_does_no_harm_and_one_that_sees_helps() -> None:
    picture, view = painted(6, 10, 15)
    rng = np.random.default_rng(0)

    def dreams(_: Image) -> list[Candidate]:
        return [Candidate(rng.uniform(0, 960), rng.uniform(0, 640), rng.uniform(10, 80), 0.9) for _ in range(20)]

    found = find(picture, propose=dreams)
    assert isinstance(found, BoardView) and furthest(found, view) < 0.12
    bare = np.full_like(picture, 128)

    def sees(_: Image) -> list[Candidate]:
        circles = np.column_stack([view.centres.reshape(-1, 2), view.radii.ravel()])
        return [Candidate(x, y, r, 0.9) for x, y, r in circles]

    assert isinstance(find(bare, propose=sees), NotFound)  # it says so, but nothing is there
    found = find(picture, propose=sees)
    assert isinstance(found, BoardView) and furthest(found, view) < 0.12


def test_a_board_whose_rims_are_hardly_seen_is_found_where_its_pits_were_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dark pits in dark wood: the network is sure of every one, and their number is known beforehand; or their dark is
    drawn out."""
    view = painted(8, 5, 10)[1]
    rng = np.random.default_rng(3)
    picture = np.full((SIZE[1], SIZE[0], 3), 150.0)
    picture[100:540, 60:900] = (38, 52, 74)
    for (x, y), r in zip(view.centres.reshape(-1, 2), view.radii.ravel(), strict=True):
        cv2.ellipse(picture, (round(x), round(y)), (round(r), round(r)), 0, 20, 250, (30, 41, 60), -1)
        for _ in range(4):
            at = (int(x + rng.uniform(-0.4, 0.4) * r), int(y + rng.uniform(-0.4, 0.4) * r))
            cv2.circle(picture, at, round(0.2 * r), (220, 225, 225), -1)
    dark, view = halved(picture, view, rng)

    def sees(_: Image) -> list[Candidate]:
        circles = np.column_stack([view.centres.reshape(-1, 2), view.radii.ravel()])
        return [Candidate(x, y, r, 0.9) for x, y, r in circles]

    found = find(dark, propose=sees)
    assert isinstance(found, BoardView) and furthest(found, view) < 0.2
    monkeypatch.setattr("vision.board.find.lifted", lambda image: image)
    found = find(dark, 2, 8, propose=sees)
    assert isinstance(found, BoardView) and furthest(found, view) < 0.2
    bare = np.full_like(dark, 128)
    assert isinstance(find(bare, 2, 8, propose=sees), NotFound), "it says so, but nothing is there"


@pytest.mark.parametrize(("sure", "seen"), [(0.42, 110), (0.85, 45)])
def test_a_board_is_found_where_the_network_has_something_at_every_place_that_was_told(sure: float, seen: int) -> None:
    """It is not sure of any, or hardly any rim is seen; but circles in even rows, as many as there should be, are no
    chance. With one row of them less there is no board."""
    view = painted(8, 5, 10)[1]
    rng = np.random.default_rng(5)
    picture = np.full((SIZE[1], SIZE[0], 3), 60.0)
    for (x, y), r in zip(view.centres.reshape(-1, 2), view.radii.ravel(), strict=True):
        cv2.ellipse(picture, (round(x), round(y)), (round(r), round(r)), 0, 200, 200 + seen, (36, 38, 40), 3)
    dark, view = halved(picture, view, rng)
    circles = np.column_stack([view.centres.reshape(-1, 2), view.radii.ravel()])

    def sees(_: Image) -> list[Candidate]:
        return [Candidate(x, y, r, sure) for x, y, r in circles]

    found = find(dark, 2, 8, propose=sees)
    assert isinstance(found, BoardView) and furthest(found, view) < 0.25
    if seen < 100:  # hardly any rim: the circles alone speak for it
        circles = circles[:8]
        assert isinstance(find(dark, 2, 8, propose=sees), NotFound)


def test_where_the_network_has_all_that_was_told_no_circles_are_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    picture, view = painted(6, 10, 15)
    sought: list[int] = []

    def looked(scales: Iterable[Edges]) -> list[Candidate]:
        sought.append(1)
        return round_rims(scales)

    monkeypatch.setattr(vision.board.find, "round_rims", looked)
    circles = np.column_stack([view.centres.reshape(-1, 2), view.radii.ravel()])

    def sees(_: Image) -> list[Candidate]:
        return [Candidate(x, y, r, 0.9) for x, y, r in circles]

    found = find(picture, 2, 6, propose=sees)
    assert isinstance(found, BoardView) and furthest(found, view) < 0.12 and not sought
    circles = circles[:-1]
    found = find(picture, 2, 6, propose=sees)
    assert isinstance(found, BoardView) and furthest(found, view) < 0.12 and sought


def test_where_else_a_board_may_lie_is_first_a_column_aside() -> None:
    picture, view = painted(8, 5, 10)
    column = view.centres[:, 1] - view.centres[:, 0]
    aside = replace(view, centres=view.centres + column[:, None], homography=view.homography @ np.array(
        [[1.0, 0, 1], [0, 1, 0], [0, 0, 1]]))
    near = next(elsewhere(picture, aside, propose=none))
    assert furthest(near, view) < 0.12
    others = list(elsewhere(picture, view, propose=none))
    assert all(furthest(other, view) > 0.5 for other in others[:2]), "what is known already is not said"


@pytest.mark.parametrize("columns", [2, -2])
def test_and_then_two_columns_aside(columns: int) -> None:
    picture, view = painted(6, 5, 10)
    column = view.centres[:, 1] - view.centres[:, 0]
    aside = replace(view, centres=view.centres + columns * column[:, None], homography=view.homography @ np.array(
        [[1.0, 0, columns], [0, 1, 0], [0, 0, 1]]))
    assert min(furthest(there, view) for there in islice(elsewhere(picture, aside, propose=none), 4)) < 0.12


def test_a_board_known_a_quarter_of_a_pit_off_is_found_where_it_lies() -> None:
    picture, view = painted(8, 5, 10)
    off = replace(view, centres=view.centres + 0.25 * view.radii.mean())
    assert min(furthest(other, view) for other in elsewhere(picture, off, propose=none)) < 0.12


def test_a_pit_whose_heap_leads_astray_is_brought_back_onto_even_steps() -> None:
    """A heap that hangs over the rim hides it, and the network takes the heap's middle for the pit's."""
    picture, view = painted(8, 15, 10, seeds=0)
    astray = view.centres[0, 3] + (0.4 * view.radii[0, 3], 0.0)
    cv2.circle(picture, (int(astray[0]), int(astray[1])), int(0.9 * view.radii[0, 3]), (70, 90, 110), -1)

    def network(_: Image) -> list[Candidate]:
        at = view.centres.copy()
        at[0, 3] = astray
        return [Candidate(float(x), float(y), float(r), 0.9, "pit")
                for (x, y), r in zip(at.reshape(-1, 2), view.radii.ravel(), strict=True)]

    found = find(picture, 2, 8, propose=network)
    assert isinstance(found, BoardView)
    assert furthest(found, view) < 0.2, "0.39 where it is believed"


def test_a_small_board_is_found_on_a_chequered_cloth() -> None:
    """Whose squares are as large as its pits, and stand in more rows than they."""
    _, start, _, rng = start_of(764)
    scene = Scene(start, rng, filming_of(764))
    found = find(scene.frame(0.5, ()), 2, 12)
    assert isinstance(found, BoardView)
    pits = cv2.perspectiveTransform(scene.where.centres[None].astype(np.float64), scene.camera.matrix)[0]
    off = np.linalg.norm(found.centres.reshape(-1, 1, 2) - pits, axis=-1)
    assert (off.min(axis=1) < 0.25 * found.radii.ravel()).all() and (off.min(axis=0) < 5).all()


@pytest.mark.parametrize(("inside", "cols"), [(False, 7), (True, 6)])
def test_a_board_has_two_stores_or_none(inside: bool, cols: int) -> None:
    """Two round ends of a store look like pits; but the other end's store lies beyond the pits."""
    picture, view = painted(7, 10, 5, seeds=0, room=1.9)
    step = (view.centres[:, -1] - view.centres[:, 0]).mean(0) / 6
    stores = [view.centres[:, -1].mean(0) + 1.2 * step]
    stores.append(view.centres[:, 0].mean(0) - (0.0 if inside else 1.2) * step)

    def network(_: Image) -> list[Candidate]:
        r = float(np.median(view.radii))
        pits = [Candidate(float(x), float(y), r, 0.9, "pit") for x, y in view.centres.reshape(-1, 2)]
        return [*pits, *(Candidate(float(x), float(y), 1.4 * r, 0.6, "store") for x, y in stores)]

    found = find(picture, propose=network)
    assert isinstance(found, BoardView) and found.cols == cols


@pytest.mark.parametrize("left", [False, True])
def test_a_store_is_no_column_though_the_column_at_the_other_end_is_seen_less_well(left: bool) -> None:
    """Of a board of eight columns the network hardly sees the first, and takes the far store for two more pits."""
    wide = places(2, 9, 1.0)
    h = camera(SIZE, 90, 5, 75, 14.0, wide.reshape(-1, 2).mean(0))
    whole = view_of(h, wide, 0.36, SIZE)
    pits = wide[:, 1:] if left else wide[:, :-1]
    view, store = view_of(h, pits, 0.36, SIZE), 0 if left else 8
    picture = paint(whole, wide, noise=4)
    x, y = wide[:, store].mean(0)
    for grown, tone in ((1.0, (70, 110, 160)), (0.75, (50, 80, 120)), (0.7, (60, 95, 140))):
        rim = [(x + 0.5 * grown * math.cos(a), y + 0.95 * grown * math.sin(a)) for a in np.linspace(0, 2 * math.pi, 60)]
        cv2.fillPoly(picture, [np.round(project(h, rim)).astype(np.int32)], tone)

    def network(_: Image) -> list[Candidate]:
        score = np.full(whole.radii.shape, 0.8)
        score[:, store], score[:, 8 - store] = 0.6, 0.15
        return [Candidate(float(x), float(y), float(r), float(s)) for (x, y), r, s in
                zip(whole.centres.reshape(-1, 2), whole.radii.ravel(), score.ravel(), strict=True)]

    found = find(picture, 2, 8, propose=network)
    assert isinstance(found, BoardView) and furthest(found, view) < 0.12


def wall() -> Image:
    picture = np.full((480, 640, 3), (60, 80, 150), np.uint8)
    for r in range(12):
        for c in range(-1, 9):
            x, y = c * 80 + (r % 2) * 40, r * 40
            cv2.rectangle(picture, (x, y), (x + 76, y + 36), (50 + 10 * (c % 3), 70, 160), -1)
    return picture


def keyboard() -> Image:
    picture = np.full((360, 800, 3), 40, np.uint8)
    for r in range(4):
        for c in range(12):
            x, y = 40 + c * 60 + r * 15, 40 + r * 70
            cv2.rectangle(picture, (x, y), (x + 48, y + 56), (70, 70, 70), -1)
            cv2.putText(picture, chr(65 + (r * 12 + c) % 26), (x + 10, y + 30), 0, 0.7, (230, 230, 230), 2)
    return picture


def spots(rows: int, cols: int) -> Image:
    picture = np.full((480, 720, 3), 230, np.uint8)
    for r in range(rows):
        for c in range(cols):
            cv2.circle(picture, (60 + c * 56, 60 + r * 58), 22, (40, 40, 40), -1, cv2.LINE_AA)
    return picture


def words() -> Image:
    picture = np.full((480, 640, 3), 245, np.uint8)
    for k in range(14):
        cv2.putText(picture, "sow seeds ooo 0000 and so on", (20, 40 + 32 * k), 0, 1.1, (20, 20, 20), 2)
    return picture


def noise() -> Image:
    return np.random.default_rng(1).integers(0, 255, (480, 640, 3)).astype(np.uint8)


NO_BOARDS = {"a wall": wall(), "a keyboard": keyboard(), "three rows of spots": spots(3, 8),
             "seven rows of spots": spots(7, 11), "one row of spots": spots(1, 10), "words": words(), "noise": noise(),
             "nothing": np.full((480, 640, 3), 90, np.uint8), "a strip": np.zeros((40, 900, 3), np.uint8)}


@pytest.mark.parametrize("what", NO_BOARDS)
def test_what_is_no_board_is_not_found(what: str) -> None:
    found = find(NO_BOARDS[what], propose=none)
    assert isinstance(found, NotFound)
    assert found.reason and not found.reason.endswith(".")


def test_bad_arguments_are_named() -> None:
    with pytest.raises(ValueError, match="uint8"):
        find(np.zeros((100, 100), np.uint8))
    with pytest.raises(ValueError, match="not 7"):
        find(np.zeros((100, 100, 3), np.uint8), 7, 7)


def test_the_two_clear_photographs() -> None:
    """Every pit within a quarter of its radius, by rims alone."""
    truth = PHOTOGRAPHS / "boards.json"
    if not truth.exists():
        pytest.skip("boards in photographs (boards.json and its pictures in ../shared/real-boards)")
    for row in json.loads(truth.read_text()):
        if "oware" not in row["file"] and "objective" not in row["file"]:
            continue
        picture = cv2.imread(str(PHOTOGRAPHS / row["file"]))
        assert picture is not None
        found = find(np.asarray(picture, np.uint8), propose=none)
        assert isinstance(found, BoardView), row["file"]
        pits = [q for q in row["pits"] if q.get("kind", "pit") == "pit"]
        assert found.rows * found.cols == len(pits)
        for q in pits:
            d = np.linalg.norm(found.centres.reshape(-1, 2) - (q["cx"], q["cy"]), axis=1).min()
            assert d < 0.25 * q["r"], row["file"]


@pytest.mark.parametrize("seed", range(examples(1)))
def test_soft_patches_of_a_bare_table_are_no_board_that_is_cut(seed: int) -> None:
    rng = np.random.default_rng(5)
    grain = rng.uniform(0.6, 1.3, (8, 15, 1)) * rng.uniform(50, 140, 3)
    table = cv2.resize(grain, (480, 270), interpolation=cv2.INTER_CUBIC)
    noise = np.random.default_rng(seed).normal(0, 2, table.shape)
    assert isinstance(find(np.clip(table + noise, 0, 255).astype(np.uint8), 2, 6), NotFound)


def test_an_end_column_whose_rims_heaps_hide_is_one_that_the_network_knows() -> None:
    picture, view = painted(7, 5, 5, seeds=0)
    for (x, y), r in zip(view.centres[:, -1], view.radii[:, -1], strict=True):
        rng = np.random.default_rng(5)
        for _ in range(40):
            by = rng.uniform(-1, 1, 2) * r
            cv2.circle(picture, (int(x + by[0]), int(y + by[1])), int(0.35 * r), rng.integers(60, 240, 3).tolist(), -1)

    def network(_: Image) -> list[Candidate]:
        return [Candidate(float(x), float(y), float(r), 0.65 if k % 7 == 6 else 0.85)
                for k, ((x, y), r) in enumerate(zip(view.centres.reshape(-1, 2), view.radii.ravel(), strict=True))]

    found = find(picture, propose=network)
    assert isinstance(found, BoardView) and found.cols == 7


def test_two_round_stores_in_line_are_no_columns_where_the_network_has_stores_there() -> None:
    picture, whole = painted(9, 5, 5, seeds=0)

    def network(_: Image) -> list[Candidate]:
        pits = [Candidate(float(x), float(y), float(r), 0.3 if k % 9 in (0, 8) else 0.75)
                for k, ((x, y), r) in enumerate(zip(whole.centres.reshape(-1, 2), whole.radii.ravel(), strict=True))]
        r = 1.3 * float(np.median(whole.radii))
        ends = [whole.centres[:, end].mean(0) for end in (0, -1)]
        return [*pits, *(Candidate(float(x), float(y), r, 0.5, "store") for x, y in ends)]

    found = find(picture, propose=network)
    assert isinstance(found, BoardView) and found.cols == 7


def test_twelve_columns_with_round_stores_beyond_them_are_no_pattern_that_goes_on() -> None:
    picture, whole = painted(14, 3, 5, seeds=0, room=1.1)
    inner = whole.centres[:, 1:-1]
    pits = [Candidate(float(x), float(y), float(whole.radii.mean()), 0.9) for x, y in inner.reshape(-1, 2)]
    r = 1.2 * float(whole.radii.mean())
    stores = [Candidate(float(x), float(y), r, 0.6, "store") for x, y in whole.centres[:, [0, -1]].mean(0)]
    found = find(picture, propose=lambda _: [*pits, *stores])
    assert isinstance(found, BoardView) and found.cols == 12
    assert isinstance(find(picture, propose=lambda _: pits), NotFound), "so long a row of pits is none"


def test_where_a_store_was_taken_for_the_first_of_twelve_columns_the_last_is_found_instead() -> None:
    picture, view = painted(12, 3, 5, seeds=0, room=1.3)
    step = view.centres[:, 1] - view.centres[:, 0]
    r = float(view.radii.mean())

    def network(_: Image) -> list[Candidate]:
        astray = [Candidate(float(x), float(y), r, 0.6) for x, y in view.centres[:, 0] - step]
        ends = [(view.centres[:, 0] - step).mean(0), (view.centres[:, -1] + step).mean(0)]
        stores = [Candidate(float(x), float(y), 1.2 * r, 0.5, "store") for x, y in ends]
        return [*stores, *astray, *(Candidate(float(x), float(y), r, 0.4 if k % 12 == 11 else 0.9)
                                    for k, (x, y) in enumerate(view.centres.reshape(-1, 2)))]

    found = find(picture, propose=network)
    assert isinstance(found, BoardView) and found.cols == 12 and furthest(found, view) < 0.12


@pytest.mark.parametrize(("arc", "score", "cols", "there"), [
    (180, 0.3, None, True), (120, 0.9, 6, True), (120, 0.9, None, True), (120, 0.3, 6, False),
    (120, 0.3, None, False)])
def test_half_rims_are_a_board_and_a_third_where_the_network_is_sure(
        arc: int, score: float, cols: int | None, there: bool) -> None:
    """arc: what is seen of each pit's rim, degrees; score: of the network for each."""
    picture = np.full((480, 960, 3), 120, np.uint8)
    middles = [(150 + 130 * c, 170 + 140 * r) for r in range(2) for c in range(6)]
    for k, at in enumerate(middles):
        cv2.ellipse(picture, at, (45, 45), 0, 30 * k, 30 * k + arc, (60, 60, 60), 3, cv2.LINE_AA)
    found = find(picture, cols and 2, cols, propose=lambda _: [Candidate(x, y, 45, score, "pit") for x, y in middles])
    assert there == isinstance(found, BoardView)
    assert (found.likeliest if isinstance(found, NotFound) else (found.rows, found.cols)) == (2, 6)


@pytest.mark.parametrize(("width", "there"), [(120, False), (200, True)])
def test_pits_of_two_pixels_are_no_board(width: int, there: bool) -> None:
    small = cv2.resize(painted(12, 0, 0, seeds=0)[0], (width, width * 2 // 3), interpolation=cv2.INTER_AREA)
    assert isinstance(find(np.asarray(small, np.uint8), propose=none), BoardView) == there
