"""Takes in what the tables publish: checks it, keeps it, confirms it, and repeats the confirmation if something is
missing. All of this happens on one thread.

Every message is hostile until it is parsed: a malformed one changes nothing, and is logged once an hour per sender.
"""

import logging
import queue
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from device.journal.chain import GENESIS
from device.journal.store import JournalError
from device.publishing.messages import (
    BadMessage,
    Confirmed,
    Gone,
    JournalRecord,
    OrderAnswer,
    PrivateState,
    Public,
    Topic,
    read,
)
from web.hall.evidence import EvidenceCache
from web.hall.link import Arrival
from web.hall.registry import HallTable, TableRegistry
from web.hall.store import AppendResult, Store
from web.refusals import Refusals

MOST_AT_ONCE = 500
"""Most messages taken in together and written in one transaction."""
TICK_S = 0.2
MOST_ANSWERS = 200

WRONG = {AppendResult.BROKEN: "an event whose hash does not fit what it holds",
         AppendResult.FORK: "an event of another history than the one that the hall keeps",
         AppendResult.FULL: "a journal beyond those that the hall keeps"}


class Line(Protocol):
    """Where messages come from and confirmations go to; see `web.hall.link.BrokerLink`."""

    arrivals: queue.Queue[Arrival | None]

    def confirm(self, table: str, said: Confirmed) -> None:
        """Tell the table that all events up to there are on the disk."""
        ...


@dataclass
class ConfirmTimings:
    """When `confirmed` is repeated, in seconds. again: at least this long after it was last sent; stalled: this long
    without a new event from a table that has more of them."""

    again: float = 1.0
    stalled: float = 5.0


@dataclass
class Flow:
    """How one table's events arrive. said: when `confirmed` was last repeated; grew: when the last new event came;
    owed: `confirmed` must be repeated."""

    said: float = -1e9
    grew: float = -1e9
    owed: bool = False


@dataclass
class Answers:
    """The tables' answers to orders, for the threads that wait for them."""

    lock: threading.Condition = field(default_factory=threading.Condition)
    known: OrderedDict[tuple[str, str, int], OrderAnswer] = field(default_factory=OrderedDict)

    def take(self, table: str, answer: OrderAnswer) -> None:
        """Keep an answer and wake those who wait."""
        with self.lock:
            self.known[table, answer.journal, answer.sequence] = answer
            while len(self.known) > MOST_ANSWERS:
                self.known.popitem(last=False)
            self.lock.notify_all()

    def wait(self, table: str, journal: str, sequence: int, seconds: float) -> OrderAnswer | None:
        """Return the answer to that order; None if none comes in time."""
        key = (table, journal, sequence)
        with self.lock:
            self.lock.wait_for(lambda: key in self.known, seconds)
            return self.known.get(key)


class MessageReceiver:
    """Takes in messages on a thread of its own."""

    def __init__(self, line: Line, registry: TableRegistry, evidence: EvidenceCache, log: Callable[[str], None],
                 timings: ConfirmTimings | None = None) -> None:
        """line: see `Line`; log: takes sentences."""
        self._line, self._registry, self._evidence, self._log = line, registry, evidence, log
        self._store: Store = registry.store
        self._timings = timings or ConfirmTimings()
        self._refusals = Refusals()
        self._flows: dict[str, Flow] = {}
        self._grown: set[str] = set()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="receiver", daemon=True)
        self.answers = Answers()

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread and wait until it has ended."""
        self._ending.set()
        self._thread.join(10)

    def _run(self) -> None:
        while not self._ending.is_set():
            try:
                self.step(TICK_S)
            except JournalError as error:  # none of these events was confirmed, so the tables will send them again
                self._refuse("the disk", str(error))
                for flow in self._flows.values():
                    flow.owed = True
                self._ending.wait(1.0)
            except Exception:  # a defect in this program: log it with its traceback and go on listening
                logging.getLogger("hall").exception("what came could not be taken in")

    def step(self, seconds: float) -> None:
        """Take in all messages that are there, or wait up to `seconds` for one. Raises JournalError if the disk fails:
        then the messages are lost, but none of their events was confirmed."""
        events: list[tuple[HallTable, JournalRecord]] = []
        for arrival in self._drained(seconds):
            if arrival is None:
                self._connected()
            else:
                self._take(arrival, events)
        if events:
            self._keep(events)
        self._registry.look_round()
        self._say_again()

    def _drained(self, seconds: float) -> list[Arrival | None]:
        found: list[Arrival | None] = []
        try:
            found.append(self._line.arrivals.get(timeout=seconds))
            while len(found) < MOST_AT_ONCE:
                found.append(self._line.arrivals.get_nowait())
        except queue.Empty:
            pass
        return found

    def _take(self, arrival: Arrival, events: list[tuple[HallTable, JournalRecord]]) -> None:
        """Handle one message. events: collects the events to keep."""
        sender, table = "somebody", None
        try:
            topic = Topic.parse(arrival.topic)
            sender = f"table {topic.table}"
            if self._store.dismissed(topic.table):
                if arrival.retained:  # a message that the broker kept: the table itself is silent
                    return
                self._store.dismiss(topic.table, False)
            table = self._registry.table(topic.table)
            if table is None:
                raise BadMessage("a table beyond those that the hall shows")
            if not arrival.retained:
                self._registry.hear(table)
            if topic.kind == "events":
                events.append((table, read(arrival.payload, JournalRecord, "events")))
            else:
                self._take_message(table, topic, arrival)
        except (BadMessage, RecursionError) as error:
            self._refuse(sender, str(error) if isinstance(error, BadMessage) else "a message that is nested too deep")
            if table is not None:
                self._registry.changed(table)

    def _take_message(self, table: HallTable, topic: Topic, arrival: Arrival) -> None:
        """Handle a message that is no event. Raises BadMessage."""
        match topic.kind:
            case "public":
                table.public = read(arrival.payload, Public, "public") if arrival.payload else None
                self._on(table, table.public)
            case "state":
                table.state = read(arrival.payload, PrivateState, "state") if arrival.payload else None
                self._on(table, table.state)
                if table.state is not None and self._store.ends_otherwise(
                        table.id, table.state.journal, table.state.number, table.state.hash):
                    raise BadMessage(WRONG[AppendResult.FORK])
            case "gone":
                table.gone = bool(arrival.payload) and bool(read(arrival.payload, Gone, "gone"))
            case "answers":
                self.answers.take(table.id, read(arrival.payload, OrderAnswer, "answers"))
            case "evidence":
                wrong = self._evidence.arrived(table.id, topic.sha, arrival.payload, arrival.part, arrival.parts)
                if wrong:
                    raise BadMessage(wrong)
                return
            case _:
                raise BadMessage("something that tables do not say")
        self._registry.changed(table)

    def _on(self, table: HallTable, told: Public | None) -> None:
        """Note which journal the table plays on; if it is new to the hall, tell the table that the hall has none of
        it."""
        if told is None or not told.journal:
            return
        before = self._store.stream(table.id, told.journal)
        self._registry.plays_on(table, told.journal)
        if before is None:
            self._confirm(table.id)

    def _keep(self, events: list[tuple[HallTable, JournalRecord]]) -> None:
        """Write events, then confirm those written."""
        taken = self._store.take([(table.id, event) for table, event in events])
        touched: dict[str, HallTable] = {}
        for (table, event), what in zip(events, taken, strict=True):
            flow = self._flows.setdefault(table.id, Flow())
            if what in WRONG:
                self._refuse(f"table {table.id}", WRONG[what])
            if what is AppendResult.NEW:
                flow.grew, flow.owed = time.monotonic(), False
                self._grown.add(table.id)
            elif self._is_current(table.id, event.journal):
                flow.owed = True
            if what in (AppendResult.NEW, AppendResult.FORK):
                touched[table.id] = table
        for table in touched.values():
            self._registry.changed(table)
        while self._grown:
            self._confirm(self._grown.pop())

    def _is_current(self, table: str, journal: str) -> bool:
        now = self._store.current(table)
        return now is not None and now.journal == journal

    def _say_again(self) -> None:
        """Repeat `confirmed` to tables with missing events, but not so often that it disturbs arriving ones."""
        now = time.monotonic()
        for table in self._registry.all():
            flow = self._flows.setdefault(table.id, Flow(said=now))
            stream = self._store.current(table.id)
            behind = (stream is not None and table.state is not None and table.state.journal == stream.journal
                      and table.state.number > stream.number)
            since = now - max(flow.said, flow.grew)
            if (flow.owed and since >= self._timings.again) or (behind and since >= self._timings.stalled):
                flow.owed, flow.said = False, now
                self._confirm(table.id)

    def _connected(self) -> None:
        """Tell every table, after a new connection, what the hall has of its journal."""
        for name in self._store.tables():
            self._flows.setdefault(name, Flow()).said = time.monotonic()
            self._confirm(name)

    def _confirm(self, table: str) -> None:
        stream = self._store.current(table)
        if stream is not None:
            self._line.confirm(table, Confirmed(journal=stream.journal, number=stream.number,
                                                hash=stream.hash if stream.number else GENESIS))

    def _refuse(self, sender: str, what: str) -> None:
        line = self._refusals.note(sender, what)
        if line:
            self._log(line)
