"""Clips of accusations: the live view's pictures of the last seconds, in one file named by its SHA-256.

A clip is a zip of pictures (WebP, which takes under half of a JPEG's bytes) and of `clip.json` with their times and
with the gaps in which the camera gave none, so that a page can show it at any speed, picture by picture, and anybody
can unpack it. A thread writes it, and an event names it once it is on the disk: no verdict waits for it.
"""

import hashlib
import io
import json
import logging
import zipfile
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from statistics import median

from PIL import Image

from device.journal.events import ClipKept, VerdictGiven
from device.journal.head import write_lasting
from device.table.parameters import SIGHT

log = logging.getLogger(__name__)

MOST_PICTURES = 200
"""Most pictures that are kept; of a longer move the clip shows the end."""
MOST_BYTES = 16 << 20
"""Most bytes of pictures that are kept."""
BEFORE_S = 0.8
"""A clip begins this many seconds before the first hand."""
UNSEEN_S = 6.0
"""Length of a clip, seconds, if no hand was seen."""
ACCUSING = ("illegal", "not-sure", "tampered")
WIDEST, QUALITY, EFFORT = 960, 70, 2
"""Pixels across, WebP quality and WebP method of a clip's pictures; hands and seeds stay plain to see. Method 2 takes
18 ms a picture on the server where it was measured; 4 takes 45 ms for 7 % fewer bytes."""
MOST_WAITING = 4
"""Most clips that may wait for a slow disk; further ones are dropped."""


class Clips:
    """Keeps the last pictures, and writes a clip of them for an accusing verdict. For use by one thread."""

    def __init__(self, folder: Path, write: Callable[[Path, bytes], None] = write_lasting) -> None:
        """folder: the evidence folder; write: writes a file's bytes to the disk."""
        self._folder, self._write = folder, write
        self._lately: deque[tuple[float, bytes]] = deque(maxlen=MOST_PICTURES)
        self._bytes = 0
        self._writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="clip")
        self._waiting: deque[tuple[int, Future[str]]] = deque()

    def picture(self, t: float, jpeg: bytes) -> None:
        """Add a picture. t: seconds of the table's clock."""
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
        """Write the clip of this verdict's move, if it accuses somebody or asks people. number: its event's."""
        if verdict.kind not in ACCUSING or len(self._waiting) >= MOST_WAITING:
            return
        first = verdict.hands_in - BEFORE_S if verdict.hands_in < verdict.hands_out else verdict.t - UNSEEN_S
        gap = next((gap for gap in gaps([t for t, _ in self._lately]) if gap[1] > first), None)
        if gap is not None:  # the move may have been made in it: show the board before
            first = min(first, gap[0] - BEFORE_S)
        shown = [(t, jpeg) for t, jpeg in self._lately if t >= first]
        if len(shown) > 1:
            cut = shown[0] == self._lately[0] and len(self._lately) > 1 and shown[0][0] > first + 1.0
            self._waiting.append((number, self._writer.submit(self._save, shown, cut)))

    def kept(self) -> list[ClipKept]:
        """The events for clips that have reached the disk since the last call."""
        done = []
        while self._waiting and self._waiting[0][1].done():
            number, future = self._waiting.popleft()
            try:
                done.append(ClipKept(verdict=number, clip=future.result()))
            except OSError as error:
                log.warning("a clip could not be kept: %s", error.strerror or error)
        return done

    def close(self) -> list[ClipKept]:
        """Wait for the clips being written; return their events."""
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
    """The picture as WebP, at most `WIDEST` pixels across; unchanged if it cannot be read."""
    out = io.BytesIO()
    try:
        with Image.open(io.BytesIO(jpeg), formats=["JPEG"]) as image:
            size = (min(WIDEST, image.width), round(image.height * min(1.0, WIDEST / image.width)))
            image.convert("RGB").resize(size, Image.Resampling.BOX).save(out, "WEBP", quality=QUALITY, method=EFFORT)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return jpeg
    return out.getvalue()


def gaps(times: Sequence[float]) -> list[tuple[float, float]]:
    """The first and last second of each gap in which the camera gave no pictures. times: of the pictures, in order."""
    intervals = [(was, now) for was, now in pairwise(times)]
    usual = median(now - was for was, now in intervals) if intervals else 0.0
    return [(was, now) for was, now in intervals if now - was > max(SIGHT.hole_s, SIGHT.hole_factor * usual)]


def packed(shown: list[tuple[float, bytes]], cut: bool = False) -> bytes:
    """A clip file's bytes, equal for equal arguments. shown: (seconds of the table's clock, WebP or JPEG) in order;
    cut: the beginning is missing."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as file:
        times = [round(t - shown[0][0], 3) for t, _ in shown]
        index = {"times": times, "began": round(shown[0][0], 3), "gaps": gaps(times), "cut": cut}
        file.writestr(zipfile.ZipInfo("clip.json"), json.dumps(index))
        for number, (_, picture) in enumerate(shown):
            ending = "webp" if picture.startswith(b"RIFF") else "jpg"
            file.writestr(zipfile.ZipInfo(f"{number:03d}.{ending}"), picture)
    return out.getvalue()
