"""Every tuned number of the eye has a unit, a range that it lies in, and a word on where it comes from."""

from dataclasses import Field, fields, is_dataclass

import numpy as np
from numpy.typing import NDArray

from vision import parameters as of_the_eye
from vision.board import parameters as of_boards
from vision.hands import parameters as of_hands
from vision.reading import COUNTS
from vision.seeds import parameters as of_seeds
from vision.seeds.seed_map import evidence

GROUPS = [one for module in (of_the_eye, of_boards, of_hands, of_seeds) for one in vars(module).values()
          if isinstance(one, type) and is_dataclass(one) and one.__module__ == module.__name__]
NUMBERS = {f"{group.__name__}.{field.name}": field for group in GROUPS for field in fields(group)}


def described(number: Field[float | tuple[float, ...]]) -> bool:
    """Whether a number has all that, and lies in its range."""
    known = number.metadata
    values: NDArray[np.float64] = np.atleast_1d(np.asarray(number.default, np.float64))
    inside = (values >= known["least"]).all() and (values <= known["most"]).all()
    return bool(known["least"] < known["most"] and inside and known["unit"] and known["meaning"] and known["source"])


def test_every_number_lies_in_its_range() -> None:
    assert len(GROUPS) > 25 and len(NUMBERS) > 150
    assert not [name for name, number in NUMBERS.items() if not described(number)]


def test_a_rims_reach_and_a_places_are_given_for_the_same_rounds() -> None:
    assert len(of_boards.FITTING.rim_reach) == len(of_boards.FITTING.place_reach)


def test_there_is_a_weight_for_each_kind_of_evidence() -> None:
    said, maps, heats = np.zeros((1, COUNTS), np.float32), np.zeros((1, 20, 20), np.float32), np.zeros((1, 80, 80))
    assert evidence(said, said, maps).shape[2] == len(of_seeds.MAPS.fast_weights)
    assert evidence(said, said, maps, heats.astype(np.float32)).shape[2] == len(of_seeds.MAPS.full_weights)
