"""`python -m tests.web.shots [FOLDER] [VIEW…]`: a picture of every view of the page, phone and desktop, light and dark.

To be looked at by people; the folder (default `data/shots`) is not kept. The table in them is a staged one.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, sync_playwright

from tests.web.conftest import CHROMIUM, Served
from tests.web.stage import Stage

SIZES: Mapping[str, tuple[int, int]] = {"phone": (390, 844), "desktop": (1280, 900)}
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


@dataclass(frozen=True)
class View:
    """One view: how its table is staged, where it is, and what is done there before the picture."""

    stage: Callable[[Stage], object]
    path: str = ""
    act: Callable[[Page], object] = lambda _page: None
    javascript: bool = True


def quiet(stage: Stage) -> None:
    """Some legal moves."""
    stage.begin()
    for _ in range(3):
        stage.legal()
    stage.live()


def foul(stage: Stage) -> None:
    """A caught cheat."""
    stage.begin()
    stage.legal()
    stage.cheat("C")
    stage.live()


def clipped(stage: Stage) -> None:
    """A caught cheat, with its clip."""
    foul(stage)
    stage.clip(stage.journal.last)


def withdrawing(stage: Stage) -> None:
    """A cheat being taken back."""
    from device.journal.events import OrderAnswered, Withdraw

    foul(stage)
    verdict = stage.journal.last
    order = stage.journal.append(Withdraw(verdict=verdict)).number
    stage.journal.append(OrderAnswered(order=order, done=True, sentence="Lay the board as it was before the move."))
    stage.live("withdrawing", "still to be laid as before: D (2 there, 0 due)")


def day(stage: Stage) -> None:
    """A match of sticks, its third game on."""
    from device.journal.events import Forfeit, GameOver, MatchAgreed, OrderAnswered, TeamsNamed

    stage.begin()
    stage.journal.append(TeamsNamed(south=["Naserian", "Lemayian"], north=["Sironka"]))
    stage.journal.append(MatchAgreed(game="enkeshui", board="2x8", form="sticks", number=5))
    for winner in ("S", "N"):
        stage.legal()
        stage.cheat()
        order = stage.journal.append(Forfeit(side="N" if winner == "S" else "S")).number
        loser = "North" if winner == "S" else "South"
        stage.journal.append(GameOver(result="9-4", winner=winner, reason=f"{loser} forfeited"))
        stage.journal.append(OrderAnswered(order=order, done=True, sentence=f"{loser} gives up the game."))
        stage.begin()
    stage.legal()
    stage.cheat()
    stage.live()


def cameras(stage: Stage) -> None:
    """A table with a choice of cameras, and a poor picture."""
    quiet(stage)
    stage.live(cameras=[("usb:0", "Logi C920"), ("sim", "simulated table")], light=24.0)


def laying(stage: Stage) -> None:
    """A set-up that is not all right yet."""
    stage.begin()
    stage.live("setting-up", "14 of 16 pits read right; look at c, D", counts={"c": 7}, covered=("D",))


def lies(page: Page) -> None:
    """A board that each has arranged."""
    page.locator("label").filter(has_text="Each arranges").get_by_role("radio").check()
    page.locator("input[value='omweso/wikipedia']").check()
    page.get_by_role("button", name="This game").click()
    page.wait_for_load_state()


def last_move(page: Page) -> None:
    """From a game to its last verdict."""
    page.locator("a.verdict").last.click()
    page.wait_for_load_state()


def _pin(stage: Stage) -> None:
    from web.pin import PinFile

    foul(stage)
    PinFile(stage.folder / "page.pin").set("271828")


VIEWS: dict[str, View] = {
    "table": View(quiet),
    "foul": View(foul),
    "clip": View(clipped, act=lambda page: page.get_by_role("button", name="Show the clip").click()),
    "recount": View(foul, act=lambda page: page.get_by_role("button", name="Not as seen").click()),
    "forfeit": View(foul, act=lambda page: page.get_by_role("button", name="Forfeit").click()),
    "withdrawing": View(withdrawing),
    "watching-only": View(_pin),
    "match-on": View(day),
    "games": View(day, "games"),
    "game": View(day, "games", act=lambda page: page.locator("a.row").last.click()),
    "move": View(day, "games/2", act=last_move),
    "match": View(day, "match"),
    "match-none": View(quiet, "match"),
    "sheet": View(day, "sheet"),
    "no-script": View(foul, javascript=False),
    "board": View(day, "board"),
    "japanese": View(foul, act=lambda page: page.get_by_text("日本語").click()),
    "swahili-match": View(day, "match", act=lambda page: page.get_by_text("Kiswahili").click()),
    "setup": View(quiet, "setup"),
    "setup-camera": View(cameras, "setup/camera"),
    "setup-board": View(quiet, "setup/board"),
    "setup-placing": View(quiet, "setup/board", act=lambda page: page.get_by_role("button", name="Place it").click()),
    "setup-game": View(quiet, "setup/game"),
    "setup-teams": View(day, "setup/teams"),
    "setup-lot": View(quiet, "setup/first", act=lambda page: page.get_by_role("button", name="Draw the lot").click()),
    "setup-lies": View(quiet, "setup/game", act=lies),
    "setup-laid": View(laying, "setup/laid"),
    "pin-none": View(quiet, "referee"),
    "pin-ask": View(_pin, "referee"),
    "new-game": View(quiet, act=lambda page: page.locator("#new-game").click()),
}


def main(folder: Path, names: list[str]) -> None:
    """Take the pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for name in names or list(VIEWS):
            with tempfile.TemporaryDirectory() as data:
                _shoot(browser, Path(data), VIEWS[name], folder / name)
            print(name, flush=True)
        browser.close()


def _shoot(browser: Browser, data: Path, view: View, to: Path) -> None:
    stage, served = Stage(data), Served(data)
    view.stage(stage)
    served.start()
    try:
        for size, (width, height) in SIZES.items():
            for theme in THEMES:
                context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=theme,
                                              reduced_motion="reduce", java_script_enabled=view.javascript)
                page = context.new_page()
                page.goto(served.url + view.path)
                page.wait_for_timeout(900)
                view.act(page)
                page.wait_for_timeout(400)
                page.screenshot(path=f"{to}-{size}-{theme}.png", full_page=size == "phone")
                context.close()
    finally:
        served.stop()
        stage.close()


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "data/shots"), sys.argv[2:])
