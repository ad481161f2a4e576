"""A camera that gives the same picture again and again is blind, and that is said within half a second of it."""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from device.cameras.usb import UsbCamera
from device.eyes.frozen import WHY, Arrivals, FrozenPictures
from device.eyes.parameters import FROZEN_LIMITS
from device.eyes.pipeline import InlineRunner
from device.journal import Journal
from device.journal.events import Blind, Sighted, VerdictGiven
from device.journal.messages import message
from device.sim.camera import SimCamera
from device.system.folder import DataFolder
from device.system.table_process import Loop, Wanted
from engine.rules import ruleset
from tests.device.cli.test_watcher import watched
from tests.device.painted import FPS, PaintedCamera, PaintedEye, Script
from vision.reading import Frame


def pictures(number: int, seed: int, *, noise: bool = True) -> list[np.ndarray]:
    """uint8[24, 32, 3] each; without noise they are all alike."""
    rng = np.random.default_rng(seed)
    flat = np.full((24, 32, 3), 120, np.uint8)
    return [rng.integers(118, 123, flat.shape).astype(np.uint8) if noise else flat for _ in range(number)]


def said_after(frozen: FrozenPictures, images: list[np.ndarray], fps: float, start: float = 0.0) -> float | None:
    """Seconds from the first of these pictures until it is said."""
    for k, image in enumerate(images):
        if frozen.look(image, start + k / fps):
            return k / fps
    return None


@pytest.mark.parametrize("fps", [8, 10, 12, 14, 15, 18, 20, 24, 25, 30])
def test_a_picture_that_stays_is_said_within_half_a_second(fps: int) -> None:
    frozen = FrozenPictures()
    lively = pictures(3 * fps, fps)
    assert said_after(frozen, lively, fps) is None
    after = said_after(frozen, lively[-1:] * fps, fps, 3.0)
    assert after is not None and after <= 0.5
    assert said_after(frozen, pictures(fps, 7), fps, 4.0) is None, "it sees again"
    again = said_after(frozen, pictures(1, 8) * fps, fps, 5.0)
    assert again is not None and again <= 0.5, "and is blind again as soon"


def test_pictures_without_noise_are_not_frozen() -> None:
    frozen = FrozenPictures()
    assert said_after(frozen, pictures(200, 1, noise=False), 15) is None


def test_a_recording_that_is_pressed_hard_stays_the_same_for_a_while_and_is_not_frozen() -> None:
    frozen = FrozenPictures()
    film = [image for image in pictures(60, 2) for _ in range(6)]
    assert said_after(frozen, film, 30) is None
    assert said_after(frozen, pictures(1, 3) * 40, 30, 12.0) is not None


def test_a_frozen_recording_is_blind_and_what_changed_meanwhile_is_weighed() -> None:
    script = Script(ruleset("enkeshui")).rest(3)
    stays = len(script.images)
    script.rest(1.0)
    goes_on = len(script.images)
    script.rest(2.0)
    for k, image in enumerate(script.images):
        assert image is not None
        script.images[k] = image = image.copy()
        noise = np.random.default_rng(min(k, stays) if k < goes_on else k)
        image[8:] = noise.integers(60, 200, image[8:].shape)
    forms = watched(script)
    assert [f["event"] for f in forms] == ["position", "blind", "sighted"]
    assert forms[1]["why"] == WHY
    assert forms[1]["t"] - stays / FPS <= 0.5


def test_a_drawn_recording_whose_table_rests_is_not_frozen() -> None:
    """It has no noise: only where a hand moves do its pictures differ, and they stay the same for as long as none
    does."""
    film = [image.copy() for image in pictures(200, 1, noise=False)]
    for k in (*range(4, 70), *range(130, 200)):
        film[k][5:8, k % 28:k % 28 + 4] = 200
    assert said_after(FrozenPictures(recorded=True), film, 30) is None
    assert said_after(FrozenPictures(), film, 30) is not None, "a live camera is not drawn"
    lively = pictures(60, 5)
    assert said_after(FrozenPictures(recorded=True), [*lively, *lively[-1:] * 30], 30) is not None, "nor what has noise"


def test_a_covered_lens_is_not_a_frozen_camera() -> None:
    frozen = FrozenPictures()
    assert said_after(frozen, pictures(60, 4), 15) is None
    for level in (0, 6, 255):
        assert said_after(frozen, [np.full((24, 32, 3), level, np.uint8)] * 60, 15, 10.0) is None


@pytest.mark.parametrize("fps", [5, 10, 15, 30])
def test_silence_is_longer_than_the_camera_usually_takes(fps: int) -> None:
    arrivals = Arrivals(0.0)
    assert not arrivals.silent(60.0), "the first picture may take long"
    for k in range(50):
        arrivals.heard(k / fps)
    arrivals.waiting_since = arrivals.last
    assert not arrivals.silent(arrivals.last + 0.35)
    assert arrivals.silent(arrivals.last + (0.41 if fps >= 10 else 0.85))


class Noisy(PaintedCamera):
    """With the noise that a sensor has, but for a while in the middle of it: then it hangs for half a second, or gives
    nothing."""

    def __init__(self, script: Script, at_end: Callable[[], None], *, hangs: bool) -> None:
        super().__init__(script, live=True, at_end=at_end)
        self.hangs = hangs
        self._rng = np.random.default_rng(1)
        self._frame: Frame | None = None
        self._waited = 0.0

    def read(self, timeout_s: float) -> Frame | None:
        if not self.hangs and self._number == 40 and self._waited < 2 * FROZEN_LIMITS.silent_s:
            self._waited += timeout_s
            time.sleep(timeout_s)
            return None
        frame = super().read(timeout_s)
        assert frame is not None
        if self.hangs and 40 < frame.number <= 48 and self._frame is not None:
            return replace(self._frame, time_ns=frame.time_ns)
        image = frame.image.copy()
        image[8:] = self._rng.integers(60, 200, image[8:].shape)
        self._frame = replace(frame, image=image)
        return self._frame


def test_the_simulated_players_wait_for_a_slow_machine() -> None:
    assert SimCamera(ruleset("enkeshui")).waits and not UsbCamera().waits


class Unfed(Noisy):
    """Something else puts its pictures there."""

    unfed = message("reason.folder-unfed", folder="phone")


@pytest.mark.parametrize(("kind", "hangs", "why"), [
    (Noisy, True, WHY), (Noisy, False, "the painted table gives no pictures"),
    (Unfed, False, "no new picture comes into the folder phone")])
def test_a_live_table_says_it_within_half_a_second_and_sees_again(tmp_path: Path, kind: type[Noisy], hangs: bool,
                                                                  why: str) -> None:
    left = [8]

    def at_end() -> None:
        left[0] -= 1

    data, rules = DataFolder(tmp_path), ruleset("enkeshui", "driedger")
    camera = kind(Script(rules).rest(5).move(), at_end, hangs=hangs)
    Loop(Wanted(data), lambda _game: camera, lambda: left[0] <= 0, PaintedEye, InlineRunner()).run()
    with Journal(data.journal, readonly=True) as journal:
        bodies = [event.body for event in journal.read()]
    said = [body for body in bodies if isinstance(body, Blind | Sighted)]
    assert [type(body) for body in said] == [Blind, Sighted]
    assert isinstance(said[0], Blind) and said[0].why == why
    assert camera.opened == 1, "a moment's silence is no reason to open it anew"
    assert [body.kind for body in bodies if isinstance(body, VerdictGiven)] == ["legal"]
