"""Fixtures of the page's tests: a table's folder, the page over it, a browser that opens it."""

import shutil
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from flask import Flask, request
from flask.testing import FlaskClient
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from playwright.sync_api import Browser, expect, sync_playwright
from playwright.sync_api import Error as PlaywrightError
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from tests.web.stage import Stage
from tests.web.visits import PATIENCE_S, SLOWER, USED, Open, Visits
from web import create_app
from web.at_machine import HERE
from web.server import Server

CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
"""The system's own, the headless one first: it draws a page with two thirds of the work. Without either Playwright's is
taken, which `make test` fetches where it can."""
STARTED_WITH = ["--no-sandbox", "--font-render-hinting=none"]
"""Its arguments; with these both draw letters alike."""
OPEN: list[Browser] = []
"""The browser of this process: Playwright starts but once in it, and each folder that takes the fixture has its own."""


LAST = [0]
"""The port where the page was served last; 0 for any that is free."""


class Compiled(BytecodeCache):
    """Compiled templates kept in memory, so that every test's page of its own need not compile them again."""

    def __init__(self) -> None:
        """See the class."""
        self._kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill the bucket, where its template was compiled before."""
        if (code := self._kept.get(bucket.key)) is not None:
            bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the template as it was compiled."""
        self._kept[bucket.key] = bucket.bytecode_to_string()


BUILDERS: dict[object, Callable[..., tuple[str, str]]] = {}


class Routed(Rule):
    """A rule that is compiled once for all pages of this process: for each page anew, that takes most of making it."""

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        known = (self.rule, self.host, self.subdomain, append_unknown, *sorted((self.defaults or {}).items()))
        if known not in BUILDERS:
            BUILDERS[known] = super()._compile_builder(append_unknown)
        return BUILDERS[known]


class Person(FlaskClient):
    """Asks a page without a port: from 127.0.0.1 as somebody who has opened the link of the terminal, and from any
    other address as somebody who has not."""

    def __init__(self, *args: Any, use_cookies: bool = True, **more: Any) -> None:
        """use_cookies: without them nobody has opened anything."""
        super().__init__(*args, use_cookies=use_cookies, **more)
        self.keeps_cookies = use_cookies

    def open(self, *args: Any, **asked: Any) -> TestResponse:
        """Ask."""
        if not self.keeps_cookies:
            return super().open(*args, **asked)
        given = {**self.environ_base, **asked.get("environ_base", {}), **asked.get("environ_overrides", {})}
        with self.session_transaction() as kept:
            if given.get("REMOTE_ADDR", "127.0.0.1") == "127.0.0.1":
                kept[HERE] = True
            else:
                kept.pop(HERE, None)
        return super().open(*args, **asked)


Flask.test_client_class = Person
Flask.jinja_options = {"bytecode_cache": Compiled()}
Flask.url_rule_class = Routed


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    """A table's folder without a table."""
    made = Stage(tmp_path)
    yield made
    made.close()


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    """The page over that folder, without the check of its token."""
    return create_app({"DATA": str(tmp_path), "TESTING": True, "WTF_CSRF_ENABLED": False})


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """Asks that page, without a port."""
    return app.test_client()


def take_time() -> None:
    """As a slow machine does; scripts and styles come at once, because a page asks for dozens of them."""
    if not request.path.startswith("/static/"):
        time.sleep(0.1 * SLOWER)


@dataclass
class Served:
    """The page on a real port; it can be stopped and started again on the same one."""

    folder: Path
    config: dict[str, object] = field(default_factory=lambda: {"STALE_S": 120})
    port: int = 0
    server: Server | None = None
    made: Flask | None = None
    thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        """Its address, with a slash at the end."""
        return f"http://127.0.0.1:{self.port}/"

    def app(self) -> Flask:
        """What is served."""
        return create_app({"DATA": str(self.folder), **self.config})

    def link(self) -> str:
        """The path of the link that the terminal shows."""
        return str(self.made.extensions["link"].path) if self.made is not None else ""

    def start(self) -> None:
        """Serve it in a thread of its own; the first time on a port that is free."""
        self.made = app = self.app()
        if SLOWER > 1:
            app.before_request(take_time)
        self.server = Server(app, "127.0.0.1", self.port)
        self.port = self.server.port
        self.thread = threading.Thread(target=self.server.run)
        self.thread.start()

    def stop(self) -> None:
        """Cut every connection and wait until the thread has ended; nothing where it does not run."""
        server, self.server = self.server, None
        if server is None or self.thread is None:
            return
        server.stop()
        self.thread.join(10)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """The page on a port, over the folder of `stage`: one port for all tests of this process, because a browser then
    loads and compiles the scripts once."""
    made = Served(tmp_path, port=LAST[0])
    try:
        made.start()
    except OSError:  # another program has taken it since
        made.port = 0
        made.start()
    yield made
    LAST[0] = made.port
    made.stop()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A browser; where there is none, the test is skipped."""
    if OPEN:
        yield OPEN[0]
        return
    expect.set_options(timeout=1000 * PATIENCE_S)  # a busy machine is no fault of the page
    with sync_playwright() as play:
        try:
            browser = play.chromium.launch(executable_path=CHROMIUM, args=STARTED_WITH)
        except PlaywrightError:
            if CHROMIUM is not None:
                raise
            pytest.skip("the page in a browser (apt install chromium-headless-shell)")
        OPEN.append(browser)
        yield browser
        OPEN.clear()
        USED.clear()
        browser.close()


@pytest.fixture
def visit(chromium: Browser, served: Served) -> Iterator[Open]:
    """Opens the page; at the end nothing may have gone wrong in it."""
    visits = Visits(chromium, served.url, served.link)
    yield visits.open
    visits.close()
    assert visits.wrong == []
