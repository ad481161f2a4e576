"""Rulings from the page of a past move: plain forms, which work without scripts."""

from flask import Blueprint, Response, make_response, request
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import BadRequest
from werkzeug.wrappers import Response as AnyResponse

from device.journal.events import LetStand, NotAsSeen, Undo, Withdraw
from web import typed
from web.players import player
from web.typed import Wrong, whole_number
from web.views import audience, retraction
from web.views.games.history import later_moves, move_page, plainly_undone, seeds_due
from web.views.orders import Refused, counts_in, take, where_asked
from web.views.roles import may_rule
from web.words import say

blueprint = Blueprint("past_rulings", __name__)


@blueprint.post("/games/<int:number>/<int:verdict>/rule")
def rule(number: int, verdict: int) -> AnyResponse:
    """Rule on a move of the current game: stand, withdraw, not-as-seen, or undo the order `undo`."""
    try:
        if not may_rule():
            raise Refused("order.pin-needed", 403)
        take(_order(verdict))
    except Refused as refused:
        return _again(number, verdict, Wrong(str(refused), refused.at), refused.status)
    typed.forget(_form(verdict))
    return where_asked(number, verdict)


@blueprint.errorhandler(CSRFError)
def forged(_error: CSRFError) -> AnyResponse:
    """Refuse a form whose token is missing or too old; keep what was typed."""
    values = request.view_args or {}
    return _again(values["number"], values["verdict"], Wrong(say("order.again")), 400)


def _again(number: int, verdict: int, wrong: Wrong, status: int) -> Response:
    """Show the move's page again with what was typed and what is wrong."""
    if "n-a" in request.form:
        typed.store(_form(verdict), request.form.to_dict())
    return make_response(move_page(number, verdict, wrong), status)


def _form(verdict: int) -> str:
    return f"recount-{verdict}"


def _order(verdict: int) -> LetStand | Withdraw | NotAsSeen | Undo:
    what, undo = request.form.get("what", ""), request.form.get("undo", "")
    match what:
        case "stand":
            return LetStand(verdict=verdict, by="page")
        case "withdraw":
            if later_moves(verdict) and not request.form.get("sure"):
                raise Refused("retract.ask")
            return retraction.of_form(verdict, request.form)
        case "not-as-seen":
            return _recount(verdict)
        case "undo" if (order := whole_number(undo)) is not None:
            if not (request.form.get("sure") or plainly_undone(verdict, order)):
                raise Refused("undo.ask")
            return Undo(order=order, by="page")
    raise BadRequest


def _recount(verdict: int) -> NotAsSeen:
    """Return the order to judge the move again. Raises Refused, also to ask for confirmation: if later moves go with
    it, or the counts add up to too many seeds."""
    counts, due = _counts(verdict), seeds_due(verdict)
    if (later_moves(verdict) or audience.book().table["over"]) and not request.form.get("sure"):
        raise Refused("recount.ask")
    if sum(counts) > due and not request.form.get("odd"):
        raise Refused("recount.ask-odd", at="odd", n=sum(counts), due=due)
    return NotAsSeen(verdict=verdict, counts=counts, captured=_captured(verdict), by="page")


def _captured(verdict: int) -> list[int]:
    """Return the captured seeds in the form, South's and North's; [] where people left them as they were. Raises
    Refused."""
    item = audience.book().verdict(verdict)
    board = (item["position"] or item["before"]) if item is not None else None
    assert board is not None, "its counts were read before"
    found = []
    for letter, known in zip("SN", board["captured"], strict=True):
        text = request.form.get(f"captured-{letter}", str(known)).strip()
        count = whole_number(text, 2)
        if count is None:
            raise Refused("recount.cannot", at=f"captured-{letter}", side=player(letter), count=text[:20])
        found.append(count)
    return found if found != board["captured"] else []


def _counts(verdict: int) -> list[int]:
    """Return the counts in the form, along the ring. Raises Refused."""
    item = audience.book().verdict(verdict)
    if item is None or not item["before"]:
        raise Refused("order.no-verdict", 404, number=verdict)
    return counts_in(request.form, item["before"]["board"])
