"""A tournament as plain data for other programs: its standings, rounds and events.

    data = exported(state)            # JSON as it stands: dicts, lists, texts, numbers, true, false, null
    table(data["standings"])          # the text of a CSV file

Downloads are in English. In a CSV file a name that a spreadsheet would take for a formula gets an apostrophe before it.
"""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from engine.board import Side
from engine.tournaments.bracket import stale, unsound
from engine.tournaments.standings import ORDERS, StandingsRow, standings
from engine.tournaments.state import LoggedEvent, Pairing, TournamentState

Plain = dict[str, Any]
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def exported(state: TournamentState) -> Plain:
    """Return everything about a tournament. Raises TournamentError before it has begun."""
    begun = state.agreed
    return {
        "name": begun.name, "system": begun.system.value, "about": begun.about, "cycles": begun.cycles,
        "third_place": begun.third_place, "rounds_due": state.last, "tables": list(state.tables),
        "order": [criterion.value for criterion in ORDERS[begun.system, begun.counts]],
        "wrong": [str(one) for one in stale(state)],
        "entries": [{"entry": one.number, "name": one.name, "members": list(one.members), "withdrawn": one.withdrawn,
                     "why": one.why} for one in state.entries],
        "standings": [_row(row) for row in standings(state)],
        "rounds": rounds(state),
        "events": [_event(number, logged) for number, logged in enumerate(state.log, 1)],
    }


def rounds(state: TournamentState) -> list[Plain]:
    """Return one row per pairing, in order."""
    wrong = unsound(state)
    return [_pairing(state, one, one.place not in wrong) for one in state.pairings]


def table(rows: Sequence[Mapping[str, Any]]) -> str:
    """Format rows with equal columns as CSV text (RFC 4180), column names first; "" for no rows."""
    if not rows:
        return ""
    out = io.StringIO()
    written = csv.DictWriter(out, list(rows[0]))
    written.writeheader()
    written.writerows({key: _cell(value) for key, value in row.items()} for row in rows)
    return out.getvalue()


def _row(row: StandingsRow) -> Plain:
    sums = row.sums
    return {"place": row.place, "entry": row.entry, "name": row.name, "withdrawn": row.withdrawn, "met": sums.met,
            "won": sums.won, "drawn": sums.drawn, "lost": sums.lost, "match_points": sums.points,
            "score": sums.score[0], "score_against": sums.score[1], "games_won": sums.games[0],
            "games_lost": sums.games[1], "ahead": "" if row.ahead is None else str(row.ahead)}


def _pairing(state: TournamentState, one: Pairing, counts: bool) -> Plain:
    south, north = one.paired.south, one.paired.north
    result = state.result(one)
    said = {"south_score": None, "north_score": None, "winner": "", "how": ""} if result is None else {
        "south_score": result.score[0], "north_score": result.score[1],
        "winner": "" if result.winner is None else result.winner.letter, "how": result.how.value}
    return {"round": one.round, "number": one.place.number, "table": one.paired.table, "sitting": one.paired.sitting,
            "third_place": one.paired.third, "south": "" if south is None else state.name(south),
            "north": "" if north is None else state.name(north), **said, "corrected": one.ruled is not None,
            "counts": counts}


def _event(number: int, logged: LoggedEvent) -> Plain:
    return {"number": number, "kind": type(logged.event).__name__, **plain(logged.event),
            "skipped": "" if logged.skipped is None else str(logged.skipped)}


def plain(value: Any) -> Any:
    """Return events and their parts as plain data; a side is S or N."""
    if isinstance(value, Side):
        return value.letter
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    return [plain(one) for one in value] if isinstance(value, tuple) else value


def _cell(value: Any) -> Any:
    if isinstance(value, str) and value.startswith(FORMULA):
        return f"'{value}"
    return {None: "", True: "yes", False: "no"}.get(value, value) if value is None or isinstance(value, bool) else value
