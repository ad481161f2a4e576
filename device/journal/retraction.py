"""A retraction in words: who withdrew a move, why, and who had moved (engine/games/enkeshui.md, "Teams")."""

from __future__ import annotations

from device.journal.events import Withdraw

SIDES = {"S": "South", "N": "North", "R": "the referee"}
WHY = {"illegal": "an illegal move", "turn": "out of turn", "cheat": "a cheat",
       "not-entitled": "made by somebody not entitled to play", "no-agreement": "the team did not agree"}


def told(order: Withdraw) -> str:
    """What is known of it, in English, as the end of a sentence about the move; "" where nothing was said."""
    parts = []
    if order.side:
        parts.append(f"by {SIDES[order.side]}")
    if order.why:
        parts.append(WHY[order.why])
    if order.spectator:
        parts.append(f"{order.mover}, a spectator, had moved" if order.mover else "a spectator had moved")
    elif order.mover:
        parts.append(f"{order.mover} had moved")
    return ", ".join(parts)
