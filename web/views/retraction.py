"""A retraction on the page: who withdrew a move, why, and who had moved. Reads the form and words the answers."""

from collections.abc import Mapping
from typing import Any

from device.journal.events import TeamsNamed, Withdraw, WithdrawnBy, WithdrawnFor
from engine.matches.checks import MAX_NAME
from web.players import player
from web.words import say

WHY: tuple[WithdrawnFor, ...] = ("illegal", "turn", "not-entitled", "no-agreement")
"""The reasons in the form; it does not offer malice."""
BY: tuple[WithdrawnBy, ...] = ("R", "S", "N")
SPECTATOR = " spectator"
"""The mover's value for somebody of neither team. No player's name begins with a space."""


def of_form(verdict: int, form: Mapping[str, str]) -> Withdraw:
    """Return the order from a form with the fields side, why, mover and, for a spectator with a name, named."""
    side, why, mover = form.get("side", ""), form.get("why", ""), form.get("mover", "")
    spectator = mover == SPECTATOR
    name = form.get("named", "").strip() if spectator else mover.strip()
    return Withdraw(
        verdict=verdict, by="page", side=next((one for one in BY if one == side), ""),
        why=next((one for one in WHY if one == why), ""),
        mover=name[:MAX_NAME + 1], spectator=spectator)


def sentences(of: Mapping[str, Any] | None) -> str:
    """Return who withdrew the move, why, and who had moved, in the visitor's language; "" for no details."""
    if not of:
        return ""
    found = []
    if of["side"]:
        by_referee = of["side"] == "R"
        found.append(say("retract.by.referee") if by_referee else say("retract.by", side=player(of["side"])))
    if of["why"]:
        found.append(say(f"retract.{of['why']}"))
    if of["spectator"]:
        found.append(say("retract.spectator.named", name=of["mover"]) if of["mover"] else say("retract.spectator"))
    elif of["mover"]:
        found.append(say("retract.mover", name=of["mover"]))
    return " ".join(found)


def who(letter: str) -> str:
    """Return the name of who may take a move back: a side or the referee."""
    return say("retract.referee") if letter == "R" else player(letter)


def movers(teams: TeamsNamed, player: str) -> list[str]:
    """Return who may have moved for a side: its own team first, then the other."""
    own, other = (teams.north, teams.south) if player == "N" else (teams.south, teams.north)
    return [*own, *other]
