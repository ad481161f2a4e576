"""Decode picture files from people, which count as hostile until decoded. EXIF's orientation is applied."""

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
"""Bytes; photographs have some tens of millions at most."""

MOST_PIXELS = 100_000_000
"""Most pixels of a decoded picture; larger ones are refused before decoding."""
LARGE_JPEG = 64_000_000
"""A JPEG of more pixels is decoded at 1/2, 1/4 or 1/8 of its size."""

SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff", ".heic", ".heif")
HEIC_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")
"""What HEIC files have from their ninth byte on, after "ftyp"."""
SMALLER = {1: cv2.IMREAD_COLOR, 2: cv2.IMREAD_REDUCED_COLOR_2, 4: cv2.IMREAD_REDUCED_COLOR_4,
           8: cv2.IMREAD_REDUCED_COLOR_8}
"""OpenCV's flags for decoding at 1/N of the width and height."""
MARKER = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]")
"""The next marker in a JPEG's scan; other bytes after an FF belong to the scan."""


class PictureError(ValueError):
    """The file is not a readable picture; one sentence that names it."""


class HeicError(PictureError):
    """The file is a HEIC picture, and the library for these is not installed."""


class Picture(NamedTuple):
    """A decoded picture. image: uint8[h, w, 3] BGR; part: its width and height are 1/`part` of the file's, rounded up.
    """

    image: NDArray[np.uint8]
    part: int = 1


def load_picture(path: Path) -> Picture:
    """Decode the picture in a file, turned by its EXIF; a very large JPEG is scaled down. Raises `PictureError`."""
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
    """Decode the picture in `data`, as `load_picture` does; messages call it `name`."""
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
    """The `part` of `Picture` that the file is decoded to. Raises `PictureError` for a picture that is too large."""
    width, height = picture_size(data) or (0, 0)
    if data.startswith(b"\xff\xd8"):  # only JPEG decodes at a smaller size
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
    """Decode a HEIC picture, as telephones save them. Raises `PictureError`."""
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
    """Whether a JPEG has its end marker. Cameras may add other data after it, such as a film or zeros."""
    at = 2
    while (found := MARKER.search(data, at)) is not None:
        at, marker = found.end(), data[found.end() - 1]
        if marker == 0xD9:
            return True
        at += int.from_bytes(data[at:at + 2], "big")
    return False


@contextmanager
def _quietly() -> Iterator[None]:
    """Silence OpenCV's messages on standard error: the program prints its own sentence about a bad picture. Older
    builds cannot be silenced."""
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
    """(width, height) from the header of a PNG or JPEG, without decoding; None if unknown."""
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
    """Yield (marker, payload) of the segments before the picture's data."""
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
