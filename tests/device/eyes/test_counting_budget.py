"""A machine that falls behind: the hands are followed first."""

from __future__ import annotations

from pathlib import Path

import pytest

from device.eyes.counting_budget import Budget
from device.journal import Journal
from device.journal.events import VerdictGiven
from device.system.folder import DataFolder
from device.system.table_process import Loop, Wanted
from device.table.settling.judge_worker import JudgeAtOnce
from engine.rules import ruleset
from tests.device.painted import FPS, PaintedCamera, PaintedEye, Script
from tests.device.played_table import simple_judge
from vision.reading import Frame, Reading

STEP = 10**9 // FPS


class Clock:
    now = 50.0

    def __call__(self) -> float:
        return self.now


def counted(budget: Budget, clock: Clock, cost: float, frames: int = 120) -> int:
    """How many frames of so many are counted, each counting at a cost in seconds."""
    n = 0
    for number in range(1, frames + 1):
        if budget.allows(number * STEP):
            with budget.counting(number * STEP):
                clock.now += cost
            n += 1
    return n


@pytest.mark.parametrize(("cost", "share"), [(0.0, 1.0), (0.02, 1.0), (0.09, 1 / 3), (0.25, 1 / 8)])
def test_counting_takes_half_of_the_time_at_most(cost: float, share: float) -> None:
    clock = Clock()
    assert counted(Budget(clock), clock, cost) == pytest.approx(120 * share, abs=2)


def test_a_clock_that_was_set_back_stops_nothing() -> None:
    clock = Clock()
    budget = Budget(clock)
    with budget.counting(10**12):
        clock.now += 5
    assert not budget.allows(10**12 + STEP) and budget.allows(10**9)


@pytest.mark.parametrize("cost", [0.0, 0.4])
def test_a_slow_machine_counts_less_while_hands_are_in_play_and_still_gives_its_verdict(tmp_path: Path,
                                                                                       cost: float) -> None:
    clock, during = Clock(), []

    class SlowEye(PaintedEye):
        def look(self, frame: Frame, *, count: bool = True, afresh: bool = True) -> Reading:
            reading = super().look(frame, count=count, afresh=afresh)
            clock.now += cost * reading.counted
            if sum(reading.hands):
                during.append(reading.counted)
            return reading

    data, left = DataFolder(tmp_path), {"frames": 8}

    def at_end() -> None:
        left["frames"] -= 1

    camera = PaintedCamera(Script(ruleset("enkeshui", "driedger")).rest(1).move(), live=True, at_end=at_end)
    Loop(Wanted(data), lambda _game: camera, lambda: left["frames"] <= 0, SlowEye, JudgeAtOnce(simple_judge),
         budget=Budget(clock)).run()
    with Journal(data.journal, readonly=True) as journal:
        said = [event.body.kind for event in journal.read() if isinstance(event.body, VerdictGiven)]
    assert said == ["legal"]
    share = sum(during) / len(during)
    assert share > 0.3 if not cost else share < 0.2
