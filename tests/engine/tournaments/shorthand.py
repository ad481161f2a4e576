"""Tournaments in short: what the tests of `engine.tournaments` are built from."""

from engine.board import Side
from engine.tournaments import (
    Entered,
    Pairing,
    PairingPlace,
    Reported,
    Result,
    System,
    TablesNamed,
    TournamentBegun,
    TournamentEvent,
    TournamentState,
    after,
    fold,
    next_round,
    standings,
)

S, N = Side.SOUTH, Side.NORTH
ALL = TournamentBegun("Narok cup", System.ROUND_ROBIN)
CUP = TournamentBegun("Narok cup", System.KNOCK_OUT)
PEOPLE = ("Ole", "Naisiae", "Sironka", "Kip", "Nakato", "Wasswa", "Kato", "Babirye", "Ssali", "Lemayian", "Tipanoi",
          "Resiato")


def on(state: TournamentState, *events: TournamentEvent) -> TournamentState:
    """The state after more events."""
    for event in events:
        state = after(state, event)
    return state


def begun(n: int, how: TournamentBegun = ALL, tables: int = 0) -> TournamentState:
    """A tournament of so many entries, numbered from 2, at tables 1, 2, 3 …"""
    names = [PEOPLE[i] if i < len(PEOPLE) else f"Player {i + 1}" for i in range(n)]
    named = [TablesNamed(tuple(str(i + 1) for i in range(tables)))] if tables else []
    return fold([how, *(Entered(name) for name in names), *named])


def paired(state: TournamentState) -> TournamentState:
    """The next round made."""
    return after(state, next_round(state))


def all_paired(state: TournamentState) -> TournamentState:
    """All rounds of a round robin made."""
    for _ in range(state.last):
        state = paired(state)
    return state


def of(state: TournamentState, one: str, other: str, round: int | None = None) -> Pairing:
    """The pairing of two, by name."""
    return next(pairing for pairing in state.pairings if round in (None, pairing.round)
                and {state.name(n) for n in pairing.paired.entries} == {one, other})


def score(state: TournamentState, one: str, other: str, mine: int, theirs: int) -> Result:
    """A result as who is named first had it, whichever side he sat on."""
    result = Result.played(mine, theirs)
    south = of(state, one, other).paired.south
    return result if south is not None and state.name(south) == one else result.turned


def place(state: TournamentState, one: str, other: str) -> PairingPlace:
    """Where two meet."""
    return of(state, one, other).place


def told(state: TournamentState, *scores: tuple[str, str, int, int]) -> TournamentState:
    """The state after the tables told these results."""
    for one, other, mine, theirs in scores:
        state = after(state, Reported(place(state, one, other), score(state, one, other, mine, theirs)))
    return state


def order(state: TournamentState) -> list[str]:
    """Who stands where, by name."""
    return [row.name for row in standings(state)]


def words(state: TournamentState) -> dict[str, str]:
    """Why one stands ahead of the next, by name."""
    return {row.name: str(row.ahead) for row in standings(state) if row.ahead is not None}
