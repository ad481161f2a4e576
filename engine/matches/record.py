"""The parts of a match's state: teams, games, their moves, people's rulings, and the log of all events."""

from dataclasses import dataclass, replace
from enum import Enum

from engine.board import Side
from engine.matches.checks import MatchError
from engine.matches.events import MatchEvent, MoveVerdict
from engine.matches.forms import GameScore
from engine.position import Position


@dataclass(frozen=True, slots=True)
class Team:
    """A side's current team, in the order of joining."""

    side: Side
    members: tuple[str, ...] = ()


class Status(Enum):
    """The status of a move. A trial stands once play continues from it, unless it is contested."""

    TRIAL = "trial"
    STANDS = "stands"
    RETRACTED = "retracted"


@dataclass(frozen=True, slots=True)
class MoveRecord:
    """A move that was made. number: of its event. text: its notation. before, position: the board before and after it.
    contested: why its maker was not entitled to it, a sentence each. replaces: the retracted move in whose place it was
    made. verdict: the referee's."""

    number: int
    side: Side
    by: str
    text: str
    before: Position
    position: Position
    verdict: MoveVerdict | None
    contested: tuple[str, ...] = ()
    replaces: int | None = None
    status: Status = Status.TRIAL

    @property
    def open(self) -> bool:
        """Whether people still have to rule on it: contested, and neither let stand nor retracted."""
        return bool(self.contested) and self.status is Status.TRIAL


class GameStatus(Enum):
    """The status of a game."""

    RUNNING = "running"
    PLAYED = "played"
    SCORED = "scored"
    FORFEITED = "forfeited"
    ANNULLED = "annulled"


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game of the match, or one attempt at it. number, attempt: from 1; a replay is the next attempt. began,
    board_by, ended: numbers of the events that began it, last changed its board, and ended it. position: the board now.
    set_up: the position relative to which rearranging is checked. scored: how it counts, None while it runs and if it
    does not count. reason: how it ended."""

    number: int
    attempt: int
    began: int
    start: Position
    position: Position
    board_by: int
    set_up: Position
    moves: tuple[MoveRecord, ...] = ()
    status: GameStatus = GameStatus.RUNNING
    scored: GameScore | None = None
    reason: str = ""
    ended: int | None = None

    @property
    def running(self) -> bool:
        """Whether it is being played."""
        return self.status is GameStatus.RUNNING


@dataclass(frozen=True, slots=True)
class Ruling:
    """A person's ruling.

    number: of its event; game, attempt: where; move: on which, None for a whole game or match. what: stands, retracted,
    corrected, board set, scored, forfeited, annulled. side: who retracted or forfeited, or won by the score. verdict:
    the referee's verdict on the move at that time. mover, spectator: for a retraction, who had moved, and whether that
    was somebody of neither team.
    """

    number: int
    what: str
    by: str
    game: int | None = None
    attempt: int | None = None
    move: int | None = None
    side: Side | None = None
    why: str = ""
    verdict: MoveVerdict | None = None
    mover: str = ""
    spectator: bool = False


@dataclass(frozen=True, slots=True)
class LogEntry:
    """An event in the log. ground: the events it is based on (`engine.matches.fold`). skipped: a sentence why it no
    longer counts; "" if it counts."""

    event: MatchEvent
    ground: tuple[int, ...] = ()
    skipped: str = ""


# ---- lookups
# ----------------------------------------------------------------------------------------------------------


def running(games: tuple[GameRecord, ...], number: int) -> GameRecord:
    """Return the game being played, which must have this number. Raises MatchError."""
    if not games or not games[-1].running:
        raise MatchError(f"game {number} is not being played: no game is")
    if games[-1].number != number:
        raise MatchError(f"game {number} is not being played: game {games[-1].number} is")
    return games[-1]


def find(games: tuple[GameRecord, ...], number: int) -> tuple[GameRecord, MoveRecord]:
    """Return the game and the move of event `number`. Raises MatchError."""
    for game in reversed(games):
        for move in reversed(game.moves):
            if move.number == number:
                return game, move
    raise MatchError(f"there is no move {str(number)[:20]}: no MoveMade of that number counts")


def settled(moves: tuple[MoveRecord, ...]) -> tuple[MoveRecord, ...]:
    """Return the moves after play has continued from the last: a trial stands, unless it is contested."""
    if not moves or moves[-1].status is not Status.TRIAL or moves[-1].contested:
        return moves
    return (*moves[:-1], replace(moves[-1], status=Status.STANDS))
