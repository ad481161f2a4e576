"""Draws the next round: who meets whom, on which side, and at which table.

A round robin uses the circle method: one entry stays and the others move on by one place per round, so that every two
meet once; in a second cycle the sides are exchanged. Sides are balanced as in D. de Werra, "Scheduling in sports"
(1981). A knock-out follows its bracket (`engine.tournaments.bracket`).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from engine.tournaments.bracket import Pair, pairs_of
from engine.tournaments.checks import TournamentError
from engine.tournaments.events import Paired, RoundMade, System
from engine.tournaments.messages import said
from engine.tournaments.state import TournamentState


def next_round(state: TournamentState, at: int | None = None) -> RoundMade:
    """Return the round that is due. Raises TournamentError if there is none, or if a result for it is missing."""
    due, number = state.due, len(state.rounds) + 1
    if len(due) < 2:
        raise TournamentError(said("tournament.few", n=len(due)))
    if number > state.last:
        raise TournamentError(said("tournament.all-made", n=state.last))
    if state.agreed.system is System.ROUND_ROBIN:
        made = [Paired(south, north) for south, north in _of_the_circle(due, number)]
    else:
        pairs, third = pairs_of(state, number)
        if not any(one is not None for pair in pairs for one in pair):
            raise TournamentError(said("tournament.none-left", round=number))
        made = [Paired(*_sides(state, pair)) for pair in pairs]
        if third is not None:
            made.append(Paired(*_sides(state, third), third=True))
    return RoundMade(number, tuple(_seated(state, made)), at=at)


# ---- round robin
# ---------------------------------------------------------------------------------------------------------


def circle(n: int) -> list[list[tuple[int, int]]]:
    """Return the rounds for an even number of places, 0 to n - 1: every two meet in one of them, South first."""
    ring = n - 1
    rounds = []
    for turn in range(ring):
        pairs = [(turn, ring) if turn % 2 == 0 else (ring, turn)]
        for step in range(1, n // 2):
            ahead, behind = (turn + step) % ring, (turn - step) % ring
            pairs.append((ahead, behind) if step % 2 else (behind, ahead))
        rounds.append(pairs)
    return rounds


def _of_the_circle(due: Sequence[int], number: int) -> Iterator[Pair]:
    """Yield the pairs of a round; with an odd number of entries, the opponent of the missing one has a bye."""
    cycle, turn = divmod(number - 1, len(due) - 1 + len(due) % 2)
    free = []
    for places in circle(len(due) + len(due) % 2)[turn]:
        south, north = places[::-1] if cycle % 2 else places
        if max(south, north) < len(due):
            yield due[south], due[north]
        else:
            free.append(due[min(south, north)])
    for one in free:
        yield one, None


# ---- sides
# ---------------------------------------------------------------------------------------------------------------


def _sides(state: TournamentState, pair: Pair) -> Pair:
    """South is who sat there less often; else who did not sit there last; else the first. A lone entry comes first."""
    one, other = pair
    if one is None or other is None:
        return (other, None) if one is None else (one, None)
    been = {entry: [entry == pairing.paired.south for pairing in state.pairings
                    if pairing.both and entry in pairing.paired.entries] for entry in (one, other)}
    weight = {entry: (2 * sum(was) - len(was), was[-1:] == [True]) for entry, was in been.items()}
    return (other, one) if weight[other] < weight[one] else (one, other)


# ---- tables
# --------------------------------------------------------------------------------------------------------------


def _seated(state: TournamentState, made: Iterable[Paired]) -> Iterator[Paired]:
    """Give each pairing the free table where its two have sat least; when all are taken, begin a further sitting."""
    sat = Counter((entry, pairing.paired.table) for pairing in state.pairings if pairing.both
                  for entry in pairing.paired.entries)
    free, sitting = list(state.tables), 1
    for paired in made:
        if len(paired.entries) < 2 or not state.tables:
            yield paired
            continue
        if not free:
            free, sitting = list(state.tables), sitting + 1
        table = min(free, key=lambda table: sum(sat[entry, table] for entry in paired.entries))
        free.remove(table)
        yield replace(paired, table=table, sitting=sitting)
