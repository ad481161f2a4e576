"""How boards fit what is read: what is strange, what is clear; and that the search for faults counts its work."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.board import Side
from engine.judge import COUNTS, Evidence, Fault
from engine.judge.faults import Work, again, faulty
from engine.judge.likelihood import Fit
from engine.position import Position
from engine.rules import ruleset

LINE = "4,2,0,2,1,0,2,0/0,3,1,0,6,0,7,1 S 19-0 ply=8"


def fit(read: Sequence[int], seen: NDArray[np.bool_] | None = None) -> Fit:
    """Of an eye that is all but sure of these counts."""
    loglik = np.full((len(read), COUNTS), -12.0)
    loglik[np.arange(len(read)), read] = 0.0
    return Fit(Evidence(loglik, np.ones(len(read), bool) if seen is None else seen))


def test_a_deep_heap_is_clearly_no_empty_pit_though_its_count_is_in_doubt() -> None:
    loglik = np.full((2, COUNTS), -12.0)
    loglik[0, [6, 7]] = np.log([0.45, 0.55])
    loglik[1, 3] = 0.0
    told = Fit(Evidence(loglik, np.array([True, True])))
    assert told.clear((7, 3), (0, 3)).tolist() == [True, True]
    assert told.clear((7, 3), (6, 3)).tolist() == [False, True]
    assert told.clear((7, 3), (7, 3)).tolist() == [False, True]
    assert not Fit(Evidence(loglik, np.array([False, True]))).clear((7, 3), (0, 3))[0]


def test_laps_that_are_walked_in_search_of_a_fault_are_work() -> None:
    """Else a fault that is nowhere would be looked for in every lap there is."""
    rules, before = ruleset("enkeshui"), Position.parse(LINE)
    nowhere = Fault("skip", 0, 10**6, 1)
    for pit in rules.starts(before):
        work = Work(1000)
        assert not list(faulty(rules, before, Side.SOUTH, pit, work, only=nowhere))
        assert work.left < 1000
        first = next(o for o in faulty(rules, before, Side.SOUTH, pit, Work(1000)) if o.fault.code == "palmed")
        work = Work(1000)
        assert not list(again(rules, before, Side.SOUTH, first, work, only=nowhere))
        assert work.left < 1000


def test_a_search_stops_where_its_work_is_done() -> None:
    rules, before = ruleset("enkeshui"), Position.parse(LINE)
    pit = rules.starts(before)[0]
    every = list(faulty(rules, before, Side.SOUTH, pit, Work(60_000)))
    some = list(faulty(rules, before, Side.SOUTH, pit, Work(20)))
    assert 0 < len(some) < len(every)
