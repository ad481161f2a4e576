"""Orders: taken into the journal, or refused in one sentence."""

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from device.journal.events import (
    CorrectPit,
    Forfeit,
    GameOver,
    LetStand,
    NewGame,
    OrderAnswered,
    RulingUndone,
    Undo,
    VerdictGiven,
    Withdraw,
)
from tests.web.stage import Stage
from web import create_app


def refused(client: FlaskClient, body: object, status: int) -> str:
    answer = client.post("/orders", json=body)
    assert answer.status_code == status, answer.text
    sentence = answer.get_json()["error"]
    assert isinstance(sentence, str) and sentence.endswith((".", "?")) and "\n" not in sentence
    return sentence


def test_ruling_is_written_down(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    verdict = stage.cheat()
    answer = client.post("/orders", json={"type": "LetStand", "verdict": verdict})
    assert answer.status_code == 201
    event = stage.journal.get(answer.get_json()["order"])
    assert event is not None and event.body == LetStand(verdict=verdict, by="page")
    assert stage.journal.verify() is None


def test_withdrawing_and_correcting(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    verdict = stage.legal()
    client.post("/orders", json={"type": "Withdraw", "verdict": verdict})
    client.post("/orders", json={"type": "CorrectPit", "pit": "H", "count": 0})
    bodies = [event.body for event in stage.journal.read(verdict)]
    assert bodies == [Withdraw(verdict=verdict, by="page"), CorrectPit(pit="H", count=0, by="page")]


def test_forfeit_is_written_down_while_a_game_is_on(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    assert client.post("/orders", json={"type": "Forfeit", "side": "N"}).status_code == 201
    assert stage.journal.read()[-1].body == Forfeit(side="N", by="page")
    stage.journal.append(GameOver(result="0-0", winner="S", reason="North resigned"))
    assert "already over" in refused(client, {"type": "Forfeit", "side": "S"}, 409)


def test_the_last_ruling_is_undone_once(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    verdict = stage.cheat()
    order = client.post("/orders", json={"type": "LetStand", "verdict": verdict}).get_json()["order"]
    assert "cannot be undone" in refused(client, {"type": "Undo", "order": order}, 409), "it was not taken up yet"
    stage.journal.append(OrderAnswered(order=order, done=True, sentence="It stands."))
    assert client.post("/orders", json={"type": "Undo", "order": order}).status_code == 201
    assert stage.journal.read()[-1].body == Undo(order=order, by="page")
    assert "being undone" in refused(client, {"type": "Undo", "order": order}, 409)


def test_a_withdrawal_can_be_given_up(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    verdict = stage.cheat()
    order = client.post("/orders", json={"type": "Withdraw", "verdict": verdict}).get_json()["order"]
    stage.journal.append(OrderAnswered(order=order, done=True, sentence="Lay it back."))
    assert client.post("/orders", json={"type": "LetStand", "verdict": verdict}).status_code == 201


@pytest.mark.parametrize(("asked", "line"), [
    ("2x8-left", "0,0,4,4,4,4,4,4/4,4,4,4,4,4,0,0 S 0-0 ply=0"),
    ("2x8-right", "4,4,4,4,4,4,0,0/0,0,4,4,4,4,4,4 S 0-0 ply=0"),
    ("lies", "lies"), ("", ""),
])
def test_new_game_names_its_position(stage: Stage, client: FlaskClient, asked: str, line: str) -> None:
    stage.begin()
    body = {"type": "NewGame", "game": "enkeshui", "rules": "driedger", "board": "2x8", "position": asked}
    assert client.post("/orders", json=body).status_code == 201
    assert stage.journal.read()[-1].body == NewGame(
        game="enkeshui", rules="driedger", board="2x8", position=line, by="page")


def test_nobody_signs_for_another(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    client.post("/orders", json={"type": "CorrectPit", "pit": "a", "count": 1, "by": "the president"})
    assert stage.journal.read()[-1].body == CorrectPit(pit="a", count=1, by="page")


@pytest.mark.parametrize("raw", [
    b"", b"{", b"null", b"[]", b"\xff\xfe", b'"LetStand"', b"{}", b'{"type": "GameOver", "result": "48-0"}',
    b'{"type": "LetStand"}', b'{"type": "LetStand", "verdict": "1"}', b'{"type": "LetStand", "verdict": 1.5}',
    b'{"type": "CorrectPit", "pit": 3, "count": 1}', b'{"type": "Forfeit", "side": "E"}', b'{"type": "Undo"}',
    b'{"type": "NotAsSeen", "verdict": 4, "counts": [1, null]}',
    b'{"type": "RulingUndone", "order": 1, "position": ""}',
    b'{"type": "CorrectPit", "pit": "a", "count": null}', b"[" * 4000,
])
def test_unreadable_orders(stage: Stage, client: FlaskClient, raw: bytes) -> None:
    last = stage.begin()
    answer = client.post("/orders", data=raw, content_type="application/json")
    assert answer.status_code == 400 and "cannot be read" in answer.get_json()["error"]
    assert stage.journal.last == last


def test_an_order_as_long_as_a_book(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    assert "too long" in refused(client, {"type": "CorrectPit", "pit": "a" * 5000, "count": 1}, 413)


@pytest.mark.parametrize("kind", ["application/json", "application/x-www-form-urlencoded"])
@pytest.mark.parametrize("path", ["/orders", "/match/teams", "/games/2/4/rule", "/setup/board", "/referee/in"])
def test_ten_megabytes(stage: Stage, client: FlaskClient, path: str, kind: str) -> None:
    last = stage.begin()
    answer = client.post(path, data=b"n" * 10_000_000, content_type=kind)
    assert answer.status_code == 413 and "too long" in answer.text
    assert stage.journal.last == last


@pytest.mark.parametrize(("body", "status", "word"), [
    ({"type": "LetStand", "verdict": 1}, 404, "Event 1"),
    ({"type": "LetStand", "verdict": 99999}, 404, "99999"),
    ({"type": "Withdraw", "verdict": -4}, 404, "-4"),
    ({"type": "Withdraw", "verdict": 10**30}, 404, "1000"),
    ({"type": "CorrectPit", "pit": "q", "count": 1}, 400, "“q”"),
    ({"type": "CorrectPit", "pit": "<script>alert(1)</script>", "count": 1}, 400, "“<script>"),
    ({"type": "CorrectPit", "pit": "a", "count": -1}, 400, "-1"),
    ({"type": "CorrectPit", "pit": "a", "count": 97}, 400, "97"),
    ({"type": "NotAsSeen", "verdict": 1, "counts": []}, 404, "Event 1"),
    ({"type": "NotAsSeen", "verdict": 4, "counts": [1, 2]}, 400, "2 counts were given for the 16 pits"),
    ({"type": "NotAsSeen", "verdict": 4, "counts": [-1] * 16}, 400, "Pit a cannot hold -1"),
    ({"type": "NotAsSeen", "verdict": 4, "counts": [10**18] * 16}, 400, "Pit a cannot hold 1000"),
    ({"type": "Undo", "order": 3}, 409, "cannot be undone"),
    ({"type": "NewGame", "game": "chess", "rules": "", "board": "8x8"}, 400, "chess"),
    ({"type": "NewGame", "game": "enkeshui", "rules": "mine", "board": "2x8"}, 400, "mine"),
    ({"type": "NewGame", "game": "enkeshui", "rules": "", "board": "2x9"}, 400, "2 × 9"),
    ({"type": "NewGame", "game": "enkeshui", "rules": "", "board": "2x8", "position": "2x12"}, 400, "2 × 12"),
])
def test_orders_about_nothing(stage: Stage, client: FlaskClient, body: object, status: int, word: str) -> None:
    stage.begin()
    last = stage.legal()
    assert word in refused(client, body, status)
    assert stage.journal.last == last


@pytest.mark.parametrize("what", ["LetStand", "Withdraw", "NotAsSeen"])
def test_a_verdict_that_play_has_passed_is_ruled_on(stage: Stage, client: FlaskClient, what: str) -> None:
    stage.begin()
    old = stage.cheat()
    stage.legal()
    order = {"type": what, "verdict": old} | ({"counts": [3] * 16} if what == "NotAsSeen" else {})
    assert client.post("/orders", json=order).status_code == 201
    assert "already" in refused(client, order, 409), "one at a time"


def test_a_verdict_of_the_game_before_is_past(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    old = stage.cheat()
    stage.begin()
    assert "earlier game" in refused(client, {"type": "Withdraw", "verdict": old}, 409)


def test_a_verdict_that_stands_no_more(stage: Stage, client: FlaskClient) -> None:
    """Neither the one that was judged again, nor what was judged again after it; what took their places may be."""
    stage.begin()
    first, second = stage.cheat("c"), stage.legal()
    order = client.post("/orders", json={"type": "NotAsSeen", "verdict": first, "counts": [3] * 16}).get_json()["order"]
    anew = [stage.again(first, "legal"), stage.again(second, "legal")]
    stage.journal.append(OrderAnswered(order=order, done=True, sentence="Counts corrected; judged again."))
    for number in (first, second):
        assert "no longer stands" in refused(client, {"type": "LetStand", "verdict": number}, 409)
    assert client.post("/orders", json={"type": "Withdraw", "verdict": anew[0]}).status_code == 201
    stage.journal.append(RulingUndone(order=order, position=str(stage.position), verdict=second))
    assert "no longer stands" in refused(client, {"type": "LetStand", "verdict": anew[1]}, 409)
    assert client.post("/orders", json={"type": "LetStand", "verdict": first}).status_code == 201


def test_what_was_withdrawn_stands_no_more(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    kept = stage.legal("c")
    stood = stage.position
    first, second = stage.cheat(), stage.legal()
    stage.journal.append(VerdictGiven(kind="withdrawn", player="N", before=str(stage.position), position=str(stood),
                                      sentence="North's move is withdrawn."))
    for number in (first, second):
        assert "no longer stands" in refused(client, {"type": "Withdraw", "verdict": number}, 409)
    assert client.post("/orders", json={"type": "Withdraw", "verdict": kept}).status_code == 201


def test_one_ruling_at_a_time(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    verdict = stage.cheat()
    assert client.post("/orders", json={"type": "LetStand", "verdict": verdict}).status_code == 201
    assert "already" in refused(client, {"type": "Withdraw", "verdict": verdict}, 409)


def test_no_table_no_order(tmp_path: Path, client: FlaskClient) -> None:
    assert "not running" in refused(client, {"type": "LetStand", "verdict": 1}, 503)
    assert not (tmp_path / "journal.sqlite3").exists()


def test_correction_before_any_game(stage: Stage, client: FlaskClient) -> None:
    from device.journal.events import TableStarted
    stage.journal.append(TableStarted(camera="stage", version="0"))
    assert "No game" in refused(client, {"type": "CorrectPit", "pit": "a", "count": 1}, 409)


def test_orders_do_not_pile_up(stage: Stage, tmp_path: Path) -> None:
    stage.begin()
    client = create_app({"DATA": str(tmp_path), "WTF_CSRF_ENABLED": False, "MAX_PENDING": 3}).test_client()
    for _ in range(3):
        assert client.post("/orders", json={"type": "CorrectPit", "pit": "a", "count": 1}).status_code == 201
    assert "Too many" in refused(client, {"type": "CorrectPit", "pit": "a", "count": 1}, 429)


# ---- nobody else's page gives orders here

@pytest.fixture
def strict(tmp_path: Path) -> FlaskClient:
    return create_app({"DATA": str(tmp_path)}).test_client()


def test_no_token_no_order(stage: Stage, strict: FlaskClient) -> None:
    last = stage.begin()
    answer = strict.post("/orders", json={"type": "CorrectPit", "pit": "a", "count": 1})
    assert answer.status_code == 400 and answer.get_json()["token"] is False
    assert stage.journal.last == last


def test_token_of_another_visitor(stage: Stage, strict: FlaskClient, tmp_path: Path) -> None:
    stage.begin()
    other = create_app({"DATA": str(tmp_path)}).test_client().get("/token").get_json()["token"]
    strict.get("/token")
    answer = strict.post("/orders", json={"type": "CorrectPit", "pit": "a", "count": 1}, headers={"X-CSRFToken": other})
    assert answer.status_code == 400


def test_own_token(stage: Stage, strict: FlaskClient) -> None:
    stage.begin()
    token = strict.get("/token").get_json()["token"]
    answer = strict.post("/orders", json={"type": "CorrectPit", "pit": "a", "count": 1}, headers={"X-CSRFToken": token})
    assert answer.status_code == 201


@pytest.mark.parametrize("method", ["get", "put", "delete"])
def test_only_posts_are_orders(client: FlaskClient, method: str) -> None:
    assert getattr(client, method)("/orders").status_code == 405
