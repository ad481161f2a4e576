"""A move judged again from what people counted: their word is taken as certain, and the verdict is the judge's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import msgspec
import numpy as np

from device.journal.events import PositionSet, VerdictGiven, told
from device.journal.game import Laid, Ruled
from device.journal.messages import message as words
from device.table.parameters import JUDGEMENT
from device.table.verdict_events import verdict_events
from engine.judge import judge
from engine.judge.verdict import COUNTS, Evidence
from engine.position import Position
from engine.rules import Rules


class TooFarBack(ValueError):
    """Too much was played since; the message is one sentence."""


def judged_again(rules: Rules, ruled: Ruled, counts: Sequence[int],
                 history: Sequence[Position]) -> tuple[VerdictGiven | PositionSet, ...]:
    """What follows when `counts`, along the ring, lie there after the move of a verdict: what the judge says of it
    then, as an answer to that verdict; the board as people say where he can say nothing. history: the positions before
    the one that the move was made from."""
    before = ruled.before
    loglik = np.full((len(counts), COUNTS), -JUDGEMENT.counted_lead)
    loglik[np.arange(len(counts)), np.minimum(counts, COUNTS - 1)] = 0.0
    verdict = judge(rules, before, Evidence(loglik, np.ones(len(counts), bool), frames=8), history=history)
    why = words("set.not-as-read")
    if verdict.kind == "unchanged":
        return (PositionSet(position=str(before), why=str(why), told=told(why), answers=ruled.number),)
    if verdict.kind == "not-sure" or verdict.position.counts != tuple(counts):
        mover = before.to_move
        captured = list(before.captured)
        captured[mover] += max(0, sum(before.counts) - sum(counts))
        lies = replace(before.with_counts(tuple(counts)), captured=(captured[0], captured[1]), to_move=mover.other,
                       ply=before.ply + 1)
        return (PositionSet(position=str(lies), why=str(why), told=told(why), answers=ruled.number),)
    earlier = ruled.body
    bodies = verdict_events(rules, verdict, hands_in=earlier.hands_in, hands_out=earlier.hands_out, t=earlier.t,
                            counts=list(counts))
    first = msgspec.structs.replace(bodies[0], answers=ruled.number)
    return (first, *bodies[1:])


def judged_on(rules: Rules, later: Sequence[Ruled | Laid], position: Position,
              history: Sequence[Position]) -> list[VerdictGiven | PositionSet]:
    """What follows for the moves made after one that was judged again: each is judged from the board that the one
    before it leaves now, by what was read at its own time; boards that were laid in between lie as they lay. position:
    where they go on from; history: the positions before that. Of a move of which nothing can be said now, play goes on
    with the next board that was laid; where none was, it ends there, and the board is taken as it lies. Raises
    TooFarBack.
    """
    bodies: list[VerdictGiven | PositionSet] = []
    before, past = position, list(history)
    doubtful, judged = False, 0
    for ruled in later:
        if isinstance(ruled, Laid):
            before, doubtful = _laid_now(ruled.position, before), False
            bodies.append(PositionSet(position=str(before), why=ruled.why, told=ruled.told, answers=ruled.number))
            continue
        if doubtful:
            continue
        if ruled.before == before:  # nothing has changed for it
            bodies.append(msgspec.structs.replace(ruled.body, answers=ruled.number))
            past.append(before)
            before, doubtful = ruled.after, ruled.body.kind == "not-sure"
            continue
        judged += 1
        if judged > JUDGEMENT.most_judged_again:
            raise TooFarBack(words("answer.too-far", most=JUDGEMENT.most_judged_again))
        verdict = judge(rules, before, _as_read(ruled), history=past)
        if verdict.kind == "unchanged":
            continue
        times = {"hands_in": ruled.body.hands_in, "hands_out": ruled.body.hands_out, "t": ruled.body.t}
        given = verdict_events(rules, verdict, counts=ruled.body.counts, **times)
        bodies += [msgspec.structs.replace(body, answers=ruled.number) for body in given]
        past.append(before)
        before, doubtful = verdict.position, verdict.kind == "not-sure"
    return bodies


def _laid_now(laid: Position, before: Position) -> Position:
    """The board as it was laid; where only the turn was told by it, what was won meanwhile is as it is now."""
    return replace(before, to_move=laid.to_move) if laid.counts == before.counts else laid


def _as_read(ruled: Ruled) -> Evidence:
    """What was read after a move, as far as its verdict tells: the likeliest counts, and those that were settled on."""
    settled = np.minimum(ruled.after.counts if ruled.body.kind != "not-sure" else ruled.body.counts, COUNTS - 1)
    loglik = np.full((len(settled), COUNTS), -JUDGEMENT.read_lead)
    at = np.arange(len(settled))
    loglik[at, settled] = 0.0
    if ruled.body.counts:
        loglik[at, np.minimum(ruled.body.counts, COUNTS - 1)] = 0.0
    return Evidence(loglik, np.ones(len(settled), bool), frames=8)
