"""The judge: the best explanation of what was seen, and whether it is good enough to be said aloud.

Three outcomes. An accusation has to be nearly certain, to fit much better than the best legal explanation, and to rest
on pits that are read clearly; a legal board may be doubtful at a pit, but no pit may plainly show something else to
which the drops have no answer, nor may a fault fit board and drops much better. All the rest is not sure, and names the
pits to look at. A board that can be explained both legally and not is legal.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from engine.board import Side
from engine.games.base import Rules
from engine.judge import layouts as laid
from engine.judge import race, search
from engine.judge.candidates import Ways, known
from engine.judge.decision import Case, deciding, doubts, handless, posterior
from engine.judge.faults import Work
from engine.judge.likelihood import Fit
from engine.judge.parameters import BOUNDS, EFFORT, PRIORS
from engine.judge.pictures import Pictures
from engine.judge.search import Candidate
from engine.judge.timeline_likelihood import TimelineLikelihood
from engine.judge.verdict import Evidence, Explanation, Search, Verdict
from engine.judge.weighing import Scored, hear, logsum, score
from engine.position import Position

_FAULTY = sum(PRIORS.faults.values()) + PRIORS.tampered
_UNLIKE = _FAULTY + PRIORS.answered_at_once
"""All that has to be looked for where no one legal move explains the board: faults, and answers with no pause."""


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
    looks = Pictures.of(evidence)
    if looks is not None:
        evidence = replace(evidence, loglik=looks.weigh(evidence.loglik, before.counts))
    fit, pits = Fit(evidence), before.board.pits
    follows = known(rules, before)
    still = search.returns(before, history) + laid.arranged(rules, before, fit)
    benign = follows.legal + Ways.of(still, pits)
    elsewhere = laid.rearranged(rules, before, fit, history) if not before.ply else []
    run = race.judged(rules, before, evidence, fit, [*benign.candidates, *elsewhere])
    if run is not None:
        return run
    scored = score(fit, benign)
    rest = math.log(_UNLIKE) + fit.other(scored[0].best.counts)
    if rest - scored[0].log_p > math.log(EFFORT.faults_worth):
        benign += follows.answered
        scored = score(fit, benign)
        rest = math.log(_FAULTY) + fit.other(scored[0].best.counts)
    likeliest = scored[0].best
    searched: Search = "none"
    # What runs on into the opponent's row can leave the very board that his answer would.
    if likeliest.answered or rest - scored[0].log_p > math.log(EFFORT.faults_worth) or fit.denied(likeliest.counts):
        scored, cut = _spoiled(rules, before, fit, benign, elsewhere, work)
        rest, searched = -math.inf, "cut" if cut else "all"
    strange = _strange(fit, scored)
    read = evidence.during is not None and len(evidence.during.seen)
    if read or looks is not None:
        witness = TimelineLikelihood(evidence.during, fit.p, fit.seen) if evidence.during is not None and read else None
        scored = hear(rules, before, fit, witness, scored, looks)
    total = logsum([*(s.log_p for s in scored), strange, rest])
    scored = [replace(s, log_p=s.log_p - total) for s in scored]
    return replace(_verdict(rules, before, fit, scored, math.exp(strange - total)), evidence=total, searched=searched)


def _strange(fit: Fit, scored: Sequence[Scored]) -> float:
    """The log-likelihood of "something else": it leaves one board out of many, and all of that one is read rightly.

    It does not shrink with the pits that differ: a relay that goes on from a board made wrong changes them all. Where
    seeds may be laid out as people like, it may leave any of those boards, too.
    """
    laid_out = max((-s.best.log_prior for s in scored if s.best.kind == "rearranged"), default=0.0)
    return math.log(PRIORS.something_else) + fit.ceiling - max(math.log(PRIORS.something_else_boards), laid_out)


def _spoiled(
    rules: Rules, before: Position, fit: Fit, benign: Ways, elsewhere: list[Candidate], work: int
) -> tuple[list[Scored], bool]:
    """What accuses nobody and what does, side by side; and whether the search was broken off at its bound. elsewhere:
    rearrangements that are known already."""
    faulty, cut = known(rules, before).faulty(work)
    elsewhere = elsewhere or (laid.rearranged(rules, before, fit) if before.ply else [])
    pits, least = before.board.pits, float((fit.boards(benign.boards) + benign.log_priors).max()) - EFFORT.far_nats
    # A board that one legal move leaves accuses nobody, however else it may have come about.
    lawful = {c.counts for c in benign.candidates if not (c.answered or c.kind == "rearranged")}
    laid_so = _excused(before, elsewhere + [c for c in benign.candidates if c.kind == "rearranged"])
    tampered = Ways.of(search.tampered(before, fit, least), pits)
    # Later on, what looks sown was hardly laid: a turn of rearranging is rare, and seldom looks like that.
    sown = faulty.but(lawful if before.ply else lawful | laid_so)
    spoiled = sown + tampered.but(lawful | laid_so) + Ways.of(elsewhere, pits).but(lawful)
    scored = score(fit, benign + spoiled)
    if not fit.denied(scored[0].best.counts):
        return scored, cut
    more = Work(min(work, EFFORT.second_fault_laps))
    twice = Ways.of(search.twice(rules, before, fit, spoiled.candidates, more, least), pits)
    twice = twice.but(lawful | spoiled.leaving.keys())  # one fault is enough for these
    return score(fit, benign + spoiled + twice), cut or more.done


def _excused(before: Position, elsewhere: Sequence[Candidate]) -> set[tuple[int, ...]]:
    """Boards that a side may have laid just as well: seeds shifted between a few pits. Where many pits changed as by
    sowing, which is likelier decides."""
    return {e.counts for e in elsewhere
            if sum(a != b for a, b in zip(e.counts, before.counts, strict=True)) <= BOUNDS.pits_shifted}


# ---- from posteriors to words
# ---------------------------------------------------------------------------------------------


def _verdict(rules: Rules, before: Position, fit: Fit, scored: list[Scored], strange: float) -> Verdict:
    top = scored[0]
    best = _two_best(before, fit, scored, strange)
    rival = next((s for s in scored if s.best.counts != top.best.counts and not (top.accuses and s.accuses)), None)
    margin = top.fit - (rival.fit if rival else fit.other(top.best.counts))
    sure = posterior(s for s in scored if s.best.kind == top.best.kind)
    case = Case(fit, scored, top, sure)
    doubt = doubts(case)
    if doubt:
        return Verdict("not-sure", before, before, _player(scored), None, confidence=max(sure, strange), margin=margin,
                       best=best, pits=deciding(case, doubt), doubt=doubt)
    c, after = top.best, top.best.settled(before)
    captured = 0 if c.player is None else after.captured[c.player] - before.captured[c.player]
    steps = () if c.kind in ("unchanged", "withdrawn", "tampered") else search.trace(rules, before, c) or ()
    return Verdict(
        c.kind, before, after, c.player, c.move, steps, c.faults,
        _expected(rules, before, c, after), max(0, captured), min(1.0, sure), margin, best, (), _then(c),
    )


def _then(c: Candidate) -> tuple[Side, str] | None:
    return (c.moves[1].before.board.owner(c.moves[1].pit), c.moves[1].name) if c.of_both else None


def _player(scored: list[Scored]) -> Side | None:
    return scored[0].best.player


def _two_best(before: Position, fit: Fit, scored: list[Scored], strange: float) -> tuple[Explanation, ...]:
    """The two that are likeliest; what somebody would have done whose hand was not there is something else."""
    told = [s for s in scored if not handless(fit, s)]
    found = [
        Explanation(
            s.best.kind, math.exp(s.log_p), s.best.player, s.best.move,
            s.best.faults, s.best.settled(before), _then(s.best),
        )
        for s in told[:2]
    ]
    found.append(Explanation("else", strange + posterior(s for s in scored if handless(fit, s))))
    return tuple(sorted(found, key=lambda e: -e.p)[:2])


def _expected(rules: Rules, before: Position, c: Candidate, after: Position) -> Position | None:
    """What should lie there: of the pit played the legal end nearest to the board; None where nothing is wrong."""
    if not c.fault:
        return None
    if c.fault.code == "double-move":
        return c.moves[0].position
    if c.outcome is None or c.outcome.pit not in rules.starts(before):
        return before
    ends = [m.position for m in rules.moves(before).moves if m.pit == c.outcome.pit]
    return min(ends, key=lambda p: sum(abs(a - b) for a, b in zip(p.counts, after.counts, strict=True)), default=None)
