"""How the games are played: one page per game, with a move drawn lap by lap; the words; and the demo's latest foul."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from flask import Blueprint, abort, redirect, render_template, url_for
from werkzeug.wrappers import Response

from device.journal.events import ShowFoul
from engine.board import Side
from engine.games.base import Example
from engine.position import Position
from engine.rules import games, ruleset, rulesets
from engine.trace import Capture, Drop, Lift, MakeBull, Trace, Walk
from web.messages import MESSAGES
from web.readmodel.book import Book
from web.readmodel.drawing import board_svg
from web.readmodel.marks import differing
from web.readmodel.shapes import Diagram, diagram
from web.views import audience, house_rules
from web.views.orders import write
from web.words import say, speak_of

blueprint = Blueprint("help", __name__)

TERMS = ("lap", "slept", "bull", "inkeek")
"""The words that are explained, each at its anchor."""


class HelpPicture(NamedTuple):
    """One picture of a move: its caption, the board, and the pits that have changed since the picture before."""

    words: str
    board: Diagram
    changed: list[int]


@blueprint.get("/help")
def page() -> str:
    """Show all games, and the words."""
    return render_template("help.html", games=[(name, ruleset(name).title) for name in games()], terms=TERMS)


@blueprint.get("/help/<name>")
def game(name: str) -> str:
    """Show one game."""
    if name not in games():
        abort(404)
    speak_of(name)
    rules = ruleset(name)
    parts = [part for part in ("move", "capture", "bull", "end") if f"help.{part}.{name}" in MESSAGES]
    shown = {one.of: frames(name, one) for one in rules.examples}
    others = {other: house_rules.differences(name, other) for other in rulesets(name) if other != rules.name}
    return render_template("help_game.html", name=name, followed=rules.name, others=others, title=rules.title,
                           parts=parts, shown=shown, setup=diagram(str(rules.setup())), board_svg=board_svg)


@blueprint.get("/help/foul")
def foul() -> Response:
    """Redirect to the newest foul of the current game; if there is none, to the explanation of fouls."""
    book = audience.book()
    now = book.since(0)
    found = next((item for item in reversed(now["items"]) if item.get("verdict") == "illegal"), None)
    begun = now["table"]["game"]
    if found is None or begun is None or found["number"] < begun["number"]:
        return redirect(url_for("help.page") + "#foul", 303)
    return redirect(url_for("history.move", number=begun["number"], verdict=found["number"]), 303)


@blueprint.post("/help/foul")
def show_foul() -> Response:
    """Redirect to the newest foul of the demo's game; if there is none yet, order one."""
    book = audience.book()
    now = book.since(0)["table"]
    game = now["game"]["number"] if now["game"] else 0
    demo = now["camera_told"] is not None and now["camera_told"]["key"] == "camera.sim"
    if not demo or any(one.game == game for one in book.fouls()):
        return redirect(url_for("help.foul"), 303)
    if not any(one["what"] == "arrange" for one in now["pending"]) and not _promised(book, game):
        write(book, ShowFoul(by="page"))
    return redirect(url_for("page.index"), 303)


def _promised(book: Book, game: int) -> bool:
    """Return whether somebody has ordered a foul in this game."""
    return any(item["kind"] == "order" and item["what"] == "foul" and item["number"] > game
               for item in book.since(0)["items"])


def frames(name: str, example: Example) -> list[HelpPicture]:
    """Return the board before the move, after each lap, and after each capture and new bull."""
    start = Position.parse(example.start)
    before = diagram(str(start))
    assert before is not None, "an example is a position"
    made = [HelpPicture(say("verdict.before"), before, [])]
    for words, after in _boards(start, ruleset(name).play(start, example.move).trace):
        drawn = diagram(str(after))
        assert drawn is not None, "a board that a trace leaves is one"
        made.append(HelpPicture(words, drawn, differing(made[-1].board, drawn)))
    return made


def _boards(start: Position, trace: Trace) -> Iterator[tuple[str, Position]]:
    """Yield the boards to draw for a move, each with its caption: after every lap, every capture and every new bull."""
    walk, now, lap = Walk(list(start.counts), start.board.name), start, 0
    for step, following in pairwise((*trace, None)):
        assert step is not None, "only the last has nothing after it"
        walk.take(step)
        now = now.with_counts(tuple(walk.counts))
        match step:
            case Lift():
                lap += 1
            case Drop() if not walk.hand and not isinstance(following, MakeBull):
                yield say("replay.lap", n=lap), now
            case Capture(_, n, sown_from):
                if sown_from is None:
                    now = _with_captured(now, n, start.to_move)
                yield say("said.captured", n=n), now
                lap += sown_from is not None
            case MakeBull(pits):
                now = _with_bulls(now, pits, start.to_move)
                names = say("list.comma").join(map(start.board.name, pits))
                yield say("said.bulls", n=len(pits), pits=names), now
            case _:
                pass


def _with_captured(position: Position, n: int, by: Side) -> Position:
    """Return the position with `n` more seeds captured by that side."""
    south, north = position.captured
    return replace(position, captured=(south + n, north) if by is Side.SOUTH else (south, north + n))


def _with_bulls(position: Position, pits: Sequence[int], owner: Side) -> Position:
    """Return the position with bulls of that side in these pits."""
    bulls = tuple(owner if pit in pits else kept for pit, kept in enumerate(position.bulls))
    return replace(position, bulls=bulls)
