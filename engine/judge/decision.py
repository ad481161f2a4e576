"""Whether an explanation may be said aloud: every reason against it, and the pits that would decide.

Each reason is a predicate of its own and has a flag; all that hold are found at once. The explanation is said where
there is none.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.judge.likelihood import Fit
from engine.judge.parameters import BOUNDS, MEANWHILE, READING
from engine.judge.verdict import COUNTS, Doubt
from engine.judge.weighing import Scored, hands_fit

TAKES = {"palmed": 1, "smuggled": -1}
"""Seeds that are missing by each of these faults for every one that it is told of."""


@dataclass(frozen=True)
class Case:
    """An explanation that might be said aloud, beside all others.

    fit: what was read; scored: all explanations, the most probable first, with normalised posteriors; top: the one in
    question; sure: the posterior of all that are of its kind.
    """

    fit: Fit
    scored: Sequence[Scored]
    top: Scored
    sure: float

    @property
    def counts(self) -> tuple[int, ...]:
        """The board that it leaves."""
        return self.top.best.counts

    @property
    def legal(self) -> bool:
        """Whether it is a legal move."""
        return self.top.best.kind == "legal"

    @cached_property
    def denied(self) -> list[int]:
        """The pits that deny its board; for one that accuses nobody those that do so plainly."""
        return self.fit.denied(self.counts, plainly=not self.top.accuses)

    @cached_property
    def rivals(self) -> list[Scored]:
        """The others that leave another board."""
        return [s for s in self.scored[1:] if s.best.counts != self.counts]

    @cached_property
    def board_sure(self) -> float:
        """The posterior of its board, of those that accuse somebody as it does, or nobody as it does."""
        return posterior(s for s in self.scored if s.best.counts == self.counts and s.accuses == self.top.accuses)

    @cached_property
    def plain(self) -> bool:
        """Whether it is plain how the board lies, whoever it was that left it so."""
        return not self.denied and posterior(s for s in self.scored if s.best.counts == self.counts) >= BOUNDS.plain

    @cached_property
    def accused(self) -> float:
        """The posterior of all accusations together."""
        return posterior(s for s in self.scored if s.accuses)

    @cached_property
    def turns(self) -> list[Scored]:
        """The turns of rearranging that leave another board."""
        return [s for s in self.rivals if s.best.rearranges]

    @cached_property
    def honest(self) -> Scored | None:
        """The likeliest of the rivals that accuses nobody, turns of rearranging apart."""
        return next((s for s in self.rivals if not (s.accuses or s.best.rearranges)), None)

    @cached_property
    def better_fault(self) -> Scored | None:
        """The accusation against which a legal move is not said aloud, if there is one: board and drops speak for
        it."""
        if not self.legal:
            return None
        top = self.top
        spoken = (
            s
            for s in self.rivals
            if s.accuses and min(s.fit - top.fit, s.heard - top.heard) >= BOUNDS.fault_better_each_nats
        )
        best = max(spoken, key=lambda s: s.fit + s.heard, default=None)
        return (
            best
            if best is not None and best.fit + best.heard >= top.fit + top.heard + BOUNDS.fault_better_nats
            else None
        )

    @cached_property
    def unanswered(self) -> list[int]:
        """Of the pits that deny a board that accuses nobody, those that the drops do not answer for.

        Of a legal move they do where they speak against the fault by which the pit would be read rightly; of one that
        could not be heard nothing is known.
        """
        if not self.legal:
            return self.denied
        top, p = self.top, self.fit.p
        refuted = [
            s.best.counts
            for s in self.rivals
            if s.accuses
            and s.fit > top.fit
            and top.heard - s.heard >= BOUNDS.fault_better_each_nats
            and s.heard > -MEANWHILE.most_nats
        ]
        return [
            pit
            for pit in self.denied
            if all(p[pit, min(counts[pit], COUNTS - 1)] * READING.denied_times < p[pit].max() for counts in refuted)
        ]

    @cached_property
    def off(self) -> list[int]:
        """The pits that plainly show two seeds more or fewer, or are plainly empty, or are not."""
        return self.fit.plainly_off(self.counts) if self.legal or self.top.accuses else []

    @cached_property
    def read(self) -> tuple[int, ...]:
        """The board as it was read, and as the explanation has it where it was not seen."""
        return self.fit.read(self.counts)

    @cached_property
    def timeline_gain(self) -> float:
        """Nats by which drops and hands speak for an accusation beside the likeliest that accuses nobody."""
        if self.honest is None:
            return 0.0
        heard = self.top.heard - self.honest.heard
        heard = min(BOUNDS.most_timeline_nats, heard if heard >= 0 else BOUNDS.timeline_against_times * heard)
        return heard + max(0.0, hands_fit(self.fit, self.top.best) - hands_fit(self.fit, self.honest.best))

    @cached_property
    def board_gain(self) -> float:
        """Nats by which its board fits better than that of the likeliest that accuses nobody, at clear pits."""
        if self.honest is None:
            return 0.0
        fit, counts, other = self.fit, self.counts, self.honest.best.counts
        gain = np.where(fit.clear(counts, other), fit.per_pit(counts) - fit.per_pit(other), 0.0)
        if self.denied:
            # Here the eye errs, or more was done than is told: so the clearest of the other pits may be misread, too.
            gain[self.denied] = 0.0
            gain[gain.argmax()] = min(0.0, gain.max())
        return float(gain.sum())


# ---- the reasons against it
# ------------------------------------------------------------------------------------------------------


def _improbable(case: Case) -> bool:
    if case.top.accuses:
        return case.accused < BOUNDS.accused
    return min(case.sure, case.board_sure) < (BOUNDS.legal if case.legal else BOUNDS.harmless)


def _denied(case: Case) -> bool:
    if not case.top.accuses:
        return bool(case.unanswered)
    # Several are no misreading: more was done than is told, by more than one hand it may be.
    return len(case.denied) >= (1 if case.honest is None else 2)


def _plainly_off(case: Case) -> bool:
    return bool(case.off)


def _fault_fits_better(case: Case) -> bool:
    return case.better_fault is not None


def _legally_answered(case: Case) -> bool:
    return case.fit.both_hands > BOUNDS.both_hands_nats and any(
        s.best.answered and not s.accuses and s.best.counts == case.counts for s in case.scored)


def _laid_out(case: Case) -> bool:
    return any(s.best.kind == "rearranged" and not s.best.rearranges and s.best.counts == case.counts
               for s in case.scored)


def _not_as_read(case: Case) -> bool:
    return len(case.top.best.faults) > 1 and case.read != case.counts


def _nothing_missing(case: Case) -> bool:
    taken = sum(f.n * TAKES.get(f.code, 0) for f in case.top.best.faults)
    return bool(taken) and sum(case.read) == sum(case.counts) + taken


def _handless(case: Case) -> bool:
    return handless(case.fit, case.top)


def _rearranged(case: Case) -> bool:
    return any(s.log_p > case.top.log_p - BOUNDS.rearranged_nats for s in case.turns)


def _board_improbable(case: Case) -> bool:
    return case.honest is not None and case.board_sure < BOUNDS.accused_board


def _fits_hardly_better(case: Case) -> bool:
    return case.honest is not None and not case.board_gain + case.timeline_gain >= BOUNDS.accused_nats


def _one_seed(case: Case) -> bool:
    if case.honest is None or sum(abs(a - b) for a, b in zip(case.counts, case.honest.best.counts, strict=True)) != 1:
        return False
    return bool(case.denied) or case.timeline_gain < BOUNDS.one_seed_nats


HARMLESS_REASONS: dict[Doubt, Callable[[Case], bool]] = {
    Doubt.IMPROBABLE: _improbable,
    Doubt.DENIED: _denied,
    Doubt.PLAINLY_OFF: _plainly_off,
    Doubt.FAULT_FITS_BETTER: _fault_fits_better,
}
"""The reasons against what accuses nobody."""

ACCUSATION_REASONS: dict[Doubt, Callable[[Case], bool]] = {
    Doubt.LEGALLY_ANSWERED: _legally_answered,
    Doubt.LAID_OUT: _laid_out,
    Doubt.PLAINLY_OFF: _plainly_off,
    Doubt.NOT_AS_READ: _not_as_read,
    Doubt.NOTHING_MISSING: _nothing_missing,
    Doubt.HANDLESS: _handless,
    Doubt.REARRANGED: _rearranged,
    Doubt.DENIED: _denied,
    Doubt.IMPROBABLE: _improbable,
    Doubt.BOARD_IMPROBABLE: _board_improbable,
    Doubt.FITS_HARDLY_BETTER: _fits_hardly_better,
    Doubt.ONE_SEED: _one_seed,
}
"""The reasons against an accusation."""


def doubts(case: Case) -> Doubt:
    """Every reason for which the explanation is not said aloud; `Doubt(0)` where it is."""
    reasons = ACCUSATION_REASONS if case.top.accuses else HARMLESS_REASONS
    found = Doubt(0)
    for flag, holds in reasons.items():
        if holds(case):
            found |= flag
    return found


# ---- the pits that would decide
# ------------------------------------------------------------------------------------------------------


def deciding(case: Case, doubt: Doubt) -> tuple[int, ...]:
    """The pits that would decide, by the gravest of the doubts. None of them would where the board is plain, and only
    who moved is not, or whether it was one move or two."""
    if not case.top.accuses:
        better = case.better_fault
        if case.plain and better is None:
            return ()
        return _apart(case, case.rivals[:1] if better is None else [better], {*case.unanswered, *case.off})
    if doubt & (Doubt.LEGALLY_ANSWERED | Doubt.LAID_OUT):
        return ()
    if doubt & Doubt.PLAINLY_OFF:
        return tuple(case.off)
    if doubt & (Doubt.NOT_AS_READ | Doubt.NOTHING_MISSING):
        return tuple(p for p, n in enumerate(case.read) if n != case.counts[p])
    return _deciding_accusation(case, doubt)


def _deciding_accusation(case: Case, doubt: Doubt) -> tuple[int, ...]:
    """The same where pits decide between an accusation and its rivals."""
    if doubt & Doubt.HANDLESS:
        return () if case.plain else _apart(case, case.rivals[:1], case.denied)
    others = case.turns[:1]
    if not doubt & Doubt.REARRANGED:
        if case.honest is None:
            return tuple(case.denied)
        others = [case.honest, *case.rivals[:1]]
    return () if case.plain and case.accused < BOUNDS.accused else _apart(case, others, case.denied)


def _apart(case: Case, others: Iterable[Scored], denied: Iterable[int]) -> tuple[int, ...]:
    """The pits where explanations differ, those that are not clearly read first of all."""
    pits = set(denied)
    fit, deny = case.fit, frozenset(pits)
    for other in others:
        pits |= {p for p, (a, b) in enumerate(zip(case.counts, other.best.counts, strict=True)) if a != b}
    doubtful = [p for p in sorted(pits) if fit.p[p].max() < 0.99 or not fit.seen[p] or p in deny]
    return tuple(doubtful or sorted(pits))


def posterior(scored: Iterable[Scored]) -> float:
    """The posterior of some explanations together."""
    return sum(math.exp(s.log_p) for s in scored)


def handless(fit: Fit, s: Scored) -> bool:
    """Whether it accuses somebody whose hand was not there, though the other side's plainly was."""
    return s.accuses and s.best.player is not None and fit.hand(s.best.player) < BOUNDS.handless_nats
