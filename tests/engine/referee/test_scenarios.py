"""Scenarios as data: what is observed, and the findings that must come (`tests/scenarios/referee.json`)."""

import json
from pathlib import Path
from typing import Any

import pytest

from engine.board import Side
from engine.position import Position
from engine.referee.decide import Referee
from engine.referee.finding import Finding
from engine.rules import ruleset
from tests.engine.referee.observed import ByHand

SCENARIOS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "scenarios" / "referee.json").read_text("utf-8"))
SHARE = 0.15
"""Of the board, that a hand covers."""


def findings(scenario: dict[str, Any]) -> list[Finding]:
    """What the referee finds."""
    start = Position.parse(scenario["start"])
    referee, board = Referee(ruleset(scenario["game"]), start), ByHand(start.board.pits)
    found = referee.observe(board.shows(start.counts, t=1.0), over=True)
    for t, seen in enumerate(scenario["observed"], 2):
        if "hand" in seen:
            found += referee.hand(Side.parse(seen["hand"]), 5.0 * t)
            continue
        counts = Position.parse(f"{seen['shows']} S 0-0 ply=0").counts
        names = start.board.name
        read = {start.board.pit(name): {int(n): p for n, p in odds.items()}
                for name, odds in seen.get("read", {}).items()}
        hands = SHARE * ("S" in seen["by"]), SHARE * ("N" in seen["by"])
        touched = [pit for pit in range(start.board.pits) if names(pit) in seen.get("touched", ())]
        found += referee.observe(board.shows(counts, t=5.0 * t, hands=hands, rest_s=seen.get("rest_s", 1.0), read=read,
                                             touched=touched), over=True)
    return found


def written(finding: Finding) -> dict[str, Any]:
    """A finding as scenarios write it."""
    what, name = finding.what.what, finding.what.before.board.name
    form: dict[str, Any] = {"kind": finding.kind}
    if finding.kind in ("legal", "illegal"):
        form |= {"player": what.player.letter if what.player is not None else None, "move": (what.move or "")[:1]}
    if finding.kind == "illegal":
        form["fault"] = " ".join((what.faults[0].code, name(what.faults[0].pit or 0)))
    if finding.instead_of is not None:
        form["instead_of"] = finding.instead_of
    if finding.replaces is not None:
        form["replaces"] = finding.replaces
    return form


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[one["name"] for one in SCENARIOS])
def test_finds_what_was_played(scenario: dict[str, Any]) -> None:
    """The findings are those of the scenario, in order."""
    assert [written(f) for f in findings(scenario)] == scenario["findings"]
