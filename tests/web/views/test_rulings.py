"""A foul in a real Chromium: looked at step by step, ruled on in one tap, laid back, recounted, undone."""

import re

import pytest
from playwright.sync_api import expect

from device.journal.events import (
    AgreeEnd,
    Forfeit,
    GameOver,
    LetStand,
    NotAsSeen,
    OrderAnswered,
    PositionSet,
    RulingUndone,
    Undo,
    VerdictGiven,
    Withdraw,
)
from device.table.orders import game_over
from engine.position import Position
from tests.waiting import wait_for
from tests.web.conftest import Served
from tests.web.stage import Stage, replace_struct
from tests.web.visits import DESKTOP, PHONE, Open, accessible, accessible_in_each_theme, fits, until, withdraw

pytestmark = pytest.mark.browser


def answer(stage: Stage, sentence: str = "Done.", done: bool = True) -> int:
    """The table takes up the newest order; its number."""
    number = stage.journal.last
    stage.journal.append(OrderAnswered(order=number, done=done, sentence=sentence))
    return number


def fouled(stage: Stage) -> int:
    stage.begin()
    stage.live()
    return stage.cheat("c")


# ---- the move, step by step

def test_the_wrong_step_is_shown_and_marked(stage: Stage, visit: Open) -> None:
    fouled(stage)
    page = visit()
    path = page.locator("#feed .verdict.illegal .path")
    said = path.locator(".path-said")
    expect(said).to_have_text(re.compile(r"^Step 2 of \d+: .*two seeds into d \(foul here\)$"))
    expect(path.locator(".path-board .odd")).to_have_count(1)
    path.get_by_text("As a list").click()
    expect(path.locator(".steps li.wrong")).to_have_count(1)
    expect(path.locator(".steps li.wrong")).to_contain_text("two seeds into d")
    path.get_by_role("button", name="To the start").click()
    expect(said).to_contain_text("Step 0 of")
    expect(path.locator(".path-board text.number")).to_have_text([str(n) for n in stage.rules.setup().counts])
    path.get_by_role("button", name="Forward one step").click()
    expect(said).to_contain_text("four seeds lifted from pit c")
    path.locator(".steps button").last.click()
    expect(path.locator(".steps [aria-current=step]")).to_have_count(1)


@pytest.mark.parametrize("calm", [True, False])
def test_the_path_plays_to_its_end(stage: Stage, visit: Open, calm: bool) -> None:
    fouled(stage)
    page = visit(calm=calm, alone=True)
    path = page.locator("#feed .verdict.illegal .path")
    page.clock.install()
    path.get_by_role("button", name="Play").click()
    expect(path.get_by_role("button", name="Stop")).to_be_visible()
    page.clock.run_for(20_000)
    expect(path.get_by_role("button", name="Play")).to_be_visible()
    steps = path.locator("input[type=range]").get_attribute("max")
    expect(path.locator(".path-said")).to_contain_text(f"Step {steps} of {steps}")


def test_a_legal_move_has_its_path_too(stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.live()
    stage.legal("c")
    page = visit()
    page.locator("#feed .verdict.legal summary").first.click()
    expect(page.locator("#feed .verdict.legal .path-said")).to_contain_text("Step ")
    expect(page.locator("#feed .verdict.legal .path .wrong")).to_have_count(0)


# ---- rulings

def test_withdrawn_and_guided_back(stage: Stage, visit: Open) -> None:
    before = stage.rules.setup()
    verdict = fouled(stage)
    before_line = str(before)
    page = visit()
    withdraw(page)
    expect(page.locator(".ruled")).to_contain_text("The table is carrying it out")
    assert stage.journal.read()[-1].body == Withdraw(verdict=verdict, by="page", side="N", why="illegal")
    stage.live("withdrawing")
    answer(stage, "Lay the board as it was before South's move.")
    guide = page.locator("#guide")
    expect(guide).to_be_visible()
    expect(guide.locator("li")).not_to_have_count(0)
    lying, due = stage.position.counts, before.counts
    wrong = [pit for pit in range(16) if lying[pit] != due[pit]]
    expect(guide.locator("li")).to_have_count(len(wrong))
    pit = wrong[0]
    expect(guide.locator("li").first).to_contain_text(f": {lying[pit]} → {due[pit]}")
    stage.position = before
    stage.live("withdrawing")
    expect(guide).to_contain_text("Every visible pit is right.")
    stage.journal.append(VerdictGiven(kind="withdrawn", player="S", before=str(before), position=before_line,
                                      sentence="South's move is withdrawn.", answers=verdict))
    stage.live()
    expect(guide).to_be_hidden()
    stage.legal("d")
    stage.live()
    expect(page.locator("#feed .verdict.legal")).to_have_count(1)


def test_after_a_withdrawal_is_undone_the_board_is_led_forward(stage: Stage, visit: Open) -> None:
    """They had played on since; what is to be laid is said until it lies there, and no more once play goes on."""
    before = stage.rules.setup()
    verdict = fouled(stage)
    lies = stage.position
    page = visit(calm=True)
    withdraw(page)
    expect(page.locator(".ruled")).to_have_count(1)
    order = answer(stage)
    stage.journal.append(VerdictGiven(kind="withdrawn", player="S", before=str(lies), position=str(before),
                                      sentence="South's move is withdrawn.", answers=verdict))
    stage.position = before
    stage.legal("d")
    stage.live()
    expect(page.locator("#feed .verdict.legal")).to_have_count(1)
    stage.journal.append(Undo(order=order))
    stage.take()
    guide = page.locator("#guide")
    expect(guide).to_contain_text("The ruling is undone: lay the board as the game stands")
    wrong = [pit for pit in range(16) if stage.position.counts[pit] != lies.counts[pit]]
    expect(guide.locator("li")).to_have_count(len(wrong))
    stage.live("hands-in", covered=("a",))
    expect(page.locator("#picture .covered")).to_have_count(1)
    expect(guide).to_be_visible()
    played, stage.position = stage.position, lies
    stage.live()
    expect(guide).to_be_hidden()
    stage.position = played  # as a move begins; no verdict yet
    stage.live("settling", covered=("a",))
    expect(page.locator("#picture .covered")).to_have_count(1)
    expect(guide).to_be_hidden()


def test_not_as_seen_is_recounted_by_tapping(stage: Stage, visit: Open) -> None:
    verdict = fouled(stage)
    page = visit(width=390, height=844)
    page.get_by_role("button", name="Count again").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("South, pit d")
    lying = list(stage.position.counts)
    dialog.get_by_role("button", name="One fewer").click()
    expect(dialog).to_contain_text("1 seed missing in all.")
    dialog.get_by_role("button", name=re.compile("^South e: ")).click()
    dialog.get_by_role("button", name="One more").click()
    expect(dialog).to_contain_text("as it should be")
    expect(dialog.locator(".cell.changed")).to_have_count(2)
    dialog.get_by_role("button", name="Judge it again").click()
    expect(dialog).to_have_count(0)
    lying[3] -= 1
    lying[4] += 1
    assert stage.journal.read()[-1].body == NotAsSeen(verdict=verdict, counts=lying, by="page")
    order = stage.journal.last
    old = stage.journal.get(verdict)
    assert old is not None and isinstance(old.body, VerdictGiven)
    stage.journal.append(replace_struct(old.body, kind="legal", faults=[], expected="", answers=verdict, best=[],
                                        sentence="South sowed c in two laps."))
    corrected = "Counts corrected by the referee. The move is judged again."
    stage.journal.append(OrderAnswered(order=order, done=True, sentence=corrected))
    expect(page.locator("#feed .verdict.illegal .ruled")).to_have_text(corrected)
    expect(page.locator("#feed .verdict.legal")).to_contain_text("Judged again")
    expect(page.locator("#mood")).to_have_text("Watching")


def test_an_earlier_move_is_ruled_on_and_what_follows_is_judged_again(stage: Stage, visit: Open) -> None:
    first = fouled(stage)
    second = stage.legal()
    page = visit(calm=True)
    card = page.locator(f"#feed > li[data-number='{first}'] .verdict")
    expect(card.get_by_role("button", name="Take back this move and all later ones")).to_be_visible()
    card.get_by_role("button", name="Count again").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="One fewer").click()
    expect(dialog).to_contain_text(re.compile("One later move is judged again too, and may .*: North [A-H]"))
    expect(dialog.get_by_role("checkbox")).to_have_count(1)
    for _ in range(2):
        dialog.get_by_role("button", name="One more").click()
    expect(dialog).to_contain_text("1 seed too many in all.")
    expect(dialog.get_by_role("checkbox")).to_have_count(2)
    accessible(page)
    dialog.get_by_role("button", name="Judge it again").click()
    assert stage.journal.last == second, "what goes with it, and seeds too many, are confirmed first"
    for box in dialog.get_by_role("checkbox").all():
        box.check()
    dialog.get_by_role("button", name="Judge it again").click()
    expect(card).to_contain_text("Sent. The table is carrying it out.")
    order = stage.journal.last
    anew = [stage.again(first, "legal"), stage.again(second, "illegal")]
    stage.journal.append(OrderAnswered(order=order, done=True, sentence="Judged again, and so is the move after it."))
    expect(card).to_have_class("verdict illegal gone")
    expect(card).to_contain_text("Replaced by a later judgement.")
    expect(page.locator(f"#feed > li[data-number='{second}'] .verdict.gone")).to_have_count(1)
    expect(page.locator(f"#feed > li[data-number='{anew[0]}'] .verdict.legal")).to_contain_text("Judged again with")
    newest = page.locator(f"#feed > li[data-number='{anew[1]}'] .verdict.illegal")
    expect(newest).to_be_visible()
    expect(page.locator("#mood")).to_have_text("Illegal move")
    card.get_by_role("button", name="Undo this ruling").click()
    expect(page.locator("#line")).to_have_text("Sent")
    undo = stage.journal.last
    stage.journal.append(RulingUndone(order=order, position=str(stage.position), verdict=second))
    stage.journal.append(OrderAnswered(order=undo, done=True, sentence="The ruling is undone."))
    expect(newest).to_contain_text("Cancelled: the ruling was undone.")
    expect(card.get_by_role("button", name="Accept the move")).to_be_visible()
    card.get_by_role("button", name="Accept the move").click()
    expect(card).to_contain_text("Sent. The table is carrying it out.")
    assert stage.journal.read()[-1].body == LetStand(verdict=first, by="page")


def test_forfeit(stage: Stage, visit: Open) -> None:
    fouled(stage)
    page = visit()
    page.get_by_role("button", name="Resign …").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("South")).to_be_checked()
    dialog.get_by_role("button", name="Resign").click()
    expect(dialog).to_have_count(0)
    assert stage.journal.read()[-1].body == Forfeit(side="S", by="page")
    order = stage.journal.last
    stage.journal.append(GameOver(result="8-24", winner="N", reason="South resigned"))
    stage.journal.append(OrderAnswered(order=order, done=True, sentence="South resigns; North wins the game."))
    expect(page.locator("#feed .note.over")).to_contain_text("North won 24–8. South resigned.")
    expect(page.locator(".ending-score")).to_have_text("24 – 8")
    assert "North won 24–8" in page.context.request.get(f"{page.url}games").text(), "the winner's seeds come first"
    expect(page.get_by_role("button", name="Resign …")).to_have_count(0)
    page.get_by_role("button", name="Undo this ruling").click()
    expect(page.locator("#line")).to_have_text("Sent")
    assert stage.journal.read()[-1].body == Undo(order=order, by="page")


def test_undone_ruling_stays_in_sight(stage: Stage, visit: Open) -> None:
    verdict = fouled(stage)
    page = visit()
    page.get_by_role("button", name="Accept the move").click()
    expect(page.locator(".ruled")).to_have_count(1)
    assert stage.journal.read()[-1].body == LetStand(verdict=verdict, by="page")
    answer(stage, "The move stands.")
    page.get_by_role("button", name="Undo this ruling").click()
    wait_for(lambda: isinstance(stage.journal.read()[-1].body, Undo))
    stage.take()
    expect(page.locator("#guide")).to_be_hidden()
    expect(page.locator(".ruled.undone")).to_have_text("The move stands. – undone")
    expect(page.get_by_role("button", name="Take it back")).to_be_visible()
    expect(page.get_by_role("button", name="Undo this ruling")).to_have_count(0)
    expect(page.locator("#mood")).to_have_text("Illegal move")


def test_a_ruling_is_undone_after_the_next_move_too(stage: Stage, visit: Open) -> None:
    """That a move stands is undone by itself; what play has gone on from is undone with it, and that is asked first."""
    first = fouled(stage)
    stage.live()
    page = visit(calm=True)
    card = page.locator(f"#feed > li[data-number='{first}']")
    expect(page.locator("#open-fouls")).to_contain_text("1 awaiting a ruling")
    page.get_by_role("button", name="Accept the move").click()
    expect(card.locator(".ruled")).to_have_count(1)
    answer(stage)
    expect(page.locator("#open-fouls")).to_be_hidden()
    stage.legal()
    expect(page.locator("#feed .verdict.legal")).to_have_count(1)
    card.get_by_role("button", name="Undo this ruling", exact=True).click()
    wait_for(lambda: isinstance(stage.journal.read()[-1].body, Undo))
    stage.take()
    expect(page.locator("#open-fouls")).to_contain_text("1 awaiting a ruling")
    expect(page.locator("#feed .verdict.gone")).to_have_count(0)
    card.get_by_role("button", name="Count again").click()
    page.get_by_role("dialog").get_by_role("button", name="One fewer").click()
    for box in page.get_by_role("dialog").get_by_role("checkbox").all():
        box.check()
    page.get_by_role("dialog").get_by_role("button", name="Judge it again").click()
    wait_for(lambda: isinstance(stage.journal.read()[-1].body, NotAsSeen))
    stage.take()
    stage.position = Position.parse(next(e.body.position for e in reversed(stage.journal.read())
                                         if isinstance(e.body, VerdictGiven)))
    played = stage.legal()
    back = card.get_by_role("button", name="Undo this ruling …")
    back.click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("will no longer count")
    accessible(page)
    dialog.get_by_role("checkbox").check()
    dialog.get_by_role("button", name="Undo this ruling").click()
    wait_for(lambda: isinstance(stage.journal.read()[-1].body, Undo))
    stage.take()
    expect(page.locator(f"#feed > li[data-number='{played}'] .verdict.gone")).to_contain_text("the ruling was undone")
    expect(card.get_by_role("button", name="Accept the move")).to_be_visible()


def test_a_result_is_kept_when_a_recount_is_undone(stage: Stage, served: Served, visit: Open) -> None:
    """The last move of a finished game is counted anew, and that is undone: the page tells the result as before, and so
    does the day's list."""
    stage.begin("endodoi", "2x6")
    stage.position = Position.parse("0,0,0,0,1,0/0,1,1,0,0,1 S 26-18 ply=32")
    stage.journal.append(PositionSet(position=str(stage.position), why="they play on from here"))
    stage.legal("b")
    over = stage.rules.over(stage.position)
    assert over is not None
    stage.journal.append(game_over(over))
    stage.live("over")
    page = visit(width=390)
    told = f"South won {over.result[0]}–{over.result[1]}"
    expect(page.locator("#why")).to_contain_text(told)
    card = page.locator("#feed .verdict.legal").first
    card.locator("summary").first.click()
    card.get_by_role("button", name="Count again").click()
    dialog = page.get_by_role("dialog")
    for pit in ("South b", "North B"):  # as after the move c, with which the game would go on
        dialog.get_by_role("button", name=re.compile(f"^{pit}: ")).click()
        dialog.get_by_role("button", name="One more").click()
    expect(dialog).to_contain_text("The result of the game is worked out again.")
    for sure in dialog.get_by_role("checkbox").all():
        sure.check()
    dialog.get_by_role("button", name="Judge it again").click()
    expect(dialog).to_have_count(0)
    stage.take()
    stage.live()
    expect(page.locator("#mood")).to_have_text("Watching")
    undo = page.get_by_role("button", name="Undo this ruling")
    undo.click()
    wait_for(lambda: isinstance(stage.journal.read()[-1].body, Undo))
    stage.take()
    stage.live("over")
    expect(undo).to_have_count(0)
    expect(page.locator("#mood")).to_have_text("The game is over")
    expect(page.locator("#why")).to_contain_text(told)
    page.goto(served.url + "games")
    expect(page.locator(".row-end")).to_contain_text(told)


# ---- for everyone

def test_accessible(stage: Stage, visit: Open) -> None:
    """The path of a foul, both dialogs, and what is to be laid back."""
    fouled(stage)
    page = visit(calm=True)
    page.locator("#feed .path summary").click()
    accessible_in_each_theme(page, "#feed")
    for button in ("Count again", "Resign …"):
        page.get_by_role("button", name=button).click()
        expect(page.get_by_role("dialog")).to_be_visible()
        accessible_in_each_theme(page)
        page.keyboard.press("Escape")
    withdraw(page)
    expect(page.locator(".ruled")).to_have_count(1)
    answer(stage)
    stage.live("withdrawing")
    expect(page.locator("#guide")).to_be_visible()
    accessible_in_each_theme(page, "#guide")


def test_what_was_judged_again_is_accessible(stage: Stage, visit: Open) -> None:
    """Beside a foul that may still be ruled on."""
    stage.again(fouled(stage), "illegal")
    stage.legal()
    page = visit(calm=True)
    expect(page.locator("#feed .verdict.gone")).to_have_count(1)
    accessible_in_each_theme(page, "#feed")


def test_captured_seeds_are_corrected_from_the_sheet_of_the_end(stage: Stage, visit: Open) -> None:
    stage.begin("oware", "2x6")
    stage.position = Position.parse("0,0,0,0,2,2/0,0,0,0,1,1 S 21-21")
    verdict = stage.legal()
    pits = list(stage.position.counts)
    stage.journal.append(AgreeEnd())
    stage.take()
    stage.live()
    page = visit(width=390, height=844, calm=True)
    ending, dialog = page.locator("#ending"), page.get_by_role("dialog")
    expect(ending.locator(".ending-score")).to_have_text("25 – 23")
    ending.get_by_role("button", name="count again").click()
    dialog.get_by_role("button", name="Captured by South").click()
    dialog.get_by_role("button", name="One fewer").click()
    dialog.get_by_role("button", name="Captured by North").click()
    seeds = dialog.get_by_label("How many seeds")
    seeds.fill("31")
    expect(dialog).to_contain_text("9 seeds too many in all.")
    accessible(page, within="dialog")
    dialog.get_by_role("checkbox").check()
    dialog.get_by_role("button", name="Judge it again").click()
    expect(dialog.locator(".wrong[role=alert]")).to_have_text(
        f"{sum(pits)} seeds in the pits and 51 captured ones make 57; this game has 48.")
    seeds.fill("22")
    expect(dialog).to_contain_text("48 seeds in all, as it should be.")
    dialog.get_by_role("button", name="Judge it again").click()
    expect(dialog).to_have_count(0)
    assert stage.journal.read()[-1].body == NotAsSeen(verdict=verdict, counts=pits, captured=[20, 22], by="page")
    stage.take()
    expect(ending.locator(".ending-score")).to_have_text("26 – 22")
    expect(page.locator("#player-N .captured")).to_have_text("22 captured")
    ending.get_by_role("button", name="count again").click()
    expect(dialog.get_by_role("button", name="Captured by North: 22")).to_be_visible()


def test_every_pit_can_be_tapped_in_the_recount(stage: Stage, visit: Open) -> None:
    stage.begin(board="2x12")
    stage.cheat()
    page = visit(width=390, height=800)
    page.get_by_role("button", name="Count again").click()
    expect(page.locator(".cell")).to_have_count(24 + 2)
    until(page, CELLS, lambda cells: min(min(w, h) for w, h, _ in cells) >= 24 and max(r for *_, r in cells) <= 390)
    page.set_viewport_size({"width": 320, "height": 800})
    until(page, CELLS, lambda cells: max(right for *_, right in cells) <= 320)


CELLS = """[...document.querySelectorAll('.cell')].map(c => c.getBoundingClientRect())
    .map(r => [r.width, r.height, r.right])"""
"""How wide and how high each pit of a recount is, and where it ends."""


# ---- at arm's length

def test_a_foul_is_ruled_on_in_two_taps_on_a_phone_without_scrolling(stage: Stage, visit: Open) -> None:
    stage.begin()
    stage.live()
    page = visit(width=390, height=844, calm=True)
    expect(page.locator("#mood")).to_have_text("Watching")
    verdict = stage.cheat("c")
    back = page.get_by_role("button", name="Take it back")
    expect(page.get_by_role("button", name="Accept the move")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Count again")).to_be_in_viewport(ratio=1)
    expect(back).to_be_in_viewport(ratio=1)
    box = back.bounding_box()
    assert box is not None and box["height"] >= 48
    accessible(page, within="#decide")
    back.click()
    send = page.get_by_role("dialog").get_by_role("button", name="Take it back")
    expect(send).to_be_in_viewport(ratio=1)
    send.click()
    wait_for(lambda: stage.journal.last > verdict)
    assert stage.journal.read()[-1].body == Withdraw(verdict=verdict, by="page", side="R", why="illegal")
    assert page.evaluate("scrollY") == 0
    expect(page.locator("#decide")).to_contain_text("Sent. The table is carrying it out.")
    stage.take()
    stage.live("withdrawing")
    expect(page.locator("#meanwhile")).to_contain_text("Put the board back")
    expect(page.locator("#last")).to_be_hidden()  # nobody objects to a move that goes
    undo = page.get_by_role("button", name="Undo this ruling")
    expect(undo).to_have_count(1)
    expect(undo).to_be_in_viewport(ratio=1)
    undo.click()
    wait_for(lambda: isinstance(stage.journal.read()[-1].body, Undo))


def test_the_decision_keeps_its_place_whatever_is_noticed(stage: Stage, visit: Open) -> None:
    fouled(stage)
    page = visit()
    expect(page.locator("#decide button")).to_have_count(3)
    button, meanwhile = page.locator("#decide button").first, page.locator("#meanwhile")
    button.evaluate("button => { button.id = 'under-a-finger'; }")
    for width, height in (PHONE, DESKTOP, (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        stage.live()
        expect(meanwhile).to_have_text("North to move.")
        before = page.locator("#under-a-finger").bounding_box()
        for state, more, said in (
                ("hands-in", {"covered": ("d",)}, "Move in progress. North to move."),
                ("searching", {}, "Looking for the board"),
                ("blind", {"notice": "The disk is full."}, "Not watching. "),
                ("watching", {"light": 20.0}, "North to move.")):
            stage.live(state, **more)
            expect(meanwhile).to_contain_text(said)
            expect(page.locator("#notice")).to_be_visible(visible="notice" in more)
            assert page.locator("#under-a-finger").bounding_box() == before, (width, state)
            expect(page.locator("#mood")).to_have_text("Illegal move")
        fits(page, width)
    expect(page.locator("#last")).to_be_hidden()  # what the card says already
    stage.live("blind")
    expect(meanwhile).to_contain_text("Not watching. ")
    accessible_in_each_theme(page, "#referee")
    stage.live()
    stage.legal()
    expect(page.locator("#decide")).to_be_hidden()
