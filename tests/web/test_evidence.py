"""The evidence of a foul: four pictures, from before the move to how it should lie; the clip opens at the fault."""

import re

import pytest
from playwright.sync_api import expect

from device.journal.events import VerdictGiven
from tests.web.stage import Stage, replace_struct
from tests.web.visits import DESKTOP, PHONE, Open, accessible, accessible_in_each_theme, fits, until
from web.readmodel.marks import moment_of

pytestmark = pytest.mark.browser

CAPTIONS = ["Before the move", "About when it happened", "How it is", "How it should be"]


def timed_foul(stage: Stage, move: str = "c") -> int:
    """A cheat whose hands were over the board from second 10 to 11, judged at 11.4; its clip ends then."""
    first = stage.journal.get(stage.cheat(move))
    assert first is not None and isinstance(first.body, VerdictGiven)
    body = replace_struct(first.body, answers=first.number, hands_in=10.0, hands_out=11.0, t=11.4)
    number = stage.journal.append(body).number
    stage.clip(number)
    return number


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_four_pictures_stand_from_left_to_right(stage: Stage, visit: Open, size: tuple[int, int]) -> None:
    game = stage.begin() - 1
    stage.place()
    foul = timed_foul(stage)
    stage.live()
    page = visit(*size, calm=True)
    card = page.locator(f"#feed [data-number='{foul}']")
    shown = card.locator(".evidence > figure")
    expect(card.locator(".evidence > figure:visible > figcaption")).to_have_text(CAPTIONS)
    expect(shown.nth(1).locator("img")).to_have_attribute("src", re.compile(r"/clip/[0-9a-f]+\.zip/moment"))
    until(page, "document.querySelector('.moment img').currentSrc", lambda src: src.endswith("width=320"))
    expect(shown.nth(1).locator(".rings circle").first).to_be_attached()
    expect(shown.nth(3).locator("svg")).to_be_visible()
    fits(page, size[0])
    if size == DESKTOP:
        accessible_in_each_theme(page, f"#feed [data-number='{foul}']")
    else:
        accessible(page, "structure")
    shown.nth(1).locator("a").press("Enter")
    expect(page.get_by_role("dialog", name="About when it happened")).to_be_visible()
    page.keyboard.press("Escape")
    card.get_by_role("button", name="Show the clip").click()
    expect(card.locator(".clip .path-said")).to_have_text(re.compile(r"^0\.[0-4] of 1\.4 seconds"))
    page.goto(page.url + f"games/{game}/{foul}")
    expect(page.locator(".evidence > figure:visible")).to_have_count(4)
    fits(page, size[0])
    lefts = [round(box["x"]) for box in (one.bounding_box() for one in page.locator(".evidence > figure").all()) if box]
    assert len(set(lefts)) == (4 if size == DESKTOP else 1), "side by side, else one below the other"


def test_the_moment_is_where_the_wrong_step_lies_in_the_hands_time(stage: Stage) -> None:
    stage.begin()
    event = stage.journal.get(timed_foul(stage))
    assert event is not None and isinstance(event.body, VerdictGiven)
    steps = event.body.steps
    wrong = next(i for i, step in enumerate(steps) if step.wrong)
    assert moment_of(event.body) == pytest.approx(1.4 - (wrong + 0.5) / len(steps), abs=0.01)
    assert moment_of(replace_struct(event.body, hands_in=0.0, hands_out=0.0)) is None
    assert moment_of(replace_struct(event.body, steps=[])) is None
