"""Matches: games, teams, trial moves, rulings, clocks and the tally, as a fold over typed events. See `fold`."""

from engine.matches.checks import MatchError
from engine.matches.clock import ClockRules, Late, Turn
from engine.matches.events import (
    Annulled,
    Annulment,
    Blamed,
    BoardSet,
    Corrected,
    Counted,
    Event,
    Forfeited,
    GameBegun,
    GameEnded,
    GameScored,
    Joined,
    JudgeSaid,
    Left,
    LetStand,
    MatchBegun,
    MoveMade,
    Rearranged,
    Retracted,
    Said,
    Stolen,
    TurnBegun,
    TurnDue,
    Undone,
    Why,
)
from engine.matches.fold import after, fold
from engine.matches.forms import FORMS, Form, Games, OlAlai, Outcome, Points, Scored, Sticks, Surplus, Tally
from engine.matches.record import Entry, Game, GameStatus, Move, Ruling, Status, Team
from engine.matches.state import MatchState

__all__ = [
    "FORMS", "Annulled", "Annulment", "Blamed", "BoardSet", "ClockRules", "Corrected", "Counted", "Entry", "Event",
    "Forfeited", "Form", "Game", "GameBegun", "GameEnded", "GameScored", "GameStatus", "Games", "Joined",
    "JudgeSaid", "Late", "Left", "LetStand", "MatchBegun", "MatchError", "MatchState", "Move", "MoveMade", "OlAlai",
    "Outcome", "Points", "Rearranged", "Retracted", "Ruling", "Said", "Scored", "Status", "Sticks", "Stolen",
    "Surplus", "Tally", "Team", "Turn", "TurnBegun", "TurnDue", "Undone", "Why", "after", "fold",
]
