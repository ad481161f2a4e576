"""Results come from the tables' journals by themselves: each match to the pairing it was played for, to no other."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from device.journal.events import HoldSet, TableStarted, TeamsNamed, Withdraw
from engine.board import Side
from engine.tournaments import Corrected, Reported, Result, TablesNamed, TournamentError, Undone
from tests.waiting import wait_for
from tests.web.hall.tournament.tables import BEGUN, OUT, Tables, over, results
from tests.web.stage import Stage


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    made = Tables(tmp_path)
    yield made
    made.close()


def test_a_match_that_a_table_has_ended_gives_its_result(tables: Tables) -> None:
    tables.begin("Ole", "Kip")
    tables.make()
    stage = tables.agree("table-1", "Ole", "Kip")
    tables.copy()
    assert results(tables.cup.state) == ["Ole ? Kip"]
    over(stage, "S")
    tables.copy()
    assert results(tables.cup.state) == ["Ole 1–0 Kip"]
    told = tables.cup.state.log[-1].event
    assert isinstance(told, Reported) and told.source.startswith("table-1 ") and told.source.endswith(" 2")


def test_who_sits_the_other_way_round_or_at_another_table_has_his_own_result(tables: Tables) -> None:
    tables.begin("Ole", "Naisiae", "Sironka", "Kip")
    tables.make()
    assert results(tables.cup.state) == ["Ole ? Kip", "Naisiae ? Sironka"]
    tables.play("table-2", "Kip", "Ole", "S")
    tables.play("table-1", "sironka", "NAISIAE", "N")
    tables.copy()
    assert results(tables.cup.state) == ["Ole 0–1 Kip", "Naisiae 1–0 Sironka"]


def test_a_team_is_known_by_those_of_it_who_play(tables: Tables) -> None:
    tables.begin("Herons: Nakato, Wasswa", "Lions: Kato, Babirye")
    tables.make()
    tables.play("table-1", "Kato, Somebody", "Wasswa", "S")
    tables.copy()
    assert results(tables.cup.state) == ["Herons 0–1 Lions"]


@pytest.mark.parametrize(("south", "north"), [
    ("Ole", "Somebody"), ("Somebody", "Nobody"), ("Ole", "Naisiae"), ("Ole, Kip", "Naisiae"), ("Ole", "Ole Kip")])
def test_a_match_of_others_is_nobodys_result(tables: Tables, south: str, north: str) -> None:
    tables.begin("Ole", "Kip", "Naisiae", "Sironka")
    tables.make()
    assert results(tables.cup.state) == ["Ole ? Sironka", "Kip ? Naisiae"]
    tables.play("table-1", south, north)
    tables.copy()
    assert results(tables.cup.state) == ["Ole ? Sironka", "Kip ? Naisiae"]


def test_a_match_that_was_over_before_the_round_was_made_is_not_of_it(tables: Tables) -> None:
    stage = tables.play("table-1", "Ole", "Kip")
    tables.copy()
    tables.begin("Ole", "Kip")
    tables.make()
    tables.copy()
    assert results(tables.cup.state) == ["Ole ? Kip"]
    tables.cup.happen(TablesNamed(("yard",)))
    tables.copy()
    assert results(tables.cup.state) == ["Ole ? Kip"], "nor after something else has happened"
    tables.again()
    tables.copy()
    assert results(tables.cup.state) == ["Ole ? Kip"], "nor when the hall has started anew"
    tables.agree("table-1", "Ole", "Kip")
    over(stage, "N")
    tables.copy()
    assert results(tables.cup.state) == ["Ole 0–1 Kip"]


def test_a_match_that_was_begun_before_the_round_was_made_may_be_of_it(tables: Tables) -> None:
    stage = tables.agree("table-1", "Ole", "Kip")
    tables.copy()
    tables.begin("Ole", "Kip")
    tables.make()
    over(stage)
    tables.copy()
    assert results(tables.cup.state) == ["Ole 1–0 Kip"]


def test_two_who_meet_twice_have_two_results_of_two_matches(tables: Tables) -> None:
    tables.begin("Ole", "Kip", how=replace(BEGUN, cycles=2))
    tables.make()
    tables.make()
    tables.play("table-1", "Ole", "Kip", "S")
    tables.copy()
    tables.copy()
    assert results(tables.cup.state) == ["Ole 1–0 Kip", "Kip ? Ole"]
    tables.play("table-1", "Ole", "Kip", "S")
    tables.copy()
    assert results(tables.cup.state) == ["Ole 1–0 Kip", "Kip 0–1 Ole"]


def test_two_who_are_paired_twice_have_the_result_of_a_match_where_it_was_played(tables: Tables) -> None:
    tables.begin("Ole", "Kip", how=replace(BEGUN, cycles=2))
    tables.make()
    tables.make()
    assert [one.paired.table for one in tables.cup.state.pairings] == ["table-1", "table-2"]
    tables.play("table-2", "Ole", "Kip", "S")
    tables.copy()
    assert results(tables.cup.state) == ["Ole ? Kip", "Kip 0–1 Ole"]


def test_the_tables_are_followed_without_anybody_asking(tables: Tables) -> None:
    tables.begin("Ole", "Kip")
    tables.cup.start()
    tables.make()
    stage = tables.agree("table-1", "Ole", "Kip")
    tables.send()
    over(stage)
    tables.send()
    wait_for(lambda: results(tables.cup.state) == ["Ole 1–0 Kip"], 20)


def test_matches_that_followed_each_other_while_the_hall_was_away_are_all_taken(tables: Tables) -> None:
    tables.begin("Ole", "Kip", "Naisiae")
    for _ in range(3):
        tables.make()
    for south, north in (("Ole", "Kip"), ("Kip", "Naisiae"), ("Naisiae", "Ole")):
        tables.play("table-1", south, north)
    tables.again()
    tables.copy()
    assert sorted(results(tables.cup.state)) == ["Kip 1–0 Naisiae", "Naisiae 1–0 Ole", "Ole 1–0 Kip"]


def test_names_that_change_after_the_end_change_no_result(tables: Tables) -> None:
    """The next two are entered at the table before their match is agreed."""
    tables.begin("Ole", "Kip", "Naisiae")
    for _ in range(3):
        tables.make()
    stage = tables.play("table-1", "Ole", "Kip")
    stage.journal.append(TeamsNamed(south=["Naisiae"], north=["Kip"]))
    tables.copy()
    assert sorted(results(tables.cup.state)) == ["Kip ? Naisiae", "Naisiae ? Ole", "Ole 1–0 Kip"]


def test_a_ruling_at_the_table_takes_the_result_back_and_another_end_gives_another(tables: Tables) -> None:
    tables.begin("Ole", "Kip")
    tables.make()
    stage = tables.agree("table-1", "Ole", "Kip")
    foul = stage.cheat()
    over(stage, "S")
    tables.copy()
    assert results(tables.cup.state) == ["Ole 1–0 Kip"]
    stage.journal.append(Withdraw(verdict=foul, side="N", why="cheat", by="page"))
    stage.take()
    stage.again(foul, "withdrawn")  # the board was laid back
    tables.copy()
    assert results(tables.cup.state) == ["Ole ? Kip"]
    over(stage, "N")
    tables.copy()
    assert results(tables.cup.state) == ["Ole 0–1 Kip"]
    kinds = [type(one.event).__name__ for one in tables.cup.state.log[-3:]]
    assert kinds == ["Reported", "Reported", "Reported"]


def test_a_correction_goes_before_the_table_and_a_replay_is_a_match_of_its_own(tables: Tables) -> None:
    tables.begin("Ole", "Kip")
    tables.make()
    tables.play("table-1", "Ole", "Kip", "S")
    tables.copy()
    place = next(tables.cup.state.pairings).place
    tables.cup.happen(Corrected(place, Result.played(0, 1), "the sides were exchanged", by="Resiato"))
    tables.copy()
    assert results(tables.cup.state) == ["Ole 0–1 Kip"]
    tables.cup.happen(Undone(len(tables.cup.state.log), by="Resiato"))
    assert results(tables.cup.state) == ["Ole 1–0 Kip"]
    tables.cup.happen(Corrected(place, None, "the lamp went out", by="Resiato"))
    tables.copy()
    assert results(tables.cup.state) == ["Ole ? Kip"], "the match that is to be played again gives its result no more"
    tables.play("table-1", "Kip", "Ole", "S")
    tables.copy()
    assert results(tables.cup.state) == ["Ole 0–1 Kip"]


def test_a_journal_that_was_restored_and_went_on_otherwise_changes_no_result(tables: Tables) -> None:
    """The next match is agreed by an event of the same number in a journal of the same name."""
    tables.begin("Ole", "Kip", "Naisiae", "Sironka")
    tables.make()
    stage = tables.stages["table-1"] = Stage(tables.folder / "table-1")
    stage.journal.append(TableStarted(camera="stage", version="0"))
    with closing(sqlite3.connect(stage.journal.path)) as db, closing(sqlite3.connect(tables.folder / "kept")) as kept:
        db.backup(kept)
    tables.play("table-1", "Ole", "Sironka", "S")
    tables.copy()
    first = tables.cup.state.log[-1].event
    assert isinstance(first, Reported) and results(tables.cup.state) == ["Ole 1–0 Sironka", "Kip ? Naisiae"]
    stage.close()
    (tables.folder / "again").mkdir()
    (tables.folder / "kept").rename(tables.folder / "again" / "journal.sqlite3")
    tables.stages["table-1"] = Stage(tables.folder / "again")
    tables.store.set_aside("table-1")
    tables.play("table-1", "Kip", "Naisiae", "S")
    tables.copy()
    assert results(tables.cup.state) == ["Ole 1–0 Sironka", "Kip ? Naisiae"]
    tables.play("table-1", "Kip", "Naisiae", "N")
    tables.copy()
    assert results(tables.cup.state) == ["Ole 1–0 Sironka", "Kip 0–1 Naisiae"]


def test_nothing_is_taken_from_a_table_where_something_is_held_back(tables: Tables) -> None:
    tables.begin("Ole", "Kip")
    tables.make()
    stage = tables.agree("table-1", "Ole", "Kip")
    stage.journal.append(HoldSet(on=True))
    stage.cheat()
    over(stage, "S")
    tables.copy()
    assert results(tables.cup.state) == ["Ole ? Kip"]


def test_a_result_that_cannot_be_is_said_once_and_keeps_no_other_out(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """No match gives one; where one did, the others' results still come."""
    tables.begin("Ole", "Kip", "Naisiae", "Sironka")
    tables.make()
    given = [Result((1, 2), winner=Side.SOUTH), Result.played(1, 0)]
    monkeypatch.setattr(Result, "of", lambda _: given[0])
    tables.play("table-1", "Ole", "Sironka")
    tables.copy()
    monkeypatch.setattr(Result, "of", lambda _: given[1])
    tables.play("table-2", "Kip", "Naisiae")
    tables.copy()
    tables.copy()
    assert results(tables.cup.state) == ["Ole ? Sironka", "Kip 1–0 Naisiae"]
    said = [one.getMessage() for one in caplog.records]
    assert len(said) == 1 and said[0].startswith("the result of match table-1 ")
    assert said[0].endswith(" is not taken up: the winner does not fit the score of 1-2")


def test_what_is_refused_is_not_written(tables: Tables) -> None:
    tables.begin("Ole", "Kip")
    tables.make()
    before = tables.cup.state
    with pytest.raises(TournamentError):
        tables.cup.happen(Undone(99))
    with pytest.raises(TournamentError):
        tables.cup.happen(Undone(5), Undone(5))
    assert tables.cup.state is before
    tables.again()
    assert tables.cup.state == before


def test_another_tournament_begins_and_the_one_before_stays(tables: Tables) -> None:
    tables.begin("Ole", "Kip")
    tables.make()
    tables.play("table-1", "Ole", "Kip")
    tables.copy()
    first = tables.cup.state
    tables.begin("Ole", "Kip", how=OUT)
    tables.make()
    tables.copy()
    assert results(tables.cup.state) == ["Ole ? Kip"], "a match of the one before is none of this one"
    tables.again()
    assert (tables.cup.number, tables.cup.state.agreed.system) == (2, OUT.system)
    assert [event for event, _ in tables.log_of(1)] == [one.event for one in first.log]
