"""Which items of the feed stand: a ruling replaces a verdict, but nothing that was said is deleted; and all blind times
of one game that have the same reason share one notice."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from device.journal import events as journal
from device.journal.events import Event
from device.journal.game import Superseded
from device.journal.projection.fold import Projection, Ruling
from web.readmodel.feed import (
    BlindItem,
    BlindNow,
    BlindWhy,
    Details,
    GameNow,
    Item,
    ObjectionShown,
    RulingMade,
    RulingShown,
    TableNow,
    VerdictItem,
    put,
)
from web.readmodel.reasons import message_json

RULED_KINDS = ("illegal", "not-sure", "tampered", "legal")
"""Verdicts that people may let stand, withdraw, or have judged again."""


RULINGS: Mapping[type, str] = {journal.LetStand: "stand", journal.Withdraw: "withdraw",
                               journal.NotAsSeen: "not-as-seen"}
"""The possible rulings on a verdict."""


def rulable(item: Item, game: GameNow | None) -> bool:
    """Return whether that verdict of the feed may be ruled on. game: the table's current or last game."""
    return (game is not None and item["kind"] == "verdict" and item["number"] > game["number"]
            and item["verdict"] in RULED_KINDS and item["gone"] is None)


def contested(item: Item) -> bool:
    """Return whether somebody has objected to that verdict's move and no ruling has followed."""
    return bool(item["kind"] == "verdict" and item["gone"] is None and any(not o["ruled"] for o in item["objections"]))


def settle(now: Projection, feed: Mapping[int, Item]) -> list[VerdictItem]:
    """Mark which verdicts of this game no longer stand, and remove the mark of those that stand again; return the
    changed items."""
    changed: list[VerdictItem] = []
    for item in feed.values():
        why = now.game.gone.get(item["number"])
        if item["kind"] == "verdict" and item["number"] > now.number and _gone(item) != why:
            item["gone"] = None if why is None else {"by": why.by, "how": why.how}
            item["ruling"] = item["ruling"] if why is not None else _still_holds(item)
            changed.append(item)
    return changed


def _gone(item: VerdictItem) -> Superseded | None:
    return Superseded(**item["gone"]) if item["gone"] else None


def note_objections(now: Projection, feed: Mapping[int, Item]) -> list[VerdictItem]:
    """Write on each verdict the objections to its move; return the changed items."""
    to: dict[int, list[ObjectionShown]] = {}
    for one in now.objections:
        to.setdefault(one.verdict, []).append({"number": one.number, "at": one.at, "why": one.why, "ruled": one.ruled})
    changed = [item for item in feed.values()
               if item["kind"] == "verdict" and item["objections"] != to.get(item["number"], [])]
    for item in changed:
        item["objections"] = to.get(item["number"], [])
    return changed


def note_rulings(now: Projection, feed: Mapping[int, Item]) -> list[VerdictItem]:
    """Write on each verdict the rulings on its move; return the changed items."""
    changed: list[VerdictItem] = []
    for item in feed.values():
        if item["kind"] != "verdict":
            continue
        ruled = [_made(one) for one in now.rulings.on(item["number"]) if type(one.order.body) in RULINGS]
        if item["ruled"] != ruled:
            item["ruled"] = ruled
            item["ruling"] = _still_holds(item) if item["gone"] is None else item["ruling"]
            changed.append(item)
    return changed


def _made(ruling: Ruling) -> RulingMade:
    order, answer = ruling.order, ruling.answer
    made = RulingMade(order=order.number, what=RULINGS[type(order.body)], undone=ruling.undone,
                      sentence=answer.sentence, told=message_json(answer.told))
    if isinstance(order.body, journal.Withdraw):
        made["who"] = details(order.body)
    return made


def details(order: journal.Withdraw) -> Details:
    """Return the order's details as plain data."""
    return Details(side=order.side, why=order.why, mover=order.mover, spectator=order.spectator)


def _still_holds(item: VerdictItem) -> RulingShown | None:
    """Return the last ruling on the verdict that was not undone."""
    held = next((one for one in reversed(item["ruled"]) if not one["undone"]), None)
    return None if held is None else {"what": held["what"], "done": True, "sentence": held["sentence"]}


def went_blind(table: TableNow, feed: Mapping[int, Item], event: Event, body: journal.Blind) -> list[Item]:
    """Enter that the table cannot see, or another reason for it; return the notices that this makes or changes."""
    known = feed.get(table["blind"]["number"]) if table["blind"] else None
    if known is not None and known["kind"] == "blind":  # for another reason: change the notice
        put(_why(body), known)
        table["blind"] = BlindNow(number=known["number"], **_why(body))
        return [known]
    table["blind"] = BlindNow(number=event.number, **_why(body))
    since = _before(event.at, body.lasted)
    why = _why(body)
    item: BlindItem = {"number": event.number, "at": event.at, "kind": "blind", "why": why["why"], "todo": why["todo"],
                       "told": why["told"], "told_todo": why["told_todo"], "began": since, "since": since, "until": "",
                       "times": 1, "lost_s": 0.0}
    earlier = _blind_before(feed, item)
    if earlier is None:
        return [item]
    earlier["repeats"] = True  # the new notice counts its times, too
    item.update({"began": earlier["began"], "times": earlier["times"] + 1, "lost_s": earlier["lost_s"]})
    return [earlier, item]


def _blind_before(feed: Mapping[int, Item], item: BlindItem) -> BlindItem | None:
    """Return the game's last notice that the table was blind for the same reason; None if there is none."""
    for one in reversed(list(feed.values())):
        if one["kind"] == "game":
            return None
        if one["kind"] == "blind" and not one.get("repeats") and _cause(one) == _cause(item):
            found: BlindItem = one
            return found
    return None


def _cause(item: BlindItem) -> str:
    """Return what a blind notice's reason is about: how long no picture came makes no other reason."""
    return str(item["told"]["key"] if item["told"] else item["why"])


def _before(at: str, seconds: float) -> str:
    """Return the time `seconds` earlier, ISO 8601."""
    return (datetime.fromisoformat(at) - timedelta(seconds=seconds)).isoformat(timespec="milliseconds")


def _why(body: journal.Blind) -> BlindWhy:
    """Return why the table is blind, what to do about it, and the messages for both."""
    return {"why": body.why, "todo": body.todo, "told": message_json(body.told),
            "told_todo": message_json(body.told_todo)}


def sighted(table: TableNow, feed: Mapping[int, Item], event: Event, _body: journal.Sighted) -> list[Item]:
    """Enter that the table sees again."""
    return see_again(table, feed, event)


def see_again(table: TableNow, feed: Mapping[int, Item], event: Event) -> list[Item]:
    """End the notice that the table is blind, if there is one; return it."""
    blind, table["blind"] = table["blind"], None
    item = feed.get(blind["number"]) if blind else None
    if item is None or item["kind"] != "blind":
        return []
    item["until"] = event.at
    item["lost_s"] += (datetime.fromisoformat(event.at) - datetime.fromisoformat(item["since"])).total_seconds()
    return [item]
