"""What people come for, from end to end in a Chromium, on a phone or on a desktop's screen: a foul and its evidence, a
referee's backlog, an agreed match."""

import re

import pytest
from playwright.sync_api import Page, expect

from device.journal.events import Forfeit, LetStand, TeamsNamed, Undo
from tests.quick_pin import set_pin
from tests.waiting import wait_for
from tests.web.conftest import Served
from tests.web.stage import Stage
from tests.web.visits import DESKTOP, PHONE, Open, accessible, fits, pressed, signed_in, until

pytestmark = pytest.mark.browser

PLAYS = """async (address) => {
    const film = document.createElement("video");
    film.muted = true;
    film.src = address;
    document.body.append(film);
    await film.play();
    await new Promise((done) => film.addEventListener("timeupdate", () => film.currentTime > 0.3 && done()));
    film.remove();
    return film.videoWidth;
}"""
"""The film's width, once it has played for a while."""
SHARES = """navigator.canShare = ({ files }) => files.length === 1;
navigator.share = async ({ files: [{ name, type }] }) => {
    document.documentElement.dataset.shared = `${name} ${type}`; };"""
"""A telephone's own way of sharing, which a test's browser lacks."""


def test_a_foul_is_seen_its_evidence_opened_its_film_played_and_its_card_shared(stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.place()
    stage.live()
    page = visit(*PHONE, calm=True, alone=True)
    page.add_init_script(SHARES)
    page.reload()
    expect(page.locator("#mood")).to_have_text("Watching")
    foul = stage.cheat("c")
    stage.clip(foul)
    stage.live()
    expect(page.locator("#mood")).to_have_text("Illegal move")
    card = page.locator("#feed .verdict.illegal")
    expect(card.locator(".sentence")).to_contain_text("two seeds into d")
    card.locator(".stills a").last.click()
    photograph = page.get_by_role("dialog", name="Photograph after the move")
    expect(photograph.locator("text")).to_have_text("d: 6 – should be 5")
    photograph.get_by_role("button", name="Close").click()
    expect(photograph).to_have_count(0)
    card.get_by_role("button", name="Show the clip").click()
    card.get_by_role("button", name="Full speed").click()
    expect(card.locator(".clip .path-said")).to_have_text("1.4 of 1.4 seconds")
    with page.expect_download() as saving:
        card.get_by_role("link", name="Save the clip (MP4)").click()
    assert saving.value.suggested_filename.endswith(f"{foul}.mp4")
    assert page.evaluate(PLAYS, f"/evidence/{foul}/clip.mp4") == 640
    card.get_by_role("button", name="Share").click()
    expect(page.locator("html")).to_have_attribute("data-shared", f"inkeek-{foul}.png image/png")
    fits(page, PHONE[0])


def test_a_referee_clears_three_open_fouls_of_a_finished_game(stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.journal.append(TeamsNamed(south=["Naserian"], north=["Sironka"]))
    *fouls, _ = [stage.cheat() for _ in range(4)]
    stage.journal.append(Forfeit(side="N"))  # for the last of them
    stage.take()
    stage.begin()
    stage.live()
    set_pin(stage.folder / "page.pin", "271828")
    page = visit(*DESKTOP, path="fouls", calm=True)
    expect(page.locator(".reviewed")).to_have_count(3)
    page.get_by_role("link", name="Referee").click()
    signed_in(page, "271828")
    still = page.locator("#open-fouls")
    page.get_by_role("link", name=re.compile("^Fouls")).click()
    page.locator(".reviewed-name").last.click()  # the oldest
    for left, foul in zip((2, 1, 0), fouls, strict=True):
        expect(page).to_have_url(re.compile(f"/{foul}$"))
        pressed(page, "Accept the move")
        stage.take()
        expect(page.locator(".fated")).to_contain_text("Move accepted")
        expect(still).to_contain_text(f"{left} awaiting a ruling") if left else expect(still).to_be_hidden()
        if left:
            page.get_by_role("link", name="Next foul awaiting a ruling").click()
    page.get_by_role("link", name=re.compile("^Fouls")).click()
    expect(page.locator("main")).to_contain_text("No foul awaits a ruling.")
    stood = [e.body.verdict for e in stage.journal.read() if isinstance(e.body, LetStand)]
    assert stood == fouls


def forfeited(page: Page, stage: Stage, loser: str) -> None:
    """A game is begun on the page, has a legal move and a foul, and is given up by that side."""
    page.get_by_role("button", name="New game").click()
    page.get_by_role("dialog").get_by_role("button", name="Start").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    stage.take()
    expect(page.locator("#player-S .to-move")).to_have_text("to move")
    expect(page.locator("#ending")).not_to_contain_text("next")  # the card says what is to be done
    stage.legal()
    expect(page.locator("#ending")).to_be_hidden()
    expect(page.get_by_role("button", name="Resign …")).to_be_visible()  # not only after a foul
    stage.cheat()
    stage.live()
    expect(page.locator("#mood")).to_have_text("Illegal move")
    page.get_by_role("button", name="Resign …").click()
    page.get_by_role("dialog").get_by_label(loser).check()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    stage.take()
    expect(page.locator("#mood")).to_have_text("The game is over")


def test_a_game_given_up_by_mistake_goes_on_from_its_end(stage: Stage, visit: Open) -> None:
    """Counting again would not help: the seeds decided nothing."""
    stage.begin()
    stage.live()
    page = visit(*PHONE, calm=True)
    forfeited(page, stage, "South")
    ending = page.locator("#ending")
    expect(ending).to_contain_text("North won")
    name, n = "d", stage.position.counts[stage.position.board.pit("d")] + 1
    stage.live("hands-in", counts={name: n})  # somebody clears the board
    expect(page.locator("#picture .overlay g").nth(stage.position.board.pit(name)).locator("text")).to_have_text(str(n))
    expect(page.locator("#referee")).to_be_hidden()
    expect(ending.get_by_role("button", name="count again")).to_have_count(0)
    expect(ending.locator(".ending-score")).to_have_count(0)
    ending.get_by_role("button", name="Undo: the game is not over").click()
    wait_for(lambda: isinstance(stage.journal.read()[-1].body, Undo))
    stage.take()
    stage.live()
    expect(ending).to_be_hidden()
    expect(page.locator("#mood")).to_have_text("Illegal move")


def test_a_match_on_ten_columns_by_wikipedias_rules_to_its_printed_sheet(stage: Stage, served: Served,
                                                                         visit: Open) -> None:
    stage.begin()
    stage.live()
    page = visit(*PHONE, path="match", calm=True)
    page.get_by_role("group", name="South").get_by_label("Players").fill("Naserian\nLemayian")
    page.get_by_role("group", name="North").get_by_label("Players").fill("Sironka")
    pressed(page, "Save teams")
    page.get_by_role("radio", name=re.compile("^Wikipedia’s rules")).locator("visible=true").check()
    page.get_by_label("Board and set-up").locator("visible=true").select_option("2x10/lies")
    page.get_by_label("South’s row").locator("visible=true").fill("5 3 3 1 3 3 0 3 3 0")
    page.get_by_label("North’s row").locator("visible=true").fill("0 3 3 0 3 3 0 3 3 6")
    page.get_by_role("textbox", name="Number of games").fill("3")
    pressed(page, "Start match")
    expect(page.locator("main")).to_contain_text("Rules: Wikipedia’s rules")
    page.goto(served.url)
    ending = page.locator("#ending")
    for n, loser in enumerate(("Naserian", "Sironka", "Sironka"), 1):
        expect(ending).to_be_visible(visible=n > 1)  # until the next game's first move
        forfeited(page, stage, loser)
        expect(page.locator("#feed .note.over").first).to_contain_text(loser)
        expect(page.locator("#referee")).to_be_hidden()  # the sheet says it once
        expect(ending).to_contain_text(f"game {n} of 3")
        expect(ending).to_contain_text(f"Game {n + 1} is next." if n < 3 else "has won the match.")
    expect(page.locator("#player-S")).to_contain_text("2 sticks")
    expect(page.locator("#player-N")).to_contain_text("1 stick")
    page.locator("header").get_by_role("link", name="Match").click()
    expect(page.locator(".tally-n")).to_have_text([re.compile(r"^\s*1\b"), re.compile(r"^\s*2\b")])
    page.get_by_role("link", name="Score sheet").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Score sheet")
    games = page.get_by_role("table").first.locator("tbody tr")
    expect(games.locator("td:nth-child(1)")).to_have_text(["1", "2", "3"])
    expect(games.locator("td:nth-child(2)")).to_have_text([re.compile("Enkeshui 2 × 10")] * 3)
    expect(games.locator("td:nth-child(4)")).to_have_text(
        ["Sironka", "Naserian & Lemayian", "Naserian & Lemayian"])
    expect(games.locator("td:nth-child(6)")).to_have_text(["1", "1", "1"])
    fouls = page.get_by_role("table").nth(1).locator("tbody tr")
    expect(fouls.locator("td:nth-child(1)")).to_have_text(["1", "2", "3"])
    expect(page.locator("main")).to_contain_text("Rules: Wikipedia’s rules")
    expect(page.locator("main")).to_contain_text("Naserian & Lemayian won the match: the 3 agreed games are played.")
    page.evaluate("() => { window.printed = 0; window.print = () => { window.printed += 1; }; }")
    page.get_by_role("button", name="Print").click()
    until(page, "window.printed", lambda times: times == 1)
    page.emulate_media(media="print")
    expect(page.get_by_role("button", name="Print")).to_be_hidden()
    expect(page.locator("main")).to_contain_text("Rules: Wikipedia’s rules")
    assert len(page.pdf(format="A4")) > 5000
    page.emulate_media(media="screen")
    accessible(page)
