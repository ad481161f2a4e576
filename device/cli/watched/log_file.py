"""`inkeek watch --log`: the file of a log. A full disk costs the log and no verdict."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Self

from device.cli.files import unwritable
from device.cli.moves import Unusable
from device.evidence.reading_log import LogError, check_log_place
from device.system.replacement import Replacement


class LogFile:
    """Takes what is written; `write_out` puts the file into its place. A context: what was not put leaves nothing
    behind."""

    def __init__(self, path: Path) -> None:
        """path: of the file, where a log may lie already. Raises `Unusable`, or `OutputError`."""
        self._path = path
        self._failed: OSError | None = None
        try:
            check_log_place(path)
            self._file = Replacement(path)
            self._out = self._file.new.open("wb")
        except LogError as error:
            raise Unusable(str(error)) from None
        except OSError as error:
            raise unwritable(path, error) from error

    def __enter__(self) -> Self:
        """Bytes may come."""
        return self

    def __exit__(self, error: type[BaseException] | None, what: BaseException | None,
                 where: TracebackType | None) -> None:
        """Whatever is not whole goes."""
        self._file.__exit__(error, what, where)

    def write(self, data: bytes, /) -> None:
        """Keep some bytes. What a disk does not take is said at the end: the verdicts are worth more than the log."""
        if self._failed is None:
            try:
                self._out.write(data)
            except OSError as error:
                self._failed = error

    def close(self) -> None:
        """No more bytes come."""
        try:
            self._out.close()
        except OSError as error:
            self._failed = self._failed or error

    def write_out(self) -> None:
        """Put the file into its place. Raises `OutputError`."""
        self.close()
        try:
            if self._failed is not None:
                raise self._failed
            self._file.put()
        except OSError as error:
            raise unwritable(self._path, error) from error
