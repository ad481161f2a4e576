"""What happened between two quiet boards: whose hands were there, when they left, and what was read."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from device.table.context import TableContext
from device.table.parameters import Motion
from device.table.settling.evidence_window import Window
from device.table.settling.hand_readings import HandReadings
from device.table.settling.judge_worker import Evidence, Verdict
from engine.board import Side
from vision.reading import Reading


@dataclass
class Disturbance:
    """What happened between two quiet boards. Times are seconds of the table's clock.

    hands_in, hands_out: when the first hand came, and the last left. window: readings of the quiet board after it.
    moved: when something last moved over the board, known for a hand or not; last_hand: when it last was one.
    hand_readings: what was read until then. south, north: the largest shares of the board that their hands covered.
    unseen: nobody was seen to touch it. ask_at: when it is weighed next. pending: what would be said of it if nothing
    came any more. mid_move: the board lies as in the middle of a legal move
    (`device.table.settling.mid_move`). unwatched: when it could be seen again after a time in which nobody watched,
    where it had begun before, or may have; else 0. interrupted_at: the same, if a hand left in that time, or came; who
    else was there nobody knows. frames, both: numbers of frames with South's hand and with North's, and with both.
    first, last: when South's hand was there, and North's.
    """

    hands_in: float
    hands_out: float
    window: Window
    hand_readings: HandReadings
    moved: float = 0.0
    last_hand: float = 0.0
    south: float = 0.0
    north: float = 0.0
    unseen: bool = False
    ask_at: float = 0.0
    pending: Verdict | None = None
    mid_move: bool = False
    unwatched: float = 0.0
    interrupted_at: float = 0.0
    frames: list[int] = field(default_factory=lambda: [0, 0])
    both: int = 0
    first: list[float] = field(default_factory=lambda: [math.inf, math.inf])
    last: list[float] = field(default_factory=lambda: [0.0, 0.0])

    def hands(self, reading: Reading, t: float, motion: Motion) -> None:
        """Hands are over the board."""
        self.south = max(self.south, reading.hands[0])
        self.north = max(self.north, reading.hands[1])
        self.hands_out = self.moved = self.last_hand = t
        self.unseen = False
        there = [side for side in Side if reading.hands[side] > motion.hands_enter]
        self.both += len(there) == 2
        for side in there:
            self.frames[side] += 1
            self.first[side] = min(t, self.first[side])
            self.last[side] = t
        self.hand_readings.add(reading)

    def stirred(self, reading: Reading, t: float, motion: Motion) -> None:
        """Something moves that is not known for a hand: a hand all the same, unless it is the light, or has no end."""
        self.moved = t
        if motion.stirs(reading) and t - self.last_hand < motion.endless_s:
            self.hands_out = t
        self.hand_readings.add(reading)

    def missed(self, reading: Reading, since: float, *, hand: bool) -> None:
        """Nothing could be seen since then, until this reading. hand: there is one in it."""
        t, there = reading.time_ns / 1e9, max(Side, key=self.last.__getitem__)
        self.unwatched = t
        if not hand or self.last[there] < since or reading.hands[there] < max(reading.hands):
            self.interrupted_at = t
        self.hand_readings.missed(reading.time_ns, len(reading.loglik))
        self.moved = t

    def watched(self, verdict: Verdict) -> bool:
        """Whether nobody is accused of, and nothing is called legal by, what nobody saw: the board was read before
        nobody watched any more, or the verdict accuses nobody, is of one move, and its hand was seen to leave since."""
        before = self.window.last_ns / 1e9 < self.unwatched
        if not self.unwatched or before or verdict.kind in ("unchanged", "not-sure"):
            return True
        hands = Side if verdict.player is None else (verdict.player,)
        ended = all(self.last[side] > self.unwatched for side in hands)
        return ended and verdict.then is None and not verdict.accuses

    def follow(self, later: Disturbance) -> None:
        """A hand came back, and it is one move."""
        self.hand_readings.follow(later.hand_readings)
        self.south, self.north = max(self.south, later.south), max(self.north, later.north)
        self.hands_out, self.moved = later.hands_out, later.moved
        self.frames = [a + b for a, b in zip(self.frames, later.frames, strict=True)]
        self.both += later.both
        self.unwatched = max(self.unwatched, later.unwatched)
        self.interrupted_at = max(self.interrupted_at, later.interrupted_at)
        self.first = [min(pair) for pair in zip(self.first, later.first, strict=True)]
        self.last = [max(pair) for pair in zip(self.last, later.last, strict=True)]

    def with_(self, later: Disturbance) -> Disturbance:
        """Both as one move, with the later one's window, held against what this one's is; neither is changed."""
        window = later.window.against(self.window.baseline)
        one = replace(self, window=window, hand_readings=self.hand_readings.copy(), frames=list(self.frames),
                      first=list(self.first), last=list(self.last), pending=None, unseen=False,
                      mid_move=False)
        one.follow(later)
        return one

    @property
    def side(self) -> Side:
        """Whose hands they mostly were."""
        return Side.SOUTH if self.south >= self.north else Side.NORTH

    @property
    def together(self) -> float:
        """Share of the time of the hand that was there for less of it in which the other side's was there, too."""
        return self.both / max(1, min(self.frames))

    @property
    def evidence(self) -> Evidence:
        """For the judge."""
        window = self.window
        hands = (0.0, 0.0) if self.interrupted_at else (self.south, self.north)
        earlier = self.last[1] - self.last[0] if all(self.last) and not self.interrupted_at else 0.0
        return Evidence(loglik=window.loglik, seen=window.seen, frames=window.frames, hands=hands,
                        during=self.hand_readings.timeline(len(window.seen)),
                        together=self.together, earlier=earlier,
                        touched=window.touched)


def disturbance_now(context: TableContext) -> Disturbance:
    """One that begins with the reading that the table has just taken in."""
    return Disturbance(context.t, context.t, context.new_window(touched=True), context.new_hand_readings(),
                       unwatched=context.unwatched)
