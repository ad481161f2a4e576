"""Asking the judge: at once, or beside the frames."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from device.table.settling.judge_worker import Evidence, JudgeAtOnce, JudgeOnThread, Question, Verdict
from engine.rules import ruleset
from tests.device.played_table import likelihoods, simple_judge


def question() -> Question:
    """A legal move, clearly read."""
    rules = ruleset("enkeshui")
    before = rules.setup()
    after = rules.moves(before).moves[0].position
    loglik = likelihoods(after.counts).astype(np.float64)
    return Question(rules, before, Evidence(loglik, np.ones(len(loglik), bool), 5, (0.1, 0.0)), ())


def test_the_real_judge_finds_the_move_legal() -> None:
    verdict = question().weigh()
    assert verdict.kind == "legal" and verdict.confidence > 0.9


def test_at_once_gives_its_answer_once() -> None:
    judge = JudgeAtOnce(simple_judge)
    assert judge.answer() is None
    judge.ask(question())
    verdict = judge.answer()
    assert verdict is not None and verdict.kind == "legal"
    assert judge.answer() is None
    judge.close()


def test_beside_does_not_hold_up_who_asks() -> None:
    go = threading.Event()

    def slow(asked: Question) -> Verdict:
        assert go.wait(10)
        return simple_judge(asked)

    judge = JudgeOnThread(slow)
    judge.ask(question())
    assert judge.answer() is None
    go.set()
    verdict = judge.answer(wait=True)
    assert verdict is not None and verdict.kind == "legal"
    assert judge.answer() is None
    judge.close()


def test_what_goes_wrong_beside_is_not_swallowed() -> None:
    def broken(_asked: Question) -> Verdict:
        raise ArithmeticError("lost count")

    judge = JudgeOnThread(broken)
    judge.ask(question())
    with pytest.raises(ArithmeticError, match="lost count"):
        judge.answer(wait=True)
    judge.close()
