"""Orders from a hall: check them, write each to the journal once at most, and always answer.

An order's number (`sequence`) is on the disk before the order is, and the journal has it too, in the order's `by`:
`hall:17`. So after the program ends at any moment, it is known whether the order was written.
"""

import hmac
import logging
from collections.abc import Callable
from pathlib import Path

import msgspec

from device.journal.events import Event, LetStand, NotAsSeen, Shown, Told, Withdraw, translatable
from device.journal.head import write_lasting
from device.journal.messages import message
from device.journal.pin import Gate, StoredPin
from device.journal.store import Journal, JournalError
from device.publishing.messages import RULINGS, GivenOrder, Number, OrderAnswer, Ruling, signed
from device.publishing.projections import GameProjections
from device.publishing.rate_limited_log import RateLimitedLog
from engine.matches import MatchError
from engine.matches.checks import name as checked_name
from engine.messages import Message, message_in

log = logging.getLogger(__name__)

FILE = "hall-orders.json"
BY = "hall:"
WHO = "hall"
"""All orders count as one address for the gate."""
MOST_PENDING = 40
"""Most orders that may wait for the table, as on the page."""
MOST_NUMBER = 2**53 - 1


class LastOrder(msgspec.Struct, frozen=True):
    """`hall-orders.json`: the last order that was taken. event, refused, sentence: as in its answer, once decided;
    told: the answer has reached the broker."""

    journal: str
    sequence: Number
    mac: str
    event: int = 0
    refused: Told | None = None
    sentence: str = ""
    told: bool = False

    @property
    def decided(self) -> bool:
        """Whether the order's outcome is known."""
        return bool(self.event or self.sentence)

    @property
    def answer(self) -> OrderAnswer:
        """The answer for the hall."""
        return OrderAnswer(journal=self.journal, sequence=self.sequence, event=self.event, refused=self.refused,
                      sentence=self.sentence)


class OrderRefused(Exception):
    """An order from the hall is refused. why: the message."""

    def __init__(self, why: Message | str) -> None:
        """why: the reason."""
        super().__init__(str(why))
        self.why = why


class Orders:
    """Takes the hall's orders for one table. pin: reads the PIN that is set."""

    def __init__(self, folder: Path, journal: Path, table: str, pin: Callable[[], StoredPin | None]) -> None:
        """folder: the data folder; journal: its file; table: the table's id."""
        self._path, self._journal, self._table, self._pin = folder / FILE, journal, table, pin
        self._gate = Gate()
        self._log = RateLimitedLog(log)
        self._last = self._read()
        self._floor = 0
        self._written: tuple[int, int] = (0, 0)
        """Sequence and event of the last order from the hall that stands in the journal."""

    @property
    def sequence(self) -> int:
        """The sequence of the last order taken."""
        return max(self._floor, self._last.sequence if self._last else 0)

    def forget(self) -> None:
        """Forget the orders of the journal: it was replaced by another one."""
        self._floor, self._written = 0, (0, 0)

    def enter(self, event: Event) -> None:
        """Take in an event of the journal: an order that stands there was taken, whatever the file says."""
        by = getattr(event.body, "by", "")
        number = by.removeprefix(BY)
        if by.startswith(BY) and number.isascii() and number.isdigit() and len(number) < 17:
            self._floor = max(self._floor, int(number))
            self._written = (int(number), event.number)

    def unanswered(self) -> OrderAnswer | None:
        """The answer that may not have reached the hall; None if there is none. Call it after `enter` has had the whole
        journal."""
        if self._last is None or self._last.told:
            return None
        if not self._last.decided:
            if self._written[0] == self._last.sequence:
                self._keep(msgspec.structs.replace(self._last, event=self._written[1]))
            else:
                self._keep(_refused(self._last, message("hall.lost")))
        return self._last.answer

    def note_delivered(self, answer: OrderAnswer) -> None:
        """Note that this answer has reached the broker."""
        if self._last is None or not self._last.decided:
            return
        if (self._last.journal, self._last.sequence) == (answer.journal, answer.sequence):
            self._keep(msgspec.structs.replace(self._last, told=True))

    def take(self, given: GivenOrder, journal: str, projections: GameProjections) -> OrderAnswer:
        """Take an order or refuse it. journal: the table's JOURNAL; projections: the state of its game."""
        try:
            self._check(given, journal)
            if self._repeated(given):
                found = self.unanswered() or (self._last.answer if self._last else None)
                assert found is not None, "a repeated order was taken before"
                return found
            if given.sequence <= self.sequence:
                raise OrderRefused(message("hall.old", sequence=given.sequence, last=self.sequence))
        except OrderRefused as refused:
            self._log.warn(f"order {given.sequence} from the hall is refused: {refused}")
            return _refusal(given, refused.why)
        return self._carry_out(given, projections)

    def _check(self, given: GivenOrder, journal: str) -> None:
        """Check that the order is signed with this table's PIN, for this journal. Raises OrderRefused."""
        if given.journal != journal:
            raise OrderRefused(message("hall.journal"))
        pin = self._pin()
        if pin is None:
            raise OrderRefused(message("hall.no-pin"))
        mac = signed(pin.key, self._table, given.journal, given.sequence, given.order)
        wait = self._gate.guess(WHO, lambda: hmac.compare_digest(mac, given.mac))
        if wait is None:
            raise OrderRefused(message("hall.forged"))
        if wait:
            raise OrderRefused(message("hall.wait", n=wait))

    def _repeated(self, given: GivenOrder) -> bool:
        last = self._last
        return last is not None and (last.journal, last.sequence, last.mac) == (given.journal, given.sequence,
                                                                               given.mac)

    def _carry_out(self, given: GivenOrder, projections: GameProjections) -> OrderAnswer:
        """Write the sequence first, then the order, so that no crash in between makes the order count twice."""
        taken = LastOrder(given.journal, given.sequence, given.mac)
        try:
            self._put(taken)
        except OSError as error:
            why = message("hall.not-written", why=error.strerror or str(error))
            log.error("order %d from the hall: %s", given.sequence, why)
            return _refusal(given, why)
        try:
            order = _decoded(given.order, projections)
            with Journal(self._journal) as journal:
                number = journal.append(msgspec.structs.replace(order, by=f"{BY}{given.sequence}")).number
        except OrderRefused as refused:
            self._log.warn(f"order {given.sequence} from the hall is refused: {refused}")
            taken = _refused(taken, refused.why)
        except JournalError as error:
            log.error("order %d from the hall: %s", given.sequence, error)
            taken = _refused(taken, message("hall.not-written", why=str(error)))
        else:
            taken = msgspec.structs.replace(taken, event=number)
        self._keep(taken)
        return taken.answer

    def _keep(self, taken: LastOrder) -> None:
        """Note the outcome of the last order. If the disk refuses, it is kept in memory and found in the journal
        later."""
        try:
            self._put(taken)
        except OSError as error:
            log.warning("%s cannot be written: %s", self._path, error.strerror or error)
            self._last = taken

    def _put(self, taken: LastOrder) -> None:
        write_lasting(self._path, msgspec.json.encode(taken))
        self._last = taken

    def _read(self) -> LastOrder | None:
        """The last order taken; None for a missing or damaged file, since the journal has the orders too."""
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=LastOrder)
        except FileNotFoundError:
            return None
        except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
            log.warning("%s cannot be read: %s", self._path, error)
            return None


def _decoded(text: str, projections: GameProjections) -> Ruling:
    """Decode an order and check that it is a ruling the table can consider; the table decides. Raises OrderRefused."""
    try:
        order = RULINGS.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise OrderRefused(message("hall.kind")) from None
    game = projections.whole.game
    if game.position is None:
        raise OrderRefused(message("hall.no-game"))
    if len(game.pending) >= MOST_PENDING:
        raise OrderRefused(message("hall.too-many", n=len(game.pending)))
    if isinstance(order, LetStand | Withdraw | NotAsSeen | Shown):
        _check_verdict(order, projections)
    if isinstance(order, Withdraw) and order.mover:
        try:
            checked_name(order.mover, "the name of who moved")
        except MatchError as error:
            raise OrderRefused(message_in(error) or str(error)) from None
    return order


def _check_verdict(order: LetStand | Withdraw | NotAsSeen | Shown, projections: GameProjections) -> None:
    if not 0 < order.verdict <= projections.number:
        raise OrderRefused(message("hall.no-verdict", number=max(-1, min(order.verdict, MOST_NUMBER))))
    if isinstance(order, Shown):
        if order.verdict not in projections.held:
            raise OrderRefused(message("hall.not-held", number=order.verdict))
    elif any(getattr(one, "verdict", 0) == order.verdict for one in projections.whole.game.pending.values()):
        raise OrderRefused(message("hall.twice"))


def _refusal(given: GivenOrder, why: Message | str) -> OrderAnswer:
    """The answer to an order that was not taken."""
    return OrderAnswer(journal=given.journal, sequence=given.sequence, refused=translatable(why), sentence=str(why))


def _refused(taken: LastOrder, why: Message | str) -> LastOrder:
    return msgspec.structs.replace(taken, refused=translatable(why), sentence=str(why))
