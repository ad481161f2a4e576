"""Asking the judge: at once, or beside the frames."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from device.table.settling.judge_worker import Evidence, JudgeAtOnce, JudgeOnThread, Question, Verdict
from engine.judge import expect
from engine.judge.hypotheses import continuations
from engine.position import Position
from engine.rules import Rules, ruleset
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


def waiting(go: threading.Event) -> JudgeOnThread:
    """A judge who has been asked, and weighs until he is told to go on."""
    def slow(asked: Question) -> Verdict:
        assert go.wait(10)
        return simple_judge(asked)

    judge = JudgeOnThread(slow)
    judge.ask(question())
    return judge


def test_beside_does_not_hold_up_who_asks() -> None:
    go = threading.Event()
    judge = waiting(go)
    assert judge.answer() is None
    go.set()
    verdict = judge.answer(wait=True)
    assert verdict is not None and verdict.kind == "legal"
    assert judge.answer() is None
    judge.close()


def test_the_decoder_works_beside_the_judge() -> None:
    go = threading.Event()
    judge = waiting(go)
    assert judge.submit(lambda: threading.current_thread().name).result(10).startswith("decoder")
    assert judge.answer() is None, "it still weighs"
    go.set()
    assert judge.answer(wait=True) is not None
    judge.close()


def test_what_goes_wrong_beside_is_not_swallowed() -> None:
    def broken(_asked: Question) -> Verdict:
        raise ArithmeticError("lost count")

    judge = JudgeOnThread(broken)
    judge.ask(question())
    with pytest.raises(ArithmeticError, match="lost count"):
        judge.answer(wait=True)
    judge.close()


def test_what_can_follow_a_position_is_worked_out_before_it_is_asked_about() -> None:
    continuations.cache_clear()
    asked, order = question(), list[str]()
    go = threading.Event()

    def prepare(rules: Rules, before: Position) -> None:
        assert go.wait(10)
        expect(rules, before)
        order.append("expected")

    def weigh(one: Question) -> Verdict:
        order.append("asked")
        assert vars(continuations(one.rules, one.before))["_one_fault"], "faults are known before they are asked for"
        return one.weigh()

    judge = JudgeOnThread(weigh, prepare)
    judge.expect(asked.rules, asked.before)
    judge.ask(asked)
    assert judge.answer() is None
    go.set()
    verdict = judge.answer(wait=True)
    assert verdict is not None and verdict.kind == "legal" and order == ["expected", "asked"]
    judge.close()


def test_what_is_expected_is_worked_out_ahead_beside_the_judge_and_once() -> None:
    told: list[Position] = []
    begun, go = threading.Event(), threading.Event()

    def prepare(_rules: Rules, before: Position) -> None:
        told.append(before)
        begun.set()
        assert go.wait(10)

    judge, asked = JudgeOnThread(simple_judge, prepare), question()
    first, *others = (move.position for move in asked.rules.moves(asked.before).moves)
    assert asked.before not in (first, *others)
    for before in (first, first, first):
        judge.expect(asked.rules, before)
    assert begun.wait(10)
    judge.ask(asked)
    assert judge.answer(wait=True) is not None, "who asks does not wait for what is expected"
    for before in others:
        judge.expect(asked.rules, before)
    go.set()
    judge.close()
    assert told[0] == first and len(told) <= 2, "what is no longer expected, and has not begun, is left out"
