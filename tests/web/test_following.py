"""Pages follow the game while they are looked at, and none shows as present what it no longer hears."""

import re

import pytest
from playwright.sync_api import expect

from device.journal.events import MatchAgreed, Objected
from tests.web.conftest import Served
from tests.web.stage import Stage
from tests.web.visits import Open

pytestmark = pytest.mark.browser


def test_a_page_that_lost_its_line_does_not_say_that_it_is_watching(stage: Stage, served: Served, visit: Open) -> None:
    stage.begin()
    stage.live()
    page, board = visit(), visit(path="board")
    for one, word in ((page, "Watching"), (board, "South to move.")):
        expect(one.locator("#mood")).to_have_text(word)
    served.stop()
    for one in (page, board):
        expect(one.locator("#mood")).to_have_text("Connection lost, trying again …")
        expect(one.locator("#why")).to_have_text(re.compile("the game may have gone on"))
        expect(one.locator("#referee")).to_have_attribute("data-mood", "off")
    served.start()
    stage.live()
    for one, word in ((page, "Watching"), (board, "South to move.")):
        expect(one.locator("#mood")).to_have_text(word)


def test_pages_of_the_server_follow_the_game(stage: Stage, visit: Open) -> None:
    number = stage.begin() - 1
    legal = stage.legal("c")
    fouls, game, match, referee = (visit(path=path) for path in ("fouls", f"games/{number}", "match", "referee"))
    expect(fouls.locator(".list > li")).to_have_count(0)
    expect(game.locator(".moves > li")).to_have_count(1)
    game.locator("#scrub-at").press("End")
    stage.cheat()
    expect(fouls.locator(".list > li")).to_have_count(1)
    for one in (fouls, game, match, referee):
        expect(one.locator("#open-fouls")).to_contain_text("1 awaiting a ruling")
    expect(game.locator(".moves > li")).to_have_count(2)
    expect(game.locator("#scrub-said")).to_contain_text("2 of 2")
    expect(match.locator(".tally")).to_have_count(0)
    match.get_by_role("group", name="North").get_by_label("Players").fill("Sironka")
    stage.journal.append(MatchAgreed(game="enkeshui", board="2x8", form="sticks", number=5))
    expect(match.locator(".tally")).to_have_count(1)
    expect(match.get_by_role("group", name="North").get_by_label("Players")).to_have_value("Sironka")
    expect(referee.locator("#open-objections")).to_be_hidden()
    stage.journal.append(Objected(verdict=legal))
    expect(referee.locator("[data-fresh=objections] li")).to_have_count(1)
    expect(referee.locator("#open-objections")).to_contain_text("One objection waits for the referee")
    live = visit()
    expect(live.locator("#open-objections")).to_contain_text("One objection waits for the referee")
