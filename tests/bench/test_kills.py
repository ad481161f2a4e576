"""kill -9 of the table's and the page's writers: `tests.bench.kills` in short."""

import random
from pathlib import Path

from tests.bench.kills import Kills

ROUNDS = 12


def test_nothing_acknowledged_is_lost_by_a_kill(tmp_path: Path) -> None:
    kills = Kills(tmp_path, random.Random(7))
    for _ in range(ROUNDS):
        kills.round()
    assert kills.wrong == {} and kills.events > ROUNDS
