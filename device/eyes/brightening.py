"""Pictures are shown to the eye in the light in which it can read, and in the light in which it found the board.

Dim pictures are shown brighter: the eye learned from pictures that a camera had exposed well, and in a board that is
nearly black it finds no pits that a person would. By how much is settled when the board is looked for. Light that
changes afterwards, a lamp's or the camera's exposure, is taken out once it has lasted, a little from frame to frame: so
the pits look as they did when it was known what they held, and as they did when they were empty. Where the noise, made
brighter with all else, keeps the picture restless, it is averaged away (`device.eyes.denoising`); and in such pictures
a board is looked for once some have been put together, for where it is found, and how, holds for long.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from device.eyes.denoising import Denoiser
from device.eyes.looking import Looking, Placeable, Teachable, renew
from vision.reading import COUNTS, BoardView, Frame, Reading

DIM = 78.0
"""Grey level of a picture's lights below which it is dim. Of clips at 44 and 56 nothing was found, or nothing said, and
at 69 and 75 dark boards on paler tables were too dark all the while; those at 86, 90 and 100 are refereed worse made
brighter.
"""
LIT = 230.0
"""The level to which they are brought."""
LEAST, MOST = 0.4, 5.0
"""Times as bright at least and at most: noise grows as well, and what is too bright for the camera holds nothing."""
FAINT = 110.0
"""Level below which a picture's noise is listened to, and averaged away: dim boards on tables that are not so dim were
restless at 68 and 82, and nothing was said of them.
"""
FIRST = 5
"""Frames of such a picture that are put together before a board is looked for in it."""
NIGHT = 20.0
"""Level below which nothing is to be seen, and that is for the eye to say."""
LIGHTS = 99.5
"""Percentile of a picture that counts as its lights: a lamp's mirror image is brighter than the table that it lights.
"""
EVERY = 8
"""Pixels between those that are looked at."""
OTHERWISE, ALIKE = 1.12, 1.03
"""Times by which the board is brighter or darker than when it was found for it to be another light, and no other."""
PLAINLY = 1.6
"""The same, whatever lies over the board: hands over less than half of it do not change its middle as much."""
LASTS_S, LASTS_WITH_HANDS_S = 0.15, 1.0
"""How long it has to be so."""
RESTLESS, RESTLESS_S = 0.01, 5.0
"""Share of the board that changes from frame to frame, below which it always was in a picture in little light for so
many seconds since it was found, for that light to be too little: noise hides whatever happens there. It is what
`device.table.context.Pace.quiet` has; hands pause more often.
"""
STEP = 1.2
"""Times by which a frame may be brightened more than the one before, so that nothing seems to move."""


class Brightening:
    """An eye that is shown every picture in the light in which it found the board."""

    def __init__(self, eye: Looking) -> None:
        self._eye = eye
        self._gain = self._goal = 0.0
        self._found: BoardView | None = None
        self._at: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None
        self._lit = 0.0
        self._since: float | None = None
        self._told = False
        self._steady = Denoiser()
        self._faint = False
        self._began, self._calm = 0.0, False
        self._shown: NDArray[np.uint8] | None = None

    @property
    def shown(self) -> NDArray[np.uint8] | None:
        """The last picture as the eye was shown it; None before."""
        return self._shown

    @property
    def view(self) -> BoardView | None:
        """The board as it was found; None before."""
        return self._eye.view

    def look(self, frame: Frame, *, count: bool = True, afresh: bool = True) -> Reading:
        """What the frame says."""
        lights = lights_of(frame.image)
        if self.view is None or self._gain == 0.0:
            self._gain = self._goal = gain_for(lights)
            self._faint = NIGHT <= lights < FAINT
            if not self._faint:
                self._steady = Denoiser()
        elif self._goal != self._gain:
            self._gain = float(np.clip(self._goal, self._gain / STEP, self._gain * STEP))
        shown = frame
        if lights >= NIGHT and self._faint:
            shown = replace(frame, image=scaled(self._steady.look(frame.image), self._gain))
            if self.view is None and self._steady.frames < FIRST:
                return _nothing(frame)
        elif lights >= NIGHT and self._gain != 1.0:
            shown = replace(frame, image=scaled(frame.image, self._gain))
        self._shown = shown.image
        reading = self._eye.look(shown, count=count, afresh=afresh)
        if self.view is not None and lights >= NIGHT:
            self._follow(frame, reading, self.view)
            return self._if_calm(reading)
        return reading

    def _if_calm(self, reading: Reading) -> Reading:
        """The reading; of a picture in little light that has not come to rest once it says that it is too dark: nothing
        would ever be said of what lies there."""
        seconds = reading.time_ns / 1e9
        self._calm = self._calm or (seconds > self._began and reading.motion <= RESTLESS)
        if self._calm or not self._faint or seconds - self._began < RESTLESS_S:
            return reading
        return replace(reading, dark=True)

    def _follow(self, frame: Frame, reading: Reading, view: BoardView) -> None:
        """Choose the gain anew where the light has changed for good."""
        anew = view is not self._found
        if anew:
            self._found, self._at, self._since = view, _inside(view), None
            self._began, self._calm = frame.time_ns / 1e9, False
        assert self._at is not None
        level = max(1.0, float(np.median(frame.image[self._at].max(axis=1))))
        if anew and not 1 / PLAINLY < level * self._goal / max(1.0, self._lit) < PLAINLY:
            self._goal = gain_for(lights_of(frame.image))
            self._lit = level * self._goal
        off = self._lit / (level * self._goal)
        hands = any(reading.hands)
        if max(off, 1 / off) < (PLAINLY if hands else OTHERWISE):
            self._since = None
            return
        seconds = frame.time_ns / 1e9
        self._since = seconds if self._since is None else self._since
        if seconds - self._since >= (LASTS_WITH_HANDS_S if hands else LASTS_S):
            self._since = None
            if not self._told:  # nothing is held against how they look now
                self._lit = level * gain_for(lights_of(frame.image))
            goal = float(np.clip(self._lit / level, LEAST, MOST))
            self._goal = 1.0 if max(goal, 1 / goal) < ALIKE else goal
            self._faint = self._faint or NIGHT <= lights_of(frame.image) < FAINT

    def place(self, view: BoardView) -> None:
        """From now on the board lies there."""
        assert isinstance(self._eye, Placeable)
        self._eye.place(view)

    def anew(self) -> None:
        """How the board looked before does not hold any more."""
        renew(self._eye, True)

    def told(self, counts: NDArray[np.int64]) -> None:
        """The pits, as they were counted last, hold so many."""
        assert isinstance(self._eye, Teachable)
        self._told = True
        self._eye.told(counts)


def _nothing(frame: Frame) -> Reading:
    """No board was looked for yet."""
    return Reading(frame.time_ns, np.zeros((0, COUNTS), np.float32), np.zeros(0, np.bool_), found=False, counted=False)


def brightened(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A picture uint8[h, w, 3] as it is shown to the eye where nothing is known yet: brighter where it is dim."""
    gain = gain_for(lights_of(image))
    return image if gain == 1.0 else scaled(image, gain)


def gain_for(lights: float) -> float:
    """Times as bright as a picture is to be shown whose lights are so bright; 1 where it is not dim, or black."""
    return min(MOST, LIT / lights) if NIGHT <= lights < DIM else 1.0


def scaled(image: NDArray[np.uint8] | NDArray[np.float32], gain: float) -> NDArray[np.uint8]:
    """The picture [h, w, 3], 0…255, so many times as bright."""
    return np.asarray(cv2.convertScaleAbs(image, alpha=gain), np.uint8)


def lights_of(image: NDArray[np.uint8]) -> float:
    """The grey level, 0…255, of the brightest parts of a picture uint8[h, w, 3]."""
    return float(np.percentile(image[::EVERY, ::EVERY].max(axis=2), LIGHTS))


def _inside(view: BoardView) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pixels on the board and close round it: their y and their x."""
    x, y = np.meshgrid(np.arange(-0.5, view.cols - 0.49, 0.2), np.arange(-0.5, view.rows - 0.49, 0.2))
    flat = np.stack([x.ravel(), y.ravel(), np.ones(x.size)])
    across, down, far = view.homography @ flat
    width, height = view.size
    return (np.clip(down / far, 0, height - 1).astype(np.int64), np.clip(across / far, 0, width - 1).astype(np.int64))
