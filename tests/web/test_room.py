"""A full room: many browsers' sockets, and a referee who always gets in."""

import http.client
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from typing import Any

import pytest
from flask import Flask, session

from device.system.supervisor import answers
from tests.device.publishing.broker import PASSWORD
from tests.ports import free_port
from tests.waiting import wait_for
from tests.web.hall.conftest import Hall, hall
from tests.web.stage import Stage
from web.pin import PinFile
from web.server import IDLE_S, Server
from web.views import roles

__all__ = ["hall"]

BROWSERS, SOCKETS = 60, 6
HERE = "127.0.0.1"


class Watcher(threading.Thread):
    """One browser: its page, its sockets, its feed, and each new picture that the feed announces.

    loaded: seconds that the page took; waited: seconds that each picture took.
    """

    def __init__(self, port: int, page: str, feed: str) -> None:
        """page, feed: the paths."""
        super().__init__(daemon=True)
        status, self.loaded = fetched(port, page)
        assert status == 200
        self._others = [idle(port) for _ in range(SOCKETS - 2)]
        self._pictures = http.client.HTTPConnection(HERE, port, timeout=30)
        self.line = socket.create_connection((HERE, port), 30)
        self.line.sendall(f"GET {feed} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n".encode())
        self.lines: list[tuple[float, bytes]] = []
        self.waited: list[float] = []
        self.start()

    def run(self) -> None:
        """Read the feed until the socket is closed."""
        shown = ""
        with suppress(OSError), self.line.makefile("rb") as lines:
            for line in lines:
                self.lines.append((time.monotonic(), line))
                frame = re.search(rb'"frame":"(\d+)"', line)
                if frame is not None and (new := frame[1].decode()) not in ("0", shown):
                    shown = new
                    self._picture(new)

    def heard(self, word: str, after: float = 0.0) -> float | None:
        """Return when the feed first brought that word after a moment; None for not yet."""
        return next((at for at, line in list(self.lines) if at >= after and word.encode() in line), None)

    def close(self) -> None:
        """Close its sockets."""
        with suppress(OSError):
            self.line.shutdown(socket.SHUT_RDWR)
        self.join(10)
        self._pictures.close()
        for line in (self.line, *self._others):
            line.close()

    def _picture(self, frame: str) -> None:
        began = time.monotonic()
        self._pictures.request("GET", f"/live/frame.jpg?{frame}", headers={"Host": "localhost"})
        assert self._pictures.getresponse().read().startswith(b"\xff\xd8")
        self.waited.append(time.monotonic() - began)


def idle(port: int) -> socket.socket:
    """A socket that a browser keeps after it has fetched something."""
    line = socket.create_connection((HERE, port), 30)
    line.sendall(b"GET /static/icon.svg HTTP/1.1\r\nHost: localhost\r\n\r\n")
    return line


def fetched(port: int, path: str, cookie: str = "") -> tuple[int, float]:
    """Status, and seconds that it took, from the first knock on."""
    began = time.monotonic()
    with closing(http.client.HTTPConnection(HERE, port, timeout=30)) as line:
        line.request("GET", path, headers={"Host": "localhost", "Cookie": cookie})
        answer = line.getresponse()
        answer.read()
        return answer.status, time.monotonic() - began


@contextmanager
def crowd(port: int, page: str, feed: str) -> Iterator[list[Watcher]]:
    """Sixty browsers that come one after the other."""
    come: list[Watcher] = []
    try:
        come.extend(Watcher(port, page, feed) for _ in range(BROWSERS))
        yield come
    finally:
        for one in come:
            one.close()


@contextmanager
def program(port: int, *words: str) -> Iterator[None]:
    """A server in a process of its own, which answers."""
    process = subprocess.Popen([sys.executable, "-m", *words, "--port", str(port)], stdout=subprocess.DEVNULL)
    try:
        wait_for(lambda: answers(HERE, port), 60)
        yield
    finally:
        process.terminate()
        process.wait(10)


@contextmanager
def pictures(stage: Stage) -> Iterator[None]:
    """The table's camera: five pictures a second."""
    ending = threading.Event()

    def film() -> None:
        while not ending.wait(0.2):
            stage.live()

    thread = threading.Thread(target=film)
    thread.start()
    try:
        yield
    finally:
        ending.set()
        thread.join()


def told_all(come: list[Watcher], word: str, after: float) -> float:
    """Return the seconds from a moment until everybody's feed has brought a word."""
    wait_for(lambda: all(one.heard(word, after) for one in come), IDLE_S)
    return max(one.heard(word, after) or 0.0 for one in come) - after


def test_sixty_browsers_and_the_referee(stage: Stage) -> None:
    """Sixty browsers hold 360 sockets and fetch the pictures; neither the referee's page nor anybody's news waits for
    one of them to go."""
    stage.begin()
    stage.legal()
    port = free_port()
    with program(port, "web", "--data", str(stage.folder)), pictures(stage), crowd(port, "/", "/events") as come:
        first = max(one.loaded for one in come)
        wait_for(lambda: all(one.waited for one in come), 30)
        status, seconds = fetched(port, "/referee")
        began = time.monotonic()
        late = told_all(come, f"id: {stage.cheat()}\n", began)
        waits = sorted(seconds for one in come for seconds in one.waited)
    print(f"referee's page {seconds:.2f} s, slowest page {first:.2f} s, last news {late:.2f} s, {len(waits)} pictures, "
          f"slowest {waits[-1]:.2f} s")
    assert status == 200 and max(seconds, first, late, waits[-1]) < IDLE_S, "nobody waits until idle sockets are closed"


def test_sixty_browsers_and_the_director_of_a_hall(hall: Hall) -> None:
    """The same at a hall: sixty see a game at one of its tables."""
    stage = hall.seat("t1")
    hall.publish()
    (hall.folder / "word").write_text(PASSWORD)
    port = free_port()
    with program(port, "device.cli.main", "hall", "--data", str(hall.folder / "hall"), "--broker",
                 f"mqtt://hall@{HERE}:{hall.broker.port}", "--hall-password-file", str(hall.folder / "word")):
        wait_for(lambda: fetched(port, "/table/t1")[0] == 200, 60)
        with crowd(port, "/table/t1", "/feed?see=table:t1") as come:
            first = max(one.loaded for one in come)
            status, seconds = fetched(port, "/director")
            began = time.monotonic()
            late = told_all(come, f"/table/t1/{stage.cheat()}", began)
    print(f"director's page {seconds:.2f} s, slowest page {first:.2f} s, last news {late:.2f} s")
    assert status == 200 and max(seconds, first, late) < IDLE_S


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
