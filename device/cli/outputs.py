"""The files that commands are asked to write: whether they can be, before anything is done."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from device.cli.moves import Unusable


class OutputError(Exception):
    """A file that was asked for could not be written. One sentence."""


def check_output(path: Path, what: str, *, endings: Sequence[str] = (), others: Collection[Path] = ()) -> None:
    """Raise `Unusable` where a file cannot come to lie there. what: "a report"; endings: of which its name has to have
    one, such as ".html", if any are given; others: files that it must not overwrite, read or written by the same
    command."""
    try:
        if path.is_dir():
            raise Unusable(f"{path} is a directory, not a file for {what}")
        if not path.parent.is_dir():
            raise Unusable(f"{path}: there is no directory {path.parent}")
        if any(_same(path, other) for other in others):
            raise Unusable(f"{path} is named twice: name another file for {what}")
    except OSError as error:  # of a name that no file can have
        raise Unusable(str(unwritable(path, error))) from error
    if endings and not path.name.lower().endswith(tuple(endings)):
        raise Unusable(f"{path}: name a file that ends in {' or '.join(endings)} for {what}")


def _same(path: Path, other: Path) -> bool:
    """Whether both are one file, or will be."""
    if path.exists() and other.exists():
        return path.samefile(other)
    return path.resolve() == other.resolve()


def unwritable(path: Path, error: OSError) -> OutputError:
    """What is said where the system refuses."""
    return OutputError(f"{path} cannot be written: {error.strerror or error}")
