"""The hand watch on recordings of real hands, where they are at hand."""

import json
from pathlib import Path

import pytest

from tests.bench import real_hands


def test_recordings_that_are_missing_are_said_to_be(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("INKEEK_HANDS", str(tmp_path))
    (row,) = real_hands.rows()
    assert row.value.startswith("missing") and str(tmp_path) in row.value and "INKEEK_HANDS" in row.value
    (tmp_path / "videos.json").write_text(json.dumps([{"file": "away.avi"}]))
    assert [(row.basis, row.value) for row in real_hands.rows()] == [("away.avi", "missing: not there")]


@pytest.mark.parametrize("first", [0, 1])
def test_a_chess_boards_hands_are_seen_and_its_calm_end_is_clear(first: int) -> None:
    """Its first picture is broken."""
    folder = Path(__file__).parents[4] / "shared" / "real-hands"
    if not (folder / "scholarsmate.avi").exists():
        pytest.skip("the hand watch on real hands (scholarsmate.avi and videos.json in ../shared/real-hands)")
    videos = json.loads((folder / "videos.json").read_text())
    video = next(one for one in videos if one["file"] == "scholarsmate.avi")
    called = real_hands.watched(folder / video["file"], video, 4, 8, first)
    assert (called.hand["hand"], called.frames["hand"]) == (185, 185)
    assert sum(called.last_clear[-real_hands.CALM:]) == 0 and called.hand["clear"] <= 60
