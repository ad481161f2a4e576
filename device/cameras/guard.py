"""Detect, count and report a live camera's faulty frames.

Every frame passes through here in the reading thread. A frame that must not be read (torn, stale, out of order) is
dropped. A camera that hangs (repeats one picture, gives only torn ones) counts as gone, and whoever asks it for frames
opens it again. Each kind of trouble is reported at most once a minute.
"""

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
"""A sensor's noise makes every picture different: if pictures stay identical for so long, the camera hangs and is
reopened. That takes a while, hence the long time; the table says much earlier that it sees nothing
(`device.eyes.frozen`)."""
FROZEN_FRAMES = 5
CONTRAST = 24
"""A picture whose darkest and brightest samples differ by fewer grey levels (black or blown out) may well repeat."""
BLACK = 16
"""All samples of a black picture are below this grey level."""

STALE_S = 1.0
"""A frame that arrives this long after it was taken is out of date."""
AHEAD_S = 0.5
"""A frame stamped this far in the future was timed by another clock."""
ODD_FRAMES = 15
"""After this many impossible times in a row the sensor's clock is ignored and the time of arrival is used."""
TORN_FRAMES = 30
"""After this many torn frames in a row the camera is reopened."""
TORN_SHARE = 1 / 16
"""A picture is torn if its share of rows of one even colour exceeds the usual share by this much."""
USUAL_FRAMES = (5, 30)
"""Fewest and most recent frames from which the usual share is computed; with fewer, it counts as 0."""
USUAL_PERCENTILE = 25
"""The usual share is this percentile of those frames' shares: low enough to ignore torn frames among whole ones, high
enough that a caption which stays becomes usual within `TORN_FRAMES`."""

WINDOW = 30
"""Frames over which the rate is measured."""
SLOW = 0.6
"""A rate below this share of the usual one is reported."""
GAP = 1.6
"""An interval of more than this many usual ones means that frames are missing."""
AGAIN_S = 60.0
"""Shortest time between two reports of the same trouble."""
MOST_NOTES = 50


@dataclass(slots=True)
class FrameCounts:
    """Counts of a camera's frames since it was first opened. frames: passed on; dropped: lost in the camera between two
    frames; stale, backwards, torn: not passed on; black: passed on; frozen: times that the camera hung on one picture;
    slow: times that its rate fell; gone: times that it was lost."""

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
        """The counts in words, without those that are zero."""
        values = [(f.name, getattr(self, f.name)) for f in fields(self)]
        return ", ".join(f"{value} {name}" for name, value in values if value or name == "frames")


class Guard:
    """Watches one camera's frames over all its openings: call `begin` at each."""

    def __init__(self, name: Message | str, clock: Callable[[], int] = time.monotonic_ns) -> None:
        """name: the camera's, for people; clock: monotonic, nanoseconds."""
        self.name = name
        self._clock = clock
        self._counts = FrameCounts()
        self._notes: deque[str] = deque(maxlen=MOST_NOTES)
        self._said: dict[str, int] = {}
        self.begin()

    def begin(self) -> None:
        """Start anew after the camera was opened, as its size, rate and clock may have changed."""
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
        """A copy of the counts so far."""
        return replace(self._counts)

    def notes(self) -> list[str]:
        """The sentences for people since the last call."""
        found: list[str] = []
        while self._notes:
            found.append(self._notes.popleft())
        return found

    def lost(self) -> None:
        """Count a loss of the camera."""
        self._counts.gone += 1

    def check(self, frame: Frame, *, differs: bool = True) -> Frame | None:
        """Return the frame with its number and a reliable time; None if it must not be read. Raises `CameraGone`.

        `frame.time_ns` is the sensor's stamp or the time of arrival. differs: noise should make this picture differ
        from the one before; False between the key frames of a video.
        """
        torn = self._is_torn(frame.image)
        if torn and len(self._even) < USUAL_FRAMES[0]:
            return None  # torn, or a bar that is always in the picture: too early to tell
        if torn:
            self._counts.torn += 1
            self._torn_row += 1
            self._note("torn", "gives torn pictures, which are skipped: check its cable")
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
        """The frame's time, after the last one's; None for a frame that comes late or twice."""
        now = self._clock()
        if self._own_clock:
            return max(now, self._last_ns + 1)
        if stamp < now - STALE_S * NANO:
            kind, words = "stale", "gives pictures that are older than a second"
        elif stamp <= self._last_ns or stamp > now + AHEAD_S * NANO:
            kind, words = "backwards", "stamps its pictures with impossible times"
        else:
            self._odd.clear()
            return stamp
        # A repeated frame has the same stamp, while a wrong clock still advances.
        running, self._odd_last = stamp != self._odd_last, stamp
        self._odd[kind] += running
        setattr(self._counts, kind, getattr(self._counts, kind) + 1)
        self._note(kind, f"{words}; they are skipped")
        if self._odd.total() >= ODD_FRAMES:
            self._own_clock = True
            self._note("clock", "has an unreliable clock: the time of arrival is used instead")
        return None

    def _pace(self, time_ns: int) -> None:
        """Count missing frames, and note a fall of the rate."""
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
        """Notice a black picture, and one that repeats although it should differ. Raises `CameraGone`."""
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
            raise CameraGone(FROZEN)  # the same message as the table's

    def _is_torn(self, image: NDArray[np.uint8]) -> bool:
        """Whether the frame is torn: its size differs from the first one's, or more of its rows have one even colour
        than usual. Decoders fill a picture that breaks off with its last colour, with grey or green."""
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
    """Share of the rows of an image uint8[h, w, 3] that have exactly one colour; 0 if all have. Black and white rows do
    not count, since they show no noise in good pictures either."""
    rows = image[::8, ::8]
    colours = rows[:, :1]
    even = (rows == colours).all(axis=(1, 2)) & ((colours > 8) & (colours < 247)).any(axis=(1, 2))
    return 0.0 if even.all() else float(even.mean())
