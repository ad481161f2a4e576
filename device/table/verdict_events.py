"""Turn the referee's findings into the journal's events: indices become letters, traces become steps to draw."""

from collections.abc import Iterable, Sequence
from typing import cast

import msgspec

from device.journal.events import Explained, FaultSeen, PositionSet, Step, VerdictGiven, VerdictKind, translatable
from device.journal.messages import message
from engine import drawing, explain
from engine.board import Board, Side
from engine.matches.checks import SECOND_NS
from engine.matches.clock import Late
from engine.messages import Message
from engine.position import Position
from engine.referee.finding import Finding
from engine.rules import Rules
from engine.trace import Trace
from engine.verdict import Explanation, Fault, Verdict

FOLLOWS = message("set.follows")
WHO_MOVES = message("set.who-moves")

MOST_STEPS = 400
"""Most steps of a trace that are written; of a longer one, its beginning and its end."""


def position_set(position: Position, why: Message) -> PositionSet:
    """The event that sets the position, with the reason."""
    return PositionSet(position=str(position), why=str(why), told=translatable(why))


def verdict_event(rules: Rules, verdict: Verdict, *, hands_in: float, hands_out: float, t: float,
                  counts: list[int]) -> VerdictGiven:
    """The event for a verdict. Times in seconds of the table's clock; counts: each pit's likeliest count by the reading
    alone, along the ring."""
    board = verdict.before.board
    moved = verdict.kind in ("legal", "illegal", "not-sure", "race", "rearranged")
    return VerdictGiven(
        kind=cast(VerdictKind, verdict.kind),
        player=_letter(verdict.player), before=str(verdict.before), position=str(verdict.position),
        expected=_line(verdict.expected), sentence=explain.sentence(verdict, rules.verbs, rules.nouns, rules.relays),
        move=verdict.move or "",
        faults=faults_seen(board, verdict.faults), steps=drawn(board, verdict.trace, verdict.faults) if moved else [],
        captured=verdict.captured, confidence=round(verdict.confidence, 6), margin=round(verdict.margin, 3),
        best=[explained(board, e) for e in verdict.best], pits=[board.name(p) for p in verdict.pits], counts=counts,
        hands_in=round(hands_in, 3), hands_out=round(hands_out, 3), t=round(t, 3),
        doubts=[str(d.name) for d in verdict.doubt], others=[explained(board, e) for e in verdict.alike],
        followed=translatable(verdict.followed))


def finding_event(rules: Rules, finding: Finding) -> VerdictGiven:
    """The event for a finding."""
    seen = finding.seen
    return verdict_event(rules, finding.verdict(rules), hands_in=seen.began, hands_out=seen.left, t=finding.t,
                         counts=seen.loglik.argmax(axis=1).tolist())


def timed(body: VerdictGiven, late: Sequence[Late]) -> VerdictGiven:
    """The event with the exceeded time limits added to its sentence and faults; people decide what follows."""
    if not late:
        return body
    who = {"S": "South", "N": "North"}.get(body.player, "The player")
    sentences = [f"{who} {one}." for one in late]
    seen = [FaultSeen(code="late", n=one.took // SECOND_NS) for one in late]
    return msgspec.structs.replace(body, sentence=" ".join([body.sentence, *sentences]), faults=[*body.faults, *seen])


def faults_seen(board: Board, faults: Iterable[Fault]) -> list[FaultSeen]:
    """The faults in the journal's form, which names pits by letters."""
    return [FaultSeen(code=f.code, pit="" if f.pit is None else board.name(f.pit), lap=f.lap, n=f.n,
                      instead=",".join(map(board.name, f.instead))) for f in faults]


def explained(board: Board, e: Explanation) -> Explained:
    """A verdict's explanation in the journal's form."""
    return Explained(kind=e.kind, p=round(e.p, 6), move=e.move or "", player=_letter(e.player),
                     faults=faults_seen(board, e.faults), position=_line(e.position))


def drawn(board: Board, trace: Trace, faults: Sequence[Fault] = ()) -> list[Step]:
    """A trace's steps for drawing, with words, faulty ones marked; a very long trace without its middle."""
    steps = [Step(kind=d.kind, pit=d.pit, n=d.n, lap=d.lap, text=d.text, wrong=d.wrong)
             for d in drawing.steps(board, trace, faults)]
    return steps if len(steps) <= MOST_STEPS else steps[:MOST_STEPS // 2] + steps[-MOST_STEPS // 2:]


def _letter(side: Side | None) -> str:
    return "" if side is None else side.letter


def _line(position: Position | None) -> str:
    return "" if position is None else str(position)
