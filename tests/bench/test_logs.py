"""The bench's cache of logs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from device.evidence.reading_log import MAGIC
from tests.bench import logs

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
