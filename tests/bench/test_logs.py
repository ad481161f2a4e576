"""The bench's cache of logs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from device.evidence.reading_log import MAGIC
from tests.bench import logs
from tests.bench.test_watching import TWO_MOVES, lying, told

OLD = b"inkeek-log 1\nwhatever"


def test_logs_of_another_form_are_named_and_left_out(tmp_path: Path) -> None:
    (tmp_path / "sim_00001.log").write_bytes(OLD)
    result = CliRunner().invoke(logs.main, ["judge", "--folder", str(tmp_path)])
    assert result.exit_code == 0 and "sim_00001" in result.output


@pytest.mark.parametrize(("kept", "drawn"), [(OLD, True), (MAGIC, False)])
def test_a_log_of_another_form_is_made_anew(
        kept: bytes, drawn: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Drawn(Exception):
        """A clip was to be drawn."""

    def draw(_number: int, _stem: Path, _moves: int) -> dict[str, Any]:
        raise Drawn

    monkeypatch.setitem(logs.MAKINGS, "sim", draw)
    (tmp_path / "sim_00001.log").write_bytes(kept)
    if drawn:
        with pytest.raises(Drawn):
            logs.keep("sim", 1, 5, tmp_path)
    else:
        assert logs.keep("sim", 1, 5, tmp_path).read_bytes() == MAGIC


def test_the_figures_of_logs_tell_of_the_pits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def said(log: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        start = lying() if log.stem == "sim_00001" else lying(9)
        return {**TWO_MOVES, "pace": "fast"}, [told(0.2, start), told(3.3, lying(2), "legal")]

    monkeypatch.setattr(logs, "refereed", said)
    found = logs.figures([tmp_path / "sim_00001.log", tmp_path / "sim_00002.log"])
    n = found["sim", "fast"].n
    assert (n["pits"], n["pits right"], n["other starts"], n["recordings"]) == (12, 11, 1, 2)
