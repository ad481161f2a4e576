"""Which camera a word of the command line means. A camera's module is imported when chosen: each has its weight."""

from __future__ import annotations

from pathlib import Path

from device.cameras.base import Camera, CameraError

CHOICES = "sim, pi, usb, usb:N, or the path of a recording or of a folder of pictures"


def choose_camera(word: str) -> Camera:
    """The camera that `word` names, not yet open; the simulated table is made elsewhere, for it needs a game.

    Raises `CameraError`.
    """
    if word == "pi":
        from device.cameras.pi import PiCamera

        return PiCamera()
    if word == "usb" or word.startswith("usb:"):
        from device.cameras.usb import UsbCamera

        return UsbCamera(device_number(word))
    return camera_of_file(Path(word))


def camera_of_file(path: Path) -> Camera:
    """A recording, or a folder of pictures. Raises `CameraError`."""
    from device.cameras.files import PictureFolder, Recording

    if path.is_dir():
        return PictureFolder(path)
    if path.is_file():
        return Recording(path)
    raise CameraError(f"there is no camera and no file '{path}': choose {CHOICES}")


def device_number(word: str) -> int | None:
    """N of `usb:N`; None for `usb`. Raises `CameraError`."""
    _, colon, number = word.partition(":")
    if not colon:
        return None
    if not (number.isascii() and number.isdigit() and int(number) < 256):
        raise CameraError(f"the camera '{word}' is not usb:N with a device number N from 0 to 255")
    return int(number)
