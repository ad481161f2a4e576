"""The evidence's quota, and backups of a folder while it is being written to."""

from __future__ import annotations

import hashlib
import os
import pwd
import subprocess
import sys
import threading
from pathlib import Path
from typing import cast

import pytest
from click.testing import CliRunner

from device.cli.keep import restore as restore_command
from device.evidence.quota import EVERY, ORPHAN_S, Quota
from device.journal import Journal, JournalError
from device.journal.backup import JOURNAL, back_up, is_itself, restore
from device.journal.events import Event, EvidenceDropped, StateEntered, VerdictGiven, VerdictKind
from device.journal.seal import write_lasting
from device.system.folder import DataFolder


class Stage:
    """A data folder with a game: stills of 1,000 bytes each."""

    def __init__(self, path: Path) -> None:
        self.data = DataFolder(path)
        self.data.make()
        self.journal = Journal(self.data.journal)
        self.count = 0

    def still(self) -> str:
        self.count += 1
        data = f"{self.count:04d}".encode() * 250
        name = hashlib.sha256(data).hexdigest() + ".jpg"
        write_lasting(self.data.evidence / name, data)
        return name

    def verdict(self, kind: str, before: str = "", answers: int = 0) -> Event:
        body = VerdictGiven(kind=cast(VerdictKind, kind), player="S", before="", position="", sentence="",
                            still_before=before or self.still(), still_after=self.still(), answers=answers)
        return self.journal.append(body)

    def there(self) -> set[str]:
        return {path.name for path in self.data.evidence.iterdir()}


def names(event: Event) -> set[str]:
    assert isinstance(event.body, VerdictGiven)
    return {event.body.still_before, event.body.still_after}


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path / "data")


def test_the_oldest_stills_of_legal_moves_go_and_never_a_fouls(stage: Stage) -> None:
    events = [stage.verdict(kind) for kind in ("legal", "illegal", "legal", "not-sure", "withdrawn", "legal", "legal")]
    quota = Quota(stage.data.evidence, 11_000, least_free=0)
    quota.note(events)
    dropped = quota.tend()
    assert dropped == EvidenceDropped(files=5, bytes=5_000), "down to nine tenths of what may be"
    gone = set().union(*(names(e) for e in events)) - stage.there()
    assert names(events[0]) | names(events[2]) < gone < names(events[0]) | names(events[2]) | names(events[5])
    assert quota.tend() is None
    tight = Quota(stage.data.evidence, 1_000, least_free=0)
    tight.note(events)
    assert tight.tend() == EvidenceDropped(files=3, bytes=3_000)
    assert stage.there() == names(events[1]) | names(events[3]) | names(events[4])
    assert tight.tend() is None, "a foul's evidence stays, whatever the quota says"


def test_a_still_that_a_foul_shares_with_a_legal_move_stays(stage: Stage) -> None:
    legal = stage.verdict("legal")
    assert isinstance(legal.body, VerdictGiven)
    foul = stage.verdict("illegal", before=legal.body.still_after)
    quota = Quota(stage.data.evidence, 100, least_free=0)
    quota.note([legal, foul])
    quota.tend()
    assert stage.there() == names(foul)


def test_a_legal_move_that_was_judged_otherwise_afterwards_keeps_its_stills(stage: Stage) -> None:
    first = stage.verdict("legal")
    again = stage.verdict("illegal", answers=first.number)
    quota = Quota(stage.data.evidence, 100, least_free=0)
    quota.note([first, again])
    assert quota.tend() is None and stage.there() == names(first) | names(again)


def test_files_that_no_event_names_go_first_but_not_at_once(stage: Stage) -> None:
    legal, fresh, old = stage.verdict("legal"), stage.still(), stage.still()
    long_ago = (stage.data.evidence / old).stat().st_mtime - ORPHAN_S - 9
    os.utime(stage.data.evidence / old, (long_ago, long_ago))
    quota = Quota(stage.data.evidence, 3_500, least_free=0)
    quota.note([legal])
    assert quota.tend() == EvidenceDropped(files=1, bytes=1_000)
    assert stage.there() == names(legal) | {fresh}


def test_a_disk_that_gets_full_is_made_room_on(stage: Stage) -> None:
    events = [stage.verdict("legal") for _ in range(3)]
    quota = Quota(stage.data.evidence, 1 << 40, least_free=1 << 60)
    quota.note(events)
    assert quota.tend() == EvidenceDropped(files=6, bytes=6_000)


def test_it_is_looked_through_now_and_then(stage: Stage) -> None:
    quota = Quota(stage.data.evidence, 10_000, least_free=0)
    assert quota.due
    quota.tend()
    quota.note([stage.verdict("legal") for _ in range(EVERY - 1)])
    quota.note([stage.journal.append(StateEntered(state="watching"))])
    assert not quota.due
    quota.note([stage.verdict("legal")])
    assert quota.due


# ---- backup

def test_a_backup_taken_while_the_table_writes_holds_all_that_it_names(stage: Stage, tmp_path: Path) -> None:
    ending = threading.Event()

    def play() -> None:
        while not ending.is_set():
            stage.verdict("legal")

    table = threading.Thread(target=play)
    table.start()
    counts = []
    try:
        for _ in range(5):
            copied = back_up(stage.data.path, tmp_path / "backup")
            counts.append(copied.events)
            assert copied.missing == 0
            with Journal(tmp_path / "backup" / JOURNAL, readonly=True) as backup:
                assert backup.verify() is None and backup.last == copied.events
                kept = set().union(*(names(event) for event in backup.read()), set())
            evidence = tmp_path / "backup" / "evidence"
            assert kept <= {path.name for path in evidence.iterdir()} and all(is_itself(evidence / n) for n in kept)
    finally:
        ending.set()
        table.join()
    assert counts == sorted(counts) and counts[-1] > 0


def test_restored_it_is_the_same_and_what_was_there_is_set_aside(stage: Stage, tmp_path: Path) -> None:
    events = [stage.verdict("illegal") for _ in range(3)]
    back_up(stage.data.path, tmp_path / "backup")
    later = stage.verdict("legal")
    stage.journal.close()
    for name in names(events[1]):
        (stage.data.evidence / name).unlink()
    copied = restore(tmp_path / "backup", stage.data.path)
    assert (copied.events, copied.stills, copied.missing) == (3, 2, 0)
    with Journal(stage.data.journal) as journal:
        assert journal.read() == events and journal.verify() is None
        journal.append(StateEntered(state="watching"))
    (kept,) = stage.data.path.glob("journal-*.sqlite3")
    with Journal(kept, readonly=True) as before:
        assert before.read() == [*events, later] and before.verify() is None


def test_a_damaged_backup_or_journal_is_refused(stage: Stage, tmp_path: Path) -> None:
    for _ in range(40):
        stage.verdict("legal")
    back_up(stage.data.path, tmp_path / "backup")
    stage.journal.fold()
    stage.journal.close()
    for path in (tmp_path / "backup" / JOURNAL, stage.data.journal):
        data = bytearray(path.read_bytes())
        data[9000] ^= 4
        path.write_bytes(data)
    with pytest.raises(JournalError, match="damaged"):
        restore(tmp_path / "backup", stage.data.path)
    with pytest.raises(JournalError, match="damaged"):
        back_up(stage.data.path, tmp_path / "other")
    assert not list(stage.data.path.glob("journal-*")) and not (tmp_path / "other" / JOURNAL).exists()


def test_backup_and_restore_at_the_command_line(stage: Stage, tmp_path: Path) -> None:
    stage.verdict("legal")

    def run(*words: str) -> tuple[int, str]:
        done = subprocess.run([sys.executable, "-m", "device.cli.main", *words, "--data", str(stage.data.path)],
                              capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    status, said = run("backup", str(tmp_path / "backup"))
    assert status == 0 and said.startswith("1 events and 2 further stills")
    with stage.data.held():
        status, said = run("restore", str(tmp_path / "backup"))
    assert status == 1 and "another table runs" in said
    stage.journal.close()
    status, said = run("restore", str(tmp_path / "backup"))
    assert status == 0 and "are back" in said
    status, said = run("backup", str(stage.data.path))
    assert status == 1 and "choose another folder" in said


def test_root_does_not_restore_into_another_users_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it puts there, the services could not write to."""
    data = tmp_path / "data"
    data.mkdir()
    monkeypatch.setattr("pwd.getpwuid", lambda _uid: pwd.struct_passwd(("inkeek", "", 9, 9, "", "", "")))
    if os.getuid() == 0:
        os.chown(data, 9, -1)
    monkeypatch.setattr("os.geteuid", lambda: 0)
    done = CliRunner().invoke(restore_command, [str(tmp_path / "backup"), "--data", str(data)])
    assert done.exit_code == 1 and "sudo -u inkeek inkeek restore" in done.output
    assert list(data.iterdir()) == []
