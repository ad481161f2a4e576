"""Seeds that are made nearly the colour of their pit."""

import numpy as np
import pytest

from vision.train import augment
from vision.train.augment import FAINT_GREY, faded


@pytest.fixture(autouse=True)
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every picture is one of those that are changed."""
    monkeypatch.setattr(augment, "FADED", 1.0)


def test_seeds_differ_from_their_pit_by_a_few_grey_levels() -> None:
    empty = np.full((6, 40, 40, 3), 100, np.uint8)
    seen = empty.copy()
    seen[:, 10:20, 10:30] = 220
    out = faded(seen, empty, np.random.default_rng(1))
    left = out[:, 15, 15].astype(int) - 100
    assert (out[:, 30:] == 100).all() and (left >= FAINT_GREY[0] - 1).all() and (left <= FAINT_GREY[1] + 1).all()
    assert len(set(left[:, 0].tolist())) > 1 and (seen[:, 15, 15] == 220).all()


def test_without_an_empty_picture_nothing_is_changed() -> None:
    seen = np.random.default_rng(2).integers(0, 255, (3, 40, 40, 3), np.uint8)
    assert (faded(seen, np.zeros_like(seen), np.random.default_rng(1)) == seen).all()


def test_what_is_faint_already_stays() -> None:
    empty = np.full((1, 40, 40, 3), 100, np.uint8)
    seen = empty.copy()
    seen[:, 10:20, 10:30] = 108
    assert (faded(seen, empty, np.random.default_rng(1)) == seen).all()
