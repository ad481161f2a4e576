"""What goes into the judge and what comes out."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Flag, auto
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from engine.board import Side
from engine.position import Position
from engine.trace import Trace

COUNTS = 26
"""Width of a count's distribution: 0…24, and the last for "more"."""


Search = Literal["none", "all", "cut"]


@dataclass(frozen=True, slots=True)
class Timeline:
    """Readings taken while hands were in play, in order of time.

    loglik: float64[readings, pits, 26]; seen: bool[readings, pits], pits that no hand covered. Raises ValueError where
    the shapes do not fit or a number is not finite.
    """

    loglik: NDArray[np.float64]
    seen: NDArray[np.bool_]

    def __post_init__(self) -> None:
        """Raise ValueError as the class says."""
        if self.loglik.ndim != 3 or self.loglik.shape[2] != COUNTS or self.seen.shape != self.loglik.shape[:2]:
            shapes = f"{self.loglik.shape} and {self.seen.shape}"
            raise ValueError(f"a timeline of shapes {shapes}: they are [readings, pits, {COUNTS}] and [readings, pits]")
        if not np.isfinite(self.loglik).all():
            raise ValueError("the log-likelihoods of the timeline are not all finite")


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was seen of the board after a disturbance, added up over frames.

    loglik: float64[pits, 26], log-likelihood of each count up to a constant a pit, pits along the ring. seen:
    bool[pits]. frames: how many were added up. hands: largest share of the board that South's and North's hands
    covered meanwhile; (0, 0) where nobody looked. during: what was read meanwhile, None where nothing was.
    together: share of the time of the hand that was there for less of it in which the other side's was there, too;
    earlier: seconds by which South's hand was gone for good before North's, negative where it stayed longer. touched:
    float64[pits], log-odds that each pit was touched, by how it looks, 0 where that is not known; None where it is of
    none. Raises ValueError where the shapes do not fit or a number is not finite.
    """

    loglik: NDArray[np.float64]
    seen: NDArray[np.bool_]
    frames: int = 1
    hands: tuple[float, float] = (0.0, 0.0)
    during: Timeline | None = None
    together: float = 0.0
    earlier: float = 0.0
    touched: NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        """Raise ValueError as the class says."""
        if self.loglik.ndim != 2 or self.loglik.shape[1] != COUNTS or self.seen.shape != self.loglik.shape[:1]:
            shapes = f"{self.loglik.shape} and {self.seen.shape}"
            raise ValueError(f"evidence of shapes {shapes}: they are [pits, {COUNTS}] and [pits]")
        if not np.isfinite(self.loglik).all():
            raise ValueError("the log-likelihoods of the evidence are not all finite")
        if self.touched is not None and self.touched.shape != self.seen.shape:
            raise ValueError(f"pictures of {len(self.touched)} pits for a board of {len(self.seen)}")
        if self.during is not None and self.during.seen.shape[1] != len(self.seen):
            raise ValueError(f"a timeline of {self.during.seen.shape[1]} pits for a board of {len(self.seen)}")


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
    """Why the judge is not sure: all the reasons at once, `Doubt(0)` where there is none.

    The first four are reasons against what accuses nobody. Against an accusation there are these but for
    `FAULT_FITS_BETTER`, and the others up to `ONE_SEED`. Those from `BEFORE_UNSURE` on are the table's own.
    """

    IMPROBABLE = auto()
    """Its posterior is less than a verdict needs."""
    DENIED = auto()
    """Pits deny its board: another count is far likelier there."""
    PLAINLY_OFF = auto()
    """A pit plainly holds two seeds more or fewer than it should, or is plainly empty, or is not."""
    FAULT_FITS_BETTER = auto()
    """A fault fits the board better than the legal move, and the timeline, too."""
    LEGALLY_ANSWERED = auto()
    """A legal move and its legal answer leave the same board, and both sides' hands may have been there."""
    LAID_OUT = auto()
    """Before the first move the seeds may have been laid out so."""
    NOT_AS_READ = auto()
    """There would be two faults, and their board is not the one that was read."""
    NOTHING_MISSING = auto()
    """Somebody would be a thief, but all the seeds are on the board."""
    HAND_ABSENT = auto()
    """The hand of the one accused was not there, and the other side's plainly was."""
    REARRANGED = auto()
    """A turn of rearranging is nearly as likely."""
    BOARD_IMPROBABLE = auto()
    """The posterior of its board is less than play can go on from."""
    FITS_HARDLY_BETTER = auto()
    """It fits too little better than the best explanation that accuses nobody."""
    ONE_SEED = auto()
    """One seed in one pit is all that differs, and nothing but the picture of the quiet board speaks for it."""
    HIDDEN = auto()
    """After a race some pit was not seen."""
    ORIGIN = auto()
    """It is not the same from each of the boards that may have lain there before."""
    BEFORE_UNSURE = auto()
    """Somebody would be accused, and how the board lay before, whose turn it was, or what the hands did is not certain.
    """
    HANDS_STILL_THERE = auto()
    """Hands are over the board again, and what is doubtful may be theirs."""
    STIRRED = auto()
    """Something stirred after it was weighed, and the recording ends."""
    BEGUN_UNSEEN = auto()
    """Somebody would be accused of the first move, which had begun before the board was seen at rest."""
    TURNED = auto()
    """The picture may show the board in a mirror, or turned round."""
    UNWATCHED = auto()
    """It spans a time in which nobody watched, and its hand was not seen to leave since, or somebody would be accused.
    """


NO_DOUBT = Doubt(0)
"""The judge is sure."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """One way in which the board seen can have come about.

    kind: legal, illegal, withdrawn, unchanged, rearranged, race, tampered, else. p: its posterior probability.
    move: the pit's letter and the directions chosen. position: the board as this explanation has it, None for
    "something else". then: a second legal move made with no pause after the first, (player, move).
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
    """What the judge says of one disturbance of the board.

    kind: legal, illegal, withdrawn, rearranged, race, tampered, not-sure, or unchanged (hands came and went and no
    count changed). player, move, trace: who moved, and how, as far as known; of a race, who won it. faults: what was
    wrong. expected: what should lie there. position: the board as it lies, with whose turn it is next; after `not-sure`
    still the one before. captured: seeds the move took. confidence: posterior of the kind. margin: nats of evidence by
    which the best explanation fits better than the next with another board; of an accusation, than the next that
    accuses nobody. best: the two most probable explanations. pits: the pits that would decide, where the judge is not
    sure. then: a second legal move made with no pause after the first, (player, move). evidence: how likely what was
    read is under all explanations together, beside what would be read likeliest, nats; to be held against that from
    another position; else_nats: by how much less it is without "something else". misfit: nats by which the board of the
    likeliest explanation is less likely than what would be read likeliest; 0 of "something else". searched: how far
    faults were looked for: not at all where a legal move explained the board, all of them, or up to the bound. doubt:
    why the judge is not sure. others: the likeliest positions that may lie there instead of `position`, each with its
    posterior. alike: other explanations that leave the same board, the likeliest first.
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
    then: tuple[Side, str] | None = field(default=None)
    evidence: float = 0.0
    else_nats: float = 0.0
    misfit: float = 0.0
    searched: Search = "none"
    doubt: Doubt = NO_DOUBT
    others: tuple[tuple[Position, float], ...] = ()
    alike: tuple[Explanation, ...] = ()

    @property
    def conclusion(self) -> tuple[object, ...]:
        """What it says was done, whatever lay elsewhere on the board: verdicts that have it alike say the same. A move
        that was answered at once is another than the move alone."""
        return self.kind, self.player, self.move, self.faults, self.then

    @property
    def boards(self) -> tuple[tuple[Position, float], ...]:
        """The likeliest positions that may lie there, each with its posterior; of a doubt those of its explanations."""
        own = () if self.kind == "not-sure" else ((self.position, 1 - sum(p for _, p in self.others)),)
        return (*own, *self.others)

    @property
    def accuses(self) -> bool:
        """Whether it says that somebody did wrong, known or not."""
        return self.kind in ("illegal", "tampered")

    def as_doubt(self, reason: Doubt) -> Verdict:
        """The same as a doubt, for one reason more: people are asked, nobody is accused."""
        return replace(self, kind="not-sure", position=self.before, move=None, trace=(), faults=(), expected=None,
                       captured=0, doubt=self.doubt | reason)
