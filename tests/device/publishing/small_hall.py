"""A hall that keeps the contract and nothing else: it takes events in order, confirms them, gives orders, asks for
evidence. What a real one keeps on disk it keeps in memory, for it is never killed."""

from __future__ import annotations

import threading
from collections import defaultdict
from contextlib import suppress

import msgspec

from device.journal.chain import GENESIS
from device.publishing.address import HallAddress
from device.publishing.link import HallLink, LinkLost
from device.publishing.messages import (
    Ask,
    BadMessage,
    Confirmed,
    GivenOrder,
    JournalRecord,
    OrderAnswer,
    PrivateState,
    Public,
    Topic,
    read,
    write,
)

Stream = tuple[str, str]
"""TABLE and JOURNAL."""


class SmallHall:
    """Runs on a thread of its own."""

    def __init__(self, address: HallAddress) -> None:
        """Nothing is heard yet."""
        self._address = address
        self.events: defaultdict[Stream, list[JournalRecord]] = defaultdict(list)
        self.states: dict[str, PrivateState] = {}
        self.publics: dict[str, Public] = {}
        self.gone: dict[str, bytes] = {}
        self.answers: list[tuple[str, OrderAnswer]] = []
        self.evidence: defaultdict[str, list[bytes]] = defaultdict(list)
        self.wrong: list[str] = []
        """What no hall may ever see."""
        self._to_say: list[tuple[str, bytes, bool]] = []
        self._lock = threading.Lock()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="small hall")

    def __enter__(self) -> SmallHall:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.set()
        self._thread.join(10)

    def say(self, table: str, message: msgspec.Struct) -> None:
        """Tell a table something: an order, or what evidence is asked for."""
        kind = {GivenOrder: "orders", Ask: "ask", Confirmed: "confirmed"}[type(message)]
        self.say_raw(f"inkeek/1/{table}/{kind}", write(message))

    def say_raw(self, topic: str, payload: bytes, retain: bool = False) -> None:
        """Publish anything."""
        with self._lock:
            self._to_say.append((topic, payload, retain))

    def count(self, table: str) -> int:
        """How many events it has of that table."""
        return sum(len(events) for (one, _), events in list(self.events.items()) if one == table)

    def _run(self) -> None:
        while not self._ending.is_set():
            link = HallLink(self._address, "hall", self._hear, ("inkeek/1/hall/gone", b""), 15, 16 << 20)
            with suppress(LinkLost):
                link.open()
                self._serve(link)
            link.drop()
            self._ending.wait(0.02)

    def _serve(self, link: HallLink) -> None:
        asked = False
        while not self._ending.is_set():
            if link.up and not asked:
                asked = True
                link.subscribe("inkeek/1/#")
                for stream in list(self.events):
                    self._confirm(stream)
            with self._lock:
                said, self._to_say = (self._to_say, []) if link.listening else ([], self._to_say)
            for topic, payload, retain in said:
                link.publish(topic, payload, retain=retain)
            link.turn(0.01)

    def _hear(self, text: str, payload: bytes) -> None:
        try:
            topic = Topic.parse(text)
            match topic.kind:
                case "events":
                    self._take(topic.table, read(payload, JournalRecord, "events"))
                case "public":
                    self.publics[topic.table] = read(payload, Public, "public")
                case "state":
                    self.states[topic.table] = read(payload, PrivateState, "state")
                case "gone":
                    self.gone[topic.table] = payload
                case "answers":
                    self.answers.append((topic.table, read(payload, OrderAnswer, "answers")))
                case "evidence":
                    self.evidence[topic.sha].append(payload)
                case _:
                    pass
        except BadMessage as error:
            self.wrong.append(str(error))

    def _take(self, table: str, event: JournalRecord) -> None:
        stream = table, event.journal
        kept = self.events[stream]
        if not event.stands:
            self.wrong.append(f"event {event.number} of {table} does not stand")
        elif event.number <= len(kept):
            if kept[event.number - 1].hash != event.hash:
                self.wrong.append(f"event {event.number} of {table} is another one")
        elif event.number == len(kept) + 1 and event.before == (kept[-1].hash if kept else GENESIS):
            kept.append(event)
        self._confirm(stream)

    def _confirm(self, stream: Stream) -> None:
        kept = self.events[stream]
        said = Confirmed(stream[1], len(kept), kept[-1].hash if kept else GENESIS)
        self.say_raw(f"inkeek/1/{stream[0]}/confirmed", write(said), retain=True)
