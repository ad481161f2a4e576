"""The version of inkeek."""

from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed


def version() -> str:
    """The installed version; "checkout" if inkeek is not installed."""
    try:
        return installed("inkeek")
    except PackageNotFoundError:
        return "checkout"
