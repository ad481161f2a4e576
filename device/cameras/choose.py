"""Choose a camera by a word of the command line, and list those that exist. Each kind of camera is one module, imported
when such a camera is chosen or looked for."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import cast

from device.cameras.addresses import SCHEMES
from device.cameras.base import Camera, CameraModule, UnusableWord
from device.cameras.files import PictureFolder, Recording
from device.journal.live_state import CameraChoice

KINDS: Mapping[str, str] = {
    "sim": "device.sim.camera",
    "pi": "device.cameras.pi",
    "usb": "device.cameras.usb",
    "folder": "device.cameras.folder",
}
"""The module of each kind of camera, by the word before the colon."""
ADDRESSES: Mapping[str, str] = dict.fromkeys(SCHEMES, "device.cameras.network")
"""The module of cameras named by an address, by the scheme."""


def choose_camera(word: str) -> Camera:
    """The camera that `word` names, not yet open: `KIND`, `KIND:WHICH`, an address, or the path of a recording or of a
    folder of pictures; not the simulated table, which needs a game. Raises `CameraError`."""
    kind, colon, which = word.partition(":")
    if kind in KINDS:
        return _module(KINDS[kind]).made(which if colon else None)
    if which.startswith("//"):
        if kind.lower() not in ADDRESSES:
            raise UnusableWord(f"no camera has an address that begins with {kind[:20]}://: choose rtsp://, http:// or "
                               "https://")
        return _module(ADDRESSES[kind.lower()]).made(word)
    return camera_of_file(Path(word))


def camera_of_file(path: Path) -> Camera:
    """The recording or the folder of pictures at `path`, not yet open. Raises `CameraError`."""
    if path.is_dir():
        return PictureFolder(path)
    if path.is_file():
        return Recording(path)
    forms = ", ".join(_module(name).FORMS for name in _modules())
    raise UnusableWord(f"there is no camera and no file '{path}': choose {forms}, or the path of a recording or of a "
                      "folder of pictures")


def cameras() -> list[CameraChoice]:
    """The cameras that can be chosen on this machine now; the simulated table comes last."""
    found = [choice for name in _modules() for choice in _module(name).found()]
    return sorted(found, key=lambda choice: choice.word == "sim")


def _modules() -> list[str]:
    return list(dict.fromkeys([*KINDS.values(), *ADDRESSES.values()]))


def _module(name: str) -> CameraModule:
    return cast(CameraModule, import_module(name))
