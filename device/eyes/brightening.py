"""Show the eye pictures in a light in which it can read, and keep that light constant.

Dim pictures are brightened: the eye was trained on well exposed pictures, and on a nearly black board it misses pits
that a person would find. The gain is chosen when the board is looked for. If the light changes later, by a lamp or the
camera's exposure, and the change lasts, it is removed gradually, frame by frame: so the pits look as they did when
their counts were known, and when they were empty. In little light the noise, which is brightened too, is averaged away
(`device.eyes.denoising`). In such pictures the board is looked for only after some have been averaged, because its
place is kept for long.
"""

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from device.eyes.bands import Bands
from device.eyes.denoising import Denoiser
from device.eyes.parameters import BRIGHTENING
from device.eyes.table_eye import TableEye
from vision.hands.pixels import most_of, quantile
from vision.reading import COUNTS, BoardView, Frame, Lesson, Reading, Watched

EVERY = 8
"""Step between sampled pixels."""


class Brightening:
    """Wraps an eye, and shows it every picture in the light in which it found the board."""

    def __init__(self, eye: TableEye) -> None:
        """eye: the wrapped one."""
        self._eye = eye
        self._gain = self._goal = 0.0
        self._found: BoardView | None = None
        self._at: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None
        self._lit = 0.0
        self._since: float | None = None
        self._told = False
        self._steady = Denoiser()
        self._bands = Bands()
        self._faint = False
        self._began, self._calm = 0.0, False

    @property
    def shown(self) -> NDArray[np.uint8] | None:
        """See `TableEye.shown`."""
        return self._eye.shown

    @property
    def view(self) -> BoardView | None:
        """Where the board was found; None until it is found."""
        return self._eye.view

    def watch(self, frame: Frame, *, count: bool = True, revisit: bool = True) -> Watched:
        """The frame's hands at once, and its counting for later, see `TableEye.watch`."""
        frame = self._bands.evened(frame)
        lights = lights_of(frame.image)
        self._settle_gain(lights)
        readable = lights >= BRIGHTENING.night_level
        shown = self._lit_up(frame) if readable else frame
        if readable and self._faint and self.view is None and self._steady.frames < BRIGHTENING.first_frames:
            return Watched(_nothing(frame), None)
        watched = self._eye.watch(shown, count=count, revisit=revisit)
        if self.view is not None and readable:
            self._follow(frame, watched.reading, self.view)
            return self._if_calm(watched)
        return watched

    def _settle_gain(self, lights: float) -> None:
        """Choose the gain while no board is known; afterwards move it one step towards the goal."""
        if self.view is None or self._gain == 0.0:
            self._gain = self._goal = gain_for(lights)
            self._faint = BRIGHTENING.night_level <= lights < BRIGHTENING.faint_level
            if not self._faint:
                self._steady = Denoiser()
        elif self._goal != self._gain:
            step = BRIGHTENING.gain_step
            self._gain = float(np.clip(self._goal, self._gain / step, self._gain * step))

    def _lit_up(self, frame: Frame) -> Frame:
        """The frame as shown to the eye: brightened, and denoised in little light."""
        if self._faint:
            return replace(frame, image=scaled(self._steady.look(frame.image), self._gain))
        return frame if self._gain == 1.0 else replace(frame, image=scaled(frame.image, self._gain))

    def _if_calm(self, watched: Watched) -> Watched:
        """Mark the reading as too dark if, in little light, the picture has never come to rest: otherwise the table
        would stay silent about the board for ever."""
        reading = watched.reading
        seconds = reading.time_ns / 1e9
        self._calm = self._calm or (seconds > self._began and reading.motion <= BRIGHTENING.restless_share)
        if self._calm or not self._faint or seconds - self._began < BRIGHTENING.restless_s:
            return watched
        counting = watched.counting
        return replace(watched, reading=replace(reading, dark=True),
                       counting=None if counting is None else lambda most: replace(counting(most), dark=True))

    def _follow(self, frame: Frame, reading: Reading, view: BoardView) -> None:
        """Choose a new gain goal if the light has changed for good."""
        anew = view is not self._found
        if anew:
            self._found, self._at, self._since = view, _inside(view), None
            self._began, self._calm = frame.time_ns / 1e9, False
        assert self._at is not None
        level = max(1.0, float(quantile(most_of(frame.image[self._at]), 0.5)))
        plainly = BRIGHTENING.plainly_other_light
        if anew and not 1 / plainly < level * self._goal / max(1.0, self._lit) < plainly:
            self._goal = gain_for(lights_of(frame.image))
            self._lit = level * self._goal
        off = self._lit / (level * self._goal)
        hands = any(reading.hands)
        if max(off, 1 / off) < (BRIGHTENING.plainly_other_light if hands else BRIGHTENING.other_light):
            self._since = None
            return
        seconds = frame.time_ns / 1e9
        self._since = seconds if self._since is None else self._since
        if seconds - self._since >= (BRIGHTENING.lasts_with_hands_s if hands else BRIGHTENING.lasts_s):
            self._since = None
            if not self._told:  # no known counts depend on the old light
                self._lit = level * gain_for(lights_of(frame.image))
            goal = float(np.clip(self._lit / level, BRIGHTENING.least_gain, BRIGHTENING.most_gain))
            self._goal = 1.0 if max(goal, 1 / goal) < BRIGHTENING.same_light else goal
            self._faint = self._faint or BRIGHTENING.night_level <= lights_of(frame.image) < BRIGHTENING.faint_level

    def place(self, view: BoardView) -> None:
        """See `TableEye.place`."""
        self._eye.place(view)

    def reset_reference(self) -> None:
        """See `TableEye.anew`."""
        self._eye.reset_reference()

    def learn(self, lesson: Lesson) -> None:
        """See `TableEye.told`."""
        self._told = True
        self._eye.learn(lesson)


def _nothing(frame: Frame) -> Reading:
    """The reading of a frame in which no board was looked for yet."""
    return Reading(frame.time_ns, np.zeros((0, COUNTS), np.float32), np.zeros(0, np.bool_), found=False, counted=False)


def brightened(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A picture uint8[h, w, 3] as shown to an eye that knows no board yet: brightened if it is dim."""
    gain = gain_for(lights_of(image))
    return image if gain == 1.0 else scaled(image, gain)


def gain_for(lights: float) -> float:
    """The gain for a picture with these lights (`lights_of`); 1 if it is not dim, or black."""
    dim = BRIGHTENING.night_level <= lights < BRIGHTENING.dim_level
    return min(BRIGHTENING.most_gain, BRIGHTENING.lit_level / lights) if dim else 1.0


def scaled(image: NDArray[np.uint8] | NDArray[np.float32], gain: float) -> NDArray[np.uint8]:
    """The picture [h, w, 3], 0…255, times `gain`, clipped."""
    return np.asarray(cv2.convertScaleAbs(image, alpha=gain), np.uint8)


def lights_of(image: NDArray[np.uint8]) -> float:
    """The grey level, 0…255, of the brightest parts of a picture uint8[h, w, 3]."""
    return float(quantile(most_of(image[::EVERY, ::EVERY]).ravel(), BRIGHTENING.lights_percentile / 100))


def _inside(view: BoardView) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Sample pixels on and close around the board: their y and their x."""
    x, y = np.meshgrid(np.arange(-0.5, view.cols - 0.49, 0.2), np.arange(-0.5, view.rows - 0.49, 0.2))
    flat = np.stack([x.ravel(), y.ravel(), np.ones(x.size)])
    across, down, far = view.homography @ flat
    width, height = view.picture_size
    return (np.clip(down / far, 0, height - 1).astype(np.int64), np.clip(across / far, 0, width - 1).astype(np.int64))
