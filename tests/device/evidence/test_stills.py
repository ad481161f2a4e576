"""Stills: what shows nothing new is not written twice."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from device.evidence.stills import Stills


@pytest.fixture
def light() -> np.random.Generator:
    return np.random.default_rng(7)


def board(light: np.random.Generator, *seeds: tuple[int, int], shade: int = 150) -> NDArray[np.uint8]:
    """A noisy picture of wood, with seeds at those places. shade: the seeds' grey; the wood's is 110."""
    picture = np.full((720, 1280, 3), 110, np.uint8)
    for at in seeds:
        cv2.circle(picture, at, 10, (shade, shade, shade), -1)
    return np.clip(picture + light.normal(0, 6, picture.shape), 0, 255).astype(np.uint8)


def test_a_board_that_lay_still_between_two_moves_is_written_once(tmp_path: Path, light: np.random.Generator) -> None:
    stills = Stills(tmp_path)
    seeds = [(300, 300), (700, 300), (700, 340), (900, 500)]
    names: list[str] = []
    for moves in range(1, 4):
        stills.look(board(light, *seeds[:moves]))
        stills.calm()
        stills.look(board(light, *seeds[: moves + 1]))
        names += stills.pair()
    assert names[1] == names[2] and names[3] == names[4] and len(set(names)) == 4
    assert {path.name for path in tmp_path.iterdir()} == set(names)


@pytest.mark.parametrize("shade", [90, 130])
def test_one_pale_seed_is_something_new(tmp_path: Path, light: np.random.Generator, shade: int) -> None:
    stills = Stills(tmp_path)
    assert stills.save(board(light, shade=shade)) != stills.save(board(light, (640, 360), shade=shade))


def test_a_still_that_was_dropped_to_make_room_is_written_again(tmp_path: Path, light: np.random.Generator) -> None:
    stills = Stills(tmp_path)
    (tmp_path / stills.save(board(light))).unlink()
    again = stills.save(board(light))
    assert (tmp_path / again).is_file()


def test_another_camera_s_picture_is_another_still(tmp_path: Path, light: np.random.Generator) -> None:
    stills = Stills(tmp_path)
    assert stills.save(board(light)) != stills.save(board(light)[::2, ::2])
