"""The line between tables and hall, over a real broker: what breaks, what is not in form, and who speaks twice."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from device.journal.chain import GENESIS, event_hash
from device.publishing.address import HallAddress
from device.publishing.messages import ROOT, JournalRecord, Public, write
from device.publishing.publisher_state import TableIdentity
from tests.device.publishing.broker import PASSWORD
from tests.device.publishing.quick import Running
from tests.ports import free_port
from tests.quick_pin import set_pin
from tests.waiting import wait_for
from tests.web.hall.conftest import PIN, Hall, copied, rows
from tests.web.stage import Stage
from web.hall.app import create_app
from web.hall.link import BrokerLink
from web.hall.registry import HallTable, Need

NOW = "2026-11-25T20:00:00.000Z"


@contextmanager
def at_the_broker(hall: Hall, user: str) -> Iterator[mqtt.Client]:
    """Somebody who signs in there."""
    client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
    client.username_pw_set(user, PASSWORD)
    client.connect("127.0.0.1", hall.broker.port)
    client.loop_start()
    try:
        wait_for(client.is_connected, 10)
        yield client
    finally:
        client.disconnect()
        client.loop_stop()


def test_a_table_whose_line_breaks_is_gone_and_comes_back(hall: Hall) -> None:
    hall.seat("t1")
    context = hall.open()
    hall.publish()
    hall.settle()
    wait_for(lambda: context.registry.needs(hall.at("t1"), False) == [], 20)
    running = hall.running["t1"]
    running.kill()
    wait_for(lambda: context.registry.needs(hall.at("t1"), False) == [Need.GONE], 20)
    hall.running["t1"] = running.again()
    wait_for(lambda: context.registry.needs(hall.at("t1"), False) == [], 20)


def test_a_broker_by_ipv6_is_named_in_brackets() -> None:
    said: list[str] = []
    port = free_port()
    link = BrokerLink(HallAddress("::1", port), lambda _up: None, said.append)
    link.start()
    try:
        wait_for(lambda: f"no broker answers at [::1]:{port}; trying again" in said, 20)
    finally:
        link.stop()


def test_a_table_that_only_the_broker_remembers_can_be_dismissed(hall: Hall) -> None:
    told = write(Public(name="Ghost", at=NOW, journal="ab" * 8))
    with at_the_broker(hall, "t1") as somebody:
        somebody.publish(f"{ROOT}/t1/public", told, qos=1, retain=True).wait_for_publish(10)
    context = hall.open()
    page = create_app(context, {"WTF_CSRF_ENABLED": False})
    set_pin(page.extensions["pin"].path, PIN)
    anybody, director = page.test_client(), page.test_client()
    director.post("/director/in", data={"pin": PIN})
    wait_for(lambda: "Ghost" in anybody.get("/").text, 20)
    assert "Dismiss this table" not in anybody.get("/table/t1").text
    assert anybody.post("/table/t1/dismiss").status_code == 403
    assert "Dismiss this table" in director.get("/table/t1").text
    assert director.post("/table/t1/dismiss").status_code == 303 and "Ghost" not in anybody.get("/").text
    context.stop()
    hall.context = context = hall.open()
    with at_the_broker(hall, "t2") as another:  # what the broker remembers is heard before this
        another.publish(f"{ROOT}/t2/public", told.replace(b"Ghost", b"Other"), qos=1).wait_for_publish(10)
    wait_for(lambda: [table.id for table in context.registry.all()] == ["t2"], 20)
    with at_the_broker(hall, "t1") as somebody:
        somebody.publish(f"{ROOT}/t1/public", told, qos=1).wait_for_publish(10)
    wait_for(lambda: [table.id for table in context.registry.all()] == ["t1", "t2"], 20)


def test_a_table_that_is_there_cannot_be_dismissed(hall: Hall) -> None:
    hall.seat("t1")
    page = create_app(hall.open(), {"WTF_CSRF_ENABLED": False})
    set_pin(page.extensions["pin"].path, PIN)
    director = page.test_client()
    director.post("/director/in", data={"pin": PIN})
    hall.publish()
    hall.settle()
    assert "Dismiss this table" not in director.get("/table/t1").text
    assert director.post("/table/t1/dismiss").status_code == 409


def forged(number: int = 1) -> bytes:
    """An event that does not stand."""
    return write(JournalRecord("0123456789abcdef", number, "ab" * 32, GENESIS, NOW, "Sighted", '{"type":"Sighted"}'))


HOSTILE: list[tuple[str, bytes, str]] = [
    ("events", b"\x00\xff not JSON", "events is not in form: no JSON"),
    ("state", b'{"name":["Table"],"at":7}', "state is not in form: Expected"),
    ("events", forged(), "an event whose hash does not fit what it holds"),
    ("events", forged().replace(b"0123456789abcdef", b"../../etc/passwd"), "events is not in form: Expected"),
    ("public", b'{"told":' + b'{"values":{"a":' * 2000 + b"1" + b"}}" * 2000 + b"}", "bytes in public: 16384 are"),
    ("state", b'{"name":"x","at":"","told":' + b'{"key":"","values":{"a":' * 5000 + b"1" + b"}}" * 5000 + b"}",
     "a message that is nested too deep"),
    ("gone", b"{" + b" " * (1 << 20) + b"}", "1048578 bytes in gone"),
    ("evidence/" + "ab" * 32, b"x" * 1000, "evidence that nobody asked for"),
    ("evidence/..", b"x", "a topic that is not of this contract"),
    ("answers", b'{"journal":"../..","sequence":1}', "answers is not in form: Expected"),
]
"""Topic and payload of a table that is in other hands, and what is said of it."""


def test_what_is_not_in_form_gets_one_line_and_harms_nothing(hall: Hall) -> None:
    stage = hall.seat("t1")
    context = hall.open()
    hall.publish()
    hall.settle()
    hall.said.clear()
    with at_the_broker(hall, "t2") as client:
        for topic, payload, _ in HOSTILE * 3:
            client.publish(f"inkeek/1/t2/{topic}", payload, qos=1).wait_for_publish(10)
        wait_for(lambda: len(hall.said) == len(HOSTILE), 20)
        stage.legal()  # behind all of it in the line
        hall.settle()
    assert len(hall.said) == len(HOSTILE), hall.said
    for _, _, sentence in HOSTILE:
        (line,) = [line for line in hall.said if sentence in line]
        assert line.startswith("refused to ") and len(line) < 300 and "passwd" not in line
    assert copied(context.store, "t1") == rows(stage.journal.path)
    assert copied(context.store, "t2") == []
    assert not [path for path in hall.folder.rglob("*") if "etc" in path.name or path.name == "passwd"]


def test_another_history_in_a_tables_name_is_told_and_changes_nothing(hall: Hall) -> None:
    stage = hall.seat("t1")
    context = hall.open()
    hall.publish()
    hall.settle()
    first, last = rows(stage.journal.path)[0], rows(stage.journal.path)[-1]
    body = '{"type":"Sighted"}'
    false = JournalRecord(first[4][:16], last[0], event_hash(GENESIS, last[0], NOW, "Sighted", body), GENESIS, NOW,
                          "Sighted",
                 body)
    with at_the_broker(hall, "t1") as client:
        client.publish("inkeek/1/t1/events", write(false), qos=1).wait_for_publish(10)
        wait_for(lambda: Need.FORKED in context.registry.needs(hall.at("t1"), False), 20)
    stage.legal()
    hall.settle()
    assert copied(context.store, "t1") == rows(stage.journal.path)


def test_two_tables_under_one_name_are_told(hall: Hall, tmp_path: Path) -> None:
    stage = hall.seat("t1")
    context = hall.open()
    hall.publish()
    hall.settle()
    other = Stage(tmp_path / "other")
    other.begin("omweso", "4x8")
    with Running(TableIdentity(other.folder, "t1", "Table 1"), hall.broker.address("t1")):
        wait_for(lambda: Need.ELSEWHERE in context.registry.needs(hall.at("t1"), False), 30)
    both = {journal[0][4][:16]: journal for journal in (rows(stage.journal.path), rows(other.journal.path))}
    for name, journal in both.items():
        found = context.store.stream("t1", name)
        assert found is not None and context.store.rows(found.id) == journal[:found.number]
    other.close()


def test_a_table_that_falls_silent_is_told(hall: Hall) -> None:
    hall.seat("t1")
    hall.publish()
    context = hall.open()
    hall.settle()
    wait_for(lambda: context.registry.needs(hall.at("t1"), False) == [], 20)
    hall.at("t1").heard -= 61.0
    wait_for(lambda: context.registry.needs(hall.at("t1"), False) == [Need.SILENT], 20)
    hall.stages["t1"].legal()
    wait_for(lambda: context.registry.needs(hall.at("t1"), False) == [], 20)


def test_a_defect_does_not_make_the_hall_deaf(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    stage = hall.seat("t1")
    context = hall.open()
    keep, failed = context.receiver._keep, list[int]()

    def fail_first(events: list[tuple[HallTable, JournalRecord]]) -> None:
        if not failed:
            failed.append(len(events))
            raise IndexError("a defect")
        keep(events)

    monkeypatch.setattr(context.receiver, "_keep", fail_first)
    hall.publish()
    hall.settle()
    assert failed and copied(context.store, "t1") == rows(stage.journal.path)
