"""A knock-out's bracket: who advances from a round, and which rounds are invalid since a result changed.

The best seeds are placed as far apart as possible: without upsets the first two meet in the final. The first seeds get
a bye if places stay free.
"""

from collections.abc import Iterable, Iterator

from engine.messages import Message
from engine.tournaments.checks import TournamentError
from engine.tournaments.events import PairingPlace, System
from engine.tournaments.messages import said
from engine.tournaments.state import Pairing, Round, TournamentState

Pair = tuple[int | None, int | None]
"""Numbers of two opponents; None for an empty place."""


def seeds(rounds: int) -> list[int]:
    """Return seeds, from 0, in the order of their places; neighbours in pairs meet in the first round."""
    order = [0]
    for _ in range(rounds):
        order = [seed for one in order for seed in (one, 2 * len(order) - 1 - one)]
    return order


def pairs_of(state: TournamentState, number: int) -> tuple[list[Pair], Pair | None]:
    """Return the pairs of the round that is due, and the pair that plays for third place beside the final. Raises
    TournamentError if a result is missing, or if the last round has become invalid."""
    if number == 1:
        due = state.due
        return _by_two(due[seed] if seed < len(due) else None for seed in seeds(state.last)), None
    before = state.rounds[-1]
    wrong = next(stale(state), None)
    if wrong is not None:
        raise TournamentError(said("tournament.stale-first", round=number, why=wrong))
    for pairing in before.pairings:
        if state.open(pairing):
            south, north = (state.name(one) for one in pairing.paired.entries)
            raise TournamentError(said("tournament.undecided", round=number, south=south, north=north,
                                       last=before.number))
    return _coming(state, before), _thirds(state, before) if number == state.last else None


def stale(state: TournamentState) -> Iterator[Message]:
    """Yield why rounds have become invalid, a sentence each: a result that they are based on has changed."""
    for made in state.rounds:
        wrong = [(one, pairing) for pairing in made.pairings for one in _astray(state, pairing)]
        if wrong:
            one, pairing = wrong[0]
            key = "tournament.stale" if one in pairing.paired.entries else "tournament.stale-away"
            yield said(key, round=made.number, last=made.number - 1, name=state.name(one))


def unsound(state: TournamentState) -> set[PairingPlace]:
    """Return the pairings that do not count because they have become invalid, or are based on one that has."""
    found: set[PairingPlace] = set()
    for pairing in state.pairings:
        if _astray(state, pairing) or any(one.place in found for one in _feeding(state, pairing)):
            found.add(pairing.place)
    return found


def _astray(state: TournamentState, pairing: Pairing) -> list[int]:
    """Return who is wrongly in a pairing, and then who is missing from it."""
    if state.agreed.system is System.ROUND_ROBIN or pairing.round == 1:
        return []
    before = state.rounds[pairing.round - 2]
    due = _thirds(state, before) if pairing.paired.third else _coming(state, before)[pairing.place.number - 1]
    there, owed = set(pairing.paired.entries), {one for one in due or () if one is not None}
    return [*sorted(there - owed), *sorted(owed - there)]


def _feeding(state: TournamentState, pairing: Pairing) -> tuple[Pairing, ...]:
    """Return the two pairings of the round before whose results determine this one."""
    if state.agreed.system is System.ROUND_ROBIN or pairing.round == 1:
        return ()
    first = 0 if pairing.paired.third else 2 * (pairing.place.number - 1)
    return state.rounds[pairing.round - 2].pairings[first:first + 2]


def _coming(state: TournamentState, before: Round) -> list[Pair]:
    """Return who advances from a round into each pairing of the next."""
    return _by_two(state.winner(one) for one in before.pairings)


def _thirds(state: TournamentState, before: Round) -> Pair | None:
    """Return who plays for third place after the semi-finals; None for nobody."""
    if not state.agreed.third_place or len(before.pairings) != 2:
        return None
    one, other = (state.loser(pairing) for pairing in before.pairings)
    return None if one is None and other is None else (one, other)


def _by_two(order: Iterable[int | None]) -> list[Pair]:
    places = iter(order)
    return list(zip(places, places, strict=True))
