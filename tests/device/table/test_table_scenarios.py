"""Scenarios as data: what the table sees at a game, and what it must say (`tests/scenarios/table.json`).

A step is a stretch of frames: `s` seconds, `hands` of "S" and "N" over the board ("s", "n": at its edge), and what the
board `shows` from then on; `move` is a hand of that side that lays the board so and leaves for `s` seconds; `order` is
an order of people's. `doubt` makes pits read as if they rather held these counts, until the next step.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from device.journal.events import GameStarted, LetStand, VerdictGiven, Withdraw
from engine.board import Side
from engine.position import Position
from tests.device.played_table import Played, begun

SCENARIOS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "scenarios" / "table.json").read_text("utf-8"))
SHARE, AT_EDGE = 0.08, 0.012
"""Of the board, that a hand covers, and that one at its edge covers."""
LEAN = 5.5
"""Nats by which a pit of `doubt` reads as the other count."""


def played(scenario: dict[str, Any]) -> Played:
    """A table that has seen all steps."""
    table = begun(scenario["start"])
    for step in scenario["steps"]:
        counts = Position.parse(f"{step['shows']} S 0-0 ply=0").counts if "shows" in step else tuple(table.counts)
        table.doubt = {table.game.playing[1].board.pit(pit): n for pit, n in step.get("doubt", {}).items()}
        table.lean = LEAN
        if "order" in step:
            last = next(e.number for e in reversed(table.events) if isinstance(e.body, VerdictGiven))
            table.order({"withdraw": Withdraw, "let-stand": LetStand}[step["order"]](verdict=last))
        elif "move" in step:
            table.move(counts, Side.parse(step["move"]), seconds=1.0, pause=step["s"])
        else:
            table.counts = list(counts)
            hands = step.get("hands", "")
            table.frames(step["s"], (_share("S", hands), _share("N", hands)))
    return table


def _share(side: str, hands: str) -> float:
    return SHARE if side in hands else AT_EDGE if side.lower() in hands else 0.0


def written(table: Played) -> list[str]:
    """What was said, a word list each: kind, player, move, first fault, and which verdict it answers, from 0."""
    numbers, said = list[int](), list[str]()
    for event in table.events:
        if isinstance(event.body, VerdictGiven):
            verdict = event.body
            faults = [f"{f.code}-{f.pit}" for f in verdict.faults[:1]]
            answers = verdict.instead_of or verdict.answers
            words = [verdict.kind, verdict.player, verdict.move, *faults,
                     *([f"answers={numbers.index(answers)}"] if answers else [])]
            said.append(" ".join(filter(None, words)))
            numbers.append(event.number)
        elif isinstance(event.body, GameStarted) and numbers:
            said.append("new game")
    return said


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[one["name"] for one in SCENARIOS])
def test_says_what_was_played(scenario: dict[str, Any]) -> None:
    """All that is said, in order, and nothing else."""
    assert written(played(scenario)) == scenario["said"]
