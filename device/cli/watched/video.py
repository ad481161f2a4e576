"""`inkeek watch --video`: the recording as an MP4, with counts and verdicts drawn in as they are given.

A picture is drawn and encoded as soon as the table has taken its frame in, so no more than the newest is held. The file
is written beside its place and put there when it is whole.
"""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Any, Self

import cv2
import numpy as np
from PIL import Image

from device.cli.files import OutputError, unwritable
from device.cli.refereed import Seen
from device.cli.watched.pages import Pages
from device.films.encoder import TICKS, Encoder, films_are_made
from device.system.replacement import Replacement
from vision.reading import Frame

LONGEST, SHORTEST = 1280, 640
"""Pixels that the longer side of the pictures has at most, and at least: letters have to be read."""
HOLD_S = (1.0, 2.0, 3.0)
"""Seconds after the last picture at which it is shown again, so that the last verdict can be read."""


class Video:
    """Takes events and what was seen of the frames as they come; `write_out` puts the file into its place. A context:
    what was not written leaves nothing behind."""

    def __init__(self, path: Path, name: str) -> None:
        """path: of the file; name: of the recording. Raises `OutputError`."""
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
        """Events and frames may come."""
        return self

    def __exit__(self, error: type[BaseException] | None, what: BaseException | None,
                 where: TracebackType | None) -> None:
        """Whatever is not whole goes."""
        try:
            self._close(error or OutputError)
        finally:
            self._file.__exit__(error, what, where)

    def frame(self, frame: Frame, duration_s: float | None) -> None:
        """Nothing is drawn of a frame before the table has taken it in."""

    def event(self, form: dict[str, Any]) -> None:
        """The next event, in its kept form."""
        if self._pages is None:
            self._early.append(form)  # of a game that began before its first frame: a few
        else:
            self._pages.event(form)
            if "since" in form:
                self._stand_still(form["since"])

    def seen(self, seen: Seen) -> None:
        """The next frame, and what the table knows when it has taken it in; the last one again at the end."""
        if self._failed is not None:
            return
        try:
            self._take(seen)
        except OSError as error:  # said at the end: the verdicts are worth more than the film
            self._failed = error

    def _stand_still(self, since: float) -> None:
        """No frames came since then, seconds: the last picture stands for that time, and says so."""
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
        """Seconds from the film's beginning."""
        return (seen.frame.time_ns - self._began_ns) / 1e9

    def _begin(self, frame: Frame) -> None:
        """The film has the size of its first picture."""
        self._pages = Pages(self._name, _size(frame))
        for form in self._early:
            self._pages.event(form)
        self._film = Encoder(self._file.new, self._pages.size)
        self._film.__enter__()

    def _add(self, seen: Seen, at_s: float) -> None:
        assert self._pages is not None and self._film is not None
        self._film.add(self._pages.page(_picture(seen.frame, self._pages.picture), seen), at_s)

    def write_out(self) -> None:
        """Let the last picture stand for some seconds, and put the file into its place. Raises `OutputError`."""
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
        """Close the film, once. error: it will not be used."""
        film, self._film = self._film, None
        if film is not None:
            film.__exit__(error or (None if self._failed is None else OSError), None, None)


def _size(frame: Frame) -> tuple[int, int]:
    """How large a frame's picture is shown: even numbers."""
    height, width = frame.image.shape[:2]
    longer = max(width, height)
    scale = min(max(longer, SHORTEST), LONGEST) / longer
    return max(2, round(width * scale / 2) * 2), max(2, round(height * scale / 2) * 2)


def _picture(frame: Frame, size: tuple[int, int]) -> Image.Image:
    """A frame's picture, RGB, of that size."""
    image = frame.image
    if image.shape[1::-1] != size:
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    return Image.fromarray(cv2.cvtColor(image, cv2.COLOR_BGR2RGB))
