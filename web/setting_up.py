"""Setting up in steps: camera, board, game, teams, who moves first, the seeds, match, referee; and an invitation.

Every step is a page of its own that says how it stands; it can be left and come back to. What is chosen is ordered as
everything is, and the table takes it up.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, Literal

import msgspec
from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    make_response,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from werkzeug.wrappers import Response as AnyResponse

from device.journal.events import LookEmpty, LotDrawn, NewGame, PlaceBoard, SeatSouth, UseCamera
from engine.board import Board, Side
from engine.rules import RulesError, ruleset
from web import audience
from web import draft as drafts
from web import steps as standing
from web.book import Book
from web.games import offers
from web.invitation import invitation
from web.live import Sight
from web.orders import Refused, write
from web.pin import PinFile
from web.reasons import reason_of, why_of
from web.roles import may_rule
from web.shapes import Diagram, diagram, pits
from web.words import say

blueprint = Blueprint("setup", __name__)

LOT = "lot"
"""The key of the session that tells who was drawn to move first, until the game is begun."""

EDGES = ("bottom", "top", "left", "right")
"""Of the picture, where South may sit."""


@blueprint.get("/setup")
def page() -> Response:
    """All steps, and how they stand."""
    return _overview()


@blueprint.get("/setup/<key>")
def step(key: str) -> Response:
    """One step."""
    if key not in standing.KEYS:
        abort(404)
    return _step(key)


def _ordering(key: str) -> Callable[[Callable[Concatenate[Book, ...], AnyResponse | None]], Callable[..., AnyResponse]]:
    """A way in by which something is ordered from step `key`: to those who may rule; refused with a sentence there."""
    def outer(act: Callable[Concatenate[Book, ...], AnyResponse | None]) -> Callable[..., AnyResponse]:
        @wraps(act)
        def inner(**values: Any) -> AnyResponse:
            try:
                return act(_allowed(), **values) or redirect(url_for("setup.step", key=key), 303)
            except Refused as refused:
                return _step(key, str(refused), refused.status)
            except RulesError as error:
                return _step(key, say("order.game", why=why_of(error)), 400)
        return inner
    return outer


@blueprint.post("/setup/camera")
@_ordering("camera")
def use_camera(book: Book) -> None:
    """Look through another camera, one of those that the table sees."""
    word = request.form.get("camera", "")
    state = audience.sight(book).state
    if state is None or word not in [known for known, _ in state.cameras]:
        raise Refused("setup.camera.none-such", camera=word[:40])
    write(book, UseCamera(camera=word, by="page"))


@blueprint.post("/setup/south")
@_ordering("board")
def seat_south(book: Book) -> None:
    """South sits elsewhere."""
    edge = request.form.get("edge", "")
    if edge not in EDGES:
        raise Refused("setup.edge", edge=edge[:20])
    write(book, SeatSouth(edge=edge, by="page"))  # type: ignore[arg-type]  # one of them


@blueprint.post("/setup/place")
@_ordering("board")
def place(book: Book) -> None:
    """The board lies where people say; without any place it is looked for by itself again."""
    text = request.form.get("pits", "")
    if not text:
        write(book, PlaceBoard(by="page"))
        return
    game = book.table["game"]
    due = len(pits(game["board"])) if game else 0
    try:
        found = msgspec.json.decode(text.encode(), type=list[tuple[float, float, float]])
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        raise Refused("order.unreadable", why=error) from error
    if len(found) != due or not all(0 <= x <= 1 and 0 <= y <= 1 and 0 < r < 0.5 for x, y, r in found):
        raise Refused("setup.places", n=due)
    write(book, PlaceBoard(pits=found, by="page"))


@blueprint.post("/setup/empty")
@_ordering("board")
def look_empty(book: Book) -> None:
    """The board is empty: is it read so?"""
    write(book, LookEmpty(by="page"))


@blueprint.post("/setup/game")
@_ordering("game")
def choose(_book: Book) -> AnyResponse:
    """A game is chosen; it begins on a later step."""
    drafts.keep(drafts.chosen(request.form))
    session.pop(LOT, None)
    return redirect(url_for("setup.step", key="first"), 303)


@blueprint.post("/setup/lot")
@_ordering("first")
def draw(book: Book) -> None:
    """Draw who moves first: once, and everybody sees it."""
    if LOT not in session:
        drawn: Literal["S", "N"] = "S" if secrets.choice(tuple(Side)) is Side.SOUTH else "N"
        write(book, LotDrawn(side=drawn, by="page"))
        session[LOT] = drawn


@blueprint.post("/setup/begin")
@_ordering("first")
def begin(book: Book) -> AnyResponse:
    """Begin the chosen game, or the table's last one again."""
    draft = drafts.kept() or drafts.last(book)
    if draft is None:
        raise Refused("setup.begin.not")
    position = drafts.position(draft, drafts.side(request.form.get("first", "")), request.form)
    write(book, NewGame(game=draft.game, rules=draft.rules, board=draft.board, position=str(position), by="page"))
    drafts.drop()
    session.pop(LOT, None)
    return redirect(url_for("setup.step", key="laid"), 303)


def _choices() -> list[dict[str, object]]:
    """Every game: its rulesets with where they are written down, its boards with their set-ups drawn."""
    found: list[dict[str, object]] = []
    for one in offers():
        rules = ruleset(one["game"])
        drawn: list[tuple[str, str, Diagram | None]] = []
        for size, names in one["setups"].items():
            drawn += [(size, name, diagram(str(rules.setup(name, Board.parse(size))))) for name in names]
            drawn.append((size, drafts.LIES, None))
        found.append({"game": one["game"], "title": one["title"], "setups": drawn,
                      "rulesets": [(name, reason_of(rules.sources.get(name, ""))) for name in one["rules"]]})
    return found


def _allowed() -> Book:
    """The journal, where orders may be given. Raises Refused."""
    if not may_rule():
        raise Refused("order.pin-needed", 403)
    book = _book()
    if not book.number:
        raise Refused("order.no-table", 503)
    if len(book.table["pending"]) >= int(current_app.config["MAX_PENDING"]):
        raise Refused("order.too-many", 429)
    return book


def _book() -> Book:
    return audience.book()


def _steps(book: Book, sight: Sight) -> list[standing.Step]:
    pin: PinFile = current_app.extensions["pin"]
    return standing.steps(book, sight, pin, drafts.kept())


def _overview() -> Response:
    book = _book()
    sight = audience.sight(book)
    found = _steps(book, sight)
    following = next((one for one in found if not one.done and one.key not in standing.OPTIONAL), None)
    return make_response(render_template("setup.html", steps=found, following=following, key="",
                                         invitation=invitation()))


def _step(key: str, wrong: str = "", status: int = 200) -> Response:
    book = _book()
    sight = audience.sight(book)
    table = book.table
    draft = drafts.kept() or drafts.last(book)
    at = standing.KEYS.index(key)
    return make_response(render_template(
        f"setup/{key}.html", steps=_steps(book, sight), key=key, wrong=wrong, sight=sight, state=sight.state,
        table=table, draft=draft, chosen=drafts.kept(), checks=standing.camera_checks(table, sight), edges=EDGES,
        choices=_choices() if key == "game" else [], teams=book.match().teams, lot=session.get(LOT, ""),
        read=standing.reading(table["position"], sight), shape=_shape(table, draft, key), form=request.form,
        arranged=table["arranged"], again=drafts.kept() is None and draft is not None,
        after=standing.KEYS[at + 1] if at + 1 < len(standing.KEYS) else "",
        before=standing.KEYS[at - 1] if at else ""), status)


def _shape(table: dict[str, Any], draft: drafts.Draft | None, key: str) -> tuple[object, ...]:
    """The pits of the board that the step is about."""
    if key == "first" and draft is not None:
        return pits(draft.board)
    return pits(table["game"]["board"]) if table["game"] else ()
