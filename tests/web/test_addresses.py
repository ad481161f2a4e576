"""The way in for others: every address of the machine is printed at the start, and shown as a picture to scan."""

import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import cv2
import ifaddr
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from tests.waiting import wait_for
from tests.web.conftest import Served
from tests.web.stage import Stage
from tests.web.visits import PATIENCE_S, Open, accessible_in_each_theme, fits, until
from web import addresses
from web.addresses import Reach, announcement, reached

V4, OTHER, V6 = "192.0.2.7", "198.51.100.20", "2001:db8::7"


@pytest.fixture
def networks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[SimpleNamespace]:
    """A machine in two networks, with one inside it; its name is not announced."""
    adapters = [network("lo", "127.0.0.1", "::1"), network("wlan0", V4, V6, "fe80::7"),
                network("eth0", OTHER, "169.254.3.4"), network("docker0", "172.17.0.1")]
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: adapters)
    monkeypatch.setattr(addresses, "ANNOUNCER", tmp_path / "none")
    return adapters


def network(name: str, *ips: str) -> SimpleNamespace:
    return SimpleNamespace(nice_name=name, ips=[SimpleNamespace(ip=(ip, 0, 0) if ":" in ip else ip) for ip in ips])


@pytest.mark.parametrize(("host", "port", "urls"), [
    ("0.0.0.0", 8000, [f"http://{V4}:8000/", f"http://{OTHER}:8000/"]),
    ("0.0.0.0", 80, [f"http://{V4}/", f"http://{OTHER}/"]),
    ("::", 8000, [f"http://[{V6}]:8000/"]),
    (OTHER, 8000, [f"http://{OTHER}:8000/"]),
    ("kraal.example", 8000, ["http://kraal.example:8000/"]),
    ("127.0.0.1", 8000, []), ("localhost", 8000, []), ("::1", 8000, [])])
def test_addresses_that_others_can_use(networks: list[SimpleNamespace], host: str, port: int, urls: list[str]) -> None:
    """Those that are served, and lead here from outside: no loopback, no link-local, no network within the machine."""
    assert reached(host, port) == urls


def test_the_name_is_told_where_it_is_announced(networks: list[SimpleNamespace], monkeypatch: pytest.MonkeyPatch,
                                                tmp_path: Path) -> None:
    (tmp_path / "socket").touch()
    monkeypatch.setattr(addresses, "ANNOUNCER", tmp_path / "socket")
    monkeypatch.setattr("socket.gethostname", lambda: "Kraal")
    assert reached("0.0.0.0", 8000)[-1] == "http://kraal.local:8000/"


def test_a_machine_that_tells_nothing_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails() -> list[object]:
        raise OSError("no such call here")

    monkeypatch.setattr(ifaddr, "get_adapters", fails)
    monkeypatch.setattr(addresses, "ANNOUNCER", Path("/nowhere"))
    assert reached("0.0.0.0", 8000) == []
    assert "no phone can reach the page" in announcement("0.0.0.0", 8000, drawn=True)


def test_what_is_printed(networks: list[SimpleNamespace]) -> None:
    plain = announcement("0.0.0.0", 8000, drawn=False)
    assert plain.splitlines()[1:] == [f"  http://{V4}:8000/", f"  http://{OTHER}:8000/"]
    drawn = announcement("0.0.0.0", 8000, drawn=True)
    assert drawn.startswith(plain) and "█" in drawn
    assert announcement("127.0.0.1", 8000, drawn=True) == ""


def test_an_address_that_comes_later_is_known(networks: list[SimpleNamespace], monkeypatch: pytest.MonkeyPatch) -> None:
    """A card that was put in before its network was there: the page is served before the machine has an address."""
    found, networks[:] = list(networks), networks[:1]
    reach = Reach("0.0.0.0", 8000)
    assert reach.urls == []
    networks[:] = found
    monkeypatch.setattr(addresses, "LOOK_AGAIN_S", -1.0)
    assert reach.urls[0] == f"http://{V4}:8000/"


def test_the_page_process_prints_them_at_its_start(tmp_path: Path) -> None:
    """This machine's own, whatever they are."""
    page = subprocess.Popen([sys.executable, "-m", "web", "--data", str(tmp_path), "--host", "0.0.0.0", "--port",
                             "8467"], stdout=subprocess.PIPE, text=True)
    assert page.stdout is not None
    wanted = announcement("0.0.0.0", 8467, drawn=False).splitlines()
    lines, end = [], time.monotonic() + 60
    try:
        while wanted[-1] not in lines and time.monotonic() < end:
            lines.append(page.stdout.readline().rstrip("\n"))
    finally:
        page.terminate()
        page.wait()
        page.stdout.close()
    assert lines[-len(wanted):] == wanted


# ---- on the page

@pytest.fixture
def open_page(networks: list[SimpleNamespace], served: Served, visit: Open) -> Open:
    """The page is served for others, too."""
    served.stop()
    served.config |= {"SERVED_HOST": "0.0.0.0", "SERVED_PORT": 8000}
    served.start()
    return visit


def leads(page: Page, where: str, url: str) -> None:
    """Fails where a phone's camera does not read that address there on the screen."""
    wait_for(lambda: scanned(page, where) == url, PATIENCE_S)


def scanned(page: Page, where: str) -> str:
    """What a phone's camera reads there on the screen."""
    picture = page.locator(where).screenshot()
    image = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    text, *_ = cv2.QRCodeDetector().detectAndDecode(cv2.resize(image, None, fx=3, fy=3))
    return text


def test_where_nobody_else_reaches_the_page_it_says_how_to_let_them_in(client: FlaskClient) -> None:
    assert "start it with “inkeek run --host 0.0.0.0”" in client.get("/setup").text


@pytest.mark.browser
def test_the_first_view_shows_the_picture(stage: Stage, open_page: Open) -> None:
    stage.begin()
    stage.live()
    page = open_page()
    seen = page.locator(".invited.wide")
    expect(seen).to_be_in_viewport()
    expect(seen).to_contain_text(f"{V4}:8000")
    leads(page, ".invited.wide .qr", f"http://{V4}:8000/")


@pytest.mark.browser
def test_a_phone_unfolds_it(stage: Stage, open_page: Open) -> None:
    stage.begin()
    stage.live()
    page = open_page(width=390, height=844)
    expect(page.locator(".invited.wide")).to_be_hidden()
    page.get_by_text("Invite the others").click()
    expect(page.locator(".invited.inner")).to_be_in_viewport()
    fits(page, 390)
    leads(page, ".invited.inner .qr", f"http://{V4}:8000/")


@pytest.mark.browser
@pytest.mark.parametrize(("width", "height"), [(1280, 720), (390, 844)])
def test_the_projector_shows_it(stage: Stage, open_page: Open, width: int, height: int) -> None:
    stage.begin()
    stage.live()
    page = open_page(width=width, height=height, path="board")
    expect(page.locator(".invited .qr")).to_be_in_viewport()
    leads(page, ".invited .qr", f"http://{V4}:8000/")


AREA = """document.querySelector('.invited.wide, .invited.always').getBoundingClientRect().toJSON()"""


@pytest.mark.browser
@pytest.mark.parametrize(("width", "height", "path"), [(844, 390, ""), (1920, 1080, "board")])
def test_once_they_play_it_leaves_the_room_to_the_game(stage: Stage, open_page: Open, width: int, height: int,
                                                       path: str) -> None:
    stage.begin()
    stage.live()
    page = open_page(width=width, height=height, path=path)
    expect(page.locator(".invited .qr").first).to_be_visible()
    stage.legal()
    until(page, "document.body.className", lambda names: "begun" in names)
    share = page.evaluate(AREA)
    assert share["width"] * share["height"] <= 0.01 * width * height
    if path == "":
        page.get_by_text("Invite the others").click()
        expect(page.locator(".invited.inner .qr")).to_be_visible()


@pytest.mark.browser
@pytest.mark.parametrize(("width", "path"), [(390, ""), (1280, "board")])
def test_accessible(stage: Stage, open_page: Open, width: int, path: str) -> None:
    stage.begin()
    stage.live()
    page = open_page(width=width, path=path, calm=True)
    if width == 390:
        page.get_by_text("Invite the others").click()
    accessible_in_each_theme(page, ".invited.inner" if width == 390 else ".invited")


def test_who_came_from_another_machine_sees_the_address_he_came_by(client: FlaskClient, app: Flask,
                                                                   stage: Stage) -> None:
    stage.begin()
    for path in ("/", "/board", "/setup"):
        assert f"{OTHER}:8123" in client.get(path, base_url=f"http://{OTHER}:8123").text
        assert 'class="qr"' not in client.get(path).text, "served for this machine alone, and asked from it"
