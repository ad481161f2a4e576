"""Every view that there is, whoever added it: accessible, fitting the screen, light; and nothing leaves the machine."""

import gzip
import html
import re
from datetime import datetime
from urllib.parse import urljoin

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect
from werkzeug.wrappers import Response

from device.journal.events import GameStarted, VerdictGiven
from tests.quick_pin import set_pin
from tests.web.conftest import Served
from tests.web.rounds import forms, leads_to, views
from tests.web.shots import VIEWS, day
from tests.web.stage import Stage
from tests.web.visits import DESKTOP, PHONE, Open, accessible, accessible_in_each_theme, fits, until
from web.words import LANGUAGES

HEAVIEST = 180_000
"""Bytes on the line of a page with all that it loads, pictures apart; 63,000 of them are the two typefaces."""
A4 = (680, 1000)
"""Pixels of a sheet of paper without its margins."""
LIVE = ("", "board", "overlay")
"""Views that scripts draw once they have heard the table."""


def evening(stage: Stage) -> None:
    """A match with its games, fouls that nobody ruled on, the photographs of the last and its clip."""
    stage.begin()
    stage.place()
    day(stage)
    stage.clip(stage.journal.last)


def test_the_round_finds_views_of_every_kind(stage: Stage, app: Flask) -> None:
    evening(stage)
    found = views(app, stage)
    assert {"", "board", "games", "sheet", "api/", "setup/teams", "help/omweso"} <= set(found)
    assert not {"table", "metrics", "games.csv", "help/foul"} & set(found)
    assert "/games/<int:number>/<int:verdict>" in found.values() and len(found) > 25


def test_a_view_that_nobody_described_cannot_be_forgotten(stage: Stage, app: Flask) -> None:
    evening(stage)
    app.add_url_rule("/new", "new", lambda: "<h1>New</h1>")
    assert "new" in views(app, stage)


def test_values_of_a_new_address_have_to_be_told(stage: Stage, app: Flask) -> None:
    evening(stage)
    app.add_url_rule("/new/<int:number>", "new", lambda number: f"<h1>{number}</h1>")
    with pytest.raises(AssertionError, match="say here what may stand in its address"):
        views(app, stage)


TABLES = "[...document.querySelectorAll('.scroll')].map(one => [one.clientWidth, one.scrollWidth])"
"""How wide each table may be, and how wide it is."""


@pytest.mark.browser
def test_no_table_is_cut_at_the_edge_of_a_phone_or_of_paper(stage: Stage, served: Served, visit: Open) -> None:
    evening(stage)
    game = next(e.number for e in reversed(stage.journal.read()) if isinstance(e.body, GameStarted))
    day = datetime.now().astimezone().strftime("%Y-%m-%d")
    for language in ("en", "lg"):
        page = visit(*PHONE, language=language)
        for path in ("sheet", f"games/day/{day}", f"games/{game}"):
            page.goto(served.url + path)
            assert all(wide <= room for room, wide in until(page, TABLES, bool)), path
            expect(page.locator("tbody td").first).to_be_visible()
    sheet = visit(*A4, path="sheet")
    sheet.emulate_media(media="print")
    assert all(wide <= room for room, wide in until(sheet, TABLES, lambda found: len(found) > 1))
    expect(sheet.locator(".foot")).to_be_hidden()


PROGRAMS = {"/orders", "/objections", "/api/v1/orders", "/api/v1/token"}
"""What programs and scripts post to: their answers are never shown as a page."""


def test_an_address_that_takes_a_form_leads_to_a_page_when_it_is_asked_for(stage: Stage, client: FlaskClient) -> None:
    """Whoever was answered there has it in the browser: its languages and "reload" are not to end at an error."""
    evening(stage)
    verdict = next(e.number for e in reversed(stage.journal.read()) if isinstance(e.body, VerdictGiven))
    game = next(e.number for e in reversed(stage.journal.read()) if isinstance(e.body, GameStarted))
    found = forms(client.application, number=game, verdict=verdict)
    assert len(found) > 15 and found.keys() >= PROGRAMS
    assert not [path for rule, path in found.items() if rule not in PROGRAMS and not leads_to(client, path)]
    assert {client.get(found[rule]).status_code for rule in PROGRAMS} == {405}
    assert leads_to(client, "/referee/pin") == "/referee"
    assert leads_to(client, f"/games/{game}/{verdict}/rule") == f"/games/{game}/{verdict}"


def test_the_language_can_be_chosen_where_a_form_was_refused(stage: Stage, client: FlaskClient) -> None:
    evening(stage)
    posted = [("/referee/pin", {"pin": "1", "again": "2"}), ("/match/agree", {"games": "x"}), ("/match/teams", {}),
              ("/setup/south", {"edge": "x"}), ("/setup/begin", {"first": "x"})]
    for path, given in posted:
        answer = client.post(path, data=given)
        links = re.findall(r'href="(/language/[^"]*)"', answer.text)
        assert len(links) == len(LANGUAGES) or answer.status_code == 303, path
        assert all(leads_to(client, html.unescape(link)) for link in links), path


def test_a_picture_is_made_of_every_view(stage: Stage, app: Flask) -> None:
    evening(stage)
    shown = {view.path for view in VIEWS.values()} | {view.shows for view in VIEWS.values()}
    missing = [path for path, rule in views(app, stage).items() if not shown & {path, rule}]
    assert not missing, "tests/web/shots.py makes no picture of these"


def unpacked(answer: Response) -> bytes:
    """What was sent, as it was before it was compressed."""
    return gzip.decompress(answer.data) if answer.content_encoding == "gzip" else answer.data


def loaded(client: FlaskClient, path: str, known: dict[str, tuple[int, list[str]]]) -> dict[str, int]:
    """Bytes on the line of a page and of every style, script, typeface and drawing that it asks for, in the language of
    most bytes. known: the bytes of each address that was asked for already, and what that asks for."""
    found: dict[str, int] = {}
    asked = [f"/{path}"]
    while asked:
        url = asked.pop()
        if url not in known:
            known[url] = asked_for(client, url)
        found[url] = known[url][0]
        asked += [other for other in known[url][1] if other not in found]
    return found


def asked_for(client: FlaskClient, url: str) -> tuple[int, list[str]]:
    """The bytes on the line of what lies at that address, and the addresses that it asks for."""
    with client.get(url, headers={"Accept-Language": "ja", "Accept-Encoding": "gzip"}) as answer:
        assert answer.status_code == 200, url
        size = len(answer.data)
        text = "" if url.endswith(".woff2") else unpacked(answer).decode()
    if not url.startswith("/static/"):
        return size, re.findall(r'(?:src|href)="(/static/[^"]+(?<!\.png))"', text)
    return size, [urljoin(url, name) for name in re.findall(r'url\("([^"]+)"\)', text)] if url.endswith(".css") else []


def test_no_view_is_heavier_than_a_slow_network_bears(stage: Stage, app: Flask) -> None:
    evening(stage)
    client = app.test_client()
    known: dict[str, tuple[int, list[str]]] = {}
    weights = {path: loaded(client, path, known) for path in views(app, stage)}
    assert all(len(one) >= 4 for one in weights.values()), "what a page asks for was found"
    heavy = {path: sum(one.values()) for path, one in weights.items() if sum(one.values()) > HEAVIEST}
    assert not heavy, heavy


@pytest.mark.browser
def test_what_some_cannot_read_or_reach_is_found(stage: Stage, visit: Open) -> None:
    stage.begin()
    page = visit(calm=True, path="help")
    accessible(page)
    page.evaluate("document.querySelector('main').insertAdjacentHTML('beforeend', '<button></button>')")
    accessible(page, "colours")
    accessible(page, "structure", "header")
    for part in ("", "main"):
        with pytest.raises(AssertionError, match="button-name"):
            accessible(page, "structure", part)
    page.evaluate("document.querySelector('main button:last-child').replaceWith('pale')")
    page.evaluate("document.querySelector('main').style.color = '#eee'")
    accessible(page, "structure")
    with pytest.raises(AssertionError, match="color-contrast"):
        accessible_in_each_theme(page)


def shown(page: Page, path: str) -> None:
    """Wait until a view stands there whole."""
    if path in LIVE:
        expect(page.locator("#mood, #word").first).to_contain_text("llegal")
    expect(page.get_by_role("heading", level=1)).to_have_count(1)


@pytest.mark.browser
def test_every_view_is_for_everybody(stage: Stage, app: Flask, served: Served, visit: Open) -> None:
    """On a phone in light colours, then on a desktop in dark ones. Where anything leaves the machine or a script fails,
    `visit` says so. Of the games' helps, which one template makes, the first and the longest are looked at."""
    evening(stage)
    page = visit(calm=True)
    for path in (*views(app, stage), "nowhere"):
        looked_at = path.removeprefix("help/") in ("enkeshui", "omweso") or not path.startswith("help/")
        page.emulate_media(color_scheme="light")
        page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        page.goto(served.url + path)
        shown(page, path)
        fits(page, PHONE[0])
        if looked_at:
            accessible(page, "colours")  # what a phone shows is built like what a desktop shows
        page.emulate_media(color_scheme="dark")
        page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
        fits(page, DESKTOP[0])
        if looked_at:
            accessible(page)


ROLE = re.compile(r'data-role="\w+"')


@pytest.mark.browser
def test_every_view_is_for_spectators(stage: Stage, app: Flask, served: Served, visit: Open) -> None:
    """What only a referee is shown is not missed in a view: those are looked at that are otherwise for spectators."""
    evening(stage)
    client, paths = app.test_client(), views(app, stage)
    before = {path: ROLE.sub("", client.get(f"/{path}").text) for path in paths}
    set_pin(stage.folder / "page.pin", "271828")
    elsewhere = {"REMOTE_ADDR": "10.0.0.7"}
    otherwise = [path for path in paths if path in LIVE
                 or ROLE.sub("", client.get(f"/{path}", environ_base=elsewhere).text) != before[path]]
    assert 10 < len(otherwise) < len(paths) - 5
    page = visit(*PHONE, theme="dark", calm=True)
    for path in otherwise:
        page.goto(served.url + path)
        shown(page, path)
        fits(page, PHONE[0])
        accessible(page, "structure")
