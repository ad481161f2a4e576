"""The fouls of every game for review: those without a ruling, or all, with pictures and rulings."""

from flask import Blueprint, render_template, request

from web.views import audience

blueprint = Blueprint("fouls", __name__)


@blueprint.get("/fouls")
def page() -> str:
    """Show the fouls, newest first: those without a ruling, or all for `?show=all`."""
    book = audience.book()
    every = request.args.get("show") == "all"
    found = [(foul, book.game(foul.game)) for foul in book.fouls() if every or foul.fate == "open"]
    ordered = {order.get("verdict") for order in book.table["pending"]}
    return render_template("fouls.html", fouls=found, every=every, now=book.table["game"], ordered=ordered)


@blueprint.app_context_processor
def helpers() -> dict[str, object]:
    """Return how many fouls and objections wait for a ruling, for the navigation; and the journal's last number, for
    pages that follow the game."""
    return {"open_fouls": lambda: audience.book().open_fouls(),
            "open_objections": lambda: len(audience.book().contested()),
            "journal_number": lambda: audience.book().number}
