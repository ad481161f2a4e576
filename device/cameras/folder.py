"""A camera that reads the newest picture of a folder, into which a telephone, network camera or program puts them."""

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
"""Seconds between two scans of the folder."""


class _Stamp(NamedTuple):
    """Identifies a version of a picture file: rewriting changes the stamp, renaming does not.
    changed_ns: its time of modification, by any clock; file: its inode, or its name on systems without inodes;
    size: bytes."""

    changed_ns: int
    file: int | str
    size: int


class WatchedFolder(DeviceCamera):
    """`folder:PATH`: each picture that is new since the last scan of the folder becomes the next frame.

    Files' times do not tell new from old, since clocks are changed and telephones have their own; they only order the
    pictures that came between two scans. Pictures from before the camera was opened are ignored. An incomplete picture
    is read again when its file has changed; a program avoids this by moving finished files into the folder.
    """

    def __init__(self, path: Path) -> None:
        """path: the folder; its pictures end in one of `device.cameras.pictures.SUFFIXES`."""
        folder = path.name or str(path)
        super().__init__(message("camera.folder", folder=folder), message("reason.folder-closed"))
        self._path = path
        self.unfed = message("reason.folder-unfed", folder=folder)
        self._opened_before = False
        self._there = self._before = frozenset[_Stamp]()

    def open(self) -> None:
        """See `Camera.open`. Raises `CameraGone`, not `CameraError`, if the folder existed at an earlier opening."""
        self.close()
        if not self._path.is_dir():
            if self._opened_before:
                raise CameraGone(message("reason.folder-gone", folder=str(self._path)))
            raise CameraError(message("reason.folder-none", folder=str(self._path)))
        self._there = frozenset(self._look())
        self._opened_before = True
        self._read_from(NewestFrame(self._grab, "folder"))

    def _grab(self) -> Frame | None:
        """The newest picture since the last scan, timed by its arrival. Runs in the reading thread."""
        there = self._look()
        came = there.keys() - self._there - self._before  # a scan may miss a file that is being renamed
        self._before, self._there = self._there, frozenset(there)
        for stamp in sorted(came, key=lambda one: (one.changed_ns, there[one]), reverse=True):
            try:
                image = load_picture(self._path / there[stamp]).image
            except HeicError as error:
                raise CameraGone(message("reason.folder-heic", folder=str(self._path))) from error
            except PictureError as error:  # it may still be being written
                log.debug("a picture is skipped: %s", error)
                continue
            return self._guard.check(Frame(image, time.monotonic_ns(), 0))
        time.sleep(LOOK_EVERY_S)
        return None

    def _look(self) -> dict[_Stamp, str]:
        """The names of the folder's picture files, by their stamps. Raises `CameraGone`."""
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
    """The path with a leading "~" expanded, which a shell does not do after a colon."""
    try:
        return Path(which).expanduser()
    except RuntimeError:  # no such user: opening the folder will report it
        return Path(which)


def made(which: str | None) -> Camera:
    """See `CameraModule`. which: the folder's path."""
    if not which:
        raise UnusableWord("the camera 'folder' needs the folder's path: --camera folder:PATH")
    return WatchedFolder(_expanded(which))


def found() -> list[CameraChoice]:
    """See `CameraModule`: none, as folders have to be named."""
    return []
