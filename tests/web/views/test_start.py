"""On the page: a game is begun from what lies there, where the set-up that is waited for does not."""

import pytest
from playwright.sync_api import expect

from device.journal.events import NewGame, OrderAnswered
from device.journal.messages import message
from tests.quick_pin import set_pin
from tests.waiting import wait_for
from tests.web.conftest import Served
from tests.web.stage import Stage
from tests.web.visits import Open, accessible_in_each_theme, fits

pytestmark = pytest.mark.browser

LOOK = message("why.read.look", right=1, pits=12, names="a, b, c")
WORDS = "Start from this position"
WIDTHS = (390, 1280)


def waiting(stage: Stage) -> None:
    """En Dodoi is to begin, and its set-up is not what is read."""
    stage.begin("endodoi", "2x6", {"max_laps": "500"})
    stage.live("setting-up", LOOK)


def test_the_order_is_given_where_the_set_up_is_waited_for(stage: Stage, visit: Open) -> None:
    waiting(stage)
    page = visit(width=390)
    expect(page.locator("#why")).to_contain_text("1 of 12 pits")
    start = page.get_by_role("button", name=WORDS)
    start.focus()
    page.keyboard.press("Enter")
    wait_for(lambda: isinstance(stage.journal.read()[-1].body, NewGame))
    assert stage.journal.read()[-1].body == NewGame(game="endodoi", rules=stage.rules.name, board="2x6",
                                                    position="lies", sets={"max_laps": "500"}, by="page")
    expect(page.locator("#line")).to_have_text("Sent")
    why = "46 seeds are read on the board."
    stage.journal.append(OrderAnswered(order=stage.journal.last, done=False, sentence=why))
    expect(page.locator("#line")).to_have_text(why)
    stage.live("watching")
    expect(start).to_be_hidden()


def test_who_only_watches_cannot(stage: Stage, served: Served, visit: Open) -> None:
    set_pin(stage.folder / "page.pin", "271828")
    waiting(stage)
    page = visit()
    expect(page.locator("#why")).to_contain_text("1 of 12 pits")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        expect(page.get_by_role("button", name=WORDS)).to_be_hidden()


def test_accessible(stage: Stage, visit: Open) -> None:
    waiting(stage)
    page = visit(calm=True)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        expect(page.get_by_role("button", name=WORDS)).to_be_visible()
        fits(page, width)
    accessible_in_each_theme(page)
