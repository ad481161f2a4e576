"""The Flask factory: configuration, the page's headers, the blueprints."""

import os
import secrets
from collections.abc import Mapping
from pathlib import Path

from flask import Flask, Response, request
from flask.json.provider import DefaultJSONProvider
from flask_wtf import CSRFProtect
from werkzeug.exceptions import RequestEntityTooLarge

from device.films.encoder import films_are_made
from device.journal.messages import MESSAGES as TABLE
from device.journal.pin import PIN_FILE
from engine.rules import games
from web import assets, at_machine, hosts, refusals
from web.addresses import Reach
from web.at_machine import OneTimeLink
from web.cameras.trial import CameraTrial
from web.compression import compressed
from web.disk import Disk
from web.hosts import serve_below
from web.pin import Gate, PinFile
from web.players import player
from web.readmodel.book import Book
from web.readmodel.drawing import PAINTS
from web.readmodel.games import offers, ruleset_of
from web.readmodel.live import Live
from web.scaling import Scaler
from web.sharing.studio import Studio
from web.views import audience, feeds, help, match_page, objections, orders, page, pictures, roles
from web.views.api import endpoints
from web.views.api import orders as orders_of_programs
from web.views.games import fouls, history, rulings, sharing, statistics
from web.views.objections import ObjectionLimit
from web.views.problems import from_program, problem
from web.views.setup import setting_up
from web.views.tokens import AccessTokens
from web.words import LANGUAGES, catalog, language, say, sentences, spoken_of

MAX_ORDER_BYTES = 4096
"""An order is one short JSON object."""

SECRET_FILE = "page.key"

REFEREE_HOURS = 12
"""How long a sign-in with the PIN lasts: an afternoon of games."""

POLICY = "; ".join((
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'",
    "font-src 'self'",
    "media-src 'self'",
    "manifest-src 'self'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'",
))

UNSCRIPTED = ("hall.", "queue.", "director.", "projector.", "help.", "term.", "api.", "photo.pit.", "photo.follows",
              "film.failed", "film.busy", "film.none", "film.move", "pin.", "stats.", "sheet.", "move.", "looks.",
              "fate.", "form.", "about.", "source.", "fouls.", "link.", "fail.", "demo.", "feed.", "nav.foot",
              "board.tap", "clock.way", "tournament.", "cup.", "setup.invite", "setup.laid", "setup.lies", "setup.lot")
"""How the keys of messages begin that no script shows. Those that a table sends are excepted."""

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class _Utf8(DefaultJSONProvider):
    """JSON whose letters are UTF-8: Japanese messages take half the bytes of their escapes."""

    ensure_ascii = False


def create_app(config: Mapping[str, object] | None = None) -> Flask:
    """Make the page over one table's data folder.

    config: `DATA` (folder with the journal, default "data"), `MAX_FEEDS` (most feeds open at a time, beside those of
    referees), `LIVE_HZ` (how often a feed may pass on the table's live state), `STALE_S` (once the live state is older
    than this many seconds, the table counts as not running), `SERVED_HOST` and `SERVED_PORT` (what the page is served
    on; its addresses for other machines follow from them), `MAX_PENDING` (most orders that may wait for the table),
    `HOSTS` (further host names that the page answers to, beside this machine's own), and Flask's own. The folder may be
    empty: then the page says that the table is not running.
    """
    app = Flask(__name__, static_folder=None)
    assets.serve(app, Path(__file__).parent / "static")
    app.json = _Utf8(app)
    app.config.from_mapping(
        DATA="data", MAX_FEEDS=150, LIVE_HZ=5.0, STALE_S=5.0, MAX_PENDING=40, HOSTS=(),
        SERVED_HOST="127.0.0.1", SERVED_PORT=8000,
        MAX_CONTENT_LENGTH=MAX_ORDER_BYTES, SEND_FILE_MAX_AGE_DEFAULT=None,
        PERMANENT_SESSION_LIFETIME=REFEREE_HOURS * 3600,
        SESSION_COOKIE_NAME="inkeek", SESSION_COOKIE_SAMESITE="Strict", SESSION_COOKIE_HTTPONLY=True,
        WTF_CSRF_TIME_LIMIT=None,  # a page stays open for a whole evening's games
    )
    app.config.from_mapping(config)
    data = Path(str(app.config["DATA"]))
    if not app.config.get("SECRET_KEY"):
        app.config["SECRET_KEY"] = secret_key(data / SECRET_FILE)

    app.extensions["book"] = Book(data / "journal.sqlite3")
    app.extensions["public"] = Book(data / "journal.sqlite3", public=True,
                                    beside=app.extensions["book"])
    app.extensions["live"] = Live(data / "live", stale_s=float(app.config["STALE_S"]))
    app.extensions["disk"] = Disk(data)
    app.extensions["evidence"] = data / "evidence"
    app.extensions["pin"] = PinFile(data / PIN_FILE)
    app.extensions["gate"] = Gate()
    app.extensions["link"] = OneTimeLink()
    app.extensions["rules_by"] = lambda kept: roles.rules_by(kept, app.extensions["pin"])
    app.extensions["named"] = lambda: audience.book().named()
    app.extensions["tokens"] = AccessTokens(app.config["SECRET_KEY"], app.extensions["pin"])
    app.extensions["objection_limit"] = ObjectionLimit()
    app.extensions["studio"] = Studio()
    app.extensions["scaler"] = Scaler()
    app.extensions["trial"] = CameraTrial(data)
    app.extensions["reach"] = Reach(str(app.config["SERVED_HOST"]), int(app.config["SERVED_PORT"]))
    let_in_own(app)
    serve_below(app)
    CSRFProtect(app).exempt(orders_of_programs.blueprint)  # they look at no cookie
    for room in (at_machine, page, audience, feeds, orders, objections, pictures, roles, history, fouls, statistics,
                 sharing, help, rulings, match_page, setting_up, endpoints, orders_of_programs):
        app.register_blueprint(room.blueprint)

    app.context_processor(_words)

    refusals.watch(app)
    add_headers(app)
    return app


def let_in_own(app: Flask) -> None:
    """Turn away requests for any host but this machine's names and those in `HOSTS`. Call this before any other hook,
    so that such a request makes no token and reads no book."""
    names = hosts.own_names() | {str(name).casefold() for name in app.config["HOSTS"]}

    @app.before_request
    def known_host() -> Response | None:
        if hosts.is_own(request.headers.get("Host"), names):
            if (request.content_length or 0) > app.config["MAX_CONTENT_LENGTH"]:
                raise RequestEntityTooLarge
            return None
        return _foreign()


def add_headers(app: Flask) -> None:
    """Add the headers that every answer carries."""

    @app.after_request
    def guard(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        if response.mimetype == "text/html":  # it carries the visitor's own token, and the newest of the journal
            response.headers.setdefault("Cache-Control", "no-store")
        return compressed(request, response)


def _foreign() -> Response:
    """Return the answer to a request for another host's name."""
    return problem(421) if from_program() else Response(say("host.foreign"), 421, mimetype="text/plain")


def _words() -> dict[str, object]:
    """Return what every template can use. scripted: the messages that go out to scripts, which show no help pages."""
    own = tuple(f"{game}." for game in games())
    scripted = {key: text for key, text in catalog(language()).items()
                if key in TABLE or not (key.partition(".")[2] if key.startswith(own) else key).startswith(UNSCRIPTED)}
    return {"t": sentences(), "spoken": spoken_of(), "scripted": scripted, "say": say, "language": language(),
            "languages": LANGUAGES, "role": roles.role(),
            "titles": {offer["game"]: offer["title"] for offer in offers()},
            "ruleset_of": ruleset_of, "player": player, "films": films_are_made(), "paints": PAINTS}


def secret_key(path: Path) -> bytes:
    """Return the key that signs the page's cookies, kept in `path` so that open pages survive a restart.

    If the folder cannot be written, the key lives as long as the process; open pages then fetch a new token.
    """
    try:
        kept = path.read_bytes()
        if len(kept) >= 32:
            return kept
    except OSError:
        pass
    made = secrets.token_bytes(32)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as out:
            out.write(made)
    except OSError:
        return made
    return made
