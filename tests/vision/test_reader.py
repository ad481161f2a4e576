"""The counter: its form, its doubts, and counts on rendered pits that it was not trained on."""

from __future__ import annotations

import numpy as np
import pytest

from vision.crops import crop_circles
from vision.reader import SHORTEST, prepare, reader
from vision.reading import COUNTS
from vision.render.scene import Scene
from vision.render.styles import SceneStyle
from vision.train.crops import COVERED, crop_batch

SEED = 9_100_000


@pytest.fixture(scope="module")
def pits() -> tuple[np.ndarray[tuple[int, ...], np.dtype[np.uint8]], np.ndarray[tuple[int, ...], np.dtype[np.uint8]]]:
    """120 rendered pits and their labels."""
    images, labels, *_ = crop_batch(SEED, 120)
    return images, labels


def test_loglikelihoods_are_normalised_and_floored(pits: tuple[np.ndarray, np.ndarray]) -> None:
    loglik, covered = reader().read(pits[0][:7])
    assert loglik.shape == (7, COUNTS) and covered.shape == (7,)
    assert (loglik <= 0).all() and (loglik >= SHORTEST).all()
    assert np.exp(loglik).sum(axis=1) == pytest.approx(np.ones(7), abs=1e-3)
    assert ((covered >= 0) & (covered <= 1)).all()


def test_any_number_of_pits_can_be_read(pits: tuple[np.ndarray, np.ndarray]) -> None:
    one, _ = reader().read(pits[0][:1])
    many, _ = reader().read(pits[0][:32])
    assert one[0] == pytest.approx(many[0], abs=1e-3)
    assert reader().read(pits[0][:0])[0].shape == (0, COUNTS)


def test_few_seeds_on_a_plain_board_are_counted_right() -> None:
    """A guard against broken weights or another order of channels, not a measure: `make bench` measures."""
    rng = np.random.default_rng(SEED)
    counts = rng.integers(0, 5, (2, 8))
    scene = Scene(SceneStyle.house(2, 8), (1280, 720), counts)
    circles = [(float(x), float(y), float(r)) for x, y, r in scene.circles[: scene.board_pits]]
    loglik, covered = reader().read(crop_circles(scene.finish(scene.image(), rng), circles), turns=8)
    assert (loglik.argmax(axis=1) == counts.ravel()).mean() >= 0.9
    assert covered.max() < 0.5


def test_covered_pits_are_told_from_others(pits: tuple[np.ndarray, np.ndarray]) -> None:
    images, labels = pits
    _, covered = reader().read(images)
    assert covered[labels == COVERED].mean() > 0.7
    assert covered[labels != COVERED].mean() < 0.15


def test_the_light_is_taken_out() -> None:
    rng = np.random.default_rng(0)
    picture = rng.integers(60, 200, (1, 80, 80, 3)).astype(np.uint8)
    dim = (picture * 0.5).astype(np.uint8)
    assert np.abs(prepare(picture) - prepare(dim)).mean() < 0.12
