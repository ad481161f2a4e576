"""A verdict as one picture (PNG) to send to others: the photograph, the sentence, and the board as due and as it is."""

import io
from collections.abc import Iterable
from pathlib import Path

from PIL import Image, ImageDraw

from device.films import carved
from device.films.letters import Colour, fitted, lines, width, write
from device.films.rings import PALE, RED
from engine.board import Board, Side
from web.readmodel.shapes import Diagram
from web.sharing.rings import Phase, overlay, scaled
from web.sharing.told import SharedVerdict

WIDTH, EDGE = 1080, 48
"""Pixels of the card's width and of its margin."""
INNER = WIDTH - 2 * EDGE
PAPER: Colour = (250, 243, 232)
TEXT: Colour = (43, 22, 12)
SOFT: Colour = (104, 74, 54)
WOOD: Colour = (95, 53, 29)
RIM: Colour = (138, 85, 49)
HOLE: Colour = (47, 24, 12)
SHADE: Colour = (22, 9, 4)
SEEDS: tuple[Colour, ...] = ((240, 228, 196), (216, 208, 190), (219, 188, 134), (200, 202, 184))
SOUTH: Colour = (200, 48, 40)
NORTH: Colour = (60, 112, 200)
NUMBER, LETTER = 44, 30
"""Heights of a number and of a letter on a board, in the board's units."""
GREEN: Colour = (127, 208, 140)
STAMPS: dict[str, Colour] = {"illegal": (156, 27, 28), "legal": (41, 104, 58), "not-sure": (134, 84, 10),
                             "tampered": (134, 84, 10)}
OTHER_STAMP: Colour = (31, 78, 156)
SENTENCE, SMALL, HEADING = 40, 25, 28
"""Pixels of the letters: of the sentence, of smaller texts, and of the headings over the boards."""
MOST_LINES = 7
SPACING = 1.32
"""The height of a line, in letter heights."""
TALLEST = 2400
"""Most pixels of a card's height; no card needs as many."""
MOST_PIXELS = 40_000_000
"""Most pixels of a photograph; no camera here gives as many."""


class CardError(Exception):
    """The photograph cannot be read."""


def card(still: Path | None, told: SharedVerdict) -> bytes:
    """Return the PNG. still: the photograph after the move, None if there is none. Raises CardError."""
    sheet = Image.new("RGB", (WIDTH, TALLEST), PAPER[:3])
    y = _head(sheet, told)
    if still is not None:
        y = _photograph(sheet, y, still, told)
    y = _boards(sheet, y, told)
    y = _foot(ImageDraw.Draw(sheet), y, told)
    out = io.BytesIO()
    sheet.crop((0, 0, WIDTH, min(TALLEST, round(y)))).save(out, "PNG")
    return out.getvalue()


def _head(sheet: Image.Image, told: SharedVerdict) -> float:
    """Draw the stamp, the day and the sentence; return the y below them, in pixels."""
    draw = ImageDraw.Draw(sheet)
    y = EDGE + 26.0
    wide = width(told.stamp, 38) + 40
    draw.rounded_rectangle((EDGE, y - 32, EDGE + wide, y + 32), 14, fill=STAMPS.get(told.kind, OTHER_STAMP))
    write(draw, (EDGE + 20, y), told.stamp, 38, PALE)
    write(draw, (WIDTH - EDGE, y), told.clock, SMALL, SOFT, align=1)
    y += 32 + 20
    return _paragraph(draw, y, told.sentence, SENTENCE, TEXT, MOST_LINES) + 14


def _paragraph(draw: ImageDraw.ImageDraw, y: float, text: str, size: int, colour: Colour, most: int = 3) -> float:
    for line in lines(text, size, INNER, most):
        write(draw, (EDGE, y + size * SPACING / 2), line, size, colour)
        y += size * SPACING
    return y


def _photograph(sheet: Image.Image, y: float, still: Path, told: SharedVerdict) -> float:
    try:
        picture = Image.open(still, formats=["JPEG"])
        if picture.width * picture.height > MOST_PIXELS:
            raise CardError("the photograph is too large")
        fits = told.place is None or scaled(told.place, picture.size)
        high = round(INNER * picture.height / picture.width)
        shown = picture.convert("RGB").resize((INNER, high), reducing_gap=2.0)
    except (OSError, ValueError, Image.DecompressionBombError) as error:
        raise CardError(str(error)) from error
    sheet.paste(shown, (EDGE, round(y)))
    if fits:
        over = overlay(told, shown.size, Phase.AFTER)
        sheet.paste(over, (EDGE, round(y)), over)
    return y + high + 22


def _boards(sheet: Image.Image, y: float, told: SharedVerdict) -> float:
    """Draw the board as it should be and, pit below pit, the board as it is; return the y below them."""
    draw = ImageDraw.Draw(sheet)
    for heading, board, colour in ((told.headings[2], told.due, GREEN), (told.headings[1], told.there, RED)):
        if board is None or told.due is None:
            continue
        write(draw, (EDGE, y + HEADING / 2), heading, HEADING, TEXT)
        y = _board(draw, y + HEADING + 8, board, told, colour) + 18
    return y


def _board(draw: ImageDraw.ImageDraw, y: float, board: Diagram, told: SharedVerdict, colour: Colour) -> float:
    """Draw the carved board as the page does (`device/films/carved.py`); return the y below it."""
    shape = Board.parse(board["board"])
    plan = carved.Plan.of(shape)
    k = INNER / plan.width
    causes = {mark["pit"] for mark, _ in told.causes}
    odd = {mark["pit"] for mark in told.marks}
    draw.rounded_rectangle((EDGE, y, EDGE + INNER, y + k * plan.height), 30 * k, fill=WOOD, outline=RIM, width=4)
    for store in plan.stores:
        x, top, half = EDGE + k * store.x, y + k * store.top, k * carved.STORE_WIDE / 2
        draw.rounded_rectangle((x - half, top, x + half, top + k * store.high), half, fill=HOLE)
        n = board["captured"][store.side]
        _seeds(draw, [(EDGE + k * sx, y + k * sy, tone) for sx, sy, tone in carved.pile(n, store)], k)
        _badge(draw, x - 31 * k, y + k * store.label_y, 9 * k, store.side)
        write(draw, (x + 12 * k, y + k * store.label_y), str(n), round(NUMBER * k), PALE, align=0.5)
    for pit, at in enumerate(plan.pits):
        x, middle, r = EDGE + k * at.x, y + k * at.y, k * carved.HOLLOW
        draw.ellipse((x - r, middle - r, x + r, middle + r), fill=HOLE)
        if pit in odd:
            strong = pit in causes
            draw.ellipse((x - r - 4, middle - r - 4, x + r + 4, middle + r + 4),
                         outline=(colour if colour is GREEN else PALE) if strong else SOFT, width=8 if strong else 3)
        if pit in causes and colour is RED:
            draw.ellipse((x - r, middle - r, x + r, middle + r), outline=RED, width=5)
        n = board["n"][pit]
        _seeds(draw, [(x + sx * r, middle + sy * r, tone) for sx, sy, tone in carved.heap(n, pit)], k)
        write(draw, (x + 7 * k, y + k * at.label_y), str(n), round(NUMBER * k), PALE, align=0.5)
        write(draw, (x - 33 * k, y + k * at.label_y), shape.name(pit), round(LETTER * k), (240, 207, 166), align=0.5)
    return y + k * plan.height


def _seeds(draw: ImageDraw.ImageDraw, lying: Iterable[tuple[float, float, int]], k: float) -> None:
    """Draw seeds. lying: x, y in pixels, and tone; k: pixels per unit of the board."""
    r = 11 * k
    for x, y, tone in lying:
        draw.ellipse((x - r + 2 * k, y - r + 4 * k, x + r + 2 * k, y + r + 4 * k), fill=SHADE)
        draw.ellipse((x - r, y - r, x + r, y + r), fill=SEEDS[tone])


def _badge(draw: ImageDraw.ImageDraw, x: float, y: float, r: float, side: Side) -> None:
    """Draw a side's badge: South's round and red, North's square and blue, as everywhere."""
    if side is Side.SOUTH:
        draw.ellipse((x - r, y - r, x + r, y + r), fill=SOUTH)
    else:
        draw.rounded_rectangle((x - r, y - r, x + r, y + r), r * 0.4, fill=NORTH)


def _foot(draw: ImageDraw.ImageDraw, y: float, told: SharedVerdict) -> float:
    """Draw the odds, later rulings, the players and the table's name; return the y below them."""
    for text in told.odds:
        y = _paragraph(draw, y, text, SMALL, TEXT)
    for text in told.ruled:
        y = _paragraph(draw, y + 4, text, HEADING, TEXT)
    draw.line((EDGE, y + 16, WIDTH - EDGE, y + 16), fill=SOFT, width=2)
    y += 30
    for side, name in zip("SN", told.teams, strict=True):
        _badge(draw, EDGE + 10, y + 16, 10, Side.parse(side))
        write(draw, (EDGE + 32, y + 16), fitted(name, SMALL, INNER - 32), SMALL, TEXT)
        y += SMALL * 1.5
    write(draw, (EDGE, y + 18), f"inkeek · {told.table}", SMALL, SOFT)
    return y + 18 + EDGE
