"""The referee's output: faults, explanations, verdicts, and the reasons for doubt."""

from dataclasses import dataclass
from enum import Flag, auto

from engine.board import Side
from engine.messages import Message
from engine.position import Position
from engine.trace import Trace


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of the list in the rules.

    code: its name. pit: where; None for a fault without a pit. lap: from 1; 0 for a fault outside the laps. n: number
    of seeds or pits too many or too few; 0 where the fault is not one of number. instead: for a move from a pit that
    the rules bar, the pits where the player might have begun.
    """

    code: str
    pit: int | None = None
    lap: int = 0
    n: int = 0
    instead: tuple[int, ...] = ()


class Doubt(Flag):
    """Why people are asked: all reasons combined, `Doubt(0)` for none."""

    IMPROBABLE = auto()
    """Stating the likeliest explanation would, on average, cost more than a question."""
    UNKNOWN = auto()
    """The likeliest explanation is that something outside the rules and their faults was done."""
    PLAINLY_OFF = auto()
    """A pit plainly shows two seeds more or fewer than it should hold, or only one of the two is empty."""
    HAND_ABSENT = auto()
    """The hand of the player who would be accused was not seen, while the other side's plainly was."""
    MIDWAY = auto()
    """The move may be in its middle."""
    BEGUN_UNSEEN = auto()
    """The first move, which would be called a fault, began before the board was seen at rest."""
    TURNED = auto()
    """The picture may show the board mirrored or rotated."""
    UNWATCHED = auto()
    """Nobody watched for part of it, and its hand was not seen to leave since, or somebody would be accused."""


NO_DOUBT = Doubt(0)
"""The verdict is sure."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """One way in which the observed board can have come about.

    kind: legal, illegal, withdrawn, unchanged, rearranged, race, tampered, else. p: its posterior probability. move:
    the pit's letter and the directions chosen. position: the board according to this explanation, None for "something
    else". then: if both sides rearranged, the second rearrangement: (player, move).
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
    """The statement about one happening.

    kind: legal, illegal, withdrawn, rearranged, race, tampered or not-sure. player,
    move, trace: who moved, and how, as far as known; for a race, who won it. faults: what was wrong. expected: what
    should lie there. position: the board afterwards, with whose turn is next; for `not-sure` still the one before.
    captured: seeds the move captured. confidence: probability of this very sentence. margin: nats by which it is
    likelier than the likeliest explanation with another board. best: the most probable explanations. pits: if not sure,
    the pits whose counts would decide. doubt: why it is not sure. alike: other explanations of the same board,
    likeliest first. then: as in `Explanation`. followed: what the fault changed in the rest of the move.
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
    followed: Message | None = None

    @property
    def accuses(self) -> bool:
        """Whether it says that somebody, known or not, broke the rules."""
        return self.kind in ("illegal", "tampered")
