"""What happened in a tournament is on the disk before it counts, stays as it was, and is read as it was written."""

import sqlite3
from pathlib import Path

import pytest

from device.journal.store import JournalTrouble
from engine.tournaments import (
    Corrected,
    Entered,
    How,
    Moved,
    Paired,
    PairingPlace,
    RankedBy,
    Renamed,
    Reported,
    Result,
    RoundMade,
    System,
    TablesNamed,
    TournamentBegun,
    TournamentEvent,
    Undone,
    Withdrew,
)
from tests.engine.tournaments.shorthand import N, S
from tests.web.hall.tournament.tables import Tables
from web.hall.tournament.cup import Cup
from web.hall.tournament.log import KINDS, Log

ALL: list[TournamentEvent] = [
    TournamentBegun("Narok “cup”", System.KNOCK_OUT, third_place=True, about="日本語", at=1_790_000_000_000_000_000),
    TournamentBegun("League", System.ROUND_ROBIN, RankedBy.SCORE, 2, by="Resiato"),
    Entered("Herons", ("Nakato", "Wasswa")), Renamed(3, "Herons", ()), TablesNamed(("t-1", "yard")),
    Withdrew(3, "ill"), RoundMade(1, (Paired(2, 3, "t-1"), Paired(4, None), Paired(None, None, third=True))),
    Moved(PairingPlace(8, 1), "yard", 2), Reported(PairingPlace(8, 1), Result((3, 2), (1, 2), 1, S), "t-1 abc 7"),
    Reported(PairingPlace(8, 1), None), Corrected(PairingPlace(8, 1), Result((0, 0), winner=N, how=How.WALKOVER),
                                                  "late", by="R"),
    Corrected(PairingPlace(8, 1), None, "again", by="R"), Undone(9)]


@pytest.fixture
def log(tmp_path: Path) -> Log:
    return Log(tmp_path / "tournament.sqlite3")


def test_every_kind_of_event_is_read_back_as_it_was_written(log: Log) -> None:
    assert {type(event) for event in ALL} == set(KINDS.values())
    log.append(1, 0, [(event, ("t-1 abc 2",)) for event in ALL])
    assert Log(log.path).read(1) == [(event, ("t-1 abc 2",)) for event in ALL]


def test_cups_are_apart(log: Log) -> None:
    assert (log.last(), log.read(0), log.read(1)) == (0, [], [])
    log.append(1, 0, [(ALL[0], ())])
    log.append(2, 0, [(ALL[1], ())])
    log.append(1, 1, [(ALL[2], ())])
    assert log.last() == 2
    assert [event for event, _ in log.read(1)] == [ALL[0], ALL[2]]


def test_all_or_nothing_is_written_and_no_number_twice(log: Log) -> None:
    log.append(1, 0, [(ALL[0], ())])
    with pytest.raises(JournalTrouble, match="UNIQUE"):
        log.append(1, -1, [(ALL[1], ()), (ALL[2], ())])
    assert [event for event, _ in log.read(1)] == [ALL[0]]
    log.append(1, 1, [(ALL[2], ())])


def test_nothing_is_changed_or_deleted(log: Log) -> None:
    log.append(1, 0, [(ALL[0], ())])
    with sqlite3.connect(log.path) as db:
        for order in ("UPDATE event SET body = '{}'", "DELETE FROM event"):
            with pytest.raises(sqlite3.IntegrityError, match="an event is never"):
                db.execute(order)
    db.close()


@pytest.mark.parametrize(("kind", "body"), [
    ("Entered", "{"), ("Entered", '{"name": 3}'), ("Coronation", "{}"), ("Undone", '{"event": "1"}'),
    ("RoundMade", '{"round": 1, "pairings": [[1, 2]]}')])
def test_a_row_that_cannot_be_read_is_told_in_a_sentence(log: Log, kind: str, body: str) -> None:
    with sqlite3.connect(log.path) as db:
        db.execute("INSERT INTO event VALUES (1, 1, ?, ?, '[]')", (kind, body))
    db.close()
    with pytest.raises(JournalTrouble, match=rf"^event 1 \({kind}\) in .*tournament.sqlite3 cannot be read: ") as told:
        log.read(1)
    assert "\n" not in str(told.value)


def test_another_programs_file_is_left_as_it_is(tmp_path: Path) -> None:
    other, newer = tmp_path / "other.sqlite3", tmp_path / "newer.sqlite3"
    Log(newer).close()
    for path, order in ((other, "PRAGMA application_id = 7"), (newer, "PRAGMA user_version = 99")):
        with sqlite3.connect(path) as db:
            db.execute(order)
        db.close()
    with pytest.raises(JournalTrouble, match="it is another program's"):
        Log(other)
    with pytest.raises(JournalTrouble, match="a newer inkeek has written it"):
        Log(newer)
    (tmp_path / "text.sqlite3").write_text("no database, but more than a hundred characters of text " * 4)
    with pytest.raises(JournalTrouble, match="cannot be used"):
        Log(tmp_path / "text.sqlite3")


def test_a_log_that_tells_of_what_cannot_have_been_is_told_in_a_sentence(tmp_path: Path) -> None:
    tables = Tables(tmp_path)
    tables.begin("Ole", "Kip")
    log = Log(tmp_path / "tournament.sqlite3")
    log.append(1, 4, [(Entered("Ole"), ())])
    with pytest.raises(JournalTrouble, match="cannot be followed: Ole is entered already"):
        Cup(log, tables.registry)
    log.close()
    tables.close()


def test_where_the_disk_does_not_take_it_nothing_has_happened(tmp_path: Path) -> None:
    tables = Tables(tmp_path)
    tables.begin("Ole", "Kip")
    before = tables.cup.state
    other = Log(tmp_path / "tournament.sqlite3")
    other.append(1, len(before.log), [(Entered("Sironka"), ())])  # another process has written meanwhile
    with pytest.raises(JournalTrouble):
        tables.cup.happen(Entered("Naisiae"))
    assert tables.cup.state is before
    other.close()
    tables.close()
