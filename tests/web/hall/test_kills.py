"""Three tables, their publishers, the hall and the broker between them, all killed at random while the links are held
up and cut: in the end the hall has every table's journal, number by number and hash by hash."""

import random
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from multiprocessing.process import BaseProcess
from pathlib import Path

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from device.journal import Journal
from device.journal.chain import GENESIS, event_hash
from device.journal.events import Blind, GameStarted, Sighted, StateEntered
from device.publishing.address import HallAddress
from device.publishing.messages import Confirmed, Topic, read
from engine.rules import ruleset
from tests.device.publishing.broker import PASSWORD, Broker, mosquitto
from tests.device.publishing.quick import Running, place
from tests.device.publishing.relay import Relay
from tests.waiting import wait_for
from tests.web.hall.conftest import copied, rows
from tests.web.hall.listening import SAID, begun
from web.hall.context import STORE
from web.hall.store import Store

pytestmark = mosquitto

TABLES = ("table-1", "table-2", "table-3")
KILLED = ("broker", "hall", *TABLES)
KILLS = 10
"""Of each."""
EACH = 60
"""Events that a table writes between two pauses."""


class Writing:
    """A table's journal that is being written, some events at a time."""

    def __init__(self, folder: Path, lot: random.Random) -> None:
        """Begin it."""
        folder.mkdir()
        self._lot = lot
        self.journal = Journal(folder / "journal.sqlite3")
        rules = ruleset("enkeshui")
        self.journal.append(GameStarted(game="enkeshui", rules=rules.name, board="2x8", position=str(rules.setup())))
        self._due = self._written = 1
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._write)
        self._thread.start()

    def end(self) -> None:
        """Write no more."""
        self._ending.set()
        self._thread.join(10)

    def go_on(self) -> None:
        """Write some more: not without end, for on a slow machine the hall would never catch up."""
        self._due += EACH

    def _write(self) -> None:
        while not self._ending.wait(self._lot.random() * 0.05):
            few = min(self._lot.randrange(1, 8), self._due - self._written)
            self.journal.append_all([(self._event(), "") for _ in range(few)])
            self._written += few

    def _event(self) -> Blind | Sighted | StateEntered:
        return self._lot.choice((Sighted(), StateEntered(state="watching"),
                                 Blind(why="Nâisiae's lamp — “out”\n" * self._lot.randrange(1, 40))))


class Known:
    """What the hall has confirmed, as it goes over the broker."""

    def __init__(self, broker: Broker) -> None:
        """Listens from now on, and again whenever the broker is back."""
        self.numbers: dict[str, int] = {}
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
        self._client.username_pw_set("hall", PASSWORD)
        self._client.reconnect_delay_set(1, 1)
        self._client.on_connect = lambda client, *_: client.subscribe("inkeek/1/+/confirmed", qos=1)
        self._client.on_message = self._hear
        self._client.connect("127.0.0.1", broker.port)
        self._client.loop_start()

    def end(self) -> None:
        """Listen no more."""
        self._client.disconnect()
        self._client.loop_stop()

    def _hear(self, _client: mqtt.Client, _data: object, message: mqtt.MQTTMessage) -> None:
        table, said = Topic.parse(message.topic).table, read(bytes(message.payload), Confirmed, "confirmed")
        self.numbers[table] = max(self.numbers.get(table, 0), said.number)


class House:
    """All of it, running. Each link has a relay of its own."""

    def __init__(self, folder: Path, broker: Broker, open_: ExitStack) -> None:
        """Begin. open_: what is to be ended with it."""
        self.folder, self.broker = folder, broker
        self.relays = {name: Relay(broker.port) for name in ("hall", *TABLES)}
        self.writing = {table: Writing(folder / table, random.Random(table)) for table in TABLES}
        self.running = {table: Running(place(folder / table, table), self._through(table)) for table in TABLES}
        self.hall: BaseProcess = begun(folder / "hall", self._through("hall"))
        self.known = Known(broker)
        open_.callback(self._close)

    def kill(self, name: str) -> None:
        """Kill one of them, at whatever it is, and start it again at once."""
        if name == "broker":
            self.broker.kill()
            self.broker.start()
        elif name == "hall":
            self.hall.kill()
            self.hall.join(10)
            told, kept = dict(self.known.numbers), self.kept()
            assert all(kept.get(table, 0) >= number for table, number in told.items()), "confirmed, and not on the disk"
            self.hall = begun(self.folder / "hall", self._through("hall"))
        else:
            self.running[name] = self.running[name].again()

    def all_go_on(self) -> None:
        """Nothing is held up, and something new of each table comes to the hall's disk."""
        for relay in self.relays.values():
            relay.let_go()
        for one in self.writing.values():
            one.go_on()
        had = self.kept()
        wait_for(lambda: all(number > had.get(table, 0) for table, number in self.kept().items())
                 and len(self.kept()) == len(TABLES), 60)

    def settle(self) -> None:
        """Write no more, and wait until the hall has all there is."""
        for relay in self.relays.values():
            relay.let_go()
        for one in self.writing.values():
            one.end()
        wait_for(lambda: self.kept() == {table: one.journal.last for table, one in self.writing.items()}, 60)

    def kept(self) -> dict[str, int]:
        """How many events of each table are on the hall's disk."""
        path = self.folder / "hall" / STORE
        if not path.exists():
            return {}
        db = sqlite3.connect(path, timeout=10)
        try:
            return dict(db.execute("SELECT place, count(*) FROM event JOIN stream ON id = stream GROUP BY place"))
        except sqlite3.OperationalError:  # killed before it had made its tables
            return {}
        finally:
            db.close()

    def _through(self, user: str) -> HallAddress:
        return replace(self.broker.address(user), port=self.relays[user].port)

    def _close(self) -> None:
        self.known.end()
        for one in self.running.values():
            one.kill()
        self.hall.kill()
        self.hall.join(10)
        for writing in self.writing.values():
            writing.end()
            writing.journal.close()
        for relay in self.relays.values():
            relay.close()


@contextmanager
def house(folder: Path) -> Iterator[House]:
    """A broker with the example's rights, and all that speaks over it."""
    with ExitStack() as open_:
        broker = Broker(folder / "broker", "hall", *TABLES)
        broker.start()
        open_.callback(broker.kill)
        yield House(folder, broker, open_)


def test_whoever_is_killed_and_whatever_is_held_up_the_hall_has_every_journal(tmp_path: Path) -> None:
    lot, pause = random.Random(20261125), threading.Event()
    with house(tmp_path) as all_:
        for _ in range(KILLS):
            all_.all_go_on()
            for name in lot.sample(KILLED, len(KILLED)):
                relay = all_.relays[lot.choice(("hall", *TABLES))]
                lot.choice((relay.hold, relay.hold, relay.let_go, relay.cut))()
                pause.wait(lot.random() * 0.25)  # the moment of the kill is drawn by lot; nothing else rests on it
                all_.kill(name)
        all_.settle()
        assert sum(relay.cuts for relay in all_.relays.values()) > KILLS
        journals = {table: rows(tmp_path / table / "journal.sqlite3") for table in TABLES}
    assert "broke; trying again" in (tmp_path / "hall" / SAID).read_text()
    store = Store(tmp_path / "hall" / STORE)
    for table, journal in journals.items():
        now, before = store.current(table), GENESIS
        assert now is not None and not now.forked and now.journal == journal[0][4][:16]
        assert copied(store, table) == journal and len(journal) > KILLS * EACH / 2
        for number, (found, at, kind, body, digest) in enumerate(journal, 1):
            assert (found, digest) == (number, event_hash(before, number, at, kind, body))
            before = digest
    store.close()
