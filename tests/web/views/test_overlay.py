"""What lies over a film: readable on any ground, live, and never more than everybody may see."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from device.journal.events import HoldSet, Shown, TeamsNamed
from tests.quick_pin import set_pin
from tests.web.stage import Stage
from tests.web.visits import Open, accessible, until
from web.words import LANGUAGES, catalog

FILMS = {(1920, 1080): 32.0, (1280, 720): 22.0, (1080, 1920): 36.0}
"""Pixels of letters at the least, of a film's size."""
FREE = 0.04
"""Of the film's width and height, free at each edge: a television cuts some of it off."""
SIZES = ("[...document.querySelectorAll('#word *, .player *')].filter(e => e.textContent.trim())"
         ".map(e => parseFloat(getComputedStyle(e).fontSize))")
"""Pixels of all letters."""
GROUNDS = ("#ffffff", "#000000", "#8a6a4a")
"""Films that are hard to read over: white, black, wood."""


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_overlay_is_named_in_the_help_and_written_by_the_server(stage: Stage, client: FlaskClient,
                                                                    code: str) -> None:
    stage.begin()
    stage.legal()
    client.set_cookie("inkeek-language", code)
    page, words = client.get("/overlay"), catalog(code)
    assert words["stream.title"] in page.text and words["side.captured"].format(n=16) in page.text
    assert page.text.count(words["side.turn"] + "</span>") == 1
    assert page.headers["Content-Security-Policy"] and "<style" not in page.text and " style=" not in page.text
    assert "http://localhost/overlay" in client.get("/help").text


def test_what_is_held_shows_to_nobody_over_a_film(stage: Stage, app: Flask, tmp_path: Path) -> None:
    """Not even where the referee's own browser makes the film."""
    set_pin(tmp_path / "page.pin", "271828")
    referee = app.test_client()
    assert referee.post("/referee/in", data={"pin": "271828"}).status_code == 303
    stage.begin()
    before = str(stage.position)
    stage.journal.append(HoldSet(on=True, by="page"))
    held = stage.cheat()
    stage.live(why="North played a but dropped two seeds")
    for path in ("/overlay", "/table?public", "/table?after=0&public"):
        text = referee.get(path).text
        assert "illegal" not in text.partition('id="messages"')[0] and "dropped two" not in text
    shown = referee.get("/table?public").get_json()["table"]
    assert shown["table"]["position"]["line"] == before and shown["table"]["held"]
    assert f'"number":{held},' in referee.get("/table").text, "the referee's own page has it"
    stage.journal.append(Shown(verdict=held))
    assert '"verdict":"illegal"' in referee.get("/table?public").text


def covered(page: Page) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of all that covers the film, as shares of its width and height."""
    picture = np.frombuffer(page.screenshot(omit_background=True), np.uint8)
    image = cv2.imdecode(picture, cv2.IMREAD_UNCHANGED)
    assert image is not None and image.shape[2] == 4, "a picture with its transparency"
    rows, cols = np.nonzero(image[..., 3])
    height, width = image.shape[:2]
    return cols.min() / width, rows.min() / height, (cols.max() + 1) / width, (rows.max() + 1) / height


@pytest.mark.browser
def test_the_overlay_is_live_clear_and_readable_over_any_film(stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.legal("c")
    stage.live()
    page = visit(width=1920, height=1080, theme="dark", path="overlay", calm=True)
    word, south, north = page.locator("#word"), page.locator("#player-S"), page.locator("#player-N")
    expect(word).to_contain_text("Legal")
    expect(south).to_contain_text("16")
    expect(north).to_contain_text("to move")
    stage.journal.append(HoldSet(on=True, by="page"))
    held = stage.cheat()
    stage.live()
    expect(word).not_to_contain_text("Legal")
    expect(page.locator("body")).not_to_contain_text("Illegal")
    expect(north).to_contain_text("to move")
    stage.journal.append(Shown(verdict=held))
    expect(word).to_have_attribute("data-kind", "illegal")
    expect(word).to_contain_text("Illegal")
    expect(south).to_contain_text("to move")
    for (width, height), least in FILMS.items():
        page.set_viewport_size({"width": width, "height": height})
        until(page, "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]",
              [width, height].__eq__)
        until(page, f"Math.min(...{SIZES}) >= {least}", bool)
        left, top, right, bottom = covered(page)
        assert top > 0.5, "the film is seen, in the dark too"
        assert min(left, 1 - right, 1 - bottom) >= FREE
    for ground in GROUNDS:
        page.evaluate(f"document.documentElement.style.backgroundColor = '{ground}'")
        accessible(page)
    page.evaluate("document.documentElement.style.backgroundColor = ''")
    stage.live("blind")
    expect(word).to_have_attribute("data-kind", "blind")


@pytest.mark.browser
def test_a_plate_does_not_grow_with_the_turn(stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.journal.append(TeamsNamed(south_name="The Kampala Lions of Makerere", north_name="Narok Warriors"))
    stage.live()
    page = visit(1280, 720, path="overlay")
    expect(page.locator("#player-S .to-move")).to_have_text("to move")
    plates = "[...document.querySelectorAll('.player')].map(p => p.getBoundingClientRect().height)"
    before = page.evaluate(plates)
    stage.legal("c")
    stage.live()
    expect(page.locator("#player-N .to-move")).to_have_text("to move")
    assert page.evaluate(plates) == before
