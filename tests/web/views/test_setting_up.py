"""Setting up: what each step says and orders, games begun by it, the lot, a board as it lies, the invitation."""

import json
import re
from urllib.parse import parse_qs

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import expect

from device.eyes.parameters import PACE
from device.journal.events import (
    BoardFound,
    EmptySeen,
    GameStarted,
    LookEmpty,
    LotDrawn,
    NewGame,
    OrderAnswered,
    PlaceBoard,
    SeatSouth,
    StateEntered,
    TableStarted,
    TeamsNamed,
    TurnPicture,
    UseCamera,
)
from engine.position import Position
from engine.rules import games, ruleset
from tests.web.conftest import Served
from tests.web.stage import Stage
from tests.web.visits import Open, accessible_in_each_theme, fits, pressed, until
from web.readmodel.shapes import pits
from web.views.setup.steps import KEYS

CHOICE = {"game": "enkeshui", "rules-enkeshui": "driedger", "board-enkeshui": "2x8/2x8-left"}
LYING = {"game": "omweso", "rules-omweso": "wikipedia", "board-omweso": "4x8/lies"}


def done(client: FlaskClient) -> dict[str, bool]:
    """Which steps are ticked, on the page of all."""
    page = client.get("/setup").text
    parts = page.split('<li class="card step ')[1:]
    return {part.split('id="setup-')[1].split('"')[0]: part.startswith("done") for part in parts}


def test_the_usual_board_and_set_up_come_first_and_sizes_in_their_order(stage: Stage, client: FlaskClient) -> None:
    stage.begin("omweso", "4x8")
    offered = re.findall(r'name="board-enkeshui" value="([^"]+)"', client.get("/setup/game").text)
    assert offered == ["2x8/2x8-right", "2x8/2x8-left", "2x8/lies", "2x10/lies", "2x12/2x12", "2x12/lies"]
    told = re.search(r'id="offers">(.*?)</script>', client.get("/").text)
    assert told is not None
    enkeshui = next(game for game in json.loads(told[1]) if game["game"] == "enkeshui")
    assert [board["board"] for board in enkeshui["boards"]] == ["2x8", "2x10", "2x12"]
    assert enkeshui["boards"][0]["setups"][0] == "2x8-right"


def test_from_nothing_to_a_game(stage: Stage, client: FlaskClient) -> None:
    assert done(client) == dict.fromkeys(KEYS, False)
    stage.journal.append(TableStarted(camera="stage", version="0"))
    stage.live("searching")
    assert [key for key, ticked in done(client).items() if ticked] == ["camera", "board"]
    line = str(stage.rules.setup())
    stage.journal.append(GameStarted(game="enkeshui", rules="driedger", board="2x8", position=line))
    stage.live("setting-up", "15 of 16 pits are right; check c")
    assert done(client)["first"] and not done(client)["laid"]
    assert "15 of 16 pits are right" in client.get("/setup").text
    stage.journal.append(StateEntered(state="watching"))
    stage.live("watching")
    assert done(client)["laid"]
    assert "Set-up complete. Ready for the first move." in client.get("/setup/laid").text


def test_until_the_table_has_begun_the_new_game_no_step_shows_the_old_one(stage: Stage, client: FlaskClient) -> None:
    stage.journal.append(TeamsNamed(south=["Naserian", "Lemayian"], north=["Sironka"]))
    stage.begin()
    stage.live()
    assert "Set-up complete." in client.get("/setup/laid").text
    assert client.post("/orders", json={"type": "NewGame", "game": "endodoi", "rules": "",
                                        "board": "2x6", "position": "2x6"}).status_code == 201
    page = client.get("/setup/laid").text
    assert "Waiting for the table to start the new game." in page
    assert "Set-up complete." not in page and "How it should be" not in page
    stage.take()
    page = client.get("/setup").text
    assert "South: Naserian, Lemayian · North: Sironka" in page
    assert re.search(r'id="setup-first">.*?<p>South moves first\.</p>', page, re.DOTALL)


def test_a_move_that_is_being_made_is_no_set_up_that_lies_wrong(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    stage.live("hands-in", counts={"c": 0, "d": 5})
    page = client.get("/setup/laid").text
    assert "The set-up is right; the game is on." in page
    assert "pits are right" not in page and "Pit c" not in page and "Lay the seeds as drawn" not in page


def test_a_new_game_is_not_laid_while_the_table_tells_of_the_one_before(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    stage.live("hands-in")
    line = str(ruleset("omweso").setup())
    stage.journal.append(GameStarted(game="omweso", rules="wikipedia", board="4x8", position=line))
    page = client.get("/setup/laid").text
    assert "The set-up is right" not in page and "Waiting for the starting position." in page


def test_a_chosen_set_up_is_named_once_and_in_words(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    chosen = {"game": "omweso", "rules-omweso": "wikipedia", "board-omweso": "4x8/4x8-outer"}
    client.post("/setup/game", data=chosen)
    page = client.get("/setup/first").text
    assert "Omweso · Wikipedia’s rules · 4 × 8, four in each outer pit<" in page


def test_next_step_is_led_to(stage: Stage, client: FlaskClient) -> None:
    assert "Next: Camera" in client.get("/setup").text
    stage.begin()
    stage.live()
    assert "Next: Referee" in client.get("/setup").text, "match and teams may be left out"


@pytest.mark.parametrize("key", KEYS)
def test_every_step_can_be_left_and_returned_to(stage: Stage, client: FlaskClient, key: str) -> None:
    for _ in range(2):  # without a table, and with one
        page = client.get(f"/setup/{key}")
        assert page.status_code == 200 and 'aria-current="step"' in page.text
        assert all(f'href="/setup/{other}"' in page.text or f'name="go" value="{other}"' in page.text for other in KEYS)
        stage.begin()
        stage.live()


def test_step_that_is_none(client: FlaskClient) -> None:
    assert client.get("/setup/step").status_code == client.get("/setup/../x").status_code == 404


@pytest.mark.parametrize(("light", "sharp", "said"), [
    (90.0, 2.6, "Bright enough"), (12.0, 2.6, "Too dark"), (240.0, 2.6, "Too bright"), (90.0, 1.2, "Blurred")])
def test_camera_is_looked_at(stage: Stage, client: FlaskClient, light: float, sharp: float, said: str) -> None:
    stage.begin()
    stage.live(light=light, sharp=sharp)
    assert said in client.get("/setup/camera").text and done(client)["camera"] is (said == "Bright enough")


def test_a_machine_that_looks_at_too_few_pictures_says_so(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    stage.live(fps=9.0, given=30.0, behind=True)
    page = client.get("/setup/camera").text
    assert "stage: 30 pictures a second." in page and "This machine manages only 9 pictures a second." in page
    assert done(client)["camera"], "nobody at the table can mend that"
    stage.live(fps=1.0, given=30.0, behind=True)
    assert "This machine manages only one picture a second." in client.get("/setup/camera").text
    stage.live(fps=29.0, given=30.0)
    assert "This machine" not in client.get("/setup/camera").text


@pytest.mark.parametrize(("fps", "said"), [
    (0.3, "stage: less than one picture a second; quick hands need at least 4."),
    (2.0, "stage: 2 pictures a second; quick hands need at least 4."), (4.0, "stage: 4 pictures a second.")])
def test_a_camera_that_gives_too_few_pictures_has_no_tick(
        stage: Stage, client: FlaskClient, fps: float, said: str) -> None:
    stage.begin()
    stage.live(fps=fps)
    ticked = re.findall(r'<li class="(\w+)"><span aria-hidden="true">.</span> ([^<]*)</li>',
                        client.get("/setup/camera").text)
    assert ("well" if fps == PACE.fewest else "ill", said) in ticked
    assert done(client)["camera"], "nobody at the table can mend that"
    stage.live(fps=0.0)  # the table has not counted any yet
    assert "pictures a second" not in client.get("/setup/camera").text


def test_another_camera_is_asked_for(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    stage.live(cameras=[("usb:2", "<b>Lens</b>"), ("sim", "simulated table")])
    page = client.get("/setup/camera").text
    assert "&lt;b&gt;Lens&lt;/b&gt;" in page and 'value="usb:2"' in page
    assert client.post("/setup/camera", data={"camera": "usb:2"}).status_code == 303
    assert stage.journal.read()[-1].body == UseCamera(camera="usb:2", by="page")
    assert "Waiting for the table." in client.get("/setup/camera").text
    stage.journal.append(OrderAnswered(order=stage.journal.last, done=False, sentence="It is not there."))
    assert "It is not there." in client.get("/setup/camera").text
    refused = client.post("/setup/camera", data={"camera": "/dev/video0"})
    assert refused.status_code == 400 and "There is no camera" in refused.text


def test_left_and_right_are_exchanged_by_a_button_and_the_answer_stands_there(stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.live()
    page = visit(390, 844, path="setup/board")
    pressed(page, "No: exchange left and right")
    expect(page.get_by_role("status").first).to_contain_text("Waiting for the table")
    assert stage.journal.read()[-1].body == TurnPicture(turn="mirrored", by="page")
    stage.journal.append(OrderAnswered(order=stage.journal.last, done=True, sentence="Left and right are exchanged."))
    expect(page.get_by_role("status").first).to_have_text("Left and right are exchanged.")


def test_south_and_the_board_by_hand(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    stage.live()
    assert client.post("/setup/south", data={"edge": "left"}).status_code == 303
    assert stage.journal.read()[-1].body == SeatSouth(edge="left", by="page")
    assert client.post("/setup/turn").status_code == 303
    assert stage.journal.read()[-1].body == TurnPicture(turn="mirrored", by="page")
    places = [(0.1, 0.2, 0.03)] * 16
    assert client.post("/setup/place", data={"pits": json.dumps(places)}).status_code == 303
    assert stage.journal.read()[-1].body == PlaceBoard(pits=places, by="page")
    assert client.post("/setup/place", data={"pits": ""}).status_code == 303
    assert stage.journal.read()[-1].body == PlaceBoard(by="page")
    feed = client.get("/table").get_json()["table"]["items"]
    assert [(item["what"], item["value"]) for item in feed if item["kind"] == "order"] == [
        ("south", "left"), ("turn", ""), ("place", ""), ("find", "")]


@pytest.mark.parametrize(("way", "form"), [
    ("south", {"edge": "sideways"}), ("place", {"pits": "[[1,2]]"}), ("place", {"pits": "["}),
    ("place", {"pits": "[[0.1,0.2,0.03]]"}), ("place", {"pits": json.dumps([(9, 0.2, 0.03)] * 16)}),
    ("camera", {"camera": "usb:7"}), ("begin", {"first": "me"}), ("begin", {}),
])
def test_orders_that_cannot_be(stage: Stage, client: FlaskClient, way: str, form: dict[str, str]) -> None:
    last = stage.begin()
    stage.live()
    answer = client.post(f"/setup/{way}", data=form)
    assert answer.status_code == 400 and 'role="alert"' in answer.text and stage.journal.last == last


def test_empty_board(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    assert client.post("/setup/empty").status_code == 303
    order = stage.journal.read()[-1]
    assert order.body == LookEmpty(by="page")
    still = stage.still(70)
    stage.journal.append(EmptySeen(counts=[0] * 16, still=still))
    stage.journal.append(OrderAnswered(order=order.number, done=True, sentence="16 of 16 pits look empty."))
    page = client.get("/setup/board").text
    assert "16 of 16 pits look empty." in page and f"/evidence/{still}" in page
    assert client.get("/table").get_json()["table"]["table"]["undo"] == 0, "there is nothing to undo about that"


def test_every_game_and_set_up_is_offered(client: FlaskClient) -> None:
    page = client.get("/setup/game").text
    for game in games():
        rules = ruleset(game)
        assert f'name="game" value="{game}"' in page and f'name="rules-{game}" value="{rules.name}"' in page
        for board in rules.boards:
            assert all(f'value="{board}/{name}"' in page for name in (*rules.setups(board), "lies"))


def test_game_is_chosen_then_begun(stage: Stage, client: FlaskClient) -> None:
    last = stage.begin("endodoi", "2x6")
    answer = client.post("/setup/game", data=CHOICE)
    assert answer.headers["Location"] == "/setup/teams" and stage.journal.last == last, "nothing has begun yet"
    assert "2 × 8, seeds to the left" in client.get("/setup/first").text and not done(client)["first"]
    assert client.post("/setup/begin", data={"first": "N"}).headers["Location"] == "/setup/laid"
    body = stage.journal.read()[-1].body
    assert isinstance(body, NewGame) and (body.game, body.rules, body.board) == ("enkeshui", "driedger", "2x8")
    position = Position.parse(body.position)
    assert position.counts == ruleset("enkeshui").setup("2x8-left").counts and position.to_move.letter == "N"


def test_last_tables_settings_are_offered_again(stage: Stage, client: FlaskClient) -> None:
    stage.begin("endodoi", "2x7")
    page = client.get("/setup/game").text
    assert "As last time at this table." in page
    assert re.search(r'value="2x7/2x7" checked', page) and re.search(r'value="endodoi" checked', page)
    assert client.post("/setup/begin", data={"first": "S"}).status_code == 303
    body = stage.journal.read()[-1].body
    assert isinstance(body, NewGame) and (body.game, body.board) == ("endodoi", "2x7")


@pytest.mark.parametrize("change", [
    {"game": "chess"}, {"game": ""}, {"rules-enkeshui": "house"}, {"board-enkeshui": "2x9/x"},
    {"board-enkeshui": ""}, {"board-enkeshui": "2x8/2x12"}, {"game": "<script>"},
])
def test_games_that_cannot_be(stage: Stage, client: FlaskClient, change: dict[str, str]) -> None:
    last = stage.begin()
    answer = client.post("/setup/game", data=CHOICE | change)
    assert answer.status_code == 400 and 'role="alert"' in answer.text and "<script>alert" not in answer.text
    assert stage.journal.last == last


# ---- who moves first

def test_lot_is_drawn_once_and_everybody_sees_it(stage: Stage, client: FlaskClient, app: Flask) -> None:
    stage.begin()
    client.post("/setup/game", data=CHOICE)
    for _ in range(3):
        assert client.post("/setup/lot").status_code == 303
    drawn = [e.body.side for e in stage.journal.read() if isinstance(e.body, LotDrawn)]
    assert len(drawn) == 1
    page = client.get("/setup/first").text
    name = "South" if drawn[0] == "S" else "North"
    assert f"{name} moves first." in page and re.search(rf'value="{drawn[0]}" checked', page)
    feed = app.test_client().get("/table").get_json()["table"]["items"]
    assert [item["side"] for item in feed if item["kind"] == "lot"] == drawn
    client.post("/setup/begin", data={"first": drawn[0]})
    assert "moves first." not in client.get("/setup/first").text, "another game has another lot"


def test_lot_is_fair_enough(stage: Stage, app: Flask) -> None:
    stage.begin()
    for _ in range(40):
        app.test_client().post("/setup/lot")
    drawn = [e.body.side for e in stage.journal.read() if isinstance(e.body, LotDrawn)]
    assert len(drawn) == 40 and set(drawn) == {"S", "N"}


# ---- a board as it lies

def lying(south: list[int], north: list[int]) -> dict[str, str]:
    """A form's counts, along the ring."""
    return {f"n-{pit['name']}": str(n) for pit, n in zip(pits("4x8"), south + north, strict=True)}


def test_arrangements_of_omweso_are_read_and_confirmed(stage: Stage, client: FlaskClient) -> None:
    stage.begin("omweso", "4x8")
    stage.live()
    assert client.post("/setup/game", data=LYING).status_code == 303
    page = client.get("/setup/first").text
    assert "arranges 32 seeds" in page
    values = re.findall(r'name="n-(\w)"[^>]*value="(\d+)"', page)
    assert len(values) == 32 and sum(int(n) for _, n in values) == 64, "as the camera reads it"
    south, north = [32] + [0] * 15, [2] * 16
    answer = client.post("/setup/begin", data={"first": "N", **lying(south, north)})
    assert answer.status_code == 303
    body = stage.journal.read()[-1].body
    assert isinstance(body, NewGame) and Position.parse(body.position).counts == (*south, *north)
    assert Position.parse(body.position).to_move.letter == "N"


@pytest.mark.parametrize(("south", "north", "why"), [
    ([31] + [0] * 15, [2] * 16, "played with 64"), ([34] + [0] * 15, [0, *[2] * 15], "South has 34 seeds on its half"),
    ([99] + [0] * 15, [2] * 16, "not possible"),
])
def test_arrangements_that_cannot_be(stage: Stage, client: FlaskClient, south: list[int], north: list[int],
                                     why: str) -> None:
    last = stage.begin("omweso", "4x8")
    client.post("/setup/game", data=LYING)
    answer = client.post("/setup/begin", data={"first": "S", **lying(south, north)})
    assert answer.status_code == 400 and (why in answer.text or "cannot start" in answer.text)
    assert stage.journal.last == last and f'value="{south[0]}"' in answer.text, "what was typed is kept"


@pytest.mark.parametrize("text", ["", "-1", "²", "x", "100", "1.5"])
def test_counts_that_are_none(stage: Stage, client: FlaskClient, text: str) -> None:
    stage.begin("omweso", "4x8")
    client.post("/setup/game", data=LYING)
    answer = client.post("/setup/begin", data={"first": "S", **lying([2] * 16, [2] * 16), "n-C": text})
    assert answer.status_code == 400 and "Pit C cannot hold" in answer.text


# ---- the proof

def test_pits_that_read_otherwise_are_named(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    stage.live("setting-up", counts={"c": 7}, covered=("D",))
    page = client.get("/setup/laid").text
    assert "14 of 16 pits are right" in page and "Pit c: 7 seen, 4 needed" in page and "Pit D is hidden" in page
    assert page.count('class="ring-odd"') == 2


# ---- who may, and the invitation

def test_teams_lead_on_to_the_next_step(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    answer = client.post("/setup/teams", data={"south": "Ada", "north": "Bo"})
    assert answer.headers["Location"] == "/setup/first"
    assert stage.journal.read()[-1].body == TeamsNamed(south=["Ada"], north=["Bo"], by="page")
    assert done(client)["teams"] and "South: Ada · North: Bo" in client.get("/setup").text


@pytest.mark.parametrize("way", ["camera", "south", "place", "empty", "game", "teams", "lot", "begin"])
def test_spectators_arrange_nothing(stage: Stage, app: Flask, way: str) -> None:
    last = stage.begin()
    stage.live(cameras=[("sim", "simulated table")])
    elsewhere = {"REMOTE_ADDR": "10.0.0.7"}
    data = CHOICE | {"camera": "sim", "edge": "top", "first": "S"}
    answer = app.test_client().post(f"/setup/{way}", data=data, environ_overrides=elsewhere)
    assert answer.status_code == 403 and stage.journal.last == last
    for key in KEYS:
        assert "<form" not in app.test_client().get(f"/setup/{key}", environ_overrides=elsewhere).text


@pytest.mark.parametrize(("host", "shown"), [("192.168.7.2:8000", True), ("localhost:8000", False),
                                             ("127.0.0.1", False), ("[::1]:8000", False)])
def test_invitation_only_by_an_address_that_others_can_open(client: FlaskClient, host: str, shown: bool) -> None:
    page = client.get("/setup", headers={"Host": host}).text
    assert ('class="qr"' in page) == shown and " style=" not in page


# ---- by hand

@pytest.mark.browser
def test_set_up_by_hand(stage: Stage, visit: Open) -> None:
    stage.journal.append(TableStarted(camera="stage", version="0"))
    stage.live("searching", cameras=[("sim", "simulated table")])
    page = visit(width=390, height=844, path="setup", calm=True)
    page.get_by_role("link", name=re.compile("^Board")).first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Board")
    pressed(page, "Save and continue")
    page.get_by_label("2 × 12").first.check()
    pressed(page, "Save and continue")
    pressed(page, "Save and continue")
    page.get_by_role("button", name="Draw the lot").click()
    expect(page.get_by_text("The lot was drawn:")).to_be_visible()
    with page.expect_request(lambda request: request.method == "POST") as sent:
        page.get_by_role("button", name="Start ▶").click()
    assert parse_qs(sent.value.post_data or "")["first"][0] in "SN"
    body = stage.journal.read()[-1].body
    assert isinstance(body, NewGame) and body.board == "2x12"
    expect(page.get_by_role("heading", level=1)).to_have_text("The seeds")
    stage.take()
    stage.live()
    expect(page.get_by_text("Set-up complete").first).to_be_visible()
    expect(page.locator(".rail li").nth(5)).to_have_class("done")
    fits(page, 390)


LEFT = "document.querySelector('[aria-label=\"Position of pit c\"]').getBoundingClientRect().x"


@pytest.mark.browser
def test_board_is_dragged_to_where_it_lies(stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.journal.append(BoardFound(size=(640, 360), pits=[]))
    stage.live()
    page = visit(path="setup/board", calm=True)
    page.get_by_role("button", name="Place it by hand").click()
    corner = page.get_by_role("button", name="Position of pit A", exact=True)
    pit = page.get_by_role("button", name="Position of pit c", exact=True)
    expect(pit).to_be_visible()
    before = page.evaluate(LEFT)
    box = corner.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2 + 60, box["y"] + box["height"] / 2 - 30, steps=4)
    page.mouse.up()
    until(page, LEFT, lambda left: left != before)  # a corner takes the board with it
    pit.focus()
    page.keyboard.press("Shift+ArrowRight")
    page.get_by_role("button", name="Save position").click()
    expect(page.get_by_text("Waiting for the table.")).to_be_visible()
    body = stage.journal.read()[-1].body
    assert isinstance(body, PlaceBoard) and len(body.pits) == 16
    assert body.pits[8][0] > (40 + 70 * 7) / 640 and body.pits[8][1] < 120 / 360, "A is where it was dragged to"


@pytest.mark.browser
def test_every_step_fits_the_smallest_phone(stage: Stage, served: Served, visit: Open) -> None:
    stage.begin("omweso", "4x8")
    stage.live("setting-up", "31 of 32 pits are right; check c", counts={"c": 1})
    page = visit(width=320, height=800, calm=True)
    for key in ("", *KEYS):
        page.goto(f"{served.url}setup/{key}".removesuffix("/"))
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        fits(page, 320)


@pytest.mark.browser
@pytest.mark.parametrize("key", ["camera", "board", "laid", "first"])
def test_steps_that_were_begun_are_accessible_and_fit(stage: Stage, served: Served, visit: Open, key: str) -> None:
    stage.begin("omweso", "4x8")
    stage.live("setting-up", "31 of 32 pits are right; check c", counts={"c": 1}, light=10.0, sharp=1.0,
               cameras=[("sim", "simulated table")])
    page = visit(width=320, height=800, path="setup", calm=True)
    if key == "first":
        page.goto(served.url + "setup/game")
        page.get_by_role("radio", name=re.compile("^Omweso")).check()
        page.locator("label").filter(has_text="Each player arranges").get_by_role("radio").check()
        pressed(page, "Save and continue")
        pressed(page, "Save and continue")
        expect(page.locator("#lay-sums")).to_contain_text("South: ")
    else:
        page.goto(f"{served.url}setup/{key}")
    if key == "board":
        page.get_by_role("button", name="Place it by hand").click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    accessible_in_each_theme(page)
    fits(page, 320)
