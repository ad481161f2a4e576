"""`make libcamera` where it cannot run, and what it makes of a game that was refereed wrongly. The run itself takes a
Debian system of its own: `tests.libcamera`."""

import sys
from pathlib import Path

import pytest

from device.journal import Journal
from device.journal.events import Blind, GameOver, VerdictGiven
from tests.libcamera import __main__ as run
from tests.libcamera import debian

MOVES = [{"kind": "illegal", "player": "S", "position": "one", "fault": "skip"},
         {"kind": "legal", "player": "N", "position": "two", "fault": None}]


def test_where_it_cannot_be_built_it_says_so_and_is_skipped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
                                                            capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["libcamera", "--root", str(tmp_path / "root")])
    monkeypatch.setattr("shutil.which", lambda _name: None)
    monkeypatch.setattr("os.geteuid", lambda: 0)
    assert run.main() == 0
    assert capsys.readouterr().out.splitlines() == [
        "SKIPPED: the real libcamera is not tried here: mmdebstrap is missing: apt-get install mmdebstrap",
        "0 passed, 0 failed, 1 skipped"]


def test_a_system_that_was_built_otherwise_is_built_anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "root.done").write_text(debian._mark())
    debian.build(tmp_path / "root")
    (tmp_path / "root.done").write_text("another")
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    with pytest.raises(debian.NotHere, match="only root"):
        debian.build(tmp_path / "root")


def test_a_command_that_fails_is_told_with_its_last_words() -> None:
    with pytest.raises(debian.NotHere, match=r"it did not go: that is why"):
        debian.call(["sh", "-c", "echo that is why >&2; exit 3"], "it did not go")
    with pytest.raises(debian.NotHere, match="more than 0 s"):
        debian.call(["sleep", "30"], "it did not go", 0.1)
    assert debian.call(["echo", "well"], "it did not go") == "well\n"


def test_every_difference_from_what_happened_is_named(tmp_path: Path) -> None:
    truth = {"moves": MOVES, "result": "20-28"}
    with Journal(tmp_path / "journal.sqlite3") as journal:
        journal.append(VerdictGiven(kind="legal", player="S", before="", position="one", sentence=""))
        journal.append(VerdictGiven(kind="legal", player="S", before="", position="three", sentence=""))
        journal.append(Blind(why="the board moved"))
        journal.append(GameOver(result="21-27", winner="N", reason=""))
    assert run.differences(truth, tmp_path / "journal.sqlite3") == [
        "move 1: kind illegal was taken for legal", "move 1: the fault skip was not named",
        "move 2: player N was taken for S", "move 2: position two was taken for three",
        "the game ended 20-28, it was said: ['21-27']", "blind: the board moved"]
