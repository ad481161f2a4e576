"""Events of moves: made, retracted, corrected, and boards that were set without one.

Catching an illegal move is up to the opponents: the referee speaks, people decide. So every move is recorded as it was
made, with the board as it lies.
"""

from dataclasses import replace

from engine.games.base import Rearranging
from engine.matches import events as ev
from engine.matches.checks import MatchError, lies
from engine.matches.games import check_relaid
from engine.matches.record import GameRecord, MoveRecord, find, running
from engine.matches.state import MatchState
from engine.messages import message


def made(s: MatchState, e: ev.MoveMade, n: int) -> MatchState:
    """Record a move."""
    game, side = running(s.games, e.game), e.side
    lies(e.position, game.position.board, f"the board after {side.title}'s move")
    if e.position.to_move is not side.other:
        raise MatchError(f"the board after {side.title}'s move has {side.title} to move")
    move = MoveRecord(n, side, game.position, e.position)
    return _with(s, replace(game, moves=(*game.moves, move), position=e.position, board_by=n))


def retracted(s: MatchState, e: ev.Retracted, n: int) -> MatchState:
    """Take the last move back: the board is as before it, and its side is to move."""
    game, move = _last(s, e.move, "retracted")
    return _with(s, replace(_changed(game, replace(move, retracted=True)), position=move.before, board_by=n))


def corrected(s: MatchState, e: ev.MoveCorrected, n: int) -> MatchState:
    """Correct the board after the last move."""
    game, move = _last(s, e.move, "corrected")
    lies(e.position, move.before.board, f"the corrected board of move {e.move}")
    if e.position.to_move is not move.position.to_move:
        raise MatchError(f"the corrected board of move {e.move} has {move.side.title} to move")
    return _with(s, replace(_changed(game, replace(move, position=e.position)), position=e.position, board_by=n))


def board_set(s: MatchState, e: ev.BoardSet, n: int) -> MatchState:
    """Continue the game from another position; moves before it can no longer be retracted."""
    game = running(s.games, e.game)
    lies(e.position, game.start.board, f"the new board of game {game.number}")
    return _with(s, replace(game, position=e.position, board_by=n, set_up=e.position))


def rearranged(s: MatchState, e: ev.Rearranged, n: int) -> MatchState:
    """Record seeds re-laid before the first move; this passes no turn."""
    game, what = running(s.games, e.game), message("contest.laid", game=e.game)
    lies(e.position, game.start.board, what)
    if s.rules.rearranging is not Rearranging.SETUP or game.position.ply or e.position.ply:
        raise MatchError(f"game {game.number} allows no rearranging now: a side rearranges before the first move, if "
                         "the field rearrange is setup")
    check_relaid(s.rules, game.set_up, e.position, what)
    return _with(s, replace(game, position=e.position, board_by=n))


# ---- shared
# -------------------------------------------------------------------------------------------------------------


def _last(s: MatchState, number: int, what: str) -> tuple[GameRecord, MoveRecord]:
    """Return the move with that number, which must be the one that the board shows."""
    game, move = find(s.games, number)
    if not game.running:
        raise MatchError(f"move {number} cannot be {what}: game {game.number} has ended")
    if move.retracted:
        raise MatchError(f"move {number} cannot be {what}: it was retracted")
    if move is not game.moves[-1]:
        raise MatchError(f"move {number} cannot be {what}: move {game.moves[-1].number} was made after it")
    if game.position != move.position:
        raise MatchError(f"move {number} cannot be {what}: event {game.board_by} has changed the board after it")
    return game, move


def _changed(game: GameRecord, move: MoveRecord) -> GameRecord:
    return replace(game, moves=(*game.moves[:-1], move))


def _with(s: MatchState, game: GameRecord) -> MatchState:
    return replace(s, games=(*s.games[:-1], game))
