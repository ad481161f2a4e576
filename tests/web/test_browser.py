"""The page in a real Chromium."""

import re

import pytest
from playwright.sync_api import expect

from device.journal.events import Blind, CorrectPit, LetStand, OrderAnswered, Sighted, VerdictGiven
from tests.quick_pin import set_pin
from tests.web.conftest import Served
from tests.web.stage import Stage, replace_struct
from tests.web.visits import DESKTOP, DRAWN, PHONE, Open, accessible_in_each_theme, fits, signed_in, until, withdraw

pytestmark = pytest.mark.browser

def test_without_a_table_it_says_so(visit: Open) -> None:
    page = visit()
    expect(page.locator("#mood")).to_have_text("inkeek has stopped watching")
    expect(page.locator("#why")).to_contain_text("inkeek run")


def test_a_game_as_it_goes(stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.live()
    page = visit()
    expect(page.locator("#mood")).to_have_text("Watching")
    expect(page.locator("#player-S")).to_have_class(re.compile("turn"))
    expect(page.get_by_role("gridcell")).to_have_count(16)
    expect(page.get_by_role("button", name="South c: 4 seeds")).to_be_visible()
    stage.legal("c")
    stage.live()
    expect(page.locator("#feed .verdict.legal")).to_have_count(1)
    expect(page.get_by_role("button", name=re.compile("^South c: .* start of the last move"))).to_be_visible()
    expect(page.locator("#player-N")).to_have_class(re.compile("turn"))
    expect(page.locator("#picture img")).to_have_count(1)
    expect(page.locator("#picture .overlay g")).to_have_count(16)


def test_a_cheat_cannot_be_overlooked(stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.live()
    page = visit()
    expect(page.locator("#mood")).to_have_text("Watching")
    stage.cheat("c")
    expect(page.locator("#mood")).to_have_text("Illegal move")
    card = page.locator("#feed .verdict.illegal")
    expect(card.locator(".sentence")).to_contain_text("two seeds into")
    expect(card.locator(".evidence figcaption")).to_have_text(
        ["Before the move", "How it is", "How it should be"])
    for side in ("is", "due"):
        expect(card.locator(f".boards .compare.{side} .odd")).to_have_count(2)
    expect(card.locator(".stills img")).to_have_count(2)
    assert "width=" in card.locator(".stills img").first.evaluate("async i => (await i.decode(), i.currentSrc)")
    expect(card.locator(".odds")).to_contain_text("98 % certain")
    expect(card.locator(".odds")).to_contain_text("Less likely (under 1 %): South played c legally")
    expect(page.locator("#assertive")).to_contain_text("Illegal. c: two seeds into")
    expect(page.locator("#board .alarm")).to_have_count(1)  # the pit that the verdict names
    expect(page.locator("#board .ring-follows")).to_have_count(1)  # and the one that differs in consequence
    expect(page).to_have_title(re.compile("Illegal move"))


def test_what_comes_while_the_page_loads_is_announced_as_well(stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.legal()
    stage.live()
    page = visit(meanwhile=stage.cheat)
    expect(page.locator("#feed .verdict")).to_have_count(2)
    expect(page.locator("#assertive p")).to_have_text([re.compile(r"Illegal\. \S+: two seeds into")])
    expect(page.locator("#polite p")).to_have_count(0)  # the legal move stood on the page already


def test_letting_it_stand(stage: Stage, visit: Open) -> None:
    stage.begin()
    verdict = stage.cheat()
    stage.live()
    page = visit()
    with page.expect_response("**/orders"):
        page.get_by_role("button", name="Accept the move").click()
    expect(page.locator(".ruled")).to_contain_text("The table is carrying it out")
    assert not page.locator("#line").is_visible(), "the card says it"
    order = stage.journal.read()[-1]
    assert order.body == LetStand(verdict=verdict, by="page")
    stage.journal.append(OrderAnswered(order=order.number, done=True, sentence="The move stands."))
    expect(page.locator(".ruled")).to_have_text("The move stands.")
    expect(page.get_by_role("button", name="Accept the move")).to_have_count(0)
    expect(page.locator("#mood")).to_have_text("Watching")
    expect(page.locator("#last .stamp")).to_have_text("The move stands.")


def test_correcting_a_pit_by_keyboard_alone(stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.live()
    page = visit()
    page.get_by_role("button", name="South a: 0 seeds").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("button", name="North F: 4 seeds")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_contain_text("North, pit F")
    page.keyboard.type("7")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    order = stage.journal.read()[-1]
    assert order.body == CorrectPit(pit="F", count=7, by="page")
    stage.journal.append(OrderAnswered(order=order.number, done=False, sentence="That makes 51 seeds of 48."))
    expect(page.locator("#feed .note.refused")).to_contain_text("51 seeds")


def test_refusal_is_shown_where_it_was_asked(stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.live()
    page = visit()
    page.get_by_role("button", name="South a: 0 seeds").click()
    dialog = page.get_by_role("dialog")
    dialog.locator("form").evaluate("form => form.noValidate = true")
    dialog.locator("input").fill("400")
    dialog.get_by_role("button", name="Correct").click()
    expect(dialog.get_by_role("alert")).to_have_text("Pit a cannot hold 400; enter 0 to 96.")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def test_a_game_is_offered_once_the_tables_own_is_known(stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.live()
    page = visit()
    page.route("**/events?*", lambda route: route.abort())
    page.reload(wait_until="domcontentloaded")
    button = page.get_by_role("button", name="New game")
    expect(button).to_be_disabled()
    page.unroute("**/events?*")
    expect(button).to_be_enabled()


def test_beginning_a_new_game(stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.live()
    page = visit()
    expect(page.locator("#playing")).to_contain_text("Enkeshui")
    page.get_by_role("button", name="New game").click()
    board, beginning = page.get_by_label("Board", exact=True), page.get_by_label("Start from")
    expect(board.get_by_role("option")).to_have_text(["2 × 8", "2 × 10", "2 × 12"])
    page.get_by_label("Game", exact=True).select_option("endodoi")
    expect(board).to_have_value("2x6")
    page.get_by_label("Game", exact=True).select_option("enkeshui")
    expect(board).to_have_value("2x8")
    expect(beginning).to_have_value("2x8-right")
    page.get_by_label("Game", exact=True).select_option("endodoi")
    page.get_by_label("Board", exact=True).select_option("2x7")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert stage.journal.read()[-1].type == "NewGame"
    stage.begin("endodoi", "2x7")
    stage.live()
    expect(page.get_by_role("gridcell")).to_have_count(14)
    expect(page.locator("#playing")).to_have_text("En Dodoi · 2 × 7 · Merker’s rules")


def test_doubt_names_its_pits(stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.doubt("d", "E")
    stage.live(doubtful=("d",))
    page = visit()
    expect(page.locator("#mood")).to_have_text("Not sure")
    expect(page.locator("#decide button")).to_have_text(["Count again", "Accept the move", "Take it back"])
    expect(page.locator(".look button")).to_have_text(["Correct pit d …", "Correct pit E …"])
    expect(page.locator("#picture .overlay .doubt")).to_have_count(2)
    page.get_by_role("button", name="Correct pit E …").click()
    expect(page.get_by_role("dialog")).to_contain_text("North, pit E")


def test_a_machine_that_looks_at_too_few_pictures_says_so(stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.live(fps=29.0, given=30.0)
    page = visit()
    rate = page.locator(".rate")
    expect(rate).to_have_text("29 pictures a second")
    stage.live(fps=9.0, given=30.0, behind=True)
    expect(rate).to_have_text("This machine manages only 9 pictures a second.")
    stage.live(fps=0.3)
    expect(rate).to_have_text("Less than one picture a second")


def test_blindness_is_loud(stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.live()
    page = visit()
    expect(page.locator("#mood")).to_have_text("Watching")
    stage.journal.append(Blind(why="the camera is gone", todo="plug it in again"))
    expect(page.locator("#mood")).to_have_text("Not watching")
    expect(page.locator("#why")).to_have_text("The camera is gone. Plug it in again.")
    expect(page.locator("#assertive")).to_contain_text("Not watching")
    stage.journal.append(Sighted())
    stage.live()
    expect(page.locator("#mood")).to_have_text("Watching")


def test_a_blink_is_said_to_have_lasted_a_moment(stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.journal.append(Blind(why="the camera gave no pictures for 0.6 s", lasted=0.6))
    stage.journal.append(Sighted())
    page = visit()
    note = page.locator("#feed .note.seen .stamp")
    expect(note).to_have_text(re.compile(r"^Was not watching for a moment at [\d:]+$"))


def test_page_survives_the_server(stage: Stage, served: Served, visit: Open) -> None:
    stage.begin()
    stage.legal()
    page = visit()
    expect(page.locator("#feed .verdict")).to_have_count(1)
    served.stop()
    expect(page.locator("#line")).to_have_text("Connection lost, trying again …")
    stage.cheat()
    served.start()
    expect(page.locator("#feed .verdict")).to_have_count(2)
    expect(page.locator("#line")).not_to_have_text("Connection lost, trying again …")
    stage.live()
    withdraw(page)
    expect(page.locator(".ruled")).to_have_count(1)
    assert stage.journal.read()[-1].type == "Withdraw", "and its token is still good"


def test_order_after_the_server_lost_its_key(stage: Stage, served: Served, visit: Open) -> None:
    stage.begin()
    stage.cheat()
    page = visit()
    expect(page.locator("#feed .verdict")).to_have_count(1)
    served.stop()
    (served.folder / "page.key").unlink()
    served.start()
    page.get_by_role("button", name="Accept the move").click()
    expect(page.locator("body")).to_have_attribute("data-role", "watch")
    assert stage.journal.read()[-1].type == "VerdictGiven", "nobody knows any more who sits at the machine"
    page.goto(served.url + served.link())
    page.get_by_role("button", name="Accept the move").click()
    expect(page.locator(".ruled")).to_have_count(1)


def test_page_without_a_free_feed(stage: Stage, served: Served, visit: Open) -> None:
    served.stop()
    served.config["MAX_FEEDS"] = 0
    served.start()
    stage.begin()
    page = visit()
    expect(page.get_by_role("gridcell")).to_have_count(16)
    stage.cheat()
    expect(page.locator("#feed .verdict.illegal")).to_have_count(1)


def test_replay_comes_back_to_the_present(stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.legal("c")
    page = visit(calm=True)
    page.get_by_role("button", name="Show the last move").click()
    expect(page.locator("#replay-word")).to_have_text("Before the move")
    expect(page.locator("#board .number").first).to_be_visible()
    expect(page.get_by_role("button", name="Show the last move")).to_be_visible(timeout=30_000)
    expect(page.locator("#board .number")).to_have_text([str(n) for n in stage.position.counts])


def test_names_from_the_journal_are_text(stage: Stage, visit: Open) -> None:
    stage.begin()
    verdict = stage.cheat()
    event = stage.journal.get(verdict)
    assert event is not None and isinstance(event.body, VerdictGiven)
    stage.journal.append(replace_struct(event.body, sentence="<img src=x onerror=alert(1)>"))
    page = visit()
    expect(page.locator("#feed .verdict").first).to_contain_text("<img src=x onerror=alert(1)>")
    expect(page.locator("#feed img[src=x]")).to_have_count(0)


def test_nothing_moves_but_the_feed(stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.live()
    page = visit()
    expect(page.locator("#mood")).to_have_text("Watching")
    expect(page.locator("#picture img")).to_have_count(1)
    page.evaluate("""() => { window.shifts = []; new PerformanceObserver(list => {
        for (const entry of list.getEntries()) for (const source of entry.sources)
            window.shifts.push(source.node?.closest?.('section')?.className ?? String(source.node));
    }).observe({type: 'layout-shift'}); }""")
    for told in range(1, 5):
        stage.legal()
        stage.live()
        expect(page.locator("#feed .verdict")).to_have_count(told)
    page.evaluate(DRAWN)
    assert [name for name in page.evaluate("window.shifts") if name != "said"] == []


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_what_is_read_in_the_feed_stays_where_it_is(stage: Stage, visit: Open, size: tuple[int, int]) -> None:
    """Whatever comes in above it: new verdicts, a clip, photographs."""
    stage.begin()
    stage.place()
    for _ in range(18):  # enough to scroll through
        stage.legal()
    foul = stage.cheat()
    stage.live()
    page = visit(*size)
    read = page.locator("#feed > li").nth(4)
    read.evaluate("node => { node.id = 'read'; }")
    expect(page.locator("#picture .overlay g")).to_have_count(16)  # on a phone the picture itself is below the screen
    page.evaluate(DRAWN)
    page.evaluate(f"() => {{ {SCROLLED}; {SHIFTS} }}")
    top = page.evaluate(TOP)
    stage.clip(foul)
    expect(page.get_by_role("button", name="Show the clip")).to_have_count(1)
    for told in range(20, 22):
        stage.legal()
        stage.live()
        expect(page.locator("#feed .verdict")).to_have_count(told)
    until(page, TOP, lambda now: abs(now - top) <= 1)
    page.evaluate(DRAWN)
    assert page.evaluate("window.shifts") == []


SHIFTS = """window.shifts = []; new PerformanceObserver(list => {
    for (const entry of list.getEntries()) for (const source of entry.sources)
        if (source.node?.closest?.('#feed'))
            window.shifts.push(source.node.closest('li')?.dataset.number ?? String(source.node.nodeName));
}).observe({type: 'layout-shift'});"""
"""From here on, what moves in the feed without anybody's doing."""
SCROLLED = """const read = document.getElementById('read'), box = read.closest('.said');
if (box.scrollHeight > box.clientHeight + 1) box.scrollTop = read.offsetTop - box.offsetTop - box.clientHeight / 2;
else read.scrollIntoView({ block: 'center' })"""
"""What is read lies in the middle of what scrolls: of the page on a phone, of the feed on a desk."""
TOP = "document.getElementById('read').getBoundingClientRect().top"


@pytest.mark.parametrize("board", ["2x8", "2x12"])
def test_fits_every_screen(stage: Stage, visit: Open, board: str) -> None:
    stage.begin(board=board)
    stage.legal()
    stage.cheat()
    stage.live()
    page = visit(width=320, height=800)
    expect(page.locator("#feed .verdict.illegal")).to_have_count(1)
    for width in (320, 390, 980):
        page.set_viewport_size({"width": width, "height": 800})
        fits(page, width)
        until(page, "[...document.querySelectorAll('.grid button')].map(b => b.getBoundingClientRect())"
                    ".map(r => Math.min(r.width, r.height))", lambda sizes: min(sizes) >= 24)  # they can be touched


@pytest.mark.parametrize("scene", ["blind", "dialog"])
def test_accessible(stage: Stage, visit: Open, scene: str) -> None:
    stage.begin()
    stage.legal()
    stage.cheat()
    if scene == "blind":
        stage.doubt("d", "E")
        stage.journal.append(Blind(why="the board moved", todo="hold it still"))
    stage.live()
    page = visit(calm=True)
    expect(page.locator("#feed .verdict.illegal")).to_have_count(1)
    expect(page.locator("#picture img")).to_have_count(1)
    if scene == "dialog":
        page.get_by_role("button", name="New game").click()
        expect(page.get_by_role("dialog")).to_be_visible()
    accessible_in_each_theme(page)


# ---- who may rule

def test_a_spectator_cannot_rule_and_a_referee_can(stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.live()
    set_pin(stage.folder / "page.pin", "271828")
    verdict = stage.cheat("c")
    page = visit()
    card = page.locator("#feed .verdict.illegal")
    expect(card.locator(".sentence")).to_be_visible()
    expect(page.get_by_role("button", name="Accept the move")).to_have_count(0)
    expect(page.get_by_role("button", name="I object")).to_have_count(1)
    expect(page.get_by_role("button", name="New game")).to_be_hidden()
    page.get_by_role("button", name=re.compile("^South a: ")).click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("link", name="Referee").click()
    signed_in(page, "271829")
    expect(page.get_by_role("alert")).to_have_text("Wrong PIN.")
    signed_in(page, "271828")
    page.get_by_role("button", name="Accept the move").click()
    expect(page.locator(".ruled")).to_contain_text("The table is carrying it out")
    assert stage.journal.read()[-1].body == LetStand(verdict=verdict, by="page")


def test_session_that_ended_is_told_so(stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.live()
    last = stage.cheat("c")
    page = visit()
    stand = page.get_by_role("button", name="Accept the move")
    expect(stand).to_be_visible()
    set_pin(stage.folder / "page.pin", "271828")
    stand.click()
    expect(page.locator("#line")).to_have_text("Ruling needs the referee’s PIN. Sign in first.")
    expect(stand).to_have_count(0)
    assert stage.journal.last == last
