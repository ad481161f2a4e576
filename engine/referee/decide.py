"""From the belief to words: what is said at once, what is waited for, what is asked, and what a later move shows.

A stated loss decides. The likeliest telling is said where its expected loss over all that may have happened is below
that of a question. What is asked stays open: when a later observation settles it, it is answered."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from engine.board import Side
from engine.games.base import Rules
from engine.position import Position
from engine.referee.account import Account, Happening
from engine.referee.belief import Belief
from engine.referee.emission import Memory, stay
from engine.referee.finding import ACCUSING, Finding
from engine.referee.observation import COUNTS, Observation
from engine.referee.parameters import BEAM, HANDS, LOSS, TIMES
from engine.referee.search import Hypothesis
from engine.referee.verdict import NO_DOUBT, Doubt

UNKNOWN = "else"
"""Kind of a happening that the grammar does not hold."""

Key = tuple[tuple[object, ...], ...]
"""Of each happening in an episode the kind, the player and the starting pit."""


class _Stage(IntEnum):
    """Whether a move is in its middle, and whether it is one with a fault."""

    ENDED = 0
    MIDWAY = 1
    MIDWAY_AT_FAULT = 2


class Telling(NamedTuple):
    """What an account says of an episode: what was done in it, and the stage of a move under way."""

    done: Key
    stage: _Stage = _Stage.ENDED


@dataclass
class _Episode:
    """What happened between two observations. since: seconds, of the first observation after it; known: the pits as
    they were remembered before it; said: the newest finding of each happening in it, by its place."""

    number: int
    seen: Observation
    since: float
    known: Memory
    said: dict[int, Finding] = field(default_factory=dict)

    @property
    def settled(self) -> bool:
        """Whether something was said of it that is no question."""
        return bool(self.said) and all(f.kind != "not-sure" for f in self.said.values())

    @property
    def told(self) -> Telling:
        """What was said of it."""
        return Telling(tuple(self.said[place].what.key[:3] for place in sorted(self.said)))


@dataclass(frozen=True)
class _Odds:
    """What may have happened in an episode. of: the probability of each telling (what was done, and the stage of a move
    under way); accounts: those that tell it so, the likeliest first."""

    of: dict[Telling, float]
    accounts: dict[Telling, list[Account]]
    rules: Rules

    @classmethod
    def in_episode(cls, belief: Belief, episode: int) -> _Odds:
        """By the accounts of a belief."""
        now = episode == belief.episode
        odds: dict[Telling, float] = {}
        accounts: dict[Telling, list[Account]] = {}
        for a in belief.accounts:
            key = Telling(tuple(h.key[:3] for h in a.of_episode(episode)), _stage(a) if now else _Stage.ENDED)
            odds[key] = odds.get(key, 0.0) + math.exp(a.nats)
            accounts.setdefault(key, []).append(a)
        return cls(odds, accounts, belief.rules)

    @property
    def best(self) -> Telling:
        """The likeliest."""
        return max(self.of, key=self.of.__getitem__)

    @property
    def happened(self) -> float:
        """Probability that something was done."""
        return sum(p for told, p in self.of.items() if told.done or told.stage)

    @property
    def midway(self) -> float:
        """Probability that a move is in its middle."""
        return sum(p for told, p in self.of.items() if told.stage)

    def loss(self, told: Telling, *, late: bool) -> float:
        """Expected loss of telling that. late: another finding was said of it before."""
        return sum(p * _loss(told, so, late=late) for so, p in self.of.items() if so != told)


def _stage(account: Account) -> _Stage:
    if account.middle is None:
        return _Stage.ENDED
    return _Stage.MIDWAY if account.last_known is None else _Stage.MIDWAY_AT_FAULT


def _loss(told: Telling, so: Telling, *, late: bool) -> float:
    """The loss of telling that where this is so."""
    accuses, guilty = (any(step[0] in ACCUSING for step in one.done) for one in (told, so))
    if accuses and not guilty and so.stage is not _Stage.MIDWAY_AT_FAULT:
        return LOSS.accused_late if late else LOSS.accused
    if guilty and not accuses:
        return LOSS.missed
    return LOSS.misnamed


class Referee:
    """Observes a game and says what was played. Feed it `observe` and `hand`; both return findings.

    belief: after the newest observation; base: before the rest that is being observed, from which each newer
    observation of that rest is weighed.
    """

    def __init__(self, rules: Rules, *starts: Position, memory: Memory | None = None,
                 history: Sequence[Position] = ()) -> None:
        """A game that goes on from a position that is known, or from one of several. memory: the pits as they were
        seen last, None where nobody looked yet; history: the positions before, oldest first."""
        self.base = self.belief = Belief.of_start(rules, *starts, memory=memory, history=history)
        self._open: list[_Episode] = []
        self._began, self._spoken = memory is not None, 0
        self._now: _Episode | None = None
        self._as_said = self.belief
        self._rested = False

    @property
    def waits(self) -> bool:
        """Whether something happened of which nothing was said yet."""
        return self._now is not None and not self._now.said and self._p_happened > TIMES.worth_asking

    def observe(self, seen: Observation, *, over: bool) -> list[Finding]:
        """Take in an observation. A rest is observed again and again while it lasts, from the same belief; over: it has
        ended, and what follows is held against this one."""
        seen = self._since_said(seen)
        if self._now is None or self._now.seen is not seen:
            self.belief = self.base.advanced(seen)
        if not self._began and not seen.disturbed and self._p_happened <= 0.5:
            self.base = self.belief = self.base.settled(seen)
            self._began = over
            return []
        self._began = True
        found: list[Finding] = []
        if self._now is None and (seen.disturbed or self._p_happened > 0.5):
            self._now = _Episode(self.belief.episode, seen, seen.t, self.base.memory)
            self._open.append(self._now)
        if self._now is not None:
            self._now.seen = seen
            found = self._decide(seen, ask=seen.last)
            if self._now.settled and self._odds(self._now).best == self._now.told:
                self._as_said = self.belief
        if over and self._now is not None and _begins_a_move(self._now, seen):
            self._open.remove(self._now)
            self.belief, self._now, self._rested = self.base, None, False
        elif over:
            self._rest_ends()
        return found

    def _rest_ends(self) -> None:
        self.base, self._now, self._rested = self.belief, None, False
        self._open = self._open[-BEAM.open_episodes:]

    def _since_said(self, seen: Observation) -> Observation:
        """The observation, without hands and looks where the board changes after everything about this rest was said:
        no hand did that."""
        if self._now is not None and self._now.settled and seen is not self._now.seen:
            before, still = self._now.seen, seen.rest_s > TIMES.change_s
            if still and bool(((before.stays != seen.stays) & before.seen & seen.seen).any()):
                self.belief = self._as_said
                self._rest_ends()
                self._rested = True
        if not self._rested:
            return seen
        return replace(seen, hands=(0.0, 0.0), looks=(), unwatched=0.0, together=0.0, earlier_s=0.0, began=seen.t,
                       left=seen.t)

    @property
    def _p_happened(self) -> float:
        """Probability that something was done since the observation before."""
        return _Odds.in_episode(self.belief, self.belief.episode).happened

    def _odds(self, episode: _Episode) -> _Odds:
        return _Odds.in_episode(self.belief, episode.number)

    def hand(self, side: int, t: float) -> list[Finding]:
        """A hand of that side's has come after a rest: the other side would hardly begin in the middle of a move."""
        if self._now is not None or not self._open:
            return []
        self.belief = self.base = self.belief.with_hand(side)
        newest = self._open[-1]
        returns = any(a.middle is not None and a.middle[0] == side for a in self.belief.accounts)
        odds = self._odds(newest)
        if returns and odds.midway > TIMES.midway:
            return []  # its hand came back: it may go on
        return self._decide(replace(newest.seen, t=t), ask=True)

    def may_steal(self, side: int, p: float) -> None:
        """That side may take the turn of the other, with that probability."""
        self.belief = self.base = self.base.with_turn(side, p)

    def _decide(self, seen: Observation, *, ask: bool) -> list[Finding]:
        *earlier, newest = self._open
        told = [episode for episode in earlier if episode.said]
        of_newest = self._of_episode(newest, seen, ask=ask)
        ask = ask or bool(of_newest) or self._patience_ends(newest, self._odds(newest), seen)
        found = [f for episode in self._unsaid() for f in self._of_episode(episode, seen, ask=ask)] + of_newest
        if newest.settled:
            found += [f if f.instead_of is None else replace(f, shown_by=newest.said[0].number)
                      for episode in told for f in self._of_episode(episode, seen, ask=True)]
        return found

    def _unsaid(self) -> list[_Episode]:
        """The episodes before the newest of which nothing was said; what was taken back since needs no name."""
        *earlier, newest = self._open
        taken_back = any(kind == "withdrawn" for kind, *_ in self._odds(newest).best.done)
        return [] if taken_back else [episode for episode in earlier if not episode.said]

    def _of_episode(self, episode: _Episode, seen: Observation, *, ask: bool) -> list[Finding]:
        """What is to be said of an episode now."""
        odds = self._odds(episode)
        best = odds.best
        ask = ask or self._patience_ends(episode, odds, seen)
        if best.stage and not ask:
            return []
        happened = odds.accounts[best][0].of_episode(episode.number)
        doubt = _doubt(odds, best, happened, episode)
        if not doubt and (ask or not _held_back(best.done, episode, seen)):
            return list(self._said(episode, happened, odds, seen))
        asks = ask and (episode.seen.disturbed or seen.last or self._patience_ends(episode, odds, seen))
        if episode.said or not asks:
            return []
        return self._asked(episode, odds, seen, doubt or Doubt.IMPROBABLE)

    def _patience_ends(self, episode: _Episode, odds: _Odds, seen: Observation) -> bool:
        """Whether so long was waited that people are asked."""
        if not episode.seen.disturbed:
            return seen.t - episode.since >= TIMES.unseen_s
        return seen.rest_s >= (TIMES.ask_midway_s if odds.midway > TIMES.midway else TIMES.ask_s)

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
            finding = self._in_place_of(what.went_on_from, finding)
            episode.said[place] = finding
            self._spoken += 1
            yield finding

    def _in_place_of(self, number: int, finding: Finding) -> Finding:
        """The finding with `replaces` set where its hand went on with a move of this episode; the episode is closed."""
        before = next((e for e in self._open if e.number == number and e.said), None)
        if before is None or finding.instead_of is not None:
            return finding
        self._open.remove(before)
        return replace(finding, replaces=before.said[max(before.said)].number)

    def _asked(self, episode: _Episode, odds: _Odds, seen: Observation, doubt: Doubt) -> list[Finding]:
        """A question about the likeliest happening, if any is likely."""
        ranked = sorted(odds.of.items(), key=lambda one: -one[1])
        told, p = next(((told, p) for told, p in ranked if told.done), (None, 0.0))
        if told is not None and p >= TIMES.worth_asking:
            what = odds.accounts[told][0].of_episode(episode.number)[0]
        elif odds.happened > 1 - TIMES.worth_asking:
            what = _something(odds.accounts[odds.best][0], episode)
        else:
            return []
        finding = self._finding(episode, "not-sure", what, odds, 0, seen.t)
        episode.said[0] = self._in_place_of(what.went_on_from, replace(finding, doubt=doubt))
        self._spoken += 1
        return [episode.said[0]]

    def _finding(self, episode: _Episode, kind: str, what: Happening, odds: _Odds, place: int, t: float) -> Finding:
        alike: dict[tuple[object, ...], tuple[Happening, float]] = {}
        rivals: dict[tuple[int, ...], tuple[Happening | None, float]] = {}
        for a in (a for some in odds.accounts.values() for a in some):
            happened, p = a.of_episode(episode.number), math.exp(a.nats)
            h = happened[place] if len(happened) > place else None
            if h is not None:
                alike[h.key] = alike.get(h.key, (h, 0.0))[0], alike.get(h.key, (h, 0.0))[1] + p
            left = what.before.counts if h is None else h.after.counts
            if left != what.after.counts:
                rivals[left] = rivals.get(left, (h, 0.0))[0], rivals.get(left, (h, 0.0))[1] + p
        others = [(h, p) for h, p in alike.values() if h.key != what.key and h.after.counts == what.after.counts]
        others.sort(key=lambda one: -one[1])
        rival = max(rivals.values(), key=lambda one: one[1], default=None)
        return Finding(self._spoken, t, kind, what, alike.get(what.key, (what, 0.0))[1], episode.seen,
                       tuple(others[:BEAM.others]), rival)


def _something(account: Account, episode: _Episode) -> Happening:
    """What was done is not known, though something was."""
    side = None if account.middle is None else account.middle[0]
    h = Hypothesis(UNKNOWN, 0.0, account.shown, side, position=account.position)
    return Happening(episode.number, h, account.position, account.position)


def _doubt(odds: _Odds, told: Telling, happened: Sequence[Happening], episode: _Episode) -> Doubt:
    """Why that may not be told, if there is a reason."""
    doubt = Doubt.MIDWAY if told.stage or odds.accounts[told][0].last_known is not None else NO_DOUBT
    if any(h.what.kind == UNKNOWN for h in happened):
        doubt |= Doubt.UNKNOWN
    if not _watched(happened, episode.seen):
        doubt |= Doubt.UNWATCHED
    if happened and _contradicted(happened, episode):
        doubt |= Doubt.PLAINLY_OFF
    if happened and _laid_otherwise(odds.rules, happened, episode.seen):
        doubt |= Doubt.PLAINLY_OFF
    if any(_absent(h.what.player, episode.seen) for h in happened if h.what.kind in ACCUSING):
        doubt |= Doubt.HAND_ABSENT
    if odds.loss(told, late=bool(episode.said)) >= LOSS.question:
        doubt |= Doubt.IMPROBABLE
    return doubt


def _begins_a_move(now: _Episode, seen: Observation) -> bool:
    """Whether a change with no hand seen was the beginning of what the hand does that has come since."""
    return not (seen.disturbed or seen.last or now.said) and seen.t - now.since < TIMES.change_s


def _contradicted(happened: Sequence[Happening], episode: _Episode) -> bool:
    """Whether the pits that were read rightly before together contradict the board this leaves: two or more seeds off,
    or empty where seeds should be, or the other way round."""
    seen = episode.seen
    if happened[-1].begun:
        return False
    left = happened[-1].after.counts
    pits, counts = np.arange(len(left)), np.minimum(left, COUNTS - 1)
    read = seen.loglik.argmax(axis=1)
    off = (np.abs(read - counts) >= 2) | ((read == 0) != (counts == 0))
    misread = episode.known.misread(happened[0].before.counts)
    return bool(stay(seen.loglik, seen.seen)[pits, counts][off & ~misread].sum() < -LOSS.plain_nats)


def _laid_otherwise(rules: Rules, happened: Sequence[Happening], seen: Observation) -> bool:
    """Whether somebody would be accused, by another board than is read, where both sides may lay their seeds."""
    if not rules.arranges(happened[0].before) or all(h.what.kind not in ACCUSING for h in happened):
        return False
    left = np.minimum(happened[-1].after.counts, COUNTS - 1)
    return bool((seen.seen & (seen.loglik.argmax(axis=1) != left)).any())


def _absent(side: Side | None, seen: Observation) -> bool:
    """Whether that side's hand was not there, and the other's plainly was."""
    if side is None or max(seen.hands) < HANDS.plain:
        return False
    return seen.hands[side] < HANDS.absent * seen.hands[side.other]


def _watched(happened: Sequence[Happening], seen: Observation) -> bool:
    """Whether enough was watched to say this: somebody watched all the time, or nobody is accused, it is one move, and
    its hand was seen to leave since."""
    if not seen.unwatched or not happened:
        return True
    player = happened[0].what.player
    left = max(seen.lasts) if player is None else seen.lasts[player]
    return len(happened) == 1 and happened[0].what.kind not in ACCUSING and left > seen.unwatched


def _held_back(told: Key, episode: _Episode, seen: Observation) -> bool:
    """Whether that is held back: seeds settle, and hands come back."""
    accuses = any(step[0] in ACCUSING for step in told)
    if not episode.seen.disturbed:
        return seen.t - episode.since < (TIMES.unseen_s if accuses else TIMES.change_s)
    return accuses and seen.rest_s < TIMES.accuse_s


def weighed(rules: Rules, before: Position, seen: Observation, history: Sequence[Position] = ()) -> list[Finding]:
    """What happened between a position and one observation that is held against it, and that nothing follows; none
    where nothing did. history: earlier positions, oldest first."""
    referee = Referee(rules, before, memory=Memory.unseen(before.board.pits), history=history)
    return referee.observe(replace(seen, last=True), over=True)
