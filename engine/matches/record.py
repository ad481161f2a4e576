"""The parts of a match's state: teams, games, their moves, and the log of all events."""

from dataclasses import dataclass

from engine.board import Side
from engine.matches.checks import MatchError
from engine.matches.events import MatchEvent
from engine.matches.forms import GameScore
from engine.position import Position


@dataclass(frozen=True, slots=True)
class Team:
    """A side's current team, in the order of joining."""

    side: Side
    members: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MoveRecord:
    """A move that was made. number: of its event. before, position: the board before and after it. retracted: it was
    taken back."""

    number: int
    side: Side
    before: Position
    position: Position
    retracted: bool = False


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game of the match, or one attempt at it. number: from 1; a replay has the same. began, board_by, ended:
    numbers of the events that began it, last changed its board, and ended it. position: the board now. set_up: the
    position relative to which rearranging is checked. scored: how it counts, None while it runs and if it does not
    count."""

    number: int
    began: int
    start: Position
    position: Position
    board_by: int
    set_up: Position
    moves: tuple[MoveRecord, ...] = ()
    scored: GameScore | None = None
    ended: int | None = None

    @property
    def running(self) -> bool:
        """Whether it is being played."""
        return self.ended is None


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
