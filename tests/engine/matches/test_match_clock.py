"""The clock of a turn, point by point (engine/games/omweso.md, "Clocks"). Times are nanoseconds; seconds here."""

from dataclasses import replace

import pytest

from engine.board import Side
from engine.matches.clock import ClockRules, Late, TimedTurn
from engine.rules import ruleset

CLOCK = ClockRules.of(ruleset("omweso"))
BEGIN_LATE, MOVE_LATE = "begin_seconds", "move_seconds"


def s_(seconds: float) -> int:
    return round(seconds * 1_000_000_000)


DUE = TimedTurn(Side.SOUTH, s_(100))


@pytest.mark.parametrize(("after", "late"), [(0.0, False), (3.0, False), (3.1, True)])
def test_three_seconds_to_begin_a_turn(after: float, late: bool) -> None:
    found = replace(DUE, begun=s_(100 + after)).late(CLOCK, s_(104))
    assert found == ((Late(BEGIN_LATE, s_(3), s_(after)),) if late else ())


def test_a_turn_not_begun_is_late_by_the_time_that_is_told() -> None:
    assert DUE.late(CLOCK, s_(103)) == ()
    assert [str(late) for late in DUE.late(CLOCK, s_(104.2))] == ["started after 4.2 s; the limit is 3 s"]


def test_the_seconds_do_not_run_before_the_turn_is_known_to_be_due() -> None:
    assert TimedTurn(Side.SOUTH, begun=s_(500)).late(CLOCK, s_(501)) == ()


@pytest.mark.parametrize(("took", "late"), [(180.0, False), (180.5, True)])
def test_three_minutes_for_a_move(took: float, late: bool) -> None:
    found = replace(DUE, begun=s_(101)).late(CLOCK, s_(101 + took))
    assert [one.field for one in found] == [MOVE_LATE] * late


@pytest.mark.parametrize(("turn", "now", "why"), [
    (DUE, 103.5, None), (DUE, 102, "South's turn is 2 s old, begin_seconds is 3"),
    (replace(DUE, begun=s_(105)), 106, "South's turn has begun"),
    (TimedTurn(Side.SOUTH), 110, "South's turn is not known to be due")])
def test_when_the_other_player_may_steal_the_turn(turn: TimedTurn, now: float, why: str | None) -> None:
    assert turn.not_to_steal(CLOCK, s_(now)) == why


def test_the_limits_are_fields_of_the_rules() -> None:
    clock = ClockRules.of(ruleset("omweso", None, {"begin_seconds": "10", "move_seconds": "60"}))
    assert clock == ClockRules(True, 10, 60)
    assert DUE.late(clock, s_(110)) == () and DUE.late(clock, s_(111)) == (Late(BEGIN_LATE, s_(10), s_(11)),)


@pytest.mark.parametrize("rules", [ruleset("enkeshui"), ruleset("omweso", None, {"clocks": "false"})])
def test_without_clocks_nothing_is_late_and_nothing_stolen(rules: object) -> None:
    clock = ClockRules.of(rules)  # type: ignore[arg-type]  # one of several classes of rules
    assert DUE.late(clock, s_(1000)) == ()
    assert DUE.not_to_steal(clock, s_(1000)) == "South's turn is not timed (field clocks)"
