"""Of several boards that may have lain there, what follows shows which it was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from engine.judge import COUNTS, Evidence, Verdict, judge_from
from engine.judge.verdict import NO_DOUBT, Doubt
from engine.position import Position
from engine.rules import ruleset

LAY = Position.parse("4,2,0,2,1,0,2,0/0,3,1,0,6,0,7,1 N 19-0 ply=8")
OTHER = Position.parse("4,2,0,1,1,0,2,0/0,3,1,0,6,0,7,1 N 20-0 ply=8")
RULES = ruleset("enkeshui")


def seen(counts: Sequence[int], sure: float = 0.999) -> Evidence:
    loglik = np.full((len(counts), COUNTS), np.log((1 - sure) / (COUNTS - 1)))
    loglik[np.arange(len(counts)), counts] = np.log(sure)
    return Evidence(loglik, np.ones(len(counts), bool), 5, (0.01, 0.3))


@pytest.mark.parametrize(("odds", "before"), [((0.9, 0.1), LAY), ((0.1, 0.9), LAY), ((0.5, 0.5), OTHER)])
def test_the_board_from_which_the_next_move_is_legal_was_the_one(odds: tuple[float, float], before: Position) -> None:
    move = next(m for m in RULES.moves(before).moves if m.name == "E")
    verdict = judge_from(RULES, [(LAY, odds[0]), (OTHER, odds[1])], seen(move.position.counts))
    assert (verdict.kind, verdict.before, verdict.move, verdict.position) == ("legal", before, "E", move.position)


def test_nothing_played_since_shows_it_too() -> None:
    verdict = judge_from(RULES, [(LAY, 0.5), (OTHER, 0.5)], seen(OTHER.counts))
    assert (verdict.kind, verdict.before) == ("unchanged", OTHER)


def test_a_legal_move_that_is_the_same_from_every_board_is_that_move() -> None:
    """A pit that the move does not touch is read with doubt before and after it."""
    other = Position.parse("4,2,0,2,1,0,2,0/0,3,1,0,7,0,7,1 N 18-0 ply=8")
    move = next(m for m in RULES.moves(LAY).moves if m.name == "E")
    doubtful = seen(move.position.counts)
    pit = next(p for p, (a, b) in enumerate(zip(LAY.counts, other.counts, strict=True)) if a != b)
    assert move.position.counts[pit] == LAY.counts[pit]
    doubtful.loglik[pit, LAY.counts[pit] + 1] = doubtful.loglik[pit, LAY.counts[pit]]
    verdict = judge_from(RULES, [(LAY, 0.5), (other, 0.5)], doubtful)
    assert (verdict.kind, verdict.move) == ("legal", "E") and verdict.confidence > 0.95


def test_a_fault_that_is_the_same_from_every_board_is_that_fault() -> None:
    """North stops after his first lap; how many seeds lie in a pit of South's has nothing to do with it."""
    other = Position.parse("4,2,0,2,1,0,2,0/0,3,1,0,7,0,7,1 N 18-0 ply=8")
    counts, (e, north_e, f, g) = list(LAY.counts), (LAY.board.pit(name) for name in "eEFG")
    counts[north_e], counts[f], counts[g] = 0, 1, 3
    doubtful = seen(counts, 1 - 1e-7)
    doubtful.loglik[e, LAY.counts[e] + 1] = doubtful.loglik[e, LAY.counts[e]]
    verdict = judge_from(RULES, [(LAY, 0.6), (other, 0.4)], doubtful)
    assert (verdict.kind, verdict.move, [f.code for f in verdict.faults]) == ("illegal", "E", ["stopped-short"])


@pytest.mark.parametrize("rare", [1e-6, 1e-5, 1e-4, 1e-3, 1e-2])
def test_who_may_have_played_fairly_from_another_board_is_not_accused(rare: float) -> None:
    """From the likely board three seeds are missing after the move, from the other none."""
    before = Position.parse("4,2,0,5,1,0,2,0/0,3,1,0,6,0,7,1 N 16-0 ply=8")
    lay = next(m for m in RULES.moves(LAY).moves if m.name == "B")
    verdict = judge_from(RULES, [(before, 1 - rare), (LAY, rare)], seen(lay.position.counts))
    assert (verdict.kind, verdict.before) in {("legal", LAY), ("not-sure", before), ("not-sure", LAY)}
    if rare == 1e-2:
        assert verdict.kind == "legal"


def test_without_odds_there_is_nothing_to_judge_from() -> None:
    with pytest.raises(ValueError, match="0 positions"):
        judge_from(RULES, [], seen(LAY.counts))
    with pytest.raises(ValueError, match="odds above zero"):
        judge_from(RULES, [(LAY, 0.0)], seen(LAY.counts))


def test_a_move_that_was_answered_at_once_is_another_verdict_than_the_move_alone() -> None:
    move = next(m for m in RULES.moves(LAY).moves if m.name == "E")
    answer = RULES.moves(move.position).moves[0]
    alone = Verdict("legal", LAY, move.position, LAY.to_move, "E")
    answered = replace(alone, position=answer.position, then=(move.position.to_move, answer.name))
    assert alone.conclusion != answered.conclusion
    assert alone.conclusion == replace(alone, before=OTHER, confidence=0.5).conclusion


def test_boards_that_are_told_apart_by_nothing_are_the_reason_to_be_unsure() -> None:
    """From one of them a move was made, from the other none."""
    move = next(m for m in RULES.moves(LAY).moves if m.name == "E")
    legal, unchanged = 0.94 / len(RULES.moves(LAY).moves), 0.02
    verdict = judge_from(RULES, [(LAY, unchanged), (move.position, legal)], seen(move.position.counts))
    assert (verdict.kind, verdict.doubt) == ("not-sure", Doubt.ORIGIN)
    assert judge_from(RULES, [(LAY, 1.0)], seen(move.position.counts)).doubt is NO_DOUBT


def test_how_likely_what_was_read_is_from_several_boards_counts_their_odds() -> None:
    """Beside a board from which nothing explains it, one of a tenth is a tenth as likely as that one alone."""
    move = next(m for m in RULES.moves(LAY).moves if m.name == "E")
    alone = judge_from(RULES, [(LAY, 1.0)], seen(move.position.counts))
    beside = judge_from(RULES, [(LAY, 0.1), (OTHER, 0.9)], seen(move.position.counts))
    assert beside.evidence == pytest.approx(alone.evidence - np.log(10), abs=0.05)
    assert beside.evidence - beside.else_nats == pytest.approx(alone.evidence - np.log(10), abs=0.05)


def test_what_was_laid_back_is_told_from_several_boards_too() -> None:
    move = next(m for m in RULES.moves(LAY).moves if m.name == "E")
    after, other = move.position, move.position.with_counts((move.position.counts[0] + 1, *move.position.counts[1:]))
    verdict = judge_from(RULES, [(after, 0.9), (other, 0.1)], seen(LAY.counts), history=[LAY])
    assert (verdict.kind, verdict.position) == ("withdrawn", LAY)
    assert judge_from(RULES, [(after, 0.9), (other, 0.1)], seen(LAY.counts)).kind != "withdrawn"


def test_the_boards_that_the_others_would_have_left_are_named_beside() -> None:
    """A legal move that is the same from both of two boards leaves one that holds a seed more, or none."""
    other = Position.parse("4,2,0,2,1,0,2,0/0,3,1,0,7,0,7,1 N 18-0 ply=8")
    move = next(m for m in RULES.moves(LAY).moves if m.name == "E")
    doubtful = seen(move.position.counts)
    pit = next(p for p, (a, b) in enumerate(zip(LAY.counts, other.counts, strict=True)) if a != b)
    doubtful.loglik[pit, LAY.counts[pit] + 1] = doubtful.loglik[pit, LAY.counts[pit]]
    verdict = judge_from(RULES, [(LAY, 0.6), (other, 0.4)], doubtful)
    more = tuple(n + (p == pit) for p, n in enumerate(move.position.counts))
    assert (verdict.kind, verdict.position) == ("legal", move.position)
    assert verdict.others[0][0].counts == more and verdict.others[0][1] == pytest.approx(0.4, abs=0.02)
