"""The pieces that pages are made of, and that the feed sends anew when something changes: a table's card, its page,
what waits for a ruling, a verdict's state."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from flask import current_app, render_template
from markupsafe import Markup

from web.hall.premises import here
from web.hall.room import ABSENT, HallTable
from web.hall.views.desk import director
from web.players import Named, use
from web.readmodel.book import Book
from web.readmodel.games import agreed_result, offers
from web.readmodel.items import Item
from web.readmodel.ledger import Played
from web.readmodel.scores import score
from web.readmodel.shapes import diagram
from web.views.history import found_items
from web.words import language, say, speak_of

FIRST = 12
"""Feed items on a table's page."""
MOST_KEPT = 2000
"""Cards that are kept drawn."""
FED = ("verdict", "blind", "over")


@dataclass(frozen=True)
class TableView:
    """A table as a visitor may see it: what its card and its page are drawn from. agreed: what its game is worth where
    both sides agree to stop, "" where that is no end of it."""

    table: HallTable
    book: Book
    now: dict[str, Any]
    position: Any
    score: Any
    last: Item | None
    needs: list[Any]
    told: Any
    title: str
    agreed: str

    @property
    def absent(self) -> bool:
        """Whether it may be dismissed: it is not there."""
        return any(need in ABSENT for need in self.needs)


def seen(table: HallTable, may_rule: bool) -> TableView:
    """The table as a director may see it, or as everybody may; from here on of the page, sides are called by who plays
    there."""
    book = table.book(may_rule)
    use(book.named())
    told, now = table.told(may_rule), book.table
    verdicts = book.verdicts_after(0)
    titles = {offer["game"]: offer["title"] for offer in offers()}
    game = now["game"]["game"] if now["game"] else told.game if told is not None else ""
    speak_of(game)
    return TableView(table, book, now, now["position"] or (diagram(told.position) if told is not None else None),
                score(book.match()), verdicts[-1] if verdicts else None, here().room.needs(table, may_rule), told,
                titles.get(game, ""), agreed_result(now))


def card(table: HallTable, public: bool = False) -> Markup:
    """A table at a glance; drawn once for all who see the same. public: as everybody may see it, whoever asks."""
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
    """A card; of a table that tells what cannot be drawn the name alone, for the others are to be seen all the same."""
    try:
        return Markup(render_template("hall/card.html", seen=seen(table, may_rule)))
    except Exception:
        current_app.logger.exception("table %s cannot be drawn", table.id)
        return Markup(render_template("hall/card_odd.html", table=table))


def table_part(table: HallTable) -> Markup:
    """A table's page without its frame."""
    one = seen(table, director() is not None)
    newest = [item for item in reversed(one.book.since(0)["items"]) if item["kind"] in FED][:FIRST]
    return Markup(render_template("hall/table_part.html", seen=one, newest=newest))


def queue_part() -> Markup:
    """What waits for a ruling, without the page's frame."""
    return Markup(render_template("hall/queue_part.html", waiting=here().room.waiting(director() is not None),
                                  named=_named))


def _named(table: HallTable, game: str) -> None:
    """From here on of the page, sides are called by who plays at that table, in the words of this game."""
    use(table.book(director() is not None).named())
    speak_of(game)


def count_part(public: bool = False) -> Markup:
    """How much waits for a ruling, for the navigation. public: as everybody may know it, whoever asks."""
    may_rule = not public and director() is not None
    return Markup(render_template("hall/count_part.html", n=len(here().room.waiting(may_rule))))


def linked() -> str:
    """A sentence where the broker is not heard; "" where it is."""
    if here().room.linked:
        return ""
    link = here().link
    return say("hall.refused" if link.refused else "hall.down", broker=link.broker.host)


def verdict_of(table: HallTable, number: int) -> tuple[Played, Item] | None:
    """A verdict as this visitor may see it, and its game; None where there is none. Raises JournalError."""
    book = table.book(director() is not None)
    game = next((one for one in book.games() if one.number <= number <= one.last), None)
    if game is None:
        return None
    use(Named.of_teams(game.teams))
    found = found_items(book.events(game), game.place)
    item = next((one for one in found if one["number"] == number and one["kind"] == "verdict"), None)
    return None if item is None else (game, item)
