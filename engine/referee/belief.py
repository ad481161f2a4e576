"""The belief: some dozens of accounts, updated from observation to observation."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.board import Side
from engine.games.base import Rules
from engine.position import Position
from engine.referee import grammar
from engine.referee.account import TOLD_BY_BOARD, Account, Happening
from engine.referee.alignment import Looks, align
from engine.referee.emission import Emission, Memory
from engine.referee.grammar import Way, Ways
from engine.referee.observation import I64, Observation
from engine.referee.parameters import ALIGN, BEAM, PRIORS, THRESHOLDS
from engine.referee.search import continuations


@dataclass(frozen=True)
class Belief:
    """A weighted set of possible games. accounts: likeliest first, their weights sum to one less what was cut; memory:
    the newest look at each pit; episode: number of the newest episode, from 1; nats: log-likelihood of the newest
    observation, over all accounts."""

    rules: Rules
    accounts: tuple[Account, ...]
    memory: Memory
    episode: int = 0
    nats: float = 0.0

    @classmethod
    def of_start(cls, rules: Rules, *starts: Position, memory: Memory | None = None,
                 history: Sequence[Position] = ()) -> Belief:
        """Begin with a known position, or with several equally likely ones. memory: the pits as last seen; history: the
        positions before, oldest first."""
        accounts = tuple(Account(start, start.counts, history=tuple(history)[-BEAM.history:],
                                 nats=-math.log(len(starts))) for start in starts)
        return cls(rules, accounts, memory or Memory.unseen(starts[0].board.pits))

    @property
    def position(self) -> tuple[Position, float]:
        """The likeliest position after the last completed move, and the probability that the board lies so."""
        alike: dict[tuple[object, ...], list[Account]] = {}
        for a in self.accounts:
            alike.setdefault((a.position.counts, a.position.captured, a.middle is None), []).append(a)
        odds = [(sum(math.exp(a.nats) for a in some), some[0]) for some in alike.values()]
        p, best = max(odds, key=lambda one: one[0])
        return best.position, p if best.middle is None else 0.0

    def with_turn(self, side: int, p: float) -> Belief:
        """Return the belief extended by accounts in which it is `side`'s turn, with probability p > 0 relative to the
        others."""
        return self._with([*self.accounts, *(
            replace(a, position=replace(a.position, to_move=a.position.to_move.other), nats=a.nats + math.log(p))
            for a in self.accounts if a.position.to_move != side and a.middle is None)])

    def with_hand(self, side: int) -> Belief:
        """Return the belief after a hand of `side` has ended a rest. Accounts in the middle of the other side's move
        become less likely: hardly anybody reaches in then."""
        return self._with([replace(a, nats=a.nats + math.log(PRIORS.interrupted))
                           if a.middle is not None and a.middle[0] != side else a for a in self.accounts])

    def with_pits_as_now(self, seen: Observation) -> Belief:
        """Return the same accounts with the pits as they look now. Call it only while nothing has happened since the
        start."""
        return replace(self, memory=self._learned(Emission(self.memory, seen), self.accounts[0]))

    def advanced(self, seen: Observation) -> Belief:
        """Return the belief after an observation."""
        memories = {id(m): m for m in (self.memory, *(a.last_known for a in self.accounts)) if m is not None}
        emissions = {key: Emission(memory, seen) for key, memory in memories.items()}
        roots = [(account, emissions[id(account.last_known or self.memory)]) for account in self.accounts]
        found: list[WeighedWay] = []
        for account, emission in roots:
            _add_candidates(found, account, grammar.harmless(self.rules, account, emission), emission)
        for account, emission in roots[: BEAM.roots]:
            if _wants_faults(account, found, emission):
                _add_candidates(found, account, grammar.faulty(self.rules, account, emission), emission)
        found = _best(found)
        _align(self.rules, found)
        total = float(np.logaddexp.reduce([c.nats for c in found]))
        after = replace(self, episode=self.episode + 1, nats=total)._with(
            [c.account(self.episode + 1) for c in found])
        return replace(after, memory=self._learned(emissions[id(self.memory)], after.accounts[0]))

    def _learned(self, seen: Emission, best: Account) -> Memory:
        """The pits as they look now, those forgotten that were hidden while the best account changed their counts; and
        if that account is likely and not in the middle of a move, what its counts say about how the board is read."""
        hidden = ~seen.observation.seen & (np.array(best.shown) != np.array(self.accounts[0].shown))
        memory = seen.memory.without(hidden)
        if best.middle is not None or best.nats < math.log(THRESHOLDS.likely):
            return memory
        return replace(memory, board_kinds=seen.kinds(best.shown))

    def _with(self, accounts: Iterable[Account]) -> Belief:
        """Return the belief in these accounts, without the unlikely ones. Accounts that are described alike and
        continue alike become the likeliest of them, with the weight of all. They may differ in when each move ended: a
        hand may come back to a move that had ended."""
        found: dict[object, Account] = {}
        for a in accounts:
            key = (a.position.counts, a.position.to_move, a.position.captured, a.shown, a.middle is None,
                   id(a.last_known), tuple((h.before.counts, h.key) for h in a.path[-BEAM.history:]))
            other = found.get(key)
            if other is not None:
                a = replace(a if a.nats > other.nats else other, nats=float(np.logaddexp(a.nats, other.nats)))
            found[key] = a
        ranked = sorted(found.values(), key=lambda one: -one.nats)
        total = float(np.logaddexp.reduce([a.nats for a in ranked]))
        return replace(self, accounts=tuple(replace(a, nats=a.nats - total) for a in ranked[: BEAM.accounts]
                                            if a.nats > ranked[0].nats - BEAM.nats))


@dataclass
class WeighedWay:
    """One way to continue an account, weighed. seen: the observation relative to what this account remembers; fit: nats
    of the board; nats: in total, with the account's own."""

    root: Account
    seen: Emission
    board: tuple[int, ...]
    way: Way
    fit: float
    nats: float

    @property
    def sown(self) -> bool:
        """Whether no move is in its middle, and no seeds were laid freely, which fits nearly any board."""
        return self.way.middle is None and all(h.kind not in TOLD_BY_BOARD for h in self.way.done)

    def account(self, episode: int) -> Account:
        """Return the account after this continuation."""
        if self.way.unread:
            return replace(self.root, nats=self.nats, middle=self.way.middle,
                           last_known=self.seen.remembered.with_unread(self.seen.observation))
        path, position, history, origin = self.root.path, self.root.position, self.root.history, 0
        if self.way.goes_on:
            *rest, last = path
            path, position, history, origin = tuple(rest), last.before, history[:-1], last.went_on_from or last.episode
        for hypothesis in self.way.done:
            after = hypothesis.position_after(position)
            path = (*path, Happening(episode, hypothesis, position, after, self.way.middle is not None, origin))
            history = history[:-1] if hypothesis.kind == "withdrawn" else (*history, position)[-BEAM.history:]
            position = after
        return Account(position, self.board, path, history, self.nats, self.way.middle)


def _add_candidates(found: list[WeighedWay], root: Account, follow: Iterable[Ways], seen: Emission) -> None:
    """Add an account's continuations to those found, but for those that are too unlikely beside the best of all."""
    best = max((c.nats for c in found), default=-np.inf)
    for ways in follow:
        unread = bool(len(ways.boards)) and ways.way(0).unread
        fits = np.zeros(1) if unread else seen.of_boards(root.shown, ways.boards, ways.touched)
        nats = root.nats + fits + ways.nats
        best = float(nats.max(initial=best))
        near = np.flatnonzero(nats > best - BEAM.nats)
        for k in near[np.argsort(-nats[near], kind="stable")][: BEAM.candidates].tolist():
            board = tuple(ways.boards[k].tolist())
            found.append(WeighedWay(root, seen, board, ways.way(k), float(fits[k]), float(nats[k])))


def _wants_faults(account: Account, found: Sequence[WeighedWay], emission: Emission) -> bool:
    """Whether to search for faults from an account: nothing harmless fits the board, and a fault could be likely beside
    the best continuation found."""
    fits = max((c.fit for c in found if c.root is account and c.sown), default=-np.inf)
    best = max(c.nats for c in found)
    lost = emission.best(account.shown) - fits
    return bool(lost > BEAM.unexplained_nats and account.nats > best - BEAM.far_nats)


def _best(found: list[WeighedWay]) -> list[WeighedWay]:
    found.sort(key=lambda c: -c.nats)
    return [c for c in found[: BEAM.candidates] if c.nats > found[0].nats - BEAM.nats]


def _align(rules: Rules, found: Sequence[WeighedWay]) -> None:
    """Reweight continuations by the looks under hands and by the pits that their moves touch."""
    of_root: dict[int, list[WeighedWay]] = {}
    for c in found:
        if not c.way.unread and c.seen.looks:
            of_root.setdefault(id(c.root), []).append(c)
    if len(found) < 2 or not of_root:
        return
    aligned = [one for some in of_root.values() for one in _aligned(rules, some)]
    best = max(nats for _, nats in aligned)
    for c, nats in aligned:
        c.nats += max(nats - best, -ALIGN.no_hand)


def _aligned(rules: Rules, some: Sequence[WeighedWay]) -> list[tuple[WeighedWay, float]]:
    """Align the looks with candidates from one account: each with its nats. Weigh every pit that their moves touch."""
    root, seen = some[0].root, some[0].seen
    played = [_played(rules, c) for c in some]
    nats = align(Looks(seen, root.shown), [boards for boards, _ in played], [players for _, players in played])
    touched = np.array([(boards != boards[0]).any(axis=0) for boards, _ in played])
    fits = seen.of_boards(root.shown, np.array([c.board for c in some]), touched)
    for c, fit in zip(some, fits.tolist(), strict=True):
        c.nats += fit - c.fit
    return list(zip(some, nats.tolist(), strict=True))


def _played(rules: Rules, c: WeighedWay) -> tuple[I64, tuple[Side | None, ...]]:
    """The boards that a candidate passes through, int64[steps + 1, pits], and who makes each step."""
    if c.way.passed is not None:
        return c.way.passed, c.way.players
    before, (hypothesis,) = c.root.path[-1].before if c.way.goes_on else c.root.position, c.way.done
    trace = continuations(rules, before).trace(hypothesis)
    boards = (grammar.passed_from(c.root.shown, grammar.boards_passed(before, trace)) if trace
              else np.array([c.root.shown, c.board]))
    return boards, (hypothesis.player,) * (len(boards) - 1)
