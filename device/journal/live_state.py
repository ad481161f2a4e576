"""What the table shows of itself beside the journal, some nine times a second: `live/state.json`, written by the table
and read by the page. It is no history: each state replaces the one before it."""

from __future__ import annotations

import msgspec

from device.journal.events import Told


class LivePit(msgspec.Struct, frozen=True):
    """A pit in the live picture. x, y, r: its centre and radius, pixels of that picture. count: the likeliest number of
    its seeds, -1 until it was read. p: the probability of that number. seen: no hand covers it."""

    name: str
    x: float
    y: float
    r: float
    count: int = -1
    p: float = 0.0
    seen: bool = True


class CameraChoice(msgspec.Struct, frozen=True, array_like=True):
    """A camera that can be chosen at this table. word: as it is written for `--camera`. name: what people call it, in
    English or by its maker's name; told: the message of that name, None for a maker's."""

    word: str
    name: str
    told: Told | None = None


class LiveState(msgspec.Struct, frozen=True):
    """What the table sees and does now.

    t: seconds of the table's clock. state: one of `device.journal.states`; why: a few words to it, told: their message.
    size: width and height of the live picture, pixels; None where there is none. hands: shares of the board that hands
    from South and North cover. position: the position line that the game stands at, "" without a game. fps: pictures a
    second that the table looks at; given: those that the camera gives; behind: the first are fewer by a good part.
    dropped: pictures for which there was no time since the table was started; uncounted: times that pits were to be
    counted and were not, because others were being counted. light: mean grey of the picture, 0 to 255; sharp: how sharp
    it is (`device.eyes.clearness`); -1 where there is no picture. south: the edge of the picture where South sits.
    cameras: those that can be chosen. notice: what people have to know whatever the table does, such as that its disk
    is full, "" for nothing; notice_told: its message.
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
