"""On dark, flat wood the counter takes open pits for covered: the table teaches what its word is worth."""

import numpy as np

from vision.seeds.knowledge.occlusion import OcclusionCalibration

ALL = np.ones(8, np.bool_)


def said(*covered: float) -> np.ndarray:
    return np.array(covered, np.float32)


def test_its_word_holds_until_open_pits_were_called_covered() -> None:
    word = said(0.9, 0.1, 0.6, 0.999, 0.0, 0.0, 0.0, 0.0)
    openly = OcclusionCalibration(8)
    assert np.array_equal(openly.believed(word), word)
    openly.learn(said(*[0.02] * 8), ALL)
    assert np.array_equal(openly.believed(word), word)


def test_open_pits_that_it_calls_covered_are_open() -> None:
    openly = OcclusionCalibration(8)
    openly.learn(said(0.9, 0.8, 0.97, 0.3, 0.9, 0.1, 0.6, 0.95), ALL)
    assert (openly.believed(said(0.9, 0.9, 0.97, 0.8, 0.9, 0.7, 0.8, 0.95)) < 0.5).all()
    assert (openly.believed(said(*[0.9995] * 8)) > 0.5).all(), "a hand is called covered more surely than wood"


def test_one_thing_over_two_pits_teaches_nothing() -> None:
    openly = OcclusionCalibration(8)
    openly.learn(said(0.99, 0.98, 0.02, 0.03, 0.02, 0.1, 0.02, 0.02), ALL)
    word = said(0.99, 0.98, 0.6, 0.03, 0.02, 0.1, 0.02, 0.02)
    assert np.array_equal(openly.believed(word), word)


def test_few_pits_that_are_known_teach_nothing() -> None:
    openly = OcclusionCalibration(8)
    openly.learn(said(*[0.99] * 8), np.arange(8) < 3)
    word = said(*[0.97] * 8)
    assert np.array_equal(openly.believed(word), word)
