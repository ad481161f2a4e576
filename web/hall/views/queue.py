"""What waits for a ruling at all tables; a verdict with its evidence, and ruling on it."""

from pathlib import Path
from typing import Any

from flask import Blueprint, Response, abort, make_response, redirect, render_template, request, url_for
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import BadRequest
from werkzeug.wrappers import Response as AnyResponse

from device.journal.events import LetStand, Shown, Undo, Withdraw
from device.journal.projection.games import PlayedGame
from web.hall.context import here
from web.hall.registry import HallTable
from web.hall.views import drawn
from web.hall.views.desk import director
from web.hall.views.tables import at, ordered
from web.readmodel.feed import VerdictItem
from web.readmodel.games import terms_of
from web.readmodel.shapes import pits
from web.readmodel.standing import contested, rulable
from web.sharing.clip_file import part_of
from web.typed import Wrong, whole_number
from web.views import retraction
from web.views.pictures import LASTING
from web.words import say, speak_of

blueprint = Blueprint("queue", __name__)

WAIT_S = 8.0
"""How long to wait for a picture that a table must send first."""


@blueprint.get("/rulings")
def page() -> str:
    """Show what waits for a ruling at all tables."""
    return render_template("hall/queue.html", part=drawn.queue_part())


@blueprint.get("/table/<name>/<int:number>")
def verdict(name: str, number: int) -> Response:
    """Show one verdict with its evidence and the rulings on it."""
    return _page(at(name), number)


def verdict_part(table: HallTable, number: int) -> str:
    """Render what was ruled on a verdict and what may be ruled; "" if the verdict is gone."""
    found = drawn.verdict_of(table, number)
    return "" if found is None else render_template("hall/ruling_part.html", **_may(table, *found))


@blueprint.post("/table/<name>/<int:number>/rule")
def rule(name: str, number: int) -> AnyResponse:
    """Send the ruling to the table and show its answer."""
    table, who = at(name), director()
    if who is None:
        return _page(table, number, Wrong(say("order.pin-needed")), 403)
    if request.form.get("what") == "withdraw" and not request.form.get("sure") and _may(
            table, *_found(table, number))["later"]:
        return _page(table, number, Wrong(say("retract.ask")), 400)
    if wrong := ordered(table, _order(number), who):
        return _page(table, number, Wrong(wrong), 409)
    return redirect(url_for("queue.verdict", name=name, number=number, taken="yes"), 303)


@blueprint.errorhandler(CSRFError)
def forged(_error: CSRFError) -> AnyResponse:
    """Refuse a form whose token is missing or too old."""
    values = request.view_args or {}
    return _page(at(values["name"]), values["number"], Wrong(say("order.again")), 400)


@blueprint.get("/evidence/<name>/<int:number>/<which>.jpg")
def still(name: str, number: int, which: str) -> Response:
    """Send the picture before or after a verdict's move."""
    table, (_, item) = at(name), _found(at(name), number)
    side = {"before": 0, "after": 1}.get(which)
    if side is None or not item["stills"][side]:
        abort(404)
    return _sent(_file(table, item["stills"][side]).read_bytes(), "image/jpeg", b"\xff\xd8")


@blueprint.get("/evidence/<name>/<int:number>")
def clip(name: str, number: int) -> Response:
    """Send the clip of a verdict's move, as the table keeps it."""
    return _sent(_clip(at(name), number).read_bytes(), "application/zip", b"PK")


@blueprint.get("/clip/<name>/<int:number>/<part>")
def clip_part(name: str, number: int, part: str) -> Response:
    """Send a clip's index, or one of its pictures by number."""
    try:
        return _sent(*part_of(_clip(at(name), number), part), b"")
    except LookupError:
        abort(404)


# ---- inside ----------------------------------------------------------------------------------------------------

def _found(table: HallTable, number: int) -> tuple[PlayedGame, VerdictItem]:
    found = drawn.verdict_of(table, number)
    if found is None:
        abort(404)
    return found


def _clip(table: HallTable, number: int) -> Path:
    _, item = _found(table, number)
    if not item["clip"]:
        abort(404)
    return _file(table, item["clip"])


def _file(table: HallTable, name: str) -> Path:
    """Return an evidence file that an event names, requested from the table if needed; 404 if it does not come."""
    found = here().evidence.get(table.id, name[:64], WAIT_S if here().link.up else 0.0)
    if found is None:
        abort(404)
    return found


def _sent(data: bytes, kind: str, begins: bytes) -> Response:
    """Send a file under the requested type; 404 if its first bytes show another type, for tables may lie about it."""
    if not data.startswith(begins):
        abort(404)
    return make_response(data, 200, {"Content-Type": kind, "Cache-Control": LASTING})


def _page(table: HallTable, number: int, wrong: Wrong | None = None, status: int = 200) -> Response:
    """Return a verdict's page. wrong: why an order was not carried out."""
    game, item = _found(table, number)
    speak_of(game.game)
    more = _may(table, game, item, wrong)
    shape = pits(item["before"]["board"]) if item["before"] else ()
    return make_response(render_template("hall/verdict.html", shape=shape, **more), status,
                         {"Cache-Control": "no-store"})


def _may(table: HallTable, game: PlayedGame, item: VerdictItem, wrong: Wrong | None = None) -> dict[str, Any]:
    """Return what a verdict's page shows about rulings."""
    who = director()
    book = table.book(who is not None)
    foul, mine = book.foul(item["number"]), rulable(item, book.table["game"])
    past = foul is not None and foul.fate == "open" and not mine
    later = [one for one in book.verdicts_after(item["number"])
             if one["gone"] is None and rulable(one, book.table["game"])]
    undo = next((one["order"] for one in reversed(item["ruled"]) if not one["undone"]
                 and book.table["undo"] == one["order"]), 0)
    return {"table": table, "game": game, "item": item, "foul": foul, "wrong": wrong, "later": later if mine else [],
            "waits": who is not None and book.waits(item["number"]), "rulable": who is not None and mine,
            "of_past": who is not None and past, "contested": contested(item), "undo": undo if who is not None else 0,
            "taken": "taken" in request.args and not wrong, "terms": terms_of(game.game)}


def _order(number: int) -> LetStand | Withdraw | Shown | Undo:
    what, undo = request.form.get("what", ""), request.form.get("undo", "")
    match what:
        case "stand":
            return LetStand(verdict=number, by="hall")
        case "withdraw":
            return retraction.of_form(number, request.form)
        case "show":
            return Shown(verdict=number, by="hall")
        case "undo" if (order := whole_number(undo)) is not None:
            return Undo(order=order, by="hall")
    raise BadRequest
