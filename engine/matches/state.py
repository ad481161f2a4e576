"""A match's state after some of its events, with everything that can be asked about it (`engine.matches.fold`)."""

from dataclasses import dataclass
from functools import lru_cache

from engine.board import Side
from engine.matches import events as ev
from engine.matches.checks import MatchError
from engine.matches.forms import GameScore, MatchOutcome, Tally
from engine.matches.record import GameRecord, LogEntry, MoveRecord, Team, find
from engine.messages import message_in
from engine.position import Position
from engine.rules import Rules, RulesError, ruleset


@lru_cache(maxsize=64)
def rules_of(game: str, name: str, sets: tuple[tuple[str, str], ...]) -> Rules:
    """Return a ruleset, cached. name: "" for the game's default. Raises MatchError."""
    try:
        return ruleset(game, name or None, dict(sets))
    except RulesError as e:
        raise MatchError(message_in(e) or str(e)) from None


@dataclass(frozen=True, slots=True)
class MatchState:
    """Everything about a match after some events; without events, a match that has not begun.

    begun: how it is played, None before the first event. setup: what games begin from. teams: South's and North's.
    games: in order, with annulled attempts; only the last can be running. log: every event, including those that no
    longer count.
    """

    begun: ev.MatchBegun | None = None
    setup: Position | None = None
    teams: tuple[Team, Team] = (Team(Side.SOUTH), Team(Side.NORTH))
    games: tuple[GameRecord, ...] = ()
    log: tuple[LogEntry, ...] = ()

    # ---- queries
    # ----------------------------------------------------------------------------------------------

    @property
    def rules(self) -> Rules:
        """The rules of its games. Raises MatchError before the match has begun."""
        begun, _ = self.agreed()
        return rules_of(begun.game, begun.rules, begun.sets)

    @property
    def tally(self) -> Tally:
        """The score. Raises MatchError before the match has begun."""
        begun, setup = self.agreed()
        return begun.form.tally(setup, self._scored())

    @property
    def outcome(self) -> MatchOutcome | None:
        """How the match ended; None while it continues."""
        if self.begun is None:
            return None
        return self.tally.outcome

    @property
    def game(self) -> GameRecord | None:
        """The game being played."""
        return self.games[-1] if self.games and self.games[-1].running else None

    @property
    def due(self) -> Position:
        """The position from which the next game begins, South to move. Raises MatchError before the match has begun."""
        begun, setup = self.agreed()
        return begun.form.due(setup, self._scored())

    @property
    def position(self) -> Position | None:
        """The present board of the game being played."""
        return None if self.game is None else self.game.position

    def move(self, number: int) -> MoveRecord:
        """The move of event `number`. Raises MatchError."""
        return find(self.games, number)[1]

    def _scored(self) -> tuple[GameScore, ...]:
        return tuple(g.scored for g in self.games if g.scored is not None)

    def agreed(self) -> tuple[ev.MatchBegun, Position]:
        """How the match is played, and the position from which games begin. Raises MatchError before it has begun."""
        if self.begun is None or self.setup is None:
            raise MatchError("the match has not begun: MatchBegun is its first event")
        return self.begun, self.setup
