"""One carved board everywhere: what the server draws and what the browser draws is the same."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from device.films.carved import MOST_CAPTURED, Plan, pile
from engine.board import Board
from tests.web.stage import Stage
from tests.web.visits import PHONE, Open, fits

PARTS = """svg => [...svg.querySelectorAll('*')].filter(one => one.tagName !== 'g').map(one => [one.tagName,
    one.textContent,
    ...[...one.attributes].map(({ name, value }) => [name, isNaN(value) ? value : Number(value)]).sort()])"""
"""What is drawn, but for the groups."""


def drawn(page: Page, where: str) -> list[Any]:
    """The parts of the board there, sorted."""
    return sorted(page.locator(where).evaluate(PARTS), key=str)


@pytest.mark.browser
@pytest.mark.parametrize(("game", "board", "stores"), [("enkeshui", "2x8", 2), ("omweso", "4x8", 0)])
def test_the_server_and_the_browser_draw_the_same(stage: Stage, visit: Open, game: str, board: str,
                                                  stores: int) -> None:
    began = stage.begin(game, board) - 1
    stage.legal()
    foul = stage.cheat()
    page = visit(*PHONE, path=f"games/{began}/{foul}")
    page.locator(".path button").first.click()
    expect(page.locator(".path .path-said")).to_contain_text("Before the move")
    before = drawn(page, ".boards .past svg")
    assert before == drawn(page, ".path-board svg") and len(before) > 60
    assert page.locator(".boards .past .store").count() == stores
    assert page.locator(".boards .past .letter").all_text_contents() == [
        Board.parse(board).name(pit) for pit in range(Board.parse(board).pits)]
    fits(page, PHONE[0])


@pytest.mark.browser
def test_a_captured_seed_lies_in_its_store_on_a_wide_screen_and_a_phone_s_width_is_for_the_pits(
        stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.legal("c")
    stage.live()
    page = visit(path="")
    expect(page.locator("#board .stored")).to_have_text(["16", "0"])
    expect(page.locator("#board .store use")).to_have_count(16)
    cell = page.locator("#board").get_by_role("gridcell").nth(0).get_by_role("button")
    hole = page.locator("#board .hole").nth(8 if (cell.get_attribute("title") or "") == "H" else 0)
    for size in ((1280, 900), PHONE):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        expect(page.locator("#board .store")).to_have_count(2 if size[0] > 700 else 0)
        over, under = cell.bounding_box(), page.locator("#board .letter").get_by_text("H", exact=True).bounding_box()
        assert over and under and over["x"] <= under["x"] <= over["x"] + over["width"], "buttons lie over the pits"
        assert hole.is_visible()


def test_a_store_holds_what_is_put_into_it() -> None:
    for size in ("2x6", "2x8", "2x12"):
        plan = Plan.of(Board.parse(size))
        for store in plan.stores:
            lying = pile(60, store)
            assert len(lying) == MOST_CAPTURED
            assert all(store.top <= y <= store.top + store.high and abs(x - store.x) < 33 for x, y, _ in lying)
    assert not Plan.of(Board.parse("4x8")).stores, "what is captured there is sown on"
