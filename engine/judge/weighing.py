"""Hypotheses weighed against all that was seen, those of one board together.

First comes the quiet board with the hands that were there (`score_quiet_board`), then, for the likeliest boards, what
was read while the hands were in play and which pits look otherwise since (`rescore_by_timeline`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.games.base import Rules
from engine.judge import search
from engine.judge.faults import Work
from engine.judge.hypotheses import Hypotheses
from engine.judge.likelihood import BoardLikelihood
from engine.judge.parameters import EFFORT, TIMELINE
from engine.judge.pictures import Pictures
from engine.judge.search import Hypothesis
from engine.judge.timeline_likelihood import TimelineLikelihood, TraceLikelihood, boards_passed
from engine.position import Position


@dataclass(frozen=True, slots=True)
class Scored:
    """Hypotheses of one board and kind, weighed together. best: the likeliest of them; log_p: the log-posterior of all;
    fit: the log-likelihood of what is read of the quiet board, nats."""

    best: Hypothesis
    log_p: float
    fit: float
    members: tuple[tuple[float, Hypothesis], ...] = ()
    """The likeliest of the hypotheses, each with its log-prior."""
    timeline_nats: float = 0.0
    """The log-likelihood of the readings taken meanwhile, and of which pits were touched, by the best: nats, at most 0,
    beside the best of all."""
    looks_nats: float = 0.0
    """The log-likelihood, nats at most 0, of pits that look as before and would hold something else."""

    @property
    def accuses(self) -> bool:
        """Whether somebody did wrong by it."""
        return self.best.accuses

    @property
    def beside_nats(self) -> float:
        """The log-likelihood of all that was seen beside what is read of the quiet board, and the hands."""
        return self.timeline_nats + self.looks_nats

    @property
    def evidence_nats(self) -> float:
        """The log-likelihood of all that was seen, but for the hands."""
        return self.fit + self.beside_nats


def score_quiet_board(likelihood: BoardLikelihood, hypotheses: Hypotheses) -> list[Scored]:
    """Hypotheses by board and kind, most probable first; log_p not yet normalised. Accusations that are beyond all
    likelihood beside the best explanation are left out."""
    fits = likelihood.of_boards(hypotheses.boards)
    values = fits + hypotheses.log_priors
    listed, groups = hypotheses.listed, dict[tuple[tuple[int, ...], str], list[tuple[float, int]]]()
    for i in np.flatnonzero((values >= values.max() - EFFORT.far_nats) | ~hypotheses.accusing).tolist():
        h = listed[i]
        key = (h.counts, "illegal" if h.kind == "illegal" else f"{h.kind} {h.move} {h.player}")
        groups.setdefault(key, []).append((h.log_prior + hands_log_likelihood(likelihood, h), i))
    found = []
    for members in groups.values():
        likely = sorted(members, reverse=True)[:EFFORT.traces_a_board]
        i = likely[0][1]
        read = float(likelihood.read_per_pit(listed[i].counts).sum())
        found.append(Scored(listed[i], logsumexp([p for p, _ in members]) + float(fits[i]), read,
                            tuple((p, listed[k]) for p, k in likely), looks_nats=float(fits[i]) - read))
    found.sort(key=lambda s: -s.log_p)
    return found


Member = tuple[int, int]
"""One hypothesis: the place of its `Scored` in a list, and its own among the members of that."""


def rescore_by_timeline(
    rules: Rules, before: Position, likelihood: BoardLikelihood, timeline: TimelineLikelihood | None,
    scored: list[Scored], pictures: Pictures | None = None,
) -> list[Scored]:
    """The same, weighed anew by what was read while the hands were in play, and by which pits look otherwise since;
    most probable first.

    Nothing speaks there for an explanation, only against those that fit worse than the best. An accusation that is too
    unlikely to be laid against the timeline gains nothing by what speaks against the likeliest that accuses nobody.
    """
    # Seeds that are laid and not sown are laid in any order.
    likely = [i for i, s in enumerate(scored[:EFFORT.timeline_boards])
              if s.log_p > scored[0].log_p - EFFORT.timeline_within_nats and s.best.kind != "rearranged"]
    if sum(len(scored[i].members) for i in likely) < 2:
        return scored  # what has nothing beside it is not weighed
    traces = _traces(rules, before, scored, likely)
    if not traces:
        return scored
    nats = dict.fromkeys(traces, 0.0)
    if timeline is not None:
        nats |= _timeline_nats(likelihood, timeline, scored, traces)
    if pictures is not None:
        nats = {member: n + pictures.log_likelihood(traces[member]) for member, n in nats.items()}
    top = max(nats.values())
    found = list(scored)
    for i in likely:
        beside = [nats.get((i, k), -math.inf) - top for k in range(len(scored[i].members))]
        found[i] = _rescored(scored[i], beside)
    _lower_the_rest(found, likely)
    return sorted(found, key=lambda s: -s.log_p)


def _rescored(s: Scored, nats: Sequence[float]) -> Scored:
    """The same with what the timeline says of each of its members, beside the best of all."""
    beside = [max(-TIMELINE.most_nats, n) for n in nats]
    best = max(range(len(beside)), key=lambda k: s.members[k][0] + beside[k])
    was = logsumexp(p for p, _ in s.members)
    now = logsumexp(p + n for (p, _), n in zip(s.members, beside, strict=True))
    return replace(s, best=s.members[best][1], log_p=s.log_p - was + now, timeline_nats=beside[best])


def _lower_the_rest(scored: list[Scored], likely: Sequence[int]) -> None:
    """Of the accusations that were not laid against the timeline, take what it says against the likeliest of the others
    that accuses nobody."""
    harmless = max((scored[i] for i in likely if not scored[i].accuses), key=lambda s: s.log_p, default=None)
    if harmless is None or harmless.timeline_nats >= 0:
        return
    for i in set(range(len(scored))).difference(likely):
        s = scored[i]
        if s.accuses:
            scored[i] = replace(s, log_p=s.log_p + harmless.timeline_nats, timeline_nats=harmless.timeline_nats)


def _traces(
    rules: Rules, before: Position, scored: Sequence[Scored], likely: Sequence[int]
) -> dict[Member, NDArray[np.int64]]:
    """The boards that the members of these pass through, as of `boards_passed`; without those whose traces are too
    long, or cannot be come to again with the work that is allowed for it."""
    work = Work(EFFORT.traces_laps)
    found = {}
    for i in likely:
        for k, (_, h) in enumerate(scored[i].members):
            boards = _boards_passed_by(rules, before, h, work)
            if boards is not None:
                found[i, k] = boards
    return found


def _boards_passed_by(rules: Rules, before: Position, h: Hypothesis, work: Work) -> NDArray[np.int64] | None:
    """The boards that it passes through, as of `boards_passed`; None where nobody has sown so long, or where coming to
    them again takes more than what is left of the work."""
    if h.kind == "tampered":
        return np.array([before.counts, h.counts])
    trace = search.trace_of(rules, before, h, work)
    return None if trace is None or len(trace) > EFFORT.longest_trace else boards_passed(before.counts, trace)


def _timeline_nats(
    likelihood: BoardLikelihood, timeline: TimelineLikelihood, scored: Sequence[Scored],
    traces: dict[Member, NDArray[np.int64]],
) -> dict[Member, float]:
    """The log-likelihood of the readings by each trace, nats; nothing where they fit none at all."""
    found = dict(zip(traces, timeline.of_traces(list(traces.values())), strict=True))
    kinds = {(i, k): scored[i].members[k][1].kind for i, k in traces}
    denying = {i: np.isin(np.arange(len(likelihood.seen)), likelihood.denying_pits(scored[i].best.counts))
               for i, _ in traces}
    nats = {member: _trace_nats(by, denying[member[0]], kinds[member]) for member, by in found.items()}
    clearest = max(nats, key=nats.__getitem__)
    if nats[clearest] < TIMELINE.of_other_pits_nats * found[clearest].stays:
        return {}
    # Where hands that changed nothing were, and in which order seeds were laid back, nobody knows.
    moved = [member for member in traces if kinds[member] not in ("unchanged", "withdrawn")]
    nearest = max((found[member].hands for member in moved), default=0.0)
    for member in moved:
        nats[member] += max(-TIMELINE.most_hands_nats, found[member].hands - nearest)
    return nats


def _trace_nats(by: TraceLikelihood, denying: NDArray[np.bool_], kind: str) -> float:
    """The log-likelihood of the readings by a trace of a hypothesis of this kind, nats; hands apart. denying:
    bool[pits], where the quiet board denies what it leaves."""
    # Of a board that was laid back nobody knows in which order.
    last = by.last if kind != "withdrawn" else np.zeros(len(denying))
    return by.fit + float(np.where(by.kept & denying, -TIMELINE.changed_nats, last).sum())


def hands_log_likelihood(likelihood: BoardLikelihood, h: Hypothesis) -> float:
    """The log-likelihood of the hands seen, were this what was played; 0 where it says nothing of hands."""
    if h.by_both_sides:
        return likelihood.both_hands
    return 0.0 if h.player is None or h.kind == "withdrawn" else likelihood.of_hand(h.player)


def logsumexp(values: Iterable[float]) -> float:
    """The logarithm of the sum of what these are the logarithms of; minus infinity of nothing."""
    listed = [v for v in values if v > -math.inf]
    if len(listed) == 1:
        return listed[0]
    top = max(listed, default=-math.inf)
    return top + math.log(sum(math.exp(v - top) for v in listed)) if listed else top
