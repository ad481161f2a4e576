"""Every tuned number has a unit, a range that it lies in, and a word on where it comes from."""

from dataclasses import Field, fields, is_dataclass

from device.eyes import parameters as of_eyes
from device.table import parameters as of_table
from engine.referee.parameters import TIMES

GROUPS = [one for module in (of_eyes, of_table) for one in vars(module).values()
          if isinstance(one, type) and is_dataclass(one) and one.__module__ == module.__name__]
NUMBERS = {f"{group.__name__}.{field.name}": field for group in GROUPS for field in fields(group)}


def described(number: Field[float]) -> bool:
    """Whether a number has all that, and lies in its range."""
    known = number.metadata
    inside = known["least"] <= number.default <= known["most"] and known["least"] < known["most"]
    return bool(inside and known["unit"] and known["meaning"] and known["source"])


def test_every_number_lies_in_its_range() -> None:
    assert len(GROUPS) > 10 and len(NUMBERS) > 100
    assert not [name for name, number in NUMBERS.items() if not described(number)]


def test_the_waits_are_in_their_order() -> None:
    assert TIMES.accuse_s < TIMES.change_s < TIMES.ask_s < TIMES.ask_midway_s
    assert list(of_table.RESTS_S) == sorted(of_table.RESTS_S) and of_table.RESTS_S[-1] > TIMES.ask_midway_s
