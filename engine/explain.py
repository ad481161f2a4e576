"""Words for moves and verdicts: one plain sentence that the losing team would accept.

Takes the verdict apart by its attributes only, so that rules and words stay free of numpy.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from engine.board import Board, Direction, Side
from engine.position import Position
from engine.trace import Capture, End, MakeBull, Step, Trace
from engine.trace import laps as laps_of

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


class FaultLike(Protocol):
    """What is read of a fault; see `engine.judge.Fault`."""

    @property
    def code(self) -> str:
        """Its name."""

    @property
    def pit(self) -> int | None:
        """Where; None for a fault of no one pit."""

    @property
    def lap(self) -> int:
        """From 1; 0 where it is of no lap."""

    @property
    def n(self) -> int:
        """How many seeds or pits too many or too few; 0 where it is no matter of number."""


class ExplanationLike(Protocol):
    """What is read of an explanation; see `engine.judge.Explanation`."""

    @property
    def kind(self) -> str:
        """As of `Explanation`."""

    @property
    def player(self) -> Side | None:
        """Who moved, as far as known."""

    @property
    def move(self) -> str | None:
        """The pit's letter and the directions chosen."""

    @property
    def faults(self) -> Sequence[FaultLike]:
        """What was wrong."""

    @property
    def position(self) -> Position | None:
        """The board as it has it; None for "something else"."""

    @property
    def then(self) -> tuple[Side, str] | None:
        """A second legal move made with no pause after the first, (player, move)."""


class VerdictLike(Protocol):
    """What is read of a verdict; see `engine.judge.Verdict`."""

    @property
    def kind(self) -> str:
        """As of `Verdict`."""

    @property
    def before(self) -> Position:
        """The position before the move."""

    @property
    def position(self) -> Position:
        """The board as it lies."""

    @property
    def player(self) -> Side | None:
        """Who moved, as far as known."""

    @property
    def move(self) -> str | None:
        """The pit's letter and the directions chosen."""

    @property
    def trace(self) -> Trace:
        """How he moved, step by step."""

    @property
    def faults(self) -> Sequence[FaultLike]:
        """What was wrong."""

    @property
    def captured(self) -> int:
        """Seeds that the move took."""

    @property
    def best(self) -> Sequence[ExplanationLike]:
        """The two most probable explanations."""

    @property
    def pits(self) -> Sequence[int]:
        """The pits that would decide."""

    @property
    def then(self) -> tuple[Side, str] | None:
        """A second legal move made with no pause after the first, (player, move)."""


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
    text = f"{who} sowed {played(v.move or '')}"
    if v.then is not None:
        side, move = v.then
        return f"{text}, and {side.title} {played(move)} with no pause between; both moves are legal."
    laps = laps_of(v.trace)
    text += f" in {number(laps)} lap{'s' * (laps != 1)}"
    resown = sum(s.n for s in v.trace if isinstance(s, Capture) and s.sown_from is not None)
    if resown:
        text += f" and captured {seeds(resown)}"
    return text + "".join(_outcome(v.before.board, step) for step in v.trace) + "."


def _outcome(board: Board, step: Step) -> str:
    """What a step of a legal move adds to its sentence: new bulls, seeds won, and how it ended."""
    match step:
        case MakeBull(pits):
            return f" and made {'bulls' if len(pits) > 1 else 'a bull'} of {listed(map(board.name, pits))}"
        case Capture(_, n, None):
            return f" and captured {seeds(n)}"
        case End(reason):
            return _SLEPT.get(reason, "")
        case _:
            return ""


_SLEPT = {"sleeps": " and slept", "in-bull": " and slept in a bull", "win": " and won"}


def _tampered(v: VerdictLike) -> str:
    return f"The board was changed with no move made: {listed(_changed(v.before, v.position))}."


def _changed(before: Position, after: Position) -> list[str]:
    was, lies = before.counts, after.counts
    return [f"{before.board.name(p)} holds {lies[p]} where {was[p]} lay" for p in range(len(was)) if lies[p] != was[p]]


MOST_PITS = 6
"""Pits that people are asked to look at one by one, at the most."""

MOST_COUNTS = 3
"""Pits of which it is said what each guess has there, at the most."""


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
    """A fault as the second half of a sentence. pit: its letter, or what stands for it."""
    words = _WORDS.get((fault.code, _marked(fault, laps_of(trace))))
    if words is None:
        return f"{fault.code} at {pit}"
    return words.format(lap=fault.lap, pit=pit, seeds=seeds(fault.n), more=seeds(fault.n + 1),
                        were="was" if fault.n == 1 else "were")


def _marked(fault: FaultLike, laps: int) -> bool:
    """Which of its two wordings in `_WORDS` a fault gets, where it has two. laps: how many the move has."""
    match fault.code:
        case "skip" | "wrong-pit":
            return fault.n > 1
        case "wrong-way":
            return fault.n > 0
        case "bull-missed" | "bull-lifted":
            return laps > fault.lap
        case "palmed" | "smuggled":
            return fault.lap > 0
        case _:
            return False


_WORDS = {
    ("skip", False): "in lap {lap} no seed was dropped into {pit}",
    ("skip", True): "in lap {lap} no seed was dropped into {pit} and the pit after it",
    ("double", False): "in lap {lap} {more} were dropped into {pit} where one was due",
    ("wrong-pit", False): "in lap {lap} a seed was dropped into {pit}, which was not the next pit",
    ("wrong-pit", True): "after lap {lap} the captured seeds were sown on from {pit}, where they do not begin",
    ("two-pits", False): "{pit} was lifted together with the pit that the move began from",
    ("kept", False): "after lap {lap} the {seeds} captured at {pit} stayed in the hand, but have to be sown on",
    ("left-seed", False): "in lap {lap} {seeds} {were} left in {pit}, which has to be lifted whole",
    ("wrong-way", False): "lap {lap}, from {pit}, went clockwise, to which there was no right; so did those after it",
    ("wrong-way", True): "lap {lap}, from {pit}, went clockwise, to which there was no right",
    ("stopped-short", False):
        "the move was ended in {pit} after lap {lap}, but {pit} was occupied, so its seeds had to be sown on",
    ("ran-on", False): "lap {lap} ended in the empty pit {pit}, where the move ends, but it was sown on",
    ("bull-missed", False):
        "the move was ended in {pit} after lap {lap}, but {pit} was no bull, so its seeds had to be sown on",
    ("bull-missed", True): "lap {lap} made a bull of {pit}, where the move ends, but it was sown on",
    ("bull-lifted", False): "after lap {lap} the bull {pit} was captured from",
    ("bull-lifted", True):
        "lap {lap} ended in the bull {pit}, where the move ends, but {pit} was lifted and sown on",
    ("false-capture", False): "after lap {lap} {seeds} {were} captured from {pit}, to which there was no right",
    ("short-capture", False): "after lap {lap} {seeds} that had to be captured {were} left on the board, at {pit}",
    ("palmed", False): "{seeds} vanished from {pit}",
    ("palmed", True): "in lap {lap} {seeds} vanished from the hand",
    ("smuggled", False): "{seeds} too many came into {pit}",
    ("smuggled", True): "in lap {lap} {seeds} came into the hand",
}
"""What is said of a fault by its code, and whether it is `_marked`."""
