"""The whole product: a simulated table, refereed, and a Chromium that watches it to its caught cheat."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from device.journal.events import ShowFoul, VerdictGiven
from device.journal.store import Journal
from tests.web.visits import Visits

pytestmark = [pytest.mark.browser, pytest.mark.long]

ROOT = Path(__file__).parents[2]
PATIENCE_S = 180
"""Within this each step of a simulated game is to be seen, on a busy machine too."""


@dataclass(frozen=True)
class Running:
    """`inkeek run`, its address, its process and its data folder."""

    url: str
    process: subprocess.Popen[bytes]
    data: Path

    def child(self, name: str) -> int:
        """The process of the table, or of the page: the one whose command has the word."""
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit() and _parent(entry) == self.process.pid:
                words = (entry / "cmdline").read_bytes().decode().split("\0")
                if any(name in word for word in words):
                    return int(entry.name)
        raise AssertionError(f"no process of the {name}")


def _parent(entry: Path) -> int:
    try:
        return int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
    except (OSError, IndexError):
        return 0


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """`inkeek run` over the simulated table; one for all, because its beginning takes longest."""
    data = tmp_path_factory.mktemp("table")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "device.cli.main", "run", "--camera", "sim", "--game", "enkeshui",
               "--data", str(data), "--port", str(port)]
    with subprocess.Popen(command, cwd=ROOT) as process:
        url = f"http://127.0.0.1:{port}/"
        try:
            wait_for(url, process)
            yield Running(url, process, data)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(20)


def wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        assert process.poll() is None, "inkeek run ended by itself"
        try:
            with urllib.request.urlopen(url, timeout=2):
                return
        except OSError:
            time.sleep(0.3)
    pytest.fail("no page in time")


def test_a_simulated_game_to_its_caught_cheat(running: Running, chromium: Browser) -> None:
    visits = Visits(chromium, running.url)
    page = visits.open(1280, 900)
    expect(page.locator("#picture .overlay g")).to_have_count(16, timeout=PATIENCE_S * 1000)
    expect(page.locator("#feed .verdict.legal").first).to_be_attached(timeout=PATIENCE_S * 1000)
    with Journal(running.data / "journal.sqlite3") as journal:
        journal.append(ShowFoul(by="page"))  # sooner than the players would cheat by themselves
    card = page.locator("#feed .verdict.illegal")
    expect(card.first).to_be_attached(timeout=PATIENCE_S * 1000)
    expect(card.last.locator(".sentence")).to_have_text(re.compile(r"\w.*\."))
    expect(card.last.locator(".boards .compare")).to_have_count(3)
    assert "width=" in card.last.locator(".stills img").first.evaluate("async i => (await i.decode(), i.currentSrc)")
    number = int(card.last.locator("xpath=ancestor::li[1]").get_attribute("data-number") or 0)
    with Journal(running.data / "journal.sqlite3", readonly=True) as journal:
        said = [e.body for e in journal.read() if isinstance(e.body, VerdictGiven)
                and number in (e.number, e.body.instead_of, e.body.answers)]
        expect(card.last.locator(".sentence")).to_have_text(said[-1].sentence)
        assert journal.verify() is None
    visits.close()
    assert visits.wrong == []


def test_killed_in_the_middle_of_a_move_both_come_back(running: Running, chromium: Browser) -> None:
    visits = Visits(chromium, running.url)
    page = visits.open(390, 844)
    expect(page.locator("#feed .verdict.legal").first).to_be_attached(timeout=PATIENCE_S * 1000)
    state = running.data / "live" / "state.json"
    until = time.monotonic() + PATIENCE_S
    while json.loads(state.read_text())["state"] != "hands-in":
        assert time.monotonic() < until, "no hand came in"
        time.sleep(0.05)
    table = running.child("table")
    os.kill(table, signal.SIGKILL)
    os.kill(running.child("web"), signal.SIGKILL)
    before = page.locator("#feed .verdict").count()
    expect(page.locator("#feed .verdict").nth(before)).to_be_attached(timeout=PATIENCE_S * 1000)
    assert running.child("table") != table
    with Journal(running.data / "journal.sqlite3", readonly=True) as journal:
        assert journal.verify() is None
        types = [e.type for e in journal.read()]
    assert types.count("TableStarted") == 2
    since = types[len(types) - types[::-1].index("TableStarted"):]
    assert "GameStarted" not in since[:since.index("VerdictGiven")], "the game goes on"
    visits.close()
    assert visits.wrong == []
