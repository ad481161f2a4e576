"""The grammar of a game: every board that may follow an account, with its prior and how it came about."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial

import numpy as np

from engine.board import Side
from engine.games.base import Rules
from engine.position import Position
from engine.referee import layouts, race, search
from engine.referee.account import Account
from engine.referee.edits import PAST_THE_END
from engine.referee.emission import Emission
from engine.referee.observation import F64, I64, Mask
from engine.referee.parameters import BEAM, PRIORS, SHARES, TIMES
from engine.referee.search import Hypotheses, Hypothesis, continuations
from engine.trace import Step
from engine.trace import boards as boards_of
from engine.verdict import Fault


@dataclass(frozen=True)
class Way:
    """How a board came about from an account's: completed hypotheses, in order, perhaps followed by a move that is in
    its middle."""

    done: tuple[tuple[Hypothesis, Position], ...]
    middle: tuple[Side, str] | None = None
    unread: bool = False
    """An unidentified move with a fault is in its middle: the observation is not weighed, but kept for the next one."""
    passed: I64 | None = None
    """int64[steps + 1, pits], the boards passed through, if they are known without replaying."""
    players: tuple[Side | None, ...] = ()
    """Who makes each step."""
    goes_on: bool = False
    """The hand continued the account's last move; that move, now with a fault, is replaced."""


@dataclass(frozen=True)
class Ways:
    """Some of the continuations of an account. boards: int64[n, pits]; nats: float64[n], log-prior plus the nats of the
    hands; touched: bool[n, pits], pits touched on the way, None if unknown."""

    boards: I64
    nats: F64
    touched: Mask | None
    way: Callable[[int], Way]
    """How the k-th board came about, computed on request: most are looked at once and forgotten."""


class Branches:
    """One side's legal moves, each with the boards it passes through from the board that shows now.

    position: before them; moves: all of them; boards: int64[n, pits], the final boards; priors: float64[n], log-prior
    of each among them; passed: int64[steps + 1, pits] of each.
    """

    def __init__(self, position: Position, moves: list[Hypothesis], priors: F64, passed_: list[I64]) -> None:
        """Arguments as in the class."""
        self.position, self.moves, self.priors, self.passed = position, moves, priors, passed_
        self.boards: I64 = np.array([h.counts for h in moves], np.int64).reshape(-1, position.board.pits)

    @classmethod
    def of(cls, rules: Rules, position: Position, *, out_of_turn: bool) -> Branches:
        """Return the moves of the side to move; with out_of_turn those of the other side, as if it were its turn."""
        if out_of_turn:
            side = position.to_move.other
            moves = rules.moves(position, side).moves
            listed = [search.wrong_turn_hypothesis(0.0, Fault("out-of-turn", move.pit), side, move) for move in moves]
            priors = np.full(len(listed), -math.log(max(1, len(listed))))
        else:
            legal = continuations(rules, position).legal
            listed, priors = legal.listed, legal.log_priors
        return cls(position, listed, priors, [passed(position, h.moves[0].trace) for h in listed])

    def onward(self, shown: tuple[int, ...]) -> Branches:
        """Return the moves that pass through a board, from there on. One pit may differ, because part of a capture may
        have been carried off already."""
        listed, priors, rest = [], [], []
        for h, prior, boards in zip(self.moves, self.priors.tolist(), self.passed, strict=True):
            other = (boards != np.array(shown)).sum(axis=1)
            k = int(other.argmin())
            if other[k] <= 1:
                listed.append(h)
                priors.append(prior)
                rest.append(np.concatenate((np.array([shown]), boards[k + 1:])))
        total = float(np.logaddexp.reduce(priors)) if priors else 0.0
        return Branches(self.position, listed, np.array(priors) - total, rest)

    @cached_property
    def touched(self) -> Mask:
        """bool[n, pits], the pits that each move touches."""
        return np.array([(b != b[0]).any(axis=0) for b in self.passed], np.bool_).reshape(
            -1, self.position.board.pits)

    @cached_property
    def middles(self) -> Middles:
        """Every board in the middle of these moves."""
        return Middles.of(self.passed, self.priors, self.position.board.pits)


@lru_cache(maxsize=BEAM.positions)
def one_fault(rules: Rules, position: Position) -> tuple[Hypotheses, I64, Mask]:
    """Return n moves with one fault, int64[n] with the player of each, and bool[n]. A player of 2 is nobody; the bool
    says that no legal move has the same middle, whosever turn it is."""
    found = continuations(rules, position).one_fault
    players = np.array([2 if h.player is None else int(h.player) for h in found.listed], np.int64)
    return found, players, np.array([h.outcome is not None for h in found.listed], np.bool_)


@dataclass(frozen=True)
class Middles:
    """Boards in the middle of moves. boards: int64[m, pits]; move, step: int64[m], index of the move, and number of its
    steps made; partly: bool[m], the next step is a capture, and some of its pits are emptied already; touched: bool[m,
    pits], so far; nats: float64[m], the log-prior of each among them."""

    boards: I64
    move: I64
    step: I64
    partly: Mask
    touched: Mask
    nats: F64

    @classmethod
    def of(cls, moves: Sequence[I64], priors: F64, pits: int) -> Middles:
        """Collect the middles of moves from the boards they pass through, int64[steps + 1, pits], and their
        log-priors."""
        none = np.zeros((0, pits), np.int64)
        found = [(none, none[:, 0], none[:, 0], none[:, 0] > 0, none > 0, np.zeros(0))]
        for m, (boards, nats) in enumerate(zip(moves, priors.tolist(), strict=True)):
            touched = np.logical_or.accumulate(boards[1:] != boards[:-1], axis=0)
            before, partly = _partly_captured(boards)
            step = np.concatenate((np.arange(1, len(boards) - 1), before))
            since = np.concatenate((touched[:1] & False, touched))[before] | (partly != boards[before])
            found.append((np.concatenate((boards[1:-1], partly)), np.full(len(step), m), step,
                          np.arange(len(step)) >= len(step) - len(before), np.concatenate((touched[:-1], since)),
                          np.full(len(step), nats - math.log(max(1, len(step))))))
        return cls(*(np.concatenate(column) for column in zip(*found, strict=True)))


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


def _of_middle(tree: Branches, k: int, first: Way | None = None) -> Way:
    """Return the way to the k-th middle, after another way if given."""
    found, m = tree.middles, int(tree.middles.move[k])
    hypothesis, boards = tree.moves[m], tree.passed[m][: int(found.step[k]) + 1]
    assert hypothesis.player is not None
    if found.partly[k]:
        boards = np.concatenate((boards, found.boards[k][None]))
    players: tuple[Side | None, ...] = (hypothesis.player,) * (len(boards) - 1)
    middle = hypothesis.player, hypothesis.move or ""
    if first is None or first.passed is None:
        return Way((), middle, False, boards, players)
    return Way(first.done, middle, False, np.concatenate((first.passed, boards[1:])), (*first.players, *players))


def _of_legal(tree: Branches, k: int, first: Way | None = None) -> Way:
    """Return the way of the k-th legal move, after another way if given."""
    h, boards = tree.moves[k], tree.passed[k]
    done, players = (h, h.position_after(tree.position)), (h.player,) * (len(boards) - 1)
    if first is None or first.passed is None:
        return Way((done,), None, False, boards, players)
    return Way((*first.done, done), None, False, np.concatenate((first.passed, boards[1:])), (*first.players, *players))


def _the_only(way: Way, _k: int) -> Way:
    return way


def passed(position: Position, trace: tuple[Step, ...]) -> I64:
    """int64[steps + 1, pits], the boards that a trace passes through."""
    return np.array(list(boards_of(position.counts, trace)), np.int64)


@lru_cache(maxsize=BEAM.positions)
def branches(rules: Rules, position: Position, out_of_turn: bool = False) -> Branches:
    """Return one side's legal moves in a position, cached."""
    return Branches.of(rules, position, out_of_turn=out_of_turn)


def _over(rules: Rules, position: Position) -> bool:
    return rules.over(position) is not None


def harmless(rules: Rules, account: Account, seen: Emission) -> Iterator[Ways]:
    """Yield the continuations of an account without a fault."""
    yield from _nothing(account, seen)
    if _over(rules, account.position):
        return
    if not account.position.ply:
        yield from _layings(rules, account, seen)
    astray = account.midway is not None and account.midway[0] is not account.position.to_move
    tree = branches(rules, account.position, astray)
    if account.midway is not None:
        if not astray:
            yield from _anew(tree, account, seen)
        tree = tree.onward(account.shown)
    if not tree.moves:
        return
    player = tree.moves[0].player
    own, observation = seen.of_hand(player), seen.observation
    legal = math.log(PRIORS.legal if observation.disturbed else PRIORS.unseen_hand)
    yield Ways(tree.boards, tree.priors + legal + own + _middle_told(account, seen), tree.touched,
               partial(_of_legal, tree))
    if observation.disturbed and not observation.last:
        middles, rests = tree.middles, math.log(_rests(observation.rest_s))
        yield Ways(middles.boards, middles.nats + legal + own + rests, middles.touched, partial(_of_middle, tree))


def _anew(tree: Branches, account: Account, seen: Emission) -> Iterator[Ways]:
    """Yield moves made after the one in its middle was laid back: a move is at first a trial."""
    if not tree.moves or not seen.observation.disturbed:
        return
    player = tree.moves[0].player
    back = Way((), None, False, np.array([account.shown, account.position.counts]), (player,))
    nats = math.log(PRIORS.laid_back * PRIORS.legal) + seen.of_hand(player)
    yield Ways(tree.boards, tree.priors + nats, None, partial(_of_legal, tree, first=back))


def _middle_told(account: Account, seen: Emission) -> float:
    """Nats for a move whose middle was seen but could not be identified: refund the cost of an unknown middle, and
    charge that of one of this move's."""
    return PRIORS.unread_nats - PRIORS.passed_nats if account.last_known is not None and seen.moved_on else 0.0


def _rests(rest_s: float) -> float:
    """Probability that a hand that is away for `rest_s` has left in the middle of its move."""
    if not rest_s:
        return PRIORS.handed
    long = PRIORS.resting_long * math.exp(-rest_s / PRIORS.rest_long_s)
    return PRIORS.resting * math.exp(-rest_s / PRIORS.rest_s) + long


def _nothing(account: Account, seen: Emission) -> Iterator[Ways]:
    """Yield that nothing happened, or that a move was taken back."""
    observation, board = seen.observation, np.array([account.shown])
    stays: tuple[Side, str] | None = account.midway
    if not observation.disturbed:
        prior = 0.0
    elif account.midway is not None:
        prior = math.log(PRIORS.still_resting) + max(seen.of_hand(account.midway[0]), math.log(PRIORS.still_resting))
    elif observation.unwatched and not max(observation.lasts):
        prior = math.log(PRIORS.nothing_missed)
    else:
        prior = math.log(PRIORS.nothing)
    still = Way((), stays, False, board, ())
    yield Ways(board, np.array([prior]), np.zeros(board.shape, np.bool_), partial(_the_only, still))
    if not observation.disturbed:
        return
    if account.midway is not None:
        back = np.array([account.position.counts])
        yield Ways(back, np.array([math.log(PRIORS.laid_back) + seen.of_hand(account.midway[0])]), None,
                   partial(_the_only, Way(())))
    for h in search.withdrawn(account.position, account.history):
        assert h.position is not None
        way = Way(((h, h.position),), None, False, np.array([account.shown, h.counts]), (None,))
        yield Ways(np.array([h.counts]), np.array([h.log_prior]), None, partial(_the_only, way))


def _layings(rules: Rules, account: Account, seen: Emission) -> Iterator[Ways]:
    """Yield seeds laid instead of sown, as the rules allow, and races."""
    before, observation = account.position, seen.observation
    if account.midway is not None or not observation.disturbed:
        return
    found = layouts.likeliest_arrangements(rules, before, seen.nats)
    found += layouts.likeliest_rearrangements(rules, before, seen.nats, seen.as_before, account.history)
    both_laid = any(len(h.moves) == 2 for h in found)
    raced = race.races(rules, before, observation, seen.nats, laid=both_laid)
    hands = [max(seen.hands) if h.player is None else seen.of_hand(h.player) for h in found]
    hands += [seen.of_both_hands] * len(raced)
    every = [(h, nats + h.log_prior) for h, nats in zip(found + raced, hands, strict=True)]
    # Seeds shifted before a move may look like a turn of rearranging, but do not pass the turn.
    ways = [(h, nats, after) for h, nats in every for after in _turns(h, before)]
    if ways:
        yield Ways(np.array([h.counts for h, _, _ in ways]), np.array([nats for _, nats, _ in ways]), None,
                   lambda k: Way(((ways[k][0], ways[k][2]),)))


def _turns(h: Hypothesis, before: Position) -> Iterator[Position]:
    """Yield the positions that it may leave."""
    after = h.position_after(before)
    yield after
    if h.kind == "rearranged" and after.ply > before.ply:
        yield replace(after, to_move=after.to_move.other)


def replied(rules: Rules, account: Account, seen: Emission) -> Iterator[Ways]:
    """Yield a legal move followed, without an observation between, by the next one, completed or in its middle."""
    if _over(rules, account.position) or account.midway is not None or not seen.observation.disturbed:
        return
    tree = branches(rules, account.position)
    nats = math.log(PRIORS.legal) + max(seen.of_both_hands, math.log(PRIORS.again))
    if seen.observation.together >= TIMES.race_together:
        nats += math.log(PRIORS.at_once)
    replies = [(k, branches(rules, first.position)) for k, first in enumerate(tree.moves)
               if first.position is not None and not _over(rules, first.position)]
    replies = [(k, after) for k, after in replies if after.moves]
    if not replies:
        return
    priors = tree.priors + nats
    yield _joined(tree, replies, [
        Ways(after.boards, after.priors + priors[k] + math.log(PRIORS.legal), tree.touched[k] | after.touched,
             partial(_of_legal, after)) for k, after in replies])
    if not seen.observation.last:
        rests = math.log(_rests(seen.observation.rest_s))
        yield _joined(tree, replies, [
            Ways(after.middles.boards, after.middles.nats + priors[k] + rests, tree.touched[k] | after.middles.touched,
                 partial(_of_middle, after)) for k, after in replies])


def _joined(tree: Branches, replies: Sequence[tuple[int, Branches]], each: Sequence[Ways]) -> Ways:
    """Return the replies to all first moves as one, since many boards are weighed at once. replies: index of the first
    move, and the second moves; each: the ways of these, which are told of the first."""
    begins = np.cumsum([0, *(len(ways.boards) for ways in each)])

    def way(k: int) -> Way:
        m = int(np.searchsorted(begins, k, side="right")) - 1
        second: Callable[..., Way] = each[m].way
        return second(k - int(begins[m]), first=_of_legal(tree, replies[m][0]))

    return Ways(np.concatenate([ways.boards for ways in each]), np.concatenate([ways.nats for ways in each]),
                np.concatenate([ways.touched for ways in each if ways.touched is not None]), way)


def faulty(rules: Rules, account: Account, seen: Emission) -> Iterator[Ways]:
    """Yield the continuations with a fault, and unidentified ones. Before the first move a board that may have been
    laid out is neither a faulty move nor tampering; later it is no tampering, but may be a faulty move."""
    position = account.position
    if _over(rules, position):
        if account.midway is None:
            yield _tampered(account)
        yield from _unknown(account, seen, 0.0)
        return
    laid = list(_layings(rules, account, seen))
    boards = {tuple(board) for ways in laid for board in ways.boards.tolist()}
    if not rules.arranges(position):  # laying seeds out is never a fault
        yield from _wrong(rules, account, seen, boards)
    if account.midway is None and position.ply:
        yield from laid
    yield from _unknown(account, seen, max((-float(ways.nats.min()) for ways in laid), default=0.0),
                        turns=0 if may_be_laid(rules, account) else 1)


def _wrong(rules: Rules, account: Account, seen: Emission, laid: set[tuple[int, ...]]) -> Iterator[Ways]:
    """Yield moves with a fault, out-of-turn moves in their middle, and changed seeds. laid: boards that may have been
    laid out."""
    position, observation = account.position, seen.observation
    found, players, unlike = one_fault(rules, position)
    if found.listed:
        hands = np.array([*seen.hands[:2], 0.0])[players]
        quiet = 0.0 if observation.disturbed else math.log(PRIORS.unseen_hand)
        yield _but(Ways(found.boards, found.log_priors + hands + quiet + unlike * _middle_told(account, seen), None,
                        lambda k: Way(((found.listed[k], found.listed[k].position_after(position)),))),
                   set() if position.ply else laid)
    if account.midway is not None:
        return
    middles = branches(rules, position, True).middles if observation.disturbed and not observation.last else None
    if middles is not None and len(middles.boards):
        prior = math.log(SHARES.faults["out-of-turn"]) + math.log(_rests(observation.rest_s))
        yield Ways(middles.boards, middles.nats + prior + seen.of_hand(position.to_move.other), middles.touched,
                   partial(_of_middle, branches(rules, position, True)))
    yield from _gone_on(rules, account, seen)
    yield _but(_tampered(account), laid)


def _gone_on(rules: Rules, account: Account, seen: Emission) -> Iterator[Ways]:
    """Yield legal moves that the hand comes back to and continues, against the rules."""
    last = account.path[-1] if account.path else None
    if last is None or last.what.kind != "legal" or last.begun or not seen.observation.disturbed:
        return
    found = past_the_end(rules, last.before, last.what.move or "", last.what.moves[-1].laps)
    if found.listed:
        nats = found.log_priors + math.log(_rests(seen.away)) + seen.of_hand(last.what.player)
        yield Ways(found.boards, nats, None, lambda k: Way(
            ((found.listed[k], found.listed[k].position_after(last.before)),), goes_on=True))


@lru_cache(maxsize=BEAM.positions)
def past_the_end(rules: Rules, before: Position, move: str, laps: int) -> Hypotheses:
    """Return the faults that continue a legal move of `laps` laps past its end."""
    return Hypotheses([h for h in continuations(rules, before).one_fault.listed
                       if h.fault is not None and h.outcome is not None and (h.move or "").startswith(move)
                       and (h.fault.lap == 0 or (h.fault.lap == laps and h.fault.code in PAST_THE_END))],
                      before.board.pits)


def _but(ways: Ways, boards: set[tuple[int, ...]]) -> Ways:
    """Return the ways that leave none of these boards."""
    kept = np.flatnonzero([tuple(board) not in boards for board in ways.boards.tolist()]) if boards else None
    if kept is None or len(kept) == len(ways.boards):
        return ways
    return Ways(ways.boards[kept], ways.nats[kept], None if ways.touched is None else ways.touched[kept],
                lambda k: ways.way(int(kept[k])))


def _tampered(account: Account) -> Ways:
    """Return boards with seeds taken, added or shifted without a move."""
    counts = np.array(account.shown)
    boards = _changed(counts)
    share = math.log(PRIORS.tampered / len(boards))

    def way(k: int) -> Way:
        changed = {int(p): int(boards[k, p] - counts[p]) for p in np.flatnonzero(boards[k] != counts)}
        h = search.tampered_hypothesis(account.position, share, changed)
        return Way(((h, account.position.with_counts(h.counts)),), None, False, np.array([counts, boards[k]]), (None,))

    return Ways(boards, np.full(len(boards), share), boards != counts, way)


def _changed(counts: I64) -> I64:
    """int64[n, pits], the boards that differ by one to three seeds of one pit, or by all of them: gone, added, or laid
    into another pit; each board once."""
    pits, all_of_it = len(counts), 4
    pit, many = (a.ravel() for a in np.meshgrid(np.arange(pits), np.arange(-all_of_it, all_of_it), indexing="ij"))
    by = np.where(many == -all_of_it, -counts[pit], many)
    fits = (by != 0) & (counts[pit] + by >= 0) & ((many > -all_of_it) | (counts[pit] >= all_of_it))
    single = np.repeat(counts[None], int(fits.sum()), axis=0)
    single[np.arange(len(single)), pit[fits]] += by[fits]
    source, target, many = (a.ravel() for a in np.meshgrid(
        np.arange(pits), np.arange(pits), np.arange(1, all_of_it + 1), indexing="ij"))
    moved = np.where(many == all_of_it, counts[source], many)
    fits = (source != target) & (many <= counts[source])
    laid = np.repeat(counts[None], int(fits.sum()), axis=0)
    every = np.arange(len(laid))
    laid[every, source[fits]] -= moved[fits]
    laid[every, target[fits]] += moved[fits]
    return np.concatenate((single, laid))


def may_be_laid(rules: Rules, account: Account) -> bool:
    """Whether seeds may still be laid out before the first move: then no unfinished faulty move is searched for,
    because it looks the same."""
    return not account.position.ply and (rules.arranges(account.position) or rules.rearranging.value == "setup")


def untold_middle(account: Account, seen: Emission) -> Ways:
    """Return that a move with a fault is in its middle and cannot be identified yet."""
    side = Side.SOUTH if seen.most_hands[0] >= seen.most_hands[1] else Side.NORTH
    way, board = Way((), (side, "?"), unread=True), np.array([account.shown])
    again = account.middle is not None and account.middle[0] is not side
    nats = math.log(_rests(seen.observation.rest_s)) - PRIORS.unread_nats * (1 + again)
    return Ways(board, np.array([nats]), np.zeros(board.shape, np.bool_), partial(_the_only, way))


def _unknown(account: Account, seen: Emission, laid_nats: float, turns: int = 1) -> Iterator[Ways]:
    """Yield something outside the grammar, which leaves the board as it is read; either side moves next. laid_nats:
    least cost in nats, so that it is not likelier than any laying of seeds; turns: plies it counts for, 0 or 1."""
    observation = seen.observation
    read = np.where(observation.seen, seen.nats.argmax(axis=1), account.shown)
    counts = tuple(int(n) for n in read)
    if counts == account.shown or not observation.disturbed:
        return
    share = math.log(PRIORS.unknown / 2) - max(PRIORS.unknown_nats, laid_nats)
    ways = []
    for side in (account.position.to_move.other, account.position.to_move):
        after = replace(account.position.with_counts(counts), to_move=side, ply=account.position.ply + turns)
        h = Hypothesis("else", share, counts, position=after)
        ways.append(Way(((h, after),), None, False, np.array([account.shown, counts]), (None,)))
    yield Ways(np.array([counts, counts]), np.array([share, share]), np.repeat(read[None] != account.shown, 2, axis=0),
               ways.__getitem__)
