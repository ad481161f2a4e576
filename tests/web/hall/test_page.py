"""The hall's page, asked without a browser: who sees what, who may rule, and where evidence comes from."""

import re
import sqlite3
from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient

from device.journal.events import AgreeEnd, HoldSet, LetStand, OrderAnswered, Withdraw
from tests.waiting import wait_for
from tests.web.hall.conftest import PIN, Hall, copied, rows
from tests.web.rounds import forms, leads_to
from tests.web.stage import Stage
from web.hall.app import create_app
from web.hall.context import HallContext

HTML = {"Accept": "text/html"}


@pytest.fixture
def client(hall: Hall) -> Iterator[FlaskClient]:
    """The page, over a hall that has begun."""
    hall.config = {"TESTING": True, "WTF_CSRF_ENABLED": False}
    yield hall.app().test_client()


def sign_in(client: FlaskClient, pin: str = PIN) -> int:
    """What comes of it."""
    return client.post("/director/in", data={"pin": pin}).status_code


def read(client: FlaskClient, path: str) -> str:
    """A page without the messages for its scripts."""
    return re.sub(r'<script type="application/json" id="messages"[^>]*>.*?</script>', "", client.get(path).text)


def began(hall: Hall, table: str = "t1") -> Stage:
    """A table that publishes, known to the hall."""
    stage = hall.seat(table)
    hall.publish()
    hall.settle()
    return stage


def test_without_a_table_it_says_how_one_gets_there(client: FlaskClient) -> None:
    assert "inkeek run --hall mqtt://TABLE@HALL:" in client.get("/").text
    assert "Nothing waits for a ruling." in client.get("/rulings").text
    for path in ("/projector", "/director", "/help", "/help/omweso", "/manifest.webmanifest"):
        assert client.get(path).status_code == 200, path
    assert client.get("/table/nobody", headers=HTML).status_code == 404
    assert client.get("/table/..%2f..%2fetc", headers=HTML).status_code == 404
    for see in ("", "table:nobody", "verdict:t1:x", "tables:t1"):
        assert client.get(f"/feed?see={see}").status_code == 404, see


def test_an_address_that_takes_a_form_leads_to_a_page_when_it_is_asked_for(hall: Hall, client: FlaskClient) -> None:
    """Whoever was answered there has it in the browser: its languages and "reload" are not to end at an error."""
    stage = began(hall)
    number = stage.cheat()
    hall.settle()
    found = forms(client.application, name="t1", number=number)
    assert len(found) > 10
    none = {rule for rule in found if "/match/" in rule}  # there is no tournament
    assert not [path for rule, path in found.items() if rule not in none and not leads_to(client, path)]
    assert not [rule for rule in none if client.get(found[rule]).status_code == 405]


def test_a_broker_that_refuses_the_hall_is_not_called_silent(hall: Hall) -> None:
    context = HallContext.open(hall.folder / "hall", hall.broker.address("hall", "wrong"), hall.said.append)
    page = create_app(context).test_client()
    context.start()
    try:
        wait_for(lambda: "refuses the hall’s name or password" in page.get("/").text, 20)
        assert [line for line in hall.said if "does not let the user 'hall' in: check user and password" in line]
        hall.broker.kill()
        wait_for(lambda: "does not answer" in page.get("/").text, 20)
    finally:
        context.stop()


def test_what_is_held_back_is_seen_by_directors_alone(hall: Hall, client: FlaskClient) -> None:
    stage = began(hall)
    stage.legal()
    stage.journal.append(HoldSet(on=True))
    held = stage.cheat()
    stage.live()
    hall.settle()
    everywhere = ("/", "/table/t1", "/rulings", "/projector")
    shown = {path: read(client, path) for path in everywhere}
    assert not [path for path, text in shown.items() if "llegal" in text or f"/table/t1/{held}" in text]
    assert client.get(f"/table/t1/{held}", headers=HTML).status_code == 404
    for path in (f"/evidence/t1/{held}/after.jpg", f"/evidence/t1/{held}", f"/clip/t1/{held}/clip.json"):
        assert client.get(path).status_code == 404, path
    assert "1 waiting" not in client.get("/").text
    assert sign_in(client) == 303
    shown = {path: read(client, path) for path in everywhere}
    assert "Review first" in shown["/"] and f"/table/t1/{held}" in shown["/rulings"] and "1 waiting" in shown["/"]
    assert "llegal" not in shown["/projector"] and "1 waiting" not in shown["/projector"], "a projector is seen by all"
    page = client.get(f"/table/t1/{held}").text
    assert "Show it to everyone" in page
    assert client.post(f"/table/t1/{held}/rule", data={"what": "show"}).status_code == 303
    client.post("/director/out")
    wait_for(lambda: f"/table/t1/{held}" in client.get("/rulings").text, 20)


def test_ruling_needs_the_pin_and_guesses_are_slowed(hall: Hall, client: FlaskClient) -> None:
    stage = began(hall)
    foul = stage.cheat()
    hall.settle()
    answer = client.post(f"/table/t1/{foul}/rule", data={"what": "stand"})
    assert answer.status_code == 403 and "Sign in first" in answer.text
    codes = [sign_in(client, f"{n:06}") for n in range(12)]
    assert codes[0] == 403 and codes[-1] == 429
    assert not [event for event in stage.journal.read() if isinstance(event.body, LetStand)]


def test_another_sites_page_cannot_rule(hall: Hall) -> None:
    """It has the director's cookie by the browser's leave, and never the page's token."""
    stage = hall.seat("t1")
    hall.publish()
    foul = stage.cheat()
    client = hall.app().test_client()
    hall.settle()
    token = re.findall(r'name="csrf_token" value="([^"]+)"', client.get("/director").text)[0]
    assert client.post("/director/in", data={"pin": PIN, "csrf_token": token}).status_code == 303
    page = client.get(f"/table/t1/{foul}").text
    before = stage.journal.last
    refused = client.post(f"/table/t1/{foul}/rule", data={"what": "stand"})
    assert refused.status_code == 400 and "open too long" in refused.text
    assert client.get("/", headers={"Host": "stranger.example"}).status_code == 421
    assert stage.journal.last == before
    token = re.findall(r'name="csrf_token" value="([^"]+)"', page)[0]
    assert client.post(f"/table/t1/{foul}/rule", data={"what": "stand", "csrf_token": token}).status_code == 303


def test_a_ruling_reaches_its_table_and_its_answer_is_shown(hall: Hall, client: FlaskClient) -> None:
    other, stage = hall.seat("t2"), hall.seat("t1")
    hall.publish()
    foul = stage.cheat()
    hall.settle()
    sign_in(client)
    before = other.journal.last
    given = client.post(f"/table/t1/{foul}/rule", data={"what": "withdraw", "side": "N", "why": "illegal"})
    assert given.status_code == 303
    assert "The table is carrying it out." in client.get(given.location).text
    order = next(event for event in stage.journal.read() if isinstance(event.body, Withdraw))
    assert isinstance(order.body, Withdraw) and (order.body.verdict, order.body.side) == (foul, "N")
    stage.journal.append(OrderAnswered(order=order.number, done=True, sentence="The move is withdrawn."))
    hall.settle()
    assert "The move is withdrawn." in client.get(f"/table/t1/{foul}").text
    assert "Nothing waits for a ruling." in client.get("/rulings").text
    assert other.journal.last == before


def test_a_table_that_refuses_says_why(hall: Hall, client: FlaskClient) -> None:
    stage = hall.seat("t1", pin="999999")
    nobody = hall.seat("t2", pin="")
    hall.publish()
    foul, other = stage.cheat(), nobody.cheat()
    hall.settle()
    sign_in(client)
    answer = client.post(f"/table/t1/{foul}/rule", data={"what": "stand"})
    assert answer.status_code == 409 and 'class="wrong"' in answer.text
    assert answer.text.index('class="wrong"') < answer.text.index('id="ruling"'), "the feed replaces what is in there"
    answer = client.post(f"/table/t2/{other}/rule", data={"what": "stand"})
    assert answer.status_code == 409 and "No PIN is set at this table" in answer.text
    hall.broker.kill()
    wait_for(lambda: "does not answer" in client.get("/").text, 20)
    answer = client.post(f"/table/t1/{foul}/rule", data={"what": "stand"})
    assert answer.status_code == 409 and "no order reaches a table" in answer.text


def test_evidence_comes_from_the_table_once_and_is_kept(hall: Hall, client: FlaskClient) -> None:
    stage = began(hall)
    foul = stage.cheat()
    stage.clip(foul, pictures=10)
    hall.settle()
    before, after = client.get(f"/evidence/t1/{foul}/before.jpg"), client.get(f"/evidence/t1/{foul}/after.jpg")
    assert before.content_type == "image/jpeg" and before.data.startswith(b"\xff\xd8") and before.data != after.data
    index = client.get(f"/clip/t1/{foul}/clip.json").get_json()
    assert len(index["times"]) == 10
    assert client.get(f"/clip/t1/{foul}/9").data.startswith(b"RIFF")
    hall.running["t1"].kill()
    assert client.get(f"/evidence/t1/{foul}/before.jpg").data == before.data
    for path in (f"/evidence/t1/{foul}/..%2fbefore.jpg", f"/evidence/t1/{foul + 999}/before.jpg",
                 f"/clip/t1/{foul}/..%2fclip.json", f"/evidence/t9/{foul}/before.jpg"):
        assert client.get(path).status_code == 404, path


def test_the_first_pin_is_set_at_the_halls_own_machine(hall: Hall) -> None:
    hall.config = {"TESTING": True, "WTF_CSRF_ENABLED": False}
    app = hall.app()
    app.extensions["pin"].path.unlink()
    client = app.test_client()
    elsewhere = {"REMOTE_ADDR": "192.0.2.7"}
    both = {"pin": "314159", "again": "314159"}
    assert "No PIN is set yet" in client.get("/director", environ_overrides=elsewhere).text
    assert client.post("/director/pin", data=both, environ_overrides=elsewhere).status_code == 403
    assert client.post("/director/pin", data=both | {"again": "1"}).status_code == 400
    kept = client.post("/director/pin", data=both)
    assert kept.status_code == 303 and "PIN" in client.get(kept.location).text, "an address that can be opened again"
    assert sign_in(app.test_client(), "314159") == 303
    assert app.test_client().post("/director/pin", data=both).status_code == 403


def test_a_table_that_was_restored_is_copied_anew_when_a_director_says_so(hall: Hall, client: FlaskClient) -> None:
    stage = began(hall)
    stage.legal()
    hall.settle()
    hall.running["t1"].end()
    with sqlite3.connect(stage.journal.path) as db:  # as it was one event ago; then play goes on otherwise
        db.execute("DROP TRIGGER event_kept")
        db.execute("DELETE FROM event WHERE number = (SELECT max(number) FROM event)")
    db.close()
    stage.cheat()
    hall.publish_one("t1")
    wait_for(lambda: "contradicts" in client.get("/table/t1").text, 30)
    assert client.post("/table/t1/anew").status_code == 403
    assert "Copy its journal anew" not in client.get("/table/t1").text
    sign_in(client)
    assert "Copy its journal anew" in client.get("/table/t1").text
    assert client.post("/table/t1/anew").status_code == 303
    hall.settle()
    assert hall.context is not None
    assert copied(hall.context.store, "t1") == rows(stage.journal.path)
    wait_for(lambda: "contradicts" not in client.get("/table/t1").text, 20)


def test_both_sides_stop_a_game_and_every_page_tells_its_end(hall: Hall, client: FlaskClient) -> None:
    stage = hall.seat("t1")
    stage.begin("oware", "2x6")
    stage.legal()
    hall.publish()
    hall.settle()
    assert client.post("/table/t1/agree").status_code == 403
    assert "/table/t1/agree" not in client.get("/table/t1").text
    sign_in(client)
    page = client.get("/table/t1").text
    assert "/table/t1/agree" in page and "each gets the seeds in its own row: 24 – 24" in page
    assert client.post("/table/t1/agree").status_code == 303
    assert stage.journal.read()[-1].body == AgreeEnd(by="hall:1")
    stage.take()
    hall.settle()
    end = "A draw, 24–24. Both sides agreed to stop."
    assert read(client, "/table/t1").count(end) == 2, "beside the board and among what was said"
    assert end in read(client, "/") and end in read(client, "/projector")
    assert "/table/t1/agree" not in client.get("/table/t1").text
    again = client.post("/table/t1/agree")
    assert again.status_code == 303, "the table refuses it, as two may order it at once"
    stage.begin()
    hall.settle()
    assert "/table/t1/agree" not in client.get("/table/t1").text, "Enkeshui knows no such end"
