"""A table whose camera does everything wrong, some times each: the table says so, sees again, and all is counted."""

import random
from pathlib import Path

import numpy as np
import pytest

from device.cameras.base import Camera, CameraGone
from device.cameras.guard import NANO, Guard
from device.eyes.frozen import WHY
from device.eyes.pipeline import InlineRunner
from device.journal import Journal
from device.journal.events import Blind, CameraNoted, Sighted, StateEntered
from device.system.folder import DataFolder
from device.system.table_process import Loop, Wanted
from engine.rules import ruleset
from tests.device.painted import FPS, PaintedEye, painted
from tests.examples import examples
from vision.reading import Frame

TIMES = examples(3)
KINDS = {"frozen": 52, "torn": 20, "black": 12, "backwards": 20, "stale": 20, "unplugged": 1, "slow": 34}
"""Each with how many frames long it is: no longer than it takes to be noticed and said."""
BETWEEN = 36
"""Frames in which all is well; the usual rate is known after thirty."""
STEP = NANO // FPS


class Faulty(Camera):
    """A live camera at a board where nothing happens, with the guard that real ones have; its time is its own."""

    name = "faulty camera"
    live = True

    def __init__(self) -> None:
        self.now = 100 * NANO
        self.guard = Guard(self.name, lambda: self.now)
        self.noise = np.random.default_rng(3)
        self.board = painted(ruleset("enkeshui", "driedger").setup().counts)
        faults = list(KINDS) * TIMES
        random.Random(5).shuffle(faults)
        self.faults = ["", *(fault for kind in faults for fault in (kind, ""))]
        self.left = 0
        self.fault = ""
        self.still = self.picture()
        self.opened = 0

    def picture(self) -> np.ndarray:
        image = self.board.copy()
        image[8:] = self.noise.integers(60, 200, image[8:].shape)
        return image

    def open(self) -> None:
        self.opened += 1
        self.guard.begin()

    def close(self) -> None: ...

    def notes(self) -> list[str]:
        return self.guard.notes()

    @property
    def done(self) -> bool:
        return not self.faults and not self.left

    def read(self, timeout_s: float) -> Frame | None:
        """A frame of whatever is wrong just now."""
        if not self.left:
            self.fault, self.still = self.faults.pop(0), self.picture()
            self.left = KINDS.get(self.fault, BETWEEN)
        self.left -= 1
        self.now += STEP * (3 if self.fault == "slow" else 1)
        image, stamp = self.picture(), self.now
        match self.fault:
            case "frozen":
                image = self.still
            case "torn" if self.left % 5 == 0:
                image[30:] = 117
            case "black":
                image = np.zeros_like(image)
            case "backwards" if self.left % 10 == 0:
                stamp -= 3 * STEP
            case "stale" if self.left % 10 == 0:
                stamp -= 5 * NANO
            case "unplugged":
                self.left = 0
                self.guard.lost()
                raise CameraGone("the faulty camera gives no more pictures: is it still plugged in?")
        return self.guard.check(Frame(np.asarray(image, np.uint8), stamp, 0))


def test_every_fault_is_said_survived_and_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("device.system.table_process.RETRY_S", (0.0,))
    monkeypatch.setattr("device.evidence.live_picture.EVERY_S", 1e9)  # nobody looks
    data, camera = DataFolder(tmp_path), Faulty()
    Loop(Wanted(data), lambda _game: camera, lambda: camera.done, PaintedEye, InlineRunner()).run()
    counts = camera.guard.counts
    assert counts.frozen == TIMES and counts.gone == 2 * TIMES and camera.opened == 2 * TIMES + 1
    assert counts.torn == TIMES * KINDS["torn"] // 5 and counts.black == TIMES * KINDS["black"]
    assert counts.backwards == counts.stale == TIMES * 2, "every tenth frame of twenty"
    assert counts.slow == TIMES
    with Journal(data.journal, readonly=True) as journal:
        assert journal.verify() is None
        bodies = [event.body for event in journal.read()]
    blind = [body.why for body in bodies if isinstance(body, Blind)]
    assert blind.count(WHY) == TIMES
    assert sum("still plugged in" in why for why in blind) == TIMES
    assert sum("not in the picture" in why for why in blind) >= TIMES, "a black picture shows no board"
    noted = " ".join(body.sentence for body in bodies if isinstance(body, CameraNoted))
    for words in ("torn pictures", "black pictures", "impossible times", "older than a second", "it gave"):
        assert words in noted
    said = [body for body in bodies if isinstance(body, Blind | Sighted)]
    assert isinstance(said[-1], Sighted) and sum(isinstance(body, Sighted) for body in said) >= 2.5 * TIMES
    assert not any(isinstance(body, StateEntered) and body.state == "judging" for body in bodies)
