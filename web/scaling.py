"""Pictures scaled to the box that shows them: a camera gives 1280 pixels across, a phone's page has room for 400."""

import io
import threading
from collections import OrderedDict

from PIL import Image

WIDTHS = (320, 480, 640, 960)
"""Widths to scale to, pixels; only a few, so that pages share them. Wider pictures are sent unchanged."""
QUALITY = 60
KEPT = 24
"""Most scaled pictures kept for the next request, some 20 kB each."""


class Scaler:
    """Scales pictures for all pages and keeps the newest results."""

    def __init__(self) -> None:
        """See the class."""
        self._lock = threading.Lock()
        self._made: OrderedDict[tuple[str, int], bytes] = OrderedDict()

    def scaled(self, name: str, picture: bytes, wanted: str) -> bytes:
        """Return the picture at the smallest of `WIDTHS` that suffices; unchanged if none does or it is no picture.

        name: identifies the picture; wanted: pixels across, as written in an address.
        """
        width = next((one for one in WIDTHS if one >= int(wanted)), 0) if _is_number(wanted) else 0
        if not width:
            return picture
        with self._lock:  # if ten pages ask for the same picture at once, scale it once
            if (name, width) not in self._made:
                self._made[name, width] = narrowed(picture, width)
            self._made.move_to_end((name, width))
            while len(self._made) > KEPT:
                self._made.popitem(last=False)
            return self._made[name, width]


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 6 and int(text) > 0


def narrowed(picture: bytes, width: int) -> bytes:
    """Return the JPEG or WebP as a JPEG of that width; unchanged if it is narrower already or cannot be read."""
    try:
        with Image.open(io.BytesIO(picture), formats=["JPEG", "WEBP"]) as image:
            if image.width <= width:
                return picture
            height = max(1, round(image.height * width / image.width))
            image.draft("RGB", (width, height))  # decodes at a half or a quarter of the size if that suffices
            small = image.convert("RGB").resize((width, height), Image.Resampling.BOX)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return picture
    out = io.BytesIO()
    small.save(out, "JPEG", quality=QUALITY)
    return out.getvalue()
