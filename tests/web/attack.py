"""Every line of the threat list (web/README.md), tried against a running page from a process of its own.

    python -m tests.web.attack

A page is started over a folder with a game in it, and a spectator on the same network, a team, and somebody curious do
what they can. Prints a line for each try: `refused` or `LET IN`, and at the end what the page's log says of it.
"""

import http.client
import json
import socket
import sqlite3
import stat
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlencode

from flask import Response
from flask.testing import FlaskClient

from device.journal import Journal
from device.system.folder import DataFolder
from device.system.support_bundle import write_bundle
from tests.ports import free_port
from tests.web.stage import Stage
from web import create_app
from web.at_machine import HERE
from web.pin import FREE, PinFile
from web.views.tokens import AccessTokens

PIN = "271828"
ORDER = json.dumps({"type": "CorrectPit", "pit": "a", "count": 1})
JSON = {"Content-Type": "application/json"}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
MANY = 150
"""How often what can be done fast is done: as often as not a thousand lines may come of it."""
START_S = 120.0


class Page:
    """`python -m web` over a folder, in a process of its own. log: what it has said so far."""

    def __init__(self, folder: Path) -> None:
        """Start it and wait until it answers. RuntimeError: it does not within `START_S`."""
        self.folder = folder
        self.port = free_port()
        self._log = (folder.parent / "page.log").open("w+b")
        self.process = subprocess.Popen([sys.executable, "-m", "web", "--data", str(folder), "--port", str(self.port)],
                                        stdout=self._log, stderr=subprocess.STDOUT)
        end = time.monotonic() + START_S
        while True:
            with suppress(OSError):
                self.ask("GET", "/token")
                return
            if time.monotonic() > end or self.process.poll() is not None:
                raise RuntimeError(f"the page does not start: {self.log}")
            time.sleep(0.1)

    @property
    def log(self) -> list[str]:
        """The lines it has written so far."""
        return (self.folder.parent / "page.log").read_text().splitlines()

    def ask(self, method: str, path: str, body: str | bytes | None = None,
            headers: dict[str, str] | None = None) -> tuple[int, bytes, dict[str, str]]:
        """(status, body, headers) of one request, on a connection of its own."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            line.request(method, path, body, headers or {})
            answer = line.getresponse()
            return answer.status, answer.read(), {name.lower(): value for name, value in answer.getheaders()}
        finally:
            line.close()

    def close(self) -> None:
        """Stop it, and wait until it has ended."""
        self.process.terminate()
        self.process.wait()
        self._log.close()


def machine_cookie(folder: Path) -> str:
    """The cookie of a browser that has opened the link of the terminal, of the page over that folder."""
    client = FlaskClient(create_app({"DATA": str(folder)}), Response)
    with client.session_transaction() as kept:
        kept[HERE] = True
    cookie = client.get_cookie("inkeek")
    return f"inkeek={cookie.value}" if cookie is not None else ""


class Spectator:
    """Somebody with a browser and a bet: a session and the page's token, but no PIN."""

    def __init__(self, page: Page, cookie: str = "") -> None:
        """Open the page for a session and its token. cookie: of the session, where there is one already."""
        self.page = page
        _, body, headers = page.ask("GET", "/token", headers={"Cookie": cookie})
        self.cookie = headers.get("set-cookie", "").partition(";")[0]
        self.token: str = json.loads(body)["token"]

    def post(self, path: str, body: str, kind: dict[str, str]) -> int:
        """The status of a request with that session and token. kind: the body's type, and other headers."""
        return self.page.ask("POST", path, body, {"Cookie": self.cookie, "X-CSRFToken": self.token, **kind})[0]


Try = tuple[str, str, Callable[[], bool]]
"""Who wants what, what they do, and whether it was refused."""


def rules(page: Page) -> Iterator[Try]:
    """A spectator with a bet wants to rule."""
    one = Spectator(page)

    def guesses() -> bool:
        found = [one.post("/referee/in", urlencode({"pin": f"{n:06d}"}), FORM) for n in range(FREE + 5)]
        return found[:FREE] == [403] * FREE and set(found[FREE:]) == {429}

    def many(status: int, ask: Callable[[], int]) -> bool:
        return {ask() for _ in range(MANY)} == {status}

    def forged() -> bool:
        stolen = one.cookie.replace(one.cookie[-4:], "AAAA")
        return page.ask("POST", "/orders", ORDER, {"Cookie": stolen, "X-CSRFToken": one.token, **JSON})[0] in (400, 403)

    who = "a spectator rules"
    yield who, "orders without the PIN", lambda: many(403, lambda: one.post("/orders", ORDER, JSON))
    yield who, "orders without the page's token", lambda: many(400, lambda: page.ask("POST", "/orders", ORDER, JSON)[0])
    yield who, "guesses at the PIN, fast", guesses
    yield who, "the right PIN while being slowed", lambda: one.post("/referee/in", urlencode({"pin": PIN}), FORM) == 429
    yield who, "a PIN of their own", lambda: one.post(
        "/referee/pin", urlencode({"pin": "111111", "again": "111111"}), FORM) == 403
    yield who, "a forged session", forged
    yield who, "another site's page", lambda: many(421, lambda: page.ask(
        "POST", "/orders", ORDER, {"Host": "rebound.example", **JSON})[0])
    camera = urlencode({"camera": "sim"})
    yield who, "the table's camera moved", lambda: one.post("/setup/camera", camera, FORM) == 403
    yield who, "teams renamed", lambda: one.post("/match/teams", urlencode({"south": "x"}), FORM) == 403
    proxy = {**JSON, "X-Real-Ip": "127.0.0.1"}
    yield who, "a proxy's header in front", lambda: one.post("/orders", ORDER, proxy) == 403
    yield who, "the page in a frame", lambda: framed(page)
    yield who, "a debugger", lambda: b"Traceback" not in page.ask("GET", "/console?__debugger__=yes")[1]
    yield who, "the PIN's and the key's file", lambda: all(
        stat.S_IMODE((page.folder / name).stat().st_mode) == 0o600 for name in ("page.pin", "page.key"))


def programs(page: Page) -> Iterator[Try]:
    """A spectator with a bet lets a program rule."""
    one = Spectator(page)
    tokens = AccessTokens("not the page's key", PinFile(page.folder / "page.pin"))

    def order(**headers: str) -> int:
        return page.ask("POST", "/api/v1/orders", ORDER, {**JSON, **headers})[0]

    def guesses() -> bool:
        """Of an address that has guessed in the form already."""
        found = {page.ask("POST", "/api/v1/token", json.dumps({"pin": f"{n:06d}"}), JSON)[0] for n in range(MANY)}
        return found == {429}

    def in_an_address() -> bool:
        asked = (f"/api/v1/table?token={tokens.make()}", f"/api/v1/events?pin={PIN}", "/api/v1/games?access_token=x")
        return {page.ask("GET", path)[0] for path in asked for _ in range(MANY // 10)} == {400}

    def by_another_site() -> bool:
        """A form of another site's page, in the referee's browser; and its script, which may send no JSON unasked."""
        sent = {page.ask("POST", path, ORDER, {"Content-Type": kind, "Origin": "https://example.org"})[0]
                for path in ("/api/v1/token", "/api/v1/orders") for kind in ("text/plain", FORM["Content-Type"])}
        allowed = page.ask("OPTIONS", "/api/v1/orders", None, {"Origin": "https://example.org"})[2]
        return sent <= {401, 415} and not any(name.startswith("access-control") for name in allowed)

    who = "a spectator's program rules"
    yield who, "orders without a token", lambda: {order() for _ in range(MANY)} == {401}
    yield who, "the page's session for a token", lambda: order(Cookie=one.cookie, **{"X-CSRFToken": one.token}) == 401
    yield who, "a token signed with another key", lambda: order(Authorization=f"Bearer {tokens.make()}") == 401
    yield who, "the page's token for one of the orders", lambda: order(Authorization=f"Bearer {one.token}") == 401
    yield who, "guesses at the PIN for a token", guesses
    yield who, "tokens and PINs in addresses", in_an_address
    yield who, "another site's form and script", by_another_site


def framed(page: Page) -> bool:
    """Whether no other site may frame the page, nor script run in it but its own."""
    headers = page.ask("GET", "/")[2]
    policy = headers["content-security-policy"]
    return (headers["x-frame-options"] == "DENY" and "frame-ancestors 'none'" in policy
            and "script-src 'self'" in policy and "unsafe" not in policy)


def forgets(page: Page) -> Iterator[Try]:
    """A team wants a verdict forgotten."""
    one = Spectator(page)
    path = page.folder / "journal.sqlite3"
    said = json.dumps({"type": "VerdictGiven", "kind": "legal", "player": "S", "before": "", "position": "",
                       "sentence": "All was well."})

    def altered() -> bool:
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "journal.sqlite3"
            with Journal(path, readonly=True) as journal:
                journal.copy(copy)
            with sqlite3.connect(copy) as db:
                db.execute("DROP TRIGGER event_stays")
                db.execute("UPDATE event SET body = replace(body, 'illegal', 'legal') WHERE type = 'VerdictGiven'")
            db.close()
            with Journal(copy, readonly=True) as journal:
                return journal.verify() is not None

    who = "a team has it forgotten"
    yield who, "a verdict of their own", lambda: one.post("/orders", said, JSON) == 403
    yield who, "the event deleted", lambda: {page.ask(m, "/api/v1/events/3")[0] for m in ("DELETE", "PUT")} == {405}
    yield who, "the journal changed on the disk", altered
    yield who, "the journal fetched by its path", lambda: not any(
        page.ask("GET", p)[0] == 200 for p in ("/journal.sqlite3", "/evidence/../journal.sqlite3",
                                               "/evidence/%2e%2e%2fjournal.sqlite3", "/static/../../page.pin"))


def _holding(page: Page) -> bool:
    """Requests that never end, and more feeds than there is room for; the page answers all the same."""
    slow = [socket.create_connection(("127.0.0.1", page.port), timeout=30) for _ in range(200)]
    try:
        for line in slow[:30]:
            line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
        for line in slow[30:]:
            line.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        time.sleep(2.0)
        return page.ask("GET", "/")[0] == 200 and page.ask("GET", "/events")[0] == 503
    finally:
        for line in slow:
            line.close()


def _answer_to_rubbish(page: Page, sent: bytes) -> bytes:
    """What the page says to bytes that are no HTTP; nothing where it hangs up."""
    with socket.create_connection(("127.0.0.1", page.port), timeout=60) as line, suppress(ConnectionError):
        line.sendall(sent)
        with suppress(OSError):  # the page may have hung up already
            line.shutdown(socket.SHUT_WR)
        return line.recv(1000)
    return b""


def silences(page: Page) -> Iterator[Try]:
    """Somebody wants the table to fall silent."""
    one = Spectator(page)

    def long() -> bool:
        return {one.post("/orders", "x" * size, JSON) for size in (5_000, 200_000)} == {413}

    def endless() -> bool:
        """A body that says it is a terabyte long."""
        with socket.create_connection(("127.0.0.1", page.port), timeout=60) as line:
            line.sendall(b"POST /orders HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1099511627776\r\n\r\nxxx")
            return b" 413 " in line.recv(100)

    def rubbish() -> bool:
        """Lines that are no HTTP; the page lives on."""
        answers = [_answer_to_rubbish(page, sent) for sent in (
            b"\x16\x03\x01\x02\x00\x01" + bytes(200), b"GET " + b"A" * 40_000 + b" HTTP/1.1\r\n\r\n",
            b"GET / HTTP/9.9\r\nHost: a\r\nHost: b\r\n\r\n")]
        return not any(b" 200 " in answer for answer in answers) and page.ask("GET", "/")[0] == 200

    def unheard() -> bool:
        """The table hears no more; the page does not go on as if it did."""
        for file in (page.folder / "live").iterdir():
            file.unlink()
        return json.loads(page.ask("GET", "/table")[1])["live"]["running"] is False

    who = "the table falls silent"
    yield who, "all of the page's lines held open", lambda: _holding(page)
    yield who, "bodies that no order needs", long
    yield who, "a body without an end", endless
    yield who, "rubbish for requests", rubbish
    yield who, "the table's process gone", unheard


def looks(page: Page) -> Iterator[Try]:
    """Somebody wants faces."""
    def listed() -> bool:
        none = "0" * 64
        names = ("/evidence", "/evidence/", "/evidence/*", "/evidence/%2e%2e/page.key", f"/evidence/{none}.jpg",
                 "/clip/../page.key/clip.json", f"/clip/{none}.zip/..%2f..%2fpage.key")
        return {page.ask("GET", name)[0] for name in names for _ in range(MANY // 10)} <= {404, 405}

    def bundled() -> bool:
        with tempfile.TemporaryDirectory() as folder:
            bundle = Path(folder) / "bundle.tar.gz"
            write_bundle(bundle, DataFolder(page.folder), "")
            with tarfile.open(bundle) as file:
                return not any(name.endswith((".jpg", ".zip")) for name in file.getnames())

    who = "somebody wants faces"
    yield who, "evidence by guessed names", listed
    yield who, "the doctor's bundle", bundled


def attack(folder: Path) -> tuple[list[tuple[str, str, bool]], list[str]]:
    """(who wants what, what they did, whether it was refused) of every try, and the page's log. folder: an empty
    one."""
    data = folder / "data"
    data.mkdir()
    stage = Stage(data)
    stage.begin()
    stage.legal()
    last = stage.cheat()
    stage.live()
    PinFile(data / "page.pin").set(PIN)
    page = Page(data)
    try:
        parts = (rules, programs, forgets, looks, silences)
        found = [(who, what, attempt()) for part in parts for who, what, attempt in part(page)]
        with Journal(data / "journal.sqlite3", readonly=True) as journal:
            found.append(("all of them", "something in the journal", journal.last == last and journal.verify() is None))
    finally:
        page.close()
        stage.close()
    return found, page.log


def main() -> int:
    """Attack, and print it. Exit status 1 when somebody was let in."""
    with tempfile.TemporaryDirectory(prefix="inkeek-attack-") as folder:
        found, log = attack(Path(folder))
    for who, what, refused in found:
        print(f"{'refused' if refused else 'LET IN '}  {who}: {what}")
    well = sum(refused for _, _, refused in found)
    print(f"\n{well} of {len(found)} tries refused; the page's log, {len(log)} lines:")
    print("\n".join(f"  {line}" for line in log))
    return 0 if all(refused for _, _, refused in found) else 1


if __name__ == "__main__":
    sys.exit(main())
