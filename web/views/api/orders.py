"""Orders from programs: a token in exchange for the PIN, and the orders that it allows. Cookies are ignored, so that no
other site's page can give orders through somebody's browser; and the header must say JSON, which another site's page
may not send either."""

from typing import TypeVar

import msgspec
from flask import Blueprint, Response, current_app, request

from web.pin import PinFile
from web.views import orders, tokens
from web.views.api.types import Ordered, PinGiven, Token
from web.views.orders import Refused
from web.views.problems import from_program, problem
from web.views.roles import guess
from web.words import say

blueprint = Blueprint("api_orders", __name__)

T = TypeVar("T")
PIN: msgspec.json.Decoder[PinGiven] = msgspec.json.Decoder(PinGiven)


@blueprint.post("/api/v1/token")
def token() -> Response:
    """Send a token in exchange for the PIN. Guesses count together with those in the page's form."""
    pin: PinFile = current_app.extensions["pin"]
    asked = _read(PIN)
    if not pin.is_set:
        return problem(409, say("pin.none"))
    wait = guess(asked.pin)
    if wait is None:
        return problem(403, say("pin.wrong"))
    if wait:
        return problem(429, say("pin.wait", n=wait), {"Retry-After": str(wait)})
    return _answer(Token(tokens.known().make(), tokens.LASTS_S))


@blueprint.post("/api/v1/orders")
def order() -> Response:
    """Take one order, as the page's `/orders` does, from whoever has a token."""
    if not tokens.opens():
        return without_token("api.token-needed")
    given = _read(orders.ORDERS)
    return _answer(Ordered(orders.take(msgspec.structs.replace(given, by="program"))))


@blueprint.before_app_request
def check() -> Response | None:
    """Before anything under `/api` is answered, refuse a token in the address and an invalid token."""
    if not from_program():
        return None
    if tokens.in_url():
        return problem(400, say("api.in-url"))
    if tokens.given() is not None and not tokens.opens():
        return without_token("api.token-old")
    return None


def without_token(key: str) -> Response:
    """Refuse a request without a valid token. key: of the sentence."""
    return problem(401, say(key), {"WWW-Authenticate": 'Bearer realm="inkeek"'})


def _read(decoder: msgspec.json.Decoder[T]) -> T:
    """Decode the body. Raises Refused."""
    if request.mimetype != "application/json":
        raise Refused("api.json", 415)
    try:
        return decoder.decode(request.get_data(cache=False))
    except msgspec.ValidationError as error:
        raise Refused("order.unreadable", 422, why=error) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Refused("order.unreadable", why=error) from error


def _answer(what: object) -> Response:
    return Response(msgspec.json.encode(what), 201, {"Cache-Control": "no-store"}, mimetype="application/json")


@blueprint.errorhandler(Refused)
def refused(error: Refused) -> Response:
    """Answer a refusal with one sentence."""
    return problem(error.status, str(error))
