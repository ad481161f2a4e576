"""A judge's verdict as an event: indices become letters, the trace becomes steps to draw."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import cast

from device.journal.events import Explained, FaultSeen, Step, VerdictGiven, VerdictKind
from engine import trace as tracing
from engine.board import Board, Side
from engine.explain import sentence
from engine.judge.verdict import Explanation, Fault, Verdict
from engine.position import Position
from engine.rules import Move, Rules

KINDS = ("legal", "illegal", "withdrawn", "not-sure", "tampered", "rearranged", "race")
MOST_STEPS = 400
"""Of a trace that are written down: a relay of hundreds of laps is told by its beginning and its end."""


def verdict_events(rules: Rules, verdict: Verdict, *, hands_in: float, hands_out: float, t: float,
                   counts: list[int]) -> list[VerdictGiven]:
    """What the journal says of a verdict: one event a move, so two where a second was made with no pause between.

    Times in seconds of the table's clock; counts, the reading by itself, along the ring.
    """
    times = (round(hands_in, 3), round(hands_out, 3), round(t, 3))
    if verdict.then is not None and verdict.move:
        first = rules.play(verdict.before, verdict.move)
        second = rules.play(first.position, verdict.then[1])
        return [_legal(verdict, verdict.before, first, times, []),
                _legal(verdict, first.position, second, times, counts)]
    board = verdict.before.board
    moved = verdict.kind in ("legal", "illegal", "not-sure", "race")
    return [VerdictGiven(
        kind=cast(VerdictKind, verdict.kind if verdict.kind in KINDS else "not-sure"),
        player=_letter(verdict.player), before=str(verdict.before), position=str(verdict.position),
        expected=_line(verdict.expected), sentence=sentence(verdict), move=verdict.move or "",
        faults=faults_seen(board, verdict.faults), steps=drawn(board, verdict.trace) if moved else [],
        captured=verdict.captured, confidence=round(verdict.confidence, 6), margin=round(verdict.margin, 3),
        best=[explained(board, e) for e in verdict.best], pits=[board.name(p) for p in verdict.pits], counts=counts,
        hands_in=times[0], hands_out=times[1], t=times[2])]


def _legal(verdict: Verdict, before: Position, move: Move, times: tuple[float, float, float],
           counts: list[int]) -> VerdictGiven:
    """One of two moves made in one go."""
    alone = replace(verdict, before=before, position=move.position, player=before.to_move, move=move.name,
                    trace=move.trace, captured=move.captured, then=None, expected=None, best=())
    return VerdictGiven(
        kind="legal", player=before.to_move.letter, before=str(before), position=str(move.position),
        sentence=sentence(alone), move=move.name, steps=drawn(before.board, move.trace),
        captured=move.captured, confidence=round(verdict.confidence, 6), margin=round(verdict.margin, 3), counts=counts,
        hands_in=times[0], hands_out=times[1], t=times[2])


def faults_seen(board: Board, faults: Iterable[Fault]) -> list[FaultSeen]:
    """Faults with their pits by letter."""
    return [FaultSeen(code=f.code, pit="" if f.pit is None else board.name(f.pit), lap=f.lap, n=f.n)
            for f in faults]


def explained(board: Board, e: Explanation) -> Explained:
    """One of the judge's explanations."""
    return Explained(kind=e.kind, p=round(e.p, 6), move=e.move or "", player=_letter(e.player),
                     faults=faults_seen(board, e.faults), position=_line(e.position))


def drawn(board: Board, trace: tracing.Trace) -> list[Step]:
    """A trace's steps for drawing, laps counted from 1; a very long one without its middle."""
    steps: list[Step] = []
    lap = 0
    for step in trace:
        match step:
            case tracing.Lift(pit, n):
                lap += 1
                steps.append(Step(kind="lift", pit=board.name(pit), n=n, lap=lap))
            case tracing.Drop(pit):
                steps.append(Step(kind="drop", pit=board.name(pit), n=1, lap=lap))
            case tracing.Choose(direction):
                steps.append(Step(kind="choose", lap=lap, text=direction.words))
            case tracing.Capture(pits, n):
                steps += [Step(kind="capture", pit=board.name(p), n=n if i == 0 else 0, lap=lap)
                          for i, p in enumerate(pits)]
            case tracing.MakeBull(pits):
                steps += [Step(kind="bull", pit=board.name(p), lap=lap) for p in pits]
            case tracing.Stray(pit, n):
                steps.append(Step(kind="stray", pit="" if pit is None else board.name(pit), n=n, lap=lap, wrong=True))
            case tracing.End(reason):
                steps.append(Step(kind="end", lap=lap, text=reason))
    return steps if len(steps) <= MOST_STEPS else steps[:MOST_STEPS // 2] + steps[-MOST_STEPS // 2:]


def _letter(side: Side | None) -> str:
    return "" if side is None else side.letter


def _line(position: Position | None) -> str:
    return "" if position is None else str(position)
