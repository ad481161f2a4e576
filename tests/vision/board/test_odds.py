"""How likely each size is that a board may have."""

import math
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from tests.examples import examples
from tests.vision.boards import camera, paint, places, view_of
from vision.board.chains import Candidate
from vision.board.find import find
from vision.board.hypothesis import Scene
from vision.board.lattice import NotFound
from vision.board.odds import FEATURES, Odds, described, laid, odds_about, score, weights, windows
from vision.board.parameters import ACCEPTANCE
from vision.board.rims import WORK, edges_of
from vision.reading import BoardView
from vision.train import views

SIZE = (640, 400)
WIDTHS = {2: range(5, 13)}


@cache
def table(cols: int, gap: float = 0.0) -> tuple[Scene, BoardView]:
    """A painted board, with what the network would propose."""
    where = places(2, cols, 1.2, gap)
    view = view_of(camera(SIZE, 5, 5, 75, 1.5 * (cols + 1), where.reshape(-1, 2).mean(0)), where, 0.42, SIZE)
    picture = paint(view, where, seeds=3)
    named = [Candidate(float(x), float(y), float(r), 0.8)
             for (x, y), r in zip(view.centres.reshape(-1, 2), view.radii.ravel(), strict=True)]
    return Scene(edges_of(picture, WORK), edges_of(picture, WORK // 2), named), view


def part(view: BoardView, start: int, stop: int) -> BoardView:
    """Some of its columns alone."""
    shift = np.array([[1.0, 0, start], [0, 1, 0], [0, 0, 1]])
    h = view.homography @ shift
    return replace(view, cols=stop - start, centres=view.centres[:, start:stop], radii=view.radii[:, start:stop],
                   homography=h / h[2, 2])


@pytest.mark.parametrize(("start", "stop"), [(0, 7), (1, 8), (1, 7), (0, 8)])
def test_a_board_is_likelier_whole_than_with_columns_left_out(start: int, stop: int) -> None:
    scene, view = table(8)
    likeliest = odds_about(scene, part(view, start, stop), scene.proposed).sizes[0]
    assert likeliest[:2] == (2, 8) and likeliest[2] > 0.8


def test_columns_beyond_a_boards_end_are_left_out() -> None:
    scene, view = table(8)
    lot = laid(scene, view, scene.proposed)
    assert (lot.view.cols, lot.start, lot.stop) == (10, 1, 9)
    odds = {window: score(lot, *window) for window in windows(lot, WIDTHS)}
    assert max(odds, key=lambda w: odds[w]) == (1, 9) and odds[1, 9] > 0
    assert (0, 10) in odds and (0, 9) in odds and (2, 9) in odds


def test_an_end_column_that_the_network_has_and_no_rims_is_a_doubt() -> None:
    """The picture shows seven columns, the network eight."""
    scene, view = table(7)
    more = view.centres[:, -1] * 2 - view.centres[:, -2]
    dreamt = [Candidate(float(x), float(y), float(view.radii.mean()), 0.5) for x, y in more]
    named = odds_about(replace(scene, proposed=[*scene.proposed, *dreamt]), view, scene.proposed).sizes
    alone = odds_about(scene, view, scene.proposed).sizes
    assert named[0][2] < alone[0][2] and alone[0][:2] == (2, 7)
    odds = {cols: p for _, cols, p in named}
    assert odds.get(8, 0.0) > {cols: p for _, cols, p in alone}.get(8, 0.0)


def test_a_step_with_a_column_left_out_is_no_hinge() -> None:
    scene, hinged = table(6, 0.4)
    middle = FEATURES.index("parted in the middle")
    assert described(laid(scene, hinged, ()), 1, 7)[middle] == pytest.approx(0.4, abs=0.05)
    scene, skipped = table(6, 1.0)
    features = described(laid(scene, skipped, ()), 1, 7)
    assert features[middle] == 0 and features[FEATURES.index("parted off the middle")] > 0.9


def test_every_feature_has_a_name_and_a_weight() -> None:
    scene, view = table(6)
    features = described(laid(scene, view, scene.proposed), 1, 7)
    assert len(features) == len(FEATURES) == len(weights()) and np.isfinite(features).all()


def test_probabilities_of_sizes_are_one_together_and_fall() -> None:
    scene, view = table(8)
    shares = [p for *_, p in odds_about(scene, part(view, 0, 6), scene.proposed).sizes]
    assert 0.9 < sum(shares) <= 1 + 1e-9 and shares == sorted(shares, reverse=True)


@pytest.mark.parametrize("told", [7, 6])
def test_a_board_that_is_found_says_which_sizes_it_may_have_also_where_its_size_was_told(told: int) -> None:
    where = places(2, 7, 1.2)
    view = view_of(camera(SIZE, 0, 0, 75, 12, where.reshape(-1, 2).mean(0)), where, 0.42, SIZE)
    picture = paint(view, where, seeds=3)
    found = find(picture, propose=lambda _: [])
    assert isinstance(found, BoardView) and found.sizes[0][:2] == (found.rows, found.cols) == (2, 7)
    named = find(picture, 2, told, propose=lambda _: [])
    assert isinstance(named, BoardView) and named.cols == told and named.sizes[0][:2] == (2, 7)


def test_print_in_rows_is_no_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its letters have rims and stand in even rows: the odds alone speak against it."""
    said: list[Odds] = []

    def listened(*about: Any) -> Odds:
        said.append(odds_about(*about))
        return said[-1]

    monkeypatch.setattr("vision.board.find.odds_about", listened)
    assert isinstance(find(views.view("letters", 73_000_001, 10).image[240:, 320:]), NotFound)
    assert said and max(odds.board for odds in said) < -math.log(ACCEPTANCE.shown)


@pytest.mark.parametrize("cols", [7, None])
@pytest.mark.parametrize(("odds", "there"), [(-1.0, True), (-1.2, False)])
def test_plain_rims_do_not_outweigh_the_odds(
        cols: int | None, odds: float, there: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Coins in two rows have plainer rims than most boards."""
    where = places(2, 7, 1.2)
    view = view_of(camera(SIZE, 0, 0, 75, 12, where.reshape(-1, 2).mean(0)), where, 0.42, SIZE)
    monkeypatch.setattr("vision.board.find.odds_about", lambda *_: Odds(odds, ((2, 7, 1.0),)))
    found = find(paint(view, where, seeds=3), cols and 2, cols, propose=lambda _: [])
    assert isinstance(found, BoardView) == there


def test_where_the_network_sees_pits_everywhere_the_rims_have_their_say() -> None:
    scene, view = table(8)
    lot = laid(scene, view, scene.proposed)
    dreamt = replace(lot, sure=np.random.default_rng(1).uniform(0, 400, (200, 2)))
    alone = score(lot.without_network(), 1, 9)
    assert described(dreamt, 1, 9) @ weights() < alone + math.log(ACCEPTANCE.network_fails) < score(dreamt, 1, 9)
    assert score(lot, 1, 9) == pytest.approx(described(lot, 1, 9) @ weights(), abs=0.1)


@pytest.mark.parametrize("number", range(examples(1)))
@pytest.mark.parametrize("told", [(4, 8), (None, None)][:examples(1)])
def test_a_board_for_chess_or_draughts_is_none(number: int, told: tuple[int | None, int | None]) -> None:
    """Bare, or with pieces on it; its four middle rows of eight are as even as a board's pits."""
    assert isinstance(find(views.view("squares", 83_000_001, number).image, *told), NotFound)


@pytest.mark.parametrize("told", [(None, None), (4, 8)][:examples(1)])
def test_a_board_carved_by_hand_is_found_though_its_pits_touch_and_its_rims_are_soft(
        told: tuple[int | None, int | None]) -> None:
    shown = views.view("adzed", 83_000_001, 1)
    found = find(shown.image, *told)
    assert shown.truth is not None and isinstance(found, BoardView) and shown.truth.found(found.centres)
