"""The figures of clips that were watched."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.bench import watching
from tests.bench.watching import Watched


def test_what_was_changed_with_no_move_counts_among_all_that_happened() -> None:
    rows = dict(Watched(Counter({"legal": 3, "tampered": 1, "right": 4}), [0.2] * 4).rows("clips"))
    assert rows["clips: verdict right"].startswith("100.0 %") and rows["clips: verdict right"].endswith("n=4")


def test_clips_that_lie_there_are_counted_by_their_pace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    moves = [{"player": "S", "move": "c", "kind": "legal", "fault": None, "at": None, "t_in": 1.0, "t_out": 2.0}]
    for name, pace in (("clip_1", "fast"), ("clip_2", "normal"), ("clip_3", "fast")):
        (tmp_path / f"{name}.truth.json").write_text(json.dumps({"pace": pace, "moves": moves}))
        (tmp_path / f"{name}.mp4").touch()

    def said(clip: Path, truth: dict[str, object]) -> tuple[list[dict[str, object]], float]:
        kind = "illegal" if clip.stem == "clip_3" else "legal"
        return [{"t": 2.3, "kind": kind, "player": "S", "move": "c>", "faults": []}], 0.5

    monkeypatch.setattr(watching, "referee", said)
    lines = CliRunner().invoke(watching.main, ["--made", str(tmp_path)]).stdout.splitlines()
    right = [line for line in lines if "verdict right" in line]
    assert [line.split(": ")[-1].split()[0] for line in right] == ["100.0", "50.0"]
    assert "normal (1 tables)" in right[0] and "fast (2 tables)" in right[1]
