"""Write the live picture and the live state for the page: two files, replaced some nine times a second."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import cv2
import msgspec

from device.evidence.stills import write_whole
from device.eyes.clearness import brightness, sharpness
from device.eyes.pace import Pace
from device.journal.events import translatable
from device.journal.live_state import CameraChoice, LivePit, LiveState
from device.table.table import Table
from engine.board import Board
from engine.messages import Message
from vision.board.lattice import ring_order
from vision.reading import BoardView, Frame, Reading

WIDEST = 1280
QUALITY = 80
EVERY_S = 0.11
LOOK_S = 1.0
"""Seconds between two measurements of brightness and sharpness."""


class LivePicture:
    """Writes the live files of one table."""

    def __init__(self, folder: Path, pace: Pace) -> None:
        """folder: the live folder; pace: counts the pictures."""
        self._folder, self._pace = folder, pace
        self.notice: Message | str = ""
        """What people must know in any state, such as a full disk; "" for nothing."""
        self.south = ""
        self.pictured: Callable[[float, bytes], None] = lambda _t, _jpeg: None
        """Called with every encoded picture: its time in seconds, and the JPEG."""
        self.cameras: list[CameraChoice] = []
        self._shown = self._looked = -1e9
        self._light = self._sharp = -1.0
        self._read: list[tuple[int, float, bool]] = []

    def show(self, table: Table, frame: Frame, reading: Reading, view: BoardView | None) -> None:
        """Write the frame and the state, if a picture is due."""
        t = frame.time_ns / 1e9
        if reading.counted:
            sure = reading.probabilities.max(axis=1)
            self._read = [(int(n), round(float(p), 3), bool(seen))
                          for n, p, seen in zip(reading.counts, sure, reading.seen, strict=True)]
        if 0 <= t - self._shown < EVERY_S:
            return
        self._shown = t
        height, width = frame.image.shape[:2]
        scale = min(1.0, WIDEST / width)
        size = (round(width * scale), round(height * scale))
        image = frame.image if scale == 1 else cv2.resize(frame.image, size, interpolation=cv2.INTER_AREA)
        ok, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        if ok:
            packed = data.tobytes()
            self.pictured(t, packed)
            self._put("frame.jpg", packed)
        if not 0 <= t - self._looked < LOOK_S:
            self._looked = t
            self._light, self._sharp = brightness(frame.image), sharpness(frame.image)
        pits, why, pace = self._pits(table, reading, view, scale), table.words, self._pace
        self._write(LiveState(
            t=round(t, 3), state=str(table.state), why=str(why), told=translatable(why), size=size, pits=pits,
            hands=(round(float(reading.hands[0]), 4), round(float(reading.hands[1]), 4)), position=_line(table),
            fps=pace.looked, given=pace.given, behind=pace.behind, dropped=pace.dropped, uncounted=pace.uncounted,
            light=self._light, sharp=self._sharp, south=self.south, cameras=self.cameras,
            notice=str(self.notice), notice_told=translatable(self.notice)))

    def say(self, table: Table, t: float, why: Message | str = "") -> None:
        """Write the state without a picture. why: replaces the table's own words."""
        why = why or table.words
        self._write(LiveState(t=round(t, 3), state=str(table.state), why=str(why), told=translatable(why),
                              position=_line(table), dropped=self._pace.dropped, uncounted=self._pace.uncounted,
                              south=self.south, cameras=self.cameras, notice=str(self.notice),
                              notice_told=translatable(self.notice)))

    def _write(self, state: LiveState) -> None:
        self._put("state.json", msgspec.json.encode(state))

    def _put(self, name: str, data: bytes) -> None:
        """Replace a file; an error, such as a full disk, is ignored, as refereeing goes on."""
        with suppress(OSError):
            write_whole(self._folder / name, data)

    def _pits(self, table: Table, reading: Reading, view: BoardView | None, scale: float) -> list[LivePit]:
        position = table.game.position
        if view is None or not reading.found or position is None or (view.rows, view.cols) != (
                position.board.rows, position.board.cols):
            return []
        board: Board = position.board
        known = self._read if len(self._read) == board.pits else [(-1, 0.0, True)] * board.pits
        pits = []
        for pit, (row, col) in enumerate(ring_order(view.rows, view.cols)):
            x, y = view.centres[row, col]
            count, p, seen = known[pit]
            pits.append(LivePit(name=board.name(pit), x=round(float(x) * scale, 1), y=round(float(y) * scale, 1),
                                r=round(float(view.radii[row, col]) * scale, 1), count=count, p=p, seen=seen))
        return pits


def _line(table: Table) -> str:
    return "" if table.game.position is None else str(table.game.position)
