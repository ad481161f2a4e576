"""A journal that was damaged: bytes flipped anywhere, its end cut off, an older program's file."""

import random
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from device.journal import Journal, JournalError
from device.journal.events import Event, Sighted, StateEntered, VerdictGiven
from device.journal.head import head_path
from tests.examples import examples

FLIPS = examples(40)


def write(journal: Journal, events: int, seed: int = 1) -> None:
    """Events as long as real ones, now and then one that fills more than a page."""
    rng = random.Random(seed)
    for i in range(events):
        length = rng.choice((10, 300, 900, 2500, 9000))
        words = "".join(rng.choices("enkeshui boo", k=length))
        journal.append(VerdictGiven(kind="legal", player="S", before="", position="", sentence=words) if i % 2
                       else StateEntered(state="watching", why=words))


def found(path: Path) -> str:
    """What opening and verifying says; "" when nothing."""
    try:
        with Journal(path, readonly=True) as journal:
            bad = journal.verify()
    except JournalError as error:
        return str(error)
    return bad.reason if bad is not None else ""


def set_aside(journal: Path, folder: Path) -> Path:
    """The journal's files as a table that is killed now would leave them."""
    folder.mkdir(exist_ok=True)
    for file in journal.parent.glob(journal.name + "*"):
        if not file.name.endswith("-shm"):
            shutil.copyfile(file, folder / file.name)
    return folder / journal.name


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal whose table was killed: folded once, with more in its log."""
    path = tmp_path_factory.mktemp("killed") / "journal.sqlite3"
    with Journal(path) as journal:
        write(journal, 120)
        assert journal.checkpoint()
        write(journal, 60, 2)
        return set_aside(path, path.parent / "left")


def test_a_killed_journal_is_whole(killed: Path, tmp_path: Path) -> None:
    path = set_aside(killed, tmp_path / "own")
    assert found(path) == ""
    with Journal(path) as journal:
        assert journal.last == 180 and journal.verify() is None


def unharmed(path: Path, events: list[Event]) -> bool:
    """Whether damage is found, or every event reads as it was written."""
    if found(path):
        return True
    with Journal(path, readonly=True) as journal:
        return journal.read() == events


@pytest.fixture(scope="module")
def written(killed: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Event]:
    """Its events."""
    with Journal(set_aside(killed, tmp_path_factory.mktemp("whole") / "own"), readonly=True) as journal:
        return journal.read()


@pytest.mark.parametrize("part", ["", "-wal", "-head"])
def test_a_byte_flipped_anywhere_is_found_or_changes_no_event(killed: Path, written: list[Event], tmp_path: Path,
                                                              part: str) -> None:
    """Unused ends of pages are nobody's; what an event says is guarded by its hash."""
    whole = (killed.with_name(killed.name + part)).read_bytes()
    rng, missed, told = random.Random(f"flips{part}"), [], 0
    for i in range(FLIPS):
        path = set_aside(killed, tmp_path / str(i))
        at, bit = rng.randrange(len(whole)), 1 << rng.randrange(8)
        data = bytearray(whole)
        data[at] ^= bit
        path.with_name(path.name + part).write_bytes(data)
        told += bool(found(path))
        if not unharmed(path, written):
            missed.append((at, bit))
        shutil.rmtree(path.parent)
    assert not missed
    assert told > FLIPS // 2


def test_an_end_that_was_cut_off_is_found(killed: Path, tmp_path: Path) -> None:
    path = set_aside(killed, tmp_path / "own")
    path.with_name(path.name + "-wal").unlink()
    assert found(path) == "event 121 is missing: the journal ends before it, and event 180 was written"


def test_folding_keeps_the_journal_from_those_who_close_it(tmp_path: Path) -> None:
    """A process that loses its locks by folding would go on writing into a log that another one has deleted."""
    path = tmp_path / "journal.sqlite3"
    page = ("import sys; from device.journal import Journal; from device.journal.events import Sighted\n"
            "with Journal(sys.argv[1]) as j: j.append(Sighted())")
    with Journal(path) as journal:
        for i in range(3):
            write(journal, 3, i)
            assert journal.checkpoint() and journal.verify() is None
            subprocess.run([sys.executable, "-c", page, str(path)], check=True)
            write(journal, 3, i)
        left = set_aside(path, tmp_path / "left")
    assert found(left) == ""
    with Journal(left, readonly=True) as journal:
        assert journal.last == 21


def test_a_reader_in_the_way_puts_the_folding_off(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with Journal(path) as journal:
        write(journal, 5)
        with closing(sqlite3.connect(path, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM event").fetchone()
            write(journal, 5)
            assert not journal.checkpoint()
            assert journal.verify() is None
        assert journal.checkpoint() and journal.verify() is None


def test_a_note_that_is_older_than_the_journal_does_no_harm(tmp_path: Path) -> None:
    """After the plug was pulled the note may be one of minutes ago, or empty."""
    path = tmp_path / "journal.sqlite3"
    with Journal(path) as journal:
        write(journal, 3)
        older = head_path(path).read_bytes()
        write(journal, 3)
    head_path(path).write_bytes(older)
    assert found(path) == ""
    head_path(path).write_bytes(b"")
    assert found(path) == ""
    head_path(path).unlink()
    assert found(path) == ""


def test_a_copy_is_taken_while_others_write(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with Journal(path) as journal, Journal(path) as page:
        write(journal, 30)
        page.append(Sighted())
        journal.copy(tmp_path / "copy.sqlite3")
        page.append(Sighted())
        with Journal(tmp_path / "copy.sqlite3", readonly=True) as copy:
            assert copy.verify() is None and copy.read() == journal.read(limit=31)




@pytest.mark.parametrize("pages", range(1, 12))
def test_a_folding_that_broke_off_is_no_damage(killed: Path, tmp_path: Path, pages: int) -> None:
    """The disk was full: some pages were brought over from the log, in SQLite's order, and the log is all there."""
    path = set_aside(killed, tmp_path / "own")
    log = path.with_name(path.name + "-wal").read_bytes()
    newest = {}
    for at in range(32, len(log), 24 + 4096):
        newest[int.from_bytes(log[at:at + 4], "big")] = log[at + 24:at + 24 + 4096]
    data = bytearray(path.read_bytes())
    for number in sorted(newest)[:pages]:
        if (number - 1) * 4096 <= len(data):
            data[(number - 1) * 4096:number * 4096] = newest[number]
    path.write_bytes(data)
    assert found(path) == ""
    with Journal(path) as journal:
        assert journal.last == 180 and journal.checkpoint() and journal.verify() is None
