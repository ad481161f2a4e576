"""*I object*: anybody marks a move for the referee, without a PIN, and nobody can flood the journal with it."""

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import expect

from device.journal.events import (
    HoldSet,
    LetStand,
    Objected,
    ObjectionWithdrawn,
    OrderAnswered,
    PositionSet,
    RulingUndone,
)
from device.journal.records import records
from tests.quick_pin import set_pin
from tests.web.stage import Stage
from tests.web.visits import DESKTOP, PHONE, Open, accessible, accessible_at_each_size, fits, signed_in
from web.readmodel.book import KEEP as MOST_ITEMS
from web.views.objections import MINUTE_S, MOST_OF_ALL, MOST_OF_ONE, ObjectionLimit

ELSEWHERE = {"REMOTE_ADDR": "10.0.0.7"}


@pytest.fixture
def watcher(app: Flask) -> FlaskClient:
    """Somebody on another machine, who may not rule."""
    client = app.test_client()
    client.environ_base.update(ELSEWHERE)
    return client


def objected(stage: Stage) -> list[int]:
    return [e.body.verdict for e in stage.journal.read() if isinstance(e.body, Objected)]


def test_anybody_may_object_without_a_pin(stage: Stage, watcher: FlaskClient) -> None:
    stage.begin()
    verdict = stage.legal()
    assert watcher.post("/orders", json={"type": "LetStand", "verdict": verdict}).status_code == 403
    answer = watcher.post("/objections", json={"verdict": verdict})
    assert (answer.status_code, answer.get_json()) == (201, {"order": stage.journal.last})
    assert stage.journal.read()[-1].body == Objected(verdict=verdict, by="page")
    assert stage.journal.verify() is None


def test_a_move_is_objected_to_once_until_somebody_rules(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    verdict = stage.cheat()
    assert client.post("/objections", json={"verdict": verdict}).status_code == 201
    again = client.post("/objections", json={"verdict": verdict})
    assert again.status_code == 409 and "already" in again.get_json()["error"]
    order = stage.journal.append(LetStand(verdict=verdict)).number
    stage.journal.append(OrderAnswered(order=order, done=True, sentence="It stands."))
    assert client.get("/api/v1/table").get_json()["contested"] == []
    stage.journal.append(RulingUndone(order=order, position=str(stage.position), verdict=verdict))
    assert client.get("/api/v1/table").get_json()["contested"] == [verdict], "the ruling counts no more"
    assert client.get("/api/v1/games").get_json()["games"][0]["objections"] == [verdict]


def test_one_visitor_objects_a_few_times_a_minute(stage: Stage, watcher: FlaskClient) -> None:
    stage.begin()
    moves = [stage.legal() for _ in range(MOST_OF_ONE + 2)]
    answers = [watcher.post("/objections", json={"verdict": move}) for move in moves]
    assert [answer.status_code for answer in answers] == [201] * MOST_OF_ONE + [429] * 2
    assert "many objections" in answers[-1].get_json()["error"]
    assert objected(stage) == moves[:MOST_OF_ONE]


def test_all_together_cannot_flood_the_journal() -> None:
    now = [0.0]
    objection_limit = ObjectionLimit(lambda: now[0])
    waits = [objection_limit.enter(f"10.0.0.{n}") for n in range(MOST_OF_ALL + 5)]
    assert waits == [0] * MOST_OF_ALL + [int(MINUTE_S)] * 5
    now[0] = MINUTE_S
    assert objection_limit.enter("10.0.0.99") == 0
    assert [objection_limit.enter("10.0.0.99") for _ in range(MOST_OF_ONE)] == [0] * (MOST_OF_ONE - 1) + [int(MINUTE_S)]


@pytest.mark.parametrize(("body", "status"), [
    ({"verdict": 99999}, 404), ({"verdict": 1}, 404), ({}, 400), ({"verdict": "x"}, 400), ([], 400),
    ({"verdict": 4, "by": "me"}, 400)])
def test_what_is_no_objection(stage: Stage, client: FlaskClient, body: object, status: int) -> None:
    last = stage.begin()
    assert client.post("/objections", json=body).status_code == status
    assert stage.journal.last == last


def test_a_move_of_an_earlier_game_is_past(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    verdict = stage.legal()
    stage.begin()
    assert client.post("/objections", json={"verdict": verdict}).status_code == 409


def test_what_is_held_back_cannot_be_asked_after(stage: Stage, watcher: FlaskClient) -> None:
    stage.begin()
    stage.journal.append(HoldSet(on=True))
    verdict = stage.cheat()
    assert watcher.post("/objections", json={"verdict": verdict}).status_code == 404


def test_it_is_shown_beside_the_move_and_to_the_referee(stage: Stage, client: FlaskClient,
                                                        watcher: FlaskClient) -> None:
    stage.begin()
    verdict = stage.legal("c")
    assert watcher.post(f"/games/2/{verdict}/object").status_code == 303
    said = "A player objected at"
    for path in ("/", "/games/2", f"/games/2/{verdict}"):
        assert said in client.get(path).text, path
    referee = client.get("/referee").text
    assert re.search(r'row-time">\d\d:\d\d</span><strong>', referee), "when somebody objected, and to whose move"
    assert "Open objections" in referee and f"/games/2/{verdict}" in referee
    assert "Open objections" not in watcher.get("/referee").text
    assert client.get("/games/2/moves.csv").text.splitlines()[1].endswith(",1")
    (record,) = records(stage.journal.read())
    assert "somebody at the table objects" in str(record)


def test_an_objection_of_an_earlier_game_waits_until_somebody_rules(stage: Stage, client: FlaskClient,
                                                                    watcher: FlaskClient) -> None:
    first = stage.begin() - 1
    verdict = stage.legal("c")
    assert watcher.post("/objections", json={"verdict": verdict}).status_code == 201
    stage.begin()
    for _ in range(MOST_ITEMS):  # the feed forgets the earlier game
        stage.journal.append(PositionSet(position=str(stage.position), why="again"))
    assert client.get("/api/v1/table").get_json()["contested"] == [verdict]
    assert f"/games/{first}/{verdict}" in client.get("/referee").text
    page = client.get(f"/games/{first}/{verdict}").text
    assert "waiting for the referee" in page and 'value="stand"' in page
    assert client.post(f"/games/{first}/{verdict}/rule", data={"what": "stand"}).status_code == 303
    stage.take()
    assert client.get("/api/v1/table").get_json()["contested"] == []
    for path in (f"/games/{first}/{verdict}", f"/games/{first}"):
        assert "A player had objected" in client.get(path).text, path
    assert client.post("/orders", json={"type": "Undo", "order": stage.journal.last - 1}).status_code == 201
    stage.take()
    assert client.get("/api/v1/table").get_json()["contested"] == [verdict]


def test_whoever_objected_says_why_once_and_takes_it_back(stage: Stage, watcher: FlaskClient, client: FlaskClient,
                                                          app: Flask) -> None:
    stage.begin()
    verdict = stage.legal("c")
    other = app.test_client()
    other.environ_base.update({"REMOTE_ADDR": "10.0.0.8"})
    assert watcher.post("/objections", json={"verdict": verdict, "back": True}).status_code == 409
    first = watcher.post("/objections", json={"verdict": verdict}).get_json()["order"]
    assert other.post("/objections", json={"verdict": verdict, "why": "turn"}).status_code == 409
    assert other.post("/objections", json={"verdict": verdict, "back": True}).status_code == 403
    assert watcher.post("/objections", json={"verdict": verdict, "why": "count"}).status_code == 201
    assert watcher.post("/objections", json={"verdict": verdict, "why": "turn"}).status_code == 409
    assert "The count is wrong." in client.get("/referee").text
    back = 'name="back" value="yes"'
    assert back in watcher.get(f"/games/2/{verdict}").text and back not in other.get(f"/games/2/{verdict}").text
    assert watcher.post(f"/games/2/{verdict}/object", data={"back": "yes"}).status_code == 303
    assert stage.journal.read()[-1].body == ObjectionWithdrawn(objection=first, by="page")
    assert client.get("/api/v1/table").get_json()["contested"] == []
    assert 'class="objection' not in client.get(f"/games/2/{verdict}").text
    assert other.post("/objections", json={"verdict": verdict}).status_code == 201, "it is open to objections again"
    assert client.post("/objections", json={"verdict": verdict, "back": True}).status_code == 201, "the referee may"


@pytest.mark.browser
def test_a_spectator_objects_and_the_referee_sees_it(stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.live()
    set_pin(stage.folder / "page.pin", "271828")
    verdict = stage.legal("c")
    watching, referee = visit(*PHONE), visit(*DESKTOP, path="referee")
    signed_in(referee, "271828")
    top, card = watching.locator("#referee"), watching.locator("#feed .verdict.legal")
    top.get_by_role("button", name="I object").click()
    expect(card.locator(".objection")).to_contain_text("A player objected at")
    expect(top).to_contain_text("Objection noted.")
    expect(watching.get_by_role("button", name="I object")).to_have_count(0)
    assert objected(stage) == [verdict]
    expect(referee.locator("#open-objections")).to_contain_text("One objection waits")
    top.get_by_role("button", name="Take my objection back").click()
    expect(card.locator(".objection")).to_have_count(0)
    expect(referee.locator("#open-objections")).to_be_hidden()
    top.get_by_role("button", name="I object").click()
    top.get_by_role("button", name="The count is wrong.").click()
    expect(card.locator(".objection")).to_contain_text("The count is wrong.")
    assert objected(stage) == [verdict, verdict, verdict]
    accessible_at_each_size(watching)
    expect(referee.locator("#decide")).to_contain_text("The count is wrong.")
    accessible(referee, within="#referee")
    referee.locator("#decide").get_by_role("button", name="Accept the move").click()
    expect(referee.locator("#decide")).to_contain_text("Sent. The table is carrying it out.")
    stage.take()
    expect(card.locator(".objection.ruled-on")).to_contain_text("A player had objected")
    expect(top.get_by_role("button", name="I object")).to_be_visible()


@pytest.mark.browser
def test_the_referee_answers_objections_where_they_are_listed(stage: Stage, visit: Open) -> None:
    stage.begin()
    moves = [stage.legal(), stage.legal()]
    stage.live()
    for move in moves:
        stage.journal.append(Objected(verdict=move))
    page = visit(*PHONE, path="referee")
    rows = page.locator("#objections + .list > li")
    expect(rows).to_have_count(2)
    accessible_at_each_size(page)
    rows.first.get_by_role("button", name="Dismiss the objection").click()
    expect(rows).to_have_count(1)
    rows.get_by_role("button", name="Accept the move").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("The referee")
    expect(rows).to_contain_text("Sent. The table is carrying it out.")
    expect(rows.get_by_role("button")).to_have_count(0)
    stage.take()
    expect(page.get_by_text("No open objections.")).to_be_visible()
    order, answer = stage.journal.read()[-2:]
    assert order.body == LetStand(verdict=moves[1], by="page") and isinstance(answer.body, OrderAnswered)


@pytest.mark.browser
def test_a_legal_move_is_objected_to_where_the_last_verdict_stands_whoever_moves_on(stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.legal("c")
    stage.live()
    set_pin(stage.folder / "page.pin", "271828")
    page = visit(*PHONE)
    button = page.locator("#last").get_by_role("button", name="I object")
    for width, height in (PHONE, PHONE[::-1], DESKTOP):
        page.set_viewport_size({"width": width, "height": height})
        expect(button).to_be_in_viewport(ratio=1)
        before = button.bounding_box()
        assert before is not None and before["height"] >= 40
        stage.live("hands-in")
        expect(page.locator("#mood")).to_have_text("Move in progress")
        assert button.bounding_box() == before, (width, height)
        stage.live()
        expect(page.locator("#mood")).to_have_text("Watching")
        fits(page, width)
    expect(page.get_by_role("button", name="I object")).to_have_count(1)  # the feed's is folded away
    button.focus()
    page.keyboard.press("Enter")
    reason = page.locator("#decide").get_by_role("button", name="The verdict is wrong.")
    expect(reason).to_be_visible()
    page.keyboard.press("Tab")
    expect(reason).to_be_focused()
