"""Games in figures: what is counted, what is drawn, and that it is said as well."""

import re
from datetime import datetime

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import expect

from device.journal.events import Forfeit, MatchAgreed, NotAsSeen, TeamsNamed, VerdictGiven
from tests.web.conftest import Served
from tests.web.stage import Stage, replace_struct
from tests.web.visits import Open, accessible_in_each_theme
from web.views.games.figures import figures
from web.views.games.history import found_items


def timed(stage: Stage, out: float, name: str = "") -> int:
    """A legal move whose hand left at that second."""
    move = next(one for one in stage.rules.moves(stage.position).moves if not name or one.name == name)
    body = replace_struct(stage._verdict("legal", move, move.position, f"Legal: {move.name}."), hands_in=out - 1.0,
                          hands_out=out, t=out)
    stage.position = move.position
    return stage.journal.append(body).number


def rows(page: str) -> list[list[str]]:
    """The last table's rows, as text."""
    body = page.split("<tbody>")[-1].split("</tbody>")[0]
    return [[" ".join(re.sub("<[^>]*>", " ", cell).split()) for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row)]
            for row in re.findall(r"<tr>(.*?)</tr>", body, re.S)]


def test_turns_laps_and_captures_are_counted_of_what_stands(stage: Stage) -> None:
    stage.begin()
    first = timed(stage, 20.0, "c")
    timed(stage, 26.5)
    wrong = timed(stage, 40.0)
    stage.again(wrong, "legal")
    found = figures(found_items(stage.journal.read()))
    assert found.turns[0].number == first and len(found.turns) == 3
    assert found.turns[0].seconds is None and found.seconds[:2] == [6.5, 13.5]
    bodies = [event.body for event in stage.journal.read() if isinstance(event.body, VerdictGiven)]
    laps = [max(step.lap for step in body.steps) for body in (*bodies[:2], bodies[3])]
    assert found.laps == laps and found.longest is not None and found.longest.laps == max(laps)
    assert found.turns[-1].captured == stage.position.captured
    assert found.richest is not None and found.richest.gained == max(body.captured for body in bodies)
    assert [turn.player for turn in found.of("N").turns] == ["N"]
    assert figures([]).median_seconds is None and figures([]).longest is None


def test_a_games_page_draws_its_figures_and_says_them(stage: Stage, client: FlaskClient) -> None:
    game = stage.begin() - 1
    stage.journal.append(TeamsNamed(south=["Naserian"], north=["<i>"]))
    timed(stage, 20.0, "c")
    assert "<h2 id=\"figures\">" not in client.get(f"/games/{game}").text, "one move is no course of a game"
    timed(stage, 26.5)
    timed(stage, 40.0)
    page = client.get(f"/games/{game}").text
    south, north = stage.position.captured
    assert f'aria-label="After 3 moves: Naserian {south}, &lt;i&gt; {north}."' in page
    assert "2 turns; half took less than 10 s; the longest 13.5 s (Naserian " in page
    assert page.count('class="plot"') == 3 and page.count("<polyline") == 2
    own, other = rows(page)
    assert own[:3] == ["Naserian", "2", "13.5"] and other[1:3] == ["1", "6.5"]
    assert re.fullmatch(r"\w+: (\d+ laps|one lap)", own[4])


def test_games_without_captures_have_no_plot_of_them(stage: Stage, client: FlaskClient) -> None:
    game = stage.begin("omweso", "4x8") - 1
    timed(stage, 20.0)
    timed(stage, 26.5)
    timed(stage, 36.5)
    page = client.get(f"/games/{game}").text
    assert "Seconds per turn" in page and "<polyline" not in page


def test_a_day_and_a_match_are_summed_up(stage: Stage, client: FlaskClient) -> None:
    assert client.get("/match/summary").status_code == 404
    stage.begin()
    timed(stage, 5.0)
    stage.journal.append(TeamsNamed(south=["Naserian"]))
    stage.journal.append(MatchAgreed(game="enkeshui", board="2x8", form="sticks", number=5))
    stage.begin()
    timed(stage, 20.0, "c")
    timed(stage, 26.5)
    foul = stage.cheat()
    stage.journal.append(Forfeit(side="S"))
    stage.take()
    stage.begin()
    timed(stage, 60.0)
    page = client.get("/match/summary").text
    for name, n in (("Games", 2), ("Moves", 4), ("Fouls", 1)):
        assert f"<dt>{name}</dt><dd>{n}</dd>" in page
    first, second = rows(page)
    assert first[0].startswith("1: Enkeshui") and second[0].startswith("2: Enkeshui")
    assert first[2:5] == ["North", "3", "1"]
    assert "Naserian c: 3 laps" in first[6]
    assert "South’s and North’s seeds, game by game: " in page
    today = datetime.now().astimezone().strftime("%Y-%m-%d")
    assert f'href="/games/day/{today}"' in client.get("/games").text
    day = client.get(f"/games/day/{today}").text
    assert "<dt>Games</dt><dd>3</dd>" in day and "<dt>Moves</dt><dd>5</dd>" in day
    assert 'href="/match/summary"' in client.get("/match").text
    assert client.get("/games/day/1999-01-01").status_code == client.get("/games/day/x").status_code == 404
    stage.journal.append(NotAsSeen(verdict=foul, counts=[1] * 16))
    stage.again(stage.legal(), "legal")
    assert "<dt>Moves</dt><dd>6</dd>" in client.get(f"/games/day/{today}").text, "what is kept is made anew"


@pytest.mark.browser
def test_figures_are_accessible(stage: Stage, served: Served, visit: Open) -> None:
    game = stage.begin() - 1
    for i in range(6):
        timed(stage, 20.0 + i * i)
    page = visit(path=f"games/{game}", calm=True)
    for path in ("", "games"):
        if path:
            page.goto(served.url + "games")
            page.get_by_role("link", name="Statistics").click()
            expect(page.get_by_role("heading", level=1)).to_contain_text("Statistics of ")
        expect(page.get_by_role("img", name=re.compile("^After 6 moves: South|^South’s and North’s"))).to_have_count(1)
        accessible_in_each_theme(page)
