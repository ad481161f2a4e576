"""The table of a recording: readings go in, events come out in their kept forms. Whether the readings come from
pictures or from a log is all the same to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from device.cameras.base import CameraError
from device.cli.output_forms import watch_form
from device.cli.watched.reasons import reasons
from device.evidence.reading_log import Header, LogError, Logged, read_log
from device.eyes.frozen import FROZEN
from device.eyes.pipeline import Counting
from device.journal.events import Body, Event, VerdictGiven
from device.journal.game import Game
from device.journal.states import State
from device.system.folder import South
from device.table.parameters import LAYING
from device.table.table import Table
from device.table.turned_picture import TURNS, Turn
from device.table.window import Window
from engine.board import Side
from engine.messages import Message
from engine.position import Position
from vision.reading import BoardView, Frame, Reading

FIRST_S = 1.0
"""A board that lies still for so long lies as the recording begins."""
NAMED = 4
"""Pits that a sentence names, at most."""
MOVING = (State.HANDS_IN, State.SETTLING, State.JUDGING)
"""States in which hands have done something that no verdict was given on."""
BEGUN = ("position", "verdict", "end")
"""Events of a game that is on: the start was recognised."""
OPPOSITE: dict[South, South] = {"bottom": "top", "top": "bottom", "left": "right", "right": "left"}
"""The edge across from each."""
HOW = {Turn.COLUMNS: "in a mirror", Turn.ROWS: "upside down in a mirror", Turn.ROWS | Turn.COLUMNS: "turned round"}
"""The words for a picture that shows the board so."""


Emit = Callable[[dict[str, Any]], None]


@dataclass(frozen=True, slots=True)
class Seen:
    """A frame, and what the table knows when it has taken it in. view: where the board lies in the newest reading, None
    where none is known; state: the table's; hand: whether a hand is over the board."""

    frame: Frame
    view: BoardView | None
    state: State
    hand: bool


class Refereed:
    """The game of one recording. now: seconds of the recording, of the newest frame."""

    def __init__(self, header: Header, emit: Emit, work: Counting | None = None, *, why: bool = False) -> None:
        """header: what is played; emit: takes each event in its kept form; work: as of `Table`; why: verdicts have
        `because`, their reasons for being doubts."""
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
        """A frame's reading, and where the board lay in it."""
        self._view = view
        self.table.reading(reading, view)
        if self.table.state not in MOVING:
            self._pending.clear()
        elif self.table.hand:
            south, north = reading.hands
            self._pending.setdefault(Side.SOUTH if south >= north else Side.NORTH, reading.time_ns / 1e9)

    def frozen(self) -> None:
        """The pictures have stopped."""
        self.table.camera_gone(FROZEN, passing=True)

    def frame_done(self) -> None:
        """All that came with a frame was taken in."""
        if self._lies is None or self._lies.seconds < FIRST_S:  # how it lay at first, not what came of it
            self._lies = self.table.set_up_window or self._lies

    def seen(self, frame: Frame) -> Seen:
        """What is known now, of a frame that was taken in."""
        return Seen(frame, self._view, self.table.state, self.table.hand)

    def finish(self, name: Message | str, south: South | None = None) -> None:
        """The recording of that name is at its end. south: the edge where South was said to sit. Raises `CameraError`
        where nothing came of it."""
        table, position = self.table, self._game.start
        table.finish()
        assert position is not None
        if table.state is State.SEARCHING or (table.state is State.BLIND and self._view is None):
            raise CameraError(f"no board of {position.board} pits was found in the {name}")
        if table.state in (State.SETTING_UP, State.BLIND) and not self._begun:
            raise CameraError(f"nothing was refereed in the {name}: {_amiss(position, self._lies, south)}")

    def ended_early(self, why: str) -> str:
        """The finished recording broke off: say so as an event. The sentence with what was not judged of its hands."""
        self._emit({"t": round(self.now, 3), "event": "blind", "why": why})
        pending = self._pending if self.table.state in MOVING else {}
        hands = " and ".join(f"{side.title}'s hand, over the board since {t:.1f} s," for side, t in pending.items())
        return f"{why}; {hands} was not judged" if hands else f"{why}; every hand before that was judged"

    def _append(self, body: Body) -> Event:
        self._numbered += 1
        event = Event.spoken(self._numbered, body)
        instead_of = shown_by = None
        if isinstance(body, VerdictGiven):
            self._given[event.number] = body.t
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
    """Referee a recording from the log of what vision said of it (`device.evidence.reading_log`). why: verdicts say why
    they are doubts. Raises `LogError` where it is none, `CameraError` where nothing comes of it."""
    try:
        header, logged = read_log(path)
        game = Refereed(header, emit, why=why)
        _take_in(game, logged)
    except BrokenPipeError:  # whoever reads what is said of it has gone
        raise
    except OSError as error:
        raise LogError(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:  # of a log that is none, and of a game or a position that is none
        raise LogError(f"{path}: {error}") from None
    game.finish(header.recording)


def _take_in(game: Refereed, logged: Iterable[Logged]) -> None:
    for entry in logged:
        game.now = entry.now / 1e9
        match entry.what:
            case "reading" if entry.reading is not None:
                game.reading(entry.reading, entry.view)
                # Vision has learnt what it could when the log was written.
                game.table.counts_to_teach()
                game.table.begins_anew()
                game.table.turns()  # the readings that follow are of pictures that were turned then
            case "frozen":
                game.frozen()
            case "replaced":
                game.table.placed()
        game.frame_done()


def _amiss(start: Position, lies: Window | None, south: South | None) -> str:
    """The words for a start that was not found: what the pits read, or which pits could not be read; and what to do
    where the picture seems to be turned. south: the edge where South was said to sit."""
    board, due = start.board, str(start).split()[0]
    if lies is None:
        return f"whether {due} lies there is unknown: its pits were never seen at rest"
    wrong, counts = lies.clearly_otherwise(start.counts), lies.counts.tolist()
    if not wrong:
        unsure = ", ".join(board.name(p) for p in lies.otherwise(start.counts))
        return f"whether {due} lies there is unknown" + (f": {unsure} could not be read clearly" if unsure else "")
    read = [str(n) if seen else "?" for n, seen in zip(counts, lies.seen, strict=True)]
    rows = "/".join(",".join(read[board.at(row, col)] for col in range(board.cols)) for row in range(board.rows))
    pits = ", ".join(f"{board.name(p)} holds {counts[p]} instead of {start.counts[p]}" for p in wrong[:NAMED])
    more = f", and so on in {len(wrong)} pits" if len(wrong) > NAMED else ""
    return f"it does not start from {due}, but from {rows}: {pits}{more}{_turned(start, lies, south)}"


def _turned(start: Position, lies: Window, south: South | None) -> str:
    """The words for a start that a turned picture shows, but for a pit or two that are misread; "" where it does not.
    """
    amiss = {turn: len(lies.clearly_otherwise(turn.counts(start))) for turn in (Turn.NONE, *TURNS)}
    turn = min(reversed(TURNS), key=lambda one: amiss[one])
    agree = len(start.counts) - amiss[turn] - int((~lies.seen).sum())
    if 2 * amiss[turn] > amiss[Turn.NONE] or agree < LAYING.agreeing_share * len(start.counts):
        return ""
    edge = f": try --south {OPPOSITE[south]}" if south is not None and turn is Turn.ROWS | Turn.COLUMNS else ""
    return f"; {HOW[turn]} it fits better{edge}"
