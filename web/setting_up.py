"""Setting up in a few steps: camera, board, game, who moves first, match, referee, and a picture that invites others.

Every step says how it stands; it can be left and come back to. What is chosen is ordered as everything is, and the
table takes it up.
"""

from __future__ import annotations

import io
import secrets
from dataclasses import dataclass, replace
from ipaddress import ip_address
from urllib.parse import urlsplit

import segno
from flask import Blueprint, Response, current_app, make_response, redirect, render_template, request, session, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from device.journal.events import NewGame
from engine.board import Board, Side
from engine.rules import RulesError, ruleset
from web.book import Book
from web.games import offers
from web.live import Live, Sight
from web.orders import Refused, write
from web.pin import PinFile
from web.roles import may_rule
from web.shapes import Diagram, diagram
from web.words import say

blueprint = Blueprint("setup", __name__)

LOT = "lot"
"""The key of the session that tells who was drawn to move first, until it was shown."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step. key: of its title's message; state: how it stands, a sentence; done: nothing is to be done."""

    key: str
    done: bool
    state: str


@blueprint.get("/setup")
def page() -> Response:
    """All steps, and how they stand."""
    return _page()


@blueprint.post("/setup/game")
def begin() -> AnyResponse:
    """Begin the chosen game; the lot is drawn here where it is to decide who moves first."""
    try:
        order, drawn = _order()
        write(_book(), order)
    except Refused as refused:
        return _page(str(refused), refused.status)
    except RulesError as error:
        return _page(say("order.game", why=error), 400)
    if drawn is not None:
        session[LOT] = drawn.letter
    return redirect(url_for("setup.page"), 303)


def _order() -> tuple[NewGame, Side | None]:
    """The order, and who was drawn. Raises Refused or RulesError."""
    if not may_rule():
        raise Refused("order.pin-needed", 403)
    book = _book()
    if not book.number:
        raise Refused("order.no-table", 503)
    if len(book.table["pending"]) >= int(current_app.config["MAX_PENDING"]):
        raise Refused("order.too-many", 429)
    game, _, name = request.form.get("choice", "")[:60].partition("/")
    rules = ruleset(game, name or None)
    size, _, setup = request.form.get(f"board-{game}", "")[:60].partition("/")
    board = next((one for one in rules.boards if str(one) == size), None)
    if board is None:
        raise Refused("order.board", game=rules.title, board=size[:20])
    if setup not in rules.setups(board):
        raise Refused("order.setup", setup=setup[:40], board=size)
    first = request.form.get("first", "S")
    drawn = secrets.choice(tuple(Side)) if first == "lot" else None
    mover = drawn or (Side.NORTH if first == "N" else Side.SOUTH)
    position = replace(rules.setup(setup, board), to_move=mover)
    return NewGame(game=game, rules=rules.name, board=size, position=str(position), by="page"), drawn


def steps(book: Book, sight: Sight, pin: PinFile) -> list[Step]:
    """How each step stands."""
    table, state = book.table, sight.state
    picture = sight.running and sight.frame != 0
    pits = len(state.pits) if state else 0
    name = (state.state if state else "") or table["state"]["name"]
    why = (state.why if state else "") or table["state"]["why"]
    playing = bool(table["game"]) and not table["over"]
    laid = playing and sight.running and name not in ("", "starting", "searching", "setting-up", "blind")
    camera = say("camera.none" if sight.running else "state.off.why")
    if picture:
        camera = say("setup.camera.on", camera=table["camera"], n=round(state.fps if state else 0))
    board = say("setup.board.found", n=pits) if pits else say("state.searching.why")
    return [
        Step("setup.camera", picture, camera),
        Step("setup.board", picture and pits > 0, board),
        Step("setup.game", playing, _playing(table) if playing else say("state.waiting.why")),
        Step("setup.laid", laid, (say("setup.laid.done") if laid else why or say("state.setting-up.why"))),
        Step("setup.match", book.match().state is not None,
             say("setup.match.on") if book.match().state is not None else say("match.none")),
        Step("setup.referee", pin.is_set, say("setup.referee.set") if pin.is_set else say("setup.referee.none")),
    ]


def invitation() -> Markup | None:
    """The page's address as a QR picture (SVG); None where that is the machine's own name for itself."""
    host = urlsplit(request.host_url).hostname or ""
    try:
        here = ip_address(host).is_loopback
    except ValueError:
        here = host == "localhost" or host.endswith(".localhost")
    if here:
        return None
    out = io.BytesIO()
    segno.make(request.host_url, error="m").save(out, kind="svg", xmldecl=False, svgns=False, scale=6, border=2,
                                                 dark="#1d0d06", light="#fff", svgclass="qr", lineclass=None)
    return Markup(out.getvalue().decode())


def _playing(table: dict[str, object]) -> str:
    game = table["game"]
    assert isinstance(game, dict)
    title = next((one["title"] for one in offers() if one["game"] == game["game"]), game["game"])
    return f"{title} · {game['board'].replace('x', ' × ')} · {game['rules']}"


def _choices() -> list[dict[str, object]]:
    """Every game: its rulesets with where they are written down, its boards with their set-ups drawn."""
    found: list[dict[str, object]] = []
    for one in offers():
        rules = ruleset(one["game"])
        drawn: list[tuple[str, str, Diagram | None]] = []
        for size, names in one["setups"].items():
            drawn += [(size, name, diagram(str(rules.setup(name, Board.parse(size))))) for name in names]
        found.append({"game": one["game"], "title": one["title"], "setups": drawn,
                      "rulesets": [(name, rules.sources.get(name, "")) for name in one["rules"]]})
    return found


def _book() -> Book:
    book: Book = current_app.extensions["book"]
    book.refresh()
    return book


def _page(wrong: str = "", status: int = 200) -> Response:
    book = _book()
    live: Live = current_app.extensions["live"]
    sight = live.look()
    found = steps(book, sight, current_app.extensions["pin"])
    drawn = session.pop(LOT, "")
    return make_response(render_template(
        "setup.html", steps=found, choices=_choices(), wrong=wrong, drawn=drawn, invitation=invitation(),
        address=request.host_url, playing=book.table["game"] or {}, picture=sight.frame != 0), status)
