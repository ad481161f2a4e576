"""Fast play: the next hand is there before the last one is away, and between two moves the board is never free."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from device.journal.events import VerdictGiven
from device.table.parameters import HANDS
from device.table.settling.evidence_window import Window
from device.table.settling.judge_worker import JudgeAtOnce, Question, Verdict
from engine.board import Side
from engine.judge.verdict import Explanation, Fault
from engine.position import Position
from engine.trace import Drop
from tests.device.played_table import FPS, Played, begun, likelihoods, simple_judge, verdicts
from vision.reading import Reading

LINE = "4,2,0,2,1,0,2,0/0,3,1,0,6,0,7,1 S 19-0 ply=8"
SOUTH, NORTH, BOTH = (0.08, 0.0), (0.0, 0.05), (0.08, 0.05)


def hands(played: Played, counts: Sequence[int], *, over: Sequence[int] = (), gone: float = 0.5,
          both: float = 0.2) -> None:
    """South's hand leaves this board, while North's comes over some pits, and touches nothing yet."""
    free = [pit for pit in range(len(played.counts)) if pit not in over]
    played.frames(1.5, SOUTH)
    played.counts = list(counts)
    if both:
        played.frames(both, BOTH, seen=free)
    played.frames(gone, NORTH, seen=free)


def answers(played: Played, counts: Sequence[int]) -> None:
    """North's hand plays on, and leaves this board."""
    played.frames(1.0, NORTH)
    played.counts = list(counts)
    played.frames(0.2, NORTH)
    played.frames(2.5)


def two_moves(line: str = LINE) -> tuple[Position, Position]:
    """What South's first legal move leaves, and North's first answer."""
    rules, position = begun(line=line).game.playing
    moved = rules.moves(position).moves[0].position
    return moved, rules.moves(moved).moves[0].position


def told(played: Played) -> list[tuple[str, str]]:
    return [(v.kind, v.player) for v in verdicts(played)]


def test_a_legal_move_is_said_while_the_next_hand_is_there() -> None:
    played = begun(line=LINE)
    moved, answered = two_moves()
    hands(played, moved.counts, over=(12, 13))
    first, = verdicts(played)
    assert (first.kind, first.player, first.position) == ("legal", "S", str(moved))
    answers(played, answered.counts)
    second = verdicts(played)[1]
    assert (second.kind, second.player, second.position) == ("legal", "N", str(answered))
    assert first.hands_out < second.hands_in < first.t, "the newcomer's hand is its own move's from the first"


def accusing(question: Question) -> Verdict:
    """As `simple_judge`; but what a hand rests in is known to it, and who moved is who had to."""
    verdict = simple_judge(question)
    return replace(verdict, player=question.before.to_move) if verdict.kind == "illegal" else verdict


def test_a_fault_is_said_as_well_once_the_next_hand_has_come_and_touched_nothing() -> None:
    played = begun(JudgeAtOnce(accusing), line=LINE)
    moved, _ = two_moves()
    spoiled = [n + (pit == 5) for pit, n in enumerate(moved.counts)]
    hands(played, spoiled, gone=0.7)
    assert told(played) == [("illegal", "S")]
    rules, lies = played.game.playing
    answers(played, rules.moves(lies).moves[0].position.counts)
    assert told(played) == [("illegal", "S"), ("legal", "N")]


def in_the_middle(played: Played) -> list[int]:
    """The board with two of the seeds of South's first lap still in his hand."""
    rules, position = played.game.playing
    move = next(m for m in rules.moves(position).moves if position.counts[m.pit] == 6)
    counts = list(position.counts)
    counts[move.pit] = 0
    for step in move.trace[1:5]:
        assert isinstance(step, Drop)
        counts[step.pit] += 1
    return counts


@pytest.mark.parametrize("gone", [0.3, 0.7])
def test_a_move_that_is_not_at_its_end_is_not_said_though_another_hand_comes_meanwhile(gone: float) -> None:
    played = begun(JudgeAtOnce(accusing), line=LINE)
    rules, position = played.game.playing
    whole = next(m.position for m in rules.moves(position).moves if position.counts[m.pit] == 6)
    hands(played, in_the_middle(played), gone=gone)
    assert not verdicts(played)
    played.frames(0.5, BOTH)
    played.counts = list(whole.counts)
    played.frames(0.3, SOUTH)
    played.frames(2.5)
    assert told(played) == [("legal", "S")] and played.game.position == whole


def doubting(p: float, pits: tuple[int, ...], faulty: float = 0.0, move: str = "") -> JudgeAtOnce:
    """A judge who doubts South's move with these odds of its being legal, and of a seed kept in it, or in that one."""
    def weigh(question: Question) -> Verdict:
        verdict = simple_judge(question)
        if verdict.kind != "legal" or verdict.player is Side.NORTH:
            return verdict
        best = (Explanation("legal", p, Side.SOUTH, verdict.move, (), verdict.position),
                Explanation("illegal", faulty, Side.SOUTH, move or verdict.move, (Fault("palmed", 3, 0, 1),), None))
        return replace(verdict, kind="not-sure", position=question.before, best=best, pits=pits)
    return JudgeAtOnce(weigh)


@pytest.mark.parametrize(("judge", "said"), [
    (doubting(0.95, (3,)), True), (doubting(0.95, (12,)), False), (doubting(0.8, (3,)), False),
    (doubting(0.6, (3,), 0.35), True), (doubting(0.6, (3,), 0.35, "e"), False)],
    ids=["seen", "hidden", "open", "right or not", "this or that"])
def test_a_doubt_is_said_where_what_was_played_is_not_in_doubt_and_its_pits_are_seen(
        judge: JudgeAtOnce, said: bool) -> None:
    played = begun(judge, line=LINE)
    hands(played, two_moves()[0].counts, over=(12, 13), gone=0.7)
    assert told(played) == ([("not-sure", "S")] if said else [])


@pytest.mark.parametrize("over", [(), tuple(range(8))])
def test_a_hand_that_has_been_there_for_a_while_is_no_newcomer(over: tuple[int, ...]) -> None:
    """It may have taken seeds up by then."""
    played = begun(line=LINE)
    hands(played, two_moves()[0].counts, over=over, both=1.0, gone=0.7)
    assert not verdicts(played)


def test_in_a_race_both_hands_are_there_at_once() -> None:
    played = begun()
    rules, position = played.game.playing
    assert rules.races and not position.ply
    hands(played, rules.moves(position).moves[0].position.counts)
    assert not verdicts(played)


class Asked(JudgeAtOnce):
    """A judge who keeps what he was asked. slow: he takes a while to answer, and then the hands have left."""

    def __init__(self, weigh: Callable[[Question], Verdict] = simple_judge, slow: int = 0) -> None:
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


def test_hands_that_leave_together_made_one_disturbance() -> None:
    judge = Asked()
    played = begun(judge, line=LINE)
    moved, _ = two_moves()
    hands(played, moved.counts, gone=0.06)
    assert not verdicts(played)
    t = played.t
    played.frames(2.0)
    said: VerdictGiven = verdicts(played)[0]
    assert (said.kind, said.position) == ("legal", str(moved)) and abs(said.hands_out - t) < 0.001


def test_who_comes_back_at_once_had_never_left() -> None:
    """And the other hand was there as well."""
    judge = Asked()
    played = begun(judge, line=LINE)
    moved, _ = two_moves()
    hands(played, moved.counts, both=0, gone=0.06)
    played.frames(1.0, SOUTH)
    played.frames(1.0)
    assert judge.asked[0].evidence.hands == (0.08, 0.05) and told(played) == [("legal", "S")]


def unsure(question: Question) -> Verdict:
    """Nobody knows what it was."""
    return replace(simple_judge(question), kind="not-sure", position=question.before, best=(), pits=(3,))


def test_of_each_newcomer_is_asked_once_at_a_glance_and_once_more() -> None:
    judge = Asked(unsure)
    played = begun(judge, line=LINE)
    hands(played, two_moves()[0].counts, gone=0.7)
    assert [q.evidence.frames for q in judge.asked] == [HANDS.handover_glances, HANDS.handover_readings]
    assert not verdicts(played)


def test_a_hand_that_leaves_before_the_judge_has_answered_is_no_newcomer() -> None:
    judge = Asked(unsure, slow=4)
    played = begun(judge, line=LINE)
    hands(played, two_moves()[0].counts, both=0, gone=(HANDS.handover_glances + 1) / FPS)
    played.frames(2.5)
    assert [q.evidence.hands for q in judge.asked[:2]] == [(0.08, 0.0), (0.08, 0.05)]


def test_a_relay_that_stopped_short_may_go_on_though_another_hand_has_come() -> None:
    def undone(question: Question) -> Verdict:
        verdict = accusing(question)
        return replace(verdict, faults=(Fault("stopped-short", 3, 1, 0),)) if verdict.kind == "illegal" else verdict

    played = begun(JudgeAtOnce(undone), line=LINE)
    moved, _ = two_moves()
    hands(played, [n + (pit == 5) for pit, n in enumerate(moved.counts)], gone=0.7)
    assert not verdicts(played)


def in_doubt(played: Played) -> None:
    """South's first legal move, of which nobody can say what it was."""
    played.doubt = {3: 9}
    played.move(two_moves()[0].counts, Side.SOUTH, pause=0.3)
    while not verdicts(played):
        played.frames(0.1)
    assert [v.kind for v in verdicts(played)] == ["not-sure"]
    played.doubt = {}


def test_where_it_is_not_known_how_the_board_lay_nothing_is_asked_between_two_hands() -> None:
    judge = Asked()
    played = begun(judge, line=LINE)
    _, answered = two_moves()
    in_doubt(played)
    known = len(judge.asked)
    played.frames(1.0, (0.0, 0.08))
    played.counts = list(answered.counts)
    played.frames(0.5, (0.05, 0.0))
    assert len(judge.asked) == known


def test_while_seeds_are_laid_out_both_hands_are_there_at_once() -> None:
    judge = Asked()
    played = Played(judge=judge)
    rules = played.start("omweso")
    position = played.game.playing[1]
    assert rules.arranges(position)
    played.frames(1.0)
    hands(played, rules.moves(position).moves[0].position.counts)
    assert not judge.asked


def test_while_a_hand_hands_over_every_look_counts() -> None:
    played = begun(line=LINE)
    played.frames(1.0, SOUTH)
    before = played.counted
    played.frames(0.5, SOUTH)
    during = played.counted - before
    played.frames(0.5, NORTH)
    assert played.counted - before - during > during


def test_what_the_newcomer_has_been_over_says_nothing_of_the_hand_that_has_left() -> None:
    """It takes up a seed at once, and the pit lies open again before anything was asked."""
    played = begun(JudgeAtOnce(accusing), line=LINE)
    moved, _ = two_moves()
    hands(played, moved.counts, over=(12, 13), gone=1 / FPS)
    played.counts[12] = 0
    played.frames(0.6, NORTH, seen=[pit for pit in range(16) if pit not in (13, 14)])
    assert moved.counts[12] and told(played) == [("legal", "S")]


@pytest.mark.parametrize("before", [True, False])
def test_what_the_newcomer_hides_was_seen_just_before(before: bool) -> None:
    """Then it is known of a fault there, too; else nobody can say."""
    judge = Asked()
    played = begun(judge, line=LINE)
    moved, _ = two_moves()
    spoiled = [n + (pit == 12) for pit, n in enumerate(moved.counts)]
    open_pits = [pit for pit in range(16) if pit != 12]
    played.frames(1.0, SOUTH)
    played.counts = spoiled
    played.frames(0.6, SOUTH, seen=None if before else open_pits)
    played.frames(0.4, NORTH, seen=open_pits)
    evidence = judge.asked[0].evidence
    assert bool(evidence.seen[12]) is before
    assert int(evidence.loglik[12].argmax()) == (spoiled[12] if before else 0)
    assert not played.table._play._moving().window.pictured[12], "how it looks now is not known all the same"


def test_what_was_filled_in_is_read_but_not_pictured_and_stays_so() -> None:
    window = Window(2)
    window.add(Reading(1, likelihoods((3, 4)), np.array([True, False])))
    for known in ((False, True), (False, False)):
        window.fill(likelihoods((7, 8)).astype(np.float64), np.array(known))
        assert window.read == (3, 8) and window.seen.all() and window.pictured.tolist() == [True, False]


def test_what_one_newcomer_hid_the_next_one_does_not() -> None:
    judge = Asked()
    played = begun(judge, line=LINE)
    moved, _ = two_moves()
    played.frames(1.0, SOUTH)
    played.frames(1 / FPS, NORTH, seen=[pit for pit in range(16) if pit != 12])
    played.frames(0.5, SOUTH)
    played.counts = list(moved.counts)
    played.frames(0.1, SOUTH, seen=[pit for pit in range(16) if pit != 12])
    played.frames(0.4, NORTH, seen=[pit for pit in range(16) if pit != 13])
    assert judge.asked[0].evidence.seen[12]
