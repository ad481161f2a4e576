"""Hands that come back before the move was said: whether they are the next move's, or still this one's."""

from __future__ import annotations

import numpy as np

from device.table.context import TableContext
from device.table.parameters import HANDS
from device.table.settling.disturbance import Disturbance
from device.table.settling.evidence_window import Window
from device.table.settling.judge_worker import Verdict
from device.table.settling.mid_move import moving_side
from engine.position import Position


def pits_newly_hidden(context: TableContext, window: Window) -> set[int]:
    """The pits that are hidden and were seen when the board last lay still. Those that were hidden then are not waited
    for: that was of no use before."""
    return set(np.flatnonzero(~window.seen).tolist()) - set(context.hidden)


def is_next_move(context: TableContext, pending: Verdict, move: Disturbance, later: Disturbance) -> bool:
    """Whether the hands that came before the verdict was said make the next move. They do not where the mover's own
    hand is among them, though it only rests beside the other side's.

    pending: the verdict that was about to be said of `move`; later: what the hands do that came.
    """
    if pending.kind == "race":  # either runner may have more to sow, for a moment
        return context.t - move.moved >= context.waiting.accuse_s
    meddled = pending.kind == "tampered" or (pending.best and pending.best[0].kind == "tampered")
    if pending.player is None and not meddled:
        return False
    mover = moving_side(pending.player, move)
    return mover is not later.side and not later.frames[mover]


def was_touched(window: Window, before: Position) -> bool:
    """Whether a hand may have moved seeds: a pit is clearly read otherwise than before, or at least two plainly look
    otherwise. So it is on a table on which single seeds can hardly be seen."""
    looks = window.changed is not None and int(window.changed.sum()) >= HANDS.faint_pits
    return looks or bool(window.clearly_otherwise(before.counts))


def touched_nothing(verdict: Verdict, window: Window) -> bool:
    """Whether the hand is to be taken for one that touched nothing, such as one that points.

    Either the verdict is a doubt whose explanations all but agree on that, and only how the board lay before is in
    doubt; or no pit is clearly read otherwise than before, and the verdict is neither a legal move nor a doubt of which
    a legal move is the likeliest explanation.
    """
    likely = verdict.best[0].kind if verdict.best else ""
    if verdict.kind == "not-sure" and sum(e.p for e in verdict.best if e.kind == "unchanged") >= HANDS.untouched_odds:
        return True
    fair = verdict.kind == "legal" or (verdict.kind == "not-sure" and likely == "legal")
    return not fair and not window.clearly_otherwise(verdict.before.counts)
