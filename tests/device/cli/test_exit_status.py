"""The exit status of every command, as README has it: 0 done, 2 unusable arguments, 1 else."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from device.cli.files import progress
from tests.device.cli.test_main import inkeek, refused

LINE = "4,4,4,4,4,4,0,0/0,0,4,4,4,4,4,4 S 0-0"


@pytest.mark.parametrize("words", [
    "run --camera frob", "run --camera usb:x", "run --game chess", "run --start 1,2/3", "run --port 0", "frob",
    "read none.jpg", "prove none.jpg --position 4,4,4,4,4/4,4,4,4,4", "watch none.mp4 --game enkeshui",
    "watch . --game enkeshui --to-move S", "judge none.log", "judge .", "rules chess", "moves --game chess",
    "moves 1,2/3 --game enkeshui", "replay none.txt", "replay .", "export none", "export .", "verify none",
    "backup nowhere/all.zip", "restore none", "doctor --json", "doctor --bundle nowhere/a.tar.gz", "hall",
])
def test_arguments_that_cannot_be_used_end_with_two(words: str, tmp_path: Path,
                                                    monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    refused(inkeek(*words.split()), 2)


@pytest.mark.parametrize("words", ["backup all.zip", "backup all"])
def test_what_goes_wrong_with_good_arguments_ends_with_one(words: str, tmp_path: Path,
                                                           monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no journal yet."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    refused(inkeek(*words.split()), 1, "journal")


@pytest.mark.parametrize("words", [
    ["--version"], ["--help"], ["rules", "Omweso"], ["moves", LINE, "--game", "Enkeshui"]])
def test_what_is_done_ends_with_nought(words: list[str]) -> None:
    result = inkeek(*words)
    assert (result.returncode, result.stderr) == (0, "") and result.stdout


def test_a_shell_is_told_how_to_complete() -> None:
    """As README has it."""
    asked = os.environ | {"_INKEEK_COMPLETE": "bash_source"}
    done = subprocess.run([sys.executable, "-m", "device.cli.main"], env=asked, capture_output=True, text=True,
                          timeout=60, check=False)
    assert done.returncode == 0 and "complete -o nosort -F _inkeek_completion inkeek" in done.stdout


class Screen(io.StringIO):
    """A terminal whose width is not known."""

    def isatty(self) -> bool:
        return True


def test_a_terminal_is_told_what_is_being_done(monkeypatch: pytest.MonkeyPatch) -> None:
    for shown, due in ((True, "\r2 of 3: a.jpg\r\x1b[K"), (False, "")):
        screen = Screen()
        monkeypatch.setattr(sys, "stderr", screen)
        monkeypatch.setenv("TERM", "xterm")
        with progress("2 of 3: a.jpg", shown=shown):
            pass
        assert screen.getvalue() == due
