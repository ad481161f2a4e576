"""How the table asks the judge: at once for a recording, beside the camera's frames for a live one."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol, TypeVar

from device.table.parameters import DOUBT
from engine.judge import expect, judge, judge_from
from engine.judge.verdict import Evidence, Verdict
from engine.position import Position
from engine.rules import Rules

__all__ = ["Evidence", "Judge", "JudgeAtOnce", "JudgeOnThread", "Question", "Verdict"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Question:
    """What the judge is asked: which explanation leads from `before` to what was read; or, where it is not known how
    the board lay, from which of the `doubts`, positions with their odds.

    rivals: positions that may lie there though another is said to, with their odds. They are asked about where
    somebody would be accused, or people asked, from `before`: what was misread earlier may be the reason.
    """

    rules: Rules
    before: Position
    evidence: Evidence
    history: tuple[Position, ...]
    doubts: tuple[tuple[Position, float], ...] = ()
    rivals: tuple[tuple[Position, float], ...] = ()

    def weigh(self) -> Verdict:
        """The judge's verdict."""
        if self.doubts:
            return judge_from(self.rules, self.doubts, self.evidence)
        verdict = judge(self.rules, self.before, self.evidence, history=self.history)
        if not self.rivals or not (verdict.accuses or verdict.kind == "not-sure"):
            return verdict
        known = self.before, max(DOUBT.least_odds, 1 - sum(odds for _, odds in self.rivals))
        return judge_from(self.rules, (known, *self.rivals), self.evidence, history=self.history)


class Judge(Protocol):
    """Someone who weighs one question at a time."""

    def ask(self, question: Question) -> None:
        """Begin to weigh a question; the one before is forgotten."""

    def answer(self, wait: bool = False) -> Verdict | None:
        """The verdict on the last question; None while it is being weighed, unless `wait`."""

    def expect(self, rules: Rules, before: Position) -> None:
        """The next question will hardly be about another position: what can follow this one may be worked out ahead.
        Said again of the same one, it does nothing."""

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """Have something else done that takes long, such as the decoder's work. What it raises is raised to whoever
        asks for the result."""

    def close(self) -> None:
        """There are no more questions."""


class JudgeAtOnce:
    """Weighs while the frames wait: the same recording gives the same verdicts every time."""

    def __init__(self, weigh: Callable[[Question], Verdict] = Question.weigh) -> None:
        """weigh: answers a question."""
        self._weigh = weigh
        self._verdict: Verdict | None = None

    def ask(self, question: Question) -> None:
        """See `Judge.ask`: it is weighed before this returns."""
        self._verdict = self._weigh(question)

    def answer(self, wait: bool = False) -> Verdict | None:
        """See `Judge.answer`: it is there already."""
        del wait
        verdict, self._verdict = self._verdict, None
        return verdict

    def expect(self, rules: Rules, before: Position) -> None:
        """See `Judge.expect`: nothing is gained, since the frames wait."""

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """See `Judge.submit`: it is done when this returns."""
        done: Future[T] = Future()
        done.set_result(work())
        return done

    def close(self) -> None:
        """Nothing is being weighed."""


class JudgeOnThread:
    """Weighs in a thread of its own, so that hands are followed meanwhile; what is expected is worked out in another,
    and all else is done in a third.
    """

    def __init__(self, weigh: Callable[[Question], Verdict] = Question.weigh,
                 prepare: Callable[[Rules, Position], None] = expect) -> None:
        """weigh: answers a question, in the thread; prepare: works out ahead what can follow a position."""
        self._weigh, self._prepare = weigh, prepare
        self._pool, self._ahead = ThreadPoolExecutor(1, "judge"), ThreadPoolExecutor(1, "expecting")
        self._beside = ThreadPoolExecutor(1, "decoder")
        self._asked: Future[Verdict] | None = None
        self._expected: tuple[Rules, Position, Future[None]] | None = None

    def ask(self, question: Question) -> None:
        """See `Judge.ask`. What is being worked out of its position is waited for, and not worked out twice."""
        expected = self._expected
        ahead = expected[2] if expected is not None and expected[:2] == (question.rules, question.before) else None
        self._asked = self._pool.submit(self._weighed, question, ahead)

    def _weighed(self, question: Question, ahead: Future[None] | None) -> Verdict:
        if ahead is not None:
            with suppress(CancelledError):
                ahead.exception()
        return self._weigh(question)

    def answer(self, wait: bool = False) -> Verdict | None:
        """See `Judge.answer`."""
        if self._asked is None or not (wait or self._asked.done()):
            return None
        asked, self._asked = self._asked, None
        return asked.result()

    def expect(self, rules: Rules, before: Position) -> None:
        """See `Judge.expect`."""
        if self._expected is not None:
            if (rules, before) == self._expected[:2]:
                return
            self._expected[2].cancel()
        self._expected = rules, before, self._ahead.submit(self._prepare, rules, before)

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """See `Judge.submit`."""
        return self._beside.submit(work)

    def close(self) -> None:
        """See `Judge.close`."""
        for pool in (self._pool, self._ahead, self._beside):
            pool.shutdown(cancel_futures=True)
