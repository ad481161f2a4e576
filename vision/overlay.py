"""Draws pits and counts over a picture, for people to check what was found."""

import math
from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.geometry import Ellipse
from vision.parameters import DRAWING

Image = NDArray[np.uint8]

SURE = (80, 220, 90)
"""Colour of a pit that is surely read, BGR like all colours here."""
DOUBTFUL = (60, 170, 255)
"""Colour of a pit whose count is doubtful."""
WRONG = (60, 60, 240)
"""Colour of a pit whose count differs from what is known to lie there."""
INK = (255, 255, 255)
"""Colour of pits' names."""


def draw_pits(image: Image, rims: Iterable[Ellipse], names: Sequence[str] = (), counts: Sequence[int] = (),
              probabilities: Sequence[float] = (), known: Sequence[int] = ()) -> Image:
    """Return a copy of the picture with these rims, and with names and counts where given, in the order of the rims.

    counts: -1 for a hidden pit. known: the true counts, -1 where unknown; a pit that is read differently is marked and
    shows both counts. Raises ValueError if names, counts, probabilities or known counts are given, but not one for
    every pit.
    """
    rims = list(rims)
    for what, given in (("names", names), ("counts", counts), ("probabilities", probabilities), ("known", known)):
        if len(given) not in (0, len(rims)):
            raise ValueError(f"{len(given)} {what} for {len(rims)} pits")
    out = image.copy()
    for i, rim in enumerate(rims):
        text, colour = _count(counts[i:i + 1], known[i:i + 1], probabilities[i:i + 1])
        cv2.ellipse(out, ((rim.x, rim.y), (2 * rim.rx, 2 * rim.ry), rim.angle), colour, _thickness(out), cv2.LINE_AA)
        # Write beside the pit, between its neighbours, so that its seeds stay visible.
        if len(counts):
            _write(out, text, rim, 1, colour)
        if len(names):
            _write(out, names[i], rim, -1, INK)
    return out


def _count(count: Sequence[int], known: Sequence[int], p: Sequence[float]) -> tuple[str, tuple[int, int, int]]:
    """Return the text at a pit and its colour. Each argument holds one value, or none where it is not given."""
    read = "".join("-" if n < 0 else "24+" if n > 24 else str(n) for n in count)
    if any(n >= 0 and c != min(n, 25) for c, n in zip(count, known, strict=False)):
        return f"{read}, is {known[0]}", WRONG
    return read, DOUBTFUL if min(p, default=1.0) < DRAWING.doubtful else SURE


def _thickness(image: Image) -> int:
    h, w = image.shape[:2]
    return int(max(1, round(max(h, w) / 500)))


def _write(image: Image, text: str, rim: Ellipse, corner: int, colour: tuple[int, int, int]) -> None:
    """Write text outside a rim but inside the picture, at its lower right (corner 1) or upper left (-1), with a dark
    edge so that it is legible on any wood."""
    font = cv2.FONT_HERSHEY_SIMPLEX
    scale = max(0.3, DRAWING.letters * rim.ry / 22)
    thick = max(1, round(1.6 * scale))
    (w, h), _ = cv2.getTextSize(text, font, scale, thick)
    edge = thick + 2
    out = (1 + edge / max(1.0, min(rim.rx, rim.ry))) * math.sqrt(0.5)
    x, y = rim.x + corner * out * rim.rx, rim.y + corner * out * rim.ry
    left, top = (x, y) if corner > 0 else (x - w, y - h)
    across, down = image.shape[1] - w - edge, image.shape[0] - h - edge
    at = (round(min(max(left, edge), across)), round(min(max(top, edge), down)) + h)
    cv2.putText(image, text, at, font, scale, (0, 0, 0), edge, cv2.LINE_AA)
    cv2.putText(image, text, at, font, scale, colour, thick, cv2.LINE_AA)
