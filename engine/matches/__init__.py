"""Matches: games, teams, moves and scores, as a fold over typed events; see `fold`."""

from engine.matches.checks import MatchError
from engine.matches.clock import ClockRules
from engine.matches.events import (
    Annulled,
    BoardSet,
    EventUndone,
    Forfeited,
    GameBegun,
    GameEnded,
    GameScored,
    Joined,
    Left,
    MatchBegun,
    MatchEvent,
    MoveCorrected,
    MoveMade,
    Rearranged,
    Retracted,
)
from engine.matches.fold import after, fold
from engine.matches.forms import FORMS, Form, GameScore, GamesForm, MatchOutcome, OlAlai, Points, Sticks, Surplus, Tally
from engine.matches.record import GameRecord, LogEntry, MoveRecord, Team
from engine.matches.state import MatchState

__all__ = [
    "FORMS",
    "Annulled",
    "BoardSet",
    "ClockRules",
    "EventUndone",
    "Forfeited",
    "Form",
    "GameBegun",
    "GameEnded",
    "GameRecord",
    "GameScore",
    "GameScored",
    "GamesForm",
    "Joined",
    "Left",
    "LogEntry",
    "MatchBegun",
    "MatchError",
    "MatchEvent",
    "MatchOutcome",
    "MatchState",
    "MoveCorrected",
    "MoveMade",
    "MoveRecord",
    "OlAlai",
    "Points",
    "Rearranged",
    "Retracted",
    "Sticks",
    "Surplus",
    "Tally",
    "Team",
    "after",
    "fold",
]
