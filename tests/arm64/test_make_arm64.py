"""`make arm64` where it cannot run, and what it makes of a program that answers otherwise there. The run itself takes a
Debian for another processor: `tests.arm64`."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.arm64 import __main__ as tries
from tests.arm64.system import System
from tests.libcamera.debian import NotHere

PIT = {"name": "a", "count": 4, "p": 0.98, "x": 10.0, "y": 20.0, "r": 5.0}
READ = {"found": True, "board": "1x1", "pits": [PIT]}


def says(status: int, out: str, err: str = "") -> Callable[..., subprocess.CompletedProcess[str]]:
    return lambda *_words: subprocess.CompletedProcess([], status, out, err)


def test_where_it_cannot_be_built_it_says_so_and_is_skipped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
                                                            capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["arm64", "--folder", str(tmp_path / "arm64")])
    monkeypatch.setattr("shutil.which", lambda _name: None)
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    assert tries.main() == 0
    assert capsys.readouterr().out.splitlines() == [
        "SKIPPED: nothing is tried under 64-bit ARM here: qemu-aarch64-static is missing: apt-get install "
        "qemu-user-static", "0 passed, 0 failed, 1 skipped"]


def test_on_such_a_machine_there_is_nothing_to_emulate(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("platform.machine", lambda: "aarch64")
    with pytest.raises(NotHere, match="is one itself"):
        System(tmp_path, tries.SOURCE).build()


def test_it_is_built_anew_for_other_pins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What is fetched is what `make install` installs."""
    pins = tmp_path / "source" / "device" / "service" / "pins.txt"
    pins.parent.mkdir(parents=True)
    pins.write_text("one")
    called: list[list[str]] = []
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    monkeypatch.setattr("shutil.which", lambda name: name)

    def call(command: list[str], said: str) -> str:
        called.append(command)
        (tmp_path / "system" / "root").mkdir(exist_ok=True)
        return ""

    monkeypatch.setattr("tests.arm64.system.call", call)
    system = System(tmp_path / "system", tmp_path / "source")
    system.build()
    system.build()
    assert len(called) == 2 and str(pins) in called[1] and "--require-hashes" in called[1]
    pins.write_text("another")
    system.build()
    assert len(called) == 4


@pytest.mark.parametrize(("changed", "said"), [
    ({}, ""),
    ({"pits": [PIT | {"p": 0.975, "x": 10.4}]}, ""),
    ({"pits": [PIT | {"count": 5}]}, "pit a reads 5 (0.98), here 4 (0.98)"),
    ({"pits": [PIT | {"p": 0.9}]}, "pit a reads 4 (0.9), here 4 (0.98)"),
    ({"pits": [PIT | {"y": 26.0}]}, "pit a lies elsewhere than it does here"),
    ({"found": False, "board": None, "pits": []}, "the board is None, here it is 1x1")])
def test_a_picture_read_otherwise_is_named(monkeypatch: pytest.MonkeyPatch, changed: dict[str, Any], said: str) -> None:
    monkeypatch.setattr(tries, "here", says(0, json.dumps(READ)))
    assert tries.read_alike(says(0, json.dumps(READ | changed)), Path("table.png")) == said


def test_a_record_replayed_otherwise_is_named(tmp_path: Path) -> None:
    game = tmp_path / "game.txt"
    tries.record(game)
    mine = tries.form(tries.here, "replay", str(game), "--json")
    assert mine["ok"] and mine["moves"] > 5
    assert tries.replayed_alike(tries.here, game) == ""
    assert "the record gives" in tries.replayed_alike(says(0, json.dumps(mine | {"moves": 1})), game)


def test_a_program_that_fails_there_is_told_with_its_last_words() -> None:
    with pytest.raises(ValueError, match=r"read: status 1: no module named cv2"):
        tries.form(says(1, "", "no module named cv2"), "read", "table.png")
    with pytest.raises(ValueError, match=r"read: status 0: words"):
        tries.form(says(0, "words"), "read", "table.png")


def test_the_doctor_may_find_something_but_must_come_to_his_end(tmp_path: Path) -> None:
    well = "ok inkeek 0.1.0, Python 3.13.5, aarch64\nok the counting network loads\n"
    assert tries.doctored(says(1, well, "Error: 1 thing to fix"), tmp_path) == ""
    assert tries.doctored(says(0, well.replace("aarch64", "x86_64")), tmp_path) == "nothing is said of: aarch64"
    assert "status 139" in tries.doctored(says(139, well), tmp_path)
    assert "status 1" in tries.doctored(says(1, well, "Traceback (most recent call last)"), tmp_path)
