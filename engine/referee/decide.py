"""From the belief to words: what is said at once, what is waited for, what is asked, and what a later move shows.

A stated loss decides. Of each thing that may be said its expected loss is summed over what may have happened; it is
said where that is less than the loss of a question. What is asked stays open: when a later observation settles it, it
is answered.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from engine.games.base import Rules
from engine.position import Position
from engine.referee.account import Account, Happening
from engine.referee.belief import Belief
from engine.referee.observation import Observation
from engine.referee.parameters import LOSS, TIMES

ACCUSING = ("illegal", "tampered")
"""Kinds of happenings by which somebody did wrong."""
UNKNOWN = "else"
"""Kind of a happening that the grammar does not hold."""

Key = tuple[tuple[object, ...], ...]
"""What is told of an episode: of each happening in it the kind, the player and the starting pit."""


@dataclass(frozen=True)
class Finding:
    """What the referee says of one happening.

    number: of this finding in its game, from 0. t: seconds, when it is said. kind: that of the happening, or
    `not-sure`. what: the likeliest happening. p: its probability, which is that of the very sentence. others: other
    happenings that leave the same board, with their probabilities. began, left: seconds, when the first hand came and
    the last one left. instead_of: the number of the finding that this one answers; shown_by: that of the later one
    that shows it.
    """

    number: int
    t: float
    kind: str
    what: Happening
    p: float
    began: float
    left: float
    others: tuple[tuple[Happening, float], ...] = ()
    instead_of: int | None = None
    shown_by: int | None = None

    def tells_like(self, other: Finding) -> bool:
        """Whether both say that the same was done."""
        return self.kind == other.kind and self.what.key[:3] == other.what.key[:3]


@dataclass
class _Episode:
    """What happened between two observations. said: the newest finding of each happening in it, by its place."""

    number: int
    seen: Observation
    said: dict[int, Finding] = field(default_factory=dict)


@dataclass(frozen=True)
class _Odds:
    """What may have happened in an episode. of: the probability of each way to tell it, and whether a move is in its
    middle; accounts: those of each, the likeliest first."""

    of: dict[tuple[Key, bool], float]
    accounts: dict[tuple[Key, bool], list[Account]]

    @classmethod
    def in_episode(cls, belief: Belief, episode: int) -> _Odds:
        """By the accounts of a belief."""
        now = episode == belief.episode
        odds: dict[tuple[Key, bool], float] = {}
        accounts: dict[tuple[Key, bool], list[Account]] = {}
        for a in belief.accounts:
            key = tuple(h.key[:3] for h in a.of_episode(episode)), now and a.middle is not None
            odds[key] = odds.get(key, 0.0) + math.exp(a.nats)
            accounts.setdefault(key, []).append(a)
        return cls(odds, accounts)

    @property
    def best(self) -> tuple[Key, bool]:
        """The likeliest."""
        return max(self.of, key=self.of.__getitem__)

    @property
    def midway(self) -> float:
        """Probability that a move is in its middle."""
        return sum(p for (_, middle), p in self.of.items() if middle)

    def loss(self, told: tuple[Key, bool], *, late: bool) -> float:
        """Expected loss of telling that. late: another finding was said of it before."""
        return sum(p * _loss(told, so, late=late) for so, p in self.of.items() if so != told)


def _loss(told: tuple[Key, bool], so: tuple[Key, bool], *, late: bool) -> float:
    """The loss of telling that where this is so."""
    accuses, guilty = (any(step[0] in ACCUSING for step in key) for key, _ in (told, so))
    if accuses and not guilty:
        return LOSS.accused_late if late else LOSS.accused
    if guilty and not accuses:
        return LOSS.missed
    return LOSS.misnamed


class Referee:
    """Observes a game and says what was played. Feed it `observe` and `hand`; both return findings."""

    def __init__(self, rules: Rules, start: Position) -> None:
        """A game about to begin from a position that is known."""
        self.base = self.belief = Belief.of_start(rules, start)
        self._open: list[_Episode] = []
        self._began, self._spoken = False, 0
        self._now: _Episode | None = None

    def observe(self, seen: Observation, *, over: bool) -> list[Finding]:
        """Take in an observation. A rest is observed again and again while it lasts, from the same belief; over: it has
        ended, and what follows is held against this one."""
        if not self._began and not seen.disturbed:
            self.base = self.belief = self.base.settled(seen)
            self._began = over
            return []
        self._began = True
        if self._now is None or self._now.seen is not seen:
            self.belief = self.base.advanced(seen)
        found: list[Finding] = []
        if seen.disturbed:
            if self._now is None:
                self._now = _Episode(self.belief.episode, seen)
                self._open.append(self._now)
            self._now.seen = seen
            found = self._decide(seen, ask=seen.last)
        if over:
            self.base, self._now = self.belief, None
            self._open = self._open[-TIMES.open_episodes:]
        return found

    def hand(self, side: int, t: float) -> list[Finding]:
        """A hand of that side's has come after a rest: the other side would hardly begin in the middle of a move."""
        if self._now is not None or not self._open:
            return []
        self.belief = self.base = self.belief.with_hand(side)
        newest = self._open[-1]
        returns = any(a.middle is not None and a.middle[0] == side for a in self.belief.accounts)
        odds = _Odds.in_episode(self.belief, newest.number)
        if returns and odds.midway > TIMES.midway:
            return []  # its hand came back: it may go on
        return self._decide(replace(newest.seen, t=t), ask=True)

    def _decide(self, seen: Observation, *, ask: bool) -> list[Finding]:
        found: list[Finding] = []
        for episode in self._open:
            found += self._of_episode(episode, seen, ask=ask or episode is not self._open[-1])
        newest = self._open[-1].said.get(0)
        shown_by = None if newest is None else newest.number
        return [f if f.instead_of is None or f.number == shown_by else replace(f, shown_by=shown_by) for f in found]

    def _of_episode(self, episode: _Episode, seen: Observation, *, ask: bool) -> list[Finding]:
        """What is to be said of an episode now."""
        odds = _Odds.in_episode(self.belief, episode.number)
        best = odds.best
        if best[1] and not ask:
            return []
        happened = odds.accounts[best][0].of_episode(episode.number)
        if _may_be_said(odds, best, happened, late=bool(episode.said)) and (ask or not _waits(best[0], seen)):
            return list(self._said(episode, happened, odds, seen))
        patience = TIMES.ask_midway_s if odds.midway > TIMES.midway else TIMES.ask_s
        if episode.said or not (ask or seen.rest_s >= patience):
            return []
        return self._asked(episode, odds, seen)

    def _said(self, episode: _Episode, happened: Sequence[Happening], odds: _Odds, seen: Observation
              ) -> Iterator[Finding]:
        for place, what in enumerate(happened):
            finding = self._finding(episode, what.what.kind, what, odds, place, seen.t)
            before = episode.said.get(place)
            if before is not None:
                if finding.tells_like(before):
                    continue
                first = before.number if before.instead_of is None else before.instead_of
                finding = replace(finding, instead_of=first)
            episode.said[place] = finding
            self._spoken += 1
            yield finding

    def _asked(self, episode: _Episode, odds: _Odds, seen: Observation) -> list[Finding]:
        """A question about the likeliest happening, if any is likely."""
        ranked = sorted(odds.of.items(), key=lambda one: -one[1])
        key, p = next(((key, p) for key, p in ranked if key[0]), (None, 0.0))
        if key is None or p < TIMES.worth_asking:
            return []
        what = odds.accounts[key][0].of_episode(episode.number)[0]
        episode.said[0] = self._finding(episode, "not-sure", what, odds, 0, seen.t)
        self._spoken += 1
        return [episode.said[0]]

    def _finding(self, episode: _Episode, kind: str, what: Happening, odds: _Odds, place: int, t: float) -> Finding:
        alike: dict[tuple[object, ...], tuple[Happening, float]] = {}
        for some in odds.accounts.values():
            for a in some:
                happened = a.of_episode(episode.number)
                if len(happened) > place:
                    h = happened[place]
                    alike[h.key] = alike.get(h.key, (h, 0.0))[0], alike.get(h.key, (h, 0.0))[1] + math.exp(a.nats)
        others = [(h, p) for h, p in alike.values() if h.key != what.key and h.after.counts == what.after.counts]
        others.sort(key=lambda one: -one[1])
        return Finding(self._spoken, t, kind, what, alike[what.key][1], episode.seen.began, episode.seen.left,
                       tuple(others[:TIMES.others]))


def _may_be_said(odds: _Odds, told: tuple[Key, bool], happened: Sequence[Happening], *, late: bool) -> bool:
    """Whether telling that costs less than a question."""
    if told[1] or any(h.what.kind == UNKNOWN for h in happened):
        return False
    return odds.loss(told, late=late) < LOSS.question


def _waits(told: Key, seen: Observation) -> bool:
    """Whether an accusation is held back: seeds settle, and hands come back."""
    return any(step[0] in ACCUSING for step in told) and seen.rest_s < TIMES.accuse_s

