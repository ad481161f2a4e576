"""The exit status of every command, as README has it: 0 done, 2 unusable arguments, 1 else."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from device.cli.files import progress
from device.cli.main import inkeek as group
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
    "run --camera none.mp4 --data new", "run --game chess --data new", "run --start 1,2/3 --data new",
    "run --hall foo --data new", "run --host 192.0.2.1 --data new", "backup new --data none", "restore . --data new"])
def test_what_is_refused_leaves_no_folder(words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    assert inkeek(*words.split()).returncode
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("words", "sentence"), [
    ("backup here.txt", "here.txt is a file: name a folder, or a file that ends in .zip"),
    ("restore .", "there is no journal in .: a data folder holds one called journal.sqlite3"),
    ("doctor --pictures", "--pictures goes with --bundle"), ("doctor --names --no-look", "--names goes with --bundle")])
def test_what_cannot_be_used_is_said_with_what_can(words: str, sentence: str, tmp_path: Path,
                                                   monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here.txt").write_text("kept")
    refused(inkeek(*words.split(), "--data", tmp_path / "home"), 2, sentence)
    assert (tmp_path / "here.txt").read_text() == "kept"


def test_each_command_shows_by_its_help_how_it_is_written() -> None:
    for name in group.commands:
        if not group.commands[name].hidden:
            assert f"inkeek {name}" in " ".join(inkeek(name, "--help").stdout.partition("Usage:")[2].split()[3:]), name


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
