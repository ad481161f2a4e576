"""The renderer draws by its sources as they are, not by machine code that numba kept of former ones."""

import os
from pathlib import Path

from vision.render import forget_stale


def test_machine_code_older_than_any_source_is_thrown_away(tmp_path: Path) -> None:
    kept = tmp_path / "__pycache__" / "tracer.trace-1.py311.nbi"
    fresh = tmp_path / "__pycache__" / "pile.settle-1.py311.nbi"
    kept.parent.mkdir()
    for path, when in ((kept, 100), (tmp_path / "tracer.py", 50), (tmp_path / "shading.py", 200), (fresh, 300)):
        path.write_text("")
        os.utime(path, (when, when))
    assert forget_stale(tmp_path) == [kept]
    assert fresh.exists() and not kept.exists()
    assert forget_stale(tmp_path) == []


def test_a_folder_without_sources_or_machine_code_is_left_alone(tmp_path: Path) -> None:
    assert forget_stale(tmp_path) == []
