"""`inkeek doctor`: looks at this machine and says what would keep the referee from working."""

from __future__ import annotations

import importlib
import importlib.util
import platform
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from device.folder import DataFolder, FolderError
from device.version import version

LEAST_FREE = 500 << 20
"""Bytes that evidence should find free."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at."""

    well: bool
    what: str


def examine(folder: DataFolder) -> Iterator[Finding]:
    """Look at everything in turn."""
    yield Finding(True, f"inkeek {version()}, Python {platform.python_version()}, {platform.machine()}")
    for name in ("cv2", "numpy", "msgspec", "flask", "waitress"):
        yield _module(name)
    yield Finding(sqlite3.sqlite_version_info >= (3, 37), f"SQLite {sqlite3.sqlite_version} (3.37 or newer is needed)")
    yield from _networks()
    yield from _cameras()
    yield from _folder(folder)


def _module(name: str) -> Finding:
    from importlib.metadata import packages_distributions
    from importlib.metadata import version as installed

    try:
        importlib.import_module(name)
    except ImportError as error:
        return Finding(False, f"{name} cannot be loaded: {error}")
    package = packages_distributions().get(name, [name])[0]
    return Finding(True, f"{package} {installed(package)}")


def _networks() -> Iterator[Finding]:
    try:
        from vision.reader import Reader

        Reader()
        yield Finding(True, "the counting network loads")
    except Exception as error:  # whatever OpenCV makes of a broken file
        yield Finding(False, f"the counting network does not load: {str(error).splitlines()[0]}")
    simulated = importlib.util.find_spec("numba") is not None
    yield Finding(True, "the simulated table can be drawn" if simulated
                  else "the simulated table needs: pip install 'inkeek[sim]'")


def _cameras() -> Iterator[Finding]:
    from device.cameras.usb import video_devices

    devices = video_devices()
    for number, name in devices:
        yield Finding(True, f"USB camera {number}: {name}")
    if importlib.util.find_spec("picamera2") is not None:
        try:
            found = importlib.import_module("picamera2").Picamera2.global_camera_info()
        except Exception as error:  # libcamera fails in many ways where no camera is set up
            yield Finding(False, f"picamera2 does not work: {error}")
            return
        for camera in found:
            yield Finding(True, f"Raspberry Pi camera: {camera.get('Model', 'of unknown make')}")
        devices = [*devices, *((0, "pi") for _ in found)]
    if not devices:
        yield Finding(True, "no camera is plugged in: only --camera sim and recordings will do")


def _folder(folder: DataFolder) -> Iterator[Finding]:
    from device.journal import Journal, JournalError

    try:
        folder.make()
        folder.settings()
    except FolderError as error:
        yield Finding(False, str(error))
        return
    free = shutil.disk_usage(folder.path).free
    yield Finding(True, f"data folder {folder.path}")
    yield Finding(free >= LEAST_FREE, f"{free >> 20} MiB are free there")
    if not folder.journal.exists():
        yield Finding(True, "no journal yet")
        return
    try:
        with Journal(folder.journal, readonly=True) as journal:
            bad = journal.verify()
            state = "the chain is whole" if bad is None else bad.reason
            yield Finding(bad is None, f"journal of {journal.last} events: {state}")
    except JournalError as error:
        yield Finding(False, str(error))
