"""The day's games: a list, each game move by move with its evidence, and all of it to take away."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import chain, groupby
from typing import Literal

from flask import Blueprint, Response, abort, current_app, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.journal.archive import archive
from device.journal.events import Event, GameAnnulled
from device.journal.records import ExportError, form, records
from device.journal.store import JournalError
from engine.records.record import Record
from web import typed
from web.readmodel import audience, items
from web.readmodel.book import Book
from web.readmodel.drawing import board_svg, differing
from web.readmodel.games import layout_of
from web.readmodel.items import Item
from web.readmodel.ledger import Played
from web.readmodel.reasons import answer_of, message_json, reason_of
from web.readmodel.shapes import pits
from web.readmodel.standing import contested, rulable
from web.readmodel.wording import sentence_of, step_text
from web.typed import Wrong
from web.views import house_rules
from web.views.orders import Refused, write
from web.views.retraction import movers, sentences
from web.views.roles import may_rule
from web.words import say

blueprint = Blueprint("history", __name__)

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for a formula when a cell begins with it."""


@blueprint.get("/games")
def games() -> str:
    """All games, by days, the newest first."""
    book = _book()
    days = [(day, list(found)) for day, found in groupby(book.games(), lambda game: local(game.at)[:10])]
    return render_template("games.html", days=days, match=book.match())


@blueprint.get("/games/<int:number>")
def game(number: int) -> str:
    """One game, move by move."""
    played, found = _game(number)
    moves = [item for item in found if item["kind"] == "verdict"]
    start = next((item["position"] for item in found if item["kind"] == "game"), None)
    now = _book().table
    is_on = bool(now["game"]) and now["game"]["number"] == number and not now["over"] and not played.annulled
    return render_template("game.html", game=played, items=found, moves=moves, start=start, is_on=is_on,
                           changed=house_rules.changes_of(played.game, played.rules, played.sets),
                           timed=bool(is_on and now["game"]["clock"]))


@blueprint.get("/games/<int:number>/<int:verdict>")
def move(number: int, verdict: int) -> str:
    """One verdict of a game, with all that it rests on."""
    return move_page(number, verdict)


def move_page(number: int, verdict: int, wrong: Wrong | None = None) -> str:
    """That page; wrong: in what was typed into its form."""
    played, found = _game(number)
    moves = [item for item in found if item["kind"] == "verdict"]
    at = next((i for i, item in enumerate(moves) if item["number"] == verdict), None)
    if at is None:
        abort(404)
    item = moves[at]
    shape = pits(item["before"]["board"]) if item["before"] else ()
    now = _book().table
    by = item["gone"]["by"] if item["gone"] else 0
    mine = rulable(item, now["game"])
    return render_template("move.html", contested=contested(item), may_object=mine and not contested(item),
                           movers=movers(_book().match().teams, item["player"]), wrong=wrong,
                           back=url_for("history.move", number=number, verdict=verdict),
                           typed=typed.stored(f"recount-{verdict}"), game=played, item=item, place=at + 1,
                           total=len(moves), shape=shape,
                           anew=by if any(one["number"] == by for one in moves) else 0,
                           rulable=may_rule() and mine, undo=now["undo"] if may_rule() else 0,
                           later=any(one["gone"] is None and rulable(one, now["game"]) for one in moves[at + 1:]),
                           before=moves[at - 1] if at else None, after=moves[at + 1] if at + 1 < len(moves) else None)


@blueprint.get("/games/<int:number>/record.txt")
def record(number: int) -> Response:
    """The game as a record, which `inkeek replay` checks."""
    played, _ = _game(number)
    return _download("".join(f"{one}\n" for one in _records(played)), "text/plain", f"inkeek-{number}.txt")


@blueprint.get("/games/<int:number>/game.json")
def game_json(number: int) -> Response:
    """The game in the form of `inkeek export --json`."""
    played, _ = _game(number)
    text = "".join(json.dumps(form(i, one), ensure_ascii=False) + "\n" for i, one in enumerate(_records(played), 1))
    return _download(text, "application/json", f"inkeek-{number}.json")


@blueprint.get("/games/<int:number>/moves.csv")
def moves_csv(number: int) -> Response:
    """A line for every verdict of a game."""
    _, found = _game(number)
    head = ("event", "time", "ply", "side", "move", "verdict", "faults", "captured", "confidence", "ruling", "sentence",
            "position", "withdrawn_by", "withdrawn_for", "moved", "objections")
    rows = [(v["number"], v["at"], v["ply"], v["player"], v["move"], v["verdict"],
             " ".join(fault["code"] + (f":{fault['pit']}" if fault["pit"] else "") for fault in v["faults"]),
             v["captured"], v["confidence"], (v["ruling"] or {}).get("what", ""), v["sentence"],
             v["position"]["line"] if v["position"] else "", *_withdrawn(v), len(v["objections"]))
            for v in found if v["kind"] == "verdict"]
    return _download(table_csv(head, rows), "text/csv", f"inkeek-{number}.csv")


@blueprint.get("/games.csv")
def games_csv() -> Response:
    """A line for every game."""
    book = _book()
    counted = book.match().counted
    head = ("event", "began", "ended", "game", "rules", "board", "verdicts", "fouls", "result", "winner", "reason",
            "game_of_match", "annulled")
    rows = [(g.number, g.at, g.ended, g.game, g.rules, g.board, len(g.verdicts), g.fouls, g.result, g.winner, g.reason,
             counted.get(g.number, ""), g.annulled) for g in reversed(book.games())]
    return _download(table_csv(head, rows), "text/csv", "inkeek-games.csv")


@blueprint.post("/games/<int:number>/annul")
def annul(number: int) -> AnyResponse:
    """The game that is on counts for nothing."""
    played, _ = _game(number)
    if not may_rule():
        return Response(say("order.pin-needed"), 403, mimetype="text/plain")
    book = _book()
    now = book.table["game"]
    if not now or now["number"] != number or book.table["over"] or played.annulled:
        return Response(say("games.not-on"), 409, mimetype="text/plain")
    why: Literal["agreed", "over-time"] = "over-time" if request.form.get("why") == "over-time" else "agreed"
    try:
        write(book, GameAnnulled(game=number, why=why, by="page"))
    except Refused as refused:
        return Response(str(refused), refused.status, mimetype="text/plain")
    return redirect(url_for("history.game", number=number), 303)


@blueprint.get("/table.zip")
def whole() -> Response:
    """The table's whole data as one file; to those who may rule, for it names people."""
    if not may_rule():
        abort(403)
    book = _book()
    pieces = archive(book.path.parent)
    try:
        first = next(pieces)
    except JournalError as error:
        current_app.logger.error("%s", error)
        abort(503)
    response = Response(chain([first], pieces), mimetype="application/zip")
    response.headers["Content-Disposition"] = f'attachment; filename="inkeek-{book.id or "table"}.zip"'
    response.headers["Cache-Control"] = "no-store"
    return response


def _withdrawn(verdict: Item) -> tuple[str, str, str]:
    """Which side withdrew a move, why, and who had made it; "" where nobody said."""
    who = next((one["who"] for one in reversed(verdict["ruled"]) if one.get("who") and not one["undone"]), None)
    if who is None:
        return "", "", ""
    spectator = f"{who['mover']} (spectator)" if who["mover"] else "spectator"
    return who["side"], who["why"], spectator if who["spectator"] else who["mover"]


def table_csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table with a head; no cell of it is taken for a formula by a spreadsheet."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(head)
    for row in rows:
        writer.writerow([f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell for cell in row])
    return out.getvalue()


def local(at: str) -> str:
    """An ISO time as this machine's clock shows it: "2026-03-01 14:05"; as it is where it is none."""
    try:
        return datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d %H:%M")
    except ValueError:
        return at


def found_items(events: Iterable[Event]) -> list[Item]:
    """The feed items of a game's events, in order."""
    table, feed = items.empty_table(), dict[int, Item]()
    for event in events:
        for item in items.fold(table, feed, event):
            feed[item["number"]] = item
    return list(feed.values())


@blueprint.app_context_processor
def helpers() -> dict[str, object]:
    """What templates draw and say with."""
    return {"board_svg": board_svg, "differing": differing, "local": local, "step_text": step_text,
            "sentence_of": sentence_of, "reason_of": reason_of, "answer_of": answer_of, "message_json": message_json,
            "message": message_json, "layout_of": layout_of, "retraction_of": sentences}


def _book() -> Book:
    return audience.book()


def _game(number: int) -> tuple[Played, list[Item]]:
    book = _book()
    played = book.game(number)
    if played is None:
        abort(404)
    try:
        return played, found_items(book.events(played))
    except JournalError as error:
        current_app.logger.error("%s", error)
        abort(503)


def _records(played: Played) -> list[Record]:
    try:
        return list(records(_book().events(played)))
    except (ExportError, JournalError, ValueError) as error:
        current_app.logger.error("%s", error)
        abort(503)


def _download(text: str, kind: str, name: str) -> Response:
    response = make_response(text)
    response.headers["Content-Type"] = f"{kind}; charset=utf-8"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["Cache-Control"] = "no-store"
    return response
