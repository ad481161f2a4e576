"""The move list and the status bar of the live page."""

import pytest
from playwright.sync_api import Page, expect

from device.journal.events import Blind, Objected, TableStarted, translatable
from device.journal.messages import message
from tests.web.conftest import Served
from tests.web.stage import Stage
from tests.web.visits import PHONE, Open, accessible_in_each_theme, fits

pytestmark = pytest.mark.browser


def test_legal_moves_are_one_line_each_and_a_tap_shows_one_on_the_board(stage: Stage, visit: Open) -> None:
    stage.begin()
    boards = []
    for _ in range(5):
        stage.legal()
        boards.append([str(n) for n in stage.position.counts])
    foul = stage.cheat()
    contested = stage.legal()
    stage.journal.append(Objected(verdict=contested))
    stage.legal()
    stage.live()
    page = visit(calm=True)
    lines = page.locator("#feed .line-of")
    expect(lines).to_have_count(5)  # the newest, the foul, and what somebody objects to are told whole
    expect(lines.nth(4)).to_have_text("1c3 laps+16")
    lefts = {round(box["x"]) for box in (lines.nth(i).bounding_box() for i in range(5)) if box}
    assert len(lefts) == 2, "two columns"
    expect(page.locator(f"#feed [data-number='{foul}'] .sentence")).to_be_visible()
    lines.nth(3).click()
    expect(page.locator("#board .number")).to_have_text(boards[1])
    expect(page.locator("#replay-word")).to_contain_text("Move 2: North")
    expect(lines.nth(3)).to_have_attribute("aria-expanded", "true")
    expect(page.locator("#feed li:has(.line-of[aria-expanded=true]) .sentence")).to_be_visible()
    accessible_in_each_theme(page, "#feed")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#board .number")).to_have_text(boards[0])
    expect(lines.nth(4)).to_be_focused()
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    fits(page, PHONE[0])
    page.get_by_role("button", name="Back to now").click()
    now = [str(n) for n in stage.position.counts]
    expect(page.locator("#board .number")).to_have_text(now)
    lines.nth(2).click()
    expect(page.locator("#board .number")).to_have_text(boards[2])
    stage.cheat()
    expect(page.locator("#board .number")).to_have_text([str(n) for n in stage.position.counts])
    expect(page.get_by_role("button", name="Back to now")).to_be_hidden()


def test_one_bar_says_how_camera_board_line_and_disk_do(stage: Stage, served: Served, visit: Open) -> None:
    stage.begin()
    stage.live()
    page = visit(*PHONE, calm=True)
    bar = page.locator("#status li")
    expect(bar).to_have_count(4)
    expect(bar.nth(0)).to_have_text("Cameragood")
    expect(bar.nth(1)).to_have_text("Boardin view")
    expect(bar.nth(2)).to_have_text("Linelive")
    expect(bar.nth(3)).to_contain_text("GB free")
    assert len({box["y"] for box in (bar.nth(i).bounding_box() for i in range(4)) if box}) == 1, "in one line"
    accessible_in_each_theme(page, "#status")
    stage.live(light=12.0)
    expect(bar.nth(0)).to_have_text("Cameratoo dark")
    stage.live(fps=9.0, given=30.0, behind=True)
    expect(bar.nth(0)).to_have_text("Cameraslow")
    stage.live(fps=0.3)
    expect(bar.nth(0)).to_have_text("Cameraslow")
    expect(bar.nth(0)).to_have_class("doubt")
    stage.live(size=None, pits=[])  # the next picture is late, and there is no blindness yet
    expect(bar.nth(0)).to_have_text("Cameraslow")
    expect(bar.nth(1)).to_have_text("Boardin view")
    stage.live("searching", size=None, pits=[])
    expect(bar.nth(0)).to_have_text("Camerano picture")
    expect(bar.nth(1)).to_have_text("Board–")
    stage.live()
    stage.journal.append(Blind(why="the board moved", todo="hold it still"))
    expect(bar.nth(1)).to_have_text("Boardnot seen")
    served.stop()
    expect(bar.nth(2)).to_have_text("Linelost")


def test_from_the_hand_to_the_verdict_the_card_says_one_thing(stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.legal()
    stage.live()
    page = visit()
    expect(page.locator("#mood")).to_have_text("Watching")
    for state in ("hands-in", "settling", "judging"):
        stage.live(state, fps=float(len(state)))
        expect(page.locator("#rate")).to_contain_text(str(len(state)))
        expect(page.locator("#mood")).to_have_text("Move in progress")
        expect(page.locator("#why")).to_have_text("North to move. The verdict follows once the hand is away.")


def _in_sight(page: Page, said: dict[str, str]) -> None:
    for where, text in said.items():
        expect(page.locator(where)).to_contain_text(text)
        expect(page.locator(where)).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("size", [PHONE, PHONE[::-1], (1280, 800)], ids=["upright", "sideways", "desktop"])
def test_the_first_screen_says_what_this_is_whose_turn_it_is_and_whether_the_last_move_was_legal(
        stage: Stage, visit: Open, size: tuple[int, int]) -> None:
    stage.begin()
    stage.journal.append(TableStarted(camera="simulated table", version="0", told=translatable(message("camera.sim"))))
    stage.live("hands-in")
    page = visit(*size, calm=True)
    expect(page.locator("#demo")).to_be_visible()
    _in_sight(page, {"h1": "A camera checks every move on this board.", "#mood": "Move in progress",
                     "#why": "South to move.", "#last": "No move has been judged yet.", "#player-S": "to move"})
    stage.legal("c")
    _in_sight(page, {"#mood": "Move in progress", "#last": "Legal Legal: c."})
    stage.live()
    _in_sight(page, {"#mood": "Watching", "#why": "North to move.", "#last": "Legal Legal: c.", "#player-N": "to move"})
    stage.live()
    stage.cheat()
    expect(page.locator("#mood")).to_have_text("Illegal move")
    expect(page.locator("#last")).to_be_hidden()
    expect(page.locator("#why")).to_be_in_viewport(ratio=1)
    for rule in page.locator("#decide button").all():
        expect(rule).to_be_in_viewport(ratio=1)
    empty = page.evaluate("""() => {
        const box = id => document.getElementById(id).getBoundingClientRect();
        const [face, why, decide] = ['face', 'why', 'decide'].map(box);
        return decide.top - Math.max(face.bottom, why.bottom);
    }""")
    assert empty < 20, "nothing lies empty between the sentence and the buttons"
    fits(page, size[0])
