"""The way in for other programs, held against its own OpenAPI by schemathesis: it answers as it says, whatever is sent.

`make attack` runs it with five hundred examples for each way in instead of a few (`INKEEK_EXAMPLES`).
"""

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from flask import request, session
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode

from device.journal import Journal
from tests.examples import examples
from tests.web.stage import Stage
from web import create_app
from web.at_machine import HERE
from web.views.api.description import description
from web.views.tokens import AccessTokens

EXAMPLES = examples(6)
ASKED = [(way, method) for way, methods in description()["paths"].items() for method in methods
         if way not in ("/api/v1/stream", "/api/v1/orders", "/orders")]  # the stream never ends, and is tried elsewhere
ORDERS = [one["$ref"].rpartition("/")[2] for one in
          description()["paths"]["/orders"]["post"]["requestBody"]["content"]["application/json"]["schema"]["anyOf"]]
ORDER_WAY = "/api/v1/orders"
LIMITS = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck),
                  phases=(Phase.explicit, Phase.generate))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table with a game in it, one legal move and one foul; the newest event is the foul's."""
    stage = Stage(tmp_path_factory.mktemp("table"))
    stage.begin()
    stage.legal()
    stage.cheat()
    stage.live()
    stage.close()
    return stage.folder


def operation(folder: Path, document: dict[str, Any], way: str, method: str) -> Any:
    """That way in, of a page over the folder."""
    app = create_app({"DATA": str(folder), "TESTING": True, "WTF_CSRF_ENABLED": False, "MAX_PENDING": 10**9})
    app.before_request_funcs.setdefault(None, []).insert(0, from_this_machine)
    app.extensions["tokens"] = Everybodys(b"", app.extensions["pin"])
    schema = schemathesis.openapi.from_dict(document)
    schema.app = app
    return schema[way][method.upper()]


class Everybodys(AccessTokens):
    """A token that everybody knows opens the orders, so that what stands behind it is met."""

    def holds(self, token: str) -> bool:
        """That one alone."""
        return token == "everybody's"


def from_this_machine() -> None:
    """schemathesis opens no link first, without which nobody may rule; and it unpacks nothing."""
    request.environ["HTTP_ACCEPT_ENCODING"] = "identity"
    request.remote_addr = "127.0.0.1"
    session[HERE] = True


def hold(folder: Path, strategy: Any, statuses: set[int], headers: dict[str, str] | None = None) -> set[int]:
    """Each answer is as described, and has one of the statuses; those that there were. The journal stays whole.
    headers: sent instead of those of the same name."""
    met: set[int] = set()

    @LIMITS
    @given(case=strategy)
    def tried(case: Any) -> None:
        answer = case.call(headers=headers)
        met.add(answer.status_code)
        case.validate_response(answer, checks=[schemathesis.checks.response_schema_conformance,
                                               schemathesis.checks.content_type_conformance])
        assert answer.status_code in statuses, answer.text
        if answer.status_code >= 400:
            assert answer.json()["error"].endswith((".", "?")), answer.text

    tried()
    with Journal(folder / "journal.sqlite3", readonly=True) as journal:
        assert journal.verify() is None
    return met


@pytest.mark.parametrize(("way", "method"), ASKED)
def test_what_is_asked_is_answered_as_described(folder: Path, way: str, method: str) -> None:
    told = description()["paths"][way][method]
    statuses = {int(status) for status in told["responses"]} | ({404} if method == "get" else set())
    hold(folder, operation(folder, description(), way, method).as_strategy(), statuses - {503})


@pytest.mark.parametrize(("order", "near"), [(order, False) for order in ORDERS] + [
    (order, True) for order in ("LetStand", "NotAsSeen", "CorrectPit", "Undo")])
def test_every_order_is_taken_or_refused_in_a_sentence(folder: Path, order: str, near: bool) -> None:
    """near: numbers are of events that there are, and counts of as many pits, so that more than the first check is
    met."""
    document = narrowed(order, near, "/orders")
    hold(folder, operation(folder, document, "/orders", "post").as_strategy(), {201, 400, 404, 409, 413})


@pytest.mark.parametrize("order", ["CorrectPit", "NotAsSeen", "NewGame"])
def test_orders_of_programs_are_taken_or_refused_in_a_sentence(folder: Path, order: str) -> None:
    """With whatever stands for a token, and with one that holds."""
    orders = operation(folder, narrowed(order, True, ORDER_WAY), ORDER_WAY, "post").as_strategy()
    met = hold(folder, orders, {201, 400, 404, 409, 413, 415, 422}, {"Authorization": "Bearer everybody's"})
    assert met - {415, 422}, "some were read"
    hold(folder, orders, {401, 413})


def test_what_is_no_order_is_refused(folder: Path) -> None:
    with Journal(folder / "journal.sqlite3", readonly=True) as journal:
        last = journal.last
    strategy = operation(folder, description(), "/orders", "post").as_strategy(
        generation_mode=GenerationMode.NEGATIVE).filter(is_no)
    hold(folder, strategy, {400, 413, 415})
    with Journal(folder / "journal.sqlite3", readonly=True) as journal:
        assert journal.last == last


def is_no(case: Any) -> bool:
    """Whether the body cannot be read as an order by any reading: no object, or without a known tag."""
    return not isinstance(case.body, dict) or case.body.get("type") not in ORDERS


def narrowed(order: str, near: bool, way: str) -> dict[str, Any]:
    """The description, where nothing can be ordered that way but this."""
    document = deepcopy(description())
    body = document["paths"][way]["post"]["requestBody"]["content"]["application/json"]
    body["schema"] = {"$ref": f"#/components/schemas/{order}"}
    if near:
        known = document["components"]["schemas"][order]["properties"]
        for name in known.keys() & {"verdict", "order"}:
            known[name] = {"type": "integer", "minimum": 2, "maximum": 9}
        if "counts" in known:
            known["counts"] = {"type": "array", "minItems": 16, "maxItems": 16,
                               "items": {"type": "integer", "minimum": -1, "maximum": 97}}
        if "count" in known:
            known["count"] = {"type": "integer", "minimum": -1, "maximum": 97}
    return document
