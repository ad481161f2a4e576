"""Orders: what people ask of the table, written into the journal for the table to carry out."""

import threading
from collections.abc import Mapping
from itertools import zip_longest

import msgspec
from flask import Blueprint, Response, current_app, jsonify, redirect, request, url_for
from flask.blueprints import BlueprintSetupState
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.wrappers import Response as AnyResponse

from device.journal.events import (
    AgreeEnd,
    Arranging,
    CorrectPit,
    Forfeit,
    LetStand,
    NewGame,
    NotAsSeen,
    Noted,
    Order,
    Shown,
    Undo,
    Withdraw,
)
from device.journal.store import Journal, JournalError
from engine.board import Board
from engine.matches import MatchError
from engine.matches.checks import name as checked_name
from engine.rules import RulesError, ruleset
from web.players import player
from web.readmodel.book import Book
from web.readmodel.games import setup_line
from web.readmodel.reasons import why_of
from web.readmodel.shapes import pits
from web.readmodel.standing import rulable
from web.typed import whole_number
from web.views.problems import from_program
from web.views.roles import may_rule
from web.words import say

blueprint = Blueprint("orders", __name__)

ORDERS: msgspec.json.Decoder[Order | Shown] = msgspec.json.Decoder(Order | Shown)

MOST_SEEDS = 96
"""More seeds than any board here holds in all (En Dodoi on 2×10 has 80)."""


class Refused(Exception):
    """An order is refused; the message is one sentence for the person who gave it. at: the wrong field of the form, ""
    for none."""

    def __init__(self, key: str, status: int = 400, *, at: str = "", **values: object) -> None:
        """key, values: of the message; status: of the HTTP answer."""
        super().__init__(say(key, **values))
        self.key, self.status, self.at = key, status, at


@blueprint.post("/orders")
def give() -> tuple[Response, int]:
    """Take one order, a JSON object tagged with its type; answer with the event's number or the reason for refusing."""
    raw = request.get_data(cache=False)
    if not may_rule():
        raise Refused("order.pin-needed", 403)
    return jsonify(order=take(_read(raw))), 201


def take(order: Order | Shown) -> int:
    """Check an order from somebody who may rule and write it into the journal; return its number. Raises Refused."""
    book: Book = current_app.extensions["book"]
    book.refresh()
    if not book.number:
        raise Refused("order.no-table", 503)
    if len(book.table["pending"]) >= int(current_app.config["MAX_PENDING"]):
        raise Refused("order.too-many", 429)
    match order:
        case NewGame():
            order = _check_game(order, book)
        case CorrectPit():
            _check_pit(order, book)
        case Forfeit() | AgreeEnd():
            _check_forfeit(book)
        case Undo():
            _check_undo(order, book)
        case LetStand() if waits_of_earlier_game(order.verdict, book):
            _check_twice(order.verdict, book)
        case Shown():
            if not book.waits(order.verdict):
                raise Refused("order.not-held", 409, number=order.verdict)
        case _:
            _check_verdict(order, book)
    return write(book, order)


@blueprint.errorhandler(Refused)
def refused(error: Refused) -> tuple[Response, int]:
    """Answer a refusal with one sentence."""
    watch = {"role": "watch"} if error.key == "order.pin-needed" else {}
    return jsonify(error=str(error), **watch), error.status


@blueprint.app_errorhandler(RequestEntityTooLarge)
def too_large(_error: RequestEntityTooLarge) -> tuple[Response, int]:
    """Refuse a body that is longer than any real one."""
    return _answer("order.too-large"), 413


@blueprint.app_errorhandler(CSRFError)
def forged(_error: CSRFError) -> tuple[Response, int]:
    """Refuse an order whose token is missing or too old: the page then fetches a new one and tries again."""
    return _answer("order.token", token=False), 400


def _answer(key: str, **more: object) -> Response:
    """Return one sentence in the form of the request: JSON for a script, text for a form."""
    if not from_program() and request.mimetype in ("application/x-www-form-urlencoded", "multipart/form-data"):
        return Response(say(key), mimetype="text/plain")
    return jsonify(error=say(key), **more)


@blueprint.record_once
def _make_lock(state: BlueprintSetupState) -> None:
    state.app.extensions["journal_lock"] = threading.Lock()


def _read(raw: bytes) -> Order | Shown:
    try:
        order = ORDERS.decode(raw)
    except (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Refused("order.unreadable", why=error) from error
    return msgspec.structs.replace(order, by="page")


def write(book: Book, order: Order | Arranging | Noted) -> int:
    """Write what people order or note; return its number. The journal is opened for each, because orders are rare and
    the table's process owns the file. Raises Refused."""
    lock: threading.Lock = current_app.extensions["journal_lock"]
    try:
        with lock, Journal(book.path) as journal:
            number = journal.append(order).number
    except JournalError as error:
        current_app.logger.error("%s", error)
        raise Refused("order.not-written", 503) from error
    book.refresh()
    return number


def _check_game(order: NewGame, book: Book) -> NewGame:
    """Return the order with its set-up as a position line, so that it means only one board. Raises Refused."""
    try:
        rules = ruleset(order.game, order.rules or None, order.sets)
        order = msgspec.structs.replace(order, sets=rules.sets)
        if order.board not in [str(board) for board in rules.boards]:
            raise Refused("order.board", game=order.game, board=order.board[:20])
        if order.position in ("", "lies"):
            return order
        match = book.match()
        if order.position == "due" and match.state is not None and match.agreed is not None:
            if (order.game, order.board) != (match.agreed[1].game, match.agreed[1].board):
                raise Refused("order.not-due", 409)
            agreed = match.agreed[1]
            return msgspec.structs.replace(order, rules=agreed.rules, sets=agreed.sets, position=str(match.state.due))
        line = setup_line(order.game, order.rules, order.board, order.position)
    except RulesError as error:
        raise Refused("order.game", why=why_of(error)) from error
    if line is None:
        raise Refused("order.setup", setup=order.position[:40], board=order.board)
    return msgspec.structs.replace(order, position=line)


def _check_pit(order: CorrectPit, book: Book) -> None:
    position = book.table["position"]
    if not position:
        raise Refused("order.no-game", 409)
    if order.pit not in {pit["name"] for pit in pits(position["board"])}:
        raise Refused("order.pit", pit=order.pit[:20], board=position["board"])
    if not 0 <= order.count <= MOST_SEEDS:
        raise Refused("order.count", pit=order.pit, count=order.count, most=MOST_SEEDS)


def _check_forfeit(book: Book) -> None:
    if not book.table["position"]:
        raise Refused("order.no-game", 409)
    if book.table["over"]:
        raise Refused("order.over", 409)


def _check_undo(order: Undo, book: Book) -> None:
    if not book.undoable(order.order):
        raise Refused("order.no-undo", 409)
    if any(one.get("order") == order.order for one in book.table["pending"]):
        raise Refused("order.twice-undo", 409)


def _check_verdict(order: LetStand | Withdraw | NotAsSeen, book: Book) -> None:
    verdict = book.verdict(order.verdict)
    if verdict is None:
        raise Refused("order.no-verdict", 404, number=order.verdict)
    if isinstance(order, NotAsSeen):
        _check_counts(order, verdict["before"]["board"] if verdict["before"] else "")
        _check_captured(order, book)
    if not rulable(verdict, book.table["game"]):
        raise Refused("order.past", 409)
    _check_twice(order.verdict, book)
    if isinstance(order, Withdraw):
        _check_mover(order, book)


def _check_twice(verdict: int, book: Book) -> None:
    if any(one.get("verdict") == verdict for one in book.table["pending"]):
        raise Refused("order.twice", 409)


def waits_of_earlier_game(verdict: int, book: Book) -> bool:
    """Return whether the verdict is of an earlier game and waits for a ruling, as a foul or because of an objection."""
    foul, game = book.foul(verdict), book.table["game"]
    waits = book.waiting(verdict) is not None or (foul is not None and foul.fate == "open")
    return game is not None and waits and verdict < game["number"]


def _check_mover(order: Withdraw, book: Book) -> None:
    """Check who moved: a valid name, and for a spectator not a player's. Raises Refused."""
    if not order.mover:
        return
    try:
        checked_name(order.mover, say("retract.who"))
    except MatchError as error:
        raise Refused("match.cannot", why=why_of(error)) from error
    teams = book.match().teams
    if order.spectator and order.mover in (*teams.south, *teams.north):
        raise Refused("retract.plays", name=order.mover)


def _check_counts(order: NotAsSeen, board: str) -> None:
    named = pits(board) if board else ()
    if len(order.counts) != len(named):
        raise Refused("order.counts", n=len(order.counts), board=board, pits=len(named))
    for pit, count in zip(named, order.counts, strict=True):
        if not 0 <= count <= MOST_SEEDS:
            raise Refused("order.count", pit=pit["name"], count=count, most=MOST_SEEDS)


def where_asked(number: int, verdict: int) -> AnyResponse:
    """Lead back to where a move's form stood: the fouls, the referee's page, or the move's own."""
    match request.form.get("to"):
        case "fouls":
            return redirect(url_for("fouls.page", _anchor=f"foul-{verdict}"), 303)
        case "referee":
            return redirect(url_for("roles.page"), 303)
    return redirect(url_for("history.move", number=number, verdict=verdict), 303)


def counts_in(form: Mapping[str, str], board: str) -> list[int]:
    """Return the counts that a form gives in `n-a`, `n-b` …, along the ring. Raises Refused, which names the field."""
    found = []
    for pit in pits(board):
        text = form.get(f"n-{pit['name']}", "").strip()
        count = whole_number(text, 2)
        if count is None:
            raise Refused("setup.count", at=f"n-{pit['name']}", pit=pit["name"], count=text[:20])
        found.append(count)
    return found


def _check_captured(order: NotAsSeen, book: Book) -> None:
    """Check the captured seeds that people counted: no more than the game has. Raises Refused."""
    game = book.table["game"]
    if not order.captured or game is None:
        return
    due = ruleset(game["game"], game["rules"] or None, game["sets"]).seeds(Board.parse(game["board"]))
    for letter, count in zip_longest("SN", order.captured[:3], fillvalue=""):
        if not (letter and isinstance(count, int) and 0 <= count <= due):
            raise Refused("recount.cannot", at=f"captured-{letter}", side=player(letter or "N"), count=count)
    lying, captured = sum(order.counts), sum(order.captured)
    if lying + captured > due:
        raise Refused("recount.too-many", at="captured-N", lying=lying, captured=captured, total=lying + captured,
                      due=due)
