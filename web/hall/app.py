"""The Flask factory of the hall's page, which shares the table page's templates, styles, scripts and messages."""

from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path

from flask import Flask
from flask_wtf import CSRFProtect
from jinja2 import ChoiceLoader, FileSystemLoader
from werkzeug.exceptions import HTTPException

from device.journal.pin import PIN_FILE
from device.journal.store import JournalError
from web import assets, at_machine, refusals
from web.app import REFEREE_HOURS, SECRET_FILE, add_headers, let_in_own, secret_key
from web.at_machine import OneTimeLink
from web.hall.context import HallContext
from web.hall.views import desk, feed, frame, queue, tables, tournament
from web.hosts import serve_below
from web.pin import Gate, PinFile
from web.players import NOBODY
from web.views import page as of_table
from web.views.feeds import FeedLimit

MAX_FORM_BYTES = 64 * 1024
"""One form holds all entries of a tournament."""
HERE, WEB = Path(__file__).parent, Path(__file__).parents[1]


def create_app(context: HallContext, config: Mapping[str, object] | None = None) -> Flask:
    """Make the page over the hall's tables.

    config: `MAX_FEEDS` (most feeds open at a time, beside those of directors), `HOSTS` (further host names that the
    page answers to, beside this machine's own), and Flask's own.
    """
    app = Flask("hall", static_folder=None, root_path=str(HERE))
    assets.serve(app, WEB / "static")
    app.jinja_loader = ChoiceLoader([FileSystemLoader(HERE / "templates"), FileSystemLoader(WEB / "templates")])
    app.config.from_mapping(
        MAX_FEEDS=150, HOSTS=(), MAX_CONTENT_LENGTH=MAX_FORM_BYTES, SEND_FILE_MAX_AGE_DEFAULT=None,
        PERMANENT_SESSION_LIFETIME=REFEREE_HOURS * 3600, WTF_CSRF_TIME_LIMIT=None,
        # Not the name of a table's cookie: pages of one machine share their cookies, whatever their ports.
        SESSION_COOKIE_NAME="inkeek-hall", SESSION_COOKIE_SAMESITE="Strict", SESSION_COOKIE_HTTPONLY=True)
    app.config.from_mapping(config or {})
    if not app.config.get("SECRET_KEY"):
        app.config["SECRET_KEY"] = secret_key(context.folder / SECRET_FILE)
    app.extensions.update(context=context, pin=PinFile(context.folder / PIN_FILE), gate=Gate(),
                          cards=OrderedDict(), named=lambda: NOBODY)
    app.extensions["rules_by"] = lambda kept: desk.director_by(kept, context.directors, app.extensions["pin"])
    app.extensions["link"] = OneTimeLink()
    app.extensions["feed_limit"] = FeedLimit(int(app.config["MAX_FEEDS"]))
    let_in_own(app)
    serve_below(app)
    CSRFProtect(app)
    for blueprint in (at_machine.blueprint, frame.blueprint, frame.help_blueprint, tables.blueprint, queue.blueprint,
                      desk.blueprint, feed.blueprint, tournament.blueprint):
        app.register_blueprint(blueprint)
    app.register_error_handler(404, of_table.none_such)
    app.register_error_handler(HTTPException, of_table.failed)
    app.register_error_handler(JournalError, of_table.unreadable)
    refusals.watch(app)
    add_headers(app)
    return app
