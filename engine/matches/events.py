"""The events of a match, one frozen class per kind.

Events are numbered from 1 in their order; a move is identified by the number of its `MoveMade`.
"""

from dataclasses import dataclass

from engine.board import Side
from engine.matches.forms import Form
from engine.position import Position


@dataclass(frozen=True, slots=True)
class MatchEvent:
    """Something that happened."""


# ---- the match and its games
# --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MatchBegun(MatchEvent):
    """The first event. rules: the ruleset, "" for the game's default; sets: its changed fields, (field, value). setup:
    the position from which games begin, None for the ruleset's own."""

    game: str
    form: Form
    rules: str = ""
    sets: tuple[tuple[str, str], ...] = ()
    setup: Position | None = None


@dataclass(frozen=True, slots=True)
class GameBegun(MatchEvent):
    """A game began. game: its number, from 1; a game after an annulled one has the same number. first: who moves first.
    position: the set-up after the sides rearranged their rows, None if they did not."""

    game: int
    first: Side
    position: Position | None = None


@dataclass(frozen=True, slots=True)
class GameEnded(MatchEvent):
    """The game was played to its end; the rules determine the result from the board."""

    game: int


@dataclass(frozen=True, slots=True)
class GameScored(MatchEvent):
    """People say how a game ended, since the board does not show it. winner: None for a draw. result: South's and
    North's seeds, None if nobody counted them."""

    game: int
    winner: Side | None
    result: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Forfeited(MatchEvent):
    """`side` resigns the game."""

    side: Side


@dataclass(frozen=True, slots=True)
class Annulled(MatchEvent):
    """The game does not count and is replayed."""

    game: int


# ---- teams
# --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Joined(MatchEvent):
    """`name` joined a side's team, before or during a game."""

    side: Side
    name: str


@dataclass(frozen=True, slots=True)
class Left(MatchEvent):
    """`name` left a side's team."""

    side: Side
    name: str


# ---- moves and rulings
# --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MoveMade(MatchEvent):
    """Somebody moved. position: the board afterwards, the other side to move."""

    game: int
    side: Side
    position: Position


@dataclass(frozen=True, slots=True)
class Retracted(MatchEvent):
    """The last move is taken back: the board is as before it."""

    move: int


@dataclass(frozen=True, slots=True)
class MoveCorrected(MatchEvent):
    """People correct the board after the last move: it is `position`, not what was seen."""

    move: int
    position: Position


@dataclass(frozen=True, slots=True)
class BoardSet(MatchEvent):
    """The running game continues from `position`, to which no move led: after a race or a rearranging, or because
    people entered counts or took a move back."""

    game: int
    position: Position


@dataclass(frozen=True, slots=True)
class Rearranged(MatchEvent):
    """Before the first move one side or both re-laid up to two pits each, leaving `position`: once for each side."""

    game: int
    position: Position


# ---- undo
# ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EventUndone(MatchEvent):
    """Event `event` no longer counts, nor do those based on it; nothing is deleted. An undo can itself be undone."""

    event: int
