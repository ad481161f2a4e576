"""The board for a wall: whose turn it is, from five metres; the foul once more; a way back."""

import pytest
from playwright.sync_api import expect

from engine.rules import games
from tests.web.stage import Stage
from tests.web.visits import Open, fits, until
from web.messages import MESSAGES

TALL = """[...document.querySelectorAll('#mood, .player.turn strong')]
    .map(one => parseFloat(getComputedStyle(one).fontSize))"""
"""Heights of the letters that say whose turn it is, pixels."""


def test_every_game_says_what_it_is() -> None:
    assert not [name for name in games() if f"wall.what.{name}" not in MESSAGES]


@pytest.mark.browser
def test_a_wall_shows_whose_turn_it_is_and_what_is_played(stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.legal("c")
    stage.live()
    page = visit(1920, 1080, path="board")
    expect(page.locator("#mood")).to_have_text("North to move.")
    board = page.locator("#board").bounding_box()
    stage.live("hands-in")
    expect(page.locator("#why")).to_have_text("Move in progress")
    expect(page.locator("#mood")).to_have_text("North to move.")
    assert page.locator("#board").bounding_box() == board
    expect(page.locator(".wall")).to_contain_text("Enkeshui · 2 × 8 A game of the Maasai")
    sizes = until(page, TALL, lambda found: len(found) == 2)
    assert min(sizes) >= 1080 * 0.04, "a letter of a twenty-fifth of the wall"
    assert page.evaluate("document.querySelector('main').getAnimations().length") == 1, "nothing burns in"
    page.keyboard.press("f")
    until(page, "Boolean(document.fullscreenElement)", bool)
    expect(page.get_by_role("link", name="Back to the table")).to_be_hidden()
    page.keyboard.press("F")
    until(page, "Boolean(document.fullscreenElement)", lambda full: not full)
    page.emulate_media(reduced_motion="reduce")
    page.get_by_role("link", name="Back to the table").click()
    expect(page.locator("#feed")).to_be_attached()


@pytest.mark.browser
def test_a_wall_replays_a_foul(stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.live()
    page = visit(1280, 800, path="board")
    expect(page.locator("#board .number").first).to_be_visible()
    page.evaluate("""() => { window.frames_seen = 0; new MutationObserver(all => {
        window.frames_seen += document.querySelectorAll('#board .ring-now').length; })
        .observe(document.getElementById('board'), {childList: true, subtree: true, attributes: true}); }""")
    stage.cheat("c")
    expect(page.locator("#mood")).to_have_text("Illegal move")
    stage.legal()
    expect(page.locator("#player-S .to-move")).to_have_text("to move")
    expect(page.locator("#mood")).to_have_text("Illegal move")  # what the board still shows
    expect(page.get_by_text("Replay", exact=True)).to_be_visible()
    expect(page.locator("#board .ring-wrong")).to_be_visible()
    until(page, "window.frames_seen", lambda seen: seen > 5)
    expect(page.locator("#board .number")).to_have_text([str(n) for n in stage.position.counts], timeout=30_000)
    expect(page.get_by_text("Replay", exact=True)).to_be_hidden()
    expect(page.locator("#mood")).to_have_text("South to move.")
    stage.cheat()
    expect(page.get_by_text("Replay", exact=True)).to_be_visible()
    expect(page.get_by_text("Replay", exact=True)).to_be_hidden(timeout=30_000)
    expect(page.locator("#board .alarm")).to_have_count(1)
    stage.cheat()
    expect(page.get_by_text("Replay", exact=True)).to_be_visible()
    stage.live("blind")
    expect(page.locator("#mood")).to_have_text("Not watching")
    expect(page.get_by_text("Replay", exact=True)).to_be_hidden(timeout=2_000)
    for width, height in ((390, 844), (844, 390), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        fits(page, width)


WOOD = """(b => [b.width, b.height])(
    document.querySelector('#board rect[fill*=carved-wood]').getBoundingClientRect())"""
LONG = "North played C, but sowed two seeds more than were picked up in lap 2, so that A held 3 and was sown on " * 2
BOARD = """[...document.querySelectorAll('#board svg')].map(b => b.getBoundingClientRect())
    .map(b => [b.x, b.y, b.width, b.height])"""


@pytest.mark.browser
def test_the_board_keeps_its_place_however_long_the_sentence(stage: Stage, visit: Open) -> None:
    for game, board in (("enkeshui", "2x8"), ("omweso", "4x8")):
        stage.begin(game, board)
        stage.legal()
        stage.live()
        page = visit(path="board", calm=True)
        for width, height in ((390, 844), (844, 390), (1280, 800), (1920, 1080)):
            page.set_viewport_size({"width": width, "height": height})
            expect(page.locator("#mood")).to_have_text("North to move.")
            lies = until(page, BOARD, len)
            stage.live("blind", LONG)
            expect(page.locator("#mood")).to_have_text("Not watching")
            assert page.evaluate(BOARD) == lies, (board, width, height)
            within = page.evaluate("(s => [s.scrollHeight, s.clientHeight])(document.querySelector('.speech'))")
            assert within[0] <= within[1], "the sentence is whole"
            stage.live()


@pytest.mark.browser
def test_a_board_of_four_rows_takes_most_of_the_wall(stage: Stage, visit: Open) -> None:
    stage.begin("omweso", "4x8")
    stage.legal()
    stage.live()
    page = visit(path="board", calm=True)
    for width, height in ((844, 390), (1280, 800), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator("#mood")).to_have_text("North to move.")
        wood = until(page, WOOD, bool)
        assert wood[0] > 0.55 * width or wood[1] > 0.9 * height, (width, height)


@pytest.mark.browser
def test_a_phone_has_no_f_to_press(stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.live()
    page = visit(390, 844, path="board")
    page.get_by_role("button", name="Full screen").click()
    until(page, "Boolean(document.fullscreenElement)", bool)
    page.evaluate("document.exitFullscreen()")
