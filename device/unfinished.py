"""A move that was spoken of before its end: the hand had left, a relay was due or seeds were missing, and then the same
hand came back and went on. What was said then is judged anew, so that a pause, however long, accuses nobody for good.
"""

from __future__ import annotations

from dataclasses import dataclass

from device.disturbance import Disturbance
from device.judging import Question, Verdict
from engine.position import Position
from engine.rules import Rules

MENDED = ("stopped-short", "bull-missed", "short-capture", "palmed")
"""Faults of somebody who has not done yet what is due: none if he does it."""


@dataclass(frozen=True, slots=True)
class Unfinished:
    """What was said of a move by event `number`; move: its disturbance, from `before`, the positions before that being
    `history`."""

    number: int
    move: Disturbance
    before: Position
    history: tuple[Position, ...]

    @classmethod
    def of(cls, number: int, verdict: Verdict, move: Disturbance, history: tuple[Position, ...], *,
           halfway: bool) -> Unfinished | None:
        """None where nothing that the hand may do yet would change what was said. halfway: the board lies as in the
        middle of a legal move, whatever fault it was called (`device.halfway`)."""
        mends = halfway or verdict.kind == "not-sure" or (
            verdict.kind == "illegal" and all(f.code in MENDED for f in verdict.faults))
        return cls(number, move, verdict.before, history) if mends and not move.unseen else None

    def joined(self, later: Disturbance) -> Disturbance | None:
        """Both as one move, where the hand that came back is the same side's."""
        return None if later.unseen or later.side is not self.move.side else self.move.with_(later)

    def question(self, rules: Rules, joined: Disturbance) -> Question:
        """Whether both together were one move."""
        return Question(rules, self.before, joined.evidence, self.history)

    def mended(self, verdict: Verdict) -> bool:
        """Whether they were, and a legal one of that side's, or laid the board back as it was."""
        own = verdict.kind == "legal" and verdict.then is None and verdict.player is self.move.side
        return own or verdict.kind == "withdrawn"
