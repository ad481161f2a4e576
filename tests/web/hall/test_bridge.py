"""Two brokers of one hall, joined by a bridge: tables at the one, the hall at the other. Nothing is lost, and rulings
and pictures go both ways."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from device.journal.events import LetStand
from tests.device.publishing.broker import EXAMPLE, PASSWORD, Broker, mosquitto
from tests.device.publishing.relay import Relay
from tests.waiting import wait_for
from tests.web.hall.conftest import PIN, TABLES, Hall, copied, rows
from web.hall.registry import Need

pytestmark = mosquitto


class Far(Hall):
    """A hall whose tables speak to another broker than the hall's own. between: the way from one to the other."""

    near: Broker
    between: Relay

    def publish_one(self, table: str) -> None:
        """One table begins to publish, at its own broker."""
        self.broker, own = self.near, self.broker
        super().publish_one(table)
        self.broker = own


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Far]:
    """Both brokers, running, and the bridge as the example has it."""
    made = Far(tmp_path, config={}, broker=Broker(tmp_path / "far", "hall", "bridge"))
    acl = tmp_path / "far" / "inkeek.acl"
    acl.write_text(acl.read_text() + "\nuser bridge\ntopic readwrite inkeek/1/#\n")
    made.between, made.near = Relay(made.broker.port), Broker(tmp_path / "near", *TABLES)
    bridge = (EXAMPLE / "bridge.conf").read_text().replace("PASSWORD", PASSWORD)
    bridge = bridge.replace("HALL:1883", f"127.0.0.1:{made.between.port}") + "restart_timeout 1\n"
    (tmp_path / "near" / "conf.d" / "bridge.conf").write_text(bridge)
    made.broker.start()
    made.near.start()
    yield made
    made.end()
    made.near.kill()
    made.between.close()


@pytest.fixture
def client(hall: Far) -> FlaskClient:
    """The page, over a hall that has begun, with a director signed in."""
    hall.config = {"TESTING": True, "WTF_CSRF_ENABLED": False}
    made = hall.app().test_client()
    assert made.post("/director/in", data={"pin": PIN}).status_code == 303
    return made


def test_nothing_is_lost_while_bridge_and_brokers_break(hall: Far) -> None:
    for table in TABLES:
        hall.seat(table)
    context = hall.open()
    hall.publish()
    hall.settle()
    for broken in (hall.between.cut, hall.near.kill, hall.broker.kill, hall.between.cut):
        broken()
        for stage in hall.stages.values():
            stage.legal()
        for broker in (hall.near, hall.broker):
            if broker.dead:
                broker.start()
        hall.settle()
    for table in TABLES:
        assert copied(context.store, table) == rows(hall.stages[table].journal.path)


def test_rulings_and_pictures_cross_the_bridge(hall: Far, client: FlaskClient) -> None:
    stage = hall.seat("t1")
    hall.publish()
    hall.settle()
    stage.place()
    foul = stage.cheat()
    stage.clip(foul)
    hall.settle()
    taken = client.post(f"/table/t1/{foul}/rule", data={"what": "stand"})
    assert taken.status_code == 303
    wait_for(lambda: any(isinstance(event.body, LetStand) for event in stage.journal.read()), 20)
    assert client.get(f"/evidence/t1/{foul}/before.jpg").data.startswith(b"\xff\xd8")
    assert client.get(f"/evidence/t1/{foul}").data.startswith(b"PK")


def test_a_table_behind_a_broken_bridge_is_called_not_heard_of(hall: Far) -> None:
    hall.seat("t1")
    context = hall.open()
    hall.publish()
    hall.settle()
    wait_for(lambda: context.registry.needs(hall.at("t1"), False) == [], 20)
    hall.near.kill()
    hall.at("t1").heard -= 61.0
    wait_for(lambda: context.registry.needs(hall.at("t1"), False) == [Need.SILENT], 20)
    hall.near.start()
    wait_for(lambda: context.registry.needs(hall.at("t1"), False) == [], 20)
