"""The matches that ended at the tables, folded from the hall's copies of their journals."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from device.journal.events import Event, MatchAgreed
from engine.board import Side
from engine.tournaments import Result
from web.readmodel.matches import MatchBook

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
    book: MatchBook = field(default_factory=MatchBook)
    ended: dict[int, EndedMatch] = field(default_factory=dict)
    """The ended matches, by the number of the event that agreed each."""

    def enter(self, event: Event) -> None:
        """Take one more event. Agreeing a new match leaves the result of the earlier one as it was."""
        self.number = event.number
        before = self.book.agreed
        self.book.enter(event)
        if isinstance(event.body, MatchAgreed) and self.book.agreed is before:
            return
        self._look()

    def _look(self) -> None:
        agreed, state = self.book.agreed, self.book.state
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
