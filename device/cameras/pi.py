"""The Raspberry Pi's camera through picamera2, which comes with Raspberry Pi OS.

Each request gives two streams: `main` is the picture to read, `lores` shows cheaply whether the light has settled. The
camera sets exposure, gain, white balance and focus until they have settled; then they are locked, since a hand that
comes in must not change the colour of every pit. They are unlocked when the light itself changes, the focus when the
picture becomes soft.

Of picamera2: "RGB888" is blue-green-red in memory, OpenCV's order; `SensorTimestamp` is in nanoseconds of the monotonic
clock, times of exposure and frames are in microseconds; setting a control that a sensor lacks is an error; each request
that is not released costs a buffer, and without buffers the camera stops. A job that waits for a frame which never
comes blocks all later jobs, even stopping the camera: it has to be cancelled first.
"""

import importlib
import logging
import os
import time
from collections.abc import Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from importlib.util import find_spec
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from device.cameras.base import Camera, CameraError, CameraGone, UnusableWord
from device.cameras.light import FOCUS, LOOK_FRAMES, LightLock, tone
from device.cameras.mains import mains_hz
from device.cameras.newest import DeviceCamera, NewestFrame
from device.journal.events import translatable
from device.journal.live_state import CameraChoice
from device.journal.messages import message
from vision.reading import Frame

log = logging.getLogger(__name__)

FORMS = "pi"
SIZES = ((1280, 720), (1600, 900))
"""Picture sizes; the larger one is for boards of twelve pits in a row."""
LORES = (320, 180)
BUFFERS = 4
FRAME_US = (33_333, 66_666)
"""Shortest and longest frame duration, µs: 30 frames a second, 15 in dim light."""
FLICKER_MANUAL = 1
"""libcamera's AeFlickerMode for exposures that last whole multiples of AeFlickerPeriod, a lamp's flicker, µs."""
WAIT_S = 2.0
LAST_S = 0.5
"""How long to wait for a request after cancelling its job."""


class PiCamera(DeviceCamera):
    """`pi`: the camera on the Raspberry Pi's ribbon cable."""

    let_go_s = WAIT_S + 1

    def __init__(self, number: int = 0) -> None:
        """number: the camera's in picamera2, from 0."""
        super().__init__(message("camera.pi"), message("reason.pi-closed"), SIZES)
        self._number = number
        self._camera: Any = None
        self._job: Any = None
        self._light = LightLock()
        self._known: frozenset[str] = frozenset()
        self._main = "RGB888"
        self._lores: tuple[tuple[int, int], int, str] = (LORES, LORES[0], "YUV420")

    def open(self) -> None:
        """See `Camera.open`."""
        self.close()
        picamera2 = _module()
        try:
            found = picamera2.Picamera2.global_camera_info()
        except RuntimeError as error:
            raise CameraGone(message("reason.pi-list", error=str(error))) from error
        if len(found) <= self._number:
            raise CameraError(message("reason.pi-none"))
        camera = picamera2.Picamera2.__new__(picamera2.Picamera2)
        try:
            camera.__init__(self._number)
        except PermissionError as error:
            _discard(camera)
            raise CameraError(message("reason.pi-denied", node=str(error.filename or "the camera"),
                                   group=message("reason.pi-group"))) from error
        except (RuntimeError, IndexError, OSError) as error:
            _discard(camera)
            raise CameraGone(message("reason.pi-busy")) from error
        try:
            self._start(camera)
        except (RuntimeError, ValueError, OSError) as error:
            camera.close()
            raise CameraGone(message("reason.pi-start", error=str(error))) from error
        except BaseException:
            camera.close()
            raise
        self._camera, self._light, self._job = camera, LightLock(), None
        self._read_from(NewestFrame(self._grab, "picamera2"))

    def close(self) -> None:
        """See `Camera.close`."""
        super().close()
        camera, self._camera = self._camera, None
        if camera is None:
            return
        try:
            self._drop_job(camera)
        finally:
            # `close` stops the event loop before the camera; `stop` alone waits for a loop that may be dead.
            camera.close()

    def _start(self, camera: Any) -> None:
        controls = {"FrameDurationLimits": FRAME_US, "AeEnable": True, "AwbEnable": True,
                    "AeFlickerMode": FLICKER_MANUAL, "AeFlickerPeriod": 1_000_000 // (2 * mains_hz())}
        mode = whole_view(_modes(camera), self._size)
        configuration = camera.create_video_configuration(
            main={"size": self._size, "format": "RGB888"},
            lores={"size": LORES, "format": "YUV420"},
            raw=None,  # unused, and its buffers are the largest
            sensor={"output_size": mode["size"], "bit_depth": mode["bit_depth"]} if mode else {},
            buffer_count=BUFFERS, queue=True,
            controls={name: value for name, value in controls.items() if name in camera.camera_controls})
        camera.configure(configuration)
        # The camera may have chosen another size or format, and may pad its rows.
        self._main = camera.stream_configuration("main")["format"]
        lores = camera.stream_configuration("lores")
        self._lores = (lores["size"], lores["stride"], lores["format"])
        if self._main not in ("RGB888", "NV12") or lores["format"] not in ("YUV420", "NV12"):
            raise CameraError(message("reason.pi-form", main=self._main, small=str(lores["format"])))
        camera.start()
        self._known = frozenset(camera.camera_controls)
        self._set(camera, FOCUS)

    def _set(self, camera: Any, controls: dict[str, Any]) -> None:
        """Set the controls that this sensor has; ignore the others."""
        usable = {name: value for name, value in controls.items() if name in self._known}
        if usable:
            camera.set_controls(usable)

    def _grab(self) -> Frame | None:
        """Take one request (picture, sensor's time, light) and release it. Runs in the reading thread."""
        try:
            if self._job is None:
                self._job = self._camera.capture_request(wait=False)
            request = self._job.get_result(timeout=WAIT_S)
        except TimeoutError as error:
            # Keep the job: its request may still come and must then be released (see close).
            self._guard.lost()
            raise CameraGone(message("reason.pi-gone")) from error
        except Exception as error:  # the job passes on any error of picamera2's event loop
            self._job = None
            self._guard.lost()
            raise CameraGone(message("reason.pi-failed", error=str(error))) from error
        self._job = None
        try:
            metadata = request.get_metadata()
            image = _bgr(request.make_array("main"), self._main)
            seen = tone(request.make_array("lores"), *self._lores, sharp=self._guard.counts.frames % LOOK_FRAMES == 0)
        except Exception as error:  # most likely the camera was pulled out and its buffer is gone
            self._guard.lost()
            raise CameraGone(message("reason.pi-unread", error=str(error))) from error
        finally:
            request.release()
        controls = self._light.feed(metadata, seen)
        if controls:
            self._set(self._camera, controls)
        stamp = int(metadata.get("SensorTimestamp") or time.monotonic_ns())
        return self._guard.check(Frame(image, stamp, 0))

    def _drop_job(self, camera: Any) -> None:
        """Cancel the pending job, and release its request if it came after all."""
        job, self._job = self._job, None
        if job is None:
            return
        camera.cancel_all_and_flush()
        try:
            request = job.get_result(timeout=LAST_S)
        except (TimeoutError, CancelledError):
            return
        except Exception:  # the event loop failed: there is nothing to release
            log.debug("the last request failed", exc_info=True)
            return
        request.release()


def _bgr(array: NDArray[np.uint8], form: str) -> NDArray[np.uint8]:
    """Convert picamera2's picture to uint8[h, w, 3] BGR. NV12, the only format of some of libcamera's cameras, is
    uint8[h·3/2, w] and assumed to be in video's limited range."""
    if form == "NV12":
        return np.asarray(cv2.cvtColor(array, cv2.COLOR_YUV2BGR_NV12), np.uint8)
    return np.ascontiguousarray(array[:, :, :3], np.uint8)


def _modes(camera: Any) -> list[dict[str, Any]]:
    """The sensor's modes; empty if picamera2 cannot list them, and it then chooses a mode itself. To list them it tries
    every mode, and some cameras lack the memory or the controls for that."""
    try:
        return list(camera.sensor_modes)
    except (RuntimeError, OSError, KeyError, ValueError, AttributeError) as error:  # AttributeError: no raw pictures
        log.warning("the sensor's modes cannot be listed, the picture may be cut out of the middle: %s", error)
        return []


def _discard(camera: Any) -> None:
    """Close what a failed Picamera2 constructor has opened; otherwise every try leaks a file handle."""
    with suppress(Exception):  # close() fails on what the constructor never made
        camera.close()
    reading = getattr(camera, "notifymeread", None)
    if reading is not None and not reading.closed:
        reading.close()
        os.close(camera.notifyme_w)


def whole_view(modes: Sequence[dict[str, Any]], size: tuple[int, int]) -> dict[str, Any] | None:
    """The fastest sensor mode with the full field of view and at least `size`; None if there is no choice.

    By itself the camera takes the mode of the nearest size, which on most sensors is a crop of the middle: the camera
    would have to hang far higher for the same board. modes: as in picamera2's `sensor_modes`.
    """
    sensors = [m for m in modes if "crop_limits" in m and "size" in m]
    if not sensors:
        return None

    def view(mode: dict[str, Any]) -> int:
        _, _, width, height = mode["crop_limits"]
        return int(width * height)

    widest = max(view(m) for m in sensors)
    whole = [m for m in sensors if view(m) >= 0.95 * widest]
    large = [m for m in whole if m["size"][0] >= size[0] and m["size"][1] >= size[1]]
    return max(large or whole, key=lambda m: (m.get("fps", 0.0), m.get("bit_depth", 0)))


def _module() -> Any:
    try:
        return importlib.import_module("picamera2")
    except ImportError as error:
        raise CameraError(message("reason.pi-missing")) from error


def made(which: str | None) -> Camera:
    """See `CameraModule`. which: None, since there is only one such camera."""
    if which is not None:
        raise UnusableWord(f"the camera 'pi:{which}' is not pi: that camera has no number")
    return PiCamera()


def found() -> list[CameraChoice]:
    """See `CameraModule`: the camera, if picamera2 is installed."""
    if find_spec("picamera2") is None:
        return []
    name = message("camera.pi")
    return [CameraChoice("pi", str(name), translatable(name))]
