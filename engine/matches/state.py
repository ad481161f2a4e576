"""A match's state as a fold over its events.

    state = fold(events)          # or, one by one: MatchState().after(event)
    state.tally.score, state.turn, state.due

The same events give the same state, always; an event that cannot have happened is refused with `MatchError` and
changes nothing. Nothing is ever deleted: `Undone(n)` folds the log anew without event n and without what rested on it.
Two things tell what rested on it. An event that would now be refused did: a ruling on a move that was never made. And
each event is logged with its *ground*, the events that began its game and last changed its board: where these are now
others, it speaks of a board that never was. So too when an `Undone` is undone: what came back counts, what was built in
its place does not.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from engine.board import Side
from engine.matches import events as ev
from engine.matches import games, moves, teams, turns
from engine.matches.checks import MatchError, ruler, whole
from engine.matches.clock import ClockRules, Late, Turn
from engine.matches.forms import Outcome, Scored, Tally
from engine.matches.record import Entry, Game, Move, Ruling, find
from engine.matches.teams import Team
from engine.messages import message, message_in, side
from engine.position import Position
from engine.rules import Rules

UNTIMED = ClockRules()


@dataclass(frozen=True, slots=True)
class MatchState:
    """Everything about a match after some events; without any, a match that has not begun.

    begun: how it is played, None before the first event. setup: what games begin from. teams: South's and North's.
    games: in order, annulled attempts too; at most the last is running. forfeited: who gave up the match. at: the
    latest time told, ns. log: every event, those that count no more too.
    """

    begun: ev.MatchBegun | None = None
    setup: Position | None = None
    clock: ClockRules = UNTIMED
    teams: tuple[Team, Team] = (Team(Side.SOUTH), Team(Side.NORTH))
    games: tuple[Game, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    forfeited: Side | None = None
    at: int | None = None
    log: tuple[Entry, ...] = ()

    # ---- what can be asked
    # ----------------------------------------------------------------------------------------------

    @property
    def rules(self) -> Rules:
        """The rules of its games. Raises MatchError before the match has begun."""
        begun, _ = self._begun()
        return games.rules_of(begun.game, begun.rules, begun.sets)

    @property
    def tally(self) -> Tally:
        """The score. Raises MatchError before the match has begun."""
        begun, setup = self._begun()
        return begun.form.tally(setup, self._scored())

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended; None while it goes on."""
        if self.begun is None:
            return None
        if self.forfeited is not None:
            return Outcome.of(self.forfeited.other, message("contest.forfeited", side=side(self.forfeited)))
        return self.tally.outcome

    @property
    def game(self) -> Game | None:
        """The game being played."""
        return self.games[-1] if self.games and self.games[-1].running else None

    @property
    def due(self) -> Position:
        """What the next game begins from, South to move. Raises MatchError before the match has begun."""
        begun, setup = self._begun()
        return begun.form.due(setup, self._scored())

    @property
    def position(self) -> Position | None:
        """The board of the game being played, as it lies."""
        return None if self.game is None else self.game.position

    @property
    def turn(self) -> Turn | None:
        """Whose turn it is, since when, and what was counted against him."""
        return None if self.game is None else self.game.turn

    def late(self, now: int) -> tuple[Late, ...]:
        """The limits that the turn which is on has passed at time `now`, in ns."""
        return () if self.turn is None else self.turn.late(self.clock, now)

    def may_steal(self, now: int) -> bool:
        """Whether the other player may take the turn at time `now`, in ns; he need not."""
        return self.turn is not None and self.turn.not_to_steal(self.clock, now) is None

    def move(self, number: int) -> Move:
        """The move of event `number`. Raises MatchError."""
        return find(self.games, number)[1]

    @property
    def contested(self) -> tuple[Move, ...]:
        """The moves that somebody not entitled made and that nobody has ruled on yet; of annulled games too."""
        return tuple(m for g in self.games for m in g.moves if m.open)

    def _scored(self) -> tuple[Scored, ...]:
        return tuple(g.scored for g in self.games if g.scored is not None)

    def _begun(self) -> tuple[ev.MatchBegun, Position]:
        if self.begun is None or self.setup is None:
            raise MatchError("the match has not begun: MatchBegun is its first event")
        return self.begun, self.setup

    # ---- what happens
    # -----------------------------------------------------------------------------------------------

    def after(self, event: ev.Event) -> MatchState:
        """The state after one more event.

        Raises MatchError for one that cannot have happened: a sentence with the event's number and kind.
        """
        number = len(self.log) + 1
        try:
            at = _time(self, event)
            if isinstance(event, ev.Undone):
                _check_undone(self, event)
                return _refolded((*self.log, Entry(event)))
            new = _applied(self, event, number)
        except MatchError as e:
            why = message_in(e) or str(e)
            raise MatchError(message("contest.at", event=number, kind=type(event).__name__, why=why)) from None
        return replace(new, at=at, log=(*self.log, Entry(event, _ground(self, event))))


def fold(events: Iterable[ev.Event]) -> MatchState:
    """The state after these events. Raises MatchError at the first that cannot have happened."""
    state = MatchState()
    for event in events:
        state = state.after(event)
    return state


def _time(s: MatchState, event: ev.Event) -> int | None:
    if event.at is None:
        return s.at
    at = whole(event.at, "the time at, in ns,")
    if s.at is not None and at < s.at:
        raise MatchError(f"the time at is {at} ns, before the {s.at} ns of an earlier event")
    return at


def _applied(s: MatchState, e: ev.Event, n: int) -> MatchState:
    if isinstance(e, ev.MatchBegun):
        return games.match_begun(s, e)
    s._begun()
    match e:
        case ev.LetStand():
            return moves.let_stand(s, e, n)
        case ev.JudgeSaid():
            return moves.judge_said(s, e)
        case _ if s.outcome is not None:
            raise MatchError(message("contest.over", why=s.outcome.message or s.outcome.reason))
        case ev.Joined():
            return teams.joined(s, e)
        case ev.Left():
            return teams.left(s, e)
        case ev.GameBegun():
            return games.begun(s, e, n)
        case ev.GameEnded():
            return games.ended(s, e, n)
        case ev.GameScored():
            return games.scored(s, e, n)
        case ev.Forfeited():
            return games.forfeited(s, e, n)
        case ev.Annulled():
            return games.annulled(s, e, n)
        case ev.MoveMade():
            return moves.made(s, e, n)
        case ev.Retracted():
            return moves.retracted(s, e, n)
        case ev.Corrected():
            return moves.corrected(s, e, n)
        case ev.BoardSet():
            return moves.board_set(s, e, n)
        case ev.Rearranged():
            return moves.rearranged(s, e, n)
        case ev.TurnDue():
            return turns.due(s, e)
        case ev.TurnBegun():
            return turns.begun(s, e)
        case ev.Counted():
            return turns.counted(s, e)
        case ev.Stolen():
            return turns.stolen(s, e, n)
        case _:
            raise MatchError(f"{type(e).__name__} is no event of a match")


# ---- undo
# ---------------------------------------------------------------------------------------------------------------


def _ground(s: MatchState, e: ev.Event) -> tuple[int, ...]:
    """The events that this one's meaning rests on, where its own words do not name them."""
    match e:
        case ev.MatchBegun() | ev.Joined() | ev.Left() | ev.JudgeSaid() | ev.LetStand() | ev.Undone():
            return ()
        case ev.GameBegun():
            return (s.games[-1].ended or 0,) if s.games else ()
        case ev.Forfeited(match=True):
            return ()
        case ev.GameScored() | ev.Forfeited() | ev.Annulled():
            return () if s.game is None else (s.game.began,)
        case _:
            return () if s.game is None else (s.game.began, s.game.board_by)


def _check_undone(s: MatchState, e: ev.Undone) -> None:
    ruler(e.by)
    if not 1 <= whole(e.event, "the number of the event to undo") <= len(s.log):
        raise MatchError(f"there is no event {e.event} to undo: the match has {len(s.log)}")
    entry = s.log[e.event - 1]
    if isinstance(entry.event, ev.MatchBegun):
        raise MatchError(f"event {e.event} cannot be undone: it began the match")
    if isinstance(entry.event, ev.JudgeSaid):
        raise MatchError(f"event {e.event} cannot be undone: the judge has said it; let him say something else")
    if entry.skipped:
        raise MatchError(f"event {e.event} counts no more already: {entry.skipped}")


def _refolded(log: tuple[Entry, ...]) -> MatchState:
    """The state after a log whose last event is an `Undone`."""
    undone: dict[int, int] = {}
    for number in range(len(log), 0, -1):
        event = log[number - 1].event
        if isinstance(event, ev.Undone) and number not in undone:
            undone[event.event] = number
    s = MatchState()
    for number, entry in enumerate(log, 1):
        s = _refold(s, entry, number, undone.get(number))
    return s


def _refold(s: MatchState, entry: Entry, number: int, undone_by: int | None) -> MatchState:
    event, new, why = entry.event, s, ""
    if undone_by is not None:
        why = f"undone by event {undone_by}"
    elif _ground(s, event) != entry.ground:
        why = "what it rested on counts no more"
    elif not isinstance(event, ev.Undone):
        try:
            new = _applied(s, event, number)
        except MatchError as e:
            why = str(e)
    # What counts no more was still told: the time does not run back behind it.
    return replace(new, at=_time(s, event), log=(*s.log, replace(entry, skipped=why)))
