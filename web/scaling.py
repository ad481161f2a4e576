"""Pictures no wider than the box that they are shown in: a camera's has 1280 pixels, a phone's page room for 400."""

from __future__ import annotations

import io
import threading
from collections import OrderedDict

from PIL import Image

WIDTHS = (320, 480, 640, 960)
"""Widths that are made, pixels; few, so that pages share them. Above the last one a picture goes out as it is."""
QUALITY = 60
KEPT = 24
"""Pictures that are kept for the next page that asks, some 20 kB each."""


class Scaler:
    """Scales JPEGs for all pages: what was made for one is there for the next."""

    def __init__(self) -> None:
        """See the class."""
        self._lock = threading.Lock()
        self._made: OrderedDict[tuple[str, int], bytes] = OrderedDict()

    def scaled(self, name: str, jpeg: bytes, wanted: str) -> bytes:
        """The picture at the least of `WIDTHS` that is enough; as it is where none is, or where it is no JPEG.

        name: the same for the same picture alone; wanted: pixels across, as an address has them.
        """
        width = next((one for one in WIDTHS if one >= int(wanted)), 0) if _is_number(wanted) else 0
        if not width:
            return jpeg
        with self._lock:  # ten pages ask for the same picture at the same time
            if (name, width) not in self._made:
                self._made[name, width] = narrowed(jpeg, width)
            self._made.move_to_end((name, width))
            while len(self._made) > KEPT:
                self._made.popitem(last=False)
            return self._made[name, width]


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 6 and int(text) > 0


def narrowed(jpeg: bytes, width: int) -> bytes:
    """The JPEG at that width; as it is where it is narrower already, or cannot be read."""
    try:
        with Image.open(io.BytesIO(jpeg), formats=["JPEG"]) as image:
            if image.width <= width:
                return jpeg
            height = max(1, round(image.height * width / image.width))
            image.draft("RGB", (width, height))  # decodes at a half or a quarter where that is enough
            small = image.convert("RGB").resize((width, height), Image.Resampling.BOX)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return jpeg
    out = io.BytesIO()
    small.save(out, "JPEG", quality=QUALITY)
    return out.getvalue()
