"""Hands that come back before the move was said: whether they are the next move's, or still this one's."""

from __future__ import annotations

import numpy as np

from device.table.context import TableContext
from device.table.parameters import HANDS
from device.table.settling.disturbance import Disturbance
from device.table.settling.evidence_window import Window
from device.table.settling.judge_worker import Verdict
from device.table.settling.mid_move import fits_an_end, moving_side


def pits_newly_hidden(context: TableContext, window: Window) -> bool:
    """Whether pits are not seen that were when the board lay still last: of the others waiting was of no use."""
    return not set(np.flatnonzero(~window.seen).tolist()) <= context.hidden


def no_board_but_this(context: TableContext, move: Disturbance) -> bool:
    """Whether a board that lay still is all there is to go on from: it was not known how it lay before, nor what
    happened since. Were it one move with what follows, nothing could be said of that either."""
    return (not context.game.synced and move.pending is not None and move.pending.kind == "not-sure"
            and context.enough(move.window) and bool(move.window.seen.all()))


def is_next_move(context: TableContext, pending: Verdict, move: Disturbance, later: Disturbance) -> bool:
    """Whether hands that come before a verdict was said are the next move's: not where the mover's own is one of them,
    beside one that leans there."""
    if pending.kind == "race":  # either runner may have more to sow, for a moment
        return context.t - move.moved >= context.waiting.accuse_s
    if move.answered:  # it may be the answer that goes on
        return False
    meddled = pending.kind == "tampered" or (pending.best and pending.best[0].kind == "tampered")
    if pending.player is None and not meddled:
        return False
    mover = moving_side(pending.player, move)
    return mover is not later.side and not later.frames[mover]


def glance_suffices(context: TableContext, move: Disturbance, later: Disturbance) -> bool:
    """Whether enough was read between two hands to ask about the first one's move: of the same side's only where it may
    have been at its end, for else it goes on with it."""
    window = move.window
    if move.pending is not None or not window.frames:
        return False
    if later.side is move.side and not (context.game.synced and fits_an_end(*context.game.playing, window)):
        return False
    return context.enough(window) or not pits_newly_hidden(context, window)


def looks_touched(window: Window) -> bool:
    """Whether a hand may have moved seeds, though no pit is clearly read otherwise: where it took them, and where it
    laid them, the board plainly looks otherwise, as on a table on which single seeds can hardly be seen."""
    return window.changed is not None and int(window.changed.sum()) >= HANDS.faint_pits


def touched_nothing(verdict: Verdict, window: Window) -> bool:
    """Whether all that is not sure is how the board lay before a hand that touched nothing, as one that points; or
    anything but a legal move, or what is likely one, is said of a board that is nowhere clearly read otherwise than
    before."""
    likely = verdict.best[0].kind if verdict.best else ""
    if verdict.kind == "not-sure" and sum(e.p for e in verdict.best if e.kind == "unchanged") >= HANDS.untouched_odds:
        return True
    fair = verdict.kind == "legal" or (verdict.kind == "not-sure" and likely == "legal")
    return not fair and not window.clearly_otherwise(verdict.before.counts)
