"""Pictures from files that people hand in: hostile until decoded. EXIF's orientation is applied."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

LARGEST_FILE = 200 << 20
"""Bytes; a photograph has some tens of millions at most."""

MOST_PIXELS = 100_000_000
"""A picture that unpacks to more is refused before it is unpacked."""

SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff")


class PictureError(ValueError):
    """The file is no picture that can be read; one sentence that names it."""


def load_picture(path: Path) -> NDArray[np.uint8]:
    """The picture as uint8[h, w, 3] BGR, turned as its EXIF says. Raises `PictureError`."""
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


def decode_picture(data: bytes, name: str) -> NDArray[np.uint8]:
    """The picture in `data`, as `load_picture`; `name` is what messages call it."""
    if not data:
        raise PictureError(f"{name} is empty")
    size = picture_size(data)
    if size is not None and size[0] * size[1] > MOST_PIXELS:
        raise PictureError(f"{name} is too large: {size[0]}×{size[1]} pixels")
    if data.startswith(b"\xff\xd8") and b"\xff\xd9" not in data[-(64 << 10):]:
        raise PictureError(f"{name} is a JPEG that was cut short")
    try:
        with _quietly():
            image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise PictureError(f"{name} cannot be decoded as a picture") from error
    if image is None:
        raise PictureError(f"{name} is not a picture that can be read (JPEG, PNG, WebP, BMP or TIFF)")
    if image.shape[0] * image.shape[1] > MOST_PIXELS:
        raise PictureError(f"{name} is too large: {image.shape[1]}×{image.shape[0]} pixels")
    return np.asarray(image, np.uint8)


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
