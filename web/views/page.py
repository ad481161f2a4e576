"""The main page: rendered by the server with the table's current state, then updated by the feed if scripts run."""

import json

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    jsonify,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask_wtf.csrf import generate_csrf
from werkzeug.exceptions import HTTPException, ServiceUnavailable
from werkzeug.wrappers import Response as AnyResponse

from device.journal.store import JournalError
from web.invitation import invitation
from web.messages import MESSAGES
from web.readmodel.feed import TableNow
from web.readmodel.games import offers
from web.views import audience
from web.views.objections import mine
from web.views.problems import from_program, problem
from web.views.roles import BACK, role
from web.words import COOKIE, LANGUAGES, language, say, speak_of

YEAR_S = 365 * 86_400

ICONS = (192, 512)
"""Pixels across of the icons for a phone."""

FIRST = 12
"""Feed items that the server renders into the page."""

blueprint = Blueprint("page", __name__)


@blueprint.get("/")
def index() -> Response:
    """Show the main page. Browsers must not keep it, because it contains the visitor's own token."""
    book = audience.book()
    now = book.since(0)
    newest = [item for item in reversed(now["items"])
              if item["kind"] in ("verdict", "blind", "over") and not item.get("repeats")][:FIRST]
    table = _spoken(now["table"])
    titles = {offer["game"]: offer["title"] for offer in offers()}
    sight = audience.sight(book)
    response = make_response(render_template("index.html", offers=offers(), table=table, newest=newest, titles=titles,
                                             number=now["number"], running=sight.running, state=sight.state,
                                             invitation=invitation(), objected=mine()))
    response.headers["Cache-Control"] = "no-store"
    return response


def _spoken(table: TableNow) -> TableNow:
    """Return the table unchanged, and answer this request in the words of its game."""
    speak_of(table["game"]["game"] if table["game"] else "")
    return table


@blueprint.get("/board")
def board() -> str:
    """Show the game alone, for a projector: what everybody may see, whoever opened it."""
    return render_template("board.html", offers=offers(), table=_spoken(audience.book(public=True).since(0)["table"]),
                           invitation=invitation())


@blueprint.get("/overlay")
def overlay() -> str:
    """Show the score, the turn and the last verdict on a transparent ground for films: what everybody may see."""
    return render_template("overlay.html", offers=offers(), table=_spoken(audience.book(public=True).since(0)["table"]))


@blueprint.get("/manifest.webmanifest")
def manifest() -> Response:
    """Send what a phone needs to keep the page as an app. Nothing is stored for offline use."""
    icons = [{"src": url_for("static", filename=f"icon-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png",
              "purpose": purpose} for size in ICONS for purpose in ("any", "maskable")]
    body = {"name": say("title"), "short_name": "inkeek", "lang": language(), "start_url": url_for("page.index"),
            "display": "standalone", "background_color": "#f4ecdd", "theme_color": "#7d1d1a", "icons": icons}
    return Response(json.dumps(body, ensure_ascii=False), mimetype="application/manifest+json")


@blueprint.get("/token")
def token() -> Response:
    """Send a fresh token to a page whose own was signed with a lost key, and the visitor's role."""
    response = jsonify(token=generate_csrf(), role=role())
    response.headers["Cache-Control"] = "no-store"
    return response


@blueprint.get("/language/<code>")
def choose_language(code: str) -> AnyResponse:
    """Set the language and return to the page that asked, if it is one of ours."""
    if code not in LANGUAGES:
        abort(404)
    back = request.args.get("back", "/")
    response = redirect(request.script_root + (back if BACK.fullmatch(back) else "/"), 303)
    response.set_cookie(COOKIE, code, max_age=YEAR_S, samesite="Lax", httponly=True)
    return response


@blueprint.app_errorhandler(404)
def none_such(_error: object) -> Response | tuple[str, int]:
    """Answer an unknown address: with a page for people, with a sentence for a program."""
    if from_program():
        return problem(404)
    return _sorry(say("none.title"), say("none.text")), 404


@blueprint.app_errorhandler(HTTPException)
def failed(error: HTTPException) -> AnyResponse | HTTPException:
    """Answer every other error in the visitor's language instead of the server's words."""
    if error.code is None or error.code < 400 or error.response is not None:
        return error  # a redirect, or an error that brings its own answer
    if from_program():
        return problem(error.code, headers=dict(error.get_headers()))
    if error.code == 405 and request.method in ("GET", "HEAD") and (above := _page_above()):
        return redirect(above, 303)
    key = f"fail.{error.code}"
    text = _sorry(say("fail.title"), say(key if key in MESSAGES else "fail.text"))
    given = dict(error.get_headers()) | {"Content-Type": f"text/{'html' if _wants_html() else 'plain'}; charset=utf-8"}
    return Response(text, error.code, given)


@blueprint.app_errorhandler(JournalError)
def unreadable(error: JournalError) -> AnyResponse | HTTPException:
    """Answer a request for what the journal cannot give, or cannot take, just now; the log says why."""
    current_app.logger.error("%s", error)
    return failed(ServiceUnavailable())


def _page_above() -> str:
    """Return the nearest page above this address, which only takes forms; "" if there is none. A browser shows the
    address after an answer to a form, so people may reload it, or come back to it later."""
    urls, path = current_app.create_url_adapter(request), request.path
    while path := path.rpartition("/")[0]:
        if urls is not None and urls.test(path, "GET"):
            return path
    return ""


def _sorry(title: str, text: str) -> str:
    return render_template("none.html", title=title, text=text) if _wants_html() else text


def _wants_html() -> bool:
    return request.accept_mimetypes.best_match(["text/html", "text/plain"], "text/plain") == "text/html"
