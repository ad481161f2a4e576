"""Events of the entries and tables: begun, entered, renamed, tables named, withdrawn."""

from dataclasses import replace

from engine.matches.checks import name, whole
from engine.tournaments import events as ev
from engine.tournaments.checks import (
    MAX_CYCLES,
    MAX_ENTRIES,
    MAX_MEMBERS,
    MAX_TABLES,
    TournamentError,
    one_each,
    same,
    text,
)
from engine.tournaments.events import RankedBy, System
from engine.tournaments.messages import said
from engine.tournaments.state import Entrant, TournamentState


def begun(s: TournamentState, e: ev.TournamentBegun, n: int) -> TournamentState:
    """Set the tournament and how it is played."""
    del n
    if s.begun is not None:
        raise TournamentError(said("tournament.begun", name=s.begun.name))
    name(e.name, said("tournament.what.name"))
    text(e.about)
    if whole(e.cycles, said("tournament.what.cycles"), 1) > MAX_CYCLES:
        raise TournamentError(said("tournament.cycles", n=e.cycles, most=MAX_CYCLES))
    knock_out = e.system is System.KNOCK_OUT
    for wrong, key in ((e.third_place and not knock_out, "third"), (e.cycles > 1 and knock_out, "once"),
                       (e.counts is RankedBy.SCORE and knock_out, "by-score")):
        if wrong:
            raise TournamentError(said(f"tournament.{key}"))
    return replace(s, begun=e)


def entered(s: TournamentState, e: ev.Entered, n: int) -> TournamentState:
    """Add an entry, before the first round is made."""
    if s.rounds:
        raise TournamentError(said("tournament.closed", name=e.name))
    if len(s.entries) >= MAX_ENTRIES:
        raise TournamentError(said("tournament.full", name=e.name, most=MAX_ENTRIES))
    return replace(s, entries=(*s.entries, _named(s, Entrant(n, e.name, e.members))))


def renamed(s: TournamentState, e: ev.Renamed, n: int) -> TournamentState:
    """Correct an entry's name and members."""
    del n
    return _with(s, _named(s, replace(s.entry(e.entry), name=e.name, members=e.members)))


def tables_named(s: TournamentState, e: ev.TablesNamed, n: int) -> TournamentState:
    """Set the tables for the rounds still to be made."""
    del n
    if len(e.tables) > MAX_TABLES:
        raise TournamentError(said("tournament.tables", n=len(e.tables), most=MAX_TABLES))
    tables = one_each(e.tables, said("tournament.what.table"))
    twice = next((one for i, one in enumerate(tables) if one in tables[:i]), None)
    if twice is not None:
        raise TournamentError(said("tournament.table-twice", table=twice))
    return replace(s, tables=tables)


def withdrew(s: TournamentState, e: ev.Withdrew, n: int) -> TournamentState:
    """Withdraw an entry."""
    del n
    one = s.entry(e.entry)
    if one.withdrawn:
        raise TournamentError(said("tournament.withdrawn", name=one.name))
    return _with(s, replace(one, withdrawn=True, why=text(e.why)))


def _with(s: TournamentState, entry: Entrant) -> TournamentState:
    return replace(s, entries=tuple(entry if one.number == entry.number else one for one in s.entries))


def _named(s: TournamentState, entry: Entrant) -> Entrant:
    """Return an entry whose name and members nobody else has. Raises TournamentError."""
    name(entry.name, said("tournament.what.entry"))
    if len(entry.members) > MAX_MEMBERS:
        raise TournamentError(said("tournament.members", name=entry.name, n=len(entry.members), most=MAX_MEMBERS))
    members = one_each(entry.members, said("tournament.what.member", name=entry.name))
    for i, member in enumerate(members):
        _check_free(member, replace(entry, members=members[:i]))
    for other in s.entries:
        if other.number == entry.number:
            continue
        if same(other.name, entry.name):
            raise TournamentError(said("tournament.taken", name=entry.name))
        for member in members:
            _check_free(member, other)
    return entry


def _check_free(member: str, entry: Entrant) -> None:
    """Raise TournamentError if somebody plays for an entry already."""
    if any(same(member, one) for one in entry.members):
        raise TournamentError(said("tournament.member-taken", name=member, entry=entry.name))
