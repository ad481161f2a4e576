"""Gather readings into observations: the board at rest, and at the moment when one hand gives way to the other."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from device.table.parameters import MOTION, OBSERVING, RESTS_S
from device.table.window import Window
from engine.board import Side
from engine.referee.observation import LookUnderHands, Observation
from engine.referee.parameters import HANDS, THRESHOLDS, TIMES
from vision.reading import Reading


@dataclass(frozen=True, slots=True)
class Observed:
    """An observation. over: it is final, as the rest has ended or the other hand has taken over."""

    observation: Observation
    over: bool


@dataclass(frozen=True, slots=True)
class HandCame:
    """A hand of `side` has come over the board after a rest. t: seconds."""

    side: Side
    t: float


@dataclass
class _Hands:
    """The hands over the board.

    there: whose hands are there; since, lasts: when each came last, and when it was last there, seconds, 0 for never.
    Since the last final observation: most: the largest share of the board that each covered; frames, both: numbers of
    frames with each, and with both; began: when the first came, None for never. moved_at: when anything last moved over
    the board, seconds; now: the share that each covers now.
    """

    there: list[bool] = field(default_factory=lambda: [False, False])
    frames: list[int] = field(default_factory=lambda: [0, 0])
    both: int = 0
    lasts: list[float] = field(default_factory=lambda: [0.0, 0.0])
    since: list[float] = field(default_factory=lambda: [0.0, 0.0])
    most: list[float] = field(default_factory=lambda: [0.0, 0.0])
    began: float | None = None
    moved_at: float = -math.inf
    now: tuple[float, float] = (0.0, 0.0)

    def take(self, reading: Reading, t: float) -> None:
        """Take in the hands of a reading."""
        if reading.motion > MOTION.quiet:
            self.moved_at = t
        self.now = reading.hands
        for side, share in zip(Side, reading.hands, strict=True):
            there = share > (HANDS.seen / 2 if self.there[side] else HANDS.seen)
            if there and not self.there[side]:
                self.since[side] = t
            self.there[side] = there
            if there:
                self.most[side] = max(self.most[side], share)
                self.frames[side] += 1
                self.lasts[side] = t
        self.both += all(self.there)
        if any(self.there) and self.began is None:
            self.began = t

    @property
    def mover(self) -> Side:
        """Whose hand covered more of the board since the last observation."""
        return Side.NORTH if self.most[Side.NORTH] > self.most[Side.SOUTH] else Side.SOUTH

    def lie_still(self, t: float) -> bool:
        """Whether hands are there that have not moved for so long that the board is at rest under them. What is left
        of a plain hand waits at the edge, or is none."""
        gone = all(most > HANDS.plain >= now
                   for most, now, there in zip(self.most, self.now, self.there, strict=True) if there)
        return any(self.there) and t - self.moved_at >= (OBSERVING.unclear_s if gone else OBSERVING.hidden_s)

    @property
    def together(self) -> float:
        """The share of the frames with the less frequent hand that also show the other hand."""
        return self.both / max(1, min(self.frames))

    def accompanied(self, side: Side) -> float:
        """The share of the frames with that side's hand that also show the other hand. In a race it is large for both;
        a hand that is about to leave has just been joined by the other side's."""
        return self.both / max(1, self.frames[side])

    @property
    def earlier_s(self) -> float:
        """Seconds by which South's hand left before North's; 0 if one was never there."""
        return self.lasts[1] - self.lasts[0] if all(self.frames) else 0.0

    def begin_episode(self) -> None:
        """Begin a new episode of hands."""
        self.most, self.began = [0.0, 0.0], None
        self.frames, self.both = [0, 0], 0


class Observer:
    """Gathers the readings of one board: `add` takes them and yields observations and arriving hands.

    A rest is observed repeatedly while it lasts; when a hand comes, the last observation is yielded again as `over`.
    When a hand leaves while the other side's stays, the board is observed in between. A hand that lies still is part of
    the rest and hides pits; the rest is final only when the hand of the side that did not move comes.
    """

    def __init__(self) -> None:
        """Start without any reading."""
        self._hands, self._looks = _Hands(), list[LookUnderHands]()
        self._rest: Window | None = None
        self._told = 0
        self._told_stays: NDArray[np.int64] | None = None
        self._observed: Observation | None = None
        self._unwatched, self._changed_at = 0.0, 0.0
        self.rest: Observation | None = None
        """The last observation of the board at rest."""
        self._came: tuple[float, tuple[float, float]] | None = None
        self._lying_shares: tuple[float, float] | None = None
        self._restless_since = math.inf
        self._leaving: tuple[Side, float, Window] | None = None
        """Whose hand has left while the other's is there, when, seconds, and the board since then."""

    def add(self, reading: Reading, *, may_race: bool = False) -> Iterator[Observed | HandCame]:
        """Take in a reading; yield the hand that has come, and the observations that it completes. may_race: both sides
        may sow at the same time; then there is no handover."""
        t, was = reading.time_ns / 1e9, list(self._hands.there)
        if max(reading.hands) > HANDS.seen and not any(was):
            yield from self._rest_ends(t)
        self._hands.take(reading, t)
        if any(self._hands.there) and not self._hands.lie_still(t):
            yield from self._resume_play(reading, t)
            yield from self._announce_hand(t)
            self._note_leaving(reading, t, was, may_race=may_race)
            if reading.counted:
                yield from self._in_play(reading, t)
        elif reading.counted:
            yield from self._at_rest(reading, t)

    @property
    def hand(self) -> bool:
        """Whether a hand is over the board."""
        return any(self._hands.there)

    @property
    def waits(self) -> bool:
        """Whether a hand was there since the last final observation, and no rest was observed yet."""
        return self._hands.began is not None and self._observed is None

    @property
    def unwatched(self) -> bool:
        """Whether the table was blind at some time since the last final observation."""
        return self._unwatched > 0.0

    def missed(self, t: float) -> Iterator[Observed]:
        """The table was blind until now (t, seconds): end the rest, and forget looks and hands."""
        yield from self._rest_ends(t)
        self._leaving = None  # also where no rest was observed
        self._hands.there, self._hands.lasts, self._looks, self._unwatched = [False, False], [t, t], [], t

    def restart(self) -> None:
        """Begin a new episode: forget looks, hands, and what was observed of the rest."""
        self._looks, self._observed, self._unwatched, self._leaving = [], None, 0.0, None
        self._hands.begin_episode()

    def end(self) -> Iterator[Observed]:
        """End the recording: yield the last observation as final."""
        if self._observed is None and self._rest is not None and self._rest.frames:
            left = max(self._hands.lasts) or self._rest.began
            self._observed = self._observation(self._rest, self._rest.t, self._hands.most, self._rest.t - left)
        if self._observed is not None:
            yield Observed(replace(self._observed, last=True), True)

    def _rest_ends(self, t: float) -> Iterator[Observed]:
        """End the rest, as a hand has come or the table is blind: yield the rest's last observation as final."""
        if self._observed is not None:
            yield Observed(self._observed, True)
            self.restart()
            self._hands.since = [t, t]  # hands that lay still come now
        self._came = t, self._lying_shares or (0.0, 0.0)
        self._lying_shares = None
        self._restart_rest()

    def _restart_rest(self) -> None:
        self._rest, self._told, self._told_stays, self._changed_at = None, 0, None, 0.0

    def _resume_play(self, reading: Reading, t: float) -> Iterator[Observed]:
        """Once a hand reaches in further than hands lay: if it is the mover's, the move goes on; else the rest ends."""
        if self._lying_shares is None:
            return
        self._restart_rest()
        further = [share - lay for share, lay in zip(reading.hands, self._lying_shares, strict=True)]
        if max(further) <= HANDS.seen:
            return
        if further[self._hands.mover] == max(further):
            self._observed, self._lying_shares = None, None
        else:
            yield from self._rest_ends(t)

    def _announce_hand(self, t: float) -> Iterator[HandCame]:
        """Yield which side's hand has come: once one covers enough of the board, or at the latest after
        `OBSERVING.unclear_s`."""
        if self._came is None:
            return
        came, before = self._came
        south, north = (most - lay for most, lay in zip(self._hands.most, before, strict=True))
        if max(south, north) > HANDS.plain or t - came > OBSERVING.unclear_s:
            self._came = None
            yield HandCame(Side.NORTH if north > south else Side.SOUTH, t)

    def _note_leaving(self, reading: Reading, t: float, was: list[bool], *, may_race: bool) -> None:
        """Note whose hand has left the board to the other's, or has come back. was: whose hands were there before."""
        there = self._hands.there
        for side in Side:
            raced = may_race and self._hands.accompanied(side) >= THRESHOLDS.race_together
            if was[side] and not there[side] and there[side.other] and self._hands_over(side) and not raced:
                self._leaving = side, t, Window(len(reading.loglik))
            if self._leaving is not None and self._leaving[0] is side and there[side]:
                self._leaving = None

    def _in_play(self, reading: Reading, t: float) -> Iterator[Observed]:
        """Take in the counts of a board under hands."""
        self._look(reading, t)
        if self._leaving is None:
            return
        side, left, board = self._leaving
        board.add(reading)
        if board.frames >= OBSERVING.settled or t - left > OBSERVING.unclear_s:
            yield from self._hand_over(t, side, board)

    def _hands_over(self, side: Side) -> bool:
        """Whether a hand of that side leaves the board to a hand of the other side: neither is a cuff or a shadow of
        the other one, or the hand that stays is the later one, which may still wait at the edge."""
        came_later = self._hands.since[side.other] > self._hands.since[side]
        return self._plain(side) and (came_later or self._plain(side.other))

    def _plain(self, side: Side) -> bool:
        """Whether that side's hand covers too much to be a cuff or a shadow of the other side's."""
        most = self._hands.most
        return most[side] > max(HANDS.plain, HANDS.present * most[side.other])

    def _hand_over(self, t: float, side: Side, board: Window) -> Iterator[Observed]:
        hands, other = list(self._hands.most), self._hands.most[side.other]
        hands[side.other] = min(other, HANDS.present * hands[side])
        yield Observed(self._observation(board, t, hands, 0.0), True)
        self.restart()
        self._hands.began, self._hands.most[side.other] = self._hands.since[side.other], other

    def _look(self, reading: Reading, t: float) -> None:
        assert reading.stays is not None
        before = self._looks[-1].t if self._looks else 0.0
        south, north = (n > 0 and last > before
                        for n, last in zip(self._hands.frames, self._hands.lasts, strict=True))
        self._looks.append(LookUnderHands(t, np.asarray(reading.loglik, np.float64), reading.seen, reading.stays,
                                          (south, north)))
        if len(self._looks) > OBSERVING.looks:
            half = OBSERVING.looks // 2
            self._looks = self._looks[:half:2] + self._looks[half:]

    def _at_rest(self, reading: Reading, t: float) -> Iterator[Observed]:
        if self._lying_shares is not None and not any(self._hands.there):
            self._lying_shares = None
            self._restart_rest()
        shows_motion = MOTION.shows_motion(reading)
        self._restless_since = min(self._restless_since, t) if shows_motion else math.inf
        if shows_motion and t - self._restless_since < OBSERVING.restless_s:
            return
        if self._rest is None:
            self._rest = Window(len(reading.loglik))
        self._rest.add(reading)
        rest_s, lie = self._rest_s(self._rest, t), self.hand
        hidden = not (self._rest.seen.all() or lie or rest_s >= OBSERVING.hidden_s)  # what hides a pit may be a hand
        if self._rest.frames < OBSERVING.settled or hidden or not self._worth_telling(self._rest, t, rest_s):
            return
        self._lying_shares = reading.hands if lie else None
        self._observed = self.rest = self._observation(self._rest, t, self._hands.most, 0.0 if lie else rest_s)
        yield Observed(self._observed, False)

    def _worth_telling(self, pits: Window, t: float, rest_s: float) -> bool:
        """Whether the board has been at rest for long enough since it was last observed, or since a pit changed."""
        if self._told_stays is not None and bool((self._told_stays != pits.stays).any()):
            self._changed_at, self._told = (t if rest_s > TIMES.change_s else 0.0), 0
        lies_s = min(rest_s, t - self._changed_at)
        told = sum(rest_s >= RESTS_S[0] and lies_s >= at for at in (0.0, *RESTS_S))
        if told <= max(self._told, 1 if self._told_stays is None else 0):
            return False
        self._told, self._told_stays = told, pits.stays.copy()
        return True

    def _rest_s(self, board: Window, t: float) -> float:
        """Seconds for which the board has been at rest."""
        if self.hand:
            return t - self._hands.moved_at
        left = max(self._hands.lasts)
        return t - (max(left, board.began - OBSERVING.unnoticed_s) if left else board.began)

    def _observation(self, board: Window, t: float, hands: Sequence[float], rest_s: float) -> Observation:
        seen, unwatched = self._hands, self._unwatched
        south, north = (last if n else 0.0 for n, last in zip(seen.frames, seen.lasts, strict=True))
        began, left = (t, t) if seen.began is None else (seen.began, max(seen.lasts))
        found = Observation(
            t, board.loglik.copy(), board.seen.copy(), board.stays.copy(), board.earlier.copy(), board.changed.copy(),
            (hands[0], hands[1]), rest_s, began, left, tuple(self._looks), together=seen.together,
            earlier_s=seen.earlier_s, unwatched=unwatched, lasts=(south, north))
        return replace(found, hands=(0.0, 0.0), together=0.0, earlier_s=0.0) if unwatched else found
