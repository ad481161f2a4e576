"""The main views look as they did: each is held against a small picture that is kept, so that a broken layout fails.

`INKEEK_KEEP_PICTURES=1` keeps the pictures as the views look now; look at them before they are committed.
"""

import io
import os
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.web.shots import last_move, laying
from tests.web.stage import Stage
from tests.web.visits import DRAWN, Open, until

pytestmark = pytest.mark.browser

PICTURES = Path(__file__).parent / "pictures"
BROWSER = PICTURES / "browser.txt"
"""The version of the Chromium that took them."""
SMALLER = 3
"""The kept pictures are so many times smaller, so that letters may be drawn a little otherwise."""
APART, MOST_APART = 40, 0.02
"""Levels of grey by which a pixel is another, and the share of such pixels that another version of the browser may
make. What stands 14 pixels lower than before makes 12 % others on a phone."""
MOST_BYTES = 1_000_000
PHONE, ASIDE, LAPTOP, WALL = (390, 844), (844, 390), (1280, 800), (1920, 1080)


@pytest.fixture(autouse=True)
def one_moment(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing in the pictures depends on when and where they are taken."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    monkeypatch.setattr("device.journal.store.utc_now", lambda: "2026-03-01T14:05:09.000Z")
    monkeypatch.setattr("web.disk.shutil", SimpleNamespace(disk_usage=lambda _: SimpleNamespace(free=64e9)))
    yield
    monkeypatch.undo()
    time.tzset()


def seen(page: Page) -> Image.Image:
    """What is on the screen, smaller."""
    page.evaluate(DRAWN)
    page.evaluate("document.fonts.ready.then(() => 0)")
    shot = page.screenshot(animations="disabled", caret="hide")
    return Image.open(io.BytesIO(shot)).convert("RGB").reduce(SMALLER)


def looks(page: Page, name: str, *sizes: tuple[int, int]) -> None:
    """Fails where a view does not look as its pictures do, at each of these sizes; phones in the dark. Another browser
    than the one that took them is passed over."""
    assert page.context.browser is not None
    version = page.context.browser.version
    if os.environ.get("INKEEK_KEEP_PICTURES"):
        PICTURES.mkdir(exist_ok=True)
        BROWSER.write_text(f"{version}\n", "utf-8")
    elif BROWSER.read_text("utf-8").strip() != version:
        pytest.skip("how the main views look (INKEEK_KEEP_PICTURES=1 keeps those of this Chromium)")
    for width, height in sizes:
        page.emulate_media(color_scheme="dark" if width < height else "light", reduced_motion="reduce")
        page.set_viewport_size({"width": width, "height": height})
        until(page, f"innerWidth === {width}", bool)
        kept = PICTURES / f"{name}-{width}x{height}.webp"
        now = seen(page)
        if os.environ.get("INKEEK_KEEP_PICTURES"):
            now.save(kept, quality=85, method=6)
            continue
        apart = different(now, Image.open(kept).convert("RGB"))
        if apart > MOST_APART:
            now.save(kept.with_name(f"now-{kept.name}"))
        assert apart <= MOST_APART, f"{name} at {width} x {height}: {apart:.1%} is otherwise; see {kept.parent}/now-*"


def different(one: Image.Image, other: Image.Image) -> float:
    """The share of pixels that are others; 1.0 of pictures of two sizes."""
    if one.size != other.size:
        return 1.0
    a, b = (np.asarray(picture, np.int16) for picture in (one, other))
    return float((np.abs(a - b).max(axis=2) > APART).mean())


def test_the_table_with_a_foul_looks_as_it_did(stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.place()
    stage.legal("c")
    foul = stage.cheat("C")
    stage.live()
    page = visit(calm=True)
    expect(page.locator("#decide button")).to_have_count(3)
    expect(page.locator("#picture img")).to_have_count(1)
    looks(page, "foul", PHONE, ASIDE, LAPTOP, WALL)
    page.goto(f"{page.url}board")
    expect(page.locator("#board .alarm")).to_have_count(1)
    looks(page, "wall", LAPTOP, WALL)
    page.goto(page.url.replace("board", "games/2"))
    last_move(page)
    expect(page.locator(".path-board svg")).to_be_visible()
    assert page.url.endswith(str(foul))
    looks(page, "move", PHONE, LAPTOP)
    page.goto(page.url.partition("games")[0] + "fouls")
    looks(page, "fouls", PHONE, LAPTOP)


def test_a_set_up_and_a_game_s_rules_look_as_they_did(stage: Stage, visit: Open) -> None:
    laying(stage)
    page = visit(calm=True, path="setup/laid")
    expect(page.locator("#live")).to_be_visible()
    looks(page, "laid", PHONE, LAPTOP)
    page.goto(page.url.replace("setup/laid", "help/enkeshui"))
    looks(page, "help", PHONE, LAPTOP)


def test_the_kept_pictures_are_small() -> None:
    kept = [picture.stat().st_size for picture in PICTURES.glob("*.webp") if not picture.name.startswith("now-")]
    assert len(kept) == 14 and sum(kept) < MOST_BYTES
