"""Which inkeek this is."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed


def version() -> str:
    """The installed version, or a word for a bare checkout."""
    try:
        return installed("inkeek")
    except PackageNotFoundError:
        return "checkout"
