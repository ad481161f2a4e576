"""The match: its score, agreeing on one, who plays in the teams, and the score sheet for paper."""

from __future__ import annotations

from typing import Literal, cast, get_args

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.journal.events import MatchAgreed, TeamsNamed
from engine.match import MatchError
from engine.match.checks import name as checked_name
from engine.match.teams import MAX_MEMBERS
from engine.rules import RulesError, ruleset
from web import audience
from web.book import Book
from web.matches import FORMS, MOST, MatchBook, begun, score
from web.orders import Refused, write
from web.reasons import said_of, why_of
from web.roles import may_rule
from web.words import say

blueprint = Blueprint("match", __name__)

FormName = Literal["sticks", "surplus", "ol-alai", "points"]


@blueprint.get("/match")
def page() -> Response:
    """The score, and what may be agreed on."""
    return _page()


@blueprint.post("/match/agree")
def agree() -> AnyResponse:
    """Agree on a match: the games that begin from now on count for it."""
    try:
        agreed = _agreed()
        begun(agreed)
        write(_book(), agreed)
    except Refused as refused:
        return _page(str(refused), refused.status)
    except (MatchError, RulesError, ValueError) as error:
        return _page(say("match.cannot", why=why_of(error)), 400)
    return redirect(url_for("match.page"), 303)


@blueprint.post("/match/teams")
def teams() -> AnyResponse:
    """Say who plays, a name a line."""
    try:
        _allowed()
        south, north = _names("south"), _names("north")
        both = set(south) & set(north)
        if both:
            raise MatchError(say("match.both", name=sorted(both)[0]))
        write(_book(), TeamsNamed(south=south, north=north, by="page"))
        if request.form.get("back") == "setup":
            return redirect(url_for("setup.step", key="first"), 303)
    except Refused as refused:
        return _page(str(refused), refused.status)
    except MatchError as error:
        return _page(say("match.cannot", why=why_of(error)), 400)
    return redirect(url_for("match.page"), 303)


@blueprint.get("/sheet")
def sheet() -> str:
    """The score sheet, to be printed."""
    book = _book()
    match = book.match()
    games = list(reversed(book.games()))
    if match.state is not None:
        games = [game for game in games if game.number in match.counted or game.number in match.problems
                 or (game.annulled and match.agreed is not None and game.last > match.agreed[0])]
    withdrawn = [(match.counted.get(game.number, at), one) for at, game in enumerate(games, 1)
                 for one in game.retractions]
    return render_template("sheet.html", games=games, withdrawn=withdrawn, match=match, score=score(match),
                           ended=_ended(match))


def _agreed() -> MatchAgreed:
    _allowed()
    form = request.form.get("form", "")
    if form not in get_args(FormName):
        raise Refused("match.no-form", form=form[:20])
    board, number = request.form.get("board", ""), request.form.get("number", "0")
    if not (number.isascii() and number.isdigit() and len(number) < 4 and int(number) <= MOST):
        raise Refused("match.no-number", number=number[:20], most=MOST)
    game = FORMS[form][0]
    rules = request.form.get("rules", "")
    known = ruleset(game, rules or None)
    if board not in [str(one) for one in known.boards]:
        raise Refused("order.board", game=known.title, board=board[:20])
    return MatchAgreed(game=game, board=board, form=cast(FormName, form), rules=known.name,
                       number=0 if form == "surplus" else int(number),
                       to_points=form == "points" and request.form.get("to") == "points", by="page")


def _names(field: str) -> list[str]:
    lines = [line.strip() for line in request.form.get(field, "")[:1000].splitlines()]
    found = [checked_name(line, say("match.a-name")) for line in lines if line]
    if len(found) > MAX_MEMBERS:
        raise MatchError(say("match.too-many", n=len(found), most=MAX_MEMBERS))
    if len(set(found)) < len(found):
        raise MatchError(say("match.twice"))
    return found


def _allowed() -> None:
    if not may_rule():
        raise Refused("order.pin-needed", 403)
    if not _book().number:
        raise Refused("order.no-table", 503)


def _book() -> Book:
    return audience.book()


def _page(wrong: str = "", status: int = 200) -> Response:
    book = _book()
    match = book.match()
    forms = [{"form": name, "game": ruleset(game).title, "boards": [str(b) for b in ruleset(game).boards]}
             for name, (game, _) in FORMS.items()]
    playing = book.table["game"] or {}
    return make_response(render_template("match.html", match=match, score=score(match), ended=_ended(match),
                                         wrong=wrong, forms=forms, playing=playing, most=MOST), status)


def _ended(match: MatchBook) -> str:
    """Why the match is over; "" while it goes on."""
    outcome = None if match.state is None else match.state.outcome
    return "" if outcome is None else said_of(outcome.said or outcome.reason)
