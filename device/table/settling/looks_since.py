"""The looks since it was last known how the board lay, and where in them one move ends and the next begins."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from device.table.context import TableContext
from device.table.parameters import HANDS
from device.table.settling.disturbance import Disturbance, disturbance_now
from device.table.settling.evidence_window import Window
from device.table.settling.judge_worker import Judge, Verdict
from device.table.settling.mid_move import may_be_mended, note_mid_move
from device.table.settling.returning_hands import pits_newly_hidden
from engine.board import Side
from engine.decoder import Decoded, FirstMove, Looks, decode
from engine.decoder.parameters import BEAM
from engine.judge.parameters import READING
from engine.judge.verdict import Doubt
from engine.position import Position
from engine.rules import Rules
from vision.reading import Reading


@dataclass(frozen=True, slots=True)
class Look:
    """A counted reading. stays: int64[pits], the number of each pit's stay; hands: whose, South's and North's, were
    over the board since the look before."""

    reading: Reading
    stays: NDArray[np.int64]
    hands: tuple[bool, bool]


@dataclass(frozen=True, slots=True)
class Parted:
    """A move and what came after it.

    mover: whose it was. came: the look at which the other side's hand came that is there now. move: the one that was
    decoded; None where only the hands tell that something is done. begun, answered: whether the next move has begun,
    and whether it has been made to its end as well. window: the board that the move left, as each pit was read before
    anything else touched it; first, rest: the looks until the move was done, and those from then on. stays:
    int64[pits], the number of each pit's stay in that window; -1 where it was not seen.
    """

    mover: Side
    came: int
    move: FirstMove | None
    begun: bool
    answered: bool
    window: Window
    first: tuple[Look, ...]
    rest: tuple[Look, ...]
    stays: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _Asked:
    """What the decoder is asked. looks: those that it is given; until_ns: time of the newest look that there was then;
    came: a hand had just come over a board that lay still; decoded: where the answer will be."""

    looks: tuple[Look, ...]
    until_ns: int
    came: bool
    decoded: Future[Decoded | None]


class LooksSince:
    """Gathers looks. They are of one board, which was known when they began."""

    def __init__(self, judge: Judge) -> None:
        """judge: has the decoder's work done. Nothing was seen."""
        self._judge = judge
        self._asked: _Asked | None = None
        self._looks: list[Look] = []
        self._known = np.zeros(0, np.int64)
        self._stays, self._read = np.zeros(0, np.int64), np.zeros(0, np.int64)
        self._hands = [False, False]
        self._asked_at = -np.inf
        self._told: tuple[object, ...] = ()
        self._told_by_hands = 0

    def add(self, reading: Reading, context: TableContext) -> None:
        """Take in a reading, of the hands alone or a counted one."""
        for side in Side:
            self._hands[side] |= reading.hands[side] > context.motion.hands_enter
        if not reading.counted:
            return
        if self._looks and len(self._looks[0].stays) != len(reading.loglik):
            self.forget()
        self._looks.append(Look(reading, self._numbers(reading), (self._hands[0], self._hands[1])))
        self._hands = [False, False]
        if len(self._looks) > BEAM.looks:
            half = BEAM.looks // 2
            self._looks = self._looks[:half:2] + self._looks[half:]

    def known(self, since_ns: int, *, now: bool) -> None:
        """The board lay still at the look of that time, nanoseconds: what was seen before it will not be needed. now:
        it is known what that look shows."""
        later = [look for look in self._looks if look.reading.time_ns >= since_ns]
        self._looks, self._told, self._asked = later or self._looks[-1:], (), None
        if self._looks:
            look = self._looks[0]
            self._known = np.where(look.reading.seen & now, look.stays, -1)

    def forget(self) -> None:
        """Nothing that was seen tells of what follows."""
        self._looks, self._known, self._told, self._asked = [], np.zeros(0, np.int64), (), None

    def part(self, context: TableContext, befores: Sequence[tuple[Position, float]], *, came: bool = False
             ) -> Parted | None:
        """The move that was made from one of these positions, each with its odds, if it is as good as certain that it
        has been made to its end, and its hand is away or the next move has begun: as long as it is there it may yet
        take seeds. came: a hand has just come over a board that lay still. It is answered once as long as nothing else
        comes of it. The decoder works beside the frames of a camera, and its answer is taken at a later reading."""
        if self._looks and (came or (self._asked is None and self._due(context, befores))):
            self._ask(context, befores, came=came)
        if self._asked is None or not self._asked.decoded.done():
            return None
        asked, self._asked = self._asked, None
        whole, self._looks = self._looks, list(asked.looks)
        try:
            parted = self._parting(context, asked.decoded.result(), came=asked.came)
        finally:
            self._looks = whole
        later = tuple(look for look in whole if look.reading.time_ns > asked.until_ns)
        return None if parted is None else replace(parted, rest=(*parted.rest, *later))

    def _ask(self, context: TableContext, befores: Sequence[tuple[Position, float]], *, came: bool) -> None:
        """Ask about all looks there are, but for the newest where a hand came with it."""
        self._asked_at, newest = context.t, self._looks[-1].reading.time_ns
        looks = tuple(self._looks[:-1] if came and len(self._looks) > 1 else self._looks)
        rules, laid_out = context.game.playing[0], self._laid_out(looks)
        self._asked = _Asked(looks, newest, came, self._judge.submit(lambda: decode(rules, befores, laid_out)))

    def _parting(self, context: TableContext, decoded: Decoded | None, *, came: bool) -> Parted | None:
        """As `part`, by the decoder's answer."""
        if decoded is None or decoded.p < BEAM.agreed:
            return self._by_hands(context)
        move = decoded.move
        if not (came or decoded.begun or self._away(move.player, context)):
            return None
        told = (decoded.before, move.position, decoded.begun, decoded.answered)
        if told == self._told or not (move.legal or decoded.begun):
            return self._by_hands(context)
        parted = self._parted(context, decoded.since, decoded.until, mover=move.player, move=move, begun=decoded.begun,
                              answered=decoded.answered)
        awaited = pits_newly_hidden(context, parted.window)
        if not decoded.answered and any(not (decoded.begun and decoded.since[pit]) for pit in awaited):
            return None  # the hand was last over a pit where, by this move, it did nothing, or may go on
        self._told = told
        return parted

    def _by_hands(self, context: TableContext) -> Parted | None:
        """What the hand did that has been away for as long as an accusation takes, while the other side's is there. Of
        each pit those looks tell that came after it, up to the first at which the other hand was over the pit; none
        where that one may have been over it before."""
        there = [side for side in Side if not self._away(side, context)]
        if len(there) != 1:
            return None
        mover = there[0].other
        # A hand that is there from the first look on only leaves with what it did before.
        free = next((k for k, look in enumerate(self._looks) if not look.hands[mover]), len(self._looks))
        gone = 1 + max((k for k, look in enumerate(self._looks) if k > free and look.hands[mover]), default=-1)
        came = self._came(there[0])
        told = self._looks[gone - 1].reading.time_ns
        away_s = context.t - self._seconds(gone) if 0 < gone < len(self._looks) else 0.0
        if told == self._told_by_hands or away_s < context.waiting.accuse_s:
            return None
        self._told_by_hands = told
        hidden = ~np.array([look.reading.seen for look in self._looks])
        after = np.where(hidden[gone:].any(axis=0), hidden[gone:].argmax(axis=0), len(hidden) - gone)
        until = gone + np.where(hidden[came:gone].any(axis=0), 0, after)
        return self._parted(context, np.full(hidden.shape[1], gone), until, mover=mover)

    def _came(self, side: Side) -> int:
        """The look from which on a side's hand has been there."""
        return 1 + max((k for k, look in enumerate(self._looks) if not look.hands[side]), default=-1)

    def _seconds(self, look: int) -> float:
        return self._looks[look].reading.time_ns / 1e9

    def _parted(self, context: TableContext, since: NDArray[np.int64], until: NDArray[np.int64], *, mover: Side,
                move: FirstMove | None = None, begun: bool = False, answered: bool = False) -> Parted:
        """since, until: int64[pits], the looks from which on, and until which, each pit lies as the move left it. A pit
        that was covered since, and not by the other side's hand, is not seen: nobody knows what was done there."""
        looks, end = self._looks, min(int(until.min()), len(self._looks))
        there = [k for k, look in enumerate(looks[:end]) if look.hands[mover]
                 and look.reading.hands[mover] * READING.hand_cuff > look.reading.hands[mover.other]]
        covered = [max((k for k in there if not looks[k].reading.seen[pit]), default=-1) for pit in range(len(since))]
        window, stays = context.new_window(touched=True), np.full(len(since), -1)
        for pit, (first, last) in enumerate(zip(since.tolist(), until.tolist(), strict=True)):
            open_since = looks[max(first, covered[pit] + 1):last]
            shown = [look for look in open_since if look.reading.seen[pit]][-HANDS.last_readings:]
            window.put(pit, [look.reading for look in shown])
            stays[pit] = shown[-1].stays[pit] if shown else -1
        return Parted(mover, min(self._came(mover.other), end), move, begun, answered, window,
                      tuple(looks[:end]), tuple(looks[end:]), stays)

    def missed(self) -> None:
        """Nothing could be seen for a while: whose hands were there meanwhile, nobody knows."""
        self._hands = [True, True]

    def go_on(self, parted: Parted) -> None:
        """The move stands: what follows is held against the board that it left."""
        done = max((look.reading.time_ns for look in parted.first), default=0)  # some may have been let go since
        rest = [look for look in self._looks if look.reading.time_ns > done]
        self._known, self._looks, self._told, self._asked = parted.stays, rest or self._looks[-1:], (), None

    def _due(self, context: TableContext, befores: Sequence[tuple[Position, float]]) -> bool:
        if context.t - self._asked_at < HANDS.decode_s:
            return False
        return self._both_came() or any(self._away(before.to_move, context) for before, _ in befores)

    def _both_came(self) -> bool:
        return all(any(look.hands[side] for look in self._looks) for side in Side)

    def _away(self, side: Side, context: TableContext) -> bool:
        return self._looks[-1].reading.hands[side] <= context.motion.hands_leave

    def _numbers(self, reading: Reading) -> NDArray[np.int64]:
        """The numbers of the stays; of an eye that does not tell them they end where another count is read."""
        if reading.stays is not None and len(reading.stays) == len(reading.loglik):
            return reading.stays
        read = reading.counts
        if len(self._read) != len(read):
            self._read, self._stays = read, np.zeros(len(read), np.int64)
        other = reading.seen & (read != self._read)
        self._stays, self._read = self._stays + other, np.where(other, read, self._read)
        return self._stays

    def _laid_out(self, looks: Sequence[Look]) -> Looks:
        loglik = np.array([look.reading.loglik for look in looks], np.float64)
        known = self._known if len(self._known) == loglik.shape[1] else np.full(loglik.shape[1], -1)
        return Looks(np.array([look.reading.time_ns for look in looks]) / 1e9,
                     loglik, np.array([look.reading.seen for look in looks]), np.array([look.stays for look in looks]),
                     np.array([look.hands for look in looks]), known)


def apart(parted: Parted, whole: Disturbance, context: TableContext) -> tuple[Disturbance, Disturbance]:
    """The move alone, and what the other side's hand has done since it came. whole: both as one disturbance."""
    alone = replace(whole, window=parted.window, hand_readings=context.new_hand_readings(), pending=None,
                    south=0.0, north=0.0, frames=[0, 0], both=0)
    later = disturbance_now(context)
    for k, look in enumerate((*parted.first, *parted.rest)):
        reading = look.reading
        t, own, other = reading.time_ns / 1e9, k < len(parted.first), k >= parted.came
        south, north = (reading.hands[side] * (side is parted.mover or not other) for side in Side)
        if own:
            _take(alone, replace(reading, hands=(south, north)), t, context)
        if other:
            later.hands_in = min(later.hands_in, t)
            south, north = (reading.hands[side] * (side is not parted.mover) for side in Side)
            _take(later, replace(reading, hands=(south, north), counted=reading.counted and not own), t, context)
    return alone, later


def _take(disturbance: Disturbance, reading: Reading, t: float, context: TableContext) -> None:
    if max(reading.hands) > context.motion.hands_leave:
        disturbance.hands(reading, t, context.motion)
    else:
        disturbance.hand_readings.add(reading)


def may_be_said(parted: Parted, verdict: Verdict, rules: Rules, alone: Disturbance) -> bool:
    """Whether a verdict on a parted move may be said while hands are there: that it was the one that was decoded; and a
    fault, if its hand has left and cannot mend it any more, since the next move has begun or none is left to mend."""
    move = parted.move
    if move is not None and move.legal:
        likeliest = verdict.best[0].position if verdict.doubt == Doubt.UNWATCHED and verdict.best else verdict.position
        known = verdict.kind == "legal" or verdict.doubt == Doubt.UNWATCHED
        return known and verdict.then is None and likeliest == move.position
    note_mid_move(rules, verdict, alone)
    mended = alone.mid_move or may_be_mended(verdict)
    same = move is None or verdict.position.counts == move.position.counts
    return verdict.kind == "illegal" and same and (parted.begun or not mended)
