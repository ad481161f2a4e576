"""Page and hall behind a proxy that serves them below a path of its own and names it in `X-Forwarded-Prefix`, and who
may rule there."""

import json
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from http.cookiejar import CookieJar
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from subprocess import PIPE, Popen
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPCookieProcessor, Request, build_opener, urlopen

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser, expect

from device.system.supervisor import answers
from tests.ports import free_port
from tests.waiting import wait_for
from tests.web.conftest import Served
from tests.web.hall.conftest import Hall, hall
from tests.web.stage import Stage

__all__ = ["hall"]

PREFIX = "/tables/3"
ADDRESS = re.compile(r"""(?:href|src|action|formaction)="(/[^"]*)""")


class _Handler(BaseHTTPRequestHandler):
    """Passes a request on without the prefix, and its answer back as it comes."""

    behind: int
    more: dict[str, str]

    def do_GET(self) -> None:
        """One request."""
        if not self.path.startswith(f"{PREFIX}/"):
            self.send_error(404)
            return
        headers = {**self.headers, "X-Forwarded-Prefix": PREFIX, **self.more}
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        with closing(HTTPConnection("127.0.0.1", self.behind)) as asked, suppress(OSError, HTTPException, ValueError):
            asked.request(self.command, self.path.removeprefix(PREFIX), body, headers)
            answer = asked.getresponse()
            self.send_response_only(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in ("transfer-encoding", "connection"):
                    self.send_header(name, value)
            self.end_headers()
            while part := answer.read1(1 << 16):
                self.wfile.write(part)
                self.wfile.flush()

    do_POST = do_GET  # noqa: N815

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is said."""


@contextmanager
def proxied(port: int, **more: str) -> Iterator[str]:
    """The address of a proxy before that port, below the prefix. more: headers that it sets, and no other."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"behind": port, "more": more}))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}{PREFIX}/"
    finally:
        server.shutdown()
        server.server_close()


def test_the_page_lives_below_a_prefix(stage: Stage, served: Served, chromium: Browser) -> None:
    stage.begin()
    with proxied(served.port) as address:
        page = chromium.new_page()
        bad: list[str] = []
        page.on("response", lambda answer: bad.append(answer.url) if answer.status >= 400 else None)
        asked: list[str] = []
        page.on("request", lambda request: asked.append(urlsplit(request.url).path))
        page.goto(address)
        stage.legal()
        expect(page.locator("article.verdict").first).to_be_visible()
        assert any(path.startswith(f"{PREFIX}/events") for path in asked), "the feed"
        page.get_by_role("link", name="Games").first.click()
        expect(page).to_have_url(re.compile(f"{PREFIX}/games$"))
        page.goto(f"{address}language/sw?back=/games")
        expect(page).to_have_url(re.compile(f"{PREFIX}/games$"))
        page.close()
    assert not bad and all(path.startswith(PREFIX) for path in asked if path), asked


def test_the_hall_lives_below_a_prefix(hall: Hall) -> None:
    hall.start()
    with proxied(hall.port) as address, urlopen(address) as answer:
        found = ADDRESS.findall(answer.read().decode())
    assert len(found) > 5 and all(path.startswith(f"{PREFIX}/") for path in found), found


class Visitor:
    """A browser's cookies, behind a proxy."""

    def __init__(self, address: str) -> None:
        """address: the page's, at the proxy."""
        self._address = address
        self._ask = build_opener(HTTPCookieProcessor(CookieJar())).open

    def get(self, path: str = "") -> tuple[int, str]:
        """Status and text of a page."""
        try:
            with self._ask(self._address + path) as answer:
                return answer.status, answer.read().decode()
        except HTTPError as refused:
            with refused:
                return refused.code, ""

    def order(self) -> int:
        """Correct a pit; the answer's status."""
        token = json.loads(self.get("token")[1])["token"]
        order = json.dumps({"type": "CorrectPit", "pit": "a", "count": 1}).encode()
        try:
            headers = {"X-CSRFToken": token, "Content-Type": "application/json"}
            with self._ask(Request(f"{self._address}orders", order, headers)) as answer:
                return int(answer.status)
        except HTTPError as refused:
            with refused:
                return refused.code


def test_behind_a_proxy_that_names_nobody_the_terminals_link_rules(stage: Stage) -> None:
    """Everybody comes from 127.0.0.1 then, under the proxy's name."""
    stage.begin()
    port, name = free_port(), "table.club.example"
    with Popen([sys.executable, "-m", "web", "--data", str(stage.folder), "--port", str(port), "--name", name],
               stdout=PIPE, text=True) as page, proxied(port, Host=name) as address:
        try:
            assert page.stdout is not None
            link = page.stdout.readline().partition(f"http://localhost:{port}/")[2].split()[0]
            wait_for(lambda: answers("127.0.0.1", port), 60)
            stranger, referee = Visitor(address), Visitor(address)
            assert 'data-role="watch"' in stranger.get()[1] and stranger.order() == 403
            assert 'data-role="open"' in referee.get(link)[1] and referee.order() == 201
            assert stranger.get(link)[0] == 404 and stranger.order() == 403
        finally:
            page.terminate()


def test_behind_a_proxy_under_a_name_that_was_not_given_nothing_is_served(served: Served) -> None:
    with proxied(served.port, Host="table.club.example") as address:
        assert Visitor(address).get()[0] == 421


@pytest.mark.parametrize("prefix", ["//evil.example", "/../up", "evil", "/a b", "/a\\b"])
def test_what_is_no_prefix_is_passed_over(stage: Stage, client: FlaskClient, prefix: str) -> None:
    stage.begin()
    answer = client.get("/", headers={"X-Forwarded-Prefix": prefix})
    assert answer.status_code == 200 and 'data-below=""' in answer.text and prefix not in answer.text
