"""The Pi's camera over the real picamera2: every call it makes, the real controls, arrays and event loop. Only
libcamera and the kernel's buffers are played (`played_libcamera`)."""

import gc
import importlib
import importlib.util
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from device.cameras.base import CameraError, CameraGone
from device.cameras.pi import BUFFERS, LORES, SIZES, PiCamera
from tests.device.cameras import played_libcamera as played
from vision.reading import Frame

pytestmark = [
    pytest.mark.skipif(importlib.util.find_spec("picamera2") is None,
                       reason="the calls of the Pi's camera (apt install gcc libcap-dev, then make contract)"),
    pytest.mark.filterwarnings("ignore:setDaemon"),  # picamera2's own
]


@pytest.fixture(scope="module")
def picamera2() -> Iterator[Any]:
    """The real module, loaded over the played libcamera, and unloaded afterwards."""
    strange = ("picamera2", "libcamera", "pykms")
    before = {name: module for name, module in sys.modules.items() if name.split(".")[0] in strange}
    for name in before:
        del sys.modules[name]
    sys.modules.update(played.modules())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # those of picamera2's own parts
        module = importlib.import_module("picamera2")
        dma = importlib.import_module("picamera2.allocators.dmaallocator")
    dma.DmaHeap = played.Heap  # type: ignore[attr-defined]  # the kernel's, in memory
    dma.fcntl = type("fcntl", (), {"ioctl": staticmethod(lambda *_: 0)})  # type: ignore[attr-defined]  # no kernel
    yield module
    for name in [name for name in sys.modules if name.split(".")[0] in strange]:
        del sys.modules[name]
    sys.modules.update(before)


@pytest.fixture
def sensor(picamera2: Any, monkeypatch: pytest.MonkeyPatch) -> played.Sensor:
    monkeypatch.setattr("device.cameras.pi.WAIT_S", 30.0)  # a slow machine is not a silent camera
    return plug_in(picamera2, played.Sensor())


def plug_in(picamera2: Any, *sensors: played.Sensor) -> played.Sensor:
    played.Manager.one = played.Manager(list(sensors))
    picamera2.Picamera2._cm.reset()
    return sensors[0] if sensors else played.Sensor()


@pytest.fixture
def camera(sensor: played.Sensor) -> Iterator[PiCamera]:
    camera = PiCamera()
    camera.open()
    yield camera
    camera.close()
    assert not sensor.acquired and not sensor.running


def handles_open() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def frame_of(camera: PiCamera) -> Frame:
    frame = None
    while frame is None:
        frame = camera.read(30)
    return frame


@pytest.fixture
def impatient(sensor: played.Sensor, monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests in which no frame comes."""
    monkeypatch.setattr("device.cameras.pi.WAIT_S", 1.0)


def until(condition: Callable[[], object], seconds: float = 90.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.005)


def test_a_frame_is_blue_green_red_without_padding(camera: PiCamera) -> None:
    frame = frame_of(camera)
    assert frame.image.shape == (*SIZES[0][::-1], 3) and frame.image.flags.c_contiguous
    ramp = np.arange(SIZES[0][0]) * 255 // SIZES[0][0]
    assert (frame.image[:, :, 0] == ramp).all(), "blue comes first, and no padding lies between the rows"
    assert (frame.image[0, :, 1] == 0).all() and (frame.image[-1, :, 1] == 254).all()
    assert abs(time.monotonic_ns() - frame.time_ns) < 2e9


def test_the_small_picture_is_read_without_its_padding(camera: PiCamera, sensor: played.Sensor) -> None:
    until(lambda: camera._light.locked_at is not None)
    held = camera._light.locked_at
    assert held is not None and (held.luma, held.u, held.v) == (90.0, 120.0, 140.0)
    assert camera._lores == (LORES, LORES[0] + played.PADDING, "YUV420")


def test_requests_come_back(camera: PiCamera, sensor: played.Sensor) -> None:
    until(lambda: camera.counts.frames > 10 * BUFFERS)  # with one buffer lost in ten frames it would stand still
    assert sensor.taken > 10 * BUFFERS


def test_the_sensor_sees_all_it_can(camera: PiCamera, sensor: played.Sensor) -> None:
    assert sensor.mode == (2304, 1296), "not the mode that is cut out of the middle, nor the slow one"


def test_a_wide_board_gets_larger_pictures_and_the_mode_that_has_them(picamera2: Any,
                                                                      monkeypatch: pytest.MonkeyPatch) -> None:
    """As on the first Raspberry Pi camera, whose quick mode of the whole view is too small for them."""
    monkeypatch.setattr(played, "MODES", {(1296, 972): (0, 0, 2592, 1944, 21_000), (1920, 1080): (348, 434, 1928, 1080,
                                          32_000), (2592, 1944): (0, 0, 2592, 1944, 64_000)})
    sensor = plug_in(picamera2, played.Sensor())
    sensor.mode = (2592, 1944)
    camera = PiCamera()
    for columns, mode, height in ((8, (1296, 972), 720), (12, (2592, 1944), 900)):
        camera.fit(columns)
        camera.open()
        assert sensor.mode == mode and frame_of(camera).image.shape[0] == height
    camera.close()


def test_a_camera_whose_modes_cannot_be_listed_starts_as_well(sensor: played.Sensor,
                                                              monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(played, "CONTROLS", tuple(n for n in played.CONTROLS if n != "ScalerCrop"))
    sensor.names = played.CONTROLS
    camera = PiCamera()
    camera.open()
    frame_of(camera)
    camera.close()


def test_controls_are_known_to_the_camera_and_held_once_settled(camera: PiCamera, sensor: played.Sensor) -> None:
    until(lambda: any("AeEnable" in s and not s["AeEnable"] for s in sensor.settings))
    started = sensor.settings[0]
    assert started["FrameDurationLimits"] == (33_333, 66_666), "microseconds"
    assert started["AeEnable"] and started["AwbEnable"]
    focusing = next(s for s in sensor.settings if "AfTrigger" in s)
    assert (focusing["AfMode"], focusing["AfTrigger"]) == (1, 0)
    held = next(s for s in sensor.settings if s.get("AeEnable") is False)
    assert held == {"AeEnable": False, "AwbEnable": False, "ExposureTime": 9000, "ExposureTimeMode": 1,
                    "AnalogueGain": 1.5, "AnalogueGainMode": 1, "ColourGains": (1.8, 1.4), "AfMode": 0,
                    "LensPosition": 1.5}


def test_other_light_gives_exposure_back_to_the_camera(camera: PiCamera, sensor: played.Sensor,
                                                       monkeypatch: pytest.MonkeyPatch) -> None:
    until(lambda: any(s.get("AeEnable") is False for s in sensor.settings))
    monkeypatch.setattr("device.cameras.light.LOOSE_FRAMES", 3)
    held = camera._light.locked_at
    assert held is not None
    camera._light.locked_at = type(held)(held.luma * 3, held.u, held.v)
    until(lambda: [s for s in sensor.settings[1:] if s.get("AeEnable") is True])
    loose = next(s for s in sensor.settings[1:] if s.get("AeEnable") is True)
    assert loose["ExposureTimeMode"] == 0 and loose["AnalogueGainMode"] == 0, "0: automatic"
    assert loose["AwbEnable"] is True and "ExposureTime" not in loose


def test_a_sensor_without_colours_and_lens_starts_as_well(picamera2: Any) -> None:
    plain = tuple(n for n in played.CONTROLS if n not in ("AwbEnable", "ColourGains", "AfMode", "AfTrigger",
                                                          "LensPosition"))
    sensor = plug_in(picamera2, played.Sensor(plain))
    camera = PiCamera()
    camera.open()
    until(lambda: any(s.get("AeEnable") is False for s in sensor.settings))
    frame_of(camera)
    camera.close()
    assert all("AwbEnable" not in s and "AfMode" not in s for s in sensor.settings)


def test_a_ribbon_that_comes_loose_is_noticed_and_the_camera_closes_and_opens_again(
        impatient: None, camera: PiCamera, sensor: played.Sensor) -> None:
    for times in range(1, 4):
        frame_of(camera)
        sensor.silent = True
        with pytest.raises(CameraGone, match="gives no more pictures"):
            while True:
                camera.read(5)
        camera.close()  # with picamera2's stop() alone this would wait for ever
        assert not sensor.acquired and camera.counts.gone == times
        sensor.silent = False
        camera.open()
    frame_of(camera)


def test_a_frame_that_comes_after_it_was_given_up_is_released(impatient: None, camera: PiCamera,
                                                              sensor: played.Sensor) -> None:
    frame_of(camera)
    sensor.silent = True
    with pytest.raises(CameraGone):
        while True:
            camera.read(5)
    sensor.silent = False
    until(lambda: camera._job is None or camera._job._future.done())
    device = camera._camera
    camera.close()
    assert device.camera is None and not sensor.queued


def test_pictures_that_the_driver_marks_as_bad_are_not_handed_on(impatient: None, camera: PiCamera,
                                                                 sensor: played.Sensor) -> None:
    frame_of(camera)
    sensor.failing = True
    with pytest.raises(CameraGone):
        while True:
            camera.read(5)
    assert not sensor.starved or sensor.taken


def test_an_event_loop_that_died_does_not_hold_up_the_end(impatient: None, camera: PiCamera,
                                                         sensor: played.Sensor) -> None:
    frame_of(camera)
    device = camera._camera
    device._preview._abort.set()
    device._preview.thread.join()
    with pytest.raises(CameraGone):
        while True:
            camera.read(5)
    camera.close()
    assert not sensor.acquired


def test_a_camera_that_another_program_holds_may_be_had_later(sensor: played.Sensor) -> None:
    sensor.busy = True
    camera = PiCamera()
    handles = []
    for _ in range(5):
        with pytest.raises(CameraGone, match="another program"):
            camera.open()
        gc.collect()
        handles.append(handles_open())
    assert handles[-1] <= handles[0], "a try that failed keeps its file handles"
    sensor.busy = False
    camera.open()
    frame_of(camera)
    camera.close()


def test_no_camera_is_no_passing_fault(picamera2: Any) -> None:
    plug_in(picamera2)
    with pytest.raises(CameraError, match="ribbon cable"):
        PiCamera().open()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # picamera2's, of its half-made parts
def test_a_user_who_may_not_is_told(sensor: played.Sensor, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(self: object) -> None:
        raise PermissionError(13, "Permission denied", "/dev/dma_heap/linux,cma")

    monkeypatch.setattr(played.Heap, "__init__", refused)
    with pytest.raises(CameraError, match="/dev/dma_heap/linux,cma may not be used by this user"):
        PiCamera().open()


@pytest.mark.parametrize("stamp", ["stale", "backwards"])
def test_stamps_that_cannot_be_are_counted_and_then_done_without(stamp: str, sensor: played.Sensor) -> None:
    backwards = iter(range(10**9, 0, -1))
    sensor.stamp = (lambda: time.monotonic_ns() - 5 * 10**9) if stamp == "stale" else (lambda: next(backwards))
    camera = PiCamera()
    camera.open()
    first = frame_of(camera)
    assert abs(time.monotonic_ns() - first.time_ns) < 2e9
    second = frame_of(camera)
    assert second.time_ns > first.time_ns
    counts = camera.counts
    camera.close()
    assert counts.stale + counts.backwards == 15 and any("time of arrival" in note for note in camera.notes())


def test_file_handles_stay_as_many(sensor: played.Sensor) -> None:
    def once() -> int:
        camera = PiCamera()
        camera.open()
        frame_of(camera)
        camera.close()
        gc.collect()
        return handles_open()

    once()
    before = once()
    assert max(once() for _ in range(5)) <= before
