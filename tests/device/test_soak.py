"""A day's load (`tests.bench.soak`), in short."""

from __future__ import annotations

from pathlib import Path

from tests.bench.soak import soak

MOVES = 20


def test_no_verdict_is_lost_and_no_file_stays_open(tmp_path: Path) -> None:
    samples, delays, legal, _ = soak(tmp_path, MOVES, spectators=3)
    assert legal == MOVES == len(delays)
    assert [sample.move for sample in samples] == [2, 10, 20]
    first, last = samples[0], samples[-1]
    assert last.table_files <= first.table_files + 8 and last.page_files <= first.page_files + 8
    assert last.table_mb < first.table_mb + 60 and last.page_mb < first.page_mb + 60
    assert max(delays) < 1.0, "seconds of the recording"
