"""What a slip of the hand changed in the rest of its move: where the move as made and the move as due part."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.board import Board
from engine.messages import Message, all_of, message
from engine.trace import Capture, Drop, End, Lift, Step, Trace, Walk
from engine.verdict import Fault

SLIPS = ("skip", "double", "wrong-pit", "left-seed", "two-pits", "palmed", "smuggled")
"""Faults by which a lap may end in another pit. The sentence of a wrong decision says itself what was due."""


@dataclass(frozen=True, slots=True)
class _LapEnd:
    """The end of a lap. pit: of its last seed; held: seeds in it then; then: the step that followed."""

    pit: int
    held: int
    then: Step


def followed(board: Board, counts: Sequence[int], made: Trace, due: Trace, fault: Fault) -> Message | None:
    """Say what a slip changed: how the first lap that parted from the move as due went on, and what was due then.

    counts: of the board before the move; made, due: the move with this fault alone, and the legal one from the same
    pit. None if the course is the same, if only the place of the move's end differs, or if the moves part before the
    fault.
    """
    if fault.code not in SLIPS or not fault.lap:
        return None
    for lap, (is_, was_due) in enumerate(zip(_lap_ends(counts, made), _lap_ends(counts, due), strict=False), 1):
        if _course(is_) == _course(was_due):
            continue
        both_end = isinstance(is_.then, End) and isinstance(was_due.then, End)
        if lap < fault.lap or both_end:
            return None
        return message("followed", what=_made(board, is_), due=_due(board, was_due, is_))
    return None


def _lap_ends(counts: Sequence[int], trace: Trace) -> Iterator[_LapEnd]:
    """Yield the ends of a trace's laps, in order."""
    walk, last = Walk(list(counts)), None
    for step in trace:
        if last is not None and not walk.hand and isinstance(step, Lift | Capture | End):
            yield _LapEnd(last, walk.counts[last], step)
            last = None
        walk.take(step)
        if isinstance(step, Drop):
            last = step.pit


def _course(end: _LapEnd) -> tuple[object, ...]:
    """What makes two ends of laps the same: the pit and what follows there."""
    return end.pit, type(end.then), end.then.pits if isinstance(end.then, Capture) else ()


def _made(board: Board, end: _LapEnd) -> Message:
    match end.then:
        case Capture(pits, n):
            return message("followed.capture", n=n, pits=all_of(map(board.name, pits)))
        case Lift():
            return message("followed.on", pit=board.name(end.pit), n=end.held)
        case _:
            return message("followed.end", pit=board.name(end.pit))


def _due(board: Board, due: _LapEnd, made: _LapEnd) -> Message:
    match due.then:
        case Capture(pits, n):
            return message("followed.due.capture", n=n, pits=all_of(map(board.name, pits)))
        case Lift():
            return message("followed.due.on", pit=board.name(due.pit))
        case _ if due.pit == made.pit and isinstance(made.then, Lift):
            return message("followed.due.end.there")
        case _:
            return message("followed.due.end", pit=board.name(due.pit))
