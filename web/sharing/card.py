"""A verdict on one picture (PNG), to be sent to others: the photograph, the sentence, what should lie and what lies."""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image, ImageDraw

from device.films.letters import Colour, fitted, lines, width, write
from device.films.rings import PALE, RED
from web.readmodel.shapes import Diagram
from web.sharing.rings import Phase, overlay, scaled
from web.sharing.told import Told

WIDTH, EDGE = 1080, 48
"""Pixels of the card's width, and of its margin."""
INNER = WIDTH - 2 * EDGE
PAPER: Colour = (250, 243, 232)
TEXT: Colour = (43, 22, 12)
SOFT: Colour = (104, 74, 54)
WOOD: Colour = (95, 53, 29)
HOLE: Colour = (47, 24, 12)
GREEN: Colour = (127, 208, 140)
STAMPS: dict[str, Colour] = {"illegal": (156, 27, 28), "legal": (41, 104, 58), "not-sure": (134, 84, 10),
                             "tampered": (134, 84, 10)}
OTHER_STAMP: Colour = (31, 78, 156)
SENTENCE, SMALL, HEADING = 40, 25, 28
"""Pixels of the letters: of the sentence, of what stands beside it, and over the boards."""
MOST_LINES = 7
SPACING = 1.32
"""The height of a line, in letters."""
TALLEST = 2400
"""Pixels that a card may be high; no card needs as many."""
MOST_PIXELS = 40_000_000
"""Pixels of a still; no camera here gives as many."""


class CardError(Exception):
    """The photograph cannot be read."""


def card(still: Path | None, told: Told) -> bytes:
    """The PNG. still: the photograph after the move, None where there is none. Raises CardError."""
    sheet = Image.new("RGB", (WIDTH, TALLEST), PAPER[:3])
    y = _head(sheet, told)
    if still is not None:
        y = _photograph(sheet, y, still, told)
    y = _boards(sheet, y, told)
    y = _foot(ImageDraw.Draw(sheet), y, told)
    out = io.BytesIO()
    sheet.crop((0, 0, WIDTH, min(TALLEST, round(y)))).save(out, "PNG")
    return out.getvalue()


def _head(sheet: Image.Image, told: Told) -> float:
    """The stamp, the day and the sentence; where what follows begins, in pixels from the top."""
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


def _photograph(sheet: Image.Image, y: float, still: Path, told: Told) -> float:
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


def _boards(sheet: Image.Image, y: float, told: Told) -> float:
    """What should lie and what lies, one below the other, so that a pit stands below itself."""
    draw = ImageDraw.Draw(sheet)
    for heading, board, colour in ((told.headings[2], told.due, GREEN), (told.headings[1], told.there, RED)):
        if board is None or told.due is None:
            continue
        write(draw, (EDGE, y + HEADING / 2), heading, HEADING, TEXT)
        y = _board(draw, y + HEADING + 8, board, told, colour) + 18
    return y


def _board(draw: ImageDraw.ImageDraw, y: float, board: Diagram, told: Told, colour: Colour) -> float:
    cols, rows = 1 + max(pit["col"] for pit in told.shape), 1 + max(pit["row"] for pit in told.shape)
    pitch = INNER / cols
    high = pitch * 0.86
    causes = {mark["pit"] for mark, _ in told.causes}
    odd = {mark["pit"] for mark in told.marks}
    draw.rounded_rectangle((EDGE, y, EDGE + INNER, y + high * rows), 22, fill=WOOD)
    for number, pit in enumerate(told.shape):
        x, middle, r = EDGE + pitch * (pit["col"] + 0.5), y + high * (pit["row"] + 0.5), high * 0.4
        draw.ellipse((x - r, middle - r, x + r, middle + r), fill=HOLE)
        if number in odd:
            strong = number in causes
            draw.ellipse((x - r - 3, middle - r - 3, x + r + 3, middle + r + 3),
                         outline=(colour if colour is GREEN else PALE) if strong else SOFT, width=8 if strong else 3)
        if number in causes and colour is RED:
            draw.ellipse((x - r, middle - r, x + r, middle + r), outline=RED, width=5)
        size = round(high * 0.42)
        write(draw, (x, middle - size * 0.04), str(board["n"][number]), size, PALE, align=0.5)
        write(draw, (x - pitch / 2 + 8, middle - high * 0.34), pit["name"], round(high * 0.2), (240, 207, 166))
    return y + high * rows


def _foot(draw: ImageDraw.ImageDraw, y: float, told: Told) -> float:
    """The odds, what people decided since, who plays, and which table it was."""
    for text in told.odds:
        y = _paragraph(draw, y, text, SMALL, TEXT)
    for text in told.ruled:
        y = _paragraph(draw, y + 4, text, HEADING, TEXT)
    draw.line((EDGE, y + 16, WIDTH - EDGE, y + 16), fill=SOFT, width=2)
    y += 30
    for side, name in zip("SN", told.teams, strict=True):
        badge = (EDGE, y + 6, EDGE + 20, y + 26)
        if side == "S":
            draw.ellipse(badge, fill=(156, 27, 28))
        else:
            draw.rounded_rectangle(badge, 4, fill=(31, 78, 156))
        write(draw, (EDGE + 32, y + 16), fitted(name, SMALL, INNER - 32), SMALL, TEXT)
        y += SMALL * 1.5
    write(draw, (EDGE, y + 18), f"inkeek · {told.table}", SMALL, SOFT)
    return y + 18 + EDGE
