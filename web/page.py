"""The page itself: written by the server as the table stands, then kept up by the feed where scripts run."""

from __future__ import annotations

from flask import Blueprint, Response, current_app, jsonify, make_response, render_template
from flask_wtf.csrf import generate_csrf

from web.book import Book
from web.games import offers
from web.roles import role

FIRST = 12
"""Feed items that the server writes into the page itself."""

blueprint = Blueprint("page", __name__)


@blueprint.get("/")
def index() -> Response:
    """The one page; never kept by browsers, for it carries the visitor's own token."""
    book: Book = current_app.extensions["book"]
    book.refresh()
    now = book.since(0)
    said = [item for item in reversed(now["items"]) if item["kind"] in ("verdict", "blind", "over")][:FIRST]
    table = now["table"]
    titles = {offer["game"]: offer["title"] for offer in offers()}
    sight = current_app.extensions["live"].look()
    response = make_response(render_template("index.html", offers=offers(), table=table, said=said, titles=titles,
                                             running=sight.running))
    response.headers["Cache-Control"] = "no-store"
    return response


@blueprint.get("/token")
def token() -> Response:
    """A fresh token, for a page whose own was signed before the server lost its key; and what the visitor may do."""
    response = jsonify(token=generate_csrf(), role=role())
    response.headers["Cache-Control"] = "no-store"
    return response
