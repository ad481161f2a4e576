"""Server-sent events: the changed parts of a page, rendered as this visitor may see them."""

import time
from collections.abc import Callable, Iterator

import msgspec
from flask import Blueprint, Response, current_app, request, stream_with_context
from werkzeug.exceptions import NotFound

from web.hall.context import here
from web.hall.registry import TableRegistry
from web.hall.views import drawn, tournament
from web.hall.views.desk import director
from web.hall.views.queue import verdict_part
from web.hall.views.tables import at
from web.typed import whole_number
from web.views.feeds import BEAT_S, FeedLimit
from web.words import say

blueprint = Blueprint("feed", __name__)

PACE_S = 0.7
"""The least seconds between two updates of a page."""

Parts = Callable[[], list[tuple[str, str]]]
"""Returns the parts that a page shows, each with the id of its element."""


@blueprint.get("/feed")
def feed() -> Response:
    """Open the feed of a page. Query argument `see`: what the page shows: "tables", "public", "queue", "tournament",
    "table:ID" or "verdict:ID:NUMBER"."""
    see = request.args.get("see", "")
    parts = _parts(see)
    limit: FeedLimit = current_app.extensions["feed_limit"]
    if not limit.enter(rules=director() is not None):
        return Response(say("feed.full"), 503, {"Retry-After": "10"}, mimetype="text/plain")
    gone = request.environ.get("waitress.client_disconnected", bool)
    lines = stream_with_context(_stream(here().registry, parts, see == "public", gone))
    response = Response(lines, mimetype="text/event-stream", headers={"Cache-Control": "no-store"})
    response.call_on_close(limit.leave)
    return response


def _parts(see: str) -> Parts:
    kind, _, rest = see.partition(":")
    name, _, number = rest.partition(":")
    if kind in ("tables", "public") and not rest:
        return lambda: [(f"card-{table.id}", drawn.card(table, kind == "public")) for table in here().registry.all()]
    if kind == "queue" and not rest:
        return lambda: [("queue", drawn.queue_part())]
    if kind == "tournament" and not rest:
        return lambda: [("tournament", tournament.part())]
    if kind == "table" and not number:
        table = at(name)
        return lambda: [("table", drawn.table_part(table))]
    if kind == "verdict" and (verdict := whole_number(number)) is not None:
        one = at(name)
        return lambda: [("ruling", verdict_part(one, verdict))]
    raise NotFound


def _stream(registry: TableRegistry, parts: Parts, public: bool, gone: Callable[[], bool]) -> Iterator[bytes]:
    """Yield what has changed since it was last sent, and a beat if nothing has. public: for a projector, which
    everybody sees."""
    sent: dict[str, int] = {}
    version, beat = -1, 0.0
    yield b"retry: 2000\n\n"
    while not gone():
        now = time.monotonic()
        if registry.version != version:
            version = registry.version
            for name, html in [*parts(), ("waiting-n", drawn.count_part(public)), ("linked", drawn.linked())]:
                if sent.get(name) != hash(html):
                    sent[name] = hash(html)
                    yield b"event: part\ndata: " + msgspec.json.encode({"id": name, "html": str(html)}) + b"\n\n"
                    beat = now + BEAT_S
        if now >= beat:
            beat = now + BEAT_S
            yield b"event: beat\ndata: {}\n\n"
        time.sleep(PACE_S)
        registry.wait(version, BEAT_S / 2)
