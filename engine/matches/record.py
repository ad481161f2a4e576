"""What a match's state is made of: teams, games, their moves, what people ruled, and the log of all events."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from engine.board import Side
from engine.matches.checks import MatchError
from engine.matches.clock import Late, TimedTurn
from engine.matches.events import MatchEvent, MoveVerdict
from engine.matches.forms import GameScore
from engine.position import Position


@dataclass(frozen=True, slots=True)
class Team:
    """Those who play for a side just now, in the order in which they came."""

    side: Side
    members: tuple[str, ...] = ()


class Status(Enum):
    """What has become of a move. A trial stands once the play goes on from it, unless it is contested."""

    TRIAL = "trial"
    STANDS = "stands"
    RETRACTED = "retracted"


@dataclass(frozen=True, slots=True)
class MoveRecord:
    """A move that was made. number: of its event. text: its notation. before, position: the board, as it lies.

    contested: why its maker was not entitled to it, a sentence each. replaces: the retracted move it was made instead
    of. began, ended: ns. late: the limits it passed. verdict: what the judge says of it.
    """

    number: int
    side: Side
    by: str
    text: str
    before: Position
    position: Position
    verdict: MoveVerdict | None
    contested: tuple[str, ...] = ()
    replaces: int | None = None
    began: int | None = None
    ended: int | None = None
    late: tuple[Late, ...] = ()
    status: Status = Status.TRIAL

    @property
    def open(self) -> bool:
        """Whether people still have to rule on it: contested, and neither let stand nor retracted."""
        return bool(self.contested) and self.status is Status.TRIAL


class GameStatus(Enum):
    """What has become of a game."""

    RUNNING = "running"
    PLAYED = "played"
    SCORED = "scored"
    FORFEITED = "forfeited"
    ANNULLED = "annulled"


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game of the match, or one attempt at it. number, attempt: from 1; a replay is the next attempt.

    began, board_by, ended: numbers of the events that began it, last changed its board, and ended it. position: the
    board now. set_up: what the sides' rearranging is counted from. scored: how it counts,
    None while it runs and where it counts for nothing. reason: how it ended.
    """

    number: int
    attempt: int
    began: int
    start: Position
    position: Position
    board_by: int
    turn: TimedTurn
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
    """What a person ruled.

    number: of its event; game, attempt: in which; move: on which, None for a whole game or match. what: stands,
    retracted, corrected, board set, scored, forfeited, annulled. side: who retracted or forfeited, or won by the score.
    verdict: what the judge had said of the move by then. mover, spectator: of a retraction, who had moved, and whether
    that was somebody of neither team.
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
    """An event in the log. ground: the events that its meaning rests on (`engine.matches.state`). skipped: why it
    counts no more, a sentence; "" where it counts."""

    event: MatchEvent
    ground: tuple[int, ...] = ()
    skipped: str = ""


# ---- looked up
# ----------------------------------------------------------------------------------------------------------


def running(games: tuple[GameRecord, ...], number: int) -> GameRecord:
    """The game being played, which must be that of this number. Raises MatchError."""
    if not games or not games[-1].running:
        raise MatchError(f"game {number} is not being played: no game is")
    if games[-1].number != number:
        raise MatchError(f"game {number} is not being played: game {games[-1].number} is")
    return games[-1]


def find(games: tuple[GameRecord, ...], number: int) -> tuple[GameRecord, MoveRecord]:
    """The move of event `number`, and its game. Raises MatchError."""
    for game in reversed(games):
        for move in reversed(game.moves):
            if move.number == number:
                return game, move
    raise MatchError(f"there is no move {str(number)[:20]}: no MoveMade of that number counts")


def settled(moves: tuple[MoveRecord, ...]) -> tuple[MoveRecord, ...]:
    """The moves once the play has gone on from the last: a trial stands, unless it is contested."""
    if not moves or moves[-1].status is not Status.TRIAL or moves[-1].contested:
        return moves
    return (*moves[:-1], replace(moves[-1], status=Status.STANDS))
