"""The hall's page in a real Chromium."""

import re

import pytest
from playwright.sync_api import Page, expect

from device.journal.events import LetStand, TeamsNamed
from tests.waiting import wait_for
from tests.web.hall.conftest import PIN, Hall
from tests.web.visits import DESKTOP, PHONE, THEMES, About, Open, accessible, at_each_size
from web.words import LANGUAGES, catalog

pytestmark = pytest.mark.browser


def sign_in(page: Page) -> None:
    """By the form, to which the navigation leads."""
    page.get_by_role("link", name="Director").click()
    page.get_by_label("PIN", exact=True).fill(PIN)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Waiting for a ruling")


def test_a_director_rules_on_a_foul_at_table_three(hall: Hall, visit: Open) -> None:
    for table in ("t1", "t2", "t3"):
        hall.seat(table)
    stage = hall.stages["t3"]
    stage.place()
    hall.publish()
    hall.settle()
    page = visit()
    card = page.locator("#card-t3")
    expect(card).to_contain_text("Needs no referee")
    sign_in(page)
    expect(page.locator("#queue")).to_have_text(re.compile("Nothing waits for a ruling"))
    foul = stage.cheat()  # while the director looks on
    stage.clip(foul)
    entry = page.locator("#queue").get_by_role("link", name="Table 3")
    expect(entry).to_contain_text("two seeds into")
    expect(page.locator("#waiting-n")).to_contain_text("1 waiting")
    entry.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Table 3: South")
    after = page.get_by_role("img", name="after the move")
    expect(after).to_be_visible()
    for photograph in page.locator(".stills img").all():
        photograph.scroll_into_view_if_needed()
        photograph.evaluate("i => i.decode()")
    page.locator(".stills a").nth(1).click()
    expect(page.get_by_role("dialog")).to_contain_text("should be")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Show the clip").click()
    expect(page.locator("#clip img")).to_have_attribute("src", re.compile(rf"/clip/t3/{foul}/0$"))
    page.get_by_role("button", name="Accept the move").click()
    expect(page.locator(".notice.good")).to_have_text("The table is carrying it out.")
    wait_for(lambda: any(isinstance(event.body, LetStand) for event in stage.journal.read()), 20)
    stage.take()
    expect(page.locator("#ruling")).to_contain_text("The move stands")  # without a reload
    expect(page.get_by_role("button", name="Accept the move")).to_have_count(0)
    expect(page.locator("#waiting-n")).to_have_text("")
    assert [len(hall.stages[table].journal.read()) for table in ("t1", "t2")] == [3, 3]


def test_withdrawing_takes_its_reason_along_and_is_not_swept_away_by_news(hall: Hall, visit: Open) -> None:
    stage = hall.seat("t1")
    hall.publish()
    stage.cheat()
    hall.settle()
    page = visit()
    sign_in(page)
    page.locator("#queue").get_by_role("link", name="Table 1").click()
    page.locator("summary", has_text="Take it back").click()
    page.get_by_label("North", exact=True).check()
    stage.live("hands-in")
    stage.journal.append(TeamsNamed(south=["Sironka"], north=["Nasieku"]))  # something new at the table
    hall.settle()
    page.wait_for_function("document.querySelector('#waiting-n').textContent.includes('1 waiting')")
    page.get_by_label("The move was illegal.").check()
    page.get_by_role("button", name="Take it back").click()
    expect(page.locator(".notice.good")).to_have_text("The table is carrying it out.")
    stage.take()
    expect(page.locator("#ruling")).to_contain_text("The move was illegal.")


def test_tables_are_live_and_the_projector_goes_round(hall: Hall, visit: Open) -> None:
    for table in ("t1", "t2"):
        hall.seat(table)
    hall.publish()
    hall.settle()
    page, big = visit(), visit(1280, 800, path="projector")
    expect(page.locator("#card-t2 .seat-last")).to_have_count(0)
    hall.stages["t2"].legal("c")
    expect(page.locator("#card-t2 .seat-last")).to_have_text(re.compile("Legal South c"))
    hall.seat("t3")
    hall.publish_one("t3")
    expect(page.locator("#card-t3")).to_contain_text("Enkeshui")  # nobody reloaded anything
    expect(big.locator(".seat.shown h2")).to_have_text("Table 1")
    big.get_by_role("button", name="Next table").click()
    expect(big.locator(".seat.shown h2")).to_have_text("Table 2")
    expect(big.locator(".seat:visible")).to_have_count(1)
    expect(big.locator(".seat.shown")).to_be_in_viewport(ratio=1, timeout=4_000)  # whole
    for seen, path in ((big, "projector"), (page, "table/t2")):
        seen.set_viewport_size({"width": 844, "height": 390})
        seen.goto(hall.url + path)
        expect(seen.locator(".seat .small-board:visible")).to_be_in_viewport(ratio=1, timeout=4_000)
    big.get_by_role("button", name="Stay").click()
    expect(big.get_by_role("button", name="Stay")).to_have_attribute("aria-pressed", "true")


def test_every_view_is_accessible_on_phone_and_desktop_light_and_dark(hall: Hall, visit: Open) -> None:
    for table in ("t1", "t2", "t3"):
        hall.seat(table)
    hall.stages["t3"].place()
    foul = hall.stages["t3"].cheat()
    hall.stages["t2"].doubt("c")
    hall.publish()
    hall.settle()
    coloured = ("", "table/t3", f"table/t3/{foul}")
    every = (*coloured, "rulings", "projector", "director")
    abouts: tuple[About, ...] = ("all", "colours")
    for theme, about, looked_at, paths in zip(THEMES, abouts, (PHONE, DESKTOP), (every, coloured), strict=True):
        page = visit(theme=theme)
        sign_in(page)
        for path in paths:
            page.goto(hall.url + path)
            expect(page.get_by_role("navigation", name="Pages")).to_be_visible()
            for size in zip((PHONE, DESKTOP), at_each_size(page), strict=True):
                if size[0] == looked_at:
                    accessible(page, about)


def test_every_language_is_spoken(hall: Hall, visit: Open) -> None:
    foul = hall.seat("t1").cheat()
    hall.publish()
    hall.settle()
    page = visit()
    for code, name in LANGUAGES.items():
        page.goto(hall.url)
        page.get_by_role("link", name=name).click()
        expect(page.locator("html")).to_have_attribute("lang", code)
        expect(page.locator("#card-t1 .need.fouls")).to_have_text(catalog(code)["hall.need.fouls"])
        page.goto(f"{hall.url}table/t1/{foul}")
        for _ in at_each_size(page):
            expect(page.locator("h1")).to_contain_text("Table 1")


def test_it_can_be_read_without_scripts(hall: Hall, visit: Open) -> None:
    stage = hall.seat("t1")
    foul = stage.cheat()
    hall.publish()
    hall.settle()
    page = visit(script=False)
    expect(page.locator("#card-t1 .small-board")).to_be_visible()
    page.get_by_role("link", name="Table 1").click()
    expect(page.locator(".feed .verdict.illegal")).to_be_visible()
    page.goto(f"{hall.url}projector")
    expect(page.locator(".seat:visible")).to_have_count(1)
    page.goto(f"{hall.url}table/t1/{foul}")
    expect(page.get_by_role("list").filter(has_text="two seeds").first).to_be_visible()
