"""The parts of pages that the feed sends again when they change: a table's card, its page, the list of what waits for a
ruling, a verdict's state."""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from flask import current_app, render_template
from markupsafe import Markup

from device.journal.projection.games import PlayedGame
from web.hall.context import here
from web.hall.registry import ABSENT, HallTable
from web.hall.views.desk import director
from web.players import Named, use
from web.readmodel.book import Book
from web.readmodel.feed import TableNow, VerdictItem
from web.readmodel.games import agreed_result, offers
from web.readmodel.scores import score
from web.readmodel.shapes import diagram
from web.views.games.history import found_items
from web.words import language, say, speak_of

FIRST = 12
"""Feed items shown on a table's page."""
MOST_KEPT = 2000
"""Most rendered cards that are cached."""
FED = ("verdict", "blind", "over")


@dataclass(frozen=True)
class TableView:
    """A table as a visitor may see it, for its card and its page. agreed: the result if both sides agree to stop now,
    "" if that would not end the game."""

    table: HallTable
    book: Book
    now: TableNow
    position: Any
    score: Any
    last: VerdictItem | None
    needs: list[Any]
    told: Any
    title: str
    agreed: str

    @property
    def absent(self) -> bool:
        """Whether the table is away and so may be dismissed."""
        return any(need in ABSENT for need in self.needs)


def seen(table: HallTable, may_rule: bool) -> TableView:
    """Return the table as a director (`may_rule`) or as everybody may see it. The rest of this page then calls the
    sides by this table's players."""
    book = table.book(may_rule)
    use(book.named())
    told, now = table.last_message(may_rule), book.table
    verdicts = book.verdicts_after(0)
    titles = {offer["game"]: offer["title"] for offer in offers()}
    game = now["game"]["game"] if now["game"] else told.game if told is not None else ""
    speak_of(game)
    return TableView(table, book, now, now["position"] or (diagram(told.position) if told is not None else None),
                score(book.match()), verdicts[-1] if verdicts else None, here().registry.needs(table, may_rule), told,
                titles.get(game, ""), agreed_result(now))


def card(table: HallTable, public: bool = False) -> Markup:
    """Return a table's card, rendered once for all who see the same. public: as everybody may see it, whoever asks."""
    kept: OrderedDict[tuple[str, bool, str], tuple[int, Markup]] = current_app.extensions["cards"]
    may_rule = not public and director() is not None
    key, version = (table.id, may_rule, language()), table.version
    found = kept.get(key)
    if found is None or found[0] != version:
        found = kept[key] = version, _drawn(table, may_rule)
        while len(kept) > MOST_KEPT:
            kept.popitem(last=False)
    return found[1]


def _drawn(table: HallTable, may_rule: bool) -> Markup:
    """Render a card. If a table's data cannot be rendered, show its name only, so that the other cards still appear."""
    try:
        return Markup(render_template("hall/card.html", seen=seen(table, may_rule)))
    except Exception:
        current_app.logger.exception("table %s cannot be drawn", table.id)
        return Markup(render_template("hall/card_odd.html", table=table))


def table_part(table: HallTable) -> Markup:
    """Render a table's page without its frame."""
    one = seen(table, director() is not None)
    newest = [item for item in reversed(one.book.since(0)["items"]) if item["kind"] in FED][:FIRST]
    return Markup(render_template("hall/table_part.html", seen=one, newest=newest))


def queue_part() -> Markup:
    """Render the list of what waits for a ruling, without the page's frame."""
    return Markup(render_template("hall/queue_part.html", waiting=here().registry.waiting(director() is not None),
                                  named=_named))


def _named(table: HallTable, game: str) -> None:
    """Make the rest of this page call the sides by that table's players, in the words of this game."""
    use(table.book(director() is not None).named())
    speak_of(game)


def count_part(public: bool = False) -> Markup:
    """Render how many verdicts wait for a ruling, for the navigation. public: as everybody may know, whoever asks."""
    may_rule = not public and director() is not None
    return Markup(render_template("hall/count_part.html", n=len(here().registry.waiting(may_rule))))


def linked() -> str:
    """Return a sentence if the broker is not connected; "" if it is."""
    if here().registry.linked:
        return ""
    link = here().link
    return say("hall.refused" if link.refused else "hall.down", broker=link.broker.host)


def verdict_of(table: HallTable, number: int) -> tuple[PlayedGame, VerdictItem] | None:
    """Return a verdict as this visitor may see it, and its game; None if there is none. Raises JournalError."""
    book = table.book(director() is not None)
    game = next((one for one in book.games() if one.number <= number <= one.last), None)
    if game is None:
        return None
    use(Named.of_teams(game.teams))
    found = found_items(book.events(game), game.place)
    item = next((one for one in found if one["number"] == number and one["kind"] == "verdict"), None)
    return None if item is None else (game, item)
