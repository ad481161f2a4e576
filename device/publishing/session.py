"""One session with a hall, from signing in until the link is lost. The next session begins after what the hall has
confirmed, so nothing here has to outlive the link."""

import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from device.journal.chain import GENESIS, utc_now
from device.publishing.address import HallAddress
from device.publishing.composer import StateComposer, live_state, same
from device.publishing.evidence import BYTES_A_SECOND, EvidenceSender
from device.publishing.link import HallLink
from device.publishing.messages import (
    Ask,
    BadMessage,
    Confirmed,
    GivenOrder,
    Gone,
    Kind,
    OrderAnswer,
    Public,
    Topic,
    read,
    write,
)
from device.publishing.outbox import Outbox
from device.publishing.publisher_state import EVIDENCE, LIVE, PublisherState
from device.publishing.rate_limited_log import RateLimitedLog

log = logging.getLogger(__name__)

AT_ONCE = 64
"""Most events sent before the link gets its turn."""
LEAVE_S = 1.0


@dataclass(frozen=True, slots=True)
class LinkTimings:
    """How long things take, in seconds.

    back_off: pauses between tries to reach the hall, the last one repeated, until a link has lasted `steady`. settle:
    longest wait for the hall's confirmed number. turn: between two reads of the journal. tell: between two messages
    `public` or `state`; beat: they are sent this often even if nothing changed. again, stall: see `Outbox`. keepalive:
    MQTT's. evidence_rate: bytes a second.
    """

    back_off: tuple[float, ...] = (1.0, 2.0, 5.0, 10.0, 30.0)
    steady: float = 10.0
    settle: float = 0.5
    turn: float = 0.1
    tell: float = 0.5
    beat: float = 20.0
    again: float = 1.0
    stall: float = 20.0
    keepalive: int = 15
    evidence_rate: int = BYTES_A_SECOND


@dataclass
class LastPublished:
    """The last message published under a topic. at: when; number: the message's number at the link."""

    what: Public | None = None
    at: float = 0.0
    number: int = 0


@dataclass
class SentJournal:
    """The journal that is being sent. journal: JOURNAL, "" for none yet; fault: why the hall cannot take it."""

    journal: str = ""
    fault: str = ""
    confirmed: Confirmed | None = field(default=None)
    """The hall's last confirmation, of any journal."""


class Session:
    """One link and what goes over it."""

    def __init__(self, hall: HallAddress, known: PublisherState, composer: StateComposer, timings: LinkTimings) -> None:
        """Prepare without connecting; see `open`. composer: composes the messages `public` and `state`."""
        self._known, self._composer, self._timings = known, composer, timings
        self._place = known.place
        self.link = HallLink(hall, f"inkeek-{self._place.table}", self._hear,
                         (self._place.topic("gone"), write(Gone(utc_now()))), timings.keepalive)
        self._outbox = Outbox(again_s=timings.again, stall_s=timings.stall)
        self._evidence = EvidenceSender(self._place.folder / EVIDENCE, self._place.table, self._publish_part,
                                        self.link.sent,
                                  timings.evidence_rate)
        self._stream = SentJournal()
        self._said: dict[Kind, LastPublished] = {"public": LastPublished(), "state": LastPublished()}
        self._answers: dict[int, OrderAnswer] = {}
        self._asked_at = self._listens_at = -1.0
        self._bad = RateLimitedLog(log)
        self.began = False
        """Whether sending has begun."""

    @property
    def fault(self) -> str:
        """Why the hall cannot take the journal's events; "" if it can."""
        return self._stream.fault

    def open(self) -> None:
        """Connect to the broker. Raises LinkLost."""
        self.link.open()

    def turn(self) -> None:
        """Send and receive what is due. Raises LinkLost."""
        now = time.monotonic()
        busy = False
        if self.began:
            self._tell(now)
            busy = self._send(now)
            self._evidence.tick(now)
            self._note_answers()
        elif self.link.up:
            self._begin(now)
        self.link.turn(0.0 if busy else self._timings.turn)

    def leave(self) -> None:
        """Publish that the table is gone, and close the link."""
        if self.link.up:
            number = self.link.publish(self._place.topic("gone"), write(Gone(utc_now())), retain=True)
            end = time.monotonic() + LEAVE_S
            while not self.link.sent(number) and time.monotonic() < end:
                self.link.turn(0.05)
        self.link.close()

    # ---- to the hall

    def _begin(self, now: float) -> None:
        """Subscribe to the hall's topics, wait a little for the hall to confirm what it has, then begin to send."""
        topic = self._place.topic
        if self._asked_at < 0:
            self._asked_at = now
            self.link.subscribe(topic("confirmed"), topic("orders"), topic("ask"))
        if not self.link.listening:
            return
        if self._listens_at < 0:
            self._listens_at = now
        if self._stream.confirmed is None and now - self._listens_at < self._timings.settle:
            return
        self.began = True
        self._composer.page = self._place.page(self.link.local)
        self.link.publish(topic("gone"), b"", retain=True)
        answer = None if self._known.journal.problem else self._known.orders.unanswered()
        if answer is not None and answer not in self._answers.values():
            self._answer(answer)

    def _tell(self, now: float) -> None:
        """Publish `public` and `state` if they changed, one of each at a time."""
        due = [kind for kind, said in self._said.items()
               if said.what is None or (now - said.at >= self._timings.tell and self.link.sent(said.number))]
        if not due:
            return
        known = self._known
        journal, live, pin = known.journal.id, live_state(self._place.folder / LIVE), known.pin()
        for kind in due:
            what = (self._composer.public(journal, known.projections, live, pin) if kind == "public" else
                    self._composer.state(journal, known.projections, live, pin, known.orders.sequence))
            said = self._said[kind]
            if not same(said.what, what) or now - said.at >= self._timings.beat:
                number = self.link.publish(self._place.topic(kind), write(what), retain=True)
                self._said[kind] = LastPublished(what, now, number)

    def _send(self, now: float) -> bool:
        """Send events that the hall lacks; return whether more may be waiting."""
        journal, stream = self._known.journal, self._stream
        if journal.id != stream.journal:
            stream.journal = journal.id
            self._start(now)
        if not stream.journal or stream.fault:
            return False
        self._outbox.tick(now)
        events = journal.kept(self._outbox.next, min(self._outbox.room, AT_ONCE))
        for event in events:
            if event.number != self._outbox.next or not self._outbox.room:
                return False
            payload = write(event)
            self.link.publish(self._place.topic("events"), payload)
            self._outbox.sent(len(payload), now)
        return len(events) == AT_ONCE

    def _start(self, now: float) -> None:
        """Begin a journal after the last event that the hall has of it."""
        said = self._stream.confirmed
        if said is None or said.journal != self._stream.journal:
            said = Confirmed(self._stream.journal, 0, GENESIS)
        self._outbox.begin(said.number, now)
        self._compare(said)

    def _compare(self, said: Confirmed) -> bool:
        """Return whether the hall's copy matches this journal up to the confirmed event; if not, note the fault."""
        mine = self._known.journal.hash_of(said.number)
        fault = ""
        if mine != said.hash and not self._known.journal.problem:
            fault = (f"the hall has another event {said.number} of this journal: an older copy of it was put back at "
                     "the table, or it was changed") if mine else (
                     f"the hall has {said.number} events of this journal, and the table "
                     f"{self._known.projections.number}: its end was cut off, or an older copy was put back")
        if fault and fault != self._stream.fault:
            log.error("%s", fault)
        self._stream.fault = fault
        return not fault

    def _answer(self, answer: OrderAnswer) -> None:
        self._answers[self.link.publish(self._place.topic("answers"), write(answer))] = answer

    def _note_answers(self) -> None:
        for number in [number for number in self._answers if self.link.sent(number)]:
            self._known.orders.note_delivered(self._answers.pop(number))

    def _publish_part(self, topic: str, part: bytes, said: Mapping[str, str]) -> int:
        return self.link.publish(topic, part, said=said)

    # ---- from the hall

    def _hear(self, text: str, payload: bytes) -> None:
        """Handle a message from the hall; an invalid one is only logged."""
        try:
            topic = Topic.parse(text)
            if topic.table != self._place.table or not payload:
                return
            match topic.kind:
                case "confirmed":
                    self._confirm(read(payload, Confirmed, "confirmed"))
                case "orders":
                    self._take(read(payload, GivenOrder, "orders"))
                case "ask":
                    self._look_for(read(payload, Ask, "ask"))
                case _:
                    pass
        except BadMessage as error:
            self._bad.warn(f"the hall sent what cannot be read: {error}")

    def _confirm(self, said: Confirmed) -> None:
        stream = self._stream
        stream.confirmed = said
        if self.began and said.journal == stream.journal and self._compare(said):
            self._outbox.confirm(said.number, time.monotonic())

    def _take(self, given: GivenOrder) -> None:
        self._known.catch_up()
        self._answer(self._known.orders.take(given, self._known.journal.id, self._known.projections))

    def _look_for(self, ask: Ask) -> None:
        if not self._evidence.ask(ask.sha):
            self._bad.warn("the hall asks for more evidence than can be sent")
