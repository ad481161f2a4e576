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


def bring_back(feed: Mapping[int, Item], order: int, by: int) -> list[Item]:
    """The ruling of that order counts no more: what it took away stands again, what came of it does not."""
    changed = {}
    for item in feed.values():
        if item["kind"] != "verdict":
            continue
        if item["gone"] is not None and item["gone"]["by"] > order:
            item["gone"] = None
            changed[item["number"]] = item
        if item["number"] > order and item["answers"]:
            item["gone"] = {"by": by, "how": "undone"}
            changed[item["number"]] = item
        for one in item["ruled"]:
            if one["order"] == order:
                one["undone"] = True
                changed[item["number"]] = item
        for one in item["objections"]:
            if one["ruled"] == order:
                one["ruled"] = 0
                changed[item["number"]] = item
        if item["number"] in changed and item["gone"] is None:
            item["ruling"] = _still_holds(item)
    return list(changed.values())


def _still_holds(item: Item) -> dict[str, Any] | None:
    """The last ruling on the verdict that was not undone."""
    held = next((one for one in reversed(item["ruled"]) if not one["undone"]), None)
    return None if held is None else {"what": held["what"], "done": True, "sentence": held["sentence"]}
