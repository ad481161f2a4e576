"""A tournament as its page shows it: plain data for the templates."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.board import Side
from engine.tournaments import (
    ORDERS,
    Corrected,
    Entered,
    How,
    Moved,
    Pairing,
    Renamed,
    Reported,
    Result,
    Round,
    RoundMade,
    StandingsRow,
    System,
    TournamentEvent,
    TournamentState,
    Undone,
    Withdrew,
    after,
    next_round,
    stale,
    standings,
)
from engine.tournaments.bracket import unsound
from web.hall.context import here
from web.readmodel.reasons import message_text, sentence
from web.words import say


@dataclass(frozen=True)
class PairingView:
    """A pairing as shown. state: open, over, bye or empty. by_hand: "entered" if only people gave the result,
    "corrected" if people changed a table's result, "" if the table's result holds."""

    place: Any
    round: int
    table: str
    sitting: int
    third: bool
    names: tuple[str, ...]
    south: str
    north: str
    state: str
    score: str
    how: str
    winner: str
    by_hand: str
    counts: bool
    knock_out: bool


@dataclass(frozen=True)
class ResultStatement:
    """One statement about a match's result. undone: why it no longer counts."""

    number: int
    at: int | None
    by: str
    table: str
    score: str
    why: str
    undone: str
    undoable: bool


@dataclass(frozen=True)
class Placed:
    """A row of the standings, with the reason why it is ahead of the next."""

    row: StandingsRow
    ahead: str


OPEN_ROUNDS, CLOSED_ROUNDS = 3, 3
"""How many rounds the page shows: of those still to be played, and of those that ended last."""


def whole(state: TournamentState, every: bool = False) -> dict[str, Any]:
    """Return what everybody sees. every: all rounds, in order; else only those that matter now."""
    if state.begun is None:
        return {"state": state, "begun": None}
    wrong = unsound(state)
    rows = _placed(standings(state))
    shown = state.rounds if every else _now(state)
    return {
        "state": state, "begun": state.begun, "rows": rows, "drawn": any(one.row.sums.drawn for one in rows),
        "rounds": [(made, [pairing(state, one, one.place not in wrong) for one in made.pairings]) for made in shown],
        "hidden": len(shown) < len(state.rounds),
        "wrong_rounds": [sentence(message_text(one)) for one in stale(state)],
        "all_round": state.begun.system is System.ROUND_ROBIN, "sitting_shown": _sittings(state)}


def to_do(state: TournamentState) -> dict[str, Any]:
    """Return what the director's forms need. next: the next round's number, 0 for none; more: whether a round robin has
    further rounds after it; order: the criteria of the standings; playing: the entries not withdrawn; gone: the number
    and name of each withdrawal."""
    if state.begun is None:
        return {"next": 0}
    order = ORDERS[state.begun.system, state.begun.counts]
    made, left = len(state.rounds), state.last - len(state.rounds)
    playing = [one for one in state.entries if not one.withdrawn]
    last = state.rounds[-1] if state.rounds else None
    return {"next": made + 1 if left > 0 and len(playing) > 1 else 0,
            "more": left > 1 and state.begun.system is System.ROUND_ROBIN,
            "order": [criterion.value for criterion in order], "all_round": state.begun.system is System.ROUND_ROBIN,
            "playing": playing, "last_round": last,
            "gone": [(number, state.name(logged.event.entry)) for number, logged in _withdrawals(state)]}


def all_rounds(state: TournamentState, at: int) -> Sequence[TournamentEvent]:
    """Return the events that make all remaining rounds of a round robin. Raises TournamentError."""
    events: list[TournamentEvent] = []
    while not events or len(state.rounds) < state.last:
        made = next_round(state, at=at)
        state = after(state, made)
        events.append(made)
    return events


def pairing(state: TournamentState, one: Pairing, counts: bool = True) -> PairingView:
    """Return a pairing with its result."""
    result = state.result(one)
    names = tuple(state.name(number) for number in one.paired.entries)
    status = ("bye" if names else "empty") if not one.both else "open" if state.open(one) else "over"
    south, north = (*names, "", "")[:2]
    won = "" if result is None or result.winner is None or not one.both else names[result.winner]
    return PairingView(one.place, one.round, label(one.paired.table), one.paired.sitting, one.paired.third, names,
                       south,
                 north, status, "" if result is None else score(result), _how(result), won,
                 "" if one.ruled is None else "entered" if one.told is None else "corrected", counts,
                 state.agreed.system is System.KNOCK_OUT)


def done(state: TournamentState, events: Sequence[TournamentEvent]) -> str:
    """Return a sentence for what a director has done. state: the tournament before that; events: what the director did,
    empty if the round existed already."""
    match events:
        case [RoundMade(round=first), *_, RoundMade(round=last)]:
            return say("cup.done.rounds", n=first, m=last)
        case [RoundMade(round=number)]:
            return say("cup.done.round", n=number)
        case [Entered(), *_]:
            return say("cup.done.entered", names=", ".join(one.name for one in events if isinstance(one, Entered)))
        case [Withdrew(entry=entry)]:
            return say("cup.done.withdrew", name=state.name(entry))
        case [Renamed(name=name)]:
            return say("cup.done.renamed", name=name)
        case [Corrected(result=None)]:
            return say("cup.done.again")
        case [Corrected(result=result)] if result is not None:
            return say("cup.done.result", result=score(result))
        case [Moved(table=name)]:
            return say("cup.done.moved", table=label(name))
        case [Undone(event=number)]:
            return _undone(state, number)
    return say("cup.done.already")


def _undone(state: TournamentState, number: int) -> str:
    match state.log[number - 1].event:
        case RoundMade(round=made):
            return say("cup.done.undone-round", n=made)
        case Withdrew(entry=entry):
            return say("cup.done.plays-on", name=state.name(entry))
    return say("cup.done.undone")


def trace(state: TournamentState, one: Pairing) -> list[ResultStatement]:
    """Return all statements about a match's result, the newest first, with those that no longer count."""
    return [_said(state, number) for number in range(len(state.log), 0, -1) if _of(state, number, one)]


def score(result: Result) -> str:
    """Return the score as people write it, and how the match ended if it was not played out."""
    figures = f"{result.score[Side.SOUTH]} – {result.score[Side.NORTH]}"
    how = _how(result)
    return figures if not how else how if result.how in (How.WALKOVER, How.NEITHER) else f"{figures} ({how})"


def label(table: str) -> str:
    """Return the name that people use for a table."""
    found = here().registry.get(table) if table else None
    return table if found is None else found.name


def _placed(rows: Sequence[StandingsRow]) -> list[Placed]:
    """Return the standings, each row with why it is ahead of the next; no reason where neither has played yet."""
    played = [row.sums.met > 0 for row in rows]
    return [Placed(row, sentence(message_text(row.ahead)) if row.ahead is not None and any(played[i:i + 2]) else "")
            for i, row in enumerate(rows)]


def _now(state: TournamentState) -> list[Round]:
    """Return the rounds still to be played, in order, then those that ended last, the newest first."""
    left = [made for made in state.rounds if any(state.open(one) for one in made.pairings)]
    ended = [made for made in reversed(state.rounds) if made not in left]
    return [*left[:OPEN_ROUNDS], *ended[:CLOSED_ROUNDS]]


def _how(result: Result | None) -> str:
    return "" if result is None or result.how is How.PLAYED else say(f"cup.ended.{result.how.value}")


def _sittings(state: TournamentState) -> bool:
    return any(one.paired.sitting > 1 for one in state.pairings)


def _of(state: TournamentState, number: int, one: Pairing) -> bool:
    event = state.log[number - 1].event
    return isinstance(event, Reported | Corrected) and event.pairing == one.place


def _said(state: TournamentState, number: int) -> ResultStatement:
    logged = state.log[number - 1]
    event = logged.event
    assert isinstance(event, Reported | Corrected)
    ruled = isinstance(event, Corrected)
    told = say("cup.said.again" if ruled else "cup.said.on") if event.result is None else score(
        event.result)
    undone = "" if logged.skipped is None else message_text(logged.skipped)
    table = "" if isinstance(event, Corrected) else label(event.source.split(" ")[0])
    return ResultStatement(number, event.at, event.by, table, told, event.why if isinstance(event, Corrected) else "",
                           undone,
                ruled and not undone)


def _withdrawals(state: TournamentState) -> list[tuple[int, Any]]:
    return [(number, logged) for number, logged in enumerate(state.log, 1)
            if isinstance(logged.event, Withdrew) and logged.skipped is None]

