"""A recording as a camera would have given it."""

import numpy as np
import pytest

from device.cameras.base import Camera, EndOfRecording
from device.cameras.in_real_time import InRealTime
from vision.reading import Frame

RATE = 10


class Film(Camera):
    """So many frames, ten a second."""

    live, name = False, "film"

    def __init__(self, frames: int) -> None:
        self.frames, self.given, self.open_ = frames, 0, False

    def open(self) -> None:
        """From the first frame."""
        self.given, self.open_ = 0, True

    def close(self) -> None:
        """The end."""
        self.open_ = False

    def read(self, timeout_s: float) -> Frame | None:
        """The next."""
        if self.given == self.frames:
            raise EndOfRecording
        self.given += 1
        return Frame(np.zeros((1, 1, 3), np.uint8), (self.given - 1) * 1_000_000_000 // RATE, self.given - 1)


def watched(cost: float, frames: int = 20) -> tuple[list[int], float, int]:
    """Which frames one sees that needs so many seconds for each, how long it takes, and how many were dropped."""
    now = [100.0]
    film = Film(frames)
    camera = InRealTime(film, clock=lambda: now[0], sleep=lambda seconds: now.__setitem__(0, now[0] + seconds))
    camera.open()
    seen = []
    with pytest.raises(EndOfRecording):
        while True:
            frame = camera.read(1.0)
            assert frame is not None
            seen.append(frame.number)
            now[0] += cost
    camera.close()
    assert not film.open_
    return seen, now[0] - 100.0, camera.dropped


def test_who_is_quick_sees_every_frame_in_its_own_time() -> None:
    seen, passed, dropped = watched(0.01)
    assert seen == list(range(20)) and dropped == 0
    assert passed == pytest.approx(1.91, abs=0.02)


def test_who_is_slow_sees_the_newest_and_the_rest_is_dropped() -> None:
    seen, passed, dropped = watched(0.25)
    assert seen[:4] == [0, 2, 5, 7] and seen[-1] == 19
    assert dropped == 20 - len(seen) and passed < 2.6


def test_an_empty_recording_has_no_frame() -> None:
    assert watched(0.01, frames=0)[0] == []


def test_while_somebody_waits_the_recording_stands_still() -> None:
    now = [100.0]
    camera = InRealTime(Film(20), clock=lambda: now[0], sleep=lambda seconds: now.__setitem__(0, now[0] + seconds))
    camera.open()
    camera.read(1.0)
    now[0] += 5.0
    camera.stand_still(5.0)
    second = camera.read(1.0)
    assert second is not None and second.number == 1 and camera.dropped == 0


def test_how_much_has_passed_is_told_without_the_time_in_which_it_stood_still() -> None:
    now = [100.0]
    camera = InRealTime(Film(20), clock=lambda: now[0], sleep=lambda seconds: now.__setitem__(0, now[0] + seconds))
    camera.open()
    assert camera.passed == 0
    camera.read(1.0)
    now[0] += 5
    camera.stand_still(4.5)
    assert camera.passed == pytest.approx(0.5)
    camera.read(1.0)
    now[0] += 0.25
    assert camera.passed == pytest.approx(0.75)
