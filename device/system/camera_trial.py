"""A camera in the network, tried before the table uses it: `python -m device.system.camera_trial DATA`.

The page starts this program, for the page itself knows no camera. The address comes as the first line of the standard
input, because every user can read a command. A line of JSON says whether it gives pictures (`Tried`); then they follow,
each as its length, four bytes, and a JPEG. A second line asks that the address be kept in DATA; the program ends with
status 0 once it is. At the end of the input, or after `LASTS_S`, it ends without keeping anything.
"""

from __future__ import annotations

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
from device.journal.events import Told, told
from device.system.camera_addresses import keep_address
from engine.messages import message_in
from vision.reading import Frame

LASTS_S = 120.0
"""Seconds after which nobody looks any more."""
EVERY_S = 0.4
"""Between two pictures."""
WIDTH = 640
"""Pixels of a picture."""
KEPT, NOT_KEPT = 0, 1
"""Exit statuses: whether the address was kept."""


class Tried(msgspec.Struct, frozen=True):
    """What came of an address. word: what of it may be seen, "" where it gives no pictures; why: then the message,
    None where it is no address, and sentence the same in English."""

    word: str = ""
    why: Told | None = None
    sentence: str = ""


def main(argv: Sequence[str]) -> int:
    """Try the address that stands on the standard input. argv: the data folder."""
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
        return _say(Tried(why=told(message_in(error)), sentence=str(error)))
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
    except (CameraGone, CameraError, OSError):  # it went away, or nobody looks any more
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
    os._exit(NOT_KEPT)  # a camera that hangs would keep it


def _jpeg(frame: Frame) -> bytes:
    height, width = frame.image.shape[:2]
    small = cv2.resize(frame.image, (WIDTH, max(1, round(height * WIDTH / width))), interpolation=cv2.INTER_AREA)
    return bytes(cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 80])[1].tobytes())


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        sys.exit(main(sys.argv[1:]))
