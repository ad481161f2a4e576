"""The network that proposes pits: its form, and a guard against broken weights; `make bench` measures."""

import cv2
import numpy as np
import pytest

from vision.board.find import find
from vision.board.proposal_network import pitnet
from vision.reading import BoardView
from vision.render.scene import RenderedTable
from vision.render.styles import SceneStyle


@pytest.fixture(scope="module")
def table() -> RenderedTable:
    """A 2×8 board with seeds, in a small picture."""
    rng = np.random.default_rng(11)
    return RenderedTable(SceneStyle.house(2, 8), (640, 360), rng.integers(0, 7, (2, 8)), samples=1)


def test_pits_are_proposed_where_they_are(table: RenderedTable) -> None:
    image = table.image()
    proposed = [p for p in pitnet().propose(image) if not p.store and p.score > 0.3]
    at = np.array([(p.x, p.y) for p in proposed])
    for x, y, r in table.circles[:16]:
        assert np.hypot(at[:, 0] - x, at[:, 1] - y).min() < 0.3 * r
    assert len(proposed) <= 20
    assert np.median([p.r for p in proposed]) == pytest.approx(np.median(table.circles[:16, 2]), rel=0.25)


@pytest.mark.parametrize("size", [(200, 900), (900, 200), (384, 288), (77, 64)])
def test_places_are_in_the_pictures_own_pixels(table: RenderedTable, size: tuple[int, int]) -> None:
    """Whatever the picture's shape, a proposal lies inside it, or nearly."""
    image = np.asarray(cv2.resize(table.image(), size), np.uint8)
    for p in pitnet().propose(image):
        assert -p.r <= p.x <= size[0] + p.r and -p.r <= p.y <= size[1] + p.r


def test_scores_fall(table: RenderedTable) -> None:
    scores = [p.score for p in pitnet().propose(table.image())]
    assert scores == sorted(scores, reverse=True) and all(0.15 < s <= 1 for s in scores)


def test_a_board_is_found_with_it(table: RenderedTable) -> None:
    view = find(table.image())
    assert isinstance(view, BoardView) and (view.rows, view.cols) == (2, 8)


def test_nothing_is_made_of_grey() -> None:
    assert not [p for p in pitnet().propose(np.full((300, 400, 3), 128, np.uint8)) if p.score > 0.5]
