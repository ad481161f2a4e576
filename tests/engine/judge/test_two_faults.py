"""Two faults in one move are named both, where the board cannot have come about otherwise; see `test_judge` for how
moves are played by hand."""

from __future__ import annotations

import pytest

from engine.explain import sentence
from engine.judge import judge
from engine.position import Position
from engine.rules import ruleset
from engine.trace import apply
from tests.engine.judge.by_hand import MIDDLE, SOUTHS, by_hand, misread, seen

LATE = "0,1,4,0,6,0,2,1/5,0,0,4,0,1,0,3 S 12-9 ply=17"
DODOI = "0,1,2,0,1,3/2,1,0,3,1,0 S 17-17 ply=8"
TWICE = [
    ("enkeshui", LATE, "^d ~-1 e f g xgF", [("palmed", "d", 1), ("false-capture", "F", 1)]),
    ("endodoi", DODOI, "^d e f B ^B C D ^D E F F ^F a b ^b c d xdC", [("skip", "A", 1), ("double", "F", 3)]),
]


@pytest.mark.parametrize(("game", "line", "play", "faults"), TWICE, ids=["+".join(f[0] for f in t[3]) for t in TWICE])
def test_two_faults_in_one_move_are_named_both(
    game: str, line: str, play: str, faults: list[tuple[str, str, int]]
) -> None:
    before, after = Position.parse(line), by_hand(line, play)
    v = judge(ruleset(game), before, seen(after.counts, SOUTHS))
    name = before.board.name
    assert v.kind == "illegal", v.best
    assert [(f.code, name(f.pit or 0), f.lap) for f in v.faults] == faults
    assert v.position.counts == after.counts and v.position.total == before.total
    assert apply(before, v.trace, v.player).counts == after.counts
    assert sentence(v).count(" Also, ") == 1
    assert v.confidence >= 0.99 and v.margin > 9


@pytest.mark.parametrize(("one", "two"), [(1, -1), (1, 1), (-1, -1)])
@pytest.mark.parametrize("pits", ["aC", "bh", "gD", "eF", "AG"])
def test_two_misread_pits_are_not_two_faults(pits: str, one: int, two: int) -> None:
    before, rules = Position.parse(MIDDLE), ruleset("enkeshui")
    after = rules.play(before, "e").position
    evidence = seen(after.counts, SOUTHS)
    for name, by in zip(pits, (one, two), strict=True):
        pit = before.board.pit(name)
        misread(evidence, pit, max(0, after.counts[pit] + by), 0.999)
    assert judge(rules, before, evidence).kind in ("legal", "not-sure")


def test_the_search_for_a_second_fault_ends_at_its_bound() -> None:
    before, after = Position.parse(LATE), by_hand(LATE, TWICE[0][2])
    assert judge(ruleset("enkeshui"), before, seen(after.counts, SOUTHS), work=0).kind == "not-sure"
