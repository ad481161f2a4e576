"""Files that are replaced whole or not at all."""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from device.journal.head import sync_folder


class Replacement:
    """A new file, to be written under the name `new`, which takes the place of another one by `put`. A context: what
    was not put leaves nothing behind, and the older file stays as it was."""

    def __init__(self, path: Path, mode: int | None = None) -> None:
        """path: the place; what is no file there, such as a pipe, is written to itself. mode: who may read the new
        file; as with the older one, or as usual, unless given. Raises OSError where no file can be made there."""
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
        """The new file may be written."""
        return self

    def __exit__(self, error: type[BaseException] | None, _what: BaseException | None,
                 _where: TracebackType | None) -> None:
        """Delete the new file unless it was put into its place."""
        if self.new != self._place:
            with suppress(OSError):
                self.new.unlink(missing_ok=True)

    def put(self) -> None:
        """Put the new file, whole and on the disk, into its place. Raises OSError."""
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
