"""`inkeek doctor --speed`: what it prints, and the states in which it cannot measure."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from device.cli.main import inkeek
from device.system import speed
from device.system.folder import DataFolder
from device.system.speed import Speed, SpeedError, measured

SLOW = Speed("a slow machine", 1, "opencv", 40.0, 400.0, 60.0, 8000.0, 200.0, 5000.0, 2.5, 4.0)


@pytest.fixture(autouse=True)
def once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every step is measured once."""
    monkeypatch.setattr(speed, "QUICK_RUNS", 1)
    monkeypatch.setattr(speed, "SLOW_RUNS", 1)


def doctor(*arguments: object) -> Result:
    """The command's result."""
    return CliRunner().invoke(inkeek, ["doctor", *map(str, arguments)])


def test_it_measures_every_step(tmp_path: Path) -> None:
    result = doctor("--speed", "--json", "--data", tmp_path)
    assert result.exit_code == 0
    told = json.loads(result.stdout)
    assert list(told) == ["machine", "cores", "networks", "warp_ms", "hands_ms", "dim_ms", "count_ms", "place_ms",
                          "find_ms", "pictures_per_second", "pits_per_second"]
    assert all(told[name] > 0 for name in told if name not in ("machine", "networks"))
    assert told["networks"].startswith(("ncnn", "opencv"))
    assert told["pictures_per_second"] == pytest.approx(1000 / told["hands_ms"], rel=0.02)
    assert told["pits_per_second"] == pytest.approx(32_000 / told["count_ms"], rel=0.02)
    assert told["place_ms"] < told["find_ms"], "what is remembered is to be cheaper than a search"
    assert list(tmp_path.iterdir()) == []


def test_people_are_told_what_it_means() -> None:
    lines = SLOW.table().splitlines()
    assert lines[0] == "a slow machine; 1 core; networks run by opencv"
    assert lines[2].split() == ["a", "look", "at", "the", "hands", "400.0", "ms", "10.0", "warps"]
    assert lines[-1] == ("In good light, and with nothing else to do, this machine can follow the hands in 2 pictures "
                         "a second: too few for quick hands; it counts 4 pits a second.")


def test_the_table_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "measured", lambda _folder: SLOW)
    result = doctor("--speed", "--data", tmp_path)
    assert (result.exit_code, result.stdout) == (0, SLOW.table() + "\n")


def refused(folder: DataFolder) -> str:
    """Why it cannot be measured: one sentence."""
    with pytest.raises(SpeedError) as caught:
        measured(folder)
    (sentence,) = str(caught.value).splitlines()
    return sentence


def test_beside_a_running_table_nothing_is_measured(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    folder.make()
    (folder.make_live() / "state.json").write_text("{}")
    assert refused(folder) == ("a table is running on this machine and would be measured with it: end it first, "
                                "one that is a service by 'sudo systemctl stop inkeek-table'")
    result = doctor("--speed", "--data", tmp_path)
    folder.drop_live()
    assert result.exit_code == 1 and "Error: a table is running" in result.stderr


@pytest.mark.parametrize("spoilt", [None, b"", b"no picture"])
def test_without_its_picture_nothing_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                                 spoilt: bytes | None) -> None:
    picture = tmp_path / "board.jpg"
    if spoilt is not None:
        picture.write_bytes(spoilt)
    monkeypatch.setattr(speed, "PICTURE", picture)
    assert refused(DataFolder(tmp_path)) == f"the picture {picture} cannot be read: install inkeek again"


def test_a_picture_without_a_board_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "_picture", lambda: np.full((480, 640, 3), 9, np.uint8))
    assert refused(DataFolder(tmp_path)).startswith("no board was found in ")


def test_networks_that_cannot_be_run_are_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> object:
        raise ValueError("the runtime is not here")

    monkeypatch.setattr(speed, "LiveEyes", lambda: broken)
    assert refused(DataFolder(tmp_path)) == "the runtime is not here"


@pytest.mark.parametrize(("arguments", "why"), [
    (["--json"], "--json goes with --speed"),
    (["--speed", "--bundle", "x.tar.gz"], "--speed measures and does nothing else: leave out --bundle")])
def test_options_that_do_not_go_together(arguments: list[str], why: str) -> None:
    result = doctor(*arguments)
    assert result.exit_code == 2 and why in result.stderr
