"""Hands that lie still over the board while the others play, and after they have played themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from device.journal.events import VerdictGiven
from device.table.parameters import HANDS
from device.table.settling.judge_worker import JudgeAtOnce, Question, Verdict
from engine.board import Side
from tests.device.played_table import Played, begun, simple_judge, verdicts
from tests.device.table.settling.test_handover import LINE, NORTH, SOUTH, Asked, accusing, in_doubt, two_moves, unsure

OPEN = [pit for pit in range(16) if pit not in (6, 7)]
STILL = {"motion": 0.0}
LONG = HANDS.still_s + 0.3


def leans(played: Played, counts: Sequence[int], hands: tuple[float, float], seconds: float = LONG,
          open_pits: Sequence[int] | None = OPEN, rest: float = 0.3) -> None:
    """A hand changes the board and lies still over two pits then, a part of it drawn back."""
    played.frames(1.0, hands)
    played.counts = list(counts)
    played.frames(0.3, hands)
    south, north = hands
    played.frames(seconds, (rest * south, rest * north), seen=open_pits, trouble=STILL)


def told(played: Played) -> list[tuple[str, str]]:
    return [(v.kind, v.player) for v in verdicts(played)]


def test_a_legal_move_is_said_while_its_hand_leans_there() -> None:
    played = begun(line=LINE)
    moved, answered = two_moves()
    leans(played, moved.counts, SOUTH)
    first, = verdicts(played)
    assert (first.kind, first.player, first.position) == ("legal", "S", str(moved))
    played.move(answered.counts, Side.NORTH)
    assert told(played) == [("legal", "S"), ("legal", "N")]


@pytest.mark.parametrize(("rest", "changed", "said"), [(1.0, True, False), (1.0, False, True), (0.3, True, True)],
                         ids=["at work", "beside", "drawn back"])
def test_while_the_movers_own_hand_lies_where_the_board_changes_it_may_not_be_done(
        rest: float, changed: bool, said: bool) -> None:
    """It may be about to take the rest of what it captures, or leave some of it lying."""
    played = begun(line=LINE)
    before, (moved, _) = played.counts, two_moves()
    under = [pit for pit, n in enumerate(moved.counts) if (n != before[pit]) is changed][:2]
    leans(played, moved.counts, SOUTH, open_pits=[pit for pit in range(16) if pit not in under], rest=rest)
    assert told(played) == [("legal", "S")] * said


def test_between_two_drops_a_hand_does_not_lean() -> None:
    judge = Asked()
    played = begun(judge, line=LINE)
    leans(played, two_moves()[0].counts, SOUTH, HANDS.still_s + 0.03)
    assert not judge.asked


def back(question: Question) -> Verdict:
    """What is not legal has been taken back."""
    verdict = simple_judge(question)
    return verdict if verdict.kind == "legal" else replace(verdict, kind="withdrawn", position=question.before)


@pytest.mark.parametrize("judge", [JudgeAtOnce(accusing), JudgeAtOnce(unsure), JudgeAtOnce(back)],
                         ids=["fault", "doubt", "back"])
def test_of_any_other_board_nothing_follows_the_hand_may_go_on(judge: JudgeAtOnce) -> None:
    played = begun(judge, line=LINE)
    moved, _ = two_moves()
    leans(played, [n + (pit == 5) for pit, n in enumerate(moved.counts)], SOUTH)
    assert not verdicts(played)
    played.frames(0.5, SOUTH)
    played.counts = list(moved.counts)
    played.frames(0.2, SOUTH)
    played.frames(2.5)
    assert len(verdicts(played)) == 1, "it was one move"


def test_each_time_that_the_hands_come_to_rest_it_is_asked_once() -> None:
    judge = Asked(unsure)
    played = begun(judge, line=LINE)
    moved, _ = two_moves()
    leans(played, moved.counts, SOUTH, 2.0)
    assert len(judge.asked) == 1
    played.frames(0.2, SOUTH)
    played.frames(LONG, SOUTH, seen=OPEN, trouble=STILL)
    assert len(judge.asked) == 2


def test_a_hand_that_has_touched_nothing_is_not_asked_about() -> None:
    judge = Asked()
    played = begun(judge, line=LINE)
    leans(played, played.counts, NORTH)
    assert not judge.asked


def test_while_seeds_are_laid_out_hands_may_rest() -> None:
    judge = Asked()
    played = Played(judge=judge)
    rules = played.start("omweso")
    position = played.game.playing[1]
    played.frames(1.0)
    leans(played, rules.moves(position).moves[0].position.counts, SOUTH)
    assert not judge.asked


def test_in_a_race_the_other_one_sows_on() -> None:
    judge = Asked()
    played = begun(judge)
    rules, position = played.game.playing
    assert rules.races and not position.ply
    leans(played, rules.moves(position).moves[0].position.counts, SOUTH)
    assert not judge.asked


def test_where_it_is_not_known_how_the_board_lay_nothing_is_asked() -> None:
    judge = Asked()
    played = begun(judge, line=LINE)
    in_doubt(played)
    known = len(judge.asked)
    leans(played, two_moves()[1].counts, NORTH)
    assert len(judge.asked) == known


def test_while_it_is_open_whether_a_hand_has_moved_twice_that_is_asked_first() -> None:
    judge = Asked(accusing)
    played = begun(judge, line=LINE)
    moved, _ = two_moves()
    played.move([n + (pit == 5) for pit, n in enumerate(moved.counts)], Side.SOUTH, pause=0.5)
    known = len(judge.asked)
    played.frames(0.3, SOUTH)
    played.frames(LONG, SOUTH, seen=OPEN, trouble=STILL)
    assert known and len(judge.asked) == known


def vague(question: Question) -> Verdict:
    """What is not legal nobody knows, for one pit."""
    verdict = simple_judge(question)
    if verdict.kind != "illegal":
        return verdict
    return replace(verdict, kind="not-sure", position=question.before, faults=(), pits=(6,))


@pytest.mark.parametrize("hidden", [True, False])
def test_what_lay_hidden_then_and_is_doubtful_now_leaves_nobody_sure_of_the_move(hidden: bool) -> None:
    """The hand may have had something to do where it lay; where the pit was seen then, it had not."""
    played = begun(JudgeAtOnce(vague), line=LINE)
    moved, _ = two_moves()
    leans(played, moved.counts, SOUTH, open_pits=OPEN if hidden else None)
    assert told(played) == [("legal", "S")]
    played.counts[6] += 1
    played.frames(0.2, SOUTH)
    played.frames(3.0)
    second = verdicts(played)[1]
    first = next(e.number for e in played.events if isinstance(e.body, VerdictGiven))
    assert (second.kind, second.answers) == ("not-sure", first if hidden else 0)
