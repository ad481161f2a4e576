"""Publishing over a real Mosquitto: nothing lost and nothing twice, whoever is killed and whatever is held up."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from device.journal import Journal
from device.journal.events import Blind, GameStarted, Sighted, StateEntered
from engine.rules import ruleset
from tests.device.publishing.broker import Broker, mosquitto
from tests.device.publishing.quick import Running, place
from tests.device.publishing.small_hall import SmallHall
from tests.waiting import wait_for

pytestmark = mosquitto

TABLES = ("table-1", "table-2", "table-3")
EACH = 60
"""Events that a table writes between two breaks."""


class Writing:
    """A table's journal that is being written, some events at a time."""

    def __init__(self, folder: Path, lot: random.Random) -> None:
        """Begin it."""
        folder.mkdir()
        self.folder, self._lot = folder, lot
        self.journal = Journal(folder / "journal.sqlite3")
        rules = ruleset("enkeshui")
        self.journal.append(GameStarted(game="enkeshui", rules=rules.name, board="2x8", position=str(rules.setup())))
        self.rows: list[tuple[int, str, str, str, str]] = []
        """What it holds in the end."""
        self._due = self._written = 1
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._write)
        self._thread.start()

    def stop(self) -> None:
        """Write no more."""
        self._ending.set()
        self._thread.join(10)

    def end(self) -> None:
        """Write no more, and note what there is."""
        self.stop()
        self.rows = self.journal.rows()

    def go_on(self) -> None:
        """Write some more: not without end, for on a slow machine the hall would never catch up."""
        self._due += EACH

    def _write(self) -> None:
        while not self._ending.wait(self._lot.random() * 0.05):
            few = min(self._lot.randrange(1, 8), self._due - self._written)
            self.journal.append_all([(self._event(), "") for _ in range(few)])
            self._written += few

    def _event(self) -> Blind | Sighted | StateEntered:
        return self._lot.choice((Sighted(), StateEntered(state="watching"),
                                 Blind(why="Nâisiae's lamp — “out”\n" * self._lot.randrange(1, 40))))


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    """A broker of a hall with three tables, running."""
    made = Broker(tmp_path / "broker", "hall", "public", *TABLES)
    made.start()
    yield made
    made.kill()


class Tables:
    """Three tables whose journals are being written, each with its publisher."""

    def __init__(self, folder: Path, broker: Broker, hall: SmallHall) -> None:
        """Begin to write and to publish."""
        self._broker, self._hall = broker, hall
        self.writing = {table: Writing(folder / table, random.Random(table)) for table in TABLES}
        self._running = {table: Running(place(one.folder, table), broker.address(table))
                         for table, one in self.writing.items()}

    def all_go_on(self) -> None:
        """Wait until the hall has heard something new of each."""
        for one in self.writing.values():
            one.go_on()
        had = {table: self._hall.count(table) for table in TABLES}
        wait_for(lambda: all(self._hall.count(table) > had[table] for table in TABLES), 60)

    def kill_each(self, lot: random.Random) -> None:
        """Each publisher is killed and started again, while the broker is now and then held up."""
        for table in lot.sample(TABLES, len(TABLES)):
            self._running[table] = self._running[table].again()
            if lot.random() < 0.5:
                self._broker.hold()
            threading.Event().wait(lot.random() * 0.1)
        self._broker.let_go()
        threading.Event().wait(lot.random() * 0.1)

    def all_arrived(self) -> None:
        """Write no more, and wait until the hall has all there is."""
        for one in self.writing.values():
            one.end()
        wait_for(lambda: all(self._hall.count(table) == len(one.rows) for table, one in self.writing.items()), 60)

    def close(self) -> None:
        """End everything."""
        for one in self._running.values():
            one.end()
        for each in self.writing.values():
            each.stop()
            each.journal.close()


def test_three_tables_lose_nothing_and_send_nothing_else_while_all_are_killed(tmp_path: Path, broker: Broker) -> None:
    lot = random.Random(20261125)
    with (SmallHall(broker.address("hall"), lose=0.02, lot=random.Random(3)) as hall,
          closing(Tables(tmp_path, broker, hall)) as tables):
        for _ in range(10):
            tables.all_go_on()
            tables.kill_each(lot)
            broker.kill()
            broker.start()
        tables.all_arrived()
    assert hall.links > 10 and hall.lost and hall.twice
    assert not hall.wrong
    assert len(hall.events) == 3
    for (table, journal), events in hall.events.items():
        rows = tables.writing[table].rows
        assert [(e.number, e.at, e.type, e.body, e.hash) for e in events] == rows
        assert journal == rows[0][4][:16] and len(rows) > 50
