"""The set-up in steps: camera, board, game, teams, who moves first, the seeds, match, referee; and an invitation.

Every step is a page of its own that shows its state; people can leave it and come back. Choices become orders like any
others, and the table carries them out.
"""

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
from web.readmodel.book import Book
from web.readmodel.feed import TableNow
from web.readmodel.games import offers
from web.readmodel.live import LiveView
from web.readmodel.reasons import answer_of, source_of, why_of
from web.readmodel.shapes import Diagram, diagram, pits
from web.typed import Wrong
from web.views import audience, house_rules
from web.views import draft as drafts
from web.views.match_page import teams_of
from web.views.orders import Refused, write
from web.views.roles import may_rule
from web.views.setup import steps as standing
from web.views.setup.steps import KEYS
from web.words import say, sentences

blueprint = Blueprint("setup", __name__)

LOT = "lot"
"""The session's key for the side drawn to move first, until the game begins."""

EDGES = ("bottom", "top", "left", "right")
"""The edges of the picture where South may sit."""


@blueprint.get("/setup")
def page() -> Response:
    """Show all steps and their state."""
    return _overview()


@blueprint.get("/setup/<key>")
def step(key: str) -> AnyResponse:
    """Show one step; an address that only takes a form redirects to the form's step."""
    if key not in standing.KEYS:
        return redirect(url_for("setup.step", key=_step_of_form()), 303)
    return _step(key)


_STEP_OF: dict[str, str] = {}
"""The step of each form, by the name of its view."""

def _step_of_form() -> str:
    """Return the step whose form is posted to the requested address; 404 if there is none."""
    urls = current_app.create_url_adapter(request)
    try:
        endpoint, _ = urls.match(method="POST") if urls is not None else ("", {})
    except MethodNotAllowed:
        abort(404)
    return _STEP_OF[endpoint.rpartition(".")[2]]


Act = Callable[Concatenate[Book, ...], AnyResponse | None]


def _ordering(key: str, *, saves: bool = False) -> Callable[[Act], Callable[..., AnyResponse]]:
    """Wrap a view that orders something in step `key`: only for those who may rule; the step shows a refusal's
    sentence.

    saves: the order completes the step, so the next step follows. Otherwise, and after a refusal, typed text is kept.
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
    """Show the step again with what was typed and the error; or redirect to the step that the visitor chose instead."""
    _keep(key)
    if _wanted():
        return redirect(url_for("setup.step", key=_wanted()), 303)
    return _step(key, wrong, status)


@blueprint.errorhandler(CSRFError)
def forged(_error: CSRFError) -> AnyResponse:
    """Refuse a form whose token is missing or too old; keep what was typed."""
    key = _STEP_OF.get((request.endpoint or "").rpartition(".")[2], KEYS[0])
    _keep(key)
    return _step(key, Wrong(say("order.again")), 400)


def _wanted() -> str:
    """Return the step whose button the visitor pressed; "" for the next one."""
    go = request.form.get("go", "")
    return go if go in KEYS else ""


def _after(key: str) -> str:
    return KEYS[KEYS.index(key) + 1]


def _keep(key: str) -> None:
    """Store what was typed. Counts are stored only if people changed them, because the board may change before the
    visitor comes back."""
    form = request.form.to_dict()
    counts = {name: text for name, text in form.items() if name.startswith("n-")}
    if ",".join(counts.values()) == form.pop("read", None):
        form = {name: text for name, text in form.items() if name not in counts}
    typed.store(key, form)


@blueprint.post("/setup/camera")
@_ordering("camera", saves=True)
def use_camera(book: Book) -> AnyResponse | None:
    """Use another of the table's cameras, if one was chosen; if an address was entered, show that camera's picture
    first."""
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
    """Show the step with the picture of the camera at an address, or why there is none. The address may hold a
    password, so it is stored nowhere."""
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
    """Use the camera whose picture is shown."""
    trial: CameraTrial = current_app.extensions["trial"]
    word = trial.keep()
    if not word:
        raise Refused("setup.address.ended", at="address")
    write(book, UseCamera(camera=word, by="page"))


@blueprint.get("/setup/camera/tried.jpg")
def tried_picture() -> Response:
    """Send the newest picture of the camera being tried, to those who may rule."""
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
    """Seat South at another edge, if one was chosen."""
    edge, state = request.form.get("edge", ""), audience.sight(book).state
    if edge not in ("", *EDGES):
        raise Refused("setup.edge", at="edge", edge=edge[:20])
    if edge and (state is None or state.south != edge):
        write(book, SeatSouth(edge=edge, by="page"))  # type: ignore[arg-type]  # one of them


@blueprint.post("/setup/turn")
@_ordering("board")
def turn_picture(book: Book) -> None:
    """Exchange left and right from now on, because the picture shows the board in a mirror."""
    write(book, TurnPicture(turn="mirrored", by="page"))


@blueprint.post("/setup/place")
@_ordering("board")
def place(book: Book) -> None:
    """Place the board where people say; without positions, search for it again."""
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
    """Ask the table to check that the empty board reads as empty."""
    write(book, LookEmpty(by="page"))


@blueprint.post("/setup/game")
@_ordering("game", saves=True)
def choose(_book: Book) -> None:
    """Store the chosen game; it begins in a later step."""
    chosen = drafts.chosen(request.form)
    if chosen != drafts.stored():
        session.pop(LOT, None)
        typed.forget("first")
    drafts.store(chosen)


@blueprint.post("/setup/teams")
@_ordering("teams", saves=True)
def name_teams(book: Book) -> None:
    """Save who plays on each side."""
    named = teams_of(request.form)
    if named != msgspec.structs.replace(book.match().teams, by="page"):
        write(book, named)


@blueprint.post("/setup/lot")
@_ordering("first")
def draw(book: Book) -> None:
    """Draw at random who moves first: once, and everybody sees the result."""
    if LOT not in session:
        drawn: Literal["S", "N"] = "S" if secrets.choice(tuple(Side)) is Side.SOUTH else "N"
        write(book, LotDrawn(side=drawn, by="page"))
        session[LOT] = drawn


@blueprint.post("/setup/begin")
@_ordering("first", saves=True)
def begin(book: Book) -> AnyResponse:
    """Begin the chosen game, or the table's last one again, unless the visitor goes to another step."""
    if request.form.get("go", ""):
        _keep("first")
        if not _wanted():  # the board is read again: the camera's counts replace the typed ones
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
    """Return every game with its rulesets and their sources, its boards, and the fields of its form. A board comes with
    its drawn set-ups, or with the number of seeds that each player arranges."""
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
    """Return the journal if this visitor may give orders. Raises Refused."""
    book = audience.referees_book()
    if len(book.table["pending"]) >= int(current_app.config["MAX_PENDING"]):
        raise Refused("order.too-many", 429)
    return book


def _steps(book: Book, sight: LiveView) -> list[standing.SetupStep]:
    pin: PinFile = current_app.extensions["pin"]
    return standing.steps(book, sight, pin, drafts.stored())


def _overview() -> Response:
    book = audience.book()
    sight = audience.sight(book)
    found = _steps(book, sight)
    following = next((one for one in found if not one.done and one.key not in standing.OPTIONAL), None)
    return make_response(render_template("setup.html", steps=found, following=following, key="",
                                         invitation=invitation(), alone=only_here(current_app.config["SERVED_HOST"])))


def _step(key: str, wrong: Wrong | None = None, status: int = 200) -> Response:
    form = typed.stored(key) | request.form.to_dict()
    book = audience.book()
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
    """Return the address of the step's form; "" if there is nothing to save."""
    ways = {"camera": "use_camera", "board": "seat_south", "game": "choose", "teams": "name_teams", "first": "begin"}
    if not may_rule() or key not in ways or (key == "first" and draft is None):
        return ""
    return url_for(f"setup.{ways[key]}")


def _shape(table: TableNow, draft: drafts.Draft | None, key: str) -> tuple[object, ...]:
    """Return the pits of the board that the step is about."""
    if key == "first" and draft is not None:
        return pits(draft.board)
    return pits(table["game"]["board"]) if table["game"] else ()
