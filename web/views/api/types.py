"""What `/api/v1` answers and takes. OpenAPI is made from these types (`web.views.api.description`).

Fields are added, and never change their meaning.
"""

from __future__ import annotations

from typing import Annotated, Literal, get_args

import msgspec
from msgspec import Meta

from device.journal import events as journal
from device.journal.events import WithdrawnBy, WithdrawnFor
from web.readmodel.scores import Score

MOST = 500
"""Most events in one answer."""

State = Literal["", "starting", "searching", "setting-up", "watching", "hands-in", "settling", "judging", "withdrawing",
                "blind", "over"]
"""The states of `device.journal.states.State`; "" before the table has reported any."""
Side = Literal["S", "N", ""]
Annulled = Literal["agreed", "over-time", ""]
KINDS = sorted(kind.__name__ for kind in get_args(journal.Any))
"""The kinds of event. A newer table may write others."""


class JournalEvent(msgspec.Struct, frozen=True):
    """One event of the journal. at: ISO 8601 UTC. hash: hex SHA-256 over the one before it and this one."""

    table: str
    number: int
    at: str
    type: Annotated[str, Meta(extra_json_schema={"examples": KINDS})]
    body: journal.Any
    hash: str


class Events(msgspec.Struct, frozen=True):
    """Some events in order. last: number of the journal's newest. For more, set `after` to the last number here."""

    table: str
    last: int
    events: list[JournalEvent]


class GameAnswer(msgspec.Struct, frozen=True):
    """One game. number: of the event that began it, last: of its newest event. verdicts: event numbers. winner: S, N,
    or "" for a draw or a game in progress. annulled: why it does not count, agreed or over-time. sets: the changed
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
    """A move that people withdrew. order: number of the event that ordered it. player, move: whose move, and which.
    side: the team that withdrew it, or R for the referee; why: as in the order; mover: name of the person who moved;
    spectator: whether that person belongs to neither team. "" for what is unknown."""

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
    """All games, newest first."""

    table: str
    games: list[GameAnswer]


class TableAnswer(msgspec.Struct, frozen=True):
    """The table now. state: watching, hands-in, … ; running: whether the table's process is alive. position: a position
    line. ruling: number of the verdict that may be ruled on, undo: of the order that may be undone; 0 for none. told:
    the message for `why`. contested: verdicts with an objection but no ruling since. sets: the changed fields of the
    rules."""

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


class Ordered(msgspec.Struct, frozen=True):
    """The order was written as this event; the table answers it with an `OrderAnswered`."""

    order: int


class PinGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The referee's PIN, in exchange for a token."""

    pin: str


class Token(msgspec.Struct, frozen=True):
    """A token that allows orders. expires_s: seconds for which it is valid; changing the PIN ends it sooner."""

    token: str
    expires_s: int
