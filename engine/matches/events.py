"""The events of a match, one frozen class per kind.

Events are numbered from 1 in their order; a move is identified by the number of its `MoveMade`, so that a ruling is
unambiguous. Names `by` say who did it or who ruled, "" if unknown.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from engine.board import Side
from engine.matches.forms import Form
from engine.position import Position


@dataclass(frozen=True, slots=True)
class MoveVerdict:
    """The referee's verdict on a move, as it was when people ruled. confidence: 0 to 1."""

    kind: str
    confidence: float = 0.0


KINDS = ("legal", "illegal", "withdrawn", "not-sure", "tampered", "rearranged", "race", "unchanged")
"""The kinds of verdict."""


class Why(Enum):
    """Why a move is retracted (engine/games/enkeshui.md, "Teams", and "Never-ending sowing" if the field endless is
    withdrawn)."""

    ILLEGAL = "it was illegal"
    OUT_OF_TURN = "it was made out of turn"
    CHEAT = "a cheat was caught"
    NOT_ENTITLED = "it was made by somebody not entitled to play"
    NO_AGREEMENT = "the team did not agree"
    ENDLESS = "its sowing never ends"
    NOT_SAID = "it was not said why"


class Annulment(Enum):
    """Why a game is annulled and replayed."""

    ENDLESS = "a sowing never ends"
    AGREED = "both sides agreed"


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
    """Game `game` (from 1) began; after an annulled game the same number again. first: who moves first. position: the
    set-up as it was laid, if the sides have rearranged theirs."""

    game: int
    first: Side
    position: Position | None = None


@dataclass(frozen=True, slots=True)
class GameEnded(MatchEvent):
    """The game was played to its end; the rules determine the result from the board."""

    game: int


@dataclass(frozen=True, slots=True)
class GameScored(MatchEvent):
    """People say how a game ended whose end the board does not show. result: seeds, South's and North's, if they were
    counted. points: the weight of the win."""

    game: int
    winner: Side | None
    result: tuple[int, int] | None = None
    points: int = 1
    by: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Forfeited(MatchEvent):
    """`side` resigns the game, or the whole match."""

    side: Side
    match: bool = False
    by: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Annulled(MatchEvent):
    """The game does not count and is replayed."""

    game: int
    why: Annulment
    by: str = ""


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
    """Somebody moved; a trial until it is let stand or followed. by: who, "" for an unknown team member. move: its
    notation, "" if none fits. position: the board afterwards, the other side to move. verdict: the referee's."""

    game: int
    side: Side
    by: str
    move: str
    position: Position
    verdict: MoveVerdict | None = None


@dataclass(frozen=True, slots=True)
class VerdictRevised(MatchEvent):
    """The referee changes its verdict on a move after looking again."""

    move: int
    verdict: MoveVerdict


@dataclass(frozen=True, slots=True)
class MoveLetStand(MatchEvent):
    """People rule that a move stands, with the board as it is."""

    move: int
    by: str = ""


@dataclass(frozen=True, slots=True)
class Retracted(MatchEvent):
    """The last move is taken back, and the board is as before it. side: who takes it back, the mover's team or the
    opponents, None if unknown; mover: who had made it, if that was unknown before; spectator: the mover was in neither
    team."""

    move: int
    side: Side | None
    why: Why
    by: str = ""
    mover: str = ""
    spectator: bool = False


@dataclass(frozen=True, slots=True)
class MoveCorrected(MatchEvent):
    """People correct the board after the last move: it is `position`, not what was seen."""

    move: int
    position: Position
    by: str = ""


@dataclass(frozen=True, slots=True)
class BoardSet(MatchEvent):
    """The game continues from `position` for another reason than a move: a race, a rearranging, an arrangement."""

    game: int
    position: Position
    why: str
    by: str = ""


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
    by: str = ""
