"""What goes out as plain data: complete, readable by other programs, and no formula in anybody's spreadsheet."""

import csv
import io
import json

from engine.tournaments import (
    Corrected,
    Entered,
    How,
    Reported,
    Result,
    Undone,
    Withdrew,
    after,
    exported,
    fold,
    next_round,
    table,
)
from tests.engine.tournaments.shorthand import ALL, CUP, N, begun, on, paired, place, told


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_standings_as_rows() -> None:
    state = told(paired(begun(2)), ("Ole", "Naisiae", 2, 1))
    assert read(table(exported(state)["standings"])) == [
        {"place": "1", "entry": "2", "name": "Ole", "withdrawn": "no", "met": "1", "won": "1", "drawn": "0",
         "lost": "0", "match_points": "2", "score": "2", "score_against": "1", "games_won": "2", "games_lost": "1",
         "ahead": ""},
        {"place": "2", "entry": "3", "name": "Naisiae", "withdrawn": "no", "met": "1", "won": "0", "drawn": "0",
         "lost": "1", "match_points": "0", "score": "1", "score_against": "2", "games_won": "1", "games_lost": "2",
         "ahead": ""}]


def test_rounds_as_rows() -> None:
    state = told(paired(begun(3, tables=1)), ("Naisiae", "Sironka", 1, 2))
    assert read(table(exported(state)["rounds"])) == [
        {"round": "1", "number": "1", "table": "1", "sitting": "1", "third_place": "no", "south": "Naisiae",
         "north": "Sironka", "south_score": "1", "north_score": "2", "winner": "N", "how": "played",
         "corrected": "no", "counts": "yes"},
        {"round": "1", "number": "2", "table": "", "sitting": "1", "third_place": "no", "south": "Ole", "north": "",
         "south_score": "", "north_score": "", "winner": "", "how": "", "corrected": "no", "counts": "yes"}]


def test_every_event_is_there_with_what_became_of_it() -> None:
    state = on(paired(begun(2)))
    state = after(state, Reported(place(state, "Ole", "Naisiae"), Result.walkover(N), "table 3, event 57", at=1_000))
    state = after(state, Corrected(place(state, "Ole", "Naisiae"), None, "played again", by="Resiato"))
    state = after(state, Undone(6, by="Resiato"))
    assert exported(state)["events"][4:] == [
        {"number": 5, "kind": "Reported", "at": 1000, "by": "", "pairing": {"made": 4, "number": 1},
         "result": {"score": [0, 0], "games": [0, 0], "drawn": 0, "winner": "N", "how": "walkover"},
         "source": "table 3, event 57", "skipped": ""},
        {"number": 6, "kind": "Corrected", "at": None, "by": "Resiato", "pairing": {"made": 4, "number": 1},
         "result": None, "why": "played again", "skipped": "undone by event 7"},
        {"number": 7, "kind": "Undone", "at": None, "by": "Resiato", "event": 6, "skipped": ""}]


def test_how_it_is_played_and_who_takes_part() -> None:
    state = after(fold([CUP, Entered("Herons", ("Nakato", "Wasswa")), Entered("Lions")]), Withdrew(3, "ill"))
    data = exported(state)
    assert (data["name"], data["system"], data["rounds_due"], data["wrong"]) == ("Narok cup", "knock-out", 0, [])
    assert data["order"] == ["reached", "third", "difference", "score", "games", "seed"]
    assert data["entries"] == [
        {"entry": 2, "name": "Herons", "members": ["Nakato", "Wasswa"], "withdrawn": False, "why": ""},
        {"entry": 3, "name": "Lions", "members": [], "withdrawn": True, "why": "ill"}]
    assert json.loads(json.dumps(data)) == data


def test_a_round_that_is_wrong_by_now_is_said_to_count_for_nothing() -> None:
    state = paired(told(paired(begun(4, CUP)), ("Ole", "Kip", 2, 1), ("Naisiae", "Sironka", 2, 1)))
    state = after(state, Corrected(place(state, "Ole", "Kip"), Result.walkover(N), "as it was", by="Resiato"))
    data = exported(state)
    assert [row["counts"] for row in data["rounds"]] == [True, True, False]
    assert [row["corrected"] for row in data["rounds"]] == [True, False, False]
    assert len(data["wrong"]) == 1 and data["wrong"][0].startswith("the result of round 1 has changed")


def test_a_name_is_no_formula_and_a_number_stays_one() -> None:
    for name in ("=HYPERLINK(1)", "+1", "-1", "@SUM(1)"):
        state = fold([ALL, Entered(name), Entered('Ole, "the first"')])
        text = table(exported(after(state, next_round(state)))["rounds"])
        assert {read(text)[0]["south"], read(text)[0]["north"]} == {f"'{name}", 'Ole, "the first"'}
    assert read(table([{"difference": -3, "name": "x"}])) == [{"difference": "-3", "name": "x"}]
    assert exported(state)["entries"][0]["name"] == "@SUM(1)", "other programs get it as it is"


def test_no_rows_are_no_table() -> None:
    assert table(exported(fold([ALL]))["rounds"]) == ""


def test_how_a_match_ended_is_said() -> None:
    state = paired(begun(2))
    given = Result((2, 0), (2, 0), winner=N, how=How.FORFEIT)
    row = exported(after(state, Reported(place(state, "Ole", "Naisiae"), given)))["rounds"][0]
    assert (row["south_score"], row["north_score"], row["winner"], row["how"]) == (2, 0, "N", "forfeit")
