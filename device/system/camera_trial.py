"""Try a network camera before the table uses it: `python -m device.system.camera_trial DATA`.

The page, which has no cameras itself, starts this program. The address comes as the first line of standard input,
because every user can read a command. A line of JSON (`Tried`) says whether the camera gives pictures; then they
follow, each as its length, four bytes big-endian, and a JPEG. A second line of input asks to keep the address in DATA;
the program ends with status 0 when it is kept. At the end of the input, or after `LASTS_S`, it ends without keeping it.
"""

import os
import struct
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import cv2
import msgspec

from device.cameras.addresses import public_word
from device.cameras.base import CameraError, CameraGone, UnusableWord
from device.cameras.choose import ADDRESSES
from device.cameras.network import made
from device.journal.events import Told, translatable
from device.system.camera_addresses import keep_address
from engine.messages import message_in
from vision.reading import Frame

LASTS_S = 120.0
"""Longest time of a trial, seconds."""
EVERY_S = 0.4
"""Seconds between two pictures."""
WIDTH = 640
"""Width of a picture, pixels."""
KEPT, NOT_KEPT = 0, 1
"""Exit statuses: whether the address was kept."""


class Tried(msgspec.Struct, frozen=True):
    """The result of a trial. word: the camera's public word, "" if it gives no pictures; then why: the message, None if
    the address is invalid, and sentence: its English text."""

    word: str = ""
    why: Told | None = None
    sentence: str = ""


def main(argv: Sequence[str]) -> int:
    """Try the address from standard input; return the exit status. argv: the data folder."""
    address = sys.stdin.readline().strip()
    out = sys.stdout.buffer
    if address.partition(":")[0].lower() not in ADDRESSES:
        return _say(Tried())
    try:
        camera = made(address)
        camera.open()
    except UnusableWord:
        return _say(Tried())
    except (CameraGone, CameraError) as error:
        return _say(Tried(why=translatable(message_in(error)), sentence=str(error)))
    _say(Tried(public_word(address)))
    asked = threading.Event()
    threading.Thread(target=_hear, args=(asked,), daemon=True).start()
    until = time.monotonic() + LASTS_S
    try:
        while not asked.is_set() and time.monotonic() < until:
            frame = camera.read(EVERY_S)
            if frame is not None:
                picture = _jpeg(frame)
                out.write(struct.pack(">I", len(picture)) + picture)
                out.flush()
            asked.wait(EVERY_S)
    except (CameraGone, CameraError, OSError):  # the camera is gone, or nobody reads the pictures any more
        asked.wait(max(0.0, until - time.monotonic()))
    finally:
        camera.close()
    if not asked.is_set():
        return NOT_KEPT
    try:
        keep_address(Path(argv[0]), address)
    except OSError as error:
        print(f"the address is not kept: {error.strerror}", file=sys.stderr)
        return NOT_KEPT
    return KEPT


def _say(tried: Tried) -> int:
    sys.stdout.buffer.write(msgspec.json.encode(tried) + b"\n")
    sys.stdout.buffer.flush()
    return NOT_KEPT


def _hear(asked: threading.Event) -> None:
    """Wait for the line that asks to keep the address; the end of the input ends the program."""
    if sys.stdin.readline():
        asked.set()
        return
    os._exit(NOT_KEPT)  # a hanging camera would keep the process alive


def _jpeg(frame: Frame) -> bytes:
    height, width = frame.image.shape[:2]
    small = cv2.resize(frame.image, (WIDTH, max(1, round(height * WIDTH / width))), interpolation=cv2.INTER_AREA)
    return bytes(cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 80])[1].tobytes())


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        sys.exit(main(sys.argv[1:]))
