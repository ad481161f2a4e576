"""The likelihood of what is seen: the only place where pictures become nats.

`count_nats` says how well a pit's stay fits a count, `touch_nats` how well a pit's look fits that it was touched or
not. A stay counts once, however many looks it had: a newer look at it replaces the older one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

import numpy as np

from engine.board import Side
from engine.referee.observation import COUNTS, F64, I64, LookUnderHands, Mask, Observation
from engine.referee.parameters import ALIGN, HANDS, READING, TOUCH, MisreadingRates


def count_nats(loglik: F64, seen: Mask) -> F64:
    """float64[..., pits, 26], nats (at most 0) of each count given the reading on a board that is read well, allowing
    for misreadings: heavy-tailed, so that no single pit can veto a board. Unseen pits get 0. loglik: float64[..., pits,
    26]."""
    p = np.exp(loglik - loglik.max(axis=-1, keepdims=True))
    p /= p.sum(axis=-1, keepdims=True)
    second, best = np.moveaxis(np.partition(np.log(np.maximum(p, 1e-300)), COUNTS - 2, axis=-1)[..., -2:], -1, 0)
    rate, shape = _misreading(READING)
    rate = rate * np.exp((second - best) / READING.misread_nats)[..., None]
    anyhow = READING.unsure_anyhow * np.exp(second - best)[..., None]
    nats = np.log((1 - rate - anyhow) * p + rate * (p @ shape.T) + anyhow / COUNTS)
    nats -= nats.max(axis=-1, keepdims=True)
    return np.asarray(np.where(seen[..., None], nats, 0.0))


@lru_cache(maxsize=1)
def _misreading(reading: MisreadingRates) -> tuple[F64, F64]:
    """The share of misreadings of each count where two counts are equally likely, float64[26], and their distribution,
    float64[26, 26], row: the true count, column: the count read."""
    true, read = np.mgrid[:COUNTS, :COUNTS]
    side = np.where(read > true, reading.too_many, 1 - reading.too_many)
    shape = np.where(read == true, 0.0, side * reading.further ** (np.abs(true - read) - 1.0))
    return np.asarray(reading.misread * (1.0 + np.arange(COUNTS)) ** 2), shape / shape.sum(axis=1, keepdims=True)


def kinds_of_board(nats: F64) -> F64:
    """float64[3, ..., pits, 26], nats of each count on a board that is read well, on one whose heaps are read short,
    and on one that is read badly. nats: of `count_nats`."""
    return np.stack((nats, _read_short(nats), _read_badly(nats)))


def unread_board() -> F64:
    """float64[3], log-priors of these three kinds of boards."""
    return np.log((1 - READING.short_boards - READING.bad_boards, READING.short_boards, READING.bad_boards))


def _read_short(nats: F64) -> F64:
    """The eye takes the seeds for smaller than they are, or for less deep, so it reads many heaps short."""
    second = np.partition(nats, COUNTS - 2, axis=-1)[..., COUNTS - 2, None]
    p, rate = np.exp(nats), READING.short * np.exp(second / READING.short_unsure_nats)
    fewer = np.zeros_like(p)
    fewer[..., 1:] += READING.short_by_one * p[..., :-1]
    fewer[..., 2:] += (1 - READING.short_by_one) * p[..., :-2]
    return np.asarray(np.where(np.arange(COUNTS) < READING.short_heap, nats,
                               np.log(np.maximum((1 - rate) * p + rate * fewer, 1e-300))))


def _read_badly(nats: F64) -> F64:
    p = np.exp(nats)
    return np.asarray(np.log((1 - READING.bad) * p + READING.bad * p.mean(axis=-1, keepdims=True)))


def touch_nats(touched: F64, before: I64) -> tuple[F64, F64]:
    """Two arrays float64[pits], nats (at most 0) of each pit's look if its seeds were touched, and if they were not.
    touched: log-odds that each pit was touched, by its look; before: int64[pits], the counts before. A touch of a deep
    heap may not show, and a sleeve may shift seeds that nobody touched."""
    unseen = np.exp(-np.maximum(TOUCH.unseen_nats, TOUCH.unseen_lone_nats / np.maximum(before, 1)))
    jostled, ratio, best = math.exp(-TOUCH.jostled_nats), np.exp(touched), touched.clip(0.0)
    return (np.asarray(np.log(unseen + (1 - unseen) * ratio) - best),
            np.asarray(np.log(1 - jostled + jostled * ratio) - best))


@dataclass(frozen=True)
class Memory:
    """What the pits looked like when their counts were last known.

    stays: int64[pits], the number of each one's stay, -1 if unseen; nats: float64[pits, 26], of each count; looks,
    hands: seen since then, of a move that cannot be identified yet. left: seconds, when a hand last left before that.
    board_kinds: float64[3], log-probabilities of the kinds of board, by how its pits were read so far."""

    stays: I64
    nats: F64
    looks: tuple[LookUnderHands, ...] = ()
    hands: tuple[float, float] = (0.0, 0.0)
    left: float = 0.0
    board_kinds: F64 = field(default_factory=unread_board)

    def with_unread(self, seen: Observation) -> Memory:
        """Add an observation in the middle of a move that cannot be identified yet."""
        south, north = seen.hands
        middle = LookUnderHands(seen.t, seen.loglik, seen.seen, seen.stays, (south >= HANDS.seen, north >= HANDS.seen))
        return replace(self, looks=(*self.looks, *seen.looks, middle), hands=_greater(self.hands, seen.hands))

    def touched(self, seen: Observation) -> F64:
        """float64[pits], log-odds that each pit was touched since its count was last known; 0 where unknown."""
        known = (seen.earlier == self.stays[:, None]) & (self.stays[:, None] >= 0)
        odds = np.where(known, seen.changed, 0.0).sum(axis=1)
        same = (self.stays == seen.stays) & (self.stays >= 0)
        return np.asarray(np.where(seen.seen, np.where(same, -TOUCH.most_nats, odds), 0.0))

    def without(self, pits: Mask) -> Memory:
        """Forget these pits: what they looked like tells nothing about the counts that they hold now."""
        return replace(self, stays=np.where(pits, -1, self.stays), nats=np.where(pits[:, None], 0.0, self.nats))

    def misread(self, counts: Sequence[int]) -> Mask:
        """bool[pits], the pits that held these counts but were read differently."""
        at = np.minimum(counts, COUNTS - 1)
        return np.asarray((self.stays >= 0) & (self.nats[np.arange(len(at)), at] < -TOUCH.taken_for_misread_nats))

    @classmethod
    def unseen(cls, pits: int) -> Memory:
        """Return the memory of pits that nobody has looked at."""
        return cls(np.full(pits, -1, np.int64), np.zeros((pits, COUNTS)))


class Emission:
    """One observation relative to what is remembered, ready to be compared with boards."""

    def __init__(self, memory: Memory, seen: Observation) -> None:
        """memory: of the pits as they were when their counts were last known."""
        self.nats = count_nats(seen.loglik, seen.seen)
        self.remembered, self.observation = memory, seen
        self._same = seen.seen & (memory.stays >= 0) & (seen.stays == memory.stays)
        self._nats, self._nats_before = kinds_of_board(self.nats), kinds_of_board(memory.nats)
        self._touched = memory.touched(seen)
        self._tables: dict[tuple[int, ...], F64] = {}
        self.looks = (*memory.looks, *seen.looks)
        self.memory = Memory(np.where(seen.seen, seen.stays, memory.stays),
                             np.where(seen.seen[:, None], self.nats, memory.nats), left=seen.left,
                             board_kinds=memory.board_kinds)
        self.away = max(0.0, seen.began - memory.left)
        self.most_hands = _greater(memory.hands, seen.hands)
        self.hands = _hands(self.most_hands)

    @cached_property
    def looks_nats(self) -> F64:
        """float64[looks, pits, 27], the nats of each count in each look, by its reading alone; the last are those of
        the count that the observation shows."""
        loglik = np.array([look.loglik for look in self.looks])
        p = np.exp(count_nats(loglik, np.array([look.seen for look in self.looks])))
        p /= p.sum(axis=2, keepdims=True)
        shown = np.exp(self.nats) / np.exp(self.nats).sum(axis=1, keepdims=True)
        p = np.concatenate((p, (p * shown).sum(axis=2, keepdims=True)), axis=2)
        nats = np.log((1 - ALIGN.unreliable) * p + ALIGN.unreliable / COUNTS)
        return np.asarray(nats - nats[..., :COUNTS].max(axis=2, keepdims=True))

    @property
    def moved_on(self) -> bool:
        """Whether a pit was touched since a move was seen in its middle."""
        if not self.remembered.looks:
            return False
        middle = self.remembered.looks[-1]
        since = Memory(np.where(middle.seen, middle.stays, -1), self.nats)
        return bool((since.touched(self.observation) > 0).any())

    @property
    def as_before(self) -> Mask:
        """bool[pits], the pits more likely untouched than touched since their counts were last known; False where that
        is unknown."""
        return np.asarray(self._touched < 0)

    def of_boards(self, before: tuple[int, ...], boards: I64, touched: Mask | None = None) -> F64:
        """float64[n], nats of each of n boards, int64[n, pits], after a board that showed `before`.

        touched: bool[n, pits], the pits touched on the way; by default a pit with an unchanged count may have been
        touched or not, whichever fits better.
        """
        was = np.array(before)
        other = boards != was
        yes, no = touch_nats(self._touched, was)
        either = np.maximum(yes, no)
        # Seeds laid on others and taken off again leave the others in place.
        handled = np.logaddexp(yes, no) - math.log(2)
        kept = either if touched is None else np.where(touched, np.where(was == 0, either, handled), no)
        looks = np.where(other, yes, 0.0).sum(axis=1)
        idle = np.logaddexp(np.where(other, 0.0, kept).sum(axis=1), -TOUCH.most_nats)
        return np.asarray(self._counted(before, boards) + looks + idle)

    def _counted(self, before: tuple[int, ...], boards: I64) -> F64:
        """float64[n], nats of what is read on each board, over the kinds of board that it may be."""
        tables = self._tables.get(before)
        if tables is None:
            was = np.array(before)
            tables = np.stack([self._table(*one, was) for one in zip(self._nats, self._nats_before, strict=True)])
            self._tables[before] = tables
        each = tables[:, np.arange(len(before)), np.minimum(boards, COUNTS - 1)].sum(axis=2)
        return np.asarray(np.logaddexp.reduce(self.remembered.board_kinds[:, None] + each, axis=0))

    def _table(self, nats: F64, before: F64, was: I64) -> F64:
        """float64[pits, 26], nats of each count; for a known stay with its old count only what the newer look adds."""
        table, same = self._misread_again(nats, was), np.flatnonzero(self._same)
        at = np.minimum(was[same], COUNTS - 1)
        table[same, at] = (nats - before)[same, at]
        return table

    def kinds(self, board: Sequence[int]) -> F64:
        """float64[3], log-probabilities that the board is read well, short or badly, if its changed pits hold these
        counts."""
        pits, counts = np.arange(len(board)), np.minimum(board, COUNTS - 1)
        found = self.remembered.board_kinds + np.where(self._same, 0.0, self._nats[:, pits, counts]).sum(axis=1)
        found = np.logaddexp(found - np.logaddexp.reduce(found) + math.log(1 - READING.changes),
                             unread_board() + math.log(READING.changes))
        return np.asarray(found)

    def best(self, before: tuple[int, ...]) -> float:
        """The nats of the best board after one that showed `before`, roughly, as on a board that is read well."""
        was = np.array(before)
        pits, counts = np.arange(len(was)), np.minimum(was, COUNTS - 1)
        held = (self.nats - self.remembered.nats)[pits, counts]
        return float(np.where(self._same, np.maximum(held, -TOUCH.unseen_nats), 0.0).sum())

    def _misread_again(self, nats: F64, was: I64) -> F64:
        """float64[pits, 26], nats of each count, allowing a pit that was misread, holding `was`, to be misread by as
        many again: a knot in the wood stays, and a hidden seed stays hidden. nats: of each count by its reading alone.
        """
        read, at = self.remembered.nats.argmax(axis=1), np.minimum(was, COUNTS - 1)
        wrong = np.flatnonzero(self.remembered.misread(was.tolist()) & (read != at))
        so = np.arange(COUNTS) + (read - at)[wrong, None]
        again = nats[wrong[:, None], so.clip(0, COUNTS - 1)] + math.log(TOUCH.misread_again)
        nats = nats.copy()
        nats[wrong] = np.logaddexp(nats[wrong] + math.log(1 - TOUCH.misread_again), again)
        return nats

    def of_hand(self, player: Side | None) -> float:
        """Nats of the observed hands if only this player's was in play; 0 for None."""
        return 0.0 if player is None else self.hands[player]


def _greater(one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
    return max(one[0], other[0]), max(one[1], other[1])


def _hands(hands: tuple[float, float]) -> tuple[float, float, float]:
    """Nats of the observed hands if South moved, if North did, and if both did; 0 if no hand was seen."""
    total, most, least = sum(hands), max(hands), min(hands)
    if total < HANDS.seen:
        return 0.0, 0.0, 0.0
    came = (least / most - HANDS.absent) / (HANDS.present - HANDS.absent) if least >= HANDS.seen else 0.0
    both = min(1.0, max(0.0, came))
    fits = [h / total * (1.0 if h == most else both) for h in hands]
    south, north, two = (math.log(HANDS.wrong + (1 - HANDS.wrong) * fit) for fit in (*fits, both))
    return south, north, two
