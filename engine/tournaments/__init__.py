"""Tournaments: entries, rounds, results and standings, as a fold over typed events; see `fold`."""

from engine.tournaments.bracket import stale
from engine.tournaments.checks import TournamentError
from engine.tournaments.draw import next_round
from engine.tournaments.events import (
    Corrected,
    Entered,
    Moved,
    Paired,
    PairingPlace,
    RankedBy,
    Renamed,
    Reported,
    RoundMade,
    System,
    TablesNamed,
    TournamentBegun,
    TournamentEvent,
    Undone,
    Withdrew,
)
from engine.tournaments.export import exported, table
from engine.tournaments.fold import after, fold
from engine.tournaments.results import How, Result
from engine.tournaments.standings import ORDERS, Criterion, StandingsRow, Sums, standings
from engine.tournaments.state import Entrant, LoggedEvent, Pairing, Round, TournamentState

__all__ = [
    "ORDERS",
    "Corrected",
    "Criterion",
    "Entered",
    "Entrant",
    "How",
    "LoggedEvent",
    "Moved",
    "Paired",
    "Pairing",
    "PairingPlace",
    "RankedBy",
    "Renamed",
    "Reported",
    "Result",
    "Round",
    "RoundMade",
    "StandingsRow",
    "Sums",
    "System",
    "TablesNamed",
    "TournamentBegun",
    "TournamentError",
    "TournamentEvent",
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
