"""When the table could not see: one notice in the feed for all such times of a game for one reason."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from device.journal import events as journal
from device.journal.events import Event
from web.readmodel.reasons import message_json

Table = dict[str, Any]
Item = dict[str, Any]


def went_blind(table: Table, feed: Mapping[int, Item], event: Event, body: journal.Blind) -> list[Item]:
    """Enter that the table cannot see, or another reason for it; return the notices that this makes or changes."""
    known = feed.get(table["blind"]["number"]) if table["blind"] else None
    if known is not None:  # still blind, for another reason: change the notice instead of adding one
        known.update(_why(body))
        table["blind"].update(_why(body))
        return [known]
    table["blind"] = {**_why(body), "number": event.number}
    since = _before(event.at, body.lasted)
    item: Item = {"number": event.number, "at": event.at, "kind": "blind", **_why(body), "began": since, "since": since,
                  "until": "", "times": 1, "lost_s": 0.0}
    earlier = _blind_before(feed, item)
    if earlier is None:
        return [item]
    earlier["repeats"] = True  # the new notice counts its times, too
    item.update(began=earlier["began"], times=earlier["times"] + 1, lost_s=earlier["lost_s"])
    return [earlier, item]


def _blind_before(feed: Mapping[int, Item], item: Item) -> Item | None:
    """Return the game's last notice that the table was blind for the same reason; None if there is none."""
    for one in reversed(list(feed.values())):
        if one["kind"] == "game":
            return None
        if one["kind"] == "blind" and not one.get("repeats") and _cause(one) == _cause(item):
            return one
    return None


def _cause(item: Item) -> str:
    """Return what a blind notice's reason is about: how long no picture came makes no other reason."""
    return str(item["told"]["key"] if item["told"] else item["why"])


def _before(at: str, seconds: float) -> str:
    """Return the time `seconds` earlier, ISO 8601."""
    return (datetime.fromisoformat(at) - timedelta(seconds=seconds)).isoformat(timespec="milliseconds")


def _why(body: journal.Blind) -> dict[str, object]:
    """Return why the table is blind, what to do about it, and the messages for both."""
    return {"why": body.why, "todo": body.todo, "told": message_json(body.told),
            "told_todo": message_json(body.told_todo)}


def sighted(table: Table, feed: Mapping[int, Item], event: Event, _body: journal.Sighted) -> list[Item]:
    """Enter that the table sees again."""
    return see_again(table, feed, event)


def see_again(table: Table, feed: Mapping[int, Item], event: Event) -> list[Item]:
    """End the notice that the table is blind, if there is one; return it."""
    blind, table["blind"] = table["blind"], None
    item = feed.get(blind["number"]) if blind else None
    if item is None:
        return []
    item["until"] = event.at
    item["lost_s"] += (datetime.fromisoformat(event.at) - datetime.fromisoformat(item["since"])).total_seconds()
    return [item]
