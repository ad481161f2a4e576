"""What quiet readings say of a set-up: whether it lies there, or may lie there on a board that is misread."""

from collections.abc import Sequence

import numpy as np
import pytest

from device.table.window import Window
from engine.rules import ruleset
from tests.device.played_table import likelihoods
from vision.reading import Reading

RULES = ruleset("enkeshui")
SETUP = RULES.setup()
LAID = SETUP.counts
HEAPS = [pit for pit, n in enumerate(LAID) if n]


def read(counts: Sequence[int], hidden: Sequence[int] = ()) -> Window:
    """A board read as holding these counts. hidden: the pits that a shadow or a hand covers."""
    window = Window(len(counts))
    seen = np.array([pit not in hidden for pit in range(len(counts))])
    for k in range(3):
        window.add(Reading(k, likelihoods(counts), seen))
    return window


def off(by: int, pits: Sequence[int]) -> list[int]:
    """The set-up, with so many seeds more in these pits."""
    return [n + by * (pit in pits) for pit, n in enumerate(LAID)]


def aside() -> list[int]:
    """The set-up read one column beside the board: the last column shows nothing."""
    board = SETUP.board
    counts = [0] * board.pits
    for row in range(board.rows):
        for col in range(board.cols - 1):
            counts[board.at(row, col)] = LAID[board.at(row, col + 1)]
    return counts


@pytest.mark.parametrize(("window", "lies", "nearly", "agrees"), [
    pytest.param(read(LAID), True, True, True, id="read well"),
    pytest.param(read(LAID, hidden=[0, 9]), True, True, True, id="two pits hidden"),
    pytest.param(read(LAID, hidden=range(8)), True, True, False, id="half of the pits hidden"),
    pytest.param(read(off(2, HEAPS[:1])), False, True, True, id="one pit otherwise"),
    pytest.param(read(off(1, HEAPS[:2])), False, False, True, id="two pits off by one"),
    pytest.param(read(off(1, HEAPS[:6])), False, False, True, id="six pits off by one"),
    pytest.param(read(off(-2, HEAPS[:4])), False, False, False, id="four pits off by two"),
    pytest.param(read([0 if pit == HEAPS[0] else n for pit, n in enumerate(off(1, HEAPS[1:4]))]), False, False, False,
                 id="a pit sown"),
    pytest.param(read(aside()), False, False, True, id="a column aside"),
    pytest.param(read(RULES.play(SETUP, "c").position.counts), False, False, False, id="a move made"),
])
def test_a_set_up_lies_there_nearly_or_may_be_misread(window: Window, lies: bool, nearly: bool, agrees: bool) -> None:
    assert window.lies(LAID) == lies and window.lies(LAID, nearly=True) == nearly and window.agrees(LAID) == agrees


def test_a_pit_read_with_doubt_does_not_clearly_differ() -> None:
    window = Window(len(LAID))
    counts = off(1, HEAPS)
    window.add(Reading(0, likelihoods(counts, dict(enumerate(LAID)), -2.0), np.ones(len(LAID), np.bool_)))
    assert window.otherwise(LAID) == HEAPS and window.lies(LAID) and window.agrees(LAID)
