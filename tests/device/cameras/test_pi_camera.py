"""The Pi's camera over a picamera2 that is played, and the lock on its light and lens."""

from __future__ import annotations

import sys
import threading
import time
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

from device.cameras.base import CameraError, CameraGone, size_for
from device.cameras.light import LightLock, Tone, tone
from device.cameras.pi import LORES, SIZES, PiCamera, whole_view
from device.eyes.clearness import grey_sharpness
from tests.device.cameras.plain_pictures import picture
from tests.waiting import wait_for


class PlayedRequest:
    def __init__(self, camera: PlayedPicamera2) -> None:
        self.camera = camera

    def get_metadata(self) -> dict[str, Any]:
        if self.camera.broken:
            raise RuntimeError("metadata lost")
        self.camera.stamps.append(time.monotonic_ns())
        return {"SensorTimestamp": self.camera.stamps[-1], "ExposureTime": 9000, "AnalogueGain": 1.5,
                "ColourGains": (1.8, 1.4)}

    def make_array(self, name: str) -> NDArray[np.uint8]:
        if self.camera.form == "NV12":
            return self.camera.semi_planar[name]
        if name == "lores":
            return np.full((LORES[1] * 3 // 2, LORES[0] + 64), 90, np.uint8)
        return picture(self.camera.taken % 250)

    def release(self) -> None:
        self.camera.held -= 1


class PlayedJob:
    def __init__(self, camera: PlayedPicamera2) -> None:
        self.camera = camera

    def get_result(self, timeout: float | None = None) -> PlayedRequest:
        time.sleep(0.001)
        if self.camera.silent:
            raise TimeoutError
        if self.camera.held >= 4:
            raise AssertionError("all buffers are held: the real camera would stand still now")
        self.camera.taken += 1
        self.camera.held += 1
        self.camera.most_held = max(self.camera.most_held, self.camera.held)
        return PlayedRequest(self.camera)


class PlayedPicamera2:
    """As much of picamera2.Picamera2 as the Pi's camera uses, with its four buffers."""

    cameras: ClassVar[list[dict[str, Any]]] = []
    made: ClassVar[list[PlayedPicamera2]] = []
    form: ClassVar[str] = ""
    """What the camera makes of the forms it is asked for; "": as asked."""
    semi_planar: ClassVar[dict[str, NDArray[np.uint8]]] = {}

    def __init__(self, number: int = 0) -> None:
        self.taken = self.held = self.most_held = 0
        self.silent = self.broken = self.closed = self.cancelled = False
        self.set: list[dict[str, Any]] = []
        self.stamps: list[int] = []
        names = ("AeEnable", "AwbEnable", "ExposureTime", "AnalogueGain", "ColourGains", "FrameDurationLimits",
                 "AfMode", "AfTrigger", "LensPosition")
        self.camera_controls = dict.fromkeys(names, (0, 2, 0))
        self.sensor_modes: list[dict[str, Any]] = []
        self.configuration: dict[str, Any] = {}
        self.made.append(self)

    @classmethod
    def global_camera_info(cls) -> list[dict[str, Any]]:
        return cls.cameras

    def create_video_configuration(self, **asked: Any) -> dict[str, Any]:
        return asked

    def configure(self, configuration: dict[str, Any]) -> None:
        self.configuration = configuration

    def stream_configuration(self, name: str) -> dict[str, Any]:
        asked = self.configuration[name]
        return {"size": asked["size"], "stride": asked["size"][0] + 64, "format": self.form or asked["format"]}

    def start(self) -> None: ...

    def cancel_all_and_flush(self) -> None:
        self.cancelled = True

    def close(self) -> None:
        self.closed = True

    def set_controls(self, controls: dict[str, Any]) -> None:
        self.set.append(controls)

    def capture_request(self, wait: bool = True) -> PlayedJob:
        assert wait is False
        return PlayedJob(self)


@pytest.fixture
def picamera2(monkeypatch: pytest.MonkeyPatch) -> type[PlayedPicamera2]:
    module = ModuleType("picamera2")
    module.Picamera2 = PlayedPicamera2  # type: ignore[attr-defined]  # a module made here
    monkeypatch.setitem(sys.modules, "picamera2", module)
    monkeypatch.setattr(PlayedPicamera2, "cameras", [{"Model": "imx708"}])
    monkeypatch.setattr(PlayedPicamera2, "made", [])
    return PlayedPicamera2


def test_the_pi_gives_frames_and_releases_every_request(picamera2: type[PlayedPicamera2]) -> None:
    camera = PiCamera()
    camera.open()
    device = picamera2.made[0]
    wait_for(lambda: device.taken > 50)
    frame = camera.read(1)
    assert frame is not None and frame.time_ns == device.stamps[frame.number]
    assert device.configuration["main"]["format"] == "RGB888" and "lores" in device.configuration
    camera.close()
    assert device.held == 0 and device.most_held == 1
    assert device.closed


def test_a_camera_that_gives_brightness_and_colour_apart_is_read_as_well(picamera2: type[PlayedPicamera2],
                                                                         monkeypatch: pytest.MonkeyPatch) -> None:
    nv12 = {}
    for name, (width, height) in (("main", SIZES[0]), ("lores", LORES)):
        nv12[name] = np.full((height * 3 // 2, width), 81, np.uint8)  # of pure red: Y 81, U 90, V 240
        nv12[name][height:, 0::2], nv12[name][height:, 1::2] = 90, 240
    monkeypatch.setattr(PlayedPicamera2, "form", "NV12")
    monkeypatch.setattr(PlayedPicamera2, "semi_planar", nv12)
    camera = PiCamera()
    camera.open()
    frame = camera.read(30)
    wait_for(lambda: camera._light.locked_at is not None)
    camera.close()
    assert frame is not None and frame.image.shape == (*SIZES[0][::-1], 3)
    assert np.abs(frame.image.astype(int) - (0, 0, 254)).max() <= 2, "blue, green, red"
    assert camera._light.locked_at == Tone(81.0, 90.0, 240.0)


def test_a_camera_that_gives_what_cannot_be_read_is_of_no_use(picamera2: type[PlayedPicamera2],
                                                              monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PlayedPicamera2, "form", "MJPEG")
    with pytest.raises(CameraError, match="as MJPEG and MJPEG only"):
        PiCamera().open()
    assert picamera2.made[0].closed


def test_the_pi_locks_light_once_it_is_steady(picamera2: type[PlayedPicamera2]) -> None:
    camera = PiCamera()
    camera.open()
    device = picamera2.made[0]
    wait_for(lambda: device.taken > 40)
    camera.close()
    assert device.set == [{"AfMode": 1, "AfTrigger": 0},
                          {"AeEnable": False, "AwbEnable": False, "ExposureTime": 9000, "AnalogueGain": 1.5,
                           "ColourGains": (1.8, 1.4)}]


def test_the_pi_releases_the_request_that_fails(picamera2: type[PlayedPicamera2]) -> None:
    camera = PiCamera()
    camera.open()
    device = picamera2.made[0]
    wait_for(lambda: device.taken > 3)
    device.broken = True
    with pytest.raises(CameraGone, match="metadata lost"):
        while True:
            camera.read(1)
    assert device.held == 0
    camera.close()


def test_a_pi_that_falls_silent_is_gone_and_leaves_no_request_behind(picamera2: type[PlayedPicamera2]) -> None:
    camera = PiCamera()
    camera.open()
    device = picamera2.made[0]
    device.silent = True
    with pytest.raises(CameraGone, match="no more pictures"):
        while True:
            camera.read(1)
    device.silent = False  # the request that was waited for comes after all
    camera.close()
    assert device.taken > 0 and device.held == 0 and device.cancelled, "stopping would wait behind the lost job"


def test_no_camera_on_the_pi(picamera2: type[PlayedPicamera2], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picamera2, "cameras", [])
    with pytest.raises(CameraError, match="ribbon cable"):
        PiCamera().open()


def test_picamera2_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraError, match="python3-picamera2"):
        PiCamera().open()


STEADY_LIGHT = {"ExposureTime": 9000, "AnalogueGain": 1.0, "ColourGains": (2.0, 1.5)}


def locked() -> LightLock:
    lock = LightLock()
    controls = [c for _ in range(30) if (c := lock.feed(STEADY_LIGHT, Tone(100.0, 120.0, 130.0)))]
    assert len(controls) == 1 and controls[0]["AeEnable"] is False and controls[0]["AwbEnable"] is False
    return lock


def test_light_is_let_loose_when_it_changes_but_not_for_a_hand() -> None:
    lock = locked()
    assert not any(lock.feed(STEADY_LIGHT, Tone(60.0, 120.0, 130.0)) for _ in range(60)), "a hand stays"
    assert lock.feed(STEADY_LIGHT, Tone(100.0, 120.0, 130.0)) is None
    loose = [c for _ in range(95) if (c := lock.feed(STEADY_LIGHT, Tone(50.0, 120.0, 130.0)))]
    assert loose == [{"AeEnable": True, "AwbEnable": True, "ExposureTime": 0, "AnalogueGain": 0.0}]


def test_light_of_another_colour_is_other_light() -> None:
    lock = locked()
    assert [c for _ in range(95) if (c := lock.feed(STEADY_LIGHT, Tone(100.0, 105.0, 145.0)))]


def test_a_lens_that_stands_wrongly_is_focused_again_but_not_for_a_hand() -> None:
    lock = locked()
    sharp, soft = Tone(100.0, 120.0, 130.0, 2.6), Tone(100.0, 120.0, 130.0, 1.3)
    assert not any(lock.feed(STEADY_LIGHT, seen) for seen in [sharp, *[soft] * 19, sharp, *[soft] * 19]), "a hand"
    set_to = lock.feed(STEADY_LIGHT, soft)
    assert set_to == {"AfMode": 1, "AfTrigger": 0} and lock.locked_at is None
    assert not any(lock.feed(STEADY_LIGHT | {"AfState": 1}, soft) for _ in range(40)), "the lens looks for its focus"
    held = [c for _ in range(30) if (c := lock.feed(STEADY_LIGHT | {"AfState": 2, "LensPosition": 3.0}, sharp))]
    assert held[0]["LensPosition"] == 3.0


def test_the_sharpness_is_that_of_the_luma(padding: int = 32) -> None:
    width, height = 64, 48
    yuv = np.random.default_rng(1).integers(0, 255, (height * 3 // 2, width + padding)).astype(np.uint8)
    assert tone(yuv, (width, height), width + padding).sharp == 0
    assert tone(yuv, (width, height), width + padding, sharp=True).sharp == grey_sharpness(yuv[:height, :width]) > 1


def test_light_that_is_still_changing_is_not_locked() -> None:
    lock = LightLock()
    for i in range(60):
        metadata = {"ExposureTime": 1000 + 100 * i, "AnalogueGain": 1.0, "ColourGains": (2.0, 1.5)}
        assert lock.feed(metadata, Tone(100.0 + i)) is None


def test_nothing_is_held_while_the_lens_looks_for_its_focus() -> None:
    lock = LightLock()
    assert not any(lock.feed(STEADY_LIGHT | {"AfState": 1, "LensPosition": 2.0}, Tone(100.0)) for _ in range(60))
    held = [c for _ in range(30) if (c := lock.feed(STEADY_LIGHT | {"AfState": 2, "LensPosition": 2.0}, Tone(100.0)))]
    assert (held[0]["AfMode"], held[0]["LensPosition"]) == (0, 2.0)
    lock = LightLock()
    held = [c for _ in range(30) if (c := lock.feed(STEADY_LIGHT | {"AfState": 3, "LensPosition": 2.0}, Tone(100.0)))]
    assert "AfMode" not in held[0], "where it did not focus, it may go on trying"


def test_a_sensor_without_colours_is_held_by_its_exposure() -> None:
    lock = LightLock()
    held = [c for _ in range(30) if (c := lock.feed({"ExposureTime": 900, "AnalogueGain": 2.0}, Tone(80.0)))]
    assert held == [{"AeEnable": False, "ExposureTime": 900, "AnalogueGain": 2.0}]


@pytest.mark.parametrize("padding", [0, 32, 64])
def test_the_tone_is_that_of_the_picture_without_padding(padding: int) -> None:
    width, height = 64, 48
    stride = width + padding
    yuv = np.full(height * 3 // 2 * stride, 255, np.uint8)
    yuv[:height * stride].reshape(height, stride)[:, :width] = 80
    for i, value in enumerate((100, 150)):
        start = height * stride + i * (height * stride // 4)
        yuv[start:start + height * stride // 4].reshape(height // 2, stride // 2)[:, :width // 2] = value
    assert tone(yuv.reshape(height * 3 // 2, stride), (width, height), stride) == Tone(80.0, 100.0, 150.0)


def test_the_sensor_mode_sees_all_and_is_quick() -> None:
    modes: list[dict[str, Any]] = [
        {"size": (1536, 864), "crop_limits": (768, 432, 3072, 1728), "fps": 120.1, "bit_depth": 10},
        {"size": (2304, 1296), "crop_limits": (0, 0, 4608, 2592), "fps": 56.0, "bit_depth": 10},
        {"size": (4608, 2592), "crop_limits": (0, 0, 4608, 2592), "fps": 14.3, "bit_depth": 10}]
    assert whole_view(modes, (1280, 720)) == modes[1]
    assert whole_view(modes, (3000, 1700)) == modes[2], "the whole picture has to be large enough"
    assert whole_view(modes[:1], (4000, 3000)) == modes[0]
    assert whole_view([{"format": "YUYV"}], (1280, 720)) is None, "a camera that does not tell"


def test_threads_end_with_their_cameras(picamera2: type[PlayedPicamera2]) -> None:
    before = threading.active_count()
    for _ in range(3):
        camera = PiCamera()
        camera.open()
        camera.close()
    assert threading.active_count() == before


@pytest.mark.parametrize(("columns", "width"), [(5, 1280), (8, 1280), (11, 1280), (12, 1600), (20, 1600)])
def test_a_board_of_more_pits_gets_larger_pictures(columns: int, width: int) -> None:
    assert size_for(columns, SIZES)[0] == width
