"""Compresses text for clients that can unpack it: a hall's Wi-Fi is slow, and many phones share it."""

import gzip
import zlib
from collections.abc import Iterable, Iterator

from flask import Request, Response

LEVEL = 5
"""The zlib level; a higher one costs a small computer twice the time for two per cent."""

LEAST_BYTES = 700
"""A shorter text fits into one packet uncompressed."""

TEXT = ("text/", "application/json", "application/manifest+json", "application/openmetrics-text", "image/svg+xml")
"""How the types of text begin; pictures, films and sounds are compressed already."""


def unpacks(request: Request) -> bool:
    """Return whether the client can unpack gzip."""
    return request.accept_encodings["gzip"] > 0


def is_text(mimetype: str | None) -> bool:
    """Return whether answers of this type are worth compressing."""
    return mimetype is not None and mimetype.startswith(TEXT)


def compressed(request: Request, response: Response) -> Response:
    """Return the response, compressed if it is text in one piece and not compressed yet."""
    if response.is_streamed or response.direct_passthrough or not is_text(response.mimetype):
        return response
    response.vary.add("Accept-Encoding")
    if response.content_encoding is None and unpacks(request) and len(response.get_data()) >= LEAST_BYTES:
        response.set_data(gzip.compress(response.get_data(), LEVEL, mtime=0))
        response.content_encoding = "gzip"
    return response


def stream(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the same pieces compressed, each readable as soon as it arrives.

    The window of 4 KiB holds the last two states of the table, which hardly differ, in 24 KiB of memory per reader.
    """
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, 16 + 12, 5)
    for piece in pieces:
        yield packer.compress(piece) + packer.flush(zlib.Z_SYNC_FLUSH)
