"""Clips of what was called a foul: the live pictures of the last seconds, in one file named by its SHA-256.

A clip is a zip of pictures (WebP, which takes under half of a JPEG's bytes) and of `clip.json` with their times, so
that a page can show it at any speed, and picture by picture, and anybody can unpack it. The pictures are those of the
live view. It is written beside the table's work, and an event of its own names it once it is on the disk: no verdict
waits for it.
"""

from __future__ import annotations

import hashlib
import io
import json
import logging
import zipfile
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from PIL import Image

from device.journal.events import ClipKept, VerdictGiven
from device.journal.head import write_lasting

log = logging.getLogger(__name__)

MOST_PICTURES = 200
"""Pictures of the last seconds that are kept at most; of a longer move the end is shown."""
MOST_BYTES = 16 << 20
"""Bytes of them that are kept at most."""
BEFORE_S = 0.8
"""Seconds before the first hand with which a clip begins."""
UNSEEN_S = 6.0
"""Seconds that are shown where no hand was seen."""
ACCUSING = ("illegal", "not-sure", "tampered")
WIDEST, QUALITY, EFFORT = 960, 70, 2
"""Pixels across, WebP quality, and WebP method of a clip's pictures: hands and seeds are plain to see. Method 2 takes
18 ms a picture on the server where it was measured; 4 takes 45 ms for 7 % fewer bytes."""
MOST_WAITING = 4
"""Clips that may wait for a slow disk; more are given up."""


class Clips:
    """Keeps the last pictures, and writes a clip of them when a verdict wants it. One thread uses it."""

    def __init__(self, folder: Path, write: Callable[[Path, bytes], None] = write_lasting) -> None:
        """folder: of the evidence; write: puts bytes into a file for good."""
        self._folder, self._write = folder, write
        self._lately: deque[tuple[float, bytes]] = deque(maxlen=MOST_PICTURES)
        self._bytes = 0
        self._writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="clip")
        self._waiting: deque[tuple[int, Future[str]]] = deque()

    def picture(self, t: float, jpeg: bytes) -> None:
        """A picture of time `t`, seconds of the table's clock."""
        if self._lately and t < self._lately[-1][0]:  # a recording begins anew
            self._lately.clear()
            self._bytes = 0
        if len(self._lately) == MOST_PICTURES:
            self._bytes -= len(self._lately[0][1])
        self._lately.append((t, jpeg))
        self._bytes += len(jpeg)
        while self._bytes > MOST_BYTES:
            self._bytes -= len(self._lately.popleft()[1])

    def keep(self, verdict: VerdictGiven, number: int) -> None:
        """Write the clip of that verdict's move, if it accuses somebody or asks people. number: of its event."""
        if verdict.kind not in ACCUSING or len(self._waiting) >= MOST_WAITING:
            return
        first = verdict.hands_in - BEFORE_S if verdict.hands_in else verdict.t - UNSEEN_S
        shown = [(t, jpeg) for t, jpeg in self._lately if t >= first]
        if len(shown) > 1:
            cut = shown[0] == self._lately[0] and len(self._lately) > 1 and shown[0][0] > first + 1.0
            self._waiting.append((number, self._writer.submit(self._save, shown, cut)))

    def kept(self) -> list[ClipKept]:
        """The clips that are on the disk by now, each told once."""
        done = []
        while self._waiting and self._waiting[0][1].done():
            number, future = self._waiting.popleft()
            try:
                done.append(ClipKept(verdict=number, clip=future.result()))
            except OSError as error:
                log.warning("a clip could not be kept: %s", error.strerror or error)
        return done

    def close(self) -> list[ClipKept]:
        """Wait for what is being written; the clips that this adds."""
        self._writer.shutdown(wait=True)
        return self.kept()

    def _save(self, shown: list[tuple[float, bytes]], cut: bool) -> str:
        data = packed([(t, narrowed(jpeg)) for t, jpeg in shown], cut)
        name = hashlib.sha256(data).hexdigest() + ".zip"
        path = self._folder / name
        if not path.exists():
            self._write(path, data)
        return name


def narrowed(jpeg: bytes) -> bytes:
    """The picture as WebP, at most `WIDEST` pixels across; as it is where it cannot be read."""
    out = io.BytesIO()
    try:
        with Image.open(io.BytesIO(jpeg), formats=["JPEG"]) as image:
            size = (min(WIDEST, image.width), round(image.height * min(1.0, WIDEST / image.width)))
            image.convert("RGB").resize(size, Image.Resampling.BOX).save(out, "WEBP", quality=QUALITY, method=EFFORT)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return jpeg
    return out.getvalue()


def packed(shown: list[tuple[float, bytes]], cut: bool = False) -> bytes:
    """A clip's file. shown: (seconds, WebP or JPEG) in order; cut: the beginning is missing. The same in makes the same
    out."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as file:
        index = {"times": [round(t - shown[0][0], 3) for t, _ in shown], "cut": cut}
        file.writestr(zipfile.ZipInfo("clip.json"), json.dumps(index))
        for number, (_, picture) in enumerate(shown):
            ending = "webp" if picture.startswith(b"RIFF") else "jpg"
            file.writestr(zipfile.ZipInfo(f"{number:03d}.{ending}"), picture)
    return out.getvalue()
