"""Which verdicts stand: a ruling replaces a verdict, but nothing that was said is deleted."""

from collections.abc import Mapping
from typing import Any

Item = dict[str, Any]

RULED_KINDS = ("illegal", "not-sure", "tampered", "legal")
"""Verdicts that people may let stand, withdraw, or have judged again."""


def rulable(item: Item, game: Mapping[str, Any] | None) -> bool:
    """Return whether that verdict of the feed may be ruled on. game: the table's current or last game."""
    return (game is not None and item["kind"] == "verdict" and item["number"] > game["number"]
            and item["verdict"] in RULED_KINDS and item["gone"] is None)


def contested(item: Item) -> bool:
    """Return whether somebody has objected to that verdict's move and no ruling has followed."""
    return bool(item["kind"] == "verdict" and item["gone"] is None and any(not o["ruled"] for o in item["objections"]))


def take_away(feed: Mapping[int, Item], number: int, by: int, how: str) -> list[Item]:
    """Cancel the verdict of that number and all later ones; return the changed items.

    by: number of the event that replaces them; how: "again" (judged anew) or "withdrawn".
    """
    first = feed.get(number)
    if first is None or first["kind"] != "verdict" or first["gone"] is not None:
        return []  # it was cancelled with an earlier one
    changed = []
    for item in feed.values():
        if item["kind"] == "verdict" and number <= item["number"] < by and item["gone"] is None:
            item["gone"] = {"by": by, "how": how}
            changed.append(item)
    return changed


def laid_back(feed: Mapping[int, Item], line: str) -> int:
    """Return the oldest standing verdict of this game whose move began from that position; 0 for none. The oldest,
    because later moves were taken back with it."""
    found = 0
    for item in reversed(list(feed.values())):
        if item["kind"] == "game":
            break
        if item["kind"] == "verdict" and item["gone"] is None and item["before"] and item["before"]["line"] == line:
            found = item["number"]
    return found


def bring_back(feed: Mapping[int, Item], order: int, since: int, by: int) -> list[Item]:
    """Undo that order's ruling: what it cancelled stands again; what followed from it, or was played after event
    `since` that carried it out, is cancelled. Return the changed items."""
    changed = []
    for item in (one for one in feed.values() if one["kind"] == "verdict"):
        moved, unruled = _stands_anew(item, order, since, by), not_ruled_on(item, order)
        if moved or unruled:
            changed.append(item)
    return changed


def _stands_anew(item: Item, order: int, since: int, by: int) -> bool:
    """Restore a verdict that the ruling cancelled, or cancel one that followed from it; return whether anything
    changed."""
    if item["number"] > since or (item["number"] > order and item["answers"]):
        item["gone"] = {"by": by, "how": "undone"}
    elif item["gone"] is not None and item["gone"]["by"] > order:
        item["gone"] = None
        item["ruling"] = _still_holds(item)
    else:
        return False
    return True


def not_ruled_on(item: Item, order: int) -> bool:
    """Remove that order's ruling from the verdict and its objections; return whether there was any."""
    rulings = [one for one in item["ruled"] if one["order"] == order]
    objections = [one for one in item["objections"] if one["ruled"] == order]
    for one in rulings:
        one["undone"] = True
    for one in objections:
        one["ruled"] = 0
    if rulings and item["gone"] is None:
        item["ruling"] = _still_holds(item)
    return bool(rulings or objections)


def standing_orders(feed: Mapping[int, Item]) -> set[int]:
    """Return the orders that let a still standing move stand and were not undone."""
    return {one["order"] for item in feed.values() if item["kind"] == "verdict" and item["gone"] is None
            for one in item["ruled"] if one["what"] == "stand" and not one["undone"]}


def _still_holds(item: Item) -> dict[str, Any] | None:
    """Return the last ruling on the verdict that was not undone."""
    held = next((one for one in reversed(item["ruled"]) if not one["undone"]), None)
    return None if held is None else {"what": held["what"], "done": True, "sentence": held["sentence"]}
