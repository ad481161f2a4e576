"""Each game is told in its own words: Layli Goobalay's pits are uurs, not bulls."""

import re
from dataclasses import replace

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import expect

from device.journal.events import FaultSeen, GameStarted, MatchAgreed, VerdictGiven
from engine.board import Side
from engine.explain import sentence
from engine.position import Position
from engine.rules import MoveError, game, games, ruleset
from engine.verdict import Fault, Verdict
from tests.web.stage import Stage
from tests.web.visits import Open
from web.words import LANGUAGES, catalog, worded

LAYLI = ruleset("layligoobalay")
MAKES_UURS = Position.parse("0,0,0,5,0,3/3,1,1,1,2,0 S 19-13 ply=10")
"""South's c ends beside three of North's."""


def visible(page: str) -> str:
    """What stands on a page between its tags."""
    return re.sub(r"<[^>]+>", " ", page.partition("<main")[2].partition("</main>")[0])


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_games_own_words_take_the_place_of_the_pages(code: str) -> None:
    plain, table = catalog(code), worded(code, "layligoobalay")
    for key in LAYLI.words:
        assert table[key] == plain[f"layligoobalay.{key}"] != plain[key]
    assert worded(code, "enkeshui") == worded(code, "") == plain


def test_the_referee_s_sentences_call_an_uur_an_uur() -> None:
    for code, pit, lap in (("bull-lifted", 0, 1), ("bull-lifted", 2, 1), ("bull-missed", 2, 1)):
        verdict = Verdict("illegal", MAKES_UURS, MAKES_UURS, Side.SOUTH, "a", faults=(Fault(code, pit, lap),))
        told = sentence(verdict, LAYLI.verbs, LAYLI.nouns)
        assert "uur" in told and "bull" not in told and " a uur" not in told
        assert "bull" in sentence(verdict)


@pytest.mark.parametrize(("name", "explained"), [
    ("oware", ""), ("layligoobalay", "A pit that one side has made its own: its move"),
    ("ayoayo", "its last seed fell into an empty pit. Then")])
def test_the_first_screen_and_the_help_explain_the_game_s_own_words(
        stage: Stage, client: FlaskClient, name: str, explained: str) -> None:
    stage.begin(name, "2x6")
    table, played = client.get("/").text, client.get(f"/help/{name}").text
    assert explained in table and " bull" not in visible(table) + visible(played)
    assert (" lap" in visible(table) + visible(played)) == (name != "oware")
    assert ("A move, lap by lap" in played) == ("stopping too early" in played) == (name != "oware")


@pytest.mark.parametrize("name", [name for name in games() if not game(name).relays])
@pytest.mark.parametrize("code", LANGUAGES)
def test_a_game_of_single_laps_never_says_laps(stage: Stage, client: FlaskClient, code: str, name: str) -> None:
    number = stage.begin(name, str(game(name).boards[0]))
    stage.legal()
    foul = stage.cheat()
    stage.again(foul, "illegal")
    lap = {"en": "lap", "sw": "mzunguko", "lg": "lutalo", "ja": "周目"}[code]
    for path in (f"/games/{number - 1}", f"/games/{number - 1}/{foul}", "/fouls", f"/help/{name}"):
        page = client.get(path, headers={"Accept-Language": code})
        assert page.status_code == 200 and lap not in visible(page.text).lower(), path
    elsewhere = ("fault.bull-missed", "fault.stopped-short")  # faults of relays
    assert not [key for key, text in worded(code, name).items()
                if key.startswith(("fault.", "path.")) and "{lap}" in text and key not in elsewhere]


def test_a_past_game_is_told_in_its_own_words(stage: Stage, client: FlaskClient) -> None:
    number = stage.begin("layligoobalay", "2x6")
    stage.position = MAKES_UURS
    verdict = stage.legal("c")
    assert "uurs in" in client.get(f"/games/{number - 1}/{verdict}").text
    assert ">Bulls<" not in client.get("/help/layligoobalay").text


def test_the_steps_of_a_past_move_and_the_rules_say_uur_in_english(stage: Stage, client: FlaskClient) -> None:
    number = stage.begin("layligoobalay", "2x6")
    stage.position = MAKES_UURS
    verdict = stage.legal("c")
    page = client.get(f"/games/{number - 1}/{verdict}").text
    assert "f and A become uurs" in page
    assert "the move ends with a new uur" in page
    assert "bull" not in visible(page)
    with pytest.raises(MoveError, match="move f: pit f is an uur"):
        LAYLI.play(replace(stage.position, to_move=Side.SOUTH), "f")


def test_lists_of_several_games_tell_each_in_its_own_words(stage: Stage, client: FlaskClient) -> None:
    """A language other than English words the sentences anew."""
    for name, board in (("layligoobalay", "2x6"), ("enkeshui", "2x8")):
        stage.begin(name, board)
        before = str(stage.position)
        stage.journal.append(VerdictGiven(kind="illegal", player="S", move="c", before=before, position=before,
                                          sentence="South emptied c.", faults=[FaultSeen(code="bull-lifted", pit="c")]))
    client.set_cookie("inkeek-language", "sw")
    plain, layli = (worded("sw", game)["fault.bull-lifted"].format(pit="c") for game in ("enkeshui", "layligoobalay"))
    for address in ("/fouls", "/sheet"):
        page = client.get(address).text
        assert page.count(plain) == page.count(layli) == 1, address
    page = client.get("/").text  # the feed of the page without scripts has both games, too
    assert page.count(f"{layli}.") == page.count(f"{plain}.") == 1


@pytest.mark.parametrize("code", LANGUAGES)
def test_why_a_match_does_not_count_a_game_is_told_in_its_own_words(
        stage: Stage, client: FlaskClient, code: str) -> None:
    stage.journal.append(MatchAgreed(game="layligoobalay", board="2x6", form="games", number=3))
    stage.journal.append(GameStarted(game="layligoobalay", rules="wikipedia", board="2x6",
                                     position="0,0,0,0,0,0/2s,2,4,4,4,32 S 0-0"))
    client.set_cookie("inkeek-language", code)
    own, plain = (worded(code, game)["contest.bull"].rpartition("}")[2] for game in ("layligoobalay", ""))
    stage.begin("enkeshui", "2x8")
    page = client.get("/games").text
    assert own in page and plain not in page


@pytest.mark.browser
def test_the_live_page_goes_with_the_game_that_is_played(stage: Stage, visit: Open) -> None:
    stage.begin("layligoobalay", "2x6")
    stage.position = MAKES_UURS
    stage.legal("c")
    stage.live()
    page = visit(calm=True)
    expect(page.locator("#legend")).to_contain_text("South's uur")
    expect(page.locator("#player-S")).to_contain_text("4 seeds in uurs")
    assert "bull" not in page.locator("main").inner_text()
    stage.begin("enkeshui", "2x8")
    expect(page.locator("#legend")).to_contain_text("South’s bull")
    page.context.add_cookies([{"name": "inkeek-language", "value": "sw", "url": page.url}])
    page.reload()
    said = worded("sw", "layligoobalay")["said.bulls"].partition("{")[0]
    assert said != worded("sw", "")["said.bulls"].partition("{")[0]
    expect(page.locator("#feed .verdict")).to_contain_text(said)
