"""What was read while the hands were in play says which of two stories was played, and that a seed went."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.board import Direction
from engine.judge import COUNTS, Evidence, Timeline, judge
from engine.judge.hypotheses import continuations
from engine.judge.likelihood import BoardLikelihood
from engine.judge.parameters import EFFORT, TIMELINE
from engine.judge.timeline_likelihood import TimelineLikelihood, TraceLikelihood, _look_weights, boards_passed
from engine.judge.weighing import rescore_by_timeline, score_quiet_board
from engine.position import Position
from engine.rules import ruleset
from engine.trace import Capture, Choose, Drop, End, Lift, Step, Stray

MIDDLE = "4,2,0,2,1,0,2,0/0,3,1,0,6,0,7,1 S 19-0 ply=8"
SOUTHS = (0.3, 0.01)


def looks(boards: Sequence[Sequence[int]] | NDArray[np.int64], each: int = 3, sure: float = 0.99) -> Timeline:
    """So many readings of each of these boards, every pit open."""
    counts = np.repeat(np.asarray(boards), each, axis=0)
    loglik = np.full((*counts.shape, COUNTS), np.log((1 - sure) / (COUNTS - 1)))
    np.put_along_axis(loglik, counts[..., None], np.log(sure), axis=2)
    return Timeline(loglik, np.ones(counts.shape, bool))


def seen(counts: Sequence[int], during: Timeline | None = None) -> Evidence:
    """A good eye's last look."""
    return Evidence(looks([counts], 1, 0.9995).loglik[0], np.ones(len(counts), bool), 5, SOUTHS, during)


def readings_of(timeline: Timeline, left: Sequence[int] | NDArray[np.int64]) -> TimelineLikelihood:
    """Of readings meanwhile and of the board that then lay there."""
    return TimelineLikelihood(timeline, np.exp(looks(np.array([left]), 1, 0.9995).loglik[0]), np.ones(len(left), bool))


def likelihood(timeline: Timeline, boards: NDArray[np.int64]) -> float:
    return readings_of(timeline, boards[-1]).of_traces([boards])[0].fit


def test_a_trace_passes_through_its_boards_and_seeds_in_the_hand_lie_on_none() -> None:
    steps: list[Step] = [Lift(0, 2), Choose(Direction.CW), Drop(1), Drop(2), Stray(None, -1), Stray(3, 1)]
    steps += [Capture((2, 4), 5), End("capture")]
    assert boards_passed((2, 0, 0, 1, 4), steps).tolist() == [
        [2, 0, 0, 1, 4], [0, 0, 0, 1, 4], [0, 1, 0, 1, 4], [0, 1, 1, 1, 4], [0, 1, 1, 2, 4], [0, 1, 0, 2, 0]]


def test_seeds_left_behind_in_a_capture_stay_in_its_last_pit() -> None:
    assert boards_passed((1, 5), [Capture((0, 1), 4)]).tolist() == [[1, 5], [0, 2]]


def test_one_of_two_stories_with_one_end_is_the_one_that_was_seen() -> None:
    """Two pits are emptied in either order."""
    start = (2, 2, 0, 0, 0)
    one = boards_passed(start, [Lift(0, 2), Drop(2), Drop(3), Lift(1, 2), Drop(3), Drop(4)])
    two = boards_passed(start, [Lift(1, 2), Drop(3), Drop(4), Lift(0, 2), Drop(2), Drop(3)])
    assert one[-1].tolist() == two[-1].tolist()
    assert likelihood(looks(one), one) > likelihood(looks(one), two) + 2
    assert likelihood(looks(two), two) > likelihood(looks(two), one) + 2


def test_frames_that_show_the_same_seeds_are_one_look() -> None:
    boards = boards_passed((3, 0, 0, 0), [Lift(0, 3), Drop(1), Drop(2), Drop(3)])
    wrong = boards_passed((3, 0, 0, 0), [Lift(0, 2), Drop(1), Drop(2), Lift(0, 1), Drop(3)])
    few, many = (likelihood(looks(boards, n), boards) - likelihood(looks(boards, n), wrong) for n in (2, 40))
    assert few == pytest.approx(many, abs=0.5)


def test_looks_on_end_that_read_a_pit_alike_weigh_one_together() -> None:
    read = np.array([[3], [3], [7], [3], [4], [4], [3]])
    weight = _look_weights(read, np.array([[True], [True], [False], [True], [True], [True], [True]]))
    assert weight[:, 0].tolist() == pytest.approx([1 / 3, 1 / 3, 0, 1 / 3, 1 / 2, 1 / 2, 1])
    assert not _look_weights(read, np.zeros((7, 1), bool)).any()


def test_a_heap_misread_for_as_long_as_it_lies_is_one_look() -> None:
    """Forty frames a step show a five that is read as four; then it is lifted last of all."""
    start = (2, 2, 5, 0, 0, 0)
    steps: list[Step] = [Lift(0, 2), Drop(3), Drop(4), Lift(1, 2), Drop(4), Drop(5), Lift(2, 5), Drop(3)]
    boards = boards_passed(start, steps)
    shown = boards.copy()
    shown[shown[:, 2] == 5, 2] = 4
    assert -6.0 < likelihood(looks(shown, 40), boards) < -4.0


def test_a_heap_that_is_read_otherwise_in_every_frame_is_one_look_too() -> None:
    """An eight is read as nine and seven by turns, and is a nine only when the last seed falls into it: the pits that
    are read clearly tell how far the move had come."""
    boards = boards_passed((3, 0, 0, 8), [Lift(0, 3), Drop(1), Drop(2), Drop(3)])
    shown = np.repeat(boards, 6, axis=0)
    shown[:24, 3] = [9, 7] * 12
    found = readings_of(looks(shown, 1), boards[-1]).of_traces([boards])[0]
    assert found.fit + found.last.sum() > -7.0


def test_no_trace_gains_by_an_end_that_all_readings_could_be_of() -> None:
    """A heap is misread before the move and after it. That seeds went from it when all was done explains the board
    after; but not that it was read so before."""
    start = (3, 6, 0, 0, 0)
    legal = boards_passed(start, [Lift(0, 3), Drop(2), Drop(3), Drop(4)])
    gone = np.array([[0, 1, 0, 0, 0]])
    palmed = np.concatenate((legal, legal[-1:] - gone))
    shown = legal - gone
    readings = readings_of(looks(shown, 5), shown[-1])
    honest, accused = (h.fit + h.last.sum() for h in readings.of_traces([legal, palmed]))
    assert honest > -0.5
    assert accused < honest - 4.0


def test_seeds_that_lie_otherwise_afterwards_were_touched_after_the_look() -> None:
    legal = boards_passed((3, 6, 0, 0, 0), [Lift(0, 3), Drop(2), Drop(3), Drop(4)])
    palmed = np.concatenate((legal, legal[-1:] - np.array([[0, 1, 0, 0, 0]])))
    readings = readings_of(looks(legal, 5), palmed[-1])
    honest, accused = readings.of_traces([legal, palmed])
    assert honest.last[1] < -4.0 < -0.5 < accused.last.min()
    assert accused.fit > -0.5


def test_of_many_readings_so_many_are_laid_against_a_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    module, rows = sys.modules["engine.judge.timeline_likelihood"], list[int]()
    boards = boards_passed((3, 0, 0, 0), [Lift(0, 3), Drop(1), Drop(2), Drop(3)])
    aligned = module._best_paths

    def counted(fits: Sequence[NDArray[np.float64]]) -> list[NDArray[np.int64]]:
        rows.extend(map(len, fits))
        return list(aligned(fits))

    monkeypatch.setattr(module, "_best_paths", counted)
    assert likelihood(looks(boards, 500), boards) == pytest.approx(likelihood(looks(boards, 3), boards), abs=0.01)
    assert set(rows) == {TIMELINE.readings, 15}


def test_what_a_hand_hides_says_nothing() -> None:
    boards = boards_passed((3, 0, 0, 0), [Lift(0, 3), Drop(1), Drop(2), Drop(3)])
    shown = looks(boards)
    hidden = replace(shown, seen=np.zeros_like(shown.seen))
    assert likelihood(hidden, boards) == 0.0
    assert not readings_of(hidden, boards[-1]).of_traces([boards])[0].kept.any()


def test_a_pit_is_kept_when_it_was_clearly_read_as_the_trace_leaves_it() -> None:
    boards = boards_passed((2, 0, 0), [Lift(0, 2), Drop(1), Drop(2)])
    assert readings_of(looks(boards, 4), boards[-1]).of_traces([boards])[0].kept.all()
    assert not readings_of(looks(boards, 4, sure=0.6), boards[-1]).of_traces([boards])[0].kept.any()
    gone = looks([*boards.tolist(), [0, 0, 1]], 4)  # the seed of the second pit goes while hands are there
    assert readings_of(gone, boards[-1]).of_traces([boards])[0].kept.all()
    never = looks([[2, 0, 0], [0, 0, 0], [0, 0, 1]], 4)
    assert readings_of(never, boards[-1]).of_traces([boards])[0].kept.tolist()[:2] == [True, False]


def test_one_seed_that_went_is_named_when_it_was_seen_to_lie_there() -> None:
    """Of the board alone people are asked: one misread pit is as likely (see `test_judge`)."""
    rules, before = ruleset("enkeshui"), Position.parse(MIDDLE)
    move = next(m for m in rules.moves(before).moves if m.name == "e")
    boards = boards_passed(before.counts, move.trace)
    pit = next(p for p, n in enumerate(boards[-1]) if 2 <= n <= 4 and n == boards[-3][p])
    left = [n - (p == pit) for p, n in enumerate(boards[-1].tolist())]
    assert judge(rules, before, seen(left)).kind == "not-sure"
    verdict = judge(rules, before, seen(left, looks(boards, 4)))
    assert verdict.kind == "illegal"
    assert verdict.position.counts == tuple(left)
    assert (verdict.faults[0].code, verdict.faults[0].pit) == ("palmed", pit)


def test_readings_that_fit_nothing_at_all_count_for_nothing() -> None:
    rules, before = ruleset("enkeshui"), Position.parse(MIDDLE)
    move = next(m for m in rules.moves(before).moves if m.name == "e")
    boards, draw = boards_passed(before.counts, move.trace), np.random.default_rng(1)
    quiet = seen(move.position.counts).loglik
    pit = int(np.flatnonzero(boards[-1] == 3)[0])
    quiet[pit, 2] = quiet[pit, 3] + 0.5
    alone = judge(rules, before, Evidence(quiet, np.ones(16, bool), 5, SOUTHS))
    other = looks(draw.integers(0, 9, boards.shape), 4)
    verdict = judge(rules, before, Evidence(quiet, np.ones(16, bool), 5, SOUTHS, other))
    assert (verdict.kind, verdict.confidence) == (alone.kind, alone.confidence)


def test_an_accusation_not_laid_against_the_timeline_gains_nothing_by_what_that_says_against_a_legal_move(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules, before = ruleset("enkeshui"), Position.parse(MIDDLE)
    move = next(m for m in rules.moves(before).moves if m.name == "e")
    boards = boards_passed(before.counts, move.trace)
    pit = next(p for p, n in enumerate(boards[-1]) if 2 <= n <= 4 and n == boards[-3][p])
    left = [n - (p == pit) for p, n in enumerate(boards[-1].tolist())]
    monkeypatch.setattr("engine.judge.weighing.EFFORT", replace(EFFORT, timeline_boards=2))
    fitting, follows = BoardLikelihood(seen(left)), continuations(rules, before)
    scored = score_quiet_board(fitting, follows.legal + follows.one_fault(60_000)[0])
    legal = next(s for s in scored if s.best.counts == move.position.counts)
    palmed = next(s for s in scored if s.best.counts == tuple(left))
    others = [s for s in scored if s.accuses and s is not palmed]
    found = rescore_by_timeline(rules, before, fitting, readings_of(looks(boards, 4), left), [legal, palmed, *others])
    after = {(s.best.counts, s.accuses): s for s in found}
    now = after[legal.best.counts, False]
    assert now.timeline_nats < -4
    assert after[palmed.best.counts, True].timeline_nats == 0
    assert others
    for s in others:
        assert after[s.best.counts, True].log_p - now.log_p == pytest.approx(s.log_p - legal.log_p)


def test_an_accusation_whose_trace_is_not_come_to_again_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that long relays cost no more time than there is."""
    rules, before = ruleset("enkeshui"), Position.parse(MIDDLE)
    move = next(m for m in rules.moves(before).moves if m.name == "e")
    boards = boards_passed(before.counts, move.trace)
    pit = next(p for p, n in enumerate(boards[-1]) if 2 <= n <= 4 and n == boards[-3][p])
    left = [n - (p == pit) for p, n in enumerate(boards[-1].tolist())]
    shown = looks([*boards, left], 4)
    assert judge(rules, before, seen(left, shown)).kind == "illegal"
    monkeypatch.setattr("engine.judge.weighing.EFFORT", replace(EFFORT, traces_laps=1))
    assert judge(rules, before, seen(left, shown)).kind == "not-sure"


def test_a_relay_that_hardly_ends_is_laid_against_no_readings(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, before = ruleset("enkeshui"), Position.parse(MIDDLE)
    longest = max(rules.moves(before).moves, key=lambda move: len(move.trace))
    boards = boards_passed(before.counts, longest.trace)
    left, found = list(longest.position.counts), list[int]()
    pit = next(p for p, n in enumerate(left) if n > 1)
    left[pit] -= 1
    rescore_by_timeline = TimelineLikelihood.of_traces

    def counted(self: TimelineLikelihood, traces: Sequence[NDArray[np.int64]]) -> list[TraceLikelihood]:
        found.extend(map(len, traces))
        return rescore_by_timeline(self, traces)

    monkeypatch.setattr(TimelineLikelihood, "of_traces", counted)
    judge(rules, before, seen(left, looks(boards, 2)))
    assert max(found) > 12
    found.clear()
    monkeypatch.setattr("engine.judge.weighing.EFFORT", replace(EFFORT, longest_trace=12))
    judge(rules, before, seen(left, looks(boards, 2)))
    assert all(n <= 13 for n in found)


def test_legal_moves_stay_legal_whatever_of_them_was_seen_meanwhile() -> None:
    rules, before = ruleset("enkeshui"), Position.parse(MIDDLE)
    for move in rules.moves(before).moves:
        boards = boards_passed(before.counts, move.trace)
        for part in (boards, boards[::3], boards[-1:], boards[:0]):
            verdict = judge(rules, before, seen(move.position.counts, looks(part) if len(part) else None))
            assert (verdict.kind, verdict.position.counts) == ("legal", move.position.counts)


@pytest.mark.parametrize("abreast", [1, 40, 10_000])
def test_a_trace_fits_as_well_beside_others_as_alone(abreast: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rules, before = ruleset("enkeshui"), Position.parse(MIDDLE)
    traces = [boards_passed(before.counts, move.trace) for move in rules.moves(before).moves]
    shown = max(traces, key=len)
    readings = readings_of(looks(shown[::2], 2, 0.8), shown[-1])
    alone = [readings.of_traces([boards])[0] for boards in traces]
    monkeypatch.setattr("engine.judge.timeline_likelihood.TIMELINE", replace(TIMELINE, steps_abreast=abreast))
    beside = readings.of_traces(traces)
    assert [h.fit for h in beside] == [h.fit for h in alone]
    assert all((a.kept == b.kept).all() for a, b in zip(beside, alone, strict=True))
    assert len({h.fit for h in alone}) > 1


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_no_other_trace_fits_better_than_the_one_that_was_shown(data: st.DataObject) -> None:
    rules = ruleset("endodoi")
    position = rules.setup()
    for _ in range(data.draw(st.integers(0, 4))):
        moves = rules.moves(position).moves
        position = data.draw(st.sampled_from(moves)).position if moves else position
    moves = rules.moves(position).moves
    if not moves:
        return
    shown = data.draw(st.sampled_from(moves))
    boards = boards_passed(position.counts, shown.trace)
    readings = readings_of(looks(boards, 2), boards[-1])
    own = readings.of_traces([boards])[0]
    others = readings.of_traces([boards_passed(position.counts, m.trace) for m in moves])
    assert all(h.fit + h.last.sum() <= own.fit + own.last.sum() + 0.05 for h in others)


@pytest.mark.parametrize("shape", [(3, 16, 25), (3, 16), (16, COUNTS)])
def test_a_timeline_of_another_shape_is_named(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="a timeline of shapes"):
        Timeline(np.zeros(shape), np.ones((3, 16), bool))


def test_a_timeline_of_another_board_and_one_of_no_numbers_are_named() -> None:
    with pytest.raises(ValueError, match="a timeline of 4 pits for a board of 5"):
        seen([0] * 5, looks([[1, 2, 3, 4]]))
    with pytest.raises(ValueError, match="not all finite"):
        Timeline(np.full((1, 4, COUNTS), np.nan), np.ones((1, 4), bool))
