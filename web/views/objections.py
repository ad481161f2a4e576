"""*I object*: anybody at the table can mark a move for the referee, give a reason, and take the objection back.

It needs no PIN, so it is limited in every way: one objection per move until somebody rules on it, with one reason, a
few a minute from one visitor, and a few more from all together. The reason is chosen from a list, so that no stranger's
words appear on the page.
"""

import math
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from threading import Lock
from typing import Literal

import msgspec
from flask import Blueprint, Response, abort, current_app, jsonify, request, session
from werkzeug.wrappers import Response as AnyResponse

from device.journal.events import Objected, ObjectionWithdrawn
from device.journal.projection.fold import Objection
from web.readmodel.book import Book
from web.readmodel.standing import rulable
from web.views import audience
from web.views.orders import Refused, refused, where_asked, write
from web.views.roles import may_rule, visitor

blueprint = Blueprint("objections", __name__)

MINUTE_S = 60.0
MOST_OF_ONE, MOST_OF_ALL = 3, 12
"""Most objections per minute from one visitor, and from all together."""
MOST_VISITORS = 1000
"""Most visitors remembered."""


class Objecting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """To the move of verdict `verdict`. why: as in `Objected`. back: take the objection back instead."""

    verdict: int
    why: Literal["", "verdict", "count", "turn"] = ""
    back: bool = False


READ: msgspec.json.Decoder[Objecting] = msgspec.json.Decoder(Objecting)
MINE, MOST_MINE = "objected", 20
"""The session's key for the numbers of the visitor's own objections, and how many of them it keeps."""


class ObjectionLimit:
    """Limits the objections per minute. clock: seconds, monotonic."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Start without objections."""
        self._clock, self._lock = clock, Lock()
        self._all: deque[float] = deque(maxlen=MOST_OF_ALL)
        self._of: OrderedDict[str, deque[float]] = OrderedDict()

    def enter(self, who: str) -> int:
        """Return 0 if one more objection of `who` is accepted, else the whole seconds to wait."""
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
    """Take an objection, `{"verdict": 12}`, with or without a reason, or its withdrawal; answer with the event's number
    or the reason for refusing."""
    try:
        asked = READ.decode(request.get_data(cache=False))
    except (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Refused("order.unreadable", why=error) from error
    return jsonify(order=take(asked)), 201


@blueprint.post("/games/<int:number>/<int:verdict>/object")
def from_page(number: int, verdict: int) -> AnyResponse:
    """Do the same from the move's own page, which works without scripts."""
    try:
        take(msgspec.convert({"verdict": verdict, "why": request.form.get("why", ""), "back": "back" in request.form},
                             Objecting))
    except msgspec.ValidationError:
        abort(400)
    except Refused as error:
        return Response(str(error), error.status, mimetype="text/plain")
    return where_asked(number, verdict)


def take(asked: Objecting) -> int:
    """Write to the journal that somebody objects, gives a reason, or takes the objection back. Return the number of
    that event. Raises Refused."""
    book = audience.book()
    if not book.number:
        raise Refused("order.no-table", 503)
    waiting = book.waiting(asked.verdict)
    if asked.back:
        return _take_back(book, waiting)
    item = book.verdict(asked.verdict)
    if item is None:
        raise Refused("order.no-verdict", 404, number=asked.verdict)
    if not rulable(item, book.table["game"]):
        raise Refused("object.past", 409)
    if waiting is not None:
        if waiting.why or not asked.why or waiting.number not in mine():
            raise Refused("object.already", 409)
        return write(book, Objected(verdict=asked.verdict, why=asked.why, by="page"))
    objection_limit: ObjectionLimit = current_app.extensions["objection_limit"]
    wait = objection_limit.enter(visitor())
    if wait:
        raise Refused("object.wait", 429, n=wait)
    number = write(book, Objected(verdict=asked.verdict, why=asked.why, by="page"))
    session[MINE] = [*mine(), number][-MOST_MINE:]
    return number


def _take_back(book: Book, waiting: Objection | None) -> int:
    """Withdraw the objection, for whoever made it or for the referee. Raises Refused."""
    if waiting is None:
        raise Refused("object.none-to", 409)
    if waiting.number not in mine() and not may_rule():
        raise Refused("object.not-yours", 403)
    return write(book, ObjectionWithdrawn(objection=waiting.number, by="page"))


def mine() -> list[int]:
    """Return the event numbers of this visitor's objections, as far as their browser remembers."""
    found = session.get(MINE, [])
    return [one for one in found if isinstance(one, int)] if isinstance(found, list) else []


blueprint.register_error_handler(Refused, refused)
