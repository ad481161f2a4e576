"""Downloads of a verdict: its clip as a film, and a card. Whoever may see the verdict may have them."""

import hashlib
import io
from collections.abc import Callable
from pathlib import Path

from flask import Blueprint, Response, abort, current_app, request, send_file

from device.films.encoder import films_are_made
from web.players import use
from web.readmodel.feed import VerdictItem
from web.sharing.card import CardError, card
from web.sharing.film import FilmError, film
from web.sharing.studio import Busy, Studio
from web.sharing.told import SharedVerdict, drawable_names, places_at, shared_verdict
from web.views import audience
from web.views.games.history import found_items
from web.words import language, say

blueprint = Blueprint("sharing", __name__)

SOON_S = 10
"""Seconds after which to ask again, if others wait."""


@blueprint.get("/evidence/<int:number>/clip.mp4")
def clip(number: int) -> Response:
    """Send the clip of that verdict's move as an MP4, with the counts and the verdict drawn in."""
    item, told = _shared(number)
    path: Path = current_app.extensions["evidence"] / item["clip"]
    if not item["clip"] or not path.is_file():
        abort(404)
    if not films_are_made():
        return _sorry("film.none", 501)
    return _made(item["clip"], told, lambda: film(path, told), "video/mp4", "mp4", number)


@blueprint.get("/evidence/<int:number>/card.png")
def picture(number: int) -> Response:
    """Send that verdict as one picture."""
    item, told = _shared(number)
    still = item["stills"][1] or item["stills"][0]
    path: Path | None = current_app.extensions["evidence"] / still if still else None
    shown = path if path is not None and path.is_file() else None
    return _made(shown.name if shown else "", told, lambda: card(shown, told), "image/png", "png", number)


def _shared(number: int) -> tuple[VerdictItem, SharedVerdict]:
    """Return a verdict as this visitor may see it; 404 if there is none or it is held back from them."""
    book = audience.book()
    game = next((one for one in book.games() if one.number <= number <= one.last), None)
    if game is None:
        abort(404)
    events = book.events(game)
    item = next((one for one in found_items(events, game.place) if one["number"] == number), None)
    if item is None or item["kind"] != "verdict":
        abort(404)
    use(drawable_names(game.teams))
    try:
        return item, shared_verdict(item, places_at(events, number, game.place), book.id)
    except ValueError:
        abort(404)


def _made(of: str, told: SharedVerdict, make: Callable[[], bytes], kind: str, ending: str, number: int) -> Response:
    """Send the file made from that evidence, kept under a key of everything that it shows and its language."""
    studio: Studio = current_app.extensions["studio"]
    key = hashlib.sha256(f"{ending} {of} {language()} {told!r}".encode()).hexdigest()
    try:
        data = studio.made(key, make)
    except Busy:
        return _sorry("film.busy", 503, {"Retry-After": str(SOON_S)})
    except (FilmError, CardError) as error:
        current_app.logger.warning("verdict %d: no %s was made: %s", number, ending, error)
        return _sorry("film.failed" if ending == "mp4" else "card.failed", 404)
    name = f"inkeek-{told.at.strftime('%Y-%m-%d')}-{number}.{ending}"
    response = send_file(io.BytesIO(data), mimetype=kind, etag=key, conditional=True, download_name=name,
                         as_attachment="download" in request.args)
    response.headers["Cache-Control"] = "private, no-cache"  # a ruling changes the content
    return response


def _sorry(key: str, status: int, headers: dict[str, str] | None = None) -> Response:
    return Response(say(key), status, {"Content-Type": "text/plain; charset=utf-8", **(headers or {})})
