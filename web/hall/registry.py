"""The current state of the hall's tables: what each one reports, its journal, and whether it needs a referee."""

from __future__ import annotations

import logging
import re
import threading
import time
from dataclasses import dataclass, field
from enum import StrEnum

from device.publishing.messages import PrivateState, Public
from web.hall.store import Store, TableSource
from web.readmodel.book import Book
from web.readmodel.feed import SaidVerdict, VerdictItem
from web.readmodel.items import said_of

log = logging.getLogger("hall")

SILENT_S = 60.0
"""Seconds without a message after which a table counts as silent."""
ELSEWHERE_S = 120.0
"""Seconds, from the last change between them, for which the page reports that two journals use one table's id."""
MOST_TABLES = 500
"""Most tables that are shown, so that a stranger at the broker cannot fill the page with names."""
ABSENT = ("gone", "unheard", "silent")
"""Needs of tables that may be dismissed: they are away, or no tables of this hall."""
ASKING = ("not-sure", "tampered")
"""Verdicts that ask people for a decision."""


class Need(StrEnum):
    """Why a table needs a referee, the most urgent first."""

    GONE = "gone"
    """Its link to the broker is broken."""
    UNHEARD = "unheard"
    """Only its public messages arrive, not its journal: the hall has no user at the broker."""
    SILENT = "silent"
    """Nothing has come from it for a minute."""
    FORKED = "forked"
    """Its journal contradicts the hall's copy."""
    ELSEWHERE = "elsewhere"
    """Two journals use its id: somebody else publishes as this table, or its data folder was replaced."""
    BLIND = "blind"
    """It cannot see the board."""
    HELD = "held"
    """An accusation is held back until the referee has looked at it."""
    UNSURE = "unsure"
    """It is not sure of the last move."""
    CONTESTED = "contested"
    """Somebody objects to a move."""
    FOULS = "fouls"
    """There are fouls that nobody has ruled on."""


@dataclass
class HallTable:
    """One table. public, state: its last messages; heard: when the last came, on the hall's clock; turned: the last
    journals that it named, each with the time when it switched to that one; version: rises with every change."""

    id: str
    whole: Book
    open: Book
    """The journal as everybody may read it."""
    public: Public | None = None
    state: PrivateState | None = None
    gone: bool = False
    heard: float = 0.0
    version: int = 1
    odd: bool = False
    """Whether its journal holds an event that the read model cannot handle."""
    turned: list[tuple[str, float]] = field(default_factory=list)
    asks: dict[bool, tuple[int, list[PendingRuling]]] = field(default_factory=dict)
    """What waits for a ruling, for directors (True) and for others, and the `version` at which that was found."""
    elsewhere: float = -ELSEWHERE_S

    @property
    def name(self) -> str:
        """The name that people use."""
        return self.public.name if self.public is not None else self.state.name if self.state is not None else self.id

    def book(self, director: bool) -> Book:
        """Return its journal, up to date, as a director or another visitor may read it."""
        found = self.whole if director else self.open
        try:
            found.refresh()
        except Exception:  # the other tables must still be shown; the next refresh goes on after that event
            if not self.odd:
                log.exception("table %s: an event cannot be shown", self.id)
            self.odd = True
        return found

    def last_message(self, director: bool) -> Public | None:
        """Return its last message for such a visitor."""
        return self.state if director and self.state is not None else self.public


@dataclass(frozen=True)
class PendingRuling:
    """A verdict that waits for a ruling: number `number` of a table, given at `at`. why: the need that it causes."""

    table: HallTable
    number: int
    at: str
    why: Need
    said: SaidVerdict


class TableRegistry:
    """All tables. The link updates them and the page reads them, from several threads."""

    def __init__(self, store: Store) -> None:
        """store: holds the tables known so far."""
        self.store = store
        self._lock = threading.Condition()
        self._tables: dict[str, HallTable] = {}
        self.version = 0
        """Rises with every change at any table."""
        self.linked = False
        """Whether the broker is connected."""
        self._silent: frozenset[str] = frozenset()
        for table in store.tables():
            self.table(table)

    def table(self, name: str) -> HallTable | None:
        """Return the table of that id, made if it is new; None if there are too many."""
        with self._lock:
            found = self._tables.get(name)
            if found is None and len(self._tables) < MOST_TABLES:
                source = TableSource(self.store, name)
                whole = Book(source)
                found = HallTable(name, whole, Book(source, public=True, beside=whole), heard=time.monotonic())
                self._tables[name] = found
            return found

    def dismiss(self, table: HallTable) -> None:
        """Hide the table until its next message. Raises `JournalTrouble`."""
        self.store.dismiss(table.id)
        with self._lock:
            self._tables.pop(table.id, None)
            self.version += 1
            self._lock.notify_all()

    def get(self, name: str) -> HallTable | None:
        """Return the table of that id; None if there is none."""
        with self._lock:
            return self._tables.get(name)

    def all(self) -> list[HallTable]:
        """Return every table, sorted by name."""
        with self._lock:
            return sorted(self._tables.values(), key=lambda t: (_natural(t.name), t.id))

    def changed(self, table: HallTable) -> None:
        """Note a change at that table."""
        with self._lock:
            table.version += 1
            self.version += 1
            self._lock.notify_all()

    def link(self, up: bool) -> None:
        """Note that the broker is connected (`up`), or no longer."""
        with self._lock:
            if up and not self.linked:  # no message could arrive meanwhile
                for table in self._tables.values():
                    table.heard = time.monotonic()
            self.linked = up
            self.version += 1
            self._lock.notify_all()

    def touch(self) -> None:
        """Note a change that belongs to no table."""
        with self._lock:
            self.version += 1
            self._lock.notify_all()

    def wait(self, version: int, seconds: float) -> int:
        """Return `self.version` as soon as it differs from `version`, or after that many seconds."""
        with self._lock:
            self._lock.wait_for(lambda: self.version != version, seconds)
            return self.version

    def hear(self, table: HallTable) -> None:
        """Note that the table has just sent something."""
        with self._lock:
            table.heard = time.monotonic()

    def plays_on(self, table: HallTable, journal: str) -> None:
        """Note which journal the table plays on. If it returns to one that it had left, two machines use its id."""
        if not self.store.turn_to(table.id, journal):
            return
        with self._lock:
            now = time.monotonic()
            if any(known == journal for known, _ in table.turned):
                table.elsewhere = now
            table.turned = [*(one for one in table.turned if one[0] != journal), (journal, now)][-8:]

    def look_round(self) -> None:
        """Note which tables have become silent or conflicting, or no longer are. Call this regularly."""
        with self._lock:
            now = time.monotonic()
            odd = frozenset(f"{t.id} {self._silence(t, now)}" for t in self._tables.values())
            for name in {one.split(" ")[0] for one in odd ^ self._silent}:
                self.version += 1
                if name in self._tables:
                    self._tables[name].version += 1
            if odd != self._silent:
                self._silent = odd
                self._lock.notify_all()

    def needs(self, table: HallTable, director: bool) -> list[Need]:
        """Return why the table needs a referee, as far as a director or another visitor may know."""
        book = table.book(director)
        told, now = table.last_message(director), book.table
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
            silence = self._silence(table, time.monotonic())
        return ([silence] if silence else []) + [need for need, so in found.items() if so]

    def waiting(self, director: bool) -> list[PendingRuling]:
        """Return what waits for a ruling at all tables, the oldest first."""
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
        """Return why the table's own messages are missing or ambiguous; None if all is well. While the broker is away,
        no table counts as silent."""
        if table.gone:
            return Need.GONE
        if now - table.elsewhere < ELSEWHERE_S:
            return Need.ELSEWHERE
        return Need.SILENT if self.linked and now - table.heard > SILENT_S else None


def waiting_at(table: HallTable, director: bool) -> list[PendingRuling]:
    """Return what waits for a ruling at one table."""
    book = table.book(director)
    found: dict[int, PendingRuling] = {}
    for foul in book.fouls():
        if foul.fate == "open":
            held = director and book.waits(foul.number)
            found[foul.number] = PendingRuling(table, foul.number, foul.told.at, Need.HELD if held else Need.FOULS,
                                               said_of(foul.told))
    for item in book.verdicts_after(0):
        asks = _asks(item, book, director)
        if asks is not None:
            found[item["number"]] = PendingRuling(table, item["number"], item["at"], asks, item)
    for one, told in book.contested():
        if one.verdict not in found or found[one.verdict].why is not Need.HELD:
            found[one.verdict] = PendingRuling(table, one.verdict, one.at, Need.CONTESTED, said_of(told))
    return list(found.values())


def _asks(item: VerdictItem, book: Book, director: bool) -> Need | None:
    """Return why a verdict of the feed asks for a ruling; None if it does not, or if it is listed among the fouls."""
    if director and book.waits(item["number"]):
        return Need.HELD
    unruled = item["number"] == book.table["ruling"] and item["gone"] is None
    return Need.UNSURE if unruled and item["verdict"] in ASKING else None


def _natural(name: str) -> list[tuple[int, int, str]]:
    """Return a sort key that puts "Table 10" after "Table 9"."""
    return [(0, int(part), "") if part[0] in "0123456789" else (1, 0, part)
            for part in re.findall(r"[0-9]{1,9}|[^0-9]+", name.casefold())]
