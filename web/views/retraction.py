"""A retraction on the page: who withdrew a move, why, and who had moved. One form asks for it, one place says it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypedDict, cast

from device.journal.events import TeamsNamed, Withdraw
from engine.matches.checks import MAX_NAME
from web.players import player
from web.words import say

WHY = ("cheat", "not-entitled", "no-agreement")
SPECTATOR = " spectator"
"""Of who moved: somebody of neither team. No player's name begins with a space."""


class Details(TypedDict):
    """What people said of a retraction; "" and False where they said nothing."""

    side: Literal["S", "N", ""]
    why: Literal["cheat", "not-entitled", "no-agreement", ""]
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
        verdict=verdict, by="page", side=cast(Literal["S", "N", ""], side if side in ("S", "N") else ""),
        why=cast(Literal["cheat", "not-entitled", "no-agreement", ""], why if why in WHY else ""),
        mover=name[:MAX_NAME + 1], spectator=spectator)


def sentences(of: Mapping[str, Any] | None) -> str:
    """Who withdrew it, why, and who had moved, as the visitor reads it; "" where nothing was said."""
    if not of:
        return ""
    found = []
    if of["side"]:
        found.append(say("retract.by", side=player(of["side"])))
    if of["why"]:
        found.append(say(f"retract.{of['why']}"))
    if of["spectator"]:
        found.append(say("retract.spectator.named", name=of["mover"]) if of["mover"] else say("retract.spectator"))
    elif of["mover"]:
        found.append(say("retract.mover", name=of["mover"]))
    return " ".join(found)


def movers(teams: TeamsNamed, player: str) -> list[str]:
    """Who may have moved for a side: its team, then the other."""
    own, other = (teams.north, teams.south) if player == "N" else (teams.south, teams.north)
    return [*own, *other]
