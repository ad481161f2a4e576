"""The event feed: numbering, resuming, the cap, the heartbeat."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.wrappers import Response

from tests.web.stage import Stage
from web import create_app
from web.views import feeds


def events(answer: Response) -> Iterator[tuple[str, str, Any]]:
    """(name, id, data) of each event as it comes."""
    text = ""
    for chunk in answer.iter_encoded():
        text += chunk.decode()
        while "\n\n" in text:
            block, text = text.split("\n\n", 1)
            lines = dict(line.split(": ", 1) for line in block.splitlines())
            if "event" in lines:
                yield lines["event"], lines.get("id", ""), json.loads(lines["data"])


def first(answer: Response, name: str) -> tuple[str, Any]:
    return next((number, data) for event, number, data in events(answer) if event == name)


def test_feed_begins_with_the_whole_table(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    number = stage.legal()
    with client.get("/events") as answer:
        assert answer.mimetype == "text/event-stream" and answer.headers["Cache-Control"] == "no-store"
        got, patch = first(answer, "table")
    assert got == str(number) and patch["fresh"] and len(patch["items"]) == 2


def test_feed_goes_on_where_it_broke(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    last = stage.legal()
    new = stage.legal()
    with client.get("/events", headers={"Last-Event-ID": str(last)}) as answer:
        got, patch = first(answer, "table")
    assert got == str(new) and not patch["fresh"]
    assert [item["number"] for item in patch["items"]] == [new]


def test_news_come_while_it_is_open(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    with client.get("/events") as answer:
        coming = events(answer)
        assert next(coming)[0] == "table"
        new = stage.cheat()
        name, number, patch = next(event for event in coming if event[0] == "table")
    assert (name, number) == ("table", str(new))
    assert [item["verdict"] for item in patch["items"]] == ["illegal"]


@pytest.mark.parametrize("bad", ["-1", "x", "9" * 40, "1.5", "٣", "", "0x10"])
def test_hostile_numbers_mean_from_the_beginning(stage: Stage, client: FlaskClient, bad: str) -> None:
    stage.begin()
    with client.get("/events", query_string={"after": bad}) as answer:
        assert first(answer, "table")[1]["fresh"]


def test_what_the_table_sees(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    stage.live("hands-in", doubtful=("b",))
    with client.get("/events") as answer:
        _, live = first(answer, "live")
    assert live["running"] and live["frame"] != "0" and live["state"]["state"] == "hands-in"
    pits = {pit["name"]: pit["p"] for pit in live["state"]["pits"]}
    assert len(pits) == 16 and pits["b"] == 0.5


def test_stale_live_state_means_not_running(stage: Stage, tmp_path: Path) -> None:
    stage.begin()
    client = create_app({"DATA": str(tmp_path), "STALE_S": 1.5}).test_client()
    stage.live()
    with client.get("/events") as answer:
        running = [data["running"] for _, (name, _, data) in zip(range(3), events(answer), strict=False)
                   if name == "live"]
    assert running == [True, False]


SPOILT = [b"", b"{", b"[]", b'{"pits": 3}', b'{"size": ["a", 1]}', b"\xff\xfe", b" " * 70_000]


@pytest.mark.parametrize("spoilt", SPOILT)
def test_spoilt_live_state(stage: Stage, client: FlaskClient, spoilt: bytes) -> None:
    (stage.folder / "live" / "state.json").write_bytes(spoilt)
    live = client.get("/table").get_json()["live"]
    assert live["running"] and live["state"] is None


def test_feeds_are_capped_and_given_back(stage: Stage, tmp_path: Path) -> None:
    app = create_app({"DATA": str(tmp_path), "MAX_FEEDS": 2})
    client = app.test_client()
    spectator = {"REMOTE_ADDR": "192.0.2.7"}
    with (client.get("/events", environ_base=spectator) as one, client.get("/events", environ_base=spectator) as two):
        assert one.status_code == two.status_code == 200
        full = client.get("/events", environ_base=spectator)
        assert full.status_code == 503 and full.headers["Retry-After"]
        assert client.get("/table").get_json()["full"] is True
        with client.get("/events") as referee:
            assert referee.status_code == 200, "there is always room for who rules"
    with client.get("/events") as again:
        assert again.status_code == 200
    assert app.extensions["feed_limit"].inside == 0


def test_silent_table_still_beats(stage: Stage, client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feeds, "BEAT_S", 0.2)
    stage.begin()
    with client.get("/events") as answer:
        names = [name for _, (name, _, _) in zip(range(5), events(answer), strict=False)]
    assert names[0] == "table" and names.count("beat") >= 2


def test_feed_ends_when_its_reader_is_gone(stage: Stage, app: Flask) -> None:
    gone = [False]
    environ = {"waitress.client_disconnected": lambda: gone[0]}
    with app.test_client().get("/events", environ_overrides=environ) as answer:
        coming = events(answer)
        next(coming)
        gone[0] = True
        assert all(name == "live" for name, _, _ in coming), "and it comes to an end"
