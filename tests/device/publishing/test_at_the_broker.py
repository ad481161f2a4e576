"""At a real broker with the example's acl: who may do what, orders and evidence over the wire, and what goes wrong with
a link, each in one sentence."""

import hashlib
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.reasoncodes import ReasonCode

from device.journal import Journal
from device.journal.chain import GENESIS, encode
from device.journal.events import HoldSet, LetStand, OrderAnswered, TeamsNamed
from device.journal.pin import PIN_FILE
from device.publishing.address import HallAddress
from device.publishing.link import HallLink, LinkLost
from device.publishing.link_state import LinkState, read_link
from device.publishing.messages import Ask, Confirmed, GivenOrder, key_of, signed, write
from tests.device.publishing.broker import Broker, mosquitto
from tests.device.publishing.quick import Running, place
from tests.device.publishing.small_hall import SmallHall
from tests.ports import free_port
from tests.quick_pin import set_pin
from tests.waiting import wait_for as patiently
from tests.web.stage import Stage

pytestmark = mosquitto

PIN, TABLE = "271828", "table-1"


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    """A broker of a hall with three tables, running."""
    made = Broker(tmp_path_factory.mktemp("broker"), "hall", "public", "table-1", "table-2", "table-3")
    made.start()
    yield made
    made.kill()


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    """A table with a game, a foul and a PIN."""
    with closing(Stage(tmp_path)) as made:
        made.begin()
        made.cheat()
        set_pin(tmp_path / PIN_FILE, PIN)
        yield made


@pytest.fixture
def hall(broker: Broker, stage: Stage) -> Iterator[SmallHall]:
    """A hall that knows the table, which is published."""
    with SmallHall(broker.address("hall")) as made, Running(place(stage.folder, TABLE), broker.address(TABLE)):
        wait_for(lambda: made.count(TABLE) >= stage.journal.last and TABLE in made.states)
        yield made


def wait_for(what: Callable[[], object]) -> None:
    """As long as a slow machine may take."""
    patiently(what, 40.0)


class Guest:
    """Somebody at the broker: hears all that they are let hear."""

    def __init__(self, address: HallAddress, topics: str = "#") -> None:
        """Come in and ask for everything."""
        self.heard: dict[str, bytes] = {}
        self.link = HallLink(address, f"guest-{time.monotonic_ns()}", self.heard.__setitem__, ("a/will", b""),
                         most_bytes=16 << 20)
        self.link._mqtt.will_clear()
        self.link.open()
        self.until(lambda: self.link.up)
        self.link.subscribe(topics)
        self.until(lambda: self.link.listening)

    def until(self, what: Callable[[], object], seconds: float = 40.0) -> None:
        """Hear until this holds."""
        end = time.monotonic() + seconds
        while not what():
            assert time.monotonic() < end, "it did not happen in time"
            self.link.turn(0.02)

    def publish(self, topic: str, payload: bytes) -> None:
        """Publish, and wait until the broker has taken it. Raises LinkLost where it does not."""
        number = self.link.publish(topic, payload)
        self.until(lambda: self.link.sent(number))
        self.link.turn(0.0)


@contextmanager
def guest(address: HallAddress) -> Iterator[Guest]:
    made = Guest(address)
    try:
        yield made
    finally:
        made.link.drop()


def turned_away(address: HallAddress) -> str:
    """Why there is no link: the sentence."""
    link = HallLink(address, "inkeek-table-1", lambda *_: None, ("inkeek/1/table-1/gone", b""))
    try:
        with pytest.raises(LinkLost) as lost:
            link.open()
            end = time.monotonic() + 40
            while time.monotonic() < end:
                link.turn(0.05)
        return str(lost.value)
    finally:
        link.drop()


# ---- who may do what

@pytest.mark.parametrize("user", ["", "public"])
def test_spectators_read_what_everybody_may_see_and_nothing_else(broker: Broker, stage: Stage, hall: SmallHall,
                                                                 user: str) -> None:
    public = f"inkeek/1/{TABLE}/public"
    with guest(broker.address(user)) as one:
        for name in ("Nâisiae", "Sironka", "Lesian"):  # what came before the last of these would be there by now
            stage.journal.append(TeamsNamed(south=[name]))
            one.until(lambda name=name: name in one.heard.get(public, b"").decode())  # type: ignore[misc]
        assert {topic.rpartition("/")[2] for topic in one.heard} <= {"public", "gone"}
    wait_for(lambda: hall.states[TABLE].south == ["Lesian"])


def test_a_table_hears_no_other_table(broker: Broker, stage: Stage, hall: SmallHall) -> None:
    hall.say("table-2", Ask("0" * 64))
    with guest(broker.address("table-2")) as one:
        hall.say("table-1", Ask("0" * 64))
        wait_for(lambda: hall.evidence["0" * 64])
        hall.say("table-2", Ask("1" * 64))
        one.until(lambda: b"1111" in one.heard.get("inkeek/1/table-2/ask", b""))
        assert set(one.heard) == {"inkeek/1/table-2/ask"}


@pytest.mark.parametrize(("user", "topic"), [
    *[(user, f"inkeek/1/{TABLE}/{kind}") for user in ("", "public", "table-2") for kind in (
        "public", "state", "events", "gone", "answers", "orders", "confirmed", "ask", f"evidence/{'0' * 64}")],
    ("hall", f"inkeek/1/{TABLE}/events"), ("hall", f"inkeek/1/{TABLE}/state"), (TABLE, f"inkeek/1/{TABLE}/confirmed"),
    (TABLE, f"inkeek/1/{TABLE}/orders"), (TABLE, "inkeek/1/table-1/events/more"), (TABLE, "elsewhere")])
def test_nobody_writes_where_it_is_not_theirs(broker: Broker, user: str, topic: str) -> None:
    with guest(broker.address(user)) as one, pytest.raises(LinkLost, match=r"does not let .* write"):
        one.publish(topic, b"{}")


# ---- what goes over the wire

def order(hall: SmallHall, stage: Stage, sequence: int, *, pin: str = PIN, journal: str = "") -> GivenOrder:
    """An order to let the foul stand, signed by what the table tells of its PIN."""
    told = hall.publics[TABLE]
    assert told.pin is not None
    key = key_of(pin, told.pin.salt, told.pin.n, told.pin.r, told.pin.p)
    text, journal = encode(LetStand(verdict=hall.states[TABLE].fouls[0])), journal or told.journal
    return GivenOrder(journal, sequence, text, signed(key, TABLE, journal, sequence, text))


def test_an_order_reaches_the_table_and_its_answer_the_hall(stage: Stage, hall: SmallHall) -> None:
    forged, foreign = order(hall, stage, 3, pin="000000"), order(hall, stage, 3, journal="f" * 16)
    given = order(hall, stage, 3)
    for one in (forged, foreign, given, given, order(hall, stage, 2)):
        hall.say(TABLE, one)
    wait_for(lambda: len(hall.answers) >= 5)
    said = [answer.refused.key if answer.refused else answer.event for _, answer in hall.answers]
    number = stage.journal.last
    assert said == ["hall.forged", "hall.journal", number, number, "hall.old"]
    stage.take()
    wait_for(lambda: hall.states[TABLE].fouls == [] and hall.states[TABLE].sequence == 3)
    wait_for(lambda: hall.count(TABLE) == stage.journal.last)
    bodies = [event.body for event in stage.journal.read(number - 1)]
    assert isinstance(bodies[0], LetStand) and bodies[0].by == "hall:3" and isinstance(bodies[1], OrderAnswered)
    assert len(bodies) == 2


def test_an_order_given_while_the_table_is_away_is_taken_when_it_is_back(broker: Broker, stage: Stage) -> None:
    with SmallHall(broker.address("hall")) as hall:
        running = Running(place(stage.folder, TABLE), broker.address(TABLE))
        wait_for(lambda: TABLE in hall.states and hall.states[TABLE].fouls)
        running.kill()
        wait_for(lambda: hall.gone.get(TABLE))
        hall.say(TABLE, order(hall, stage, 7))
        with Running(place(stage.folder, TABLE), broker.address(TABLE)):
            wait_for(lambda: hall.answers)
    assert [(answer.sequence, answer.event) for _, answer in hall.answers] == [(7, stage.journal.last)]


def test_evidence_comes_when_it_is_asked_for(stage: Stage, hall: SmallHall) -> None:
    data = bytes(range(256)) * 1000
    sha = hashlib.sha256(data).hexdigest()
    (stage.folder / "evidence" / f"{sha}.zip").write_bytes(data)
    hall.say(TABLE, Ask(sha))
    wait_for(lambda: b"".join(hall.evidence[sha]) == data)
    assert len(hall.evidence[sha]) == 4
    hall.say(TABLE, Ask("0" * 64))
    wait_for(lambda: hall.evidence["0" * 64] == [b""])


def test_what_is_held_reaches_the_hall_alone(broker: Broker, stage: Stage, hall: SmallHall) -> None:
    before = str(stage.position)
    stage.journal.append(HoldSet(on=True))
    foul = stage.cheat()
    wait_for(lambda: hall.states[TABLE].held == [foul])
    stage.journal.append(TeamsNamed(south=["Lesian"]))  # comes after it, and is held with it
    wait_for(lambda: hall.states[TABLE].south == ["Lesian"])
    assert hall.publics[TABLE].position == before and hall.publics[TABLE].south == []


def test_a_table_that_was_killed_is_gone_until_it_is_back(broker: Broker, stage: Stage) -> None:
    with SmallHall(broker.address("hall")) as hall:
        running = Running(place(stage.folder, TABLE), broker.address(TABLE))
        wait_for(lambda: TABLE in hall.states and hall.gone[TABLE] == b"")
        running.kill()
        wait_for(lambda: b'"at"' in hall.gone[TABLE])
        running = running.again()
        wait_for(lambda: hall.gone[TABLE] == b"")
        running.end()
        wait_for(lambda: b'"at"' in hall.gone[TABLE])
        assert read_link(stage.folder) is None


def test_whatever_the_hall_says_does_no_harm(broker: Broker, stage: Stage, hall: SmallHall) -> None:
    topic = f"inkeek/1/{TABLE}"
    for kind in ("orders", "ask", "confirmed"):
        for payload in (b"", b"{", b"[" * 100_000, b"\xff" * 300_000, b"null", b'{"sha":"../../page.pin"}',
                        b'{"journal":"0","number":-1,"hash":""}', write(Confirmed("f" * 16, 5, GENESIS))):
            hall.say_raw(f"{topic}/{kind}", payload)
    stage.journal.append(TeamsNamed(south=["Lesian"]))
    wait_for(lambda: hall.count(TABLE) == stage.journal.last and hall.states[TABLE].south == ["Lesian"])
    assert not hall.wrong


def test_a_hall_that_has_another_course_of_the_journal_is_sent_nothing_more(broker: Broker, stage: Stage,
                                                                           hall: SmallHall) -> None:
    journal, had = hall.publics[TABLE].journal, stage.journal.last
    hall.say(TABLE, Confirmed(journal, had, "ab" * 32))
    wait_for(lambda: "another event" in linked(stage).fault)
    stage.journal.append(TeamsNamed(south=["Lesian"]))
    wait_for(lambda: hall.states[TABLE].south == ["Lesian"])
    assert hall.count(TABLE) == had
    hall.say(TABLE, Confirmed(journal, 900, "ab" * 32))
    wait_for(lambda: "900 events" in linked(stage).fault)
    hall.say(TABLE, Confirmed(journal, 0, GENESIS))
    wait_for(lambda: hall.count(TABLE) == had + 1 and linked(stage).fault == "")


def linked(stage: Stage) -> LinkState:
    found = read_link(stage.folder)
    assert found is not None
    return found


def test_a_new_journal_under_the_same_table_is_another_stream(broker: Broker, stage: Stage, hall: SmallHall) -> None:
    for file in stage.folder.glob("journal.sqlite3*"):
        file.rename(file.with_name(f"old-{file.name}"))
    with Journal(stage.folder / "journal.sqlite3") as journal:
        journal.append(TeamsNamed(south=["Sironka"]))
        wait_for(lambda: len(hall.events) == 2 and hall.states[TABLE].south == ["Sironka"])
    assert {len(events) for events in hall.events.values()} == {1, stage.journal.last}
    assert not hall.wrong


# ---- what goes wrong with a link

def test_a_wrong_password_is_said(broker: Broker) -> None:
    assert turned_away(broker.address(TABLE, "wrong")) == (
        f"the hall's broker at mqtt://{TABLE}@127.0.0.1:{broker.port} does not let the user '{TABLE}' in: check user "
        f"and password, and that this user may write under inkeek/1/{TABLE}")


def test_a_user_of_another_name_is_said(broker: Broker, stage: Stage) -> None:
    with Running(place(stage.folder, TABLE), broker.address("table-2")):
        wait_for(lambda: read_link(stage.folder) is not None)
        wait_for(lambda: linked(stage).sentence == (
            "the hall's broker does not let the user 'table-2' write under inkeek/1/table-1: its user must be the "
            "table's id, see device/publishing/broker/acl"))


def test_that_nobody_answers_is_said() -> None:
    port = free_port()
    assert turned_away(HallAddress("127.0.0.1", port)) == (
        f"no broker answers on port {port} of 127.0.0.1: is it running?")


def test_an_unknown_machine_is_said() -> None:
    assert turned_away(HallAddress("no-such-hall.invalid", 1883)) == (
        "there is no machine 'no-such-hall.invalid' here: check the hall's address, and the network")


def test_another_table_with_the_same_id_is_said(tmp_path: Path, broker: Broker) -> None:
    """By the broker's word, or where it has none by what happens."""
    stages = [Stage(tmp_path / name) for name in ("one", "two")]
    for stage in stages:
        stage.begin()
    with (Running(place(stages[0].folder, "table-3"), broker.address("table-3")),
          Running(place(stages[1].folder, "table-3"), broker.address("table-3"))):
        wait_for(lambda: any("same id" in found.sentence for found in map(read_link, (one.folder for one in stages))
                             if found is not None))
    for stage in stages:
        stage.close()


def test_a_broker_that_says_so_is_believed(broker: Broker) -> None:
    link = HallLink(broker.address("table-3"), "inkeek-table-3", lambda *_: None, ("inkeek/1/table-3/gone", b""))
    link.open()
    link._on_disconnect(None, None, None, ReasonCode(PacketTypes.DISCONNECT, identifier=142), None)
    with pytest.raises(LinkLost, match=r"another table has the same id at this hall: .* delete hall-table\.json"):
        link.turn(0.0)
    link.drop()


def test_what_went_wrong_stands_where_page_and_doctor_read_it(broker: Broker, stage: Stage) -> None:
    with Running(place(stage.folder, TABLE), broker.address(TABLE, "wrong")):
        wait_for(lambda: read_link(stage.folder) is not None)
        wait_for(lambda: "check user and password" in linked(stage).sentence)
        assert not linked(stage).linked
    with Running(place(stage.folder, TABLE), broker.address(TABLE)):
        wait_for(lambda: (found := read_link(stage.folder)) is not None and found.linked)
        assert linked(stage).table == TABLE and "wrong" not in str(linked(stage))


# ---- encrypted

@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate of 127.0.0.1 that vouches for itself, and its key."""
    if shutil.which("openssl") is None:
        pytest.skip("an encrypted link to a hall (apt install openssl)")
    folder = tmp_path_factory.mktemp("certificate")
    made = folder / "hall.crt", folder / "hall.key"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                    "-days", "2", "-subj", "/CN=hall", "-addext", "subjectAltName=IP:127.0.0.1", "-out", str(made[0]),
                    "-keyout", str(made[1])], check=True, capture_output=True)
    return made


def test_an_encrypted_link_checks_who_is_there(tmp_path: Path, broker: Broker, certificate: tuple[Path, Path],
                                               stage: Stage) -> None:
    secured = Broker(tmp_path / "secured", "hall", TABLE, tls=certificate)
    secured.start()
    try:
        address = secured.address(TABLE, ca=certificate[0])
        with (SmallHall(secured.address("hall", ca=certificate[0])) as hall,
              Running(place(stage.folder, TABLE), address)):
            wait_for(lambda: hall.count(TABLE) == stage.journal.last)
        unknown = HallAddress("127.0.0.1", secured.port, True, TABLE, "x")
        assert turned_away(unknown) == ("the certificate of 127.0.0.1 cannot be trusted (self-signed certificate): "
                                        "name its CA certificate with --hall-ca")
        plain = HallAddress("127.0.0.1", broker.port, True, TABLE, "x", str(certificate[0]))
        assert turned_away(plain) == (f"127.0.0.1 does not speak TLS on port {broker.port}: is it mqtt:// there, or "
                                      "another port?")
    finally:
        secured.kill()
