"""A set-up that is misread: in one pit, or in all the bowls, as lamps mirrored in them pass for seeds."""

import numpy as np
import pytest

from device.journal.states import State
from device.table.setup import mirrored_pits
from device.table.window import Window
from tests.device.played_table import Played, likelihoods, verdicts
from vision.reading import Reading

DUE = (0, 0, 4, 4, 4, 4, 4, 4, 0, 0, 4, 4, 4, 4, 4, 4)


def window(counts: list[int]) -> Window:
    """A board read as holding these counts."""
    found = Window(len(counts))
    for k in range(3):
        found.add(Reading(k, likelihoods(counts), np.ones(len(counts), np.bool_)))
    return found


def lit(**more: int) -> list[int]:
    """One too many is read in every empty pit, and in half of the others."""
    return [n + (1 if n == 0 else p % 2) + more.get(f"pit{p}", 0) for p, n in enumerate(DUE)]


def test_what_is_read_all_over_a_board_may_be_lamps_mirrored_in_all_bowls() -> None:
    told = mirrored_pits(window(lit()), DUE)
    assert told == tuple(0 if n == 0 else -1 for n in DUE)


@pytest.mark.parametrize("counts", [
    [n + (n == 0) for n in DUE],  # in the empty pits alone: seeds in the wrong pits
    lit(pit2=-2),  # and one holds fewer
    lit(pit3=3),  # or far more
    [n or int(p < 2) for p, n in enumerate(DUE)],  # half of the empty ones hold nothing
])
def test_a_set_up_laid_wrongly_stays_wrong(counts: list[int]) -> None:
    assert mirrored_pits(window(counts), DUE) is None


def test_a_set_up_without_empty_pits_tells_nothing_of_lamps() -> None:
    due = (4,) * 16
    assert mirrored_pits(window([5] * 16), due) is None


def test_where_the_set_up_is_known_to_lie_there_seeds_may_hide_the_lamps_in_the_other_pits() -> None:
    alone = window([n + (n == 0) for n in DUE])
    assert mirrored_pits(alone, DUE, sure=True) == tuple(0 if n == 0 else -1 for n in DUE)


def test_a_pit_misread_at_the_set_up_is_known_from_then_on() -> None:
    table = Played()
    table.start()
    table.counts[4] += 1
    table.frames(2)
    assert table.at(State.SETTING_UP)
    table.frames(3)
    assert table.at(State.WATCHING) and "look at" not in table.table.why
    table.frames(5)
    assert table.at(State.WATCHING) and not verdicts(table), "the pit goes on being misread; nobody touched it"
