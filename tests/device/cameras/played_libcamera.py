"""libcamera's Python binding, played: as much of it as the real picamera2 needs to run whole, with a sensor that takes
pictures in a thread. It stands in for the hardware and its kernel drivers only; picamera2 itself is the real one.

Modelled on libcamera 0.5 as it drives a camera module 3: buffers whose rows are padded, requests that have to be
queued again, controls by identity, sensor modes (the smallest is cut out of the middle), and no hotplug.
"""

from __future__ import annotations

import mmap
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from enum import Enum
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

TICK_S = 0.01
"""Between two pictures: quicker than any real sensor, so that tests need not wait."""
PADDING = 64
"""Bytes beyond the width in every row, filled with what must never be looked at."""
RUBBISH = 7


class Id:
    """A control's or property's identity."""

    def __init__(self, name: str, kind: object = None) -> None:
        """As libcamera makes it."""
        self.name, self.type = name, kind

    def __repr__(self) -> str:
        """As libcamera has it."""
        return self.name


class ControlType(Enum):
    """libcamera's `ControlType`, as far as picamera2 uses it."""
    Float = 1
    Integer = 2
    Rectangle = 3
    Size = 4


class Value:
    """Something that is compared by its fields, as pybind's structs are."""

    FIELDS: tuple[str, ...] = ()

    def __init__(self, *values: Any, **named: Any) -> None:
        """As libcamera makes it."""
        if len(values) == 1 and isinstance(values[0], type(self)):
            values = tuple(getattr(values[0], f) for f in self.FIELDS)
        for i, field in enumerate(self.FIELDS):
            setattr(self, field, named.get(field, values[i] if i < len(values) else 0))

    def __str__(self) -> str:
        """As libcamera has it."""
        return f"{type(self).__name__}{tuple(getattr(self, f) for f in self.FIELDS)}"

    def __hash__(self) -> int:
        """As libcamera has it."""
        return hash(str(self))


class Size(Value):
    """libcamera's `Size`, as far as picamera2 uses it."""
    FIELDS = ("width", "height")
    width: int
    height: int


class Rectangle(Value):
    """libcamera's `Rectangle`, as far as picamera2 uses it."""
    FIELDS = ("x", "y", "width", "height")


class Transform(Value):
    """libcamera's `Transform`, as far as picamera2 uses it."""
    FIELDS = ("hflip", "vflip", "transpose")


class ColorSpace(Value):
    """libcamera's `ColorSpace`, as far as picamera2 uses it."""
    FIELDS = ("primaries", "transferFunction", "ycbcrEncoding", "range")
    YcbcrEncoding = Enum("YcbcrEncoding", "Null Rec601 Rec709")
    Range = Enum("Range", "Full Limited")

    @classmethod
    def Sycc(cls) -> ColorSpace:  # noqa: N802  (libcamera's name)
        """As in libcamera."""
        return cls("rec709", "srgb", cls.YcbcrEncoding.Rec601, cls.Range.Full)

    @classmethod
    def Smpte170m(cls) -> ColorSpace:  # noqa: N802  (libcamera's name)
        """As in libcamera."""
        return cls("smpte170m", "rec709", cls.YcbcrEncoding.Rec601, cls.Range.Limited)

    @classmethod
    def Rec709(cls) -> ColorSpace:  # noqa: N802  (libcamera's name)
        """As in libcamera."""
        return cls("rec709", "rec709", cls.YcbcrEncoding.Rec709, cls.Range.Limited)

    @classmethod
    def Raw(cls) -> ColorSpace:  # noqa: N802  (libcamera's name)
        """As in libcamera."""
        return cls("raw", "linear", cls.YcbcrEncoding.Null, cls.Range.Full)


Orientation = Enum("Orientation", "Rotate0 Rotate0Mirror Rotate180 Rotate180Mirror Rotate90 Rotate90Mirror Rotate270 "
                                  "Rotate270Mirror")
StreamRole = Enum("StreamRole", "Raw StillCapture VideoRecording Viewfinder")


class PixelFormat(Value):
    """libcamera's `PixelFormat`, as far as picamera2 uses it."""
    FIELDS = ("name",)

    def __str__(self) -> str:
        """As libcamera has it."""
        return str(getattr(self, "name", ""))


class SensorConfiguration:
    """libcamera's `SensorConfiguration`, as far as picamera2 uses it."""
    bit_depth = 0
    output_size: Size


class FrameBuffer:
    """libcamera's `FrameBuffer`, as far as picamera2 uses it."""

    class Plane:
        """libcamera's `FrameBuffer.Plane`, as far as picamera2 uses it."""
        fd = -1
        offset = 0
        length = 0

    def __init__(self, planes: list[Any]) -> None:
        """As libcamera makes it."""
        self.planes = planes
        self.metadata = SimpleNamespace(status=None, planes=[SimpleNamespace(bytes_used=p.length) for p in planes])


class FrameMetadata:
    """libcamera's `FrameMetadata`, as far as picamera2 uses it."""
    Status = Enum("Status", "Success Error Cancelled")


class Request:
    """libcamera's `Request`, as far as picamera2 uses it."""
    Status = Enum("Status", "Pending Complete Cancelled")

    def __init__(self, cookie: int) -> None:
        """As libcamera makes it."""
        self.cookie, self.status = cookie, self.Status.Pending
        self.buffers: dict[Any, FrameBuffer] = {}
        self.metadata: dict[Id, Any] = {}
        self.controls: dict[Id, Any] = {}

    def add_buffer(self, stream: Any, buffer: FrameBuffer) -> None:
        """As in libcamera."""
        self.buffers[stream] = buffer

    def reuse(self) -> None:
        """As in libcamera."""
        self.status, self.metadata, self.controls = self.Status.Pending, {}, {}

    def set_control(self, control: Id, value: Any) -> None:
        """As in libcamera."""
        self.controls[control] = value


class Stream:
    """libcamera's `Stream`, as far as picamera2 uses it."""

    def __init__(self, configuration: StreamConfiguration) -> None:
        """As libcamera makes it."""
        self.configuration = configuration


class StreamConfiguration:
    """libcamera's `StreamConfiguration`, as far as picamera2 uses it."""

    def __init__(self, role: Any, formats: Any) -> None:
        """As libcamera makes it."""
        self.role, self.formats = role, formats
        self.size, self.pixel_format = Size(0, 0), PixelFormat("")
        self.buffer_count, self.stride, self.frame_size = 0, 0, 0
        self.color_space: Any = None
        self.stream = Stream(self)

    def settle(self) -> None:
        """As in libcamera."""
        name, width, height = str(self.pixel_format), self.size.width, self.size.height
        pixel = {"RGB888": 3, "BGR888": 3, "XBGR8888": 4, "XRGB8888": 4}.get(name, 2 if name[0] == "S" else 1)
        self.stride = width * pixel + PADDING
        self.frame_size = self.stride * (height * 3 // 2 if name == "YUV420" else height)


class CameraConfiguration:
    """libcamera's `CameraConfiguration`, as far as picamera2 uses it."""
    Status = Enum("Status", "Valid Adjusted Invalid")

    def __init__(self, streams: list[StreamConfiguration]) -> None:
        """As libcamera makes it."""
        self.streams = streams
        self.orientation = Orientation.Rotate0
        self.sensor_config: SensorConfiguration | None = None

    def at(self, index: int) -> StreamConfiguration:
        """As in libcamera."""
        return self.streams[index]

    def __iter__(self) -> Iterator[StreamConfiguration]:
        """As libcamera has it."""
        return iter(self.streams)

    def validate(self) -> Any:
        """As in libcamera."""
        for stream in self.streams:
            stream.settle()
        return self.Status.Adjusted


MODES = {(1536, 864): (768, 432, 3072, 1728, 8_300), (2304, 1296): (0, 0, 4608, 2592, 17_800),
         (4608, 2592): (0, 0, 4608, 2592, 69_600)}
"""Size → crop (x, y, width, height) and shortest frame in µs, as a camera module 3 has them."""

CONTROLS = ("AeEnable", "AwbEnable", "ExposureTime", "AnalogueGain", "ColourGains", "FrameDurationLimits", "ScalerCrop",
            "AfMode", "AfTrigger", "LensPosition", "NoiseReductionMode", "ExposureTimeMode", "AnalogueGainMode")
IDS = {name: Id(name, ControlType.Rectangle if name == "ScalerCrop" else ControlType.Float) for name in CONTROLS}
METADATA = {name: Id(name) for name in ("SensorTimestamp", "AfState", "FrameDuration")}


class Sensor:
    """One camera. What it shows: `paint(size) -> (bgr, luma)`; its troubles are flags that a test sets."""

    def __init__(self, controls: tuple[str, ...] = CONTROLS) -> None:
        """As libcamera makes it."""
        self.id = "/base/soc/i2c0mux/i2c@1/imx708@1a"
        self.names = controls
        self.properties = {Id("Model"): "imx708", Id("ColorFilterArrangement"): 0, Id("Location"): 2}
        self.mode: tuple[int, int] = (4608, 2592)
        self.taken = 0
        self.starved = 0
        self.silent = self.busy = self.failing = False
        self.stamp: Callable[[], int] = time.monotonic_ns
        self.lens = (2, 1.5)
        self.settings: list[dict[str, Any]] = []
        self.acquired = self.running = False
        self.queued: deque[Request] = deque()
        self.lock = threading.Lock()
        self.thread: threading.Thread | None = None

    @property
    def controls(self) -> dict[Id, Any]:
        """As in libcamera."""
        x, y, width, height, shortest = MODES[self.mode]
        whole = Rectangle(x, y, width, height)
        limits = {"ScalerCrop": (whole, whole, whole), "FrameDurationLimits": (shortest, 11_000_000, 33_333),
                  "ExposureTime": (0, 1_000_000, 20_000)}
        return {IDS[name]: SimpleNamespace(min=low, max=high, default=usual)
                for name in self.names for low, high, usual in (limits.get(name, (0, 1, 0)),)}

    def acquire(self) -> None:
        """As in libcamera."""
        if self.busy:
            raise RuntimeError("Failed to acquire camera: Device or resource busy")
        assert not self.acquired, "acquired twice"
        self.acquired = True

    def release(self) -> None:
        """As in libcamera."""
        assert self.acquired and not self.running
        self.acquired = False

    def generate_configuration(self, roles: list[Any]) -> CameraConfiguration:
        """As in libcamera."""
        raw = SimpleNamespace(pixel_formats=[PixelFormat("SRGGB10_CSI2P")],
                              sizes=lambda _format: [Size(*size) for size in MODES])
        return CameraConfiguration([StreamConfiguration(role, raw) for role in roles])

    def configure(self, configuration: CameraConfiguration) -> None:
        """As in libcamera."""
        assert not self.running
        if configuration.sensor_config is not None:
            size = configuration.sensor_config.output_size
            self.mode = (size.width, size.height)

    def create_request(self, cookie: int) -> Request:
        """As in libcamera."""
        return Request(cookie)

    def start(self, controls: dict[Id, Any]) -> None:
        """As in libcamera."""
        assert self.acquired and not self.running
        self.settings.append({k.name: v for k, v in controls.items()})
        self.running = True
        self.thread = threading.Thread(target=self._take, name="sensor", daemon=True)
        self.thread.start()

    def stop(self) -> None:
        """As in libcamera."""
        self.running = False
        assert self.thread is not None
        self.thread.join()
        with self.lock:
            while self.queued:
                self._complete(self.queued.popleft(), Request.Status.Cancelled)

    def queue_request(self, request: Request) -> None:
        """As in libcamera."""
        with self.lock:
            if request.controls:
                self.settings.append({k.name: v for k, v in request.controls.items()})
            self.queued.append(request)

    def _take(self) -> None:
        while self.running:
            time.sleep(TICK_S)
            if self.silent:
                continue
            with self.lock:
                if not self.queued:
                    self.starved += 1
                    continue
                request = self.queued.popleft()
            self.taken += 1
            for stream, buffer in request.buffers.items():
                configuration = stream.configuration
                data = picture(configuration, self.taken)
                with mmap.mmap(buffer.planes[0].fd, configuration.frame_size) as memory:
                    memory[:] = data.tobytes()
                buffer.metadata.status = FrameMetadata.Status.Error if self.failing else FrameMetadata.Status.Success
            request.metadata = {METADATA["SensorTimestamp"]: self.stamp(), METADATA["AfState"]: self.lens[0],
                                IDS["ExposureTime"]: 9000, IDS["AnalogueGain"]: 1.5, IDS["ColourGains"]: (1.8, 1.4),
                                IDS["LensPosition"]: self.lens[1], METADATA["FrameDuration"]: 33_333}
            with self.lock:
                self._complete(request, Request.Status.Complete)

    def _complete(self, request: Request, status: Any) -> None:
        request.status = status
        Manager.one.ready.append(request)
        os.eventfd_write(Manager.one.event_fd, 1)


def picture(configuration: StreamConfiguration, number: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """What the sensor sees: a ramp to the right in blue, one downwards in green, and the frame's number in red; in the
    small picture brightness 90, U 120, V 140. The padding holds rubbish."""
    width, height, stride = configuration.size.width, configuration.size.height, configuration.stride
    data = np.full(configuration.frame_size, RUBBISH, np.uint8)
    if str(configuration.pixel_format) == "YUV420":
        data[:height * stride].reshape(height, stride)[:, :width] = 90
        plane = height // 2 * (stride // 2)
        for i, value in enumerate((120, 140)):
            start = height * stride + i * plane
            data[start:start + plane].reshape(height // 2, stride // 2)[:, :width // 2] = value
    elif str(configuration.pixel_format) == "RGB888":
        pixels = np.empty((height, width, 3), np.uint8)
        pixels[:, :, 0] = (np.arange(width) * 255 // width).astype(np.uint8)
        pixels[:, :, 1] = (np.arange(height) * 255 // height).astype(np.uint8)[:, None]
        pixels[:, :, 2] = number % 256
        data.reshape(height, stride)[:, :width * 3] = pixels.reshape(height, width * 3)
    return data


class Manager:
    """libcamera.CameraManager."""

    one: Manager

    def __init__(self, cameras: list[Sensor]) -> None:
        """As libcamera makes it."""
        self.cameras = cameras
        self.ready: deque[Request] = deque()
        self.event_fd = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)

    @classmethod
    def singleton(cls) -> Manager:
        """As in libcamera."""
        return cls.one

    def get_ready_requests(self) -> list[Request]:
        """As in libcamera."""
        with suppress(BlockingIOError):
            os.eventfd_read(self.event_fd)
        found: list[Request] = []
        while self.ready:
            found.append(self.ready.popleft())
        return found


class Heap:
    """In the kernel's DMA heap's place: buffers in files that live in memory."""

    def __init__(self) -> None:
        """As libcamera makes it."""
        self.isValid = True

    def alloc(self, name: str, size: int) -> Any:
        """As in libcamera."""
        fd = os.memfd_create(name)
        os.ftruncate(fd, size)
        return SimpleNamespace(get=lambda: fd, isValid=lambda: True)

    def close(self) -> None:
        """As in libcamera."""


def modules() -> dict[str, ModuleType]:
    """The modules that stand in for the hardware's, by name."""
    libcamera, controls, properties, pykms = (
        ModuleType(n) for n in ("libcamera", "libcamera.controls", "libcamera.properties", "pykms"))
    for kind in (ControlType, Size, Rectangle, Transform, ColorSpace, Orientation, StreamRole, PixelFormat,
                 SensorConfiguration, FrameBuffer, FrameMetadata, Request, StreamConfiguration, CameraConfiguration):
        setattr(libcamera, kind.__name__, kind)
    noise = SimpleNamespace(Off=0, Fast=1, HighQuality=2, Minimal=3)
    vars(controls).update(IDS, draft=SimpleNamespace(NoiseReductionModeEnum=noise))
    vars(properties).update(draft=SimpleNamespace(ColorFilterArrangementEnum=SimpleNamespace(MONO=5)))
    vars(libcamera).update(controls=controls, properties=properties, CameraManager=Manager, Camera=Sensor,
                           _libcamera=libcamera)
    formats = ("RGB888", "BGR888", "XRGB8888", "XBGR8888", "YUV420", "YVU420", "NV12", "NV21")
    vars(pykms).update(PixelFormat=SimpleNamespace(**{name: name for name in formats}))
    return {"libcamera": libcamera, "libcamera.controls": controls, "libcamera.properties": properties, "pykms": pykms}
