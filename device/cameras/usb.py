"""A USB camera through V4L2: a thread reads, the table gets the newest frame."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from device.cameras.base import CameraError, CameraGone
from device.cameras.newest import NewestFrame
from vision.reading import Frame

SIZE = (1280, 720)
RATE = 30
MISSES = 10
"""Reads in a row without a picture after which the camera counts as gone."""
WARM_UP_S = 4.0
"""Some cameras give no picture for the first seconds."""

OpenVideo = Callable[[int], cv2.VideoCapture]


def video_devices() -> list[tuple[int, str]]:
    """(number, name) of the V4L2 devices that give pictures; metadata nodes are left out."""
    found = []
    for entry in sorted(Path("/sys/class/video4linux").glob("video*"), key=lambda p: int(p.name[5:] or 0)):
        try:
            # A camera has several nodes: the one with index 0 gives the pictures, the others metadata.
            if (entry / "index").read_text().strip() == "0":
                found.append((int(entry.name[5:]), (entry / "name").read_text().strip()))
        except (OSError, ValueError):
            continue
    return found


class UsbCamera:
    """`usb` or `usb:N`: V4L2 device /dev/videoN."""

    live = True

    def __init__(self, number: int | None = None, open_video: OpenVideo | None = None) -> None:
        self._number = number
        self._open_video = open_video or _open_v4l2
        self.name = "USB camera" if number is None else f"USB camera {number}"
        self._video: cv2.VideoCapture | None = None
        self._newest: NewestFrame | None = None
        self._count = 0
        self._missed = 0

    def open(self) -> None:
        self.close()
        number = self._choose()
        video = self._open_video(number)
        if not video.isOpened():
            video.release()
            raise CameraGone(f"the USB camera /dev/video{number} does not answer: is another program using it?")
        # MJPG first: uncompressed frames of this size do not fit through USB 2 at 30 a second.
        video.set(cv2.CAP_PROP_FOURCC, float(_fourcc("MJPG")))
        video.set(cv2.CAP_PROP_FRAME_WIDTH, SIZE[0])
        video.set(cv2.CAP_PROP_FRAME_HEIGHT, SIZE[1])
        video.set(cv2.CAP_PROP_FPS, RATE)
        video.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self.name = f"USB camera {number}"
        self._video, self._count, self._missed = video, 0, 0
        self._opened = time.monotonic()
        self._newest = NewestFrame(self._grab, f"usb-{number}")
        self._newest.start()

    def read(self, timeout_s: float) -> Frame | None:
        if self._newest is None:
            raise CameraGone("the USB camera is not open")
        return self._newest.take(timeout_s)

    def close(self) -> None:
        newest, self._newest = self._newest, None
        video, self._video = self._video, None
        # A device released under a thread that reads from it crashes OpenCV: rather leave it to the thread that hangs.
        if (newest is None or newest.stop()) and video is not None:
            video.release()

    def _choose(self) -> int:
        if self._number is not None:
            if not Path(f"/dev/video{self._number}").exists() and self._open_video is _open_v4l2:
                raise CameraError(f"there is no camera /dev/video{self._number}: plug it in, or choose another with "
                                  "--camera usb:N, or --camera sim for the simulated table")
            return self._number
        devices = video_devices() if self._open_video is _open_v4l2 else [(0, "")]
        if not devices:
            raise CameraError("no USB camera was found: plug one in, or use --camera sim for the simulated table")
        number = devices[0][0]
        if self._open_video is _open_v4l2 and not os.access(f"/dev/video{number}", os.R_OK | os.W_OK):
            raise CameraError(f"/dev/video{number} may not be read by this user: add the user to the group 'video'")
        return number

    def _grab(self) -> Frame | None:
        """One frame from the device, in the reading thread. The time is that of its arrival: V4L2's stamp is not to be
        had through OpenCV on every driver."""
        video = self._video
        if video is None:
            return None
        ok, image = video.read()
        now = time.monotonic_ns()
        if ok and image is not None and image.ndim == 3:
            self._missed = 0
            frame = Frame(np.asarray(image, np.uint8), now, self._count)
            self._count += 1
            return frame
        self._missed += 1
        if self._missed >= MISSES and time.monotonic() - self._opened > WARM_UP_S:
            raise CameraGone("the USB camera gives no more pictures: is it still plugged in?")
        time.sleep(0.05)
        return None


def _open_v4l2(number: int) -> cv2.VideoCapture:
    return cv2.VideoCapture(number, cv2.CAP_V4L2)


def _fourcc(code: str) -> int:
    """Four letters as V4L2 packs them; written out because OpenCV's own name for it differs between versions."""
    return sum(ord(letter) << (8 * i) for i, letter in enumerate(code))
