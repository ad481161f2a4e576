"""A short blindness in the middle of a move: the move is judged from the position before it, with a hole in what was
seen, and nobody is accused by what nobody saw."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from device.eyes.frozen import FROZEN
from device.journal.events import Blind, Sighted, VerdictGiven, Withdraw
from device.journal.states import State
from device.table.parameters import SIGHT
from device.table.settling.evidence_window import Window
from device.table.settling.hand_readings import HandReadings
from device.table.settling.judge_worker import JudgeAtOnce, Question
from engine.judge.verdict import Verdict
from tests.device.played_table import Played, begun, cheat, simple_judge, stopped_short, verdicts
from tests.device.told_stays import in_stays
from vision.reading import COUNTS, BoardView, Reading

SOUTH, NORTH = (0.08, 0.0), (0.0, 0.08)
DARK = {"dark": True}


class Asked(JudgeAtOnce):
    """Knows what it was asked."""

    def __init__(self) -> None:
        super().__init__(simple_judge)
        self.questions: list[Question] = []

    def ask(self, question: Question) -> None:
        self.questions.append(question)
        super().ask(question)


class Slow(JudgeAtOnce):
    """Answers when it is ready, and never has to be waited for."""

    ready = False

    def answer(self, wait: bool = False) -> Verdict | None:
        assert not wait, "the frames waited for the judge"
        return super().answer() if self.ready else None


def legal(played: Played, side: tuple[float, float] = SOUTH) -> None:
    """The board as a legal move leaves it, with the hand still there."""
    rules, position = played.game.playing
    played.counts = list(rules.moves(position).moves[0].position.counts)
    played.frames(0.2, side)


def spoil(played: Played) -> None:
    """The board as no legal move leaves it."""
    counts = list(played.game.playing[0].moves(played.game.playing[1]).moves[0].position.counts)
    counts[3], counts[12] = counts[3] + 1, counts[12] - 1 if counts[12] else counts[12]
    played.counts = counts


def said(played: Played) -> list[str]:
    return [v.kind for v in verdicts(played)]


def hidden(question: Question) -> NDArray[np.bool_]:
    """bool[readings]: those of the timeline in which no pit is seen."""
    during = question.evidence.during
    assert during is not None
    return np.asarray(~during.seen.any(axis=1))


@pytest.mark.parametrize("trouble", [DARK, {"blurred": True}, {"moved": True}, {"found": False}])
def test_a_move_goes_on_over_a_short_blindness(trouble: dict[str, bool]) -> None:
    judge = Asked()
    played = begun(judge)
    played.frames(1.0, SOUTH)
    since = played.t
    played.frames(0.8, SOUTH, trouble=trouble)
    assert len(played.said(Blind)) == 1 and played.at(State.BLIND)
    played.frames(1.0, SOUTH)
    assert len(played.said(Sighted)) == 1 and played.at(State.HANDS_IN)
    legal(played)
    played.frames(1.0)
    (verdict,) = verdicts(played)
    assert verdict.kind == "legal" and verdict.hands_in < since - 0.9
    (question,) = judge.questions
    assert question.evidence.hands == SOUTH
    blank = np.flatnonzero(hidden(question))
    assert 5 <= len(blank) <= 10 and (np.diff(blank) == 1).all(), "the hole is told, as long as it was"
    assert blank[0] > 0 and blank[-1] < len(hidden(question)) - 1, "and what was read before and after it"


def test_a_longer_blindness_is_the_end_of_what_was_seen() -> None:
    played = begun()
    played.frames(1.0, SOUTH)
    played.frames(SIGHT.short_blindness_s, SOUTH, trouble=DARK)
    since = played.t
    played.frames(1.0, SOUTH)
    legal(played)
    played.frames(1.0)
    (verdict,) = verdicts(played)
    assert verdict.kind == "legal" and verdict.hands_in > since


def test_a_blindness_makes_nothing_surer() -> None:
    played = begun()
    played.table._play._knowledge.uncertain = True
    played.frames(1.0, SOUTH)
    played.frames(SIGHT.short_blindness_s, SOUTH, trouble=DARK)
    played.frames(1.0, SOUTH)
    spoil(played)
    played.frames(0.2, SOUTH)
    played.frames(3.0)
    assert said(played) == ["not-sure"]


def test_a_move_whose_hand_left_in_the_dark_is_not_called_legal_and_whose_else_were_there_is_not_known() -> None:
    judge = Asked()
    played = begun(judge)
    played.frames(1.0, SOUTH)
    since = played.t
    legal(played)
    played.frames(0.8, trouble=DARK)
    played.frames(3.0)
    (verdict,) = verdicts(played)
    assert verdict.kind == "not-sure" and verdict.doubts == ["UNWATCHED"]
    assert verdict.hands_in < since < verdict.hands_out < since + 0.3
    *_, question = judge.questions  # it is asked again while the board lies still
    assert question.evidence.hands == (0.0, 0.0)
    assert hidden(question)[-1]


def test_a_board_that_was_read_after_the_dark_accuses_nobody_who_played_before_it() -> None:
    played = begun()
    played.frames(1.0, SOUTH)
    spoil(played)
    played.frames(0.2, SOUTH)
    played.frames(0.5)
    played.frames(0.8, trouble=DARK)
    played.frames(1.5)
    played.frames(2.0)
    assert said(played) == ["not-sure"]


def test_what_was_read_before_a_blindness_is_not_mixed_with_what_lies_there_after_it() -> None:
    played = begun()
    position = played.game.playing[1]
    played.frames(1.0, SOUTH)
    spoil(played)
    played.frames(0.2, SOUTH)
    played.frames(0.5)
    played.counts = list(played.game.playing[0].moves(position).moves[0].position.counts)
    played.frames(0.8, trouble=DARK)
    played.frames(3.0)
    (verdict,) = verdicts(played)
    assert verdict.doubts == ["UNWATCHED"], "a legal move lies there, and nobody saw it made"


@pytest.mark.parametrize("side", [SOUTH, NORTH])
def test_nobody_is_accused_where_hands_follow_on_a_blindness_in_which_others_may_have_come_and_gone(
    side: tuple[float, float]
) -> None:
    played = begun()
    played.frames(1.0, SOUTH)
    spoil(played)
    played.frames(0.2, SOUTH)
    played.frames(0.3)
    played.frames(0.8, trouble=DARK)
    played.frames(1.0, side)
    played.frames(6.0)
    assert said(played) == ["not-sure"]


def test_the_other_sides_hand_after_a_blindness_is_no_sign_that_nobody_else_came() -> None:
    judge = Asked()
    played = begun(judge)
    played.frames(1.0, SOUTH)
    played.frames(0.8, trouble=DARK)
    played.frames(1.0, NORTH)
    legal(played, NORTH)
    played.frames(1.0)
    assert judge.questions[0].evidence.hands == (0.0, 0.0)


def test_a_move_that_is_being_weighed_is_spoken_of_when_the_table_sees_again() -> None:
    judge = Slow(simple_judge)
    played = begun(judge)
    played.frames(1.0, SOUTH)
    legal(played)
    played.frames(0.6)
    assert played.at(State.JUDGING)
    played.frames(0.8, trouble=DARK)
    played.frames(0.6)
    assert not said(played) and played.at(State.JUDGING)
    judge.ready = True
    played.frames(0.1)
    assert said(played) == ["legal"] and played.at(State.WATCHING)


def test_an_accusation_that_was_being_weighed_waits_until_the_board_has_lain_still_again() -> None:
    judge = Slow(simple_judge)
    played = begun(judge)
    played.frames(1.0, SOUTH)
    spoil(played)
    played.frames(0.2, SOUTH)
    played.frames(1.5)
    assert played.at(State.JUDGING)
    played.frames(0.8, trouble=DARK)
    played.frames(0.6)
    judge.ready = True
    played.frames(0.1)
    assert not verdicts(played) and played.at(State.SETTLING), "it has to lie still for a while"
    played.frames(3.0)
    assert said(played) == ["not-sure"], "and what it is then nobody watched"


def test_hands_that_went_on_with_a_rested_move_after_a_blindness_mend_what_was_said_of_it() -> None:
    played = begun(JudgeAtOnce(lambda question: stopped_short(simple_judge(question))))
    rules, position = played.game.playing
    move = rules.moves(position).moves[0]
    played.frames(1.0, SOUTH)
    spoil(played)
    played.frames(0.2, SOUTH)
    played.frames(5.0)
    assert said(played) == ["illegal"]
    played.frames(0.8, trouble=DARK)
    played.frames(0.6)
    played.move(move.position.counts, position.to_move)
    assert said(played) == ["illegal", "legal"]
    assert verdicts(played)[1].answers


def test_a_picture_that_stays_for_a_moment_loses_no_move_and_another_camera_does() -> None:
    for passing in (True, False):
        played = begun()
        played.frames(1.0, SOUTH)
        since = played.t
        played.table.camera_gone(FROZEN, passing=passing)
        played.t += 0.5
        played.frames(1.0, SOUTH)
        legal(played)
        played.frames(1.0)
        (verdict,) = verdicts(played)
        assert (verdict.hands_in < since) is passing


def test_a_moment_that_is_no_blindness_leaves_a_hole_too() -> None:
    judge = Asked()
    played = begun(judge)
    played.frames(1.0, SOUTH)
    played.frames(0.28, SOUTH, trouble=DARK)
    played.frames(0.5, SOUTH)
    legal(played)
    played.frames(1.0)
    assert not played.said(Blind)
    assert 1 <= hidden(judge.questions[0]).sum() <= 3


def test_an_order_in_the_dark_is_the_end_of_what_was_seen() -> None:
    played = begun()
    cheat(played)
    number = next(e.number for e in played.events if isinstance(e.body, VerdictGiven))
    played.frames(1.0, NORTH)
    played.frames(0.6, NORTH, trouble=DARK)
    played.order(Withdraw(verdict=number))
    played.frames(0.6, NORTH)
    assert played.at(State.WITHDRAWING)


def test_of_pits_that_another_eye_sees_it_is_not_known_which_look_otherwise() -> None:
    played = begun()
    context, position = played.table._context, played.game.playing[1]
    pits = len(position.counts)

    def window(by: int) -> Window:
        """Pits of which the first is in the stay that it was in, the others are in another one."""
        one = context.new_window()
        stays = np.arange(pits) % 3 + by * (np.arange(pits) > 0)
        one.add(in_stays(Reading(1, np.zeros((pits, COUNTS), np.float32), np.ones(pits, bool)), stays))
        return one

    context.note_baseline(window(0), position)
    changed = window(1).changed
    assert changed is not None and changed[1:].all() and window(1).unchanged.tolist() == [True] + [False] * (pits - 1)
    played.table.other_eye()
    assert window(1).changed is None and not window(1).unchanged.any()


@pytest.mark.parametrize("uncertain", [False, True])
def test_how_the_pits_look_where_the_board_was_found_is_told_once_it_lies_still(uncertain: bool) -> None:
    """But of a pit that reads otherwise, and of a board of which it is not known what it holds."""
    played = begun()
    played.view = BoardView(2, 8, np.zeros((2, 8, 2)), np.full((2, 8), 20.0), np.eye(3), 0.4, (64, 48))
    played.frames(0.5)
    counts = played.game.playing[1].counts
    played.table.counts_to_teach()
    played.frames(2.0)
    assert played.table.counts_to_teach() is None
    played.table._play._knowledge.uncertain = uncertain
    played.counts[3], played.doubt = counts[3] + 1, {3: counts[3]}
    played.view = replace(played.view)
    played.frames(2.5, seen=range(1, 16))
    assert played.table.counts_to_teach() is None, "not while a shade lies over it"
    played.frames(2.5)
    told = played.table.counts_to_teach()
    known = tuple(-1 if pit == 3 else n for pit, n in enumerate(counts))
    assert (told is None and uncertain) or (told is not None and told.counts == known and not uncertain)
    played.frames(2.5)
    assert played.table.counts_to_teach() is None, "it is said once"


def test_a_hole_is_as_long_as_the_readings_that_there_would_have_been() -> None:
    readings = HandReadings()
    row = np.zeros((2, COUNTS), np.float32)
    for k in range(5):
        readings.add(Reading(1_000_000_000 + k * 200_000_000, row, np.ones(2, bool)))
    readings.missed(3_000_000_000, 2)
    assert (~readings.timeline(2).seen.any(axis=1)).sum() in (6, 7, 8)
    alone = HandReadings()
    alone.missed(3_000_000_000, 2)
    assert not len(alone.timeline(2).seen), "since when, nobody knows"
