"""`inkeek watch`: a recording through the same table as a live camera, as fast as it can be read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from device.cameras.base import Camera, CameraError, EndOfRecording
from device.cameras.in_real_time import InRealTime
from device.cli.output_forms import watch_form
from device.eyes.eyes import LiveEyes, OpenEye, find_board, open_eye
from device.eyes.frozen import FROZEN, Frozen
from device.eyes.looking import renew
from device.eyes.pipeline import AtOnce, Beside, Counting, Pipeline
from device.journal.events import Body, Event, VerdictGiven
from device.journal.game import Game
from device.journal.states import State
from device.system.folder import South
from device.table.orders import game_started, starting_position
from device.table.placing import Placing
from device.table.settling.evidence_window import Window
from device.table.settling.judge_worker import Judge, JudgeAtOnce, JudgeOnThread
from device.table.table import Table
from engine.board import Board
from engine.position import Position
from engine.rules import Rules
from vision.reading import BoardView, Frame

FIRST_LOOKS = 60
"""Frames at the beginning in which the size of the board is looked for, where nobody told it."""

FRAME_TIMEOUT_S = 10.0
"""How long a frame of a recording may take to be read."""

FIRST_S = 1.0
"""A board that lies still for so long lies as the recording begins."""
NAMED = 4
"""Pits that a sentence names, at most."""
BEGUN = ("position", "verdict", "end")
"""Events of a game that is on: the start was recognised."""

Emit = Callable[[dict[str, Any]], None]


@dataclass(frozen=True, slots=True)
class Match:
    """What is being played in the recording. board: None to look for its size; start: a line, or "" for the set-up, or
    for what lies there."""

    rules: Rules
    board: Board | None = None
    start: str = ""
    south: South = "bottom"


class Watcher:
    """Referees one recording."""

    def __init__(self, camera: Camera, match: Match, emit: Emit, *, eye: OpenEye = open_eye,
                 judge: Judge | None = None, counting: Counting | None = None) -> None:
        """camera: the recording, not yet open; emit: takes each event in its kept form; eye, judge, counting: as at a
        table."""
        self._camera, self._match, self._emit, self._open_eye = camera, match, emit, eye
        self._numbered = 0
        self._given: dict[int, float] = {}
        self._t = 0.0
        self._game = Game()
        self._judge, self._counting = judge or JudgeAtOnce(), counting or AtOnce()
        self._begun = False

    def run(self) -> None:
        """Read the recording to its end. Raises `CameraError` where it cannot be read, shows no board, or never shows
        the start; ValueError for a start that cannot be."""
        match = self._match
        if match.start:  # said before the recording is opened: it is quicker mended
            starting_position(match.rules, match.board, match.start)
        self._camera.open()
        try:
            self._referee()
        finally:
            self._camera.close()
            self._judge.close()
            self._counting.close()

    def _referee(self) -> None:
        match = self._match
        position = starting_position(match.rules, self._board(), match.start)
        self._game.fold(self._append(game_started(match.rules, position, "table")))
        table = Table(self._game, self._append, self._judge, as_it_lies_at_start=not match.start,
                      start_is_sure=bool(match.start))
        eye, frozen = self._open_eye(position.board, match.south), Frozen(recorded=True)
        pipeline, placing = Pipeline(eye, self._counting), Placing(self._open_eye, counting=self._counting)
        lies: Window | None = None
        for frame in self._frames():
            self._t = frame.time_ns / 1e9
            if frozen.look(frame.image, self._t):
                table.camera_gone(FROZEN, passing=True)
                continue
            pipeline.look(frame, count=table.wants_count(frame.time_ns), afresh=table.afresh)
            _read(pipeline, table)
            placing.look(frame, eye, table, match.south)
            if lies is None or lies.seconds < FIRST_S:  # how it lay at first, not what came of it
                lies = table.set_up_window or lies
        _read(pipeline, table, wait=True)
        table.finish()
        if table.state is State.SEARCHING or (table.state is State.BLIND and eye.view is None):
            raise CameraError(f"no board of {position.board} pits was found in the {self._camera.name}")
        if table.state in (State.SETTING_UP, State.BLIND) and not self._begun:
            raise CameraError(f"nothing was refereed in the {self._camera.name}: {_amiss(position, lies)}")

    def _frames(self) -> Iterator[Frame]:
        """The recording's frames, to its end. Raises `CameraError` where it stops giving any."""
        while True:
            try:
                frame = self._camera.read(FRAME_TIMEOUT_S)
            except EndOfRecording:
                return
            if frame is None:
                raise CameraError(f"the {self._camera.name} gives no pictures")
            yield frame

    def _board(self) -> Board | None:
        """The board's size: as told, or as found, where the game is played on such."""
        match = self._match
        if match.board is not None or match.start:
            return match.board
        try:
            for _ in range(FIRST_LOOKS):
                frame = self._camera.read(FRAME_TIMEOUT_S)
                found = None if frame is None or frame.number % 15 else _size_of(frame)
                if found is not None and found in match.rules.boards and _has_setup(match.rules, found):
                    return found
        except EndOfRecording:
            pass
        finally:
            self._camera.open()
        return None

    def _append(self, body: Body) -> Event:
        self._numbered += 1
        event = Event.spoken(self._numbered, body)
        instead_of = None
        if isinstance(body, VerdictGiven):
            self._given[event.number] = body.t
            instead_of = self._given.get(body.answers)
        form = watch_form(body, round(self._t, 3), self._position_after(body), instead_of)
        if form is not None:
            self._begun |= form["event"] in BEGUN
            self._emit(form)
        return event

    def _position_after(self, body: Body) -> str:
        line = getattr(body, "position", "")
        return line or ("" if self._game.position is None else str(self._game.position))


def live_watcher(camera: Camera, match: Match, emit: Emit) -> Watcher:
    """Referees a recording in its own time: late frames are dropped, counting, judging and looking for the board go on
    beside the frames."""
    return Watcher(InRealTime(camera), match, emit, eye=LiveEyes(), judge=JudgeOnThread(), counting=Beside())


def _read(pipeline: Pipeline, table: Table, *, wait: bool = False) -> None:
    """Give the table the readings that are done. wait: all of them."""
    for looked in pipeline.ready(wait=wait):
        table.reading(looked.reading, looked.view)
        pipeline.teach(table.counts_to_teach())
        renew(pipeline.eye, table.begins_anew())


def _size_of(frame: Frame) -> Board | None:
    """The size of the board in a picture, by the network where there is one."""
    view = find_board(frame.image)
    return Board(view.rows, view.cols) if isinstance(view, BoardView) else None


def _has_setup(rules: Rules, board: Board) -> bool:
    try:
        return rules.setup(board=board) is not None
    except ValueError:
        return False


def _amiss(start: Position, lies: Window | None) -> str:
    """What lies there instead of a start, or what of it could not be made out."""
    board, due = start.board, str(start).split()[0]
    if lies is None:
        return f"whether {due} lies there could not be made out, its pits were never seen at rest"
    wrong, counts = lies.clearly_otherwise(start.counts), lies.counts.tolist()
    if not wrong:
        unsure = ", ".join(board.name(p) for p in lies.otherwise(start.counts))
        return f"whether {due} lies there could not be made out" + (f", for {unsure} were not clear" if unsure else "")
    read = [str(n) if seen else "?" for n, seen in zip(counts, lies.seen, strict=True)]
    rows = "/".join(",".join(read[board.at(row, col)] for col in range(board.cols)) for row in range(board.rows))
    pits = ", ".join(f"{board.name(p)} holds {counts[p]} and not {start.counts[p]}" for p in wrong[:NAMED])
    more = f", and so on in {len(wrong)} pits" if len(wrong) > NAMED else ""
    return f"it does not begin from {due}, there lies {rows}: {pits}{more}"
