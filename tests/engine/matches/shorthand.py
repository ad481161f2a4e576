"""Matches in short: what the tests of `engine.matches` are built from."""

from dataclasses import replace

from engine.board import Side
from engine.matches import (
    BoardSet,
    GameBegun,
    GameEnded,
    GameScored,
    MatchBegun,
    MatchEvent,
    MatchState,
    MoveMade,
    OlAlai,
    Points,
    Sticks,
    Surplus,
    after,
    fold,
)
from engine.position import Position

S, N = Side.SOUTH, Side.NORTH

ENKESHUI = MatchBegun("enkeshui", Sticks(3))
SURPLUS = MatchBegun("enkeshui", Surplus())
ENDODOI = MatchBegun("endodoi", OlAlai(3))
OMWESO = MatchBegun("omweso", Points(games=3))


def on(state: MatchState, *events: MatchEvent) -> MatchState:
    """The state after more events."""
    for event in events:
        state = after(state, event)
    return state


def playing(begun: MatchBegun = ENKESHUI, first: Side = S) -> MatchState:
    """The first game of a match, begun."""
    return fold([begun, GameBegun(1, first)])


def move(state: MatchState, name: str | None = None) -> MoveMade:
    """A legal move of the side to move, the first there is where none is named."""
    assert state.game is not None
    position = state.game.position
    played = state.rules.moves(position).moves[0] if name is None else state.rules.play(position, name)
    return MoveMade(state.game.number, position.to_move, played.position)


def won(state: MatchState, side: Side | None, result: tuple[int, int] | None = None) -> MatchState:
    """The next game begun, and won by a side as people scored it."""
    number = 1 + sum(g.scored is not None for g in state.games)
    return on(state, GameBegun(number, S), GameScored(number, side, result))


def akawumbi(state: MatchState, side: Side) -> MatchState:
    """The next game of Omweso begun, and won on the board by a side that left the other none of its seeds."""
    number = 1 + sum(g.scored is not None for g in state.games)
    counts = (4,) * 16 + (0,) * 16 if side is S else (0,) * 16 + (4,) * 16
    bare = replace(state.rules.setup(), counts=counts, to_move=side.other, ply=20)
    return on(state, GameBegun(number, S), BoardSet(number, bare), GameEnded(number))


def last(state: MatchState) -> int:
    """The number of the event that came last."""
    return len(state.log)


def turned(position: Position) -> Position:
    """The same board with the other side to move."""
    return replace(position, to_move=position.to_move.other)
