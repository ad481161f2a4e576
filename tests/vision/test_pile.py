"""How seeds come to rest: in the bowl, apart, and not one on another where there is room beside it."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.render.pile import settle


def heap(count: int, seed: int) -> NDArray[np.float64]:
    """Middles float64[count, 3] of seeds of radius 0.1 dropped into the middle of a round bowl."""
    rng = np.random.default_rng(seed)
    return settle(np.full(count, 0.1), np.full(count, 0.7), 0.42, 0.42, 2.0, 0.35, 2.0, rng, spread=0.3, rounds=16)


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_few_seeds_lie_beside_one_another(count: int) -> None:
    for seed in range(40):
        middles = heap(count, seed)
        apart = np.linalg.norm(middles[:, None, :2] - middles[None, :, :2], axis=2)[np.triu_indices(count, 1)]
        assert apart.min() > 0.12, f"one of {count} seeds lies on another with seed {seed}"


@pytest.mark.parametrize("count", [1, 9, 25])
def test_seeds_stay_in_the_bowl(count: int) -> None:
    for seed in range(10):
        middles = heap(count, seed)
        assert np.isfinite(middles).all()
        assert np.hypot(middles[:, 0], middles[:, 1]).max() < 0.42


def test_a_full_bowl_is_filled_upwards() -> None:
    assert heap(25, 1)[:, 2].max() > heap(6, 1)[:, 2].max() + 0.05


def test_seeds_that_lay_there_mostly_stay() -> None:
    rng = np.random.default_rng(2)
    radii, flat = np.full(4, 0.08), np.full(4, 0.8)
    first = settle(radii[:3], flat[:3], 0.42, 0.42, 2.0, 0.25, 3.0, rng)
    after = settle(radii, flat, 0.42, 0.42, 2.0, 0.25, 3.0, rng, start=first)
    assert np.abs(after[:3] - first).max() < 0.25
