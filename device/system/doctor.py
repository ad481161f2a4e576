"""The checks of `inkeek doctor`: what on this machine would keep the referee from working."""

import importlib
import importlib.util
import os
import platform
import sqlite3
import time
from collections.abc import Iterable, Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from device.cameras.base import Camera, CameraError, CameraGone
from device.eyes.bands import Bands
from device.eyes.parameters import BANDS, PACE
from device.journal.events import Blind, CameraNoted, Event, KeptInMemory, TableStarted
from device.journal.live_state import LiveState, read_state
from device.system.folder import DataFolder, FolderError
from device.system.health import Check, disk, machine
from device.system.version import version

LATELY = 5000
"""How many of the last events are searched for what the table noted."""
LIVE_S = 10.0
"""An older live picture does not count."""
LOOK_S = 8.0
"""How long the camera is tried."""
SETTLE = 15
"""Frames skipped while the camera finds its exposure."""
DARK = 40.0
"""A lower mean grey level, 0 to 255, means too little light."""
BRIGHT = 215.0
"""A higher mean grey level means too much light."""
STRONG_BANDS = 0.03
"""Strength of a lamp's bands, as a share of the light, that counts as strong."""
CLIPPED = 0.10
"""Largest share of the picture that may be blown out."""


def examine(folder: DataFolder, *, look: bool = True) -> Iterator[Check]:
    """Yield all checks in turn. look: try the camera, too."""
    yield Check(True, f"inkeek {version()}, Python {platform.python_version()}, {platform.machine()}")
    yield from machine()
    yield from _modules(("cv2", "numpy", "msgspec", "flask", "waitress"))
    yield Check(sqlite3.sqlite_version_info >= (3, 37), f"SQLite {sqlite3.sqlite_version} (3.37 or newer is needed)")
    yield from _networks()
    yield from _cameras()
    yield from _folder(folder)
    yield from _hall(folder)
    if look:
        yield from picture_findings(folder)


def _modules(names: Iterable[str]) -> Iterator[Check]:
    from importlib.metadata import packages_distributions
    from importlib.metadata import version as installed

    packages = packages_distributions()
    for name in names:
        try:
            importlib.import_module(name)
        except ImportError as error:
            yield Check(False, f"{name} cannot be loaded: {error}")
            continue
        package = packages.get(name, [name])[0]
        yield Check(True, f"{package} {installed(package)}")


def _networks() -> Iterator[Check]:
    try:
        from vision.network import load
        from vision.seeds.counter import WEIGHTS, Reader

        Reader()
        runtime = load(WEIGHTS, ("logits", "seeds")).runtime
        slower = "" if runtime == "ncnn" else ", which is slower than ncnn (pip install 'inkeek[fast]')"
        yield Check(True, f"the counting network loads; {runtime} runs it{slower}")
    except Exception as error:  # OpenCV raises various errors for a broken file
        yield Check(False, f"the counting network does not load: {str(error).splitlines()[0]}")
    simulated = importlib.util.find_spec("numba") is not None
    yield Check(True, "the simulated table can be drawn" if simulated
                else "the simulated table needs: pip install 'inkeek[sim]'")


def _cameras() -> Iterator[Check]:
    from device.cameras.usb import video_devices

    devices = video_devices()
    for number, name in devices:
        yield Check(True, f"USB camera {number}: {name}")
    if importlib.util.find_spec("picamera2") is not None:
        try:
            found = importlib.import_module("picamera2").Picamera2.global_camera_info()
        except ImportError:  # installed only for the tests
            found = []
            yield Check(True, "picamera2 is here, but not libcamera: no Raspberry Pi's camera can be used")
        except Exception as error:  # libcamera fails in many ways without a camera
            yield Check(False, f"picamera2 does not work: {error}")
            return
        for camera in found:
            yield Check(True, f"Raspberry Pi camera: {camera.get('Model', 'of unknown make')}")
        devices = [*devices, *((0, "pi") for _ in found)]
    if not devices:
        yield Check(True, "no camera is plugged in: only --camera sim and recordings will do")


def _folder(folder: DataFolder) -> Iterator[Check]:
    from device.journal import Journal, JournalError

    if not folder.path.exists():  # make nothing: another user may be going to run inkeek
        yield Check(True, f"no data folder yet: {folder.path} is made when inkeek first runs")
        return
    if not os.access(folder.path, os.R_OK | os.X_OK):
        yield Check(False, f"the data folder {folder.path} may not be looked into by this user: sudo inkeek doctor")
        return
    try:
        folder.settings()
    except FolderError as error:
        yield Check(False, str(error))
        return
    yield Check(True, f"data folder {folder.path}")
    yield from disk(folder.path)
    if not os.access(folder.path, os.W_OK) and not folder.only_read:
        yield Check(False, f"the data folder {folder.path} may not be written to by this user")
    if not folder.journal.exists():
        yield Check(True, "no journal yet: no game was ever refereed here")
        return
    try:
        with Journal(folder.journal, readonly=True) as journal:
            bad = journal.verify()
            state = "the chain is whole" if bad is None else bad.reason
            yield Check(bad is None, f"journal of {journal.last} events: {state}")
            yield from _troubles(journal.read(max(0, journal.last - LATELY)))
    except JournalError as error:
        yield Check(False, str(error))


def _hall(folder: DataFolder) -> Iterator[Check]:
    """Whether the table is linked to its hall, if it has one."""
    from device.publishing.address import HallError, check_library, hall_address
    from device.publishing.link_state import read_link

    if not os.access(folder.path, os.R_OK | os.X_OK):
        return
    link = read_link(folder.path)
    if link is not None:
        what = link.fault or link.sentence
        yield Check(link.linked and not what, f"the table is {link.table} at the hall {link.hall}"
                    + (f": {what}" if what else "" if link.linked else ", which is not reached yet"))
        return
    try:
        hall = folder.settings().hall
        if hall.address:
            check_library()
            found = hall_address(hall.address, hall.ca, hall.password_file)
            yield Check(False, f"nothing publishes to the hall {found}: sudo systemctl enable --now inkeek-hall-link")
    except HallError as error:
        yield Check(False, str(error))
    except FolderError:  # _folder has reported it
        return


def _troubles(events: list[Event]) -> Iterator[Check]:
    """What the table noted about its camera and disk since its last start."""
    noted: dict[str, tuple[int, str]] = {}
    for event in events:
        body = event.body
        if isinstance(body, TableStarted):
            noted = {}
        said = ""
        if isinstance(body, CameraNoted):
            said = body.sentence
        elif isinstance(body, Blind | KeptInMemory):
            said = body.why
        if said:
            noted[said] = (noted.get(said, (0, ""))[0] + 1, event.at)
    for said, (times, at) in noted.items():
        yield Check(True, f"noted {'once' if times == 1 else f'{times} times'} since the table was started, last at "
                            f"{at[:16].replace('T', ' ')} UTC: {said}")


# ---- through the camera ------------------------------------------------------------------------------------------

def picture_findings(folder: DataFolder) -> Iterator[Check]:
    """Check the camera's picture: the running table's, or else one taken now."""
    if folder.path.exists() and not os.access(folder.path, os.R_OK | os.X_OK):
        return
    try:
        word = folder.settings().camera
    except FolderError:
        return
    image = live_picture(folder)
    if image is not None:
        yield from light(image)
        yield from _table_says(folder)
        return
    if word == "sim":
        yield Check(True, "the camera is set to be the simulated table: --camera usb or pi takes a real one")
        return
    from device.cameras.choose import choose_camera

    try:
        camera = choose_camera(word)
        with folder.held():
            image, bands = look_through(camera)
    except FolderError:
        yield Check(True, "a table is running and shows no picture yet")
        return
    except (CameraError, CameraGone) as error:
        yield Check(False, str(error))
        return
    if image is None:
        yield Check(False, f"the {camera.name} gave no picture in {LOOK_S:.0f} seconds: check its cable")
        return
    yield Check(True, f"the {camera.name} gives pictures of {image.shape[1]}×{image.shape[0]}")
    yield from light(image)
    yield from flicker(bands)
    yield board(image)


def look_through(camera: Camera) -> tuple[NDArray[np.uint8] | None, float]:
    """Wait until the camera has settled. Return a picture, or None if none came, and how strong the lamp's bands are
    (`Bands`). Raises `CameraError`, `CameraGone`."""
    image: NDArray[np.uint8] | None = None
    bands, settled = Bands(), SETTLE + 2 * BANDS.frames
    camera.open()
    try:
        end, frames = time.monotonic() + LOOK_S, 0
        while frames < settled and time.monotonic() < end:
            frame = camera.read(0.5)
            if frame is not None:
                image, frames = frame.image, frames + 1
                if frames > SETTLE:
                    bands.evened(frame)
    finally:
        camera.close()
    return image, bands.strength


def live_picture(folder: DataFolder) -> NDArray[np.uint8] | None:
    """The running table's live picture; None if no table runs."""
    path = folder.live / "frame.jpg"
    try:
        if time.time() - path.stat().st_mtime > LIVE_S:
            return None
        image = cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_COLOR)
    except (OSError, cv2.error):
        return None
    return None if image is None else np.asarray(image, np.uint8)


def light(image: NDArray[np.uint8]) -> Iterator[Check]:
    """Check for too little and too much light. image: uint8[h, w, 3], BGR."""
    grey = image[::4, ::4].mean(axis=2)
    level, clipped = float(grey.mean()), float((grey >= 250).mean())
    if level < DARK:
        yield Check(False, f"the picture is too dark (level {level:.0f} of 255): turn on a lamp, or take the cap off "
                             "the lens")
    elif level > BRIGHT or clipped > CLIPPED:
        yield Check(False, f"the picture is blown out ({clipped:.0%} of it are white): shade the board, or turn the "
                             "lamp away from it")
    else:
        yield Check(True, f"the light is good (level {level:.0f} of 255)")


def flicker(bands: float) -> Iterator[Check]:
    """Check for a flickering lamp. bands: the bands' strength, a share of the light."""
    if bands >= STRONG_BANDS:
        yield Check(False, f"the lamp flickers: bands of {bands:.0%} wander through the picture. Most is taken out; "
                             "use daylight or a lamp that does not flicker")
    elif bands:
        yield Check(True, f"the lamp flickers a little: bands of {bands:.0%}, which are taken out")


def board(image: NDArray[np.uint8]) -> Check:
    """Check whether a board is found in the picture."""
    from device.eyes.eyes import find_board
    from vision.reading import BoardView

    found = find_board(image)
    if isinstance(found, BoardView):
        return Check(True, f"a board of {found.rows}×{found.cols} pits is found")
    return Check(False, "no board is found in the picture: hang the camera so that it sees every pit from above")


def _table_says(folder: DataFolder) -> Iterator[Check]:
    """The running table's own state, board and pace."""
    state = read_state(folder.live)
    if state is None:
        return
    doing = f"{state.state}, {state.why}" if state.why else state.state
    yield Check(state.state != "blind", f"a table is running: {doing}")
    pits = len(state.pits)
    yield Check(pits > 0, f"its board's {pits} pits are found" if pits else "its board is not found")
    yield from _pace(state)


def _pace(state: LiveState) -> Iterator[Check]:
    """Check how many pictures the running table looks at, and what it skipped for lack of time."""
    if state.behind:
        yield Check(False, f"it looks at {state.fps:.0f} of the {state.given:.0f} pictures a second that its camera "
                             "gives: end other programs, or use a faster machine"
                             + ("" if state.fps >= PACE.fewest else "; that is too few for quick hands"))
    elif state.fps:
        enough = state.fps >= PACE.fewest
        yield Check(enough, f"it sees {state.fps:.0f} pictures a second"
                    + ("" if enough else ": too few for quick hands"))
    if state.dropped or state.uncounted:
        yield Check(True, f"since it was started {state.dropped} pictures were dropped, and {state.uncounted} times "
                            "pits were not counted because others were being counted")


def lines(findings: Iterable[Check]) -> str:
    """The findings as lines of text for people."""
    return "".join(f"{'ok' if finding.well else '!!'}  {finding.what}\n" for finding in findings)
