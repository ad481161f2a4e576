"""Orders from programs: a token for the PIN and what it opens; errors in one form; the page to try it on."""

import json
import time
from pathlib import Path

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import expect
from werkzeug.test import TestResponse

from device.journal.events import CorrectPit, HoldSet, LetStand
from device.journal.states import State
from tests.quick_pin import set_pin
from tests.web.stage import Stage
from tests.web.visits import Open, accessible_in_each_theme, at_each_size
from web import create_app
from web.pin import FREE, PinFile
from web.views import tokens
from web.views.api import types
from web.views.api.description import OPERATIONS, TAGS, description
from web.views.tokens import IN_URL, LASTS_S, LONGEST, AccessTokens
from web.words import LANGUAGES, catalog

PIN = "271828"
ELSEWHERE = {"REMOTE_ADDR": "192.0.2.7"}


@pytest.fixture
def pin(tmp_path: Path) -> PinFile:
    made = PinFile(tmp_path / "page.pin")
    set_pin(made.path, PIN)
    return made


@pytest.fixture
def program(stage: Stage, pin: PinFile, tmp_path: Path) -> FlaskClient:
    """A program on another machine, that keeps no cookies, and a page that does check its own token."""
    app = create_app({"DATA": str(tmp_path), "TESTING": True})
    client = app.test_client(use_cookies=False)
    client.environ_base.update(ELSEWHERE)
    return client


def token_for(program: FlaskClient, pin: str = PIN) -> str:
    answer = program.post("/api/v1/token", json={"pin": pin})
    assert answer.status_code == 201
    return str(answer.get_json()["token"])


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def sentence(answer: TestResponse) -> str:
    """What was refused, in the one form that there is."""
    assert answer.status_code >= 400 and answer.mimetype == "application/json", answer.data
    told = answer.get_json()
    assert list(told) == ["error"] and told["error"].endswith((".", "?")), told
    return str(told["error"])


# ---- tokens

def test_a_program_orders_with_a_token_and_without_a_cookie(stage: Stage, program: FlaskClient) -> None:
    stage.begin()
    verdict = stage.cheat()
    given = program.post("/api/v1/token", json={"pin": PIN})
    assert given.get_json()["expires_s"] == LASTS_S and "Set-Cookie" not in given.headers
    assert given.headers["Cache-Control"] == "no-store"
    answer = program.post("/api/v1/orders", json={"type": "LetStand", "verdict": verdict},
                          headers=bearer(given.get_json()["token"]))
    assert answer.status_code == 201 and answer.get_json() == {"order": stage.journal.last}
    assert stage.journal.read(answer.get_json()["order"] - 1)[0].body == LetStand(verdict=verdict, by="program")


def test_a_session_of_the_page_is_no_token(stage: Stage, pin: PinFile, app: Flask) -> None:
    """Else another site's page could order through the referee's browser."""
    verdict = stage.begin() and stage.cheat()
    client = app.test_client()
    assert client.post("/referee/in", data={"pin": PIN}).status_code == 303
    order = {"type": "LetStand", "verdict": verdict}
    refused = client.post("/api/v1/orders", json=order)
    assert refused.status_code == 401 and "token" in sentence(refused)
    assert refused.headers["WWW-Authenticate"].startswith("Bearer")
    assert client.post("/orders", json=order).status_code == 201


def test_where_no_pin_is_set_there_is_no_token_and_no_order(stage: Stage, client: FlaskClient) -> None:
    """Not even for the machine itself: any page in its browser could ask for one."""
    stage.begin()
    assert client.post("/api/v1/token", json={"pin": PIN}).status_code == 409
    assert client.post("/api/v1/orders", json={"type": "CorrectPit", "pit": "a", "count": 1}).status_code == 401


def test_what_is_not_sent_as_json_is_refused(program: FlaskClient) -> None:
    """A page of another site may send text and forms, and no more."""
    token = token_for(program)
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        for path in ("/api/v1/token", "/api/v1/orders"):
            answer = program.post(path, data=json.dumps({"pin": PIN}), content_type=kind, headers=bearer(token))
            assert answer.status_code == 415 and "application/json" in sentence(answer)
    asked = program.options("/api/v1/orders", headers={"Origin": "https://example.org",
                                                       "Access-Control-Request-Headers": "authorization"})
    assert not [name for name, _ in asked.headers if name.startswith("Access-Control")]


def test_a_token_ends_with_its_time_and_with_the_pin(stage: Stage, program: FlaskClient, pin: PinFile,
                                                     monkeypatch: pytest.MonkeyPatch) -> None:
    stage.begin()
    token, now = token_for(program), time.time()
    order = {"type": "CorrectPit", "pit": "a", "count": 1}
    for later, status in ((LASTS_S - 5, 201), (LASTS_S + 5, 401)):
        monkeypatch.setattr(time, "time", lambda later=later: now + later)
        assert program.post("/api/v1/orders", json=order, headers=bearer(token)).status_code == status
    monkeypatch.undo()
    assert program.get("/api/v1/table", headers=bearer(token)).status_code == 200
    pin.set(PIN)
    for answer in (program.post("/api/v1/orders", json=order, headers=bearer(token)),
                   program.get("/api/v1/table", headers=bearer(token))):
        assert answer.status_code == 401 and "PIN was changed" in sentence(answer)
    pin.path.unlink()
    assert program.get("/api/v1/table", headers=bearer(token)).status_code == 401


def test_tokens_that_are_none(pin: PinFile) -> None:
    mine, other = AccessTokens(b"k" * 32, pin), AccessTokens(b"o" * 32, pin)
    token = mine.make()
    assert mine.holds(token) and not other.holds(token)
    for wrong in ("", "x", token[:-1], token + "x", "x" * (LONGEST + 1), token.swapcase(), "é", "\0"):
        assert not mine.holds(wrong)


def test_guesses_at_the_pin_count_together_with_those_of_the_form(pin: PinFile, app: Flask) -> None:
    client = app.test_client()
    for n in range(FREE):
        guess = f"{n:06d}"
        wrong = client.post("/api/v1/token", json={"pin": guess}) if n % 2 else client.post(
            "/referee/in", data={"pin": guess})
        assert wrong.status_code == 403
    slowed = client.post("/api/v1/token", json={"pin": PIN})
    assert slowed.status_code == 429 and int(slowed.headers["Retry-After"]) > 0 and "seconds" in sentence(slowed)
    assert client.post("/referee/in", data={"pin": PIN}).status_code == 429


@pytest.mark.parametrize("name", IN_URL)
def test_a_token_in_an_address_is_refused_wherever_it_stands(program: FlaskClient, name: str) -> None:
    token = token_for(program)
    for query in ({name: token}, {name.upper(): "271828"}, {"after": token}, {"x": ["1", token]}):
        for answer in (program.get("/api/v1/table", query_string=query),
                       program.post("/api/v1/orders", query_string=query, headers=bearer(token),
                                    json={"type": "CorrectPit", "pit": "a", "count": 1})):
            assert answer.status_code == 400 and "must not stand in an address" in sentence(answer)


def test_a_token_shows_what_is_held_back_and_a_stream_ends_with_it(stage: Stage, program: FlaskClient,
                                                                   pin: PinFile) -> None:
    stage.begin()
    stage.journal.append(HoldSet(on=True, by="page"))
    held = stage.cheat()
    token = token_for(program)
    assert program.get("/api/v1/events").get_json()["last"] < held
    assert program.get("/api/v1/events", headers=bearer(token)).get_json()["last"] == held
    with program.get(f"/api/v1/stream?after={held - 1}", headers=bearer(token)) as stream:
        lines = iter(stream.response)
        assert b"VerdictGiven" in next(lines)
        pin.set("314159")
        assert list(lines) == [], "who was let in by the old PIN hears no more"


def test_other_schemes_are_not_looked_at(program: FlaskClient) -> None:
    """A proxy's own password must not shut out those who only look."""
    assert program.get("/api/v1/table", headers={"Authorization": "Basic eDp5"}).status_code == 200


def test_a_token_opens_the_api_alone(stage: Stage, program: FlaskClient, pin: PinFile, app: Flask) -> None:
    stage.begin()
    token = token_for(program)
    client = app.test_client()  # without the check of the page's token, so that nothing but the PIN stands in the way
    assert client.post("/orders", json={"type": "CorrectPit", "pit": "a", "count": 1},
                       headers=bearer(token)).status_code == 403


# ---- errors

def test_every_error_under_api_is_a_sentence_of_json(stage: Stage, program: FlaskClient) -> None:
    stage.begin()
    token = bearer(token_for(program))
    html = {"Accept": "text/html"}
    asked = {
        404: [program.get("/api/v1/none", headers=html), program.get("/api/v1/events/99", headers=html),
              program.post("/api/none", headers=html), program.get("/api/v1/events/x", headers=html),
              program.post("/api/v1/orders", json={"type": "LetStand", "verdict": 99}, headers=token)],
        405: [program.delete("/api/v1/events/1", headers=html), program.post("/api/v1/table", headers=html),
              program.get("/api/v1/orders"), program.put("/api/")],
        409: [program.post("/api/v1/orders", json={"type": "Undo", "order": 3}, headers=token)],
        413: [program.post("/api/v1/orders", data=b"x" * 5000, content_type="application/json", headers=token),
              program.post("/api/v1/token", data=b"x" * 5000, content_type="application/x-www-form-urlencoded")],
        400: [program.post("/api/v1/orders", data=b"{", content_type="application/json", headers=token),
              program.post("/api/v1/token", data=b"\xff", content_type="application/json"),
              program.post("/api/v1/orders", json={"type": "CorrectPit", "pit": "z", "count": 1}, headers=token)],
        422: [program.post("/api/v1/orders", json={"type": "VerdictGiven"}, headers=token),
              program.post("/api/v1/orders", json={"type": "CorrectPit", "pit": 7}, headers=token),
              program.post("/api/v1/token", json={"pin": 271828}),
              program.post("/api/v1/token", json={"pin": "", "x": 1})],
        421: [program.get("/api/v1/table", headers={"Host": "rebound.example"})],
    }
    for status, answers in asked.items():
        for answer in answers:
            assert answer.status_code == status, answer.data
            assert sentence(answer)
    assert "DELETE" not in asked[405][0].headers["Allow"] and "DELETE" in asked[405][0].get_json()["error"]
    last = stage.journal.last
    assert last == 3 and stage.journal.verify() is None


def test_what_breaks_inside_is_a_sentence_too(stage: Stage, app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    app.config.update(TESTING=False, PROPAGATE_EXCEPTIONS=False)
    monkeypatch.setattr(tokens.AccessTokens, "holds", property(lambda one: one.none))
    answer = app.test_client().get("/api/v1/table", headers=bearer("x"))
    assert answer.status_code == 500 and sentence(answer) == catalog("en")["fail.text"]


def test_a_page_of_ours_still_fails_as_a_page(client: FlaskClient) -> None:
    assert client.get("/none", headers={"Accept": "text/html"}).mimetype == "text/html"
    assert client.get("/referee/in", headers={"Accept": "text/html"}).mimetype == "text/html"


# ---- the description

def test_the_description_names_states_and_kinds_ids_and_tags() -> None:
    told = description()
    parts = told["components"]["schemas"]
    assert set(parts["TableAnswer"]["properties"]["state"]["enum"]) == {"", *State}, "every state there is"
    assert {"legal", "illegal", "not-sure"} <= set(parts["VerdictGiven"]["properties"]["kind"]["enum"])
    assert "VerdictGiven" in parts["JournalEvent"]["properties"]["type"]["examples"]
    assert set(parts["GameAnswer"]["properties"]["winner"]["enum"]) == {"S", "N", ""}
    operations = [one for way in told["paths"].values() for one in way.values()]
    ids = [one["operationId"] for one in operations]
    assert len(set(ids)) == len(ids) == len(OPERATIONS)
    assert {tag for one in operations for tag in one["tags"]} == {tag["name"] for tag in told["tags"]} == set(TAGS)
    assert told["paths"]["/api/v1/orders"]["post"]["security"] == [{"token": []}]
    assert {} in told["paths"]["/api/v1/table"]["get"]["security"], "a token may be sent, and need not"
    assert told["components"]["securitySchemes"]["token"]["scheme"] == "bearer"


def test_what_the_table_and_games_say_fits_their_types(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    for state in State:
        stage.live(state.value)
        assert msgspec.json.decode(client.get("/api/v1/table").data, type=types.TableAnswer).state == state


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_page_for_programs_is_translated_and_has_every_way_in(client: FlaskClient, code: str) -> None:
    client.set_cookie("inkeek-language", code)
    text = client.get("/api/").text
    for one in OPERATIONS:
        assert (f'data-path="{one.path}"' in text) == (one.tag != "page")
        assert (catalog(code)[one.summary].replace("'", "&#39;") in text) == (one.tag != "page")
    assert client.get("/api").headers["Location"].endswith("/api/")


@pytest.mark.browser
def test_everything_can_be_tried_on_the_page(stage: Stage, pin: PinFile, visit: Open) -> None:
    stage.begin()
    page = visit(path="api/")
    page.get_by_label("PIN", exact=True).fill("000000")
    page.get_by_role("button", name="Get a token").click()
    expect(page.locator(".pin [role=status]")).to_have_text("Wrong PIN.")
    page.get_by_label("PIN", exact=True).fill(PIN)
    page.get_by_role("button", name="Get a token").click()
    expect(page.locator(".pin [role=status]")).to_contain_text("There is a token")
    way = page.locator("#giveOrder")
    way.locator("summary").click()
    way.get_by_role("textbox").fill('{"type": "CorrectPit", "pit": "a", "count": 1}')
    way.get_by_role("button").click()
    expect(way.locator(".answer")).to_contain_text("201")
    assert isinstance(stage.journal.read(stage.journal.last - 1)[0].body, CorrectPit)
    one = page.locator("#getEvent")
    one.locator("summary").click()
    one.get_by_label("number").fill("2")
    one.get_by_role("button").click()
    expect(one.locator(".answer pre")).to_contain_text("GameStarted")
    stream = page.locator("#streamEvents")
    stream.locator("summary").click()
    stream.get_by_role("button").click()
    expect(stream.locator(".answer pre")).to_contain_text("event: GameStarted")
    accessible_in_each_theme(page)
    for _ in at_each_size(page):
        pass
