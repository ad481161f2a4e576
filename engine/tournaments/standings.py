"""The standings, and why one entry ranks ahead of another: `standings`.

Entries are ranked by criteria in a stated order (`ORDERS`); entries level in one criterion are separated by the next.
The matches that level entries played against each other count if each two of them have met, equally often; if these
separate only some of them, they are counted again among those still level. The last criterion is the seeding, in which
no two are level: the order is total. It depends on the results alone, never on the order in which they came.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from engine.board import Side
from engine.messages import Message
from engine.tournaments.bracket import unsound
from engine.tournaments.events import RankedBy, System
from engine.tournaments.messages import said
from engine.tournaments.results import How, Result
from engine.tournaments.state import Pairing, TournamentState

WIN, DRAW = 2, 1
"""Match points of a win and of a draw."""


class Criterion(Enum):
    """A criterion that separates entries."""

    POINTS = "points"
    DIRECT = "direct"
    DIFFERENCE = "difference"
    SCORE = "score"
    GAMES = "games"
    REACHED = "reached"
    THIRD = "third"
    SEED = "seed"


ORDERS: Mapping[tuple[System, RankedBy], tuple[Criterion, ...]] = {
    (System.ROUND_ROBIN, RankedBy.MATCHES): (
        Criterion.POINTS, Criterion.DIRECT, Criterion.DIFFERENCE, Criterion.SCORE, Criterion.GAMES, Criterion.SEED),
    (System.ROUND_ROBIN, RankedBy.SCORE): (
        Criterion.SCORE, Criterion.DIRECT, Criterion.POINTS, Criterion.DIFFERENCE, Criterion.GAMES, Criterion.SEED),
    **{(System.KNOCK_OUT, counts): (
        Criterion.REACHED, Criterion.THIRD, Criterion.DIFFERENCE, Criterion.SCORE, Criterion.GAMES, Criterion.SEED)
       for counts in RankedBy},
}
"""The criteria of each kind of tournament, in order of precedence."""


@dataclass(slots=True)
class Sums:
    """The totals of an entry's matches. met: how many count, without byes. score, games: its own and its opponents'.
    reached: the round in which it was knocked out, or one more than there are. third: whether it won the match for
    third place. against: match points and number of matches by opponent."""

    met: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    score: tuple[int, int] = (0, 0)
    games: tuple[int, int] = (0, 0)
    reached: int = 0
    third: bool = False
    against: dict[int, tuple[int, int]] = field(default_factory=dict)

    @property
    def points(self) -> int:
        """Match points of all its matches."""
        return WIN * self.won + DRAW * self.drawn

    def add(self, other: int, side: Side, result: Result) -> None:
        """Add a match, played on that side."""
        points = 0 if result.how is How.NEITHER else DRAW if result.winner is None else WIN * (result.winner is side)
        self.met += 1
        self.won += points == WIN
        self.drawn += points == DRAW
        self.lost += points == 0
        self.score = (self.score[0] + result.score[side], self.score[1] + result.score[side.other])
        self.games = (self.games[0] + result.games[side], self.games[1] + result.games[side.other])
        before = self.against.get(other, (0, 0))
        self.against[other] = (before[0] + points, before[1] + 1)


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """An entry's place. place: from 1, None if its matches do not count. ahead: what puts it ahead of the
    next, in words, unless the first criterion decides; None for the last."""

    place: int | None
    entry: int
    name: str
    withdrawn: bool
    sums: Sums
    ahead: Message | None = None


def standings(state: TournamentState) -> tuple[StandingsRow, ...]:
    """Return everybody who was drawn, best first; at the end those whose matches do not count. Before the first round:
    those who would be drawn. Raises TournamentError before the tournament has begun."""
    out = {one for one in state.due if state.drawn and state.out(one)}
    sums = sums_of(state, out)
    order = ORDERS[state.agreed.system, state.agreed.counts]
    ranking = _Ranking(state, sums, order)
    ranked = ranking.ranked(tuple(sums), 0)
    rows = []
    for place, one in enumerate(ranked, 1):
        entry = state.entry(one)
        ahead = ranking.between(one, ranked[place]) if place < len(ranked) else None
        rows.append(StandingsRow(place, one, entry.name, entry.withdrawn, sums[one], ahead))
    rows += [StandingsRow(None, one, state.name(one), True, Sums()) for one in state.due if one in out]
    return tuple(rows)


def counted(state: TournamentState, out: set[int]) -> list[tuple[Pairing, Result]]:
    """Return the pairings with results that count: not of entries in `out`, and not of rounds become invalid."""
    wrong = unsound(state)
    found = []
    for pairing in state.pairings:
        result = None if pairing.place in wrong or out.intersection(pairing.paired.entries) else state.result(pairing)
        if result is not None:
            found.append((pairing, result))
    return found


def sums_of(state: TournamentState, out: set[int]) -> dict[int, Sums]:
    """Return the totals of everybody's matches, by entry in the order of the seeding."""
    sums = {one: Sums(reached=state.last + 1) for one in state.due if one not in out}
    for pairing, result in counted(state, out):
        south, north = pairing.paired.entries
        sums[south].add(north, Side.SOUTH, result)
        sums[north].add(south, Side.NORTH, result)
        if pairing.paired.third:
            winner = state.winner(pairing)
            if winner is not None:
                sums[winner].third = True
        elif state.agreed.system is System.KNOCK_OUT and not state.open(pairing):
            for one in {south, north} - {state.winner(pairing)}:
                sums[one].reached = pairing.round
    return sums


class _Ranking:
    """Ranks entries by the first criterion; entries that it does not tell apart are ranked by the next one."""

    def __init__(self, state: TournamentState, sums: Mapping[int, Sums], order: Sequence[Criterion]) -> None:
        self.sums, self.order, self.names = sums, order, {one: state.name(one) for one in sums}
        self.seeds = {one: place for place, one in enumerate(sums)}
        self._parted: dict[tuple[tuple[int, ...], int], list[tuple[int, ...]]] = {}

    def ranked(self, level: tuple[int, ...], at: int) -> list[int]:
        """Return the entries that are level up to criterion `at`, in order."""
        if len(level) < 2:
            return list(level)
        return [one for part in self.parts(level, at) for one in self.ranked(part, self.following(level, part, at))]

    def between(self, one: int, other: int) -> Message | None:
        """Return in words what puts `one` ahead of `other`, who comes directly after it; None if the first criterion
        decides."""
        level, at = tuple(self.sums), 0
        while True:
            parts = self.parts(level, at)
            part = next(part for part in parts if one in part)
            if other not in part:
                return self.told(one, other, level, at)
            level, at = part, self.following(level, part, at)

    def parts(self, level: tuple[int, ...], at: int) -> list[tuple[int, ...]]:
        """Divide level entries by a criterion, best first."""
        found = self._parted.get((level, at))
        if found is None:
            values = self.values(level, self.order[at])
            best = sorted(set(values.values()), reverse=True)
            found = [tuple(one for one in level if values[one] == value) for value in best]
            self._parted[level, at] = found
        return found

    def following(self, level: tuple[int, ...], part: tuple[int, ...], at: int) -> int:
        """Return the criterion for entries still level: their matches against each other again, if fewer are level."""
        again = self.order[at] is Criterion.DIRECT and len(part) < len(level)
        return at if again else at + 1

    def values(self, level: tuple[int, ...], criterion: Criterion) -> Mapping[int, int]:
        """Return the values of level entries under a criterion; more is better."""
        return self.direct(level) if criterion is Criterion.DIRECT else {
            one: self.value(one, criterion) for one in level}

    def value(self, one: int, criterion: Criterion) -> int:
        """Return an entry's value under a criterion that ignores the other entries."""
        sums = self.sums[one]
        plain: Mapping[Criterion, int] = {
            Criterion.POINTS: sums.points, Criterion.DIFFERENCE: sums.score[0] - sums.score[1],
            Criterion.SCORE: sums.score[0], Criterion.GAMES: sums.games[0], Criterion.REACHED: sums.reached,
            Criterion.THIRD: int(sums.third), Criterion.SEED: -self.seeds[one]}
        return plain[criterion]

    def direct(self, level: tuple[int, ...]) -> Mapping[int, int]:
        """Return match points in the matches among level entries; 0 unless each two of them have met equally often."""
        against = {one: [self.sums[one].against.get(other, (0, 0)) for other in level if other != one] for one in level}
        met = {n for each in against.values() for _, n in each}
        if len(met) != 1 or 0 in met:
            return dict.fromkeys(level, 0)
        return {one: sum(points for points, _ in each) for one, each in against.items()}

    def told(self, one: int, other: int, level: tuple[int, ...], at: int) -> Message | None:
        """Return in words why `one` is ahead; None if the first criterion decides."""
        criterion, name = self.order[at], self.names[other]
        if at == 0:
            return None
        if criterion in (Criterion.THIRD, Criterion.SEED):
            return said(f"tournament.ahead.{criterion.value}", other=name)
        values = self.values(level, criterion)
        mine, theirs = values[one], values[other]
        if criterion is Criterion.DIFFERENCE:
            return said("tournament.ahead.difference", other=name, mine=signed(mine), theirs=signed(theirs))
        if criterion is not Criterion.DIRECT:
            return said(f"tournament.ahead.{criterion.value}", other=name, mine=mine, theirs=theirs)
        if len(level) > 2:
            return said("tournament.ahead.among", other=name, mine=mine, theirs=theirs, n=len(level))
        if self.sums[one].against[other][1] == 1:
            return said("tournament.ahead.direct", other=name)
        return said("tournament.ahead.several", other=name, mine=mine, theirs=theirs)


def signed(number: int) -> str:
    """Format a difference as people write it: +2, 0, -1."""
    return f"{number:+d}" if number else "0"
