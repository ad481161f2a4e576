"""The scenarios as clips: the hands' acts lead from one board to the next, and verdicts are compared with them."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from tests.bench.othermaking import begun
from tests.bench.scenarios import EARLY_S, REST_S, SCENARIOS, Stage, outcome


def staged(name: str, draw: int) -> Stage:
    """Return a scenario as it is played, without its film."""
    rules, start, pace, rng = begun(np.random.default_rng((7, draw)), draw)
    stage = Stage(rules, start, pace, 0.8, rng, 2.0, [])
    SCENARIOS[name][1](stage)
    return stage


@pytest.mark.parametrize("name", SCENARIOS)
@pytest.mark.parametrize("draw", range(3))
def test_what_the_hands_do_leads_from_each_board_to_the_next(name: str, draw: int) -> None:
    for made in staged(name, draw).done:
        counts = list(made.turn.before.counts)
        for act in made.turn.acts:
            counts[act.pit] += act.change
        assert tuple(counts) == made.turn.after.counts
        assert list(made.changes) == sorted(made.changes), "seeds go one after the other"


def test_hands_overlap_rest_and_leave_as_their_scenarios_say() -> None:
    for one, later in (pair for draw in range(20) for pair in pairwise(staged("early", draw).done)):
        assert EARLY_S[0] - 0.02 < one.t_out - later.t_in < EARLY_S[1] + 0.02
        assert one.changes[-1][0] < later.changes[0][0], "it takes nothing up before all is sown"
    resting = staged("rests", 1).done
    assert max(b.t - a.t for v in resting for a, b in pairwise(v.keys)) == pytest.approx(REST_S)
    back, first = staged("taken-back", 0).done[1], staged("taken-back", 0).done[0]
    assert back.turn.after == first.turn.before and back.turn.before == first.turn.after


def said(**values: Any) -> dict[str, Any]:
    """Return a verdict."""
    return {"event": "verdict", "kind": "legal", "player": "S", "move": "c", "t": 3.0, "hands_in": 1.0} | values


def test_a_verdict_is_right_where_it_says_what_happened_and_accuses_where_nobody_did_wrong() -> None:
    legal = {"kind": "legal", "player": "S", "move": "c", "t_in": 1.0, "t_out": 2.5, "fault": None, "at": None}
    twice = legal | {"kind": "illegal", "fault": "double-move", "at": "d"}
    turned_on = said(kind="illegal", faults=[{"code": "double-move", "pit": "d"}])
    skipped = said(kind="illegal", faults=[{"code": "skip", "pit": "d"}])

    def came(move: dict[str, Any], *verdicts: dict[str, Any]) -> tuple[int, int]:
        found = outcome("early", 1, [move], list(verdicts))
        return found.right, found.accused

    assert came(legal, said()) == (1, 0) and came(legal, said(move="d")) == (0, 0) and came(legal) == (0, 0)
    assert came(legal, skipped) == (0, 1) and came(legal, skipped, said(t=3.5)) == (1, 1), "taken back, but said"
    assert came(twice, turned_on) == (1, 0) and came(twice, skipped) == (0, 1) and came(twice, said()) == (0, 0)
    assert came(legal | {"kind": "withdrawn", "move": None}, said(kind="withdrawn")) == (1, 0)
