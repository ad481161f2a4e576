"""A hand that leaves in the middle of its move, and comes back with the seeds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from device.disturbance import Disturbance
from device.halfway import halfway
from device.judging import AtOnce, Question, Verdict
from device.meanwhile import Meanwhile
from device.window import Window
from engine.board import Side
from engine.position import Position
from engine.rules import Rules, ruleset
from engine.trace import Capture, Drop, Lift
from tests.device.players import begun, likelihoods, simple_judge, verdicts
from vision.adapt import Adaptation
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
    played = begun(AtOnce(judge))
    part, whole = sown(*played.game.playing)
    played.move(part, Side.SOUTH, pause=rests)
    assert not verdicts(played)
    played.move(whole.counts, Side.SOUTH)
    assert [v.kind for v in verdicts(played)] == ["legal"] and played.game.position == whole


@pytest.mark.parametrize("judge", [simple_judge, tampered])
def test_what_is_said_of_a_longer_rest_is_taken_back_when_the_hand_goes_on(judge: Weigh) -> None:
    played = begun(AtOnce(judge))
    part, whole = sown(*played.game.playing)
    played.move(part, Side.SOUTH, pause=5.0)
    first = verdicts(played)[0]
    assert first.kind != "legal"
    number = next(e.number for e in played.events if e.body is first)
    played.move(whole.counts, Side.SOUTH)
    assert [(v.kind, v.answers) for v in verdicts(played)[1:]] == [("legal", number)]
    assert played.game.position == whole


def found(rules: Rules, before: Position, counts: list[int], side: Side, doubt: dict[int, int] | None = None) -> bool:
    """Whether a board that lies like this after an accusation of `side` may be the middle of its move."""
    window = Window(len(counts), touched=True)
    window.add(Reading(0, likelihoods(counts, doubt), np.ones(len(counts), bool)))
    move = Disturbance(0.0, 1.0, window, Meanwhile(Adaptation()), south=0.1)
    return halfway(rules, Verdict("illegal", before, before, side), move)


def test_a_board_is_halfway_only_where_seeds_of_the_mover_are_in_the_hand() -> None:
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


def test_of_two_pits_that_are_sown_on_either_may_be_taken_up_first() -> None:
    rules = ruleset("omweso")
    rng, position = np.random.default_rng(3), rules.setup()
    for _ in range(40):
        for move in rules.moves(position).moves:
            at = next((k for k, s in enumerate(move.trace) if isinstance(s, Capture)), None)
            if at is None or not isinstance(capture := move.trace[at], Capture) or capture.sown_from is None:
                continue
            counts = list(position.counts)
            for step in move.trace[:at]:
                if isinstance(step, Lift):
                    counts[step.pit] -= step.n
                elif isinstance(step, Drop):
                    counts[step.pit] += 1
            if sum(counts[p] > 0 for p in capture.pits) == 2:
                for pit in capture.pits:
                    taken = [0 if p == pit else n for p, n in enumerate(counts)]
                    assert found(rules, position, taken, position.to_move)
                return
        moves = rules.moves(position).moves
        position = moves[int(rng.integers(len(moves)))].position
    raise AssertionError("no move captured two pits")
