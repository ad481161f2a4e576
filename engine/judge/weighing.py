"""Hypotheses weighed against all that was seen, those of one board together.

First comes the quiet board with the hands that were there (`score`), then, for the likeliest boards, what was read
while the hands were in play and which pits look otherwise since (`hear`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.games.base import Rules
from engine.judge import search
from engine.judge.candidates import Ways
from engine.judge.faults import Work
from engine.judge.likelihood import Fit
from engine.judge.parameters import EFFORT, MEANWHILE
from engine.judge.pictures import Pictures
from engine.judge.search import Candidate
from engine.judge.timeline_likelihood import TimelineLikelihood, TraceLikelihood, passed
from engine.position import Position


@dataclass(frozen=True, slots=True)
class Scored:
    """Candidates of one board and kind; the best of them, the posterior of all, and how the board fits."""

    best: Candidate
    log_p: float
    fit: float
    members: tuple[tuple[float, Candidate], ...] = ()
    """The likeliest of the candidates, each with its log-prior."""
    heard: float = 0.0
    """What the readings taken meanwhile say of the best, in nats beside the best of all."""

    @property
    def accuses(self) -> bool:
        """Whether somebody did wrong by it."""
        return self.best.accuses


def score(fit: Fit, ways: Ways) -> list[Scored]:
    """Candidates by board and kind, most probable first; log_p not yet normalised. Accusations that are beyond all
    likelihood beside the best explanation are left out."""
    fits = fit.boards(ways.boards)
    values = fits + ways.log_priors
    candidates, groups = ways.candidates, dict[tuple[tuple[int, ...], str], list[tuple[float, int]]]()
    for i in np.flatnonzero((values >= values.max() - EFFORT.far_nats) | ~ways.accuse).tolist():
        c = candidates[i]
        key = (c.counts, "illegal" if c.kind == "illegal" else f"{c.kind} {c.move} {c.player}")
        groups.setdefault(key, []).append((c.log_prior + hands_fit(fit, c), i))
    found = []
    for members in groups.values():
        likely = sorted(members, reverse=True)[:EFFORT.traces_a_board]
        i = likely[0][1]
        found.append(Scored(candidates[i], logsum([p for p, _ in members]) + float(fits[i]), float(fits[i]),
                            tuple((p, candidates[k]) for p, k in likely)))
    found.sort(key=lambda s: -s.log_p)
    return found


def hear(rules: Rules, before: Position, fit: Fit, witness: TimelineLikelihood | None, scored: list[Scored],
         looks: Pictures | None = None) -> list[Scored]:
    """The same, weighed anew by what was read while the hands were in play, and by which pits look otherwise since;
    most probable first.

    Nothing is said there for an explanation, only against those that fit worse than the best. An accusation that is
    too unlikely to be heard gains nothing by what is said against the best honest explanation.
    """
    heard = [i for i, s in enumerate(scored[:EFFORT.timeline_boards])
             if s.log_p > scored[0].log_p - EFFORT.timeline_within_nats and s.best.kind != "rearranged"]
    # Seeds that are laid and not sown are laid in any order. And what has nothing beside it is not weighed.
    if sum(len(scored[i].members) for i in heard) < 2:
        return scored
    told: dict[tuple[int, int], NDArray[np.int64]] = {}
    work = Work(EFFORT.traces_laps)
    for i in heard:
        for k, (_, c) in enumerate(scored[i].members):
            if (boards := _passes(rules, before, c, work)) is not None:
                told[i, k] = boards
    if not told:
        return scored
    words = {} if witness is None else _witnessed(fit, witness, scored, told)
    words = {at: words.get(at, 0.0) + (0.0 if looks is None else looks.say(boards)) for at, boards in told.items()}
    top = max(words.values())
    found = list(scored)
    for i in heard:
        s = scored[i]
        beside = [max(-MEANWHILE.most_nats, words.get((i, k), -math.inf) - top) for k in range(len(s.members))]
        best = max(range(len(beside)), key=lambda k: s.members[k][0] + beside[k])
        was, now = logsum(p for p, _ in s.members), logsum(p + w for (p, _), w in zip(s.members, beside, strict=True))
        found[i] = replace(s, best=s.members[best][1], log_p=s.log_p - was + now, heard=beside[best])
    honest = max((found[i] for i in heard if not found[i].accuses), key=lambda s: s.log_p, default=None)
    if honest is not None and honest.heard < 0:
        for i in set(range(len(found))).difference(heard):
            if found[i].accuses:
                found[i] = replace(found[i], log_p=found[i].log_p + honest.heard, heard=honest.heard)
    return sorted(found, key=lambda s: -s.log_p)


def _witnessed(fit: Fit, witness: TimelineLikelihood, scored: list[Scored],
               told: dict[tuple[int, int], NDArray[np.int64]]) -> dict[tuple[int, int], float]:
    """What the readings say of each trace, nats; nothing where they fit none at all. told: the boards of each member of
    each of the scored."""
    said = dict(zip(told, witness.hear(list(told.values())), strict=True))
    gone = {i: np.isin(np.arange(len(fit.seen)), fit.denied(scored[i].best.counts)) for i, _ in told}
    words = {(i, k): _words(h, gone[i], scored[i].members[k][1]) for (i, k), h in said.items()}
    clearest = max(words, key=words.__getitem__)
    if words[clearest] < MEANWHILE.of_other_pits_nats * said[clearest].stays:
        return {}
    # Where hands that changed nothing were, and in which order seeds were laid back, nobody knows.
    moved = {(i, k): scored[i].members[k][1].kind not in ("unchanged", "withdrawn") for i, k in told}
    nearest = max((said[at].reach for at in told if moved[at]), default=0.0)
    return {at: w + max(-MEANWHILE.most_hands_nats, said[at].reach - nearest) * moved[at] for at, w in words.items()}


def _passes(rules: Rules, before: Position, c: Candidate, work: Work) -> NDArray[np.int64] | None:
    """The boards that it passes through, as of `passed`; None where nobody has sown so long, or where coming to them
    again takes more than what is left of the work."""
    if c.kind == "tampered":
        return np.array([before.counts, c.counts])
    trace = search.trace(rules, before, c, work)
    return None if trace is None or len(trace) > EFFORT.longest_trace else passed(before.counts, trace)


def _words(heard: TraceLikelihood, gone: NDArray[np.bool_], c: Candidate) -> float:
    """What the readings say of a trace, nats. gone: bool[pits], where the quiet board denies what it leaves."""
    # Of a board that was laid back nobody knows in which order.
    last = heard.last if c.kind != "withdrawn" else np.zeros(len(gone))
    return heard.fit + float(np.where(heard.kept & gone, -MEANWHILE.changed_nats, last).sum())


def hands_fit(fit: Fit, c: Candidate) -> float:
    """The log-likelihood of the hands seen, were this what was played; 0 where it says nothing of hands."""
    if c.of_both:
        return fit.both_hands
    return 0.0 if c.player is None or c.kind == "withdrawn" else fit.hand(c.player)


def logsum(values: Iterable[float]) -> float:
    """The logarithm of the sum of what these are the logarithms of; minus infinity of nothing."""
    listed = [v for v in values if v > -math.inf]
    if len(listed) == 1:
        return listed[0]
    top = max(listed, default=-math.inf)
    return top + math.log(sum(math.exp(v - top) for v in listed)) if listed else top
