"""Fixtures of the tournament's tests: the hall's page over staged tables, without a broker."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser

from device.publishing.address import HallAddress
from hall.app import create_app
from hall.premises import Premises
from tests.hall.tournament.tables import Tables
from tests.web.conftest import Served
from tests.web.visits import Open, Visits

PIN = "271828"
TOKEN = re.compile(r'name="csrf_token" value="([^"]+)"')


class Page(Served):
    """The hall's page on a real port; its line to a broker is never begun."""

    def __init__(self, folder: Path) -> None:
        """folder: of the hall and of its tables."""
        super().__init__(folder)
        self.premises = Premises.open(folder / "hall", HallAddress("127.0.0.1", 1))
        self.tables = Tables(folder, self.premises)

    def app(self) -> Flask:
        """The page, with the directors' PIN set."""
        made = create_app(self.premises, {"TESTING": True})
        if not made.extensions["pin"].is_set:
            made.extensions["pin"].set(PIN)
        return made


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Page]:
    """A hall with three tables, at which nobody plays yet."""
    made = Page(tmp_path)
    for i in (1, 2, 3):
        made.tables.agree(f"table-{i}", "Nobody", "Anybody")
    made.tables.copy()
    yield made
    made.stop()
    made.tables.close()


@pytest.fixture
def client(hall: Page) -> FlaskClient:
    """Asks the page, without a port."""
    return hall.app().test_client()


@pytest.fixture
def visit(chromium: Browser, hall: Page) -> Iterator[Open]:
    """Opens the page; at the end nothing may have gone wrong in it."""
    hall.start()
    visits = Visits(chromium, hall.url)
    yield visits.open
    visits.close()
    assert visits.wrong == []


class Director:
    """Somebody at the page who sends forms as a browser does."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client
        self.send("/director/in", "/director", pin=PIN)

    def send(self, path: str, where: str = "/tournament", **fields: str | list[str]) -> tuple[int, str]:
        """Send a form that stands at an address, and follow to where it leads: status and text."""
        token = TOKEN.search(self.client.get(where).text)
        assert token is not None, where
        answer = self.client.post(path, data={"csrf_token": token[1], **fields}, follow_redirects=True)
        return answer.status_code, answer.text


@pytest.fixture
def director(client: FlaskClient) -> Director:
    """Who is signed in."""
    return Director(client)
