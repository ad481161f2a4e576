"""Lamps mirrored in all the bowls pass for seeds: what tells them from a set-up laid wrongly."""

from __future__ import annotations

import numpy as np
import pytest

from device.table.settling.evidence_window import Window
from device.table.setup import mirrored_pits
from tests.device.played_table import likelihoods
from vision.reading import Reading

DUE = (0, 0, 4, 4, 4, 4, 4, 4, 0, 0, 4, 4, 4, 4, 4, 4)
EMPTY = [p for p, n in enumerate(DUE) if n == 0]
LAMP = (7, 9)
"""Where the lamp shows in every bowl, in cells."""


def window(counts: list[int], spots: dict[int, tuple[int, int]]) -> Window:
    """A board read as holding these counts; in these pits something bright lies at (row, column)."""
    rng = np.random.default_rng(0)
    cells = rng.normal(60, 2, (len(counts), 16, 16)).astype(np.float32)
    for pit, (row, col) in spots.items():
        cells[pit, row - 1 : row + 2, col - 1 : col + 2] += 90
    found = Window(len(counts))
    for k in range(3):
        found.add(Reading(k, likelihoods(counts), np.ones(len(counts), np.bool_), cells=cells))
    return found


def lit(**more: int) -> list[int]:
    """One too many is read in every empty pit, and in half of the others."""
    return [n + (1 if n == 0 else p % 2) + more.get(f"pit{p}", 0) for p, n in enumerate(DUE)]


def test_lamps_mirrored_alike_in_all_bowls_are_no_seeds() -> None:
    told = mirrored_pits(window(lit(), dict.fromkeys(range(16), LAMP)), DUE)
    assert told == tuple(0 if n == 0 else -1 for n in DUE)


@pytest.mark.parametrize(("counts", "spots"), [
    (lit(), {p: (4 + p * 7 % 9, 4 + p * 5 % 9) for p in range(16)}),  # in every pit elsewhere, as seeds lie
    ([n + (n == 0) for n in DUE], dict.fromkeys(EMPTY, LAMP)),  # in the empty pits alone: seeds in the wrong pits
    (lit(pit2=-2), dict.fromkeys(range(16), LAMP)),  # and one holds fewer
    (lit(pit3=3), dict.fromkeys(range(16), LAMP)),  # or far more
    ([n or int(p < 2) for p, n in enumerate(DUE)], dict.fromkeys(EMPTY, LAMP)),  # half of the empty ones hold nothing
])
def test_a_set_up_laid_wrongly_stays_wrong(counts: list[int], spots: dict[int, tuple[int, int]]) -> None:
    assert mirrored_pits(window(counts, spots), DUE) is None


def test_a_set_up_without_empty_pits_tells_nothing_of_lamps() -> None:
    due = (4,) * 16
    assert mirrored_pits(window([5] * 16, dict.fromkeys(range(16), LAMP)), due) is None


def test_where_the_set_up_is_known_to_lie_there_seeds_may_hide_the_lamps_in_the_other_pits() -> None:
    alone = window([n + (n == 0) for n in DUE], dict.fromkeys(EMPTY, LAMP))
    assert mirrored_pits(alone, DUE, sure=True) == tuple(0 if n == 0 else -1 for n in DUE)
    elsewhere = window([n + (n == 0) for n in DUE], {p: (4 + p * 7 % 9, 4 + p * 5 % 9) for p in EMPTY})
    assert mirrored_pits(elsewhere, DUE, sure=True) is None  # a first move that was not seen, and no lamps
