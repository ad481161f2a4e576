"""Words for moves and verdicts: one plain sentence that the losing team would accept, and the steps for drawing.

Takes the verdict apart by its attributes only, so that rules and words stay free of numpy.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from engine.board import Board, Direction, Side
from engine.position import Position
from engine.trace import Capture, Choose, Drop, End, Lift, MakeBull, Stray, Trace
from engine.trace import laps as laps_of

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


class FaultLike(Protocol):
    """What is read of a fault; see `engine.judge.Fault`."""

    @property
    def code(self) -> str: ...
    @property
    def pit(self) -> int | None: ...
    @property
    def lap(self) -> int: ...
    @property
    def n(self) -> int: ...


class ExplanationLike(Protocol):
    """What is read of an explanation; see `engine.judge.Explanation`."""

    @property
    def kind(self) -> str: ...
    @property
    def player(self) -> Side | None: ...
    @property
    def move(self) -> str | None: ...
    @property
    def faults(self) -> Sequence[FaultLike]: ...
    @property
    def position(self) -> Position | None: ...
    @property
    def then(self) -> tuple[Side, str] | None: ...


class VerdictLike(Protocol):
    """What is read of a verdict; see `engine.judge.Verdict`."""

    @property
    def kind(self) -> str: ...
    @property
    def before(self) -> Position: ...
    @property
    def position(self) -> Position: ...
    @property
    def player(self) -> Side | None: ...
    @property
    def move(self) -> str | None: ...
    @property
    def trace(self) -> Trace: ...
    @property
    def faults(self) -> Sequence[FaultLike]: ...
    @property
    def captured(self) -> int: ...
    @property
    def best(self) -> Sequence[ExplanationLike]: ...
    @property
    def pits(self) -> Sequence[int]: ...
    @property
    def then(self) -> tuple[Side, str] | None: ...


def number(n: int) -> str:
    """`two`; figures above twelve."""
    return _NUMBERS[n] if 0 <= n < len(_NUMBERS) else str(n)


def seeds(n: int) -> str:
    """`two seeds`."""
    return f"{number(n)} seed{'s' * (n != 1)}"


def played(move: str) -> str:
    """`d (clockwise)`: a move in words, with the directions that were chosen on the way."""
    ways = [_WAYS[c] for c in move if c in _WAYS]
    return f"{move.rstrip(''.join(_WAYS))} ({', then '.join(ways)})" if ways else move


_WAYS = {"<": Direction.CW.words, ">": Direction.CCW.words}


def ordinal_lap(n: int) -> str:
    """`third lap`; `lap 11` from there on."""
    return f"{_ORDINALS[n - 1]} lap" if 0 < n <= len(_ORDINALS) else f"lap {n}"


def listed(words: Iterable[str], last: str = "and") -> str:
    """`a, b and c`."""
    w = list(words)
    return "".join(w) if len(w) < 2 else f"{', '.join(w[:-1])} {last} {w[-1]}"


# ---- sentences
# ------------------------------------------------------------------------------------------------------------


def sentence(verdict: VerdictLike) -> str:
    """What a verdict says, in one or two plain sentences."""
    v = verdict
    who = v.player.title if v.player is not None else "Somebody"
    match v.kind:
        case "legal":
            return _legal(v, who)
        case "illegal" if v.faults:
            return _illegal(v, who)
        case "withdrawn":
            return f"{who}'s move was taken back; {v.position.to_move.title} is to move."
        case "unchanged":
            return "Hands came and went, and no count changed."
        case "rearranged":
            return _rearranged(v, who)
        case "race":
            race = "South and North raced for the first move"
            return f"{race}; {v.player.title} is to move." if v.player is not None else (
                f"{race}; who won it was not seen.")
        case "tampered":
            return _tampered(v)
        case _:
            return _not_sure(v)


def _rearranged(v: VerdictLike, who: str) -> str:
    if v.move is None:
        return f"{who if v.player is not None else 'Both sides'} laid the seeds out."
    text = f"{who} rearranged {listed(v.move.partition('=')[0])}"
    return text + (f", and {v.then[0].title} {listed(v.then[1].partition('=')[0])}." if v.then is not None else ".")


def _legal(v: VerdictLike, who: str) -> str:
    name = v.before.board.name
    text = f"{who} sowed {played(v.move or '')}"
    if v.then is not None:
        side, move = v.then
        return f"{text}, and {side.title} {played(move)} with no pause between; both moves are legal."
    laps = laps_of(v.trace)
    text += f" in {number(laps)} lap{'s' * (laps != 1)}"
    resown = sum(s.n for s in v.trace if isinstance(s, Capture) and s.sown_from is not None)
    if resown:
        text += f" and captured {seeds(resown)}"
    for step in v.trace:
        if isinstance(step, MakeBull):
            bulls = "bulls" if len(step.pits) > 1 else "a bull"
            text += f" and made {bulls} of {listed(map(name, step.pits))}"
        if isinstance(step, Capture) and step.sown_from is None:
            text += f" and captured {seeds(step.n)}"
        if isinstance(step, End) and step.reason in _SLEPT:
            text += _SLEPT[step.reason]
    return text + "."


_SLEPT = {"sleeps": " and slept", "in-bull": " and slept in a bull", "win": " and won"}


def _tampered(v: VerdictLike) -> str:
    return f"The board was changed with no move made: {listed(_changed(v.before, v.position))}."


def _changed(before: Position, after: Position) -> list[str]:
    was, lies = before.counts, after.counts
    return [f"{before.board.name(p)} holds {lies[p]} where {was[p]} lay" for p in range(len(was)) if lies[p] != was[p]]


MOST_PITS, MOST_COUNTS = 6, 3
"""Pits that people are asked to look at one by one, and pits of which it is said what each guess has there."""


def _not_sure(v: VerdictLike) -> str:
    board, text = v.before.board, "Not sure what was played"
    if len(v.pits) > MOST_PITS:
        text += ": please look at the whole board"
    elif v.pits:
        text += f": please look at pit{'s' * (len(v.pits) > 1)} {listed(map(board.name, v.pits))}"
    guesses = [_guess(v.before, e) + _there(board, e, v.pits) for e in v.best]
    return f"{text}. It may have been {listed(guesses, 'or')}." if guesses else f"{text}."


def _guess(before: Position, e: ExplanationLike) -> str:
    who = e.player.title if e.player is not None else "somebody"
    board = before.board
    match e.kind:
        case "legal" if e.then is not None:
            return f"{who}'s {played(e.move or '')} and then {e.then[0].title}'s {played(e.then[1])}, both legally"
        case "legal":
            return f"{who}'s {played(e.move or '')}, legally"
        case "illegal" if e.faults:
            told = [_fault_guessed(board, f, e.move or "") for f in e.faults]
            many = "a fault" if len(told) == 1 else "two faults"
            return f"{who}'s {played(e.move or '')} with {many}: {listed(told)}"
        case "withdrawn":
            return "a move taken back"
        case "unchanged":
            return "no move at all"
        case "tampered":
            changed = [] if e.position is None else _changed(before, e.position)
            return "seeds changed with no move" + (f", {listed(changed)}" if changed else "")
        case _:
            return "something that the rules do not explain"


def _fault_guessed(board: Board, fault: FaultLike, move: str) -> str:
    """A fault of a move of which no trace is at hand, in a few words."""
    pit = board.name(fault.pit) if fault.pit is not None else "a pit"
    match fault.code:
        case "wrong-side":
            return f"{pit} is the other side's"
        case "lone-seed":
            return f"{pit} held a lone seed"
        case "out-of-turn":
            return "it was the other side's turn"
        case "double-move":
            return f"a second move, from {pit}, before the other side had moved"
        case "bull-missed":
            return f"{pit} was taken for a bull, or for none, in lap {fault.lap}"
        case "bull-lifted":
            return f"the bull {pit} was {'lifted' if move[:1] == pit else 'emptied'}"
        case _:
            return _in_words(fault, pit, ())


def _there(board: Board, e: ExplanationLike, pits: Sequence[int]) -> str:
    """What a guess has in the pits that would decide."""
    if e.position is None or e.kind == "tampered" or not 0 < len(pits) <= MOST_COUNTS:
        return ""
    return f" ({listed(f'{seeds(e.position.counts[p])} in {board.name(p)}' for p in pits)})"


def _illegal(v: VerdictLike, who: str) -> str:
    """One sentence for the first fault, and one for each after it."""
    board = v.before.board
    text = fault_sentence(board, who, v.move or "", v.faults[0], v.trace)
    for fault in v.faults[1:]:
        pit = board.name(fault.pit) if fault.pit is not None else "a pit"
        text += f" Besides, {_in_words(fault, pit, v.trace)}."
    return text


def fault_sentence(board: Board, who: str, move: str, fault: FaultLike, trace: Trace) -> str:
    """One fault in one sentence. who: the player as he is to be called; trace: the move as it was made."""
    pit = board.name(fault.pit) if fault.pit is not None else "a pit"
    whole = _WHOLE.get(fault.code)
    if whole is not None and not (fault.code == "bull-lifted" and move[:1] != pit):
        owner = board.owner(fault.pit if fault.pit is not None else 0)
        other = {"South": "North", "North": "South"}.get(who, "the other side")
        return whole.format(who=who, pit=pit, owner=owner.title, move=played(move), other=other)
    return f"{who} sowed {played(move)}: {_in_words(fault, pit, trace)}."


_WHOLE = {
    "wrong-side": "{who} began in {pit}, which is {owner}'s pit.",
    "lone-seed": "{who} began in {pit}, which held a lone seed; at least two are needed.",
    "bull-lifted": "{who} lifted {pit}, which is a bull and may not be emptied.",
    "out-of-turn": "{who} sowed {move}, but it was {other}'s turn.",
    "double-move": "{who} sowed {move} and then moved again from {pit}, before {other} had moved.",
}


def _in_words(fault: FaultLike, pit: str, trace: Trace) -> str:
    lap, n, verb = fault.lap, fault.n, "was" if fault.n == 1 else "were"
    laps = laps_of(trace)
    match fault.code:
        case "skip":
            return f"in lap {lap} no seed was dropped into {pit}{' and the pit after it' * (n > 1)}"
        case "double":
            return f"in lap {lap} {seeds(n + 1)} were dropped into {pit} where one was due"
        case "wrong-pit" if n > 1:
            return f"after lap {lap} the captured seeds were sown on from {pit}, where they do not begin"
        case "wrong-pit":
            return f"in lap {lap} a seed was dropped into {pit}, which was not the next pit"
        case "two-pits":
            return f"{pit} was lifted together with the pit that the move began from"
        case "kept":
            return f"after lap {lap} the {seeds(n)} captured at {pit} stayed in the hand, but have to be sown on"
        case "left-seed":
            return f"in lap {lap} {seeds(n)} {verb} left in {pit}, which has to be lifted whole"
        case "wrong-way":
            on = "" if n else "; so did those after it"
            return f"lap {lap}, from {pit}, went clockwise, to which there was no right{on}"
        case "stopped-short":
            due = f"{pit} was occupied, so its seeds had to be sown on"
            return f"the move was ended in {pit} after lap {lap}, but {due}"
        case "ran-on":
            return f"lap {lap} ended in the empty pit {pit}, where the move ends, but it was sown on"
        case "bull-missed" if laps > lap:
            return f"lap {lap} made a bull of {pit}, where the move ends, but it was sown on"
        case "bull-missed":
            return f"the move was ended in {pit} after lap {lap}, but {pit} was no bull, so its seeds had to be sown on"
        case "bull-lifted" if laps > lap:
            return f"lap {lap} ended in the bull {pit}, where the move ends, but {pit} was lifted and sown on"
        case "bull-lifted":
            return f"after lap {lap} the bull {pit} was captured from"
        case "false-capture":
            return f"after lap {lap} {seeds(n)} {verb} captured from {pit}, to which there was no right"
        case "short-capture":
            return f"after lap {lap} {seeds(n)} that had to be captured {verb} left on the board, at {pit}"
        case "palmed":
            return f"in lap {lap} {seeds(n)} vanished from the hand" if lap else f"{seeds(n)} vanished from {pit}"
        case "smuggled":
            return f"in lap {lap} {seeds(n)} came into the hand" if lap else f"{seeds(n)} too many came into {pit}"
        case _:
            return f"{fault.code} at {pit}"


# ---- steps for drawing
# ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Drawn:
    """One step for drawing. kind: lift, drop, choose, capture, bull, stray, end; pit: its letter, or letters, with n
    seeds, in lap `lap` (from 1); wrong: the fault lies here. Drops into one pit on end are one step."""

    kind: str
    pit: str
    n: int
    lap: int
    text: str
    wrong: bool = False


def steps(board: Board, trace: Trace, faults: Sequence[FaultLike] = ()) -> list[Drawn]:
    """The steps of a trace, in words, with the faulty ones marked."""
    drawn = list(_steps(board, trace))
    for fault in faults:
        at = _wrong_step(board, drawn, fault)
        if at is not None:
            drawn[at] = replace(drawn[at], wrong=True)
    return drawn


def _steps(board: Board, trace: Trace) -> Iterator[Drawn]:
    name, lap, origin = board.name, 0, ""
    for i, step in enumerate(trace):
        where = f"{ordinal_lap(lap)}, from pit {origin}" if lap else "at the start"
        match step:
            case Lift(pit, n) if i and isinstance(trace[i - 1], Lift):
                yield Drawn("lift", name(pit), n, lap, f"{ordinal_lap(lap)}: {seeds(n)} from pit {name(pit)} as well")
            case Lift(pit, n):
                lap, origin = lap + 1, name(pit)
                yield Drawn("lift", origin, n, lap, f"{ordinal_lap(lap)}: {seeds(n)} lifted from pit {origin}")
            case Drop(pit):
                if i and trace[i - 1] == step:
                    continue
                n = next((k for k, s in enumerate(trace[i:]) if s != step), len(trace) - i)
                yield Drawn("drop", name(pit), n, lap, f"{where}: {seeds(n)} into {name(pit)}")
            case Choose(direction):
                yield Drawn("choose", origin, 0, lap, f"the next lap goes {direction.words}, by choice")
            case Capture(pits, n, sown_from):
                on = "" if sown_from is None else f", to be sown on from pit {name(sown_from)}"
                text = f"captures {seeds(n)} from {listed(map(name, pits))}{on}"
                yield Drawn("capture", ",".join(map(name, pits)), n, lap, text)
                if sown_from is not None:
                    lap, origin = lap + 1, name(sown_from)
            case MakeBull(pits):
                made = "become bulls" if len(pits) > 1 else "becomes a bull"
                yield Drawn("bull", ",".join(map(name, pits)), 0, lap, f"{listed(map(name, pits))} {made}")
            case Stray(pit, n):
                place = "the hand" if pit is None else f"pit {name(pit)}"
                did = "came into" if n > 0 else "vanished from"
                yield Drawn("stray", "" if pit is None else name(pit), n, lap, f"{seeds(abs(n))} {did} {place}")
            case End(reason):
                yield Drawn("end", "", 0, lap, _ENDS.get(reason, reason))


_ENDS = {
    "sleeps": "the move ends",
    "capture": "the move ends with the capture",
    "bull": "the move ends with a new bull",
    "in-bull": "the move ends in a bull",
    "win": "the move wins",
    "arranged": "all are laid elsewhere in the row, before the first move",
    "rearranged": "all are laid elsewhere in the row",
}


def _wrong_step(board: Board, drawn: list[Drawn], fault: FaultLike) -> int | None:
    """The step at which a fault shows."""
    pit = board.name(fault.pit) if fault.pit is not None else ""

    def first(kind: str, *, lap: int | None = None, at: str | None = None) -> int | None:
        return next((i for i, d in enumerate(drawn)
                     if d.kind == kind and lap in (None, d.lap) and at in (None, d.pit)), None)

    end = len(drawn) - 1 if drawn else None
    match fault.code:
        case "double":
            return first("drop", lap=fault.lap, at=pit)
        case "skip":
            return _after_skip(board, drawn, fault)
        case "wrong-pit" if fault.n < 2:
            return first("drop", lap=fault.lap, at=pit)
        case "two-pits":
            return first("lift", at=pit)
        case "left-seed" | "wrong-way" | "wrong-side":
            return first("lift", lap=fault.lap)
        case "out-of-turn":
            return first("lift")
        case "double-move":
            ended = first("end")
            return None if ended is None or ended == end else ended + 1
        case "palmed" | "smuggled":
            return first("stray")
        case "ran-on" | "bull-missed" | "bull-lifted":
            on = first("lift", lap=fault.lap + 1, at=pit)
            begun = first("lift", lap=fault.lap, at=pit) if fault.code == "bull-lifted" else None
            return next((i for i in (on, begun, first("capture", lap=fault.lap), end) if i is not None), None)
        case "false-capture" | "short-capture" | "kept" | "wrong-pit":
            took, on = first("capture", lap=fault.lap), first("lift", lap=fault.lap + 1)
            return next((i for i in (took, on, end) if i is not None), None)
        case _:
            return end


def _after_skip(board: Board, drawn: list[Drawn], fault: FaultLike) -> int | None:
    """The drop that went one pit too far: the first in its lap that does not follow on the one before."""
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
