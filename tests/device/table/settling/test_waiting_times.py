"""How long a board has to lie still before something is said of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from device.journal.states import State
from device.table.parameters import Waiting
from device.table.settling.disturbance import Disturbance
from device.table.settling.evidence_window import Window
from device.table.settling.hand_readings import HandReadings
from device.table.settling.judge_worker import JudgeAtOnce, Question, Verdict
from device.table.settling.waiting_times import stillness_needed
from engine.board import Side
from engine.judge.verdict import Explanation, Fault
from engine.rules import ruleset
from tests.device.played_table import Played, begun, likelihoods, simple_judge, verdicts
from vision.reading import Reading


def delay(played: Played) -> float:
    """Seconds from when the last hand had left to the last verdict."""
    said = verdicts(played)[-1]
    return said.t - said.hands_out


def not_sure(kind: str) -> tuple[Verdict, Window]:
    """A doubt whose likeliest explanation is of this kind, and the quiet board as a legal move leaves it."""
    rules = ruleset("endodoi")
    before = rules.setup()
    after = rules.moves(before).moves[0].position
    window = Window(before.board.pits, touched=True)
    window.add(Reading(0, likelihoods(after.counts), np.ones(before.board.pits, bool)))
    likely = Explanation(kind, 0.9, Side.SOUTH, "a", position=after)
    return Verdict("not-sure", before, before, pits=(3,), best=(likely,)), window


@pytest.mark.parametrize(("kind", "unseen", "mid_move", "wait_s"), [
    pytest.param("legal", False, False, Waiting().accuse_s, id="only counts are in doubt"),
    pytest.param("else", False, False, Waiting().pause_s, id="the move is in doubt"),
    pytest.param("legal", True, False, Waiting().ask_s, id="no hand was seen"),
    pytest.param("legal", False, True, Waiting().left_undone_s, id="the board lies as in mid-move")])
def test_why_it_is_not_sure_decides_how_long_the_board_lies_still(kind: str, unseen: bool, mid_move: bool,
                                                                  wait_s: float) -> None:
    verdict, window = not_sure(kind)
    move = Disturbance(0.0, 1.0, window, HandReadings(), south=0.1, unseen=unseen, mid_move=mid_move)
    assert stillness_needed(verdict, move, Waiting()) == wait_s


def test_a_pit_that_was_never_seen_delays_no_verdict() -> None:
    played = Played()
    played.start()
    rules, position = played.game.playing
    pits = position.board.pits
    move = rules.moves(position).moves[0]
    touched = {p for p in range(pits) if move.position.counts[p] != position.counts[p]}
    dark = next(p for p in reversed(range(pits)) if p not in touched)
    others = [p for p in range(pits) if p != dark]
    played.frames(4.0, seen=others)
    assert played.at(State.WATCHING)
    played.frames(1.0, (0.08, 0.0), seen=others)
    played.counts = list(move.position.counts)
    played.frames(0.2, (0.08, 0.0), seen=others)
    played.frames(3.0, seen=others)
    assert verdicts(played) and delay(played) < 0.5
    played.frames(1.0, (0.0, 0.08), seen=others)
    hers = rules.moves(move.position).moves[0]
    played.counts = list(hers.position.counts)


@pytest.mark.parametrize(("missing", "least", "most"), [(2, 0.7, 1.1), (7, 3.9, 4.3)])
def test_many_seeds_that_are_missing_may_be_in_a_hand_that_rests(missing: int, least: float, most: float) -> None:
    def judge(question: Question) -> Verdict:
        before = question.before
        taken = before.with_counts(tuple(question.evidence.loglik.argmax(axis=1).tolist()))
        return Verdict("illegal", before, replace(taken, to_move=Side.NORTH), Side.SOUTH, "a",
                       faults=(Fault("palmed", 3, 0, missing),), confidence=0.999)

    played = begun(JudgeAtOnce(judge))
    _, position = played.game.playing
    pit = max(range(position.board.pits), key=lambda p: position.counts[p])
    lies, left = list(position.counts), missing
    for p in [pit, *(p for p in range(len(lies)) if p != pit)]:
        took = min(left, lies[p])
        lies[p], left = lies[p] - took, left - took
    played.move(lies, Side.SOUTH, pause=5.0)
    assert least < delay(played) < most


@pytest.mark.parametrize(("code", "least"), [("stopped-short", 3.9), ("short-capture", 3.9), ("bull-missed", 3.9),
                                             ("double", 0.7)])
def test_what_is_due_may_yet_be_done_until_the_other_sides_hand_comes(code: str, least: float) -> None:
    def judge(question: Question) -> Verdict:
        verdict = simple_judge(question)
        return verdict if verdict.kind != "illegal" else replace(verdict, faults=(Fault(code, 3, 1, 0),))

    for pause in (5.0, 2.0):
        played = begun(JudgeAtOnce(judge))
        lies = list(played.counts)
        lies[3] += 1
        played.move(lies, Side.SOUTH, pause=pause)
        assert bool(verdicts(played)) == (least < pause)
        played.frames(0.5, (0.0, 0.08))
        assert min(least, pause) < delay(played) < min(least, pause) + 0.4


@pytest.mark.parametrize(("held", "least", "most"), [(1, 1.5, 1.9), (2, 0.7, 1.1)])
def test_a_pit_that_was_emptied_may_be_the_beginning_of_a_move(held: int, least: float, most: float) -> None:
    def judge(question: Question) -> Verdict:
        before = question.before
        lies = before.with_counts(tuple(question.evidence.loglik.argmax(axis=1).tolist()))
        return Verdict("tampered", before, lies, confidence=0.999)

    played = Played(judge=JudgeAtOnce(judge))
    played.start("endodoi", f"4,4,4,4,4,4/4,4,4,4,{held},{8 - held} S 0-0 ply=2")
    played.frames(1)
    lies = list(played.game.playing[1].counts)
    lies[4], lies[5] = lies[4] - 1, lies[5] + 1
    played.move(lies, Side.SOUTH, pause=2.5)
    assert least < delay(played) < most


@pytest.mark.parametrize(("code", "least", "most"), [("short-capture", 1.5, 1.9), ("bull-missed", 1.5, 1.9),
                                                     ("palmed", 1.5, 1.9), ("double", 0.7, 1.1)])
def test_a_doubt_about_what_may_yet_be_done_is_waited_with(code: str, least: float, most: float) -> None:
    def judge(question: Question) -> Verdict:
        verdict = simple_judge(question)
        if verdict.kind != "illegal":
            return verdict
        likely = Explanation("illegal", 0.9, Side.SOUTH, "a", (Fault(code, 3, 1, 1),), verdict.position)
        return replace(verdict, kind="not-sure", position=question.before, best=(likely,), faults=(), pits=(3,))

    played = begun(JudgeAtOnce(judge))
    lies = list(played.counts)
    lies[3] += 1
    played.move(lies, Side.SOUTH, pause=2.5)
    assert least < delay(played) < most
