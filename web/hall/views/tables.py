"""All tables at a glance, one at large, and the projector's view that goes round them."""

from __future__ import annotations

from dataclasses import replace

from flask import Blueprint, abort, current_app, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.journal.store import JournalError
from web.addresses import only_here
from web.hall.premises import here
from web.hall.room import HallTable
from web.hall.views import drawn
from web.hall.views.desk import director
from web.words import say

blueprint = Blueprint("tables", __name__)


def index() -> str:
    """All tables."""
    return render_template("hall/tables.html", tables=here().room.all(), card=drawn.card, nobody=nobody())


@blueprint.get("/table/<name>")
def page(name: str) -> str:
    """One table: its board, its verdicts, what it needs."""
    table = at(name)
    return render_template("hall/table.html", table=table, part=drawn.table_part(table))


@blueprint.post("/table/<name>/anew")
def anew(name: str) -> AnyResponse:
    """Copy the table's journal once more, where it tells another history than the copy."""
    table = at(name)
    stream = here().store.current(table.id)
    if director() is None:
        abort(403)
    if stream is not None and stream.forked:
        try:
            here().copy_anew(table)
        except JournalError as error:
            current_app.logger.error("%s", error)
            abort(503)
    return redirect(url_for("tables.page", name=name), 303)


@blueprint.get("/projector")
def projector() -> str:
    """One table after the other, as large as the screen allows."""
    return render_template("hall/projector.html", tables=here().room.all(), card=drawn.card, nobody=nobody())


def nobody() -> str:
    """What is said while no table is known."""
    return say("hall.none", broker=_address())


def _address() -> str:
    """The broker's, as tables are to be told it: each has a user of its own there, and reaches it from elsewhere."""
    broker = here().link.broker
    return str(replace(broker, user="TABLE", host="HALL" if only_here(broker.host) else broker.host))


def at(name: str) -> HallTable:
    """The table of that id; 404 where there is none."""
    found = here().room.get(name)
    if found is None:
        abort(404)
    return found
