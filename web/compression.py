"""Text goes out compressed to whoever can unpack it: a hall's Wi-Fi is slow, and every phone in it asks."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator

from flask import Request, Response

LEVEL = 5
"""Of zlib; above it a small computer works twice as long for two per cent."""

LEAST_BYTES = 700
"""What is shorter fits into one packet as it is."""

TEXT = ("text/", "application/json", "application/manifest+json", "application/openmetrics-text", "image/svg+xml")
"""Beginnings of the types that are text; pictures, films and sounds are compressed as they are made."""


def unpacks(request: Request) -> bool:
    """Whether who asks can unpack gzip."""
    return request.accept_encodings["gzip"] > 0


def is_text(mimetype: str | None) -> bool:
    """Whether it is worth compressing."""
    return mimetype is not None and mimetype.startswith(TEXT)


def compressed(request: Request, response: Response) -> Response:
    """The answer, compressed if it is text in one piece that is not compressed yet."""
    if response.is_streamed or response.direct_passthrough or not is_text(response.mimetype):
        return response
    response.vary.add("Accept-Encoding")
    if response.content_encoding is None and unpacks(request) and len(response.get_data()) >= LEAST_BYTES:
        response.set_data(gzip.compress(response.get_data(), LEVEL, mtime=0))
        response.content_encoding = "gzip"
    return response


def stream(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The same pieces compressed, each to be read as soon as it has come.

    The window of 4 KiB holds the last two looks at the table, which hardly differ, in 24 KiB of memory a reader.
    """
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, 16 + 12, 5)
    for piece in pieces:
        yield packer.compress(piece) + packer.flush(zlib.Z_SYNC_FLUSH)
