"""The steps of the set-up and their state, from the journal, the live picture, and what the visitor has chosen."""

from dataclasses import dataclass

from device.journal.events import TeamsNamed
from engine.position import Position
from web.pin import PinFile
from web.readmodel.book import Book
from web.readmodel.feed import TableNow
from web.readmodel.games import layout_of, offers, ruleset_of
from web.readmodel.live import LiveView
from web.readmodel.reasons import message_json, reason_of, sentence
from web.readmodel.shapes import Diagram, pits
from web.views.draft import Draft
from web.words import say

KEYS = ("camera", "board", "game", "teams", "first", "laid", "match", "referee")
"""The steps in their order; `laid`: the seeds are in place and read correctly."""

OPTIONAL = ("teams", "match")

DIM, BRIGHT, SOFT = 40.0, 225.0, 1.7
"""Mean grey beyond which a picture is too dark or too bright for the set-up, and the sharpness below which it is
blurred; chosen on the simulated table (see `device.eyes.clearness`)."""

FEW = 4.0
"""Pictures per second below which quick hands are missed, as in `device.eyes.parameters`."""

DOUBT = 0.8
"""The least probability with which a pit counts as read correctly."""


@dataclass(frozen=True, slots=True)
class SetupStep:
    """One step. key: one of KEYS. state: a sentence; done: whether nothing is left to do."""

    key: str
    done: bool
    state: str


@dataclass(frozen=True, slots=True)
class CameraCheck:
    """One check of the camera: whether it passed, and a sentence. mendable: whether people at the table can fix it;
    then the step is not done before they have."""

    well: bool
    sentence: str
    mendable: bool = True


@dataclass(frozen=True, slots=True)
class SetupReading:
    """The camera's counts compared with those due. right, total: pits. wrong: numbers of pits that read differently or
    are hidden. sentences: the same in words."""

    right: int
    total: int
    wrong: list[int]
    sentences: list[str]


def steps(book: Book, sight: LiveView, pin: PinFile, draft: Draft | None) -> list[SetupStep]:
    """Return the state of each step. draft: what the visitor has chosen and not yet begun."""
    teams = book.match().teams
    names = [teams.south_name, teams.north_name, *teams.south, *teams.north]
    agreed = book.match().state is not None
    table = book.table
    begun = _playing(table) and draft is None
    return [
        _camera(book, sight),
        _board(sight),
        SetupStep("game", _playing(table) or draft is not None, _chosen(draft) if draft else _game_on(table)),
        SetupStep("teams", any(names), _named(teams) if any(names) else say("setup.teams.none")),
        SetupStep("first", begun, _first(book) if begun else say("setup.first.not" if draft else "setup.begin.not")),
        SetupStep("laid", *_laid(book, sight)),
        SetupStep("match", agreed, say("setup.match.on" if agreed else "match.none")),
        SetupStep("referee", pin.is_set, say("setup.referee.set" if pin.is_set else "setup.referee.none")),
    ]


def _named(teams: TeamsNamed) -> str:
    """Return who plays on each side, in words."""
    sides = (("S", teams.south_name, teams.south), ("N", teams.north_name, teams.north))
    told = ((letter, " – ".join(filter(None, (called, say("list.comma").join(names)))))
            for letter, called, names in sides)
    return " · ".join(say("setup.teams.of", side=say(f"side.{letter}"), names=names) for letter, names in told if names)


def _first(book: Book) -> str:
    """Return who moved first in the current game, in words."""
    return say("setup.first.is", side=say(f"side.{Position.parse(book.games()[0].start).to_move.letter}"))


def _camera(book: Book, sight: LiveView) -> SetupStep:
    bad = next((check.sentence for check in camera_checks(book.table, sight) if not check.well and check.mendable), "")
    return SetupStep("camera", not bad, bad or _camera_on(book.table, _rate(sight)))


def _board(sight: LiveView) -> SetupStep:
    found = len(sight.state.pits) if sight.state else 0
    picture = sight.running and sight.frame != 0
    return SetupStep("board", picture and found > 0,
                     say("setup.board.found", n=found) if found else say("state.searching.why"))


def _rate(sight: LiveView) -> float:
    """Return the camera's pictures per second; 0.0 while not yet counted."""
    return (sight.state.given or sight.state.fps) if sight.state else 0.0


def _camera_on(table: TableNow, rate: float) -> str:
    """Return which camera gives how many pictures per second, in words."""
    camera = reason_of(table["camera"], table["camera_told"])
    if not rate:
        return sentence(camera)
    key = "setup.camera.on" if rate >= FEW else "setup.camera.slow"
    return _paced(key, rate, camera=camera, least=round(FEW))


def _paced(key: str, rate: float, **values: object) -> str:
    """Return the message for a number of pictures per second; below one, the message without a number instead of 0."""
    return say(key, n=round(rate), **values) if rate >= 1 else say(f"{key}.few", **values)


def camera_checks(table: TableNow, sight: LiveView) -> list[CameraCheck]:
    """Check whether pictures come, and whether they are bright and sharp enough."""
    state = sight.state
    if not sight.running:
        return [CameraCheck(False, say("state.off.why"))]
    if sight.frame == 0 or state is None:
        return [CameraCheck(False, say("camera.none"))]
    rate = _rate(sight)
    found = [CameraCheck(rate >= FEW, _camera_on(table, rate), mendable=False)] if rate else []
    if state.behind:
        found.append(CameraCheck(False, _paced("camera.behind", state.fps), mendable=False))
    if state.light >= 0:
        key = "dark" if state.light < DIM else "glare" if state.light > BRIGHT else "bright"
        found.append(CameraCheck(key == "bright", say(f"setup.camera.{key}")))
    if state.sharp >= 0:
        sharp = state.sharp >= SOFT
        found.append(CameraCheck(sharp, say("setup.camera.sharp" if sharp else "setup.camera.soft")))
    return found


def reading(due: Diagram | None, sight: LiveView) -> SetupReading | None:
    """Return how well the board reads now, pit by pit; None if it is not read or nothing is due."""
    if due is None or sight.state is None or not sight.state.pits:
        return None
    shape = pits(due["board"])
    read = {pit.name: pit for pit in sight.state.pits}
    if set(read) != {pit["name"] for pit in shape}:
        return None
    wrong, sentences = [], []
    for number, pit in enumerate(shape):
        there, n = read[pit["name"]], due["n"][number]
        if there.seen and there.count == n:
            continue
        wrong.append(number)
        key = "setup.pit.covered" if not there.seen or there.count < 0 else "setup.pit.reads"
        sentences.append(say(key, pit=pit["name"], read=there.count, due=n))
    return SetupReading(len(shape) - len(wrong), len(shape), wrong, sentences)


def _laid(book: Book, sight: LiveView) -> tuple[bool, str]:
    table, state = book.table, sight.state
    if starting(table):
        return False, say("setup.laid.starting")
    name = (state.state if state else "") or table["state"]["name"]
    why = reason_of(state.why, message_json(state.told)) if state and state.why else reason_of(
        table["state"]["why"], table["state"]["told"])
    if not _playing(table) or not sight.running or name in ("", "starting", "searching", "setting-up", "blind"):
        return False, sentence(why) or say("state.setting-up.why")
    if state and state.position and table["position"] and state.position != table["position"].get("line"):
        return False, say("state.setting-up.why")  # the table's live state still shows the game before
    read = reading(table["position"], sight)
    if read is None or table["position"] is None or name != "watching":
        return True, say("setup.laid.done")
    if read.right == read.total and not table["position"]["ply"]:
        return True, say("setup.laid.ready")
    return True, say("setup.laid.right", right=read.right, total=read.total)


def starting(table: TableNow) -> bool:
    """Return whether a new game was ordered that the table has not begun: it still shows the game before."""
    return any(order["what"] == "new" for order in table["pending"])


def _playing(table: TableNow) -> bool:
    """Return whether a game is in progress."""
    return bool(table["game"]) and not table["over"]


def _game_on(table: TableNow) -> str:
    """Return the current game in words."""
    game = table["game"]
    if game is None or not _playing(table):
        return say("state.waiting.why")
    return f"{title(game['game'])} · {game['board'].replace('x', ' × ')} · {ruleset_of(game['rules'])}"


def _chosen(draft: Draft) -> str:
    """Return the choice in words."""
    board = draft.board.replace("x", " × ")
    how = f"{board} · {say('setup.lies')}" if draft.setup == "lies" else layout_of(draft.setup)
    return f"{title(draft.game)} · {ruleset_of(draft.rules)} · {how}"


def title(game: str) -> str:
    """Return a game's name for people."""
    return next((one["title"] for one in offers() if one["game"] == game), game)
