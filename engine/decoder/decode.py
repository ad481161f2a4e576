"""Which move was made since the board was known, and whether the next one has begun.

The next move is decoded together with the first: what it does to the board is no evidence against the first one, and a
move that only might be at its end is known to be when the other side plays on from there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.board import Side
from engine.decoder.first_moves import FirstMove, Left, faulty_moves, moves_by_rule, shown_fits
from engine.decoder.looks import F64, Looks
from engine.decoder.parameters import BEAM, DWELL
from engine.decoder.traces import I64, Tokens, Traces, passed
from engine.games.base import Move, Rules
from engine.judge.timeline_likelihood import boards_passed
from engine.position import Position


@dataclass(frozen=True, slots=True)
class Decoded:
    """The likeliest first move.

    before: the position that it was made from. p: posterior that it, or another of that side's moves that leaves the
    same board, has been made to its end. begun, answered: whether the next one has begun, and whether that has been
    made to its end as well. since: int64[pits], the look from which on each pit lies as the move left it; until:
    int64[pits], the look from which on it may lie otherwise again, the number of looks where it does not.
    """

    before: Position
    move: FirstMove
    p: float
    begun: bool
    answered: bool
    since: I64
    until: I64


def decode(rules: Rules, befores: Sequence[tuple[Position, float]], looks: Looks) -> Decoded | None:
    """What was played from one of these positions, each with its odds; None where nobody can move. What lay there is
    known where `Looks.known` says so, and the same in all of them. Faults other than a move out of turn are looked for
    where no move is as good as certain, or pits show something else than it leaves. Raises ValueError where there is
    no position."""
    explained = _Explained.of(rules, befores, looks)
    return explained.likeliest() if explained.played else None


def odds(rules: Rules, befores: Sequence[tuple[Position, float]], looks: Looks) -> dict[Left, float]:
    """The posterior of every first move that has been made to its end, by what it leaves (`FirstMove.left`); what they
    lack of 1 is that none has. As `decode`, which says the likeliest of them."""
    explained = _Explained.of(rules, befores, looks)
    return {left: explained.posterior(left) for left in {move.left for one in explained.played for move in one.moves}}


@dataclass(frozen=True)
class _Explained:
    """All that may explain some looks. played: moves laid against them; others: nats of all else that may be going
    on."""

    played: list[_Laid]
    others: list[float]

    @classmethod
    def of(cls, rules: Rules, befores: Sequence[tuple[Position, float]], looks: Looks) -> _Explained:
        """As `decode` takes them."""
        if not befores:
            raise ValueError("no position to decode from")
        roots = [_Root.of(before, share, looks) for before, share in befores if len(looks)]
        others = [nats for root in roots for nats in (root.rest[-1], root.otherwise)]
        explained = cls([one for root in roots for one in root.laid(rules, moves_by_rule(rules, root.before))], others)
        if explained.played and explained.contested(looks):
            explained.played.extend(
                one for root in roots for one in root.laid(rules, faulty_moves(rules, root.before, looks)))
        return explained

    def contested(self, looks: Looks) -> bool:
        """Whether no move is as good as certain, or pits show something else than the likeliest leaves."""
        found = self.likeliest()
        shown = shown_fits(looks, found.before, found.move.player, np.array([found.move.position.counts]))[0]
        return bool(found.p < BEAM.agreed or shown < -BEAM.contested_nats)

    def likeliest(self) -> Decoded:
        """The likeliest of the moves."""
        found = max(self.played, key=lambda one: one.whole.max())
        return found.decoded(self.posterior(found.moves[int(found.whole.argmax())].left))

    def posterior(self, left: Left) -> float:
        """Of the moves that leave that, made to their end."""
        everything = np.logaddexp.reduce(np.concatenate([self.others, *(one.everything for one in self.played)]))
        alike = [nats for one in self.played for move, nats in zip(one.moves, one.whole.tolist(), strict=True)
                 if move.left == left]
        return float(np.exp(np.logaddexp.reduce(alike) - everything))


@dataclass(frozen=True)
class _Root:
    """A position that moves are made from. emissions: as of `Looks.emissions`; board: float64[looks], how well each
    look fits it; rest: float64[looks], nats of it at each look when nothing has been done; otherwise: nats of anything
    but a move that can be named."""

    before: Position
    looks: Looks
    emissions: F64
    board: F64
    rest: F64
    otherwise: float

    @classmethod
    def of(cls, before: Position, odds: float, looks: Looks) -> _Root:
        counts = np.array(before.counts)
        emissions = looks.emissions(counts)
        board = _fit(emissions, counts)
        rest = math.log(odds) + np.cumsum(board - DWELL.before * looks.seconds * looks.hands.any(axis=1))
        return cls(before, looks, emissions, board, rest, math.log(odds) + looks.otherwise(counts))

    def laid(self, rules: Rules, moves: Sequence[FirstMove]) -> list[_Laid]:
        """Moves laid against the looks, each side's together."""
        sides = [[move for move in moves if move.player is side] for side in Side]
        return [self._of_side(rules, mine) for mine in sides if mine]

    def _of_side(self, rules: Rules, moves: list[FirstMove]) -> _Laid:
        traces = Traces.of([move.boards for move in moves])
        tokens = passed(self.looks, self.emissions, traces, moves[0].player, self.rest, self.board,
                        np.array([move.prior for move in moves]))
        behind = (tokens.best[:, None] - tokens.ended).min(axis=0)
        follows = {int(m): _Following.of(rules, moves[m].position, self.looks, self.emissions, tokens.ended[:, m])
                   for m in np.argsort(behind)[:BEAM.moves] if behind[m] <= BEAM.nats}
        after = np.array([follows[m].best if m in follows else -np.inf for m in range(len(moves))])
        whole = np.logaddexp(tokens.ended[-1], after)
        return _Laid(self.before, self.looks, tuple(moves), traces, tokens, whole,
                     np.concatenate((whole, tokens.midway(traces.last))), follows)


@dataclass(frozen=True)
class _Laid:
    """Moves of one side from one position, laid against the looks. whole: float64[moves], nats of each move made to its
    end, followed by another or not; everything: the same, and of each that is in its middle. follows: what follows the
    likeliest."""

    before: Position
    looks: Looks
    moves: tuple[FirstMove, ...]
    traces: Traces
    tokens: Tokens
    whole: F64
    everything: F64
    follows: dict[int, _Following]

    def decoded(self, p: float) -> Decoded:
        """The likeliest move, and its posterior."""
        best, looks, pits = int(self.whole.argmax()), len(self.looks), len(self.before.counts)
        follows = self.follows.get(best)
        begun = follows is not None and follows.best > self.tokens.ended[-1, best]
        until, look = np.full(pits, looks), looks - 1
        if follows is not None and begun:
            until, look = follows.until(self.looks)
        since = _touched(self.traces, best, self.tokens.path(best, int(self.traces.last[best]), look), pits)
        return Decoded(self.before, self.moves[best], p, begun, follows is not None and begun and follows.done, since,
                       until)


@dataclass(frozen=True)
class _Following:
    """What may follow a first move: a legal one, after which the next may have begun as well, or anything else that the
    other side's hand does.

    best: nats of the best token that has begun; done: whether it is as good as certain that a legal move has been made
    to its end. path: the looks at which the best token made the steps of that move, and traces, move: which one it is.
    since: the look after which anything else begins, where that is the likeliest.
    """

    best: float
    done: bool = False
    traces: Traces | None = None
    move: int = 0
    path: I64 | None = None
    since: int | None = None

    @classmethod
    def of(cls, rules: Rules, position: Position, looks: Looks, emissions: F64, rest: F64) -> _Following:
        """rest: float64[looks], nats of the best token at the first move's end."""
        if rules.over(position) is not None or not np.isfinite(rest).any():
            return cls(-np.inf)
        anything = rest + looks.anything_after(position.to_move, np.array(position.counts))
        since = int(anything.argmax())
        other = cls(float(anything[since]), since=since)
        moves = rules.moves(position).moves
        if not moves:
            return other
        traces = Traces.of([boards_passed(position.counts, move.trace) for move in moves])
        tokens = passed(looks, emissions, traces, position.to_move, rest, _fit(emissions, np.array(position.counts)),
                        np.full(len(moves), -math.log(len(moves))))
        ended, midway = tokens.ended[-1].max(), tokens.midway(traces.last).max()
        done = ended > -np.inf and ended - midway > math.log(BEAM.agreed / (1 - BEAM.agreed))
        step, move = np.unravel_index(tokens.standing.argmax(), tokens.standing.shape)
        path = tokens.path(int(move), int(step) + 1, len(looks) - 1)
        legal = cls(float(tokens.standing[step, move]), bool(done), traces, int(move), path)
        return max(legal, other, *cls._followed(moves, looks, traces, tokens), key=lambda one: one.best)

    @classmethod
    def _followed(cls, moves: Sequence[Move], looks: Looks, traces: Traces, tokens: Tokens) -> Iterator[_Following]:
        """Legal moves after which the hand of the side that moved first has done anything again, whatever it was."""
        ends = tokens.ended.max(axis=0)
        for m in np.argsort(-ends)[:BEAM.moves].tolist():
            if not ends[m] > ends.max() - BEAM.nats:
                continue
            left = moves[m].position
            nats = tokens.ended[:, m] + looks.anything_after(left.to_move, np.array(left.counts))
            look = int(nats.argmax())
            if nats[look] > -np.inf:
                yield cls(float(nats[look]), True, traces, m, tokens.path(m, int(traces.last[m]), look))

    def until(self, looks: Looks) -> tuple[I64, int]:
        """int64[pits], the look from which on each pit may lie otherwise than the first move left it; and the last look
        at which all of them still lie so."""
        pits = looks.seen.shape[1]
        until = np.full(pits, len(looks))
        if self.since is not None:
            begins = looks.begins[self.since + 1:]
            until[begins.any(axis=0)] = self.since + 1 + begins.argmax(axis=0)[begins.any(axis=0)]
            return until, self.since
        assert self.traces is not None and self.path is not None, "nothing follows"
        for back in range(len(self.path) - 1, -1, -1):
            at = self.traces.pit[back, self.move]
            until[at[at < pits]] = self.path[back]
        return until, max(0, int(self.path[0]) - 1)


def _touched(traces: Traces, move: int, path: I64, pits: int) -> I64:
    """int64[pits], the look at which each pit was touched last, 0 where it was not."""
    since = np.zeros(pits, np.int64)
    for step, look in enumerate(path):
        at = traces.pit[step, move]
        since[at[at < pits]] = look
    return since


def _fit(emissions: F64, counts: NDArray[np.int64]) -> F64:
    """float64[looks], how well each look fits a board."""
    return np.asarray(emissions[:, np.arange(len(counts)), np.minimum(counts, emissions.shape[2] - 1)].sum(axis=1))
