"""The simulated table as a camera, with which the whole product runs on any machine. It gives nothing but pictures."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from device.cameras.base import Camera, CameraError, EndOfRecording, UnusableWord
from device.cameras.newest import NewestFrame
from device.journal.events import CorrectPit, LetStand, NewGame, Order, ShowFoul, Withdraw, translatable
from device.journal.live_state import CameraChoice
from device.journal.messages import message
from device.sim import memory
from device.sim.gestures import PACES
from device.sim.players import HEED_S, Players, default_players
from device.sim.world import World
from engine.board import Board
from engine.position import Position
from engine.rules import Rules, ruleset
from vision.reading import Frame

if TYPE_CHECKING:
    from device.sim.picture import TablePicture
    from device.south import South

LONGEST_STEP_S = 0.25
"""The world's longest step: it waits for a slow machine, or one that was asleep, since the referee must be able to see
every drop."""
KEEP_EVERY_S = 0.5
FORMS = "sim"


class SimCamera(Camera):
    """Two players at a drawn board.

    rules: those of their game. board, position: the first board or position, by default the rules' set-up. players: by
    default those of `default_players`. pace: a key of `PACES`. memory: a file for the table's state; if it exists, the
    game goes on from it, even in the middle of a move. live: frames in real time; otherwise as fast as they are asked
    for, `fps` per simulated second. seconds: the recording's length if not live. samples: rays per side of a pixel.
    """

    name = message("camera.sim")
    waits = True

    def __init__(
        self,
        rules: Rules,
        *,
        board: Board | None = None,
        position: Position | None = None,
        players: Players | None = None,
        pace: str = "normal",
        memory: Path | None = None,
        live: bool = True,
        fps: float = 14.0,
        seed: int = 1,
        size: tuple[int, int] = (1280, 720),
        south: South = "bottom",
        seconds: float | None = None,
        samples: int = 1,
    ) -> None:
        """See the class. Raises `CameraError` for an unknown pace."""
        if pace not in PACES:
            raise CameraError(f"there is no pace {pace[:20]!r} at the simulated table: {', '.join(PACES)}")
        self._rules, self._players, self._pace = rules, players, pace
        self._start = position or rules.setup(board=board)
        self._memory, self.live, self._fps, self._seed = memory, live, fps, seed
        self._size, self._south, self._seconds, self._samples = size, south, seconds, samples
        self._lock = threading.Lock()
        self._world: World | None = None
        self._picture: TablePicture | None = None
        self._newest: NewestFrame | None = None
        self._number, self._from, self._then, self._kept = 0, 0, 0.0, -1.0
        self._noise = np.random.default_rng(seed)

    # ---- the camera ------------------------------------------------------------------------------------------------

    def open(self) -> None:
        """Begin, or go on from the memory. Raises `CameraError` if the renderer is not installed."""
        self.close()
        self._world = self._recalled() or self._new_world()
        self._world.by_lot = self.live
        self._picture = self._drawn(self._world)
        self._number, self._from, self._then = 0, 0, time.monotonic()
        if self.live:
            self._newest = NewestFrame(self._next, "simulated table")
            self._newest.start()

    def read(self, timeout_s: float) -> Frame | None:
        """See `Camera.read`. Raises `EndOfRecording` after `seconds` if not live."""
        if self._world is None:
            raise CameraError(message("reason.sim-unopened"))
        if self._newest is not None:
            frame = self._newest.take(timeout_s)
            return frame if frame is None or frame.number >= self._from else None
        if self._seconds is not None and self._number >= self._seconds * self._fps:
            raise EndOfRecording(f"the simulated recording ended after {self._seconds:g} s")
        return self._next()

    def close(self) -> None:
        """See `Camera.close`; the state of the board is kept."""
        if self._newest is not None:
            self._newest.stop()
            self._newest = None
        if self._world is not None:
            self._keep(self._world, True)
        self._world = self._picture = None

    def hear(self, order: Order | ShowFoul, position: str = "") -> bool:
        """Let the players carry out the referee's order. position: what to lay after a withdrawal, if not the position
        before the last turn."""
        with self._lock:
            world = self._world
            if world is None:
                return True
            match order:
                case NewGame():
                    self._new_game(world, order)
                case Withdraw():
                    world.withdraw(Position.parse(position) if position else None)
                case LetStand() | CorrectPit():
                    world.play_on()
                case ShowFoul():
                    world.foul_due = True
            self._keep(world, True)
        return True

    @property
    def world(self) -> World:
        """The true state of the simulation, for tests and measurements. Raises `CameraError` if not open."""
        if self._world is None:
            raise CameraError(message("reason.sim-unopened"))
        return self._world

    # ---- making it -------------------------------------------------------------------------------------------------

    def _new_world(self) -> World:
        players = self._players or default_players(self._rules, self._start.board)
        return World(
            self._rules,
            self._start,
            players,
            self._pace,
            self._seed,
            HEED_S if self.live else 0.0,
        )

    def _recalled(self) -> World | None:
        """The world from the memory's file; None if the file holds no usable world."""
        kept = memory.kept(self._memory) if self._memory is not None else None
        if kept is None:
            return None
        try:
            board = Position.parse(kept.position).board
            players = self._players or default_players(ruleset(kept.game, kept.rules, kept.sets), board)
            return memory.recall(kept, players, heed=HEED_S if self.live else 0.0)
        except ValueError:
            return None

    def _drawn(self, world: World) -> TablePicture:
        """Set up the picture of a world's board and seeds, and tell the world how far its hands have to reach."""
        try:
            from device.sim.picture import TablePicture
            from vision.render.skin import HandStyle
            from vision.render.styles import SceneStyle
        except ImportError as e:
            raise CameraError(message("reason.sim-missing", module=str(e.name))) from None
        board = world.position.board
        rng = np.random.default_rng((self._seed, 7))
        hands = (replace(HandStyle.random(rng, 5), left=False), replace(HandStyle.random(rng, 6), left=False))
        style = SceneStyle.house(board.rows, board.cols)
        # No JPEG compression: it would take a third of a frame's time and add nothing.
        style = replace(style, lens=replace(style.lens, jpeg=0))
        picture = TablePicture(
            board,
            style,
            hands,
            size=self._size,
            south=self._south,
            samples=self._samples,
        )
        picture.show(world.counts)
        world.reach_as(picture.reach)
        return picture

    def _next(self) -> Frame:
        """The next frame; if live, wait until it is due."""
        if self.live:
            time.sleep(max(0.0, self._then + 1 / self._fps - time.monotonic()))
        now = time.monotonic()
        step = min(now - self._then, LONGEST_STEP_S) if self.live else 1 / self._fps
        self._then = now
        with self._lock:
            world, picture = self._world, self._picture
            if world is None or picture is None:
                raise CameraError(message("reason.sim-closed"))
            world.accepted = self.accepted
            if self._number or self.live:
                changed = world.advance(world.clock + step)
                self._keep(world, changed)
            if picture.board != world.position.board:
                picture = self._picture = self._drawn(world)
            counts, hands, clock = list(world.counts), world.hands(), world.clock
            number, self._number = self._number, self._number + 1
        picture.show(counts)
        image = picture.frame(hands, self._noise)
        return Frame(image, time.monotonic_ns() if self.live else round(clock * 1e9), number)

    def _keep(self, world: World, now: bool) -> None:
        """Save the world, at once (`now`) or every `KEEP_EVERY_S`; the file is always whole."""
        if self._memory is None or not (now or world.clock - self._kept >= KEEP_EVERY_S):
            return
        self._kept = world.clock
        with suppress(OSError):  # a full disk does not stop the players: they know the board
            memory.keep(self._memory, world)

    def _new_game(self, world: World, order: NewGame) -> None:
        if order.position == "lies":
            world.new_game(None)
            return
        rules = ruleset(order.game, order.rules or None, order.sets)
        board = Board.parse(order.board)
        target = Position.parse(order.position) if order.position else rules.setup(board=board)
        if (rules.game, rules.values) != (world.rules.game, world.rules.values):
            world.rules = rules
        if target.board != world.position.board:
            # Another board, already laid, comes onto the table: skip pictures of the old one.
            world.change_board(target)
            self._from = self._number
        else:
            world.new_game(target)
        world.players = self._players or default_players(world.rules, target.board)


def made(which: str | None) -> Camera:
    """See `CameraModule`: always raises, as this camera needs a game and is made where that is known."""
    raise UnusableWord(f"the simulated table{f' {which}' if which else ''} needs a game: it is made by `inkeek run`")


def found() -> list[CameraChoice]:
    """See `CameraModule`: the simulated table, if its renderer is installed."""
    if find_spec("numba") is None:
        return []
    name = message("camera.sim")
    return [CameraChoice("sim", str(name), translatable(name))]
