"""What happens in a tournament, one frozen class a kind of event.

Events are numbered from 1 by their place in the tournament. An entry is named by the number of its `Entered`, and a
pairing by that of its `RoundMade` and its place there (`PairingPlace`), so that each name means one alone. Times
`at` are nanoseconds, given from outside; None where nobody timed it. Names `by` are who said so, "" where nobody did.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from engine.tournaments.results import Result


class System(Enum):
    """Who meets whom."""

    ROUND_ROBIN = "round-robin"
    KNOCK_OUT = "knock-out"


class RankedBy(Enum):
    """What a round robin is won by: matches won, or the scores of all matches together."""

    MATCHES = "matches"
    SCORE = "score"


@dataclass(frozen=True, slots=True)
class Paired:
    """Two entries of one round, by number. south: None where nobody is left; north: None for a bye. table: "" where no
    table is named. sitting: from 1; a table that is needed twice in a round has two. third: the third place is played
    for."""

    south: int | None
    north: int | None
    table: str = ""
    sitting: int = 1
    third: bool = False

    @property
    def entries(self) -> tuple[int, ...]:
        """The numbers of those who are there."""
        return tuple(one for one in (self.south, self.north) if one is not None)


@dataclass(frozen=True, slots=True, order=True)
class PairingPlace:
    """A pairing. made: the number of the `RoundMade`; number: its place there, from 1."""

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
    """The first event. cycles: how often every two meet in a round robin. third_place: whether those who lost in the
    semi-finals of a knock-out play for it. about: what is played, in words."""

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
    """An entry is called otherwise, or has other members."""

    entry: int
    name: str
    members: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Seeded(TournamentEvent):
    """The entries, the strongest first; without this event they stand in the order in which they came."""

    order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TablesNamed(TournamentEvent):
    """The tables there are; the rounds made from now on are played at them."""

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
    """A table says how the match ended; None: it goes on after all. source: where that stands."""

    pairing: PairingPlace
    result: Result | None
    source: str = ""


@dataclass(frozen=True, slots=True)
class Corrected(TournamentEvent):
    """People say how the match ended, whatever a table says; None: it is to be played again."""

    pairing: PairingPlace
    result: Result | None
    why: str


@dataclass(frozen=True, slots=True)
class Undone(TournamentEvent):
    """Event `event` counts no more; nothing is deleted. An `Undone` can itself be undone."""

    event: int
