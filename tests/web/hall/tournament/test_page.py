"""The page of a tournament: what a director may do there, what others may not, and what is taken away."""

import csv
import io
import re
from html import unescape
from typing import Any

import pytest
from flask.testing import FlaskClient

from engine.tournaments import Reported, Result, System, TournamentState, Undone, standings
from tests.web.hall.tournament.conftest import TOKEN, Director, Page
from tests.web.hall.tournament.tables import over, results

FORM: dict[str, str | list[str]] = {
    "name": "Narok cup", "about": "Omweso", "system": "round-robin", "cycles": "1", "counts": "matches",
    "entries": "Ole\n  Kip \n\nNaisiae\nHerons: Nakato,Wasswa", "table": ["table-1", "table-3"], "more": "yard, "}


def text_of(page: str) -> str:
    """What stands on a page, without its tags."""
    main = page[page.index("<main"):page.index("</main>")]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", main)).split())


def state(hall: Page) -> TournamentState:
    return hall.tables.cup.state


def begun(director: Director, **other: str) -> tuple[int, str]:
    fields: dict[str, Any] = {**FORM, **other}
    return director.send("/tournament/begin", **fields)


def made(director: Director, number: int = 1, **other: str) -> tuple[int, str]:
    fields: dict[str, Any] = {"round": str(number), **other}
    return director.send("/tournament/round", **fields)


# ---- who may do what

def test_who_is_not_signed_in_sees_all_and_changes_nothing(hall: Page, client: FlaskClient) -> None:
    page = client.get("/tournament").text
    assert "There is no tournament yet." in page and "<form" not in text_of(page) and "/tournament/begin" not in page
    hall.tables.begin("Ole", "Kip")
    hall.tables.make()
    before = state(hall)
    token = TOKEN.search(client.get("/director").text)
    assert token is not None
    place = next(before.pairings).place
    for path in ("begin", "enter", "round", "withdraw", "rename", "undo", f"match/{place.made}/{place.number}",
                 f"match/{place.made}/{place.number}/table"):
        answer = client.post(f"/tournament/{path}", data={"csrf_token": token[1], "round": "2", "event": "2",
                                                          "entry": "2", "how": "played", **FORM})
        assert answer.status_code == 403 and "Ruling needs the referee" in answer.text, path
    assert state(hall) is before
    page = client.get(f"/tournament/match/{place.made}/{place.number}").text
    assert "Sign in to lead the tournament." in page and 'name="south"' not in page


def test_a_form_without_its_token_does_nothing(hall: Page, director: Director) -> None:
    answer = director.client.post("/tournament/begin", data=FORM)
    assert answer.status_code == 400 and "The page was open too long." in answer.text
    assert state(hall).begun is None


# ---- beginning, entering, rounds

def test_a_director_begins_a_tournament(hall: Page, director: Director) -> None:
    status, page = begun(director)
    assert status == 200 and "Narok cup has begun." in page
    now = state(hall)
    assert [(one.name, one.members) for one in now.entries] == [
        ("Ole", ()), ("Kip", ()), ("Naisiae", ()), ("Herons", ("Nakato", "Wasswa"))]
    assert now.tables == ("table-1", "table-3", "yard")
    assert (now.agreed.name, now.agreed.about, now.agreed.system) == ("Narok cup", "Omweso", System.ROUND_ROBIN)
    assert now.agreed.at is not None
    assert "<h1>Narok cup</h1>" in page and "No round has been made yet." in page


@pytest.mark.parametrize(("wrong", "at", "why"), [
    ({"name": " "}, "name", "The tournament's name is '': 1 to 40 printable characters, no space around them."),
    ({"entries": "Ole\nole"}, "entries", "Ole is entered already."),
    ({"entries": "A: Kip\nB: kip"}, "entries", "Kip plays for A already."),
    ({"more": "yard, yard"}, "more", "Table yard is named twice."),
    ({"cycles": "many"}, "cycles", "“many” is no number: 0 to 9999."),
    ({"cycles": "9"}, "name", "Every two meet 9 times: 4 times at the most."),
])
def test_what_is_typed_wrong_is_said_at_its_field_and_nothing_is_lost(
    hall: Page, director: Director, wrong: dict[str, str], at: str, why: str
) -> None:
    status, page = begun(director, **wrong)
    assert status == 400
    assert why.casefold() in unescape(page).casefold()
    assert f'id="wrong-{at}"' in page
    assert "Omweso" in page and ("Naisiae" in page or "entries" in wrong)
    assert state(hall).begun is None


def test_fields_of_the_other_kind_count_for_nothing(hall: Page, director: Director) -> None:
    assert begun(director, system="knock-out", cycles="3", counts="score", third="yes")[0] == 200
    assert (state(hall).agreed.cycles, state(hall).agreed.third_place) == (1, True)
    assert begun(director, system="round-robin", third="yes")[0] == 200
    assert not state(hall).agreed.third_place


def test_more_may_enter_until_the_first_round(hall: Page, director: Director) -> None:
    begun(director)
    status, page = director.send("/tournament/enter", **{"more-entries": "Sironka\nOle"})
    assert status == 400 and "Ole is entered already." in page and len(state(hall).entries) == 4
    assert director.send("/tournament/enter", **{"more-entries": "Sironka"})[0] == 200
    assert state(hall).entries[-1].name == "Sironka"
    made(director)
    status, page = director.send("/tournament/enter", **{"more-entries": "Lemayian"})
    assert status == 400 and "Lemayian cannot enter: the first round is made." in page


def test_rounds_are_made_one_by_one_or_all_and_none_twice(hall: Page, director: Director) -> None:
    begun(director)
    status, page = made(director)
    assert status == 200 and "Round 1 of 3" in page and "yard" not in text_of(page).split("Round 1 of 3")[1][:200]
    made(director)  # the page was open twice
    assert len(state(hall).rounds) == 1
    made(director, 2, all="yes")
    assert len(state(hall).rounds) == 3
    assert "Make round" not in director.client.get("/tournament").text


def test_the_page_shows_the_rounds_that_matter_now_and_another_all_of_them(hall: Page, director: Director) -> None:
    begun(director, entries="\n".join(f"Player {i}" for i in range(1, 11)))
    made(director, all="yes")
    shown = re.findall(r"Round (\d) of 9", director.client.get("/tournament").text)
    assert shown == ["1", "2", "3"]
    for made_round in state(hall).rounds[:5]:
        for one in made_round.pairings:
            hall.tables.cup.happen(Reported(one.place, Result.played(1, 0)))
    page = director.client.get("/tournament").text
    assert re.findall(r"Round (\d) of 9", page) == ["6", "7", "8", "5", "4", "3"]
    assert "/tournament/rounds" in page
    everything = director.client.get("/tournament/rounds").text
    assert re.findall(r"Round (\d) of 9", everything) == list("123456789")


def test_a_whole_crowd_is_entered_at_once(hall: Page, director: Director) -> None:
    crowd = "\n".join(f"{'Ö' * 30} {i}: {'é' * 20} {i}" for i in range(128))
    assert begun(director, entries=crowd)[0] == 200
    assert len(state(hall).entries) == 128


def test_no_page_is_heavy(hall: Page, director: Director) -> None:
    begun(director, entries="\n".join(f"Player {i}" for i in range(40)))
    made(director, all="yes")
    assert len(director.client.get("/tournament").get_data()) < 110_000


def test_a_round_that_waits_for_results_is_refused_in_a_sentence(hall: Page, director: Director) -> None:
    begun(director, system="knock-out")
    made(director)
    status, page = made(director, 2)
    assert status == 409
    assert "Round 2 cannot be made: Ole and Herons have no winner in round 1." in page


def test_a_round_is_undone_once_that_was_said_for_sure(hall: Page, director: Director) -> None:
    begun(director)
    made(director)
    event = str(state(hall).rounds[0].made)
    status, page = director.send("/tournament/undo", event=event, ask="yes")
    assert status == 400 and "Say first that the round is to be undone." in page and len(state(hall).rounds) == 1
    assert director.send("/tournament/undo", event=event, ask="yes", sure="yes")[0] == 200
    assert state(hall).rounds == ()


def test_somebody_withdraws_and_plays_on(hall: Page, director: Director) -> None:
    begun(director)
    kip = state(hall).entries[1].number
    page = director.send("/tournament/withdraw", entry=str(kip), why="ill")[1]
    assert state(hall).entry(kip).withdrawn and "Kip plays on" in page
    director.send("/tournament/undo", event=str(len(state(hall).log)))
    assert not state(hall).entry(kip).withdrawn


def test_a_name_that_was_written_wrong_is_changed_and_then_its_results_come(hall: Page, director: Director) -> None:
    begun(director, entries="Olle\nKip")
    made(director)
    stage = hall.tables.agree("table-1", "Ole", "Kip")
    over(stage)
    hall.tables.copy()
    assert results(state(hall)) == ["Olle ? Kip"]
    entry = str(state(hall).entries[0].number)
    status, page = director.send("/tournament/rename", entry=entry, to="KIP")
    assert status == 409 and "KIP is entered already." in page
    assert director.send("/tournament/rename", entry=entry, to="Ole: Naisiae, Sironka")[0] == 200
    assert state(hall).entries[0].members == ("Naisiae", "Sironka")
    hall.tables.cup.look()
    assert results(state(hall)) == ["Ole 1–0 Kip"]


@pytest.mark.parametrize("path", ["/tournament/withdraw", "/tournament/undo", "/tournament/rename"])
def test_numbers_that_are_none_are_refused(hall: Page, director: Director, path: str) -> None:
    begun(director)
    for number in ("", "x", "-1", "²", "9" * 30):
        assert director.send(path, entry=number, event=number)[0] == 400


# ---- results

def match_page(hall: Page, one: str, other: str) -> str:
    for pairing in state(hall).pairings:
        if {state(hall).name(n) for n in pairing.paired.entries} == {one, other}:
            return f"/tournament/match/{pairing.place.made}/{pairing.place.number}"
    raise AssertionError((one, other))


def test_a_director_corrects_a_result_which_leaves_a_trace(hall: Page, director: Director) -> None:
    begun(director, entries="Ole\nKip")
    made(director)
    hall.tables.play("table-1", "Ole", "Kip", "S")
    hall.tables.copy()
    at = match_page(hall, "Ole", "Kip")
    assert text_of(director.client.get(at).text).count("The table says (table-1): 1 – 0") == 1
    status, page = director.send(at, at, how="played", south="0", north="2", by="Resiato", why="a ruling")
    assert status == 200 and results(state(hall)) == ["Ole 0–2 Kip"]
    assert "Resiato rules: 0 – 2 a ruling" in text_of(page)
    assert 'value="Resiato"' in page, "the name need not be typed again"
    undo = len(state(hall).log)
    place = at.removeprefix("/tournament/match/").replace("/", "-")
    page = director.send("/tournament/undo", at, event=str(undo), by="Resiato", back=place)[1]
    assert results(state(hall)) == ["Ole 1–0 Kip"] and f"undone by event {undo + 1}" in page


@pytest.mark.parametrize(("fields", "score", "how"), [
    ({"how": "played", "south": "3", "north": "2", "games-south": "1"}, "Ole 3–2 Kip", "played"),
    ({"how": "gave-up-N", "south": "0", "north": "1"}, "Ole 0–1 Kip", "forfeit"),
    ({"how": "alone-N", "south": "7"}, "Ole 0–0 Kip", "walkover"),
    ({"how": "neither"}, "Ole 0–0 Kip", "neither"),
    ({"how": "again"}, "Ole ? Kip", ""),
])
def test_the_ways_in_which_a_match_may_have_ended(hall: Page, director: Director, fields: dict[str, str], score: str,
                                                   how: str) -> None:
    begun(director, entries="Ole\nKip")
    made(director)
    at = match_page(hall, "Ole", "Kip")
    assert director.send(at, at, by="Resiato", why="so", **fields)[0] == 200
    assert results(state(hall)) == [score]
    result = next(state(hall).pairings).ruled
    assert ("" if result is None else result.how.value) == how
    if "games-south" in fields:
        assert result is not None and result.games == (1, 2)


@pytest.mark.parametrize(("fields", "status", "why"), [
    ({"how": "played", "south": "two"}, 400, "“two” is no number: 0 to 9999."),
    ({"how": "played", "south": "-1"}, 400, "“-1” is no number: 0 to 9999."),
    ({}, 400, "Say how it ended."),
    ({"how": "lot-S"}, 409, "A lot decides a level score only, and only in a knock-out."),
    ({"how": "played", "by": ""}, 409, "A correction says who made it."),
    ({"how": "played", "why": ""}, 409, "A correction says why."),
])
def test_a_correction_that_cannot_be_is_refused_and_stays_typed(hall: Page, director: Director, fields: dict[str, str],
                                                                status: int, why: str) -> None:
    begun(director, entries="Ole\nKip")
    made(director)
    at = match_page(hall, "Ole", "Kip")
    found, page = director.send(at, at, **{"north": "17", "by": "Resiato", "why": "a ruling", **fields})
    assert found == status and why in unescape(page)
    assert 'value="17"' in page
    assert results(state(hall)) == ["Ole ? Kip"]


def test_a_match_moves_to_another_table(hall: Page, director: Director) -> None:
    begun(director)
    made(director)
    at = match_page(hall, "Ole", "Herons")
    taken = next(one.paired.table for one in state(hall).pairings if one.place.number == 2)
    assert director.send(f"{at}/table", at, table=taken, sitting="1")[0] == 409
    assert director.send(f"{at}/table", at, table="yard", sitting="1")[0] == 200
    assert next(state(hall).pairings).paired.table == "yard"


@pytest.mark.parametrize("path", ["/tournament/match/99/1", "/tournament/match/7/9", "/tournament/match/7/0",
                                  "/tournament/export/evil", "/tournament/match/x/1"])
def test_what_is_not_there_is_not_found(hall: Page, director: Director, path: str) -> None:
    begun(director)
    made(director)
    assert director.client.get(path).status_code == 404


def test_the_standings_say_why_in_the_visitors_language(hall: Page, director: Director) -> None:
    begun(director, entries="Ole\nKip\nNaisiae", table="table-1")
    made(director, all="yes")
    for south, north in (("Ole", "Kip"), ("Kip", "Naisiae")):
        hall.tables.play("table-1", south, north)
    hall.tables.copy()
    assert [row.name for row in standings(state(hall))] == ["Ole", "Kip", "Naisiae"]
    assert "Ahead of Kip: won their match against each other." in director.client.get("/tournament").text
    japanese = director.client.get("/tournament", headers={"Accept-Language": "ja"}).text
    assert "against" not in text_of(japanese) and "Kip" in japanese


def test_names_are_text_and_no_markup(hall: Page, director: Director) -> None:
    begun(director, name="<b>Cup</b>", entries="<script>alert(1)</script>\nKip", more="<i>")
    page = made(director)[1]
    assert "<script>alert" not in page and "<b>Cup" not in page and "&lt;script&gt;" in page


# ---- to take away

def test_everything_is_taken_away_as_json_and_the_tables_as_csv(hall: Page, director: Director) -> None:
    assert director.client.get("/tournament/export/json").status_code == 404
    begun(director, name="Nárok", entries="Ole\n=1+1", table="table-2", more="")
    made(director)
    everything = director.client.get("/tournament/export/json")
    data = everything.get_json()
    assert data["name"] == "Nárok" and [row["name"] for row in data["standings"]] == ["Ole", "=1+1"]
    assert len(data["events"]) == len(state(hall).log)
    assert everything.headers["Content-Disposition"] == 'attachment; filename="tournament-1.json"'
    rows = list(csv.DictReader(io.StringIO(director.client.get("/tournament/export/rounds.csv").text)))
    assert [(row["south"], row["north"], row["table"]) for row in rows] == [("Ole", "'=1+1", "table-2")]
    standing = director.client.get("/tournament/export/standings.csv")
    assert standing.mimetype == "text/csv" and standing.text.startswith("place,entry,name,")


def test_a_tournament_is_there_after_the_hall_has_started_anew(hall: Page, director: Director) -> None:
    begun(director)
    made(director)
    before = state(hall)
    hall.tables.cup.happen(Undone(len(before.log)))
    again = hall.tables.log_of(1)
    assert [event for event, _ in again] == [one.event for one in state(hall).log]
