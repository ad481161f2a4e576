"""Help: a page a game, with moves that are legal; the words, where they stand; the demo's banner and its foul."""

import re

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import expect

from device.journal.events import ShowFoul, TableStarted, translatable
from device.journal.messages import message
from engine.position import Position
from engine.rules import game, games, ruleset
from tests.web.stage import Stage
from tests.web.visits import PHONE, Open, accessible, at_each_size, pressed
from web.messages import MESSAGES
from web.views.help import frames


def test_every_game_has_its_page(client: FlaskClient) -> None:
    needed = [f"help.{part}.{name}" for name in games() for part in ("move", "capture", "end")]
    assert [key for key in needed if key not in MESSAGES] == [], "these are missing in how_played"
    for name in games():
        page = client.get(f"/help/{name}")
        assert page.status_code == 200 and page.text.count("small-board") >= 4, name
        assert f'href="/help/{name}"' in client.get("/help").text
    assert client.get("/help/chess").status_code == 404


def test_help_says_whose_rules_it_tells_and_what_others_have_otherwise(client: FlaskClient) -> None:
    ayoayo = client.get("/help/ayoayo").text
    assert "This page follows Russ’s rules." in ayoayo
    other = ayoayo.partition('id="rules"')[2].partition("</section>")[0]
    assert re.findall(r"<d[td]>(.*?)</d[td]>", other) == [
        "Wikipedia’s rules", "Is the seed that captures captured, too? No",
        "What if no move gives a side without seeds one? Any move may be made"]
    assert 'id="rules"' not in client.get("/help/layligoobalay").text, "it has no other rules"


def test_the_drawn_moves_show_what_they_stand_for(client: FlaskClient) -> None:
    with client.application.test_request_context():
        for name in games():
            shown = {one.of: frames(name, one) for one in game(name).examples}
            assert shown["move"][0].changed == [] and all(one.changed for one in shown["move"][1:]), name
            assert any("captured" in one.words for one in shown["move"]), name
            example = game(name).examples[0]
            after = ruleset(name).play(Position.parse(example.start), example.move).position
            assert shown["move"][-1].board["captured"] == list(after.captured), name
            if "bull" in shown:
                assert shown["bull"][-1].board["bulls"] and not shown["bull"][0].board["bulls"]


def test_show_me_a_foul(stage: Stage, client: FlaskClient) -> None:
    begun = stage.begin() - 1
    assert client.get("/help/foul").headers["Location"] == "/help#foul"
    verdict = stage.cheat()
    stage.legal()
    assert client.get("/help/foul").headers["Location"] == f"/games/{begun}/{verdict}"


def simulated(stage: Stage) -> None:
    """The table starts anew, with the simulated players."""
    stage.journal.append(TableStarted(camera="simulated table", version="0", told=translatable(message("camera.sim"))))


@pytest.mark.browser
def test_a_stranger_finds_out_what_a_bull_is(stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.live()
    page = visit(*PHONE, calm=True)
    meant = page.get_by_text("a pit that one side has made its own")
    expect(meant).to_be_hidden()
    word = page.locator(".term summary", has_text="bull")
    word.focus()
    page.keyboard.press("Enter")
    for _ in at_each_size(page):
        expect(meant).to_be_visible()
    accessible(page)
    word.click()
    expect(meant).to_be_hidden()
    word.click()
    meant.get_by_role("link").click()
    expect(page.locator("#bull")).to_be_in_viewport()
    page.get_by_role("link", name="Enkeshui").click()
    expect(page).to_have_url(re.compile("/help/enkeshui$"))
    expect(page.get_by_role("heading", name="Bulls")).to_be_visible()


@pytest.mark.browser
def test_the_demo_says_that_it_is_one(stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.live()
    page = visit(*PHONE, calm=True)
    demo = page.locator("#demo")
    expect(page.locator("#mood")).to_have_text("Watching")
    expect(demo).to_be_hidden()
    simulated(stage)
    expect(demo).to_be_visible()
    pressed(page, "Show me a foul")
    assert stage.journal.read()[-1].body == ShowFoul(by="page"), "the players are asked for one"
    expect(page.locator("#feed")).to_contain_text("A foul was asked for")
    stage.cheat()
    expect(page.locator("#mood")).to_have_text("Illegal move")
    accessible(page, within="#demo")
    pressed(page, "Show me a foul")
    expect(page).to_have_url(re.compile(r"/games/\d+/\d+$"))
    expect(page.locator("article.illegal")).to_be_visible()
    page.go_back()
    expect(page.locator("#mood")).to_have_text("Illegal move")
    demo.get_by_role("link", name="Connect a camera").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Camera")
