"""Fixtures of the hall's tests: a real broker, tables that publish to it, the hall over them, and its page."""

import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Browser

from device.publishing.publisher_state import TableIdentity
from tests.device.publishing.broker import MOSQUITTO, Broker
from tests.device.publishing.quick import Running
from tests.quick_pin import set_pin
from tests.waiting import wait_for
from tests.web.conftest import Served, chromium
from tests.web.stage import Stage
from tests.web.visits import Open, Visits
from web.hall.app import create_app
from web.hall.context import HallContext
from web.hall.receiver import ConfirmTimings
from web.hall.registry import HallTable
from web.hall.store import Store

__all__ = ["chromium"]

PIN = "271828"
SOON = ConfirmTimings(again=0.1, stalled=0.5)
"""A hall that does not wait long: what it waits for is the same."""
TABLES = ("t1", "t2", "t3")
"""Users that the broker knows."""

Row = tuple[int, str, str, str, str]


def rows(path: Path) -> list[Row]:
    """A journal's events as they lie in its file: number, time, kind, body and hash."""
    db = sqlite3.connect(path, timeout=10)
    try:
        return db.execute("SELECT number, at, type, body, hash FROM event ORDER BY number").fetchall()
    finally:
        db.close()


def copied(store: Store, table: str) -> list[Row]:
    """The hall's copy of a table's journal."""
    now = store.current(table)
    return store.rows(now.id) if now is not None else []


@dataclass
class Hall(Served):
    """A broker, tables and a hall. said: what the hall logged."""

    broker: Broker = field(default_factory=lambda: Broker(Path()))
    stages: dict[str, Stage] = field(default_factory=dict)
    running: dict[str, Running] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)
    context: HallContext | None = None
    ending: threading.Event = field(default_factory=threading.Event)
    living: threading.Thread | None = None

    def app(self) -> Flask:
        """The hall's page; the hall itself begins with it."""
        made = create_app(self.open(), self.config)
        if not made.extensions["pin"].is_set:
            set_pin(made.extensions["pin"].path, PIN)
        return made

    def open(self) -> HallContext:
        """The hall itself, listening."""
        context = HallContext.open(self.folder / "hall", self.broker.address("hall"), self.said.append, SOON)
        context.start()
        self.context = context
        return context

    def seat(self, table: str, pin: str = PIN) -> Stage:
        """Another table, at which a game has begun. It does not publish yet."""
        folder = self.folder / table
        stage = self.stages[table] = Stage(folder)
        stage.begin()
        stage.live()
        if pin:
            set_pin(folder / "page.pin", pin)
        return stage

    def publish(self) -> None:
        """Every table begins to publish, and shows from then on that it runs."""
        for table in self.stages:
            self.publish_one(table)
        self.living = threading.Thread(target=self._live, daemon=True)
        self.living.start()

    def publish_one(self, table: str) -> None:
        """One table begins to publish."""
        place = TableIdentity(self.stages[table].folder, table, f"Table {table[1:]}", "127.0.0.1", 8000)
        self.running[table] = Running(place, self.broker.address(table))

    def settle(self) -> None:
        """Wait until the hall has all that the tables have, and knows how they stand."""
        wait_for(lambda: all(self._has(table) for table in self.stages), 30)

    def at(self, table: str) -> HallTable:
        """That table in the hall."""
        assert self.context is not None
        found = self.context.registry.get(table)
        assert found is not None
        return found

    def end(self) -> None:
        """End everything."""
        self.ending.set()
        if self.living is not None:
            self.living.join()
        self.stop()
        if self.context is not None:
            self.context.stop()
        for running in self.running.values():
            running.kill()
        for stage in self.stages.values():
            stage.close()
        self.broker.kill()

    def _live(self) -> None:
        while not self.ending.wait(1.0):
            for stage in self.stages.values():
                stage.live()

    def _has(self, table: str) -> bool:
        assert self.context is not None
        now, last = self.context.store.current(table), self.stages[table].journal.last
        state = self.at(table).state if now is not None else None
        return now is not None and self.context.store.kept(now) == last and state is not None and state.number == last


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    """A broker that runs, and a hall that is begun by `open` or `start`."""
    if MOSQUITTO is None:
        pytest.skip("a hall over a real broker (apt install mosquitto)")
    made = Hall(tmp_path, config={}, broker=Broker(tmp_path / "broker", "hall", *TABLES))
    made.broker.start()
    yield made
    made.end()


@pytest.fixture
def visit(chromium: Browser, hall: Hall) -> Iterator[Open]:
    """Opens the hall's page; at the end nothing may have gone wrong in it."""
    if not hall.port:
        hall.start()
    visits = Visits(chromium, hall.url, hall.link)
    yield visits.open
    visits.close()
    assert visits.wrong == []
