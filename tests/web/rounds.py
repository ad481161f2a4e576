"""The way round all views that the page has: they are found in its addresses, so that a new one is not forgotten."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from flask import Flask, url_for
from flask.testing import FlaskClient

from device.journal.events import GameStarted, VerdictGiven
from engine.rules import games
from tests.web.stage import Stage
from web.views.setup.steps import KEYS

FILES = {"static", "pictures.evidence", "pictures.clip", "setup.tried_picture", "sharing.clip", "sharing.picture",
         "api.event", "page.choose_language", "history.record", "history.game_json", "history.moves_csv",
         "at_machine.here"}
"""What is no view, but a file, data, or a way to a view: where its address has values, or no file is there."""


def views(app: Flask, stage: Stage) -> dict[str, str]:
    """Every view: its path without the first slash, and the rule of the address that it was found by.

    Where a rule has values, such as a game's number, all that the stage knows are taken, of games and moves the last.
    Fails where a rule's values are not known here.
    """
    client, found = app.test_client(), dict[str, str]()
    with app.test_request_context():
        for rule in app.url_map.iter_rules():
            if "GET" not in (rule.methods or ()) or rule.endpoint in FILES:
                continue
            for values in _values(stage, rule.endpoint, rule.arguments):
                path = url_for(rule.endpoint, **values)
                with client.get(path) as answer:
                    if answer.mimetype == "text/html" and answer.status_code // 100 != 3:
                        assert answer.status_code == 200, f"{path} answers {answer.status_code}"
                        found[path.removeprefix("/")] = rule.rule
    return found


def forms(app: Flask, **values: str | int) -> dict[str, str]:
    """Every address that takes what is posted and cannot be asked for, by its rule. values: what stands in addresses;
    those of other kinds are 1."""
    urls, rules = app.url_map.bind("localhost"), app.url_map.iter_rules()
    posted = [rule for rule in rules if "POST" in (rule.methods or ()) and "GET" not in (rule.methods or ())]
    return {rule.rule: urls.build(rule.endpoint, {name: values.get(name, 1) for name in rule.arguments})
            for rule in posted}


def leads_to(client: FlaskClient, path: str) -> str:
    """Where a browser ends that asks for `path`; "" where that is no page."""
    answer = client.get(path, headers={"Accept": "text/html"}, follow_redirects=True)
    return answer.request.path if answer.status_code == 200 and answer.mimetype == "text/html" else ""


def _values(stage: Stage, endpoint: str, arguments: set[str]) -> Iterator[Mapping[str, Any]]:
    """What may stand in the address of that endpoint."""
    if not arguments:
        yield {}
        return
    events = stage.journal.read()
    number = next(e.number for e in reversed(events) if isinstance(e.body, GameStarted))
    verdict = next(e.number for e in reversed(events) if isinstance(e.body, VerdictGiven))
    today = datetime.now().astimezone().strftime("%Y-%m-%d")
    known: Mapping[str, list[Mapping[str, Any]]] = {
        "history.game": [{"number": number}], "history.move": [{"number": number, "verdict": verdict}],
        "statistics.of_day": [{"day": today}], "help.game": [{"name": name} for name in games()],
        "setup.step": [{"key": key} for key in KEYS]}
    assert endpoint in known, f"{endpoint}: say here what may stand in its address, or that it is no view"
    yield from known[endpoint]
