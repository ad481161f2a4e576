"""One table may tell the hall what it likes, well made and in order: the others are seen all the same."""

import logging
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from device.journal import events as journal
from device.journal.chain import GENESIS, encode, event_hash
from device.journal.events import Body
from device.publishing.address import HallAddress
from device.publishing.messages import JournalRecord, Public
from tests.quick_pin import set_pin
from tests.waiting import wait_for
from web.hall.app import create_app
from web.hall.context import HallContext
from web.hall.store import AppendResult

LINE = "0,0,4,4,4,4,4,4/0,0,4,4,4,4,4,4 S 0-0 ply=2"
AT = "2026-11-25T20:00:00.000Z"
GAME = journal.GameStarted(game="enkeshui", rules="driedger", board="2x8", position=LINE)
ODD: dict[str, list[Body]] = {
    "positions that are none": [GAME, journal.VerdictGiven(kind="illegal", player="S", before="<b>", position="9" * 500,
                                                          sentence="<script>alert(1)</script>", expected="x/y")],
    "pits that are none": [GAME, journal.VerdictGiven(
        kind="illegal", player="S", before=LINE, position=LINE, expected=LINE, sentence="?", pits=["zz", ""],
        faults=[journal.FaultSeen(code="nothing", pit="zz", lap=-1, n=-1)],
        steps=[journal.Step(kind="fly", pit="zz", n=-5, lap=99)], counts=[-1, 10**9], confidence=float("1e300"))],
    "boards of two sizes": [GAME, journal.BoardFound(size=(0, 0), pits=[(0.0, 0.0, 0.0)]), journal.VerdictGiven(
        kind="not-sure", player="N", before="1,1/1,1 S 0-0", position=LINE, sentence="?", expected="1,1/1,1 N 0-0",
        best=[journal.Explained(kind="?", p=2.0, player="?", faults=[journal.FaultSeen(code="double")])])],
    "a game that is none": [journal.GameStarted(game="chess", rules="fide", board="8x8", position="e4"),
                            journal.GameOver(result="?", winner="?", reason="<i>"),
                            journal.VerdictGiven(kind="tampered", player="?", before="", position="", sentence="")],
    "answers to nothing": [journal.OrderAnswered(order=-7, done=True, sentence="?"), journal.LetStand(verdict=10**15),
                           journal.RulingUndone(order=3, position="?"), journal.Shown(verdict=-1),
                           journal.Objected(verdict=0), journal.MatchAgreed(game="chess", board="0x0", form="sticks",
                                                                           number=-4)],
    "names like markup": [GAME, journal.TeamsNamed(south=["<img src=x onerror=alert(1)>"] * 40, north=[""])],
}


def copied(context: HallContext, table: str, bodies: list[Body]) -> None:
    """The hall has these events of that table."""
    before, journal_id = GENESIS, ""
    for number, body in enumerate(bodies, 1):
        kind, text = type(body).__name__, encode(body)
        digest = event_hash(before, number, AT, kind, text)
        journal_id = journal_id or digest[:16]
        assert context.store.take([(table, JournalRecord(journal_id, number, digest, before, AT, kind,
                                                          text))]) == [AppendResult.NEW]
        before = digest
    found = context.registry.table(table)
    assert found is not None
    found.public = Public(name=f"Table {table[1:]}", at=AT, journal=journal_id, position="?/?", why="<u>",
                          page="javascript:x")


@pytest.fixture
def context(tmp_path: Path) -> HallContext:
    """A hall without a broker: its line is not begun."""
    return HallContext.open(tmp_path, HallAddress("127.0.0.1", 1))


@pytest.fixture
def client(context: HallContext) -> FlaskClient:
    made = create_app(context, {"WTF_CSRF_ENABLED": False})
    set_pin(made.extensions["pin"].path, "271828")
    return made.test_client()


@pytest.mark.parametrize("what", ODD)
def test_whatever_one_table_tells_the_others_are_seen(context: HallContext, client: FlaskClient, what: str) -> None:
    copied(context, "t1", ODD[what])
    copied(context, "t2", [GAME])
    client.post("/director/in", data={"pin": "271828"})
    pages = {path: client.get(path) for path in ("/", "/projector", "/rulings", "/table/t2")}
    assert {path: answer.status_code for path, answer in pages.items()} == dict.fromkeys(pages, 200)
    card = pages["/"].text.partition('id="card-t2"')[2].partition("</li>\n")[0]
    assert "Table 2" in pages["/"].text and "small-board" in card
    for number in range(1, len(ODD[what]) + 1):
        assert client.get(f"/table/t1/{number}").status_code in (200, 404, 500)
    text = "".join(answer.text for answer in pages.values()) + client.get("/table/t1").text
    assert "<script>alert" not in text and "<img src=x" not in text and "javascript:x" not in text


def test_what_cannot_be_folded_or_drawn_is_said_and_left_out(context: HallContext, client: FlaskClient,
                                                             monkeypatch: pytest.MonkeyPatch,
                                                             caplog: pytest.LogCaptureFixture) -> None:
    copied(context, "t1", [GAME, journal.Sighted(), journal.GameOver(result="30-18", winner="S", reason="over")])
    copied(context, "t2", [GAME])
    table = context.registry.get("t1")
    assert table is not None
    entered = table.whole._enter  # the other begins as this one

    def odd(event: journal.Event) -> None:
        if event.number == 2:
            raise IndexError("a defect")
        entered(event)

    monkeypatch.setattr(table.whole, "_enter", odd)
    with caplog.at_level(logging.ERROR):
        assert client.get("/").status_code == 200
    assert table.odd and "table t1: an event cannot be shown" in caplog.text
    wait_for(lambda: table.book(False).number == 3)  # behind it, the rest is shown
    assert table.open.games()[0].result == "30-18"
    monkeypatch.setattr(context.registry, "needs", lambda of, _: [][0] if of.id == "t1" else [])
    for one in context.registry.all():
        context.registry.changed(one)
    text = client.get("/").text
    assert "This table’s report cannot be shown." in text and "small-board" in text
