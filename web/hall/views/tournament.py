"""The hall's tournament: its page, the page of each match, prints and downloads. Only directors change it."""

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from flask import Blueprint, Response, abort, flash, make_response, redirect, render_template, request, session, url_for
from flask import current_app as app
from flask_wtf.csrf import CSRFError
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from device.journal.store import JournalError
from engine.matches.checks import MatchError
from engine.tournaments import (
    PairingPlace,
    TournamentError,
    TournamentEvent,
    TournamentState,
    Undone,
    Withdrew,
    exported,
    next_round,
    table,
)
from web.hall.context import here
from web.hall.tournament.cup import Cup
from web.hall.views import tournament_forms as forms
from web.hall.views import tournament_seen as seen
from web.hall.views.desk import director
from web.hall.views.tournament_forms import Mistyped, one_line
from web.typed import Wrong, whole_number
from web.words import say

blueprint = Blueprint("tournament", __name__, url_prefix="/tournament")

BY = "tournament-by"
"""Key in the session: the name under which this director last ruled."""
ALL = "everything"
FILES = {"json": ("application/json", ALL), "standings.csv": ("text/csv", "standings"),
         "rounds.csv": ("text/csv", "rounds")}
"""The downloads, by the end of their address: media type, and which part of `exported` each holds."""
BACK = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")
"""A match as a form names it, to return to its page."""


def cup() -> Cup:
    """Return the current tournament."""
    return here().cup


@blueprint.get("")
def page() -> Response:
    """Show standings and rounds, and to directors what they can do."""
    return _page()


@blueprint.get("/rounds")
def rounds() -> Response:
    """Show all rounds, also for printing."""
    if cup().state.begun is None:
        abort(404)
    text = render_template("hall/tournament_rounds.html", **seen.whole(cup().state, every=True))
    return make_response(text, 200, {"Cache-Control": "no-store"})


@blueprint.get("/match/<int:made>/<int:number>")
def match(made: int, number: int) -> Response:
    """Show one match: what was reported of it, and a form to correct it."""
    return _match(PairingPlace(made, number))


@blueprint.get("/export/<name>")
def export(name: str) -> Response:
    """Send the tournament as JSON, or its standings or rounds as CSV."""
    state = cup().state
    if name not in FILES or state.begun is None:
        abort(404)
    kind, what = FILES[name]
    data = exported(state)
    text = app.json.dumps(data, ensure_ascii=False, indent=1) if what == ALL else table(data[what])
    return make_response(text, 200, {"Content-Type": f"{kind}; charset=utf-8", "Cache-Control": "no-store",
                                     "Content-Disposition": f'attachment; filename="tournament-{cup().number}.{name}"'})


# ---- what directors do

@blueprint.post("/begin")
def begin() -> AnyResponse:
    """Begin a tournament with its entries and tables."""
    def act() -> str:
        cup().begin(forms.begun(request.form, cup().now()))
        return say("cup.done.begun", name=cup().state.agreed.name)
    return _do(act)


@blueprint.post("/enter")
def enter() -> AnyResponse:
    """Add entries."""
    return _done(lambda state: forms.more_entered(state, request.form, cup().now()))


@blueprint.post("/round")
def make_round() -> AnyResponse:
    """Make the requested round, or all remaining rounds of a round robin."""
    def due(state: TournamentState) -> Sequence[TournamentEvent]:
        asked = request.form.get("round", "")
        if asked != str(len(state.rounds) + 1):
            return ()  # somebody has made it meanwhile
        return seen.all_rounds(state, cup().now()) if "all" in request.form else [next_round(state, at=cup().now())]
    return _done(due)


@blueprint.post("/withdraw")
def withdraw() -> AnyResponse:
    """Withdraw an entry."""
    return _done(lambda _: [Withdrew(_digits("entry"), one_line(request.form.get("why", "")), at=cup().now())])


@blueprint.post("/rename")
def rename() -> AnyResponse:
    """Change an entry's name and members."""
    return _done(lambda _: [forms.renamed(request.form, _digits("entry"), cup().now())])


@blueprint.post("/undo")
def undo() -> AnyResponse:
    """Undo an event; if that removes a whole round, the form must confirm it."""
    if request.form.get("ask") and not request.form.get("sure"):
        return _page(Wrong(say("cup.undo-round.ask"), "sure"), 400)
    back = BACK.fullmatch(request.form.get("back", ""))
    return _done(lambda _: [Undone(_digits("event"), by=one_line(request.form.get("by", "")), at=cup().now())],
                 PairingPlace(int(back[1]), int(back[2])) if back else None)


@blueprint.post("/match/<int:made>/<int:number>")
def correct(made: int, number: int) -> AnyResponse:
    """Record what people say about a match's result."""
    place = PairingPlace(made, number)
    return _done(lambda _: [forms.corrected(request.form, place, cup().now())], place)


@blueprint.post("/match/<int:made>/<int:number>/table")
def move(made: int, number: int) -> AnyResponse:
    """Move a match to another table."""
    place = PairingPlace(made, number)
    return _done(lambda _: [forms.moved(request.form, place, cup().now())], place)


@blueprint.errorhandler(CSRFError)
def forged(_error: CSRFError) -> Response:
    """Refuse a form whose token is missing or too old."""
    values = request.view_args or {}
    place = PairingPlace(values["made"], values["number"]) if values else None
    return _again(Wrong(say("order.again")), 400, place)


# ---- inside ----------------------------------------------------------------------------------------------------

def _done(events: Callable[[TournamentState], Sequence[TournamentEvent]],
          place: PairingPlace | None = None) -> AnyResponse:
    """Record these events in the current tournament. place: the match whose page is shown next."""
    def act() -> str:
        before = cup().state
        happened = events(before)
        cup().happen(*happened)
        return seen.done(before, happened)
    return _do(act, place)


def _do(act: Callable[[], str], place: PairingPlace | None = None) -> AnyResponse:
    """Run `act` and show the sentence that it returns on the next page."""
    if director() is None:
        return _again(Wrong(say("order.pin-needed")), 403, place)
    session[BY] = one_line(request.form.get("by", ""))[:40] or session.get(BY, "")
    try:
        flash(act())
    except Mistyped as error:
        return _again(Wrong(error.sentence, error.at), 400, place)
    except MatchError as error:
        return _again(Wrong(forms.refusal(error)), 409, place)
    except JournalError as error:
        app.logger.error("%s", error)
        return _again(Wrong(say("cup.not-kept")), 503, place)
    if place is not None:
        return redirect(url_for("tournament.match", made=place.made, number=place.number), 303)
    return redirect(url_for("tournament.page"), 303)


def _again(wrong: Wrong, status: int, place: PairingPlace | None) -> Response:
    return _page(wrong, status) if place is None else _match(place, wrong, status)


def _page(wrong: Wrong | None = None, status: int = 200) -> Response:
    """Return the tournament's page. wrong: why an order was not carried out; then the form keeps what was typed."""
    state, form = cup().state, request.form if wrong else {}
    tables = [(one.id, one.name) for one in here().registry.all()]
    picked = request.form.getlist("table") if wrong else [one for one, _ in tables]
    text = render_template("hall/tournament.html", state=state, part=part(), wrong=wrong, form=form,
                           tables=tables, picked=picked, by=session.get(BY, ""), **seen.to_do(state))
    return make_response(text, status, {"Cache-Control": "no-store"})


def _match(place: PairingPlace, wrong: Wrong | None = None, status: int = 200) -> Response:
    state = cup().state
    try:
        pairing = state.pairing(place)
    except TournamentError:
        abort(404)
    known = dict.fromkeys([*state.tables, *(table.id for table in here().registry.all())])
    tables = [(name, seen.label(name)) for name in known]
    text = render_template("hall/tournament_match.html", tables=tables, one=seen.pairing(state, pairing), wrong=wrong,
                           form=request.form if wrong else {}, said=seen.trace(state, pairing),
                           by=session.get(BY, ""), time=_time)
    return make_response(text, status, {"Cache-Control": "no-store"})


def part() -> Markup:
    """Render what everybody sees of the tournament, without the page's frame."""
    return Markup(render_template("hall/tournament_part.html", **seen.whole(cup().state)))


def _digits(name: str) -> int:
    number = whole_number(request.form.get(name, ""), 9)
    if number is None:
        abort(400)
    return number


def _time(at: int | None) -> str:
    return "" if at is None else datetime.fromtimestamp(at / 1e9, UTC).isoformat(timespec="milliseconds")

