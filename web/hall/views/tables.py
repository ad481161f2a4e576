"""All tables at a glance, one table at full size, and the projector's view that shows them in turn."""

from dataclasses import replace

from flask import Blueprint, abort, current_app, make_response, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.journal.events import AgreeEnd
from device.journal.store import JournalError
from device.publishing.messages import Ruling
from web.addresses import only_here
from web.hall.context import NoOrder, here
from web.hall.directors import Director
from web.hall.registry import ABSENT, HallTable
from web.hall.views import drawn
from web.hall.views.desk import director
from web.readmodel.reasons import message_json, reason_of, sentence
from web.typed import Wrong
from web.words import say

blueprint = Blueprint("tables", __name__)


def index() -> str:
    """Show all tables."""
    return render_template("hall/tables.html", tables=here().registry.all(), card=drawn.card, nobody=nobody())


@blueprint.get("/table/<name>")
def page(name: str) -> str:
    """Show one table: its board, its verdicts, and what it needs."""
    return _page(at(name))


def _page(table: HallTable, wrong: Wrong | None = None) -> str:
    """Return a table's page. wrong: why an order was not carried out."""
    return render_template("hall/table.html", table=table, part=drawn.table_part(table), wrong=wrong)


@blueprint.post("/table/<name>/anew")
def anew(name: str) -> AnyResponse:
    """Copy the table's journal again, if it contradicts the copy."""
    table = at(name)
    stream = here().store.current(table.id)
    if director() is None:
        abort(403)
    if stream is not None and stream.forked:
        here().copy_again(table)
    return redirect(url_for("tables.page", name=name), 303)


@blueprint.post("/table/<name>/agree")
def agree(name: str) -> AnyResponse:
    """End the table's current game, because both sides agree that it is over."""
    table, who = at(name), director()
    wrong = say("order.pin-needed") if who is None else ordered(table, AgreeEnd(by="hall"), who)
    if not wrong:
        return redirect(url_for("tables.page", name=name), 303)
    return make_response(_page(table, Wrong(wrong)), 403 if who is None else 409)


def ordered(table: HallTable, order: Ruling, who: Director) -> str:
    """Send an order to a table; return "" if the table accepts it, else why not."""
    try:
        answer = here().give(table, order, who)
    except NoOrder as error:
        return say(error.key)
    except JournalError as error:
        current_app.logger.error("%s", error)
        return say("queue.not-kept")
    if answer is None:
        return say("queue.no-answer")
    return "" if answer.event else sentence(
        reason_of(answer.sentence or "?", message_json(answer.refused)))


@blueprint.post("/table/<name>/dismiss")
def dismiss(name: str) -> AnyResponse:
    """Hide a table that is away, such as one that only the broker remembers, until its next message."""
    table = at(name)
    if director() is None:
        abort(403)
    if not any(need in ABSENT for need in here().registry.needs(table, True)):
        abort(409)
    here().registry.dismiss(table)
    return redirect(url_for("page.index"), 303)


@blueprint.get("/projector")
def projector() -> str:
    """Show one table after the other, as large as the screen allows."""
    return render_template("hall/projector.html", tables=here().registry.all(), card=drawn.card, nobody=nobody())


def nobody() -> str:
    """Return the sentence for a hall without tables."""
    return say("hall.none", broker=_address())


def _address() -> str:
    """Return the broker's address for a table, which has its own user there and connects from another machine."""
    broker = here().link.broker
    return str(replace(broker, user="TABLE", host="HALL" if only_here(broker.host) else broker.host))


def at(name: str) -> HallTable:
    """Return the table of that id; 404 if there is none."""
    found = here().registry.get(name)
    if found is None:
        abort(404)
    return found
