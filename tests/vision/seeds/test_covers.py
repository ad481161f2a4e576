"""How much of its pit a heap covers says how many seeds it has, once a table's seeds are known."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.reading import COUNTS
from vision.seeds.knowledge.coverage import CoverageModel, covered
from vision.seeds.parameters import COVERAGE

Crops = NDArray[np.uint8]
SIDE = 160
LAID = (1, 1, 2, 2, 3, 3, 4, 5)


def wood(rng: np.random.Generator, pits: int) -> Crops:
    grain = rng.normal(0, 9, (pits, SIDE, 1, 3)) + np.array((60, 90, 130))
    return np.asarray(np.clip(np.broadcast_to(grain, (pits, SIDE, SIDE, 3)), 1, 255), np.uint8)


def laid(bare: Crops, counts: tuple[int, ...], rng: np.random.Generator, across: float = 13.0, by: float = 0.1
         ) -> Crops:
    """The same pits with so many pale seeds in each, side by side, of that radius in pixels, give or take a share."""
    found = bare.copy()
    for crop, n in zip(found, counts, strict=True):
        much = across * rng.uniform(1 - by, 1 + by)
        for k in range(n):
            at = (80 + round(33 * np.cos(2.4 * k) * min(k, 1)), 80 + round(33 * np.sin(2.4 * k) * min(k, 1)))
            cv2.circle(crop, at, round(much), (190, 215, 225), -1, cv2.LINE_AA)
    return found


def taught(rng: np.random.Generator, across: float = 13.0, by: float = 0.1, times: int = 1) -> CoverageModel:
    covers, bare = CoverageModel(), wood(rng, len(LAID))
    for _ in range(times):
        covers.learn(laid(bare, LAID, rng, across, by), bare, np.array(LAID))
    return covers


@pytest.mark.parametrize("lies", [1, 2, 3])
def test_a_heap_covers_as_much_as_its_seeds_do(lies: int) -> None:
    rng = np.random.default_rng(lies)
    covers, bare = taught(rng), wood(rng, 6)
    said = covers.say(laid(bare, (lies,) * 6, rng), bare)
    assert said.shape == (6, COUNTS) and np.abs(said.argmax(axis=1) - lies).max() <= 1
    assert (said[:, lies] - said[:, lies + 3] > 0.5).all(), "one with facets is no heap of tiny ones"
    assert (said[:, lies] - said[:, 0] > 1.5).all()


def test_nothing_is_said_before_the_seeds_are_known_nor_of_a_pit_that_was_never_seen_empty() -> None:
    rng = np.random.default_rng(1)
    bare = wood(rng, 3)
    crops = laid(bare, (1, 2, 3), rng)
    covers = CoverageModel()
    assert not covers.say(crops, bare).any()
    covers.learn(crops, bare, np.array((1, 2, 3)))
    assert COVERAGE.fewest_pits > 3 and not covers.say(crops, bare).any()
    covers.learn(crops, bare, np.array((1, -1, 3)))
    bare[1] = 0
    assert covers.say(crops, bare).any(axis=1).tolist() == [True, False, True]
    covers = CoverageModel()
    covers.learn(laid(bare, (2,) * 3, rng), np.zeros_like(bare), np.array((2,) * 3))
    covers.learn(laid(bare, (2,) * 3, rng), np.zeros_like(bare), np.array((2,) * 3))
    assert not covers.say(crops, bare).any()


def test_the_light_is_no_seed() -> None:
    rng = np.random.default_rng(2)
    bare = wood(rng, 1)
    crop = laid(bare, (3,), rng, by=0.0)
    share = covered(crop[0], bare[0])
    assert share == pytest.approx(3 * 13**2 / 61.5**2, rel=0.3)
    dim = np.clip(crop[0] * 0.55, 0, 255).astype(np.uint8)
    assert covered(dim, bare[0]) == pytest.approx(share, abs=0.03)
    assert covered(np.clip(bare[0] * 0.55, 0, 255).astype(np.uint8), bare[0]) < 0.01


def test_where_heaps_differ_much_little_is_said() -> None:
    rng = np.random.default_rng(3)
    bare = wood(rng, 1)
    one = laid(bare, (1,), rng, by=0.0)
    plain, odd = (np.ptp(taught(rng, by=by, times=3).say(one, bare)[0, 1:4]) for by in (0.1, 0.6))
    assert odd < 0.7 * plain


def test_no_share_however_odd_shouts_the_counter_down() -> None:
    rng = np.random.default_rng(4)
    covers, bare = taught(rng), wood(rng, 2)
    all_over = np.clip(bare * 2.2, 0, 255).astype(np.uint8)
    all_over[:, :10], all_over[:, -10:] = bare[:, :10], bare[:, -10:]
    said = covers.say(all_over, bare)
    assert said.min() >= -0.5 * COVERAGE.weight * COVERAGE.most_off - 1e-6
    assert (said[:, -1] == said[:, -2]).all()


def test_other_seeds_are_learnt_anew() -> None:
    """What was learnt long ago is forgotten."""
    rng = np.random.default_rng(5)
    covers, bare = taught(rng, across=7.0, times=30), wood(rng, len(LAID))
    for _ in range(15):
        covers.learn(laid(bare, LAID, rng), bare, np.array(LAID))
    said = covers.say(laid(bare[:1], (2,), rng), bare[:1])
    assert int(said[0, :8].argmax()) == 2
