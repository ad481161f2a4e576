"""The match: its score, agreeing on one, the teams, and the score sheet for paper."""

from collections.abc import Mapping
from typing import cast

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from flask_wtf.csrf import CSRFError
from werkzeug.wrappers import Response as AnyResponse

from device.journal.events import MatchAgreed, MatchForm, TeamsNamed
from device.journal.projection.match import MOST, MatchBook, begun
from engine.matches import MatchError
from engine.matches.checks import name as checked_name
from engine.matches.teams import MAX_MEMBERS
from engine.position import Position
from engine.rules import RulesError, games, ruleset, rulesets
from web import typed
from web.readmodel.book import Book
from web.readmodel.reasons import message_text, source_of, why_of
from web.readmodel.scores import score
from web.typed import Wrong, whole_number
from web.views import audience, house_rules, starts
from web.views import draft as drafts
from web.views.orders import Refused, write
from web.words import say

blueprint = Blueprint("match", __name__)



@blueprint.get("/match")
def page() -> Response:
    """Show the score, and the forms for a match and for teams."""
    return _page()


@blueprint.post("/match/agree")
def agree() -> AnyResponse:
    """Agree on a match: games that begin from now on count for it."""
    try:
        write(audience.referees_book(), _agreed(request.form))
    except Refused as refused:
        return _refused("agree", Wrong(str(refused), refused.at), refused.status)
    typed.forget("agree")
    return redirect(url_for("match.page"), 303)


@blueprint.post("/match/teams")
def teams() -> AnyResponse:
    """Save who plays, one name per line."""
    try:
        write(audience.referees_book(), teams_of(request.form))
    except Refused as refused:
        return _refused("teams", Wrong(str(refused), refused.at), refused.status)
    typed.forget("teams")
    return redirect(url_for("match.page"), 303)


@blueprint.errorhandler(CSRFError)
def forged(_error: CSRFError) -> AnyResponse:
    """Refuse a form whose token is missing or too old; keep what was typed."""
    return _refused("teams" if request.endpoint == "match.teams" else "agree", Wrong(say("order.again")), 400)


def _refused(form: str, wrong: Wrong, status: int) -> Response:
    """Show the page again with what was typed into that form and what is wrong in it."""
    typed.store(form, request.form.to_dict())
    return _page(form, wrong, status)


@blueprint.get("/sheet")
def sheet() -> str:
    """Show the score sheet for printing."""
    book = audience.book()
    match = book.match()
    games = list(reversed(book.games()))
    newest = games[-1].number if games else 0
    if match.state is not None:
        games = [game for game in games if game.number in match.counted
                 or (game.number in match.problems and (game.verdicts or game.number == newest))
                 or (game.annulled and match.agreed is not None and game.last > match.agreed[0])]
    places = {game.number: (match.counted.get(game.number, at), game) for at, game in enumerate(games, 1)}
    withdrawn = [(number, one, game) for number, game in places.values() for one in game.retractions]
    fouls = [(places[foul.game][0], foul, places[foul.game][1]) for foul in reversed(book.fouls())
             if foul.game in places]
    return render_template("sheet.html", games=games, withdrawn=withdrawn, fouls=fouls, match=match, score=score(match),
                           newest=newest, ended=_ended(match), changed=_changed(match))


def _agreed(form: Mapping[str, str]) -> MatchAgreed:
    """Return the match that a form describes. Raises Refused, which names the field."""
    game, _, kind = form.get("form", "").partition("/")
    if game not in games() or kind not in ruleset(game).forms:
        raise Refused("match.no-form", at="form", form=form.get("form", "")[:20])
    name, (size, _, setup) = form.get(f"rules-{game}", "")[:60], form.get(f"board-{game}", "")[:60].partition("/")
    try:
        rules = ruleset(game, name or None, house_rules.changed(game, name, form))
    except RulesError as error:
        raise Refused("match.cannot", at=f"rules-{game}", why=why_of(error)) from error
    board = next((one for one in rules.boards if str(one) == size), None)
    if board is None:
        raise Refused("order.board", at=f"board-{game}", game=rules.title, board=size[:20])
    text = form.get("number", "").strip()
    number = 0 if kind == "surplus" else whole_number(text, 3)
    if number is None or (kind != "surplus" and not 1 <= number <= MOST):
        raise Refused("match.no-number", at="number", number=text[:20], most=MOST)
    agreed = MatchAgreed(game=game, board=size, form=cast(MatchForm, kind), rules=rules.name,
                         number=number, sets=rules.sets,
                         start=starts.line(rules, board, setup, form),
                         to_points=kind == "points" and form.get("to") == "points", by="page")
    try:
        begun(agreed)
    except (MatchError, ValueError) as error:
        raise Refused("match.cannot", at=f"board-{game}", why=why_of(error)) from error
    return agreed


def teams_of(form: Mapping[str, str]) -> TeamsNamed:
    """Return the teams in a form, one name per line. Raises Refused, which names the field."""
    south, north = _names(form, "south"), _names(form, "north")
    both = set(south) & set(north)
    if both:
        raise Refused("match.cannot", at="south", why=say("match.both", name=sorted(both)[0]))
    called = {field: _called(form, field) for field in ("south", "north")}
    if called["south"] and called["south"] == called["north"]:
        raise Refused("match.cannot", at="south-name", why=say("match.both-called", name=called["south"]))
    return TeamsNamed(south=south, north=north, by="page", south_name=called["south"], north_name=called["north"])


def _called(form: Mapping[str, str], field: str) -> str:
    """Return the name of a side's team, "" for none. Raises Refused."""
    text = form.get(f"{field}-name", "").strip()
    try:
        return checked_name(text, say("match.team.name")) if text else ""
    except MatchError as error:
        raise Refused("match.cannot", at=f"{field}-name", why=why_of(error)) from error


def _names(form: Mapping[str, str], field: str) -> list[str]:
    lines = [line.strip() for line in form.get(field, "")[:1000].splitlines()]
    try:
        found = [checked_name(line, say("match.a-name")) for line in lines if line]
    except MatchError as error:
        raise Refused("match.cannot", at=field, why=why_of(error)) from error
    if len(found) > MAX_MEMBERS:
        raise Refused("match.cannot", at=field, why=say("match.too-many", n=len(found), most=MAX_MEMBERS))
    if len(set(found)) < len(found):
        raise Refused("match.cannot", at=field, why=say("match.twice"))
    return found


def _page(form: str = "", wrong: Wrong | None = None, status: int = 200) -> Response:
    """Return the page. form: the one with an error."""
    book, both = audience.book(), {name: typed.stored(name) for name in ("teams", "agree")}
    if form:
        both[form] |= request.form.to_dict()
    match, last = book.match(), drafts.last(book)
    read = _read(book)
    sections = [_section(game, last, both["agree"], read) for game in games()]
    return make_response(render_template(
        "match.html", match=match, score=score(match), ended=_ended(match), wrong=wrong, back=url_for("match.page"),
        sections=sections, typed=both, most=MOST, playing=last.game if last is not None else sections[0]["game"],
        changed=_changed(match)), status)


def _section(game: str, last: drafts.Draft | None, form: Mapping[str, str], read: list[int]) -> dict[str, object]:
    """Return the choices for a match of one game. last: the settings of the table's last game, offered as the default;
    read: the counts on the board, along the ring."""
    rules, mine = ruleset(game), last if last is not None and last.game == game else None
    sets = mine.sets if mine is not None else {}
    offered = next(starts.choices(rules))[0] if mine is None else f"{mine.board}/{mine.setup}"
    return {"game": game, "title": rules.title, "forms": rules.forms,
            "rulesets": [(name, source_of(rules, name)) for name in rulesets(game)],
            "rules": mine.rules if mine is not None else rules.name, "sets": sets,
            "fields": house_rules.fields(game, sets, form), "boards": list(starts.choices(rules)), "board": offered,
            "agrees": starts.agrees(rules), "rows": starts.rows(mine.size, read) if mine is not None else ("", "")}


def _read(book: Book) -> list[int]:
    """Return the counts that the last game began from or, without one, those that the camera reads, along the ring."""
    games = book.games()
    if games:
        return list(Position.parse(games[0].start).counts)
    state = audience.sight(book).state
    return [max(0, pit.count) for pit in state.pits] if state is not None else []


def _changed(match: MatchBook) -> list[str]:
    """Return the changes to the rules of the match, in words."""
    agreed = None if match.agreed is None else match.agreed[1]
    return house_rules.changes_of(agreed.game, agreed.rules, agreed.sets) if agreed is not None else []


def _ended(match: MatchBook) -> str:
    """Return why the match is over; "" while it goes on."""
    outcome = None if match.state is None else match.state.outcome
    return "" if outcome is None else message_text(outcome.message or outcome.reason)
