"""The forms of a match: the value of a won game, the end of the match, the start of the next game.

- `GamesForm` (any game that names no form of its own): an agreed number of games from the set-up.
- `Sticks` (Enkeshui): the same, with a stick (inkeek) for each win.
- `Surplus` (Enkeshui): winnings are carried over; a side that cannot fill even its far right hole loses.
- `OlAlai` (En Dodoi): an agreed number of wins, counted with ol alai.
- `Points` (Omweso): games or points; a win by akawumbi counts more.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from engine.board import Board, Side
from engine.matches.checks import MatchError, whole
from engine.messages import Message, message
from engine.messages import side as named
from engine.position import Position

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class GameScore:
    """How a game counts. winner: None for a draw. result: seeds, South's and North's, if counted."""

    winner: Side | None
    result: Pair | None = None
    points: int = 1


@dataclass(frozen=True, slots=True)
class MatchOutcome:
    """How a match ended. winner: None for a draw. message: the reason, for translation."""

    winner: Side | None
    reason: str
    message: Message | None = field(default=None, compare=False)

    @classmethod
    def of(cls, winner: Side | None, reason: Message) -> MatchOutcome:
        """Return an outcome with a translatable reason."""
        return cls(winner, str(reason), reason)


@dataclass(frozen=True, slots=True)
class Tally:
    """The score of a match. score: South's and North's, in `unit`; games: won, South's and North's; drawn: games
    without a winner. outcome: None while the match continues."""

    score: Pair
    unit: str
    games: Pair
    drawn: int
    outcome: MatchOutcome | None


class Form(ABC):
    """A way to play a match. name: the key by which games choose it (`engine.games.base.Rules`); unit: of its score."""

    name: ClassVar[str]
    unit: ClassVar[str]
    counts_seeds: ClassVar[bool] = False
    """Whether the score is in seeds, so that a game without a count of seeds cannot be scored."""

    def check(self, setup: Position) -> None:
        """Raise MatchError for an impossible number or set-up."""
        del setup

    def due(self, setup: Position, games: Sequence[GameScore]) -> Position:
        """Return the position from which the next game begins, South to move."""
        del games
        return setup

    @abstractmethod
    def tally(self, setup: Position, games: Sequence[GameScore]) -> Tally:
        """Return the score after these games, without annulled ones."""

    def _tally(self, score: Pair, games: Sequence[GameScore], outcome: MatchOutcome | None) -> Tally:
        won = wins(games)
        return Tally(score, self.unit, won, len(games) - sum(won), outcome)


def wins(games: Sequence[GameScore]) -> Pair:
    """Games won, South's and North's."""
    south, north = (sum(g.winner is side for g in games) for side in Side)
    return south, north


def _more(score: Pair) -> Side | None:
    return None if score[0] == score[1] else Side.SOUTH if score[0] > score[1] else Side.NORTH


def _reached(score: Pair, goal: int) -> Side | None:
    return next((side for side in Side if score[side] >= goal), None)


@dataclass(frozen=True, slots=True)
class GamesForm(Form):
    """An agreed number of games; a draw counts as a game and as nobody's win."""

    name, unit = "games", "wins"
    games: int

    def check(self, setup: Position) -> None:
        """Raise MatchError for fewer than one game."""
        del setup
        whole(self.games, message("contest.games"), 1)

    def tally(self, setup: Position, games: Sequence[GameScore]) -> Tally:
        """Count wins; the match is over after the agreed games."""
        del setup
        score = wins(games)
        played = message("contest.played", n=self.games)
        over = MatchOutcome.of(_more(score), played) if len(games) >= self.games else None
        return self._tally(score, games, over)


@dataclass(frozen=True, slots=True)
class Sticks(GamesForm):
    """A stick for each win."""

    name, unit = "sticks", "inkeek"


@dataclass(frozen=True, slots=True)
class Surplus(Form):
    """The winner takes his surplus out of play, and the loser plays on with fewer (engine/games/enkeshui.md,
    "Matches").

    Seeds out of play still count for their owner: they are the next position's captured seeds, so that every game has
    its 48, and the side with fewer than half of them after a game plays the next with fewer (choice: the source does
    not say what becomes of an earlier surplus).
    """

    name, unit = "surplus", "seeds"
    counts_seeds = True

    def check(self, setup: Position) -> None:
        """Raise MatchError if one side begins with more than the other: then there is no surplus to win."""
        south, north = (laid(setup, side) for side in Side)
        if south != north:
            raise MatchError(message("contest.uneven", south=south, north=north))

    def due(self, setup: Position, games: Sequence[GameScore]) -> Position:
        """Each side begins with half the seeds, or all it has if that is less, from its right; the rest is out of
        play."""
        has = self._has(setup, games)
        counts = [0] * setup.board.pits
        for side in Side:
            for pit, n in shortened(setup, side, has[side]):
                counts[pit] = n
        out = [has[side] - sum(counts[p] for p in setup.board.own(side)) for side in Side]
        return replace(setup, counts=tuple(counts), captured=(out[0], out[1]))

    def tally(self, setup: Position, games: Sequence[GameScore]) -> Tally:
        """Count each side's seeds; the match is over when a side cannot fill its far right hole."""
        has = self._has(setup, games)
        for side in Side:
            pit, due = filled(setup, side)[0]
            if has[side] < due:
                why = message("contest.cannot-fill", side=named(side), n=has[side], pit=setup.board.name(pit), due=due)
                return self._tally(has, games, MatchOutcome.of(side.other, why))
        return self._tally(has, games, None)

    @staticmethod
    def _has(setup: Position, games: Sequence[GameScore]) -> Pair:
        last = next((g.result for g in reversed(games) if g.result is not None), None)
        return (laid(setup, Side.SOUTH), laid(setup, Side.NORTH)) if last is None else last


@dataclass(frozen=True, slots=True)
class OlAlai(Form):
    """En Dodoi to an agreed number of wins, counted with ol alai; a draw moves none."""

    name, unit = "ol-alai", "ol alai"
    wins: int

    def check(self, setup: Position) -> None:
        """Raise MatchError for fewer than one win."""
        del setup
        whole(self.wins, message("contest.wins"), 1)

    def tally(self, setup: Position, games: Sequence[GameScore]) -> Tally:
        """Count wins; the match is over when a side has the agreed number."""
        del setup
        score = wins(games)
        winner = _reached(score, self.wins)
        if winner is None:
            return self._tally(score, games, None)
        return self._tally(score, games, MatchOutcome.of(winner, message("contest.has-wins", side=named(winner),
                                                                 wins=self.wins)))


@dataclass(frozen=True, slots=True)
class Points(Form):
    """Omweso with weighted wins, to an agreed number either of games or of points."""

    name, unit = "points", "points"
    games: int | None = None
    points: int | None = None

    def check(self, setup: Position) -> None:
        """Raise MatchError unless one of the two numbers is agreed, and at least one."""
        del setup
        if self.games is None:
            if self.points is None:
                raise MatchError(message("contest.neither"))
            whole(self.points, message("contest.points"), 1)
        elif self.points is None:
            whole(self.games, message("contest.games"), 1)
        else:
            raise MatchError(f"both {self.games} games and {self.points} points are agreed: give one of them")

    def tally(self, setup: Position, games: Sequence[GameScore]) -> Tally:
        """Count points; the match is over after the agreed games, or when a side has the agreed points."""
        del setup
        south, north = (sum(g.points for g in games if g.winner is side) for side in Side)
        score, over = (south, north), None
        if self.points is not None and (winner := _reached(score, self.points)) is not None:
            over = MatchOutcome.of(winner, message("contest.has-points", side=named(winner), points=self.points))
        if self.games is not None and len(games) >= self.games:
            over = MatchOutcome.of(_more(score), message("contest.played", n=self.games))
        return self._tally(score, games, over)


FORMS: Mapping[str, Callable[[int, bool], Form]] = {
    "games": lambda number, _: GamesForm(number),
    "sticks": lambda number, _: Sticks(number),
    "surplus": lambda _, __: Surplus(),
    "ol-alai": lambda number, _: OlAlai(number),
    "points": lambda number, to_points: Points(points=number) if to_points else Points(games=number),
}
"""Makes each form from the agreed number, and from whether that is one of points."""


# ---- the shortened filling
# --------------------------------------------------------------------------------------------------


def from_right(board: Board, side: Side) -> list[int]:
    """A side's pits of a two-row board, from his own right to his left."""
    return list(reversed(board.own(side)))


def laid(setup: Position, side: Side) -> int:
    """Number of seeds in a side's pits."""
    return sum(setup.counts[p] for p in setup.board.own(side))


def filled(setup: Position, side: Side) -> list[tuple[int, int]]:
    """The holes that the set-up fills for a side, as (pit, seeds), starting with its far right one."""
    return [(p, setup.counts[p]) for p in from_right(setup.board, side) if setup.counts[p]]


def shortened(setup: Position, side: Side, seeds: int) -> list[tuple[int, int]]:
    """The same holes filled as in the set-up, from his right, as far as `seeds` last; the last hole may get fewer."""
    found = []
    for pit, due in filled(setup, side):
        found.append((pit, min(due, seeds)))
        seeds -= found[-1][1]
    return found
