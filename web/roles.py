"""Who may rule: anyone watches, the referee has a PIN. Until one is set, the machine itself may rule."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address
from typing import Literal

from flask import Blueprint, Response, current_app, make_response, redirect, render_template, request, session, url_for
from werkzeug.wrappers import Response as AnyResponse

from engine.said import Said
from web.book import Book
from web.pin import LONGEST, SHORTEST, Gate, PinError, PinFile
from web.reasons import said_of
from web.words import say

blueprint = Blueprint("roles", __name__)

Role = Literal["referee", "open", "watch"]
"""referee: signed in with the PIN. open: no PIN is set, and this is the machine itself. watch: everyone else."""

PASSED_ON = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip", "Via")
"""Headers of a proxy: whoever is behind it is not at this machine."""

RULER = "ruler"


def role() -> Role:
    """What this visitor may do."""
    pin: PinFile = current_app.extensions["pin"]
    if pin.is_set:
        mark = pin.mark
        return "referee" if mark and session.get(RULER) == mark else "watch"
    return "open" if same_machine() else "watch"


def may_rule() -> bool:
    """Whether this visitor's orders are taken."""
    return role() != "watch"


def same_machine() -> bool:
    """Whether the request comes from a program on this machine, and not through a proxy that runs on it."""
    try:
        address = ip_address(request.remote_addr or "")
    except ValueError:
        return False
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    return address.is_loopback and not any(name in request.headers for name in PASSED_ON)


@blueprint.get("/referee")
def page() -> Response:
    """Signing in and out, and setting the PIN."""
    return answer()


@blueprint.post("/referee/in")
def sign_in() -> AnyResponse:
    """Open a session with the PIN."""
    pin: PinFile = current_app.extensions["pin"]
    gate: Gate = current_app.extensions["gate"]
    if not pin.is_set:
        return answer(say("pin.none"), 409)
    given = request.form.get("pin", "").strip()[:LONGEST + 1]
    wait = gate.guess(visitor(), lambda: pin.fits(given))
    if wait is None:
        return answer(say("pin.wrong"), 403)
    if wait:
        later = answer(say("pin.wait", n=wait), 429)
        later.headers["Retry-After"] = str(wait)
        return later
    _open(pin)
    return redirect(url_for("page.index"), 303)


@blueprint.post("/referee/out")
def sign_out() -> AnyResponse:
    """Close the session."""
    session.clear()
    return redirect(url_for("roles.page"), 303)


@blueprint.post("/referee/pin")
def set_pin() -> AnyResponse:
    """Set a PIN: the first one from the machine itself, later ones from whoever is signed in. Other sessions end."""
    pin: PinFile = current_app.extensions["pin"]
    if not may_rule():
        return answer(say("pin.elsewhere" if not pin.is_set else "order.pin-needed"), 403)
    given = request.form.get("pin", "").strip()
    if given != request.form.get("again", "").strip():
        return answer(say("pin.differ"), 400)
    try:
        pin.set(given)
    except PinError as error:
        values = {name: said_of(value) if isinstance(value, Said) else value for name, value in error.values.items()}
        return answer(say(error.key, **values), 400 if error.key == "pin.form" else 503)
    _open(pin)
    return answer(done=say("pin.kept"))


def _open(pin: PinFile) -> None:
    session.clear()
    session[RULER] = pin.mark
    session.permanent = True


def visitor() -> str:
    """Who asks: an address; of IPv6, whose every machine has many, its network."""
    text = request.remote_addr or ""
    try:
        address = ip_address(text)
    except ValueError:
        return text
    return str(address) if address.version == 4 else address.exploded[:19]


def answer(wrong: str = "", status: int = 200, done: str = "") -> Response:
    """The referee's page. wrong, done: a sentence to what was asked."""
    pin: PinFile = current_app.extensions["pin"]
    book: Book = current_app.extensions["book"]
    book.refresh()
    response = make_response(render_template("referee.html", role=role(), is_set=pin.is_set, wrong=wrong, done=done,
                                             least=SHORTEST, most=LONGEST, hold=book.table["hold"],
                                             game=book.table["game"],
                                             contested=book.contested() if may_rule() else []), status)
    response.headers["Cache-Control"] = "no-store"
    return response
