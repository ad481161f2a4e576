"""Forms: one way forward a step, nothing that was typed is lost, and what is wrong is said at its field."""

import re
from html import unescape

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from device.journal.events import MatchAgreed, NewGame, SeatSouth, TeamsNamed, UseCamera
from tests.quick_pin import set_pin
from tests.web.conftest import Served
from tests.web.stage import Stage
from tests.web.visits import DESKTOP, PHONE, Open, accessible, accessible_at_each_size, at_each_size, pressed, until
from web import create_app

STEPS = ("Camera", "Board", "Game", "Sides and teams", "Who moves first")
ELSEWHERE = {"REMOTE_ADDR": "10.0.0.7"}


def go_on(page: Page) -> None:
    pressed(page, "Save and continue")


def step(page: Page, name: str) -> None:
    """To another step, by the rail."""
    page.get_by_role("navigation", name="Setting up").get_by_role("button", name=re.compile(name)).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)


def fits(page: Page) -> None:
    for _ in at_each_size(page):
        pass


# ---- setting up

@pytest.mark.browser
def test_a_game_that_was_picked_is_the_game_however_one_goes_on(stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.live()
    page = visit(*PHONE, path="setup/game", calm=True)
    page.get_by_role("radio", name=re.compile("^Omweso")).check()
    step(page, "Sides and teams")
    step(page, "Game")
    expect(page.get_by_role("radio", name=re.compile("^Omweso"))).to_be_checked()
    go_on(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Sides and teams")
    go_on(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Who moves first")
    expect(page.locator("main")).to_contain_text("Omweso · Wikipedia’s rules · 4 × 8, four in each outer pit")
    page.get_by_label("South").check()
    page.get_by_role("button", name="Start ▶").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("The seeds")
    body = stage.journal.read()[-1].body
    assert isinstance(body, NewGame) and (body.game, body.board) == ("omweso", "4x8")


@pytest.mark.browser
def test_every_step_has_one_way_forward(stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.live(cameras=[("sim", "simulated table")])
    page = visit(*PHONE, path="setup/camera", calm=True)
    for name in STEPS:
        expect(page.get_by_role("heading", level=1)).to_have_text(name)
        for _ in at_each_size(page):
            expect(page.locator("main .strong:visible")).to_have_count(1)
            expect(page.locator(".guided-step a").filter(has_text="▶")).to_have_count(0)
        if name != STEPS[-1]:
            go_on(page)


BORDERS = "[...document.querySelectorAll('.game-choice')].map(e => getComputedStyle(e).borderTopColor)"
"""The colour of each game's border, which changes a moment after the choice."""


@pytest.mark.browser
def test_one_game_alone_looks_selected(stage: Stage, visit: Open) -> None:
    stage.begin()
    page = visit(*PHONE, path="setup/game", calm=True)
    for name in ("Enkeshui", "Omweso", "En Dodoi"):
        page.get_by_role("radio", name=re.compile(f"^{name}")).check()
        expect(page.locator("input:checked:visible[name=game]")).to_have_count(1)
        expect(page.locator("input:checked:visible[name^=board-]")).to_have_count(1)
        expect(page.locator(".house-rules:visible")).to_have_count(1)
        until(page, BORDERS, lambda shown: sorted(map(shown.count, set(shown))) == [1, len(shown) - 1])
        page.locator(".house-rules:visible summary").click()
        expect(page.get_by_label("Are turns timed?")).to_be_visible(visible=name == "Omweso")
    accessible(page, "structure")


@pytest.mark.browser
def test_names_outlive_a_look_at_another_step(stage: Stage, visit: Open) -> None:
    last = stage.begin()
    page = visit(*DESKTOP, path="setup/teams", calm=True)
    page.get_by_role("group", name="South").get_by_label("Players").fill("Ada\nAda")
    page.get_by_role("group", name="North").get_by_label("Players").fill("Bo")
    step(page, "Board")  # what cannot be saved is no reason to stay
    assert not [e for e in stage.journal.read(last) if isinstance(e.body, TeamsNamed)]
    step(page, "Sides and teams")
    expect(page.get_by_role("group", name="South").get_by_label("Players")).to_have_value("Ada\nAda")
    expect(page.get_by_role("group", name="North").get_by_label("Players")).to_have_value("Bo")
    page.get_by_role("group", name="South").get_by_label("Players").fill("Ada")
    step(page, "Board")
    assert stage.journal.read()[-1].body == TeamsNamed(south=["Ada"], north=["Bo"], by="page")


@pytest.mark.browser
def test_counts_and_the_chosen_side_outlive_the_lot_and_other_steps(stage: Stage, visit: Open) -> None:
    stage.begin("omweso", "4x8")
    stage.live()
    page = visit(*PHONE, path="setup/game", calm=True)
    page.locator("label").filter(has_text="Each player arranges").get_by_role("radio").check()
    go_on(page)
    go_on(page)
    page.get_by_label("South i", exact=True).fill("7")
    page.get_by_label("North", exact=True).check()
    step(page, "Board")
    step(page, "Who moves first")
    expect(page.get_by_label("South i", exact=True)).to_have_value("7")
    expect(page.get_by_label("North", exact=True)).to_be_checked()
    page.get_by_role("button", name="Draw the lot").click()
    expect(page.get_by_text("The lot was drawn:")).to_be_visible()
    expect(page.get_by_label("South i", exact=True)).to_have_value("7")
    page.get_by_role("button", name="Start ▶").click()
    alert = page.get_by_role("alert")
    expect(alert).to_have_count(1)
    expect(alert).to_contain_text("cannot start from this")
    expect(page.get_by_label("South i", exact=True)).to_have_value("7")
    page.get_by_role("button", name="Read the board again").click()
    expect(page.get_by_label("South i", exact=True)).to_have_value("4")


def test_leaving_a_step_without_a_script_saves_it(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    answer = client.post("/setup/game", data={"game": "endodoi", "board-endodoi": "2x7/2x7", "go": "camera"})
    assert answer.headers["Location"] == "/setup/camera"
    assert re.search(r'name="game" value="endodoi" checked', client.get("/setup/game").text)


def test_camera_and_edge_are_ordered_once_and_only_where_they_change(stage: Stage, client: FlaskClient) -> None:
    last = stage.begin()
    stage.live(cameras=[("usb:2", "lens"), ("sim", "stage")])
    assert client.post("/setup/camera", data={"camera": "sim"}).headers["Location"] == "/setup/board"
    assert client.post("/setup/south", data={"edge": "bottom"}).headers["Location"] == "/setup/game"
    assert stage.journal.last == last, "so it is already"
    client.post("/setup/camera", data={"camera": "usb:2"})
    assert stage.journal.read()[-1].body == UseCamera(camera="usb:2", by="page")
    client.post("/setup/south", data={"edge": "left"})
    assert stage.journal.read()[-1].body == SeatSouth(edge="left", by="page")
    client.post("/setup/empty", data={"edge": "top"})
    assert re.search(r'value="top" checked', client.get("/setup/board").text), "chosen, and not saved yet"


# ---- what was typed, after an error

@pytest.mark.browser
@pytest.mark.parametrize("path", ["match", "setup/teams"])
def test_a_name_twice(stage: Stage, visit: Open, path: str) -> None:
    stage.begin()
    page = visit(*PHONE, path=path, calm=True)
    south, north = (page.get_by_role("group", name=side).get_by_label("Players") for side in ("South", "North"))
    south.fill("Naserian\nNaserian")
    north.fill("Sironka\nLemayian")
    page.get_by_role("button", name="Save and continue" if path != "match" else "Save teams").click()
    expect(page.get_by_role("alert")).to_have_text("Not possible: a name appears twice.")
    expect(south).to_have_value("Naserian\nNaserian")
    expect(north).to_have_value("Sironka\nLemayian")
    expect(south).to_have_accessible_description(re.compile("Not possible"))
    expect(south).to_be_focused()
    accessible_at_each_size(page)


@pytest.mark.browser
def test_a_match_that_cannot_be_agreed_on(stage: Stage, visit: Open) -> None:
    stage.begin()
    page = visit(*PHONE, path="match", calm=True)
    page.get_by_role("radio", name=re.compile("^Omweso")).check()
    page.get_by_role("radio", name=re.compile("^Igisoro rules")).check()
    page.locator(".house-rules:visible summary").click()
    page.get_by_label("Seconds to begin a turn").fill("0")
    page.get_by_role("textbox", name="Number of games or points").fill("many")
    page.get_by_role("button", name="Start match").click()
    expect(page.get_by_role("alert")).to_have_text("“0” is not possible; enter a whole number from 1 to 60.")
    seconds = page.get_by_label("Seconds to begin a turn")
    expect(seconds).to_be_visible()
    expect(seconds).to_have_value("0")
    expect(page.get_by_role("textbox", name="Number of games or points")).to_have_value("many")
    expect(page.get_by_role("radio", name=re.compile("^Omweso"))).to_be_checked()
    seconds.fill("5")
    page.get_by_role("button", name="Start match").click()
    expect(page.get_by_role("alert")).to_contain_text("“many” is not possible")
    expect(page.get_by_label("Seconds to begin a turn")).to_have_value("5")
    page.get_by_role("textbox", name="Number of games or points").fill("4")
    accessible_at_each_size(page)
    page.get_by_role("button", name="Start match").click()
    expect(page.locator("main")).to_contain_text(
        "Rules: Igisoro rules Changed at this table: Seconds to begin a turn 5.")
    assert stage.journal.read()[-1].body == MatchAgreed(
        game="omweso", board="4x8", form="points", rules="igisoro", number=4, sets={"begin_seconds": "5"}, by="page")


@pytest.mark.browser
def test_rules_that_cannot_be_are_said_at_their_field(stage: Stage, visit: Open) -> None:
    last = stage.begin()
    page = visit(*DESKTOP, path="setup/game", calm=True)
    page.get_by_role("radio", name=re.compile("^Omweso")).check()
    page.get_by_role("radio", name=re.compile("^Igisoro rules")).check()
    page.locator(".house-rules:visible summary").click()
    page.get_by_label("Seconds for a move").fill("soon")
    page.get_by_label("Are turns timed?").select_option("No")
    expect(page.get_by_label("Seconds for a move")).to_be_hidden()
    go_on(page)
    expect(page.get_by_role("alert")).to_have_text("“soon” is not possible; enter a whole number from 1 to 3600.")
    expect(page.get_by_label("Seconds for a move")).to_be_focused()
    expect(page.get_by_label("Seconds for a move")).to_have_value("soon")
    expect(page.get_by_label("Are turns timed?")).to_have_value("false")
    expect(page.get_by_role("radio", name=re.compile("^Igisoro rules"))).to_be_checked()
    page.get_by_label("Seconds for a move").fill("90")
    go_on(page)
    go_on(page)
    expect(page.locator("main")).to_contain_text(
        "Changed at this table: Are turns timed? No, Seconds for a move 90.")
    page.get_by_label("South").check()
    page.get_by_role("button", name="Start ▶").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("The seeds")
    (order,) = [e.body for e in stage.journal.read(last) if isinstance(e.body, NewGame)]
    assert (order.rules, order.sets) == ("igisoro", {"clocks": "false", "move_seconds": "90"})


def typed(page: str) -> dict[str, str]:
    """The values of a page's inputs and textareas."""
    found = dict(re.findall(r'<input [^>]*name="([^"]+)"[^>]*value="([^"]*)"', page))
    areas = re.findall(r'<textarea [^>]*name="([^"]+)"[^>]*>([^<]*)</textarea>', page)
    return {name: unescape(text) for name, text in [*found.items(), *areas]}


def test_counts_of_a_past_move_stay_typed(stage: Stage, client: FlaskClient) -> None:
    begun = stage.begin() - 1
    verdict = stage.cheat()
    form = {"what": "not-as-seen"} | {f"n-{name}": "3" for name in "abcdefghABCDEFGH"} | {"n-C": "x"}
    answer = client.post(f"/games/{begun}/{verdict}/rule", data=form)
    assert answer.status_code == 400 and 'id="wrong-n-C" role="alert"' in answer.text
    assert {k: v for k, v in typed(answer.text).items() if k in form} == {k: v for k, v in form.items() if k != "what"}


def test_a_form_that_was_open_for_too_long_loses_nothing(stage: Stage) -> None:
    begun = stage.begin() - 1
    verdict = stage.cheat()
    client = create_app({"DATA": str(stage.folder), "TESTING": True}).test_client()
    names = {"south": "Ada", "north": "Bo"}
    counts = {f"n-{name}": "9" for name in "abcdefghABCDEFGH"}
    for path, form in [("/match/teams", names), ("/setup/teams", names), ("/match/agree", {"number": "17"}),
                       ("/setup/game", {"set-omweso-begin_seconds": "17"}),
                       (f"/games/{begun}/{verdict}/rule", counts)]:
        answer = client.post(path, data=form)
        assert answer.status_code == 400 and "send them again" in answer.text
        assert form.items() <= typed(answer.text).items() and 'name="csrf_token"' in answer.text
    assert client.post("/referee/pin", data={"pin": "31415926"}).status_code == 400
    assert stage.journal.last == verdict


def test_what_was_typed_outlives_signing_in(stage: Stage, app: Flask) -> None:
    stage.begin()
    set_pin(stage.folder / "page.pin", "271828")
    client = app.test_client()
    refused = client.post("/match/teams", data={"south": "Ada", "north": ""}, environ_overrides=ELSEWHERE)
    assert refused.status_code == 403
    client.post("/referee/in", data={"pin": "271828"}, environ_overrides=ELSEWHERE)
    assert typed(client.get("/match", environ_overrides=ELSEWHERE).text)["south"] == "Ada"


def test_a_pin_is_never_written_into_a_page(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    answer = client.post("/referee/pin", data={"pin": "31415926", "again": "27182818"})
    assert answer.status_code == 400 and 'id="wrong-again" role="alert"' in answer.text
    assert "31415926" not in answer.text and "27182818" not in answer.text


def test_no_cookie_grows_too_long(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    noise = "".join(chr(0x3041 + 37 * i * i % 80) for i in range(98))
    for path in ("/setup/teams", "/match/teams"):
        answer = client.post(path, data={"south": f"{noise}\n{noise}", "north": noise})
        assert answer.status_code == 400 and noise in answer.text
        assert all(len(cookie) < 4000 for cookie in answer.headers.getlist("Set-Cookie"))


# ---- the next game, by the same rules

@pytest.mark.browser
def test_the_next_game_is_played_by_the_same_rules(stage: Stage, served: Served, visit: Open) -> None:
    client = create_app({"DATA": str(stage.folder), "TESTING": True, "WTF_CSRF_ENABLED": False}).test_client()
    stage.begin()
    sets = {"race_winner": "went_farthest"}
    order = {"type": "NewGame", "game": "enkeshui", "rules": "wikipedia", "board": "2x8", "position": "2x8-left"}
    assert client.post("/orders", json=order | {"sets": sets}).status_code == 201
    stage.take()
    page = visit(*DESKTOP, calm=True)
    page.get_by_role("button", name="New game").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Rules")).to_have_value("wikipedia")
    expect(dialog).to_contain_text("Changed at this table: Who wins the race? Who went farthest.")
    dialog.get_by_role("button", name="Start").click()
    expect(dialog).to_have_count(0)
    body = stage.journal.read()[-1].body
    assert isinstance(body, NewGame) and (body.rules, body.sets) == ("wikipedia", sets)
    stage.take()
    page.goto(served.url + "match")
    pressed(page, "Start match")
    expect(page.locator("main")).to_contain_text("Rules: Wikipedia’s rules Changed at this table: Who wins the race?")
    page.goto(served.url)
    page.get_by_role("button", name="New game").click()
    expect(dialog.get_by_label("Start from")).to_have_value("due")
    expect(dialog).to_contain_text("the match’s rules apply")
    fits(page)
    dialog.get_by_role("button", name="Start").click()
    expect(dialog).to_have_count(0)
    body = stage.journal.read()[-1].body
    assert isinstance(body, NewGame) and (body.rules, body.sets) == ("wikipedia", sets)


AGREED = ("5 3 3 1 3 3 0 3 3 0", "0 3 3 0 3 3 0 3 3 6")


@pytest.mark.browser
def test_a_match_on_ten_columns_from_an_agreed_start(stage: Stage, served: Served, visit: Open) -> None:
    stage.begin()
    page = visit(*PHONE, path="match", calm=True)
    row = page.get_by_label("South’s row").locator("visible=true")
    expect(row).to_have_count(0)
    page.get_by_label("Board and set-up").locator("visible=true").select_option("2x10/lies")
    row.fill(AGREED[0] + " 9")
    page.get_by_label("North’s row").locator("visible=true").fill(AGREED[1])
    page.get_by_role("button", name="Start match").click()
    expect(page.get_by_role("alert")).to_have_text("You entered 11 numbers; the row has 10 pits.")
    expect(row).to_have_value(AGREED[0] + " 9")
    row.fill(AGREED[0])
    fits(page)
    page.get_by_role("button", name="Start match").click()
    expect(page.locator("main")).to_contain_text("Next: game 1")
    page.goto(served.url)
    page.get_by_role("button", name="New game").click()
    page.get_by_role("dialog").get_by_role("button", name="Start").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    stage.take()
    assert str(stage.position) == "6,3,3,0,3,3,0,3,3,0/5,3,3,1,3,3,0,3,3,0 S 0-0 ply=0"
    page.goto(served.url + "match")
    expect(page.locator("main")).to_contain_text("Now: game 1")
    expect(row).to_have_value(AGREED[0])


@pytest.mark.browser
def test_a_match_form_asks_for_what_its_kind_needs(stage: Stage, visit: Open) -> None:
    stage.begin()
    page = visit(*PHONE, path="match", calm=True)
    number = page.locator("#number")
    for kind, asked in (("enkeshui/sticks", "Number of games"), ("enkeshui/surplus", ""),
                        ("endodoi/ol-alai", "Number of wins"), ("omweso/points", "Number of games or points")):
        page.locator(f"input[value='{kind}']").check()
        if asked:
            expect(number).to_have_accessible_name(asked)
        else:
            expect(number).to_be_hidden()
    expect(page.get_by_text("Wikipedia’s rules").locator("visible=true")).to_have_count(1)
    expect(page.locator("main")).not_to_contain_text("driedger", use_inner_text=True)
    fits(page)
