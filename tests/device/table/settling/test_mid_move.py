"""A hand that leaves in the middle of its move, and comes back with the seeds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from device.table.settling.disturbance import Disturbance
from device.table.settling.evidence_window import Window
from device.table.settling.hand_readings import HandReadings
from device.table.settling.judge_worker import JudgeAtOnce, Question, Verdict
from device.table.settling.mid_move import fits_mid_move, moving_side
from device.table.settling.returning_hands import is_next_move
from engine.board import Board, Side
from engine.position import Position
from engine.rules import Rules, ruleset
from engine.trace import Capture, Drop, End, Lift, Step, Trace
from tests.device.played_table import begun, likelihoods, simple_judge, verdicts
from vision.reading import Reading

Weigh = Callable[[Question], Verdict]


def sown(rules: Rules, before: Position, left: int = 2) -> tuple[list[int], Position]:
    """The board with so many seeds of the first lap still in the hand, and the position that the whole move leaves."""
    move = next(m for m in rules.moves(before).moves if before.counts[m.pit] > left + 1)
    counts = list(before.counts)
    for step in move.trace[:before.counts[move.pit] - left + 1]:
        if isinstance(step, Lift):
            counts[step.pit] -= step.n
        elif isinstance(step, Drop):
            counts[step.pit] += 1
    assert sum(counts) == sum(before.counts) - left
    return counts, move.position


def tampered(question: Question) -> Verdict:
    """What is no legal move's board was tampered with."""
    verdict = simple_judge(question)
    if verdict.kind != "illegal":
        return verdict
    lies = question.before.with_counts(verdict.position.counts)
    return replace(verdict, kind="tampered", player=None, move=None, position=lies)


@pytest.mark.parametrize(("judge", "rests"), [(simple_judge, 1.2), (tampered, 3.6)])
def test_a_hand_that_rests_with_its_last_seeds_is_not_accused(judge: Weigh, rests: float) -> None:
    played = begun(JudgeAtOnce(judge))
    part, whole = sown(*played.game.playing)
    played.move(part, Side.SOUTH, pause=rests)
    assert not verdicts(played)
    played.move(whole.counts, Side.SOUTH)
    assert [v.kind for v in verdicts(played)] == ["legal"] and played.game.position == whole


@pytest.mark.parametrize("judge", [simple_judge, tampered])
def test_what_is_said_of_a_longer_rest_is_taken_back_when_the_hand_goes_on(judge: Weigh) -> None:
    played = begun(JudgeAtOnce(judge))
    part, whole = sown(*played.game.playing)
    played.move(part, Side.SOUTH, pause=5.0)
    first = verdicts(played)[0]
    assert first.kind != "legal"
    number = next(e.number for e in played.events if e.body is first)
    played.move(whole.counts, Side.SOUTH)
    assert [(v.kind, v.answers) for v in verdicts(played)[1:]] == [("legal", number)]
    assert played.game.position == whole


def found(rules: Rules, before: Position, counts: list[int], side: Side, doubt: dict[int, int] | None = None) -> bool:
    """Whether a board that lies like this after an accusation of `side`, whose hand was there, may be the middle of its
    move."""
    window = Window(len(counts), touched=True)
    window.add(Reading(0, likelihoods(counts, doubt), np.ones(len(counts), bool)))
    accused = Verdict("illegal", before, before.with_counts(tuple(counts)), side)
    return fits_mid_move(rules, accused, reached(window, side))


def reached(window: Window, side: Side) -> Disturbance:
    """That side's hand was there, and no other."""
    south, north = (0.1, 0.0) if side is Side.SOUTH else (0.0, 0.1)
    frames = [9, 0] if side is Side.SOUTH else [0, 9]
    return Disturbance(0.0, 1.0, window, HandReadings(), south=south, north=north, frames=frames)


def test_a_board_fits_the_middle_of_a_move_only_where_seeds_of_the_mover_are_in_the_hand() -> None:
    rules = ruleset("enkeshui")
    before = rules.setup()
    part, _ = sown(rules, before)
    assert found(rules, before, part, Side.SOUTH)
    assert not found(rules, before, part, Side.NORTH), "whose turn it is not"
    ended = next(m for m in rules.moves(before).moves if not any(isinstance(s, Capture) for s in m.trace))
    assert not found(rules, before, list(ended.position.counts), Side.SOUTH), "nothing is in the hand at the end"
    pit = next(p for p, n in enumerate(part) if n == before.counts[p] and n)
    stolen = [*part]
    stolen[pit] -= 1
    assert not found(rules, before, stolen, Side.SOUTH)
    assert found(rules, before, stolen, Side.SOUTH, {pit: part[pit]}), "read doubtfully, it may be whole"


def test_a_first_move_may_rest_too_though_the_board_might_have_been_laid_so() -> None:
    rules = ruleset("omweso")
    before = rules.setup()
    assert rules.arranges(before)
    part, _ = sown(rules, before, left=1)
    assert found(rules, before, part, before.to_move)


def boards_of(position: Position, trace: Trace) -> Iterator[tuple[Step, list[int]]]:
    """Each step of a trace up to its first capture or end, and the board before it."""
    counts = list(position.counts)
    for step in trace:
        yield step, list(counts)
        if isinstance(step, Lift):
            counts[step.pit] -= step.n
        elif isinstance(step, Drop):
            counts[step.pit] += 1
        elif isinstance(step, Capture | End):
            return


def capturing_two(rules: Rules) -> tuple[Position, list[int], Capture]:
    """A position, the board before some legal move of it captures two pits that are sown on, and that capture."""
    rng, position = np.random.default_rng(3), rules.setup()
    for _ in range(40):
        moves = rules.moves(position).moves
        steps = [one for move in moves for one in boards_of(position, move.trace)]
        for step, counts in steps:
            if isinstance(step, Capture) and step.sown_from is not None and sum(counts[p] > 0 for p in step.pits) == 2:
                return position, counts, step
        position = moves[int(rng.integers(len(moves)))].position
    raise AssertionError("no move captured two pits")


def test_of_two_pits_that_are_sown_on_either_may_be_taken_up_first() -> None:
    rules = ruleset("omweso")
    position, counts, capture = capturing_two(rules)
    for pit in capture.pits:
        taken = [0 if p == pit else n for p, n in enumerate(counts)]
        assert found(rules, position, taken, position.to_move)
    assert not found(rules, position, counts, position.to_move), "nothing is in the hand yet"


@pytest.mark.parametrize(("taken", "rests"), [("E", True), ("Fc", True), ("EFc", False), ("", False)])
def test_captured_pits_may_be_carried_off_one_by_one(taken: str, rests: bool) -> None:
    rules = ruleset("enkeshui", "driedger")
    before = Position.parse("0,0,1,6,1,1,2,0/1,1,0,0,6,6,1,6 S 16-0 ply=4")
    sown = Position.parse("0,0,1,6,1,1,2,0/1,0,1,0,6,6,1,6 S 16-0 ply=4")
    part = [0 if before.board.name(pit) in taken else n for pit, n in enumerate(sown.counts)]
    assert found(rules, before, part, Side.SOUTH) is rests


def test_a_side_whose_hand_was_not_there_is_no_mover() -> None:
    """Between two laps South's move out of turn looks like one of North's, who is at the other side of the table."""
    rules = ruleset("enkeshui", "driedger")
    before = Position.parse("0,0,5,5,0,5,1,1/0,0,4,4,4,4,4,0 N 11-0 ply=1")
    counts = Position.parse("1,1,6,6,1,0,2,0/1,0,4,4,0,5,5,1 S 11-0 ply=2").counts
    window = Window(len(counts), touched=True)
    window.add(Reading(0, likelihoods(counts), np.ones(len(counts), bool)))
    souths, norths = reached(window, Side.SOUTH), reached(window, Side.NORTH)
    wrong = Verdict("illegal", before, before.with_counts(counts), Side.NORTH, "e")
    assert fits_mid_move(rules, wrong, souths) and not fits_mid_move(rules, wrong, norths)
    assert moving_side(Side.NORTH, souths) is Side.SOUTH and moving_side(Side.NORTH, norths) is Side.NORTH
    assert moving_side(None, norths) is Side.NORTH
    back = Disturbance(2.0, 2.0, window, HandReadings(), south=0.1, frames=[1, 0])
    context = begun().table._context
    assert not is_next_move(context, wrong, souths, back) and is_next_move(context, wrong, norths, back)


def test_a_hand_that_leans_on_the_board_ends_no_move_when_the_movers_comes_back() -> None:
    """It covers more, and has been there all along: a change of the light shows it anew as the mover's hand comes."""
    before = ruleset("enkeshui", "driedger").setup(board=Board(2, 8))
    window = Window(before.board.pits, touched=True)
    window.add(Reading(0, likelihoods(before.counts), np.ones(before.board.pits, bool)))
    context, wrong = begun().table._context, Verdict("illegal", before, before, Side.SOUTH, "a")
    both = Disturbance(2.0, 2.0, window, HandReadings(), south=0.02, north=0.05, frames=[1, 1])
    alone = replace(both, south=0.0, frames=[0, 1])
    assert not is_next_move(context, wrong, reached(window, Side.SOUTH), both)
    assert is_next_move(context, wrong, reached(window, Side.SOUTH), alone)
