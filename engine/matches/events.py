"""What happens in a match, one frozen class a kind of event.

Events are numbered from 1 by their place in the match; a move is named by the number of its `MoveMade`, so that a
ruling can only mean that one. Times `at` are nanoseconds of one clock, given from outside; None where nobody timed it.
Names `by` are who did it or who ruled, "" where nobody knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from engine.board import Side
from engine.explain import FaultLike
from engine.matches.clock import ClockRules
from engine.matches.forms import Form
from engine.position import Position


@dataclass(frozen=True, slots=True)
class NamedFault:
    """One fault that the referee named; as `engine.referee.verdict.Fault`. pit: along the ring, None for a
    fault of no one pit."""

    code: str
    pit: int | None = None
    lap: int = 0
    n: int = 0
    instead: tuple[int, ...] = ()


class SeenVerdict(Protocol):
    """What is read of a verdict; see `engine.referee.verdict.Verdict`."""

    @property
    def kind(self) -> str:
        """One of `KINDS`."""

    @property
    def faults(self) -> Sequence[FaultLike]:
        """The faults of an illegal move."""

    @property
    def confidence(self) -> float:
        """0 to 1."""


@dataclass(frozen=True, slots=True)
class MoveVerdict:
    """What the judge said of a move: kept as it was when people ruled. confidence: 0 to 1."""

    kind: str
    faults: tuple[NamedFault, ...] = ()
    confidence: float = 0.0

    @classmethod
    def of(cls, verdict: SeenVerdict) -> MoveVerdict:
        """A verdict's kind, faults and confidence."""
        faults = tuple(NamedFault(f.code, f.pit, f.lap, f.n, f.instead) for f in verdict.faults)
        return cls(verdict.kind, faults, verdict.confidence)


KINDS = ("legal", "illegal", "withdrawn", "not-sure", "tampered", "rearranged", "race", "unchanged")
"""The kinds of verdict."""


class Why(Enum):
    """Why a move is retracted (engine/games/enkeshui.md, "Teams", and "Never-ending sowing" where the field endless is
    withdrawn)."""

    ILLEGAL = "it was illegal"
    OUT_OF_TURN = "it was made out of turn"
    CHEAT = "a cheat was caught"
    NOT_ENTITLED = "it was made by somebody not entitled to play"
    NO_AGREEMENT = "the team did not agree"
    ENDLESS = "its sowing never ends"
    NOT_SAID = "it was not said why"


class Annulment(Enum):
    """Why a game is annulled, and replayed."""

    OVER_TIME = "a move took longer than its time"
    ENDLESS = "a sowing never ends"
    AGREED = "both sides agreed"


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchEvent:
    """Something that happened. at: when, in ns; never before the event before it."""

    at: int | None = None


# ---- the match and its games
# --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MatchBegun(MatchEvent):
    """The first event. rules: the ruleset, "" for the game's default; sets: its changed fields, (field, value).
    setup: what the games begin from, None for the ruleset's own. clock: None for what the ruleset says."""

    game: str
    form: Form
    rules: str = ""
    sets: tuple[tuple[str, str], ...] = ()
    setup: Position | None = None
    clock: ClockRules | None = None


@dataclass(frozen=True, slots=True)
class GameBegun(MatchEvent):
    """Game `game` (from 1) began; after an annulled one the same number again. first: who moves first. position: the
    set-up as it was laid, where the sides have rearranged theirs."""

    game: int
    first: Side
    position: Position | None = None


@dataclass(frozen=True, slots=True)
class GameEnded(MatchEvent):
    """The game was played to its end: the result is what the rules make of the board."""

    game: int


@dataclass(frozen=True, slots=True)
class GameScored(MatchEvent):
    """People say how a game ended that the board does not show to its end. result: seeds, South's and North's, where
    they counted. points: what the win weighs."""

    game: int
    winner: Side | None
    result: tuple[int, int] | None = None
    points: int = 1
    by: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Forfeited(MatchEvent):
    """`side` gives up the game, or the whole match."""

    side: Side
    match: bool = False
    by: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Annulled(MatchEvent):
    """The game counts for nothing and is replayed."""

    game: int
    why: Annulment
    by: str = ""


# ---- teams
# --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Joined(MatchEvent):
    """`name` joined a side's team, before a game or in the middle of one."""

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
    """Somebody moved; a trial until it is let stand or followed. by: who, "" for an unknown one of the team. move: its
    notation, "" where none fits. position: the board as it lies, the other side to move. verdict: the judge's."""

    game: int
    side: Side
    by: str
    move: str
    position: Position
    verdict: MoveVerdict | None = None


@dataclass(frozen=True, slots=True)
class VerdictRevised(MatchEvent):
    """The judge says something else of a move than before: it looked again."""

    move: int
    verdict: MoveVerdict


@dataclass(frozen=True, slots=True)
class MoveLetStand(MatchEvent):
    """People rule that a move stands, with the board as it lies."""

    move: int
    by: str = ""


@dataclass(frozen=True, slots=True)
class Retracted(MatchEvent):
    """`side`, its own team or the opponents (None where nobody said), takes the last move back: the board is again as
    it was before it. mover: who had made it, where that was not known before; spectator: somebody of neither team."""

    move: int
    side: Side | None
    why: Why
    by: str = ""
    mover: str = ""
    spectator: bool = False


@dataclass(frozen=True, slots=True)
class MoveCorrected(MatchEvent):
    """People rule that the last move was not as seen: `position` is what lies there."""

    move: int
    position: Position
    by: str = ""


@dataclass(frozen=True, slots=True)
class BoardSet(MatchEvent):
    """The game goes on from `position` for another reason than a move: a race, a rearranging, an arrangement."""

    game: int
    position: Position
    why: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class Rearranged(MatchEvent):
    """Before the first move a side, or each, re-laid up to two of its pits, and `position` lies there: once a side."""

    game: int
    position: Position


# ---- clocks
# -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TurnDue(MatchEvent):
    """From now on `side` has its seconds to begin: where no move before it tells so, or after a pause."""

    game: int
    side: Side


@dataclass(frozen=True, slots=True)
class TurnBegun(MatchEvent):
    """`side` began its move: the first seeds are lifted."""

    game: int
    side: Side


@dataclass(frozen=True, slots=True)
class Counted(MatchEvent):
    """`word` of "omu", "ebiri" was counted aloud against the side to move."""

    game: int
    word: str


@dataclass(frozen=True, slots=True)
class Stolen(MatchEvent):
    """`side` took the turn that the other did not begin in time. It may; it need not."""

    game: int
    side: Side


# ---- undo
# ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EventUndone(MatchEvent):
    """Event `event` counts no more, nor what rested on it; nothing is deleted. An undoing can itself be undone."""

    event: int
    by: str = ""
