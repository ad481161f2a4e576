"""A retraction is recorded with who withdrew, why, and who had moved; and how sure anything is shown to be."""

import csv
import io

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import expect

from device.journal.events import (
    Explained,
    MatchAgreed,
    OrderAnswered,
    TeamsNamed,
    VerdictGiven,
    Withdraw,
)
from device.journal.projection.fold import Projection
from device.journal.projection.match import MatchBook
from device.journal.records import records
from engine.certainty import MOST
from tests.web.stage import Stage, replace_struct
from tests.web.visits import PHONE, Open, accessible_at_each_size

SAID = {"side": "N", "why": "not-entitled", "mover": "", "spectator": True}


def withdrawn(stage: Stage, verdict: int, order: int) -> None:
    """The table takes the order up, and the board is laid back."""
    stage.journal.append(OrderAnswered(order=order, done=True, sentence="Lay the board as it was before South's move."))
    event = stage.journal.get(verdict)
    assert event is not None and isinstance(event.body, VerdictGiven)
    stage.journal.append(VerdictGiven(kind="withdrawn", player=event.body.player, before=event.body.position,
                                      position=event.body.before, sentence="It is withdrawn.", answers=verdict))


def given(stage: Stage, client: FlaskClient, **said: object) -> int:
    """South's move is withdrawn by that order; its verdict's number."""
    stage.begin()
    verdict = stage.legal("c")
    answer = client.post("/orders", json={"type": "Withdraw", "verdict": verdict, **said})
    assert answer.status_code == 201, answer.text
    withdrawn(stage, verdict, answer.get_json()["order"])
    return verdict


def test_it_is_in_the_journal(stage: Stage, client: FlaskClient) -> None:
    verdict = given(stage, client, **SAID)
    order = next(e.body for e in stage.journal.read() if isinstance(e.body, Withdraw))
    assert order == Withdraw(verdict=verdict, by="page", side="N", why="not-entitled", spectator=True)
    assert stage.journal.verify() is None


def test_it_is_said_on_the_page_the_sheet_and_in_what_is_taken_away(stage: Stage, client: FlaskClient) -> None:
    verdict = given(stage, client, **SAID)
    said = "Taken back by North. The player was not entitled to move. A spectator made the move."
    for path in ("/games/2", f"/games/2/{verdict}", "/sheet"):
        assert said in client.get(path).text, path
    row = next(csv.DictReader(io.StringIO(client.get("/games/2/moves.csv").text)))
    assert (row["withdrawn_by"], row["withdrawn_for"], row["moved"]) == ("N", "not-entitled", "spectator")
    (told,) = client.get("/api/v1/games").get_json()["games"][0]["retractions"]
    assert {k: told[k] for k in ("verdict", "player", "move", *SAID)} == {
        "verdict": verdict, "player": "S", "move": "c", **SAID}
    (record,) = records(stage.journal.read())
    text = " ".join(str(record).split())
    assert "by North, made by somebody not entitled to play, a spectator had moved" in text


def test_an_undone_retraction_is_none(stage: Stage, client: FlaskClient) -> None:
    stage.begin()
    verdict = stage.legal("c")
    client.post("/orders", json={"type": "Withdraw", "verdict": verdict, "side": "S", "why": "no-agreement"})
    order = stage.journal.last
    assert client.get("/api/v1/games").get_json()["games"][0]["retractions"] == [], "not answered yet"
    stage.take()
    assert len(client.get("/api/v1/games").get_json()["games"][0]["retractions"]) == 1
    client.post("/orders", json={"type": "Undo", "order": order})
    stage.take()
    assert client.get("/api/v1/games").get_json()["games"][0]["retractions"] == []


def match_of(stage: Stage, **said: object) -> MatchBook:
    """The match after South's first move was made and withdrawn."""
    stage.journal.append(MatchAgreed(game="enkeshui", board="2x8", form="sticks", number=3))
    stage.journal.append(TeamsNamed(south=["Naisiae"], north=["Lemayian"]))
    stage.begin()
    verdict = stage.legal("c")
    order = stage.journal.append(Withdraw(verdict=verdict, **said)).number  # type: ignore[arg-type]
    withdrawn(stage, verdict, order)
    now = Projection()
    for event in stage.journal.read():
        now.enter(event)
    assert now.match.problems == {}
    return now.match


@pytest.mark.parametrize("said", [{"mover": "x" * 41}, {"mover": "Naisiae", "spectator": True}, {"mover": " x"}])
def test_who_moved_is_a_name_and_a_player_is_no_spectator(stage: Stage, client: FlaskClient,
                                                          said: dict[str, object]) -> None:
    stage.begin()
    stage.journal.append(TeamsNamed(south=["Naisiae"]))
    verdict = stage.legal()
    answer = client.post("/orders", json={"type": "Withdraw", "verdict": verdict, **said})
    assert answer.status_code == 400 and answer.get_json()["error"].endswith(".")


def test_it_is_asked_for_where_no_script_runs(stage: Stage, client: FlaskClient) -> None:
    stage.journal.append(TeamsNamed(south=["Naisiae"], north=["Lemayian"]))
    stage.begin()
    verdict = stage.legal("c")
    game = client.get("/api/v1/games").get_json()["games"][0]["number"]
    page = client.get(f"/games/{game}/{verdict}").text
    assert "<option>Naisiae</option><option>Lemayian</option>" in page
    client.post(f"/games/{game}/{verdict}/rule", data={"what": "withdraw", "side": "S", "why": "no-agreement",
                                                       "mover": " spectator", "named": "Sankale"})
    assert stage.journal.read()[-1].body == Withdraw(verdict=verdict, by="page", side="S", why="no-agreement",
                                                     mover="Sankale", spectator=True)


@pytest.mark.browser
def test_the_page_asks_who_withdraws_and_why(stage: Stage, visit: Open) -> None:
    stage.journal.append(TeamsNamed(south=["Naisiae"], north=["Lemayian"]))
    stage.begin()
    stage.live()
    verdict = stage.cheat("c")
    page = visit(*PHONE)
    page.get_by_role("button", name="Take it back").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("radio", name="The referee")).to_be_checked()
    expect(dialog.get_by_label("The move was illegal.")).to_be_checked()
    dialog.get_by_role("radio", name="Lemayian").check()
    dialog.get_by_label("The player was not entitled to move.").check()
    dialog.get_by_label("Who made the move?").select_option(label="A spectator")
    dialog.get_by_label("The spectator’s name").fill("Sankale")
    accessible_at_each_size(page)
    dialog.get_by_role("button", name="Take it back").click()
    expect(dialog).to_have_count(0)
    assert stage.journal.read()[-1].body == Withdraw(verdict=verdict, by="page", side="N", why="not-entitled",
                                                     mover="Sankale", spectator=True)
    stage.take()
    expect(page.locator("#feed .ruled")).to_contain_text(
        "Taken back by Lemayian. The player was not entitled to move. Sankale, a spectator, made the move.")


# ---- how sure anything is shown to be

def certain(stage: Stage) -> int:
    """An accusation that the referee takes for certain; its number."""
    stage.begin()
    stage.live()
    event = stage.journal.get(stage.cheat("c"))
    assert event is not None and isinstance(event.body, VerdictGiven)
    best = [Explained(kind="illegal", p=0.999998, move="c", player="S", faults=event.body.faults),
            Explained(kind="legal", p=0.000002, move="c", player="S")]
    return stage.journal.append(replace_struct(event.body, confidence=1.0, best=best)).number


def test_no_table_and_no_record_is_surer_than_was_measured(stage: Stage, client: FlaskClient) -> None:
    certain(stage)
    rows = list(csv.DictReader(io.StringIO(client.get("/games/2/moves.csv").text)))
    assert [row["confidence"] for row in rows] == [f"{MOST}"] * 2
    record = client.get("/games/2/record.txt").text
    assert f"{MOST:.4f}:" in record and "1.0" not in record
    last = client.get("/table").get_json()["table"]["items"][-1]
    assert (last["confidence"], [one["p"] for one in last["best"]]) == (MOST, [MOST, 0.001])


@pytest.mark.browser
def test_the_page_is_not_surer_and_its_bar_is_not_green(stage: Stage, visit: Open) -> None:
    certain(stage)
    page = visit(*PHONE)
    odds = page.locator("#feed .verdict.illegal .odds").first
    expect(odds).to_contain_text(f"{int(100 * MOST)} % certain")
    expect(odds).to_contain_text("under 1 %")
    expect(odds).not_to_contain_text("over")
    fills = odds.locator(".bar .part").evaluate_all("bars => bars.map(bar => getComputedStyle(bar).fill)")
    for fill in fills:
        red, green, blue = (int(n) for n in fill.removeprefix("rgb(").removesuffix(")").split(","))
        assert not (green > red and green > blue), fill
    assert fills[0] == "rgb(179, 38, 30)"
    expect(page.locator("meter")).to_have_count(0)
