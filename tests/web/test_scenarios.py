"""Evenings of games from end to end: people at a page in Chromium, and a table that sees painted hands."""

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from device.journal import Journal
from device.journal.events import NewGame, VerdictGiven
from engine.position import Position
from tests.quick_pin import set_pin
from tests.waiting import wait_for
from tests.web.conftest import Served
from tests.web.night import Night
from tests.web.stage import Stage
from tests.web.visits import DESKTOP, PHONE, Open, at_each_size, pressed, signed_in, withdraw


@pytest.fixture
def night(tmp_path: Path) -> Iterator[Night]:
    expect.set_options(timeout=45_000)  # the table wants the machine, too
    made = Night(tmp_path)
    yield made
    made.end()
    expect.set_options(timeout=20_000)


def bodies(folder: Path, kind: type) -> list[object]:
    with Journal(folder / "journal.sqlite3", readonly=True) as journal:
        assert journal.verify() is None
        return [event.body for event in journal.read() if isinstance(event.body, kind)]


def has_told(folder: Path, verdicts: int) -> bool:
    """Whether the table has given so many verdicts."""
    return len(bodies(folder, VerdictGiven)) == verdicts


LAID = re.compile("^(16 of 16 pits are right|(South|North) to move)")
"""What the referee says when a set-up was read."""


def verdicts(page: Page) -> list[int]:
    """Numbers of the verdicts in the feed, as they stand there."""
    shown = page.locator("#feed > li:has(.verdict)")
    return [int(n) for n in shown.evaluate_all("all => all.map(one => one.dataset.number)")]


@pytest.mark.browser
def test_from_nothing_to_the_first_verdict(night: Night, visit: Open, tmp_path: Path) -> None:
    page = visit(*PHONE, path="setup", calm=True)
    page.get_by_role("link", name=re.compile("^Next:")).click()
    page.get_by_role("navigation", name="Setting up").get_by_role("button", name=re.compile("Game")).click()
    page.locator("input[value='2x8/2x8-left']").first.check()
    for _ in range(2):
        pressed(page, "Save and continue")
    page.get_by_label("North").check()
    page.get_by_role("button", name="Start ▶").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("The seeds")
    begun, = bodies(tmp_path, NewGame)
    assert isinstance(begun, NewGame)
    night.position = Position.parse(begun.position)
    night.hands.lay(night.position.counts)
    expect(page.get_by_text("Set-up complete. Ready for the first move.").first).to_be_visible()
    page.locator("header").get_by_role("link", name="Table").click()
    expect(page.locator("#player-N")).to_have_class(re.compile("turn"))
    name = night.move().name
    expect(page.locator("#feed .verdict.legal")).to_have_count(1)
    expect(page.locator("#feed .verdict .who")).to_have_text(f"North {name}")
    for _ in at_each_size(page):
        expect(page.locator("#feed .verdict.legal")).to_be_visible()


@pytest.mark.browser
def test_a_foul_is_examined_withdrawn_and_played_anew(night: Night, visit: Open, tmp_path: Path) -> None:
    page = visit(*DESKTOP, calm=True)
    night.lay()
    expect(page.locator("#why")).to_have_text(LAID)
    before = night.position
    night.cheat("c")
    card = page.locator("#feed .verdict.illegal")
    expect(card).to_have_count(1)
    expect(card.locator(".path-said")).to_contain_text("foul here")
    card.get_by_role("button", name="Show the clip").click()
    expect(card.locator(".clip img")).to_be_visible()
    withdraw(page)
    expect(page.locator("#guide li").first).to_be_visible()
    night.lay_back(before)
    expect(page.locator("#feed .verdict.withdrawn")).to_have_count(1)
    expect(page.locator("#guide")).to_be_hidden()
    night.move("c")
    expect(page.locator("#feed .verdict.legal")).to_have_count(1)
    page.locator("header").get_by_role("link", name="Games").click()
    page.locator("a.row").first.click()
    expect(page.locator("ol.moves .stamp")).to_have_text(["Illegal", "Taken back", "Legal"])
    page.locator("a.verdict.illegal").click()
    expect(page.locator(".stills img")).to_have_count(3)  # before, the moment, as it lies
    assert [v.kind for v in bodies(tmp_path, VerdictGiven) if isinstance(v, VerdictGiven)] == [
        "illegal", "withdrawn", "legal"]


@pytest.mark.browser
def test_a_wrong_count_is_corrected_by_tapping(night: Night, visit: Open, tmp_path: Path) -> None:
    page = visit(width=390, height=844, calm=True)
    night.lay()
    expect(page.locator("#why")).to_have_text(LAID)
    due = night.cheat("c")
    card = page.locator("#feed .verdict.illegal")
    expect(card).to_have_count(1)
    page.get_by_role("button", name="Count again").click()
    dialog = page.get_by_role("dialog")
    lies = night.hands.counts
    for pit in [i for i, n in enumerate(due.counts) if n != lies[i]]:
        name = due.board.name(pit)
        dialog.get_by_role("button", name=re.compile(rf"(South|North) {name}: ")).click()
        dialog.get_by_role("spinbutton").fill(str(due.counts[pit]))
    dialog.get_by_role("button", name="Judge it again").click()
    expect(page.locator("#feed .verdict.legal")).to_have_count(1)
    said = [v for v in bodies(tmp_path, VerdictGiven) if isinstance(v, VerdictGiven)]
    assert [v.kind for v in said] == ["illegal", "legal"] and said[1].position == str(due)


@pytest.mark.browser
def test_nothing_is_missed_and_nothing_comes_twice(night: Night, served: Served, visit: Open, tmp_path: Path) -> None:
    page = visit()
    night.lay()
    expect(page.locator("#why")).to_have_text(LAID)
    night.move()
    expect(page.locator("#feed .verdict")).to_have_count(1)
    served.stop()
    expect(page.locator("#line")).to_have_text("Connection lost, trying again …")
    for told in range(2, 4):
        night.move()
        wait_for(partial(has_told, tmp_path, told), 45)
    served.start()
    expect(page.locator("#feed .verdict")).to_have_count(3)
    night.move()
    expect(page.locator("#feed .verdict")).to_have_count(4)
    assert verdicts(page) == sorted(set(verdicts(page)), reverse=True)


@pytest.mark.browser
def test_pin_guessed_wrong_ten_times(stage: Stage, visit: Open) -> None:
    stage.begin()
    set_pin(stage.folder / "page.pin", "271828")
    page = visit(path="referee")
    for guess in range(10):
        signed_in(page, f"{100000 + guess}")
        expect(page.get_by_role("alert")).to_have_text("Wrong PIN.")
    signed_in(page, "271828")
    expect(page.get_by_role("alert")).to_contain_text("Too many wrong PINs")


# ---- what a page is without scripts

PATHS = ["", "board", "games", "games/2", "games/2/4", "fouls", "match", "sheet", "referee", "setup", "setup/board",
         "setup/game", "help", "help/enkeshui"]


@pytest.mark.browser
def test_first_views_without_scripts(stage: Stage, served: Served, visit: Open) -> None:
    stage.begin()
    stage.legal("c")
    verdict = stage.cheat()
    stage.live()
    page = visit(script=False)
    main, followed = page.locator("main"), set[str]()
    for path in PATHS:
        page.goto(served.url + path.replace("4", str(verdict)))
        expect(page.get_by_role("heading", level=1)).to_have_count(1)
        words = main.inner_text()
        assert len(words) > 20 and "undefined" not in words, path
        if path in ("", "games/2"):
            assert "two seeds into" in words, path
        if path in ("", "board"):
            expect(main.locator("svg.small-board").first).to_be_visible()
        if path == "":
            expect(page.locator("#mood")).to_have_text("Illegal move")
        followed |= set(page.locator("main a[href^='/']").evaluate_all("all => all.slice(0, 6).map(a => a.href)"))
    assert len(followed) > 10
    for link in followed:
        assert page.request.get(link).status == 200, link
