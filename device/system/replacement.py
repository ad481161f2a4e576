"""Replace files whole or not at all."""

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from device.journal.head import sync_folder


class Replacement:
    """A file written at `new`, which `put` moves to its place. A context manager: without `put` the new file is deleted
    and the older one stays as it was."""

    def __init__(self, path: Path, mode: int | None = None) -> None:
        """path: the place; if it is not a regular file, such as a pipe, it is written to directly. mode: permissions of
        the new file; unless given, the older file's, or the default. Raises OSError if no file can be made there."""
        self._place = Path(os.path.realpath(path))
        self.new = self._place
        there = self._place.stat() if self._place.exists() else None
        if there is not None and not stat.S_ISREG(there.st_mode):
            return
        self.new = self._place.with_name(f".inkeek-{secrets.token_hex(6)}")
        os.close(os.open(self.new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if mode is None else mode))
        if there is not None and mode is None:
            self.new.chmod(stat.S_IMODE(there.st_mode))

    def __enter__(self) -> Self:
        """The replacement, ready to be written."""
        return self

    def __exit__(self, error: type[BaseException] | None, _what: BaseException | None,
                 _where: TracebackType | None) -> None:
        """Delete the new file unless it was put in place."""
        if self.new != self._place:
            with suppress(OSError):
                self.new.unlink(missing_ok=True)

    def put(self) -> None:
        """Sync the new file to the disk and move it to its place. Raises OSError."""
        if self.new == self._place:
            return
        with self.new.open("rb+") as file:
            os.fsync(file.fileno())
        self.new.replace(self._place)
        sync_folder(self._place.parent)


def replace_file(path: Path, data: bytes) -> None:
    """Write a file, whole or not at all. Raises OSError."""
    with Replacement(path) as file:
        file.new.write_bytes(data)
        file.put()
