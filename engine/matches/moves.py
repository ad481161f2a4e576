"""Events of moves: made on trial, let stand, retracted, replaced, corrected; and people's rulings
(engine/games/enkeshui.md, "Teams").

Catching an illegal move is up to the opponents: the referee speaks, people decide. So a move by somebody not entitled,
or one that the referee calls illegal, is recorded as it was made, with the board as it lies.
"""

from dataclasses import replace

from engine.games.base import Rearranging
from engine.matches import events as ev
from engine.matches.checks import MatchError, lies, name, ruler, text
from engine.matches.games import check_relaid
from engine.matches.record import GameRecord, MoveRecord, Ruling, Status, find, running, settled
from engine.matches.state import MatchState
from engine.matches.teams import not_entitled
from engine.messages import message
from engine.position import Position

MAX_MOVE = 400
"""Most characters of a move's notation."""


def made(s: MatchState, e: ev.MoveMade, n: int) -> MatchState:
    """Record a trial move. The trial before it stands from now on, unless it is contested."""
    game = running(s.games, e.game)
    before, side = game.position, e.side
    by = name(e.by, "the name of who moved") if e.by else ""
    _check_notation(before, e.move)
    lies(e.position, before.board, f"the board after {side.title}'s move")
    if e.position.to_move is not side.other:
        raise MatchError(f"the board after {side.title}'s move has {side.title} to move")
    _check_verdict(s, e.verdict, e.position, e.move)
    last = game.moves[-1] if game.moves else None
    replaces = None
    if last is not None and last.status is Status.RETRACTED and last.side is side and game.position == last.before:
        replaces = last.number
    contested = not_entitled(s.teams, side, by, before.to_move)
    move = MoveRecord(n, side, by, e.move, before, e.position, e.verdict, contested, replaces)
    return _with(s, replace(game, moves=(*settled(game.moves), move), position=e.position, board_by=n))


def verdict_revised(s: MatchState, e: ev.VerdictRevised) -> MatchState:
    """Change the referee's verdict; a ruling keeps the verdict that it was based on."""
    game, move = find(s.games, e.move)
    _check_verdict(s, e.verdict, move.position, move.text)
    return _with(s, _changed(game, replace(move, verdict=e.verdict)))


def let_stand(s: MatchState, e: ev.MoveLetStand, n: int) -> MatchState:
    """Let a trial or contested move stand."""
    game, move = find(s.games, e.move)
    by = ruler(e.by)
    if move.status is Status.RETRACTED:
        raise MatchError(f"move {e.move} cannot stand: it was retracted")
    if any(r.move == e.move and r.what == "stands" for r in s.rulings):
        raise MatchError(f"move {e.move} stands already: that was ruled")
    s = _with(s, _changed(game, replace(move, status=Status.STANDS)))
    return _ruled(s, Ruling(n, "stands", by, game.number, game.attempt, move.number, verdict=move.verdict))


def retracted(s: MatchState, e: ev.Retracted, n: int) -> MatchState:
    """Take the last move back: the board is as before it, and its side is to move."""
    game, move = _last(s, e.move, "retracted")
    by, mover = ruler(e.by), name(e.mover, "the name of who moved") if e.mover else move.by
    if e.side is not None and by in s.teams[e.side.other].members:
        raise MatchError(f"move {e.move} cannot be retracted for {e.side.title} by {by}, who plays for "
                         f"{e.side.other.title}")
    if e.spectator and any(mover in team.members for team in s.teams):
        raise MatchError(f"{mover} is no spectator: he plays in a team")
    if e.why is ev.Why.ENDLESS and s.rules.values.get("endless") != "withdrawn":
        raise MatchError(f"move {e.move} cannot be retracted for a sowing that never ends: the game is annulled and "
                         "replayed")
    contested = not_entitled(s.teams, move.side, mover, move.before.to_move)
    if e.spectator and not mover:
        contested = ("a spectator moved: spectators may not move", *contested)
    game = _changed(game, replace(move, by=mover, contested=contested, status=Status.RETRACTED))
    game = replace(game, position=move.before, board_by=n)
    ruling = Ruling(n, "retracted", by, game.number, game.attempt, move.number, e.side, e.why.value, move.verdict,
                    mover, e.spectator)
    return _ruled(_with(s, game), ruling)


def corrected(s: MatchState, e: ev.MoveCorrected, n: int) -> MatchState:
    """Correct the board after the last move."""
    game, move = _last(s, e.move, "corrected")
    by = ruler(e.by)
    lies(e.position, move.before.board, f"the corrected board of move {e.move}")
    if e.position.to_move is not move.position.to_move:
        raise MatchError(f"the corrected board of move {e.move} has {move.side.title} to move")
    game = _changed(game, replace(move, position=e.position))
    game = replace(game, position=e.position, board_by=n)
    ruling = Ruling(n, "corrected", by, game.number, game.attempt, move.number, verdict=move.verdict)
    return _ruled(_with(s, game), ruling)


def board_set(s: MatchState, e: ev.BoardSet, n: int) -> MatchState:
    """Continue the game from another position; moves before it can no longer be retracted."""
    game, by = running(s.games, e.game), ruler(e.by)
    why = text(e.why, "the reason of the new board")
    lies(e.position, game.start.board, f"the new board of game {game.number}")
    game = replace(game, position=e.position, board_by=n, moves=settled(game.moves), set_up=e.position)
    return _ruled(_with(s, game), Ruling(n, "board set", by, game.number, game.attempt, why=why))


def rearranged(s: MatchState, e: ev.Rearranged, n: int) -> MatchState:
    """Record seeds re-laid before the first move; this is no ruling and passes no turn."""
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
        raise MatchError(f"move {number} cannot be {what}: game {game.number} is {game.status.value}")
    if move.status is Status.RETRACTED:
        raise MatchError(f"move {number} cannot be {what}: it was retracted")
    if move is not game.moves[-1]:
        raise MatchError(f"move {number} cannot be {what}: move {game.moves[-1].number} was made after it")
    if game.position != move.position:
        raise MatchError(f"move {number} cannot be {what}: event {game.board_by} has changed the board after it")
    return game, move


def _check_notation(before: Position, move: str) -> None:
    if not move:
        return
    if len(move) > MAX_MOVE:
        raise MatchError(f"the move's notation has {len(move)} characters: at most {MAX_MOVE}")
    text(move[:20], "the move's notation")
    try:
        before.board.pit(move[0])
    except ValueError as e:
        raise MatchError(f"the move {move[:20]!r}: {e}") from None


def _check_verdict(s: MatchState, verdict: ev.MoveVerdict | None, position: Position, move: str) -> None:
    if verdict is None:
        return
    if verdict.kind not in ev.KINDS:
        raise MatchError(f"the verdict {verdict.kind[:40]!r} on move {move[:20]} is unknown: {', '.join(ev.KINDS)}")
    if not 0.0 <= verdict.confidence <= 1.0:
        raise MatchError(f"the confidence of the verdict on move {move[:20]} is {verdict.confidence}: 0 to 1")
    found = s.rules.check(position) if verdict.kind == "legal" else []
    if found:
        raise MatchError(f"the referee calls move {move[:20]} legal, and the board after it is not: {found[0]}")


def _changed(game: GameRecord, move: MoveRecord) -> GameRecord:
    return replace(game, moves=tuple(move if m.number == move.number else m for m in game.moves))


def _with(s: MatchState, game: GameRecord) -> MatchState:
    return replace(s, games=tuple(game if g.began == game.began else g for g in s.games))


def _ruled(s: MatchState, ruling: Ruling) -> MatchState:
    return replace(s, rulings=(*s.rulings, ruling))
