"""A match's state as a fold over its events.

    state = fold(events)          # or, one by one: after(MatchState(), event)
    state.tally.score, state.turn, state.due

The same events always give the same state; an event that cannot have happened is refused with `MatchError` and changes
nothing. Nothing is ever deleted: `EventUndone(n)` folds the log again without event n and without the events based on
it.

Two things show that an event was based on it. First, the event would now be refused, such as one about a move that
was never made. Second, each event is logged with its *ground*, the events that began its game and last changed its
board: if these differ now, it is about a board that never existed. The same holds when an `EventUndone` is undone: what
came back counts, what was built in its place does not.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from engine.matches import events as ev
from engine.matches import games, moves, teams
from engine.matches.checks import MatchError, whole
from engine.matches.record import LogEntry
from engine.matches.state import MatchState
from engine.messages import message, message_in

Numbered = Callable[[MatchState, Any, int], MatchState]
"""Handles an event and keeps the event's number."""
Unnumbered = Callable[[MatchState, Any], MatchState]
"""Handles an event without its number."""

NUMBERED: Mapping[type[ev.MatchEvent], Numbered] = {
    ev.GameBegun: games.begun,
    ev.GameEnded: games.ended,
    ev.GameScored: games.scored,
    ev.Forfeited: games.forfeited,
    ev.Annulled: games.annulled,
    ev.MoveMade: moves.made,
    ev.Retracted: moves.retracted,
    ev.MoveCorrected: moves.corrected,
    ev.BoardSet: moves.board_set,
    ev.Rearranged: moves.rearranged,
}
UNNUMBERED: Mapping[type[ev.MatchEvent], Unnumbered] = {
    ev.Joined: teams.joined,
    ev.Left: teams.left,
}
"""The handlers of all events, except `MatchBegun` and `EventUndone`."""


def after(state: MatchState, event: ev.MatchEvent) -> MatchState:
    """Return the state after one more event.

    Raises MatchError for an event that cannot have happened: a sentence with the event's number and kind.
    """
    number = len(state.log) + 1
    try:
        if isinstance(event, ev.EventUndone):
            _check_undone(state, event)
            return _refolded((*state.log, LogEntry(event)))
        new = _applied(state, event, number)
    except MatchError as e:
        why = message_in(e) or str(e)
        raise MatchError(message("contest.at", event=number, kind=type(event).__name__, why=why)) from None
    return replace(new, log=(*state.log, LogEntry(event, _ground(state, event))))


def fold(events: Iterable[ev.MatchEvent]) -> MatchState:
    """Return the state after these events. Raises MatchError at the first that cannot have happened."""
    state = MatchState()
    for event in events:
        state = after(state, event)
    return state


def _applied(s: MatchState, e: ev.MatchEvent, n: int) -> MatchState:
    if isinstance(e, ev.MatchBegun):
        return games.match_begun(s, e)
    s.agreed()
    if s.outcome is not None:
        raise MatchError(message("contest.over", why=s.outcome.message or s.outcome.reason))
    numbered, unnumbered = NUMBERED.get(type(e)), UNNUMBERED.get(type(e))
    if numbered is not None:
        return numbered(s, e, n)
    if unnumbered is not None:
        return unnumbered(s, e)
    raise MatchError(f"{type(e).__name__} is no event of a match")


# ---- undo
# ---------------------------------------------------------------------------------------------------------------


def _ground(s: MatchState, e: ev.MatchEvent) -> tuple[int, ...]:
    """Return the events that this one is based on, apart from those it names."""
    match e:
        case ev.MatchBegun() | ev.Joined() | ev.Left() | ev.EventUndone():
            return ()
        case ev.GameBegun():
            return (s.games[-1].ended or 0,) if s.games else ()
        case ev.GameScored() | ev.Forfeited() | ev.Annulled():
            return () if s.game is None else (s.game.began,)
        case _:
            return () if s.game is None else (s.game.began, s.game.board_by)


def _check_undone(s: MatchState, e: ev.EventUndone) -> None:
    if not 1 <= whole(e.event, "the number of the event to undo") <= len(s.log):
        raise MatchError(f"there is no event {e.event} to undo: the match has {len(s.log)}")
    entry = s.log[e.event - 1]
    if isinstance(entry.event, ev.MatchBegun):
        raise MatchError(f"event {e.event} cannot be undone: it began the match")
    if entry.skipped:
        raise MatchError(f"event {e.event} no longer counts: {entry.skipped}")


def _refolded(log: tuple[LogEntry, ...]) -> MatchState:
    """Return the state after a log whose last event is an `EventUndone`."""
    undone: dict[int, int] = {}
    for number in range(len(log), 0, -1):
        event = log[number - 1].event
        if isinstance(event, ev.EventUndone) and number not in undone:
            undone[event.event] = number
    s = MatchState()
    for number, entry in enumerate(log, 1):
        s = _refold(s, entry, number, undone.get(number))
    return s


def _refold(s: MatchState, entry: LogEntry, number: int, undone_by: int | None) -> MatchState:
    event, new, why = entry.event, s, ""
    if undone_by is not None:
        why = f"undone by event {undone_by}"
    elif _ground(s, event) != entry.ground:
        why = "what it was based on no longer counts"
    elif not isinstance(event, ev.EventUndone):
        try:
            new = _applied(s, event, number)
        except MatchError as e:
            why = str(e)
    return replace(new, log=(*s.log, replace(entry, skipped=why)))
