"""What every camera is to the table: it opens, gives frames, closes, and says which of its troubles will pass."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Protocol

from device.journal.events import Order, ShowFoul
from device.journal.live_state import CameraChoice
from engine.messages import Message
from vision.reading import Frame

Size = tuple[int, int]
"""(width, height) of a picture."""

LEAST_PITCH = 110
"""Pixels of a picture's width that each column of the board should have: with a quarter of the width left over, a pit
is then as large as the reader's picture of it (`vision.seeds.crops`)."""


def size_for(columns: int, sizes: Sequence[Size]) -> Size:
    """The smallest of the sizes, which stand in their order, that gives every column of the board its pixels."""
    return next((size for size in sizes if size[0] >= LEAST_PITCH * columns), sizes[-1])


class CameraGone(Exception):
    """The camera does not answer just now (unplugged, starting, asleep): worth trying again. One sentence."""


class CameraError(Exception):
    """There is no use in trying again before a person has done something. One sentence: what is wrong, what to do."""


class UnusableWord(CameraError):
    """What was written for `--camera` is no word of a camera. One sentence, for the command line alone."""


class EndOfRecording(Exception):
    """A recording has no further frames."""


class EndedEarly(EndOfRecording):
    """A recording has no further frames, and says itself that it is longer. One sentence."""


class Camera(ABC):
    """One source of frames, and what only some sources have, as it is where a source does not have it.

    live: frames come in their own time and only the newest counts; False for a recording, which is
    read as fast as one can and whose frames' `time_ns` are the recording's own. waits: nothing happens before it while
    it gives no frame, since simulated players wait for a slow machine. interframe: the open video may hold only what
    changes, so that pictures of a still scene are the same to the bit, and the camera itself tells whether it hangs.
    unfed: what is said when no pictures come, where something else puts them there and no cable is to blame; its key
    with `.todo` behind it is that of what people can do. accepted: the table has accepted the start of the game that
    is on, and the game has not ended; simulated players do not begin before.
    """

    live: bool
    name: Message | str
    """What people call it: a message, or its maker's name."""
    waits = False
    interframe = False
    unfed: Message | None = None
    accepted = True

    @property
    def duration_s(self) -> float | None:
        """Seconds of the whole recording, which is open, by the file's own word; None where there is none."""
        return None

    @abstractmethod
    def open(self) -> None:
        """Begin. Raises `CameraGone` or `CameraError`."""

    @abstractmethod
    def read(self, timeout_s: float) -> Frame | None:
        """The next frame not yet given, the newest one of a live camera; None when none came within `timeout_s`.

        Raises `CameraGone`, `CameraError`, and `EndOfRecording` at the end of a recording.
        """

    @abstractmethod
    def close(self) -> None:
        """End; harmless when not open. A closed camera may be opened again."""

    def fit(self, columns: int) -> bool:
        """Give larger pictures of a board with more pits in a row. True when the camera has to be opened anew."""
        return False

    def notes(self) -> list[str]:
        """Sentences for people on what was wrong with the frames since the last call; seldom any."""
        return []

    def hear(self, order: Order | ShowFoul, position: str = "") -> bool:
        """The table took up this order of the people's; whether players of the camera hear it. position: what is to
        be laid for it, where something is."""
        return False


class CameraModule(Protocol):
    """What the module of a kind of camera has, beside its class; the kinds are listed in `device.cameras.choose`."""

    FORMS: str
    """How such a camera is written for `--camera`, such as "usb, usb:N"."""

    def made(self, which: str | None) -> Camera:
        """The camera, not yet open. which: what stands behind the colon of its word, None where there is no colon; the
        whole word where it is an address. Raises `UnusableWord`."""

    def found(self) -> list[CameraChoice]:
        """Those of this kind that can be chosen on this machine now."""
