"""The name of a side: its team's name, else its players' names, else South or North."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from flask import current_app, g, has_request_context

from device.journal.events import TeamsNamed
from web.words import say

WORDS = {"South": "S", "North": "N"}
SIDE = re.compile(r"\b(South|North)\b")


@dataclass(frozen=True)
class Named:
    """The players. since: number of the event from which on they play; earlier events are about others. south_name,
    north_name: the teams' names, "" for none."""

    south: Sequence[str] = ()
    north: Sequence[str] = ()
    since: int = 0
    south_name: str = ""
    north_name: str = ""

    @classmethod
    def of_teams(cls, teams: TeamsNamed, since: int = 0) -> Named:
        """Return the players that the journal names. since: see `Named`."""
        return cls(teams.south, teams.north, since, teams.south_name, teams.north_name)

    def called(self, letter: str) -> str:
        """Return the name of a side's team, "" for none."""
        return self.south_name if letter == "S" else self.north_name

    def of(self, letter: str) -> Sequence[str]:
        """Return the names of a side's players."""
        return self.south if letter == "S" else self.north


NOBODY = Named()


def use(named: Named) -> None:
    """Name these players for the rest of this request, for pages about a game that others played."""
    g.named = named


def named() -> Named:
    """Return the players of what is being shown; nobody outside a request."""
    if not has_request_context():
        return NOBODY
    if "named" not in g:
        g.named = current_app.extensions["named"]()
    found: Named = g.named
    return found


def player(letter: str) -> str:
    """Return a side's name: its team's name; without one, that of its only player, those of both players, or "the first
    one's team"; "South" or "North" if nobody is named."""
    if letter not in ("S", "N"):
        return ""
    if called := named().called(letter):
        return called
    names = named().of(letter)
    match len(names):
        case 0:
            return say(f"side.{letter}")
        case 1:
            return names[0]
        case 2:
            return say("team.two", one=names[0], other=names[1])
        case _:
            return say("team.of", name=names[0])


def with_names(text: str) -> str:
    """Return one of the table's English sentences with the teams' names in place of South and North."""
    now = named()
    return SIDE.sub(lambda m: player(WORDS[m[1]]) if now.of(WORDS[m[1]]) or now.called(WORDS[m[1]]) else m[1], text)
