"""Whether an explanation may be said aloud: every reason against it, and the pits that would decide.

Each reason is a predicate of its own and has a flag; all that hold are found at once. The explanation is said where
there is none.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from engine.judge.likelihood import BoardLikelihood
from engine.judge.parameters import BOUNDS, READING, TIMELINE
from engine.judge.verdict import COUNTS, Doubt
from engine.judge.weighing import Scored, hands_log_likelihood

MISSING_SEEDS = {"palmed": 1, "smuggled": -1}
"""Seeds that are missing by each of these faults for every one that it is told of."""


@dataclass(frozen=True)
class Case:
    """An explanation that might be said aloud, beside all others.

    likelihood: of what was read; scored: all explanations, the most probable first, with normalised posteriors; top:
    the one in question; kind_posterior: that of all that are of its kind.
    """

    likelihood: BoardLikelihood
    scored: Sequence[Scored]
    top: Scored
    kind_posterior: float

    @property
    def counts(self) -> tuple[int, ...]:
        """The board that it leaves."""
        return self.top.best.counts

    @property
    def legal(self) -> bool:
        """Whether it is a legal move."""
        return self.top.best.kind == "legal"

    @cached_property
    def denying_pits(self) -> list[int]:
        """The pits that deny its board; for one that accuses nobody those that do so plainly."""
        return self.likelihood.denying_pits(self.counts, plainly=not self.top.accuses)

    @cached_property
    def rivals(self) -> list[Scored]:
        """The others that leave another board."""
        return [s for s in self.scored[1:] if s.best.counts != self.counts]

    @cached_property
    def board_posterior(self) -> float:
        """The posterior of its board, of those that accuse somebody as it does, or nobody as it does."""
        return posterior(s for s in self.scored if s.best.counts == self.counts and s.accuses == self.top.accuses)

    @cached_property
    def board_is_plain(self) -> bool:
        """Whether it is plain how the board lies, whoever it was that left it so."""
        left_so = posterior(s for s in self.scored if s.best.counts == self.counts)
        return not self.denying_pits and left_so >= BOUNDS.plain

    @cached_property
    def accused_posterior(self) -> float:
        """The posterior of all accusations together."""
        return posterior(s for s in self.scored if s.accuses)

    @cached_property
    def rearranging_turns(self) -> list[Scored]:
        """The turns of rearranging that leave another board."""
        return [s for s in self.rivals if s.best.rearranges]

    @cached_property
    def harmless_rival(self) -> Scored | None:
        """The likeliest of the rivals that accuses nobody, turns of rearranging apart."""
        return next((s for s in self.rivals if not (s.accuses or s.best.rearranges)), None)

    @cached_property
    def better_fault(self) -> Scored | None:
        """The accusation against which a legal move is not said aloud, if there is one: board and timeline
        speak for it."""
        if not self.legal:
            return None
        top, each = self.top, BOUNDS.fault_better_each_nats
        better = (
            s for s in self.rivals
            if s.accuses and min(s.fit - top.fit, s.beside_nats - top.beside_nats) >= each
        )
        best = max(better, key=lambda s: s.evidence_nats, default=None)
        if best is None or best.evidence_nats < top.evidence_nats + BOUNDS.fault_better_nats:
            return None
        return best

    @cached_property
    def unanswered_pits(self) -> list[int]:
        """Of the pits that deny a board that accuses nobody, those that the timeline does not answer for.

        Of a legal move it does where it speaks against the fault by which the pit would be read rightly; of a fault
        that was not laid against it nothing is known.
        """
        if not self.legal:
            return self.denying_pits
        top, p = self.top, self.likelihood.p
        refuted = [
            s.best.counts
            for s in self.rivals
            if s.accuses
            and s.fit > top.fit
            and top.beside_nats - s.beside_nats >= BOUNDS.fault_better_each_nats
            and s.timeline_nats > -TIMELINE.most_nats
        ]
        return [
            pit
            for pit in self.denying_pits
            if all(p[pit, min(counts[pit], COUNTS - 1)] * READING.denied_times < p[pit].max() for counts in refuted)
        ]

    @cached_property
    def pits_plainly_off(self) -> list[int]:
        """The pits that plainly show two seeds more or fewer, or are plainly empty, or are not."""
        return self.likelihood.pits_plainly_off(self.counts) if self.legal or self.top.accuses else []

    @cached_property
    def read_counts(self) -> tuple[int, ...]:
        """The board as it was read, and as the explanation has it where it was not seen."""
        return self.likelihood.read_counts(self.counts)

    @cached_property
    def timeline_gain(self) -> float:
        """Nats by which timeline and hands speak for an accusation beside the likeliest that accuses nobody."""
        if self.harmless_rival is None:
            return 0.0
        ours, theirs = self.top, self.harmless_rival
        gain = ours.beside_nats - theirs.beside_nats
        gain = min(BOUNDS.most_timeline_nats, gain if gain >= 0 else BOUNDS.timeline_against_times * gain)
        our_hands, their_hands = (hands_log_likelihood(self.likelihood, s.best) for s in (ours, theirs))
        return gain + max(0.0, our_hands - their_hands)

    @cached_property
    def board_gain(self) -> float:
        """Nats by which its board fits better than that of the likeliest that accuses nobody, at clear pits."""
        if self.harmless_rival is None:
            return 0.0
        likelihood, counts, other = self.likelihood, self.counts, self.harmless_rival.best.counts
        gain = likelihood.read_per_pit(counts) - likelihood.read_per_pit(other)
        gain[~likelihood.clearly_nearer(counts, other)] = 0.0
        if self.denying_pits:
            # Here the eye errs, or more was done than is told: so the clearest of the other pits may be misread, too.
            gain[self.denying_pits] = 0.0
            gain[gain.argmax()] = min(0.0, gain.max())
        return float(gain.sum())


# ---- the reasons against it
# ------------------------------------------------------------------------------------------------------


def _improbable(case: Case) -> bool:
    if case.top.accuses:
        return case.accused_posterior < BOUNDS.accused
    return min(case.kind_posterior, case.board_posterior) < (BOUNDS.legal if case.legal else BOUNDS.harmless)


def _denied(case: Case) -> bool:
    if not case.top.accuses:
        return bool(case.unanswered_pits)
    return len(case.denying_pits) >= (1 if case.harmless_rival is None else BOUNDS.accused_denying_pits)


def _plainly_off(case: Case) -> bool:
    return bool(case.pits_plainly_off)


def _fault_fits_better(case: Case) -> bool:
    return case.better_fault is not None


def _legally_answered(case: Case) -> bool:
    return case.likelihood.both_hands > BOUNDS.both_hands_nats and any(
        s.best.answered and not s.accuses and s.best.counts == case.counts for s in case.scored)


def _laid_out(case: Case) -> bool:
    return any(s.best.kind == "rearranged" and not s.best.rearranges and s.best.counts == case.counts
               for s in case.scored)


def _not_as_read(case: Case) -> bool:
    return len(case.top.best.faults) > 1 and case.read_counts != case.counts


def _nothing_missing(case: Case) -> bool:
    taken = sum(f.n * MISSING_SEEDS.get(f.code, 0) for f in case.top.best.faults)
    return bool(taken) and sum(case.read_counts) == sum(case.counts) + taken


def _hand_absent(case: Case) -> bool:
    return accuses_absent_hand(case.likelihood, case.top)


def _rearranged(case: Case) -> bool:
    return any(s.log_p > case.top.log_p - BOUNDS.rearranged_nats for s in case.rearranging_turns)


def _board_improbable(case: Case) -> bool:
    return case.harmless_rival is not None and case.board_posterior < BOUNDS.accused_board


def _fits_hardly_better(case: Case) -> bool:
    return case.harmless_rival is not None and not case.board_gain + case.timeline_gain >= BOUNDS.accused_nats


def _one_seed(case: Case) -> bool:
    rival = case.harmless_rival
    if rival is None or sum(abs(a - b) for a, b in zip(case.counts, rival.best.counts, strict=True)) != 1:
        return False
    return bool(case.denying_pits) or case.timeline_gain < BOUNDS.one_seed_nats


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
    Doubt.HAND_ABSENT: _hand_absent,
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
        if case.board_is_plain and better is None:
            return ()
        others = case.rivals[:1] if better is None else [better]
        return _pits_apart(case, others, {*case.unanswered_pits, *case.pits_plainly_off})
    if doubt & (Doubt.LEGALLY_ANSWERED | Doubt.LAID_OUT):
        return ()
    if doubt & Doubt.PLAINLY_OFF:
        return tuple(case.pits_plainly_off)
    if doubt & (Doubt.NOT_AS_READ | Doubt.NOTHING_MISSING):
        return tuple(p for p, n in enumerate(case.read_counts) if n != case.counts[p])
    return _deciding_accusation(case, doubt)


def _deciding_accusation(case: Case, doubt: Doubt) -> tuple[int, ...]:
    """The same where pits decide between an accusation and its rivals."""
    if doubt & Doubt.HAND_ABSENT:
        return () if case.board_is_plain else _pits_apart(case, case.rivals[:1], case.denying_pits)
    others = case.rearranging_turns[:1]
    if not doubt & Doubt.REARRANGED:
        if case.harmless_rival is None:
            return tuple(case.denying_pits)
        others = [case.harmless_rival, *case.rivals[:1]]
    if case.board_is_plain and case.accused_posterior < BOUNDS.accused:
        return ()
    return _pits_apart(case, others, case.denying_pits)


def _pits_apart(case: Case, others: Iterable[Scored], denying: Collection[int]) -> tuple[int, ...]:
    """The pits that deny the board or where explanations differ: those of them that are not surely read or deny it, or
    all where there are none."""
    likelihood, pits = case.likelihood, set(denying)
    for other in others:
        pits |= {p for p, (a, b) in enumerate(zip(case.counts, other.best.counts, strict=True)) if a != b}
    surely = likelihood.seen & (likelihood.p.max(axis=1) >= BOUNDS.surely_read)
    doubtful = [p for p in sorted(pits) if p in denying or not surely[p]]
    return tuple(doubtful or sorted(pits))


def posterior(scored: Iterable[Scored]) -> float:
    """The posterior of some explanations together."""
    return sum(math.exp(s.log_p) for s in scored)


def accuses_absent_hand(likelihood: BoardLikelihood, s: Scored) -> bool:
    """Whether it accuses somebody whose hand was not there, though the other side's plainly was."""
    return s.accuses and s.best.player is not None and likelihood.of_hand(s.best.player) < BOUNDS.hand_absent_nats
