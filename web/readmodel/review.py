"""What waits for the referee in all games: the fouls and the objections, each with its ruling.

Both are updated after the feed, whose items they read. The feed drops items of games long over; what has no ruling is
kept here.
"""

from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import Any, Literal

from device.journal import events as journal
from device.journal.events import Event
from device.journal.game import Rulings

Item = dict[str, Any]
Fate = Literal["stands", "withdrawn", "let-stand", "open"]
"""The state of a foul. stands: people counted the board and it is a foul after all, or the side resigned over it.
withdrawn: the move was taken back. let-stand: the move was accepted all the same. open: no ruling yet."""

FATES: dict[type, Fate] = {journal.LetStand: "let-stand", journal.Withdraw: "withdrawn", journal.Forfeit: "stands"}
"""The state to which each ruling brings a foul."""

MOST_FOULS = 5000
"""Most fouls kept; older ones stay in the journal."""

SAID = ("game", "verdict", "player", "move", "sentence", "faults", "best", "pits", "confidence", "stills",
        "others", "followed")
"""The fields kept of a verdict: what its sentence needs, its certainty, and its photographs."""


@dataclass(frozen=True, slots=True)
class Foul:
    """A standing verdict that calls a move illegal. number: of its event; game: of the event that began its game; said:
    the fields in `SAID`; order: of the ruling, 0 if no single order decided it."""

    number: int
    game: int
    at: str
    said: Item
    fate: Fate
    order: int = 0


class Fouls:
    """All fouls, updated by every event and the feed items that it makes or changes."""

    def __init__(self, rulings: Rulings) -> None:
        """Start without fouls. rulings: those of the same journal, which take in each event first."""
        self._fouls: OrderedDict[int, Foul] = OrderedDict()
        self._game = 0
        self._rulings = rulings
        self._late: set[int] = set()
        """Orders that let a foul of an earlier game stand."""

    def enter(self, event: Event, done: Event | None, changed: list[Item]) -> None:
        """Take in an event, after the feed has done so. done: the order that it reports as carried out."""
        if isinstance(event.body, journal.GameStarted):
            self._game = event.number
        if done is not None:
            self._rule(done)
        for item in changed:
            if item["kind"] == "verdict" and item["verdict"] == "illegal":
                self._note(item)
            elif item["kind"] == "verdict":  # a later answer may have replaced the accusation
                self._fouls.pop(item["number"], None)

    def all(self) -> list[Foul]:
        """Return every foul as it stands now, newest first."""
        return [self._now(foul) for foul in reversed(self._fouls.values())]

    def get(self, number: int) -> Foul | None:
        """Return the foul of that verdict; None if the verdict is no foul or no longer stands."""
        foul = self._fouls.get(number)
        return None if foul is None else self._now(foul)

    def stood(self, order: int) -> bool:
        """Return whether that order lets a move of an earlier game stand."""
        return order in self._late and self._rulings.holds(order)

    def _now(self, foul: Foul) -> Foul:
        last = self._rulings.last(foul.number) if foul.fate != "withdrawn" else None
        return foul if last is None else replace(foul, fate=FATES.get(type(last.body), foul.fate), order=last.number)

    def _rule(self, done: Event) -> None:
        order = done.body
        if isinstance(order, journal.LetStand):
            foul = self._fouls.get(order.verdict)
            if foul is not None and foul.game != self._game:
                self._late.add(done.number)
        elif isinstance(order, journal.Forfeit):
            given_up = next((foul for foul in self.all() if foul.game == self._game and foul.fate == "open"
                             and foul.said["player"] == order.side), None)
            if given_up is not None:
                self._rulings.rule(given_up.number, done)

    def _note(self, item: Item) -> None:
        number, fate = item["number"], self._fate(item)
        if fate is None:
            self._fouls.pop(number, None)
            return
        known = self._fouls.get(number)
        self._fouls[number] = Foul(number, known.game if known else self._game, item["at"],
                                   {name: item[name] for name in SAID}, fate)
        while len(self._fouls) > MOST_FOULS:
            self._fouls.popitem(last=False)

    def _fate(self, item: Item) -> Fate | None:
        """Return the state of a foul before any ruling on it; None if the verdict was replaced and is no foul now."""
        if item["gone"] is not None:
            return "withdrawn" if item["gone"]["how"] == "withdrawn" else None
        return "stands" if self._rulings.counted(item["answers"]) else "open"


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

    def enter(self, event: Event, done: Event | None, changed: list[Item]) -> None:
        """Take in an event, after the feed has done so. done: the order that it reports as carried out."""
        match event.body:
            case journal.GameStarted():
                self._game = event.number
            case journal.ObjectionWithdrawn(objection=number):
                self._all.pop(number, None)
            case journal.RulingUndone(order=number):
                for one in self._all.values():
                    one.ruled = 0 if one.ruled == number else one.ruled
            case _:
                pass
        if done is not None and isinstance(done.body, journal.LetStand | journal.Withdraw | journal.NotAsSeen):
            for one in self._of(done.body.verdict):
                one.ruled = one.ruled or done.number
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
