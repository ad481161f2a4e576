"""How much of its pit a heap takes up says how many seeds it has, once a table's seeds are known."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.reading import COUNTS
from vision.seeds.knowledge.seed_area import SeedAreaModel, changed_share
from vision.seeds.parameters import SEED_AREA

Crops = NDArray[np.uint8]
SIDE = 160
LAID = (1, 1, 2, 2, 3, 3, 4, 5)


def wood(rng: np.random.Generator, pits: int) -> Crops:
    grain = rng.normal(0, 9, (pits, SIDE, 1, 3)) + np.array((60, 90, 130))
    return np.asarray(np.clip(np.broadcast_to(grain, (pits, SIDE, SIDE, 3)), 1, 255), np.uint8)


def laid(empty: Crops, counts: tuple[int, ...], rng: np.random.Generator, across: float = 13.0, by: float = 0.1
         ) -> Crops:
    """The same pits with so many pale seeds in each, side by side, of that radius in pixels, give or take a share."""
    found = empty.copy()
    for crop, n in zip(found, counts, strict=True):
        much = across * rng.uniform(1 - by, 1 + by)
        for k in range(n):
            at = (80 + round(33 * np.cos(2.4 * k) * min(k, 1)), 80 + round(33 * np.sin(2.4 * k) * min(k, 1)))
            cv2.circle(crop, at, round(much), (190, 215, 225), -1, cv2.LINE_AA)
    return found


def taught(rng: np.random.Generator, across: float = 13.0, by: float = 0.1, times: int = 1) -> SeedAreaModel:
    area, empty = SeedAreaModel(), wood(rng, len(LAID))
    for _ in range(times):
        area.learn(laid(empty, LAID, rng, across, by), empty, np.array(LAID))
    return area


@pytest.mark.parametrize("lies", [1, 2, 3])
def test_a_heap_takes_up_as_much_as_its_seeds_do(lies: int) -> None:
    rng = np.random.default_rng(lies)
    area, empty = taught(rng), wood(rng, 6)
    said = area.say(laid(empty, (lies,) * 6, rng), empty)
    assert said.shape == (6, COUNTS) and np.abs(said.argmax(axis=1) - lies).max() <= 1
    assert (said[:, lies] - said[:, lies + 3] > 0.5).all(), "one with facets is no heap of tiny ones"
    assert (said[:, lies] - said[:, 0] > 1.5).all()


def test_nothing_is_said_before_the_seeds_are_known_nor_of_a_pit_that_was_never_seen_empty() -> None:
    rng = np.random.default_rng(1)
    empty = wood(rng, 3)
    crops = laid(empty, (1, 2, 3), rng)
    area = SeedAreaModel()
    assert not area.say(crops, empty).any()
    area.learn(crops, empty, np.array((1, 2, 3)))
    assert SEED_AREA.fewest_pits > 3 and not area.say(crops, empty).any()
    area.learn(crops, empty, np.array((1, -1, 3)))
    empty[1] = 0
    assert area.say(crops, empty).any(axis=1).tolist() == [True, False, True]
    area = SeedAreaModel()
    area.learn(laid(empty, (2,) * 3, rng), np.zeros_like(empty), np.array((2,) * 3))
    area.learn(laid(empty, (2,) * 3, rng), np.zeros_like(empty), np.array((2,) * 3))
    assert not area.say(crops, empty).any()


def test_the_light_is_no_seed() -> None:
    rng = np.random.default_rng(2)
    empty = wood(rng, 1)
    crop = laid(empty, (3,), rng, by=0.0)
    share = changed_share(crop[0], empty[0])
    assert share == pytest.approx(3 * 13**2 / 61.5**2, rel=0.3)
    dim = np.clip(crop[0] * 0.55, 0, 255).astype(np.uint8)
    assert changed_share(dim, empty[0]) == pytest.approx(share, abs=0.03)
    assert changed_share(np.clip(empty[0] * 0.55, 0, 255).astype(np.uint8), empty[0]) < 0.01


def test_where_heaps_differ_much_little_is_said() -> None:
    rng = np.random.default_rng(3)
    empty = wood(rng, 1)
    one = laid(empty, (1,), rng, by=0.0)
    plain, odd = (np.ptp(taught(rng, by=by, times=3).say(one, empty)[0, 1:4]) for by in (0.1, 0.6))
    assert odd < 0.7 * plain


def test_no_share_however_odd_shouts_the_counter_down() -> None:
    rng = np.random.default_rng(4)
    area, empty = taught(rng), wood(rng, 2)
    all_over = np.clip(empty * 2.2, 0, 255).astype(np.uint8)
    all_over[:, :10], all_over[:, -10:] = empty[:, :10], empty[:, -10:]
    said = area.say(all_over, empty)
    assert said.min() >= -0.5 * SEED_AREA.weight * SEED_AREA.most_off - 1e-6
    assert (said[:, -1] == said[:, -2]).all()


def test_other_seeds_are_learnt_anew() -> None:
    """What was learnt long ago is forgotten."""
    rng = np.random.default_rng(5)
    area, empty = taught(rng, across=7.0, times=30), wood(rng, len(LAID))
    for _ in range(15):
        area.learn(laid(empty, LAID, rng), empty, np.array(LAID))
    said = area.say(laid(empty[:1], (2,), rng), empty[:1])
    assert int(said[0, :8].argmax()) == 2
