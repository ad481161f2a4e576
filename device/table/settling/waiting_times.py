"""How long a board has to lie still before somebody is accused, or people are asked: a hand may go on."""

from __future__ import annotations

from device.table.parameters import Waiting
from device.table.settling.disturbance import Disturbance
from device.table.settling.evidence_window import Window
from device.table.settling.judge_worker import Verdict
from device.table.settling.mid_move import DUE
from engine.judge.verdict import Explanation


def stillness_needed(verdict: Verdict, move: Disturbance, waiting: Waiting) -> float:
    """For how many seconds the board has to lie still before the verdict may be said."""
    if verdict.kind in ("race", "rearranged"):  # seeds may still be in a hand
        return waiting.pause_s
    if move.unseen:
        return waiting.accuse_unseen_s if verdict.kind == "illegal" else waiting.ask_s
    if move.interrupted_at and verdict.accuses:
        return max(waiting.accuse_unseen_s, _of_seen(verdict, move, waiting))
    return _of_seen(verdict, move, waiting)


def _of_seen(verdict: Verdict, move: Disturbance, waiting: Waiting) -> float:
    """The same of a move whose hands were seen."""
    missing = sum(f.n for f in verdict.faults if f.code == "palmed")
    if move.mid_move or missing >= waiting.held_seeds or any(f.code in DUE for f in verdict.faults):
        return waiting.left_undone_s
    if verdict.kind == "not-sure" and not _of_counts(verdict, move.window, waiting):
        return waiting.pause_s
    if verdict.kind == "tampered" and (verdict.position.total != verdict.before.total or _lifted(verdict)):
        return waiting.pause_s
    return waiting.accuse_s


def _lifted(verdict: Verdict) -> bool:
    """Whether a pit was emptied, as by a hand that sows and may go on; a seed that was nudged leaves others there."""
    return any(was and not is_ for was, is_ in zip(verdict.before.counts, verdict.position.counts, strict=True))


def _of_counts(verdict: Verdict, window: Window, waiting: Waiting) -> bool:
    """Whether it is known what was played and only some count is in doubt, so that nothing more is waited for.

    It is not where an explanation is open that nothing explains or that may yet be mended, since the move may not be at
    its end; nor where seeds are missing, since they may be laid back, as in a move that is taken back bit by bit.
    """
    told = [e for e in verdict.best if e.p > waiting.unlikely_odds]
    read, before = int(window.counts.sum()), sum(verdict.before.counts)

    def known(e: Explanation) -> bool:
        lie = read if e.position is None else sum(e.position.counts)
        if e.kind == "tampered":
            return read == lie == before
        return e.kind in ("legal", "illegal") and not any(f.code in (*DUE, "palmed") for f in e.faults) and read >= lie

    return bool(verdict.pits and told) and all(map(known, told))
