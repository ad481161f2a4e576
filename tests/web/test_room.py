"""A full room: many browsers' sockets, and a referee who always gets in."""

from __future__ import annotations

import http.client
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from typing import Any

import pytest
from flask import Flask, session

from device.system.supervisor import answers
from tests.ports import free_port
from tests.waiting import wait_for
from tests.web.stage import Stage
from web.pin import PinFile
from web.server import IDLE_S, Server
from web.views import roles

BROWSERS, SOCKETS = 60, 6
FEED = b"GET /events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n"


class Feed(threading.Thread):
    """One browser's feed: when it began, and when each number of an event came."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self.line = socket.create_connection(("127.0.0.1", port), 30)
        self.opened = time.monotonic()
        self.came: dict[int, float] = {}
        self.start()

    def run(self) -> None:
        self.line.sendall(FEED)
        with self.line.makefile("rb") as lines:
            try:
                for line in lines:
                    if line.startswith(b"id: "):
                        self.came[int(line[4:])] = time.monotonic()
            except OSError:
                return


def idle(port: int) -> socket.socket:
    """A socket that a browser keeps after it has fetched something."""
    line = socket.create_connection(("127.0.0.1", port), 30)
    line.sendall(b"GET /static/icon.svg HTTP/1.1\r\nHost: localhost\r\n\r\n")
    return line


def fetched(port: int, path: str, cookie: str = "") -> tuple[int, float]:
    """Status, and seconds that it took, from the first knock on."""
    began = time.monotonic()
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as line:
        line.request("GET", path, headers={"Host": "localhost", "Cookie": cookie})
        answer = line.getresponse()
        answer.read()
        return answer.status, time.monotonic() - began


@pytest.fixture
def port(stage: Stage) -> Iterator[int]:
    """The page over the folder of `stage`, in a process of its own."""
    port = free_port()
    page = subprocess.Popen([sys.executable, "-m", "web", "--data", str(stage.folder), "--port", str(port)])
    try:
        wait_for(lambda: answers("127.0.0.1", port), 60)
        yield port
    finally:
        page.terminate()
        page.wait(10)


def test_sixty_browsers_and_the_referee(stage: Stage, port: int) -> None:
    """Sixty browsers hold 360 sockets; neither the referee's page nor anybody's news waits for one of them to go."""
    stage.begin()
    first = stage.legal()
    fetched(port, "/referee")
    with ExitStack() as open_lines:
        feeds = []
        for _ in range(BROWSERS):
            feeds.append(Feed(port))
            for _ in range(SOCKETS - 1):
                open_lines.enter_context(idle(port))
        wait_for(lambda: all(first in feed.came for feed in feeds), 30)
        waits = sorted(feed.came[first] - feed.opened for feed in feeds)
        status, seconds = fetched(port, "/referee")
        news = stage.cheat()
        began = time.monotonic()
        wait_for(lambda: all(news in feed.came for feed in feeds), 30)
        late = max(feed.came[news] for feed in feeds) - began
        for feed in feeds:
            open_lines.enter_context(feed.line)
    print(f"referee's page {seconds:.2f} s, last feed begun {waits[-1]:.2f} s, last news {late:.2f} s")
    assert status == 200 and max(seconds, waits[-1], late) < IDLE_S, "nobody waits until the server closes idle sockets"


@contextmanager
def running(app: Callable[..., Any], threads: int) -> Iterator[Server]:
    """That application on a port."""
    server = Server(app, "127.0.0.1", 0, threads)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        thread.join(10)


def test_sockets_that_ask_for_nothing_make_room(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.server.MOST_SOCKETS", 20)
    with running(app, 2) as server, ExitStack() as open_lines:
        for _ in range(60):
            open_lines.enter_context(socket.create_connection(("127.0.0.1", server.port), 30))
        status, seconds = fetched(server.port, "/referee")
        assert status == 200 and seconds < IDLE_S


def test_a_referee_does_not_stand_in_the_queue(app: Flask) -> None:
    """One thread, and thirty spectators before the referee, each of whom it takes a tenth of a second to answer."""
    pin: PinFile = app.extensions["pin"]
    pin.set("246813")
    answered: list[str] = []
    began = threading.Event()

    @app.get("/slow/<who>")
    def slow(who: str) -> str:
        began.set()
        time.sleep(0.1)
        answered.append(who)
        return who

    @app.get("/in")
    def sign_in() -> str:
        session[roles.RULER] = pin.mark
        return ""

    cookie = app.test_client().get("/in").headers["Set-Cookie"].partition(";")[0]
    with running(app, 1) as server:
        asking = [threading.Thread(target=fetched, args=(server.port, f"/slow/{i}")) for i in range(30)]
        start(asking)
        began.wait(10)
        time.sleep(1.5)  # on a busy machine some thirty connections take a while
        forged = fetched(server.port, "/slow/forger", cookie[:-1] + ("A" if cookie[-1] != "A" else "B"))
        assert forged[0] == 200 and answered.index("forger") == 30, "a session that nobody signed came first"
        answered.clear()
        began.clear()
        asking = [threading.Thread(target=fetched, args=(server.port, f"/slow/{i}")) for i in range(30)]
        start(asking)
        began.wait(10)
        time.sleep(0.3)
        fetched(server.port, "/slow/referee", cookie)
        assert answered.index("referee") < 10, answered
        for thread in asking:
            thread.join()


def start(threads: Iterable[threading.Thread]) -> None:
    for thread in threads:
        thread.start()
