"""The Raspberry Pi's camera through picamera2, which comes with Raspberry Pi OS and not from PyPI.

Two streams come out of one request: `main` is what is read, `lores` tells cheaply whether the light has settled.
Exposure, gain and white balance are left to the camera until they have settled, and are then locked: a hand that comes
in must not change the colour of every pit. They are let loose again when the light itself has changed.

picamera2, as used here: "RGB888" is blue-green-red in memory, OpenCV's order; `SensorTimestamp` is in nanoseconds of
the monotonic clock; a request that is not released is a buffer lost, and with all of them lost the camera stops.
"""

from __future__ import annotations

import importlib
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from device.cameras.base import CameraError, CameraGone
from device.cameras.newest import NewestFrame
from vision.reading import Frame

MAIN = (1280, 720)
LORES = (320, 180)
BUFFERS = 4
FRAME_US = (33_333, 66_666)
"""Shortest and longest time a frame may take: 30 a second, 15 in dim light."""

STEADY_FRAMES = 12
STEADY = 0.04
"""Relative change of exposure, gains and brightness within which they count as steady."""
LOOSE = 0.30
LOOSE_FRAMES = 90
"""Brightness this far from the locked one, for so many frames on end, is other light and not a hand."""
WAIT_S = 2.0


@dataclass
class LightLock:
    """Decides when to lock exposure and white balance, and when to let them loose. Pure: fed with metadata."""

    locked_at: float | None = None
    _steady: int = 0
    _off: int = 0
    _last: tuple[float, ...] = field(default=())

    def feed(self, metadata: dict[str, Any], luma: float) -> dict[str, Any] | None:
        """Controls to set now, or None. luma: mean brightness of the small picture, 0…255."""
        if self.locked_at is not None:
            return self._watch(luma)
        gains = metadata.get("ColourGains") or (0.0, 0.0)
        now = (float(metadata.get("ExposureTime", 0)) * float(metadata.get("AnalogueGain", 0)),
               float(gains[0]), float(gains[1]), luma)
        close = len(self._last) == len(now) and all(
            abs(a - b) <= STEADY * max(abs(a), abs(b), 1e-6) for a, b in zip(now, self._last, strict=True))
        self._steady = self._steady + 1 if close and min(now) > 0 else 0
        if not close:
            self._last = now
        if self._steady < STEADY_FRAMES:
            return None
        self.locked_at, self._off = luma, 0
        return {"AeEnable": False, "AwbEnable": False, "ExposureTime": int(metadata["ExposureTime"]),
                "AnalogueGain": float(metadata["AnalogueGain"]), "ColourGains": (now[1], now[2])}

    def _watch(self, luma: float) -> dict[str, Any] | None:
        assert self.locked_at is not None
        self._off = self._off + 1 if abs(luma - self.locked_at) > LOOSE * max(self.locked_at, 1.0) else 0
        if self._off < LOOSE_FRAMES:
            return None
        self.locked_at, self._steady, self._off, self._last = None, 0, 0, ()
        return {"AeEnable": True, "AwbEnable": True}


class PiCamera:
    """`pi`: the camera on the Raspberry Pi's ribbon cable."""

    live = True
    name = "Raspberry Pi camera"

    def __init__(self, number: int = 0) -> None:
        self._number = number
        self._camera: Any = None
        self._newest: NewestFrame | None = None
        self._job: Any = None
        self._light = LightLock()
        self._count = 0

    def open(self) -> None:
        self.close()
        picamera2 = _module()
        if not picamera2.Picamera2.global_camera_info():
            raise CameraError("no camera was found on the Raspberry Pi: check the ribbon cable and switch the Pi off "
                              "and on, or use --camera usb or --camera sim")
        try:
            camera = picamera2.Picamera2(self._number)
        except (RuntimeError, IndexError) as error:
            raise CameraGone("the Raspberry Pi's camera does not open: is another program using it?") from error
        try:
            self._start(camera)
        except (RuntimeError, ValueError) as error:
            camera.close()
            raise CameraGone(f"the Raspberry Pi's camera does not start: {error}") from error
        except BaseException:
            camera.close()
            raise
        self._camera, self._light, self._count, self._job = camera, LightLock(), 0, None
        self._newest = NewestFrame(self._grab, "picamera2")
        self._newest.start()

    def read(self, timeout_s: float) -> Frame | None:
        if self._newest is None:
            raise CameraGone("the Raspberry Pi's camera is not open")
        return self._newest.take(timeout_s)

    def close(self) -> None:
        newest, self._newest = self._newest, None
        camera, self._camera = self._camera, None
        if newest is not None:
            newest.stop(WAIT_S + 1)
        if camera is not None:
            try:
                camera.stop()
            finally:
                self._drop_job()
                camera.close()

    def _start(self, camera: Any) -> None:
        configuration = camera.create_video_configuration(
            main={"size": MAIN, "format": "RGB888"},
            lores={"size": LORES, "format": "YUV420"},
            buffer_count=BUFFERS, queue=True,
            controls={"FrameDurationLimits": FRAME_US, "AeEnable": True, "AwbEnable": True})
        camera.configure(configuration)
        camera.start()
        if "AfMode" in camera.camera_controls:
            camera.set_controls({"AfMode": 1, "AfTrigger": 0})  # Auto, Start: focus once and stay

    def _grab(self) -> Frame | None:
        """One request: picture, sensor's time, and the light; always released. In the reading thread."""
        if self._job is None:
            self._job = self._camera.capture_request(wait=False)
        try:
            request = self._job.get_result(timeout=WAIT_S)
        except TimeoutError as error:
            # The job stays: its request may yet come, and must then be released (see close).
            raise CameraGone("the Raspberry Pi's camera gives no more pictures") from error
        except Exception as error:  # whatever picamera2's event loop ran into is handed through the job
            self._job = None
            raise CameraGone(f"the Raspberry Pi's camera failed: {error}") from error
        self._job = None
        try:
            metadata = request.get_metadata()
            image = request.make_array("main")
            luma = _luma(request.make_array("lores"))
        finally:
            request.release()
        controls = self._light.feed(metadata, luma)
        if controls:
            self._camera.set_controls(controls)
        frame = Frame(np.ascontiguousarray(image[:, :, :3], np.uint8),
                      int(metadata.get("SensorTimestamp") or time.monotonic_ns()), self._count)
        self._count += 1
        return frame

    def _drop_job(self) -> None:
        """Release the request of a job that was given up waiting for, should it have come."""
        job, self._job = self._job, None
        if job is None:
            return
        try:
            job.get_result(timeout=0).release()
        except Exception:  # it never came, or was cancelled: there is nothing to release
            return


def _luma(yuv: NDArray[np.uint8]) -> float:
    """Mean brightness of a YUV420 array [h·3/2, stride]: its first two thirds are the luma; columns beyond the width
    are padding."""
    return float(yuv[:LORES[1], :LORES[0]].mean())


def _module() -> Any:
    try:
        return importlib.import_module("picamera2")
    except ImportError as error:
        raise CameraError("picamera2 is not installed here: on a Raspberry Pi run 'sudo apt install python3-picamera2' "
                          "and then 'make venv' again; elsewhere use --camera usb or --camera sim") from error
