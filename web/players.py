"""What a side is called: by its team's name or those of its players where they were given, else South or North."""

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
    """Who plays. since: number of the event from which on they do; what was said before was of others. south_name,
    north_name: what their teams are called, "" without a name."""

    south: Sequence[str] = ()
    north: Sequence[str] = ()
    since: int = 0
    south_name: str = ""
    north_name: str = ""

    @classmethod
    def of_teams(cls, teams: TeamsNamed, since: int = 0) -> Named:
        """As the journal names them."""
        return cls(teams.south, teams.north, since, teams.south_name, teams.north_name)

    def called(self, letter: str) -> str:
        """The name of a side's team, "" without one."""
        return self.south_name if letter == "S" else self.north_name

    def of(self, letter: str) -> Sequence[str]:
        """The names of a side's team."""
        return self.south if letter == "S" else self.north


NOBODY = Named()


def use(named: Named) -> None:
    """For the rest of this request: who plays in what is shown, where that is not who plays now."""
    g.named = named


def named() -> Named:
    """Who plays in what is shown; nobody is named outside a request."""
    if not has_request_context():
        return NOBODY
    if "named" not in g:
        g.named = current_app.extensions["named"]()
    found: Named = g.named
    return found


def player(letter: str) -> str:
    """A side as people call it: its team's name, else its only player, its two, or the first's team; "South" where none
    is named."""
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
    """One of the table's English sentences, with the teams' names for South and North."""
    now = named()
    return SIDE.sub(lambda m: player(WORDS[m[1]]) if now.of(WORDS[m[1]]) or now.called(WORDS[m[1]]) else m[1], text)
