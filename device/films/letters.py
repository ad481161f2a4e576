"""Write text on pictures, in every language of the page.

Two fonts come with the program, since a system may have none: Noto Sans for Latin letters, and the characters of Noto
Sans JP that the page's texts use (`tests/web/fonts.py` makes both). Other characters cannot be drawn, which `drawable`
tells.
"""

import re
from functools import cache
from itertools import groupby
from pathlib import Path

from PIL import ImageDraw, ImageFont

FONTS = tuple(Path(__file__).parent / "fonts" / name for name in ("NotoSans.ttf", "NotoSansJP.ttf"))
CJK, STOPS = r"\u3000-\u9fff\uff00-\uffef", "、。）」』！？ー・，："
PIECES = re.compile(rf"[{CJK}][{STOPS}]*|[^\s{CJK}]+[{STOPS}]*\s*|\s+")
"""The unbreakable pieces of a line: a word with the space after it, or a Japanese character with the stops that must
not begin a line."""
COMPARED_AT = 24
"""The size, in pixels, at which a character's glyph is compared with the glyph for missing ones."""

Colour = tuple[int, int, int] | tuple[int, int, int, int]


@cache
def font(number: int, size: int) -> ImageFont.FreeTypeFont:
    """One of `FONTS` at a size in pixels."""
    return ImageFont.truetype(FONTS[number], size, layout_engine=ImageFont.Layout.BASIC)


@cache
def _holds(number: int, sign: str) -> bool:
    """Whether a font has the character. A font draws all characters that it lacks alike."""
    lacking = font(number, COMPARED_AT).getmask("\U0010fffd")
    drawn = font(number, COMPARED_AT).getmask(sign)
    return drawn.size != lacking.size or bytes(drawn) != bytes(lacking)


@cache
def _font_of(sign: str) -> int:
    """The number of the first font that has the character, 0 if none has."""
    return next((number for number in range(len(FONTS)) if _holds(number, sign)), 0)


def drawable(text: str) -> bool:
    """Whether every character of the text can be drawn."""
    return all(sign.isspace() or _holds(_font_of(sign), sign) for sign in text)


def _runs(text: str) -> list[tuple[int, str]]:
    """The text as runs of (font number, characters)."""
    return [(number, "".join(signs)) for number, signs in groupby(text, _font_of)]


def width(text: str, size: int) -> float:
    """The width of the text, in pixels."""
    return sum(font(number, size).getlength(part) for number, part in _runs(text))


def write(draw: ImageDraw.ImageDraw, at: tuple[float, float], text: str, size: int, fill: Colour, *,
          outline: Colour | None = None, align: float = 0.0) -> None:
    """Write a line. at: a point on its vertical middle, pixels; align: 0 begins there, 0.5 is centred, 1 ends there;
    outline: colour of a rim around every letter, to be readable on a photograph."""
    x, y = at[0] - align * width(text, size), at[1]
    rim = max(2, size // 8) if outline else 0
    for number, part in _runs(text):
        used = font(number, size)
        draw.text((x, y), part, fill, used, anchor="lm", stroke_width=rim, stroke_fill=outline)
        x += used.getlength(part)


def lines(text: str, size: int, wide: float, most: int) -> list[str]:
    """Break the text into lines of at most `wide` pixels; text beyond `most` lines is cut and ends in an ellipsis."""
    found = [""]
    for piece in PIECES.findall(text):
        fits = width((found[-1] + piece).rstrip(), size) <= wide
        if fits or not found[-1]:
            found[-1] += piece
        else:
            found.append(piece.lstrip())
    if len(found) > most:
        found = [*found[:most - 1], _shortened(found[most - 1], size, wide)]
    return [line.rstrip() for line in found]


def _shortened(line: str, size: int, wide: float) -> str:
    while line and width(f"{line}…", size) > wide:
        line = line[:-1]
    return f"{line.rstrip()}…"


def fitted(text: str, size: int, wide: float) -> str:
    """The text, cut with an ellipsis if it is wider than `wide` pixels."""
    return text if width(text, size) <= wide else _shortened(text, size, wide)
