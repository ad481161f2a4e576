"""A tournament's state after some of its events, and all that can be asked about it (`engine.tournaments.fold`)."""

from collections.abc import Iterator
from dataclasses import dataclass

from engine.board import Side
from engine.messages import Message
from engine.tournaments import events as ev
from engine.tournaments.checks import TournamentError
from engine.tournaments.events import Paired, PairingPlace, System
from engine.tournaments.messages import said
from engine.tournaments.results import UNPLAYED, Result


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player or team. number: of its event. withdrawn: whether it plays no more, and why."""

    number: int
    name: str
    members: tuple[str, ...] = ()
    withdrawn: bool = False
    why: str = ""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two opponents and their result. told: reported by a table; ruled: set by people, which takes precedence; both
    None if nothing is known. trace: the events with results, including overruled ones."""

    place: PairingPlace
    round: int
    paired: Paired
    told: Result | None = None
    ruled: Result | None = None
    trace: tuple[int, ...] = ()

    @property
    def result(self) -> Result | None:
        """The reported or ruled result."""
        return self.told if self.ruled is None else self.ruled

    @property
    def both(self) -> bool:
        """Whether two entries meet: no bye, and no empty place of a bracket."""
        return len(self.paired.entries) == 2


@dataclass(frozen=True, slots=True)
class Round:
    """A round that was made. number: from 1; made: the number of its event."""

    number: int
    made: int
    pairings: tuple[Pairing, ...]


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """An event in the log. ground: for a `RoundMade`, who took part. skipped: why it no longer counts, None if it
    counts."""

    event: ev.TournamentEvent
    ground: tuple[int, ...] = ()
    skipped: Message | None = None


@dataclass(frozen=True, slots=True)
class TournamentState:
    """Everything about a tournament after some events; without events, one that has not begun.

    entries: in the order of their seeding. drawn: the numbers of those who took part when the first round was made, in
    that order; empty before. log: every event, including those that no longer count.
    """

    begun: ev.TournamentBegun | None = None
    entries: tuple[Entrant, ...] = ()
    tables: tuple[str, ...] = ()
    drawn: tuple[int, ...] = ()
    rounds: tuple[Round, ...] = ()
    log: tuple[LoggedEvent, ...] = ()

    @property
    def agreed(self) -> ev.TournamentBegun:
        """How the tournament is played. Raises TournamentError before it has begun."""
        if self.begun is None:
            raise TournamentError(said("tournament.not-begun"))
        return self.begun

    @property
    def due(self) -> tuple[int, ...]:
        """The entries that take part; before the first round, those that would."""
        return self.drawn or tuple(one.number for one in self.entries if not one.withdrawn)

    @property
    def last(self) -> int:
        """Number of rounds in all, for the entries that take part."""
        if self.agreed.system is System.KNOCK_OUT:
            return max(len(self.due) - 1, 0).bit_length()
        return max(len(self.due) - 1 + len(self.due) % 2, 0) * self.agreed.cycles

    @property
    def pairings(self) -> Iterator[Pairing]:
        """The pairings of all rounds, in order."""
        return (one for made in self.rounds for one in made.pairings)

    def entry(self, number: int) -> Entrant:
        """Return the entry with that number. Raises TournamentError."""
        for one in self.entries:
            if one.number == number:
                return one
        raise TournamentError(said("tournament.no-entry", number=str(number)[:20]))

    def name(self, number: int) -> str:
        """Return an entry's name. Raises TournamentError."""
        return self.entry(number).name

    def pairing(self, place: PairingPlace) -> Pairing:
        """Return the pairing at that place. Raises TournamentError."""
        for made in self.rounds:
            if made.made == place.made and 1 <= place.number <= len(made.pairings):
                return made.pairings[place.number - 1]
        raise TournamentError(said("tournament.no-pairing", number=str(place.number)[:20], made=str(place.made)[:20]))

    # ---- results of pairings
    # -----------------------------------------------------------------------------------------

    def result(self, pairing: Pairing) -> Result | None:
        """Return a pairing's result, by walkover if an entry has withdrawn; None while it is open, and for a bye."""
        if pairing.result is not None or not pairing.both:
            return pairing.result
        south, north = (self.entry(one).withdrawn for one in pairing.paired.entries)
        if not south and not north:
            return None
        return Result.walkover(None if south and north else Side.NORTH if south else Side.SOUTH)

    def winner(self, pairing: Pairing) -> int | None:
        """Return who advances: the winner, or the entry with a bye; None while open, for a draw, and if nobody came."""
        if not pairing.both:
            return next(iter(pairing.paired.entries), None)
        result = self.result(pairing)
        return None if result is None or result.winner is None else pairing.paired.entries[result.winner]

    def loser(self, pairing: Pairing) -> int | None:
        """Return who lost; None for nobody."""
        winner = self.winner(pairing)
        return None if winner is None or not pairing.both else next(n for n in pairing.paired.entries if n != winner)

    def open(self, pairing: Pairing) -> bool:
        """Whether a result is still to come: in a knock-out a draw is no result."""
        result = self.result(pairing)
        return pairing.both and (result is None or (
            self.agreed.system is System.KNOCK_OUT and result.winner is None and result.how not in UNPLAYED))

    def out(self, number: int) -> bool:
        """Whether an entry's matches do not count: in a round robin, if it withdrew before half of them were played."""
        if self.agreed.system is System.KNOCK_OUT or not self.entry(number).withdrawn:
            return False
        results = (one.result for one in self.pairings if number in one.paired.entries)
        played = sum(one is not None and one.how not in UNPLAYED for one in results)
        return 2 * played < (len(self.drawn) - 1) * self.agreed.cycles
