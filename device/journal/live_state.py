"""The table's live state, `live/state.json`: the table writes it some nine times a second and the page reads it. Each
state replaces the one before; it is no history."""

from pathlib import Path

import msgspec

from device.journal.events import Told

MOST_BYTES = 65_536
"""Bytes of the longest state that is read."""


class LivePit(msgspec.Struct, frozen=True):
    """A pit in the live picture. x, y, r: its centre and radius, pixels of that picture. count: the likeliest number of
    seeds, -1 until it was read. p: the probability of that count. seen: no hand covers the pit."""

    name: str
    x: float
    y: float
    r: float
    count: int = -1
    p: float = 0.0
    seen: bool = True


class CameraChoice(msgspec.Struct, frozen=True, array_like=True):
    """A camera that can be chosen at this table. word: as written for `--camera`. name: in English, or its maker's
    name for it; told: the message of that name, None for a maker's name."""

    word: str
    name: str
    told: Told | None = None


class LiveState(msgspec.Struct, frozen=True):
    """What the table sees and does now.

    t: seconds of the table's clock. state: one of `device.journal.states`; why: a few words about it, told: their
    message. size: width and height of the live picture, pixels; None without a picture. hands: shares of the board that
    South's and North's hands cover. position: the game's position line, "" without a game. fps: pictures a second that
    the table looks at; given: those that the camera gives; behind: fps is much less than given. dropped: pictures
    skipped for lack of time since the table started; uncounted: times that pits were due to be counted but were not,
    because others were being counted. light: mean grey of the picture, 0 to 255; sharp: its sharpness
    (`device.eyes.clearness`); -1 without a picture. south: the picture's edge where South sits. cameras: those that can
    be chosen. notice: what people have to know in any state, such as a full disk, "" for nothing; notice_told: its
    message.
    """

    t: float = 0.0
    state: str = ""
    why: str = ""
    size: tuple[int, int] | None = None
    pits: list[LivePit] = []
    hands: tuple[float, float] = (0.0, 0.0)
    position: str = ""
    fps: float = 0.0
    given: float = 0.0
    behind: bool = False
    dropped: int = 0
    uncounted: int = 0
    light: float = -1.0
    sharp: float = -1.0
    south: str = ""
    cameras: list[CameraChoice] = []
    told: Told | None = None
    notice: str = ""
    notice_told: Told | None = None


def read_state(folder: Path) -> LiveState | None:
    """The state in a live folder; None if there is none, or if it is unreadable or half written."""
    try:
        with (folder / "state.json").open("rb") as file:
            raw = file.read(MOST_BYTES + 1)
        return msgspec.json.decode(raw, type=LiveState) if len(raw) <= MOST_BYTES else None
    except (OSError, msgspec.DecodeError):
        return None
