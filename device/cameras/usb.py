"""A USB camera through V4L2: a thread reads, the table gets the newest frame."""

import fcntl
import logging
import os
import struct
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import cv2
import numpy as np

from device.cameras.base import Camera, CameraError, CameraGone, UnusableWord
from device.cameras.guard import Guard
from device.cameras.mains import mains_hz
from device.cameras.newest import DeviceCamera, NewestFrame
from device.journal.live_state import CameraChoice
from device.journal.messages import message
from engine.messages import Message
from vision.reading import Frame

log = logging.getLogger(__name__)

FORMS = "usb, usb:N"
LAST_NUMBER = 255
"""The largest N of `usb:N`."""
SIZES = ((1280, 720), (1920, 1080))
"""Picture sizes that nearly all USB cameras have."""
RATE = 30
MISSES = 10
"""After this many reads in a row without a picture the camera counts as gone."""
WARM_UP_S = 4.0
"""Some cameras give no picture for the first seconds."""

SET_CONTROL, POWER_LINE_FREQUENCY = 0xC008561C, 0x00980918
"""V4L2's VIDIOC_S_CTRL and V4L2_CID_POWER_LINE_FREQUENCY, whose value is 1 for 50 Hz and 2 for 60 Hz."""

Ioctl = Callable[[int, int, bytes], object]
OpenVideo = Callable[[int], cv2.VideoCapture]


def video_devices() -> list[tuple[int, str]]:
    """(number, name) of each V4L2 device that gives pictures, without metadata nodes."""
    found = []
    for entry in sorted(Path("/sys/class/video4linux").glob("video*"), key=lambda p: int(p.name[5:] or 0)):
        try:
            # A camera has several nodes: the one with index 0 gives the pictures, the others metadata.
            if (entry / "index").read_text().strip() == "0":
                found.append((int(entry.name[5:]), (entry / "name").read_text().strip()))
        except (OSError, ValueError):
            continue
    return found


class UsbCamera(DeviceCamera):
    """`usb` or `usb:N`: V4L2 device /dev/videoN.

    After a camera was unplugged, opening raises `CameraGone` until it is back; its maker's name identifies it if it
    comes back under another number.
    """

    def __init__(self, number: int | None = None, open_video: OpenVideo | None = None,
                 devices: Callable[[], list[tuple[int, str]]] | None = None) -> None:
        """number: N of /dev/videoN, None for the first one; open_video, devices: stand-ins for tests."""
        super().__init__(_name(number), message("reason.usb-closed"), SIZES)
        self._number = number
        self._open_video = open_video or _open_v4l2
        self._devices = devices or (video_devices if open_video is None else _one_device)
        self._video: cv2.VideoCapture | None = None
        self._guard = Guard(_name(None))
        self._make: str | None = None
        self._missed = 0

    def open(self) -> None:
        """See `Camera.open`."""
        self.close()
        number, make = self._choose()
        video = self._open_video(number)
        if not video.isOpened():
            video.release()
            raise CameraGone(message("reason.usb-busy", node=f"/dev/video{number}"))
        # MJPG first: uncompressed frames of this size do not fit through USB 2 at 30 a second.
        video.set(cv2.CAP_PROP_FOURCC, float(_fourcc("MJPG")))
        video.set(cv2.CAP_PROP_FRAME_WIDTH, self._size[0])
        video.set(cv2.CAP_PROP_FRAME_HEIGHT, self._size[1])
        video.set(cv2.CAP_PROP_FPS, RATE)
        video.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self.name, self._make = _name(number), make
        self._video, self._missed = video, 0
        self._opened = time.monotonic()
        # The reading thread itself releases the device: OpenCV crashes if another thread releases it during a read, and
        # a device that is not released cannot be opened again.
        self._read_from(NewestFrame(self._grab, f"usb-{number}", video.release))

    def close(self) -> None:
        """See `Camera.close`."""
        self._video = None
        super().close()

    def _choose(self) -> tuple[int, str]:
        """(number, maker's name) of the device to open. Raises `CameraError`; `CameraGone` if it was unplugged."""
        devices = dict(self._devices())
        number = self._first_number(devices) if self._make is None else self._number_again(devices)
        node = Path(f"/dev/video{number}")
        if self._open_video is _open_v4l2 and node.exists() and not os.access(node, os.R_OK | os.W_OK):
            raise CameraError(message("reason.usb-denied", node=str(node)))
        return number, devices.get(number, "")

    def _first_number(self, devices: Mapping[int, str]) -> int:
        """The number of the device to open first: the one asked for, else the lowest. Raises `CameraError`."""
        if self._number is None:
            if not devices:
                raise CameraError(message("reason.usb-no"))
            return min(devices)
        if self._number not in devices and not Path(f"/dev/video{self._number}").exists():
            raise CameraError(message("reason.usb-none", node=f"/dev/video{self._number}"))
        return self._number

    def _number_again(self, devices: Mapping[int, str]) -> int:
        """The current number of the camera that was open before. Raises `CameraGone` if it is not there."""
        again = [number for number, make in devices.items() if make == self._make]
        if not again:
            raise CameraGone(message("reason.unplugged"))
        return self._number if self._number in again else again[0]

    def _grab(self) -> Frame | None:
        """One frame from the device, timed by its arrival, since OpenCV does not give V4L2's stamp for every driver.
        Runs in the reading thread."""
        video = self._video
        if video is None:
            return None
        try:
            ok, image = video.read()
        except cv2.error as error:  # some builds raise for a truncated JPEG, others return False
            log.debug("a frame could not be decoded: %s", error)
            ok, image = False, None
        now = time.monotonic_ns()
        if ok and image is not None and image.ndim == 3 and image.size:
            self._missed = 0
            return self._guard.check(Frame(np.asarray(image, np.uint8), now, 0))
        self._missed += 1
        if self._missed >= MISSES and time.monotonic() - self._opened > WARM_UP_S:
            self._guard.lost()
            raise CameraGone(message("reason.usb-gone"))
        time.sleep(0.05)
        return None


def made(which: str | None) -> Camera:
    """See `CameraModule`. which: N of `usb:N`."""
    if which is None:
        return UsbCamera()
    if not (which.isascii() and which.isdigit() and int(which) <= LAST_NUMBER):
        raise UnusableWord(f"the camera 'usb:{which}' is not usb:N with a device number N from 0 to {LAST_NUMBER}")
    return UsbCamera(int(which))


def found() -> list[CameraChoice]:
    """See `CameraModule`: the connected ones, by their makers' names."""
    return [CameraChoice(f"usb:{number}", name) for number, name in video_devices()]


def _name(number: int | None) -> Message:
    return message("camera.usb") if number is None else message("camera.usb-number", number=number)


def _one_device() -> list[tuple[int, str]]:
    return [(0, "")]


def _open_v4l2(number: int) -> cv2.VideoCapture:
    video = cv2.VideoCapture(number, cv2.CAP_V4L2)
    if video.isOpened():
        expose_over_flickers(Path(f"/dev/video{number}"))
    return video


def expose_over_flickers(node: Path, ioctl: Ioctl = fcntl.ioctl) -> bool:
    """Set a V4L2 device to expose over whole flickers of mains lamps, which OpenCV cannot do; False if the device has
    no such control."""
    try:
        device = os.open(node, os.O_RDWR | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        ioctl(device, SET_CONTROL, struct.pack("=Ii", POWER_LINE_FREQUENCY, 1 if mains_hz() == 50 else 2))
    except OSError:
        return False
    finally:
        os.close(device)
    return True


def _fourcc(code: str) -> int:
    """A four-letter code as V4L2 packs it; OpenCV's own function for it differs between versions."""
    return sum(ord(letter) << (8 * i) for i, letter in enumerate(code))
