"""Opening the page in a Chromium, for the tests: nothing may go wrong in it, and nothing may leave the machine."""

import os
import time
from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple
from urllib.parse import urlsplit

from axe_playwright_python.base import AxeResults
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, expect
from playwright.sync_api import Error as PlaywrightError

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
AXE = Axe().axe_script
"""What finds what some people cannot read or reach."""
CONTRAST = "color-contrast"
Theme = Literal["light", "dark"]
About = Literal["all", "structure", "colours"]
THEMES: tuple[Theme, ...] = ("light", "dark")
Open = Callable[..., Page]
PHONE, DESKTOP = (390, 844), (1280, 900)
SLOWER = float(os.environ.get("INKEEK_SLOW_BROWSER", "1"))
"""How many times slower than this machine the browser is to be; the server, too, then takes its time."""
DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))"
"""Until what is to be drawn is drawn."""
PATIENCE_S = 60.0
"""Within this the page has to be as it is expected."""


class Kind(NamedTuple):
    """What cannot be changed of a page once it is open."""

    browser: Browser
    script: bool
    language: str


USED: dict[Kind, Page] = {}
"""An empty page of each kind, which an earlier test has used."""


def until(page: Page, expression: str, holds: Callable[[Any], object], seconds: float = PATIENCE_S) -> Any:
    """The value of a JavaScript expression, as soon as it is as wanted; fails where it is not within so many seconds.

    It is asked for again and again from here, because the page's policy lets no text be run in it. A page that is on
    its way to another has no value yet.
    """
    end = time.monotonic() + seconds
    while True:
        try:
            value = page.evaluate(expression)
            if holds(value):
                return value
        except PlaywrightError as gone:
            value = gone.message
            if page.is_closed():
                raise
        assert time.monotonic() < end, f"{expression} is {value!r}"
        page.wait_for_timeout(30)


def fits(page: Page, width: int) -> None:
    """Fails where the page is, or stays, wider than so many pixels."""
    until(page, "document.documentElement?.scrollWidth ?? Infinity", lambda wide: wide <= width)


def accessible(page: Page, about: About = "all", within: str = "") -> None:
    """Fails with axe's report where it finds anything on the page as it stands once what moves in has arrived.

    A card that fades in is pale on its way, and nobody reads it then. about: what is looked at; to compare colours
    takes twice as long as all else, and a theme changes nothing but them. within: the selector of the one part that is
    looked at, where every view's own test looks at the rest; of a page behind a modal dialog nobody reaches anything,
    and the dialog alone is looked at.
    """
    if within:
        expect(page.locator(within).first).to_be_attached()
    page.evaluate("""() => Promise.all(document.getAnimations()
        .filter(a => a.effect.getComputedTiming().endTime !== Infinity).map(a => a.finished.catch(() => 0)))
        .then(() => 0)""")
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    rules: dict[str, object] = {"rules": {CONTRAST: {"enabled": about == "all"}}, "runOnly": RULES}
    if about == "colours":
        rules = {"runOnly": {"type": "rule", "values": [CONTRAST]}}
    options = {"resultTypes": ["violations"], **rules}  # all else is described in vain
    found = page.evaluate("([part, options]) => axe.run(document.querySelector(part) ?? document, options)",
                          [within or ":modal", options])
    results = AxeResults(found)
    assert results.violations_count == 0, results.generate_report()


def accessible_in_each_theme(page: Page, within: str = "") -> None:
    """The same with the colours of both themes; it stays in the dark one."""
    page.emulate_media(color_scheme="light")
    accessible(page, within=within)
    page.emulate_media(color_scheme="dark")
    accessible(page, "colours", within)


def at_each_size(page: Page) -> Iterator[None]:
    """The page on a phone, then on a desktop's screen, where it stays. Fails where it is wider than the screen."""
    for width, height in (PHONE, DESKTOP):
        page.set_viewport_size({"width": width, "height": height})
        until(page, f"innerWidth === {width}", bool)
        fits(page, width)
        yield


def accessible_at_each_size(page: Page, seen: Callable[[Page], None] = accessible) -> None:
    """Fails where axe finds anything on a phone or on a desktop's screen, or where the page is wider than these. seen:
    what is looked at on the wide screen, where most is shown; on the phone colours are not compared."""
    sizes = at_each_size(page)
    next(sizes)
    accessible(page, "structure")
    next(sizes)
    seen(page)


class Visits:
    """Opens pages of one server; `close` ends them and says whether anything went wrong.

    A page that was used is emptied and opened again by a later test: its process has compiled the scripts, and a new
    process costs more than most of what tests do with a page.
    """

    def __init__(self, browser: Browser, url: str, link: Callable[[], str] = str) -> None:
        """url: the server's address, to which paths are joined; link: the path of the link that makes a browser that of
        the machine itself, "" for none."""
        self._browser, self._url, self._link = browser, url, link
        self._opened: list[tuple[Page, Kind | None]] = []
        self.wrong: list[str] = []

    def open(self, width: int = 1280, height: int = 900, theme: Theme = "light", calm: bool = False, path: str = "",
             script: bool = True, language: str = "en", meanwhile: Callable[[], object] | None = None,
             alone: bool = False) -> Page:
        """A page with nothing in its storage and no cookie but the link's.

        path: below the server's address; script: whether JavaScript runs; meanwhile: what happens after the server has
        written the page and before the page's scripts run; alone: whether no test had the page before and none gets it
        after, for those that listen to the page, stop its clock, add scripts of their own or weigh what it loads.
        """
        kind = None if alone or SLOWER > 1 else Kind(self._browser, script, language)
        page = USED.pop(kind) if kind in USED else self._new(script, language)
        self._opened.append((page, kind))
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(media="null", color_scheme=theme, reduced_motion="reduce" if calm else "no-preference")
        page.on("pageerror", self._fail)
        page.on("console", self._read)
        page.on("request", self._heed)
        if meanwhile is not None:
            page.route("**/js/main.js", lambda route: (meanwhile(), route.continue_()))
        if link := self._link():
            page.context.request.get(self._url + link[1:])
        page.goto(self._url + path)
        return page

    def close(self) -> None:
        """Close all that was opened, or keep it empty for the next."""
        for page, kind in self._opened:
            if kind is None or page.is_closed():
                page.context.close()
            else:
                self._empty(page)
                if kind in USED:
                    USED.pop(kind).context.close()
                USED[kind] = page
        self._opened.clear()

    def _new(self, script: bool, language: str) -> Page:
        page = self._browser.new_context(locale=language, java_script_enabled=script).new_page()
        page.set_default_timeout(1000 * PATIENCE_S)
        if SLOWER > 1:
            page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        return page

    def _empty(self, page: Page) -> None:
        for other in page.context.pages:
            if other is not page:
                other.close()
        page.unroute_all()
        page.goto("about:blank")
        for event, hear in (("pageerror", self._fail), ("console", self._read), ("request", self._heed)):
            page.remove_listener(event, hear)
        page.context.clear_cookies()
        line = page.context.new_cdp_session(page)
        line.send("Storage.clearDataForOrigin", {"origin": self._url.rstrip("/"), "storageTypes": "local_storage"})
        line.detach()

    def _fail(self, error: PlaywrightError) -> None:
        self.wrong.append(str(error))

    def _read(self, message: ConsoleMessage) -> None:
        if "Content Security" in message.text:
            self.wrong.append(message.text)

    def _heed(self, request: Request) -> None:
        if urlsplit(request.url).hostname not in ("127.0.0.1", None):
            self.wrong.append(f"a request left the machine: {request.url}")


def pressed(page: Page, name: str) -> None:
    """Press the button of that name, which leads to another page, and be there.

    Else the next step may be done on the page of before, where much has the same name.
    """
    with page.expect_navigation():
        page.get_by_role("button", name=name).click()


def signed_in(page: Page, pin: str) -> None:
    """Give the PIN on the referee's page, and be where that leads."""
    page.get_by_label("PIN").fill(pin)
    pressed(page, "Sign in")


def withdraw(page: Page, side: str = "North", why: str = "The move was illegal.") -> None:
    """Take the last move back: who does it, and why, are asked for first."""
    page.get_by_role("button", name="Take it back").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label(side, exact=True).check()
    dialog.get_by_label(why).check()
    for box in dialog.get_by_role("checkbox").all():  # what came after it goes with it
        box.check()
    dialog.get_by_role("button", name="Take it back").click()
    expect(dialog).to_have_count(0)
