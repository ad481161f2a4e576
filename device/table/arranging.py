"""How people arrange a table while it runs: the camera, South's edge, a board that was found wrong, the empty board.

The arrangement belongs to the table, not to a game, so the loop takes these orders up itself. A restarted table recalls
it from the journal. But if it is started with other options than last time, these count, because people chose them
later.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from device.eyes.table_eye import TableEye
from device.journal.events import (
    Arranging,
    BoardFound,
    EmptySeen,
    Event,
    OrderAnswered,
    PlaceBoard,
    SeatSouth,
    TableStarted,
    TurnPicture,
    UseCamera,
)
from device.journal.messages import message
from device.south import South
from device.table.window import Window
from device.turn import Turn
from engine.board import Board
from engine.messages import Message
from vision.board.geometry import fit_homography
from vision.board.lattice import ring_order, view_on
from vision.reading import BoardView, Frame

Pits = tuple[tuple[float, float, float], ...]

SMALLEST_RADIUS = 0.004
"""Least radius of a pit that people place, in picture widths."""
LARGEST_RADIUS = 0.2
"""Largest radius of a pit that people place, in picture widths."""


class Places:
    """The last place of a board under each camera, by picture size and number of pits.

    When people ask to find the board again, the places under the current camera are forgotten.
    """

    def __init__(self) -> None:
        """Start with no place known."""
        self._camera = ""
        self._found: dict[str, dict[tuple[tuple[int, int], int], BoardFound]] = {}

    def fold(self, event: Event) -> None:
        """Take in one event."""
        match event.body:
            case TableStarted(camera=camera):
                self._camera = camera
            case BoardFound() as found:
                self._found.setdefault(self._camera, {})[found.size, len(found.pits)] = found
            case PlaceBoard(pits=[]):
                self._found.pop(self._camera, None)
            case _:
                pass

    def last(self, size: tuple[int, int], pits: int) -> BoardFound | None:
        """The last place of a board of `pits` pits in pictures of that size (width, height) by the current camera; None
        if unknown."""
        return self._found.get(self._camera, {}).get((size, pits))


@dataclass
class Arrangement:
    """What people arranged, and where boards were found. camera, south: "" and None if not arranged. turn: how pictures
    are turned. pits: as in `PlaceBoard`. pending: orders that no table has answered, by event number."""

    camera: str = ""
    south: South | None = None
    turn: Turn = Turn.NONE
    pits: Pits = ()
    pending: dict[int, Arranging] = field(default_factory=dict)
    places: Places = field(default_factory=Places, compare=False)

    @classmethod
    def recalled(cls, events: Iterable[Event], asked: str) -> Arrangement:
        """Return what people arranged, by a journal's events. asked: the options that the table is started with, as in
        `TableStarted.asked`; what was arranged under others is forgotten."""
        made, last = cls(), asked
        for event in events:
            made.places.fold(event)
            match event.body:
                case TableStarted(asked=before):
                    if before != last:
                        made._forget()
                    last = before
                case UseCamera() | SeatSouth() | TurnPicture() | PlaceBoard() as order:
                    made.pending[event.number] = order
                case OrderAnswered(order=number, done=done) if number in made.pending:
                    answered = made.pending.pop(number)
                    if done:
                        made.take(answered)
                case BoardFound(placed=False):
                    made.pits = ()
                case _:
                    pass
        if last != asked:
            made._forget()
        return made

    def _forget(self) -> None:
        self.camera, self.south, self.turn, self.pits = "", None, Turn.NONE, ()

    def take(self, order: Arranging) -> None:
        """Apply an order."""
        match order:
            case UseCamera(camera=word):
                self.camera, self.turn, self.pits = word, Turn.NONE, ()
            case SeatSouth(edge=edge):
                self.south, self.pits = edge, ()
            case TurnPicture(turn=word):
                self.turn, self.pits = self.turn ^ Turn.of(word), ()
            case PlaceBoard(pits=pits):
                self.pits = tuple(pits)
            case _:
                pass

    def upright(self, frame: Frame, south: South) -> Frame:
        """The frame, turned so that it shows the board as people see it. south: the edge where South sits."""
        return replace(frame, image=self.turn.image(frame.image, south)) if self.turn else frame


def placed(pits: Pits, board: Board, size: tuple[int, int]) -> BoardView:
    """The view of a board with these pits in a picture of `size`. Raises ValueError, one sentence."""
    if len(pits) != board.pits:
        raise ValueError(message("answer.places", count=len(pits), pits=board.pits, board=str(board)))
    for number, (x, y, r) in enumerate(pits):
        if not (0 <= x <= 1 and 0 <= y <= 1 and SMALLEST_RADIUS <= r <= LARGEST_RADIUS):
            raise ValueError(message("answer.place", pit=board.name(number), x=f"{x:.3g}", y=f"{y:.3g}", r=f"{r:.3g}"))
    width, height = size
    centres = np.zeros((board.rows, board.cols, 2))
    radii = np.zeros((board.rows, board.cols))
    for number, rc in enumerate(ring_order(board.rows, board.cols)):
        x, y, r = pits[number]
        centres[rc], radii[rc] = (x * width, y * height), r * width
    places = np.stack(np.meshgrid(np.arange(float(board.cols)), np.arange(float(board.rows))), -1)
    h = fit_homography(places.reshape(-1, 2), centres.reshape(-1, 2))
    corners = centres[[0, 0, -1, -1], [0, -1, -1, 0]]
    sides = np.roll(corners, -1, 0) - corners
    after = np.roll(sides, -1, 0)
    if (sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0]).min() <= 0:
        raise ValueError(message("answer.round"))
    return view_on(h, places, size, centres, radii)


def check_places(pits: Pits, board: Board, eye: TableEye | None, size: tuple[int, int] | None) -> None:
    """Raise ValueError, one sentence, if the board cannot lie as people say, or there is no picture yet. eye: the
    table's; size: the newest picture's, None if there is none."""
    if eye is not None and eye.view is not None:
        size = eye.view.picture_size
    if size is None or eye is None:
        raise ValueError(message("answer.no-picture"))
    placed(pits, board, size)


def empty_seen(window: Window, board: Board) -> tuple[EmptySeen, Message]:
    """Check a board that people say is empty: the event, and the answer. Raises ValueError if the board cannot be read
    now, or plainly is not empty."""
    if not window.frames or len(window.seen) != board.pits:
        raise ValueError(message("answer.unread"))
    counts = [int(n) if seen else -1 for n, seen in zip(window.counts, window.seen, strict=True)]
    wrong = [pit for pit, n in enumerate(counts) if n != 0]
    names = [message("answer.pit", pit=board.name(p), count=counts[p]) if counts[p] > 0
             else message("answer.pit-unseen", pit=board.name(p)) for p in wrong[:6]]
    if sum(n > 0 for n in counts) > board.pits // 4:
        raise ValueError(message("answer.not-empty", wrong=len(wrong), pits=board.pits, names=names))
    right, seen = board.pits - len(wrong), EmptySeen(counts=counts)
    if not wrong:
        return seen, message("answer.empty", right=right, pits=board.pits)
    look = message("list.more", some=names) if len(wrong) > 6 else names
    return seen, message("answer.empty-look", right=right, pits=board.pits, names=look)

