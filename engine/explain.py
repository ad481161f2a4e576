"""Puts moves and verdicts into words: one plain sentence that the losing team would accept.

The referee's types are imported for the checker only: the referee itself needs these words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from engine import certainty
from engine.board import Board, Direction
from engine.position import Position
from engine.trace import Capture, Drop, End, Lift, MakeBull, Step, Trace
from engine.trace import laps as laps_of

if TYPE_CHECKING:
    from engine.verdict import Explanation, Fault, Verdict

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def number(n: int) -> str:
    """A number as a word, such as `two`; in figures above twelve."""
    return _NUMBERS[n] if 0 <= n < len(_NUMBERS) else str(n)


def seeds(n: int) -> str:
    """A number of seeds in words, such as `two seeds`."""
    return f"{number(n)} seed{'s' * (n != 1)}"


def played(move: str) -> str:
    """A move in words, such as `d (clockwise)`, with the directions chosen on the way."""
    ways = [_WAYS[c] for c in move if c in _WAYS]
    return f"{move.rstrip(''.join(_WAYS))} ({', then '.join(ways)})" if ways else move


_WAYS = {"<": Direction.CW.words, ">": Direction.CCW.words}


def ordinal_lap(n: int) -> str:
    """A lap in words, such as `third lap`; from the eleventh on as `lap 11`."""
    return f"{_ORDINALS[n - 1]} lap" if 0 < n <= len(_ORDINALS) else f"lap {n}"


def listed(words: Iterable[str], last: str = "and") -> str:
    """Words joined as in `a, b and c`."""
    w = list(words)
    return "".join(w) if len(w) < 2 else f"{', '.join(w[:-1])} {last} {w[-1]}"


# ---- sentences
# ------------------------------------------------------------------------------------------------------------


VERBS: Mapping[str, str] = {"sleeps": "slept", "in-bull": "slept in a bull", "win": "won", "bull": "made a bull of",
                            "bulls": "made bulls of"}
"""The verb for how a move ended, by reason; other reasons get no verb. For new bulls the pits follow the verb."""


def sentence(verdict: Verdict, verbs: Mapping[str, str] = VERBS, nouns: Mapping[str, str] | None = None,
             relays: bool = True) -> str:
    """Word a verdict in one or two plain sentences. verbs, nouns, relays: the game's (`engine.games.base.Rules`)."""
    text = _sentence(verdict, verbs)
    return renamed(text if relays else without_laps(text), nouns or {})


def without_laps(text: str) -> str:
    """Take the lap out of an English sentence or step, for a game whose moves are one lap."""
    return re.sub(r" (?:in|after) (?:one lap|lap 1)\b|^first lap(?:, from pit \w)?: ", "", text)


def renamed(text: str, nouns: Mapping[str, str]) -> str:
    """Replace common nouns by the game's own in an English sentence, in singular and plural."""
    if not nouns:
        return text
    plural = {f"{noun}s": f"{own}s" for noun, own in nouns.items() if " " not in noun}
    known = {**nouns, **plural}
    return re.sub(rf"\b({'|'.join(known)})\b", lambda found: known[found[1]], text)


def _sentence(v: Verdict, verbs: Mapping[str, str]) -> str:
    who = v.player.title if v.player is not None else "Somebody"
    match v.kind:
        case "legal":
            return _legal(v, who, verbs)
        case "illegal" if v.faults:
            return _illegal(v, who)
        case "withdrawn":
            return f"{who}'s move was taken back. It is {v.position.to_move.title}'s turn."
        case "rearranged":
            return _rearranged(v, who)
        case "race":
            race = "South and North raced for the first move"
            return f"{race}, and {v.player.title} won it." if v.player is not None else (
                f"{race}, but it was not seen who won.")
        case "tampered":
            return _tampered(v)
        case _:
            return _not_sure(v)


def _rearranged(v: Verdict, who: str) -> str:
    if v.move is None:
        return f"{who if v.player is not None else 'Both sides'} laid the seeds out."
    text = f"{who} rearranged {listed(v.move.partition('=')[0])}"
    return text + (f", and {v.then[0].title} {listed(v.then[1].partition('=')[0])}." if v.then is not None else ".")


def _legal(v: Verdict, who: str, verbs: Mapping[str, str]) -> str:
    text = f"{who} sowed {played(v.move or '')}"
    laps = laps_of(v.trace)
    text += f" in {number(laps)} lap{'s' * (laps != 1)}"
    resown = sum(s.n for s in v.trace if isinstance(s, Capture) and s.sown_from is not None)
    if resown:
        text += f" and captured {seeds(resown)}"
    return text + "".join(_outcome(v.before.board, step, verbs) for step in v.trace) + "."


def _outcome(board: Board, step: Step, verbs: Mapping[str, str]) -> str:
    """Word what a step adds to a legal move's sentence: new bulls, captured seeds, or how the move ended."""
    match step:
        case MakeBull(pits):
            return f" and {verbs['bulls' if len(pits) > 1 else 'bull']} {listed(map(board.name, pits))}"
        case Capture(_, n, None):
            return f" and captured {seeds(n)}"
        case End(reason):
            return f" and {verbs[reason]}" if reason in verbs and reason != "bull" else ""
        case _:
            return ""


def _tampered(v: Verdict) -> str:
    return f"The board was changed without a move: {listed(_changed(v.before, v.position))}."


def _changed(before: Position, after: Position) -> list[str]:
    was, lies = before.counts, after.counts
    return [f"{before.board.name(p)} holds {lies[p]} instead of {was[p]}" for p in range(len(was)) if lies[p] != was[p]]


MOST_PITS = 6
"""Most pits that people are asked to check one by one."""

MOST_COUNTS = 3
"""Most pits whose counts are listed for each guess."""


def _not_sure(v: Verdict) -> str:
    """Ask a question that decides, if the guesses differ in few pits; else say where to look and what may have been."""
    board = v.before.board
    same = len({(e.player, e.move) for e in v.best}) == 1
    if _decidable(v):
        asked = listed(map(board.name, v.pits))
        guesses = [_guess(v.before, e, same) for e in v.best]
        if len(set(guesses)) == 1:  # every count leads to the same move
            text = _guess(v.before, v.best[0], same=False, may=True)
            return f"{text[0].upper()}{text[1:]}. Please count {asked}."
        answers = [f"{_counts(e, v.pits)} – {guess}" for e, guess in zip(v.best, guesses, strict=True)]
        return f"Please count {asked}: {'; '.join(answers)}."
    text = "Not sure what was played."
    if len(v.pits) > MOST_PITS:
        text += " Please check the whole board."
    elif v.pits:
        text += f" Please check pit{'s' * (len(v.pits) > 1)} {listed(map(board.name, v.pits))}."
    guesses = [_guess(v.before, e, same and i > 0, may=True) for i, e in enumerate(v.best)]
    told = ", or ".join(guesses)
    return f"{text} {told[0].upper()}{told[1:]}." if guesses else text


def _decidable(v: Verdict) -> bool:
    """Whether the guesses can be told apart by the few pits in doubt."""
    if not 0 < len(v.pits) <= MOST_COUNTS or len(v.best) < 2 or any(e.position is None for e in v.best):
        return False
    return len({_counts(e, v.pits) for e in v.best}) == len(v.best)


def _counts(e: Explanation, pits: Sequence[int]) -> str:
    """A guess's counts in these pits, such as `1` or `1·4`."""
    return "" if e.position is None else "·".join(str(e.position.counts[p]) for p in pits)


def _guess(before: Position, e: Explanation, same: bool, may: bool = False) -> str:
    """Word one guess as a clause, as a fact or, with `may`, as a possibility. same: the move need not be named
    again."""
    who = e.player.title if e.player is not None else "somebody"
    move, have = played(e.move or ""), "may have " if may else ""
    match e.kind:
        case "legal" if not same:
            return f"{who} {have}played {move} legally"
        case "illegal" if e.faults:
            told = listed(_fault_guessed(before.board, f, who, have) for f in e.faults)
            return told if same or e.move is None else f"{told} when playing {move}"
        case kind:
            told = _GUESSES.get(kind, _UNEXPLAINED)[may]
            changed = _changed(before, e.position) if kind == "tampered" and e.position is not None else []
            return told + (f" ({listed(changed)})" if changed else "")


_UNEXPLAINED = ("something happened that the rules do not explain",
                "something may have happened that the rules do not explain")
_GUESSES = {
    "legal": ("the move is legal", "the move may be legal"),
    "withdrawn": ("the move was taken back", "the move may have been taken back"),
    "unchanged": ("nobody moved", "perhaps nobody moved"),
    "tampered": ("seeds were changed with no move", "seeds may have been changed with no move"),
}
"""The clause for each kind of explanation, as a fact and as a possibility."""


def _fault_guessed(board: Board, fault: Fault, who: str, have: str) -> str:
    """Word a possible fault in a few words. have: `may have `, or empty to state it as a fact."""
    pit = board.name(fault.pit) if fault.pit is not None else "a pit"
    subject = seeds(fault.n) if fault.code in ("palmed", "smuggled") else who
    told = _BRIEFLY.get(fault.code, f"done wrong at {{pit}} ({fault.code})")
    return f"{subject} {have}{told.format(pit=pit, seeds=seeds(fault.n))}"


_BRIEFLY = {
    "wrong-side": "started from {pit}, the other side's pit",
    "lone-seed": "started from {pit}, which held only one seed",
    "starved": "left the other side without a seed",
    "out-of-turn": "moved out of turn",
    "double-move": "moved twice",
    "skip": "skipped {pit}",
    "double": "dropped too many seeds into {pit}",
    "wrong-pit": "dropped a seed into the wrong pit, {pit}",
    "two-pits": "lifted {pit} as well",
    "kept": "kept captured seeds",
    "left-seed": "left {seeds} in {pit}",
    "wrong-way": "sowed the wrong way from {pit}",
    "stopped-short": "stopped too early in {pit}",
    "ran-on": "sowed on from the empty pit {pit}",
    "bull-missed": "got the bull in {pit} wrong",
    "bull-lifted": "emptied the bull {pit}",
    "false-capture": "captured wrongly",
    "short-capture": "captured too little",
    "palmed": "disappeared at {pit}",
    "smuggled": "appeared at {pit} from nowhere",
}
"""The short wording of a fault by code, for guesses: verbs whose past tense is also their participle."""


def _illegal(v: Verdict, who: str) -> str:
    """Word each fault in one sentence; include another explanation of the same board that is about as likely."""
    board = v.before.board
    text = fault_sentence(board, who, v.move or "", v.faults[0], v.trace)
    own = v.best[0].p if v.best else v.confidence
    near = next((e for e in v.alike if e.faults and certainty.near(own, e.p)), None)
    if near is not None:
        text = f"{text.removesuffix('.').partition(';')[0]}, or {_other_fault(v, near, who)}."
    for fault in v.faults[1:]:
        text += f" Also, {_in_words(board, fault, v.trace, who)}."
    clause = "" if v.followed is None else str(v.followed)
    return f"{text} {clause[0].upper()}{clause[1:]}." if clause else text


def _other_fault(v: Verdict, near: Explanation, who: str) -> str:
    """Word the alternative fault as the end of a sentence about the verdict's own fault."""
    board, fault = v.before.board, near.faults[0]
    if (near.player, near.move) != (v.player, v.move) or fault.code in _WHOLE:
        other = near.player.title if near.player is not None else "somebody"
        return fault_sentence(board, other, near.move or "", fault, ()).removesuffix(".").partition(";")[0]
    return _in_words(board, fault, v.trace, who).partition(";")[0].removeprefix(f"{who} ")


def fault_sentence(board: Board, who: str, move: str, fault: Fault, trace: Trace) -> str:
    """Word one fault in one sentence. who: the player's name; trace: the move as it was made."""
    pit = board.name(fault.pit) if fault.pit is not None else "a pit"
    whole = _WHOLE.get(fault.code)
    if whole is not None and not (fault.code == "bull-lifted" and move[:1] != pit):
        owner = board.owner(fault.pit if fault.pit is not None else 0)
        other = {"South": "North", "North": "South"}.get(who, "the other side")
        return whole.format(who=who, pit=pit, owner=owner.title, move=played(move), other=other,
                            instead=listed(map(board.name, fault.instead), "or"))
    told = _in_words(board, fault, trace, who)
    if fault.code == "wrong-way" and move[:1] == pit:
        return f"{told}."
    if not told.startswith(f"{who} "):
        return f"{who} played {played(move)}, but {told}."
    return f"{who} played {played(move)} but {told.removeprefix(f'{who} ')}."


_WHOLE = {
    "wrong-side": "{who} started from {pit}, which is {owner}'s pit.",
    "lone-seed": "{who} started from {pit}, which held only one seed; at least two are needed.",
    "starved": "{who} played {move}, which leaves {other} without a seed; {instead} would have given some.",
    "bull-lifted": "{who} lifted {pit}, but a bull must never be emptied.",
    "out-of-turn": "{who} played {move}, but it was {other}'s turn.",
    "double-move": "{who} played {move} and then {pit} before {other} had moved.",
}


def _in_words(board: Board, fault: Fault, trace: Trace, who: str) -> str:
    """Word a fault as a clause. who: the player's name."""
    pit = board.name(fault.pit) if fault.pit is not None else "a pit"
    words = _WORDS.get((fault.code, _marked(fault, laps_of(trace))))
    if words is None:
        return f"{who} broke a rule at {pit} ({fault.code})"
    one = fault.n == 1
    return words.format(
        who=who, lap=fault.lap, pit=pit, seeds=seeds(fault.n), more=seeds(fault.n + 1), was="was" if one else "were",
        due=f"{number(fault.n)} more seed{'s' * (not one)}", skipped=_skipped(board, fault, trace),
        added="an extra seed was" if one else f"{number(fault.n)} extra seeds were")


def _skipped(board: Board, fault: Fault, trace: Trace) -> str:
    """List the skipped pits in the order of the lap, such as `A and B`."""
    if fault.pit is None:
        return "a pit"
    onward = board.step(_way(board, fault.lap, trace))
    pits = [fault.pit]
    while len(pits) < fault.n:
        pits.append(onward[pits[-1]])
    return listed(map(board.name, pits))


def _way(board: Board, lap: int, trace: Trace) -> Direction:
    """The direction of a lap, from its drops."""
    drops: list[int] = []
    for step in trace:
        if isinstance(step, Lift):
            lap -= 1
        elif isinstance(step, Drop) and not lap:
            drops.append(step.pit)
    back = board.step(Direction.CW)
    return Direction.CW if any(back[a] == b for a, b in pairwise(drops)) else Direction.CCW


def _marked(fault: Fault, laps: int) -> bool:
    """The second part of a fault's key in `_WORDS`, which chooses between two wordings. laps: of the move."""
    match fault.code:
        case "wrong-pit":
            return fault.n > 1
        case "wrong-way":
            return fault.n > 0 or laps <= fault.lap
        case "bull-missed" | "bull-lifted":
            return laps > fault.lap
        case "palmed" | "smuggled":
            return fault.lap > 0
        case _:
            return False


_WORDS = {
    ("skip", False): "{who} skipped {skipped} in lap {lap}; every pit must get one seed",
    ("double", False): "{who} dropped {more} into {pit} in lap {lap}; only one is allowed",
    ("wrong-pit", False): "{who} dropped a seed into {pit} in lap {lap}, which was not the next pit",
    ("wrong-pit", True): "{who} sowed the captured seeds on from {pit} after lap {lap}, which is the wrong place",
    ("two-pits", False): "{who} lifted {pit} as well; only one pit may be lifted",
    ("kept", False): "{who} kept the {seeds} captured at {pit} after lap {lap}, which must be sown on",
    ("left-seed", False): "{who} left {seeds} in {pit} in lap {lap}; a pit must be lifted whole",
    ("wrong-way", False): "{who} sowed clockwise from {pit} and in all laps after; only anticlockwise is allowed here",
    ("wrong-way", True): "{who} sowed clockwise from {pit}; only anticlockwise is allowed here",
    ("stopped-short", False): "{who} stopped in {pit} after lap {lap}; it held seeds, so they must be sown on",
    ("ran-on", False): "{who} sowed on from {pit} after lap {lap}; it was empty, so the move ends there",
    ("bull-missed", False): "{who} stopped in {pit} after lap {lap}; it was no bull, so its seeds must be sown on",
    ("bull-missed", True): "{who} sowed on from {pit} after lap {lap}; it became a bull, so the move ends there",
    ("bull-lifted", False): "{who} captured from the bull {pit} after lap {lap}; a bull must never be emptied",
    ("bull-lifted", True): "{who} sowed on from the bull {pit} after lap {lap}; a move that reaches a bull ends there",
    ("false-capture", False): "{who} took {seeds} from {pit} after lap {lap}, which {was} not theirs to capture",
    ("short-capture", False): "{who} should have captured {due} at {pit} after lap {lap}",
    ("palmed", False): "{seeds} disappeared from {pit}",
    ("palmed", True): "{seeds} disappeared from the hand in lap {lap}",
    ("smuggled", False): "{added} added to {pit}",
    ("smuggled", True): "{who} sowed {seeds} more than were picked up in lap {lap}",
}
"""The wording of a fault by its code and by `_marked`."""
