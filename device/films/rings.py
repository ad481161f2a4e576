"""Draw a board's pits over a photograph of it: letters, counts, and rings around named pits."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw

from device.films.letters import Colour, fitted, width, write

INK: Colour = (20, 10, 6)
PALE: Colour = (255, 246, 230)
RED: Colour = (190, 22, 24)
OCHRE: Colour = (255, 211, 107)
DARK: Colour = (74, 50, 8)
LEAST_SIZE = 13
"""Pixels of the smallest letters."""
RING = 1.12
"""A ring's radius, in radii of its pit."""

Circle = tuple[float, float, float]
"""x, y and radius of a pit, in pixels."""


@dataclass(frozen=True, slots=True)
class RingedPit:
    """A pit with a strong ring. label: the text beside it; colour: the ring's, red for wrong and ochre for doubtful;
    up: put the label above the pit if there is room, else below it."""

    pit: int
    label: str
    colour: Colour
    up: bool


def overlay(size: tuple[int, int], places: Sequence[Circle], names: Sequence[str], counts: Sequence[int] | None,
            named: Sequence[RingedPit] = (), faint: Collection[int] = ()) -> Image.Image:
    """A transparent picture of `size` pixels with the pits' letters. places, names: those of every pit; counts: seeds
    in every pit, None if unknown; named: pits with rings and labels; faint: pits with a thin ring."""
    made = Image.new("RGBA", size, (0, 0, 0, 0))
    draw = ImageDraw.Draw(made)
    letters = max(LEAST_SIZE, round(0.42 * min(r for _, _, r in places)))
    ringed = {one.pit for one in named}
    for number, place in enumerate(places):
        if number not in ringed:
            count = "" if counts is None else f" {counts[number]}"
            _pit(draw, place, f"{names[number]}{count}", letters, size, number in faint)
    for one in named:  # last, so that nothing covers them
        _named(draw, places[one.pit], one, max(LEAST_SIZE + 3, round(letters * 1.15)), size)
    return made


def _circle(draw: ImageDraw.ImageDraw, place: Circle, colour: Colour, wide: int) -> None:
    x, y, r = place
    draw.ellipse((x - r, y - r, x + r, y + r), outline=colour, width=wide)


def _pit(draw: ImageDraw.ImageDraw, place: Circle, text: str, letters: int, size: tuple[int, int],
         faint: bool) -> None:
    """Draw a pit's letter and count. size: the picture's, pixels; faint: draw a thin ring, for a pit that changed as a
    result."""
    x, y, r = place
    if faint:
        _circle(draw, (x, y, r * RING), (*PALE[:3], 170), max(2, round(r / 16)))
    half = width(text, letters) / 2 + letters * 0.2
    at = within(x, half, size[0]), within(y - 0.82 * r, letters * 0.7, size[1])
    write(draw, at, text, letters, PALE, outline=INK, align=0.5)


def _named(draw: ImageDraw.ImageDraw, place: Circle, one: RingedPit, letters: int, size: tuple[int, int]) -> None:
    """Draw a named pit: a strong ring, and its label over the board's edge, not over another pit. size: the picture's,
    pixels."""
    x, y, r = place
    thick = max(4, round(r / 7))
    _circle(draw, (x, y, r * RING + thick / 2), PALE, thick + max(4, thick // 2))
    _circle(draw, (x, y, r * RING + thick / 2 - max(2, thick // 4)), one.colour, thick)
    text = fitted(one.label, letters, size[0] - 2 * letters)
    half, tall = width(text, letters) / 2 + letters * 0.5, letters * 0.8
    middle = within(x, half + 4, size[0])
    away = 1.55 * r + letters * 0.4
    y = beside(y, -away if one.up else away, tall + 2, size[1])
    draw.rounded_rectangle((middle - half, y - tall, middle + half, y + tall), letters * 0.4,
                           fill=RED if one.colour is RED else DARK, outline=PALE, width=2)
    write(draw, (middle, y), text, letters, PALE, align=0.5)


def within(at: float, half: float, whole: float) -> float:
    """Where to put the centre of something 2 × `half` long within 0…`whole`: as near to `at` as possible; pixels."""
    return min(max(at, half), max(half, whole - half))


def beside(at: float, away: float, half: float, whole: float) -> float:
    """Where to put the centre of something 2 × `half` long within 0…`whole`, all in pixels: at `at` + `away` if it fits
    there, else at `at` - `away`, else as near to the first as possible."""
    sides = (at + away, at - away)
    return next((side for side in sides if half <= side <= whole - half), within(sides[0], half, whole))
