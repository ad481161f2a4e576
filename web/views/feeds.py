"""Server-sent events: everything the page shows goes out here, one way, to a capped number of open pages.

`table` events carry the journal's newest number as their id, so that a browser that lost the line asks for the rest by
itself (`Last-Event-ID`). `live` events carry what the table sees now and have no id: what was missed of them is gone.
`beat` events come when there is nothing else, so that both ends notice a dead line.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec
from flask import Blueprint, Response, current_app, request
from flask.blueprints import BlueprintSetupState

from web.compression import stream, unpacks
from web.readmodel import audience
from web.readmodel.book import Book
from web.readmodel.live import Live, Sight
from web.words import say

blueprint = Blueprint("feeds", __name__)

BEAT_S = 4.0
TICK_S = 0.1
RETRY_MS = 2000


@dataclass(slots=True)
class Door:
    """Lets a limited number of feeds in; each holds one of the server's threads."""

    limit: int
    inside: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def enter(self) -> bool:
        """Let one more in; False where all places are taken."""
        with self.lock:
            if self.inside >= self.limit:
                return False
            self.inside += 1
            return True

    def leave(self) -> None:
        """One has gone, and its place is free."""
        with self.lock:
            self.inside -= 1


@blueprint.record_once
def _hang_door(state: BlueprintSetupState) -> None:
    state.app.extensions["door"] = Door(int(state.app.config["MAX_FEEDS"]))


@blueprint.get("/events")
def events() -> Response:
    """The open feed, or 503 when enough pages are open: the page then asks `/table` every few seconds instead."""
    door: Door = current_app.extensions["door"]
    if not door.enter():
        return Response(say("feed.full"), 503, {"Retry-After": "10"}, mimetype="text/plain")
    lines = _stream(audience.book("public" in request.args), current_app.extensions["live"],
                    after=_number_held(),
                    live_s=math.inf if "news" in request.args else 1.0 / float(current_app.config["LIVE_HZ"]),
                    gone=request.environ.get("waitress.client_disconnected", bool))
    response = Response(lines, mimetype="text/event-stream", headers={"Cache-Control": "no-store"})
    if unpacks(request):
        response.response, response.content_encoding = stream(lines), "gzip"
    response.call_on_close(door.leave)
    return response


@blueprint.get("/table")
def table() -> Response:
    """The same as one `table` and one `live` event, for pages that found no feed free."""
    book = audience.book("public" in request.args)
    door: Door = current_app.extensions["door"]
    both = {"table": book.since(_number_held()), "live": _live(audience.sight(book)), "full": door.inside >= door.limit}
    return Response(msgspec.json.encode(both), mimetype="application/json", headers={"Cache-Control": "no-store"})


def _number_held() -> int:
    """The event number after which the page asks for news; 0, which is before everything, where it names none."""
    text = request.headers.get("Last-Event-ID") or request.args.get("after", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0


def _stream(book: Book, live: Live, after: int, live_s: float, gone: object) -> Iterator[bytes]:
    """live_s: seconds between two looks at what the table sees; infinite for pages that show nothing of it."""
    yield f"retry: {RETRY_MS}\n\n".encode()
    sent, shown = -1, None
    next_live, next_beat = (math.inf if live_s == math.inf else 0.0), 0.0
    while not (callable(gone) and gone()):
        now = time.monotonic()
        book.refresh()
        if book.version != sent:
            sent = book.version
            patch = book.since(after)
            after = patch["number"]
            yield _event("table", patch, after)
            next_beat = now + BEAT_S
        sight = audience.discreet(live.look(), book)
        if sight != shown and now >= next_live:
            shown, next_live = sight, now + live_s
            yield _event("live", _live(sight))
            next_beat = now + BEAT_S
        if now >= next_beat:
            next_beat = now + BEAT_S
            yield b"event: beat\ndata: {}\n\n"
        time.sleep(TICK_S)


def _event(name: str, data: object, number: int | None = None) -> bytes:
    head = f"event: {name}\n" + (f"id: {number}\n" if number is not None else "")
    return head.encode() + b"data: " + msgspec.json.encode(data) + b"\n\n"


def _live(sight: Sight) -> dict[str, object]:
    return {"running": sight.running, "frame": str(sight.frame), "state": sight.state}
