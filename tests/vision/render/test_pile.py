"""How seeds come to rest: in the bowl, apart, lying on their flat sides, and not one on another where there is room
beside it."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.render.pile import settle, spheres

Array = NDArray[np.float64]
BOWL = (0.42, 0.42, 2.0, 0.35, 2.0)
BALL, STONE = (0.1, 0.1, 0.1), (0.12, 0.09, 0.05)


def heap(count: int, seed: int, axes: tuple[float, float, float] = BALL, spread: float = 0.3) -> tuple[Array, Array]:
    """Middles float64[count, 3] and turns float64[count, 3, 3] of seeds dropped into the middle of a round bowl."""
    return settle(np.tile(np.array(axes), (count, 1)), BOWL, np.random.default_rng(seed), spread=spread)


def floor(at: Array) -> Array:
    """How high the bowl's floor is under places float64[n, 3]."""
    q = np.hypot(at[:, 0], at[:, 1]) / BOWL[0]
    return np.where(q < 1, -BOWL[3] * (1 - q**2), 0.0)


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_few_seeds_lie_beside_one_another(count: int) -> None:
    shallow = (0.42, 0.42, 2.0, 0.15, 2.0)
    for seed in range(40):
        middles, _ = settle(np.tile(np.array(BALL), (count, 1)), shallow, np.random.default_rng(seed), spread=0.3)
        apart = np.linalg.norm(middles[:, None, :2] - middles[None, :, :2], axis=2)[np.triu_indices(count, 1)]
        assert apart.min() > 0.12, f"one of {count} seeds lies on another with seed {seed}"


@settings(max_examples=25, deadline=None)
@given(n=st.integers(0, 25), size=st.floats(0.4, 1.2), flat=st.booleans(), seed=st.integers(0, 1000))
def test_seeds_stay_in_the_bowl_and_on_its_floor(n: int, size: float, flat: bool, seed: int) -> None:
    axes = size * np.array(STONE if flat else BALL)
    middles, turns = settle(np.tile(axes, (n, 1)), BOWL, np.random.default_rng(seed))
    assert middles.shape == (n, 3) and turns.shape == (n, 3, 3)
    assert np.isfinite(middles).all() and np.isfinite(turns).all()
    assert (np.hypot(middles[:, 0], middles[:, 1]) < BOWL[0]).all()
    assert (middles[:, 2] > floor(middles) + 0.5 * axes.min()).all()


@pytest.mark.parametrize("axes", [BALL, STONE])
def test_seeds_are_solid(axes: tuple[float, float, float]) -> None:
    offsets, radii = spheres(np.array(axes))
    for seed in range(5):
        middles, turns = heap(12, seed, axes)
        at = middles[:, None] + np.einsum("nij,kj->nki", turns, offsets)
        for i in range(12):
            for j in range(i):
                apart = np.linalg.norm(at[i][:, None] - at[j][None], axis=2) - (radii[:, None] + radii[None])
                assert apart.min() > -0.35 * min(axes), (seed, i, j)


@pytest.mark.parametrize("axes", [BALL, STONE, (0.2, 0.1, 0.05), (0.05, 0.2, 0.1), (0.2, 0.05, 0.05)])
def test_a_seed_is_filled_by_spheres_that_touch_it_from_within(axes: tuple[float, float, float]) -> None:
    offsets, radii = spheres(np.array(axes))
    way = np.random.default_rng(3).normal(size=(400, 3))
    way /= np.linalg.norm(way, axis=1)[:, None]
    outside = (offsets[:, None] + 1.001 * radii[:, None, None] * way) / np.array(axes)
    farthest = np.linalg.norm(outside, axis=2).max(axis=1)
    assert farthest.max() < 1.02, "a sphere sticks out of its seed"
    if len(radii) > 1:
        assert farthest.min() > 0.98, "a sphere touches its seed nowhere"
    assert np.abs(offsets).max() + radii.max() > 0.8 * max(axes)


def test_flat_seeds_lie_on_their_flat_sides() -> None:
    bowl = (0.42, 0.42, 2.0, 0.2, 8.0)  # a flat floor
    up = []
    for seed in range(30):
        _, turns = settle(np.array([STONE]), bowl, np.random.default_rng(seed), spread=0.3)
        up.append(abs(float(turns[0, 2, 2])))
    assert np.median(up) > math.cos(math.radians(10))


def test_flat_seeds_lean_on_one_another_in_a_heap() -> None:
    leaning = np.concatenate([np.abs(heap(14, seed, STONE)[1][:, 2, 2]) for seed in range(5)])
    assert (leaning < math.cos(math.radians(30))).mean() > 0.2


def test_turns_are_rotations() -> None:
    _, turns = heap(10, 4, STONE)
    assert np.allclose(np.einsum("nij,nkj->nik", turns, turns), np.eye(3), atol=1e-3)
    assert (np.linalg.det(turns) > 0.99).all()


def test_a_full_bowl_is_filled_upwards() -> None:
    assert heap(25, 1)[0][:, 2].max() > heap(6, 1)[0][:, 2].max() + 0.05


def test_seeds_that_lay_there_mostly_stay_and_none_moves_where_none_is_added() -> None:
    axes = np.tile(np.array(STONE), (6, 1))
    rng = np.random.default_rng(2)
    first = settle(axes[:5], BOWL, rng)
    after, _ = settle(axes, BOWL, rng, lying=first)
    assert np.abs(after[:5] - first[0]).max() < 0.25
    kept = settle(axes[:4], BOWL, rng, lying=first)
    assert np.array_equal(kept[0], first[0][:4]) and np.array_equal(kept[1], first[1][:4])
