"""Pictures from files that people hand in: hostile until decoded. EXIF's orientation is applied."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

LARGEST_FILE = 200 << 20
"""Bytes; a photograph has some tens of millions at most."""

MOST_PIXELS = 100_000_000
"""No picture is unpacked to more; one that would is refused before."""
LARGE_JPEG = 64_000_000
"""Pixels beyond which a JPEG is unpacked smaller: by halves, down to an eighth."""

SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff", ".heic", ".heif")
HEIC_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")
"""What HEIC files have at their ninth byte, behind "ftyp"."""
SMALLER = {1: cv2.IMREAD_COLOR, 2: cv2.IMREAD_REDUCED_COLOR_2, 4: cv2.IMREAD_REDUCED_COLOR_4,
           8: cv2.IMREAD_REDUCED_COLOR_8}
"""How OpenCV unpacks a picture to that part of its width and height."""
MARKER = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]")
"""The next marker in a JPEG's scan: what else follows an FF there belongs to the scan."""


class PictureError(ValueError):
    """The file is no picture that can be read; one sentence that names it."""


class HeicError(PictureError):
    """The file is a HEIC picture, and what reads these is not installed."""


class Picture(NamedTuple):
    """A picture as it was unpacked. image: uint8[h, w, 3] BGR; part: its width and height are one `part`-th of the
    file's, rounded up."""

    image: NDArray[np.uint8]
    part: int = 1


def load_picture(path: Path) -> Picture:
    """The picture in a file, turned as its EXIF says; a very large one smaller than it is. Raises `PictureError`."""
    try:
        if path.is_dir():
            raise PictureError(f"{path} is a directory, not a picture")
        if not path.is_file():
            raise PictureError(f"{path}: no such file" if not path.exists() else f"{path} is not a file")
        if path.stat().st_size > LARGEST_FILE:
            raise PictureError(f"{path} is larger than {LARGEST_FILE >> 20} MiB")
        data = path.read_bytes()
    except OSError as error:
        raise PictureError(f"{path} cannot be read: {error.strerror or error}") from error
    return decode_picture(data, str(path))


def decode_picture(data: bytes, name: str) -> Picture:
    """The picture in `data`, as `load_picture`; `name` is what messages call it."""
    if not data:
        raise PictureError(f"{name} is empty")
    if data[4:8] == b"ftyp" and data[8:12] in HEIC_BRANDS:
        return Picture(_heic(data, name))
    part = _part(data, name)
    if data.startswith(b"\xff\xd8") and not _jpeg_is_whole(data):
        raise PictureError(f"{name} is a JPEG that was cut short")
    try:
        with _quietly():
            image = cv2.imdecode(np.frombuffer(data, np.uint8), SMALLER[part])
    except cv2.error as error:
        raise PictureError(f"{name} cannot be decoded as a picture") from error
    if image is None:
        raise PictureError(f"{name} is not a picture that can be read (JPEG, PNG, WebP, BMP, TIFF or HEIC)")
    if image.shape[0] * image.shape[1] > MOST_PIXELS:
        raise _too_large(name, image.shape[1], image.shape[0], MOST_PIXELS)
    return Picture(np.asarray(image, np.uint8), part)


def _part(data: bytes, name: str) -> int:
    """The part of its width and height that a picture is unpacked to. Raises `PictureError` for one that is too large.
    """
    width, height = picture_size(data) or (0, 0)
    if data.startswith(b"\xff\xd8"):  # only of a JPEG less is unpacked
        for part in SMALLER:
            if width * height <= part * part * LARGE_JPEG:
                return part
        raise _too_large(name, width, height, max(SMALLER) ** 2 * LARGE_JPEG)
    if width * height > MOST_PIXELS:
        raise _too_large(name, width, height, MOST_PIXELS)
    return 1


def _too_large(name: str, width: int, height: int, most: int) -> PictureError:
    return PictureError(f"{name} is too large: {width}×{height} pixels are more than {most // 1_000_000} million; save "
                        "it smaller, or set the camera to fewer")


def _heic(data: bytes, name: str) -> NDArray[np.uint8]:
    """A HEIC picture, as telephones save them. Raises `PictureError`."""
    if find_spec("pillow_heif") is None:
        raise HeicError(f"{name} is a HEIC picture: set the telephone to JPEG (iPhone: Settings, Camera, Formats, Most "
                        "Compatible), or have HEIC read after pip install 'inkeek[heic]'")
    import pillow_heif

    try:
        file = pillow_heif.open_heif(BytesIO(data))
        width, height = file.size
        if width * height > MOST_PIXELS:
            raise _too_large(name, width, height, MOST_PIXELS)
        image = np.asarray(file.to_pillow().convert("RGB"), np.uint8)
    except (ValueError, OSError, EOFError, SyntaxError, RuntimeError) as error:
        raise error if isinstance(error, PictureError) else PictureError(
            f"{name} is a HEIC picture that cannot be decoded") from error
    return np.ascontiguousarray(image[:, :, ::-1])


def _jpeg_is_whole(data: bytes) -> bool:
    """Whether a JPEG comes to its end; what cameras put behind that, such as a film or nothing but zeros, is no part of
    it."""
    at = 2
    while (found := MARKER.search(data, at)) is not None:
        at, marker = found.end(), data[found.end() - 1]
        if marker == 0xD9:
            return True
        at += int.from_bytes(data[at:at + 2], "big")
    return False


@contextmanager
def _quietly() -> Iterator[None]:
    """Without OpenCV's own lines on standard error: what is wrong with a picture is said in one sentence, not in
    twenty. Older builds have no such switch."""
    switch = getattr(cv2.utils, "logging", None)
    if switch is None:
        yield
        return
    before = switch.getLogLevel()
    switch.setLogLevel(switch.LOG_LEVEL_SILENT)
    try:
        yield
    finally:
        switch.setLogLevel(before)


def picture_size(data: bytes) -> tuple[int, int] | None:
    """(width, height) as the head of a PNG or JPEG states it, before anything is unpacked; None when not known."""
    if data.startswith(b"\x89PNG\r\n\x1a\n") and len(data) >= 24:
        width, height = struct.unpack(">II", data[16:24])
        return width, height
    if data.startswith(b"\xff\xd8"):
        for marker, payload in _jpeg_segments(data):
            if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC) and len(payload) >= 5:
                height, width = struct.unpack(">HH", payload[1:5])
                return width, height
    return None


def _jpeg_segments(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The marker segments before the picture's data."""
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:  # fill bytes may stand before a marker
            at += 1
            continue
        if marker == 0xDA:
            return
        length = int.from_bytes(data[at + 2:at + 4], "big")
        if length < 2:
            return
        yield marker, data[at + 4:at + 2 + length]
        at += 2 + length
