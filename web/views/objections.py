"""*I object*: anybody at the table marks a move for the referee. It needs no PIN, so it is bounded in every direction:
one objection a move until somebody rules on it, a few a minute from one visitor, and some more from all together.
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from threading import Lock

import msgspec
from flask import Blueprint, Response, current_app, jsonify, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.journal.events import Objected
from web.readmodel import audience
from web.readmodel.standing import contested, rulable
from web.views.orders import Refused, refused, write
from web.views.roles import visitor

blueprint = Blueprint("objections", __name__)

MINUTE_S = 60.0
MOST_OF_ONE, MOST_OF_ALL = 3, 12
"""Objections a minute that one visitor, and all together, may make."""
MOST_VISITORS = 1000
"""Visitors that are remembered."""


class Objection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """To the move of verdict `verdict`."""

    verdict: int


READ: msgspec.json.Decoder[Objection] = msgspec.json.Decoder(Objection)


class Turnstile:
    """Lets a few through a minute. clock: seconds, never running back."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Nobody has come yet."""
        self._clock, self._lock = clock, Lock()
        self._all: deque[float] = deque(maxlen=MOST_OF_ALL)
        self._of: OrderedDict[str, deque[float]] = OrderedDict()

    def enter(self, who: str) -> int:
        """0 where one more objection of `who` is taken, else the whole seconds to wait."""
        with self._lock:
            now = self._clock()
            mine = self._of.setdefault(who, deque(maxlen=MOST_OF_ONE))
            self._of.move_to_end(who)
            while len(self._of) > MOST_VISITORS:
                self._of.popitem(last=False)
            waits = [times[0] + MINUTE_S - now for times in (mine, self._all) if len(times) == times.maxlen]
            if max(waits, default=0.0) > 0:
                return math.ceil(max(waits))
            mine.append(now)
            self._all.append(now)
            return 0


@blueprint.post("/objections")
def object_() -> tuple[Response, int]:
    """Take one objection, `{"verdict": 12}`; answers with the event's number, or says why not."""
    try:
        asked = READ.decode(request.get_data(cache=False))
    except (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Refused("order.unreadable", why=error) from error
    return jsonify(order=take(asked.verdict)), 201


@blueprint.post("/games/<int:number>/<int:verdict>/object")
def from_page(number: int, verdict: int) -> AnyResponse:
    """The same from the move's own page, where no script need run."""
    try:
        take(verdict)
    except Refused as error:
        return Response(str(error), error.status, mimetype="text/plain")
    return redirect(url_for("history.move", number=number, verdict=verdict), 303)


def take(verdict: int) -> int:
    """Write an objection down; its number. Raises Refused."""
    book = audience.book()
    if not book.number:
        raise Refused("order.no-table", 503)
    item = book.verdict(verdict)
    if item is None:
        raise Refused("order.no-verdict", 404, number=verdict)
    if not rulable(item, book.table["game"]):
        raise Refused("object.past", 409)
    if contested(item):
        raise Refused("object.already", 409)
    turnstile: Turnstile = current_app.extensions["turnstile"]
    wait = turnstile.enter(visitor())
    if wait:
        raise Refused("object.wait", 429, n=wait)
    return write(book, Objected(verdict=verdict, by="page"))


blueprint.register_error_handler(Refused, refused)
