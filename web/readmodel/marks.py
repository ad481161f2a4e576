"""Which pits a verdict marks: those that it names as its cause, and those that differ in consequence."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import NamedTuple, TypedDict

from device.journal.events import BoardFound, VerdictGiven
from web.readmodel.shapes import Diagram, pits


class Mark(TypedDict):
    """A marked pit. had: seeds before the move; there: as it lies, or, of a doubt, as it is read; due: as it should
    lie, None where the verdict does not say. cause: the verdict names it, or names none. at, was: x, y and radius in
    pixels of the picture after and before the move, None where it is not known where the board lay."""

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
        """As the journal tells it."""
        return cls(found.size, tuple((round(x, 1), round(y, 1), round(r, 1)) for x, y, r in found.pits))


Places = list[tuple[str, Place]]
"""Where the board lay, and from which moment on (ISO, "" for long before), oldest first."""

MOST_PLACES = 16


def place_before(places: Places, said: str, body: VerdictGiven) -> Place | None:
    """Where the board lay when the move's hand came in: it may have been pushed since. said: the moment of the verdict.

    Where no place is known that early, the oldest that is known counts; None where none is.
    """
    try:
        took = max(0.0, body.t - body.hands_in) if body.hands_in else 0.0
        came = datetime.fromisoformat(said) - timedelta(seconds=took)
        earlier = [place for at, place in places if not at or datetime.fromisoformat(at) <= came]
    except (ValueError, OverflowError):
        earlier = []
    return (earlier[-1] if earlier else places[0][1]) if places else None


def place_for(place: Place | None, board: Diagram | None) -> Place | None:
    """The place, where it has a place for every pit of that board."""
    fits = place is not None and board is not None and len(place.pits) == len(board["n"])
    return place if fits and place is not None and all(place.size) else None


def marks_of(body: VerdictGiven, before: Diagram | None, there: Diagram | None, due: Diagram | None,
             place: Place | None, place_was: Place | None = None) -> list[Mark]:
    """The pits to be marked, causes first. place, place_was: where the board lies, and where it lay before the move;
    None where that is not known."""
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
    """Seconds from what the verdict is about, its first wrong step, to the verdict, as if every step of the move had
    taken as long; None where no step is known to be wrong, or the hands were not seen."""
    wrong = next((i for i, step in enumerate(body.steps) if step.wrong), None)
    if wrong is None or not body.hands_in < body.hands_out <= body.t:
        return None
    at = body.hands_in + (body.hands_out - body.hands_in) * (wrong + 0.5) / len(body.steps)
    return round(body.t - at, 2)


def _named(body: VerdictGiven, due: Diagram | None) -> list[str]:
    """Letters of the pits that the verdict names: by its faults, else by the first step that went wrong, else, where
    nothing is known to be due, as doubtful."""
    by_faults = [name for fault in body.faults for name in fault.pit.split(",") if name]
    if by_faults:
        return by_faults
    if due is None:
        return body.pits
    return next((step.pit.split(",") for step in body.steps if step.wrong and step.pit), [])


def differing(one: Diagram | None, other: Diagram | None) -> list[int]:
    """The pits in which two boards differ, in seeds or in their bull."""
    if one is None or other is None or one["board"] != other["board"]:
        return []
    bulls: tuple[Mapping[int, str], Mapping[int, str]] = (one["bulls"], other["bulls"])
    return [i for i, (a, b) in enumerate(zip(one["n"], other["n"], strict=True))
            if a != b or bulls[0].get(i) != bulls[1].get(i)]
