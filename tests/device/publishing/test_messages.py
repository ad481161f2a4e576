"""What a table and a hall tell each other: its forms, its topics, and how orders are signed."""

from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from device.journal import Journal
from device.journal.chain import GENESIS, encode
from device.journal.events import BoardFound, LetStand, Shown, Told, UseCamera
from device.journal.pin import PIN_FILE, stored_pin
from device.publishing import messages
from device.publishing.messages import (
    MOST_BYTES,
    RULINGS,
    Ask,
    BadMessage,
    Confirmed,
    GivenOrder,
    Gone,
    JournalRecord,
    OrderAnswer,
    PrivateState,
    Public,
    Topic,
    canonical,
    key_of,
    read,
    signed,
    write,
)
from tests.examples import examples
from tests.quick_pin import set_pin

JOURNAL = "0123456789abcdef"
SHA = "ab" * 32
MESSAGES: list[tuple[messages.Kind, msgspec.Struct]] = [
    ("public", Public(name="Table 3", at="2026-11-25T20:00:00.000Z", journal=JOURNAL, told=Told("why.still"))),
    ("state", PrivateState(name="Table 3", at="2026-11-25T20:00:00.000Z", number=7, hash=SHA, fouls=[5], sequence=2)),
    ("gone", Gone(at="2026-11-25T20:00:00.000Z")),
    ("events", JournalRecord(JOURNAL, 1, SHA, GENESIS, "2026-11-25T20:00:00.000Z", "Sighted", '{"type":"Sighted"}')),
    ("confirmed", Confirmed(JOURNAL, 0, GENESIS)),
    ("orders", GivenOrder(JOURNAL, 1, encode(LetStand(verdict=5)), SHA)),
    ("answers", OrderAnswer(journal=JOURNAL, sequence=1, refused=Told("hall.old", {"n": 3}), sentence="no")),
    ("ask", Ask(SHA)),
]


@pytest.mark.parametrize(("kind", "message"), MESSAGES, ids=[kind for kind, _ in MESSAGES])
def test_what_is_written_is_read_back(kind: messages.Kind, message: msgspec.Struct) -> None:
    assert read(write(message), type(message), kind) == message
    assert len(write(message)) <= MOST_BYTES[kind]


@pytest.mark.parametrize(("kind", "message"), MESSAGES, ids=[kind for kind, _ in MESSAGES])
@settings(max_examples=examples(40), deadline=None, suppress_health_check=list(HealthCheck))
@given(payload=st.one_of(st.binary(max_size=400), st.text(max_size=200).map(lambda text: text.encode()),
                         st.recursive(st.none() | st.integers() | st.text(max_size=20), lambda inner: st.dictionaries(
                             st.sampled_from(["journal", "number", "hash", "at", "name", "sha"]), inner)).map(
                                 msgspec.json.encode)))
def test_what_is_not_in_form_gives_one_sentence(kind: messages.Kind, message: msgspec.Struct, payload: bytes) -> None:
    try:
        read(payload, type(message), kind)
    except BadMessage as error:
        assert f"{kind} is not in form: " in str(error) or f" bytes in {kind}: " in str(error)
        assert "\n" not in str(error)


def test_nothing_longer_than_its_kind_is_looked_at() -> None:
    with pytest.raises(BadMessage, match="9000 bytes in orders: 8192 are the most"):
        read(b"x" * 9000, GivenOrder, "orders")


@pytest.mark.parametrize("payload", [
    b'{"journal":"0123456789ABCDEF","number":1,"hash":"%s"}', b'{"journal":"../../etc/passwd","number":1,"hash":"%s"}',
    b'{"journal":"0123456789abcdef","number":-1,"hash":"%s"}',
    b'{"journal":"0123456789abcdef","number":1.5,"hash":"%s"}',
    b'{"journal":"0123456789abcdef","number":99999999999999999999,"hash":"%s"}',
    b'{"journal":"0123456789abcdef\\n","number":1,"hash":"%s"}', b"[" * 200_000, b"\xff\xfe", b"", b"null"])
def test_hostile_numbers_and_names_are_refused(payload: bytes) -> None:
    with pytest.raises(BadMessage):
        read(payload.replace(b"%s", SHA.encode()), Confirmed, "confirmed")


@pytest.mark.parametrize("topic", [Topic("table-3", "events"), Topic("a", "evidence", SHA)])
def test_topics_are_read_as_they_are_written(topic: Topic) -> None:
    assert Topic.parse(str(topic)) == topic
    assert str(topic).startswith("inkeek/1/")


@pytest.mark.parametrize("text", [
    "", "/", "inkeek/1/t", "inkeek/1/t/else", "inkeek/2/t/events", "inkeek/1/../events", "inkeek/1/T/events",
    "inkeek/1/t/events/", "inkeek/1/t/events/x", "inkeek/1/t/evidence", f"inkeek/1/t/events/{SHA}",
    "inkeek/1/t/evidence/../../x", f"inkeek/1/{'t' * 33}/events", "inkeek/1/t/events\n", "inkeek/1/+/events"])
def test_other_topics_are_none(text: str) -> None:
    with pytest.raises(BadMessage):
        Topic.parse(text)


def test_an_event_goes_out_as_the_journal_keeps_it(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.sqlite3") as journal:
        journal.append(BoardFound(size=(1280, 720), pits=[(1.0, 2.5, 3.0)]))
        event = journal.append(LetStand(verdict=1, by="Nâisiae \"x\"\n"))
        first = journal.read(0, 1)[0]
    kept = JournalRecord(JOURNAL, event.number, event.hash, first.hash, event.at, event.type, encode(LetStand(
        verdict=1, by="Nâisiae \"x\"\n")))
    assert kept.stands and read(write(kept), JournalRecord, "events").stands
    for changed in ({"number": 3}, {"at": first.at + "x"}, {"before": GENESIS}, {"body": kept.body + " "},
                    {"type": "Withdraw"}):
        assert not msgspec.structs.replace(kept, **changed).stands, changed


def test_the_key_is_what_the_page_keeps_of_the_pin(tmp_path: Path) -> None:
    set_pin(tmp_path / PIN_FILE, "271828")
    stored = stored_pin(tmp_path / PIN_FILE)
    assert stored is not None
    told = msgspec.json.decode(write(stored.derivation), type=messages.Derivation)
    assert key_of("271828", told.salt, told.n, told.r, told.p) == stored.key
    assert key_of("271829", told.salt, told.n, told.r, told.p) != stored.key
    assert stored.digest not in str(write(Public(name="t", at="", pin=stored.derivation)))


def test_a_mac_holds_for_one_order_alone() -> None:
    key, order = b"k" * 32, encode(LetStand(verdict=5))
    assert canonical("table-3", JOURNAL, 12, order) == (
        b'inkeek/1/order\ntable-3\n0123456789abcdef\n12\n{"type":"LetStand","verdict":5}')
    mac = signed(key, "table-3", JOURNAL, 12, order)
    assert mac == "033cfab8925ff524add0e59717661c5b0b600c0bb17f650c77a5e6fcc7d09443"
    others = {signed(b"l" * 32, "table-3", JOURNAL, 12, order), signed(key, "table-4", JOURNAL, 12, order),
              signed(key, "table-3", "f" * 16, 12, order), signed(key, "table-3", JOURNAL, 13, order),
              signed(key, "table-3", JOURNAL, 12, encode(LetStand(verdict=6)))}
    assert len(others) == 5 and mac not in others


def test_rulings_are_read_and_nothing_else() -> None:
    assert RULINGS.decode(encode(Shown(verdict=5))) == Shown(verdict=5)
    with pytest.raises(msgspec.ValidationError):
        RULINGS.decode(encode(UseCamera(camera="usb")))
