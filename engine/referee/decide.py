"""Turns the belief into findings: what to say at once, what to wait for, what to ask, and what a later move reveals.

A stated loss decides: the likeliest description is stated if its expected loss over all that may have happened is below
that of a question. A question stays open: it is answered when a later observation settles it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeVar

import numpy as np

from engine.board import Side
from engine.games.base import Rules
from engine.position import Position
from engine.referee.account import Account, Happening
from engine.referee.belief import Belief
from engine.referee.emission import Memory, count_nats
from engine.referee.finding import ACCUSING, Finding
from engine.referee.observation import COUNTS, Observation
from engine.referee.parameters import BEAM, HANDS, LOSS, THRESHOLDS, TIMES
from engine.referee.search import Hypothesis
from engine.verdict import NO_DOUBT, Doubt

UNKNOWN = "else"
"""Kind of a happening outside the grammar."""

Key = tuple[tuple[object, ...], ...]
"""`Happening.told` of each happening of an episode."""
_By = TypeVar("_By")
_Done = TypeVar("_Done")


class Telling(NamedTuple):
    """An account's description of an episode. done: what was done in it; midway: whether a move is in its middle;
    wrong: whether that one has a fault."""

    done: Key
    midway: bool = False
    wrong: bool = False


@dataclass
class _Episode:
    """What happened between two observations. since: seconds, time of the first observation after it; known: the memory
    of the pits before it; said: the newest finding about each of its happenings, by index."""

    number: int
    seen: Observation
    since: float
    known: Memory
    said: dict[int, Finding] = field(default_factory=dict)

    @property
    def answered(self) -> bool:
        """Whether something other than a question was said about it."""
        return bool(self.said) and all(f.kind != "not-sure" for f in self.said.values())

    @property
    def told(self) -> Telling:
        """The description that was stated."""
        return Telling(tuple(self.said[place].what.told for place in sorted(self.said)))


@dataclass(frozen=True)
class _Odds:
    """What may have happened in an episode. of: the probability of each description; accounts: those with that
    description, likeliest first."""

    of: dict[Telling, float]
    accounts: dict[Telling, list[Account]]

    @classmethod
    def in_episode(cls, belief: Belief, episode: int) -> _Odds:
        """Collect the descriptions of an episode from the accounts of a belief."""
        now = episode == belief.episode
        accounts: dict[Telling, list[Account]] = {}
        for a in belief.accounts:
            done = tuple(h.told for h in a.of_episode(episode))
            told = Telling(done, now and a.middle is not None, now and a.last_known is not None)
            accounts.setdefault(told, []).append(a)
        return cls({told: sum(math.exp(a.nats) for a in some) for told, some in accounts.items()}, accounts)

    @property
    def best(self) -> Telling:
        """The likeliest description."""
        return max(self.of, key=self.of.__getitem__)

    @property
    def happened(self) -> float:
        """Probability that something was done."""
        return sum(p for told, p in self.of.items() if told.done or told.midway)

    @property
    def midway(self) -> float:
        """Probability that a move is in its middle."""
        return sum(p for told, p in self.of.items() if told.midway)

    def loss(self, told: Telling, *, late: bool) -> float:
        """The expected loss of the finding `told`. late: it would correct an earlier finding on the same episode."""
        return sum(p * _loss(told, so, late=late) for so, p in self.of.items()
                   if so != told and not self._named_beside(told, so))

    def _named_beside(self, told: Telling, so: Telling) -> bool:
        """Whether the finding names this as another fault of the same player that leaves the same board."""
        if not told.done or told.midway or so.midway or [(kind, player) for kind, player, _ in told.done] != [
                (kind, player) for kind, player, _ in so.done] or told.done[-1][0] not in ACCUSING:
            return False
        return self.accounts[told][0].shown == self.accounts[so][0].shown


def _loss(told: Telling, so: Telling, *, late: bool) -> float:
    """The loss of stating `told` if `so` is true."""
    accuses, guilty = (any(step[0] in ACCUSING for step in one.done) for one in (told, so))
    if accuses and not guilty and not so.wrong:
        return LOSS.accused_late if late else LOSS.accused
    if guilty and not accuses:
        return LOSS.missed
    return LOSS.misnamed


class Referee:
    """Observes a game and says what was played. Call `observe` and `hand`; both return findings.

    belief: after the newest observation; base: before the rest being observed; each newer observation of that rest is
    weighed from there.
    """

    def __init__(self, rules: Rules, *starts: Position, memory: Memory | None = None,
                 history: Sequence[Position] = ()) -> None:
        """Begin with a known position, or with one of several. memory: the pits as last seen, None if nobody looked
        yet; history: the positions before, oldest first."""
        self.base = self.belief = Belief.of_start(rules, *starts, memory=memory, history=history)
        self._open: list[_Episode] = []
        self._began = memory is not None  # the pits have been looked at
        self._spoken = 0  # number of the newest finding
        self._now: _Episode | None = None
        self._as_said = self.belief  # when everything about this rest was said
        self._rested = False  # the rest goes on since then, though the board changed without a hand

    @property
    def waits(self) -> bool:
        """Whether something happened about which nothing was said yet."""
        return self._now is not None and not self._now.said and self._p_happened > 1 - THRESHOLDS.likely

    def observe(self, seen: Observation, *, over: bool) -> list[Finding]:
        """Take in an observation and return findings. While a rest lasts it is observed repeatedly, each time from the
        same belief. over: the rest has ended, and later observations are compared with this one."""
        seen = self._since_said(seen)
        if self._now is None or self._now.seen is not seen:
            self.belief = self.base.advanced(seen)
        if not self._began and not seen.disturbed and self._p_happened <= 0.5:
            self.base = self.belief = self.base.with_pits_as_now(seen)
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
            if self._now.answered and self._odds(self._now).best == self._now.told:
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
        """Return the observation without hands and looks if the board changes after everything about this rest was
        said: no hand did that."""
        if self._now is not None and self._now.answered and seen is not self._now.seen:
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
        """Probability that something was done since the previous observation."""
        return _Odds.in_episode(self.belief, self.belief.episode).happened

    def _odds(self, episode: _Episode) -> _Odds:
        return _Odds.in_episode(self.belief, episode.number)

    def hand(self, side: int, t: float) -> list[Finding]:
        """Take in that a side's hand came after a rest: the other side would hardly begin in the middle of a move."""
        if self._now is not None or not self._open:
            return []
        self.belief = self.base = self.belief.with_hand(side)
        newest = self._open[-1]
        returns = any(a.middle is not None and a.middle[0] == side for a in self.belief.accounts)
        odds = self._odds(newest)
        if returns and odds.midway > THRESHOLDS.midway:
            return []  # the player's own hand came back and may continue the move
        return self._decide(replace(newest.seen, t=t), ask=True)

    def may_steal(self, side: int, p: float) -> None:
        """Take in that this side may take the other's turn, with probability p."""
        self.belief = self.base = self.base.with_turn(side, p)

    def _decide(self, seen: Observation, *, ask: bool) -> list[Finding]:
        *earlier, newest = self._open
        told = [episode for episode in earlier if episode.said]
        of_newest = self._of_episode(newest, seen, ask=ask)
        ask = ask or bool(of_newest) or self._patience_ends(newest, self._odds(newest), seen)
        found = [f for episode in self._unsaid() for f in self._of_episode(episode, seen, ask=ask)] + of_newest
        if newest.answered:
            found += [f if f.instead_of is None else replace(f, shown_by=newest.said[0].number)
                      for episode in told for f in self._of_episode(episode, seen, ask=True)]
        return found

    def _unsaid(self) -> list[_Episode]:
        """The earlier episodes about which nothing was said; if their move was taken back, it needs no name."""
        *earlier, newest = self._open
        taken_back = any(kind == "withdrawn" for kind, *_ in self._odds(newest).best.done)
        return [] if taken_back else [episode for episode in earlier if not episode.said]

    def _of_episode(self, episode: _Episode, seen: Observation, *, ask: bool) -> list[Finding]:
        """Return what to say about an episode now."""
        odds = self._odds(episode)
        best = odds.best
        ask = ask or self._patience_ends(episode, odds, seen)
        if best.midway and not ask:
            return []
        happened = odds.accounts[best][0].of_episode(episode.number)
        doubt = _doubt(odds, happened, episode)
        if not doubt and (ask or not _held_back(best.done, episode, seen)):
            return list(self._said(episode, odds, seen))
        asks = ask and (episode.seen.disturbed or seen.last or self._patience_ends(episode, odds, seen))
        if episode.said or not asks:
            return []
        return self._asked(episode, odds, seen, doubt or Doubt.IMPROBABLE)

    def _patience_ends(self, episode: _Episode, odds: _Odds, seen: Observation) -> bool:
        """Whether the wait was long enough to ask people."""
        if not episode.seen.disturbed:
            return seen.t - episode.since >= TIMES.ask_s
        return seen.rest_s >= (TIMES.ask_midway_s if odds.midway > THRESHOLDS.midway else TIMES.ask_s)

    def _said(self, episode: _Episode, odds: _Odds, seen: Observation) -> Iterator[Finding]:
        account = odds.accounts[odds.best][0]
        for place, what in enumerate(account.of_episode(episode.number)):
            finding = self._finding(episode, what.what.kind, what, odds, place, seen.t)
            before = episode.said.get(place)
            told = self._moved_here(finding, account) if before is None else None
            if told is not None:
                episode.said[place] = told
                continue
            if before is not None:
                if finding.tells_like(before):
                    continue
                first = before.number if before.instead_of is None else before.instead_of
                finding = replace(finding, instead_of=first)
            finding = self._in_place_of(what.went_on_from, finding)
            episode.said[place] = finding
            self._spoken += 1
            yield finding

    def _moved_here(self, finding: Finding, account: Account) -> Finding | None:
        """Take a finding that says the same out of an earlier episode in which the account no longer has that
        happening, and return it: it is one happening, told already. None if there is none."""
        for earlier in self._open:
            places = len(account.of_episode(earlier.number))
            for place, said in earlier.said.items():
                if earlier.number < finding.what.episode and place >= places and finding.tells_like(said):
                    return earlier.said.pop(place)
        return None

    def _in_place_of(self, number: int, finding: Finding) -> Finding:
        """Set the finding's `replaces` if its hand continued a move of this episode, which is then closed."""
        before = next((e for e in self._open if e.number == number and e.said), None)
        if before is None or finding.instead_of is not None:
            return finding
        self._open.remove(before)
        return replace(finding, replaces=before.said[max(before.said)].number)

    def _asked(self, episode: _Episode, odds: _Odds, seen: Observation, doubt: Doubt) -> list[Finding]:
        """Return a question about the likeliest happening, if any is likely enough."""
        ranked = sorted(odds.of.items(), key=lambda one: -one[1])
        told, p = next(((told, p) for told, p in ranked if told.done), (None, 0.0))
        if told is not None and p >= 1 - THRESHOLDS.likely:
            what = odds.accounts[told][0].of_episode(episode.number)[0]
        elif odds.happened > THRESHOLDS.likely:
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
                _add(alike, h.key, h, p)
            lies = what.before.counts if h is None else h.after.counts
            if lies != what.after.counts:
                _add(rivals, lies, h, p)
        others = [(h, p) for h, p in alike.values() if h.key != what.key and h.after.counts == what.after.counts]
        others.sort(key=lambda one: -one[1])
        rival = max(rivals.values(), key=lambda one: one[1], default=None)
        return Finding(self._spoken, t, kind, what, alike.get(what.key, (what, 0.0))[1], episode.seen,
                       tuple(others[:BEAM.others]), rival)


def _add(odds: dict[_By, tuple[_Done, float]], key: _By, first: _Done, p: float) -> None:
    """Add to the probability of a key, which keeps the first happening that it came with."""
    kept, so_far = odds.get(key, (first, 0.0))
    odds[key] = kept, so_far + p


def _something(account: Account, episode: _Episode) -> Happening:
    """Return a happening of unknown kind, for when something was done but not identified."""
    side = None if account.middle is None else account.middle[0]
    h = Hypothesis(UNKNOWN, 0.0, account.shown, side, position=account.position)
    return Happening(episode.number, h, account.position, account.position)


def _doubt(odds: _Odds, happened: Sequence[Happening], episode: _Episode) -> Doubt:
    """Return the reasons not to state the likeliest description, if any."""
    told = odds.best
    doubt = Doubt.MIDWAY if told.midway or odds.accounts[told][0].last_known is not None else NO_DOUBT
    if any(h.what.kind == UNKNOWN for h in happened):
        doubt |= Doubt.UNKNOWN
    if not _watched(happened, episode.seen):
        doubt |= Doubt.UNWATCHED
    if happened and _contradicted(happened, episode):
        doubt |= Doubt.PLAINLY_OFF
    if any(_absent(h.what.player, episode.seen) for h in happened if h.what.kind in ACCUSING):
        doubt |= Doubt.HAND_ABSENT
    if odds.loss(told, late=bool(episode.said)) >= 1.0:  # the loss of a question
        doubt |= Doubt.IMPROBABLE
    return doubt


def _begins_a_move(now: _Episode, seen: Observation) -> bool:
    """Whether a change without a visible hand was the beginning of the move of the hand that has come since."""
    return not (seen.disturbed or seen.last or now.said) and seen.t - now.since < TIMES.change_s


def _contradicted(happened: Sequence[Happening], episode: _Episode) -> bool:
    """Whether the pits that were read rightly before together contradict the resulting board: two or more seeds off, or
    empty instead of filled or the reverse."""
    seen = episode.seen
    if happened[-1].begun:
        return False
    lies = happened[-1].after.counts
    pits, counts = np.arange(len(lies)), np.minimum(lies, COUNTS - 1)
    off = seen.plainly_off(lies) & ~episode.known.misread(happened[0].before.counts)
    return bool(count_nats(seen.loglik, seen.seen)[pits, counts][off].sum() < -THRESHOLDS.plain_nats)


def _absent(side: Side | None, seen: Observation) -> bool:
    """Whether that side's hand was absent and the other's plainly present."""
    if side is None or max(seen.hands) < HANDS.plain:
        return False
    return seen.hands[side] < HANDS.absent * seen.hands[side.other]


def _watched(happened: Sequence[Happening], seen: Observation) -> bool:
    """Whether enough was watched to state this: somebody watched all the time, or it is a single move that accuses
    nobody and whose hand was seen to leave afterwards."""
    if not seen.unwatched or not happened:
        return True
    player = happened[0].what.player
    last = max(seen.lasts) if player is None else seen.lasts[player]
    return len(happened) == 1 and happened[0].what.kind not in ACCUSING and last > seen.unwatched


def _held_back(told: Key, episode: _Episode, seen: Observation) -> bool:
    """Whether to hold that back for now, since seeds settle and hands come back."""
    accuses = any(step[0] in ACCUSING for step in told)
    if not episode.seen.disturbed:
        return seen.t - episode.since < (TIMES.ask_s if accuses else TIMES.change_s)
    return accuses and seen.rest_s < TIMES.accuse_s


def weighed(rules: Rules, before: Position, seen: Observation, history: Sequence[Position] = ()) -> list[Finding]:
    """Return what happened between a position and a single observation; empty if nothing did. history: earlier
    positions, oldest first."""
    referee = Referee(rules, before, memory=Memory.unseen(before.board.pits), history=history)
    return referee.observe(replace(seen, last=True), over=True)
