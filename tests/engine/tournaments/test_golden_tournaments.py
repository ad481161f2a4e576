"""Whole tournaments come out as they were read through: `golden_tournament.py` says how they are kept."""

from pathlib import Path

import pytest

from tests.engine.tournaments.golden_tournament import KINDS

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize("kind", KINDS)
def test_a_whole_tournament_is_as_it_was_read(kind: str) -> None:
    assert "\n".join(KINDS[kind]()) + "\n" == (GOLDEN / f"{kind}.txt").read_text("utf-8")


def test_there_is_a_file_of_each_and_no_other() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} == set(KINDS)
