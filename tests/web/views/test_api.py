"""What other programs are given: events, the table, games, OpenAPI, metrics; and what hostile ones get."""

import json
import operator
import re
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playwright.sync_api import expect

from device.journal import events as journal
from device.publishing.link_state import LinkState, only_publisher, write_link
from tests.examples import examples
from tests.web.stage import Stage
from tests.web.views.test_feeds import events
from tests.web.visits import Open, until
from web import create_app
from web.views.api.description import description
from web.views.api.types import Events, Games, JournalEvent, TableAnswer


def test_events_as_the_journal_has_them(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    verdict = stage.cheat()
    told = msgspec.json.decode(client.get("/api/v1/events").data, type=Events)
    kept = stage.journal.read()
    assert [(e.number, e.type, e.hash) for e in told.events] == [(e.number, e.type, e.hash) for e in kept]
    assert told.events[-1].body == kept[-1].body
    assert told.last == verdict and told.table == kept[0].hash[:12] == told.events[0].table
    some = msgspec.json.decode(client.get("/api/v1/events?after=1&limit=2").data, type=Events)
    assert [e.number for e in some.events] == [2, 3]
    one = msgspec.json.decode(client.get(f"/api/v1/events/{verdict}").data, type=JournalEvent)
    assert one == told.events[-1]


@pytest.mark.parametrize("query", ["after=-1", "after=x", "limit=0", "limit=99999999", "after=99999999999999999999",
                                   "after=٣"])
def test_odd_questions(stage: Stage, client: FlaskClient, query: str) -> None:
    stage.begin()
    assert client.get(f"/api/v1/events?{query}").status_code == 200


@pytest.mark.parametrize("number", ["0", "99", "9" * 30])
def test_events_that_are_none(stage: Stage, client: FlaskClient, number: str) -> None:
    stage.begin()
    answer = client.get(f"/api/v1/events/{number}")
    assert answer.status_code == 404 and answer.get_json()["error"] == "There is no such event."


def test_stream_goes_on_where_it_broke(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    with client.get("/api/v1/stream", headers={"Last-Event-ID": "2"}) as answer:
        coming = events(answer)
        name, number, _ = next(coming)
        assert (name, number) == ("StateEntered", "3")
        verdict = stage.legal()
        name, number, data = next(coming)
    assert (name, number) == ("VerdictGiven", str(verdict)) and data["body"]["type"] == "VerdictGiven"


def test_streams_are_capped_with_the_feeds(stage: Stage, tmp_path: Path) -> None:
    client = create_app({"DATA": str(tmp_path), "MAX_FEEDS": 1}).test_client()
    with client.get("/events") as held:
        assert held.status_code == 200
        assert client.get("/api/v1/stream", environ_base={"REMOTE_ADDR": "192.0.2.7"}).status_code == 503


def test_table_and_games(stage: Stage, client: FlaskClient) -> None:
    begun = stage.begin() - 1
    verdict = stage.cheat()
    stage.live("hands-in")
    table = msgspec.json.decode(client.get("/api/v1/table").data, type=TableAnswer)
    assert (table.state, table.running, table.ruling, table.board) == ("hands-in", True, verdict, "2x8")
    assert table.position == str(stage.position)
    games = msgspec.json.decode(client.get("/api/v1/games").data, type=Games)
    assert [(g.number, g.verdicts, g.fouls) for g in games.games] == [(begun, [verdict], 1)]


def test_without_a_table(client: FlaskClient) -> None:
    assert client.get("/api/v1/events").get_json() == {"table": "", "last": 0, "events": []}
    assert client.get("/api/v1/table").get_json()["running"] is False


def test_openapi_describes_every_way_in(app: Flask, client: FlaskClient) -> None:
    told = client.get("/api/v1/openapi.json").get_json()
    assert told == json.loads(msgspec.json.encode(description())) and told["openapi"].startswith("3.1")
    ways = {re.sub(r"<(?:int:)?(\w+)>", r"{\1}", rule.rule) for rule in app.url_map.iter_rules()}
    served = {way for way in ways if way.startswith("/api/v1/") and not way.endswith("openapi.json")}
    assert served | {"/orders", "/objections", "/metrics"} == set(told["paths"])
    named = set(re.findall(r"#/components/schemas/(\w+)", json.dumps(told)))
    assert named <= set(told["components"]["schemas"])
    assert {"Withdraw", "NotAsSeen", "VerdictGiven", "MatchAgreed"} <= named


def test_metrics_are_prometheus_text(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    stage.legal()
    stage.cheat()
    stage.live()
    answer = client.get("/metrics")
    assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    lines = [line for line in answer.text.splitlines() if not line.startswith("#")]
    assert all(re.fullmatch(r'[a-z_]+(\{[a-z]+="[a-z-]+"\})? [0-9.]+', line) for line in lines)
    assert 'inkeek_verdicts_total{kind="illegal"} 1' in lines and "inkeek_table_running 1" in lines


def test_metrics_tell_whether_a_hall_hears_of_the_table(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    assert "inkeek_hall_linked" not in client.get("/metrics").text
    with only_publisher(stage.folder):
        for linked in (True, False):
            write_link(stage.folder, LinkState("mqtt://hall:1883", "table-3", "2026-11-25T20:00:00.000Z", linked))
            assert f"\ninkeek_hall_linked {int(linked)}\n" in client.get("/metrics").text


def test_metrics_tell_what_was_dropped(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    stage.live(fps=9.0, given=30.0, behind=True, dropped=210, uncounted=4)
    lines = client.get("/metrics").text.splitlines()
    for line in ("inkeek_pictures_per_second 9.0", "inkeek_camera_pictures_per_second 30.0",
                 "inkeek_pictures_dropped_total 210", "inkeek_countings_skipped_total 4",
                 "# TYPE inkeek_pictures_dropped_total counter", "# TYPE inkeek_countings_skipped_total counter"):
        assert line in lines


# ---- hostile orders: whatever comes, one sentence goes back and nothing is written

JSON: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=20) | st.dictionaries(st.text(max_size=10), inner, max_size=5),
    max_leaves=20)
TYPES = [kind.__name__ for kind in (journal.NewGame, journal.LetStand, journal.Withdraw, journal.CorrectPit,
                                    journal.NotAsSeen, journal.Forfeit, journal.AgreeEnd, journal.Undo,
                                    journal.VerdictGiven)]
FIELDS = st.fixed_dictionaries({"type": st.sampled_from(TYPES)}, optional={
    "verdict": st.integers() | JSON, "order": st.integers() | JSON, "pit": st.text(max_size=300) | JSON,
    "count": st.integers() | JSON, "counts": st.lists(st.integers(), max_size=60) | JSON, "side": JSON, "game": JSON,
    "rules": st.text(max_size=20), "board": st.text(max_size=20), "position": st.text(max_size=200), "by": JSON})


@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(order=FIELDS | JSON)
def test_fuzzed_orders_are_refused_with_a_sentence(stage: Stage, client: FlaskClient, order: Any) -> None:
    if not stage.journal.last:
        stage.begin()
        stage.legal()  # it may not be ruled on as "not as seen" of another board, nor be undone
    last = stage.journal.last
    answer = client.post("/orders", json=order)
    if answer.status_code == 201:
        assert order["type"] in TYPES and stage.journal.last == last + 1
    else:
        assert 400 <= answer.status_code < 500 or answer.status_code == 503
        assert isinstance(answer.get_json()["error"], str) and stage.journal.last == last
    assert stage.journal.verify() is None


@pytest.mark.parametrize("path", ["/orders", "/referee/in", "/match/agree", "/match/teams"])
def test_ten_megabytes_are_refused(stage: Stage, client: FlaskClient, path: str) -> None:
    last = stage.begin()
    for kind in ("application/json", "application/x-www-form-urlencoded"):
        answer = client.post(path, data=b"pin=" + b"1" * 10_000_000, content_type=kind)
        assert answer.status_code == 413 and "too long" in answer.text
    assert stage.journal.last == last


# ---- the board for a projector

@pytest.mark.browser
def test_a_board_of_four_rows_is_seen_whole(stage: Stage, visit: Open) -> None:
    stage.begin("omweso", "4x8")
    stage.live()
    page = visit(path="board", calm=True)
    expect(page.locator("#player-S")).to_be_visible()
    for width, height in ((1280, 900), (1024, 600), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        root = "document.documentElement"
        until(page, f"[innerWidth, {root}.scrollWidth, {root}.scrollHeight]",
              partial(operator.eq, [width, width, height]))
        expect(page.locator("#player-S")).to_be_in_viewport(ratio=1)
        expect(page.locator("svg.wooden")).to_be_in_viewport(ratio=0.99)  # but for a rounded edge


@pytest.mark.browser
def test_big_board(stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.legal("c")
    stage.live()
    page = visit(width=1920, height=1080, path="board", calm=True)
    expect(page.locator("#mood")).to_have_text("North to move.")
    expect(page.locator("#player-N")).to_contain_text("to move")
    until(page, "document.querySelector('svg.wooden').getBoundingClientRect().width", lambda wide: wide > 1300)
    stage.cheat()
    stage.live()
    expect(page.locator("#mood")).to_have_text("Illegal move")
    expect(page.locator("#board .alarm")).to_have_count(1)  # the cause; what follows from it is ringed alone
    expect(page.locator("#board .ring-follows")).to_have_count(1)
    root = "document.documentElement"
    until(page, f"[{root}.scrollWidth, {root}.scrollHeight]", lambda size: size == [1920, 1080])
