"""Looking games through: the fouls that nobody has ruled on, what became of each, and the game from move to move."""

import html
import json
import re

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import expect

from device.journal.events import (
    Forfeit,
    GameAnnulled,
    HoldSet,
    LetStand,
    NotAsSeen,
    OrderAnswered,
    PositionSet,
    Undo,
    VerdictGiven,
    Withdraw,
)
from engine.position import Position
from tests.quick_pin import set_pin
from tests.web.stage import Stage
from tests.web.visits import Open, accessible
from web.readmodel.book import KEEP
from web.readmodel.shapes import pits


def fates(client: FlaskClient) -> list[tuple[str, str]]:
    """Of the sheet: each foul's move, and what became of it."""
    found = client.get("/sheet").text
    rows = re.findall(r"<td[^>]*>([^<]*)</td><td[^>]*>[^<]*</td><td[^>]*>([^<]*)</td></tr>",
                      found.split("<h2>Fouls</h2>")[-1].split("</table>")[0])
    return [(move.strip(), fate) for move, fate in rows]


def in_navigation(client: FlaskClient) -> tuple[str, str]:
    found = re.search(r'id="open-fouls"([^>]*)> <span aria-hidden="true">(\d+)', client.get("/games").text)
    assert found is not None
    return found[1], found[2]


def ordered(stage: Stage, order: object) -> int:
    """An order, which the table takes up at once; its number."""
    number = stage.journal.append(order).number  # type: ignore[arg-type]  # an order
    stage.take()
    return number


def test_fouls_nobody_has_ruled_on_are_listed_of_finished_games_too(stage: Stage, client: FlaskClient) -> None:
    old = stage.begin() - 1
    assert in_navigation(client) == (" hidden", "0")
    first = stage.cheat("c")
    new = stage.begin() - 1
    second, third = stage.cheat("c"), stage.cheat()
    assert in_navigation(client) == ("", "3")
    page = client.get("/fouls").text
    links = re.findall(r'class="reviewed-name" href="(/games/\d+/\d+)"', page)
    assert links == [f"/games/{new}/{third}", f"/games/{new}/{second}", f"/games/{old}/{first}"]
    assert all(client.get(link).status_code == 200 for link in links)
    ordered(stage, LetStand(verdict=second))
    assert in_navigation(client) == ("", "2") and f"/games/{new}/{second}" not in client.get("/fouls").text
    ruled = client.get(f"/games/{new}/{second}").text
    assert 'value="stand"' not in ruled and f'href="/games/{new}/{third}">Next foul awaiting a ruling' in ruled
    assert f'href="/games/{old}/{first}">Next foul' in client.get(f"/games/{new}/{third}").text, "none is newer"
    assert "Move accepted" in client.get("/fouls?show=all").text
    stage.journal.append(GameAnnulled(game=new, why="agreed"))
    assert in_navigation(client) == ("", "1"), "a game that counts for nothing needs no ruling"


def test_a_foul_of_an_earlier_game_is_let_stand_from_its_page_and_undone(stage: Stage, client: FlaskClient) -> None:
    old = stage.begin() - 1
    foul, fine = stage.cheat("c"), stage.legal()
    stage.begin()
    stage.legal()
    page = client.get(f"/games/{old}/{foul}").text
    assert 'value="stand"' in page and 'value="withdraw"' not in page
    assert 'value="stand"' not in client.get(f"/games/{old}/{fine}").text
    assert client.post(f"/games/{old}/{foul}/rule", data={"what": "stand"}).status_code == 303
    page = client.get(f"/games/{old}/{foul}").text
    assert "Sent. The table is carrying it out." in page and 'value="stand"' not in page, "it has not answered yet"
    stage.take()
    order = stage.journal.last - 1
    page = client.get(f"/games/{old}/{foul}").text
    assert "Move accepted" in page and f'name="undo" value="{order}"' in page and 'value="stand"' not in page
    assert fates(client) == [("South c", "Move accepted")]
    assert client.post(f"/games/{old}/{foul}/rule", data={"what": "undo", "undo": str(order)}).status_code == 303
    stage.take()
    assert fates(client) == [("South c", "No ruling yet")] and in_navigation(client) == ("", "1")


def test_what_became_of_each_foul_stands_on_the_sheet(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    stood, counted = stage.cheat("c"), stage.cheat()
    ordered(stage, LetStand(verdict=stood))
    order = stage.journal.append(NotAsSeen(verdict=counted, counts=list(stage.position.counts))).number
    again = stage.again(counted, "illegal")
    withdrawn = stage.cheat()
    assert [fate for _, fate in fates(client)] == ["Move accepted", "The foul stands", "No ruling yet"]
    ordered(stage, Withdraw(verdict=withdrawn))
    assert [fate for _, fate in fates(client)] == ["Move accepted", "The foul stands", "Move taken back"]
    assert order < again
    legal = stage.cheat()
    stage.again(legal, "legal")
    assert len(fates(client)) == 3, "what was judged otherwise since is no foul"
    stage.begin()
    foul = stage.journal.get(stage.cheat())
    assert foul is not None and isinstance(foul.body, VerdictGiven) and foul.body.player in ("S", "N")
    given_up = ordered(stage, Forfeit(side=foul.body.player))  # type: ignore[arg-type]  # S or N
    assert [fate for _, fate in fates(client)][-1] == "The foul stands"
    ordered(stage, Undo(order=given_up))
    assert [fate for _, fate in fates(client)][-1] == "No ruling yet"


def test_what_goes_with_a_withdrawal_or_an_undoing_is_asked_first(stage: Stage, client: FlaskClient) -> None:
    game = stage.begin() - 1
    first = stage.cheat("c")
    stage.legal()
    stage.legal()
    address, last = f"/games/{game}/{first}/rule", stage.journal.last
    page = client.get(f"/games/{game}/{first}").text
    assert re.search(r"2 later moves are taken back with it: North \S+, South \S+\.", page)
    answer = client.post(address, data={"what": "withdraw", "side": "N", "why": "illegal"})
    assert answer.status_code == 400 and "later moves are to be taken back too" in answer.text
    assert stage.journal.last == last
    sure = client.post(address, data={"what": "withdraw", "side": "N", "why": "illegal", "sure": "yes"})
    assert sure.status_code == 303
    stage.take()
    order = last + 1
    stage.journal.append(VerdictGiven(kind="withdrawn", player="S", before=str(stage.position), answers=first,
                                      position=str(stage.rules.setup()), sentence="Withdrawn."))
    stage.position = stage.rules.setup()
    played = stage.legal("d")
    last = stage.journal.last
    assert "Undo this ruling …" in client.get(f"/games/{game}/{first}").text
    answer = client.post(address, data={"what": "undo", "undo": str(order)})
    assert answer.status_code == 400 and "no longer count" in answer.text and stage.journal.last == last
    assert client.post(address, data={"what": "undo", "undo": str(order), "sure": "yes"}).status_code == 303
    stage.take()
    page = client.get(f"/games/{game}").text
    assert re.findall(r'class="card row verdict (\w+) gone"', page) == ["withdrawn", "legal"], "and none before"
    assert f'gone" href="/games/{game}/{played}"' in page


@pytest.mark.browser
def test_fouls_are_reviewed_by_keyboard(stage: Stage, visit: Open) -> None:
    stage.begin()
    old = stage.cheat("c")
    stage.begin()
    stage.legal("c")
    new = stage.cheat()
    stage.live()
    page = visit(390, 844, path="fouls", calm=True)
    fouls = page.locator(".review > li")
    expect(fouls).to_have_count(2)
    expect(fouls.first).to_contain_text("98 % certain")
    expect(fouls.first.locator("img")).to_have_js_property("complete", value=True)
    page.keyboard.press("a")
    assert stage.journal.read()[-1].number == new, "no foul has the focus"
    page.keyboard.press("j")
    expect(fouls.first.locator(".reviewed-name")).to_be_focused()
    page.keyboard.press("j")
    expect(fouls.last.locator(".reviewed-name")).to_be_focused()
    with page.expect_navigation():
        page.keyboard.press("a")
    assert stage.journal.read()[-1].body == LetStand(verdict=old, by="page")
    expect(page.get_by_text("No ruling yet")).to_have_count(1)
    page.keyboard.press("j")
    expect(fouls.last.locator(".reviewed-name")).to_be_focused()  # one goes on from the foul just ruled on
    page.evaluate("document.activeElement.blur()")
    stage.take()
    expect(fouls).to_have_count(1)
    page.keyboard.press("k")
    with page.expect_navigation():
        page.keyboard.press("t")
    assert stage.journal.read()[-1].body == Withdraw(verdict=new, by="page", side="R", why="illegal")
    expect(fouls.first).to_contain_text("Sent. The table is carrying it out.")


def test_rulings_of_a_move_stand_apart_in_the_list(stage: Stage, client: FlaskClient) -> None:
    game = stage.begin() - 1
    verdict = stage.cheat("c")
    for sentence in ("The move stands.", "Counts corrected."):
        order = stage.journal.append(LetStand(verdict=verdict)).number
        stage.journal.append(OrderAnswered(order=order, done=True, sentence=sentence))
    assert "The move stands. Counts corrected." in client.get(f"/games/{game}").text


def test_an_undone_ruling_does_not_run_into_the_next(stage: Stage, client: FlaskClient) -> None:
    game = stage.begin() - 1
    verdict = stage.cheat("c")
    ordered(stage, Undo(order=ordered(stage, LetStand(verdict=verdict))))
    order = stage.journal.append(NotAsSeen(verdict=verdict, counts=list(stage.position.counts))).number
    stage.journal.append(OrderAnswered(order=order, done=True, sentence="Counts corrected."))
    for address in (f"/games/{game}", f"/games/{game}/{verdict}"):
        text = html.unescape(re.sub("<[^>]+>", "", client.get(address).text))
        assert re.search(r"– undone\s+Counts corrected\.", text)


def test_a_recount_of_a_past_move_is_asked_about_first(stage: Stage, client: FlaskClient) -> None:
    game = stage.begin() - 1
    first = stage.cheat("c")
    stage.legal()
    address, last = f"/games/{game}/{first}/rule", stage.journal.last
    lying = next(e.body for e in stage.journal.read() if e.number == first)
    assert isinstance(lying, VerdictGiven)
    counts = Position.parse(lying.position).counts
    form = {"what": "not-as-seen"} | {f"n-{pit['name']}": str(n) for pit, n in zip(pits("2x8"), counts, strict=True)}
    assert re.search(r"One later move is judged again too.*: North \S+\.", client.get(f"/games/{game}/{first}").text)
    answer = client.post(address, data=form)
    assert answer.status_code == 400 and "to be judged again" in answer.text
    answer = client.post(address, data=form | {"sure": "yes", "n-a": "9"})
    assert answer.status_code == 400 and "should lie there" in answer.text and 'name="odd"' in answer.text
    assert stage.journal.last == last
    assert client.post(address, data=form | {"sure": "yes", "n-a": "9", "odd": "yes"}).status_code == 303
    assert isinstance(stage.journal.read()[-1].body, NotAsSeen)


def test_a_long_games_first_move_can_still_be_ruled_on(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    first = stage.cheat("c")
    for _ in range(KEEP + 20):
        stage.journal.append(PositionSet(position=str(stage.position), why="they play on from here"))
    assert client.post("/orders", json={"type": "LetStand", "verdict": first}).status_code == 201


def test_spectators_see_no_foul_that_is_held_back(stage: Stage, client: FlaskClient) -> None:
    game = stage.begin() - 1
    set_pin(stage.folder / "page.pin", "271828")
    stage.journal.append(HoldSet(on=True, by="page"))
    foul = stage.cheat("c")
    assert in_navigation(client) == (" hidden", "0")
    for path in ("/fouls?show=all", "/sheet", f"/games/{game}", "/"):
        assert "two seeds into" not in client.get(path).text
    client.post("/referee/in", data={"pin": "271828"})
    assert in_navigation(client) == ("", "1") and f"/games/{game}/{foul}" in client.get("/fouls").text


def test_the_moves_of_a_game_are_filtered(stage: Stage, client: FlaskClient) -> None:
    game = stage.begin() - 1
    legal, foul, doubt = stage.legal(), stage.cheat(), stage.doubt("d")
    def listed(show: str) -> list[int]:
        return [int(n) for n in re.findall(rf'class="card row[^>]*href="/games/{game}/(\d+)"',
                                           client.get(f"/games/{game}?show={show}").text)]
    assert listed("all") == listed("<b>") == [legal, foul, doubt]
    assert (listed("fouls"), listed("not-sure")) == ([foul], [doubt])
    quiet = stage.begin() - 1
    stage.legal()
    assert "None in this game." in client.get(f"/games/{quiet}?show=fouls").text


def test_the_whole_game_goes_with_its_page(stage: Stage, client: FlaskClient) -> None:
    game = stage.begin() - 1
    stage.legal()
    between = list(stage.position.counts)
    foul = stage.cheat()
    page = client.get(f"/games/{game}").text
    scrub = json.loads(html.unescape(re.findall(r'id="game">(.*?)</script>', page)[0]))
    assert [frame["n"] for frame in scrub["frames"]] == [list(stage.rules.setup().counts), between,
                                                         list(stage.position.counts)]
    assert scrub["fouls"] == [2] and scrub["frames"][2]["verdict"] == foul and len(scrub["frames"][2]["odd"]) == 2
    assert "Where the fouls are: moves 2." in page


@pytest.mark.browser
def test_a_game_is_gone_through_by_slider_and_keyboard(stage: Stage, visit: Open) -> None:
    game = stage.begin() - 1
    stage.legal()
    between = list(stage.position.counts)
    foul = stage.cheat()
    stage.legal()
    page = visit(path=f"games/{game}", calm=True)
    said, slider = page.locator("#scrub-said"), page.get_by_role("slider", name="From move to move")
    expect(said).to_contain_text("0 of 3: Starting position")
    page.keyboard.press("ArrowRight")
    expect(said).to_contain_text("1 of 3: Legal.")
    expect(page.locator("#scrub-board .number")).to_have_text([str(n) for n in between])
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(said).to_contain_text("2 of 3: Illegal.")
    expect(said).to_contain_text("Wrong count: ")
    expect(page.locator("#scrub-board .odd")).to_have_count(2)
    expect(page.locator("#scrub-more")).to_have_attribute("href", f"/games/{game}/{foul}")
    page.get_by_role("button", name="Next move").click()
    expect(slider).to_have_value("3")
    page.get_by_role("button", name="Next foul").click()
    expect(slider).to_have_value("2")
    accessible(page, "structure")
    page.get_by_role("link", name="Fouls 1 awaiting a ruling").click()
    expect(page).to_have_url(re.compile("/fouls$"))
    expect(page.locator(".review > .verdict")).to_have_count(1)
