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
from engine.referee.alignment import Looks, align, read_looks
from engine.referee.emission import Emission, Memory
from engine.referee.grammar import Way, Ways
from engine.referee.observation import F64, I64, Observation
from engine.referee.parameters import ALIGN, BEAM, PRIORS
from engine.referee.search import continuations


@dataclass(frozen=True)
class Belief:
    """A weighted set of possible games. accounts: likeliest first, their weights sum to one less what was cut; memory:
    the newest look at each pit; episode: number of the last one, from 1; nats: log-likelihood of the last observation,
    over all accounts."""

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
        odds: dict[tuple[object, ...], float] = {}
        for a in self.accounts:
            lies = a.position.counts, a.position.captured, a.middle is None
            odds[lies] = odds.get(lies, 0.0) + math.exp(a.nats)
        best = max(odds, key=odds.__getitem__)
        top = next(a.position for a in self.accounts
                   if (a.position.counts, a.position.captured, a.middle is None) == best)
        return top, odds[best] if best[2] else 0.0

    def with_turn(self, side: int, p: float) -> Belief:
        """Return the belief extended by accounts in which it is `side`'s turn, with probability p > 0 relative to the
        others."""
        stolen = [replace(a, position=replace(a.position, to_move=a.position.to_move.other), nats=a.nats + math.log(p))
                  for a in self.accounts if a.position.to_move != side and a.middle is None]
        return replace(self, accounts=_kept(_merged([*self.accounts, *stolen])))

    def settled(self, seen: Observation) -> Belief:
        """Return the same accounts with the pits as they look now. Nothing may have happened since the start."""
        return replace(self, memory=_Emissions(self.memory, seen).learned(self.accounts[0], self.accounts[0]))

    def advanced(self, seen: Observation) -> Belief:
        """Return the belief after an observation."""
        emissions = _Emissions(self.memory, seen)
        found: list[Continuation] = []
        for account in self.accounts:
            seen_so = emissions.of(account)
            _add_candidates(found, account, grammar.harmless(self.rules, account, seen_so), seen_so)
        for account in self.accounts[: BEAM.roots]:
            if _wants_faults(account, found, emissions.of(account)):
                _add_faults(found, self.rules, account, emissions.of(account))
        found = _aligned(self.rules, _best(found), emissions)
        accounts = [c.account(self.episode + 1, emissions) for c in found]
        total = float(np.logaddexp.reduce([a.nats for a in accounts]))
        kept = _kept(_merged(accounts))
        memory = emissions.learned(kept[0], self.accounts[0])
        return replace(self, accounts=kept, memory=memory, episode=self.episode + 1, nats=total)

    def with_hand(self, side: int) -> Belief:
        """Return the belief after a hand of `side` has ended a rest. Accounts in the middle of the other side's move
        become less likely: hardly anybody reaches in then."""
        return replace(self, accounts=_kept(sorted((
            replace(a, nats=a.nats + math.log(PRIORS.interrupted))
            if a.middle is not None and a.middle[0] != side else a for a in self.accounts), key=lambda a: -a.nats)))


class _Emissions:
    """One observation relative to each of the memories that accounts have."""

    def __init__(self, memory: Memory, seen: Observation) -> None:
        """memory: shared by the accounts without one of their own."""
        self.before, self.seen = memory, seen
        self._found = {id(memory): Emission(memory, seen)}
        self.memory = self._found[id(memory)].memory

    def memory_of(self, account: Account) -> Memory:
        """The pits as they were when the account last knew their counts."""
        return self.before if account.last_known is None else account.last_known

    def learned(self, best: Account, before: Account) -> Memory:
        """The pits as they look now, those forgotten that were hidden while the best account changed their counts; and
        if that account is likely and not in the middle of a move, what its counts say about how the board is read.
        before: the best account before this observation."""
        memory = self.memory.without(~self.seen.seen & (np.array(best.shown) != np.array(before.shown)))
        if best.middle is not None or best.nats < math.log(BEAM.likely):
            return memory
        return replace(memory, read=self._found[id(self.before)].kinds(best.shown))

    def of(self, account: Account) -> Emission:
        """Return the observation relative to an account's memory."""
        memory = self.memory_of(account)
        if id(memory) not in self._found:
            self._found[id(memory)] = Emission(memory, self.seen)
        return self._found[id(memory)]


@dataclass
class Continuation:
    """One way to continue an account. fit: nats of the board; nats: in total, with the account's own."""

    root: Account
    board: tuple[int, ...]
    way: Way
    fit: float
    nats: float
    looks: float = 0.0

    @property
    def complete(self) -> bool:
        """Whether no move is in its middle."""
        return self.way.middle is None

    @property
    def laid(self) -> bool:
        """Whether seeds were laid freely, which fits nearly any board."""
        return any(h.kind in TOLD_BY_BOARD for h, _ in self.way.done)

    def account(self, episode: int, emissions: _Emissions) -> Account:
        """Return the account after this continuation."""
        if self.way.unread:
            memory = emissions.memory_of(self.root).with_unread(emissions.seen)
            return replace(self.root, nats=self.nats, middle=self.way.middle, last_known=memory)
        path, position, history, origin = self.root.path, self.root.position, self.root.history, 0
        if self.way.goes_on:
            *rest, last = path
            path, position, history, origin = tuple(rest), last.before, history[:-1], last.went_on_from or last.episode
        for hypothesis, after in self.way.done:
            path = (*path, Happening(episode, hypothesis, position, after, self.way.middle is not None, origin))
            history = history[:-1] if hypothesis.kind == "withdrawn" else (*history, position)[-BEAM.history:]
            position = after
        return Account(position, self.board, path, history, self.nats, self.way.middle)


def _add_candidates(found: list[Continuation], root: Account, follow: Iterable[Ways], seen: Emission) -> None:
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
            found.append(Continuation(root, board, ways.way(k), float(fits[k]), float(nats[k])))


def _wants_faults(account: Account, found: Sequence[Continuation], emission: Emission) -> bool:
    """Whether to search for faults from an account: nothing harmless fits the board, and a fault could be likely beside
    the best continuation found."""
    fits = max((c.fit for c in found if c.root is account and c.complete and not c.laid), default=-np.inf)
    best = max(c.nats for c in found)
    lost = emission.best(account.shown) - fits
    return bool(lost > BEAM.unexplained_nats and account.nats - BEAM.least_fault_nats > best - BEAM.far_nats)


def _add_faults(found: list[Continuation], rules: Rules, account: Account, emission: Emission) -> None:
    """Continue an account by two moves, by faults, or by a move that cannot be identified yet."""
    open_ended = emission.observation.disturbed and not emission.observation.last
    _add_candidates(found, account, grammar.replied(rules, account, emission), emission)
    _add_candidates(found, account, grammar.faulty(rules, account, emission), emission)
    if account.midway is None and open_ended and not grammar.may_be_laid(rules, account):
        _add_candidates(found, account, [grammar.untold_middle(account, emission)], emission)


def _best(found: list[Continuation]) -> list[Continuation]:
    found.sort(key=lambda c: -c.nats)
    return [c for c in found[: BEAM.candidates] if c.nats > found[0].nats - BEAM.nats]


def _aligned(rules: Rules, found: list[Continuation], emissions: _Emissions) -> list[Continuation]:
    """Return the continuations reweighted by the looks under hands and by the pits that their moves touch."""
    told: dict[int, list[Continuation]] = {}
    for c in found:
        if not c.way.unread and emissions.of(c.root).looks:
            told.setdefault(id(c.root), []).append(c)
    if len(found) < 2 or not told:
        return found
    read: dict[int, F64] = {}
    for some in told.values():
        seen = emissions.of(some[0].root)
        if id(seen) not in read:
            read[id(seen)] = read_looks(seen.looks, seen.nats)
        _weigh_looks(rules, some, emissions, read[id(seen)])
    best = max(c.looks for some in told.values() for c in some)
    for some in told.values():
        for c in some:
            c.nats += ALIGN.weight * max(c.looks - best, -ALIGN.most)
    return found


def _weigh_looks(rules: Rules, some: Sequence[Continuation], emissions: _Emissions, read: F64) -> None:
    """Align the looks with candidates from one account, and weigh every pit that their moves touch. read: of
    `read_looks`."""
    root = some[0].root
    seen = emissions.of(root)
    looks = Looks(seen.looks, read, emissions.seen, emissions.memory_of(root).stays, root.shown)
    played = [_played(rules, c) for c in some]
    nats = align(looks, [boards for boards, _ in played], [players for _, players in played])
    touched = np.array([(boards != boards[0]).any(axis=0) for boards, _ in played])
    fits = seen.of_boards(root.shown, np.array([c.board for c in some]), touched)
    for c, fit, said in zip(some, fits.tolist(), nats.tolist(), strict=True):
        c.nats += fit - c.fit
        c.looks = said


def _played(rules: Rules, c: Continuation) -> tuple[I64, tuple[Side | None, ...]]:
    """The boards that a candidate passes through, int64[steps + 1, pits], and who makes each step."""
    way, shown, straight = c.way, np.array([c.root.shown]), np.array([c.root.shown, c.board])
    boards, players = way.passed, way.players
    if boards is None:
        if len(way.done) != 1:
            return straight, (None,)
        (hypothesis, _), before = way.done[0], c.root.position
        before = c.root.path[-1].before if way.goes_on else before
        trace = () if c.laid else continuations(rules, before).trace(hypothesis)  # seeds are laid in any order
        if not trace:
            return straight, (hypothesis.player,)
        boards = grammar.passed(before, trace)
        midway = c.root.midway is not None or way.goes_on
        first = int((boards[1:] != shown[0]).sum(axis=1).argmin()) + 1 if midway else 0
        boards = np.concatenate((shown, boards[first + 1:]))
        players = (hypothesis.player,) * (len(boards) - 1)
    return (straight, (None,)) if len(boards) > BEAM.longest_trace else (boards, players)


def _merged(accounts: Iterable[Account]) -> list[Account]:
    """Merge accounts that are described alike and continue alike: keep the likeliest, with the weight of all. They may
    differ in when each move ended: a hand may come back to a move that had ended."""
    found: dict[object, Account] = {}
    for a in accounts:
        key = (a.position.counts, a.position.to_move, a.position.captured, a.shown, a.middle is None, id(a.last_known),
               tuple((h.before.counts, h.key) for h in a.path[-BEAM.told_apart:]))
        other = found.get(key)
        if other is not None:
            best = a if a.nats > other.nats else other
            a = replace(best, nats=float(np.logaddexp(a.nats, other.nats)))
        found[key] = a
    return sorted(found.values(), key=lambda one: -one.nats)


def _kept(accounts: list[Account]) -> tuple[Account, ...]:
    total = np.logaddexp.reduce([a.nats for a in accounts])
    return tuple(replace(a, nats=float(a.nats - total)) for a in accounts[: BEAM.accounts]
                 if a.nats > accounts[0].nats - BEAM.nats)
