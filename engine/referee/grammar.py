"""The grammar of a game: every board that may follow an account, with its prior and how it came about."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np

from engine.board import Side
from engine.games.base import Rules
from engine.position import Position
from engine.referee import layouts, race, search
from engine.referee.account import Account
from engine.referee.edits import PAST_THE_END
from engine.referee.emission import Emission
from engine.referee.observation import F64, I64, Mask
from engine.referee.parameters import BEAM, FAULTS, PRIORS, THRESHOLDS
from engine.referee.search import Hypotheses, Hypothesis, continuations
from engine.trace import Step
from engine.trace import boards as boards_of
from engine.verdict import Fault


@dataclass(frozen=True)
class Way:
    """How a board came about from an account's: completed hypotheses, in order, perhaps followed by a move that is in
    its middle."""

    done: tuple[Hypothesis, ...] = ()
    middle: tuple[Side, str] | None = None
    passed: I64 | None = None
    """int64[steps + 1, pits], the boards passed through, None if only a replay tells them."""
    players: tuple[Side | None, ...] = ()
    """Who makes each step."""
    unread: bool = False
    """An unidentified move with a fault is in its middle: the observation is not weighed, but kept for the next one."""
    goes_on: bool = False
    """The hand continued the account's last move; that move, now with a fault, is replaced."""

    def after(self, first: Way) -> Way:
        """Return this way after another one; the boards of both have to be known."""
        assert first.passed is not None and self.passed is not None
        return Way((*first.done, *self.done), self.middle, np.concatenate((first.passed, self.passed[1:])),
                   (*first.players, *self.players))


@dataclass(frozen=True)
class Ways:
    """Some of the continuations of an account. boards: int64[n, pits]; nats: float64[n], log-prior plus the nats of the
    hands; touched: bool[n, pits], pits touched on the way, None if unknown."""

    boards: I64
    nats: F64
    touched: Mask | None
    way: Callable[[int], Way]
    """How the k-th board came about, computed on request: most are looked at once and forgotten."""

    def plus(self, nats: float) -> Ways:
        """Return the same ways, each with these nats more."""
        return replace(self, nats=self.nats + nats)

    def but(self, boards: set[tuple[int, ...]]) -> Ways:
        """Return the ways that leave none of these boards."""
        if not boards:
            return self
        kept = np.flatnonzero([tuple(board) not in boards for board in self.boards.tolist()])
        return Ways(self.boards[kept], self.nats[kept], None if self.touched is None else self.touched[kept],
                    lambda k: self.way(int(kept[k])))


def _single(nats: float, way: Way, *, undone: bool = False) -> Ways:
    """Return one way with known boards. undone: it took steps back, so it may have touched pits that look the same."""
    assert way.passed is not None
    last = way.passed[-1:]
    return Ways(last, np.array([nats]), None if undone else last != way.passed[0], lambda _: way)


def _replayed(found: Hypotheses, nats: F64, *, goes_on: bool = False) -> Ways:
    """Return hypotheses as ways, float64[n] with the nats of each; only a replay tells which boards they pass."""
    return Ways(found.boards, nats, None, lambda k: Way((found.listed[k],), goes_on=goes_on))


@dataclass(frozen=True)
class Branches:
    """One side's legal moves from the board that shows now. priors: float64[n], log-prior of each move among them;
    passed: int64[steps + 1, pits], the boards that each passes through from there."""

    player: Side
    pits: int
    moves: list[Hypothesis]
    priors: F64
    passed: list[I64]

    def onward(self, shown: tuple[int, ...]) -> Branches:
        """Return the moves that pass through a board, from there on. One pit may differ, because part of a capture may
        have been carried off already."""
        kept = [k for k, boards in enumerate(self.passed) if (boards != np.array(shown)).sum(axis=1).min() <= 1]
        priors = self.priors[kept]
        return Branches(self.player, self.pits, [self.moves[k] for k in kept], priors - np.logaddexp.reduce(priors),
                        [passed_from(shown, self.passed[k]) for k in kept])

    @cached_property
    def ends(self) -> Ways:
        """These moves, completed."""
        boards = np.array([h.counts for h in self.moves], np.int64).reshape(-1, self.pits)
        touched = np.array([(b != b[0]).any(axis=0) for b in self.passed], np.bool_).reshape(-1, self.pits)
        return Ways(boards, self.priors, touched, lambda k: Way(
            (self.moves[k],), None, self.passed[k], (self.player,) * (len(self.passed[k]) - 1)))

    @cached_property
    def middles(self) -> Ways:
        """Every board in the middle of these moves."""
        none = np.zeros((0, self.pits), np.int64)
        found = [(none, np.zeros(0), none > 0, none[:, 0], none[:, 0])]
        for m, (boards, prior) in enumerate(zip(self.passed, self.priors.tolist(), strict=True)):
            made, partly = _partly_captured(boards)
            before = np.concatenate((np.arange(len(boards) - 2), made))
            every = np.concatenate((boards[1:-1], partly))
            changed = np.concatenate((np.zeros((1, self.pits), np.bool_), boards[1:] != boards[:-1]))
            touched = np.logical_or.accumulate(changed, axis=0)
            found.append((every, np.full(len(every), prior - math.log(max(1, len(every)))),
                          touched[before] | (every != boards[before]), np.full(len(every), m), before))
        boards, nats, touched, move, before = (np.concatenate(column) for column in zip(*found, strict=True))

        def way(k: int) -> Way:
            passed = np.concatenate((self.passed[move[k]][: before[k] + 1], boards[k : k + 1]))
            middle = self.player, self.moves[move[k]].move or ""
            return Way((), middle, passed, (self.player,) * (len(passed) - 1))

        return Ways(boards, nats, touched, way)


def _partly_captured(boards: I64) -> tuple[I64, I64]:
    """Return the number of steps before each, int64[n], and boards, int64[n, pits], on which some of the pits that the
    next step empties are already empty, one after the other: people carry off captured seeds pit by pit."""
    emptied = (boards[1:] < boards[:-1]) & (boards[1:] == 0)
    found: list[tuple[int, I64]] = []
    for k in np.flatnonzero(emptied.sum(axis=1) > 1).tolist():
        pits = np.flatnonzero(emptied[k])
        for order in (pits, pits[::-1]):
            for many in range(1, len(order)):
                board = boards[k].copy()
                board[order[:many]] = 0
                found.append((k, board))
    steps = np.array([k for k, _ in found], np.int64)
    return steps, np.array([board for _, board in found], np.int64).reshape(-1, boards.shape[1])


def boards_passed(position: Position, trace: tuple[Step, ...]) -> I64:
    """int64[steps + 1, pits], the boards that a trace passes through."""
    return np.array(list(boards_of(position.counts, trace)), np.int64)


def passed_from(shown: tuple[int, ...], boards: I64) -> I64:
    """int64[steps + 1, pits], a board and those that a move passes through after the one that is most like it."""
    k = int((boards != np.array(shown)).sum(axis=1).argmin())
    return np.concatenate((np.array([shown]), boards[k + 1:]))


@lru_cache(maxsize=BEAM.positions)
def branches(rules: Rules, position: Position, out_of_turn: bool = False) -> Branches:
    """Return the legal moves of the side to move; with out_of_turn those of the other side, as if it were its turn.
    Cached."""
    legal, side = continuations(rules, position).legal, position.to_move
    listed, priors = legal.listed, legal.log_priors
    if out_of_turn:
        side = side.other
        moves = rules.moves(position, side).moves
        listed = [search.of_moves(1 / len(moves), side, move, fault="out-of-turn") for move in moves]
        priors = np.array([h.log_prior for h in listed])
    return Branches(side, position.board.pits, listed, priors,
                    [boards_passed(position, h.moves[0].trace) for h in listed])


def _over(rules: Rules, position: Position) -> bool:
    return rules.over(position) is not None


def harmless(rules: Rules, account: Account, seen: Emission) -> Iterator[Ways]:
    """Yield the continuations of an account without a fault."""
    yield from _nothing(account, seen)
    if _over(rules, account.position):
        return
    if not account.position.ply:
        yield from _layings(rules, account, seen)
    midway, disturbed = account.midway, seen.observation.disturbed
    astray = midway is not None and midway[0] is not account.position.to_move
    tree = branches(rules, account.position, astray)
    if midway is not None:
        if disturbed and not astray:  # the move was laid back, since a move is at first a trial, and another one made
            back = Way((), None, np.array([account.shown, account.position.counts]), (tree.player,))
            anew = tree.ends.plus(math.log(PRIORS.laid_back) + seen.of_hand(tree.player))
            yield replace(anew, touched=None, way=lambda k: anew.way(k).after(back))
        tree = tree.onward(account.shown)
    nats = seen.of_hand(tree.player) + (0.0 if disturbed else math.log(PRIORS.unseen_hand))
    yield tree.ends.plus(nats + _middle_told(account, seen))
    yield from _resting(tree, seen, nats)


def _resting(tree: Branches, seen: Emission, nats: float) -> Iterator[Ways]:
    """Yield that one of these moves is in its middle."""
    if seen.observation.disturbed and not seen.observation.last:
        yield tree.middles.plus(nats + _rests(seen.observation.rest_s))


def _middle_told(account: Account, seen: Emission) -> float:
    """Nats for a move whose middle was seen but could not be identified: refund the cost of that."""
    return PRIORS.unread_nats if account.last_known is not None and seen.moved_on else 0.0


def _rests(rest_s: float) -> float:
    """Log-probability that a hand that is away for `rest_s` has left in the middle of its move."""
    return math.log(PRIORS.resting) - rest_s / PRIORS.resting_s


def _nothing(account: Account, seen: Emission) -> Iterator[Ways]:
    """Yield that nothing happened, or that a move was taken back."""
    observation, midway = seen.observation, account.midway
    if not observation.disturbed or (observation.unwatched and not max(observation.lasts) and midway is None):
        prior = 0.0  # no hand was seen
    elif midway is not None:
        prior = math.log(PRIORS.still_resting) + max(seen.of_hand(midway[0]), math.log(PRIORS.still_resting))
    else:
        prior = math.log(PRIORS.nothing)
    yield _single(prior, Way((), midway, np.array([account.shown])))
    if not observation.disturbed:
        return
    if midway is not None:
        back = Way((), None, np.array([account.shown, account.position.counts]), (None,))
        yield _single(math.log(PRIORS.laid_back) + seen.of_hand(midway[0]), back, undone=True)
    for h in search.withdrawn(account.position, account.history):
        yield _single(h.log_prior, Way((h,), None, np.array([account.shown, h.counts]), (None,)), undone=True)


def _layings(rules: Rules, account: Account, seen: Emission) -> Iterator[Ways]:
    """Yield seeds laid instead of sown, as the rules allow, and races."""
    before, observation = account.position, seen.observation
    if account.midway is not None or not observation.disturbed:
        return
    found = layouts.likeliest_arrangements(rules, before, seen.nats)
    found += layouts.likeliest_rearrangements(rules, before, seen.nats, seen.as_before, account.history)
    both_laid = any(len(h.moves) == 2 for h in found)
    found += race.races(rules, before, observation, seen.nats, laid=both_laid)
    # Seeds shifted before a move may look like a turn of rearranging, but do not pass the turn.
    found += [replace(h, position=replace(h.position, to_move=h.position.to_move.other)) for h in found
              if h.kind == "rearranged" and h.position is not None and h.position.ply > before.ply]
    if found:
        listed = Hypotheses(found, before.board.pits)
        yield _replayed(listed, listed.log_priors + np.array([_laying_hands(h, seen) for h in found]))


def _laying_hands(laying: Hypothesis, seen: Emission) -> float:
    """Nats of the hands, if seeds were laid so or a race was run."""
    if laying.player is None:
        return max(seen.hands)
    return seen.hands[2] if laying.kind == "race" else seen.of_hand(laying.player)


def faulty(rules: Rules, account: Account, seen: Emission) -> Iterator[Ways]:
    """Yield two moves, the continuations with a fault, and unidentified ones."""
    position, observation = account.position, seen.observation
    # Before the first move an unfinished faulty move looks like seeds being laid out.
    may_be_laid = not position.ply and (rules.arranges(position) or rules.rearranging.value == "setup")
    laid: list[Ways] = []
    if not _over(rules, position):
        laid = list(_layings(rules, account, seen))
        yield from _replied(rules, account, seen)
        yield from _wrong_or_laid(rules, account, seen, laid)
    elif account.midway is None:
        yield _tampered(account)
    cost = max((-float(ways.nats.min()) for ways in laid), default=0.0)
    yield from _unknown(account, seen, max(0.0, cost), turns=0 if may_be_laid and not _over(rules, position) else 1)
    if account.midway is None and observation.disturbed and not observation.last and not may_be_laid:
        yield _untold_middle(account, seen)


def _wrong_or_laid(rules: Rules, account: Account, seen: Emission, laid: list[Ways]) -> Iterator[Ways]:
    """Yield moves with a fault, and seeds laid later than before the first move. Before it a board that may have been
    laid out is neither a faulty move nor tampering; later it is no tampering, but may be a faulty move."""
    if not rules.arranges(account.position):  # laying seeds out is never a fault
        yield from _wrong(rules, account, seen, {tuple(board) for ways in laid for board in ways.boards.tolist()})
    if account.midway is None and account.position.ply:
        yield from laid


def _replied(rules: Rules, account: Account, seen: Emission) -> Iterator[Ways]:
    """Yield a legal move followed, without an observation between, by the next one, completed or in its middle."""
    if account.midway is not None or not seen.observation.disturbed:
        return
    tree = branches(rules, account.position)
    nats = max(seen.hands[2], math.log(PRIORS.again))
    if seen.observation.together >= THRESHOLDS.race_together:
        nats += math.log(PRIORS.again)
    between = [h.position_after(account.position) for h in tree.moves]
    replies = {k: branches(rules, after) for k, after in enumerate(between) if not _over(rules, after)}
    if replies:
        yield _joined(tree, {k: after.ends.plus(nats) for k, after in replies.items()})
    if replies and not seen.observation.last:
        rests = _rests(seen.observation.rest_s)
        yield _joined(tree, {k: after.middles.plus(nats + rests) for k, after in replies.items()})


def _joined(tree: Branches, replies: Mapping[int, Ways]) -> Ways:
    """Return first moves, each with its replies, as one, since many boards are weighed at once. replies: by index of
    the first move."""
    firsts, each = list(replies), list(replies.values())
    begins = np.cumsum([0, *(len(ways.boards) for ways in each)])

    def way(k: int) -> Way:
        m = int(np.searchsorted(begins, k, side="right")) - 1
        return each[m].way(k - int(begins[m])).after(tree.ends.way(firsts[m]))

    assert tree.ends.touched is not None
    return Ways(np.concatenate([ways.boards for ways in each]),
                np.concatenate([tree.priors[k] + ways.nats for k, ways in replies.items()]),
                np.concatenate([tree.ends.touched[k] | ways.touched for k, ways in replies.items()]), way)


def _wrong(rules: Rules, account: Account, seen: Emission, laid: set[tuple[int, ...]]) -> Iterator[Ways]:
    """Yield moves with a fault, out-of-turn moves in their middle, and changed seeds. laid: boards that may have been
    laid out."""
    position, observation = account.position, seen.observation
    found = continuations(rules, position).one_fault
    if found.listed:
        hands = np.array([*seen.hands[:2], 0.0])[found.players]
        quiet = 0.0 if observation.disturbed else math.log(PRIORS.unseen_hand)
        told = found.own_middles * _middle_told(account, seen)
        yield _replayed(found, found.log_priors + hands + quiet + told).but(set() if position.ply else laid)
    if account.midway is not None:
        return
    yield from _resting(branches(rules, position, True), seen,
                        math.log(FAULTS["out-of-turn"]) + seen.of_hand(position.to_move.other))
    yield from _gone_on(rules, account, seen)
    yield _tampered(account).but(laid)


def _gone_on(rules: Rules, account: Account, seen: Emission) -> Iterator[Ways]:
    """Yield what the hand makes of its last move when it comes back: it continues a legal one, against the rules, or
    lays the seeds back, since a move is at first a trial, and makes another."""
    last = account.path[-1] if account.path else None
    if last is None or last.what.kind not in ("legal", "illegal") or last.begun or not seen.observation.disturbed:
        return
    back, possible = _rests(seen.away) + seen.of_hand(last.what.player), continuations(rules, last.before)
    if last.what.kind == "legal":
        end, move = last.what.moves[-1].laps, last.what.move or ""
        onward = Hypotheses([h for h in possible.one_fault.listed
                             if h.fault is not None and h.outcome is not None and (h.move or "").startswith(move)
                             and (h.fault.lap == 0 or (h.fault.lap == end and h.fault.code in PAST_THE_END))],
                            last.before.board.pits)
        yield _replayed(onward, onward.log_priors + back, goes_on=True)
    anew = possible.legal.log_priors + math.log(PRIORS.withdrawn) + back
    yield _replayed(possible.legal, anew, goes_on=True).but({last.after.counts})


def _tampered(account: Account) -> Ways:
    """Return boards with seeds taken, added or shifted without a move."""
    counts = np.array(account.shown)
    boards = counts + _changes(counts)
    share = math.log(PRIORS.tampered / len(boards))

    def way(k: int) -> Way:
        pit = int(np.flatnonzero(boards[k] != counts)[0])
        fault = Fault("tampered", pit, 0, abs(int(boards[k, pit] - counts[pit])))
        h = Hypothesis("tampered", share, tuple(boards[k].tolist()), fault=fault)
        return Way((h,), None, np.array([counts, boards[k]]), (None,))

    return Ways(boards, np.full(len(boards), share), boards != counts, way)


def _changes(counts: I64) -> I64:
    """int64[n, pits], the ways to take one to three seeds of one pit, or all of them, to add one to three to it, and to
    lay those taken into another pit."""
    one, few = np.eye(len(counts), dtype=np.int64), range(1, BEAM.strays + 1)
    taken = np.array([n * one[pit] for pit, held in enumerate(counts.tolist()) for n in {*few, held} if 0 < n <= held]
                     or one[:0])
    added = np.concatenate([n * one for n in few])
    laid = (taken.sum(axis=1)[:, None, None] * one - taken[:, None]).reshape(-1, len(counts))
    return np.concatenate((-taken, added, laid[laid.any(axis=1)]))


def _untold_middle(account: Account, seen: Emission) -> Ways:
    """Return that a move with a fault is in its middle and cannot be identified yet."""
    side = Side.SOUTH if seen.most_hands[0] >= seen.most_hands[1] else Side.NORTH
    again = account.middle is not None and account.middle[0] is not side
    nats = _rests(seen.observation.rest_s) - PRIORS.unread_nats * (1 + again)
    return _single(nats, Way((), (side, "?"), np.array([account.shown]), unread=True))


def _unknown(account: Account, seen: Emission, laid_nats: float, turns: int) -> Iterator[Ways]:
    """Yield something outside the grammar, which leaves the board as it is read; either side moves next. laid_nats:
    least cost in nats, so that it is not likelier than any laying of seeds; turns: plies it counts for, 0 or 1."""
    position, observation = account.position, seen.observation
    counts = tuple(np.where(observation.seen, seen.nats.argmax(axis=1), account.shown).tolist())
    if counts == account.shown or not observation.disturbed:
        return
    share = -PRIORS.unknown_nats - max(PRIORS.unknown_nats, laid_nats)
    for side in (position.to_move.other, position.to_move):  # of two alike the first stands
        after = replace(position.with_counts(counts), to_move=side, ply=position.ply + turns)
        h = Hypothesis("else", share, counts, position=after)
        yield _single(share, Way((h,), None, np.array([account.shown, counts]), (None,)))
