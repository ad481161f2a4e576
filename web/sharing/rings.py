"""What is drawn over each of a verdict's photographs."""

from enum import Enum

from PIL import Image

from device.films import rings
from device.films.rings import OCHRE, RED
from web.readmodel.marks import Place
from web.readmodel.shapes import Diagram
from web.sharing.told import SharedVerdict


class Phase(Enum):
    """The part of a move that a picture shows: the board before it, hands over it, a gap without pictures, the board
    after it."""

    BEFORE = "before"
    HANDS = "hands"
    GAP = "gap"
    AFTER = "after"


def overlay(told: SharedVerdict, size: tuple[int, int], phase: Phase) -> Image.Image:
    """Return a transparent picture of `size` pixels with the rings and letters of a phase; empty if the pits' positions
    are unknown."""
    lay = told.place if phase is Phase.AFTER else told.place_was
    if lay is None:
        return Image.new("RGBA", size, (0, 0, 0, 0))
    scale, after = size[0] / lay.size[0], phase is Phase.AFTER
    counts = _counts(told, phase)
    return rings.overlay(
        size, [(x * scale, y * scale, r * scale) for x, y, r in lay.pits], [pit["name"] for pit in told.shape],
        counts["n"] if counts else None, _named(told) if after else (),
        {mark["pit"] for mark in told.marks if not mark["cause"]} if after else ())


def _named(told: SharedVerdict) -> list[rings.RingedPit]:
    """The pits that the verdict names."""
    middle = (1 + max(pit["row"] for pit in told.shape)) / 2
    return [rings.RingedPit(mark["pit"], label, OCHRE if mark["due"] is None else RED,
                        told.shape[mark["pit"]]["row"] < middle) for mark, label in told.causes]


def _counts(told: SharedVerdict, phase: Phase) -> Diagram | None:
    """Return the board whose counts are known in a phase; None while hands are over it, in a gap, or if the table is
    not sure."""
    if phase in (Phase.HANDS, Phase.GAP) or (phase is Phase.AFTER and told.kind == "not-sure"):
        return None
    known = told.before if phase is Phase.BEFORE else told.there
    return known if known is not None and len(known["n"]) == len(told.shape) else None


def scaled(place: Place, size: tuple[int, int]) -> bool:
    """Return whether a picture of this size has the proportions of the one in which the place was found."""
    return abs(size[0] * place.size[1] - size[1] * place.size[0]) <= 2 * max(size)
