"""How the table asks the judge: at once for a recording, beside the camera's frames for a live one."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol

from engine.judge import judge, judge_from
from engine.judge.verdict import Evidence, Verdict
from engine.position import Position
from engine.rules import Rules

__all__ = ["Evidence", "Judge", "JudgeAtOnce", "JudgeOnThread", "Question", "Verdict"]


@dataclass(frozen=True, slots=True)
class Question:
    """What the judge is asked: which explanation leads from `before` to what was read; or, where it is not known how
    the board lay, from which of the `doubts`, positions with their odds."""

    rules: Rules
    before: Position
    evidence: Evidence
    history: tuple[Position, ...]
    doubts: tuple[tuple[Position, float], ...] = ()

    def weigh(self) -> Verdict:
        """The judge's verdict."""
        if self.doubts:
            return judge_from(self.rules, self.doubts, self.evidence)
        return judge(self.rules, self.before, self.evidence, history=self.history)


class Judge(Protocol):
    """Someone who weighs one question at a time."""

    def ask(self, question: Question) -> None:
        """Begin to weigh a question; the one before is forgotten."""

    def answer(self, wait: bool = False) -> Verdict | None:
        """The verdict on the last question; None while it is being weighed, unless `wait`."""

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

    def close(self) -> None:
        """Nothing is being weighed."""


class JudgeOnThread:
    """Weighs in a thread of its own, so that hands are followed meanwhile."""

    def __init__(self, weigh: Callable[[Question], Verdict] = Question.weigh) -> None:
        """weigh: answers a question, in the thread."""
        self._weigh = weigh
        self._pool = ThreadPoolExecutor(1, "judge")
        self._asked: Future[Verdict] | None = None

    def ask(self, question: Question) -> None:
        """See `Judge.ask`."""
        self._asked = self._pool.submit(self._weigh, question)

    def answer(self, wait: bool = False) -> Verdict | None:
        """See `Judge.answer`."""
        if self._asked is None or not (wait or self._asked.done()):
            return None
        asked, self._asked = self._asked, None
        return asked.result()

    def close(self) -> None:
        """See `Judge.close`."""
        self._pool.shutdown(cancel_futures=True)
