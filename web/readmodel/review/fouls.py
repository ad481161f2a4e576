"""The fouls of all games, and what became of each: kept up beside the feed, whose items it reads.

The feed forgets games that are long over; a foul that nobody has ruled on is remembered.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from device.journal import events as journal
from device.journal.events import Event

Item = dict[str, Any]
Fate = Literal["stands", "withdrawn", "let-stand", "open"]
"""stands: people counted the board and it is a foul all the same, or its side gave up the game for it. withdrawn: the
move was taken back. let-stand: the move counts in spite of it. open: nobody has ruled."""

MOST_FOULS = 5000
"""Fouls that are remembered; older ones stay in the journal."""

SAID = ("game", "verdict", "player", "move", "sentence", "faults", "best", "pits", "confidence", "stills",
        "others")
"""What is remembered of a verdict: what its sentence is made of, how sure it is, and its photographs."""


@dataclass(frozen=True, slots=True)
class Foul:
    """A verdict that calls a move illegal, and stands. number: of its event; game: of the event that began its game;
    said: what its sentence is made of; order: of the ruling, 0 where that is not one order's doing."""

    number: int
    game: int
    at: str
    said: Item
    fate: Fate
    order: int = 0


class Fouls:
    """Kept up event by event, with the feed's items that each event makes or changes."""

    def __init__(self) -> None:
        """No foul yet."""
        self._fouls: OrderedDict[int, Foul] = OrderedDict()
        self._game = 0
        self._orders: dict[int, journal.LetStand | journal.Forfeit] = {}
        self._beside: dict[int, tuple[Fate, int]] = {}
        """What became of fouls by orders that the feed does not file with them, and the orders."""

    def enter(self, event: Event, changed: list[Item], feed: Mapping[int, Item]) -> None:
        """Take in an event, after the feed has."""
        match event.body:
            case journal.GameStarted():
                self._game = event.number
            case journal.LetStand() | journal.Forfeit() as order:
                self._orders[event.number] = order
            case journal.OrderAnswered(order=number, done=done):
                taken = self._orders.pop(number, None)
                if done and taken is not None:
                    self._ruled(number, taken)
            case journal.RulingUndone(order=number, kept=kept):
                self._beside = {foul: (fate, order) for foul, (fate, order) in self._beside.items()
                                if order != number and (kept or order < number or fate == "let-stand")}
            case _:
                pass
        for item in changed:
            if item["kind"] == "verdict" and item["verdict"] == "illegal":
                self._note(item, feed)
            elif item["kind"] == "verdict":  # a later answer may have called it otherwise
                self._fouls.pop(item["number"], None)

    def all(self) -> list[Foul]:
        """Every foul as it stands now, the newest first."""
        return [self._now(foul) for foul in reversed(self._fouls.values())]

    def get(self, number: int) -> Foul | None:
        """The foul of that verdict; None for a verdict that is none, or that stands no more."""
        foul = self._fouls.get(number)
        return None if foul is None else self._now(foul)

    def stood(self, order: int) -> bool:
        """Whether that order let a move of an earlier game stand."""
        return any(one == order and fate == "let-stand" for fate, one in self._beside.values())

    def _now(self, foul: Foul) -> Foul:
        beside = self._beside.get(foul.number)
        return foul if beside is None or foul.fate != "open" else replace(foul, fate=beside[0], order=beside[1])

    def _ruled(self, number: int, order: journal.LetStand | journal.Forfeit) -> None:
        if isinstance(order, journal.LetStand):
            foul = self._fouls.get(order.verdict)
            if foul is not None and foul.game != self._game:
                self._beside[foul.number] = ("let-stand", number)
            return
        given_up = next((foul for foul in self.all() if foul.game == self._game and foul.fate == "open"
                         and foul.said["player"] == order.side), None)
        if given_up is not None:
            self._beside[given_up.number] = ("stands", number)

    def _note(self, item: Item, feed: Mapping[int, Item]) -> None:
        number, found = item["number"], _fate(item, feed)
        if found is None:
            self._fouls.pop(number, None)
            return
        known = self._fouls.get(number)
        self._fouls[number] = Foul(number, known.game if known else self._game, item["at"],
                                   {name: item[name] for name in SAID}, *found)
        while len(self._fouls) > MOST_FOULS:
            self._fouls.popitem(last=False)


def _fate(item: Item, feed: Mapping[int, Item]) -> tuple[Fate, int] | None:
    """What became of a foul, and by which order; None where the verdict was replaced and is a foul no more."""
    if item["gone"] is not None:
        return ("withdrawn", 0) if item["gone"]["how"] == "withdrawn" else None
    if item["ruling"] is not None and item["ruling"]["what"] == "withdrawn":
        return "withdrawn", 0
    held = next((one for one in reversed(item["ruled"]) if not one["undone"]), None)
    if held is not None and held["what"] == "withdraw":
        return "withdrawn", held["order"]
    if held is not None and held["what"] == "stand":
        return "let-stand", held["order"]
    return ("stands", 0) if _counted(feed.get(item["answers"])) else ("open", 0)


def _counted(before: Item | None) -> bool:
    """Whether people counted the board of the verdict that this one replaces."""
    return before is not None and before["kind"] == "verdict" and (
        before["ordered"] > 0 or any(one["what"] == "not-as-seen" and not one["undone"] for one in before["ruled"]))
