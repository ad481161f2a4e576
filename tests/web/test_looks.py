"""How the page looks: where the board and the camera are, what is drawn over the picture, whose names stand where, and
what a visitor chooses for this device."""

import re
from pathlib import Path

import cv2
import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from device.journal.events import Forfeit, GameOver, NotAsSeen, TeamsNamed
from tests.waiting import wait_for
from tests.web.conftest import Served
from tests.web.stage import Stage
from tests.web.visits import PHONE, Open, accessible, accessible_at_each_size, at_each_size, fits, until
from web.words import LANGUAGES

STATIC = Path(__file__).parents[2] / "web" / "static"


def box(page: Page, selector: str) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of an element."""
    found = page.locator(selector).bounding_box()
    assert found is not None
    return found["x"], found["y"], found["x"] + found["width"], found["y"] + found["height"]


@pytest.mark.browser
def test_board_and_camera_are_side_by_side_and_nothing_hides_the_picture(stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.live()
    stage.cheat("c")
    page = visit(width=1280, height=800, calm=True)
    expect(page.locator("#picture .overlay g")).to_have_count(16)
    expect(page.locator("#picture img")).to_have_count(1)
    board, picture = box(page, "#board"), box(page, "#picture")
    assert picture[0] >= board[2] and max(picture[3], board[3]) <= 800, "side by side, both wholly on the first screen"
    assert box(page, "#rate")[1] >= picture[3] and box(page, ".switch")[1] >= picture[3]
    until(page, """() => [...document.querySelectorAll('#picture .overlay g')].filter(g => {
        const [c, t] = [g.querySelector('circle'), g.querySelector('text').getBBox()];
        const [x, y, r] = ['cx', 'cy', 'r'].map(name => Number(c.getAttribute(name)));
        const [dx, dy] = [Math.max(t.x - x, 0, x - t.x - t.width), Math.max(t.y - y, 0, y - t.y - t.height)];
        return Math.hypot(dx, dy) < 0.7 * r; }).length""", lambda over: over == 0)  # numbers lie beside their seeds
    enlarge = page.get_by_role("button", name="Enlarge the live picture")
    enlarge.click()
    dialog = page.get_by_role("dialog", name="Through the camera")
    expect(dialog.locator("#picture img")).to_have_count(1)
    until(page, "[document.querySelector('#picture').getBoundingClientRect()].map(r => [r.width, r.bottom])[0]",
          lambda large: large[0] > 1000 and large[1] <= 800)
    accessible(page)
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page.locator(".hold > #picture")).to_have_count(1)
    expect(enlarge).to_be_focused()
    enlarge.press("Enter")
    page.locator("#picture").click()
    expect(dialog).to_be_hidden()


@pytest.mark.browser
@pytest.mark.parametrize("language", list(LANGUAGES))
def test_the_header_names_the_whole_game_beside_every_room(stage: Stage, visit: Open, language: str) -> None:
    stage.begin()
    stage.cheat()
    stage.begin("layligoobalay", "2x6")
    stage.live()
    page = visit(*PHONE, calm=True, language=language)
    expect(page.locator("#open-fouls")).to_be_visible()
    expect(page.locator("#new-game")).to_be_enabled()
    for width, height in (PHONE, PHONE[::-1]):
        page.set_viewport_size({"width": width, "height": height})
        until(page, """(() => { const name = document.getElementById('playing');
            return [name.scrollWidth - name.clientWidth, name.scrollHeight - name.clientHeight]; })()""",
              lambda hidden: hidden[0] <= 0 and hidden[1] < 8)  # less than half a line
        fits(page, width)


@pytest.mark.browser
@pytest.mark.parametrize("scene", ["ended", "next"])
def test_the_end_of_a_game_leaves_the_board_on_a_phone_held_sideways(stage: Stage, visit: Open, scene: str) -> None:
    stage.begin()
    stage.legal("c")
    stage.journal.append(GameOver(result="8-24", winner="S", reason="North cannot move"))
    if scene == "next":
        stage.begin()
    stage.live()
    page = visit(width=844, height=390)
    expect(page.locator("#board .wooden")).to_be_in_viewport(ratio=1)
    expect(page.locator("#ending :is(button, a)").first).to_be_in_viewport(ratio=1)


@pytest.mark.browser
def test_the_picture_says_what_was_judged_while_the_verdict_is_shown(stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.legal("c")
    name, n = "d", stage.position.counts[stage.position.board.pit("d")]
    stage.live(counts={name: n - 1}, doubtful=(name,))
    page = visit()
    number = page.locator("#picture .overlay g").nth(stage.position.board.pit(name)).locator("text")
    expect(number).to_have_text(str(n))
    stage.live("hands-in", counts={name: n - 1}, doubtful=(name,))
    expect(number).to_have_text(f"{n - 1}?")
    stage.doubt(name)
    stage.live(counts={name: n - 1})
    expect(number).to_have_text(f"{n}?")


@pytest.mark.browser
def test_nothing_drawn_on_the_board_hides_a_number_or_leaves_the_wood(stage: Stage, visit: Open) -> None:
    """The way of a move goes round the ends of rows; the grain ends where the wood does."""
    stage.begin("omweso", "4x8")
    stage.legal("i")
    page = visit()
    expect(page.locator("#board .tip")).to_have_count(1)
    crossed = """() => {
        const numbers = [...document.querySelectorAll('#board :is(.number, .letter)')].map(one => one.getBBox());
        const ways = [...document.querySelectorAll('#board path.lap')];
        return ways.flatMap(way => Array.from({length: 400},
                (_, i) => way.getPointAtLength(way.getTotalLength() * i / 399)))
            .filter(p => numbers.some(b => p.x > b.x - 2 && p.x < b.x + b.width + 2 && p.y > b.y + 4
                                          && p.y < b.y + b.height - 4)).length;
    }"""
    assert page.evaluate(crossed) == 0
    assert page.evaluate("document.querySelectorAll('#board g[clip-path] .grain').length") > 10
    assert page.evaluate("document.querySelectorAll('#board .grain').length") == page.evaluate(
        "document.querySelectorAll('#board g[clip-path] .grain').length")


LINES = "new Set([...document.querySelectorAll('.rooms a')].map(a => a.offsetTop)).size"


@pytest.mark.browser
def test_what_new_users_look_for_is_in_sight(stage: Stage, visit: Open) -> None:
    """On a phone: the rooms in one line, the way to languages and colours, to the clock, to other rules."""
    stage.begin("omweso", "4x8")
    stage.cheat()
    stage.live()
    page = visit(*PHONE, calm=True)
    expect(page.locator("#clock")).to_be_visible()
    until(page, LINES, lambda lines: lines == 1)
    page.get_by_role("link", name="Language, look, help").click()
    expect(page.get_by_label("Colours")).to_be_in_viewport()
    expect(page.get_by_text("To correct a count, tap the pit.")).to_be_visible()
    page.get_by_role("button", name="New game").click()
    more = page.get_by_role("dialog").get_by_role("link", name="More options")
    expect(more).to_have_attribute("href", "/setup/game")
    accessible(page)
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Turn the clock off, or change it").click()
    expect(page.get_by_label("Are turns timed?").locator("visible=true")).to_be_in_viewport()


@pytest.mark.browser
def test_a_recount_shows_the_photograph_the_letters_and_the_move(stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.live()
    stage.journal.append(TeamsNamed(south=["Naserian"]))
    verdict = stage.cheat("c")
    page = visit(calm=True)
    page.get_by_role("button", name="Count again").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("after this move (Naserian c)")
    assert dialog.locator("img").evaluate("async i => (await i.decode(), i.naturalWidth)") == 640
    expect(dialog.locator(".cell small")).to_have_text([
        *"HGFEDCBA", *"abcdefgh", "Captured by North", "Captured by Naserian"])
    accessible_at_each_size(page)
    for width, height in ((844, 390), (1280, 600)):
        page.set_viewport_size({"width": width, "height": height})
        for seen in (dialog.locator("img"), *dialog.get_by_role("button").all()):
            expect(seen).to_be_in_viewport(ratio=1)  # nothing to scroll to
    dialog.get_by_role("button", name="Judge it again").click()
    wait_for(lambda: isinstance(stage.journal.read()[-1].body, NotAsSeen))
    order = stage.journal.read()[-1].body
    assert isinstance(order, NotAsSeen) and order.verdict == verdict


@pytest.mark.browser
@pytest.mark.parametrize("language", list(LANGUAGES))
def test_a_recount_after_the_end_of_a_game_fits_a_phone_held_sideways(stage: Stage, visit: Open, language: str) -> None:
    stage.begin()
    stage.cheat("c")
    stage.journal.append(GameOver(result="16-0", winner="S", reason="North cannot move"))
    stage.live("over")
    page = visit(844, 390, calm=True, language=language)
    page.locator("#ending .buttons button").last.click()
    dialog = page.get_by_role("dialog")
    dialog.locator(".step").last.click()  # a seed too many: that, too, is to be confirmed
    expect(dialog.get_by_role("checkbox")).to_have_count(2)
    for seen in (dialog.locator("img"), *dialog.get_by_role("checkbox").all(), *dialog.get_by_role("button").all()):
        expect(seen).to_be_in_viewport(ratio=1, timeout=9_000)


@pytest.mark.browser
def test_what_is_chosen_for_this_device_lasts(stage: Stage, served: Served, visit: Open) -> None:
    stage.begin()
    stage.live()
    page = visit(theme="light", calm=True)
    ground, size = "getComputedStyle(document.body).backgroundColor", "getComputedStyle(document.body).fontSize"
    until(page, size, lambda usual: usual == "17px")
    light = page.evaluate(ground)
    page.get_by_label("Colours").select_option("dark")
    page.get_by_label("Text").select_option("larger")
    until(page, size, lambda large: large == "23.375px")
    dark = until(page, ground, lambda colour: colour != light)
    page.goto(served.url + "games")
    expect(page.get_by_label("Colours")).to_have_value("dark")
    until(page, f"[{ground}, {size}]", lambda both: both == [dark, "23.375px"])
    page.get_by_role("link", name="Table", exact=True).click()
    expect(page.locator("#mood")).to_have_text("Watching")
    for _ in at_each_size(page):
        expect(page.locator("#mood")).to_be_visible()
    page.get_by_label("Colours").select_option("light")
    page.emulate_media(color_scheme="dark")
    until(page, ground, lambda colour: colour == light)  # chosen, whatever the device says
    page.get_by_label("Colours").select_option("")
    until(page, ground, lambda colour: colour == dark)


@pytest.mark.browser
def test_a_game_without_captures_and_bulls_shows_none(stage: Stage, visit: Open, client: FlaskClient) -> None:
    stage.begin("omweso", "4x8")
    stage.legal()
    stage.live()
    assert 'class="captured"' not in client.get("/").text and "lapEnd" not in client.get("/").text
    page = visit(calm=True)
    expect(page.locator("#legend li").filter(has_text="in doubt")).to_have_count(1)
    expect(page.locator("#legend li").filter(has_text="bull")).to_have_count(0)
    expect(page.locator(".captured")).to_have_count(0)
    expect(page.locator(".under .term")).to_have_count(2)
    stage.begin("enkeshui")
    expect(page.locator("#legend li").filter(has_text="bull")).to_have_count(2)
    expect(page.locator(".captured")).to_have_count(2)


def test_teams_are_called_by_their_names(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    stage.cheat("c")
    stage.journal.append(Forfeit(side="S"))
    stage.take()
    old = client.get("/api/v1/games").get_json()["games"][0]["number"]
    stage.begin()
    stage.journal.append(TeamsNamed(south=["Naserian"], north=["Sironka", "Lemayian"]))
    game = client.get("/api/v1/games").get_json()["games"][0]["number"]
    foul = stage.cheat("c")
    stage.journal.append(Forfeit(side="S"))
    stage.take()
    stage.journal.append(TeamsNamed(south=["Nashipae", "Naeku", "Resiato"]))
    stage.begin()
    stage.live()
    page = client.get("/").text
    assert "Nashipae’s team" in page and "South c</span>" in page and "South resigned" in page, "others played then"
    assert "Sironka &amp; Lemayian won" in client.get(f"/games/{game}").text
    assert ">2 of" not in client.get(f"/games/{old}").text and "North won" in client.get(f"/games/{old}").text
    assert ": Naserian c</h1>" in client.get(f"/games/{game}/{foul}").text
    games = client.get("/games").text
    assert "Sironka &amp; Lemayian won" in games and "North won" in games
    listed = client.get("/fouls?show=all").text
    assert "Naserian c" in listed and "South c" in listed and "Nashipae" not in listed
    sheet = client.get("/sheet").text
    assert ">Sironka &amp; Lemayian</td>" in sheet and ">North</td>" in sheet and "Signature: Nashipae’s team" in sheet
    swahili = client.get(f"/games/{game}", headers={"Accept-Language": "sw"}).text
    assert "Sironka na Lemayian" in swahili


@pytest.mark.browser
def test_names_stand_on_the_living_page(stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.live()
    earlier = stage.legal("c")
    stage.journal.append(Forfeit(side="N"))
    stage.take()
    stage.begin()
    page = visit(calm=True)
    expect(page.locator("#player-S strong")).to_have_text("South")
    stage.journal.append(TeamsNamed(south=["Naserian"], north=["Sironka", "Lemayian", "Leshan"]))
    expect(page.locator("#player-S strong")).to_have_text("Naserian")
    expect(page.locator("#player-N strong")).to_have_text("Sironka’s team")
    expect(page.locator("#why")).to_have_text("Naserian to move.")
    stage.journal.append(TeamsNamed(south=["Naserian"], north=["Sironka", "Lemayian"], north_name="Narok Warriors"))
    expect(page.locator("#player-N strong")).to_have_text("Narok Warriors")
    stage.journal.append(TeamsNamed(south=["Naserian"], north=["Sironka", "Lemayian", "Leshan"]))
    expect(page.locator("#player-N strong")).to_have_text("Sironka’s team")
    stage.legal("c")
    expect(page.locator("#feed .who").first).to_have_text("Naserian c")
    expect(page.locator(f"#feed > li[data-number='{earlier}'] strong")).to_have_text("c")
    expect(page.locator("#feed .note.over .sentence")).to_have_text("South won. North resigned.")
    for _ in at_each_size(page):
        expect(page.locator("#player-N strong")).to_be_visible()


def test_a_phone_can_keep_it_as_an_app_that_stores_nothing(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    page = client.get("/").text
    found = re.search(r'rel="manifest" href="([^"]+)"', page)
    assert found is not None
    told = client.get(found[1])
    manifest = told.get_json(force=True)
    assert told.mimetype == "application/manifest+json" and manifest["start_url"] == "/"
    for icon in manifest["icons"]:
        picture = cv2.imread(str(STATIC / icon["src"].rsplit("/", 1)[1]))
        assert picture is not None and f"{picture.shape[1]}x{picture.shape[0]}" == icon["sizes"]
        with client.get(icon["src"]) as answer:
            assert answer.status_code == 200
    scripts = "".join(file.read_text() for file in STATIC.glob("js/*.js"))
    assert "serviceWorker" not in scripts and "caches" not in scripts, "nothing stale is ever shown"
