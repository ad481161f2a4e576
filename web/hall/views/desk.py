"""Directors sign in with their PIN, once for all tables, and set it."""

from collections.abc import Mapping

from flask import Blueprint, Response, current_app, make_response, redirect, render_template, request, session, url_for
from flask_wtf.csrf import CSRFError
from werkzeug.wrappers import Response as AnyResponse

from web.at_machine import at_machine
from web.hall.context import here
from web.hall.directors import Director, Directors
from web.pin import LONGEST, SHORTEST, PinFile
from web.typed import Wrong
from web.views.roles import guess_refused, pin_refused
from web.words import say

blueprint = Blueprint("desk", __name__)

TOKEN = "director"


def director() -> Director | None:
    """Return the director who makes this request; None if nobody is signed in."""
    return director_by(session, here().directors, _pin())


def director_by(kept: Mapping[str, object], directors: Directors, pin: PinFile) -> Director | None:
    """Return the director whose session this is; None if nobody is signed in."""
    token = kept.get(TOKEN)
    return directors.find(token, pin.mark) if isinstance(token, str) else None


@blueprint.get("/director")
def page() -> Response:
    """Show the page for signing in and out and for setting the PIN."""
    return _answer(done=say("pin.kept") if "kept" in request.args and director() else "")


@blueprint.post("/director/in")
def sign_in() -> AnyResponse:
    """Sign in with the PIN."""
    pin, given = _pin(), request.form.get("pin", "").strip()
    if not pin.is_set:
        return _answer(say("director.none"), 409)
    if (refused := guess_refused(_answer)) is not None:
        return refused
    _open(given)
    return redirect(url_for("queue.page"), 303)


@blueprint.post("/director/out")
def sign_out() -> AnyResponse:
    """Sign out."""
    here().directors.sign_out(str(session.get(TOKEN, "")))
    session.clear()
    return redirect(url_for("desk.page"), 303)


@blueprint.post("/director/pin")
def set_pin() -> AnyResponse:
    """Set the PIN: the first one at this machine, later ones when signed in."""
    pin, given = _pin(), request.form.get("pin", "").strip()
    if not (director() or (at_machine(session) and not pin.is_set)):
        return _answer(say("order.pin-needed" if pin.is_set else "director.elsewhere"), 403)
    if (refused := pin_refused(pin)) is not None:
        return _answer(*refused[:2], at=refused[2])
    _open(given)
    return redirect(url_for("desk.page", kept="yes"), 303)


@blueprint.errorhandler(CSRFError)
def forged(_error: CSRFError) -> Response:
    """Refuse a form whose token is missing or too old."""
    return _answer(say("order.again-pin"), 400)


def _open(pin: str) -> None:
    session.clear()
    session[TOKEN] = here().directors.sign_in(pin, _pin().mark)
    session.permanent = True


def _pin() -> PinFile:
    found: PinFile = current_app.extensions["pin"]
    return found


def _answer(wrong: str = "", status: int = 200, done: str = "", *, at: str = "") -> Response:
    """Return the director's page. wrong, done: a sentence that answers the request; at: the field that it is about."""
    pin = _pin()
    text = render_template("hall/director.html", is_set=pin.is_set, may_set=at_machine(session), done=done,
                           wrong=Wrong(wrong, at) if wrong else None, least=SHORTEST, most=LONGEST)
    return make_response(text, status, {"Cache-Control": "no-store"})
