"""Backups of a data folder while it is being written to, and back."""

import hashlib
import os
import pwd
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner

from device.cli.keep import restore as restore_command
from device.journal import Journal, JournalError
from device.journal.backup import JOURNAL, back_up, restore
from device.journal.events import StateEntered
from tests.device.game_with_stills import GameWithStills, stills_of


@pytest.fixture
def game(tmp_path: Path) -> GameWithStills:
    return GameWithStills(tmp_path / "data")


def test_a_backup_taken_while_the_table_writes_holds_all_that_it_names(game: GameWithStills, tmp_path: Path) -> None:
    ending = threading.Event()

    def play() -> None:
        while not ending.is_set():
            game.verdict("legal")

    table = threading.Thread(target=play)
    table.start()
    counts = []
    try:
        for _ in range(5):
            copied = back_up(game.data.path, tmp_path / "backup")
            counts.append(copied.events)
            assert copied.missing == 0
            with Journal(tmp_path / "backup" / JOURNAL, readonly=True) as backup:
                assert backup.verify() is None and backup.last == copied.events
                kept = set().union(*(stills_of(event) for event in backup.read()), set())
            evidence = tmp_path / "backup" / "evidence"
            assert kept <= {path.name for path in evidence.iterdir()}
            assert all(hashlib.sha256((evidence / n).read_bytes()).hexdigest() == Path(n).stem for n in kept)
    finally:
        ending.set()
        table.join()
    assert counts == sorted(counts) and counts[-1] > 0


def test_restored_it_is_the_same_and_what_was_there_is_set_aside(game: GameWithStills, tmp_path: Path) -> None:
    events = [game.verdict("illegal") for _ in range(3)]
    back_up(game.data.path, tmp_path / "backup")
    later = game.verdict("legal")
    game.journal.close()
    for name in stills_of(events[1]):
        (game.data.evidence / name).unlink()
    copied = restore(tmp_path / "backup", game.data.path)
    assert (copied.events, copied.stills, copied.missing) == (3, 2, 0)
    with Journal(game.data.journal) as journal:
        assert journal.read() == events and journal.verify() is None
        journal.append(StateEntered(state="watching"))
    (kept,) = game.data.path.glob("journal-*.sqlite3")
    with Journal(kept, readonly=True) as before:
        assert before.read() == [*events, later] and before.verify() is None


def test_a_damaged_backup_or_journal_is_refused(game: GameWithStills, tmp_path: Path) -> None:
    for _ in range(40):
        game.verdict("legal")
    back_up(game.data.path, tmp_path / "backup")
    game.journal.checkpoint()
    game.journal.close()
    for path in (tmp_path / "backup" / JOURNAL, game.data.journal):
        data = bytearray(path.read_bytes())
        data[9000] ^= 4
        path.write_bytes(data)
    with pytest.raises(JournalError, match="damaged"):
        restore(tmp_path / "backup", game.data.path)
    with pytest.raises(JournalError, match="damaged"):
        back_up(game.data.path, tmp_path / "other")
    assert not list(game.data.path.glob("journal-*")) and not (tmp_path / "other" / JOURNAL).exists()


def test_backup_and_restore_at_the_command_line(game: GameWithStills, tmp_path: Path) -> None:
    game.verdict("legal")

    def run(*words: str) -> tuple[int, str]:
        done = subprocess.run([sys.executable, "-m", "device.cli.main", *words, "--data", str(game.data.path)],
                              capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    status, said = run("backup", str(tmp_path / "backup"))
    assert status == 0 and said.startswith("1 events and 2 further stills")
    with game.data.held():
        status, said = run("restore", str(tmp_path / "backup"))
    assert status == 1 and "another table runs" in said
    game.journal.close()
    status, said = run("restore", str(tmp_path / "backup"))
    assert status == 0 and "are back" in said
    status, said = run("backup", str(game.data.path))
    assert status == 1 and "choose another folder" in said


def test_root_does_not_restore_into_another_users_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it puts there, the services could not write to."""
    data = tmp_path / "data"
    data.mkdir()
    monkeypatch.setattr("pwd.getpwuid", lambda _uid: pwd.struct_passwd(("inkeek", "", 9, 9, "", "", "")))
    if os.getuid() == 0:
        os.chown(data, 9, -1)
    monkeypatch.setattr("os.geteuid", lambda: 0)
    (tmp_path / "backup").mkdir()
    done = CliRunner().invoke(restore_command, [str(tmp_path / "backup"), "--data", str(data)])
    assert done.exit_code == 1 and "sudo -u inkeek inkeek restore" in done.output
    assert list(data.iterdir()) == []
