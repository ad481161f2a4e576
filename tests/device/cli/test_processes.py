"""What `inkeek run` says once it runs."""

from __future__ import annotations

from pathlib import Path

from device.cli.processes import Processes
from device.system.folder import DataFolder


def test_a_person_is_told_where_the_page_is_and_where_the_games_are_kept(tmp_path: Path) -> None:
    processes = Processes(DataFolder(tmp_path), "sim", "bottom", "127.0.0.1", 8123, "", "", "", {})
    assert processes.welcome == f"inkeek is at http://localhost:8123 (Ctrl-C ends it). The games are kept in {tmp_path}"
