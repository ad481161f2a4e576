"""Which verdicts stand: what people rule takes the place of what was said, and nothing that was said is deleted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Item = dict[str, Any]

RULED_KINDS = ("illegal", "not-sure", "tampered", "legal")
"""Verdicts that people may let stand, withdraw, or have judged again."""


def rulable(item: Item, game: Mapping[str, Any] | None) -> bool:
    """Whether that verdict of the feed may be ruled on. game: the table's, that is on or was the last."""
    return (game is not None and item["kind"] == "verdict" and item["number"] > game["number"]
            and item["verdict"] in RULED_KINDS and item["gone"] is None)


def contested(item: Item) -> bool:
    """Whether somebody has objected to that verdict's move, and nobody has ruled on it since."""
    return bool(item["kind"] == "verdict" and item["gone"] is None and any(not o["ruled"] for o in item["objections"]))


def take_away(feed: Mapping[int, Item], number: int, by: int, how: str) -> list[Item]:
    """The verdict of that number and what was played after it stand no more; the items that change.

    by: number of the event that takes their place; how: "again" (judged anew), "withdrawn".
    """
    first = feed.get(number)
    if first is None or first["kind"] != "verdict" or first["gone"] is not None:
        return []  # it went with one before it
    changed = []
    for item in feed.values():
        if item["kind"] == "verdict" and number <= item["number"] < by and item["gone"] is None:
            item["gone"] = {"by": by, "how": how}
            changed.append(item)
    return changed


def laid_back(feed: Mapping[int, Item], line: str) -> int:
    """The standing verdict of this game whose move was made from that position; 0 for none. The oldest counts: what
    was played after it went with it."""
    found = 0
    for item in reversed(list(feed.values())):
        if item["kind"] == "game":
            break
        if item["kind"] == "verdict" and item["gone"] is None and item["before"] and item["before"]["line"] == line:
            found = item["number"]
    return found


def bring_back(feed: Mapping[int, Item], order: int, since: int, by: int) -> list[Item]:
    """The ruling of that order counts no more: what it took away stands again, what came of it does not, nor does what
    was played since event `since`, by which it was carried out."""
    changed = []
    for item in (one for one in feed.values() if one["kind"] == "verdict"):
        moved, unruled = _stands_anew(item, order, since, by), not_ruled_on(item, order)
        if moved or unruled:
            changed.append(item)
    return changed


def _stands_anew(item: Item, order: int, since: int, by: int) -> bool:
    """A verdict that the ruling took away stands again, one that came of it or after it does not; whether that changes
    anything."""
    if item["number"] > since or (item["number"] > order and item["answers"]):
        item["gone"] = {"by": by, "how": "undone"}
    elif item["gone"] is not None and item["gone"]["by"] > order:
        item["gone"] = None
        item["ruling"] = _still_holds(item)
    else:
        return False
    return True


def not_ruled_on(item: Item, order: int) -> bool:
    """What the ruling says of the verdict, and of objections to it, counts no more; whether it said anything."""
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
    """The orders by which moves that stand were let stand, and that were not undone."""
    return {one["order"] for item in feed.values() if item["kind"] == "verdict" and item["gone"] is None
            for one in item["ruled"] if one["what"] == "stand" and not one["undone"]}


def _still_holds(item: Item) -> dict[str, Any] | None:
    """The last ruling on the verdict that was not undone."""
    held = next((one for one in reversed(item["ruled"]) if not one["undone"]), None)
    return None if held is None else {"what": held["what"], "done": True, "sentence": held["sentence"]}
