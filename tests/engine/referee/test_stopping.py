"""Emitwe-ebiri ends the game at the second end's capture: who stops there, or anywhere after it, does no wrong."""

import random
from dataclasses import replace

import pytest

from engine.board import Board, Side
from engine.explain import sentence
from engine.games import omweso
from engine.position import Position
from engine.records.record import Item, Record
from engine.records.replay import replay
from engine.rules import Move, ruleset
from engine.trace import Capture, End
from tests.engine.referee.by_hand import judged, seen
from tests.engine.trace_applied import apply

RULES, BOARD = ruleset("omweso"), Board(4, 8)
OFF = ruleset("omweso", None, {"emitwe_ebiri": "false"})


def board(**pits: int) -> Position:
    counts = [0] * BOARD.pits
    for name, n in pits.items():
        counts[BOARD.pit(name)] = n
    return Position(BOARD, tuple(counts), ply=30)


BOTH_ENDS = board(o=2, h=1, A=1, I=8, H=1, P=1, C=9, D=9, E=9, F=9, J=7, a=1, b=1, c=1, d=4)
"""o captures from A and I, and sown on from o again from H and P: the two ends."""


def second_capture(move: Move) -> int:
    captures = [i for i, step in enumerate(move.trace) if isinstance(step, Capture)]
    return captures[1]


def stopped(move: Move) -> dict[str, tuple[int, ...]]:
    """Boards at which the hand may stop, by what it has done."""
    at, lay = second_capture(move), list(apply(move.before, move.trace[:second_capture(move)]).counts)
    capture = move.trace[at]
    assert isinstance(capture, Capture)
    found = {"left lying": tuple(lay)}
    found["one pit taken up"] = tuple(0 if p == capture.pits[0] else n for p, n in enumerate(lay))
    held = [0 if p in capture.pits else n for p, n in enumerate(lay)]
    found["kept in the hand"] = tuple(held)
    assert capture.sown_from is not None
    held[capture.sown_from + 1] += 1
    found["one dropped"] = tuple(held)
    return found


def test_the_position_is_what_the_tests_take_it_for() -> None:
    assert BOTH_ENDS.total == 64
    move = RULES.play(BOTH_ENDS, "o")
    assert [BOARD.name(s.pits[0]) for s in move.trace if isinstance(s, Capture)] == ["A", "H"]


@pytest.mark.parametrize("how", ["left lying", "one pit taken up", "kept in the hand", "one dropped"])
def test_who_stops_at_the_second_capture_has_won_and_is_not_accused(how: str) -> None:
    counts = stopped(RULES.play(BOTH_ENDS, "o"))[how]
    verdict = judged(RULES, BOTH_ENDS, seen(counts))
    assert (verdict.kind, verdict.player, verdict.move, verdict.faults) == ("legal", Side.SOUTH, "o", ())
    assert verdict.position.counts == counts
    assert verdict.position.total == 64
    over = RULES.over(verdict.position)
    assert over is not None
    assert (over.winner, sum(over.result)) == (Side.SOUTH, 64)
    assert sentence(verdict).endswith("and won.")


def test_without_the_rule_who_stops_there_left_what_he_had_won() -> None:
    """So that the test above can fail."""
    verdict = judged(OFF, BOTH_ENDS, seen(stopped(OFF.play(BOTH_ENDS, "o"))["left lying"]))
    assert (verdict.kind, [f.code for f in verdict.faults]) == ("illegal", ["short-capture"])


def test_who_sows_on_to_the_end_has_won_as_well() -> None:
    move = RULES.play(BOTH_ENDS, "o")
    verdict = judged(RULES, BOTH_ENDS, seen(move.position.counts))
    assert (verdict.kind, verdict.position) == ("legal", move.position)


def test_a_fault_before_the_second_capture_is_one_still() -> None:
    first = next(s for s in RULES.play(BOTH_ENDS, "o").trace if isinstance(s, Capture))
    trace = RULES.play(BOTH_ENDS, "o").trace
    lay = apply(BOTH_ENDS, trace[:trace.index(first)]).counts
    verdict = judged(RULES, BOTH_ENDS, seen(lay))
    assert (verdict.kind, [f.code for f in verdict.faults]) == ("illegal", ["short-capture"])


def test_every_stop_is_a_trace_that_leads_to_its_position() -> None:
    rng, stops = random.Random(5), 0
    while stops <= 50:
        cut = sorted(rng.sample(range(1, 64), 31))
        counts = [b - a for a, b in zip([0, *cut], [*cut, 64], strict=True)]
        before = Position(BOARD, tuple(counts), (), rng.choice(list(Side)), ply=20)
        for move in RULES.moves(before).moves:
            for stop in RULES.stops(move):
                stops += 1
                assert apply(before, stop.trace) == stop.position
                assert stop.trace[-1] == End("win")
                assert (RULES.problem_sentences(stop.position), stop.position.won) == ([], before.to_move)
                assert stop.name == move.name


def test_no_other_move_has_such_stops() -> None:
    for rules in (RULES, OFF):
        for move in rules.moves(rules.setup()).moves:
            assert rules.stops(move) == ()
    assert OFF.stops(OFF.play(BOTH_ENDS, "o")) == ()


def test_a_record_of_a_game_that_was_stopped_so_replays() -> None:
    stop = RULES.stops(RULES.play(BOTH_ENDS, "o"))[0].position
    over = RULES.over(stop)
    assert over is not None
    record = Record.of(RULES, BOTH_ENDS, [Item("o"), Item("", stop)], result=over.result, winner=over.winner)
    assert replay(record).wrong is None


def test_seeds_are_in_a_hand_only_of_who_has_won() -> None:
    stop = next(m.position for m in RULES.stops(RULES.play(BOTH_ENDS, "o")) if m.position.captured[0])
    assert RULES.problem_sentences(stop) == []
    assert RULES.problem_sentences(replace(stop, won=None))
    assert RULES.problem_sentences(replace(stop, won=Side.NORTH))


def test_a_long_relay_after_the_win_is_followed_only_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    move = RULES.play(BOTH_ENDS, "o")
    every = len(RULES.stops(move))
    monkeypatch.setattr(omweso, "MOST_STEPS", 3)
    assert len(RULES.stops(move)) < every
