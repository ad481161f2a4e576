"""How a picture may show the board: as people see it, in a mirror, turned round, or both; a hypothesis like any other.

A camera that mirrors makes every legal move a sowing the wrong way round, and one that is turned by half gives each
side's moves to the other. So where the judge accuses somebody, or asks people, the same is weighed as if the picture
were turned. How likely what was read is either way decides: each way has a small prior, and its odds go on from move
to move.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from enum import IntFlag
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from device.journal.messages import message
from device.system.folder import South
from device.table.parameters import TURNED
from device.table.settling.judge_worker import Evidence, Judge, Question, Verdict
from engine.board import Board, Side
from engine.judge.verdict import COUNTS, Doubt, Timeline
from engine.messages import Message
from engine.position import Position
from engine.rules import Rules

T = TypeVar("T")


class Turn(IntFlag):
    """What of the board a picture shows the other way round. Two turns make another by `^`."""

    NONE = 0
    COLUMNS = 1
    ROWS = 2

    @property
    def word(self) -> str:
        """As in the journal: "", mirrored, flipped or turned."""
        return WORDS[self]

    @property
    def why(self) -> Message:
        """The sentence that says so."""
        return WHY[self]

    @property
    def done(self) -> Message:
        """The sentence that says that the picture has been turned so."""
        return DONE[self]

    @classmethod
    def of(cls, word: str) -> Turn:
        """By its word. Raises ValueError for another."""
        for turn in TURNS:
            if turn.word == word:
                return turn
        raise ValueError(f"{word!r} is no way to turn a picture: mirrored, flipped or turned")

    def pits(self, board: Board) -> list[int]:
        """The pit that each pit of a picture is, along the ring."""
        places = [board.place(pit) for pit in range(board.pits)]
        rows, cols = bool(self & Turn.ROWS), bool(self & Turn.COLUMNS)
        return [board.at(board.rows - 1 - row if rows else row, board.cols - 1 - col if cols else col)
                for row, col in places]

    def image(self, image: NDArray[np.uint8], south: South) -> NDArray[np.uint8]:
        """A picture, uint8[h, w, 3], turned so that it shows the board as people see it. south: the edge where South
        sits."""
        along = 1 if south in ("bottom", "top") else 0
        axes = [axis for axis, part in ((along, Turn.COLUMNS), (1 - along, Turn.ROWS)) if self & part]
        return np.ascontiguousarray(np.flip(image, tuple(axes))) if axes else image

    def evidence(self, evidence: Evidence, board: Board) -> Evidence:
        """The same evidence, if the picture is turned so."""
        pits, during = self.pits(board), evidence.during
        swapped = bool(self & Turn.ROWS)
        return replace(
            evidence, loglik=evidence.loglik[pits], seen=evidence.seen[pits],
            hands=evidence.hands[::-1] if swapped else evidence.hands,
            during=None if during is None else Timeline(during.loglik[:, pits], during.seen[:, pits]),
            earlier=-evidence.earlier if swapped else evidence.earlier,
            touched=None if evidence.touched is None else evidence.touched[pits])

    def counts(self, position: Position) -> tuple[int, ...]:
        """What a picture that is turned so shows of a position."""
        return tuple(position.counts[pit] for pit in self.pits(position.board))


WORDS = {Turn.NONE: "", Turn.COLUMNS: "mirrored", Turn.ROWS: "flipped", Turn.ROWS | Turn.COLUMNS: "turned"}
WHY = {Turn.COLUMNS: message("reason.mirrored"), Turn.ROWS: message("reason.flipped"),
       Turn.ROWS | Turn.COLUMNS: message("reason.turned")}
DONE = {Turn.COLUMNS: message("answer.mirrored"), Turn.ROWS: message("answer.flipped"),
        Turn.ROWS | Turn.COLUMNS: message("answer.turned")}


TURNS = tuple(turn for turn in WORDS if turn)
"""All ways in which a picture may be turned."""


@dataclass(frozen=True, slots=True)
class _Account:
    """A game as it stands if the picture is turned. before: its position; nats: log-odds of that."""

    before: Position
    nats: float


@dataclass
class _Weighed:
    """A question that is being weighed. answers: of each turn that was asked about; asking: the one that is asked now.
    """

    question: Question
    shown: Verdict | None = None
    answers: dict[Turn, Verdict] = field(default_factory=dict)
    asking: Turn = Turn.NONE


class TurningJudge:
    """A judge who also weighs whether the picture is turned. found: the turn by which the picture has to be turned,
    once that is as good as certain."""

    def __init__(self, judge: Judge) -> None:
        """judge: weighs each question."""
        self._judge = judge
        self._now: _Weighed | None = None
        self._accounts: dict[Turn, _Account] = {}
        self._next: tuple[Position, dict[Turn, _Account]] | None = None
        self.found = Turn.NONE

    def ask(self, question: Question) -> None:
        """See `Judge.ask`."""
        if self._next is not None and self._next[0] != question.before:
            self._accounts = self._next[1]
        self._now, self._next = _Weighed(question), None
        self._judge.ask(question)

    def answer(self, wait: bool = False) -> Verdict | None:
        """See `Judge.answer`."""
        now = self._now
        while now is not None and (verdict := self._judge.answer(wait)) is not None:
            if now.shown is None:
                now.shown = verdict
            else:
                now.answers[now.asking] = verdict
            turn = self._to_ask(now)
            if turn is None:
                self._now = None
                return self._weighed(now)
            now.asking = turn
            before = self._account(turn, now.question).before
            evidence = turn.evidence(now.question.evidence, before.board)
            self._judge.ask(Question(now.question.rules, before, evidence, now.question.history))
        return None

    def _to_ask(self, now: _Weighed) -> Turn | None:
        """The next turn to ask about: none where nobody is accused or asked, and no seeds were laid as people like."""
        assert now.shown is not None
        if not (now.shown.accuses or now.shown.kind in ("not-sure", "rearranged")):
            return None
        left = (turn for turn in TURNS if turn not in now.answers)
        return next((turn for turn in left if self._shows_a_move(turn, now.question)), None)

    def _shows_a_move(self, turn: Turn, question: Question) -> bool:
        """Whether what is read, the picture being turned so, comes near to what some legal move leaves."""
        before = self._account(turn, question).before
        evidence = turn.evidence(question.evidence, before.board)
        moves = [move for side in Side for move in question.rules.moves(before, side).moves]
        boards = np.array([before.counts, *(move.position.counts for move in moves)]).clip(0, COUNTS - 1)
        nats = (evidence.loglik - evidence.loglik.max(axis=1, keepdims=True)).clip(-TURNED.pit_nats)
        fits = np.where(evidence.seen, nats[np.arange(before.board.pits), boards], 0.0).sum(axis=1)
        return bool(fits.max() > -TURNED.worth_nats)

    def _account(self, turn: Turn, question: Question) -> _Account:
        """The game if the picture is turned so: as it was before, or turned since the last move."""
        kept, before = self._accounts.get(turn), question.before
        # A camera that mirrors did so from the first picture on; where the board looks the same so, it was not noticed.
        fresh = turn is Turn.COLUMNS and not before.ply and turn.counts(before) == before.counts
        born = _Account(before, TURNED.mirrored_nats if fresh else TURNED.turned_nats)
        return kept if kept is not None and kept.nats > born.nats else born

    def _weighed(self, now: _Weighed) -> Verdict:
        """The verdict, or a doubt where the picture may be turned."""
        shown, accounts = now.shown, dict[Turn, _Account]()
        assert shown is not None
        for turn, verdict in now.answers.items():
            nats = self._account(turn, now.question).nats + verdict.evidence - shown.evidence
            if verdict.kind in ("legal", "unchanged"):
                accounts[turn] = _Account(verdict.position, nats)
        self._next = now.question.before, accounts
        if not accounts:
            return shown
        turn = max(accounts, key=lambda one: accounts[one].nats)
        odds = math.exp(min(50.0, accounts[turn].nats))
        if odds < TURNED.doubt_odds:
            return shown
        if odds > TURNED.sure_odds:
            self.found, self._accounts, self._next = turn, {}, None
            if now.answers[turn].kind == "unchanged":
                return now.answers[turn]
        likelier = now.answers[turn] if odds > 1 else shown
        return replace(shown.as_doubt(Doubt.TURNED), best=likelier.best, pits=likelier.pits)

    def expect(self, rules: Rules, before: Position) -> None:
        """See `Judge.expect`."""
        self._judge.expect(rules, before)

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """See `Judge.submit`."""
        return self._judge.submit(work)

    def close(self) -> None:
        """See `Judge.close`."""
        self._judge.close()
