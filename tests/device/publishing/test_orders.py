"""Orders from a hall: taken once at most, refused where they are not this table's, and answered always."""

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from device.journal import Journal, JournalTrouble
from device.journal.chain import encode
from device.journal.events import (
    Body,
    CorrectPit,
    Forfeit,
    HoldSet,
    LetStand,
    NewGame,
    Shown,
    Told,
    UseCamera,
    Withdraw,
)
from device.journal.messages import MESSAGES
from device.journal.pin import FREE, PIN_FILE, Gate
from device.publishing import orders as module
from device.publishing.messages import GivenOrder, OrderAnswer, key_of, signed
from device.publishing.orders import FILE, MOST_PENDING
from device.publishing.publisher_state import PublisherState, TableIdentity
from tests.quick_pin import set_pin
from tests.web.stage import Stage

PIN, TABLE = "271828", "table-3"


class Table:
    """A table with a game, a foul and a PIN, and what its publisher knows."""

    def __init__(self, folder: Path) -> None:
        """The foul's number is `foul`."""
        self.folder, self.stage = folder, Stage(folder)
        self.stage.begin()
        self.foul = self.stage.cheat()
        set_pin(folder / PIN_FILE, PIN)
        self.known = self.started()

    def started(self) -> PublisherState:
        """A publisher that has just been started."""
        known = PublisherState(TableIdentity(self.folder, TABLE, "Table 3"))
        known.catch_up()
        return known

    def give(self, given: GivenOrder, known: PublisherState | None = None) -> OrderAnswer:
        """What the table answers."""
        known = known or self.known
        known.catch_up()
        return known.orders.take(given, known.journal.id, known.projections)

    def order(self, body: Body | str, sequence: int = 1, *, pin: str = PIN, table: str = TABLE,
              journal: str = "") -> GivenOrder:
        """An order as a hall signs it."""
        stored, journal = self.known.pin(), journal or self.known.journal.id
        assert stored is not None
        text = body if isinstance(body, str) else encode(body)
        key = key_of(pin, stored.salt, stored.n, stored.r, stored.p)
        return GivenOrder(journal, sequence, text, signed(key, table, journal, sequence, text))

    def written(self) -> list[Body]:
        """The orders in the journal."""
        return [event.body for event in self.stage.journal.read(self.foul)]  # type: ignore[misc]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path)
    yield made
    made.known.journal.close()
    made.stage.close()


def key(answer: OrderAnswer) -> str:
    assert answer.refused is not None and answer.event == 0
    assert answer.refused.key in MESSAGES and answer.sentence, "it can be said in every language"
    return answer.refused.key


def test_an_order_is_written_down_and_says_where_it_came_from(table: Table) -> None:
    found = table.give(table.order(LetStand(verdict=table.foul, by="somebody"), 17))
    assert (found.sequence, found.event, found.refused) == (17, table.foul + 1, None)
    assert table.written() == [LetStand(verdict=table.foul, by="hall:17")]
    assert table.known.orders.sequence == 17


def test_the_very_same_order_is_answered_again_and_not_carried_out(table: Table) -> None:
    given = table.order(LetStand(verdict=table.foul))
    first = table.give(given)
    assert table.give(given) == first == table.give(given, table.started())
    assert len(table.written()) == 1


@pytest.mark.parametrize("sequence", [1, 2, 3])
def test_a_replayed_order_is_refused(table: Table, sequence: int) -> None:
    old = table.order(CorrectPit(pit="a", count=sequence), sequence)
    table.give(old)
    table.give(table.order(LetStand(verdict=table.foul), 5))
    for known in (table.known, table.started()):
        assert key(table.give(old, known)) == "hall.old"
    (table.folder / FILE).unlink()
    assert key(table.give(old, table.started())) == "hall.old", "the journal knows it, too"
    assert len(table.written()) == 2


@pytest.mark.parametrize(("how", "why"), [
    (lambda t: t.order(LetStand(verdict=t.foul), pin="271829"), "hall.forged"),
    (lambda t: t.order(LetStand(verdict=t.foul), table="table-4"), "hall.forged"),
    (lambda t: t.order(LetStand(verdict=t.foul), journal="f" * 16), "hall.journal"),
    (lambda t: msgspec.structs.replace(t.order(LetStand(verdict=t.foul)), sequence=2), "hall.forged"),
    (lambda t: msgspec.structs.replace(t.order(LetStand(verdict=t.foul)), order=encode(Forfeit(side="S"))),
     "hall.forged"),
    (lambda t: t.order(UseCamera(camera="usb")), "hall.kind"),
    (lambda t: t.order(NewGame(game="enkeshui", rules="", board="2x8")), "hall.kind"),
    (lambda t: t.order(HoldSet(on=False)), "hall.kind"),
    (lambda t: t.order('{"type":"LetStand"}'), "hall.kind"),
    (lambda t: t.order("no JSON"), "hall.kind"),
    (lambda t: t.order(LetStand(verdict=0)), "hall.no-verdict"),
    (lambda t: t.order(LetStand(verdict=10**30)), "hall.no-verdict"),
    (lambda t: t.order(Shown(verdict=t.foul)), "hall.not-held"),
    (lambda t: t.order(Withdraw(verdict=t.foul, mover="x\n")), "contest.name"),
], ids=range(14))
def test_what_is_no_order_for_this_table_is_refused(table: Table, how: Callable[[Table], GivenOrder],
                                                    why: str) -> None:
    assert key(table.give(how(table))) == why
    assert table.written() == []


def test_a_held_verdict_is_shown(table: Table) -> None:
    table.stage.journal.append(HoldSet(on=True))
    held = table.stage.cheat()
    assert table.give(table.order(Shown(verdict=held))).event == held + 1


def test_a_second_ruling_on_the_same_verdict_waits_for_the_first(table: Table) -> None:
    table.give(table.order(LetStand(verdict=table.foul), 1))
    assert key(table.give(table.order(Withdraw(verdict=table.foul), 2))) == "hall.twice"
    table.stage.take()
    assert table.give(table.order(Withdraw(verdict=table.foul), 3)).event


def test_the_table_is_not_flooded(table: Table) -> None:
    for sequence in range(1, MOST_PENDING + 1):
        assert table.give(table.order(CorrectPit(pit="a", count=1), sequence)).event
    assert key(table.give(table.order(CorrectPit(pit="a", count=1), 999))) == "hall.too-many"


def test_nobody_rules_from_the_hall_where_no_pin_is_set_or_no_game_is_on(tmp_path: Path) -> None:
    table = Table(tmp_path)
    given = table.order(LetStand(verdict=table.foul))
    (tmp_path / PIN_FILE).unlink()
    assert key(table.give(given)) == "hall.no-pin"
    table.stage.close()
    with Journal(tmp_path / "journal.sqlite3") as journal:
        assert journal.last == table.foul


def test_guesses_are_slowed_and_then_the_right_pin_waits_too(table: Table) -> None:
    now = [0.0]
    table.known.orders._gate = Gate(lambda: now[0])
    wrong = table.order(LetStand(verdict=table.foul), pin="000000")
    assert [key(table.give(wrong)) for _ in range(FREE + 1)] == ["hall.forged"] * FREE + ["hall.wait"]
    right = table.order(LetStand(verdict=table.foul))
    assert key(table.give(right)) == "hall.wait" and table.written() == []
    now[0] = 11.0
    assert table.give(right).event


def test_refusals_do_not_fill_the_log(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    wrong = table.order(LetStand(verdict=table.foul), journal="f" * 16)
    for _ in range(500):
        table.give(wrong)
    assert [record.message for record in caplog.records] == [
        "order 1 from the hall is refused: the order is for another journal of this table"]


class PowerCut(BaseException):
    """The program ends there and then."""


@pytest.mark.parametrize("after", ["sequence", "order"])
def test_ended_while_an_order_is_taken_it_is_said_afterwards_what_came_of_it(
        table: Table, monkeypatch: pytest.MonkeyPatch, after: str) -> None:
    given = table.order(LetStand(verdict=table.foul), 7)
    append = Journal.append

    def cut(journal: Journal, body: Body) -> None:
        if after == "order":
            append(journal, body)
        raise PowerCut

    with monkeypatch.context() as patched, pytest.raises(PowerCut):
        patched.setattr(Journal, "append", cut)
        table.give(given)
    known = table.started()
    found = known.orders.unanswered()
    assert found is not None and found.sequence == 7
    assert found.event == (table.foul + 1 if after == "order" else 0)
    assert found.refused == (None if after == "order" else Told("hall.lost"))
    assert table.give(given, known) == found == table.started().orders.unanswered(), "given again"
    assert len(table.written()) == (after == "order")
    known.orders.note_delivered(msgspec.structs.replace(found, journal="another"))
    assert known.orders.unanswered() == found, "what reached the broker was of another journal"
    known.orders.note_delivered(found)
    assert known.orders.unanswered() is None and table.started().orders.unanswered() is None


def test_an_order_that_no_disk_takes_is_refused_and_may_be_given_anew(table: Table,
                                                                      monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise JournalTrouble("the disk is full")

    def unwritten(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(Journal, "append", full)
        assert key(table.give(table.order(LetStand(verdict=table.foul), 1))) == "hall.not-written"
    with monkeypatch.context() as patched:
        patched.setattr(module, "write_lasting", unwritten)
        assert key(table.give(table.order(LetStand(verdict=table.foul), 2))) == "hall.not-written"
    assert table.written() == []
    assert table.give(table.order(LetStand(verdict=table.foul), 3)).event


def test_a_damaged_note_of_the_last_order_is_made_up_for_by_the_journal(table: Table,
                                                                        caplog: pytest.LogCaptureFixture) -> None:
    table.give(table.order(LetStand(verdict=table.foul), 9))
    (table.folder / FILE).write_bytes(b'{"sequence":')
    known = table.started()
    assert known.orders.sequence == 9 and FILE in caplog.text
