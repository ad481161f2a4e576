"""The parts that the hall's page works with: one of each, made at the start."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from flask import current_app

from device.journal.chain import GENESIS, encode
from device.publishing.address import HallAddress
from device.publishing.messages import Confirmed, Derivation, GivenOrder, OrderAnswer, Ruling, signed
from web.hall.directors import Director, Directors
from web.hall.evidence import EvidenceCache
from web.hall.link import BrokerLink
from web.hall.receiver import ConfirmTimings, MessageReceiver
from web.hall.registry import HallTable, TableRegistry
from web.hall.store import Store
from web.hall.tournament.cup import Cup
from web.hall.tournament.log import Log

STORE, EVIDENCE, CUPS = "hall.sqlite3", "evidence", "tournament.sqlite3"
"""Their names in the hall's data folder."""
ANSWER_S, TRIES = 2.5, 3
"""An order without an answer is sent again after `ANSWER_S` seconds, `TRIES` times in all; it is carried out only
once."""


class NoOrder(Exception):
    """An order cannot be given; `key` names the message to show."""

    def __init__(self, key: str) -> None:
        """key: of the message."""
        super().__init__(key)
        self.key = key


@dataclass
class HallContext:
    """The hall's parts; see the module."""

    folder: Path
    store: Store
    registry: TableRegistry
    link: BrokerLink
    receiver: MessageReceiver
    evidence: EvidenceCache
    directors: Directors
    cup: Cup

    @classmethod
    def open(cls, folder: Path, broker: HallAddress, log: Callable[[str], None] | None = None,
             timings: ConfirmTimings | None = None) -> HallContext:
        """Open the data folder and prepare the connection to the broker, which `start` opens. Raises JournalError or
        HallError, each with one sentence."""
        said = log or logging.getLogger("hall").warning
        store = Store(folder / STORE)
        registry = TableRegistry(store)
        link = BrokerLink(broker, registry.link, said)
        evidence = EvidenceCache(folder / EVIDENCE, link.ask)
        receiver = MessageReceiver(link, registry, evidence, said, timings)
        return cls(folder, store, registry, link, receiver, evidence, Directors(), Cup(Log(folder / CUPS), registry))

    def start(self) -> None:
        """Begin to listen to the tables."""
        self.receiver.start()
        self.cup.start()
        self.link.start()

    def stop(self) -> None:
        """Close everything."""
        self.link.stop()
        self.receiver.stop()
        self.cup.stop()
        self.store.close()

    def give(self, table: HallTable, order: Ruling, director: Director) -> OrderAnswer | None:
        """Send an order to a table and return its answer; None if there is none. Raises NoOrder, and JournalError if
        the order's number cannot be written to the disk."""
        stream, state = self.store.current(table.id), table.state
        if stream is None or not self.link.up:
            raise NoOrder("queue.unlinked")
        given = self._signed(table, stream.journal, state.sequence if state else 0, order, director)
        for _ in range(TRIES):
            self.link.order(table.id, given)
            answer = self.receiver.answers.wait(table.id, stream.journal, given.sequence, ANSWER_S)
            if answer is not None:
                return answer
        return None

    def copy_again(self, table: HallTable) -> None:
        """Set the copy of a table's journal aside and request the whole journal again. Raises JournalError."""
        self.store.set_aside(table.id)
        stream = self.store.current(table.id)
        if stream is not None:
            self.link.confirm(table.id, Confirmed(stream.journal, 0, GENESIS))
        self.registry.changed(table)

    def _signed(self, table: HallTable, journal: str, above: int, order: Ruling, director: Director) -> GivenOrder:
        told = table.state or table.public
        how: Derivation | None = told.pin if told is not None else None
        if how is None:
            raise NoOrder("queue.no-pin")
        key = director.key(how)
        sequence, text = self.store.next_sequence(table.id, above), encode(order)
        return GivenOrder(journal=journal, sequence=sequence, order=text,
                          mac=signed(key, table.id, journal, sequence, text))


def here() -> HallContext:
    """Return the parts of the app that answers this request."""
    found: HallContext = current_app.extensions["context"]
    return found
