"""Pictures that are none: counts and hands are painted into their pixels, and an eye reads them back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from device.cameras.base import Camera, CameraGone, EndOfRecording
from device.journal.events import Order, ShowFoul
from device.south import South
from engine.board import Board, Side
from engine.position import Position
from engine.referee.faults import Work, one_fault_outcomes
from engine.rules import Rules
from tests.device.played_table import likelihoods
from tests.device.told_stays import Stays
from vision.reading import BoardView, Frame, Lesson, Reading, Watched

FPS = 15
LOST, DARK = 1, 2


def painted(counts: Sequence[int], hands: tuple[float, float] = (0.0, 0.0), trouble: int = 0) -> np.ndarray:
    """uint8[48, 64, 3] that says all this."""
    image = np.full((48, 64, 3), 128, np.uint8)
    image[0, :len(counts), 0] = counts
    image[1, 0], image[1, 1], image[1, 2] = round(hands[0] * 255), round(hands[1] * 255), trouble
    image[1, 3] = len(counts)
    return image


class IdleEye:
    """Does nothing of what an eye does."""

    view: BoardView | None = None
    shown: np.ndarray | None = None

    def watch(self, frame: Frame, *, count: bool = True, revisit: bool = True) -> Watched:
        """Not asked for here."""
        raise AssertionError((frame, count, revisit))

    def place(self, view: BoardView) -> None:
        """Its pits lie where they lie."""

    def learn(self, lesson: Lesson) -> None:
        """It errs in nothing."""

    def reset_reference(self) -> None:
        """It compares nothing."""


class PaintedEye(IdleEye):
    """Reads painted pictures; as open_eye."""

    def __init__(self, board: Board, south: South) -> None:
        """board: what is read; south: not needed, as painted pictures have no edges."""
        self.board, self.south = board, south
        self.counted = 0
        self._stays = Stays()

    def watch(self, frame: Frame, *, count: bool = True, revisit: bool = True) -> Watched:
        """All at once."""
        return Watched(self.look(frame, count=count, revisit=revisit), self.view)

    def look(self, frame: Frame, *, count: bool = True, revisit: bool = True) -> Reading:
        """What is painted there."""
        image, pits = frame.image, self.board.pits
        found = int(image[1, 3, 0]) == pits and int(image[1, 2, 0]) != LOST
        if found and self.view is None:
            cols = self.board.cols
            centres = np.stack(np.meshgrid(np.arange(cols) * 5.0, np.arange(self.board.rows) * 5.0), -1)
            self.view = BoardView(self.board.rows, cols, centres, np.full((self.board.rows, cols), 2.0), np.eye(3), 0.4,
                                  (64, 48))
        hands = (float(image[1, 0, 0]) / 255, float(image[1, 1, 0]) / 255)
        counted = count and found
        self.counted += counted
        loglik = likelihoods([int(n) if counted else 0 for n in image[0, :pits, 0]]) * counted
        if counted:
            self._stays.show(image[0, :pits, 0].tolist())
        return self._stays.told(Reading(frame.time_ns, loglik, np.full(pits, counted), hands, found=found,
                                        counted=counted, dark=int(image[1, 2, 0]) == DARK,
                                        motion=0.05 if any(hands) else 0.0))


class Script:
    """The frames of a game."""

    def __init__(self, rules: Rules, position: Position | None = None) -> None:
        """rules: what is played; position: what lies there first, else the set-up."""
        self.rules = rules
        self.position = position or rules.setup()
        self.images: list[np.ndarray | None] = []

    def rest(self, seconds: float, trouble: int = 0) -> Script:
        """Nothing happens."""
        self.images += [painted(self.position.counts, trouble=trouble)] * round(seconds * FPS)
        return self

    def gone(self) -> Script:
        """The camera is pulled out here, and put in again."""
        self.images.append(None)
        return self

    def move(self, counts: Sequence[int] | None = None, side: Side | None = None, rest: float = 1.5) -> Script:
        """A hand changes the board: by the first legal move, or to `counts`."""
        position = self.position
        after = self.rules.moves(position).moves[0].position if counts is None else position.with_counts(tuple(counts))
        mover = position.to_move if side is None else side
        hands = (0.1, 0.0) if mover is Side.SOUTH else (0.0, 0.1)
        self.images += [painted(position.counts, hands)] * FPS + [painted(after.counts, hands)] * 3
        self.position = after
        return self.rest(rest)


def doubled(rules: Rules, position: Position, name: str = "") -> tuple[int, ...]:
    """The board after a move with two seeds for one into a pit of its first lap, sown on from there without a capture:
    the named move, else the first that can be spoilt so."""
    return next(o.counts for move in rules.moves(position).moves if name in ("", move.name)
                for o in one_fault_outcomes(rules, position, position.to_move, move.pit, Work(2000))
                if (o.fault.code, o.fault.lap, o.fault.n) == ("double", 1, 1)
                and o.counts != move.position.counts and not o.sowing.captured)


class PaintedCamera(Camera):
    """Gives a script's frames; then a live one says so through `at_end`, once, and goes on with the last."""

    name = "painted table"

    def __init__(self, script: Script, live: bool = False, at_end: Callable[[], None] = lambda: None) -> None:
        """script: what it shows; live: as a camera, else as a recording; at_end: called when all was shown."""
        self.live, self._at_end = live, at_end
        self._images: Iterator[np.ndarray | None] = iter(script.images)
        self._last: np.ndarray | None = None
        self._number = 0
        self.heard: list[tuple[Order | ShowFoul, str]] = []
        self.opened = 0

    def open(self) -> None:
        """As any camera."""
        self.opened += 1

    def close(self) -> None:
        """As any camera."""

    def read(self, timeout_s: float) -> Frame | None:
        """The next frame of the script."""
        try:
            image = next(self._images)
        except StopIteration:
            if not self.live:
                raise EndOfRecording from None
            self._at_end()
            image = self._last
        if image is None:
            raise CameraGone("the camera was pulled out")
        self._last = image
        self._number += 1
        return Frame(image, round(self._number * 1e9 / FPS), self._number - 1)

    def hear(self, order: Order | ShowFoul, position: str = "") -> bool:
        """The players are told."""
        self.heard.append((order, position))
        return True
