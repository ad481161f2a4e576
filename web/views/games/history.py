"""The games played: a list, each game move by move with its evidence, and downloads."""

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import chain, groupby
from typing import Any, Literal, NamedTuple

from flask import Blueprint, Response, abort, current_app, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.journal.archive import archive
from device.journal.events import AgreeEnd, BoardFound, Event, GameAnnulled
from device.journal.projection.fold import Foul, Projection
from device.journal.projection.games import PlayedGame
from device.journal.records import form, records
from engine.records.record import Record
from web import typed
from web.players import NOBODY, Named, player, use
from web.readmodel import items
from web.readmodel.book import Book
from web.readmodel.drawing import board_svg, photo_svg
from web.readmodel.feed import Item, VerdictItem
from web.readmodel.games import agreed_result, layout_of, offers, terms_of
from web.readmodel.marks import Place
from web.readmodel.reasons import answer_of, message_json, reason_of
from web.readmodel.shapes import pits
from web.readmodel.standing import contested, details, rulable
from web.readmodel.wording import asked_of, caption_of, ending_of, odds_of, sentence_of, step_text
from web.typed import Wrong, whole_number
from web.views import audience, house_rules
from web.views.games import scrubbing
from web.views.objections import mine
from web.views.orders import Refused, take, waits_of_earlier_game, write
from web.views.retraction import BY, WHY, movers, sentences, who
from web.views.roles import may_rule
from web.words import say, speak_of

blueprint = Blueprint("history", __name__)

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""Beginnings of a cell that a spreadsheet takes for a formula."""


A_PAGE = 100
"""Games listed on one page."""

SHOWN = {"all": "", "fouls": "illegal", "not-sure": "not-sure"}
"""The filters for a game's moves, and the kind of verdict that each selects."""


@blueprint.get("/games")
def games() -> str:
    """Show the games by day, newest first; one page of them, those before game `before` if it is given."""
    book = audience.book()
    earlier = whole_number(request.args.get("before", ""))
    found = [game for game in book.games() if earlier is None or game.number < earlier]
    days = [(day, list(played)) for day, played in groupby(found[:A_PAGE], lambda game: local(game.at)[:10])]
    older = found[A_PAGE - 1].number if len(found) > A_PAGE else None
    return render_template("games.html", days=days, match=book.match(), newest=earlier is None, older=older)


@blueprint.get("/games/<int:number>")
def game(number: int) -> str:
    """Show one game, move by move."""
    played, found = _game(number)
    moves = [item for item in found if item["kind"] == "verdict"]
    start = next((item["position"] for item in found if item["kind"] == "game"), None)
    book = audience.book()
    now = book.table
    on = now["game"]
    is_on = on is not None and on["number"] == number and not now["over"] and not played.annulled
    shown = request.args.get("show", "")
    _settle(book, moves)
    scrub = scrubbing.whole_game(number, found)
    return render_template("game.html", game=played, items=found, moves=moves, start=start, is_on=is_on,
                           scrub=scrub, scrub_marks=scrubbing.marks(scrub), shown=shown if shown in SHOWN else "all",
                           kinds=SHOWN, counts={one: sum(kind in ("", item["verdict"]) for item in moves)
                                                for one, kind in SHOWN.items()},
                           fates={foul.number: foul for foul in book.fouls() if foul.game == number},
                           changed=house_rules.changes_of(played.game, played.rules, played.sets),
                           timed=bool(is_on and on and on["clock"]), agreed=agreed_result(now) if is_on else "")


@blueprint.get("/games/<int:number>/<int:verdict>")
def move(number: int, verdict: int) -> str:
    """Show one verdict of a game with its evidence."""
    return move_page(number, verdict)


def move_page(number: int, verdict: int, wrong: Wrong | None = None) -> str:
    """Return that page. wrong: the error in its form."""
    played, found = _game(number)
    moves = [item for item in found if item["kind"] == "verdict"]
    at = next((i for i, item in enumerate(moves) if item["number"] == verdict), None)
    if at is None:
        abort(404)
    item = moves[at]
    shape = pits(item["before"]["board"]) if item["before"] else ()
    book = audience.book()
    now, foul = book.table, book.foul(verdict)
    by = item["gone"]["by"] if item["gone"] else 0
    mine = rulable(item, now["game"])
    past = waits_of_earlier_game(verdict, book)
    _settle(book, [item])
    undoes = _undone_by(book, item) if may_rule() else None
    item["ordered"] = item["ordered"] or _waiting(now["pending"], verdict, undoes.order if undoes else 0)
    return render_template("move.html", contested=contested(item), waiting=_objection(item),
                           may_object=mine and not contested(item),
                           movers=movers(audience.book().match().teams, item["player"]), wrong=wrong,
                           back=url_for("history.move", number=number, verdict=verdict),
                           captured=_captured(book, item) if mine else [],
                           typed=typed.stored(f"recount-{verdict}"), game=played, item=item, place=at + 1,
                           total=len(moves), shape=shape,
                           terms=terms_of(played.game),
                           anew=by if any(one["number"] == by for one in moves) else 0,
                           rulable=may_rule() and mine, foul=foul, of_past=may_rule() and past,
                           needs_pin=not may_rule() and (contested(item) or (foul is not None and foul.fate == "open")),
                           undoes=undoes, later=later_moves(verdict), over=bool(now["over"]),
                           open_next=_open_after(book, verdict) if foul is not None else None,
                           before=moves[at - 1] if at else None, after=moves[at + 1] if at + 1 < len(moves) else None)


def _captured(book: Book, item: VerdictItem) -> list[int]:
    """Return the seeds that South and North had captured after that verdict's move, as people may have corrected them;
    [] in a game without captures."""
    game, then, now = book.table["game"], item["position"] or item["before"], book.table["position"]
    if then is None or game is None or now is None or not any(
            offer["captures"] for offer in offers() if offer["game"] == game["game"]):
        return []
    return list((then if later_moves(item["number"]) else now)["captured"])


def _settle(book: Book, verdicts: Iterable[VerdictItem]) -> None:
    """Mark the objections that were ruled on during a later game, whose rulings this game's events do not hold."""
    for item in verdicts:
        for one in item["objections"]:
            known = book.objections(item["number"]).get(one["number"])
            one["ruled"] = one["ruled"] or (known.ruled if known is not None else 0)


def _objection(item: VerdictItem) -> dict[str, object] | None:
    """Return the objection to that move which this visitor may take back, and whether it is theirs; None for none."""
    waiting = next((one for one in item["objections"] if not one["ruled"]), None) if contested(item) else None
    if waiting is None or not (may_rule() or waiting["number"] in mine()):
        return None
    return {"mine": waiting["number"] in mine(), "why": waiting["why"]}


def _waiting(pending: Sequence[Mapping[str, Any]], verdict: int, undoes: int) -> int:
    """Return the number of an unanswered order on that verdict, or to undo its ruling `undoes`; 0 for none. The events
    of an earlier game do not hold such an order."""
    return next((order["number"] for order in pending if order.get("verdict") == verdict
                 or (undoes and order["what"] == "undo" and order["order"] == undoes)), 0)


def _open_after(book: Book, verdict: int) -> Foul | None:
    """Return the next foul without a ruling after a verdict, else the oldest one; None if there is none."""
    waiting = [foul for foul in reversed(book.fouls()) if foul.fate == "open" and foul.number != verdict]
    return next((foul for foul in waiting if foul.number > verdict), waiting[0] if waiting else None)


def later_moves(verdict: int) -> list[str]:
    """Return the names of the current game's moves that are withdrawn together with that verdict's."""
    book = audience.book()
    game = book.table["game"]
    if game is None or verdict <= game["number"]:
        return []
    return [f"{player(one['player'])} {one['move']}" if one["player"] else say(f"verdict.{one['verdict']}")
            for one in book.verdicts_after(verdict) if one["gone"] is None and rulable(one, game)]


def seeds_due(verdict: int) -> int:
    """Return how many seeds should be on the board after that verdict's move, by its captures."""
    item = audience.book().verdict(verdict)
    return sum(item["before"]["n"]) - int(item["captured"] or 0) if item is not None and item["before"] else 0


def plainly_undone(verdict: int, order: int) -> bool:
    """Return whether undoing that ruling changes nothing else. verdict: the one ruled on."""
    book = audience.book()
    foul, item = book.foul(verdict), book.verdict(verdict)
    if not book.undoable(order) or (foul is not None and foul.order == order and foul.fate == "let-stand"):
        return True
    stood = item is not None and any(one["order"] == order and one["what"] == "stand" for one in item["ruled"])
    return stood or bool(book.table["undo"] == order)


class Undoing(NamedTuple):
    """A ruling's order that can be undone. plain: whether undoing it changes nothing else."""

    order: int
    plain: bool


def _undone_by(book: Book, item: VerdictItem) -> Undoing | None:
    """Return the verdict's last ruling that can be undone; None for none."""
    foul = book.foul(item["number"])
    orders = [one["order"] for one in item["ruled"] if not one["undone"]] + ([foul.order] if foul is not None else [])
    order = next((one for one in reversed(orders) if one and book.undoable(one)), 0)
    return Undoing(order, plainly_undone(item["number"], order)) if order else None


@blueprint.get("/games/<int:number>/record.txt")
def record(number: int) -> Response:
    """Send the game as a record, which `inkeek replay` checks."""
    played, _ = _game(number)
    return _download("".join(f"{one}\n" for one in _records(played)), "text/plain", f"inkeek-{number}.txt")


@blueprint.get("/games/<int:number>/game.json")
def game_json(number: int) -> Response:
    """Send the game in the form of `inkeek export --json`."""
    played, _ = _game(number)
    text = "".join(json.dumps(form(i, one), ensure_ascii=False) + "\n" for i, one in enumerate(_records(played), 1))
    return _download(text, "application/json", f"inkeek-{number}.json")


@blueprint.get("/games/<int:number>/moves.csv")
def moves_csv(number: int) -> Response:
    """Send a line for every verdict of a game."""
    _, found = _game(number)
    head = ("event", "time", "ply", "side", "move", "verdict", "faults", "captured", "confidence", "ruling", "sentence",
            "position", "withdrawn_by", "withdrawn_for", "moved", "objections")
    rows = [(v["number"], v["at"], v["ply"], v["player"], v["move"], v["verdict"],
             " ".join(fault["code"] + (f":{fault['pit']}" if fault["pit"] else "") for fault in v["faults"]),
             v["captured"], v["confidence"], v["ruling"]["what"] if v["ruling"] else "", v["sentence"],
             v["position"]["line"] if v["position"] else "", *_withdrawn(v), len(v["objections"]))
            for v in found if v["kind"] == "verdict"]
    return _download(table_csv(head, rows), "text/csv", f"inkeek-{number}.csv")


@blueprint.get("/games.csv")
def games_csv() -> Response:
    """Send a line for every game."""
    book = audience.book()
    counted = book.match().counted
    head = ("event", "began", "ended", "game", "rules", "board", "verdicts", "fouls", "result", "winner", "reason",
            "game_of_match", "annulled")
    rows = [(g.number, g.at, g.ended, g.game, g.rules, g.board, len(g.verdicts), g.fouls, g.result, g.winner, g.reason,
             counted.get(g.number, ""), g.annulled) for g in reversed(book.games())]
    return _download(table_csv(head, rows), "text/csv", "inkeek-games.csv")


@blueprint.post("/games/<int:number>/annul")
def annul(number: int) -> AnyResponse:
    """Annul the current game."""
    played, _ = _game(number)
    book = audience.referees_book()
    now = book.table["game"]
    if not now or now["number"] != number or book.table["over"] or played.annulled:
        raise Refused("games.not-on", 409)
    why: Literal["agreed", "over-time"] = "over-time" if request.form.get("why") == "over-time" else "agreed"
    write(book, GameAnnulled(game=number, why=why, by="page"))
    return redirect(url_for("history.game", number=number), 303)


@blueprint.post("/games/<int:number>/agree")
def agree(number: int) -> AnyResponse:
    """End the current game, because both sides agree that it is over."""
    now = audience.book().table["game"]
    if not now or now["number"] != number:
        raise Refused("games.not-on", 409)
    audience.referees_book()
    take(AgreeEnd(by="page"))
    return redirect(url_for("history.game", number=number), 303)


@blueprint.errorhandler(Refused)
def refused(error: Refused) -> Response:
    """Answer a form that is refused with one sentence."""
    return Response(str(error), error.status, mimetype="text/plain")


@blueprint.get("/table.zip")
def whole() -> Response:
    """Send all of the table's data as one zip file. It contains names, so only those who may rule get it."""
    if not may_rule():
        abort(403)
    book = audience.book()
    pieces = archive(book.path.parent)
    first = next(pieces)
    response = Response(chain([first], pieces), mimetype="application/zip")
    response.headers["Content-Disposition"] = f'attachment; filename="inkeek-{book.id or "table"}.zip"'
    response.headers["Cache-Control"] = "no-store"
    return response


def _withdrawn(verdict: VerdictItem) -> tuple[str, str, str]:
    """Return which side withdrew a move, why, and who had made it; "" for what is unknown."""
    who = next((one["who"] for one in reversed(verdict["ruled"]) if one.get("who") and not one["undone"]), None)
    if who is None:
        return "", "", ""
    spectator = f"{who['mover']} (spectator)" if who["mover"] else "spectator"
    return who["side"], who["why"], spectator if who["spectator"] else who["mover"]


def table_csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a CSV table with a header, in which a spreadsheet takes no cell for a formula."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(head)
    for row in rows:
        writer.writerow([f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell for cell in row])
    return out.getvalue()


def local(at: str) -> str:
    """Return an ISO time in this machine's time zone, "2026-03-01 14:05"; unchanged if it is no time."""
    try:
        return datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d %H:%M")
    except ValueError:
        return at


def found_items(events: Iterable[Event], found: BoardFound | None = None) -> list[Item]:
    """Return the feed items of a game's events, in order. found: where the board was last found before the game."""
    table, feed = items.empty_table(), dict[int, Item]()
    if found is not None:
        table["place"], table["places"] = Place.of(found), [("", Place.of(found))]
    now = Projection()
    for event in events:
        now.enter(event)
        for item in items.fold(now, table, feed, event):
            feed[item["number"]] = item
    return list(feed.values())


def names_of(game: PlayedGame | None) -> str:
    """Make the rest of this page name the sides by that game's players and use that game's words; None: the current
    game."""
    now = audience.book()
    use(now.named() if game is None else Named.of_teams(game.teams))
    begun = now.table["game"]
    speak_of(game.game if game is not None else begun["game"] if begun else "")
    return ""


def about(item: Item) -> str:
    """Make the rest of this page name the sides as at that event, without names if others played then, and use the
    words of the item's game."""
    now = audience.book().named()
    use(NOBODY if item["number"] < now.since else now)
    if item["kind"] in ("verdict", "game") and item["game"]:
        speak_of(item["game"])
    return ""


@blueprint.app_context_processor
def helpers() -> dict[str, object]:
    """Return the templates' functions for drawing and wording."""
    return {"board_svg": board_svg, "photo_svg": photo_svg, "caption_of": caption_of, "odds_of": odds_of,
            "local": local, "step_text": step_text, "sentence_of": sentence_of, "asked_of": asked_of,
            "reason_of": reason_of, "answer_of": answer_of, "ending_of": ending_of, "message_json": message_json,
            "message": message_json, "layout_of": layout_of, "names_of": names_of, "about": about,
            "retraction_of": sentences, "said_of": items.said_of, "details": details,
            "who": who, "withdrawn_by": BY, "withdrawn_for": WHY}


def _game(number: int) -> tuple[PlayedGame, list[Item]]:
    book = audience.book()
    played = book.game(number)
    if played is None:
        abort(404)
    names_of(played)
    return played, found_items(book.events(played), played.place)


def _records(played: PlayedGame) -> list[Record]:
    try:
        return list(records(audience.book().events(played)))
    except ValueError as error:
        current_app.logger.error("%s", error)
        abort(503)


def _download(text: str, kind: str, name: str) -> Response:
    response = make_response(text)
    response.headers["Content-Type"] = f"{kind}; charset=utf-8"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["Cache-Control"] = "no-store"
    return response
