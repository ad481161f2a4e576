"""The files that `inkeek watch` is asked to write: whether they can be, before anything is watched."""

from __future__ import annotations

from pathlib import Path


class OutputError(Exception):
    """A file that was asked for cannot be written there. One sentence."""


def check_writable(path: Path, what: str) -> None:
    """Whether a file may come to lie there. what: "a report". Raises `OutputError` where that is sure not to go."""
    try:
        if path.is_dir():
            raise OutputError(f"{path} is a directory, not a file for {what}")
        if not path.parent.is_dir():
            raise OutputError(f"{path}: there is no directory {path.parent}")
    except OSError as error:  # of a name that no file can have
        raise unwritable(path, error) from error


def unwritable(path: Path, error: OSError) -> OutputError:
    """What is said where the system refuses."""
    return OutputError(f"{path} cannot be written: {error.strerror or error}")
