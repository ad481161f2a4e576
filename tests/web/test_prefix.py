"""Page and hall behind a proxy that serves them below a path of its own and says so in `X-Forwarded-Prefix`."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser, expect

from tests.web.conftest import Served
from tests.web.hall.conftest import Hall, hall
from tests.web.stage import Stage

__all__ = ["hall"]

PREFIX = "/tables/3"
ADDRESS = re.compile(r"""(?:href|src|action|formaction)="(/[^"]*)""")


class _Handler(BaseHTTPRequestHandler):
    """Passes a request on without the prefix, and its answer back as it comes."""

    behind: int

    def do_GET(self) -> None:
        """One request."""
        if not self.path.startswith(f"{PREFIX}/"):
            self.send_error(404)
            return
        headers = {**self.headers, "X-Forwarded-Prefix": PREFIX, "X-Forwarded-For": self.client_address[0]}
        with closing(HTTPConnection("127.0.0.1", self.behind)) as asked, suppress(OSError, HTTPException, ValueError):
            asked.request(self.command, self.path.removeprefix(PREFIX), headers=headers)
            answer = asked.getresponse()
            self.send_response_only(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in ("transfer-encoding", "connection"):
                    self.send_header(name, value)
            self.end_headers()
            while part := answer.read1(1 << 16):
                self.wfile.write(part)
                self.wfile.flush()

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is said."""


@contextmanager
def proxied(port: int) -> Iterator[str]:
    """The address of a proxy before that port, below the prefix."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"behind": port}))
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


@pytest.mark.parametrize("prefix", ["//evil.example", "/../up", "evil", "/a b", "/a\\b"])
def test_what_is_no_prefix_is_passed_over(stage: Stage, client: FlaskClient, prefix: str) -> None:
    stage.begin()
    answer = client.get("/", headers={"X-Forwarded-Prefix": prefix})
    assert answer.status_code == 200 and 'data-below=""' in answer.text and prefix not in answer.text
