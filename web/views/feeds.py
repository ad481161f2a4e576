"""Server-sent events: everything that the page shows goes out here, one way, to a limited number of open pages.

`table` events have the journal's newest number as their id, so that a browser that lost the connection asks for the
rest by itself (`Last-Event-ID`). `live` events hold what the table sees now and have no id: missed ones are not sent
again. `beat` events come when there is nothing else, so that both ends notice a dead connection.
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
from web.disk import Disk
from web.readmodel.book import Book
from web.readmodel.live import Live, LiveView
from web.typed import whole_number
from web.views import audience
from web.views.roles import may_rule
from web.words import say

blueprint = Blueprint("feeds", __name__)

BEAT_S = 4.0
TICK_S = 0.1
RETRY_MS = 2000
RULERS = 20
"""Further feeds for those who may rule."""
MOST_PICTURES_HZ = 40.0
"""Most pictures per second announced to all open pages together: each page fetches each picture over the same radio."""


@dataclass(slots=True)
class FeedLimit:
    """Limits the number of open feeds; each occupies one of the server's threads."""

    limit: int
    inside: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def enter(self, *, rules: bool = False) -> bool:
        """Admit one more feed; return False if all places are taken. rules: whether the visitor may rule."""
        with self.lock:
            if self.inside >= self.limit + (RULERS if rules and self.limit else 0):
                return False
            self.inside += 1
            return True

    def leave(self) -> None:
        """Free a feed's place."""
        with self.lock:
            self.inside -= 1


class News:
    """What the open feeds of one book send: its changes and the live folder's, read and encoded once for all feeds."""

    def __init__(self, book: Book, live: Live, disk: Disk) -> None:
        """book: as the feeds' readers may see it."""
        self._book, self._live, self._disk = book, live, disk
        self._lock = threading.Lock()
        self._looked = -TICK_S
        self._readers = 0
        self._patches: dict[int, tuple[int, bytes]] = {}
        self._patched = -1
        self._sight: LiveView | None = None
        self._frame_until = 0.0
        self._live_event = b""

    def __enter__(self) -> News:
        """Count one more open feed."""
        with self._lock:
            self._readers += 1
        return self

    def __exit__(self, *_: object) -> None:
        """Count one fewer."""
        with self._lock:
            self._readers -= 1

    def look(self) -> tuple[int, bytes]:
        """Return the book's version and the newest `live` event, at most one tick old."""
        with self._lock:
            now = time.monotonic()
            if now - self._looked >= TICK_S:
                self._looked = now
                self._book.refresh()
                self._see(audience.discreet(self._live.look(), self._book), now)
            return self._book.version, self._live_event

    def patch(self, after: int) -> tuple[int, bytes]:
        """Return the `table` event for a page that knows everything up to `after`, and the number that it then
        knows."""
        with self._lock:
            if self._patched != self._book.version:
                self._patched = self._book.version
                self._patches.clear()
            if after not in self._patches:
                patch = self._book.since(after)
                self._patches[after] = patch["number"], _event("table", patch, patch["number"])
            return self._patches[after]

    def _see(self, sight: LiveView, now: float) -> None:
        before = self._sight
        if before is not None and before.frame and sight.frame and now < self._frame_until:
            sight = LiveView(sight.running, before.frame, sight.state)  # too early for the next picture
        elif before is None or sight.frame != before.frame:
            self._frame_until = now + self._readers / MOST_PICTURES_HZ
        if sight != before:
            self._sight, self._live_event = sight, _event("live", _live(sight, self._disk))


@blueprint.record_once
def _make_feed_limit(state: BlueprintSetupState) -> None:
    extensions = state.app.extensions
    extensions["feed_limit"] = FeedLimit(int(state.app.config["MAX_FEEDS"]))
    extensions["news"] = {of: News(of, extensions["live"], extensions["disk"])
                          for of in (extensions["book"], extensions["public"])}


@blueprint.get("/events")
def events() -> Response:
    """Open the feed; 503 if enough pages are open: the page then polls `/table` every few seconds instead."""
    limit: FeedLimit = current_app.extensions["feed_limit"]
    if not limit.enter(rules=may_rule()):
        return Response(say("feed.full"), 503, {"Retry-After": "10"}, mimetype="text/plain")
    news: dict[Book, News] = current_app.extensions["news"]
    lines = _stream(news[audience.book("public" in request.args)], after=_number_held(),
                    live_s=math.inf if "news" in request.args else 1.0 / float(current_app.config["LIVE_HZ"]),
                    gone=request.environ.get("waitress.client_disconnected", bool))
    response = Response(lines, mimetype="text/event-stream", headers={"Cache-Control": "no-store"})
    if unpacks(request):
        response.response, response.content_encoding = stream(lines), "gzip"
    response.call_on_close(limit.leave)
    return response


@blueprint.get("/table")
def table() -> Response:
    """Return the content of one `table` and one `live` event, for pages without a feed."""
    book = audience.book("public" in request.args)
    limit: FeedLimit = current_app.extensions["feed_limit"]
    live = _live(audience.sight(book), current_app.extensions["disk"])
    both = {"table": book.since(_number_held()), "live": live, "full": limit.inside >= limit.limit}
    return Response(msgspec.json.encode(both), mimetype="application/json", headers={"Cache-Control": "no-store"})


def _number_held() -> int:
    """Return the event number after which the page wants news; 0 for everything."""
    return whole_number(request.headers.get("Last-Event-ID") or request.args.get("after", "")) or 0


def _stream(news: News, after: int, live_s: float, gone: object) -> Iterator[bytes]:
    """Yield the feed's events. live_s: least seconds between `live` events; infinite for pages that do not show
    them."""
    yield f"retry: {RETRY_MS}\n\n".encode()
    sent, shown = -1, b""
    next_live, next_beat = (math.inf if live_s == math.inf else 0.0), 0.0
    with news:
        while not (callable(gone) and gone()):
            now = time.monotonic()
            version, live = news.look()
            if version != sent:
                sent = version
                after, patch = news.patch(after)
                yield patch
                next_beat = now + BEAT_S
            if live != shown and now >= next_live:
                shown, next_live = live, now + live_s
                yield live
                next_beat = now + BEAT_S
            if now >= next_beat:
                next_beat = now + BEAT_S
                yield b"event: beat\ndata: {}\n\n"
            time.sleep(TICK_S)


def _event(name: str, data: object, number: int | None = None) -> bytes:
    head = f"event: {name}\n" + (f"id: {number}\n" if number is not None else "")
    return head.encode() + b"data: " + msgspec.json.encode(data) + b"\n\n"


def _live(sight: LiveView, disk: Disk) -> dict[str, object]:
    return {"running": sight.running, "frame": str(sight.frame), "state": sight.state, "free_gb": disk.free_gb}
