"""The events of a tournament, one frozen class per kind.

Events are numbered from 1 in their order. An entry is identified by the number of its `Entered`, a pairing by that of
its `RoundMade` and its place there (`PairingPlace`). Times `at` are nanoseconds, passed in from outside; None if nobody
timed it. Names `by` say who reported it, "" if unknown.
"""

from dataclasses import dataclass
from enum import Enum

from engine.tournaments.results import Result


class System(Enum):
    """How opponents are chosen."""

    ROUND_ROBIN = "round-robin"
    KNOCK_OUT = "knock-out"


class RankedBy(Enum):
    """What decides a round robin: matches won, or the scores of all matches together."""

    MATCHES = "matches"
    SCORE = "score"


@dataclass(frozen=True, slots=True)
class Paired:
    """Two entries of one round, by number. south: None if nobody is left; north: None for a bye. table: "" if no table
    is named. sitting: from 1; a table used twice in a round has two. third: a match for third place."""

    south: int | None
    north: int | None
    table: str = ""
    sitting: int = 1
    third: bool = False

    @property
    def entries(self) -> tuple[int, ...]:
        """The numbers of its entries."""
        return tuple(one for one in (self.south, self.north) if one is not None)


@dataclass(frozen=True, slots=True, order=True)
class PairingPlace:
    """Identifies a pairing. made: the number of the `RoundMade`; number: its place there, from 1."""

    made: int
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentEvent:
    """Something that happened."""

    at: int | None = None
    by: str = ""


# ---- before the rounds
# ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TournamentBegun(TournamentEvent):
    """The first event. cycles: how often every two meet in a round robin. third_place: whether the losers of a
    knock-out's semi-finals play for third place. about: what is played, in words."""

    name: str
    system: System
    counts: RankedBy = RankedBy.MATCHES
    cycles: int = 1
    third_place: bool = False
    about: str = ""


@dataclass(frozen=True, slots=True)
class Entered(TournamentEvent):
    """A player, or a team of `members`, takes part."""

    name: str
    members: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Renamed(TournamentEvent):
    """An entry has another name, or other members."""

    entry: int
    name: str
    members: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TablesNamed(TournamentEvent):
    """The tables at which the rounds made from now on are played."""

    tables: tuple[str, ...]


# ---- rounds
# --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Withdrew(TournamentEvent):
    """An entry plays no more."""

    entry: int
    why: str = ""


@dataclass(frozen=True, slots=True)
class RoundMade(TournamentEvent):
    """Round `round` (from 1) is paired; `engine.tournaments.draw` says how."""

    round: int
    pairings: tuple[Paired, ...]


@dataclass(frozen=True, slots=True)
class Moved(TournamentEvent):
    """A pairing is played at another table."""

    pairing: PairingPlace
    table: str
    sitting: int = 1


# ---- results
# -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reported(TournamentEvent):
    """A table reports a match's result; None: the match continues after all. source: where the result stands."""

    pairing: PairingPlace
    result: Result | None
    source: str = ""


@dataclass(frozen=True, slots=True)
class Corrected(TournamentEvent):
    """People set a match's result, whatever a table reports; None: it is to be played again."""

    pairing: PairingPlace
    result: Result | None
    why: str


@dataclass(frozen=True, slots=True)
class Undone(TournamentEvent):
    """Event `event` no longer counts; nothing is deleted. An `Undone` can itself be undone."""

    event: int
