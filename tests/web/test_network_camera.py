"""A camera on the network is tried on the page before the table uses it, and its password stands nowhere."""

import json
import stat
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

from device.cameras.network import NetworkCamera
from device.cli.main import make_camera
from device.journal.events import TableStarted, UseCamera
from device.journal.game import Game
from device.system.camera_addresses import cameras
from device.system.folder import DataFolder
from tests.device.cameras.mjpeg_server import SECRET, MjpegServer
from tests.waiting import wait_for
from tests.web.stage import Stage
from tests.web.visits import Open, until

NOISE = np.random.default_rng(6)
SHOWN = "document.querySelector('#trial img')?.naturalWidth ?? 0"


def noisy() -> np.ndarray:
    ramp = np.linspace(30, 220, 160).astype(np.uint8)[None, :, None]
    return np.asarray(ramp + NOISE.integers(0, 8, (120, 160, 3)), np.uint8)


@pytest.fixture
def server() -> Iterator[MjpegServer]:
    with MjpegServer(noisy, password=True) as server:
        yield server


def test_its_picture_is_shown_before_it_is_used(stage: Stage, visit: Open, server: MjpegServer) -> None:
    stage.journal.append(TableStarted(camera="stage", version="0"))
    stage.live("searching")
    page = visit(path="setup/camera")
    page.fill("#address", server.address.replace("referee:", "somebody:"))
    page.click("text=Show its picture")
    expect(page.locator("#wrong-address")).to_contain_text(
        f"The camera at {server.host} refuses the user or the password. Put the right ones into its address")
    page.fill("#address", server.address)
    page.press("#address", "Enter")
    until(page, SHOWN, bool)
    assert SECRET not in page.content() and stage.journal.read()[-1].body == TableStarted(camera="stage", version="0")
    page.click("text=Use this camera")
    word = f"http://{server.host}"
    wait_for(lambda: stage.journal.read()[-1].body == UseCamera(camera=word, by="page"))
    expect(page.locator("#trial img")).to_have_count(0)
    kept = stage.folder / "cameras.json"
    assert json.loads(kept.read_text()) == {word: server.address} and stat.S_IMODE(kept.stat().st_mode) == 0o600
    secrets = [path for path in stage.folder.rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()]
    assert secrets == [kept]
    used = make_camera(word, Game(), DataFolder(stage.folder), "bottom")
    assert isinstance(used, NetworkCamera)
    used.open()
    assert used.read(5) is not None
    used.close()
    assert [one.name for one in cameras(stage.folder) if one.word == word] == [f"camera at {server.host}"]


@pytest.mark.parametrize(("address", "why"), [
    ("table.jpg", "This is no camera’s address."), ("ftp://host/", "This is no camera’s address."),
    ("http://", "This is no camera’s address."), ("--version", "This is no camera’s address."),
    ("http://127.0.0.1:9/video", "Nothing answers at 127.0.0.1:9.")])
def test_an_address_that_gives_no_picture_says_why(stage: Stage, visit: Open, address: str, why: str) -> None:
    stage.journal.append(TableStarted(camera="stage", version="0"))
    page = visit(path="setup/camera")
    page.fill("#address", address)
    page.click("text=Show its picture")
    expect(page.locator("#wrong-address")).to_contain_text(why)
    expect(page.locator("#address")).to_have_value(address)


def test_addresses_that_cannot_be_read_are_said_in_the_log_and_hinder_nothing(
        tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "cameras.json").write_text("[1")
    assert not [one for one in cameras(tmp_path) if "://" in one.word]
    assert "enter them again" in caplog.text
