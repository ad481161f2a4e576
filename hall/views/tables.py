"""All tables at a glance, one at large, and the projector's view that goes round them."""

from __future__ import annotations

from dataclasses import replace

from flask import Blueprint, abort, render_template

from hall.premises import here
from hall.room import Table
from hall.views import drawn
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


@blueprint.get("/projector")
def projector() -> str:
    """One table after the other, as large as the screen allows."""
    return render_template("hall/projector.html", tables=here().room.all(), card=drawn.card, nobody=nobody())


def nobody() -> str:
    """What is said while no table is known."""
    return say("hall.none", broker=_address())


def _address() -> str:
    """The broker's, as tables are to be told it: without the hall's own user."""
    return str(replace(here().link.broker, user=""))


def at(name: str) -> Table:
    """The table of that id; 404 where there is none."""
    found = here().room.get(name)
    if found is None:
        abort(404)
    return found
