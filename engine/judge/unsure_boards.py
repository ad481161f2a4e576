"""Where it is not known how the board lay: what follows shows which of several positions it was."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from engine.games.base import Rules
from engine.judge.judge import judge
from engine.judge.parameters import BOUNDS, EFFORT
from engine.judge.verdict import Doubt, Evidence, Explanation, Verdict
from engine.judge.weighing import logsumexp
from engine.position import Position


def judge_from(
    rules: Rules, befores: Sequence[tuple[Position, float]], evidence: Evidence, *, history: Sequence[Position] = ()
) -> Verdict:
    """What happened from one of these positions, each with its odds, to the evidence; `before` says from which.

    An accusation has to be certain whichever it was. Of a legal move, and of a fault, it is enough that it is the same
    from all that are likely: `before` is then the likeliest. history: as of `judge`. Raises ValueError where there is
    no position, or one of odds that are not above zero.
    """
    if not befores or min(odds for _, odds in befores) <= 0:
        raise ValueError(f"{len(befores)} positions to judge from, each with odds above zero")
    verdicts = [judge(rules, before, evidence, history=history) for before, _ in befores]
    shares, verdicts = _weighed([odds for _, odds in befores], verdicts)
    best = max(range(len(verdicts)), key=shares.__getitem__)
    verdict, share = verdicts[best], shares[best]
    if verdict.kind in ("legal", "illegal"):
        share = sum(p for p, v in zip(shares, verdicts, strict=True) if v.conclusion == verdict.conclusion)
    bound = BOUNDS.accused_whichever if verdict.accuses else BOUNDS.harmless_whichever
    if verdict.kind == "not-sure" or share >= bound:
        return replace(verdict, confidence=verdict.confidence * share,
                       others=_other_positions(shares, verdicts, verdict.position))
    other = max((k for k in range(len(verdicts)) if k != best), key=shares.__getitem__)
    explained = (_explained(verdict, share), _explained(verdicts[other], shares[other]))
    pairs = zip(befores[best][0].counts, befores[other][0].counts, strict=True)
    apart = tuple(p for p, (a, b) in enumerate(pairs) if a != b)
    return Verdict("not-sure", verdict.before, verdict.before, verdict.player, None,
                   confidence=share * verdict.confidence, margin=verdict.margin, best=explained, pits=apart,
                   evidence=verdict.evidence, doubt=Doubt.ORIGIN)


def _weighed(odds: Sequence[float], verdicts: Sequence[Verdict]) -> tuple[list[float], list[Verdict]]:
    """The odds of each position where they add up to one, given what was read; and the verdicts, each with how likely
    that is from all positions together. odds: beforehand."""
    weights = [math.log(p) + v.evidence for p, v in zip(odds, verdicts, strict=True)]
    every = logsumexp(weights)
    known = logsumexp(w - v.else_nats for w, v in zip(weights, verdicts, strict=True))
    return ([math.exp(w - every) for w in weights],
            [replace(v, evidence=every, else_nats=every - known) for v in verdicts])


def _other_positions(
    shares: Sequence[float], verdicts: Sequence[Verdict], lies: Position
) -> tuple[tuple[Position, float], ...]:
    """The likeliest positions with other seeds than `lies`, each with its odds by all verdicts. shares: those of the
    verdicts."""
    odds: dict[Position, float] = {}
    for share, v in zip(shares, verdicts, strict=True):
        for position, p in v.boards:
            if position.counts != lies.counts:
                odds[position] = odds.get(position, 0.0) + share * p
    return tuple(sorted(odds.items(), key=lambda one: -one[1])[:EFFORT.other_boards])


def _explained(verdict: Verdict, odds: float) -> Explanation:
    """The best explanation from one position, with the odds of both."""
    if not verdict.best:
        return Explanation("else", odds)
    return replace(verdict.best[0], p=verdict.best[0].p * odds)
