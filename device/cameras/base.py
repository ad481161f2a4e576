"""The base of all cameras: open, read frames, close, and tell passing troubles from lasting ones."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Protocol

from device.errors import UserError
from device.journal.events import Order, ShowFoul
from device.journal.live_state import CameraChoice
from engine.messages import Message
from vision.reading import Frame

Size = tuple[int, int]
"""(width, height) of a picture."""

LEAST_PITCH = 110
"""Pixels of a picture's width that each column of the board should have: with a quarter of the width left free, a pit
is then as large as the crop that the reader takes of it (`vision.seeds.crops`)."""


def size_for(columns: int, sizes: Sequence[Size]) -> Size:
    """The first of the sizes, which ascend, that gives every column of the board `LEAST_PITCH` pixels; else the last.
    """
    return next((size for size in sizes if size[0] >= LEAST_PITCH * columns), sizes[-1])


class CameraGone(UserError):
    """The camera does not answer now (unplugged, starting, asleep): try again later. One sentence."""


class CameraError(UserError):
    """The camera cannot work until a person has done something. One sentence: what is wrong, what to do."""


class UnusableWord(CameraError):
    """The word given for `--camera` names no camera. One sentence in English, for the command line."""

    exit_code = 2


class EndOfRecording(Exception):
    """A recording has no more frames."""


class EndedEarly(EndOfRecording):
    """A recording has no more frames although its file states a longer duration. One sentence."""


class Camera(ABC):
    """One source of frames, with defaults for what only some sources have.

    live: frames come in their own time and only the newest counts; False for a recording, which is read as fast as
    possible and whose frames' `time_ns` are the recording's own. waits: the scene stands still while no frame is asked
    for, as simulated players wait for a slow machine. interframe: the video may store only changes, so pictures of a
    still scene can be identical to the bit, and the camera itself tells whether it hangs. unfed: the message for "no
    pictures come", for a camera to which something else must deliver the pictures, so that no cable is to blame; its
    key plus `.todo` names what people can do. accepted: the table has accepted the start of the current game, and the
    game has not ended; simulated players do not begin before.
    """

    live: bool
    name: Message | str
    """The camera's name for people: a message, or its maker's name for it."""
    waits = False
    interframe = False
    unfed: Message | None = None
    accepted = True

    @property
    def duration_s(self) -> float | None:
        """Duration of the open recording as its file states it, seconds; None if it states none."""
        return None

    @abstractmethod
    def open(self) -> None:
        """Open the camera. Raises `CameraGone` or `CameraError`."""

    @abstractmethod
    def read(self, timeout_s: float) -> Frame | None:
        """The next frame, or a live camera's newest one not yet given; None if none came within `timeout_s`.

        Raises `CameraGone`, `CameraError`, and `EndOfRecording` at the end of a recording.
        """

    @abstractmethod
    def close(self) -> None:
        """Close the camera; does nothing if it is not open. A closed camera may be opened again."""

    def fit(self, columns: int) -> bool:
        """Choose a picture size for a board of `columns` pits in a row. True if the camera must be reopened for it."""
        return False

    def notes(self) -> list[str]:
        """Sentences for people about faults of the frames since the last call; mostly none."""
        return []

    def hear(self, order: Order | ShowFoul, position: str = "") -> bool:
        """Tell simulated players of an order that the table took up; False if the camera has none. position: what they
        have to lay on the board for it, "" for nothing."""
        return False


class CameraModule(Protocol):
    """What the module of each kind of camera provides; `device.cameras.choose` lists the kinds."""

    FORMS: str
    """How such a camera is written for `--camera`, such as "usb, usb:N"."""

    def made(self, which: str | None) -> Camera:
        """The camera, not yet open. which: the part of its word after the colon, None without a colon; the whole word
        if it is an address. Raises `UnusableWord`."""

    def found(self) -> list[CameraChoice]:
        """The cameras of this kind that can be chosen on this machine now."""
