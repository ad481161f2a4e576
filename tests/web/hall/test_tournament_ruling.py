"""A ruling at a table changes a result of the tournament, and the standings follow: with a real broker and browser."""

import pytest
from playwright.sync_api import Page, expect

from device.journal.events import GameOver, MatchAgreed, TeamsNamed, Withdraw
from tests.waiting import wait_for
from tests.web.hall.conftest import PIN, Hall
from tests.web.stage import Stage
from tests.web.visits import Open

pytestmark = pytest.mark.browser


def over(stage: Stage, winner: str) -> None:
    """The game ends as its seeds were counted."""
    stage.journal.append(GameOver(result="30-18" if winner == "S" else "18-30", winner=winner, reason="as counted"))


def agree(stage: Stage, south: str, north: str) -> None:
    """The game that has just begun is the only one of a match."""
    stage.journal.append(TeamsNamed(south=[south], north=[north]))
    stage.journal.append(MatchAgreed(game="enkeshui", board="2x8", form="sticks", number=1))


def begin(page: Page, *names: str) -> None:
    """Sign in, begin a tournament and make its first round."""
    page.get_by_label("PIN").fill(PIN)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/rulings")
    page.get_by_role("link", name="Tournament").click()
    page.wait_for_url("**/tournament")
    page.get_by_label("Name of the tournament").fill("Narok cup")
    page.get_by_label("Players or teams").fill("\n".join(names))
    page.get_by_role("button", name="Begin", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Narok cup")
    page.get_by_role("button", name="Make round 1").click()
    expect(page.get_by_role("region", name="Round 1 of 5")).to_be_visible()


def test_a_result_at_table_3_changes_by_a_ruling_and_the_standings_follow(hall: Hall, visit: Open) -> None:
    names = ("Ole", "Naisiae", "Sironka", "Kip", "Nakato", "Wasswa")
    for i in (1, 2, 3):
        hall.seat(f"t{i}")
    hall.publish()
    page = visit(path="director")
    hall.settle()
    begin(page, *names)
    round_1, standings = (page.get_by_role("region", name=name) for name in ("Round 1 of 5", "Standings"))
    third = round_1.locator("tbody tr").filter(has_text="Table 3")
    expect(third).to_contain_text("Kip – Sironka")
    leads = standings.locator("tbody tr").first
    table = hall.stages["t3"]
    agree(table, "Kip", "Sironka")
    foul = table.cheat()
    over(table, "S")
    expect(third).to_contain_text("1 – 0")
    expect(leads).to_contain_text("Kip")

    page.get_by_role("link", name="Rulings").click()
    page.wait_for_url("**/rulings")
    page.get_by_role("link", name="Table 3").click()
    page.wait_for_url(f"**/table/t3/{foul}")
    page.locator("summary", has_text="Take it back").click()
    page.get_by_role("radio", name="Sironka").check()
    page.get_by_label("The move was illegal.").check()
    page.get_by_role("button", name="Take it back").click()
    expect(page.get_by_text("The table is carrying it out.", exact=True)).to_be_visible()
    wait_for(lambda: any(isinstance(event.body, Withdraw) for event in table.journal.read()), 20)
    table.take()
    table.again(foul, "withdrawn")  # the board was laid back
    page.get_by_role("link", name="Tournament").click()
    page.wait_for_url("**/tournament")
    expect(third).to_contain_text("open")
    expect(leads).to_contain_text("Ole")

    table.position = table.rules.setup()
    over(table, "N")
    expect(third).to_contain_text("0 – 1")
    expect(leads).to_contain_text("Sironka")
    expect(leads.get_by_role("cell").nth(1)).to_have_text("2")
    third.get_by_role("link").click()
    page.wait_for_url("**/tournament/match/*/*")
    said = page.get_by_role("listitem").filter(has_text="The table says (Table 3)")
    expect(said).to_have_count(3)
    expect(said.nth(1)).to_contain_text("the match goes on")
