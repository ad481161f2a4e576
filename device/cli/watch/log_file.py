"""The log file of `inkeek watch --log`. A full disk costs the log but no verdict."""

from pathlib import Path
from types import TracebackType
from typing import Self

from device.cli.files import unwritable
from device.cli.moves import Unusable
from device.evidence.reading_log import LogError, check_log_place
from device.system.replacement import Replacement


class LogFile:
    """A log file in the making: `write_out` puts it in place. A context manager, which removes an unfinished file."""

    def __init__(self, path: Path) -> None:
        """path: the file, which may be an existing log. Raises `Unusable` or `OutputError`."""
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
        """The log file, ready for bytes."""
        return self

    def __exit__(self, error: type[BaseException] | None, what: BaseException | None,
                 where: TracebackType | None) -> None:
        """Remove the file if it was not put in place."""
        self._file.__exit__(error, what, where)

    def write(self, data: bytes, /) -> None:
        """Write bytes. A disk error is reported only at the end, as the verdicts are worth more than the log."""
        if self._failed is None:
            try:
                self._out.write(data)
            except OSError as error:
                self._failed = error

    def close(self) -> None:
        """End the bytes; `write_out` follows."""
        try:
            self._out.close()
        except OSError as error:
            self._failed = self._failed or error

    def write_out(self) -> None:
        """Put the file in place. Raises `OutputError`."""
        self.close()
        try:
            if self._failed is not None:
                raise self._failed
            self._file.put()
        except OSError as error:
            raise unwritable(self._path, error) from error
