"""Who reads which book: those who may rule read the whole journal, everybody else what is not held back."""

import msgspec
from flask import Blueprint, current_app, redirect, request, url_for
from werkzeug.wrappers import Response

from device.journal.events import HoldSet
from web.readmodel.book import Book
from web.readmodel.live import Live, LiveView
from web.views import roles
from web.views.orders import Refused, write
from web.views.roles import may_rule

blueprint = Blueprint("audience", __name__)


def book(public: bool = False) -> Book:
    """Return the journal as this visitor may see it, up to date. public: as everybody may, for a shared screen."""
    found: Book = current_app.extensions["public" if public or not may_rule() else "book"]
    found.refresh()
    return found


def referees_book() -> Book:
    """Return the journal for a visitor who may rule at a table that has one. Raises Refused."""
    if not may_rule():
        raise Refused("order.pin-needed", 403)
    found = book()
    if not found.number:
        raise Refused("order.no-table", 503)
    return found


def sight(of: Book) -> LiveView:
    """Return the table's live state for readers of that book."""
    live: Live = current_app.extensions["live"]
    return discreet(live.look(), of)


def discreet(seen: LiveView, of: Book) -> LiveView:
    """Return the live state; while anything is held back, without its sentence and position, which reveal the
    verdict."""
    if not of.held or seen.state is None:
        return seen
    return LiveView(seen.running, seen.frame, msgspec.structs.replace(seen.state, why="", told=None, position=""))


@blueprint.post("/referee/hold")
def hold() -> Response:
    """Start or stop holding accusations back from spectators."""
    try:
        write(referees_book(), HoldSet(on=request.form.get("on") == "yes", by="page"))
    except Refused as refused:
        return roles.answer(str(refused), refused.status)
    return redirect(url_for("roles.page"), 303)
