"""The judge: the best explanation of what was seen, and whether it is good enough to be said aloud.

Three outcomes. An accusation has to be nearly certain, to fit much better than the best legal explanation, and to rest
on pits that are read clearly; a legal board may be doubtful at a pit, but no pit may plainly show something else to
which the timeline has no answer, nor may a fault fit board and timeline much better. All the rest is not sure, and
names the pits to look at. A board that can be explained both legally and not is legal.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.board import Side
from engine.games.base import Rules
from engine.judge import layouts, race, search
from engine.judge.decision import Case, accuses_absent_hand, deciding, doubts, posterior
from engine.judge.faults import Work
from engine.judge.hypotheses import Hypotheses, continuations
from engine.judge.likelihood import BoardLikelihood
from engine.judge.parameters import BOUNDS, EFFORT, PRIORS
from engine.judge.pictures import Pictures
from engine.judge.search import Hypothesis
from engine.judge.timeline_likelihood import TimelineLikelihood
from engine.judge.verdict import Evidence, Explanation, Search, Verdict
from engine.judge.weighing import Scored, logsumexp, rescore_by_timeline, score_quiet_board
from engine.position import Position

_PRIOR_FAULT = sum(PRIORS.faults.values()) + PRIORS.tampered
"""Of all faults together."""
_PRIOR_FAULT_OR_ANSWER = _PRIOR_FAULT + PRIORS.answered_at_once
"""Of all that has to be looked for where no one legal move explains the board: faults, and answers with no pause."""


@dataclass(frozen=True, slots=True)
class _Found:
    """What a search has found. scored: the hypotheses, most probable first; rest: the log-posterior, not normalised,
    that all others can have together at the most; searched: how far faults were looked for."""

    scored: list[Scored]
    rest: float
    searched: Search

    @property
    def wants_more(self) -> bool:
        """Whether what was not looked for could be likely beside the best that was found."""
        return self.rest - self.scored[0].log_p > math.log(EFFORT.faults_worth)


def judge(
    rules: Rules,
    before: Position,
    evidence: Evidence,
    *,
    history: Sequence[Position] = (),
    work: int = EFFORT.fault_laps,
) -> Verdict:
    """What happened between `before` and the evidence.

    history: earlier positions of this game, oldest first, without `before`. work: laps to sow in search of faults,
    which is a count and no clock so that the same evidence gets the same verdict. Raises ValueError where the evidence
    is of another board.
    """
    if len(evidence.loglik) != before.board.pits:
        raise ValueError(f"evidence of {len(evidence.loglik)} pits for a board of {before.board.pits}")
    likelihood, pictures, pits = BoardLikelihood(evidence, before.counts), Pictures.of(evidence), before.board.pits
    still = search.unchanged_or_withdrawn(before, history)
    arranged = layouts.likeliest_arrangements(rules, before, likelihood)
    harmless = continuations(rules, before).legal + Hypotheses.of(still + arranged, pits)
    rearranged = [] if before.ply else layouts.likeliest_rearrangements(rules, before, likelihood, history)
    raced = race.race_verdict(rules, before, evidence, likelihood, [*harmless.listed, *rearranged])
    if raced is not None:
        return raced
    found = _search(rules, before, likelihood, harmless, rearranged, work)
    scored, something_else = found.scored, _something_else(likelihood, found.scored)
    timeline = _timeline_likelihood(evidence, likelihood)
    if timeline is not None or pictures is not None:
        scored = rescore_by_timeline(rules, before, likelihood, timeline, scored, pictures)
    known = logsumexp(s.log_p for s in scored)
    total = logsumexp([known, something_else, found.rest])
    scored = [replace(s, log_p=s.log_p - total) for s in scored]
    verdict = _verdict(rules, before, likelihood, scored, math.exp(something_else - total))
    misfit = likelihood.best_read - scored[0].fit if known >= something_else else 0.0
    return replace(verdict, evidence=total - likelihood.best_read, else_nats=total - known, misfit=misfit,
                   searched=found.searched, others=_other_positions(before, scored, verdict.position))


def _other_positions(
    before: Position, scored: Sequence[Scored], lies: Position
) -> tuple[tuple[Position, float], ...]:
    """The likeliest positions with other seeds than `lies`, each with its posterior. scored: all explanations, the most
    probable first."""
    odds: dict[Position, float] = {}
    for s in scored[:EFFORT.timeline_boards]:
        if s.best.counts != lies.counts:
            after = s.best.position_after(before)
            odds[after] = odds.get(after, 0.0) + math.exp(s.log_p)
    return tuple(sorted(odds.items(), key=lambda one: -one[1])[:EFFORT.other_boards])


def _timeline_likelihood(evidence: Evidence, likelihood: BoardLikelihood) -> TimelineLikelihood | None:
    """Of what was read while hands were in play; None where nothing was."""
    if evidence.during is None or not len(evidence.during.seen):
        return None
    return TimelineLikelihood(evidence.during, likelihood.p, likelihood.seen)


def _search(
    rules: Rules, before: Position, likelihood: BoardLikelihood, harmless: Hypotheses, rearranged: list[Hypothesis],
    work: int,
) -> _Found:
    """The hypotheses that are worth a look, weighed by the quiet board: first those that accuse nobody, then also legal
    moves that were answered at once, then faults, in as many laps as `work` allows. rearranged: rearrangements that are
    known already."""
    found = _weighed(likelihood, harmless, _PRIOR_FAULT_OR_ANSWER)
    if found.wants_more:
        harmless += continuations(rules, before).answered
        found = _weighed(likelihood, harmless, _PRIOR_FAULT)
    likeliest = found.scored[0].best
    # What runs on into the opponent's row can leave the very board that his answer would.
    if likeliest.answered or found.wants_more or likelihood.denying_pits(likeliest.counts):
        scored, cut = _scored_with_faults(rules, before, likelihood, harmless, rearranged, work)
        return _Found(scored, -math.inf, "cut" if cut else "all")
    return found


def _weighed(likelihood: BoardLikelihood, hypotheses: Hypotheses, prior: float) -> _Found:
    """These hypotheses, weighed. prior: of all others together."""
    scored = score_quiet_board(likelihood, hypotheses)
    return _Found(scored, math.log(prior) + likelihood.of_best_other(scored[0].best.counts), "none")


def _something_else(likelihood: BoardLikelihood, scored: Sequence[Scored]) -> float:
    """The log-likelihood of "something else": it leaves one board out of many, and that one is the likeliest of all.

    It does not shrink with the pits that differ: a relay that goes on from a board made wrong changes them all. Where
    seeds may be laid out as people like, it may leave any of those boards, too.
    """
    laid_out = max((-s.best.log_prior for s in scored if s.best.kind == "rearranged"), default=0.0)
    return math.log(PRIORS.something_else) + likelihood.best - max(math.log(PRIORS.something_else_boards), laid_out)


def _scored_with_faults(
    rules: Rules, before: Position, likelihood: BoardLikelihood, harmless: Hypotheses, rearranged: list[Hypothesis],
    work: int,
) -> tuple[list[Scored], bool]:
    """What accuses nobody and what does, side by side; and whether the search was broken off at its bound. rearranged:
    rearrangements that are known already."""
    one_fault, cut = continuations(rules, before).one_fault(work)
    if before.ply and not rearranged:
        rearranged = layouts.likeliest_rearrangements(rules, before, likelihood)
    pits = before.board.pits
    least = float((likelihood.of_boards(harmless.boards) + harmless.log_priors).max()) - EFFORT.far_nats
    # A board that one legal move leaves accuses nobody, however else it may have come about.
    lawful = {h.counts for h in harmless.listed if not (h.answered or h.kind == "rearranged")}
    laid_so = _boards_laid_as_well(before, rearranged + [h for h in harmless.listed if h.kind == "rearranged"])
    tampered = Hypotheses.of(search.tampered_boards(before, likelihood, least), pits)
    # Later on, what looks sown was hardly laid: a turn of rearranging is rare, and seldom looks like that.
    sown = one_fault.without(lawful if before.ply else lawful | laid_so)
    faulty = sown + tampered.without(lawful | laid_so) + Hypotheses.of(rearranged, pits).without(lawful)
    scored = score_quiet_board(likelihood, harmless + faulty)
    if not likelihood.denying_pits(scored[0].best.counts):
        return scored, cut
    more = Work(min(work, EFFORT.second_fault_laps))
    two_faults = Hypotheses.of(
        search.two_fault_moves(rules, before, likelihood, faulty.listed, more, least), pits)
    two_faults = two_faults.without(lawful | faulty.by_board.keys())  # one fault is enough for these
    return score_quiet_board(likelihood, harmless + faulty + two_faults), cut or more.used_up


def _boards_laid_as_well(before: Position, rearranged: Sequence[Hypothesis]) -> set[tuple[int, ...]]:
    """Boards that a side may have laid just as well: seeds shifted between a few pits. Where many pits changed as by
    sowing, which is likelier decides."""
    return {h.counts for h in rearranged
            if sum(a != b for a, b in zip(h.counts, before.counts, strict=True)) <= BOUNDS.pits_shifted}


# ---- from posteriors to words
# ---------------------------------------------------------------------------------------------


def _verdict(
    rules: Rules, before: Position, likelihood: BoardLikelihood, scored: list[Scored], something_else: float
) -> Verdict:
    """What is said. scored: all explanations with normalised posteriors, the most probable first; something_else: the
    posterior of what is none of them."""
    top = scored[0]
    best = _two_best(before, likelihood, scored, something_else)
    rival = next((s for s in scored if s.best.counts != top.best.counts and not (top.accuses and s.accuses)), None)
    other = rival.fit + rival.looks_nats if rival else likelihood.of_best_other(top.best.counts)
    margin = top.fit + top.looks_nats - other
    sure = posterior(s for s in scored if s.best.kind == top.best.kind)
    case = Case(likelihood, scored, top, sure)
    doubt = doubts(case)
    if doubt:
        return Verdict("not-sure", before, before, top.best.player, None, confidence=max(sure, something_else),
                       margin=margin, best=best, pits=deciding(case, doubt), doubt=doubt)
    h, after = top.best, top.best.position_after(before)
    captured = 0 if h.player is None else after.captured[h.player] - before.captured[h.player]
    steps = () if h.kind in ("unchanged", "withdrawn", "tampered") else search.trace_of(rules, before, h) or ()
    return Verdict(
        h.kind, before, after, h.player, h.move, steps, h.faults,
        search.expected_position(rules, before, h, after), max(0, captured), min(1.0, sure), margin, best, (),
        _answer(h),
    )


def _answer(h: Hypothesis) -> tuple[Side, str] | None:
    """The second of two legal moves with no pause between, (player, move); None of any other hypothesis."""
    return (h.moves[1].before.board.owner(h.moves[1].pit), h.moves[1].name) if h.by_both_sides else None


def _two_best(
    before: Position, likelihood: BoardLikelihood, scored: list[Scored], something_else: float
) -> tuple[Explanation, ...]:
    """The two that are likeliest; what somebody would have done whose hand was not there is something else."""
    there = [s for s in scored if not accuses_absent_hand(likelihood, s)]
    found = [
        Explanation(
            s.best.kind, math.exp(s.log_p), s.best.player, s.best.move,
            s.best.faults, s.best.position_after(before), _answer(s.best),
        )
        for s in there[:2]
    ]
    absent = posterior(s for s in scored if accuses_absent_hand(likelihood, s))
    found.append(Explanation("else", something_else + absent))
    return tuple(sorted(found, key=lambda e: -e.p)[:2])
