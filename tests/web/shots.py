"""`python -m tests.web.shots [FOLDER] [VIEW[:LANGUAGE]…]`: a picture of every view of the page, phone and desktop,
light and dark.

To be looked at by people; the folder (default `data/shots`) is not kept. The table in them is a staged one. A view that
something is done in is found in English alone.
"""

import re
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import click
from playwright.sync_api import Browser, Page, sync_playwright

from device.journal.events import Withdraw
from device.journal.messages import message
from engine.rules import games
from tests.web.conftest import CHROMIUM, STARTED_WITH, Served
from tests.web.stage import Stage, replace_struct
from tests.web.visits import THEMES, pressed, signed_in

SIZES: Mapping[str, tuple[int, int]] = {"phone": (390, 844), "desktop": (1280, 900)}
PIN = "271828"


@dataclass(frozen=True)
class View:
    """One view: how its table is staged, where it is, and what is done there before the picture. shows: the rule of the
    address to which that leads, where it is another view. watching: as who may not rule."""

    stage: Callable[[Stage], object]
    path: str = ""
    act: Callable[[Page], object] = lambda _page: None
    javascript: bool = True
    shows: str = ""
    watching: bool = False


def quiet(stage: Stage) -> None:
    """Some legal moves."""
    stage.begin()
    for _ in range(3):
        stage.legal()
    stage.live()


def demo(stage: Stage) -> None:
    """The simulated table, and a word explained."""
    from device.journal.events import TableStarted, translatable

    quiet(stage)
    stage.journal.append(TableStarted(camera="simulated table", version="0", told=translatable(message("camera.sim"))))


def foul(stage: Stage) -> None:
    """A caught cheat."""
    stage.begin()
    stage.legal()
    stage.cheat("C")
    stage.live()


def clipped(stage: Stage) -> None:
    """A caught cheat, with its clip and its board's place."""
    stage.begin()
    stage.place()
    stage.legal()
    stage.cheat("C")
    stage.live()
    stage.clip(stage.journal.last)


def withdrawing(stage: Stage) -> None:
    """A cheat being taken back."""
    foul(stage)
    verdict = stage.journal.last
    stage.journal.append(Withdraw(verdict=verdict))
    stage.take()
    stage.live("withdrawing", message("why.still", pits=[message("why.still.pit", pit="D", there=2, due=0)]))


def forward(stage: Stage) -> None:
    """A withdrawal was undone after they had played on."""
    from device.journal.events import Undo, VerdictGiven

    stage.begin()
    before = stage.position
    foul_at = stage.cheat("c")
    lies = stage.position
    stage.journal.append(Withdraw(verdict=foul_at))
    stage.take()
    order = stage.journal.last - 1
    stage.journal.append(VerdictGiven(kind="withdrawn", player="S", before=str(lies), position=str(before),
                                      sentence="South's move is withdrawn.", answers=foul_at))
    stage.position = before
    stage.legal("d")
    stage.journal.append(Undo(order=order))
    played = stage.position
    stage.take()
    stage.position = played
    stage.live()


def day(stage: Stage) -> None:
    """A match of sticks, its third game on."""
    from device.journal.events import Forfeit, MatchAgreed, TeamsNamed

    stage.begin()
    stage.journal.append(TeamsNamed(south=["Naserian", "Lemayian"], north=["Sironka"]))
    stage.journal.append(MatchAgreed(game="enkeshui", board="2x8", form="sticks", number=5))
    for winner in ("S", "N"):
        stage.legal()
        stage.cheat()
        stage.journal.append(Forfeit(side="N" if winner == "S" else "S"))
        stage.take()
        stage.begin()
    stage.legal()
    stage.cheat()
    stage.live()


def long_game(stage: Stage) -> None:
    """A game of many moves that each took their time."""
    from device.journal.events import TeamsNamed, VerdictGiven

    stage.begin()
    stage.journal.append(TeamsNamed(south=["Naserian", "Lemayian"], north=["Sironka"]))
    t = 10.0
    for _ in range(24):
        before = stage.position
        number = stage.cheat() if _ == 9 else stage.legal()
        event = stage.journal.get(number)
        assert event is not None and isinstance(event.body, VerdictGiven)
        t += 3 + sum(before.counts[:5]) % 7
        stage.journal.append(replace_struct(event.body, answers=number, hands_in=t - 2, hands_out=t, t=t))
    stage.live()


def doubtful(stage: Stage) -> None:
    """A move that the table is not sure of, with one that was let stand before it."""
    from device.journal.events import LetStand

    foul(stage)
    stage.journal.append(LetStand(verdict=stage.journal.last))
    stage.take()
    stage.doubt("d", "E")
    stage.live("watching", doubtful=("d", "E"))


def passed(stage: Stage) -> None:
    """A foul that play has gone on from; it is still to be ruled on."""
    foul(stage)
    for _ in range(2):
        stage.legal()
    stage.live()


def again(stage: Stage) -> None:
    """An earlier move judged again, and what came after it too."""
    from device.journal.events import NotAsSeen, OrderAnswered, translatable

    stage.begin()
    first, second = stage.cheat("c"), stage.legal()
    order = stage.journal.append(NotAsSeen(verdict=first, counts=list(stage.position.counts))).number
    stage.again(first, "legal")
    stage.again(second, "legal")
    answer = message("answer.judged-all", n=1)
    stage.journal.append(OrderAnswered(order=order, done=True, sentence=str(answer), told=translatable(answer)))
    stage.live()


def held(stage: Stage) -> None:
    """A foul that spectators do not see yet."""
    from device.journal.events import HoldSet

    stage.begin()
    stage.legal()
    stage.journal.append(HoldSet(on=True, by="page"))
    stage.cheat("C")
    stage.live()


def held_back(stage: Stage) -> None:
    """The same, as a spectator sees it."""
    held(stage)
    _keep_pin(stage)


def timed(stage: Stage) -> None:
    """Omweso, whose turns are timed."""
    from device.journal.events import VerdictGiven

    stage.begin("omweso", "4x8")
    verdict = stage.journal.get(stage.legal())
    assert verdict is not None and isinstance(verdict.body, VerdictGiven)
    stage.journal.append(replace_struct(verdict.body, hands_in=90.0, hands_out=100.0, t=100.6))
    stage.live(t=104.5, why="omu, ebiri")


def blind(stage: Stage) -> None:
    """The light has gone."""
    from device.journal.events import Blind, translatable
    from device.table.sight import DARK

    quiet(stage)
    stage.journal.append(Blind(why=str(DARK.why), todo=str(DARK.todo), told=translatable(DARK.why),
                               told_todo=translatable(DARK.todo)))
    stage.live("blind", DARK.why)


def ended(stage: Stage) -> None:
    """A game that is over."""
    from device.journal.events import Forfeit

    foul(stage)
    stage.journal.append(Forfeit(side="N"))
    stage.take()
    stage.live("over")


def cameras(stage: Stage) -> None:
    """A table with a choice of cameras, and a poor picture."""
    quiet(stage)
    stage.live(cameras=[("usb:0", "Logi C920"), ("sim", "simulated table")], light=24.0)


def laying(stage: Stage) -> None:
    """A set-up that is not all right yet."""
    stage.begin()
    stage.live("setting-up", message("why.read.look", right=14, pits=16, names="c, D"), counts={"c": 7}, covered=("D",))


def lies(page: Page) -> None:
    """A board that each has arranged."""
    page.get_by_role("radio", name=re.compile("^Omweso")).check()
    page.locator("label").filter(has_text="Each player arranges").get_by_role("radio").check()
    for _ in range(2):
        pressed(page, "Save and continue")


def rules_wrong(page: Page) -> None:
    """Rules of a table that cannot be."""
    page.get_by_role("radio", name=re.compile("^Omweso")).check()
    page.locator(".house-rules:visible summary").click()
    page.get_by_label("Seconds for a move").fill("soon")
    pressed(page, "Save and continue")


def agreed_wrong(page: Page) -> None:
    """A match from an agreed start, whose row is too short."""
    page.get_by_label("Board and set-up").locator("visible=true").select_option("2x10/lies")
    page.get_by_label("South’s row").locator("visible=true").fill("5 3 3 1")
    page.get_by_role("group", name="South").get_by_label("Players").fill("Naserian\nNaserian")
    pressed(page, "Start match")


def twice(page: Page) -> None:
    """A name that stands there twice."""
    page.get_by_role("group", name="South").get_by_label("Players").fill("Naserian\nNaserian")
    pressed(page, "Save teams")


def last_move(page: Page) -> None:
    """From a game to its last verdict."""
    with page.expect_navigation():
        page.locator("a.verdict").last.click()


def sign_in(page: Page) -> None:
    """As the referee."""
    signed_in(page, PIN)
    page.locator("header").get_by_role("link", name="Referee").click()


def annul(page: Page) -> None:
    """From the list to the game that is on, and its annulling."""
    page.locator("a.row").first.click()
    page.locator("details.annul summary").click()


def scrub(page: Page) -> None:
    """From the list to a game, at its first foul."""
    page.locator("a.row").last.click()
    page.get_by_role("button", name="Next foul").click()


def enlarge(page: Page) -> None:
    """A past move's page, its photograph after the move enlarged."""
    last_move(page)
    page.locator(".stills a").last.click()


def rule_past(page: Page) -> None:
    """A past move's page, where it is counted anew."""
    page.locator("a.verdict.illegal").first.click()
    page.locator(".rule-past summary").last.click()


def _keep_pin(stage: Stage) -> None:
    from web.pin import PinFile

    PinFile(stage.folder / "page.pin").set(PIN)


def _pin(stage: Stage) -> None:
    foul(stage)
    _keep_pin(stage)


VIEWS: dict[str, View] = {
    "table": View(quiet),
    "foul": View(foul),
    "not-sure": View(doubtful),
    "passed": View(passed),
    "again": View(again),
    "held": View(held),
    "held-back": View(held_back, watching=True),
    "clock": View(timed),
    "sound": View(timed, act=lambda page: page.locator("#sound").check()),
    "blind": View(blind),
    "over": View(ended),
    "off": View(lambda stage: stage.begin()),
    "clip": View(clipped, act=lambda page: page.get_by_role("button", name="Show the clip").click()),
    "enlarged": View(foul, act=lambda page: page.get_by_role("button", name="Enlarge").click()),
    "recount": View(foul, act=lambda page: page.get_by_role("button", name="Count again").click()),
    "forfeit": View(foul, act=lambda page: page.get_by_role("button", name="Resign …").click()),
    "withdrawing": View(withdrawing),
    "forward": View(forward),
    "watching-only": View(_pin, watching=True),
    "match-on": View(day),
    "games": View(day, "games"),
    "game": View(day, "games", act=lambda page: page.locator("a.row").last.click(), shows="/games/<int:number>"),
    "day": View(day, "games", act=lambda page: page.get_by_role("link", name="Statistics").click(),
                shows="/games/day/<day>"),
    "fouls": View(day, "fouls"),
    "scrub": View(day, "games", act=scrub),
    "figures": View(long_game, "games", act=lambda page: page.locator("a.row").first.click()),
    "summary": View(day, "match/summary"),
    "annul": View(day, "games", act=annul),
    "move": View(day, "games/2", act=last_move, shows="/games/<int:number>/<int:verdict>"),
    "move-clip": View(clipped, "games/2", act=last_move),
    "move-photo": View(clipped, "games/2", act=enlarge),
    "move-rule": View(passed, "games/2", act=rule_past),
    "move-again": View(again, "games/2", act=lambda page: page.locator("a.verdict").first.click()),
    "match": View(day, "match"),
    "match-none": View(quiet, "match"),
    "sheet": View(day, "sheet"),
    "no-script": View(foul, javascript=False),
    "board": View(day, "board"),
    "overlay": View(foul, "overlay"),
    "programs": View(_pin, "api/"),
    "board-quiet": View(timed, "board"),
    "japanese": View(foul, act=lambda page: page.get_by_text("日本語").click()),
    "swahili-match": View(day, "match", act=lambda page: page.get_by_text("Kiswahili").click()),
    "setup": View(quiet, "setup"),
    "setup-camera": View(cameras, "setup/camera"),
    "setup-board": View(quiet, "setup/board"),
    "setup-placing": View(quiet, "setup/board", act=lambda page: page.get_by_role("button", name="Place it").click()),
    "setup-game": View(quiet, "setup/game"),
    "setup-rules": View(quiet, "setup/game", act=rules_wrong),
    "match-agreed": View(quiet, "match", act=agreed_wrong),
    "match-twice": View(quiet, "match", act=twice),
    "setup-teams": View(day, "setup/teams"),
    "setup-first": View(quiet, "setup/first"),
    "setup-lot": View(quiet, "setup/first", act=lambda page: page.get_by_role("button", name="Draw the lot").click()),
    "setup-lies": View(quiet, "setup/game", act=lies),
    "setup-laid": View(laying, "setup/laid"),
    "setup-match": View(day, "setup/match"),
    "setup-referee": View(quiet, "setup/referee"),
    "pin-none": View(quiet, "referee"),
    "referee-in": View(_pin, "referee", act=sign_in, watching=True),
    "pin-ask": View(_pin, "referee", watching=True),
    "help": View(quiet, "help"),
    **{f"help-{game}": View(quiet, f"help/{game}") for game in games()},
    "nowhere": View(quiet, "nowhere"),
    "demo": View(demo),
    "new-game": View(quiet, act=lambda page: page.locator("#new-game").click()),
}


@click.command()
@click.argument("folder", default="data/shots", type=click.Path(file_okay=False, path_type=Path))
@click.argument("names", nargs=-1, metavar="[VIEW[:LANGUAGE]]…")
def main(folder: Path, names: tuple[str, ...]) -> None:
    """Take pictures of these views, or of all, into FOLDER."""
    unknown = [name for name in names if name.partition(":")[0] not in VIEWS]
    if unknown:
        raise click.UsageError(f"no view is named {unknown[0]!r}: " + ", ".join(VIEWS))
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=STARTED_WITH)
        for name in names or list(VIEWS):
            with tempfile.TemporaryDirectory() as data:
                view, _, language = name.partition(":")
                _shoot(browser, Path(data), VIEWS[view], folder / name.replace(":", "-"), language or "en")
            print(name, flush=True)
        browser.close()


def _shoot(browser: Browser, data: Path, view: View, to: Path, language: str) -> None:
    stage, served = Stage(data), Served(data)
    view.stage(stage)
    served.start()
    try:
        for size, (width, height) in SIZES.items():
            context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce",
                                          java_script_enabled=view.javascript, locale=language)
            if not view.watching:
                context.request.get(served.url + served.link()[1:])
            page = context.new_page()
            page.goto(served.url + view.path)
            page.wait_for_load_state("load")
            page.wait_for_timeout(900)
            view.act(page)
            page.wait_for_load_state("load")
            page.wait_for_timeout(400)
            for theme in THEMES:
                page.emulate_media(color_scheme=theme)
                page.screenshot(path=f"{to}-{size}-{theme}.png", full_page=size == "phone")
            context.close()
    finally:
        served.stop()
        stage.close()


if __name__ == "__main__":
    main()
