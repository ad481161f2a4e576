"""The objections of all games and the ruling on each, updated after the feed, whose items this module reads.

The feed drops items of games long over; an objection without a ruling is kept here.
"""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from device.journal import events as journal
from device.journal.events import Event
from web.readmodel.review.fouls import SAID

Item = dict[str, Any]
Ruling = journal.LetStand | journal.Withdraw | journal.NotAsSeen

MOST_OBJECTIONS = 1000
"""Most objections kept; older ones stay in the journal."""


@dataclass(slots=True)
class Objection:
    """An objection to a verdict's move. number: of its event; game: of the event that began the move's game; why: "" or
    one of `Objected.why`; said: the verdict's fields in `SAID`; ruled: the order that settled it, else 0; replaced:
    whether the verdict no longer stands."""

    number: int
    verdict: int
    game: int
    at: str
    why: str
    said: Item
    ruled: int = 0
    replaced: bool = False

    @property
    def open(self) -> bool:
        """Whether it waits for a ruling."""
        return not self.ruled and not self.replaced


class Objections:
    """All objections, updated by every event and the feed items that it makes or changes."""

    def __init__(self) -> None:
        """Start without objections."""
        self._all: OrderedDict[int, Objection] = OrderedDict()
        self._game = 0
        self._orders: dict[int, Ruling] = {}

    def enter(self, event: Event, changed: list[Item]) -> None:
        """Take in an event, after the feed has done so."""
        match event.body:
            case journal.GameStarted():
                self._game = event.number
            case journal.ObjectionWithdrawn(objection=number):
                self._all.pop(number, None)
            case journal.LetStand() | journal.Withdraw() | journal.NotAsSeen() as order:
                self._orders[event.number] = order
            case journal.OrderAnswered(order=number, done=done):
                taken = self._orders.pop(number, None)
                for one in self._of(taken.verdict) if done and taken is not None else ():
                    one.ruled = one.ruled or number
            case journal.RulingUndone(order=number):
                for one in self._all.values():
                    one.ruled = 0 if one.ruled == number else one.ruled
            case _:
                pass
        for item in changed:
            if item["kind"] == "verdict":
                self._note(item)

    def waiting(self) -> list[Objection]:
        """Return the objections without a ruling, oldest first; one for each move."""
        return list({one.verdict: one for one in reversed(self._all.values()) if one.open}.values())[::-1]

    def of(self, verdict: int) -> dict[int, Objection]:
        """Return the objections to that verdict's move, by number, except withdrawn ones."""
        return {one.number: one for one in self._of(verdict)}

    def _of(self, verdict: int) -> list[Objection]:
        return [one for one in self._all.values() if one.verdict == verdict]

    def _note(self, item: Item) -> None:
        for one in item["objections"]:
            known = self._all.get(one["number"])
            self._all[one["number"]] = Objection(
                one["number"], item["number"], known.game if known else self._game, one["at"], one["why"],
                {name: item[name] for name in SAID}, known.ruled if known else 0, item["gone"] is not None)
        while len(self._all) > MOST_OBJECTIONS:
            self._all.popitem(last=False)
