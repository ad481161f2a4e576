"""Setting up: what each step says, games begun by it, the lot, the invitation."""

from __future__ import annotations

from urllib.parse import parse_qs

import pytest
from axe_playwright_python.sync_playwright import Axe
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import expect

from device.journal.events import GameStarted, NewGame, StateEntered, TableStarted
from engine.board import Side
from engine.position import Position
from engine.rules import ruleset
from tests.web.stage import Stage
from tests.web.visits import RULES, Open, Theme

CHOICE = {"choice": "enkeshui/driedger", "board-enkeshui": "2x8/2x8-left", "first": "S"}


def done(client: FlaskClient) -> list[bool]:
    page = client.get("/setup").text
    return ["done" in part[:30] for part in page.split('class="card step ')[1:]]


def test_from_nothing_to_a_game(stage: Stage, client: FlaskClient) -> None:
    assert done(client) == [False] * 6
    stage.journal.append(TableStarted(camera="stage", version="0"))
    stage.live("searching")
    assert done(client)[:4] == [True, True, False, False]
    line = str(stage.rules.setup())
    stage.journal.append(GameStarted(game="enkeshui", rules="driedger", board="2x8", position=line))
    stage.live("setting-up", "15 of 16 pits read right; look at c")
    assert done(client)[:4] == [True, True, True, False]
    assert "15 of 16 pits read right" in client.get("/setup").text
    stage.journal.append(StateEntered(state="watching"))
    stage.live("watching")
    assert done(client)[:4] == [True] * 4


def test_every_game_and_set_up_is_offered(client: FlaskClient) -> None:
    page = client.get("/setup").text
    for game in ("enkeshui", "endodoi", "omweso"):
        rules = ruleset(game)
        assert f'value="{game}/{rules.name}"' in page
        for board in rules.boards:
            assert all(f'value="{board}/{name}"' in page for name in rules.setups(board))


@pytest.mark.parametrize(("first", "movers"), [("S", {Side.SOUTH}), ("N", {Side.NORTH}), ("lot", set(Side)),
                                               ("me", {Side.SOUTH})])
def test_beginning_a_game(stage: Stage, client: FlaskClient, first: str, movers: set[Side]) -> None:
    stage.begin()
    assert client.post("/setup/game", data=CHOICE | {"first": first}).status_code == 303
    body = stage.journal.read()[-1].body
    assert isinstance(body, NewGame) and (body.game, body.rules, body.board) == ("enkeshui", "driedger", "2x8")
    position = Position.parse(body.position)
    assert position.counts == ruleset("enkeshui").setup("2x8-left").counts and position.to_move in movers
    page = client.get("/setup").text
    assert (f"{position.to_move.title} moves first." in page) == (first == "lot")
    assert "moves first." not in client.get("/setup").text, "the lot is told once"


@pytest.mark.parametrize("change", [
    {"choice": "chess/x"}, {"choice": ""}, {"choice": "enkeshui/house"}, {"board-enkeshui": "2x9/x"},
    {"board-enkeshui": ""}, {"board-enkeshui": "2x8/2x12"}, {"choice": "<script>"},
])
def test_games_that_cannot_be(stage: Stage, client: FlaskClient, change: dict[str, str]) -> None:
    last = stage.begin()
    answer = client.post("/setup/game", data=CHOICE | change)
    assert answer.status_code == 400 and 'role="alert"' in answer.text and "<script>alert" not in answer.text
    assert stage.journal.last == last


def test_spectators_begin_nothing(stage: Stage, app: Flask) -> None:
    last = stage.begin()
    elsewhere = {"REMOTE_ADDR": "10.0.0.7"}
    answer = app.test_client().post("/setup/game", data=CHOICE, environ_overrides=elsewhere)
    assert answer.status_code == 403 and stage.journal.last == last
    assert "<form" not in app.test_client().get("/setup", environ_overrides=elsewhere).text


@pytest.mark.parametrize(("host", "shown"), [("192.168.7.2:8000", True), ("localhost:8000", False),
                                             ("127.0.0.1", False), ("[::1]:8000", False)])
def test_invitation_only_by_an_address_that_others_can_open(client: FlaskClient, host: str, shown: bool) -> None:
    page = client.get("/setup", headers={"Host": host}).text
    assert ('class="qr"' in page) == shown and " style=" not in page


@pytest.mark.browser
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_set_up_by_hand(stage: Stage, visit: Open, theme: Theme) -> None:
    stage.journal.append(TableStarted(camera="stage", version="0"))
    stage.live("searching")
    page = visit(width=390, height=844, theme=theme, path="setup", calm=True)
    found = Axe().run(page, options={"runOnly": RULES})
    assert found.violations_count == 0, found.generate_report()
    page.get_by_label("2 × 12").first.check()
    page.get_by_label("By lot, drawn here").check()
    with page.expect_request(lambda request: request.method == "POST") as sent:
        page.get_by_role("button", name="Begin").click()
    assert parse_qs(sent.value.post_data or "")["board-enkeshui"] == ["2x12/2x12"]
    expect(page.get_by_role("status")).to_contain_text("The lot was drawn:")
    body = stage.journal.read()[-1].body
    assert isinstance(body, NewGame) and body.board == "2x12"
    stage.begin(board="2x12")
    stage.live()
    expect(page.locator("#setup-laid")).to_have_class("card step done", timeout=20_000)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
