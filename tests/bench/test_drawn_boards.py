"""What is counted of drawn boards that were looked for."""

import numpy as np

from tests.bench.drawn_boards import Found
from vision.reading import BoardView
from vision.train.views import BoardTruth


def truth() -> BoardTruth:
    """A 2×5 board in a picture of 640×480, whose last column's rims lie beyond the picture's edge."""
    x, y = np.meshgrid(100 + 133 * np.arange(5), [150, 300])
    return BoardTruth(np.stack([x, y, np.full_like(x, 40)], axis=-1).astype(np.float64), (640, 480))


def seen(by: float) -> BoardView:
    """That board as found, every pit `by` pixels aside."""
    centres = truth().circles[..., :2] + (by, 0.0)
    return BoardView(2, 5, centres, np.full((2, 5), 40.0), np.eye(3), 0.3, (640, 480))


def test_pits_within_a_quarter_of_their_radius_are_found() -> None:
    near, far = Found("plain"), Found("plain")
    near.take(seen(8.0), truth())
    far.take(seen(12.0), truth())
    assert (near.found, near.pits, near.whole) == (1, 8, 8)
    assert (far.found, far.pits, far.whole) == (0, 0, 8)


def test_a_board_that_is_not_found_counts_with_all_its_pits() -> None:
    lost = Found("plain")
    lost.take(None, truth())
    assert (lost.n, lost.boards, lost.found, lost.pits, lost.whole) == (1, 1, 0, 0, 8)


def test_other_things_are_to_be_left_alone() -> None:
    tray = Found("tray")
    tray.take(seen(0.0), None)
    tray.take(None, None)
    assert (tray.n, tray.boards, tray.taken) == (2, 0, 1)
    first = tray.rows()[0]
    assert first.measure == "taken for a board" and first.value.startswith("50")
