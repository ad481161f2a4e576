"""Events of the clock: a turn is due, begun, counted against, stolen (engine/games/omweso.md, "Clocks")."""

from dataclasses import replace

from engine.board import Side
from engine.matches.checks import MatchError, quote
from engine.matches.clock import COUNT, TimedTurn
from engine.matches.events import Counted, MatchEvent, Stolen, TurnBegun, TurnDue
from engine.matches.record import GameRecord, running
from engine.matches.state import MatchState


def due(s: MatchState, e: TurnDue) -> MatchState:
    """Start the seconds of the player to move; nothing is counted against him yet."""
    game, at = running(s.games, e.game), _at(e)
    _check_turn(game, e.side)
    return _with(s, game, replace(game.turn, due=at, counted=()))


def begun(s: MatchState, e: TurnBegun) -> MatchState:
    """Note that the player to move has lifted his first seeds."""
    game, at = running(s.games, e.game), _at(e)
    _check_turn(game, e.side)
    return _with(s, game, replace(game.turn, begun=at))


def counted(s: MatchState, e: Counted) -> MatchState:
    """Count "omu" or "ebiri", in that order, against a turn that has not begun."""
    game = running(s.games, e.game)
    turn = game.turn
    _check_timed(s, game)
    if e.word not in COUNT:
        raise MatchError(f"{quote(e.word)} is not counted: {' and '.join(COUNT)} are")
    _check_turn(game, turn.side)
    expected = COUNT[len(turn.counted)] if len(turn.counted) < len(COUNT) else None
    if e.word != expected:
        before = " and ".join(turn.counted) or "nothing"
        raise MatchError(f'"{e.word}" cannot be counted against {turn.side.title}: {before} has been counted')
    return _with(s, game, replace(turn, counted=(*turn.counted, e.word)))


def stolen(s: MatchState, e: Stolen, n: int) -> MatchState:
    """Give the turn to the other player on the same board."""
    game = running(s.games, e.game)
    turn = game.turn
    if e.side is turn.side:
        raise MatchError(f"{e.side.title} cannot steal the turn in game {game.number}: it is {e.side.title}'s own")
    why = turn.not_to_steal(s.clock, e.at)
    if why is not None:
        raise MatchError(f"{e.side.title} cannot steal the turn in game {game.number}: {why}")
    position = replace(game.position, to_move=e.side)
    game = replace(game, position=position, board_by=n)
    return _with(s, game, TimedTurn(e.side, e.at, stolen=True))


def _at(e: MatchEvent) -> int:
    if e.at is None:
        raise MatchError("the time at is missing: without it nothing is timed")
    return e.at


def _check_timed(s: MatchState, game: GameRecord) -> None:
    if not s.clock.clocks:
        raise MatchError(f"the turns of game {game.number} are not timed (field clocks)")


def _check_turn(game: GameRecord, side: Side) -> None:
    """Raise MatchError unless it is this side's turn, not yet begun."""
    if side is not game.turn.side:
        raise MatchError(f"it is not {side.title}'s turn in game {game.number}: it is {game.turn.side.title}'s")
    if game.turn.begun is not None:
        raise MatchError(f"{side.title}'s turn in game {game.number} has begun already")


def _with(s: MatchState, game: GameRecord, turn: TimedTurn) -> MatchState:
    return replace(s, games=(*s.games[:-1], replace(game, turn=turn)))
