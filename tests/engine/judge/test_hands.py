"""Where the hands were tells what was done: nobody takes a seed but with a hand over its pit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.judge import COUNTS, Evidence, Timeline, judge, search
from engine.judge.hands import CoveredPits
from engine.judge.hypotheses import Hypotheses, continuations
from engine.judge.likelihood import BoardLikelihood
from engine.judge.parameters import TIMELINE
from engine.judge.timeline_likelihood import TimelineLikelihood, boards_passed
from engine.judge.weighing import rescore_by_timeline, score_quiet_board
from engine.position import Position
from engine.rules import ruleset
from engine.trace import Drop, Lift

MIDDLE = "4,2,0,2,1,0,2,0/0,3,1,0,6,0,7,1 S 19-0 ply=8"
PITS = 6


def over(pits: int, *each: Sequence[int]) -> NDArray[np.bool_]:
    """bool[readings, pits], what is seen when a hand covers these pits in each reading."""
    return np.array([[p not in covered for p in range(pits)] for covered in each])


def nats_along(boards: NDArray[np.int64], *each: Sequence[int]) -> float:
    """What the hands say of a trace, by the pits that they cover in each reading; `path` as they go along with it."""
    beside = CoveredPits(over(boards.shape[1], *each)).fits(boards)
    assert beside is not None
    return max(beside.along(np.array(path)) for path in _paths(len(each), len(boards)))


def _paths(readings: int, steps: int, least: int = 0) -> list[list[int]]:
    if not readings:
        return [[]]
    return [[k, *rest] for k in range(least, steps) for rest in _paths(readings - 1, steps, k)]


def test_hands_that_follow_a_trace_speak_for_it_and_hands_elsewhere_against_it() -> None:
    boards = boards_passed((2, 0, 0, 1, 1, 0), [Lift(0, 2), Drop(1), Drop(2)])
    along, elsewhere = nats_along(boards, (0,), (1,), (2,)), nats_along(boards, (5,), (4,), (3,))
    assert along > 2.0
    assert elsewhere < -2.0


def test_hands_that_were_not_made_out_or_that_cover_all_say_nothing() -> None:
    boards = boards_passed((2, 0, 0, 1, 1, 0), [Lift(0, 2), Drop(1), Drop(2)])
    assert CoveredPits(np.ones((3, PITS), bool)).fits(boards) is None
    assert abs(nats_along(boards, *[range(PITS)] * 3)) < 0.3
    still = CoveredPits(over(PITS, (0,))).fits(boards[:1])
    assert still is not None and still.along(np.zeros(1, np.int64)) == 0


def test_two_seeds_into_one_pit_are_one_visit() -> None:
    once = boards_passed((3, 0, 0, 0, 0, 0), [Lift(0, 3), Drop(1)])
    twice = boards_passed((3, 0, 0, 0, 0, 0), [Lift(0, 3), Drop(1), Drop(1)])
    assert nats_along(twice, (0,), (1,), (1,)) == pytest.approx(nats_along(once, (0,), (1,), (1,)))


def test_of_a_pit_that_a_hand_came_to_there_should_be_a_reading() -> None:
    """The fewer readings there are of all, the less it says that none is of this."""
    boards = boards_passed((1, 0, 0, 0, 0, 0), [Lift(0, 1), Drop(1)])
    more = np.concatenate((boards, boards[-1:] + np.eye(PITS, dtype=int)[5:]))
    assert nats_along(more, (0,), (0,), (1,), (1,)) == pytest.approx(
        nats_along(boards, (0,), (0,), (1,), (1,)) - TIMELINE.visit_unread_nats
    )
    assert nats_along(boards, (0,)) - nats_along(more, (0,)) < TIMELINE.visit_unread_nats / 3


def test_a_capture_of_many_pits_says_little_for_a_hand_covers_one_of_them_anyway() -> None:
    one, many = np.zeros((2, 16), np.int64), np.zeros((2, 16), np.int64)
    one[0, 3], many[0, 3:11] = 1, 1
    covered = (3, 4, 5)
    assert nats_along(one, covered) > nats_along(many, covered) + 1.0


def test_hands_that_were_there_in_one_order_were_not_in_the_other_whatever_is_read() -> None:
    start = (1, 1, 0, 0, 0, 0)
    one = boards_passed(start, [Lift(0, 1), Drop(2), Lift(1, 1), Drop(3)])
    two = boards_passed(start, [Lift(1, 1), Drop(3), Lift(0, 1), Drop(2)])
    hands = []
    for noise in (0.0, 9.0):
        loglik = np.random.default_rng(1).normal(0, noise, (4, PITS, COUNTS))
        during = Timeline(loglik, over(PITS, (0,), (2,), (1,), (3,)))
        readings = TimelineLikelihood(during, np.full((PITS, COUNTS), 1 / COUNTS), np.ones(PITS, bool))
        hands.append([by.hands for by in readings.of_traces([one, two])])
        assert hands[-1][0] > hands[-1][1] + 2.0
    assert hands[0] == hands[1], "a heap that is misread puts no hand elsewhere"


def _timeline_nats(hands: NDArray[np.int64], lies: Sequence[int], kinds: Sequence[str]) -> dict[str, float]:
    """What is said against some explanations of a board by hands that go along these boards, where no pit is read
    clearly meanwhile."""
    rules, before = ruleset("enkeshui"), Position.parse(MIDDLE)
    pits = len(lies)
    quiet = np.full((pits, COUNTS), np.log(0.001 / (COUNTS - 1)))
    quiet[np.arange(pits), lies] = np.log(0.999)
    likelihood = BoardLikelihood(Evidence(quiet, np.ones(pits, bool), 5, (0.3, 0.01)))
    each = [[], *(np.flatnonzero(a != b).tolist() for a, b in zip(hands[1:], hands[:-1], strict=True))]
    timeline = Timeline(np.zeros((len(each), pits, COUNTS)), over(pits, *each))
    readings = TimelineLikelihood(timeline, likelihood.p, likelihood.seen)
    still = Hypotheses.of(search.unchanged_or_withdrawn(before, []), pits)
    scored = score_quiet_board(likelihood, continuations(rules, before).legal + still)
    some = [replace(s, log_p=0.0) for s in scored if (s.best.move or s.best.kind) in kinds]
    found = rescore_by_timeline(rules, before, likelihood, readings, some)
    return {s.best.move or s.best.kind: s.timeline_nats for s in found}


def test_hands_that_were_not_made_out_where_they_were_weigh_no_more_than_so_much() -> None:
    rules, before = ruleset("enkeshui"), Position.parse(MIDDLE)
    shown, played = (boards_passed(before.counts, rules.play(before, name).trace) for name in ("e", "g"))
    nats = _timeline_nats(shown, played[-1].tolist(), ("e", "g"))
    assert nats == {"e": pytest.approx(0.0, abs=0.1), "g": pytest.approx(-TIMELINE.most_hands_nats, abs=0.1)}


def test_of_what_was_laid_back_or_only_pointed_at_nobody_knows_where_the_hands_should_have_been() -> None:
    rules, before = ruleset("enkeshui"), Position.parse(MIDDLE)
    tried = boards_passed(before.counts, rules.play(before, "e").trace)
    nats = _timeline_nats(tried, before.counts, ("e", "unchanged"))
    assert nats == {"e": pytest.approx(0.0, abs=0.1), "unchanged": pytest.approx(0.0, abs=0.1)}


def test_a_seed_is_palmed_where_a_hand_was_and_misread_where_none_came() -> None:
    """The same readings of the same board; one pit is read one seed short when all is done."""
    rules, before = ruleset("enkeshui"), Position.parse(MIDDLE)
    move = next(m for m in rules.moves(before).moves if m.name == "e")
    boards = boards_passed(before.counts, move.trace)
    pit = next(p for p, n in enumerate(boards[-1]) if 2 <= n <= 4 and n == boards[-3][p])
    kinds = []
    for last in (pit, int(np.flatnonzero(boards[-1] != boards[-2])[0])):
        shown = np.repeat(np.concatenate((boards, boards[-1:])), 4, axis=0)
        hands = [np.flatnonzero(a != b).tolist() for a, b in zip(boards[1:], boards[:-1], strict=True)]
        covered: list[list[int]] = [pits for pits in ([], *hands, [last]) for _ in range(4)]
        loglik = np.full((*shown.shape, COUNTS), np.log(0.001 / (COUNTS - 1)))
        np.put_along_axis(loglik, shown[..., None], np.log(0.999), axis=2)
        quiet = loglik[-1].copy()
        quiet[pit] = np.log(1e-6)
        quiet[pit, boards[-1][pit] - 1], quiet[pit, boards[-1][pit]] = np.log(0.995), np.log(0.005)
        during = Timeline(loglik, over(len(quiet), *covered))
        verdict = judge(rules, before, Evidence(quiet, np.ones(len(quiet), bool), 5, (0.3, 0.01), during))
        kinds.append((verdict.kind, [(f.code, f.pit) for f in verdict.faults]))
    assert kinds == [("illegal", [("palmed", pit)]), ("not-sure", [])]
