"""The journal: a chain that holds, that shows every change, and that two processes write together."""

import json
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from device.journal import Journal, JournalError
from device.journal.chain import GENESIS, event_hash
from device.journal.events import Blind, CorrectPit, NewGame, Sighted, StateEntered, Unknown
from device.journal.store import APPLICATION_ID, VERSION, last_hash


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path / "journal.sqlite3")


def rewrite(path: Path, statement: str) -> None:
    """Change the file as someone would who wants to hide it: without the triggers."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("DROP TRIGGER event_stays")
        db.execute("DROP TRIGGER event_kept")
        db.execute(statement)
        db.commit()


def fill(journal: Journal, n: int = 5) -> None:
    for i in range(n):
        journal.append(StateEntered(state="watching", why=f"entry {i}"))


def test_events_come_back_as_they_were_written(journal: Journal) -> None:
    first = journal.append(NewGame(game="enkeshui", rules="driedger", board="2x8"))
    second = journal.append(Blind(why="board moved"))
    assert (first.number, second.number) == (1, 2)
    assert journal.read() == [first, second]
    assert journal.read(after=1) == [second]
    assert journal.get(2) == second and journal.get(3) is None
    assert journal.last == 2
    assert first.at.endswith("Z") and first.type == "NewGame"


def test_the_chain_binds_each_event_to_the_one_before(journal: Journal) -> None:
    a = journal.append(Sighted())
    b = journal.append(Sighted())
    assert a.hash == event_hash(GENESIS, 1, a.at, "Sighted", '{"type":"Sighted"}')
    assert b.hash == event_hash(a.hash, 2, b.at, "Sighted", '{"type":"Sighted"}')
    assert last_hash(journal) == b.hash
    assert journal.verify() is None


@pytest.mark.parametrize(("statement", "number", "word"), [
    ("UPDATE event SET body = replace(body, 'entry 2', 'entry 9') WHERE number = 3", 3, "changed"),
    ("UPDATE event SET at = '2020-01-01T00:00:00.000Z' WHERE number = 4", 4, "changed"),
    ("DELETE FROM event WHERE number = 2", 2, "missing"),
    ("DELETE FROM event WHERE number = 1", 1, "missing"),
    ("UPDATE event SET hash = hash || '0' WHERE number = 5", 5, "changed"),
    ("UPDATE event SET number = 0 WHERE number = 1", 0, "missing"),
])
def test_verify_names_the_first_bad_event(journal: Journal, statement: str, number: int, word: str) -> None:
    fill(journal)
    journal.close()
    rewrite(journal.path, statement)
    with Journal(journal.path, readonly=True) as again:
        bad = again.verify()
    assert bad is not None and bad.number == number and word in bad.reason


def test_the_tables_refuse_changes(journal: Journal) -> None:
    fill(journal)
    with closing(sqlite3.connect(journal.path)) as db:
        for statement in ("UPDATE event SET at = ''", "DELETE FROM event"):
            with pytest.raises(sqlite3.DatabaseError, match="append-only"):
                db.execute(statement)


def test_threads_append_into_one_chain(journal: Journal) -> None:
    threads = [threading.Thread(target=fill, args=(journal, 8)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [e.number for e in journal.read()] == list(range(1, 33))
    assert journal.verify() is None


def test_two_processes_append_into_one_chain(journal: Journal) -> None:
    code = ("import sys; from device.journal import Journal; from device.journal.events import Sighted\n"
            "j = Journal(sys.argv[1])\nfor _ in range(20): j.append(Sighted())")
    others = [subprocess.Popen([sys.executable, "-c", code, str(journal.path)]) for _ in range(2)]
    fill(journal, 20)
    assert [other.wait(60) for other in others] == [0, 0]
    assert journal.last == 60 and journal.verify() is None


def test_what_was_appended_is_seen_by_a_reader_that_was_open_before(journal: Journal) -> None:
    with Journal(journal.path, readonly=True) as reader:
        event = journal.append(CorrectPit(pit="d", count=4))
        assert reader.read() == [event]
        with pytest.raises(JournalError, match="reading only"):
            reader.append(Sighted())


def test_an_event_of_a_later_version_reads_as_unknown(journal: Journal) -> None:
    journal.append(Sighted())
    journal.close()
    body = json.dumps({"type": "ClockStarted", "seconds": 3})
    with closing(sqlite3.connect(journal.path)) as db:
        previous = db.execute("SELECT hash FROM event").fetchone()[0]
        at = "2030-01-01T00:00:00.000Z"
        db.execute("INSERT INTO event VALUES (2, ?, 'ClockStarted', ?, ?)",
                   (at, body, event_hash(previous, 2, at, "ClockStarted", body)))
        db.commit()
    with Journal(journal.path) as again:
        assert again.read(1)[0].body == Unknown("ClockStarted", body)
        assert again.verify() is None


def test_a_missing_journal_is_not_made_by_a_reader(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="there is no journal"):
        Journal(tmp_path / "none.sqlite3", readonly=True)
    assert not (tmp_path / "none.sqlite3").exists()


@pytest.mark.parametrize("readonly", [True, False])
def test_files_that_are_no_journal(tmp_path: Path, readonly: bool) -> None:
    text = tmp_path / "text.sqlite3"
    text.write_bytes(b"Not a database at all, but long enough to have a header." * 50)
    other = tmp_path / "other.sqlite3"
    with closing(sqlite3.connect(other)) as db:
        db.execute("CREATE TABLE recipe (name TEXT)")
        db.commit()
    for path, sentence in ((text, "not a database"), (other, "not a journal"), (tmp_path, "directory|no journal")):
        with pytest.raises(JournalError, match=sentence) as caught:
            Journal(path, readonly=readonly)
        assert "\n" not in str(caught.value) and str(path) in str(caught.value)


def test_a_torn_file_says_so(journal: Journal) -> None:
    fill(journal, 400)
    journal.close()
    data = bytearray(journal.path.read_bytes())
    data[8192:20480] = bytes(12288)
    journal.path.write_bytes(data)
    with Journal(journal.path, readonly=True) as torn:
        bad = torn.verify()
    assert bad is not None and bad.number >= 1 and "cannot be read" in bad.reason


def test_a_newer_journal_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "newer.sqlite3"
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute(f"PRAGMA user_version = {VERSION + 1}")
        db.execute("CREATE TABLE event (number INTEGER)")
    with pytest.raises(JournalError, match="newer inkeek"):
        Journal(path)
