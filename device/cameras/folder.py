"""The newest picture of a folder into which something else puts them: a telephone, a network camera, a program."""

from __future__ import annotations

import logging
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from device.cameras.base import Camera, CameraError, CameraGone, UnusableWord
from device.cameras.newest import DeviceCamera, NewestFrame
from device.cameras.pictures import SUFFIXES, HeicError, PictureError, load_picture
from device.journal.live_state import CameraChoice
from device.journal.messages import message
from vision.reading import Frame

log = logging.getLogger(__name__)

FORMS = "folder:PATH"
LOOK_EVERY_S = 0.02
"""Between two looks into the folder."""


class _Stamp(NamedTuple):
    """A picture file as it is now: written again it has another stamp, renamed the same one.
    changed_ns: when it was last written to, by whatever clock; file: its inode, or its name where there are none;
    size: bytes."""

    changed_ns: int
    file: int | str
    size: int


class WatchedFolder(DeviceCamera):
    """`folder:PATH`: each picture that was not in the folder at the look before is the camera's next frame.

    A file's time does not tell new from old, since clocks are set and telephones have their own; it only orders what
    came between two looks. What lay there before the camera was opened is not given: it shows what was. A file that is
    no whole picture yet is looked at again when it has changed; a program that moves its files into the folder spares
    that.
    """

    def __init__(self, path: Path) -> None:
        """path: of the folder; its pictures end in one of `device.cameras.pictures.SUFFIXES`."""
        folder = path.name or str(path)
        super().__init__(message("camera.folder", folder=folder), message("reason.folder-closed"))
        self._path = path
        self.unfed = message("reason.folder-unfed", folder=folder)
        self._opened_before = False
        self._there = self._before = frozenset[_Stamp]()

    def open(self) -> None:
        """See `Camera.open`. A folder that was there before is waited for."""
        self.close()
        if not self._path.is_dir():
            if self._opened_before:
                raise CameraGone(message("reason.folder-gone", folder=str(self._path)))
            raise CameraError(message("reason.folder-none", folder=str(self._path)))
        self._there = frozenset(self._look())
        self._opened_before = True
        self._read_from(NewestFrame(self._grab, "folder"))

    def _grab(self) -> Frame | None:
        """The newest picture that came since the last look, in the reading thread; its time is that of its arrival."""
        there = self._look()
        came = there.keys() - self._there - self._before  # a look may miss a file that is renamed meanwhile
        self._before, self._there = self._there, frozenset(there)
        for stamp in sorted(came, key=lambda one: (one.changed_ns, there[one]), reverse=True):
            try:
                image = load_picture(self._path / there[stamp]).image
            except HeicError as error:
                raise CameraGone(message("reason.folder-heic", folder=str(self._path))) from error
            except PictureError as error:  # it may still be being written
                log.debug("a picture is passed over: %s", error)
                continue
            return self._guard.check(Frame(image, time.monotonic_ns(), 0))
        time.sleep(LOOK_EVERY_S)
        return None

    def _look(self) -> dict[_Stamp, str]:
        """The picture files of the folder, by their stamps, with their names. Raises `CameraGone`."""
        there: dict[_Stamp, str] = {}
        try:
            with os.scandir(self._path) as files:
                for file in files:
                    if file.name.lower().endswith(SUFFIXES):
                        with suppress(FileNotFoundError):  # it was taken away meanwhile
                            now = file.stat()
                            there[_Stamp(now.st_mtime_ns, now.st_ino or file.name, now.st_size)] = file.name
        except FileNotFoundError as error:
            raise CameraGone(message("reason.folder-gone", folder=str(self._path))) from error
        except OSError as error:
            raise CameraGone(message("reason.folder-unread", folder=str(self._path),
                                     error=error.strerror or str(error))) from error
        return there


def _expanded(which: str) -> Path:
    """The path with the home folder put in for a "~" at its beginning: a shell does not do so behind a colon."""
    try:
        return Path(which).expanduser()
    except RuntimeError:  # there is no such user, so no such folder, which is said when it is opened
        return Path(which)


def made(which: str | None) -> Camera:
    """See `CameraModule`. which: the folder's path."""
    if not which:
        raise UnusableWord("the camera 'folder' needs the folder's path: --camera folder:PATH")
    return WatchedFolder(_expanded(which))


def found() -> list[CameraChoice]:
    """See `CameraModule`: no folder is found by itself."""
    return []
