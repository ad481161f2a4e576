"""What a film shows at which time."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from web.sharing.film import phase_at
from web.sharing.rings import Phase
from web.sharing.told import SharedVerdict

TOLD = SharedVerdict(kind="illegal", stamp="Illegal", sentence="", headings=("", "", ""), move="", at=datetime.now(UTC),
                     hands_in=10.0, hands_out=12.0, t=12.6, shape=(), before=None, there=None, due=None, marks=(),
                     labels=(), place=None, place_was=None, teams=("", ""), ruled=(), odds=(), table="")


@pytest.mark.parametrize(("t", "phase"), [(9.5, Phase.BEFORE), (10.0, Phase.HANDS), (12.0, Phase.HANDS),
                                          (12.3, Phase.AFTER)])
def test_counts_are_shown_before_the_hands_and_after_them(t: float, phase: Phase) -> None:
    assert phase_at(TOLD, t) is phase


def test_where_no_hand_was_seen_no_counts_are_claimed() -> None:
    unseen = replace(TOLD, hands_in=12.2, hands_out=12.2)
    assert {phase_at(unseen, t) for t in (6.7, 9.0, 12.5)} == {Phase.HANDS}


def test_no_counts_are_claimed_between_a_gap_and_the_hands() -> None:
    assert [phase_at(TOLD, t, 7.0) for t in (7.0, 9.5, 12.3)] == [Phase.BEFORE, Phase.HANDS, Phase.AFTER]
