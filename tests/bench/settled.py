"""A recording's final verdicts, questions whose likeliest answer was right, and how reliable the referee's
probabilities are."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from engine import certainty
from tests.bench.table import Row, share
from tests.bench.watching import ACCUSE, KINDS, paired

BANDS = (0.5, 0.8, 0.95, 0.99, 0.999, 1.0)
"""Upper ends of the bands of probability for the reliability rows."""


@contextmanager
def unbounded() -> Iterator[None]:
    """Let verdicts tell the referee's own probabilities: the bound of what is shown follows from how reliable these
    are."""
    most, certainty.MOST = certainty.MOST, 1.0
    try:
        yield
    finally:
        certainty.MOST = most


def in_the_end(said: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the verdicts that stand at the end: an answer takes the place and time of the question that it
    replaces."""
    stand: dict[float, dict[str, Any]] = {}
    for k, verdict in enumerate(said):
        first = verdict.get("instead_of")
        place = next((key for key in stand if first is not None and abs(key - first) < 1e-3), None)
        if place is None:
            stand[verdict["t"] + k * 1e-9] = verdict
        else:
            stand[place] = {**verdict, "t": stand[place]["t"]}
    return list(stand.values())


def is_so(move: dict[str, Any], told: dict[str, Any]) -> bool:
    """Return whether a verdict, or an explanation in one, names what was played."""
    named = told.get("player"), (told.get("move") or "?")[0]
    return told["kind"] == move["kind"] and (move["move"] is None or named == (move["player"], move["move"]))


def tally_in_the_end(moves: list[dict[str, Any]], said: Sequence[dict[str, Any]], n: Counter[str]) -> None:
    """Count the final verdicts, the questions whose likeliest answer was right, and the bands of probability."""
    for move, verdict in zip(moves, paired(moves, in_the_end(said)), strict=True):
        if verdict is not None:
            n["end: right"] += is_so(move, verdict)
            n["end: accused falsely"] += move["kind"] == "legal" and verdict["kind"] in ACCUSE
            n["end: called legal"] += move["kind"] == "illegal" and verdict["kind"] == "legal"
    at_once = paired(moves, [v for v in said if "shown_by" not in v])
    for move, told in zip(moves, map(_likeliest, at_once), strict=True):
        if told is not None:
            _tally_band(move, told, n)


def _tally_band(move: dict[str, Any], told: dict[str, Any], n: Counter[str]) -> None:
    """Count the likeliest explanation of one move. told: with its probability, and whether it was asked about."""
    band = next(top for top in BANDS if told["p"] < top or top == BANDS[-1])
    n["asked though known"] += told["asked"] and is_so(move, told)
    n[f"band {band}"] += 1
    n[f"band {band} right"] += is_so(move, told)


def _likeliest(verdict: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return what a verdict says, or the likeliest explanation of one that is not sure, with its probability and
    whether it asks; None if there is none."""
    if verdict is None:
        return None
    if verdict["kind"] != "not-sure":
        return {**verdict, "p": verdict["confidence"], "asked": False}
    best = verdict.get("best") or ()
    return None if not best else {"player": verdict.get("player"), **best[0], "asked": True}


def reliability_rows(n: Counter[str], basis: str) -> Iterator[Row]:
    """Yield the rows for the counts. basis: which clips."""
    total = sum(n[kind] for kind in KINDS)
    yield share("verdict right in the end", n["end: right"], total, basis)
    yield share("accused falsely in the end", n["end: accused falsely"], n["legal"], basis)
    yield share("called legal in the end", n["end: called legal"], n["illegal"], basis)
    yield share("asked though known", n["asked though known"], total, basis)
    low = 0.0
    for top in BANDS:
        if n[f"band {top}"]:
            yield share(f"reliability, {low} to {top}", n[f"band {top} right"], n[f"band {top}"], basis)
        low = top
