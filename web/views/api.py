"""`/api/v1`: the journal's events, the table, the games and the evidence for other programs; and `/metrics`.

Event types are added and never changed in what they mean. Every event names its table: a part of the hash of the
journal's first event, so that several tables can be told apart without anybody numbering them. OpenAPI is made from the
types.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, Literal

import msgspec
from flask import Blueprint, Response, abort, current_app, request

from device.journal import events as journal
from device.journal.events import Event, Unknown
from device.journal.store import JournalError
from web.readmodel import audience
from web.readmodel.book import Book
from web.readmodel.ledger import Played
from web.readmodel.matches import Score, score
from web.views.feeds import BEAT_S, TICK_S, Door
from web.views.objections import Objection
from web.words import say

blueprint = Blueprint("api", __name__)

MOST = 500
"""Events in one answer."""

TOKEN = {"name": "X-CSRFToken", "in": "header", "required": True, "schema": {"type": "string"},
         "description": "from /token, with the session's cookie"}


class JournalEvent(msgspec.Struct, frozen=True):
    """One event of the journal. at: ISO 8601 UTC. hash: hex SHA-256 over the one before it and this one."""

    table: str
    number: int
    at: str
    type: str
    body: journal.Any
    hash: str


class Events(msgspec.Struct, frozen=True):
    """Some events in order. last: number of the journal's newest; ask again with `after` the last one here."""

    table: str
    last: int
    events: list[JournalEvent]


class Game(msgspec.Struct, frozen=True):
    """One game. number: of the event that began it, last: of its newest. verdicts: numbers of events. winner: S, N, or
    "" for a draw and while it goes on. annulled: why it counts for nothing, agreed or over-time. sets: the changed
    fields of its rules. objections: verdicts on moves that somebody at the table objected to."""

    number: int
    last: int
    began: str
    ended: str
    game: str
    rules: str
    board: str
    start: str
    over: bool
    result: str
    winner: str
    reason: str
    fouls: int
    verdicts: list[int]
    annulled: str = ""
    retractions: list[Withdrawn] = []
    objections: list[int] = []
    sets: dict[str, str] = {}


class Withdrawn(msgspec.Struct, frozen=True):
    """A move that people withdrew. order: number of the event that ordered it. player, move: whose move. side: which
    team withdrew it; why: cheat, not-entitled, no-agreement; mover: the name of who had moved; spectator: somebody of
    neither team had. "" where nobody said."""

    order: int
    verdict: int
    at: str
    player: str
    move: str
    side: str
    why: str
    mover: str
    spectator: bool


class Games(msgspec.Struct, frozen=True):
    """All games, the newest first."""

    table: str
    games: list[Game]


class Table(msgspec.Struct, frozen=True):
    """The table now. state: watching, hands-in, … ; running: the table's process lives. position: a position line.
    ruling: number of the verdict that may be ruled on, undo: of the order that may be undone; 0 for none. told: the
    message of `why`. contested: verdicts on moves that somebody objects to and nobody has ruled on since. sets: the
    changed fields of the rules."""

    table: str
    last: int
    running: bool
    state: str
    why: str
    game: str
    rules: str
    board: str
    position: str
    over: bool
    ruling: int
    undo: int
    match: Score | None
    contested: list[int]
    told: journal.Told | None = None
    sets: dict[str, str] = {}


class Problem(msgspec.Struct, frozen=True):
    """What was wrong, in one sentence."""

    error: str


class Ordered(msgspec.Struct, frozen=True):
    """The order was written down as this event; the table answers it by an `OrderAnswered`."""

    order: int


@blueprint.get("/api/v1/table")
def table() -> Response:
    """The table as it stands."""
    book = _book()
    sight, now, match = audience.sight(book), book.table, book.match()
    state = sight.state
    game = now["game"] or {"game": "", "rules": "", "board": "", "sets": {}}
    return _json(Table(
        table=book.id, last=book.number, running=sight.running, state=state.state if state else now["state"]["name"],
        why=state.why if state else now["state"]["why"], game=game["game"], rules=game["rules"], board=game["board"],
        position=now["position"]["line"] if now["position"] else "", over=bool(now["over"]), ruling=now["ruling"],
        undo=now["undo"], match=score(match), contested=[item["number"] for item in book.contested()],
        told=state.told if state else _message(now["state"]["told"]), sets=game["sets"]))


@blueprint.get("/api/v1/events")
def events() -> Response:
    """Events after a number, at most 500 of them."""
    book = _book()
    after, limit = _number("after", 0), min(_number("limit", MOST), MOST)
    return _json(Events(table=book.id, last=book.number, events=[_event(book, e) for e in _read(book, after, limit)]))


@blueprint.get("/api/v1/events/<int:number>")
def event(number: int) -> Response:
    """One event: a verdict with its steps, explanations and stills, for instance."""
    book = _book()
    if not 1 <= number <= book.number:
        abort(404)
    return _json(_event(book, _read(book, number - 1, 1)[0]))


@blueprint.get("/api/v1/stream")
def stream() -> Response:
    """The same events as they come (server-sent events; `id` is the number, `event` the type)."""
    door: Door = current_app.extensions["door"]
    if not door.enter():
        return Response(msgspec.json.encode(Problem(say("feed.full"))), 503, {"Retry-After": "10"},
                        mimetype="application/json")
    asked = request.headers.get("Last-Event-ID", "")
    after = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 16 else _number("after", 0)
    lines = _stream(_book(), after, request.environ.get("waitress.client_disconnected", bool))
    response = Response(lines, mimetype="text/event-stream", headers={"Cache-Control": "no-store"})
    response.call_on_close(door.leave)
    return response


@blueprint.get("/api/v1/games")
def games() -> Response:
    """All games."""
    book = _book()
    return _json(Games(table=book.id, games=[_game(one) for one in book.games()]))


@blueprint.get("/api/v1/openapi.json")
def openapi() -> Response:
    """What there is, as OpenAPI 3.1, made from the types."""
    return _json(description())


@blueprint.get("/metrics")
def metrics() -> Response:
    """Numbers for a monitoring program, in Prometheus' text format."""
    book = _book()
    door: Door = current_app.extensions["door"]
    sight = audience.sight(book)
    verdicts = book.verdicts()
    lines = [
        *_metric("inkeek_table_running", "gauge", "Whether the table's process writes its live state.",
                 int(sight.running)),
        *_metric("inkeek_pictures_per_second", "gauge", "Pictures that the table takes.",
                 sight.state.fps if sight.state else 0.0),
        *_metric("inkeek_blind", "gauge", "Whether the table says that it cannot see.", int(bool(book.table["blind"]))),
        *_metric("inkeek_journal_events_total", "counter", "Events in the journal.", book.number),
        *_metric("inkeek_games_total", "counter", "Games in the journal.", len(book.games())),
        *_metric("inkeek_orders_pending", "gauge", "Orders that wait for the table.", len(book.table["pending"])),
        *_metric("inkeek_feeds_open", "gauge", "Pages with an open feed.", door.inside),
        "# HELP inkeek_verdicts_total Verdicts, by kind.", "# TYPE inkeek_verdicts_total counter",
        *(f'inkeek_verdicts_total{{kind="{kind}"}} {n}' for kind, n in sorted(verdicts.items())),
    ]
    response = Response("\n".join(lines) + "\n", mimetype="text/plain")
    response.headers["Content-Type"] = "text/plain; version=0.0.4; charset=utf-8"
    return response


# ---- OpenAPI ---------------------------------------------------------------------------------------------------

def description() -> dict[str, Any]:
    """The OpenAPI document."""
    types = [Table, Events, JournalEvent, Games, Problem, Ordered, journal.Order | journal.Shown, Objection]
    schemas, parts = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    named = dict(zip(("Table", "Events", "JournalEvent", "Games", "Problem", "Ordered", "Order",
                      "Objection"), schemas, strict=True))
    after = _parameter("after", "query", "number of the last event that is known", 0)
    number = _parameter("number", "path", "number of the event", 1)
    return {
        "openapi": "3.1.0",
        "info": {"title": "inkeek", "version": "1", "description": "The referee at one table, for other programs."},
        "paths": {
            "/api/v1/table": _path("get", "The table as it stands", named["Table"]),
            "/api/v1/events": _path("get", "Events of the journal", named["Events"], parameters=[
                after, _parameter("limit", "query", f"how many at most, up to {MOST}", 1)]),
            "/api/v1/events/{number}": _path("get", "One event", named["JournalEvent"], parameters=[number],
                                             also=("404",)),
            "/api/v1/stream": _path("get", "The events as they come", named["JournalEvent"], kind="text/event-stream",
                                    parameters=[after], also=("503",)),
            "/api/v1/games": _path("get", "All games", named["Games"]),
            "/orders": _path("post", "Order something; from those who may rule", named["Ordered"], status="201", body={
                "required": True, "content": {"application/json": {"schema": named["Order"]}}}, parameters=[TOKEN],
                also=("400", "403", "404", "409", "413", "429", "503")),
            "/objections": _path("post", "Object to a move; from anybody", named["Ordered"], status="201", body={
                "required": True, "content": {"application/json": {"schema": named["Objection"]}}}, parameters=[TOKEN],
                also=("400", "404", "409", "413", "429", "503")),
            "/metrics": {"get": {"summary": "Numbers for a monitoring program", "responses": {
                "200": {"description": "Prometheus text", "content": {"text/plain": {"schema": {"type": "string"}}}}}}},
        },
        "components": {"schemas": parts},
    }


def _path(method: Literal["get", "post"], summary: str, schema: dict[str, Any], *, status: str = "200",
          kind: str = "application/json", parameters: list[dict[str, Any]] | None = None,
          body: dict[str, Any] | None = None, also: tuple[str, ...] = ()) -> dict[str, Any]:
    problem = {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    answers: dict[str, Any] = {status: {"description": "done", "content": {kind: {"schema": schema}}}}
    answers |= {code: {"description": "refused, with a sentence", "content": problem} for code in also}
    made: dict[str, Any] = {"summary": summary, "responses": answers}
    if parameters:
        made["parameters"] = parameters
    if body:
        made["requestBody"] = body
    return {method: made}


def _parameter(name: str, where: str, what: str, least: int) -> dict[str, Any]:
    return {"name": name, "in": where, "required": where == "path", "description": what,
            "schema": {"type": "integer", "minimum": least}}


# ---- shared ----------------------------------------------------------------------------------------------------

def _stream(book: Book, after: int, gone: object) -> Iterator[bytes]:
    next_beat = time.monotonic()
    while not (callable(gone) and gone()):
        book.refresh()
        now = time.monotonic()
        if book.number > after:
            for one in _read(book, after, MOST):
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


def _game(one: Played) -> Game:
    return Game(number=one.number, last=one.last, began=one.at, ended=one.ended, game=one.game, rules=one.rules,
                board=one.board, start=one.start, over=one.over, result=one.result, winner=one.winner,
                reason=one.reason, fouls=one.fouls, verdicts=one.verdicts, annulled=one.annulled, sets=one.sets,
                objections=one.objections, retractions=[
                    Withdrawn(order=r.order, verdict=r.verdict, at=r.at, player=r.player, move=r.move, **r.details)
                    for r in one.retractions])


def _read(book: Book, after: int, limit: int) -> list[Event]:
    try:
        return book.read(after, limit)
    except JournalError as error:
        current_app.logger.error("%s", error)
        abort(503)


def _number(name: str, usual: int) -> int:
    text = request.args.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else usual


def _metric(name: str, kind: str, what: str, value: float) -> tuple[str, str, str]:
    return f"# HELP {name} {what}", f"# TYPE {name} {kind}", f"{name} {value}"


def _book() -> Book:
    return audience.book()


def _json(what: object) -> Response:
    return Response(msgspec.json.encode(what), mimetype="application/json", headers={"Cache-Control": "no-store"})


@blueprint.errorhandler(404)
def none_such(_error: object) -> tuple[bytes, int, dict[str, str]]:
    """In a sentence, as every refusal."""
    return msgspec.json.encode(Problem(say("api.none"))), 404, {"Content-Type": "application/json"}
