"""Where it is not known how the board lay: what follows shows which of several positions it was."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from engine.games.base import Rules
from engine.judge.judge import judge
from engine.judge.parameters import BOUNDS
from engine.judge.verdict import Doubt, Evidence, Explanation, Verdict
from engine.position import Position


def judge_from(rules: Rules, befores: Sequence[tuple[Position, float]], evidence: Evidence) -> Verdict:
    """What happened from one of these positions, each with its odds, to the evidence; `before` says from which.

    An accusation has to be certain whichever it was. Of a legal move, and of a fault, it is enough that it is the same
    from all that are likely: `before` is then the likeliest. Raises ValueError where there is no position, or one of
    odds that are not above zero.
    """
    if not befores or min(odds for _, odds in befores) <= 0:
        raise ValueError(f"{len(befores)} positions to judge from, each with odds above zero")
    verdicts = [judge(rules, before, evidence) for before, _ in befores]
    shares = _shares([math.log(odds) + v.evidence for (_, odds), v in zip(befores, verdicts, strict=True)])
    best = max(range(len(verdicts)), key=shares.__getitem__)
    verdict, share = verdicts[best], shares[best]
    if verdict.kind in ("legal", "illegal"):
        share = sum(p for p, v in zip(shares, verdicts, strict=True) if v.conclusion == verdict.conclusion)
    bound = BOUNDS.accused_whichever if verdict.accuses else BOUNDS.harmless_whichever
    if verdict.kind == "not-sure" or share >= bound:
        return replace(verdict, confidence=verdict.confidence * share)
    other = max((k for k in range(len(verdicts)) if k != best), key=shares.__getitem__)
    explained = (_explained(verdict, share), _explained(verdicts[other], shares[other]))
    pairs = zip(befores[best][0].counts, befores[other][0].counts, strict=True)
    apart = tuple(p for p, (a, b) in enumerate(pairs) if a != b)
    return Verdict("not-sure", verdict.before, verdict.before, verdict.player, None,
                   confidence=share * verdict.confidence, margin=verdict.margin, best=explained, pits=apart,
                   evidence=verdict.evidence, doubt=Doubt.ORIGIN)


def _shares(log_odds: Sequence[float]) -> list[float]:
    """The odds of each, where they add up to one."""
    top = max(log_odds)
    odds = [math.exp(w - top) for w in log_odds]
    return [w / sum(odds) for w in odds]


def _explained(verdict: Verdict, odds: float) -> Explanation:
    """The best explanation from one position, with the odds of both."""
    if not verdict.best:
        return Explanation("else", odds)
    return replace(verdict.best[0], p=verdict.best[0].p * odds)
