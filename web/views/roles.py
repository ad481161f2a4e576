"""Who may rule: anyone may watch, the referee has a PIN. Until a PIN is set, the person at the machine may rule."""

import re
from collections.abc import Callable, Mapping
from ipaddress import ip_address
from typing import Literal

from flask import Blueprint, Response, current_app, make_response, redirect, render_template, request, session, url_for
from flask_wtf.csrf import CSRFError
from werkzeug.wrappers import Response as AnyResponse

from device.publishing.link_state import read_link
from engine.messages import Message
from web import typed
from web.addresses import only_here
from web.at_machine import at_machine
from web.pin import LONGEST, SHORTEST, Gate, PinError, PinFile
from web.readmodel.book import Book
from web.readmodel.reasons import message_text
from web.typed import Wrong
from web.views import tokens
from web.words import say

blueprint = Blueprint("roles", __name__)

Role = Literal["referee", "open", "watch"]
"""referee: signed in with the PIN, or a program with a token. open: no PIN is set, and the visitor has opened the link
shown in the terminal. watch: everyone else."""

RULER = "ruler"

BACK = re.compile(r"/(?:[a-z0-9]+/?)*")
"""A path on this server, which cannot lead to another."""

TYPED = (typed.KEY, "draft")
"""Session keys that survive signing in: what the visitor was about to do."""


def role() -> Role:
    """Return what this visitor may do."""
    pin: PinFile = current_app.extensions["pin"]
    if pin.is_set:
        return "referee" if rules_by(session, pin) or (pin.mark and tokens.opens()) else "watch"
    return "open" if rules_by(session, pin) else "watch"


def rules_by(kept: Mapping[str, object], pin: PinFile) -> bool:
    """Return whether a session was opened with the current PIN or, while none is set, at this machine."""
    if not pin.is_set:
        return at_machine(kept)
    mark = pin.mark
    return bool(mark) and kept.get(RULER) == mark


def may_rule() -> bool:
    """Return whether this visitor's orders are accepted."""
    return role() != "watch"


@blueprint.get("/referee")
def page() -> Response:
    """Show the page for signing in and out and for setting the PIN."""
    return answer(done=say("pin.kept") if "kept" in request.args and may_rule() else "")


@blueprint.post("/referee/in")
def sign_in() -> AnyResponse:
    """Sign in with the PIN."""
    pin: PinFile = current_app.extensions["pin"]
    if not pin.is_set:
        return answer(say("pin.none"), 409)
    if (refused := guess_refused(answer)) is not None:
        return refused
    _open(pin)
    return redirect(f"{request.script_root}{_back()}" if _back() else url_for("page.index"), 303)


def guess(given: str) -> int | None:
    """Try a PIN: return 0 if it is right, None if it is wrong, else the seconds to wait before the next guess. All
    guesses from one address count together, from whichever form."""
    pin: PinFile = current_app.extensions["pin"]
    gate: Gate = current_app.extensions["gate"]
    return gate.guess(visitor(), lambda: pin.fits(given[:LONGEST + 1]))


def guess_refused(answer: Callable[..., Response]) -> Response | None:
    """Try the PIN of the form: return the answer to a wrong one, or to one too many; None if it is right. answer: makes
    a page from a sentence, the status, and the field that it is about."""
    wait = guess(request.form.get("pin", "").strip())
    if wait == 0:
        return None
    if wait is None:
        return answer(say("pin.wrong"), 403, at="pin")
    later = answer(say("pin.wait", n=wait), 429, at="pin")
    later.headers["Retry-After"] = str(wait)
    return later


@blueprint.post("/referee/out")
def sign_out() -> AnyResponse:
    """Sign out."""
    session.clear()
    return redirect(url_for("roles.page"), 303)


@blueprint.post("/referee/pin")
def set_pin() -> AnyResponse:
    """Set a PIN and end all other sessions. The first PIN can be set only at this machine, later ones by anybody who
    is signed in."""
    pin: PinFile = current_app.extensions["pin"]
    if not may_rule():
        return answer(say("pin.elsewhere" if not pin.is_set else "order.pin-needed"), 403)
    if (refused := pin_refused(pin)) is not None:
        return answer(*refused[:2], at=refused[2])
    _open(pin)
    return redirect(url_for("roles.page", kept="yes"), 303)


def pin_refused(pin: PinFile) -> tuple[str, int, str] | None:
    """Set the PIN that the form gives twice. If that fails, return a sentence, the status, and the field that it is
    about, "" for none."""
    given = request.form.get("pin", "").strip()
    if given != request.form.get("again", "").strip():
        return say("pin.differ"), 400, "again"
    try:
        pin.set(given)
    except PinError as error:
        values = {name: message_text(value) if isinstance(value, Message) else value
                  for name, value in error.values.items()}
        bad = error.key == "pin.form"
        return say(error.key, **values), 400 if bad else 503, "pin" if bad else ""
    return None


@blueprint.errorhandler(CSRFError)
def forged(_error: CSRFError) -> Response:
    """Refuse a form whose token is missing or too old."""
    return answer(say("order.again-pin"), 400)


def _back() -> str:
    """Return the page from which the visitor came to sign in; "" if it is unknown or not ours."""
    back = request.values.get("back", "")
    return back if BACK.fullmatch(back) else ""


def _open(pin: PinFile) -> None:
    kept = {key: session[key] for key in TYPED if key in session}
    session.clear()
    session.update(kept)
    session[RULER] = pin.mark
    session.permanent = True


def visitor() -> str:
    """Return the visitor's address; for IPv6 only its network, because one machine has many addresses."""
    text = request.remote_addr or ""
    try:
        address = ip_address(text)
    except ValueError:
        return text
    return str(address) if address.version == 4 else address.exploded[:19]


def answer(wrong: str = "", status: int = 200, done: str = "", *, at: str = "") -> Response:
    """Return the referee's page. wrong, done: a sentence that answers the request; at: the field that it is about. A
    typed PIN is never written into a page."""
    pin: PinFile = current_app.extensions["pin"]
    book: Book = current_app.extensions["book"]
    book.refresh()
    text = render_template("referee.html", role=role(), back=url_for("roles.page"), to=_back(), is_set=pin.is_set,
                           done=done,
                           wrong=Wrong(wrong, at) if wrong else None, least=SHORTEST, most=LONGEST,
                           alone=only_here(current_app.config["SERVED_HOST"]), hold=book.table["hold"],
                           contested=book.contested() if may_rule() else [],
                           ordered={order.get("verdict") for order in book.table["pending"]},
                           hall=read_link(pin.path.parent) if may_rule() else None)
    response = make_response(text, status)
    response.headers["Cache-Control"] = "no-store"
    return response
