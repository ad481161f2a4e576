"""What every camera is to the table: it opens, gives frames, closes, and says which of its troubles will pass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

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


class Camera(Protocol):
    """One source of frames.

    live: frames come in their own time and only the newest counts; False for a recording, which is
    read as fast as one can and whose frames' `time_ns` are the recording's own.
    """

    live: bool

    @property
    def name(self) -> Message | str:
        """What people call it: a message, or its maker's name."""

    def open(self) -> None:
        """Begin. Raises `CameraGone` or `CameraError`."""

    def read(self, timeout_s: float) -> Frame | None:
        """The next frame not yet given, the newest one of a live camera; None when none came within `timeout_s`.

        Raises `CameraGone`, `CameraError`, and `EndOfRecording` at the end of a recording.
        """

    def close(self) -> None:
        """End; harmless when not open. A closed camera may be opened again."""


class CameraModule(Protocol):
    """What the module of a kind of camera has, beside its class; the kinds are listed in `device.cameras.choose`."""

    FORMS: str
    """How such a camera is written for `--camera`, such as "usb, usb:N"."""

    def made(self, which: str | None) -> Camera:
        """The camera, not yet open. which: what stands behind the colon of its word, None where there is no colon; the
        whole word where it is an address. Raises `UnusableWord`."""

    def found(self) -> list[CameraChoice]:
        """Those of this kind that can be chosen on this machine now."""


@runtime_checkable
class Lasting(Protocol):
    """A camera whose frames have an end that is known before it is reached: a recording."""

    @property
    def duration_s(self) -> float | None:
        """Seconds of the whole recording, by the file's own word; None where it does not say. The recording is open."""


@runtime_checkable
class Fitting(Protocol):
    """A camera that gives larger pictures of a board with more pits in a row."""

    def fit(self, columns: int) -> bool:
        """A board of so many columns is to be seen. True when the camera has to be opened anew for it."""


@runtime_checkable
class Hearing(Protocol):
    """A camera whose players hear the referee: the simulated table."""

    def hear(self, order: Order | ShowFoul, position: str = "") -> None:
        """The table took up this order of the people's. position: what is to be laid for it, where something is."""


@runtime_checkable
class Patient(Protocol):
    """A camera whose players do not begin a game before the table has found the board and accepted the start: the
    simulated table."""

    def accepted(self, accepted: bool) -> None:
        """Whether the table has accepted the start of the game that is on, and the game has not ended."""


@runtime_checkable
class WaitsForTable(Protocol):
    """A camera before which nothing happens while it gives no frame: the simulated players wait for a slow machine."""

    waits: bool


@runtime_checkable
class Fed(Protocol):
    """A camera whose pictures are put there by something else, so that no cable is to blame when none come."""

    unfed: Message
    """What is then said; its key with `.todo` behind it is that of what people can do."""


@runtime_checkable
class Interframe(Protocol):
    """A camera whose video may hold what changes alone: then its pictures of a still scene are the same to the bit, and
    the camera itself tells whether it hangs."""

    interframe: bool
    """Whether the open video is such."""


@runtime_checkable
class Noting(Protocol):
    """A camera that notices what is wrong with its frames while it goes on giving them."""

    def notes(self) -> list[str]:
        """The sentences for people that came up since the last call; seldom any."""
