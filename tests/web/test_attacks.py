"""The threat list tried against a running page (`tests.web.attack`), and how often the log speaks of it."""

from pathlib import Path

from flask import Flask
from flask.testing import FlaskClient

from tests.web.attack import attack
from web.refusals import AGAIN_S, MOST_KNOWN, MOST_LINES, Refusals, kind


def test_every_line_of_the_threat_list_is_refused_and_logged_once(tmp_path: Path) -> None:
    found, log = attack(tmp_path)
    assert [f"{who}: {what}" for who, what, refused in found if not refused] == []
    for what in ("ruling without the PIN", "a wrong PIN", "guesses or orders faster", "the page under a name",
                 "without the page's token", "evidence under a name", "a body that no order needs",
                 "a method that no page has", "more open pages", "a token that holds", "a token or a PIN in an address",
                 "something else than JSON"):
        assert sum(what in line for line in log) == 1, what
    assert not any("271828" in line or "rebound" in line for line in log), "what was sent is not in the log"


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_refusal_is_said_once_an_hour_with_how_often_it_was_not() -> None:
    clock = Clock()
    refusals = Refusals(clock)
    assert refusals.note("10.0.0.4", "a wrong PIN") == "refused to 10.0.0.4: a wrong PIN"
    assert [refusals.note("10.0.0.4", "a wrong PIN") for _ in range(1000)] == [""] * 1000
    assert refusals.note("10.0.0.5", "a wrong PIN") and refusals.note("10.0.0.4", "ruling without the PIN")
    clock.now += AGAIN_S
    assert refusals.note("10.0.0.4", "a wrong PIN").endswith("a wrong PIN, and 1000 times more since it was last said")
    assert refusals.note("10.0.0.4", "a wrong PIN") == ""


def test_a_thousand_addresses_make_no_thousand_lines() -> None:
    refusals = Refusals(Clock())
    said = [refusals.note(f"10.0.{n // 256}.{n % 256}", "a wrong PIN") for n in range(3 * MOST_KNOWN)]
    assert sum(map(bool, said)) == MOST_LINES and len(refusals._said) == MOST_KNOWN


def test_what_refuses_nothing_is_no_refusal(app: Flask, client: FlaskClient) -> None:
    assert kind(200, "GET", "/") == kind(404, "GET", "/nowhere") == kind(400, "GET", "/") == kind(304, "GET", "/") == ""
    assert client.get("/").status_code == 200
