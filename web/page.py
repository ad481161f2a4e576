"""The page itself: a frame of HTML that the feed fills."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, make_response, render_template
from flask_wtf.csrf import generate_csrf

from web.games import offers
from web.roles import role

blueprint = Blueprint("page", __name__)


@blueprint.get("/")
def index() -> Response:
    """The one page; never kept by browsers, for it carries the visitor's own token."""
    response = make_response(render_template("index.html", offers=offers()))
    response.headers["Cache-Control"] = "no-store"
    return response


@blueprint.get("/token")
def token() -> Response:
    """A fresh token, for a page whose own was signed before the server lost its key; and what the visitor may do."""
    response = jsonify(token=generate_csrf(), role=role())
    response.headers["Cache-Control"] = "no-store"
    return response
