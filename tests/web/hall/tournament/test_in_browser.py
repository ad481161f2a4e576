"""The tournament in a Chromium: by keyboard, on a phone, in the dark; results arrive on open pages by themselves."""

import pytest
from playwright.sync_api import Page as Browser
from playwright.sync_api import expect

from engine.tournaments import Corrected, Result
from tests.web.hall.tournament.conftest import PIN, Page
from tests.web.hall.tournament.tables import OUT, over, results
from tests.web.visits import PHONE, Open, accessible_at_each_size, accessible_in_each_theme, at_each_size
from web.words import LANGUAGES

pytestmark = pytest.mark.browser


WHOLE = "[...document.querySelectorAll('.scroll')].every(one => one.scrollWidth <= one.clientWidth)"
"""Whether every table is as narrow as its place."""


def sign_in(page: Browser) -> None:
    """Sign in as director, and go to the tournament."""
    page.goto(page.url.partition("/tournament")[0].rstrip("/") + "/director")
    page.get_by_label("PIN").fill(PIN)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/rulings")
    page.get_by_role("link", name="Tournament").click()
    page.wait_for_url("**/tournament")


def rows(page: Browser, title: str) -> list[str]:
    """The rows of a table, each as one line."""
    region = page.get_by_role("region", name=title)
    expect(region).to_be_visible()
    return [" ".join(row.split()) for row in region.locator("tbody tr").all_inner_texts()]


def test_a_director_leads_a_tournament_by_keyboard(hall: Page, visit: Open) -> None:
    page = visit(path="tournament")
    sign_in(page)
    page.get_by_label("Name of the tournament").focus()
    page.keyboard.type("Narok cup")
    for label in ("What is played (optional)", "Round robin: everyone plays everyone"):
        page.keyboard.press("Tab")
        expect(page.get_by_label(label)).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_label("In a knock-out, play for third place")).to_be_visible()
    expect(page.get_by_label("In a round robin, how often each pair plays")).to_be_hidden()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_label("In a round robin, how often each pair plays")).to_be_visible()
    page.get_by_label("Players or teams").focus()
    page.keyboard.type("Ole\nKip\nNaisiae")
    page.get_by_role("button", name="Begin", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Narok cup")
    page.get_by_role("button", name="Make round 1").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="Round 1 of 3")).to_be_visible()
    assert rows(page, "Round 1 of 3")[1:] == ["– Ole bye"]
    assert len(hall.tables.cup.state.rounds) == 1


def test_results_arrive_on_open_pages_by_themselves(hall: Page, visit: Open) -> None:
    hall.tables.begin("Ole", "Kip")
    hall.tables.make()
    page = visit(path="tournament")
    expect(page.get_by_role("region", name="Round 1 of 1")).to_contain_text("open")
    stage = hall.tables.agree("table-3", "Ole", "Kip")
    over(stage, "N")
    hall.tables.copy()
    expect(page.get_by_role("region", name="Round 1 of 1")).to_contain_text("0 – 1")
    expect(page.get_by_role("region", name="Standings").locator("tbody tr").first).to_contain_text("Kip")
    place = next(hall.tables.cup.state.pairings).place
    hall.tables.cup.happen(Corrected(place, Result.played(2, 1), "the wrong side was noted", by="Resiato"))
    expect(page.get_by_role("region", name="Standings").locator("tbody tr").first).to_contain_text("Ole")
    expect(page.get_by_role("region", name="Round 1 of 1")).to_contain_text("corrected")


def test_a_result_is_entered_with_who_and_why_and_undone(hall: Page, visit: Open) -> None:
    hall.tables.begin("Ole", "Kip")
    hall.tables.make()
    page = visit(path="tournament")
    sign_in(page)
    page.get_by_role("link", name="Ole – Kip").click()
    page.wait_for_url("**/match/*/*")
    page.get_by_label("Score of Kip").fill("2")
    page.get_by_label("It was played").check()
    page.get_by_role("button", name="Enter the result").click()
    expect(page.get_by_role("alert")).to_have_text("A correction says who made it.")
    expect(page.get_by_label("Score of Kip")).to_have_value("2")
    page.get_by_label("Who rules").fill("Resiato")
    page.get_by_label("Why").fill("agreed by both")
    page.get_by_role("button", name="Enter the result").click()
    expect(page.get_by_text("Resiato rules:")).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="Result saved: 0 – 2.")).to_be_visible()
    expect(page.get_by_role("button", name="Correct the result")).to_be_visible()
    assert results(hall.tables.cup.state) == ["Ole 0–2 Kip"]
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("undone by event 7")).to_be_visible()
    assert results(hall.tables.cup.state) == ["Ole ? Kip"]


def test_it_can_be_read_and_used_on_a_phone_and_in_the_dark(hall: Page, visit: Open) -> None:
    hall.tables.begin("Ole", "Kip", "Naisiae", "Herons of the long river: Nakato, Wasswa", how=OUT)
    hall.tables.make()
    hall.tables.play("table-1", "Ole", "Nakato")
    hall.tables.copy()
    page = visit(path="tournament", calm=True)
    for _ in at_each_size(page):
        expect(page.get_by_role("heading", level=1)).to_be_visible()
    sign_in(page)
    for name in ("Withdraw", "Change a name", "Undo round 1", "Begin another tournament"):
        page.locator("summary", has_text=name).click()
    accessible_at_each_size(page, accessible_in_each_theme)
    page.goto(f"{hall.url}tournament/rounds")
    accessible_at_each_size(page, accessible_in_each_theme)
    page.get_by_role("link", name="Kip – Naisiae").click()
    page.wait_for_url("**/match/*/*")
    page.locator("summary", has_text="Move to another table").click()
    accessible_at_each_size(page, accessible_in_each_theme)


def test_on_paper_stand_the_standings_and_rounds_and_nothing_to_press(hall: Page, visit: Open) -> None:
    hall.tables.begin("Ole", "Kip")
    hall.tables.make()
    page = visit(path="tournament")
    sign_in(page)
    page.emulate_media(media="print")
    expect(page.get_by_role("region", name="Standings")).to_be_visible()
    expect(page.get_by_role("region", name="Round 1 of 1")).to_be_visible()
    for gone in (page.get_by_role("button"), page.locator("form"), page.locator("summary"), page.locator(".top")):
        for one in gone.all():
            expect(one).to_be_hidden()


def test_it_can_be_read_without_scripts(hall: Page, visit: Open) -> None:
    hall.tables.begin("Ole", "Kip")
    hall.tables.make()
    page = visit(path="tournament", script=False)
    assert [row.split(" ")[1] for row in rows(page, "Standings")] == ["Ole", "Kip"]
    expect(page.locator("#print")).to_be_hidden()


def test_on_a_phone_the_navigation_is_one_line_and_the_standings_are_whole(hall: Page, visit: Open) -> None:
    hall.tables.begin("Ole", "Kipkoech arap Sang", "Naisiae", "Herons of the long river: Nakato, Wasswa")
    hall.tables.make()
    hall.tables.play("table-1", "Ole", "Nakato", "")
    hall.tables.copy()
    for language in LANGUAGES:
        page = visit(path="tournament", width=PHONE[0], height=PHONE[1], language=language)
        links = page.locator(".rooms a").all()
        assert len(links) == 5 and len({box["y"] for link in links if (box := link.bounding_box())}) == 1, language
        assert page.evaluate(WHOLE), language
