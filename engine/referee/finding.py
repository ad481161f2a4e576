"""A finding: the referee's statement about one happening, and the verdict made from it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from engine.board import Side
from engine.certainty import near
from engine.course import followed
from engine.games.base import Rules
from engine.position import Position
from engine.referee import search
from engine.referee.account import Happening
from engine.referee.observation import Observation
from engine.verdict import NO_DOUBT, Doubt, Explanation, Verdict

ACCUSING = ("illegal", "tampered")
"""Kinds of happenings in which somebody broke the rules."""


@dataclass(frozen=True)
class Finding:
    """What the referee says about one happening.

    number: of this finding in its game, from 0. t: seconds, when it is said. kind: the happening's, or `not-sure`.
    what: the likeliest happening. p: the probability of what the sentence says. seen: the observation after it. others:
    other happenings that leave the same board, with their probabilities. rival: the likeliest that leaves another
    board, with its probability; None if there is none, its happening None if nothing was done. instead_of: the number
    of the first finding of this happening, a question or not, which this one answers or corrects. shown_by: that of the
    first finding of the newest episode, which reveals it; None if this corrects a finding of the same episode.
    replaces: if a hand continued a move already told, the number of the finding that this one replaces. doubt: why
    people are asked.
    """

    number: int
    t: float
    kind: str
    what: Happening
    p: float
    seen: Observation
    others: tuple[tuple[Happening, float], ...] = ()
    rival: tuple[Happening | None, float] | None = None
    instead_of: int | None = None
    shown_by: int | None = None
    replaces: int | None = None
    doubt: Doubt = NO_DOUBT

    @property
    def accuses(self) -> bool:
        """Whether it says that somebody broke the rules."""
        return self.kind in ACCUSING

    @property
    def after(self) -> Position:
        """The position afterwards; for a question the position before, since nothing is settled."""
        return self.what.before if self.kind == "not-sure" else self.what.after

    @property
    def moved(self) -> Side | None:
        """The player; if a question does not know him, the side whose hand covered more, None if both covered the
        same."""
        south, north = self.seen.hands
        likely = None if south == north else Side.SOUTH if south > north else Side.NORTH
        return likely if self.kind == "not-sure" and self.what.what.player is None else self.what.what.player

    def tells_like(self, other: Finding) -> bool:
        """Whether both findings say that the same was done."""
        return self.kind == other.kind and self.what.told == other.what.told

    def verdict(self, rules: Rules) -> Verdict:
        """Return the finding as a verdict. rules: of the game."""
        what = self.what
        h, before, after = what.what, what.before, what.after
        sure = min(1.0, self.p + next((p for o, p in self.others if o.what.faults and near(self.p, p)), 0.0))
        happening, p = self.rival or (None, 0.0)
        rival = Explanation("unchanged", p, position=before) if happening is None else _explanation(happening, p)
        best = (_explanation(what, self.p), *([rival] if self.rival else []))
        margin = math.log(max(self.p, 1e-9) / max(p, 1e-9))
        if self.kind == "not-sure":
            return Verdict("not-sure", before, before, self.moved, confidence=self.p, margin=margin, best=best,
                           pits=self._deciding(), doubt=self.doubt)
        steps = search.trace_of(rules, before, h) or ()
        captured = 0 if h.player is None else max(0, after.captured[h.player] - before.captured[h.player])
        due = search.due_move(rules, before, h, after)
        told = None if due is None or h.fault is None or sure > self.p else followed(
            before.board, before.counts, steps, due.trace, h.fault)
        return Verdict(self.kind, before, after, h.player, h.move, steps, h.faults,
                       search.expected_position(rules, before, h, due), captured, sure, margin, best,
                       alike=tuple(_explanation(o, p) for o, p in self.others), then=_other_laid(what), followed=told)

    def _deciding(self) -> tuple[int, ...]:
        """The pits in which the two likeliest boards differ, least certain reading first."""
        if self.rival is None:
            return ()
        other = self.what.before.counts if self.rival[0] is None else self.rival[0].after.counts
        pits = [p for p, (a, b) in enumerate(zip(self.what.after.counts, other, strict=True)) if a != b]
        row = self.seen.loglik
        return tuple(sorted(pits, key=lambda p: float(np.diff(np.partition(row[p], -2)[-2:])[0])))


def _explanation(h: Happening, p: float) -> Explanation:
    return Explanation(h.what.kind, p, h.what.player, h.what.move, h.what.faults, h.after, _other_laid(h))


def _other_laid(h: Happening) -> tuple[Side, str] | None:
    """Return the second rearrangement, (player, move), if both sides rearranged in one visit; else None."""
    if h.what.kind != "rearranged" or len(h.what.moves) != 2:
        return None
    second = h.what.moves[1]
    return second.before.board.owner(second.pit), second.name
