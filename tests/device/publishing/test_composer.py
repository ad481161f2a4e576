"""What everybody may see of a table, and what the hall alone."""

import os
from pathlib import Path

import pytest

from device.journal.events import HoldSet, LetStand, Shown, TeamsNamed, Told
from device.journal.pin import PIN_FILE
from device.publishing.composer import StateComposer, live_state, same
from device.publishing.messages import MOST_BYTES, PrivateState, Public, read, write
from device.publishing.publisher_state import PublisherState, TableIdentity
from engine.messages import Message
from tests.web.stage import Stage
from web.pin import PinFile


def told(stage: Stage) -> tuple[Public, PrivateState]:
    """What is said to everybody and to the hall, as it arrives."""
    known, composer = PublisherState(TableIdentity(stage.folder, "table-3", "Table 3")), StateComposer("Table 3")
    known.catch_up()
    live = live_state(stage.folder / "live")
    public = composer.public(known.journal.id, known.projections, live, known.pin())
    state = composer.state(known.journal.id, known.projections, live, known.pin(), 12)
    known.journal.close()
    return read(write(public), Public, "public"), read(write(state), PrivateState, "state")


def test_a_game_is_told_to_all(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    stage.begin()
    stage.journal.append(TeamsNamed(south=["Nâisiae"], north=["Sironka"]))
    stage.legal()
    stage.live("watching", Message("why.searching", {}, "looking for the board"))
    PinFile(tmp_path / PIN_FILE).set("271828")
    public, state = told(stage)
    last = stage.journal.read(stage.journal.last - 1)[0]
    assert (public.name, public.journal, public.game, public.rules, public.board) == (
        "Table 3", stage.journal.read(0, 1)[0].hash[:16], "enkeshui", stage.rules.name, "2x8")
    assert public.position == str(stage.position) and public.turn == "N" and public.score == stage.position.captured
    assert (public.south, public.north, public.state, public.seeing) == (["Nâisiae"], ["Sironka"], "watching", True)
    assert (public.why, public.told) == ("looking for the board", Told("why.searching"))
    assert public.pin is not None and public.pin.n == 2**14
    assert (state.number, state.hash, state.fouls, state.held, state.sequence) == (last.number, last.hash, [], [], 12)
    assert all(getattr(state, name) == getattr(public, name) for name in Public.__struct_fields__ if name != "at")
    stage.close()


def test_what_is_held_is_told_to_the_hall_alone(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    stage.begin()
    stage.legal()
    before = str(stage.position)
    stage.journal.append(HoldSet(on=True))
    foul = stage.cheat()
    stage.live("watching", Message("why.lay-back", {}, "put the board back as it was before the move"))
    public, state = told(stage)
    assert (public.position, public.why, public.told) == (before, "", None)
    assert b"foul" not in write(public) and b"held" not in write(public)
    assert state.position == str(stage.position) != before and state.why
    assert state.fouls == state.held == [foul]
    stage.journal.append(Shown(verdict=foul))
    public, state = told(stage)
    assert public.position == state.position and public.why and state.held == [] and state.fouls == [foul]
    stage.journal.append(LetStand(verdict=foul))
    stage.take()
    assert told(stage)[1].fouls == []
    stage.close()


@pytest.mark.parametrize("state", ["blind", "searching", "starting"])
def test_a_table_that_does_not_see_says_so(tmp_path: Path, state: str) -> None:
    stage = Stage(tmp_path)
    stage.begin()
    stage.live(state)
    assert [(one.state, one.seeing) for one in told(stage)] == [(state, False)] * 2
    stage.close()


def test_a_table_that_does_not_run_sees_nothing(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    stage.begin()
    assert [(one.state, one.seeing, one.pin) for one in told(stage)] == [("", False, None)] * 2
    stage.live("watching")
    file = tmp_path / "live" / "state.json"
    os.utime(file, (file.stat().st_atime, file.stat().st_mtime - 60))
    assert [(one.state, one.seeing) for one in told(stage)] == [("", False)] * 2
    file.write_bytes(b'{"state": "watch')
    assert [(one.state, one.seeing) for one in told(stage)] == [("", False)] * 2
    stage.close()


def test_an_empty_folder_is_told_as_one(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    public, state = told(stage)
    assert (public.journal, public.position, public.turn, state.number, state.hash) == ("", "", "", 0, "")
    stage.close()


def test_names_without_end_still_fit(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    stage.begin()
    stage.journal.append(TeamsNamed(south=["S" * 1000] * 100, north=["N"] * 100))
    public, _ = told(stage)
    assert len(public.south) == len(public.north) == 20 and len(write(public)) < MOST_BYTES["public"]
    stage.close()


def test_the_time_alone_is_no_news() -> None:
    one = Public(name="t", at="1")
    assert same(one, Public(name="t", at="2")) and not same(one, Public(name="u", at="1")) and not same(None, one)


@pytest.mark.parametrize(("host", "reached_by", "page"), [
    ("0.0.0.0", "192.168.1.7", "http://192.168.1.7:8000"), ("::", "fe80::1", "http://[fe80::1]:8000"),
    ("127.0.0.1", "192.168.1.7", ""), ("127.0.0.1", "127.0.0.1", "http://127.0.0.1:8000"),
    ("table.local", "192.168.1.7", "http://table.local:8000")])
def test_the_page_is_told_by_the_address_that_people_at_the_hall_reach(tmp_path: Path, host: str, reached_by: str,
                                                                       page: str) -> None:
    assert TableIdentity(tmp_path, "t", "T", host, 8000).page(reached_by) == page
    assert TableIdentity(tmp_path, "t", "T", host, 0).page(reached_by) == ""
