"""Cameras: recordings, folders, and USB with a device that is played."""

import time
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from device.cameras.base import Camera, CameraError, CameraGone, EndedEarly, EndOfRecording
from device.cameras.choose import choose_camera
from device.cameras.files import PictureFolder, Recording
from device.cameras.newest import NewestFrame
from device.cameras.pi import PiCamera
from device.cameras.usb import UsbCamera
from tests.device.cameras.films import cut_off, filmed, lossless, on_its_side, trimmed
from tests.device.cameras.plain_pictures import picture
from tests.waiting import wait_for
from vision.reading import Frame


def clip(path: Path, frames: int = 12, rate: float = 15.0) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), rate, (64, 48))
    for i in range(frames):
        writer.write(picture(10 * i % 250))
    writer.release()
    return path


# ---- recordings and folders

def test_a_recording_gives_all_frames_in_its_own_time(tmp_path: Path) -> None:
    camera = Recording(clip(tmp_path / "clip.mp4"))
    camera.open()
    frames: list[Frame] = []
    with pytest.raises(EndOfRecording):
        while True:
            frame = camera.read(1)
            assert frame is not None
            frames.append(frame)
    assert [f.number for f in frames] == list(range(12))
    steps = np.diff([f.time_ns for f in frames]) / 1e9
    assert frames[0].time_ns == 0 and np.allclose(steps, 1 / 15, atol=0.002)
    assert camera.length_s == pytest.approx(12 / 15, abs=0.01)
    assert abs(int(frames[7].image.mean()) - 70) < 6
    camera.close()
    camera.open()
    again = camera.read(1)
    assert again is not None and again.number == 0


def read_all(path: Path) -> tuple[list[float], EndOfRecording]:
    """The seconds of all frames, and what is raised after the last."""
    camera, times = Recording(path), list[float]()
    camera.open()
    with pytest.raises(EndOfRecording) as ended:
        while (frame := camera.read(1)) is not None:
            times.append(frame.time_ns / 1e9)
    camera.close()
    return times, ended.value


def noisy(frames: int) -> list[np.ndarray]:
    """Pictures that all take about as much room in a file."""
    noise = np.random.default_rng(3)
    return [noise.integers(0, 255, (48, 64, 3)).astype(np.uint8) for _ in range(frames)]


def test_a_recording_that_breaks_off_says_where_and_of_how_much(tmp_path: Path) -> None:
    film = lossless(tmp_path / "a.mov", noisy(80), [number / 10 for number in range(80)])
    times, ended = read_all(film)
    assert len(times) == 80 and not isinstance(ended, EndedEarly)
    times, ended = read_all(cut_off(film, 0.4))
    assert 28 <= len(times) <= 32 and isinstance(ended, EndedEarly)
    assert str(ended) == f"the recording ends at {len(times) / 10:.1f} of 8.0 s: the rest is missing or damaged"


def test_a_trimmed_recording_ends_where_it_was_trimmed_to(tmp_path: Path) -> None:
    times, ended = read_all(trimmed(tmp_path / "a.mp4", noisy(60), 40))
    assert len(times) == 20 and not isinstance(ended, EndedEarly)


@pytest.mark.parametrize(("pixels", "options"), [
    ("yuv420p", {}), ("yuv420p10le", {}),
    ("yuv420p", {"movflags": "empty_moov+default_base_moof", "frag_duration": "500000"})],
    ids=["variable rate", "ten bits a colour", "in fragments"])
@pytest.mark.parametrize("sideways", [False, True], ids=["", "on its side"])
def test_recordings_as_telephones_make_them(tmp_path: Path, pixels: str, options: dict[str, str],
                                            sideways: bool) -> None:
    """Each picture comes upright and at its own time."""
    seconds = [0.0, 0.033, 0.066, 0.133, 0.167, 0.5, 0.533, 1.2, 1.233, 2.0, 2.05]
    image = picture(60)
    image[:20, :30] = 180  # at the top on the left
    film = filmed(tmp_path / "a.mp4", [image] * len(seconds), seconds, pixels, **options)
    times, ended = read_all(on_its_side(film) if sideways else film)
    assert times == pytest.approx(seconds, abs=0.002) and not isinstance(ended, EndedEarly)
    camera = Recording(film)
    camera.open()
    frame = camera.read(1)
    camera.close()
    assert frame is not None
    bright = (frame.image[:16, -16:] if sideways else frame.image[:16, :16]).mean()
    assert frame.image.shape == ((64, 48, 3) if sideways else (48, 64, 3))
    assert bright > 150 and frame.image[-16:].mean() < 100


def test_time_without_frames_stays_in_a_recording(tmp_path: Path) -> None:
    seconds = [0.0, 0.1, 0.2, 9.2, 9.3]
    times, ended = read_all(lossless(tmp_path / "a.mov", noisy(5), seconds))
    assert times == pytest.approx(seconds) and not isinstance(ended, EndedEarly)


def test_files_that_are_no_recording(tmp_path: Path) -> None:
    empty, text = tmp_path / "empty.mp4", tmp_path / "text.mp4"
    empty.touch()
    text.write_text("no video")
    cut = clip(tmp_path / "cut.mp4", 40)
    cut.write_bytes(cut.read_bytes()[:600])
    for path, word in ((empty, "empty"), (text, "not a video"), (cut, "video|picture"), (tmp_path, "directory"),
                       (tmp_path / "none.mp4", "no such file")):
        camera = Recording(path)
        with pytest.raises(CameraError, match=word) as caught:
            camera.open()
            camera.read(1)
        assert str(path) in str(caught.value)


def test_a_folder_of_pictures_in_the_order_of_names(tmp_path: Path) -> None:
    for name, value in (("b.png", 20), ("a.png", 10), ("c.PNG", 30)):
        cv2.imwrite(str(tmp_path / name), picture(value))
    (tmp_path / "notes.txt").write_text("not a picture")
    camera = PictureFolder(tmp_path)
    camera.open()
    frames = [camera.read(1) for _ in range(3)]
    assert [int(f.image.mean()) for f in frames if f] == [10, 20, 30]
    assert [f.time_ns for f in frames if f] == [0, 100_000_000, 200_000_000]
    with pytest.raises(EndOfRecording):
        camera.read(1)


def test_a_folder_without_pictures(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="holds no pictures"):
        PictureFolder(tmp_path).open()


@pytest.mark.parametrize(("word", "sentence"), [
    ("usb:x", "usb:N"), ("usb:-1", "usb:N"), ("usb:", "usb:N"), ("webcam", "choose sim, pi, usb")])
def test_words_that_name_no_camera(word: str, sentence: str) -> None:
    with pytest.raises(CameraError, match=sentence):
        choose_camera(word)


def test_words_that_name_one(tmp_path: Path) -> None:
    cameras: list[Camera] = [choose_camera(w) for w in ("pi", "usb", "usb:3", str(tmp_path))]
    assert [type(c) for c in cameras] == [PiCamera, UsbCamera, UsbCamera, PictureFolder]
    assert choose_camera(str(clip(tmp_path / "a.mp4"))).live is False


# ---- newest frame

def test_the_newest_frame_wins_and_is_given_once() -> None:
    number = 0

    def grab() -> Frame:
        nonlocal number
        number += 1
        time.sleep(0.002)
        return Frame(picture(0), number, number)

    newest = NewestFrame(grab, "test")
    newest.start()
    wait_for(lambda: number >= 20)
    frame = newest.take(1)
    assert frame is not None and frame.number >= 19
    after = newest.take(1)
    assert after is not None and after.number > frame.number
    assert newest.stop()
    newest.take(0)
    assert newest.take(0.01) is None


# ---- USB

class PlayedVideo:
    """Stands in for cv2.VideoCapture; says no after `good` frames."""

    def __init__(self, good: int, opened: bool = True) -> None:
        self.good, self.opened, self.released, self.reads = good, opened, False, 0
        self.settings: dict[int, float] = {}

    def isOpened(self) -> bool:  # noqa: N802  (OpenCV's name)
        return self.opened

    def set(self, what: int, value: float) -> bool:
        self.settings[what] = value
        return True

    def read(self) -> tuple[bool, NDArray[np.uint8] | None]:
        assert not self.released, "read after release crashes OpenCV"
        self.reads += 1
        time.sleep(0.002)
        return (True, picture(self.reads % 200)) if self.reads <= self.good else (False, None)

    def release(self) -> None:
        self.released = True


def played_usb(video: PlayedVideo) -> UsbCamera:
    return UsbCamera(None, open_video=lambda _number: video)  # type: ignore[arg-type, return-value]  # a played device


def test_usb_gives_the_newest_frame() -> None:
    video = PlayedVideo(10_000)
    camera = played_usb(video)
    camera.open()
    wait_for(lambda: video.reads > 10)
    frame = camera.read(1)
    assert frame is not None and frame.number >= 9 and frame.image.shape == (48, 64, 3)
    assert abs(frame.time_ns - time.monotonic_ns()) < 2e9
    assert video.settings[cv2.CAP_PROP_FRAME_WIDTH] == 1280
    camera.close()
    assert video.released
    camera.close()


def test_usb_that_is_pulled_out_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("device.cameras.usb.WARM_UP_S", 0.0)
    camera = played_usb(PlayedVideo(3))
    camera.open()
    with pytest.raises(CameraGone, match="plugged in"):
        while True:
            camera.read(5)
    camera.close()


def test_usb_that_does_not_open_may_come_back() -> None:
    video = PlayedVideo(0, opened=False)
    with pytest.raises(CameraGone, match="another program"):
        played_usb(video).open()
    assert video.released


def test_no_usb_camera_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("device.cameras.usb.video_devices", list)
    with pytest.raises(CameraError, match="--camera sim"):
        UsbCamera().open()
    with pytest.raises(CameraError, match="/dev/video254"):
        UsbCamera(254).open()


def test_usb_is_asked_for_larger_pictures_of_a_wide_board() -> None:
    video = PlayedVideo(10_000)
    camera = played_usb(video)
    assert not camera.fit(8) and camera.fit(12) and not camera.fit(12), "nothing has to be opened anew for nothing"
    camera.open()
    assert (video.settings[cv2.CAP_PROP_FRAME_WIDTH], video.settings[cv2.CAP_PROP_FRAME_HEIGHT]) == (1920, 1080)
    camera.close()
