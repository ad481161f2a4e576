"""The decoder works beside a camera's frames: its answers come some readings later."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

import pytest

from device.table.settling.judge_worker import JudgeAtOnce
from tests.device.played_table import begun, verdicts
from tests.device.sowing_hands import LINE, NOBODY, NORTH, SOUTH, answer, hovers, legal, sows

T = TypeVar("T")
RIM = (13,)
"""Where North's hand waits."""


class LateDecoder(JudgeAtOnce):
    """A judge whose decoder's answers are looked for so many times before they are there."""

    def __init__(self, late: int) -> None:
        super().__init__()
        self.late = late

    def submit(self, work: Callable[[], T]) -> Future[T]:
        return LateAnswer(work(), self.late)


class LateAnswer(Future[T]):
    """An answer that is said not to be there so many times."""

    def __init__(self, result: T, late: int) -> None:
        super().__init__()
        self.left = late
        self.set_result(result)

    def done(self) -> bool:
        self.left -= 1
        return self.left < 0


@pytest.mark.parametrize("name", ["b", "c", "e", "g", "h"])
@pytest.mark.parametrize("late", [1, 4])
def test_a_decoder_that_answers_some_readings_later_parts_the_moves_all_the_same(name: str, late: int) -> None:
    """What came while it worked belongs to the next move."""
    said = []
    for judge in (JudgeAtOnce(), LateDecoder(late)):
        played = begun(judge, line=LINE)
        move = legal(played, name)
        sows(played, move, SOUTH)
        hovers(played, NORTH, RIM, 0.8)
        assert [v.kind for v in verdicts(played)] == ["legal"] and played.game.position == move.position
        reply = answer(played, move)
        sows(played, reply, NORTH)
        hovers(played, NOBODY, (), 2.0)
        said.append([(v.kind, v.player, v.move) for v in verdicts(played)])
    assert said[0] == said[1] and len(said[0]) == 2
