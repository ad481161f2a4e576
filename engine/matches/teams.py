"""Floating teams: up to five members a side, who come and go during a game (engine/games/enkeshui.md, "Teams")."""

from dataclasses import replace

from engine.board import Side
from engine.matches.checks import MatchError, name
from engine.matches.events import Joined, Left
from engine.matches.record import Team
from engine.matches.state import MatchState
from engine.messages import message, side

MAX_MEMBERS = 5


def joined(s: MatchState, e: Joined) -> MatchState:
    """Add a member: neither a sixth, nor somebody who plays already."""
    who, team = name(e.name, message("contest.member", side=side(e.side))), s.teams[e.side]
    for playing in s.teams:
        if who in playing.members:
            raise MatchError(message("contest.plays", name=who, side=side(e.side), other=side(playing.side)))
    if len(team.members) >= MAX_MEMBERS:
        listed = ", ".join(team.members)
        raise MatchError(message("contest.full", name=who, side=side(e.side), most=MAX_MEMBERS, listed=listed))
    return _with(s, replace(team, members=(*team.members, who)))


def left(s: MatchState, e: Left) -> MatchState:
    """Remove a member."""
    who, team = name(e.name, f"the name of {e.side.title}'s member"), s.teams[e.side]
    if who not in team.members:
        raise MatchError(f"{who} cannot leave {e.side.title}: he is not in its team")
    return _with(s, replace(team, members=tuple(m for m in team.members if m != who)))


def _with(s: MatchState, team: Team) -> MatchState:
    south, north = s.teams
    return replace(s, teams=(team, north) if team.side is Side.SOUTH else (south, team))
