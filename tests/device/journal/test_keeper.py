"""Nothing is lost: a disk that is full, that can only be read, that fails; a journal that is damaged."""

import random
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from device.cli.main import inkeek
from device.journal import Journal, JournalError
from device.journal.events import (
    GameOver,
    KeptInMemory,
    LetStand,
    OrderAnswered,
    Sighted,
    StateEntered,
    Told,
    VerdictGiven,
    translatable,
)
from device.journal.full_disk import reserve_path
from device.journal.keeper import RETRY_S, Keeper, Renumbered
from device.system.table_process import Loop
from tests.device.disks import Disk, small_disk
from tests.device.journal.test_damage import found, set_aside, write


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now

    def wait(self) -> None:
        self.now += RETRY_S + 1


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    with small_disk(tmp_path / "disk") as disk:
        yield disk


def entry(i: int) -> StateEntered:
    return StateEntered(state="watching", why=f"entry {i} " + "x" * 400)


def whys(path: Path) -> list[int]:
    with Journal(path, readonly=True) as journal:
        assert journal.verify() is None
        return [int(e.body.why.split()[1]) for e in journal.read() if isinstance(e.body, StateEntered)]


def late(path: Path) -> list[KeptInMemory]:
    with Journal(path, readonly=True) as journal:
        return [e.body for e in journal.read() if isinstance(e.body, KeptInMemory)]


def test_while_all_is_well_it_is_a_journal(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with Keeper(path) as keeper:
        events = [keeper.append(entry(i)) for i in range(5)]
        assert keeper.read() == events and keeper.read(3) == events[3:] and str(keeper.why) == ""
    assert whys(path) == list(range(5)) and late(path) == []


def test_the_log_is_folded_now_and_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("device.journal.keeper.CHECKPOINT_EVERY", 4)
    path = tmp_path / "journal.sqlite3"
    log = path.with_name(path.name + "-wal")
    with Keeper(path) as keeper:
        folded = []
        for i in range(12):
            keeper.append(entry(i))
            folded.append(log.stat().st_size == 0)
    assert [i for i, done in enumerate(folded) if done] == [3, 7, 11]
    assert whys(path) == list(range(12))


def test_a_full_disk(disk: Disk, clock: Clock) -> None:
    path = disk.path / "journal.sqlite3"
    with Keeper(path, clock) as keeper:
        written = 0
        for _ in range(3):
            disk.fill(leave=1 << 14)
            while not str(keeper.why):
                keeper.append(entry(written))
                written += 1
            for _ in range(10):
                keeper.append(entry(written))
                written += 1
                clock.wait()
            assert keeper.held >= 11
            assert str(keeper.why) == ("the disk is full; the game goes on in memory and is not being saved. Waiting: "
                                      f"entries {keeper.held}, pictures 0")
            assert translatable(keeper.why) == Told(key="disk.memory", values={
                "why": Told(key="disk.full"), "entries": keeper.held, "pictures": 0})
            disk.empty()
            clock.wait()
            event = keeper.append(entry(written))
            written += 1
            assert str(keeper.why) == "" and keeper.held == 0
            with Journal(path, readonly=True) as page:
                assert page.get(event.number) == event
    assert whys(path) == list(range(written))
    assert [note.why.split(";")[0] for note in late(path)] == ["the disk is full"] * 3


def only_read(keeper: Keeper, on: bool) -> None:
    """What SQLite answers on a disk that has become read-only while the journal was open."""
    assert keeper._journal is not None
    keeper._journal._db.execute(f"PRAGMA query_only = {int(on)}")


def test_a_disk_that_can_only_be_read(tmp_path: Path, clock: Clock) -> None:
    path = tmp_path / "journal.sqlite3"
    with Keeper(path, clock) as keeper:
        keeper.append(entry(0))
        only_read(keeper, True)
        held = [keeper.append(entry(i)) for i in range(1, 20)]
        assert str(keeper.why).startswith("the disk is read-only; the game goes on in memory and is not being saved")
        assert keeper.read(5) == held[4:], "what is held is read like what is written"
        clock.wait()
        keeper.read()
        assert str(keeper.why), "still so"
        only_read(keeper, False)
        clock.wait()
        assert keeper.read(20)[-1].body == late(path)[0]
        assert str(keeper.why) == ""
        with Journal(path, readonly=True) as page:
            assert page.read(1, 19) == held, "numbers, times and hashes are those that were given out"
    assert whys(path) == list(range(20)) and late(path)[0].events == 19


def test_a_disk_that_can_only_be_read_from_the_start(disk: Disk, clock: Clock) -> None:
    path = disk.path / "journal.sqlite3"
    with Keeper(path) as keeper:
        for i in range(3):
            keeper.append(entry(i))
        # Killed: with a log beside it, which SQLite does not open where it cannot write.
        left = set_aside(path, disk.path / "left")
    disk.only_read(True)
    with Keeper(left, clock) as keeper:
        assert [e.number for e in keeper.read()] == [1, 2, 3] and "read-only" in str(keeper.why)
        keeper.append(entry(3))
        disk.only_read(False)
        clock.wait()
        keeper.append(entry(4))
        assert str(keeper.why) == ""
    assert whys(left) == list(range(5))


def pictures(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.glob("*.jpg"))


def test_events_come_before_pictures_on_a_full_disk(disk: Disk, clock: Clock) -> None:
    """112 KB are free: a picture of 120 KB does not fit, and the result of the game does."""
    path = disk.path / "journal.sqlite3"
    picture = random.Random(1).randbytes(120_000)
    with Keeper(path, clock) as keeper:
        disk.fill(leave=112_000)
        for i in range(5):
            keeper.keep_file(disk.path / f"{i}.jpg", picture + bytes([i]))
            keeper.append(VerdictGiven(kind="legal", player="S", before="", position="", sentence=f"move {i}",
                                       still_after=f"{i}.jpg"))
        keeper.append(GameOver(result="40-24", winner="S", reason="no move is left"))
        with Journal(path, readonly=True) as page:
            assert [e.type for e in page.read()] == ["VerdictGiven"] * 5 + ["GameOver"]
        assert str(keeper.why) == "the disk is full; moves and results are saved, pictures wait in memory: 5"
        assert translatable(keeper.why) == Told(key="disk.pictures",
                                                values={"why": Told(key="disk.full"), "pictures": 5})
        assert pictures(disk.path) == [] and not list(disk.path.glob("*.new"))
        disk.empty()
        clock.wait()
        keeper.read()
        assert pictures(disk.path)[:1] == ["0.jpg"], "what fits is written, the oldest first"
    assert (disk.path / "0.jpg").read_bytes() == picture + b"\0"


def test_the_reserve_is_given_up_first_and_made_again(disk: Disk, clock: Clock) -> None:
    path = disk.path / "journal.sqlite3"
    with Keeper(path, clock) as keeper:
        assert reserve_path(path).stat().st_blocks > 0
        keeper.append(entry(0))
        disk.fill()
        keeper.append(entry(1))
        assert not reserve_path(path).exists() and keeper.held == 0 and str(keeper.why) == "", "all is saved"
        disk.fill(leave=4096)  # what was given up is taken by somebody else
        keeper.keep_file(disk.path / "small.jpg", b"small")
        assert pictures(disk.path) == [], "a picture took room that events may need"
        disk.empty()
        clock.wait()
        keeper.read()
        assert reserve_path(path).exists() and pictures(disk.path) == ["small.jpg"] and str(keeper.why) == ""


def test_an_order_of_the_page_is_written_into_the_reserve(disk: Disk) -> None:
    path = disk.path / "journal.sqlite3"
    with Keeper(path) as table, Journal(path) as page:
        table.append(entry(0))
        disk.fill()
        order = page.append(LetStand(verdict=1))
        assert table.read(1) == [order] and not reserve_path(path).exists()


def test_a_table_that_was_killed_starts_on_a_full_disk(disk: Disk) -> None:
    path = disk.path / "journal.sqlite3"
    with Keeper(path) as keeper:
        keeper.append(entry(0))
        left = set_aside(path, disk.path / "left")  # as kill -9 leaves it, without the memory that SQLite shares
        reserve_path(path).rename(reserve_path(left))
        disk.fill()
        with Keeper(left) as again:
            again.append(entry(1))
            assert str(again.why) == "" and again.held == 0
    assert whys(left) == [0, 1]


def test_others_that_wrote_meanwhile_move_the_numbers(tmp_path: Path, clock: Clock) -> None:
    path = tmp_path / "journal.sqlite3"
    with Keeper(path, clock) as keeper:
        keeper.append(entry(0))
        only_read(keeper, True)
        verdict = keeper.append(VerdictGiven(kind="illegal", player="S", before="", position="", sentence=""))
        keeper.append(OrderAnswered(order=1, done=True, sentence="of one before"))
        keeper.append(VerdictGiven(kind="withdrawn", player="S", before="", position="", sentence="",
                                   answers=verdict.number))
        only_read(keeper, False)
        with Journal(path) as page:
            page.append(LetStand(verdict=1))
            page.append(Sighted())
        clock.wait()
        with pytest.raises(Renumbered, match="begins anew"):
            keeper.append(entry(1))
        bodies = [e.body for e in keeper.read()]
    assert isinstance(bodies[3], VerdictGiven) and isinstance(bodies[4], OrderAnswered)
    assert bodies[4].order == 1
    assert isinstance(bodies[5], VerdictGiven) and bodies[5].answers == 4 == verdict.number + 2


def flip_a_bit(file: Path, rng: random.Random) -> None:
    data = bytearray(file.read_bytes())
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    file.write_bytes(data)


def contents(folder: Path) -> dict[str, bytes]:
    """What the files of a folder hold, but for the memory that SQLite shares."""
    return {file.name: file.read_bytes() for file in folder.iterdir() if not file.name.endswith("-shm")}


@pytest.mark.parametrize("part", ["", "-wal", "-head"])
def test_a_damaged_journal_is_left_as_it_is(tmp_path: Path, clock: Clock, part: str) -> None:
    path = tmp_path / "own" / "journal.sqlite3"
    path.parent.mkdir()
    with Journal(path) as journal:
        write(journal, 60)
        journal.checkpoint()
        write(journal, 60)
        left = set_aside(path, tmp_path / "left")
    rng, tried = random.Random(part), 0
    for i in range(20):
        damaged = set_aside(left, tmp_path / f"damaged{i}")
        flip_a_bit(damaged.with_name(damaged.name + part), rng)
        if not found(damaged):  # an unused end of a page
            continue
        tried += 1
        before = contents(damaged.parent)
        with Keeper(damaged, clock) as keeper:
            sound = keeper.read()
            assert [e.number for e in sound] == list(range(1, len(sound) + 1))
            event = keeper.append(entry(0))
            assert event.number == len(sound) + 1
            clock.wait()
            keeper.append(entry(1))
            assert keeper.held == 2 and "inkeek verify" in str(keeper.why) and "goes on in memory" in str(keeper.why)
        after = contents(damaged.parent)
        assert after == before
        if part:  # nor does the page write to a journal whose end is gone, or tidy its log away
            with pytest.raises(JournalError):
                Journal(damaged)
            assert contents(damaged.parent) == after
    assert tried > 10


def test_another_programs_file_is_no_damaged_journal(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    path.write_text("no journal" * 100)
    with pytest.raises(JournalError, match="not a database"):
        Keeper(path)


def test_a_limit_on_the_size_of_files(tmp_path: Path) -> None:
    """The same without a disk of one's own: a process that may not write files beyond some size."""
    code = f"""
import resource, sys
from pathlib import Path
from device.journal.keeper import Keeper
from tests.device.journal.test_keeper import Clock, entry
clock = Clock()
path = Path({str(tmp_path / "journal.sqlite3")!r})
with Keeper(path, clock) as keeper:
    for i in range(5):
        keeper.append(entry(i))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.with_name(path.name + "-wal").stat().st_size + 3000, hard))
    for i in range(5, 30):
        keeper.append(entry(i))
    assert keeper.held > 10, keeper.held
    print(str(keeper.why))
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    clock.wait()
    keeper.append(entry(30))
    assert keeper.held == 0
"""
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[1] == resource.RLIM_INFINITY
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "the game goes on in memory and is not being saved" in done.stdout
    assert whys(tmp_path / "journal.sqlite3") == list(range(31))


@pytest.mark.parametrize(("error", "status"), [(Renumbered("others wrote"), 1), (JournalError("not a journal"), 3)])
def test_a_table_that_has_to_begin_anew_is_started_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                                         error: JournalError, status: int) -> None:
    def ends(_loop: Loop) -> None:
        raise error

    monkeypatch.setattr(Loop, "run", ends)
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        done = CliRunner().invoke(inkeek, ["table", "--data", str(tmp_path)])
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    assert done.exit_code == status and str(error) in done.output
