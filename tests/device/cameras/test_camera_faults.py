"""What a camera may do wrong, some times each: it is said, survived and counted. By a USB camera that is played, and
by the guard that every live camera's frames pass through."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import pairwise

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from device.cameras import guard as guards
from device.cameras.base import CameraError, CameraGone
from device.cameras.guard import NANO, Guard
from device.cameras.usb import UsbCamera
from device.eyes.frozen import WHY
from tests.examples import examples
from vision.reading import Frame

Picture = NDArray[np.uint8]
TIMES = range(examples(3))
STEP = NANO // 30
NOISE = np.random.default_rng(1)


def scene(number: int) -> Picture:
    """A ramp with the noise that every sensor has."""
    ramp = np.linspace(30, 220, 160).astype(np.uint8)
    image = np.repeat(np.repeat(ramp[None, :, None], 120, axis=0), 3, axis=2)
    return np.asarray(image + NOISE.integers(0, 4, image.shape), np.uint8)


class Bench:
    """A guard whose clock and frames a test makes."""

    def __init__(self) -> None:
        self.now = 100 * NANO
        self.guard = Guard("played camera", lambda: self.now)
        self.number = 0

    def frame(self, image: Picture | None = None, *, late: int = 0, step: int = STEP) -> Frame | None:
        self.now += step
        self.number += 1
        return self.guard.check(Frame(scene(self.number) if image is None else image, self.now - late, 0))

    def well(self, frames: int = 40) -> None:
        for _ in range(frames):
            assert self.frame() is not None


@pytest.fixture
def bench() -> Bench:
    bench = Bench()
    bench.well()
    return bench


def test_frames_that_are_well_pass_with_their_own_times(bench: Bench) -> None:
    frame = bench.frame()
    assert frame is not None and (frame.time_ns, frame.number) == (bench.now, 40)
    assert bench.guard.notes() == [] and bench.guard.counts.sentence() == "41 frames"


@pytest.mark.parametrize("time_", TIMES)
def test_frozen(bench: Bench, time_: int) -> None:
    image, begun = scene(time_), bench.now
    with pytest.raises(CameraGone, match=WHY):
        while bench.now - begun < 10 * NANO:
            bench.frame(image)
    assert guards.FROZEN_S <= (bench.now - begun) / NANO < guards.FROZEN_S + 0.2
    assert (bench.guard.counts.frozen, bench.guard.counts.gone) == (1, 1)
    bench.guard.begin()
    bench.well()


@pytest.mark.parametrize("time_", TIMES)
def test_black(bench: Bench, time_: int) -> None:
    black = np.zeros((120, 160, 3), np.uint8)
    for _ in range(30 * 5 + time_):
        assert bench.frame(black) is not None, "that it is dark is for the eye to say"
    assert bench.guard.counts.black == 30 * 5 + time_
    assert bench.guard.notes() == ["the played camera gives black pictures: take the cap off its lens, or turn on a "
                                   "lamp"]
    bench.well()


@pytest.mark.parametrize("time_", TIMES)
def test_torn(bench: Bench, time_: int) -> None:
    """A JPEG that breaks off, as OpenCV unpacks it."""
    ok, packed = cv2.imencode(".jpg", scene(time_), [cv2.IMWRITE_JPEG_QUALITY, 90])
    assert ok
    data = packed.tobytes()
    cut = cv2.imdecode(np.frombuffer(data[:len(data) * (40 + 2 * time_) // 100] + b"\xff\xd9", np.uint8),
                       cv2.IMREAD_COLOR)
    assert cut is not None
    assert bench.frame(np.asarray(cut, np.uint8)) is None
    bench.well()
    assert bench.guard.counts.torn == 1
    assert any("torn pictures" in note for note in bench.guard.notes())


def letterbox(image: Picture, grey: int = 16) -> Picture:
    """Video black above and below, as an aspect ratio is kept."""
    image[:15] = image[-15:] = grey
    return image


def caption(image: Picture) -> Picture:
    image[-12:] = (60, 40, 20)
    return image


def from_the_top(image: Picture) -> Picture:
    """As a decoder shows a picture whose beginning it never got."""
    image[:50] = (0, 135, 0)
    return image


def broken_off(image: Picture) -> Picture:
    image[80:] = 128
    return image


@pytest.mark.parametrize("barred", [letterbox, caption], ids=["letterbox", "caption"])
@pytest.mark.parametrize("tear", [from_the_top, broken_off], ids=["from the top", "broken off"])
def test_bars_that_are_always_there_are_no_tear_and_a_tear_beside_them_is(
        barred: Callable[[Picture], Picture], tear: Callable[[Picture], Picture]) -> None:
    bench = Bench()
    given = [bench.frame(barred(scene(number))) is not None for number in range(60)]
    assert all(given[4:]) and bench.guard.counts.sentence() == "56 frames" and bench.guard.notes() == []
    for _ in range(10):
        assert bench.frame(tear(barred(scene(1)))) is None
        assert bench.frame(barred(scene(2))) is not None
    assert bench.guard.counts.torn == 10


def test_a_bar_that_comes_to_stay_is_soon_no_tear(bench: Bench) -> None:
    given = [bench.frame(caption(scene(number))) is not None for number in range(60)]
    assert not given[0] and all(given[guards.TORN_FRAMES - 1:])
    bench.well()


@pytest.mark.parametrize("tear", [from_the_top, broken_off], ids=["from the top", "broken off"])
def test_torn_pictures_are_told_though_most_are_torn(bench: Bench, tear: Callable[[Picture], Picture]) -> None:
    bench.guard.begin()
    for number in range(90):
        torn = number % 3 > 0
        image = scene(number)
        assert (bench.frame(tear(image) if torn else image) is None) == torn


def test_a_picture_of_another_size_is_torn_too(bench: Bench) -> None:
    assert bench.frame(np.asarray(scene(1)[:, ::2], np.uint8)) is None
    assert bench.guard.counts.torn == 1


def test_nothing_but_torn_pictures_is_no_camera(bench: Bench) -> None:
    with pytest.raises(CameraGone, match="only torn pictures"):
        for _ in range(100):
            bench.frame(np.asarray(scene(1)[::2], np.uint8))
    assert bench.guard.counts.torn == guards.TORN_FRAMES


def test_an_even_table_at_the_edge_is_not_torn(bench: Bench) -> None:
    """A white sheet that is blown out, and the black beside it, are as even as a torn JPEG's rest."""
    for value in (0, 255):
        image = scene(1)
        image[90:] = value
        assert bench.frame(image) is not None
    assert bench.guard.counts.torn == 0


@pytest.mark.parametrize("time_", TIMES)
def test_half_the_rate(bench: Bench, time_: int) -> None:
    bench.well(time_)
    for _ in range(60):
        bench.frame(step=2 * STEP)
    counts = bench.guard.counts
    assert counts.slow == 1 and counts.frames == 100 + time_
    assert [n for n in bench.guard.notes() if "gives 15 pictures a second, it gave 30" in n]
    bench.well()
    assert bench.guard.counts.slow == 1, "back at its rate, it is said no more"


@pytest.mark.parametrize("time_", TIMES)
def test_frames_left_out(bench: Bench, time_: int) -> None:
    bench.frame(step=(2 + time_) * STEP)
    assert bench.guard.counts.dropped == 1 + time_
    bench.well()
    assert bench.guard.counts.dropped == 1 + time_


@pytest.mark.parametrize("time_", TIMES)
def test_a_time_that_runs_backwards(bench: Bench, time_: int) -> None:
    last = bench.frame()
    assert last is not None
    assert bench.frame(late=(2 + time_) * STEP) is None, "one frame out of order"
    bench.well()
    assert bench.guard.counts.backwards == 1
    # A clock that goes on backwards is of no use: the frames' arrival has to do.
    kept = [f for i in range(60) if (f := bench.frame(late=(3 * 60 + 2 * i) * STEP)) is not None]
    assert len(kept) == 60 - guards.ODD_FRAMES
    assert all(a.time_ns < b.time_ns for a, b in pairwise(kept)) and kept[0].time_ns > last.time_ns
    assert [n for n in bench.guard.notes() if "an unreliable clock" in n]


@pytest.mark.parametrize("time_", TIMES)
def test_a_frame_that_is_stale(bench: Bench, time_: int) -> None:
    bench.guard.begin()
    for _ in range(1 + time_ % 10):
        assert bench.frame(late=3 * NANO) is None
    bench.well()
    counts = bench.guard.counts
    assert counts.stale == 1 + time_ % 10 and [n for n in bench.guard.notes() if "older than a second" in n]


def test_a_trouble_is_said_once_a_minute_at_most(bench: Bench) -> None:
    black = np.zeros((120, 160, 3), np.uint8)
    said = 0
    for _ in range(30 * 150):
        bench.frame(black)
        said += len(bench.guard.notes())
    assert said == 3


# ---- unplugged and plugged in again

class Port:
    """A USB port: what is plugged in, under which number, and the played videos that were opened there."""

    def __init__(self) -> None:
        self.device: tuple[int, str] | None = (0, "Kamera 3000")
        self.opened: list[Video] = []

    def devices(self) -> list[tuple[int, str]]:
        return [self.device] if self.device is not None else []

    def open(self, number: int) -> Video:
        video = Video(self, number)
        self.opened.append(video)
        return video


class Video:
    """As much of cv2.VideoCapture as the USB camera uses."""

    def __init__(self, port: Port, number: int) -> None:
        self.port, self.number, self.released, self.reads = port, number, False, 0

    def plugged(self) -> bool:
        return self.port.device is not None and self.port.device[0] == self.number

    def isOpened(self) -> bool:  # noqa: N802  (OpenCV's name)
        return self.plugged()

    def set(self, what: int, value: float) -> bool:
        return True

    def read(self) -> tuple[bool, Picture | None]:
        assert not self.released, "read after release crashes OpenCV"
        self.reads += 1
        time.sleep(0.002)
        return (True, scene(self.reads)) if self.plugged() else (False, None)

    def release(self) -> None:
        self.released = True


@pytest.fixture
def port() -> Port:
    return Port()


@pytest.fixture
def usb(port: Port, monkeypatch: pytest.MonkeyPatch) -> Iterator[UsbCamera]:
    monkeypatch.setattr("device.cameras.usb.WARM_UP_S", 0.0)
    monkeypatch.setattr("device.cameras.usb.MISSES", 2)
    camera = UsbCamera(None, port.open, port.devices)  # type: ignore[arg-type]  # a played device
    camera.open()
    yield camera
    camera.close()
    assert all(video.released for video in port.opened if video.isOpened())


def until_gone(read: Callable[[float], Frame | None]) -> str:
    with pytest.raises(CameraGone) as caught:
        while True:
            read(5)
    return str(caught.value)


def test_unplugged_and_plugged_in_again_twenty_times(usb: UsbCamera, port: Port) -> None:
    for number in range(20):
        assert usb.read(5) is not None
        port.device = None
        assert "plugged in" in until_gone(usb.read)
        usb.close()
        assert port.opened[-1].released, "the device could not be opened again"
        with pytest.raises(CameraGone, match="unplugged: plug it in again"):
            usb.open()
        port.device = (number % 3, "Kamera 3000")
        usb.open()
        assert str(usb.name) == f"USB camera {number % 3}"
    assert usb.read(5) is not None and usb.counts.gone == 20


def test_another_camera_in_its_place_is_not_taken_for_it(usb: UsbCamera, port: Port) -> None:
    usb.close()
    port.device = (0, "Capture card")
    with pytest.raises(CameraGone, match="unplugged"):
        usb.open()


def test_a_camera_that_never_was_there_is_a_permanent_fault(port: Port) -> None:
    port.device = None
    for number in (None, 200):
        with pytest.raises(CameraError):
            UsbCamera(number, port.open, port.devices).open()  # type: ignore[arg-type]  # a played device


def test_a_decoder_that_throws_at_a_torn_frame_is_survived(usb: UsbCamera, port: Port,
                                                          monkeypatch: pytest.MonkeyPatch) -> None:
    video, whole = port.opened[0], port.opened[0].read

    def read() -> tuple[bool, Picture | None]:
        if video.reads % 2:
            video.reads += 1
            raise cv2.error("imdecode: bad JPEG")
        return whole()

    monkeypatch.setattr(video, "read", read)
    begun = usb.counts.frames
    for _ in range(3):
        usb.read(5)
    assert usb.counts.frames > begun
