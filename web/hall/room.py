"""The tables of the hall as they stand: what each tells of itself, its journal, and whether it needs a referee."""

from __future__ import annotations

import logging
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from device.publishing.messages import PrivateState, Public
from web.hall.store import Store, TableSource
from web.readmodel.book import Book
from web.readmodel.items import Item

log = logging.getLogger("hall")

SILENT_S = 60.0
"""Seconds without a word after which a table counts as not heard of."""
ELSEWHERE_S = 120.0
"""Seconds for which people hear that two journals speak under one table's id, after the last change between them."""
MOST_TABLES = 500
"""Tables that are shown; a stranger at the broker cannot fill the page with names."""
ABSENT = ("gone", "unheard", "silent")
"""Needs of tables that may be dismissed: they are not there, or not as tables of this hall."""
ASKING = ("not-sure", "tampered")
"""Verdicts that ask people."""


class Need(StrEnum):
    """Why a table needs a referee, the most urgent first."""

    GONE = "gone"
    """Its link to the broker is broken."""
    UNHEARD = "unheard"
    """Only what everybody may know is heard of it, and not its journal: the hall has no user at the broker."""
    SILENT = "silent"
    """It was not heard of for a minute."""
    FORKED = "forked"
    """Its journal tells another history than the one that the hall keeps."""
    ELSEWHERE = "elsewhere"
    """Two journals speak under its id: somebody else publishes as this table, or its data folder was exchanged."""
    BLIND = "blind"
    """It cannot see the board."""
    HELD = "held"
    """An accusation is held back until the referee has looked."""
    UNSURE = "unsure"
    """It is not sure of the last move."""
    CONTESTED = "contested"
    """Somebody objects to a move."""
    FOULS = "fouls"
    """There are fouls that nobody has ruled on."""


@dataclass
class HallTable:
    """One table. public, state: what it told last. heard: when that was, on the hall's clock. journals: the last
    journals that it spoke of, and when each was taken for its own. version: goes up with all that changes."""

    id: str
    whole: Book
    open: Book
    """As everybody may read it."""
    public: Public | None = None
    state: PrivateState | None = None
    gone: bool = False
    heard: float = 0.0
    version: int = 1
    odd: bool = False
    """Its journal has something in it that the read model cannot take."""
    turned: list[tuple[str, float]] = field(default_factory=list)
    asks: dict[bool, tuple[int, list[PendingRuling]]] = field(default_factory=dict)
    """What waits for a ruling, for directors and for others, and the version that this is of."""
    elsewhere: float = -ELSEWHERE_S

    @property
    def name(self) -> str:
        """What people call it."""
        return self.public.name if self.public is not None else self.state.name if self.state is not None else self.id

    def book(self, director: bool) -> Book:
        """Its journal, up to date, as such a visitor may read it."""
        found = self.whole if director else self.open
        try:
            found.refresh()
        except Exception:  # the others are to be seen all the same; the next look goes on behind that event
            if not self.odd:
                log.exception("table %s: an event cannot be shown", self.id)
            self.odd = True
        return found

    def told(self, director: bool) -> Public | None:
        """What it tells of itself to such a visitor."""
        return self.state if director and self.state is not None else self.public


@dataclass(frozen=True)
class PendingRuling:
    """Something that waits for a ruling: verdict `number` of a table, said at `at`. why: the need that it is."""

    table: HallTable
    number: int
    at: str
    why: Need
    said: Item


class Room:
    """All tables. Told by the link, asked by the page; from several threads."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        """store: what is known of them already; clock: seconds."""
        self.store, self._clock = store, clock
        self._lock = threading.Condition()
        self._tables: dict[str, HallTable] = {}
        self.version = 0
        """Goes up with everything that changes at any table."""
        self.linked = False
        """Whether the broker is heard."""
        self._silent: frozenset[str] = frozenset()
        for table in store.tables():
            self.table(table)

    def table(self, name: str) -> HallTable | None:
        """The table of that id, made where it is not known yet; None where there are too many."""
        with self._lock:
            found = self._tables.get(name)
            if found is None and len(self._tables) < MOST_TABLES:
                source = TableSource(self.store, name)
                whole = Book(source)
                found = HallTable(name, whole, Book(source, public=True, beside=whole), heard=self._clock())
                self._tables[name] = found
            return found

    def dismiss(self, table: HallTable) -> None:
        """Show the table no longer, until it speaks. Raises `JournalTrouble`."""
        self.store.dismiss(table.id)
        with self._lock:
            self._tables.pop(table.id, None)
            self.version += 1
            self._lock.notify_all()

    def get(self, name: str) -> HallTable | None:
        """The table of that id; None where there is none."""
        with self._lock:
            return self._tables.get(name)

    def all(self) -> list[HallTable]:
        """Every table, by name."""
        with self._lock:
            return sorted(self._tables.values(), key=lambda t: (_natural(t.name), t.id))

    def changed(self, table: HallTable) -> None:
        """Something is new at that table."""
        with self._lock:
            table.version += 1
            self.version += 1
            self._lock.notify_all()

    def link(self, up: bool) -> None:
        """The broker is heard, or no longer."""
        with self._lock:
            if up and not self.linked:  # nobody could be heard meanwhile
                for table in self._tables.values():
                    table.heard = self._clock()
            self.linked = up
            self.version += 1
            self._lock.notify_all()

    def touch(self) -> None:
        """Something is new that is no table's."""
        with self._lock:
            self.version += 1
            self._lock.notify_all()

    def wait(self, version: int, seconds: float) -> int:
        """The room's version, as soon as it is another one, or after so many seconds."""
        with self._lock:
            self._lock.wait_for(lambda: self.version != version, seconds)
            return self.version

    def hear(self, table: HallTable) -> None:
        """The table has said something, now."""
        with self._lock:
            table.heard = self._clock()

    def plays_on(self, table: HallTable, journal: str) -> None:
        """The table has named the journal that it plays on. Where it goes back to one that it had left, two speak."""
        if not self.store.turn_to(table.id, journal):
            return
        with self._lock:
            now = self._clock()
            if any(known == journal for known, _ in table.turned):
                table.elsewhere = now
            table.turned = [*(one for one in table.turned if one[0] != journal), (journal, now)][-8:]

    def look_round(self) -> None:
        """To be called now and then: notes which tables have fallen silent since, or were said to be elsewhere."""
        with self._lock:
            now = self._clock()
            odd = frozenset(f"{t.id} {self._silence(t, now)}" for t in self._tables.values())
            for name in {one.split(" ")[0] for one in odd ^ self._silent}:
                self.version += 1
                if name in self._tables:
                    self._tables[name].version += 1
            if odd != self._silent:
                self._silent = odd
                self._lock.notify_all()

    def needs(self, table: HallTable, director: bool) -> list[Need]:
        """Why the table needs a referee, as such a visitor may know."""
        book = table.book(director)
        told, now = table.told(director), book.table
        stream = self.store.current(table.id)
        last = book.verdict(now["ruling"]) if now["ruling"] else None
        found = {
            Need.UNHEARD: table.public is not None and table.state is None,
            Need.FORKED: stream is not None and stream.forked,
            Need.BLIND: bool(now["blind"]) or (told is not None and not told.seeing),
            Need.HELD: director and any(book.waits(number) for number in (table.state.held if table.state else ())),
            Need.UNSURE: last is not None and last["verdict"] in ASKING,
            Need.CONTESTED: bool(book.contested()), Need.FOULS: bool(book.open_fouls())}
        with self._lock:
            silence = self._silence(table, self._clock())
        return ([silence] if silence else []) + [need for need, so in found.items() if so]

    def waiting(self, director: bool) -> list[PendingRuling]:
        """What waits for a ruling at all tables, the oldest first."""
        found: list[PendingRuling] = []
        for table in self.all():
            version, known = table.asks.get(director, (0, []))
            if version != table.version:
                version = table.version
                try:
                    known = waiting_at(table, director)
                except Exception:
                    log.exception("table %s: what waits there cannot be told", table.id)
                    known = []
                table.asks[director] = version, known
            found += known
        return sorted(found, key=lambda one: (one.at, one.table.id))

    def _silence(self, table: HallTable, now: float) -> Need | None:
        """Whether the table itself is not to be heard, or not alone. Nobody is called silent while the broker is."""
        if table.gone:
            return Need.GONE
        if now - table.elsewhere < ELSEWHERE_S:
            return Need.ELSEWHERE
        return Need.SILENT if self.linked and now - table.heard > SILENT_S else None


def waiting_at(table: HallTable, director: bool) -> list[PendingRuling]:
    """What waits for a ruling at one table."""
    book = table.book(director)
    found: dict[int, PendingRuling] = {}
    for foul in book.fouls():
        if foul.fate == "open":
            held = director and book.waits(foul.number)
            found[foul.number] = PendingRuling(table, foul.number, foul.at, Need.HELD if held else Need.FOULS,
                                               foul.said)
    for item in book.verdicts_after(0):
        asks = _asks(item, book, director)
        if asks is not None:
            found[item["number"]] = PendingRuling(table, item["number"], item["at"], asks, item)
    for one in book.contested():
        if one.verdict not in found or found[one.verdict].why is not Need.HELD:
            found[one.verdict] = PendingRuling(table, one.verdict, one.at, Need.CONTESTED, one.said)
    return list(found.values())


def _asks(item: Item, book: Book, director: bool) -> Need | None:
    """Why a verdict of the feed asks for a ruling; None where it does not, or where the fouls name it."""
    if director and book.waits(item["number"]):
        return Need.HELD
    unruled = item["number"] == book.table["ruling"] and item["gone"] is None
    return Need.UNSURE if unruled and item["verdict"] in ASKING else None


def _natural(name: str) -> list[tuple[int, int, str]]:
    """For sorting: "Table 10" after "Table 9"."""
    return [(0, int(part), "") if part[0] in "0123456789" else (1, 0, part)
            for part in re.findall(r"[0-9]{1,9}|[^0-9]+", name.casefold())]
