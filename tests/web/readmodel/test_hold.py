"""The hold: spectators see an accusation, and what came of it, only when the referee has looked."""

import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import expect

from device.journal.events import (
    CorrectPit,
    Forfeit,
    GameOver,
    HoldSet,
    LetStand,
    NotAsSeen,
    Shown,
    VerdictGiven,
    Withdraw,
)
from tests.quick_pin import set_pin
from tests.web.stage import Stage, replace_struct
from tests.web.visits import Open, accessible, pressed, signed_in

ELSEWHERE = {"REMOTE_ADDR": "10.0.0.7"}


@pytest.fixture
def watcher(app: Flask) -> FlaskClient:
    """Somebody on another machine."""
    client = app.test_client()
    client.environ_base.update(ELSEWHERE)
    return client


def news(client: FlaskClient, query: str = "") -> dict[str, Any]:
    found: dict[str, Any] = client.get(f"/table{query}").get_json()
    return found


def said(client: FlaskClient) -> list[str]:
    return [item["verdict"] for item in news(client)["table"]["items"] if item["kind"] == "verdict"]


@pytest.fixture
def held(stage: Stage) -> int:
    """A table whose referee wants to look first; a legal move, and a cheat that waits. Its number."""
    stage.begin()
    stage.journal.append(HoldSet(on=True))
    stage.legal()
    return stage.cheat("C")


def test_nothing_is_held_unless_asked_for(stage: Stage, watcher: FlaskClient) -> None:
    stage.begin()
    stage.cheat()
    assert said(watcher) == ["illegal"] and news(watcher)["table"]["table"]["held"] is False


def test_accusation_waits_and_all_that_came_of_it(stage: Stage, client: FlaskClient, watcher: FlaskClient,
                                                  held: int) -> None:
    stage.legal()
    stage.journal.append(GameOver(result="9-4", winner="S", reason="North cannot move"))
    stage.live("watching", "the judge says what it thinks")
    assert said(client) == ["legal", "illegal", "legal"] and said(watcher) == ["legal"]
    seen = news(watcher)
    assert seen["table"]["table"]["held"] and seen["table"]["table"]["over"] is None and seen["table"]["number"] < held
    assert seen["live"]["state"]["why"] == seen["live"]["state"]["position"] == "", "nor by the table's own words"
    assert news(client)["live"]["state"]["why"] and news(client)["table"]["table"]["waiting"] == [held]
    assert seen["table"]["table"]["waiting"] == []


@pytest.mark.parametrize("path", ["/", "/board", "/games", "/games/2", "/sheet", "/match", "/games.csv", "/metrics",
                                  "/api/v1/events", "/api/v1/games", "/api/v1/table", "/games/2/record.txt",
                                  "/games/2/moves.csv", "/games/2/game.json", "/setup/laid"])
def test_no_page_tells(stage: Stage, watcher: FlaskClient, held: int, path: str) -> None:
    event = stage.journal.get(held)
    assert event is not None and isinstance(event.body, VerdictGiven)
    answer = watcher.get(path)
    assert answer.status_code == 200
    text = re.sub(r"<script type=.application/json.*?</script>", "", answer.text, flags=re.DOTALL)
    assert "illegal" not in text.lower() or (path == "/sheet" and "<th" in text)
    assert event.body.sentence not in answer.text and event.body.position not in answer.text
    assert watcher.get(f"/games/2/{held}").status_code == watcher.get(f"/api/v1/events/{held}").status_code == 404


@pytest.mark.parametrize("kind", [LetStand, Withdraw, Shown])
def test_a_ruling_or_a_word_shows_it(stage: Stage, watcher: FlaskClient, held: int, kind: type) -> None:
    stage.legal()
    assert said(watcher) == ["legal"]
    stage.journal.append(kind(verdict=held))
    assert said(watcher) == ["legal", "illegal", "legal"] and news(watcher)["table"]["table"]["held"] is False


@pytest.mark.parametrize("order", [CorrectPit(pit="a", count=1), Forfeit(side="S"), HoldSet(on=False)])
def test_what_the_referee_does_shows_it(stage: Stage, watcher: FlaskClient, held: int, order: CorrectPit) -> None:
    stage.journal.append(order)
    assert said(watcher) == ["legal", "illegal"]


def test_one_after_the_other(stage: Stage, watcher: FlaskClient, held: int) -> None:
    second = stage.cheat()
    stage.journal.append(Shown(verdict=second))
    assert said(watcher) == ["legal"], "in the order in which it happened"
    stage.journal.append(Shown(verdict=held))
    assert said(watcher) == ["legal", "illegal", "illegal"]


def test_what_was_judged_again_is_not_held_again(stage: Stage, watcher: FlaskClient, held: int) -> None:
    event = stage.journal.get(held)
    assert event is not None and isinstance(event.body, VerdictGiven)
    stage.journal.append(NotAsSeen(verdict=held, counts=[3] * 16))
    stage.journal.append(replace_struct(event.body, answers=held))
    assert said(watcher) == ["legal", "illegal", "illegal"]


def test_projector_shows_what_everybody_sees(client: FlaskClient, held: int) -> None:
    assert [i["number"] for i in news(client, "?public")["table"]["items"] if i.get("verdict") == "illegal"] == []


def test_showing_is_ordered(stage: Stage, client: FlaskClient, watcher: FlaskClient, held: int) -> None:
    assert watcher.post("/orders", json={"type": "Shown", "verdict": held}).status_code == 403
    assert client.post("/orders", json={"type": "Shown", "verdict": held - 1}).status_code == 409
    assert client.post("/orders", json={"type": "Shown", "verdict": held}).status_code == 201
    assert stage.journal.read()[-1].body == Shown(verdict=held, by="page") and said(watcher)[-1] == "illegal"
    assert client.post("/orders", json={"type": "Shown", "verdict": held}).status_code == 409


def test_hold_is_set_by_the_referee_alone(stage: Stage, client: FlaskClient, watcher: FlaskClient) -> None:
    assert client.post("/referee/hold", data={"on": "yes"}).status_code == 503
    last = stage.begin()
    assert watcher.post("/referee/hold", data={"on": "yes"}).status_code == 403 and stage.journal.last == last
    assert client.post("/referee/hold", data={"on": "yes"}).status_code == 303
    assert stage.journal.read()[-1].body == HoldSet(on=True, by="page")
    assert "Accusations wait until" in client.get("/referee").text
    assert "Review before publishing" not in watcher.get("/referee").text
    client.post("/referee/hold", data={"on": "no"})
    assert stage.journal.read()[-1].body == HoldSet(on=False, by="page")


@pytest.mark.browser
def test_held_and_shown(stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.live()
    set_pin(stage.folder / "page.pin", "271828")
    watching, referee, projector = visit(), visit(path="referee"), visit(path="board")
    signed_in(referee, "271828")
    referee.get_by_role("link", name="Referee").click()
    pressed(referee, "Review accusations first")
    referee.locator("nav").get_by_role("link", name="Table").click()
    expect(watching.locator("#mood")).to_have_text("Watching")
    stage.cheat("c")
    stage.live()
    for page in (watching, projector):
        expect(page.locator("#mood")).to_have_text("The referee is reviewing")
    expect(referee.locator("#mood")).to_have_text("Illegal move")
    expect(watching.locator("#feed .illegal")).to_have_count(0)
    expect(projector.locator("#board .alarm")).to_have_count(0)
    accessible(referee, within="#feed")
    referee.get_by_role("button", name="Show it to everyone").click()
    for page in (watching, projector, referee):
        expect(page.locator("#mood")).to_have_text("Illegal move")
    expect(referee.locator(".held")).to_have_count(0)
    expect(watching.locator("#feed .illegal")).to_have_count(1)
