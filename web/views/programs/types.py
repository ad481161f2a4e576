"""What `/api/v1` answers and takes. OpenAPI is made from these types (`web.views.programs.description`).

Fields are added, and never changed in what they mean.
"""

from __future__ import annotations

from typing import Annotated, Literal, get_args

import msgspec
from msgspec import Meta

from device.journal import events as journal
from device.journal.events import WithdrawnBy, WithdrawnFor
from web.readmodel.scores import Score

MOST = 500
"""Events in one answer."""

State = Literal["", "starting", "searching", "setting-up", "watching", "hands-in", "settling", "judging", "withdrawing",
                "blind", "over"]
"""Those of `device.journal.states.State`; "" before the table has said anything."""
Side = Literal["S", "N", ""]
Annulled = Literal["agreed", "over-time", ""]
KINDS = sorted(kind.__name__ for kind in get_args(journal.Any))
"""Of event. A newer table may write others."""


class JournalEvent(msgspec.Struct, frozen=True):
    """One event of the journal. at: ISO 8601 UTC. hash: hex SHA-256 over the one before it and this one."""

    table: str
    number: int
    at: str
    type: Annotated[str, Meta(extra_json_schema={"examples": KINDS})]
    body: journal.Any
    hash: str


class Events(msgspec.Struct, frozen=True):
    """Some events in order. last: number of the journal's newest; ask again with `after` the last one here."""

    table: str
    last: int
    events: list[JournalEvent]


class GameAnswer(msgspec.Struct, frozen=True):
    """One game. number: of the event that began it, last: of its newest. verdicts: numbers of events. winner: S, N, or
    "" for a draw and while it goes on. annulled: why it counts for nothing, agreed or over-time. sets: the changed
    fields of its rules. objections: verdicts on moves that somebody at the table objected to."""

    number: int
    last: int
    began: str
    ended: str
    game: str
    rules: str
    board: str
    start: str
    over: bool
    result: str
    winner: Side
    reason: str
    fouls: int
    verdicts: list[int]
    annulled: Annulled = ""
    retractions: list[Withdrawn] = []
    objections: list[int] = []
    sets: dict[str, str] = {}


class Withdrawn(msgspec.Struct, frozen=True):
    """A move that people withdrew. order: number of the event that ordered it. player, move: whose move. side: which
    team withdrew it, or R, the referee; why: as in the order; mover: the name of who had moved; spectator: somebody of
    neither team had. "" where nobody said."""

    order: int
    verdict: int
    at: str
    player: Side
    move: str
    side: WithdrawnBy
    why: WithdrawnFor
    mover: str
    spectator: bool


class Games(msgspec.Struct, frozen=True):
    """All games, the newest first."""

    table: str
    games: list[GameAnswer]


class TableAnswer(msgspec.Struct, frozen=True):
    """The table now. state: watching, hands-in, … ; running: the table's process lives. position: a position line.
    ruling: number of the verdict that may be ruled on, undo: of the order that may be undone; 0 for none. told: the
    message of `why`. contested: verdicts on moves that somebody objects to and nobody has ruled on since. sets: the
    changed fields of the rules."""

    table: str
    last: int
    running: bool
    state: State
    why: str
    game: str
    rules: str
    board: str
    position: str
    over: bool
    ruling: int
    undo: int
    match: Score | None
    contested: list[int]
    told: journal.Told | None = None
    sets: dict[str, str] = {}


class Problem(msgspec.Struct, frozen=True):
    """What was wrong, in one sentence."""

    error: str


class Ordered(msgspec.Struct, frozen=True):
    """The order was written down as this event; the table answers it by an `OrderAnswered`."""

    order: int


class PinGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The referee's PIN, for a token."""

    pin: str


class Token(msgspec.Struct, frozen=True):
    """Opens the orders. expires_s: seconds from now until it opens nothing any more; a changed PIN ends it sooner."""

    token: str
    expires_s: int
