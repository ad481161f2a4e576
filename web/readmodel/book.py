"""The journal folded into what the page shows: the table's current state, and the feed of verdicts and orders.

No other module folds events for the page. A page replaces its table by each new one that it receives, and each feed
item by the new one of the same number.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import TypedDict, cast

from device.journal.events import Event
from device.journal.follower import JournalFollower, Source
from device.journal.projection.fold import Foul, Hold, Objection, Projection, ToldVerdict
from device.journal.projection.games import PlayedGame
from device.journal.projection.match import MatchBook
from device.journal.store import JournalFile
from web.players import Named
from web.readmodel import items
from web.readmodel.feed import GameEnding, Item, OverNow, TableNow, TableShown, VerdictItem
from web.readmodel.reasons import message_json
from web.readmodel.scores import score
from web.readmodel.shapes import Pit, pits

UNSEEN = ("place", "places", "answers")
"""Fields of the table that the page does not need."""

KEEP = 80
"""Feed items that the page can show; older ones stay in the journal, and those of the current game may be ruled on."""

KEEP_OF_GAME = 1000
"""Items of the current game that are kept; older ones can no longer be ruled on."""

PORTION = 1000
"""Events that are read at a time."""


class Patch(TypedDict):
    """What brings a page up to date with event `number`. shapes: the pits of every board that occurs in it."""

    number: int
    fresh: bool
    table: TableShown
    items: list[Item]
    shapes: dict[str, tuple[Pit, ...]]


class Book:
    """What one journal says, updated by `refresh`; any number of feeds may share it."""

    def __init__(self, journal: Path | Source, public: bool = False, beside: Book | None = None) -> None:
        """journal: its path, which need not exist, or another source; public: as spectators may read it; beside: the
        whole book of the same journal, whose state this book copies at the start if nothing is held back."""
        self.path = journal if isinstance(journal, Path) else Path()
        self._journal: Source = JournalFile(journal) if isinstance(journal, Path) else journal
        self._follower = JournalFollower(self._journal)
        self._beside = beside
        self.public = public
        """Whether this book ends before the first accusation held back (`Hold`)."""
        self.version = 0
        """Rises with every change: a feed that has sent this version is up to date."""
        self.id = ""
        """Identifies the table: the beginning of its journal's first hash; "" while there is no journal."""
        self.problem = ""
        self._lock = threading.Lock()
        self._clear()

    def refresh(self) -> None:
        """Read what was written since the last call; cheap if nothing was. An unreadable journal sets `problem`."""
        with self._lock:
            before, more = self._follower.number, True
            if self._beside is not None and not before:
                self._begin_as(self._beside)
            self._enter_all()  # the events after one that could not be entered
            while more:
                other, events = self._follower.look(time.monotonic(), PORTION)
                if other:
                    self._clear()
                    before = -1
                for event in events:
                    self._hold.note(event)
                self._enter_all()
                more = len(events) == PORTION
            if self._follower.number != before or self.problem != self._follower.problem:
                self.problem = self._follower.problem
                self.version += 1

    def close(self) -> None:
        """Close the journal's file; `refresh` opens it again."""
        with self._lock:
            self._follower.close()

    def since(self, after: int) -> Patch:
        """Return the table, and the feed items that are new or have changed after event `after`, oldest first.

        `fresh` tells the page to drop the items it has: at the first call, and when the journal is another one.
        """
        with self._lock:
            fresh = after <= 0 or after > self.number
            found = [item for item in self._items.values() if fresh or item["changed"] > after][-KEEP:]
            boards = {diagram["board"] for item in found for diagram in items.diagrams(item)}
            if self.table["position"]:
                boards.add(self.table["position"]["board"])
            contested = [one.verdict for one, _ in self._now.contested]
            teams = self._now.teams
            now = {name: value for name, value in self.table.items() if name not in UNSEEN}
            table = now | {"contested": contested, "teams": {"S": teams.south, "N": teams.north},
                           "team_names": {"S": teams.south_name, "N": teams.north_name},
                           "teams_since": self._now.teams_since}
            table = table | {"problem": self.problem, "match": score(self._now.match), "held": self.held,
                                  "waiting": [] if self.public else self._hold.verdicts,
                             "fouls": self._open(), "ended": self._ended()}
            return Patch(number=self.number, fresh=fresh, table=cast(TableShown, table), items=found,
                         shapes={board: pits(board) for board in sorted(boards)})

    def verdict(self, number: int) -> VerdictItem | None:
        """Return the feed's verdict of that number."""
        with self._lock:
            item = self._items.get(number)
            return item if item is not None and item["kind"] == "verdict" else None

    def verdicts_after(self, number: int) -> list[VerdictItem]:
        """Return the feed's verdicts after that number, oldest first."""
        with self._lock:
            return [item for _, item in sorted(self._items.items()) if item["kind"] == "verdict"
                    and item["number"] > number]

    def waiting(self, verdict: int) -> Objection | None:
        """Return the objection to that verdict's move without a ruling; None for none, or if the verdict is
        replaced."""
        with self._lock:
            told = self._now.verdict(verdict)
            return next((one for one in self._now.objections if one.verdict == verdict and not one.ruled
                         and told is not None and told.gone is None), None)

    def contested(self) -> list[tuple[Objection, ToldVerdict]]:
        """Return the objections without a ruling, also of finished games, each with its verdict; oldest first, one for
        each move."""
        with self._lock:
            return self._now.contested

    def objections(self, verdict: int) -> dict[int, Objection]:
        """Return the objections to that verdict's move, by number."""
        with self._lock:
            return {one.number: one for one in self._now.objections if one.verdict == verdict}

    def named(self) -> Named:
        """Return the current players."""
        with self._lock:
            return Named.of_teams(self._now.teams, self._now.teams_since)

    def fouls(self) -> list[Foul]:
        """Return all fouls with their rulings, newest first, except those of annulled games."""
        with self._lock:
            return self._now.fouls

    def foul(self, number: int) -> Foul | None:
        """Return the foul of that verdict; None if the verdict is no foul."""
        with self._lock:
            return self._now.foul(number)

    def open_fouls(self) -> int:
        """Return how many fouls have no ruling."""
        with self._lock:
            return self._open()

    def undoable(self, order: int) -> bool:
        """Return whether the ruling of that order may be undone."""
        with self._lock:
            return order in self.table["undoable"] or self._now.stood(order)

    def games(self) -> list[PlayedGame]:
        """Return the games, newest first."""
        with self._lock:
            return [_copied(one) for one in reversed(self._now.games.values())]

    def game(self, number: int) -> PlayedGame | None:
        """Return the game that event `number` began."""
        with self._lock:
            found = self._now.games.get(number)
            return None if found is None else _copied(found)

    def match(self) -> MatchBook:
        """Return the current match as it stands now; an empty one if there is none."""
        with self._lock:
            match = self._now.match
            return replace(match, counted=dict(match.counted), problems=dict(match.problems),
                           messages=dict(match.messages))

    def events(self, game: PlayedGame) -> list[Event]:
        """Return the events of a game, from the one that began it. Raises JournalError."""
        with self._lock:
            return self._journal.read(game.number - 1, game.last - game.number + 1) if self._follower.which else []

    def read(self, after: int, limit: int) -> list[Event]:
        """Return up to `limit` events after a number, none newer than `number`. Raises JournalError."""
        with self._lock:
            if not self._follower.which or after >= self.number:
                return []
            return self._journal.read(after, min(limit, self.number - after))

    def verdicts(self) -> dict[str, int]:
        """Return how many verdicts of each kind the journal holds."""
        with self._lock:
            return dict(self._now.kinds)

    @property
    def held(self) -> bool:
        """Whether the journal holds events that this book does not show."""
        return bool(self._hold.back)

    def waits(self, number: int) -> bool:
        """Return whether that verdict is held back from spectators."""
        with self._lock:
            return number in self._hold.verdicts

    def _clear(self) -> None:
        self.number = 0
        self._hold = Hold()
        self.id = ""
        self._now = Projection()
        self.table: TableNow = items.empty_table()
        self._items: OrderedDict[int, Item] = OrderedDict()

    def _begin_as(self, other: Book) -> None:
        """Copy the state of another book of the same journal, if nothing is held back there."""
        other.refresh()
        with other._lock:
            if other._hold.waiting or other._hold.back:
                return
            self._follower.which, self._follower.number = other._follower.which, other._follower.number
            (self.number, self._hold, self.id, self._now, self.table, self._items) = deepcopy(
                (other.number, other._hold, other.id, other._now, other.table, other._items))

    def _enter_all(self) -> None:
        for event in self._hold.released(everything=not self.public):
            self._enter(event)

    def _enter(self, event: Event) -> None:
        self.number = event.number
        self.id = self.id or event.hash[:12]
        self._now.enter(event)
        changed = items.fold(self._now, self.table, self._items, event)
        for item in changed:
            item["changed"] = event.number
            self._items[item["number"]] = item
        ended, self.table["over"] = self.table["over"], _over(self._now.playing)
        if ended != self.table["over"]:
            self._show_end()
        game = self.table["game"]["number"] if self.table["game"] else event.number
        while len(self._items) > (KEEP if next(iter(self._items), 0) < game else KEEP_OF_GAME):
            self._items.popitem(last=False)

    def _show_end(self) -> None:
        """Show in the feed only that end of the current game that holds; a ruling may have changed it."""
        over = self.table["over"]
        for item in reversed(self._items.values()):
            if item["kind"] == "game":
                return
            if item["kind"] == "over":
                holds = over is not None and all(item[name] == over[name] for name in ("result", "winner", "reason"))
                item.update({"repeats": not holds, "changed": self.number})
                over = None if holds else over

    def _open(self) -> int:
        return sum(foul.fate == "open" for foul in self._now.fouls)

    def _ended(self) -> GameEnding | None:
        game, over = self._now.ended, _over(self._now.ended)
        if game is None or over is None:
            return None
        return GameEnding(number=game.number, **over, place=self._now.match.counted.get(game.number, 0))


def _over(game: PlayedGame | None) -> OverNow | None:
    """Return how the game ended; None while it goes on."""
    if game is None or not game.over:
        return None
    return OverNow(result=game.result, winner=game.winner, reason=game.reason, told=message_json(game.told))


def _copied(game: PlayedGame) -> PlayedGame:
    """Return a copy of the game as it stands now, for readers without the lock."""
    return replace(game, verdicts=game.verdicts[:], retractions=list(game.retractions),
                   objections=list(game.objections))
