"""The steps of a move for drawing, each with its text, and the faulty ones marked."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from engine.board import Board, Direction
from engine.explain import listed, ordinal_lap, seeds
from engine.trace import Capture, Choose, Drop, End, Lay, Lift, MakeBull, Stray, Trace
from engine.verdict import Fault


@dataclass(frozen=True, slots=True)
class Drawn:
    """One step for drawing. kind: lift, drop, choose, capture, bull, stray, end; pit: its letter, or letters; n: seeds;
    lap: from 1; text: in words; wrong: the fault shows here. Consecutive drops into one pit are one step."""

    kind: str
    pit: str
    n: int
    lap: int
    text: str
    wrong: bool = False


def steps(board: Board, trace: Trace, faults: Sequence[Fault] = ()) -> list[Drawn]:
    """Return the steps of a trace with their texts, the faulty ones marked."""
    drawn = list(_steps(board, trace))
    for fault in faults:
        at = _wrong_step(board, drawn, fault)
        if at is not None:
            drawn[at] = replace(drawn[at], wrong=True)
    return drawn


def _steps(board: Board, trace: Trace) -> Iterator[Drawn]:
    drawing = _Drawing(board, trace)
    for i in range(len(trace)):
        yield from drawing.step(i)


class _Drawing:
    """Turns a trace into steps for drawing. lap: the current one, from 1; origin: the letter of the pit where it
    began."""

    def __init__(self, board: Board, trace: Trace) -> None:
        self.name, self.trace = board.name, trace
        self.lap, self.origin = 0, ""

    def step(self, i: int) -> Iterator[Drawn]:
        """Yield what is drawn for step number i; call it in order. A drop that is drawn with the one before yields
        nothing."""
        match self.trace[i]:
            case Lift(pit, n):
                yield self._lift(i, pit, n)
            case Drop(pit):
                yield from self._drop(i, pit)
            case Choose(direction):
                yield self._drawn("choose", self.origin, 0, f"the next lap goes {direction.words}, by choice")
            case Capture(pits, n, sown_from):
                yield self._capture(pits, n, sown_from)
            case Lay() as step:
                yield from self._lay(step)
            case MakeBull(pits):
                made = "become bulls" if len(pits) > 1 else "becomes a bull"
                yield self._drawn("bull", self._letters(pits), 0, f"{listed(map(self.name, pits))} {made}")
            case Stray(pit, n):
                yield self._stray(pit, n)
            case End(reason):
                yield self._drawn("end", "", 0, _ENDS.get(reason, reason))

    def _lay(self, step: Lay) -> Iterator[Drawn]:
        """Draw seeds laid from one pit into another as lifted and dropped, in the lap that has ended."""
        source, pit = self.name(step.source), self.name(step.pit)
        yield self._drawn("lift", source, step.n, f"{seeds(step.n)} taken from pit {source}")
        yield self._drawn("drop", pit, step.n, f"{seeds(step.n)} laid into {pit}")

    def _drawn(self, kind: str, pit: str, n: int, text: str) -> Drawn:
        return Drawn(kind, pit, n, self.lap, text)

    def _letters(self, pits: Iterable[int]) -> str:
        return ",".join(map(self.name, pits))

    def _lift(self, i: int, pit: int, n: int) -> Drawn:
        name = self.name(pit)
        if i and isinstance(self.trace[i - 1], Lift):
            return self._drawn("lift", name, n, f"{ordinal_lap(self.lap)}: {seeds(n)} from pit {name} as well")
        self.lap, self.origin = self.lap + 1, name
        return self._drawn("lift", name, n, f"{ordinal_lap(self.lap)}: {seeds(n)} lifted from pit {name}")

    def _drop(self, i: int, pit: int) -> Iterator[Drawn]:
        step, rest = self.trace[i], self.trace[i:]
        if i and self.trace[i - 1] == step:
            return
        n = next((k for k, s in enumerate(rest) if s != step), len(rest))
        where = f"{ordinal_lap(self.lap)}, from pit {self.origin}" if self.lap else "at the start"
        yield self._drawn("drop", self.name(pit), n, f"{where}: {seeds(n)} into {self.name(pit)}")

    def _capture(self, pits: tuple[int, ...], n: int, sown_from: int | None) -> Drawn:
        on = "" if sown_from is None else f", to be sown on from pit {self.name(sown_from)}"
        text = f"captures {seeds(n)} from {listed(map(self.name, pits))}{on}"
        drawn = self._drawn("capture", self._letters(pits), n, text)
        if sown_from is not None:
            self.lap, self.origin = self.lap + 1, self.name(sown_from)
        return drawn

    def _stray(self, pit: int | None, n: int) -> Drawn:
        place = "the hand" if pit is None else f"pit {self.name(pit)}"
        did = "came into" if n > 0 else "disappeared from"
        return self._drawn("stray", "" if pit is None else self.name(pit), n, f"{seeds(abs(n))} {did} {place}")


def outline(board: Board, trace: Trace) -> str:
    """Describe a move in one line: the pits where its laps begin, its last pit, then captures and bulls, such as `a → e
    → C; captures 5 seeds from D`."""
    drawn = steps(board, trace)
    path = [step.pit for step in drawn if step.kind == "lift"]
    path += [step.pit for step in drawn if step.kind == "drop"][-1:]
    said = [step.text for step in drawn if step.kind in ("capture", "bull", "choose")]
    return "; ".join([" → ".join(path), *said])


_ENDS = {
    "sleeps": "the move ends",
    "capture": "the move ends with the capture",
    "bull": "the move ends with a new bull",
    "in-bull": "the move ends in a bull",
    "win": "the move wins",
    "arranged": "all are laid elsewhere in the row, before the first move",
    "rearranged": "all are laid elsewhere in the row",
}


@dataclass(frozen=True, slots=True)
class _Place:
    """A place where a fault may show: the first drawn step of this kind. later: number of laps after the fault's own,
    None for any lap; at_pit: only at the fault's pit."""

    kind: str
    later: int | None = None
    at_pit: bool = False


_LAST = _Place("")
"""The last step of the move."""
_BEGUN_ON, _CAPTURED = _Place("lift", 1), _Place("capture", 0)

_SHOWS = {
    "double": (_Place("drop", 0, at_pit=True),),
    "two-pits": (_Place("lift", at_pit=True),),
    "left-seed": (_Place("lift", 0),),
    "wrong-way": (_Place("lift", 0),),
    "wrong-side": (_Place("lift", 0),),
    "starved": (_Place("lift", 0),),
    "out-of-turn": (_Place("lift"),),
    "palmed": (_Place("stray"),),
    "smuggled": (_Place("stray"),),
    "ran-on": (_Place("lift", 1, at_pit=True), _CAPTURED, _LAST),
    "bull-missed": (_Place("lift", 1, at_pit=True), _CAPTURED, _LAST),
    "bull-lifted": (_Place("lift", 1, at_pit=True), _Place("lift", 0, at_pit=True), _CAPTURED, _LAST),
    "false-capture": (_CAPTURED, _BEGUN_ON, _LAST),
    "short-capture": (_CAPTURED, _BEGUN_ON, _LAST),
    "kept": (_CAPTURED, _BEGUN_ON, _LAST),
    "wrong-pit": (_CAPTURED, _BEGUN_ON, _LAST),
}
"""The places where a fault may show, by its code; the first place found counts, or else the last step."""


def _wrong_step(board: Board, drawn: list[Drawn], fault: Fault) -> int | None:
    """Return the index of the step at which a fault shows."""
    if fault.code == "skip":
        return _after_skip(board, drawn, fault)
    if fault.code == "double-move":
        return _second_move(drawn)
    one_seed_astray = fault.code == "wrong-pit" and fault.n < 2
    places = _SHOWS["double"] if one_seed_astray else _SHOWS.get(fault.code, (_LAST,))
    pit = board.name(fault.pit) if fault.pit is not None else ""
    found = (_first(drawn, place, fault.lap, pit) for place in places)
    return next((i for i in found if i is not None), None)


def _first(drawn: list[Drawn], place: _Place, lap: int, pit: str) -> int | None:
    """Return the first step at such a place, for a fault in lap `lap` at `pit`."""
    if place is _LAST:
        return len(drawn) - 1 if drawn else None
    laps = None if place.later is None else lap + place.later
    return next((i for i, d in enumerate(drawn) if d.kind == place.kind and laps in (None, d.lap)
                 and (d.pit == pit or not place.at_pit)), None)


def _second_move(drawn: list[Drawn]) -> int | None:
    """Return the index of the step that begins a second move."""
    ended = next((i for i, d in enumerate(drawn) if d.kind == "end"), None)
    return None if ended is None or ended == len(drawn) - 1 else ended + 1


def _after_skip(board: Board, drawn: list[Drawn], fault: Fault) -> int | None:
    """Return the drop that went a pit too far: the first in its lap that does not follow on from the one before."""
    at = board.pit(next((d.pit for d in drawn if d.kind == "lift" and d.lap == fault.lap), "a"))
    ways = [board.step(Direction.CCW), board.step(Direction.CW)]
    for i, d in enumerate(drawn):
        if d.kind == "drop" and d.lap == fault.lap:
            to = board.pit(d.pit)
            ways = [w for w in ways if w[at] == to]
            if not ways:
                return i
            at = to
    return None
