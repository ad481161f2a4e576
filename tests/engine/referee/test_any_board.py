"""On any board of any game, however it is read, the judge comes to a verdict, in bounded work and memory."""

from __future__ import annotations

import random
import tracemalloc

import numpy as np
import pytest

from engine.judge import judge, search
from engine.judge.faults import Outcome, Work
from engine.judge.hypotheses import Hypotheses
from engine.judge.likelihood import BoardLikelihood
from engine.position import Position
from engine.rules import Rules, ruleset
from tests.bench.judge_bench import anything
from tests.engine.judge.by_hand import MIDDLE, SOUTHS, by_hand, seen

MOST_MB = 200


@pytest.mark.parametrize("seed", range(8))
def test_any_board_gets_a_verdict_that_fits_together(seed: int) -> None:
    rules, position, evidence = anything(random.Random(seed))
    v = judge(rules, position, evidence)
    assert 0 <= v.confidence <= 1 + 1e-9 and np.isfinite(v.margin)
    assert (v.kind == "illegal") == bool(v.faults) or v.kind == "tampered"
    assert v.kind != "not-sure" or v.position == position
    assert sum(e.p for e in v.best) <= 1 + 1e-9


def test_no_board_takes_more_memory_than_there_is() -> None:
    """The longest timeline, on the board with the most seeds in play."""
    cases = (anything(random.Random(seed)) for seed in range(1000))
    rules, position, evidence = next(c for c in cases if c[0].game == "omweso" and sum(c[1].counts) > 50
                                     and c[2].during is not None and len(c[2].during.seen) == 128)
    tracemalloc.start()
    judge(rules, position, evidence)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < MOST_MB * 1e6


def test_a_plain_legal_move_is_judged_without_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, before = ruleset("enkeshui"), Position.parse(MIDDLE)

    def never(*_: object) -> list[search.Hypothesis]:
        raise AssertionError("searched")

    monkeypatch.setattr(search, "faulty_moves", never)
    monkeypatch.setattr(search, "answered_moves", never)
    for move in rules.moves(before).moves:
        v = judge(rules, before, seen(move.position.counts, SOUTHS, 0.9999))
        assert (v.kind, v.position, v.searched) == ("legal", move.position, "none")


def test_faults_are_looked_for_once_in_a_position(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, before = ruleset("enkeshui"), Position.parse(MIDDLE)
    searches: list[Position] = []
    illegal = search.faulty_moves

    def counted(rules: Rules, before: Position, work: Work) -> list[search.Hypothesis]:
        searches.append(before)
        return illegal(rules, before, work)

    monkeypatch.setattr(search, "faulty_moves", counted)
    wrong = [by_hand(MIDDLE, play).counts for play in ("^e f h A B C D ^D E F", "^e d c b a H G ^G H a b ^b c d e f g")]
    said = [judge(rules, before, seen(counts, SOUTHS)) for counts in (*wrong, wrong[0])]
    assert searches == [before]
    assert said[0] == said[2] != said[1]
    assert {v.searched for v in said} == {"all"}
    judge(rules, Position.parse(MIDDLE.replace("19-0", "18-1")), seen(wrong[0], SOUTHS))
    assert len(searches) == 2
    assert judge(rules, before, seen(wrong[0], SOUTHS), work=300).searched == "cut"


def test_ways_but_for_some_boards_are_the_rest_in_order() -> None:
    rules, before = ruleset("enkeshui"), Position.parse(MIDDLE)
    ways = Hypotheses.of(search.faulty_moves(rules, before, Work(60_000)), 16)
    gone = {c.counts for c in ways.listed[5:200:13]}
    left = ways.without(gone)
    assert left.listed == [c for c in ways.listed if c.counts not in gone]
    assert [tuple(row) for row in left.boards.tolist()] == [c.counts for c in left.listed]
    assert left.log_priors.tolist() == [c.log_prior for c in left.listed]
    both = left + Hypotheses.of(search.legal_moves(rules, before), 16)
    assert both.accusing.tolist() == [c.accuses for c in both.listed]
    assert ways.without([before.counts[::-1]]) is ways


def test_seeds_that_strayed_when_all_was_done_are_in_the_outcome_and_not_in_the_move() -> None:
    rules, before = ruleset("enkeshui"), Position.parse(MIDDLE)
    strayed = [c for c in search.faulty_moves(rules, before, Work(60_000)) if c.outcome is not None and c.outcome.stray]
    assert len(strayed) > 100
    for c in strayed[::37]:
        outcome = c.outcome
        assert isinstance(outcome, Outcome) and outcome.stray is not None
        pit, n = outcome.stray
        assert tuple(outcome.final_sowing.counts) == outcome.counts == c.counts
        assert c.counts[pit] - outcome.sowing.counts[pit] == n
        assert sum(c.counts) == sum(outcome.sowing.counts) + n
        assert c.position_after(before).total == before.total


def test_what_lies_far_from_the_reading_is_not_looked_at_as_tampered() -> None:
    before = Position.parse(MIDDLE)
    counts = list(before.counts)
    counts[1], counts[14] = 5, 0
    found = search.tampered_boards(before, BoardLikelihood(seen(tuple(counts))))
    assert tuple(counts) in {c.counts for c in found}
    blind = BoardLikelihood(seen(tuple(counts), sure=1 / 26))
    every = search.tampered_boards(before, blind)
    assert len(every) > len(found)
    assert sum(np.exp(c.log_prior) for c in every) == pytest.approx(0.0005, rel=1e-6)
