"""`inkeek watch`: referee a recording, with the same table as a live camera, as fast as it can be read."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from device.cameras.base import Camera, CameraError, EndedEarly, EndOfRecording
from device.cameras.in_real_time import InRealTime
from device.cli.watch.output_forms import watch_form
from device.cli.watch.recorded_game import Emit, RecordedGame, Seen
from device.cli.watch.starts import AUTO, NOTHING, MidGame, StartReader
from device.evidence.reading_log import Header, LogOutput, ReadingLog
from device.eyes.eyes import LiveEyes, OpenEye, find_board, open_eye
from device.eyes.frozen import FrozenPictures
from device.eyes.pipeline import InlineRunner, JobRunner, Pipeline, ThreadRunner
from device.eyes.table_eye import TableEye
from device.eyes.turned import TurnedPictures
from device.journal.events import TurnPicture
from device.south import South
from device.table.orders import game_started, starting_position
from device.table.placing import Placing
from device.turn import Turn
from engine.board import Board
from engine.position import Position
from engine.rules import Rules
from vision.reading import BoardView, Frame

FIRST_LOOKS = 60
"""The board's size, if not given, is looked for in this many frames at the beginning."""

FRAME_TIMEOUT_S = 10.0
"""How long a frame of a recording may take to be read."""


Show = Callable[[Seen], None]
"""Takes each frame after the table has taken it in, and at the end the last one again."""


def nothing(_of: object) -> None:
    """Ignore the argument: the default where nobody needs to be told."""


@dataclass(frozen=True, slots=True)
class Match:
    """What is being played in the recording. board: None to detect its size; start: a position line, `AUTO` for the
    first board that is read, or "" for the set-up unless the board clearly differs; known: what people say with `AUTO`.
    """

    rules: Rules
    board: Board | None = None
    start: str = ""
    south: South = "bottom"
    known: MidGame = NOTHING


class Watcher:
    """Referees one recording."""

    def __init__(self, camera: Camera, match: Match, emit: Emit, *, eye: OpenEye = open_eye,
                 weighing: JobRunner | None = None, counting: JobRunner | None = None, log: LogOutput | None = None,
                 say: Callable[[str], None] = nothing, show: Show = nothing) -> None:
        """camera: the recording, not yet open; emit: takes each event in its output form; eye, weighing, counting: as
        at a table; log: takes the readings, closed at the end; say: takes the sentence on a start that was read off the
        board; show: see `Show`."""
        self._camera, self._match, self._emit, self._open_eye = camera, match, emit, eye
        self._say, self._show = say, show
        self._weighing, self._counting = weighing or InlineRunner(), counting or InlineRunner()
        self._file, self._turn = log, Turn.NONE
        self._log: ReadingLog | None = None
        self._ended_early: EndedEarly | None = None

    def run(self) -> str:
        """Referee the recording to its end; return "", or if it ends early a sentence on that and on what was not
        judged.

        Raises `CameraError` if it cannot be read, shows no board, or never shows the start; ValueError for an
        impossible start; OSError if the log cannot be written."""
        match = self._match
        if match.start not in ("", AUTO):  # check before opening the recording, which takes longer
            starting_position(match.rules, match.board, match.start)
        self._camera.open()
        try:
            return self._referee()
        finally:
            self._camera.close()
            self._weighing.close()
            self._counting.close()
            if self._log is not None:
                self._log.close()

    def _referee(self) -> str:
        match = self._match
        position = self._start()
        header = Header(str(self._camera.name), game_started(match.rules, position, "table"),
                        as_it_lies_at_start=not match.start, start_is_sure=bool(match.start))
        if self._file is not None:
            self._log = ReadingLog(self._file, header)
        game = RecordedGame(header, self._emit, self._weighing)
        frozen, now, table, frame = FrozenPictures(recorded=True), 0, game.table, None
        eye, pipeline, placing = self._opened(position.board)
        for frame in self._frames():
            now, game.now = frame.time_ns, frame.time_ns / 1e9
            if frozen.look(frame.image, game.now):
                game.frozen()
                if self._log is not None:
                    self._log.frozen(now)
                self._show(game.seen(frame))
                continue
            self._read(pipeline, game, now)  # take finished readings first: that frees the counter for this frame
            pipeline.look(frame, count=table.wants_count(frame.time_ns), revisit=table.revisit)
            self._read(pipeline, game, now)
            if placing.look(frame, eye, table, match.south) and self._log is not None:
                self._log.replaced(now)
            game.frame_done()
            self._show(game.seen(frame))
            if turn := table.turns():
                self._turn ^= turn
                eye, pipeline, placing = self._opened(position.board)
        self._read(pipeline, game, now, wait=True)
        early = self._finish(game)
        if frame is not None:
            self._show(game.seen(frame))
        return early

    def _opened(self, board: Board) -> tuple[TableEye, Pipeline, Placing]:
        """A new eye, with its pipeline and its search for the board."""
        eye = self._open_eye(board, self._match.south)
        return eye, Pipeline(eye, self._counting), Placing(self._open_eye, counting=self._counting)

    def _finish(self, game: RecordedGame) -> str:
        """Finish the game after the last frame; returns and raises as `run`."""
        early = self._ended_early
        try:
            game.finish(self._camera.name, self._match.south)
        except CameraError as error:
            raise CameraError(f"{error}; {early}") if early else error from None
        return game.ended_early(str(early)) if early else ""

    def _start(self) -> Position:
        """The position that the game begins from. Raises `CameraError` if `AUTO` cannot read it off the board."""
        match, board = self._match, self._board()
        if match.start != AUTO:
            return starting_position(match.rules, board, match.start)
        try:
            read = StartReader(self._open_eye, match.rules, board, match.south, match.known).read(self._frames())
        finally:
            self._camera.open()
        self._say(f"the start was read off the board as it lies: {read}")
        return read

    def _read(self, pipeline: Pipeline, game: RecordedGame, now: int, *, wait: bool = False) -> None:
        """Pass finished readings to the table and the log. wait: wait for all of them."""
        for looked in pipeline.ready(wait=wait):
            if self._log is not None:
                self._log.reading(looked.reading, looked.view, now)
            game.reading(looked.reading, looked.view)
            pipeline.teach(game.table.counts_to_teach())
            if game.table.takes_reference_reset():
                pipeline.eye.reset_reference()

    def _frames(self) -> Iterator[Frame]:
        """Yield the recording's frames to its end, turned if need be. Raises `CameraError` if they stop coming."""
        south, turned, self._turn = self._match.south, TurnedPictures(), Turn.NONE
        while True:
            try:
                frame = self._camera.read(FRAME_TIMEOUT_S)
            except EndOfRecording as end:
                self._ended_early = end if isinstance(end, EndedEarly) else None
                return
            if frame is None:
                raise CameraError(f"the {self._camera.name} gives no pictures")
            if turn := turned.look(frame.image, south):
                self._turn ^= turn
                form = watch_form(TurnPicture(turn=turn.word), round(frame.time_ns / 1e9, 3), "")
                assert form is not None
                self._emit(form)
            yield replace(frame, image=self._turn.image(frame.image, south)) if self._turn else frame

    def _board(self) -> Board | None:
        """The board's size: as given, or as found if the game is played on such a board; else None."""
        match = self._match
        if match.board is not None or match.start not in ("", AUTO):
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


def live_watcher(camera: Camera, match: Match, emit: Emit, log: LogOutput | None = None,
                 say: Callable[[str], None] = nothing, show: Show = nothing) -> Watcher:
    """A watcher that referees in real time: it drops late frames, and counts, judges and finds the board on threads
    beside them. The recording stands still until the board is found, as people would wait. Each event has `wall`: when
    it was emitted, seconds of the recording by the clock."""
    film = InRealTime(camera)

    def timed(form: dict[str, Any]) -> None:
        emit(form | {"wall": round(film.passed, 3)})

    return Watcher(film, match, timed, eye=LiveEyes(film.stand_still), weighing=ThreadRunner(name="referee"),
                   counting=ThreadRunner(), log=log, say=say, show=show)


def _size_of(frame: Frame) -> Board | None:
    """The size of the board found in a picture; None if none was found."""
    view = find_board(frame.image)
    return Board(view.rows, view.cols) if isinstance(view, BoardView) else None


def _has_setup(rules: Rules, board: Board) -> bool:
    try:
        return rules.setup(board=board) is not None
    except ValueError:
        return False
