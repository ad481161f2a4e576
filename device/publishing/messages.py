"""The messages between tables and a hall over MQTT 5, version 1: topics, one struct a payload, how orders are signed.

A table publishes under `inkeek/1/TABLE/`; TABLE is its id. JOURNAL is the first 16 hexadecimal digits of the hash of
the journal's first event: a new journal at the same table is another stream. `read` and `Topic.parse` read what comes
from outside and reject everything that does not fit.

Events are not lost. The journal is the outbox: the table sends the events after the number that the hall confirmed, at
most `MOST_IN_FLIGHT` beyond it, and starts there again after a lost link, or when the number is confirmed once more
while later events are under way. So a hall publishes `confirmed` again for each stream when it connects, at a gap, when
an event does not fit the chain, and when it receives a number that it has.

Orders are carried out once at most. The hall derives the key from the PIN and the table's `pin` (`key_of`), signs the
order (`signed`) and publishes it. `sequence` must be above that of the last order that the table took, which `state`
tells. If no answer comes, the hall may publish the same message again; the table then repeats its answer.
"""

import hashlib
import hmac
import re
from dataclasses import dataclass
from typing import Annotated, Literal, Self, TypeVar, cast

import msgspec
from msgspec import Meta

from device.journal.chain import event_hash
from device.journal.events import AgreeEnd, CorrectPit, Forfeit, LetStand, NotAsSeen, Shown, Told, Undo, Withdraw
from device.journal.pin import Derivation, key_of

__all__ = ["Derivation", "key_of"]

ROOT = "inkeek/1"

Kind = Literal["public", "gone", "state", "events", "confirmed", "orders", "answers", "ask", "evidence"]

MOST_IN_FLIGHT = 256
"""Most events that a table sends beyond the confirmed one."""
PART_BYTES = 64 << 10
"""Bytes of one part of an evidence file; its message has the user properties `part`, from 1, and `parts`. A file that
does not exist (any more) is one empty message with `parts` 0."""
MOST_EVIDENCE_BYTES = 32 << 20
"""Larger evidence files are not sent."""

MOST_BYTES: dict[Kind, int] = {
    "public": 16 << 10, "gone": 256, "state": 256 << 10, "events": 8 << 20, "confirmed": 512, "orders": 8 << 10,
    "answers": 16 << 10, "ask": 256, "evidence": PART_BYTES}
"""Bytes of the longest payload of each kind; longer ones are rejected."""

# In Python, unlike JSON Schema, `$` also matches before a final newline.
TableId = Annotated[str, Meta(pattern="^[a-z0-9-]{1,32}$(?!\\n)")]
JournalId = Annotated[str, Meta(pattern="^[0-9a-f]{16}$(?!\\n)")]
Sha = Annotated[str, Meta(pattern="^[0-9a-f]{64}$(?!\\n)", description="hexadecimal SHA-256")]
Number = Annotated[int, Meta(ge=1, le=2**53 - 1)]
At = Annotated[str, Meta(max_length=40, description="ISO 8601, UTC")]
Short = Annotated[str, Meta(max_length=200)]

_TOPIC = re.compile(rf"{ROOT}/(?P<table>[a-z0-9-]{{1,32}})/"
                    r"(?:(?P<kind>public|gone|state|events|confirmed|orders|answers|ask)|evidence/(?P<sha>[0-9a-f]{64}))")


class BadMessage(ValueError):
    """A message that breaks this contract: one sentence, which names places in the payload but quotes none of it."""


class Public(msgspec.Struct, frozen=True, kw_only=True):
    """`public`, retained: what everybody may see of a table. While an accusation is held back, this shows the game
    before it.

    name: the table's, for people. journal: JOURNAL, "" for none yet. game, rules, board, position: as in the journal,
    "" without a game. turn: S, N or "". score: seeds captured by South and North. south, north: who plays there. state:
    one of `device.journal.states`, "" if the table is not running. seeing: False if the table is blind or not running;
    why: a few words, English, and told: their message. page: the address of the table's own page, "" if only its own
    machine can reach it. pin: how the key for orders is derived from the PIN; None without a PIN, when no order is
    taken.
    """

    name: Annotated[str, Meta(min_length=1, max_length=80)]
    at: At
    journal: Annotated[str, Meta(pattern="^([0-9a-f]{16})?$(?!\\n)")] = ""
    game: Short = ""
    rules: Short = ""
    board: Annotated[str, Meta(max_length=20)] = ""
    position: Annotated[str, Meta(max_length=2000)] = ""
    turn: Literal["S", "N", ""] = ""
    score: tuple[int, int] = (0, 0)
    south: Annotated[list[Short], Meta(max_length=20)] = []
    north: Annotated[list[Short], Meta(max_length=20)] = []
    state: Annotated[str, Meta(max_length=40)] = ""
    seeing: bool = False
    why: Annotated[str, Meta(max_length=1000)] = ""
    told: Told | None = None
    page: Annotated[str, Meta(max_length=200)] = ""
    pin: Derivation | None = None


class PrivateState(Public, frozen=True, kw_only=True):
    """`state`, retained, for the hall only: like `public`, with nothing held back.

    number, hash: those of the journal's last event, 0 and "" without one. fouls: numbers of the verdicts that call a
    move illegal and that nobody has ruled on. held: numbers of the verdicts that are held back from spectators.
    sequence: that of the last order taken.
    """

    number: Annotated[int, Meta(ge=0, le=2**53 - 1)] = 0
    hash: Annotated[str, Meta(pattern="^([0-9a-f]{64})?$(?!\\n)")] = ""
    fouls: list[int] = []
    held: list[int] = []
    sequence: Annotated[int, Meta(ge=0, le=2**53 - 1)] = 0


class Gone(msgspec.Struct, frozen=True):
    """`gone`, retained: the table's last will, set when it connects. An empty payload means that the table is there."""

    at: At


class JournalRecord(msgspec.Struct, frozen=True):
    """`events`: one event as the journal stores it, sent in order. body: its exact JSON text; type: its kind, as in the
    JSON. before: the hash of the event before it, 64 zeros for the first."""

    journal: JournalId
    number: Number
    hash: Sha
    before: Sha
    at: At
    type: Annotated[str, Meta(max_length=100)]
    body: str

    @property
    def stands(self) -> bool:
        """Whether the hash matches the content and the hash before."""
        return hmac.compare_digest(self.hash, event_hash(self.before, self.number, self.at, self.type, self.body))


class Confirmed(msgspec.Struct, frozen=True):
    """`confirmed`, retained: all events up to this one are on the hall's disk. number 0 and 64 zeros: none yet."""

    journal: JournalId
    number: Annotated[int, Meta(ge=0, le=2**53 - 1)]
    hash: Sha


class GivenOrder(msgspec.Struct, frozen=True):
    """`orders`: an order for the table. order: JSON of one of `RULINGS`, tagged with its `type`. mac: see `signed`."""

    journal: JournalId
    sequence: Number
    order: Annotated[str, Meta(max_length=4096)]
    mac: Sha


class OrderAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """`answers`: the outcome of an order. event: its number in the journal, where the table's own answer
    (`OrderAnswered`) follows; 0 if it was refused: then `refused` is the message and `sentence` its English text."""

    journal: JournalId
    sequence: Number
    event: Annotated[int, Meta(ge=0, le=2**53 - 1)] = 0
    refused: Told | None = None
    sentence: Annotated[str, Meta(max_length=1000)] = ""


class Ask(msgspec.Struct, frozen=True):
    """`ask`: a request for an evidence file by its SHA-256; the file comes on `evidence/SHA`."""

    sha: Sha


Ruling = LetStand | Withdraw | NotAsSeen | CorrectPit | Forfeit | AgreeEnd | Undo | Shown
RULINGS: msgspec.json.Decoder[Ruling] = msgspec.json.Decoder(Ruling)
"""Decodes the orders that a hall may give: rulings, and showing a held verdict."""


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic's parts. sha: only for `evidence`."""

    table: str
    kind: Kind
    sha: str = ""

    def __str__(self) -> str:
        """The topic as MQTT's text."""
        return f"{ROOT}/{self.table}/{self.kind}" + (f"/{self.sha}" if self.sha else "")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a topic. Raises BadMessage for a topic outside this contract."""
        found = _TOPIC.fullmatch(text)
        if not found:
            raise BadMessage("a topic that is not of this contract")
        return cls(found["table"], cast(Kind, found["kind"] or "evidence"), found["sha"] or "")


T = TypeVar("T", bound=msgspec.Struct)


def read(payload: bytes, form: type[T], kind: Kind) -> T:
    """Decode a payload. form: the struct; kind: the topic's. Raises BadMessage."""
    if len(payload) > MOST_BYTES[kind]:
        raise BadMessage(f"{len(payload)} bytes in {kind}: {MOST_BYTES[kind]} are the most")
    try:
        return msgspec.json.decode(payload, type=form)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadMessage(f"{kind} is not in form: {_place(error)}") from None


def write(message: msgspec.Struct) -> bytes:
    """Encode a message; equal messages give equal payloads."""
    return msgspec.json.encode(message, order="deterministic")


def signed(key: bytes, table: str, journal: str, sequence: int, order: str) -> str:
    """Sign an order: HMAC-SHA256 of its `canonical` bytes, in hexadecimal. key: see `key_of`."""
    return hmac.new(key, canonical(table, journal, sequence, order), hashlib.sha256).hexdigest()


def canonical(table: str, journal: str, sequence: int, order: str) -> bytes:
    """The bytes to sign: five lines, the last of them the order; the others hold no newline."""
    return "\n".join((f"{ROOT}/order", table, journal, str(sequence), order)).encode()


def _place(error: Exception) -> str:
    """The place and kind of an error, without quoting the payload, whose text may be anything."""
    text = str(error)
    return text.replace("`$.", "`") if isinstance(error, msgspec.ValidationError) and len(text) < 200 else "no JSON"
