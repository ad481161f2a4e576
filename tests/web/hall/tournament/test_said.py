"""What the page of a tournament says of what a director did, and of who is ahead before anything is played."""

from html import unescape

from tests.web.hall.tournament.conftest import Director, Page
from tests.web.hall.tournament.test_page import begun, made, match_page, state, text_of


def said(page: str) -> str:
    """The sentence that says what was done."""
    return unescape(page.partition('<p class="notice good" role="status">')[2].partition("</p>")[0])


def test_what_was_done_is_said_once(hall: Page, director: Director) -> None:
    begun(director)
    entered = director.send("/tournament/enter", **{"more-entries": "Sironka\nLasoi"})[1]
    assert said(entered) == "Entered: Sironka, Lasoi."
    kip = str(state(hall).entries[1].number)
    assert said(director.send("/tournament/withdraw", entry=kip)[1]) == "Kip has withdrawn."
    assert said(director.send("/tournament/undo", event=str(len(state(hall).log)))[1]) == "Kip plays on."
    assert said(director.send("/tournament/rename", entry=kip, to="Kipkoech")[1]) == "The name is Kipkoech now."
    assert said(made(director)[1]) == "Round 1 is made."
    assert said(made(director)[1]) == "That round has been made already."
    assert said(made(director, 2, all="yes")[1]) == "Rounds 2 to 5 are made."
    last = str(state(hall).rounds[-1].made)
    assert said(director.send("/tournament/undo", event=last, ask="yes", sure="yes")[1]) == "Round 5 is undone."
    assert said(director.client.get("/tournament").text) == ""


def test_what_was_done_with_a_match_is_said_at_the_match(hall: Page, director: Director) -> None:
    begun(director, entries="Ole\nKip")
    made(director)
    at = match_page(hall, "Ole", "Kip")
    assert said(director.send(f"{at}/table", at, table="yard")[1]) == "The match is at table yard now."
    who = {"by": "Resiato", "why": "so"}
    assert said(director.send(at, at, how="played", south="2", north="1", **who)[1]) == "Result saved: 2 – 1."
    assert said(director.send("/tournament/undo", at, event=str(len(state(hall).log)))[1]) == "Undone."
    assert said(director.send(at, at, how="again", **who)[1]) == "The match is to be played again."


def test_a_result_that_people_alone_say_is_entered_and_not_corrected(hall: Page, director: Director) -> None:
    begun(director, entries="Ole\nKip\nNaisiae\nHerons")
    made(director)
    hall.tables.play("table-1", "Kip", "Naisiae")
    hall.tables.copy()
    who = {"by": "Resiato", "why": "so", "how": "played", "south": "0", "north": "2"}
    for one, other, button, mark in (("Ole", "Herons", "Enter", "entered here"),
                                     ("Kip", "Naisiae", "Correct", "corrected")):
        at = match_page(hall, one, other)
        assert f"{button} the result" in director.client.get(at).text
        assert f"0 – 2 {mark}" in text_of(director.send(at, at, **who)[1])
    page = text_of(director.client.get("/tournament").text)
    assert page.count("entered here") == page.count("0 – 2 corrected") == 1


def test_nobody_is_called_ahead_before_anything_is_played(hall: Page, director: Director) -> None:
    begun(director, entries="Ole\nKip\nNaisiae\nHerons")
    assert "head of" not in made(director)[1]
    at = match_page(hall, "Ole", "Herons")
    director.send(at, at, how="played", south="1", north="1", by="Resiato", why="so")
    page = text_of(director.client.get("/tournament").text)
    assert "Ahead of Herons" in page and "Ahead of Naisiae" not in page
