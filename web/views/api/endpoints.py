"""`/api/v1`: the journal's events, the table, the games and the evidence for other programs; and `/metrics`.

Event types are added, and never change their meaning. Every event names its table by a part of the hash of the
journal's first event; so programs can tell several tables apart that have no numbers. OpenAPI is made from the types.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, cast

import msgspec
from flask import Blueprint, Response, abort, current_app, render_template, request

from device.journal import events as journal
from device.journal.events import Event, Unknown
from device.journal.projection.games import PlayedGame
from device.publishing.link_state import read_link
from web.readmodel.book import Book
from web.readmodel.feed import GameNow
from web.readmodel.scores import score
from web.readmodel.standing import details
from web.typed import whole_number
from web.views import audience, tokens
from web.views.api.description import EVENTS, OPERATIONS, TAGS, description
from web.views.api.types import (
    MOST,
    Annulled,
    Events,
    GameAnswer,
    Games,
    JournalEvent,
    Side,
    State,
    TableAnswer,
    Withdrawn,
)
from web.views.feeds import BEAT_S, TICK_S, FeedLimit
from web.views.problems import problem
from web.views.roles import may_rule
from web.words import say

blueprint = Blueprint("api", __name__)


@blueprint.get("/api/")
def page() -> str:
    """Show what the API offers, to read and to try."""
    shown = [(tag, [one for one in OPERATIONS if one.tag == tag]) for tag in TAGS if tag != "page"]
    return render_template("api.html", groups=shown, endless=EVENTS, hours=tokens.LASTS_S // 3600)


@blueprint.get("/api/v1/table")
def table() -> Response:
    """The table as it stands."""
    book = audience.book()
    sight, now, match = audience.sight(book), book.table, book.match()
    state = sight.state
    game = now["game"] or GameNow(game="", rules="", board="", sets={}, number=0, clock=None)
    return _json(TableAnswer(
        table=book.id, last=book.number, running=sight.running,
        state=cast(State, state.state if state else now["state"]["name"]),
        why=state.why if state else now["state"]["why"], game=game["game"], rules=game["rules"], board=game["board"],
        position=now["position"]["line"] if now["position"] else "", over=bool(now["over"]), ruling=now["ruling"],
        undo=now["undo"], match=score(match), contested=[one.verdict for one, _ in book.contested()],
        told=state.told if state else _message(now["state"]["told"]), sets=game["sets"]))


@blueprint.get("/api/v1/events")
def events() -> Response:
    """Events after a number, at most 500 of them."""
    book = audience.book()
    after, limit = _number("after", 0), min(_number("limit", MOST), MOST)
    return _json(Events(table=book.id, last=book.number, events=[_event(book, e) for e in book.read(after, limit)]))


@blueprint.get("/api/v1/events/<int:number>")
def event(number: int) -> Response:
    """One event: a verdict with its steps, explanations and stills, for instance."""
    book = audience.book()
    if not 1 <= number <= book.number:
        abort(404)
    return _json(_event(book, book.read(number - 1, 1)[0]))


@blueprint.get("/api/v1/stream")
def stream() -> Response:
    """Stream the same events as they come (server-sent events; `id` is the number, `event` the type)."""
    limit: FeedLimit = current_app.extensions["feed_limit"]
    if not limit.enter(rules=may_rule()):
        return problem(503, say("feed.full"), {"Retry-After": "10"})
    held = whole_number(request.headers.get("Last-Event-ID", ""))
    after = _number("after", 0) if held is None else held
    lines = _stream(audience.book(), after, _ended(request.environ.get("waitress.client_disconnected", bool)))
    response = Response(lines, mimetype=EVENTS, headers={"Cache-Control": "no-store"})
    response.call_on_close(limit.leave)
    return response


@blueprint.get("/api/v1/games")
def games() -> Response:
    """All games."""
    book = audience.book()
    return _json(Games(table=book.id, games=[_game(one) for one in book.games()]))


@blueprint.get("/api/v1/openapi.json")
def openapi() -> Response:
    """Return the API's description as OpenAPI 3.1, made from the types."""
    return _json(description())


@blueprint.get("/metrics")
def metrics() -> Response:
    """Numbers for a monitoring program, in Prometheus' text format."""
    book = audience.book()
    limit: FeedLimit = current_app.extensions["feed_limit"]
    sight = audience.sight(book)
    verdicts = book.verdicts()
    lines = [
        *_metric("inkeek_table_running", "gauge", "Whether the table's process writes its live state.",
                 int(sight.running)),
        *_metric("inkeek_pictures_per_second", "gauge", "Pictures that the table takes.",
                 sight.state.fps if sight.state else 0.0),
        *_metric("inkeek_camera_pictures_per_second", "gauge", "Pictures that the camera gives.",
                 sight.state.given if sight.state else 0.0),
        *_metric("inkeek_pictures_dropped_total", "counter",
                 "Pictures that the camera gave and the table had no time for, since it was started.",
                 sight.state.dropped if sight.state else 0),
        *_metric("inkeek_countings_skipped_total", "counter",
                 "Times that pits were to be counted while others were being counted, since the table was started.",
                 sight.state.uncounted if sight.state else 0),
        *_metric("inkeek_blind", "gauge", "Whether the table says that it cannot see.", int(bool(book.table["blind"]))),
        *_metric("inkeek_journal_events_total", "counter", "Events in the journal.", book.number),
        *_metric("inkeek_games_total", "counter", "Games in the journal.", len(book.games())),
        *_metric("inkeek_orders_pending", "gauge", "Orders that wait for the table.", len(book.table["pending"])),
        *_metric("inkeek_feeds_open", "gauge", "Pages with an open feed.", limit.inside),
        *_linked(),
        "# HELP inkeek_verdicts_total Verdicts, by kind.", "# TYPE inkeek_verdicts_total counter",
        *(f'inkeek_verdicts_total{{kind="{kind}"}} {n}' for kind, n in sorted(verdicts.items())),
    ]
    response = Response("\n".join(lines) + "\n", mimetype="text/plain")
    response.headers["Content-Type"] = "text/plain; version=0.0.4; charset=utf-8"
    return response


def _linked() -> Iterable[str]:
    """Return whether the hall hears this table; nothing if the table publishes to no hall."""
    link = read_link(Path(current_app.config["DATA"]))
    if link is None:
        return ()
    return _metric("inkeek_hall_linked", "gauge", "Whether the link to the hall of tables stands.", int(link.linked))


# ---- shared ----------------------------------------------------------------------------------------------------

def _ended(gone: object) -> Callable[[], bool]:
    """Return a function that tells whether a stream is over: its reader has gone, or its token has become invalid."""
    known, token = tokens.known(), tokens.given()
    return lambda: bool(callable(gone) and gone()) or (token is not None and not known.holds(token))


def _stream(book: Book, after: int, ended: Callable[[], bool]) -> Iterator[bytes]:
    next_beat = time.monotonic()
    while not ended():
        book.refresh()
        now = time.monotonic()
        if book.number > after:
            for one in book.read(after, MOST):
                after = one.number
                yield f"event: {one.type}\nid: {one.number}\n".encode() + b"data: " + msgspec.json.encode(
                    _event(book, one)) + b"\n\n"
            next_beat = now + BEAT_S
        elif now >= next_beat:
            next_beat = now + BEAT_S
            yield b": still there\n\n"
        time.sleep(TICK_S)


def _message(message: object) -> journal.Told | None:
    return None if message is None else msgspec.convert(message, journal.Told)


def _event(book: Book, one: Event) -> JournalEvent:
    body: Any = msgspec.Raw(one.body.json.encode()) if isinstance(one.body, Unknown) else one.body
    return JournalEvent(table=book.id, number=one.number, at=one.at, type=one.type, body=body, hash=one.hash)


def _game(one: PlayedGame) -> GameAnswer:
    return GameAnswer(number=one.number, last=one.last, began=one.at, ended=one.ended, game=one.game, rules=one.rules,
                board=one.board, start=one.start, over=one.over, result=one.result, winner=cast(Side, one.winner),
                reason=one.reason, fouls=one.fouls, verdicts=list(one.verdicts), annulled=cast(Annulled, one.annulled),
                sets=one.sets, objections=one.objections, retractions=[
                    Withdrawn(order=r.order, verdict=r.verdict, at=r.at, player=cast(Side, r.player), move=r.move,
                              **details(r.details)) for r in one.retractions])


def _number(name: str, usual: int) -> int:
    number = whole_number(request.args.get(name, ""))
    return usual if number is None else number


def _metric(name: str, kind: str, what: str, value: float) -> tuple[str, str, str]:
    return f"# HELP {name} {what}", f"# TYPE {name} {kind}", f"{name} {value}"


def _json(what: object) -> Response:
    return Response(msgspec.json.encode(what), mimetype="application/json", headers={"Cache-Control": "no-store"})


@blueprint.errorhandler(404)
def none_such(_error: object) -> Response:
    """Refuse an unknown address in one sentence."""
    return problem(404, say("api.none"))
