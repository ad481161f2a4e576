"""Past games and the match: pages made by the server, what can be taken away, who may agree on a match."""

import csv
import io
import json
import re
import zipfile

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import expect

from device.journal.events import (
    Blind,
    GameOver,
    GameStarted,
    LetStand,
    MatchAgreed,
    NotAsSeen,
    OrderAnswered,
    PositionSet,
    RulingUndone,
    TeamsNamed,
    Undo,
    VerdictGiven,
)
from engine.records.reader import read
from tests.quick_pin import set_pin
from tests.web.conftest import Served
from tests.web.shots import day
from tests.web.stage import Stage
from tests.web.visits import Open, fits
from web.readmodel.shapes import pits
from web.views.games.history import table_csv

MARKUP = "<script>alert(1)</script>"
AGREED = {"form": "enkeshui/sticks", "number": "3", "board-enkeshui": "2x8/2x8-right"}


# ---- games

def test_no_games_yet(client: FlaskClient) -> None:
    assert "No game has been played yet." in client.get("/games").text


def test_games_without_a_match_have_a_sheet_too(client: FlaskClient) -> None:
    assert 'href="/sheet"' in client.get("/match").text


def test_games_of_the_day(stage: Stage, client: FlaskClient) -> None:
    day(stage)
    page = client.get("/games").text
    assert page.count('class="card row"') == 3
    assert "Naserian &amp; Lemayian won 16–6" in page and "game 3 of the match" in page and "in progress" in page


@pytest.mark.parametrize(("began", "ended", "wrong"), [
    ("1970-01-01T00:00:09.000Z", "2026-11-26T15:00:00.000Z", True),
    ("2026-11-26T15:00:00.000Z", "2026-11-26T14:00:00.000Z", True),
    ("2026-11-26T15:00:00.000Z", "2026-11-26T15:20:00.000Z", False)])
def test_times_that_cannot_be_are_marked(stage: Stage, client: FlaskClient, began: str, ended: str,
                                         wrong: bool) -> None:
    position = str(stage.rules.setup())
    game, _ = stage.journal.append_all([
        (GameStarted(game="enkeshui", rules="driedger", board="2x8", position=position), began),
        (GameOver(result="40-24", winner="S", reason="N cannot move"), ended)])
    pages = [client.get(path).text for path in ("/games", f"/games/{game.number}", "/sheet")]
    assert ["clock was wrong" in page for page in pages] == [wrong] * 3


def test_many_games_are_listed_by_pages(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    begun = next(event.body for event in stage.journal.read() if isinstance(event.body, GameStarted))
    stage.journal.append_all([(begun, "")] * 249)
    seen: list[str] = []
    link = "/games"
    for listed in (100, 100, 50):
        page = client.get(link).text
        games = re.findall(r'class="card row" href="/games/(\d+)"', page)
        assert len(games) == listed
        assert page.count("in progress") == (1 if link == "/games" else 0), "only the newest game can be on"
        seen += games
        following = re.search(r'href="(/games\?before=\d+)"', page)
        link = following[1] if following else ""
    assert link == "" and len(set(seen)) == 250 and seen == sorted(seen, key=int, reverse=True)
    assert client.get("/games?before=x").text.count('class="card row"') == 100


def test_one_game_move_by_move(stage: Stage, client: FlaskClient) -> None:
    begun = stage.begin() - 1
    first, second = stage.legal("c"), stage.cheat()
    order = stage.journal.append(LetStand(verdict=second)).number
    stage.journal.append(OrderAnswered(order=order, done=True, sentence="It stands, they say."))
    page = client.get(f"/games/{begun}").text
    assert f"/games/{begun}/{first}" in page and f"/games/{begun}/{second}" in page
    assert "two seeds into" in page and "It stands, they say." in page
    move = client.get(f"/games/{begun}/{second}").text
    assert move.count('class="small-board"') == 3 and move.count("ring-odd") == 4
    assert re.search(r'<li class="drop wrong">[^<]*two seeds into', move)
    assert len(set(re.findall(r"/evidence/[0-9a-f]{64}\.jpg", move))) == 2
    assert "/card.png" in move and f'rel="prev" href="/games/{begun}/{first}"' in move
    assert 'rel="next"' not in move


@pytest.mark.parametrize("path", ["/games/1", "/games/99999999999999999999", "/games/2/1",
                                  "/games/2/99999999999999999999", "/games/-1", "/games/x",
                                  "/games/1/record.txt", "/games/9/moves.csv"])
def test_games_that_are_none(stage: Stage, client: FlaskClient, path: str) -> None:
    stage.begin()
    assert client.get(path).status_code == 404


def test_record_reads_back(stage: Stage, client: FlaskClient) -> None:
    begun = stage.begin() - 1
    stage.legal("c")
    stage.legal()
    answer = client.get(f"/games/{begun}/record.txt")
    assert answer.mimetype == "text/plain" and "attachment" in answer.headers["Content-Disposition"]
    (record,) = read(answer.text)
    assert record.items[0].word == "c" and len(record.items) == 2
    told = json.loads(client.get(f"/games/{begun}/game.json").text)
    assert told["game"] == "enkeshui" and len(told["moves"]) == 2


def test_tables_to_take_away(stage: Stage, client: FlaskClient) -> None:
    day(stage)
    rows = list(csv.DictReader(io.StringIO(client.get("/games.csv").text)))
    assert [row["winner"] for row in rows] == ["S", "N", ""] and [row["game_of_match"] for row in rows] == list("123")
    moves = list(csv.DictReader(io.StringIO(client.get(f"/games/{rows[0]['event']}/moves.csv").text)))
    assert [row["verdict"] for row in moves] == ["legal", "illegal"] and moves[1]["faults"].startswith("double:")


@pytest.mark.parametrize("cell", ["=1+1", "+cmd|' /C calc'!A0", "-2", "@SUM(A1)", "\t=1"])
def test_no_cell_is_a_formula(cell: str) -> None:
    (row,) = list(csv.reader(io.StringIO(table_csv(["x"], [[cell]]))))[1:]
    assert row == [f"'{cell}"]


def test_words_of_the_journal_are_text(stage: Stage, client: FlaskClient) -> None:
    begun = stage.begin() - 1
    stage.journal.append(PositionSet(position=str(stage.position), why=MARKUP))
    stage.journal.append(Blind(why=MARKUP))
    stage.journal.append(TeamsNamed(south=[MARKUP[:40]]))
    stage.journal.append(GameOver(result="1-0", winner="S", reason=MARKUP))
    for path in ("/", "/games", f"/games/{begun}", "/match", "/sheet"):
        page = client.get(path).text
        assert "<script>alert" not in page
    assert "&lt;script&gt;" in client.get("/sheet").text


# ---- ruling on a past move

def rule(client: FlaskClient, game: int, verdict: int, what: str, **more: str) -> str:
    answer = client.post(f"/games/{game}/{verdict}/rule", data={"what": what, **more})
    assert answer.status_code == 303, answer.text
    return client.get(answer.headers["Location"]).text


def test_a_past_move_is_ruled_on_from_its_page(stage: Stage, client: FlaskClient) -> None:
    begun = stage.begin() - 1
    first, _ = stage.cheat("c"), stage.legal()
    page = client.get(f"/games/{begun}/{first}").text
    assert "Take back this move and all later ones" in page and 'name="n-a"' in page
    assert "The table is carrying it out" in rule(client, begun, first, "stand")
    assert stage.journal.read()[-1].body == LetStand(verdict=first, by="page")
    order = stage.journal.last
    stage.journal.append(OrderAnswered(order=order, done=True, sentence="That move stands."))
    page = client.get(f"/games/{begun}/{first}").text
    assert "That move stands." in page and f'name="undo" value="{order}"' in page
    rule(client, begun, first, "undo", undo=str(order))
    assert stage.journal.read()[-1].body == Undo(order=order, by="page")


def test_a_past_move_is_counted_anew_from_its_page(stage: Stage, client: FlaskClient) -> None:
    begun = stage.begin() - 1
    first, second = stage.cheat("c"), stage.legal()
    named = pits("2x8")
    counts = {f"n-{pit['name']}": str(i) for i, pit in enumerate(named)}
    rule(client, begun, first, "not-as-seen", **counts, sure="yes", odd="yes")
    assert stage.journal.read()[-1].body == NotAsSeen(verdict=first, counts=list(range(16)), by="page")
    order = stage.journal.last
    anew = [stage.again(first, "legal"), stage.again(second, "legal")]
    stage.journal.append(OrderAnswered(order=order, done=True, sentence="Judged again, they say."))
    page = client.get(f"/games/{begun}/{first}").text
    assert "Replaced by a later judgement." in page and f'href="/games/{begun}/{anew[0]}"' in page
    assert 'value="withdraw"' not in page, "it stands no more"
    listed = client.get(f"/games/{begun}").text
    assert len(re.findall(r'class="card row verdict \w+ gone"', listed)) == 2
    games = client.get("/api/v1/games").get_json()["games"]
    assert games[0]["fouls"] == 0, "what was judged otherwise since is no foul"
    stage.journal.append(RulingUndone(order=order, position=str(stage.position), verdict=second))
    assert client.get("/api/v1/games").get_json()["games"][0]["fouls"] == 1
    assert "the ruling was undone" in client.get(f"/games/{begun}/{anew[0]}").text


def test_captured_seeds_are_corrected_from_a_moves_page(stage: Stage, client: FlaskClient) -> None:
    begun = stage.begin() - 1
    last = stage.legal()
    lying, (south, north) = list(stage.position.counts), stage.position.captured
    counts = {f"n-{pit['name']}": str(n) for pit, n in zip(pits("2x8"), lying, strict=True)}
    known = {"captured-S": str(south), "captured-N": str(north)}
    assert f'name="captured-S" inputmode="numeric" maxlength="2" required value="{south}"' in client.get(
        f"/games/{begun}/{last}").text
    for wrong, why in (("x", "North cannot have captured “x” seeds."), (str(north + 1), "make 49; this game has 48.")):
        asked = {"what": "not-as-seen", **counts, **known, "captured-N": wrong}
        answer = client.post(f"/games/{begun}/{last}/rule", data=asked)
        assert answer.status_code == 400 and why in answer.text and f'value="{wrong}"' in answer.text
    rule(client, begun, last, "not-as-seen", **counts, **known)
    assert stage.journal.read()[-1].body == NotAsSeen(verdict=last, counts=lying, by="page")
    stage.take()
    last = next(event.number for event in reversed(stage.journal.read()) if isinstance(event.body, VerdictGiven))
    rule(client, begun, last, "not-as-seen", **counts, **known | {"captured-S": str(south - 1)})
    order = stage.journal.read()[-1].body
    assert order == NotAsSeen(verdict=last, counts=lying, captured=[south - 1, north], by="page")


@pytest.mark.parametrize(("data", "status", "word"), [
    ({"what": "burn"}, 400, ""), ({"what": "undo", "undo": "x"}, 400, ""),
    ({"what": "undo", "undo": "4"}, 409, "undone"),
    ({"what": "not-as-seen"}, 400, "Pit a"), ({"what": "not-as-seen", "n-a": "<b>"}, 400, "“&lt;b&gt;”")])
def test_rulings_that_cannot_be(stage: Stage, client: FlaskClient, data: dict[str, str], status: int,
                                word: str) -> None:
    begun = stage.begin() - 1
    last = stage.cheat()
    answer = client.post(f"/games/{begun}/{last}/rule", data=data)
    assert answer.status_code == status and word in answer.text
    assert "<b>" not in answer.text
    assert stage.journal.last == last


def test_who_watches_is_offered_no_ruling_on_a_past_move(stage: Stage, client: FlaskClient) -> None:
    begun = stage.begin() - 1
    last = stage.cheat()
    set_pin(stage.folder / "page.pin", "271828")
    assert "/rule" not in client.get(f"/games/{begun}/{last}").text
    answer = client.post(f"/games/{begun}/{last}/rule", data={"what": "stand"})
    assert answer.status_code == 403 and stage.journal.last == last


# ---- the match

def test_agreeing_on_a_match(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    assert client.post("/match/agree", data=AGREED).status_code == 303
    assert stage.journal.read()[-1].body == MatchAgreed(game="enkeshui", board="2x8", form="sticks", rules="driedger",
                                                        number=3, by="page")
    page = client.get("/match").text
    assert "Now: game 1 of" in page and "inkeek" in page
    assert client.get("/table").get_json()["table"]["table"]["match"]["score"] == [0, 0]


@pytest.mark.parametrize(("change", "word"), [
    ({"form": "chess"}, "“chess”"), ({"form": ""}, "kind of match"),
    ({"form": "enkeshui/points"}, "“enkeshui/points”"), ({"number": "-1"}, "“-1”"),
    ({"number": "100"}, "“100”"), ({"number": "٣"}, "is not possible"),
    ({"number": "0"}, "“0” is not possible; enter 1 to 99"),
    ({"number": "drei"}, "“drei” is not possible; enter 1 to 99"),
    ({"board-enkeshui": "2x9/"}, "not played on a 2 × 9 board"), ({"board-enkeshui": ""}, "not played"),
    ({"rules-enkeshui": "house"}, "house"),
    ({"form": MARKUP}, "&lt;script&gt;"),
])
def test_matches_that_cannot_be(stage: Stage, client: FlaskClient, change: dict[str, str], word: str) -> None:
    last = stage.begin()
    answer = client.post("/match/agree", data=AGREED | change)
    assert answer.status_code == 400 and word in answer.text and "Traceback" not in answer.text
    assert "MatchBegun" not in answer.text, "no inner word"
    assert stage.journal.last == last


def test_naming_the_teams(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    form = {"south": " Naserian \r\n\r\nLemayian", "north": "Sironka", "south-name": " Kampala Lions "}
    assert client.post("/match/teams", data=form).status_code == 303
    assert stage.journal.read()[-1].body == TeamsNamed(south=["Naserian", "Lemayian"], north=["Sironka"], by="page",
                                                       south_name="Kampala Lions")
    page = client.get("/match").text
    assert 'value="Kampala Lions"' in page and "Kampala Lions – Naserian, Lemayian" in client.get("/sheet").text
    assert "Signature: Kampala Lions" in client.get("/sheet").text
    both = client.post("/match/teams", data=form | {"north-name": "Kampala Lions"})
    assert both.status_code == 400 and "both teams are called Kampala Lions" in both.text


@pytest.mark.parametrize(("south", "north", "word"), [
    ("\n".join("abcdef"), "", "6 names"), ("a\na", "", "twice"), ("a", "a", "both sides"),
    ("x" * 41, "", "40 printable"), ("\u202eevil", "", "40 printable"),
])
def test_teams_that_cannot_be(stage: Stage, client: FlaskClient, south: str, north: str, word: str) -> None:
    last = stage.begin()
    answer = client.post("/match/teams", data={"south": south, "north": north})
    assert answer.status_code == 400 and word in answer.text
    assert stage.journal.last == last


@pytest.mark.parametrize("path", ["/match/agree", "/match/teams"])
def test_spectators_agree_on_nothing(stage: Stage, app: Flask, path: str) -> None:
    last = stage.begin()
    answer = app.test_client().post(path, data=AGREED, environ_overrides={"REMOTE_ADDR": "10.0.0.9"})
    assert answer.status_code == 403 and stage.journal.last == last


def test_next_game_from_what_is_due(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    stage.journal.append(MatchAgreed(game="enkeshui", board="2x8", form="surplus", rules="driedger"))
    order = {"type": "NewGame", "game": "enkeshui", "rules": "", "board": "2x8", "position": "due"}
    stage.journal.append(GameOver(result="30-18", winner="S", reason="North cannot move"))
    assert client.post("/orders", json=order).status_code == 201
    body = stage.journal.read()[-1].body
    assert getattr(body, "position", "").endswith("S 6-0 ply=0")
    other = client.post("/orders", json=order | {"board": "2x12"})
    assert other.status_code == 409 and "another board" in other.get_json()["error"]


# ---- in a browser

@pytest.mark.browser
def test_a_past_move_is_stepped_through(stage: Stage, served: Served, visit: Open) -> None:
    stage.begin()
    stage.legal("c")
    stage.cheat()
    stage.begin()
    page = visit(path="games")
    page.locator("a.row").last.click()
    page.locator("a.verdict.illegal").click()
    expect(page.locator(".path-said")).to_contain_text("foul here")
    page.get_by_role("button", name="To the start").click()
    expect(page.locator(".path-said")).to_contain_text("Step 0")
    page.keyboard.press("Tab")
    page.locator("h1").click()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("h1")).to_have_text("1 of 2: South c")


@pytest.mark.browser
@pytest.mark.parametrize("path", ["games", "games/2", "match", "sheet", "referee", ""])
def test_fits_a_small_phone(stage: Stage, visit: Open, path: str) -> None:
    day(stage)
    page = visit(width=320, height=640, path=path)
    fits(page, 320)


@pytest.mark.browser
def test_without_scripts_the_first_view_says_it(stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.legal("c")
    stage.cheat()
    stage.live()
    page = visit(script=False)
    expect(page.locator("#mood")).to_have_text("Illegal move")
    expect(page.locator("#feed .illegal .sentence")).to_contain_text("two seeds into")
    expect(page.locator("#board text.number")).to_have_text([str(n) for n in stage.position.counts])
    expect(page.get_by_role("button", name="New game")).to_be_hidden()
    page.get_by_role("link", name="Details").first.click()
    expect(page.locator(".steps li.wrong")).to_contain_text("two seeds into")


def test_whole_table_is_one_file_for_the_referee(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    stage.cheat()
    elsewhere = {"REMOTE_ADDR": "10.0.0.7"}
    assert client.get("/table.zip", environ_overrides=elsewhere).status_code == 403
    assert "/table.zip" not in client.get("/games", environ_overrides=elsewhere).text
    assert "/table.zip" in client.get("/games").text
    answer = client.get("/table.zip")
    with zipfile.ZipFile(io.BytesIO(answer.data)) as packed:
        assert packed.testzip() is None and len(packed.namelist()) == 3
        assert not [name for name in packed.namelist() if "pin" in name or "key" in name]


def test_no_table_no_file(client: FlaskClient) -> None:
    assert client.get("/table.zip").status_code == 503


def test_a_game_s_page_says_who_plays_and_shows_the_board_before_the_downloads(
        stage: Stage, client: FlaskClient) -> None:
    stage.journal.append(TeamsNamed(south=["Naserian"], north=["Sironka"], north_name="Narok Warriors"))
    game = stage.begin() - 1
    stage.cheat("c")
    page = client.get(f"/games/{game}").text
    assert re.search(r"Naserian</strong> – .*Narok Warriors</strong>", page)
    assert "in progress" in page.split('data-fresh="state"')[1].split("</p>")[0]
    assert page.index('id="scrub-board"') < page.index(f'/games/{game}/record.txt')
    listed = client.get("/fouls").text
    day = game_day(stage)
    assert listed.count(day) == 1, "the foul's time needs no day beside its game's"


def game_day(stage: Stage) -> str:
    """The day of the first event, as the page writes it."""
    return stage.journal.read()[0].at[:10]
