"""Seeds that can hardly be seen: a hand has moved some, no pit is clearly read otherwise, and yet the picture is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from device.journal.states import State
from device.table.parameters import HANDS
from device.table.settling.judge_worker import JudgeAtOnce, Question, Verdict
from engine.board import Side
from engine.judge.verdict import Explanation
from tests.device.played_table import Played, simple_judge, verdicts

LINE = "5,0,2,1,0,6,3,0/1,0,3,1,4,0,0,3 S 11-8 ply=8"


def judge(kind: str, likely: str) -> JudgeAtOnce:
    """One who hears of the first legal move alone, and takes it for such a thing; or does not know whether it is one.
    """
    def weigh(question: Question) -> Verdict:
        move, mover = question.rules.moves(question.before).moves[0], question.before.to_move
        best = Explanation(likely, 0.8, mover, move.name, (), move.position)
        return replace(simple_judge(question), kind=kind, position=move.position, player=mover, move=move.name,
                       confidence=0.999, pits=(), best=(best,))

    return JudgeAtOnce(weigh)


def after_a_hand(pits: int, kind: str = "legal", likely: str = "legal") -> Played:
    """A table after a hand was there and so many pits look otherwise, though all are read as before."""
    played = Played(judge=judge(kind, likely), stays=np.zeros(16, np.int64))
    played.start("enkeshui", LINE)
    played.frames(1.0)
    assert played.at(State.WATCHING) and played.stays is not None
    played.frames(1.0, (0.08, 0.0))
    played.stays = played.stays.copy()
    played.stays[2:2 + pits] += 1
    played.frames(0.2, (0.08, 0.0))
    played.frames(3.0)
    return played


def test_what_a_legal_move_would_look_like_is_one() -> None:
    assert [(v.kind, v.player) for v in verdicts(after_a_hand(HANDS.faint_pits))] == [("legal", Side.SOUTH.letter)]


def test_one_pit_alone_is_a_seed_that_was_nudged() -> None:
    assert not verdicts(after_a_hand(HANDS.faint_pits - 1))


def test_of_what_is_likely_one_people_are_asked() -> None:
    """From a board that somebody has likely left already the next move would look like one out of turn."""
    assert [v.kind for v in verdicts(after_a_hand(HANDS.faint_pits, "not-sure"))] == ["not-sure"]


@pytest.mark.parametrize(("kind", "likely"), [("illegal", "illegal"), ("not-sure", "illegal"), ("tampered", "tampered"),
                                              ("illegal", "legal")])
def test_of_anything_else_that_it_may_be_nothing_is_said(kind: str, likely: str) -> None:
    assert not verdicts(after_a_hand(HANDS.faint_pits, kind, likely))
