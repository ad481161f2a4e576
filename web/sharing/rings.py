"""A board's pits drawn over a photograph of it: letters, counts, and what is wrong with which."""

from __future__ import annotations

from enum import Enum

from PIL import Image, ImageDraw

from web.readmodel.marks import Place
from web.readmodel.shapes import Diagram
from web.sharing.letters import Colour, fitted, width, write
from web.sharing.told import Told

INK: Colour = (20, 10, 6)
PALE: Colour = (255, 246, 230)
RED: Colour = (190, 22, 24)
OCHRE: Colour = (255, 211, 107)
DARK: Colour = (74, 50, 8)
LEAST_SIZE = 13
"""Pixels of the smallest letters."""
RING = 1.12
"""A ring's radius, in radii of its pit."""


class Phase(Enum):
    """What of a move a picture shows: the board before it, hands in it, the board after it."""

    BEFORE = "before"
    HANDS = "hands"
    AFTER = "after"


def overlay(told: Told, size: tuple[int, int], phase: Phase) -> Image.Image:
    """A transparent picture of `size` pixels with the rings and letters of a phase; empty where it is not known where
    the board lay."""
    made = Image.new("RGBA", size, (0, 0, 0, 0))
    lay = told.place if phase is Phase.AFTER else told.place_was
    if lay is None:
        return made
    draw = ImageDraw.Draw(made)
    scale = size[0] / lay.size[0]
    places = [(x * scale, y * scale, r * scale) for x, y, r in lay.pits]
    letters = max(LEAST_SIZE, round(0.42 * min(r for _, _, r in places)))
    wrong = {mark["pit"]: mark["cause"] for mark in told.marks} if phase is Phase.AFTER else {}
    counts = _counts(told, phase)
    for number, place in enumerate(places):
        if not wrong.get(number):
            count = f" {counts['n'][number]}" if counts else ""
            _pit(draw, place, f"{told.shape[number]['name']}{count}", letters, faint=number in wrong)
    if phase is Phase.AFTER:  # last of all, so that nothing lies over them
        _causes(draw, places, told, letters, size[0])
    return made


def _causes(draw: ImageDraw.ImageDraw, places: list[tuple[float, float, float]], told: Told, letters: int,
            wide: int) -> None:
    """The pits that the verdict names. wide: of the whole picture, in pixels."""
    middle = (1 + max(pit["row"] for pit in told.shape)) / 2
    for mark, label in told.causes:
        up = told.shape[mark["pit"]]["row"] < middle
        _cause(draw, places[mark["pit"]], label, letters, wide, OCHRE if mark["due"] is None else RED, up)


def _counts(told: Told, phase: Phase) -> Diagram | None:
    """The board whose counts are known in a phase: none while hands are in it, or where the table is not sure."""
    if phase is Phase.HANDS or (phase is Phase.AFTER and told.kind == "not-sure"):
        return None
    known = told.before if phase is Phase.BEFORE else told.there
    return known if known is not None and len(known["n"]) == len(told.shape) else None


def _circle(draw: ImageDraw.ImageDraw, place: tuple[float, float, float], colour: Colour, wide: int) -> None:
    x, y, r = place
    draw.ellipse((x - r, y - r, x + r, y + r), outline=colour, width=wide)


def _pit(draw: ImageDraw.ImageDraw, place: tuple[float, float, float], text: str, letters: int, faint: bool) -> None:
    """Any pit: its letter, and its count where that is known. faint: with a thin ring, it differs in consequence."""
    x, y, r = place
    if faint:
        _circle(draw, (x, y, r * RING), (*PALE[:3], 170), max(2, round(r / 16)))
    write(draw, (x, y - 0.82 * r), text, letters, PALE, outline=INK, align=0.5)


def _cause(draw: ImageDraw.ImageDraw, place: tuple[float, float, float], label: str, letters: int, wide: int,
           colour: Colour, up: bool) -> None:
    """A pit that the verdict names: a strong ring, and its label. wide: of the whole picture, in pixels; up: the label
    stands above the pit, so that it lies over the board's edge and not over another pit."""
    x, y, r = place
    thick = max(4, round(r / 7))
    _circle(draw, (x, y, r * RING + thick / 2), PALE, thick + max(4, thick // 2))
    _circle(draw, (x, y, r * RING + thick / 2 - max(2, thick // 4)), colour, thick)
    size = max(LEAST_SIZE + 3, round(letters * 1.15))
    text = fitted(label, size, wide - 2 * size)
    half = width(text, size) / 2 + size * 0.5
    middle = min(max(x, half + 4), wide - half - 4)
    y += (1.55 * r + size * 0.4) * (-1 if up else 1)
    draw.rounded_rectangle((middle - half, y - size * 0.8, middle + half, y + size * 0.8), size * 0.4,
                           fill=RED if colour is RED else DARK, outline=PALE, width=2)
    write(draw, (middle, y), text, size, PALE, align=0.5)


def scaled(place: Place, size: tuple[int, int]) -> bool:
    """Whether a picture of `size` shows the whole of what the place was found in, at any scale."""
    return abs(size[0] * place.size[1] - size[1] * place.size[0]) <= 2 * max(size)
