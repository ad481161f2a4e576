"""Which pits a verdict marks: those that it names as the cause, and those that changed as a result."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import NamedTuple, TypedDict

from device.journal.events import BoardFound, VerdictGiven
from web.readmodel.shapes import Diagram, pits


class Mark(TypedDict):
    """A marked pit. had: seeds before the move; there: seeds now, or as read for a doubt; due: seeds that should be
    there, None if the verdict does not say. cause: whether the verdict names the pit (true of all if it names none).
    at, was: x, y and radius in pixels of the pictures after and before the move, None if the board's place is unknown.
    """

    pit: int
    name: str
    had: int
    there: int
    due: int | None
    cause: bool
    at: tuple[float, float, float] | None
    was: tuple[float, float, float] | None


class Place(NamedTuple):
    """Where a board lay: the pictures' width and height, and (x, y, radius) of every pit along the ring, in pixels."""

    size: tuple[int, int]
    pits: tuple[tuple[float, float, float], ...]

    @classmethod
    def of(cls, found: BoardFound) -> Place:
        """Return the place that the journal gives."""
        return cls(found.size, tuple((round(x, 1), round(y, 1), round(r, 1)) for x, y, r in found.pits))


Places = list[tuple[str, Place]]
"""Where the board lay, each with the moment from which on (ISO, "" for long before), oldest first."""

MOST_PLACES = 16


def place_before(places: Places, said: str, body: VerdictGiven) -> Place | None:
    """Return where the board lay when the move's hand came in. The hand may have pushed the board since. said: when the
    verdict was given. If no place is known that early, return the oldest; None if none is known."""
    try:
        took = max(0.0, body.t - body.hands_in) if body.hands_in else 0.0
        came = datetime.fromisoformat(said) - timedelta(seconds=took)
        earlier = [place for at, place in places if not at or datetime.fromisoformat(at) <= came]
    except (ValueError, OverflowError):
        earlier = []
    return (earlier[-1] if earlier else places[0][1]) if places else None


def place_for(place: Place | None, board: Diagram | None) -> Place | None:
    """Return the place if it has a position for every pit of that board, else None."""
    fits = place is not None and board is not None and len(place.pits) == len(board["n"])
    return place if fits and place is not None and all(place.size) else None


def marks_of(body: VerdictGiven, before: Diagram | None, there: Diagram | None, due: Diagram | None,
             place: Place | None, place_was: Place | None = None) -> list[Mark]:
    """Return the pits to mark, first those that the verdict names; none unless it is illegal, not-sure or tampered.
    before, there, due: the board before the move, as it lies, and as it should lie, None if unknown. place, place_was:
    where the board lies in the picture now, and where it lay before the move, None if unknown."""
    if there is None or body.kind not in ("illegal", "not-sure", "tampered"):
        return []
    shape, lay, lain = pits(there["board"]), place_for(place, there), place_for(place_was, there)
    numbers = {pit["name"]: number for number, pit in enumerate(shape)}
    named = {numbers[name] for name in _named(body, due) if name in numbers}
    differ = differing(due, there)
    marked = [*sorted(named), *(number for number in differ if number not in named)]
    counts = body.counts if body.kind == "not-sure" and len(body.counts) == len(shape) else there["n"]
    comparable = before is not None and before["board"] == there["board"]
    return [Mark(pit=number, name=shape[number]["name"], there=counts[number],
                 had=before["n"][number] if comparable and before else counts[number],
                 due=due["n"][number] if due and number < len(due["n"]) else None,
                 cause=number in named or not named, at=lay.pits[number] if lay else None,
                 was=lain.pits[number] if lain else None) for number in marked]


def moment_of(body: VerdictGiven) -> float | None:
    """Return the seconds between the move's first wrong step and the verdict, assuming that all steps took equally
    long; None if no step is known to be wrong or the hands were not seen."""
    wrong = next((i for i, step in enumerate(body.steps) if step.wrong), None)
    if wrong is None or not body.hands_in < body.hands_out <= body.t:
        return None
    at = body.hands_in + (body.hands_out - body.hands_in) * (wrong + 0.5) / len(body.steps)
    return round(body.t - at, 2)


def _named(body: VerdictGiven, due: Diagram | None) -> list[str]:
    """Return the letters of the pits that the verdict names: those of its faults; else those of the first wrong step;
    else, if the verdict does not say what is due, the doubtful ones."""
    by_faults = [name for fault in body.faults for name in fault.pit.split(",") if name]
    if by_faults:
        return by_faults
    if due is None:
        return body.pits
    return next((step.pit.split(",") for step in body.steps if step.wrong and step.pit), [])


def differing(one: Diagram | None, other: Diagram | None) -> list[int]:
    """Return the pits in which two boards differ, in seeds or in their bull."""
    if one is None or other is None or one["board"] != other["board"]:
        return []
    bulls: tuple[Mapping[int, str], Mapping[int, str]] = (one["bulls"], other["bulls"])
    return [i for i, (a, b) in enumerate(zip(one["n"], other["n"], strict=True))
            if a != b or bulls[0].get(i) != bulls[1].get(i)]
