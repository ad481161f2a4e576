"""What comes out of the referee: faults, explanations, verdicts, and why a verdict is a doubt."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Flag, auto

from engine.board import Side
from engine.position import Position
from engine.trace import Trace


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of the list in the rules.

    code: its name. pit: where; None for a fault of no one pit. lap: from 1; 0 where it is of no lap. n: how many seeds
    or pits too many or too few; 0 where it is no matter of number. instead: of a move from a pit that the rules bar,
    the pits that the player might have begun from.
    """

    code: str
    pit: int | None = None
    lap: int = 0
    n: int = 0
    instead: tuple[int, ...] = ()


class Doubt(Flag):
    """Why people are asked: all the reasons at once, `Doubt(0)` where there is none."""

    IMPROBABLE = auto()
    """Saying the likeliest explanation would cost more, on the average, than a question."""
    UNKNOWN = auto()
    """The likeliest explanation is that something else was done than the rules and their faults hold."""
    PLAINLY_OFF = auto()
    """A pit plainly shows two seeds more or fewer than it should hold, or is plainly empty, or is not."""
    HAND_ABSENT = auto()
    """The hand of the one who would be accused was not seen, and the other side's plainly was."""
    MIDWAY = auto()
    """The move may be in its middle."""
    BEGUN_UNSEEN = auto()
    """Somebody would be accused of the first move, which had begun before the board was seen at rest."""
    TURNED = auto()
    """The picture may show the board in a mirror, or turned round."""
    UNWATCHED = auto()
    """It spans a time in which nobody watched, and its hand was not seen to leave since, or somebody would be accused.
    """


NO_DOUBT = Doubt(0)
"""The verdict is sure."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """One way in which the board seen can have come about.

    kind: legal, illegal, withdrawn, unchanged, rearranged, race, tampered, else. p: its posterior probability.
    move: the pit's letter and the directions chosen. position: the board as this explanation has it, None for
    "something else". then: what the other side laid as well, (player, move), of a rearrangement of both.
    """

    kind: str
    p: float
    player: Side | None = None
    move: str | None = None
    faults: tuple[Fault, ...] = ()
    position: Position | None = None
    then: tuple[Side, str] | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is said of one happening.

    kind: legal, illegal, withdrawn, rearranged, race, tampered, not-sure, or unchanged (nothing happened). player,
    move, trace: who moved, and how, as far as known; of a race, who won it. faults: what was wrong. expected: what
    should lie there. position: the board as it lies, with whose turn it is next; after `not-sure` still the one before.
    captured: seeds the move took. confidence: probability of this very sentence. margin: nats by which it is likelier
    than the likeliest explanation that leaves another board. best: the most probable explanations. pits: the pits that
    would decide, where it is not sure. doubt: why it is not sure. alike: other explanations that leave the same board,
    the likeliest first. then: as of `Explanation`.
    """

    kind: str
    before: Position
    position: Position
    player: Side | None = None
    move: str | None = None
    trace: Trace = ()
    faults: tuple[Fault, ...] = ()
    expected: Position | None = None
    captured: int = 0
    confidence: float = 0.0
    margin: float = 0.0
    best: tuple[Explanation, ...] = ()
    pits: tuple[int, ...] = ()
    doubt: Doubt = NO_DOUBT
    alike: tuple[Explanation, ...] = ()
    then: tuple[Side, str] | None = None

    @property
    def accuses(self) -> bool:
        """Whether it says that somebody did wrong, known or not."""
        return self.kind in ("illegal", "tampered")
