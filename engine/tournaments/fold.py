"""A tournament's state as a fold over its events.

    state = fold(events)          # or, one by one: after(TournamentState(), event)
    next_round(state), standings(state)

The same events always give the same state; an event that cannot have happened is refused with `TournamentError` and
changes nothing. Nothing is ever deleted: `Undone(n)` folds the log again without event n. An undo is refused if a later
event would then be impossible, so that nothing based on event n is lost silently. Only events about the pairings of a
round disappear with that round, and come back with it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from engine.matches.checks import MatchError, name
from engine.messages import message_in
from engine.tournaments import entries, rounds
from engine.tournaments import events as ev
from engine.tournaments.checks import TournamentError
from engine.tournaments.messages import said
from engine.tournaments.state import LoggedEvent, TournamentState

HANDLERS: Mapping[type[ev.TournamentEvent], Callable[[TournamentState, Any, int], TournamentState]] = {
    ev.TournamentBegun: entries.begun,
    ev.Entered: entries.entered,
    ev.Renamed: entries.renamed,
    ev.TablesNamed: entries.tables_named,
    ev.Withdrew: entries.withdrew,
    ev.RoundMade: rounds.made,
    ev.Moved: rounds.moved,
    ev.Reported: rounds.reported,
    ev.Corrected: rounds.corrected,
}
"""The handler of each kind of event except `Undone`; arguments: the state, the event and its number."""


def after(state: TournamentState, event: ev.TournamentEvent) -> TournamentState:
    """Return the state after one more event. Raises TournamentError for one that cannot have happened."""
    number = len(state.log) + 1
    try:
        if isinstance(event, ev.Undone):
            return _undone(state, event)
        new = _applied(state, event, number)
        if isinstance(event, ev.RoundMade):
            rounds.check_fresh(new)
    except TournamentError:
        raise
    except MatchError as e:
        raise TournamentError(message_in(e) or str(e)) from None
    return replace(new, log=(*state.log, LoggedEvent(event, _ground(state, event))))


def fold(events: Iterable[ev.TournamentEvent]) -> TournamentState:
    """Return the state after these events. Raises TournamentError at the first that cannot have happened."""
    state = TournamentState()
    for event in events:
        state = after(state, event)
    return state


def _applied(s: TournamentState, e: ev.TournamentEvent, n: int) -> TournamentState:
    if e.by:
        name(e.by, said("tournament.what.by"))
    handler = HANDLERS.get(type(e))
    if handler is None:
        raise TournamentError(said("tournament.no-event", kind=type(e).__name__))
    if not isinstance(e, ev.TournamentBegun):
        _ = s.agreed
    return handler(s, e, n)


# ---- undo
# ---------------------------------------------------------------------------------------------------------------


def _ground(s: TournamentState, e: ev.TournamentEvent) -> tuple[int, ...]:
    return s.due if isinstance(e, ev.RoundMade) else ()


def _undone(s: TournamentState, e: ev.Undone) -> TournamentState:
    if e.by:
        name(e.by, said("tournament.what.by"))
    if not isinstance(e.event, int) or not 1 <= e.event <= len(s.log):
        raise TournamentError(said("tournament.no-undo", event=str(e.event)[:20], n=len(s.log)))
    undone = s.log[e.event - 1]
    if isinstance(undone.event, ev.TournamentBegun):
        raise TournamentError(said("tournament.first", event=e.event))
    if undone.skipped is not None:
        raise TournamentError(said("tournament.gone", event=e.event, why=undone.skipped))
    new = _refolded((*s.log, LoggedEvent(e)))
    for number, (was, now) in enumerate(zip(s.log, new.log, strict=False), 1):
        if was.skipped is None and now.skipped == said("tournament.rested") and not _goes_with(was.event, new):
            raise TournamentError(said("tournament.rests", event=e.event, other=number, kind=type(was.event).__name__))
    return new


def _goes_with(event: ev.TournamentEvent, new: TournamentState) -> bool:
    """Whether the event is about a pairing of a round that is now undone."""
    return isinstance(event, ev.Moved | ev.Reported | ev.Corrected) and all(
        made.made != event.pairing.made for made in new.rounds)


def _refolded(log: tuple[LoggedEvent, ...]) -> TournamentState:
    """Return the state after a log whose last event is an `Undone`."""
    undone: dict[int, int] = {}
    for number in range(len(log), 0, -1):
        event = log[number - 1].event
        if isinstance(event, ev.Undone) and number not in undone:
            undone[event.event] = number
    s = TournamentState()
    for number, entry in enumerate(log, 1):
        s = _refold(s, entry, number, undone.get(number))
    return s


def _refold(s: TournamentState, entry: LoggedEvent, number: int, undone_by: int | None) -> TournamentState:
    event, new = entry.event, s
    skipped = None if undone_by is None else said("tournament.undone", event=undone_by)
    if skipped is None and _ground(s, event) != entry.ground:
        skipped = said("tournament.rested")
    if skipped is None and not isinstance(event, ev.Undone):
        try:
            new = _applied(s, event, number)
        except MatchError:
            skipped = said("tournament.rested")
    return replace(new, log=(*s.log, replace(entry, skipped=skipped)))
