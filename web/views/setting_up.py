"""Setting up in steps: camera, board, game, teams, who moves first, the seeds, match, referee; and an invitation.

Every step is a page of its own that says how it stands; it can be left and come back to. What is chosen is ordered as
everything is, and the table takes it up.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Concatenate, Literal

import msgspec
from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    make_response,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import MethodNotAllowed
from werkzeug.wrappers import Response as AnyResponse

from device.journal.events import LookEmpty, LotDrawn, NewGame, PlaceBoard, SeatSouth, TurnPicture, UseCamera
from engine.board import Board, Side
from engine.rules import RulesError, ruleset
from web import typed
from web.addresses import only_here
from web.cameras.trial import CameraTrial, TrialError
from web.invitation import invitation
from web.pin import PinFile
from web.readmodel import audience
from web.readmodel.book import Book
from web.readmodel.games import offers
from web.readmodel.live import LiveView
from web.readmodel.reasons import answer_of, source_of, why_of
from web.readmodel.shapes import Diagram, diagram, pits
from web.typed import Wrong
from web.views import draft as drafts
from web.views import house_rules
from web.views import steps as standing
from web.views.match_page import teams_of
from web.views.orders import Refused, write
from web.views.roles import may_rule
from web.views.steps import KEYS
from web.words import say, sentences

blueprint = Blueprint("setup", __name__)

LOT = "lot"
"""The key of the session that tells who was drawn to move first, until the game is begun."""

EDGES = ("bottom", "top", "left", "right")
"""Of the picture, where South may sit."""


@blueprint.get("/setup")
def page() -> Response:
    """All steps, and how they stand."""
    return _overview()


@blueprint.get("/setup/<key>")
def step(key: str) -> AnyResponse:
    """One step; from an address that takes a form, the step that it belongs to."""
    if key not in standing.KEYS:
        return redirect(url_for("setup.step", key=_step_of_form()), 303)
    return _step(key)


_STEP_OF: dict[str, str] = {}
"""Which step a way in belongs to, by its name."""

def _step_of_form() -> str:
    """The step whose form is posted to the address that is asked for. 404 where there is none."""
    urls = current_app.create_url_adapter(request)
    try:
        endpoint, _ = urls.match(method="POST") if urls is not None else ("", {})
    except MethodNotAllowed:
        abort(404)
    return _STEP_OF[endpoint.rpartition(".")[2]]


Act = Callable[Concatenate[Book, ...], AnyResponse | None]


def _ordering(key: str, *, saves: bool = False) -> Callable[[Act], Callable[..., AnyResponse]]:
    """A way in by which something is ordered from step `key`: to those who may rule; refused with a sentence there.

    saves: what the step is for is done by it, and the next step follows. What was typed is kept where it is refused,
    and where something else of the step was ordered.
    """
    def outer(act: Act) -> Callable[..., AnyResponse]:
        _STEP_OF[act.__name__] = key

        @wraps(act)
        def inner(**values: Any) -> AnyResponse:
            try:
                answer = act(_allowed(), **values)
            except Refused as refused:
                return _refused(key, Wrong(str(refused), refused.at), refused.status)
            except RulesError as error:
                return _refused(key, Wrong(say("order.game", why=why_of(error)), "game"), 400)
            if answer is not None:
                return answer
            if saves:
                typed.forget(key)
                return redirect(url_for("setup.step", key=_wanted() or _after(key)), 303)
            _keep(key)
            return redirect(url_for("setup.step", key=key), 303)
        return inner
    return outer


def _refused(key: str, wrong: Wrong, status: int) -> AnyResponse:
    """Show the step again, with what was typed and the error; where the visitor chose another step, lead there."""
    _keep(key)
    if _wanted():
        return redirect(url_for("setup.step", key=_wanted()), 303)
    return _step(key, wrong, status)


@blueprint.errorhandler(CSRFError)
def forged(_error: CSRFError) -> AnyResponse:
    """No token, or an old one: nothing is done, and nothing that was typed is lost."""
    key = _STEP_OF.get((request.endpoint or "").rpartition(".")[2], KEYS[0])
    _keep(key)
    return _step(key, Wrong(say("order.again")), 400)


def _wanted() -> str:
    """The step that the visitor wants to go to, by its button; "" for the next one."""
    go = request.form.get("go", "")
    return go if go in KEYS else ""


def _after(key: str) -> str:
    return KEYS[KEYS.index(key) + 1]


def _keep(key: str) -> None:
    """What was typed; of counts only those that are not as the page showed them, for the board may lie otherwise by the
    time that the visitor comes back."""
    form = request.form.to_dict()
    counts = {name: text for name, text in form.items() if name.startswith("n-")}
    if ",".join(counts.values()) == form.pop("read", None):
        form = {name: text for name, text in form.items() if name not in counts}
    typed.store(key, form)


@blueprint.post("/setup/camera")
@_ordering("camera", saves=True)
def use_camera(book: Book) -> AnyResponse | None:
    """Look through another camera, one of those that the table sees, if one was chosen; where an address was entered,
    show first what the camera there sees."""
    address = request.form.get("address", "").strip()
    if address and not _wanted():
        return _tried(address)
    word = request.form.get("camera", "")
    state = audience.sight(book).state
    names = {one.word: one.name for one in state.cameras} if state is not None else {}
    if word and word not in names:
        raise Refused("setup.camera.none-such", at="camera", camera=word[:40])
    if word and names[word] != book.table["camera"]:
        write(book, UseCamera(camera=word, by="page"))
    return None


def _tried(address: str) -> AnyResponse:
    """The step with the picture of the camera at an address, or why there is none. The address may hold a password, so
    it is stored nowhere."""
    trial: CameraTrial = current_app.extensions["trial"]
    try:
        trial.begin(address.partition("\n")[0])
    except TrialError as error:
        if error.told is None:
            return _step("camera", Wrong(say("setup.address.wrong"), "address"), 400)
        todo = sentences().get(f"{error.told['key']}.todo", "")
        why = answer_of({"sentence": str(error), "told": error.told})
        return _step("camera", Wrong(f"{why} {todo}".strip(), "address"), 400)
    return redirect(url_for("setup.step", key="camera", _anchor="trial"), 303)


@blueprint.post("/setup/camera/tried")
@_ordering("camera")
def use_tried(book: Book) -> None:
    """Look through the camera whose picture is shown."""
    trial: CameraTrial = current_app.extensions["trial"]
    word = trial.keep()
    if not word:
        raise Refused("setup.address.ended", at="address")
    write(book, UseCamera(camera=word, by="page"))


@blueprint.get("/setup/camera/tried.jpg")
def tried_picture() -> Response:
    """The newest picture of the camera that is tried, for those who may rule."""
    trial: CameraTrial = current_app.extensions["trial"]
    picture = trial.picture
    if not may_rule() or not picture:
        abort(404)
    response = make_response(picture)
    response.headers["Content-Type"] = "image/jpeg"
    response.headers["Cache-Control"] = "no-store"
    return response


@blueprint.post("/setup/south")
@_ordering("board", saves=True)
def seat_south(book: Book) -> None:
    """South sits elsewhere, if an edge was chosen where he does not sit already."""
    edge, state = request.form.get("edge", ""), audience.sight(book).state
    if edge not in ("", *EDGES):
        raise Refused("setup.edge", at="edge", edge=edge[:20])
    if edge and (state is None or state.south != edge):
        write(book, SeatSouth(edge=edge, by="page"))  # type: ignore[arg-type]  # one of them


@blueprint.post("/setup/turn")
@_ordering("board")
def turn_picture(book: Book) -> None:
    """The picture shows the board in a mirror: left and right are exchanged from now on."""
    write(book, TurnPicture(turn="mirrored", by="page"))


@blueprint.post("/setup/place")
@_ordering("board")
def place(book: Book) -> None:
    """The board lies where people say; without any place it is looked for by itself again."""
    text = request.form.get("pits", "")
    if not text or "find" in request.form:
        write(book, PlaceBoard(by="page"))
        return
    game = book.table["game"]
    due = len(pits(game["board"])) if game else 0
    try:
        found = msgspec.json.decode(text.encode(), type=list[tuple[float, float, float]])
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        raise Refused("order.unreadable", why=error) from error
    if len(found) != due or not all(0 <= x <= 1 and 0 <= y <= 1 and 0 < r < 0.5 for x, y, r in found):
        raise Refused("setup.places", n=due)
    write(book, PlaceBoard(pits=found, by="page"))


@blueprint.post("/setup/empty")
@_ordering("board")
def look_empty(book: Book) -> None:
    """The board is empty: is it read so?"""
    write(book, LookEmpty(by="page"))


@blueprint.post("/setup/game")
@_ordering("game", saves=True)
def choose(_book: Book) -> None:
    """A game is chosen; it begins on a later step."""
    chosen = drafts.chosen(request.form)
    if chosen != drafts.stored():
        session.pop(LOT, None)
        typed.forget("first")
    drafts.store(chosen)


@blueprint.post("/setup/teams")
@_ordering("teams", saves=True)
def name_teams(book: Book) -> None:
    """Who plays on each side."""
    named = teams_of(request.form)
    if named != msgspec.structs.replace(book.match().teams, by="page"):
        write(book, named)


@blueprint.post("/setup/lot")
@_ordering("first")
def draw(book: Book) -> None:
    """Draw who moves first: once, and everybody sees it."""
    if LOT not in session:
        drawn: Literal["S", "N"] = "S" if secrets.choice(tuple(Side)) is Side.SOUTH else "N"
        write(book, LotDrawn(side=drawn, by="page"))
        session[LOT] = drawn


@blueprint.post("/setup/begin")
@_ordering("first", saves=True)
def begin(book: Book) -> AnyResponse:
    """Begin the chosen game, or the table's last one again; not on the way to another step."""
    if request.form.get("go", ""):
        _keep("first")
        if not _wanted():  # the board is read again: what the camera sees takes the place of what was typed
            typed.store("first", {"first": request.form.get("first", "")})
        return redirect(url_for("setup.step", key=_wanted() or "first"), 303)
    draft = drafts.stored() or drafts.last(book)
    if draft is None:
        raise Refused("setup.begin.not")
    position = drafts.position(draft, drafts.side(request.form.get("first", "")), request.form)
    write(book, NewGame(game=draft.game, rules=draft.rules, board=draft.board, position=str(position),
                        sets=draft.sets, by="page"))
    typed.forget("first")
    drafts.forget()
    session.pop(LOT, None)
    return redirect(url_for("setup.step", key="laid"), 303)


def _choices(draft: drafts.Draft | None, form: Mapping[str, str]) -> list[dict[str, object]]:
    """Every game: its rulesets with where they are written down, its boards with their set-ups drawn, or how many seeds
    each arranges himself, its fields."""
    found: list[dict[str, object]] = []
    for one in offers():
        rules = ruleset(one["game"])
        drawn: list[tuple[str, str, Diagram | None, int | None]] = []
        for size, names in ((offer["board"], offer["setups"]) for offer in one["boards"]):
            board = Board.parse(size)
            drawn += [(size, name, diagram(str(rules.setup(name, board))), None) for name in names]
            drawn.append((size, drafts.LIES, None, rules.each(board)))
        sets = draft.sets if draft is not None and draft.game == one["game"] else {}
        found.append({"game": one["game"], "title": one["title"], "setups": drawn, "sets": sets,
                      "usual": f"{one['usual']}/{rules.setups(Board.parse(one['usual']))[0]}",
                      "fields": house_rules.fields(one["game"], sets, form),
                      "rulesets": [(name, source_of(rules, name)) for name in one["rules"]]})
    return found


def _allowed() -> Book:
    """The journal, where orders may be given. Raises Refused."""
    if not may_rule():
        raise Refused("order.pin-needed", 403)
    book = _book()
    if not book.number:
        raise Refused("order.no-table", 503)
    if len(book.table["pending"]) >= int(current_app.config["MAX_PENDING"]):
        raise Refused("order.too-many", 429)
    return book


def _book() -> Book:
    return audience.book()


def _steps(book: Book, sight: LiveView) -> list[standing.SetupStep]:
    pin: PinFile = current_app.extensions["pin"]
    return standing.steps(book, sight, pin, drafts.stored())


def _overview() -> Response:
    book = _book()
    sight = audience.sight(book)
    found = _steps(book, sight)
    following = next((one for one in found if not one.done and one.key not in standing.OPTIONAL), None)
    return make_response(render_template("setup.html", steps=found, following=following, key="",
                                         invitation=invitation(), alone=only_here(current_app.config["SERVED_HOST"])))


def _step(key: str, wrong: Wrong | None = None, status: int = 200) -> Response:
    form = typed.stored(key) | request.form.to_dict()
    book = _book()
    sight = audience.sight(book)
    table = book.table
    draft = drafts.stored() or drafts.last(book)
    at = standing.KEYS.index(key)
    return make_response(render_template(
        f"setup/{key}.html", steps=_steps(book, sight), key=key, wrong=wrong, sight=sight, state=sight.state,
        trial=current_app.extensions["trial"].word if may_rule() else "", table=table, draft=draft,
        chosen=drafts.stored(), checks=standing.camera_checks(table, sight), edges=EDGES,
        choices=_choices(draft, form) if key == "game" else [], teams=book.match().teams, lot=session.get(LOT, ""),
        starting=standing.starting(table),
        read=None if standing.starting(table) else standing.reading(table["position"], sight),
        shape=_shape(table, draft, key), form=form,
        action=_action(key, draft), back=url_for("setup.step", key=key),
        changed=house_rules.changes(draft.ruleset) if draft is not None else [],
        arranged=table["arranged"], again=drafts.stored() is None and draft is not None,
        after=standing.KEYS[at + 1] if at + 1 < len(standing.KEYS) else "",
        before=standing.KEYS[at - 1] if at else ""), status)


def _action(key: str, draft: drafts.Draft | None) -> str:
    """Where the step's form goes; "" where there is nothing to save."""
    ways = {"camera": "use_camera", "board": "seat_south", "game": "choose", "teams": "name_teams", "first": "begin"}
    if not may_rule() or key not in ways or (key == "first" and draft is None):
        return ""
    return url_for(f"setup.{ways[key]}")


def _shape(table: dict[str, Any], draft: drafts.Draft | None, key: str) -> tuple[object, ...]:
    """The pits of the board that the step is about."""
    if key == "first" and draft is not None:
        return pits(draft.board)
    return pits(table["game"]["board"]) if table["game"] else ()
