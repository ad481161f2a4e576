"""A judge's verdict as events of the journal: indices become letters, the trace becomes steps to draw; and what the
verdict says of whose turn it was."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import cast

import msgspec

from device.journal.events import Explained, FaultSeen, PositionSet, Step, VerdictGiven, VerdictKind, told
from device.journal.messages import message
from device.table.context import TableContext
from device.table.settling.disturbance import Disturbance
from device.table.turn_clock import TurnClock
from engine import drawing, explain
from engine.board import Board, Side
from engine.judge.verdict import Explanation, Fault, Verdict
from engine.matches.checks import SECOND_NS
from engine.matches.clock import Late
from engine.messages import Message
from engine.position import Position
from engine.rules import Move, Rules
from engine.trace import Trace

FOLLOWS = message("set.follows")
WHO_MOVES = message("set.who-moves")

KINDS = ("legal", "illegal", "withdrawn", "not-sure", "tampered", "rearranged", "race")
MOST_STEPS = 400
"""Of a trace that are written down: a relay of hundreds of laps is told by its beginning and its end."""


def position_set(position: Position, why: Message) -> PositionSet:
    """The event that says why the game goes on from another board."""
    return PositionSet(position=str(position), why=str(why), told=told(why))


def out_of_turn(verdict: Verdict) -> bool:
    """Whether it accuses somebody of a move that was not his to make."""
    return any(f.code == "out-of-turn" for f in verdict.faults)


def verdict_events(rules: Rules, verdict: Verdict, *, hands_in: float, hands_out: float, t: float,
                   counts: list[int]) -> list[VerdictGiven]:
    """What the journal says of a verdict: one event a move, so two where a second was made with no pause between.

    Times in seconds of the table's clock; counts, the reading by itself, along the ring.
    """
    times = (round(hands_in, 3), round(hands_out, 3), round(t, 3))
    if verdict.then is not None and verdict.move:
        first = rules.play(verdict.before, verdict.move)
        second = rules.play(first.position, verdict.then[1])
        return [_one(verdict, verdict.before, first, times, []),
                _one(verdict, first.position, second, times, counts)]
    board = verdict.before.board
    moved = verdict.kind in ("legal", "illegal", "not-sure", "race", "rearranged")
    return [VerdictGiven(
        kind=cast(VerdictKind, verdict.kind if verdict.kind in KINDS else "not-sure"),
        player=_letter(verdict.player), before=str(verdict.before), position=str(verdict.position),
        expected=_line(verdict.expected), sentence=explain.sentence(verdict, rules.verbs, rules.nouns),
        move=verdict.move or "",
        faults=faults_seen(board, verdict.faults), steps=drawn(board, verdict.trace, verdict.faults) if moved else [],
        captured=verdict.captured, confidence=round(verdict.confidence, 6), margin=round(verdict.margin, 3),
        best=[explained(board, e) for e in verdict.best], pits=[board.name(p) for p in verdict.pits], counts=counts,
        hands_in=times[0], hands_out=times[1], t=times[2], doubts=[str(d.name) for d in verdict.doubt],
        others=[explained(board, e) for e in verdict.alike])]


def timed(body: VerdictGiven, late: Sequence[Late]) -> VerdictGiven:
    """The same, with the limits of time that were passed named beside it: what follows is for people to decide."""
    if not late:
        return body
    who = {"S": "South", "N": "North"}.get(body.player, "The player")
    sentences = [f"{who} {one}." for one in late]
    seen = [FaultSeen(code="late", n=one.took // SECOND_NS) for one in late]
    return msgspec.structs.replace(body, sentence=" ".join([body.sentence, *sentences]), faults=[*body.faults, *seen])


def say_move(context: TableContext, clock: TurnClock, verdict: Verdict, move: Disturbance, answers: int) -> int:
    """A verdict into the journal, with the limits of time that were passed; the number of its first event. answers: the
    event whose verdict was too early, 0 where there was none."""
    rules, _ = context.game.playing
    bodies = verdict_events(rules, verdict, hands_in=move.hands_in, hands_out=move.hands_out, t=context.t,
                            counts=move.window.counts.tolist())
    bodies[0] = timed(bodies[0], clock.passed(rules, verdict, move))
    named = 0 if verdict.kind == "withdrawn" else answers  # what is laid back takes more than that verdict with it
    bodies[0] = msgspec.structs.replace(bodies[0], answers=named)
    number, *_ = [context.say(body).number for body in bodies]
    return number


def known_turn(context: TableContext, verdict: Verdict) -> Verdict:
    """Say whose turn it was where the verdict shows it; the verdict as it holds then."""
    _, position = context.game.playing
    if not context.game.synced:
        if verdict.kind != "not-sure":
            context.say(position_set(verdict.before, FOLLOWS))
            context.turn_known = True
        return verdict
    if verdict.kind in ("legal", "illegal", "not-sure"):
        if verdict.before != position:
            why = WHO_MOVES if verdict.before.counts == position.counts else FOLLOWS
            context.say(position_set(verdict.before, why))
        context.turn_known = True
    elif verdict.before != position and verdict.kind == "rearranged":  # no turn has passed by it
        verdict = replace(verdict, before=position,
                          position=replace(verdict.position, to_move=position.to_move))
    laid = verdict.kind == "rearranged" and verdict.position.ply > verdict.before.ply
    if verdict.kind == "race" or laid:  # it is said, and not held against who moves: seeds may just be shifted
        context.turn_known = False
    return verdict


def _one(verdict: Verdict, before: Position, move: Move, times: tuple[float, float, float],
         counts: list[int]) -> VerdictGiven:
    """One of two moves made in one go."""
    player = before.board.owner(move.pit)
    alone = replace(verdict, before=before, position=move.position, player=player, move=move.name,
                    trace=move.trace, captured=move.captured, then=None, expected=None, best=())
    return VerdictGiven(
        kind=cast(VerdictKind, verdict.kind), player=player.letter, before=str(before), position=str(move.position),
        sentence=explain.sentence(alone, move.rules.verbs, move.rules.nouns), move=move.name,
        steps=drawn(before.board, move.trace),
        captured=move.captured, confidence=round(verdict.confidence, 6), margin=round(verdict.margin, 3), counts=counts,
        hands_in=times[0], hands_out=times[1], t=times[2])


def faults_seen(board: Board, faults: Iterable[Fault]) -> list[FaultSeen]:
    """Faults with their pits by letter."""
    return [FaultSeen(code=f.code, pit="" if f.pit is None else board.name(f.pit), lap=f.lap, n=f.n,
                      instead=",".join(map(board.name, f.instead))) for f in faults]


def explained(board: Board, e: Explanation) -> Explained:
    """One of the judge's explanations."""
    return Explained(kind=e.kind, p=round(e.p, 6), move=e.move or "", player=_letter(e.player),
                     faults=faults_seen(board, e.faults), position=_line(e.position))


def drawn(board: Board, trace: Trace, faults: Sequence[Fault] = ()) -> list[Step]:
    """A trace's steps for drawing, in words, faulty ones marked; a very long one without its middle."""
    steps = [Step(kind=d.kind, pit=d.pit, n=d.n, lap=d.lap, text=d.text, wrong=d.wrong)
             for d in drawing.steps(board, trace, faults)]
    return steps if len(steps) <= MOST_STEPS else steps[:MOST_STEPS // 2] + steps[-MOST_STEPS // 2:]


def _letter(side: Side | None) -> str:
    return "" if side is None else side.letter


def _line(position: Position | None) -> str:
    return "" if position is None else str(position)
