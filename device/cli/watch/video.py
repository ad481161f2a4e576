"""`inkeek watch --video`: write the recording as an MP4 with counts and verdicts drawn in.

Each picture is drawn and encoded as soon as the table has taken in its frame, so only the newest is held in memory. The
file is written beside its place and renamed when it is whole.
"""

from pathlib import Path
from types import TracebackType
from typing import Any, Self

import cv2
import numpy as np
from PIL import Image

from device.cli.files import OutputError, unwritable
from device.cli.watch.pages import Pages
from device.cli.watch.recorded_game import Seen
from device.films.encoder import TICKS, Encoder, films_are_made
from device.system.replacement import Replacement
from vision.reading import Frame

LONGEST, SHORTEST = 1280, 640
"""Most and fewest pixels of the pictures' longer side: the letters must be legible."""
HOLD_S = (1.0, 2.0, 3.0)
"""Seconds after the end at which the last picture is repeated, so that the last verdict can be read."""


class Video:
    """A film in the making, from events and frames as they come; `write_out` puts the file in place. A context manager,
    which removes an unfinished file."""

    def __init__(self, path: Path, name: str) -> None:
        """path: the file; name: the recording's. Raises `OutputError`."""
        if not films_are_made():
            raise OutputError("--video needs PyAV: pip install 'inkeek[clips]'")
        self._path, self._name = path, name
        try:
            self._file = Replacement(path)
        except OSError as error:
            raise unwritable(path, error) from error
        self._early: list[dict[str, Any]] = []
        self._pages: Pages | None = None
        self._film: Encoder | None = None
        self._last: Seen | None = None
        self._began_ns = 0
        self._failed: OSError | None = None

    def __enter__(self) -> Self:
        """The film, ready for events and frames."""
        return self

    def __exit__(self, error: type[BaseException] | None, what: BaseException | None,
                 where: TracebackType | None) -> None:
        """Remove the file if it was not put in place."""
        try:
            self._close(error or OutputError)
        finally:
            self._file.__exit__(error, what, where)

    def frame(self, frame: Frame, duration_s: float | None) -> None:
        """Ignore the frame: it is drawn by `seen`, after the table has taken it in."""

    def event(self, form: dict[str, Any]) -> None:
        """Take the next event, in its output form."""
        if self._pages is None:
            self._early.append(form)  # events before the first frame: a few
        else:
            self._pages.event(form)
            if "since" in form:
                self._stand_still(form["since"])

    def seen(self, seen: Seen) -> None:
        """Take the next frame, with what the table knows after it; the last one comes again at the end."""
        if self._failed is not None:
            return
        try:
            self._take(seen)
        except OSError as error:  # reported at the end, as the verdicts are worth more than the film
            self._failed = error

    def _stand_still(self, since: float) -> None:
        """Repeat the last picture with its notice: no frames have come since `since`, seconds."""
        at = since + 1 / TICKS - self._began_ns / 1e9
        if self._last is not None and self._failed is None and at > self._at(self._last):
            try:
                self._add(self._last, at)
            except OSError as error:
                self._failed = error

    def _take(self, seen: Seen) -> None:
        if self._last is None:
            self._began_ns = seen.frame.time_ns
            self._begin(seen.frame)
        elif self._at(seen) - self._at(self._last) < 1 / TICKS:
            self._last = seen
            return
        self._last = seen
        self._add(seen, self._at(seen))

    def _at(self, seen: Seen) -> float:
        """The frame's time in the film, seconds."""
        return (seen.frame.time_ns - self._began_ns) / 1e9

    def _begin(self, frame: Frame) -> None:
        """Begin the film, at the size of its first picture."""
        self._pages = Pages(self._name, _size(frame))
        for form in self._early:
            self._pages.event(form)
        self._film = Encoder(self._file.new, self._pages.size)
        self._film.__enter__()

    def _add(self, seen: Seen, at_s: float) -> None:
        assert self._pages is not None and self._film is not None
        self._film.add(self._pages.page(_picture(seen.frame, self._pages.picture), seen), at_s)

    def write_out(self) -> None:
        """Hold the last picture for some seconds, and put the file in place. Raises `OutputError`."""
        try:
            if self._last is not None and self._failed is None:
                for hold in HOLD_S:
                    self._add(self._last, self._at(self._last) + hold)
            self._close(None)
            if self._failed is not None:
                raise self._failed
            self._file.put()
        except OSError as error:
            raise unwritable(self._path, error) from error

    def _close(self, error: type[BaseException] | None) -> None:
        """Close the film, once. error: the reason why it is discarded, None to keep it."""
        film, self._film = self._film, None
        if film is not None:
            film.__exit__(error or (None if self._failed is None else OSError), None, None)


def _size(frame: Frame) -> tuple[int, int]:
    """(width, height) at which a frame is shown, pixels: even numbers."""
    height, width = frame.image.shape[:2]
    longer = max(width, height)
    scale = min(max(longer, SHORTEST), LONGEST) / longer
    return max(2, round(width * scale / 2) * 2), max(2, round(height * scale / 2) * 2)


def _picture(frame: Frame, size: tuple[int, int]) -> Image.Image:
    """The frame's picture, RGB, scaled to that size."""
    image = frame.image
    if image.shape[1::-1] != size:
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    return Image.fromarray(cv2.cvtColor(image, cv2.COLOR_BGR2RGB))
