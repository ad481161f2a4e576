"""The current tournament: every event is written to the disk first, and results arrive from the tables by themselves.

A table's match is recognised by the names entered there: those of an entry, or of members of its team. A match gives
its result to one pairing only, and never to a round that was made after the match ended.
"""

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from device.journal.events import Event, MatchAgreed
from device.journal.projection.fold import Projection
from device.journal.store import JournalError, JournalTrouble
from engine.board import Side
from engine.tournaments import (
    Corrected,
    Entrant,
    Pairing,
    Reported,
    Result,
    RoundMade,
    TournamentError,
    TournamentEvent,
    TournamentState,
    after,
    fold,
)
from web.hall.registry import HallTable, TableRegistry
from web.hall.tournament.log import Log, Row

Names = tuple[tuple[str, ...], tuple[str, ...]]
"""The players on South's side and on North's."""


@dataclass(frozen=True, slots=True)
class EndedMatch:
    """A match at a table. key: its table, journal, and number of the event that agreed it. names: who played when it
    ended. result: None if the match has been reopened since."""

    key: str
    names: Names
    result: Result | None


@dataclass
class Following:
    """One table's journal, followed event by event, and the matches that ended in it."""

    table: str
    journal: str
    number: int = 0
    now: Projection = field(default_factory=Projection)
    ended: dict[int, EndedMatch] = field(default_factory=dict)
    """The ended matches, by the number of the event that agreed each."""

    def enter(self, event: Event) -> None:
        """Take one more event. Agreeing a new match leaves the result of the earlier one as it was."""
        self.number = event.number
        before = self.now.match.agreed
        self.now.enter(event)
        if isinstance(event.body, MatchAgreed) and self.now.match.agreed is before:
            return
        self._look()

    def _look(self) -> None:
        agreed, state = self.now.match.agreed, self.now.match.state
        if agreed is None or state is None:
            return
        number, known = agreed[0], self.ended.get(agreed[0])
        key = f"{self.table} {self.journal} {number}"
        if state.outcome is not None:
            names = (state.teams[Side.SOUTH].members, state.teams[Side.NORTH].members)
            self.ended[number] = EndedMatch(key, names, Result.of(state))
        elif known is not None and known.result is not None:
            self.ended[number] = EndedMatch(key, known.names, None)


class Tables:
    """All journals of all tables, as far as they have been followed."""

    def __init__(self) -> None:
        """Start with no journal."""
        self._followed: dict[tuple[str, int], Following] = {}

    def follow(self, table: str, stream: int, journal: str, read: Callable[[int], Sequence[Event]]) -> list[EndedMatch]:
        """Follow a journal to its end and return all matches that ended in it, the oldest first. stream: the journal's
        number in the hall's store; read: returns the events after a number."""
        found = self._followed.setdefault((table, stream), Following(table, journal))
        for event in read(found.number):
            found.enter(event)
        return list(found.ended.values())


PACE_S, LOOK_S = 0.5, 5.0
"""Seconds: the tables are checked at most every `PACE_S`, and at least every `LOOK_S` even if nothing seems new."""


class Cup:
    """The tournament; see the module. Several threads may use it."""

    def __init__(self, log: Log, registry: TableRegistry, clock: Callable[[], int] = time.time_ns) -> None:
        """log: what has happened so far; registry: the tables; clock: nanoseconds. Raises JournalTrouble."""
        self._log, self._registry, self._clock = log, registry, clock
        self._tables = Tables()
        self._lock = threading.RLock()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._keep_up, name="tournament", daemon=True)
        self.number = log.last()
        self._spent: dict[int, tuple[str, ...]] = {}
        """The matches that were over before each round was made, by the number of its `RoundMade`."""
        self._refused: set[str] = set()
        """Matches whose results the tournament cannot take."""
        self._state = self._recalled()

    # ---- asked by the page

    @property
    def path(self) -> Path:
        """The tournament's file."""
        return self._log.path

    @property
    def state(self) -> TournamentState:
        """The tournament's state; if none has begun, an empty one."""
        return self._state

    def happen(self, *events: TournamentEvent) -> None:
        """Record what people did, all or nothing. Raises TournamentError if an event is not possible, JournalError if
        it cannot be written to the disk; then nothing has changed."""
        with self._lock:
            state = self._state
            rows: list[Row] = []
            for event in events:
                state = after(state, event)
                rows.append((event, self._over() if isinstance(event, RoundMade) else ()))
            self._write(self.number, len(self._state.log), rows, state)

    def begin(self, events: Sequence[TournamentEvent]) -> None:
        """Begin another tournament with these events. Raises as `happen`."""
        with self._lock:
            self._write(self.number + 1, 0, [(event, ()) for event in events], fold(events))

    def now(self) -> int:
        """Return the time for an event, ns."""
        return self._clock()

    # ---- results from the tables

    def start(self) -> None:
        """Begin to follow the tables."""
        self._thread.start()

    def stop(self) -> None:
        """Stop following them, and close the file."""
        self._ending.set()
        self._registry.touch()
        if self._thread.is_alive():
            self._thread.join(LOOK_S + 5)
        with self._lock:
            self._log.close()

    def look(self) -> None:
        """Record the matches that the tables have ended since the last call. Raises JournalError."""
        found = self._all()
        with self._lock:
            owners = self._owners()
            for ended in found:
                event = self._report(ended, owners)
                if event is not None and self._takes(event):
                    owners = self._owners()

    def _takes(self, event: Reported) -> bool:
        """Record a table's result and return whether it was possible; an impossible one is logged once."""
        try:
            self.happen(event)
        except TournamentError as error:
            if event.source not in self._refused:
                self._refused.add(event.source)
                logging.getLogger("hall").warning("the result of match %s is not taken up: %s", event.source, error)
            return False
        return True

    def _keep_up(self) -> None:
        version = -1
        while not self._ending.is_set():
            try:
                if self._state.rounds:
                    self.look()
            except JournalError as error:
                logging.getLogger("hall").warning("the tournament does not follow the tables: %s", error)
            version = self._registry.wait(version, LOOK_S)
            self._ending.wait(PACE_S)

    def _all(self) -> list[EndedMatch]:
        return [one for table in self._registry.all() for one in self._at(table)]

    def _at(self, table: HallTable) -> list[EndedMatch]:
        """Return the matches that ended at a table; none while something there is held back from spectators."""
        stream = self._registry.store.current(table.id)
        if stream is None or table.book(director=False).held:
            return []
        return self._tables.follow(table.id, stream.id, stream.journal,
                                   lambda number: self._registry.store.read(stream.id, number))

    def _report(self, ended: EndedMatch, owners: Mapping[str, Pairing | None]) -> Reported | None:
        """Return what a match reports of its pairing; None if it belongs to none, or reports nothing new."""
        pairing = owners[ended.key] if ended.key in owners else self._claimed(ended)
        if pairing is None or not self._is_of(pairing, ended):  # a restored journal may use the key for others
            return None
        south = self._state.entry(pairing.paired.entries[0])
        result = ended.result
        if result is not None and not self._fits(south, ended.names[0]):
            result = result.turned
        if result == pairing.told:
            return None
        return Reported(pairing.place, result, ended.key, at=self._clock())

    def _owners(self) -> Mapping[str, Pairing | None]:
        """Return, by the keys of matches, the pairing that each gave its result to; None for a match that no longer
        counts, because it is to be played again or its round is undone."""
        owners: dict[str, Pairing | None] = {
            one.event.source: None for one in self._state.log if isinstance(one.event, Reported)}
        for pairing in self._state.pairings:
            for number in pairing.trace:
                event = self._event(number)
                if isinstance(event, Reported):
                    owners[event.source] = pairing
                elif _again(event):
                    owners |= {key: None for key, one in owners.items() if one is not None
                               and one.place == pairing.place}
        return owners

    def _claimed(self, ended: EndedMatch) -> Pairing | None:
        """Return the pairing that the match belongs to: between these two, open, and made before the match ended. If
        they meet more than once, the one at this table, else the first."""
        if ended.result is None:
            return None
        found = [pairing for pairing in self._state.pairings if pairing.both and pairing.told is None
                 and ended.key not in self._spent.get(pairing.place.made, ()) and self._is_of(pairing, ended)]
        table = ended.key.split(" ")[0]
        return min(found, key=lambda pairing: pairing.paired.table != table, default=None)

    def _is_of(self, pairing: Pairing, ended: EndedMatch) -> bool:
        one, other = (self._state.entry(number) for number in pairing.paired.entries)
        south, north = ended.names
        return (self._fits(one, south) and self._fits(other, north)) or (
            self._fits(one, north) and self._fits(other, south))

    def _fits(self, entry: Entrant, names: tuple[str, ...]) -> bool:
        """Return whether these people play for an entry: one of them is named in it, and none in another entry."""
        known = {entry.number for name in names for entry in self._state.entries if _plays_for(entry, name)}
        return known == {entry.number}

    # ---- inside

    def _recalled(self) -> TournamentState:
        rows = self._log.read(self.number)
        self._note(0, rows)
        try:
            return fold(event for event, _ in rows)
        except TournamentError as error:
            raise JournalTrouble(f"the tournament in {self._log.path} cannot be followed: {error}") from error

    def _write(self, cup: int, before: int, rows: Sequence[Row], state: TournamentState) -> None:
        self._log.append(cup, before, rows)
        if cup != self.number:
            self._spent.clear()
        self._note(before, rows)
        self.number, self._state = cup, state
        self._registry.touch()

    def _note(self, before: int, rows: Sequence[Row]) -> None:
        for number, (event, spent) in enumerate(rows, before + 1):
            if isinstance(event, RoundMade):
                self._spent[number] = spent

    def _over(self) -> tuple[str, ...]:
        return tuple(one.key for one in self._all() if one.result is not None)

    def _event(self, number: int) -> TournamentEvent:
        return self._state.log[number - 1].event


def _again(event: TournamentEvent) -> bool:
    return isinstance(event, Corrected) and event.result is None


def _plays_for(entry: Entrant, name: str) -> bool:
    return name.casefold() in {known.casefold() for known in (entry.name, *entry.members)}


