"""A retraction on the page: who withdrew a move, why, and who had moved. One form asks for it, one place says it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

from device.journal.events import TeamsNamed, Withdraw, WithdrawnBy, WithdrawnFor
from engine.matches.checks import MAX_NAME
from web.players import player
from web.words import say

WHY: tuple[WithdrawnFor, ...] = ("illegal", "turn", "not-entitled", "no-agreement")
"""The reasons that are offered; of malice people need not speak."""
BY: tuple[WithdrawnBy, ...] = ("R", "S", "N")
SPECTATOR = " spectator"
"""Of who moved: somebody of neither team. No player's name begins with a space."""


class Details(TypedDict):
    """What people said of a retraction; "" and False where they said nothing."""

    side: WithdrawnBy
    why: WithdrawnFor
    mover: str
    spectator: bool


def details(order: Withdraw) -> Details:
    """As plain data."""
    return Details(side=order.side, why=order.why, mover=order.mover, spectator=order.spectator)


def of_form(verdict: int, form: Mapping[str, str]) -> Withdraw:
    """The order of a form with the fields side, why, mover and, where the spectator has a name, named."""
    side, why, mover = form.get("side", ""), form.get("why", ""), form.get("mover", "")
    spectator = mover == SPECTATOR
    name = form.get("named", "").strip() if spectator else mover.strip()
    return Withdraw(
        verdict=verdict, by="page", side=next((one for one in BY if one == side), ""),
        why=next((one for one in WHY if one == why), ""),
        mover=name[:MAX_NAME + 1], spectator=spectator)


def sentences(of: Mapping[str, Any] | None) -> str:
    """Who withdrew it, why, and who had moved, as the visitor reads it; "" where nothing was said."""
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
    """Who may take a move back, as people call them: a side, or the referee."""
    return say("retract.referee") if letter == "R" else player(letter)


def movers(teams: TeamsNamed, player: str) -> list[str]:
    """Who may have moved for a side: its team, then the other."""
    own, other = (teams.north, teams.south) if player == "N" else (teams.south, teams.north)
    return [*own, *other]
