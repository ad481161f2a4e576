"""Tournaments: entries, rounds, results and standings, as a fold over typed events. See `fold`."""

from engine.tournaments.bracket import stale
from engine.tournaments.checks import TournamentError
from engine.tournaments.draw import next_round
from engine.tournaments.events import (
    Corrected,
    Counts,
    Entered,
    Event,
    Moved,
    Paired,
    Place,
    Renamed,
    Reported,
    RoundMade,
    Seeded,
    System,
    TablesNamed,
    TournamentBegun,
    Undone,
    Withdrew,
)
from engine.tournaments.export import exported, table
from engine.tournaments.fold import after, fold
from engine.tournaments.results import How, Result
from engine.tournaments.standings import ORDERS, Criterion, Row, Sums, standings
from engine.tournaments.state import Entry, Logged, Pairing, Round, TournamentState

__all__ = [
    "ORDERS",
    "Corrected",
    "Counts",
    "Criterion",
    "Entered",
    "Entry",
    "Event",
    "How",
    "Logged",
    "Moved",
    "Paired",
    "Pairing",
    "Place",
    "Renamed",
    "Reported",
    "Result",
    "Round",
    "RoundMade",
    "Row",
    "Seeded",
    "Sums",
    "System",
    "TablesNamed",
    "TournamentBegun",
    "TournamentError",
    "TournamentState",
    "Undone",
    "Withdrew",
    "after",
    "exported",
    "fold",
    "next_round",
    "stale",
    "standings",
    "table",
]
