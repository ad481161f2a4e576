"""How boards fit what is read: what is strange, what is clear; and that the search for faults counts its work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.board import Side
from engine.judge import COUNTS, Evidence, Fault
from engine.judge.faults import Work, one_fault_outcomes, second_fault_outcomes
from engine.judge.likelihood import BoardLikelihood
from engine.judge.parameters import READING
from engine.position import Position
from engine.rules import ruleset

LINE = "4,2,0,2,1,0,2,0/0,3,1,0,6,0,7,1 S 19-0 ply=8"


def likelihood(read: Sequence[int], seen: NDArray[np.bool_] | None = None) -> BoardLikelihood:
    """Of an eye that is all but sure of these counts."""
    loglik = np.full((len(read), COUNTS), -12.0)
    loglik[np.arange(len(read)), read] = 0.0
    return BoardLikelihood(Evidence(loglik, np.ones(len(read), bool) if seen is None else seen))


def test_a_deep_heap_is_clearly_no_empty_pit_though_its_count_is_in_doubt() -> None:
    loglik = np.full((2, COUNTS), -12.0)
    loglik[0, [6, 7]] = np.log([0.45, 0.55])
    loglik[1, 3] = 0.0
    found = BoardLikelihood(Evidence(loglik, np.array([True, True])))
    assert found.clearly_nearer((7, 3), (0, 3)).tolist() == [True, True]
    assert found.clearly_nearer((7, 3), (6, 3)).tolist() == [False, True]
    assert found.clearly_nearer((7, 3), (7, 3)).tolist() == [False, True]
    assert not BoardLikelihood(Evidence(loglik, np.array([False, True]))).clearly_nearer((7, 3), (0, 3))[0]


def test_other_parameters_of_misreading_are_heeded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Though what follows from them is worked out once."""
    read = (3, 5)
    before = likelihood(read).per_pit((2, 5))[0]
    often = replace(READING, misread=((25, 0.1, 0.1),))
    monkeypatch.setattr("engine.judge.likelihood.READING", often)
    assert likelihood(read).per_pit((2, 5))[0] > before + 1.0
    monkeypatch.setattr("engine.judge.likelihood.READING", READING)
    assert likelihood(read).per_pit((2, 5))[0] == before


def test_laps_that_are_walked_in_search_of_a_fault_are_work() -> None:
    """Else a fault that is nowhere would be looked for in every lap there is."""
    rules, before = ruleset("enkeshui"), Position.parse(LINE)
    nowhere = Fault("skip", 0, 10**6, 1)
    for pit in rules.starts(before):
        work = Work(1000)
        assert not list(one_fault_outcomes(rules, before, Side.SOUTH, pit, work, only=nowhere))
        assert work.left < 1000
        found = one_fault_outcomes(rules, before, Side.SOUTH, pit, Work(1000))
        first = next(o for o in found if o.fault.code == "palmed")
        work = Work(1000)
        assert not list(second_fault_outcomes(rules, before, Side.SOUTH, first, work, only=nowhere))
        assert work.left < 1000


def test_a_search_stops_where_its_work_is_done() -> None:
    rules, before = ruleset("enkeshui"), Position.parse(LINE)
    pit = rules.starts(before)[0]
    every = list(one_fault_outcomes(rules, before, Side.SOUTH, pit, Work(60_000)))
    some = list(one_fault_outcomes(rules, before, Side.SOUTH, pit, Work(20)))
    assert 0 < len(some) < len(every)
