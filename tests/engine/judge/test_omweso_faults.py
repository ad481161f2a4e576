"""Omweso's own faults: captures that are sown on, left lying or taken with no right."""

from __future__ import annotations

import pytest

from engine.drawing import steps
from engine.explain import sentence
from engine.judge import judge
from engine.judge.faults import Work, one_fault_outcomes, second_fault_outcomes
from engine.position import Position
from engine.rules import ruleset
from engine.trace import apply
from tests.engine.judge.by_hand import NORTHS, SOUTHS, by_hand, seen

DUE = "4,1,3,3,3,0,2,3/5,3,3,1,5,5,0,5/0,0,1,0,2,1,0,0/0,3,4,0,5,1,0,1 S 0-0 ply=16 caps=2-2"
"""South's e ends in c: F and N have to be taken and sown on from e."""
FREE = "6,6,0,0,5,5,5,0/2,2,1,0,0,0,0,0/0,0,0,1,1,1,2,2/4,4,4,4,4,0,5,0 S 0-0 ply=4"
"""South's h ends in f: K alone is occupied across, so f has to be sown on."""
EMPTY = "6,6,0,0,5,5,5,0/2,2,1,0,0,0,0,0/0,0,0,1,1,0,2,2/4,4,4,4,5,0,5,0 S 0-0 ply=4"
"""The same with f empty: there the move ends."""
TWICE = "1,5,1,5,0,5,5,0/2,0,3,3,0,1,1,1/0,1,1,1,0,3,4,4/0,0,6,0,1,0,2,8 N 0-0 ply=5 caps=1-1"
"""North's H captures c and k, and sown on their seeds end in A, where h and p have to be taken."""

FAULTS = [
    ("short-capture", "F", 6, DUE, "^e d c", "should have captured six more seeds at F"),
    ("short-capture", "F", 6, DUE, "^e d c ^c b a", "should have captured six more seeds at F"),
    ("short-capture", "F", 3, DUE, "^e d c +N d c b", "should have captured three more seeds at F"),
    ("short-capture", "N", 3, DUE, "^e d c +F d c b", "should have captured three more seeds at N"),
    ("false-capture", "K", 5, FREE, "^h g f +K g f e d c", "took five seeds from K"),
    ("false-capture", "K", 5, EMPTY, "^h g f +K g f e d c", "took five seeds from K"),
    ("short-capture", "h", 4, TWICE, "^H G F +ck G F E D C B A +p G F E D C B A I",
     "should have captured four more seeds at h"),
    ("stopped-short", "f", 0, FREE, "^h g f", "stopped in f after lap 1; it held seeds"),
]


@pytest.mark.parametrize(("code", "pit", "n", "line", "play", "words"), FAULTS, ids=[f[4] for f in FAULTS])
def test_what_was_made_of_a_capture_that_is_sown_on_is_named(
    code: str, pit: str, n: int, line: str, play: str, words: str
) -> None:
    before, after = Position.parse(line), by_hand(line, play)
    v = judge(ruleset("omweso"), before, seen(after.counts, NORTHS if line is TWICE else SOUTHS))
    assert v.kind == "illegal", v.best
    (fault,) = v.faults
    assert (fault.code, before.board.name(fault.pit or 0), fault.lap, fault.n) == (code, pit, play.count("+ck") + 1, n)
    assert v.position.counts == after.counts == apply(before, v.trace, v.player).counts
    assert words in sentence(v)
    (wrong,) = [step for step in steps(before.board, v.trace, v.faults) if step.wrong]
    taken = [token for token in play.split() if token[0] in "^+"]
    assert wrong.kind == ("end" if len(taken) == 1 else "capture" if taken[-1][0] == "+" else "lift")
    assert wrong.lap == fault.lap + (wrong.kind == "lift")


def test_a_second_fault_is_found_after_each_of_them() -> None:
    """And is played on from by the rules."""
    rules, before = ruleset("omweso"), Position.parse(DUE)
    first = [one for one in one_fault_outcomes(rules, before, before.to_move, before.board.pit("e"), Work(3000))
             if one.fault.code == "short-capture" and one.sowing.laps == 2]
    assert {one.fault.n for one in first} == {1, 2, 3, 6}, "both pits that were not taken, one, or some seeds of one"
    for one in first:
        late = [o for o in second_fault_outcomes(rules, before, before.to_move, one, Work(3000)) if o.fault.lap == 2]
        assert {"skip", "double"} <= {o.fault.code for o in late}, one.fault


def test_seeds_won_by_a_lap_of_which_one_was_palmed_leave_that_one_missing() -> None:
    """What is done wrong at the end of a lap that was spoiled is done on the board as it was spoiled."""
    rules, due = ruleset("omweso"), Position.parse(DUE)
    pit = due.board.pit("e")
    before = due.with_counts(tuple(n + (p == pit) for p, n in enumerate(due.counts)))
    first = [one for one in one_fault_outcomes(rules, before, before.to_move, pit, Work(3000))
             if one.fault.code == "palmed" and one.fault.lap == one.fault.n == 1]
    assert first
    late = [o for o in second_fault_outcomes(rules, before, before.to_move, first[0], Work(3000))
            if o.fault.code in ("kept", "short-capture") and o.fault.lap == 1]
    assert {o.fault.code for o in late} == {"kept", "short-capture"}
    for o in late:
        kept = o.sowing.captured - o.sowing.resown
        assert sum(o.counts) + kept == sum(before.counts) - 1, o.fault
