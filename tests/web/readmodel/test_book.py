"""Events folded into the table and the feed."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from device.journal.events import (
    Blind,
    CorrectPit,
    Event,
    Forfeit,
    GameOver,
    HoldSet,
    LetStand,
    NewGame,
    OrderAnswered,
    PositionSet,
    RulingUndone,
    Sighted,
    VerdictGiven,
    Withdraw,
    translatable,
)
from device.journal.messages import message
from device.journal.store import Journal, JournalFile
from tests.web.stage import Stage
from web.readmodel.book import KEEP, PORTION, Book


def read(stage: Stage, after: int = 0) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    book = Book(stage.folder / "journal.sqlite3")
    book.refresh()
    patch: Any = book.since(after)  # as JSON: the tests read fields of many kinds of items
    return patch["table"], patch["items"]


def test_game_and_a_legal_move(stage: Stage) -> None:
    stage.begin()
    number = stage.legal()
    table, items = read(stage)
    assert table["game"] == {"game": "enkeshui", "rules": "driedger", "sets": {}, "board": "2x8", "number": 2,
                             "clock": None}
    position = table["position"]
    assert isinstance(position, dict)
    assert position["n"] == list(stage.position.counts) and position["turn"] == "N" and position["ply"] == 1
    assert [item["kind"] for item in items] == ["game", "verdict"]
    assert table["ruling"] == number


def test_board_after_an_illegal_move_is_as_it_lies(stage: Stage) -> None:
    stage.begin()
    number = stage.cheat()
    table, items = read(stage)
    verdict = items[-1]
    assert table["position"] == verdict["position"] != verdict["expected"]
    assert table["ruling"] == number
    best = verdict["best"]
    assert isinstance(best, list) and [one["kind"] for one in best] == ["illegal", "legal"]


def test_shapes_of_every_board_that_occurs(stage: Stage) -> None:
    stage.begin("endodoi", "2x6")
    stage.begin("enkeshui", "2x12")
    book = Book(stage.folder / "journal.sqlite3")
    book.refresh()
    shapes = book.since(0)["shapes"]
    assert {board: len(pits) for board, pits in shapes.items()} == {"2x12": 24, "2x6": 12}
    assert shapes["2x6"][0] == {"name": "a", "row": 1, "col": 0, "side": "S"}
    assert shapes["2x6"][6] == {"name": "A", "row": 0, "col": 5, "side": "N"}


def test_only_news_after_a_number(stage: Stage) -> None:
    stage.begin()
    first = stage.legal()
    second = stage.legal()
    _, items = read(stage, after=first)
    assert [item["number"] for item in items] == [second]


def test_number_of_another_journal_begins_anew(stage: Stage) -> None:
    stage.begin()
    book = Book(stage.folder / "journal.sqlite3")
    book.refresh()
    assert book.since(999)["fresh"] and len(book.since(999)["items"]) == 1
    assert not book.since(2)["fresh"]


def test_order_and_its_answer_change_the_verdict_they_are_about(stage: Stage) -> None:
    stage.begin()
    verdict = stage.cheat()
    order = stage.journal.append(LetStand(verdict=verdict)).number
    table, items = read(stage, after=verdict)
    assert [(item["number"], item["ordered"]) for item in items] == [(verdict, order)]
    assert table["pending"] == [{"number": order, "what": "stand", "verdict": verdict}]
    stage.journal.append(OrderAnswered(order=order, done=True, sentence="It stands."))
    table, items = read(stage, after=order)
    assert items[0]["ruling"] == {"what": "stand", "done": True, "sentence": "It stands.", "told": None}
    assert table["pending"] == [] and table["ruling"] == 0


def test_refused_ruling_leaves_the_verdict_open(stage: Stage) -> None:
    stage.begin()
    verdict = stage.cheat()
    order = stage.journal.append(Withdraw(verdict=verdict)).number
    stage.journal.append(OrderAnswered(order=order, done=False, sentence="No."))
    table, items = read(stage)
    assert table["ruling"] == verdict and items[-1]["ordered"] == 0


def test_withdrawal_names_the_board_to_be_laid(stage: Stage) -> None:
    stage.begin()
    before = str(stage.position)
    verdict = stage.cheat()
    order = stage.journal.append(Withdraw(verdict=verdict)).number
    assert read(stage)[0]["laying"] is None
    stage.journal.append(OrderAnswered(order=order, done=True, sentence="Lay it back."))
    table, _ = read(stage)
    laying = table["laying"]
    assert isinstance(laying, dict) and laying["verdict"] == verdict and laying["position"]["line"] == before
    assert table["undo"] == order
    stand = stage.journal.append(LetStand(verdict=verdict)).number
    stage.journal.append(OrderAnswered(order=stand, done=True, sentence="It stands after all."))
    table, _ = read(stage)
    assert table["laying"] is None and table["undo"] == stand


def test_undone_ruling_is_marked_and_its_verdict_open_again(stage: Stage) -> None:
    stage.begin()
    verdict = stage.cheat()
    order = stage.journal.append(LetStand(verdict=verdict)).number
    stage.journal.append(OrderAnswered(order=order, done=True, sentence="It stands."))
    stage.journal.append(RulingUndone(order=order, position=str(stage.position), verdict=verdict))
    table, items = read(stage, after=order)
    assert [(item["number"], item["ruling"]) for item in items] == [(verdict, None)]
    assert items[0]["ruled"] == [{"order": order, "what": "stand", "sentence": "It stands.", "told": None,
                                  "undone": True}]
    assert table["ruling"] == verdict and table["undo"] == 0


def test_undone_forfeit_ends_no_game(stage: Stage) -> None:
    stage.begin()
    stage.legal()
    order = stage.journal.append(Forfeit(side="S")).number
    stage.journal.append(GameOver(result="0-0", winner="N", reason="South resigned"))
    stage.journal.append(OrderAnswered(order=order, done=True, sentence="South gives up."))
    assert read(stage)[0]["over"] and read(stage)[0]["undo"] == order
    stage.journal.append(RulingUndone(order=order, position=str(stage.position)))
    table, items = read(stage)
    assert table["over"] is None
    assert [item["undone"] for item in items if item["kind"] == "order"] == [True]


def test_withdrawn_move_marks_its_verdict(stage: Stage) -> None:
    stage.begin()
    before = str(stage.position)
    verdict = stage.cheat()
    stage.journal.append(VerdictGiven(kind="withdrawn", player="S", before=str(stage.position), position=before,
                                      sentence="Taken back.", answers=verdict))
    table, items = read(stage)
    marked = next(item for item in items if item["number"] == verdict)
    assert marked["ruling"] == {"what": "withdrawn", "done": True, "sentence": "", "told": None}
    position = table["position"]
    assert isinstance(position, dict) and position["line"] == before and table["ruling"] == 0


def test_a_blind_spell_is_one_notice(stage: Stage) -> None:
    stage.begin()
    first = stage.journal.append(Blind(why="camera gone", todo="plug it in")).number
    stage.journal.append(Blind(why="too dark"))
    table, items = read(stage)
    assert table["blind"] == {"why": "too dark", "todo": "", "told": None, "told_todo": None, "number": first}
    assert [item["why"] for item in items if item["kind"] == "blind"] == ["too dark"]
    stage.journal.append(Sighted())
    table, items = read(stage)
    assert table["blind"] is None and items[-1]["until"]


def test_a_game_s_blind_spells_for_one_reason_are_one_notice_that_grows(stage: Stage) -> None:
    stage.begin()
    for seconds in (2, 1):
        slow = message("reason.hole", seconds=str(seconds))
        stage.journal.append(Blind(why=str(slow), told=translatable(slow), lasted=float(seconds)))
        stage.legal()
        stage.journal.append(Sighted())
    stage.journal.append(Blind(why="too dark"))
    notices = [item for item in read(stage)[1] if item["kind"] == "blind" and not item.get("repeats")]
    assert [(item["times"], item["why"]) for item in notices] == [(2, str(slow)), (1, "too dark")]
    grown = notices[0]
    assert 3 <= float(str(grown["lost_s"])) < 10
    assert str(grown["began"]) < str(grown["since"]) < str(grown["until"])
    stage.begin()
    stage.journal.append(Blind(why="too dark"))
    assert read(stage)[1][-1]["times"] == 1  # another game's notice is its own


def test_a_table_that_died_blind_begins_anew(stage: Stage) -> None:
    stage.begin()
    stage.journal.append(Blind(why="camera gone"))
    stage.begin()
    table, items = read(stage)
    assert table["blind"] is None
    assert [bool(item["until"]) for item in items if item["kind"] == "blind"] == [True]


def test_correction_is_asked_and_answered(stage: Stage) -> None:
    stage.begin()
    order = stage.journal.append(CorrectPit(pit="c", count=5)).number
    stage.journal.append(PositionSet(position=str(stage.position), why="pit c holds 5"))
    stage.journal.append(OrderAnswered(order=order, done=True, sentence="Pit c holds 5."))
    _, items = read(stage)
    asked = next(item for item in items if item["number"] == order)
    assert (asked["pit"], asked["count"]) == ("c", 5)
    assert asked["answer"] == {"done": True, "sentence": "Pit c holds 5.", "told": None}


def test_game_over(stage: Stage) -> None:
    stage.begin()
    stuck = message("reason.no-move", side=message("side.N"))
    stage.journal.append(GameOver(result="27-21", winner="S", reason=str(stuck), told=translatable(stuck)))
    table, items = read(stage)
    assert table["over"] == {"result": "27-21", "winner": "S", "reason": "North cannot move",
                             "told": {"key": "reason.no-move", "values": {"side": {"key": "side.N"}}}}
    assert items[-1]["kind"] == "over"
    stage.begin()
    assert read(stage)[0]["over"] is None


def test_unreadable_lines_leave_the_page_whole(stage: Stage) -> None:
    stage.begin()
    stage.journal.append(VerdictGiven(kind="legal", player="S", before="?", position="4,4/banana S", sentence="Odd.",
                                      still_before="../../etc/passwd", still_after="a" * 64))
    table, items = read(stage)
    assert items[-1]["before"] is None and items[-1]["stills"] == ["", "a" * 64 + ".jpg"]
    assert table["position"], "the last position that could be read stays"


def test_feed_is_bounded(stage: Stage) -> None:
    stage.begin()
    for _ in range(KEEP + 20):
        stage.journal.append(PositionSet(position=str(stage.position), why="again"))
    _, items = read(stage)
    assert len(items) == KEEP


def test_journal_replaced_under_way(stage: Stage, tmp_path: Path) -> None:
    stage.begin()
    stage.legal()
    book = Book(tmp_path / "journal.sqlite3")
    book.refresh()
    version = book.version
    stage.journal.close()
    for file in tmp_path.glob("journal.sqlite3*"):
        file.rename(tmp_path / f"old-{file.name}")
    stage.journal = Journal(tmp_path / "journal.sqlite3")
    stage.begin("endodoi", "2x6")
    book.refresh()
    assert book.version > version and book.number == 3
    assert [item["game"] for item in book.since(0)["items"] if item["kind"] == "game"] == ["endodoi"]


def test_nothing_new_costs_nothing_new(stage: Stage) -> None:
    stage.begin()
    book = Book(stage.folder / "journal.sqlite3")
    book.refresh()
    version = book.version
    for _ in range(5):
        book.refresh()
    assert book.version == version
    stage.legal()
    book.refresh()
    assert book.version == version + 1


class CountedSource(JournalFile):
    """A journal's file that notes how many events each reading gave."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.given: list[int] = []

    def read(self, after: int = 0, limit: int = -1) -> list[Event]:
        events = super().read(after, limit)
        self.given.append(len(events))
        return events


def test_a_long_journal_is_read_in_portions(stage: Stage) -> None:
    stage.begin()
    stage.journal.append_all([(PositionSet(position=str(stage.position), why="again"), "")] * (2 * PORTION))
    source = CountedSource(stage.folder / "journal.sqlite3")
    book = Book(source)
    book.refresh()
    assert book.number == stage.journal.last == sum(source.given) and max(source.given) == PORTION
    assert book.version == 1


@pytest.mark.parametrize("held", [False, True])
def test_the_spectators_book_begins_as_the_referees_where_nothing_is_held_back(stage: Stage, held: bool) -> None:
    stage.begin()
    stage.legal()
    stage.journal.append(HoldSet(on=held, by="page"))
    stage.cheat()
    path = stage.folder / "journal.sqlite3"
    source, alone, whole = CountedSource(path), Book(path, public=True), Book(path)
    beside = Book(source, public=True, beside=whole)
    moves: list[Callable[[], int]] = [lambda: stage.journal.last, stage.legal, stage.cheat]
    for move in moves:
        move()
        for book in (alone, beside):
            book.refresh()
        assert beside.since(0) == alone.since(0) and beside.games() == alone.games()
        assert beside.fouls() == alone.fouls() and beside.held is held and beside.id == alone.id
    assert (source.given[0] == 0) is not held, "what the other has folded is not read again"
    whole.refresh()
    assert whole.number == stage.journal.last, "nor does either change the other's"


def test_nothing_that_happened_stands_twice(stage: Stage) -> None:
    """A new game that was asked for is told by its beginning, a corrected count by its order, counts anew by the move's
    verdict."""
    stage.begin()
    stage.journal.append(NewGame(game="endodoi", rules="", board="2x6"))
    stage.take()
    verdict = stage.cheat()
    stage.journal.append(CorrectPit(pit="a", count=5))
    stage.take()
    stage.journal.append(PositionSet(position=str(stage.position), why="counts corrected", answers=verdict))
    told = [(item["kind"], item.get("what", "")) for item in read(stage)[1] if not item.get("repeats")]
    assert told == [("game", ""), ("game", ""), ("verdict", ""), ("order", "correct")]
