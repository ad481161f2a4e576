"""Shared by commands that read and write people's files: checks of paths, errors, and silencing noisy libraries."""

import functools
import os
import shutil
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import ParamSpec, TypeVar

from device.cli.options import Unusable
from device.errors import UserError
from device.system.folder import DataFolder

P = ParamSpec("P")
R = TypeVar("R")
STANDARD_ERROR = 2


class OutputError(UserError):
    """An output file could not be written. One sentence."""


def check_output(path: Path, what: str, *, endings: Sequence[str] = (), others: Collection[Path] = ()) -> None:
    """Raise `Unusable` if no output file can be written to `path`. what: "a report"; endings: allowed suffixes, such as
    ".html", or none for any; others: the command's other files, which it must not overwrite."""
    try:
        if path.is_dir():
            raise Unusable(f"{path} is a directory, not a file for {what}")
        if not path.parent.is_dir():
            raise Unusable(f"{path}: there is no directory {path.parent}")
        if any(_same(path, other) for other in others):
            raise Unusable(f"{path} is named twice: name another file for {what}")
    except OSError as error:  # a name that no file can have
        raise Unusable(str(unwritable(path, error))) from error
    if endings and not path.name.lower().endswith(tuple(endings)):
        raise Unusable(f"{path}: name a file that ends in {' or '.join(endings)} for {what}")


def _same(path: Path, other: Path) -> bool:
    """Whether both paths name the same file, or will once it is written."""
    if path.exists() and other.exists():
        return path.samefile(other)
    return path.resolve() == other.resolve()


def unwritable(path: Path, error: OSError) -> OutputError:
    """The `OutputError` for a system error."""
    return OutputError(f"{path} cannot be written: {error.strerror or error}")


@contextmanager
def progress(what: str, *, shown: bool) -> Iterator[None]:
    """Show a line on the terminal during the block, and clear it afterwards. shown: False for no line, such as when
    there is only one thing to do."""
    shown = shown and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
    if shown:
        sys.stderr.write(f"\r{what[:shutil.get_terminal_size().columns - 1]}")
        sys.stderr.flush()
    try:
        yield
    finally:
        if shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def missing(path: Path) -> bool:
    """Whether the path does not exist, or is not a possible name."""
    try:
        return not path.exists()
    except (OSError, ValueError):
        return True


def no_file(path: Path) -> bool:
    """Whether the path is not a file: missing, or for instance a folder."""
    return missing(path) or not path.is_file()


def not_drawn(overlay: Path | None) -> str:
    """The end of the sentence on a picture without a board: no drawing is written; "" if none was asked for."""
    return "" if overlay is None else f"; nothing is drawn into {overlay}"


def there(path: Path) -> Path:
    """Return the path. Raises `Unusable` if it does not exist."""
    if missing(path):
        raise Unusable(f"{path}: no such file")
    return path


def journal_at(path: Path) -> Path:
    """The journal at a path: the file itself, or the journal in a data folder. Raises `Unusable` if there is none."""
    if not there(path).is_dir():
        return path
    journal = DataFolder(path).journal
    if not journal.is_file():
        raise Unusable(f"there is no journal in {path}: a data folder holds one called {journal.name}")
    return journal


@contextmanager
def libraries_silent() -> Iterator[None]:
    """Discard what C libraries write to standard error during the block: OpenCV, libjpeg and FFmpeg print twenty lines
    about a broken file, the program one sentence. Python's `sys.stderr` still reaches people."""
    sys.stderr.flush()
    kept = os.dup(STANDARD_ERROR)
    own = sys.stderr
    try:
        with Path(os.devnull).open("wb") as nowhere, os.fdopen(os.dup(kept), "w", buffering=1, encoding=own.encoding,
                                                          errors="backslashreplace") as heard:
            os.dup2(nowhere.fileno(), STANDARD_ERROR)
            if _writes_to(STANDARD_ERROR):
                sys.stderr = heard
            yield
    finally:
        sys.stderr = own
        os.dup2(kept, STANDARD_ERROR)
        os.close(kept)


def _writes_to(descriptor: int) -> bool:
    """Whether `sys.stderr` writes to this descriptor. It does not if it was replaced, for example by a test."""
    try:
        return sys.stderr.fileno() == descriptor
    except (OSError, ValueError, AttributeError):
        return False


def silencing_libraries(command: Callable[P, R]) -> Callable[P, R]:
    """Decorate a command to run under `libraries_silent`."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        with libraries_silent():
            return command(*args, **kwargs)

    return run
