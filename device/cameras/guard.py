"""What a live camera may do wrong while it goes on giving frames: noticed, counted and said.

Every frame passes through here in the reading thread. A frame that must not be read (torn, stale, out of order) is
dropped; a camera that hangs (the same picture over and over, nothing but torn ones) is gone, and is opened again by
whoever asks it for frames. Everything is counted, and each kind of trouble is said at most once a minute.
"""

from __future__ import annotations

import time
import zlib
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from device.cameras.base import CameraGone
from device.eyes.frozen import FROZEN
from device.journal.messages import message
from engine.messages import Message
from vision.reading import Frame

NANO = 1_000_000_000

FROZEN_S = 3.0
"""A sensor's noise makes every picture another: with one that stays the same to the bit for so long the camera hangs,
and is opened anew, which takes a while and is done only when sure. The table has said long before that it sees nothing
(see `device.eyes.frozen`)."""
FROZEN_FRAMES = 5
CONTRAST = 24
"""Grey levels between the darkest and the brightest sample below which a picture may well stay the same: it is black,
or blown out."""
BLACK = 16
"""Grey level that no sample of a black picture reaches."""

STALE_S = 1.0
"""A frame that was taken so long before it came shows what is no more."""
AHEAD_S = 0.5
"""A frame from so far in the future was stamped by another clock than ours."""
ODD_FRAMES = 15
"""After so many impossible times in a row the sensor's clock counts as useless, and the time of arrival is taken."""
TORN_FRAMES = 30
"""After so many torn frames in a row the camera is opened anew."""
TORN_SHARE = 1 / 16
"""Share of a picture's rows that are of one even colour beyond the usual share, from which on it is torn."""
USUAL_FRAMES = (5, 30)
"""Fewest and most of the last frames that tell the usual share; before the fewest have come it is taken to be 0."""
USUAL_PERCENTILE = 25
"""Of these frames' shares, the usual one: among torn frames there are whole ones, and a caption that comes to stay is
usual before `TORN_FRAMES` are over."""

WINDOW = 30
"""Frames over which the rate is measured."""
SLOW = 0.6
"""Share of the usual rate below which it is said."""
GAP = 1.6
"""Frames' distances from one another, in usual ones, from which a frame is missing between them."""
AGAIN_S = 60.0
"""The same trouble is said again after so long at the earliest."""
MOST_NOTES = 50


@dataclass(slots=True)
class FrameCounts:
    """What came from a camera since it was first opened. frames: those handed on; dropped: by the camera, between two
    frames; stale, backwards, torn: frames not handed on; black: handed on all the same; frozen: times that the camera
    hung on one picture; slow: times that its rate fell; gone: times that it was lost."""

    frames: int = 0
    dropped: int = 0
    stale: int = 0
    backwards: int = 0
    torn: int = 0
    black: int = 0
    frozen: int = 0
    slow: int = 0
    gone: int = 0

    def sentence(self) -> str:
        """In words, what is zero left out."""
        values = [(f.name, getattr(self, f.name)) for f in fields(self)]
        return ", ".join(f"{value} {name}" for name, value in values if value or name == "frames")


class Guard:
    """Watches one camera's frames. name: for people. clock: nanoseconds of the monotonic clock.

    It outlives the single opening of the camera: call `begin` at each.
    """

    def __init__(self, name: Message | str, clock: Callable[[], int] = time.monotonic_ns) -> None:
        """name: of the camera, for people; clock: nanoseconds of the monotonic clock."""
        self.name = name
        self._clock = clock
        self._counts = FrameCounts()
        self._notes: deque[str] = deque(maxlen=MOST_NOTES)
        self._said: dict[str, int] = {}
        self.begin()

    def begin(self) -> None:
        """The camera was opened (again): its size, rate and clock may be others now."""
        self._size: tuple[int, ...] | None = None
        self._last_ns = -1
        self._odd: Counter[str] = Counter()
        self._odd_last = -1
        self._own_clock = False
        self._torn_row = 0
        self._even: deque[float] = deque(maxlen=USUAL_FRAMES[1])
        self._picture = 0
        self._same_since = -1
        self._same = 0
        self._intervals: deque[float] = deque(maxlen=WINDOW)
        self._usual = 0.0
        self._slow = False

    @property
    def counts(self) -> FrameCounts:
        """What was counted so far, as it is now."""
        return replace(self._counts)

    def notes(self) -> list[str]:
        """The sentences for people that are due since the last call."""
        found: list[str] = []
        while self._notes:
            found.append(self._notes.popleft())
        return found

    def lost(self) -> None:
        """The camera is gone."""
        self._counts.gone += 1

    def check(self, frame: Frame, *, differs: bool = True) -> Frame | None:
        """The frame with a time that can be relied on; None when it is not to be read. Raises `CameraGone`.

        `frame.time_ns` is the sensor's stamp or the time of arrival. differs: whether a sensor's noise makes this
        picture another than the one before; not so between the key frames of a video.
        """
        torn = self._is_torn(frame.image)
        if torn and len(self._even) < USUAL_FRAMES[0]:
            return None  # it may be torn, and it may be a bar that is always there
        if torn:
            self._counts.torn += 1
            self._torn_row += 1
            self._note("torn", "gives torn pictures, which are passed over: check its cable")
            if self._torn_row >= TORN_FRAMES:
                self._torn_row = 0
                self.lost()
                raise CameraGone(message("reason.torn", camera=self.name))
            return None
        self._torn_row = 0
        time_ns = self._time(frame.time_ns)
        self._look(frame.image, self._clock(), differs)
        if time_ns is None:
            return None
        self._pace(time_ns)
        self._last_ns = time_ns
        frame = Frame(frame.image, time_ns, self._counts.frames)
        self._counts.frames += 1
        return frame

    # ---- the time --------------------------------------------------------------------------------------------------

    def _time(self, stamp: int) -> int | None:
        """The frame's time, never before the last one's; None for a frame that comes late or twice."""
        now = self._clock()
        if self._own_clock:
            return max(now, self._last_ns + 1)
        if stamp < now - STALE_S * NANO:
            kind, words = "stale", "gives pictures that are older than a second"
        elif stamp <= self._last_ns or stamp > now + AHEAD_S * NANO:
            kind, words = "backwards", "stamps its pictures with times that cannot be"
        else:
            self._odd.clear()
            return stamp
        # The same frame over and over has the same stamp; a clock that goes wrong goes on all the same.
        running, self._odd_last = stamp != self._odd_last, stamp
        self._odd[kind] += running
        setattr(self._counts, kind, getattr(self._counts, kind) + 1)
        self._note(kind, f"{words}; they are passed over")
        if self._odd.total() >= ODD_FRAMES:
            self._own_clock = True
            self._note("clock", "has a clock that cannot be relied on: the time of arrival is taken instead")
        return None

    def _pace(self, time_ns: int) -> None:
        """Count frames that are missing, and see the rate fall."""
        if self._last_ns < 0:
            return
        interval = (time_ns - self._last_ns) / NANO
        if len(self._intervals) == WINDOW:
            middle = float(np.median(self._intervals))
            if not self._usual:
                self._usual = middle
            if interval > GAP * middle:
                self._counts.dropped += round(interval / middle) - 1
            slow = self._usual / middle < SLOW
            if slow and not self._slow:
                self._counts.slow += 1
                self._note("slow", f"gives {1 / middle:.0f} pictures a second, it gave {1 / self._usual:.0f}: "
                                   "the light is dim, its cable bad or this machine too hot")
            self._slow = slow
        self._intervals.append(interval)

    # ---- the picture -----------------------------------------------------------------------------------------------

    def _look(self, image: NDArray[np.uint8], now: int, differs: bool) -> None:
        """See a picture that is black, and one that stays the same where it `differs`. Raises `CameraGone`."""
        sample = np.ascontiguousarray(image[::8, ::8])
        brightest = int(sample.max())
        if brightest < BLACK:
            self._counts.black += 1
            self._note("black", "gives black pictures: take the cap off its lens, or turn on a lamp")
        if not differs:
            return
        picture = zlib.crc32(sample.tobytes())
        if picture != self._picture or brightest - int(sample.min()) < CONTRAST:
            self._picture, self._same_since, self._same = picture, now, 0
            return
        self._same += 1
        if self._same >= FROZEN_FRAMES and now - self._same_since >= FROZEN_S * NANO:
            self._counts.frozen += 1
            self.lost()
            self._same_since, self._same = now, 0
            raise CameraGone(FROZEN)  # in the words that the table has used for it already

    def _is_torn(self, image: NDArray[np.uint8]) -> bool:
        """Whether the frame is torn: its size is not the first one's, or more of its rows have one even colour than in
        the frames around it. Where a picture broke off, decoders go on with the last colour, with grey or green."""
        if self._size is None:
            self._size = image.shape
        self._even.append(even_share(image))
        if image.shape != self._size:
            return True
        usual = np.percentile(self._even, USUAL_PERCENTILE) if len(self._even) >= USUAL_FRAMES[0] else 0.0
        return self._even[-1] >= usual + TORN_SHARE

    def _note(self, kind: str, words: str) -> None:
        now = self._clock()
        if kind in self._said and now - self._said[kind] < AGAIN_S * NANO:
            return
        self._said[kind] = now
        self._notes.append(f"the {self.name} {words}")


def even_share(image: NDArray[np.uint8]) -> float:
    """Share of the rows of an image uint8[h, w, 3] that have one colour to the bit; 0 where all have. Rows of black and
    of white are left out, since noise is missing in these where nothing is wrong."""
    rows = image[::8, ::8]
    colours = rows[:, :1]
    even = (rows == colours).all(axis=(1, 2)) & ((colours > 8) & (colours < 247)).any(axis=(1, 2))
    return 0.0 if even.all() else float(even.mean())
