"""Hands that overlap: where one move ends and the next begins is read from all looks since the board was known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from device.journal.events import Blind
from device.table.parameters import HANDS, Waiting
from device.table.settling.evidence_window import Window
from device.table.settling.judge_worker import JudgeAtOnce, Question, Verdict
from device.table.settling.looks_since import Look, LooksSince, Parted
from engine.board import Side
from engine.decoder.parameters import BEAM
from engine.judge.verdict import Explanation, Fault
from tests.device.played_table import FPS, Played, begun, likelihoods, simple_judge, verdicts
from tests.device.sowing_hands import (
    BOTH,
    LINE,
    NOBODY,
    NORTH,
    SOUTH,
    answer,
    boards_of,
    hovers,
    lays,
    legal,
    sows,
    the_wrong_way,
)
from vision.reading import Reading

MOVES = pytest.mark.parametrize("name", ["b", "c", "e", "g", "h"])
"""All that South may play there."""
RIM = (13,)
"""Where North's hand waits."""


def at_the_table(weigh: Callable[[Question], Verdict] = Question.weigh) -> Played:
    """In the middle of a game, before the judge or one who weighs otherwise."""
    return begun(JudgeAtOnce(weigh), line=LINE)


def told(played: Played) -> list[tuple[str, str]]:
    return [(v.kind, v.player) for v in verdicts(played)]


class Asked(JudgeAtOnce):
    """A judge who keeps what he was asked. slow: so many times he has not answered yet."""

    def __init__(self, weigh: Callable[[Question], Verdict] = Question.weigh, slow: int = 0) -> None:
        super().__init__(weigh)
        self.asked: list[Question] = []
        self.slow = self._left = slow

    def ask(self, question: Question) -> None:
        self.asked.append(question)
        self._left = self.slow
        super().ask(question)

    def answer(self, wait: bool = False) -> Verdict | None:
        self._left -= 1
        return super().answer(wait) if wait or self._left < 0 else None


# ---- a legal move ------------------------------------------------------------------------------------------------


@MOVES
def test_a_legal_move_is_said_while_the_next_hand_is_there_and_the_movers_is_away(name: str) -> None:
    played = at_the_table()
    move = legal(played, name)
    sows(played, move, SOUTH)
    hovers(played, NORTH, RIM, 0.8)
    first, = verdicts(played)
    assert (first.kind, first.player, first.position) == ("legal", "S", str(move.position))
    other = answer(played, move)
    sows(played, other, NORTH)
    played.frames(2.5)
    second = verdicts(played)[1]
    assert (second.kind, second.player, second.position) == ("legal", "N", str(other.position))
    assert first.hands_out <= second.hands_in <= first.t


@MOVES
def test_a_legal_move_is_said_once_the_next_has_begun_though_the_movers_hand_is_still_there(name: str) -> None:
    played = at_the_table()
    move = legal(played, name)
    other = answer(played, move)
    sows(played, move, SOUTH)
    lays(played, boards_of(other)[:4], BOTH)
    assert told(played) == [("legal", "S")] and played.game.position == move.position
    lays(played, boards_of(other)[4:], NORTH)
    played.frames(2.5)
    assert told(played) == [("legal", "S"), ("legal", "N")] and played.game.position == other.position


@MOVES
@pytest.mark.parametrize("over", [RIM, tuple(range(6))])
def test_while_the_movers_own_hand_is_there_and_nothing_follows_nothing_is_said(
        name: str, over: tuple[int, ...]) -> None:
    """He may yet take seeds; the other's hand may be there as well."""
    played = at_the_table()
    move = legal(played, name)
    sows(played, move, SOUTH)
    hovers(played, SOUTH, over, 1.0)
    hovers(played, BOTH, RIM, 2.0)
    assert not verdicts(played)
    played.frames(1.0)
    assert told(played) == [("legal", "S")] and played.game.position == move.position


def rests_of(name: str) -> list[tuple[str, int]]:
    """Each step after which a move may be broken off."""
    return [(name, steps) for steps in range(1, len(boards_of(legal(at_the_table(), name))))]


@pytest.mark.parametrize(("name", "steps"), [*rests_of("e"), *rests_of("g")])
def test_a_move_in_its_middle_is_not_said_though_another_hand_comes(name: str, steps: int) -> None:
    played = at_the_table()
    move = legal(played, name)
    played.frames(0.4, SOUTH)
    lays(played, boards_of(move)[:steps], SOUTH)
    hovers(played, BOTH, (0, 1), 0.3)
    hovers(played, NORTH, (0, 1), 2.5)
    assert not verdicts(played)
    hovers(played, BOTH, (0, 1), 0.3)
    lays(played, boards_of(move)[steps:], SOUTH)
    played.frames(2.5)
    assert told(played) == [("legal", "S")] and played.game.position == move.position


@MOVES
@pytest.mark.parametrize("share", [0.5, 1.0])
def test_a_move_whose_hand_rests_in_its_middle_is_not_said(name: str, share: float) -> None:
    """However little of it is over the board still."""
    judge = Asked()
    played = begun(judge, line=LINE)
    move = legal(played, name)
    steps = len(boards_of(move)) // 2
    played.frames(0.4, SOUTH)
    lays(played, boards_of(move)[:steps], SOUTH)
    played.frames(3.0, (share * SOUTH[0], 0.0), trouble={"motion": 0.0})
    assert not judge.asked
    lays(played, boards_of(move)[steps:], SOUTH)
    played.frames(2.5)
    assert told(played) == [("legal", "S")] and played.game.position == move.position


def test_one_after_the_other_at_once_and_each_is_said() -> None:
    """Nobody waits for anybody, four moves long, and the board is never free."""
    played = at_the_table()
    moved = []
    move, hands = legal(played, "b"), (SOUTH, NORTH)
    for n in range(4):
        sows(played, move, hands[n % 2])
        moved.append(move.position)
        move = answer(played, move)
    played.frames(2.5)
    assert [(v.kind, v.position) for v in verdicts(played)] == [("legal", str(position)) for position in moved]


# ---- a fault -----------------------------------------------------------------------------------------------------


def test_a_fault_is_said_once_its_hand_has_been_away_for_as_long_as_an_accusation_takes() -> None:
    played = at_the_table()
    played.frames(0.4, SOUTH)
    lays(played, the_wrong_way(played), SOUTH)
    hovers(played, BOTH, RIM, 0.3)
    hovers(played, NORTH, RIM, Waiting().accuse_s - 0.1)
    assert not verdicts(played)
    hovers(played, NORTH, RIM, 0.1 + 2 * HANDS.decode_s)
    fault, = verdicts(played)
    assert (fault.kind, fault.player, [f.code for f in fault.faults]) == ("illegal", "S", ["wrong-way"])
    rules, lies = played.game.playing
    assert lies.counts == tuple(played.counts)
    sows(played, rules.moves(lies).moves[0], NORTH)
    played.frames(2.5)
    assert told(played) == [("illegal", "S"), ("legal", "N")]


@pytest.mark.parametrize("then", [(1, 2), RIM], ids=["hidden still", "open again"])
def test_nobody_is_accused_by_pits_that_the_other_hand_was_over_before_his_was_away(then: tuple[int, ...]) -> None:
    """It may have been that one."""
    played = at_the_table()
    played.frames(0.4, SOUTH)
    lays(played, the_wrong_way(played), SOUTH)
    hovers(played, BOTH, (1, 2), 0.3)
    hovers(played, NORTH, then, 3.0)
    assert not verdicts(played)


def test_nobody_is_accused_as_long_as_his_hand_is_there() -> None:
    played = at_the_table()
    played.frames(0.4, SOUTH)
    lays(played, the_wrong_way(played), SOUTH)
    hovers(played, BOTH, RIM, 4.0)
    assert not verdicts(played)


def test_a_relay_that_stopped_short_may_go_on_though_another_hand_has_come() -> None:
    played = at_the_table()
    move = legal(played, "b")
    lap, rest = boards_of(move)[:4], boards_of(move)[4:]
    played.frames(0.4, SOUTH)
    lays(played, lap, SOUTH)
    hovers(played, NORTH, (0,), 3.0)
    assert not verdicts(played)
    lays(played, rest, SOUTH)
    played.frames(2.5)
    assert told(played) == [("legal", "S")]


# ---- a doubt -----------------------------------------------------------------------------------------------------


def doubting(question: Question) -> Verdict:
    """Nobody knows whether South's legal moves are right; from what may lie there then the answer is judged."""
    if question.doubts:
        return next(v for before, _ in question.doubts
                    if (v := simple_judge(replace(question, before=before, doubts=()))).kind == "legal")
    verdict = simple_judge(question)
    if verdict.kind != "legal" or verdict.player is Side.NORTH:
        return verdict
    best = (Explanation("legal", 0.8, Side.SOUTH, verdict.move, (), verdict.position),
            Explanation("illegal", 0.2, Side.SOUTH, verdict.move, (Fault("palmed", 3, 0, 1),), None))
    return replace(verdict, kind="not-sure", position=question.before, best=best, pits=(3,))


def test_a_doubtful_move_is_not_sure_once_the_answer_is_at_its_end_and_that_is_judged_from_there() -> None:
    played = at_the_table(doubting)
    move = legal(played, "b")
    other = answer(played, move)
    sows(played, move, SOUTH)
    hovers(played, NORTH, RIM, 1.0)
    lays(played, boards_of(other)[:5], NORTH)
    assert not verdicts(played), "what follows may show more of it"
    lays(played, boards_of(other)[5:], NORTH)
    hovers(played, NORTH, RIM, 0.8)
    assert told(played) == [("not-sure", "S")]
    played.frames(2.5)
    first, second = verdicts(played)
    assert (first.kind, first.before) == ("not-sure", LINE)
    assert (second.kind, second.player) == ("legal", "N")
    assert (second.before, second.position) == (str(move.position), str(other.position))


# ---- what is hidden ----------------------------------------------------------------------------------------------


def test_what_the_newcomer_hides_is_read_from_the_looks_before() -> None:
    judge = Asked()
    played = begun(judge, line=LINE)
    move = legal(played, "b")
    sows(played, move, SOUTH)
    hovers(played, NORTH, (5, 6, 7, 12), 0.8)
    assert told(played) == [("legal", "S")]
    evidence = judge.asked[0].evidence
    assert evidence.hands[0] == SOUTH[0], "it is asked about with the hand that made it"
    assert evidence.seen.all() and tuple(evidence.loglik.argmax(axis=1)) == move.position.counts


def test_what_the_newcomer_has_touched_is_read_from_the_looks_before() -> None:
    judge = Asked()
    played = begun(judge, line=LINE)
    move = legal(played, "b")
    other = answer(played, move)
    sows(played, move, SOUTH)
    lays(played, boards_of(other)[:6], NORTH)
    assert told(played) == [("legal", "S")]
    assert tuple(judge.asked[0].evidence.loglik.argmax(axis=1)) == move.position.counts != tuple(played.counts)


def test_what_a_hand_hid_that_only_came_by_the_next_one_does_not() -> None:
    judge = Asked()
    played = begun(judge, line=LINE)
    move = legal(played, "b")
    hovers(played, SOUTH)
    hovers(played, BOTH, (12,), 0.2)
    sows(played, move, SOUTH)
    hovers(played, NORTH, (13,), 0.8)
    assert judge.asked[0].evidence.seen[12]


def test_a_window_is_put_together_from_looks_at_single_pits() -> None:
    window = Window(3)
    early, late = (Reading(k, likelihoods(counts), np.ones(3, bool)) for k, counts in ((1, (3, 4, 5)), (2, (6, 7, 8))))
    window.put(0, [early])
    window.put(1, [late, late])
    window.put(2, [])
    assert window.seen.tolist() == [True, True, False] and window.read[:2] == (3, 7)
    assert (window.frames, window.first_ns, window.last_ns) == (1, 1, 2)


# ---- a judge who answers late ------------------------------------------------------------------------------------


@pytest.mark.parametrize("slow", [0, 1, 5, 20])
def test_a_judge_who_answers_late_loses_none_of_the_next_move(slow: int) -> None:
    judge = Asked(slow=slow)
    played = begun(judge, line=LINE)
    move = legal(played, "b")
    other = answer(played, move)
    sows(played, move, SOUTH)
    came = played.t
    sows(played, other, NORTH)
    gone = played.t
    played.frames(4.0)
    assert told(played) == [("legal", "S"), ("legal", "N")] and played.game.position == other.position
    second = verdicts(played)[1]
    assert abs(second.hands_in - came) < 3 / FPS and abs(second.hands_out - gone) < 1.5 / FPS


@pytest.mark.parametrize("slow", [0, 5])
def test_of_a_move_that_was_not_said_every_reading_is_its_own_as_before(slow: int) -> None:
    """It was asked about too early: what came while it was weighed belongs to it."""
    judge = Asked(doubting, slow)
    played = begun(judge, line=LINE)
    move = legal(played, "b")
    sows(played, move, SOUTH)
    began = played.t
    hovers(played, NORTH, RIM, 2.0)
    assert judge.asked and not verdicts(played)
    frames = played.table._play._moving().frames
    assert abs(frames[Side.NORTH] - (played.t - began) * FPS) < 1.5


# ---- hands that make no move -------------------------------------------------------------------------------------


def test_hands_that_only_rest_or_point_part_nothing() -> None:
    judge = Asked()
    played = begun(judge, line=LINE)
    hovers(played, SOUTH, (6, 7), 2.0)
    hovers(played, BOTH, (6, 7, 8, 9), 2.0)
    hovers(played, NORTH, (8, 9), 2.0)
    assert not judge.asked
    played.frames(2.0)
    assert not verdicts(played)
    move = legal(played, "b")
    sows(played, move, SOUTH)
    played.frames(2.0)
    assert told(played) == [("legal", "S")]


def test_a_hand_that_rests_while_the_other_side_moves_keeps_nothing_back() -> None:
    """South's hand has leant there since before North's move."""
    played = at_the_table()
    move = legal(played, "b")
    other = answer(played, move)
    sows(played, move, SOUTH)
    hovers(played, SOUTH, RIM, 1.0)
    lays(played, boards_of(other), BOTH)
    hovers(played, SOUTH, (7,), 1.0)
    assert told(played) == [("legal", "S"), ("legal", "N")] and played.game.position == other.position


@pytest.mark.parametrize(("before", "after"), [(1, 0), (0, 1)])
def test_a_move_whose_hand_rests_for_long_before_it_or_after_it_is_said_all_the_same(before: int, after: int) -> None:
    """For longer than every look is kept."""
    played = at_the_table()
    move = legal(played, "b")
    long = BEAM.looks * 2.5 / FPS
    hovers(played, SOUTH, (6, 7), before * long)
    sows(played, move, SOUTH)
    hovers(played, SOUTH, (6, 7), after * long)
    assert len(played.table._play.looks._looks) <= BEAM.looks, "the work is bounded"
    hovers(played, NORTH, RIM, 0.8)
    assert told(played) == [("legal", "S")]


def test_hands_that_leave_together_made_one_disturbance() -> None:
    played = at_the_table()
    move = legal(played, "b")
    sows(played, move, SOUTH)
    hovers(played, BOTH, RIM, 0.3)
    assert not verdicts(played)
    gone = played.t
    played.frames(2.0)
    said, = verdicts(played)
    assert (said.kind, said.position) == ("legal", str(move.position)) and abs(said.hands_out - gone) < 0.001


def test_who_comes_back_at_once_had_never_left() -> None:
    """And the other hand was there as well."""
    judge = Asked()
    played = begun(judge, line=LINE)
    move = legal(played, "b")
    sows(played, move, SOUTH)
    hovers(played, NORTH, RIM, 1 / FPS)
    hovers(played, SOUTH, (), 1.0)
    assert not judge.asked
    played.frames(1.0)
    assert judge.asked[0].evidence.hands == BOTH and told(played) == [("legal", "S")]


def test_in_a_race_both_hands_are_there_at_once() -> None:
    judge = Asked()
    played = begun(judge)
    rules, position = played.game.playing
    assert rules.races and not position.ply
    sows(played, rules.moves(position).moves[0], BOTH)
    hovers(played, NORTH, RIM, 2.0)
    assert not judge.asked


def test_who_comes_as_the_other_ends_his_first_move_runs_no_race() -> None:
    played = begun(JudgeAtOnce())
    rules, position = played.game.playing
    assert rules.races and not position.ply
    sows(played, rules.moves(position).moves[0], SOUTH)
    hovers(played, BOTH, RIM, 0.5)
    assert not verdicts(played)
    hovers(played, NORTH, RIM, 2.0)
    assert told(played) == [("legal", "S")]


def test_while_seeds_are_laid_out_both_hands_are_there_at_once() -> None:
    judge = Asked()
    played = Played(judge=judge)
    rules = played.start("omweso")
    position = played.game.playing[1]
    assert rules.arranges(position)
    played.frames(1.0)
    sows(played, rules.moves(position).moves[0], SOUTH)
    hovers(played, NORTH, RIM, 2.0)
    assert not judge.asked


# ---- blindness ---------------------------------------------------------------------------------------------------


def test_a_short_blindness_between_two_moves_loses_neither() -> None:
    played = at_the_table()
    move = legal(played, "b")
    other = answer(played, move)
    sows(played, move, SOUTH)
    played.frames(0.8, SOUTH, trouble={"dark": True})
    assert played.said(Blind)
    hovers(played, NORTH, RIM, 1.0)
    assert told(played) == [("not-sure", "S")], "nobody saw its hand leave"
    sows(played, other, NORTH)
    played.frames(2.5)
    assert told(played) == [("not-sure", "S"), ("legal", "N")] and played.game.position == other.position


@pytest.mark.parametrize("hands", [SOUTH, NOBODY])
@pytest.mark.parametrize("dark", [0.4, 0.14], ids=["blindness", "moment"])
def test_a_move_that_went_on_in_the_dark_is_spoken_of_while_the_next_hand_is_there(
        hands: tuple[float, float], dark: float) -> None:
    """Whose hands were there meanwhile nobody knows; every pit that was sown is seen again. Legal is what ended in a
    moment, which is no blindness."""
    played = at_the_table()
    move = legal(played, "b")
    played.frames(0.4, SOUTH)
    lays(played, boards_of(move)[:8], SOUTH)
    played.frames(dark, SOUTH, trouble={"dark": True})
    played.counts = boards_of(move)[-1]
    played.frames(dark, hands, trouble={"dark": True})
    hovers(played, NORTH, (14,), 1.5)
    kind = "not-sure" if played.said(Blind) else "legal"
    assert told(played) == [(kind, "S")] and bool(played.said(Blind)) is (dark > 0.3)
    assert kind == "not-sure" or played.game.position == move.position


def test_looks_that_were_let_go_before_the_judge_answered_part_nothing_else() -> None:
    """Of a long move every second look is let go; what follows it is what came after it all the same."""
    looks = [Look(Reading(t, likelihoods((1, 2)), np.ones(2, np.bool_)), np.zeros(2, np.int64), (True, False))
             for t in range(8)]
    since = LooksSince(JudgeAtOnce())
    since._looks = looks[:4:2] + looks[4:]
    first, rest = tuple(looks[:6]), tuple(looks[6:])
    since.go_on(Parted(Side.SOUTH, 6, None, False, False, Window(2), first, rest, np.zeros(2, np.int64)))
    assert [look.reading.time_ns for look in since._looks] == [6, 7]


def test_after_a_verdict_the_looks_since_the_board_lay_still_are_kept() -> None:
    """A hand may have come before the judge had answered."""
    looks = [Look(Reading(t, likelihoods((1, 2)), np.array([True, t < 3])), np.array([t, t]), (t > 2, False))
             for t in range(5)]
    since = LooksSince(JudgeAtOnce())
    since._looks = looks
    since.known(2, now=True)
    assert [look.reading.time_ns for look in since._looks] == [2, 3, 4] and since._known.tolist() == [2, 2]


def test_a_verdict_that_is_said_leaves_no_parting_behind() -> None:
    played = at_the_table()
    move = legal(played, "b")
    sows(played, move, SOUTH)
    hovers(played, NORTH, RIM, 0.8)
    assert told(played) == [("legal", "S")]
    assert played.table._play._parted is None and played.table._play._whole is None
