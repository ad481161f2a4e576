"""Fixtures of the tournament's tests: the hall's page over staged tables, without a broker."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser

from device.journal.pin import PIN_FILE
from device.publishing.address import HallAddress
from tests.quick_pin import set_pin
from tests.web.conftest import Served
from tests.web.hall.tournament.tables import Tables
from tests.web.visits import Open, Visits
from web.hall.app import create_app
from web.hall.context import HallContext
from web.hall.views import desk

PIN = "271828"
TOKEN = re.compile(r'name="csrf_token" value="([^"]+)"')


class Page(Served):
    """The hall's page on a real port; its line to a broker is never begun."""

    def __init__(self, folder: Path, pin: bytes) -> None:
        """folder: of the hall and of its tables. pin: the file of the directors' PIN."""
        super().__init__(folder)
        (folder / "hall").mkdir()
        (folder / "hall" / PIN_FILE).write_bytes(pin)
        self.context = HallContext.open(folder / "hall", HallAddress("127.0.0.1", 1))
        self.tables = Tables(folder, self.context)

    def app(self) -> Flask:
        """The page."""
        return create_app(self.context, {"TESTING": True})


@pytest.fixture(scope="session")
def pin(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a PIN."""
    path = tmp_path_factory.mktemp("pin") / PIN_FILE
    set_pin(path, PIN)
    return path.read_bytes()


@pytest.fixture
def hall(tmp_path: Path, pin: bytes) -> Iterator[Page]:
    """A hall with three tables, at which nobody plays yet."""
    made = Page(tmp_path, pin)
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
    visits = Visits(chromium, hall.url, hall.link)
    yield visits.open
    visits.close()
    assert visits.wrong == []


class Director:
    """Somebody at the page who sends forms as a browser does."""

    def __init__(self, client: FlaskClient, context: HallContext) -> None:
        """Signed in already: how that is done is tested elsewhere, and takes its time."""
        self.client = client
        mark = client.application.extensions["pin"].mark
        with client.session_transaction() as session:
            session[desk.TOKEN] = context.directors.sign_in(PIN, mark)

    def send(self, path: str, where: str = "/tournament", **fields: str | list[str]) -> tuple[int, str]:
        """Send a form that stands at an address, and follow to where it leads: status and text."""
        token = TOKEN.search(self.client.get(where).text)
        assert token is not None, where
        answer = self.client.post(path, data={"csrf_token": token[1], **fields}, follow_redirects=True)
        return answer.status_code, answer.text


@pytest.fixture
def director(client: FlaskClient, hall: Page) -> Director:
    """Who is signed in."""
    return Director(client, hall.context)
