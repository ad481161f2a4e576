"""The result of a tournament match: given by the match itself, or set by people in its place."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from engine.board import Side
from engine.matches import MatchState
from engine.matches.checks import whole
from engine.matches.forms import Pair
from engine.tournaments.checks import TournamentError
from engine.tournaments.messages import said


class How(Enum):
    """How a match came to its result."""

    PLAYED = "played"
    FORFEIT = "forfeit"
    WALKOVER = "walkover"
    NEITHER = "neither"
    LOT = "lot"


UNPLAYED = (How.WALKOVER, How.NEITHER)
"""Results without a game: one side did not come, or neither did."""


@dataclass(frozen=True, slots=True)
class Result:
    """A match's result. score: South's and North's, in the unit of the match's form: sticks, ol alai, seeds, or points
    in which a win by akawumbi counts more. games: won, South's and North's; drawn: won by nobody. winner: None for a
    draw, and if neither side came."""

    score: Pair
    games: Pair = (0, 0)
    drawn: int = 0
    winner: Side | None = None
    how: How = How.PLAYED

    @classmethod
    def of(cls, match: MatchState) -> Result:
        """Return the result of a finished match. Raises TournamentError while it continues."""
        if match.outcome is None:
            raise TournamentError(said("tournament.not-over"))
        tally = match.tally
        return cls(tally.score, tally.games, tally.drawn, match.outcome.winner)

    @classmethod
    def played(cls, south: int, north: int) -> Result:
        """Return the result of a match whose score is the number of games won by each side."""
        return cls((south, north), (south, north), 0, more((south, north)))

    @classmethod
    def walkover(cls, winner: Side | None) -> Result:
        """Return the result if only `winner` came, or for None neither."""
        return cls((0, 0), winner=winner, how=How.NEITHER if winner is None else How.WALKOVER)

    @property
    def turned(self) -> Result:
        """The result with the sides exchanged, for opponents who sat the other way round than paired."""
        winner = None if self.winner is None else self.winner.other
        return replace(self, score=self.score[::-1], games=self.games[::-1], winner=winner)

    def check(self, lots: bool) -> Result:
        """Return the result if it is possible. lots: whether a lot may decide. Raises TournamentError."""
        for n in self.score:
            whole(n, said("tournament.what.score"))
        for n in self.games:
            whole(n, said("tournament.what.games"))
        whole(self.drawn, said("tournament.what.drawn"))
        if self.how is How.NEITHER and self.winner is not None:
            raise TournamentError(said("tournament.nobody"))
        if self.how in (How.FORFEIT, How.WALKOVER, How.LOT) and self.winner is None:
            raise TournamentError(said("tournament.no-winner", how=said(f"tournament.how.{self.how.value}")))
        if self.how in UNPLAYED and (any(self.score) or any(self.games) or self.drawn):
            raise TournamentError(said("tournament.unplayed"))
        if self.how is How.PLAYED and self.winner is not more(self.score):
            raise TournamentError(said("tournament.winner", score=f"{self.score[0]}-{self.score[1]}"))
        if self.how is How.LOT and (not lots or more(self.score) is not None):
            raise TournamentError(said("tournament.level"))
        return self


def more(score: Pair) -> Side | None:
    """The side with more; None if equal."""
    south, north = score
    return None if south == north else Side.SOUTH if south > north else Side.NORTH
