"""The publisher: a process beside table and page that sends the journal to a hall and takes the hall's orders.

It reads the journal and the live file, and writes only orders to the journal. So the table and its page go on whatever
happens to the hall, its broker or the network. The publisher may be ended at any moment: what it has to send is in the
journal.
"""

import logging
import time
from collections.abc import Callable

from device.journal.chain import utc_now
from device.publishing.address import HallAddress
from device.publishing.composer import StateComposer
from device.publishing.link import LinkLost
from device.publishing.link_state import LinkState, write_link
from device.publishing.publisher_state import PublisherState, TableIdentity
from device.publishing.session import LinkTimings, Session

log = logging.getLogger(__name__)

NAP_S = 0.05
MANY_SHORT = 4
SAME_ID = " again and again: has another table there the same id, from a copied data folder or card?"
"""The hint added after `MANY_SHORT` links in a row that were lost at once: two clients with one id end each other's
link, and not every broker says so."""


class Publisher:
    """Keeps the link to one hall and makes a new one whenever it is lost."""

    def __init__(self, place: TableIdentity, hall: HallAddress, timings: LinkTimings | None = None) -> None:
        """Prepare without connecting; see `run`."""
        self._place, self._hall, self._timings = place, hall, timings or LinkTimings()
        self._known = PublisherState(place)
        self._composer = StateComposer(place.name)
        self._shown: LinkState | None = None

    def run(self, ending: Callable[[], bool]) -> None:
        """Publish until `ending` returns True."""
        tries = short = 0
        while not ending():
            self._known.catch_up()
            session = Session(self._hall, self._known, self._composer, self._timings)
            opened = time.monotonic()
            try:
                self._serve(session, ending)
            except LinkLost as lost:
                session.link.drop()
                steady = time.monotonic() - opened >= self._timings.steady
                tries = 0 if session.link.let_in and steady else tries
                short = short + 1 if session.link.let_in and not steady else 0
                self._show(False, str(lost) + (SAME_ID if short >= MANY_SHORT else ""))
                self._pause(self._timings.back_off[min(tries, len(self._timings.back_off) - 1)], ending)
                tries += 1
        self._show(False)
        self._known.journal.close()

    def _serve(self, session: Session, ending: Callable[[], bool]) -> None:
        """Serve one link until `ending` returns True. Raises LinkLost."""
        session.open()
        while not ending():
            self._known.follow(time.monotonic())
            session.turn()
            if session.began:
                self._show(True, fault=session.fault)
        session.leave()

    def _show(self, linked: bool, sentence: str = "", fault: str = "") -> None:
        """Write the link's state, and log it, if it changed."""
        last = self._shown
        if last is not None and (last.linked, last.sentence, last.fault) == (linked, sentence, fault):
            return
        since = last.since if last is not None and last.linked == linked else utc_now()
        self._shown = LinkState(str(self._hall), self._place.table, since, linked, sentence, fault)
        write_link(self._place.folder, self._shown)
        if sentence and (last is None or sentence != last.sentence):
            log.warning("%s (the table goes on without the hall, and the link is tried again and again)", sentence)
        elif linked and (last is None or not last.linked):
            missed = last is not None and bool(last.sentence)  # whoever was told of the loss is told of the recovery
            log.log(logging.WARNING if missed else logging.INFO,
                    "the link to the hall %s stands: this table is %s there", self._hall, self._place.table)

    def _pause(self, seconds: float, ending: Callable[[], bool]) -> None:
        end = time.monotonic() + seconds
        while not ending() and time.monotonic() < end:
            time.sleep(min(NAP_S, seconds))
