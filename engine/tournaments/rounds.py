"""Events of the rounds: made, a pairing moved to another table, its result reported or corrected.

A round is checked only for what must hold however it was paired, so that a log stays readable when the pairing in
`engine.tournaments.draw` changes: nobody plays twice, everybody is there, no two meet more often than agreed.
"""

from collections import Counter
from dataclasses import replace

from engine.matches.checks import name, whole
from engine.tournaments import events as ev
from engine.tournaments.bracket import stale
from engine.tournaments.checks import TournamentError, text
from engine.tournaments.events import PairingPlace, System
from engine.tournaments.messages import said
from engine.tournaments.results import Result
from engine.tournaments.state import Pairing, Round, TournamentState


def made(s: TournamentState, e: ev.RoundMade, n: int) -> TournamentState:
    """Add the next round; the first one fixes who takes part."""
    number = len(s.rounds) + 1
    if whole(e.round, said("tournament.what.round"), 1) != number:
        raise TournamentError(said("tournament.next", round=e.round, next=number))
    if len(s.due) < 2:
        raise TournamentError(said("tournament.few", n=len(s.due)))
    if number > s.last:
        raise TournamentError(said("tournament.all-made", n=s.last))
    _check_once(s, e)
    _check_number(s, e)
    if s.agreed.system is System.ROUND_ROBIN:
        _check_meetings(s, e)
    _check_tables(e)
    pairings = tuple(Pairing(PairingPlace(n, i), number, paired) for i, paired in enumerate(e.pairings, 1))
    return replace(s, drawn=s.due, rounds=(*s.rounds, Round(number, n, pairings)))


def check_fresh(s: TournamentState) -> None:
    """Raise TournamentError if the round that was just made does not follow from the results."""
    wrong = next(stale(s), None)
    if wrong is not None:
        raise TournamentError(wrong)


def moved(s: TournamentState, e: ev.Moved, n: int) -> TournamentState:
    """Move a pairing to another table that no other open pairing has."""
    del n
    pairing = s.pairing(e.pairing)
    name(e.table, said("tournament.what.table"))
    whole(e.sitting, said("tournament.what.sitting"), 1)
    for other in s.rounds[pairing.round - 1].pairings:
        taken = (other.paired.table, other.paired.sitting) == (e.table, e.sitting)
        if taken and other.place != e.pairing and s.open(other):
            raise TournamentError(said("tournament.table-taken", table=e.table, round=pairing.round,
                                       sitting=e.sitting))
    return _with(s, replace(pairing, paired=replace(pairing.paired, table=e.table, sitting=e.sitting)))


def reported(s: TournamentState, e: ev.Reported, n: int) -> TournamentState:
    """Record a table's report; an earlier ruling by people still counts."""
    text(e.source)
    pairing = _played(s, e.pairing, e.result)
    return _with(s, replace(pairing, told=e.result, trace=(*pairing.trace, n)))


def corrected(s: TournamentState, e: ev.Corrected, n: int) -> TournamentState:
    """Record people's ruling. If the match is to be played again, earlier reports no longer count."""
    if not e.by:
        raise TournamentError(said("tournament.by"))
    if not text(e.why).strip():
        raise TournamentError(said("tournament.why"))
    pairing = _played(s, e.pairing, e.result)
    told = None if e.result is None else pairing.told
    return _with(s, replace(pairing, told=told, ruled=e.result, trace=(*pairing.trace, n)))


# ---- shared
# -------------------------------------------------------------------------------------------------------------


def _played(s: TournamentState, place: PairingPlace, result: Result | None) -> Pairing:
    """Return the pairing after checking that it may have such a result."""
    pairing = s.pairing(place)
    if not pairing.both:
        who = next((s.name(one) for one in pairing.paired.entries), "-")
        raise TournamentError(said("tournament.bye", name=who, round=pairing.round))
    if result is not None:
        result.check(s.agreed.system is System.KNOCK_OUT)
    return pairing


def _with(s: TournamentState, pairing: Pairing) -> TournamentState:
    at = pairing.round - 1
    pairings = tuple(pairing if one.place == pairing.place else one for one in s.rounds[at].pairings)
    return replace(s, rounds=(*s.rounds[:at], replace(s.rounds[at], pairings=pairings), *s.rounds[at + 1:]))


def _check_once(s: TournamentState, e: ev.RoundMade) -> None:
    """Check that everybody in the round takes part and plays at most once; in the first round, and in a round robin,
    that everybody is there."""
    seen: set[int] = set()
    for paired in e.pairings:
        if paired.south is not None and paired.south == paired.north:
            raise TournamentError(said("tournament.itself", name=s.name(paired.south), round=e.round))
        for one in paired.entries:
            _check_entry(s, one, seen, e.round)
            seen.add(one)
    away = [one for one in s.due if one not in seen]
    if away and (e.round == 1 or s.agreed.system is System.ROUND_ROBIN):
        raise TournamentError(said("tournament.missing", name=s.name(away[0]), round=e.round))


def _check_entry(s: TournamentState, one: int, seen: set[int], number: int) -> None:
    if one not in s.due:
        raise TournamentError(said("tournament.no-entry", number=str(one)[:20]))
    if one in seen:
        raise TournamentError(said("tournament.twice", name=s.name(one), round=number))


def _check_number(s: TournamentState, e: ev.RoundMade) -> None:
    all_round = s.agreed.system is System.ROUND_ROBIN
    due = (len(s.due) + 1) // 2 if all_round else 1 << (s.last - e.round)
    pairs = [one for one in e.pairings if not one.third]
    thirds = len(e.pairings) - len(pairs)
    allowed = int(s.agreed.third_place and 1 < e.round == s.last)
    if len(pairs) != due or thirds > allowed or e.pairings[:due] != tuple(pairs):
        raise TournamentError(said("tournament.bracket", round=e.round, n=len(e.pairings), due=due))


def _check_meetings(s: TournamentState, e: ev.RoundMade) -> None:
    met = Counter(frozenset(one.paired.entries) for one in s.pairings if one.both)
    for paired in e.pairings:
        if len(paired.entries) == 2 and met[frozenset(paired.entries)] >= s.agreed.cycles:
            one, other = (s.name(n) for n in paired.entries)
            raise TournamentError(said("tournament.met", name=one, other=other, round=e.round))


def _check_tables(e: ev.RoundMade) -> None:
    seen: set[tuple[str, int]] = set()
    for paired in e.pairings:
        whole(paired.sitting, said("tournament.what.sitting"), 1)
        if not paired.table:
            continue
        seat = (name(paired.table, said("tournament.what.table")), paired.sitting)
        if seat in seen:
            raise TournamentError(said("tournament.table-taken", table=paired.table, round=e.round,
                                       sitting=paired.sitting))
        seen.add(seat)
