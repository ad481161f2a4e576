"""Referee a recording: readings go in, from pictures or from a log, and events come out in their output forms."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from device.cameras.base import CameraError
from device.cli.watch.lines import reasons
from device.cli.watch.output_forms import watch_form
from device.evidence.reading_log import Header, LogError, Logged, read_log
from device.eyes.frozen import FROZEN
from device.eyes.pipeline import JobRunner
from device.journal.events import Body, Event, VerdictGiven
from device.journal.game import Game
from device.journal.states import State
from device.south import South
from device.table.table import Table
from device.table.window import Window
from device.turn import TURNS, Turn
from engine.board import Side
from engine.messages import Message
from engine.position import Position
from vision.reading import BoardView, Frame, Reading

FIRST_S = 1.0
"""A board that lies still for this long shows the recording's start."""
NAMED = 4
"""Most pits that a sentence names."""
MOVING = (State.HANDS_IN, State.SETTLING, State.JUDGING)
"""States in which hands have moved seeds without a verdict yet."""
BEGUN = ("position", "verdict", "end")
"""Events that show that the start was recognised."""
OPPOSITE: dict[South, South] = {"bottom": "top", "top": "bottom", "left": "right", "right": "left"}
"""The opposite edge of each."""
HOW = {Turn.COLUMNS: "in a mirror", Turn.ROWS: "upside down in a mirror", Turn.ROWS | Turn.COLUMNS: "turned round"}
"""How each turn of the picture shows the board, in words."""


Emit = Callable[[dict[str, Any]], None]


@dataclass(frozen=True, slots=True)
class Seen:
    """A frame, and what the table knows after it. view: the board's place in the newest reading, None if unknown;
    state: the table's; hand: a hand is over the board."""

    frame: Frame
    view: BoardView | None
    state: State
    hand: bool


class RecordedGame:
    """The game of one recording. now: time of the newest frame, seconds of the recording."""

    def __init__(self, header: Header, emit: Emit, work: JobRunner | None = None, *, why: bool = False) -> None:
        """header: what is played; emit: takes each event in its output form; work: see `Table`; why: give verdicts
        `because`, the reasons for a doubt."""
        self._why = why
        self._emit, self.now = emit, 0.0
        self._numbered, self._given, self._begun = 0, dict[int, float](), False
        self._game = Game()
        self._game.fold(self._append(header.started))
        self.table = Table(self._game, self._append, work, as_it_lies_at_start=header.as_it_lies_at_start,
                           start_is_sure=header.start_is_sure)
        self._lies: Window | None = None
        self._pending: dict[Side, float] = {}
        self._view: BoardView | None = None

    def reading(self, reading: Reading, view: BoardView | None) -> None:
        """Take in a frame's reading and the board's place in it."""
        self._view = view
        self.table.reading(reading, view)
        if self.table.state not in MOVING:
            self._pending.clear()
        elif self.table.hand:
            south, north = reading.hands
            self._pending.setdefault(Side.SOUTH if south >= north else Side.NORTH, reading.time_ns / 1e9)

    def frozen(self) -> None:
        """Take in that the pictures have frozen."""
        self.table.camera_gone(FROZEN, passing=True)

    def frame_done(self) -> None:
        """Finish a frame after all that came with it was taken in."""
        if self._lies is None or self._lies.seconds < FIRST_S:  # the first board at rest, not a later one
            self._lies = self.table.set_up_window or self._lies

    def seen(self, frame: Frame) -> Seen:
        """What the table knows after taking in this frame."""
        return Seen(frame, self._view, self.table.state, self.table.hand)

    def finish(self, name: Message | str, south: South | None = None) -> None:
        """End the recording of that name. south: the edge where people say South sits. Raises `CameraError` if nothing
        could be refereed."""
        table, position = self.table, self._game.start
        table.finish()
        assert position is not None
        if table.state is State.SEARCHING or (table.state is State.BLIND and self._view is None):
            raise CameraError(f"no board of {position.board} pits was found in the {name}")
        if table.state in (State.SETTING_UP, State.BLIND) and not self._begun:
            raise CameraError(f"nothing was refereed in the {name}: {_start_mismatch(position, self._lies, south)}")

    def ended_early(self, why: str) -> str:
        """Emit that the finished recording broke off. Return the sentence on that and on hands that were not judged."""
        self._emit({"t": round(self.now, 3), "event": "blind", "why": why})
        pending = self._pending if self.table.state in MOVING else {}
        hands = " and ".join(f"{side.title}'s hand, over the board since {t:.1f} s," for side, t in pending.items())
        were = "were" if len(pending) > 1 else "was"
        return f"{why}; {hands} {were} not judged" if hands else f"{why}; every hand before that was judged"

    def _append(self, body: Body) -> Event:
        self._numbered += 1
        event = Event.spoken(self._numbered, body)
        instead_of = shown_by = None
        if isinstance(body, VerdictGiven):
            self._given[event.number] = body.t
            self._pending = {side: t for side, t in self._pending.items() if side.letter != body.player}
            instead_of = self._given.get(body.instead_of or body.answers)
            shown_by = self._given.get(body.shown_by)
        form = watch_form(body, round(self.now, 3), self._position_after(body), instead_of)
        if form is not None and shown_by is not None:
            form["shown_by"] = shown_by
        if self._why and form is not None and isinstance(body, VerdictGiven):
            form["because"] = reasons(body)
        if form is not None:
            self._begun |= form["event"] in BEGUN
            self._emit(form)
        return event

    def _position_after(self, body: Body) -> str:
        line = getattr(body, "position", "")
        return line or ("" if self._game.position is None else str(self._game.position))


def judge_log(path: Path, emit: Emit, *, why: bool = False) -> None:
    """Referee a recording from the log of its readings (`device.evidence.reading_log`). why: give verdicts the reasons
    for a doubt. Raises `LogError` for an invalid log, `CameraError` if nothing could be refereed."""
    try:
        header, logged = read_log(path)
        game = RecordedGame(header, emit, why=why)
        _take_in(game, logged)
    except BrokenPipeError:  # whoever read our output is gone
        raise
    except OSError as error:
        raise LogError(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:  # an invalid log, game or position
        raise LogError(f"{path}: {error}") from None
    game.finish(header.recording)


def _take_in(game: RecordedGame, logged: Iterable[Logged]) -> None:
    for entry in logged:
        game.now = entry.now / 1e9
        match entry.what:
            case "reading" if entry.reading is not None:
                game.reading(entry.reading, entry.view)
                # Vision learnt from these when the log was written.
                game.table.counts_to_teach()
                game.table.takes_reference_reset()
                game.table.turns()  # the later readings are of already turned pictures
            case "frozen":
                game.frozen()
            case "replaced":
                game.table.placed()
        game.frame_done()


def _start_mismatch(start: Position, lies: Window | None, south: South | None) -> str:
    """Why the start was not recognised: the counts that were read, or the pits that could not be read, and advice if
    the picture seems turned. south: the edge where people say South sits."""
    board, due = start.board, str(start).split()[0]
    if lies is None:
        return f"whether it starts from {due} is unknown: its pits were never seen at rest"
    wrong, counts = lies.clearly_otherwise(start.counts), lies.counts.tolist()
    if not wrong:
        unsure = ", ".join(board.name(p) for p in lies.otherwise(start.counts))
        return f"whether it starts from {due} is unknown" + (f": {unsure} could not be read clearly" if unsure else "")
    read = [str(n) if seen else "?" for n, seen in zip(counts, lies.seen, strict=True)]
    rows = "/".join(",".join(read[board.at(row, col)] for col in range(board.cols)) for row in range(board.rows))
    pits = ", ".join(f"{board.name(p)} holds {counts[p]} instead of {start.counts[p]}" for p in wrong[:NAMED])
    more = f", and so on, {len(wrong)} pits in all" if len(wrong) > NAMED else ""
    return f"it does not start from {due}, but from {rows}: {pits}{more}{_advice(start, lies, south)}"


def _advice(start: Position, lies: Window, south: South | None) -> str:
    """What to do about a start that was not recognised: turn the picture, if that makes nearly all pits match the
    start; else let the program read the start off the board."""
    wrong = {turn: len(lies.clearly_otherwise(turn.counts(start))) for turn in (Turn.NONE, *TURNS)}
    turn = min(reversed(TURNS), key=lambda one: wrong[one])
    if 2 * wrong[turn] > wrong[Turn.NONE] or not lies.agrees(turn.counts(start)):
        return "; inkeek watch --start auto reads the start off the board"
    edge = f": try --south {OPPOSITE[south]}" if south is not None and turn is Turn.ROWS | Turn.COLUMNS else ""
    return f"; it fits better {HOW[turn]}{edge}"
