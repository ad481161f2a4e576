"""The moves that may have been made first since a board was known: those by the rules, and those with one fault."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from engine.board import Side
from engine.decoder.looks import F64, Looks
from engine.decoder.parameters import BEAM
from engine.decoder.traces import I64
from engine.games.base import Rules
from engine.judge.hypotheses import continuations
from engine.judge.parameters import EFFORT, PRIORS
from engine.judge.timeline_likelihood import boards_passed
from engine.position import Position

Left = tuple[Side, bool, tuple[int, ...]]
"""What a move leaves: whose it is, whether it is legal, and the board."""


@dataclass(frozen=True)
class FirstMove:
    """A move that one side may have made.

    boards: int64[steps + 1, pits], what it passes through. prior: nats. position: what it leaves. legal: whether there
    is no fault in it.
    """

    player: Side
    name: str
    boards: I64
    prior: float
    position: Position
    legal: bool

    @property
    def left(self) -> Left:
        """What it leaves."""
        return self.player, self.legal, self.position.counts


def moves_by_rule(rules: Rules, before: Position) -> list[FirstMove]:
    """Every legal move, and every move of the side whose turn it is not that would be legal if it were; none where
    nobody can move whose turn it is."""
    if not rules.moves(before).moves:
        return []
    found = []
    for side, prior in ((before.to_move, PRIORS.legal), (before.to_move.other, PRIORS.faults["out-of-turn"])):
        moves = rules.moves(before, side).moves
        found += [FirstMove(side, move.name, boards_passed(before.counts, move.trace), math.log(prior / len(moves)),
                            move.position, legal=side is before.to_move) for move in moves]
    return found


def faulty_moves(rules: Rules, before: Position, looks: Looks) -> list[FirstMove]:
    """Moves with one other fault, `BEAM.faulty` of them at most: those of which the pits show best what they leave,
    each at its best moment since the end may have been reached. What a legal move leaves as well accuses nobody."""
    following = continuations(rules, before)
    lawful = {h.counts for h in following.legal.listed} | {before.counts}
    hypotheses = following.one_fault(EFFORT.fault_laps)[0].without(lawful)
    by_rule = np.array([len(h.moves) == 1 for h in hypotheses.listed], np.bool_)
    players = np.array([int(h.player or 0) for h in hypotheses.listed])
    fits = np.full(len(players), -np.inf)
    for side in Side:
        mine = players == side
        fits[mine] = shown_fits(looks, before, side, hypotheses.boards[mine]) + hypotheses.log_priors[mine]
    found = []
    fits[by_rule] = -np.inf
    for i in np.argsort(-fits)[:BEAM.faulty].tolist():
        h = hypotheses.listed[i]
        trace = following.trace(h)
        if trace and h.player is not None:
            found.append(FirstMove(h.player, h.move or "", boards_passed(before.counts, trace), h.log_prior,
                                   h.position_after(before), legal=False))
    return found


def shown_fits(looks: Looks, before: Position, side: Side, boards: I64) -> F64:
    """float64[boards], nats at most 0: how well the pits show boards int64[boards, pits] that a move of that side's may
    have left, each pit at its best moment since the end may have been reached."""
    shown = looks.best_since(np.array(before.counts), _ending(looks, side))
    return np.asarray(shown[np.arange(len(shown)), np.minimum(boards, shown.shape[1] - 1)].sum(axis=1))


def _ending(looks: Looks, side: Side) -> int:
    """The look from which on a move of that side's may be at its end: the first of the other side's hand that is there
    now, or the last of its own."""
    other = np.flatnonzero(~looks.hands[:, side.other])
    own = np.flatnonzero(looks.hands[:, side])
    came = int(other[-1]) + 1 if len(other) else 0
    return min(came, int(own[-1]) if len(own) else 0, len(looks) - 1)
