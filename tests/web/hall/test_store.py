"""What the hall keeps of the tables' journals: everything once, in order, as it came; nothing that does not stand."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest

from device.journal.chain import GENESIS, event_hash
from device.journal.store import Journal, JournalTrouble
from device.publishing.messages import JournalRecord
from tests.web.stage import Stage
from web.hall import store as stored
from web.hall.store import AppendResult, Store, TableSource
from web.readmodel.book import Book


def kept(journal: Journal) -> list[JournalRecord]:
    """A journal's events as a table publishes them."""
    with sqlite3.connect(journal.path) as db:
        rows = db.execute("SELECT number, at, type, body, hash FROM event ORDER BY number").fetchall()
    db.close()
    name, before = rows[0][4][:16], GENESIS
    found = []
    for number, at, kind, body, digest in rows:
        found.append(JournalRecord(name, number, digest, before, at, kind, body))
        before = digest
    return found


def take(store: Store, events: Sequence[JournalRecord], table: str = "t1") -> list[AppendResult]:
    """They come from a table."""
    return store.take([(table, event) for event in events])


@pytest.fixture
def events(stage: Stage) -> list[JournalRecord]:
    """A journal of seven events, one foul among them."""
    stage.begin()
    for _ in range(3):
        stage.legal()
    stage.cheat()
    return kept(stage.journal)


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path / "table")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "hall.sqlite3")


def test_a_copy_is_the_journal_byte_for_byte(store: Store, events: list[JournalRecord], stage: Stage,
                                             tmp_path: Path) -> None:
    assert set(take(store, events)) == {AppendResult.NEW}
    again = Store(tmp_path / "hall.sqlite3")  # another process, after a kill: nothing was closed
    now = again.current("t1")
    assert now is not None and (now.number, now.hash) == (events[-1].number, events[-1].hash)
    assert [(r[0], r[1], r[2], r[3], r[4]) for r in again.rows(now.id)] == [
        (e.number, e.at, e.type, e.body, e.hash) for e in events]
    assert again.read(now.id) == stage.journal.read()


def test_what_comes_twice_is_kept_once(store: Store, events: list[JournalRecord]) -> None:
    take(store, events[:4])
    assert take(store, events[2:6]) == [AppendResult.KNOWN, AppendResult.KNOWN, AppendResult.NEW, AppendResult.NEW]
    now = store.current("t1")
    assert now is not None and [row[0] for row in store.rows(now.id)] == [1, 2, 3, 4, 5, 6]


def test_after_a_gap_nothing_is_kept_until_it_is_filled(store: Store, events: list[JournalRecord]) -> None:
    assert take(store, [events[0], *events[2:4]]) == [AppendResult.NEW, AppendResult.GAP, AppendResult.GAP]
    assert set(take(store, events[1:])) == {AppendResult.NEW}


def test_another_history_is_told_and_never_replaces_what_is_kept(store: Store, events: list[JournalRecord]) -> None:
    take(store, events[:3])
    third = events[2]
    other_at = "2031-01-01T00:00:00.000Z"
    digest = event_hash(third.before, 3, other_at, third.type, third.body)
    beside = JournalRecord(third.journal, 3, digest, third.before, other_at, third.type, third.body)
    follows = JournalRecord(third.journal, 4, event_hash(digest, 4, other_at, third.type, third.body), digest, other_at,
                   third.type, third.body)
    assert take(store, [beside, follows]) == [AppendResult.FORK, AppendResult.FORK]
    now = store.current("t1")
    assert now is not None and now.forked and (now.number, now.hash) == (3, third.hash)
    assert set(take(store, events[3:])) == {AppendResult.NEW}  # the table itself goes on


@pytest.mark.parametrize("change", [
    {"body": '{"type":"Sighted"}'}, {"hash": "ab" * 32}, {"at": "2031-01-01T00:00:00.000Z"}, {"type": "Sighted"}])
def test_what_was_changed_is_refused(store: Store, events: list[JournalRecord], change: dict[str, str]) -> None:
    fields = {name: getattr(events[0], name) for name in JournalRecord.__struct_fields__}
    assert take(store, [JournalRecord(**(fields | change))]) == [AppendResult.BROKEN]
    assert store.current("t1") is not None and store.rows(1) == []


def test_a_first_event_that_belongs_to_another_journal_is_refused(store: Store, events: list[JournalRecord]) -> None:
    fields = {name: getattr(events[0], name) for name in JournalRecord.__struct_fields__}
    assert take(store, [JournalRecord(**(fields | {"journal": "0123456789abcdef"}))]) == [AppendResult.FORK]


def test_an_event_that_is_filed_as_another_is_refused(store: Store, events: list[JournalRecord]) -> None:
    one = events[0]
    digest = event_hash(GENESIS, 1, one.at, "GameOver", one.body)
    assert take(store, [JournalRecord(digest[:16], 1, digest, GENESIS, one.at, "GameOver",
                                      one.body)]) == [AppendResult.BROKEN]


def test_an_event_that_is_nested_too_deep_is_refused(store: Store) -> None:
    at = "2026-11-25T20:00:00.000Z"
    body = '{"type":"Blind","why":"","told":' + '{"key":"","values":{"a":' * 50_000 + "1" + "}}" * 50_000 + "}"
    digest = event_hash(GENESIS, 1, at, "Blind", body)
    assert take(store, [JournalRecord(digest[:16], 1, digest, GENESIS, at, "Blind", body)]) == [AppendResult.BROKEN]


def test_a_kind_that_is_not_known_yet_is_kept(store: Store) -> None:
    body = '{"type":"Whistled","pitch":440}'
    digest = event_hash(GENESIS, 1, "2026-11-25T20:00:00.000Z", "Whistled", body)
    assert take(store, [JournalRecord(digest[:16], 1, digest, GENESIS, "2026-11-25T20:00:00.000Z", "Whistled",
                                      body)]) == [
        AppendResult.NEW]


def test_a_new_journal_under_the_same_name_is_another_stream(store: Store, events: list[JournalRecord],
                                                             tmp_path: Path) -> None:
    other = Stage(tmp_path / "other")
    other.begin("omweso", "4x8")
    take(store, events)
    book = Book(TableSource(store, "t1"))
    book.refresh()
    assert book.table["game"] and book.table["game"]["game"] == "enkeshui"
    theirs = kept(other.journal)
    take(store, theirs)
    assert store.turn_to("t1", theirs[0].journal)
    book.refresh()
    assert book.table["game"] and (book.table["game"]["game"], book.number) == ("omweso", theirs[-1].number)
    assert store.turn_to("t1", events[0].journal) and not store.turn_to("t1", events[0].journal)
    book.refresh()
    assert book.table["game"] and book.table["game"]["game"] == "enkeshui"
    assert Store(tmp_path / "hall.sqlite3").current("t1") == store.current("t1")
    other.close()


def test_a_book_over_the_copy_says_what_one_over_the_journal_says(store: Store, events: list[JournalRecord],
                                                                  stage: Stage) -> None:
    take(store, events)
    books = Book(TableSource(store, "t1")), Book(stage.journal.path)
    for book in books:
        book.refresh()
    assert books[0].since(0) == books[1].since(0)
    assert books[0].open_fouls() == 1


def test_a_batch_is_kept_whole_or_not_at_all(store: Store, events: list[JournalRecord],
                                             monkeypatch: pytest.MonkeyPatch) -> None:
    take(store, events[:2])
    store._db.execute("CREATE TEMP TRIGGER full BEFORE INSERT ON event WHEN NEW.number = 4 "
                      "BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END")
    with pytest.raises(JournalTrouble, match="disk is full"):
        take(store, events[2:])
    now = store.current("t1")
    assert now is not None and now.number == 2 and len(store.rows(now.id)) == 2
    store._db.execute("DROP TRIGGER full")
    assert set(take(store, events[2:])) == {AppendResult.NEW}


def test_a_forked_journal_is_copied_anew_and_the_old_copy_stays(store: Store, events: list[JournalRecord],
                                                                tmp_path: Path) -> None:
    take(store, events)
    journal, old = events[0].journal, store.current("t1")
    assert old is not None and not store.ends_otherwise("t1", journal, events[3].number, events[3].hash)
    assert not store.ends_otherwise("t1", journal, 999, "ab" * 32), "there is more than the hall has yet"
    assert store.ends_otherwise("t1", journal, events[3].number, "ab" * 32) and old.forked
    store.set_aside("t1")
    now = store.current("t1")
    assert now is not None and (now.journal, now.number, now.forked) == (journal, 0, False)
    assert set(take(store, events)) == {AppendResult.NEW}
    for one in (store, Store(tmp_path / "hall.sqlite3")):
        again = one.current("t1")
        assert again is not None and len(one.rows(again.id)) == len(one.rows(old.id)) == len(events)
        assert again.id == now.id


def test_names_cannot_fill_the_disk(store: Store, events: list[JournalRecord], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored, "MOST_STREAMS", 2)
    assert [take(store, events[:1], f"t{i}")[0] for i in range(3)] == [AppendResult.NEW, AppendResult.NEW,
                                                                       AppendResult.FULL]
    assert store.tables() == ["t0", "t1"]


def test_orders_are_numbered_upwards_whatever_happens(store: Store, tmp_path: Path) -> None:
    assert [store.next_sequence("t1"), store.next_sequence("t1"), store.next_sequence("t2", above=40)] == [1, 2, 41]
    again = Store(tmp_path / "hall.sqlite3")
    assert [again.next_sequence("t1"), again.next_sequence("t2", above=7)] == [3, 42]


def test_another_programs_file_is_left_alone(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.sqlite3"):
        pass
    with pytest.raises(JournalTrouble, match="is not a hall's file"):
        Store(tmp_path / "journal.sqlite3")
    (tmp_path / "text").write_text("no database, but long enough to be looked at by SQLite" * 40)
    with pytest.raises(JournalTrouble, match="cannot be used"):
        Store(tmp_path / "text")
