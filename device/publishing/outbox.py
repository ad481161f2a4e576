"""Which of the journal's events to send next. The journal is the outbox; this class only keeps its counters."""

from collections import deque

from device.publishing.messages import MOST_IN_FLIGHT

MOST_BYTES = 4 << 20
"""Most bytes of events sent beyond the confirmed one; a single event may be longer."""
LONGEST_STALL_S = 300.0


class Outbox:
    """Counts the events under way beyond the confirmed one. now: seconds of a monotonic clock.

    again_s: shortest time between two restarts of the kind that follows when a number is confirmed once more; every
    event after a gap causes such a confirmation. stall_s: time without a confirmation after which sending restarts; it
    doubles each further time.
    """

    def __init__(self, *, again_s: float = 1.0, stall_s: float = 20.0, most: int = MOST_IN_FLIGHT) -> None:
        """Start with nothing confirmed and nothing under way."""
        self._again_s, self._first_stall_s, self._most = again_s, stall_s, most
        self.confirmed = 0
        self._under_way: deque[int] = deque()
        """The sizes of the events after the confirmed one."""
        self._bytes = 0
        self._asked_again = False
        self._began = self._heard = 0.0
        self._stall_s = stall_s

    @property
    def next(self) -> int:
        """Number of the next event to send."""
        return self.confirmed + len(self._under_way) + 1

    @property
    def room(self) -> int:
        """How many more events may be sent now."""
        return 0 if self._bytes >= MOST_BYTES else self._most - len(self._under_way)

    def begin(self, confirmed: int, now: float) -> None:
        """Begin, or begin again, after that number."""
        self.confirmed = confirmed
        self._under_way.clear()
        self._bytes = 0
        self._asked_again = False
        self._began = self._heard = now

    def sent(self, size: int, now: float) -> None:
        """Note that the next event was sent; size: its bytes."""
        if not self._under_way:
            self._heard = now
        self._under_way.append(size)
        self._bytes += size

    def confirm(self, number: int, now: float) -> None:
        """Note that the hall has all events up to this number on its disk."""
        if number == self.confirmed:
            self._asked_again = bool(self._under_way)
            return
        self._stall_s = self._first_stall_s
        if not self.confirmed < number < self.next:
            self.begin(number, now)
            return
        for _ in range(number - self.confirmed):
            self._bytes -= self._under_way.popleft()
        self.confirmed, self._heard, self._asked_again = number, now, False

    def tick(self, now: float) -> None:
        """Begin again if that is due."""
        if self._asked_again and now - self._began >= self._again_s:
            self.begin(self.confirmed, now)
        elif self._under_way and now - self._heard >= self._stall_s:
            self._stall_s = min(LONGEST_STALL_S, 2 * self._stall_s)
            self.begin(self.confirmed, now)
