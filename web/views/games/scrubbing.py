"""All boards of a game, for the slider on its page."""

from collections.abc import Sequence
from typing import TypedDict

from markupsafe import Markup, escape

from web.players import named
from web.readmodel.feed import GameItem, Item, SetItem, VerdictItem
from web.readmodel.marks import differing
from web.readmodel.shapes import Diagram, Pit, pits
from web.readmodel.wording import sentence_of
from web.words import say


class ScrubbedBoard(TypedDict):
    """A board of the game. n, bulls: as in a diagram; odd: pits that are not as they should be; verdict: number of the
    verdict that led to it, 0 for none; kind: of that verdict; text: its sentence."""

    n: list[int]
    bulls: dict[int, str]
    odd: list[int]
    captured: list[int]
    verdict: int
    kind: str
    text: str


class Scrub(TypedDict):
    """The boards of a game, oldest first. fouls: frames whose verdict is a foul. teams: the players."""

    number: int
    shape: Sequence[Pit]
    frames: list[ScrubbedBoard]
    fouls: list[int]
    teams: dict[str, Sequence[str]]


def whole_game(number: int, found: Sequence[Item]) -> Scrub | None:
    """Return the boards after every standing verdict of a game and after boards set by hand; None without a move."""
    shown = [(item, item["position"]) for item in found if item["kind"] in ("game", "set")
             or (item["kind"] == "verdict" and item["gone"] is None)]
    frames_of = [(item, position) for item, position in shown if position is not None]
    if not any(item["kind"] == "verdict" for item, _ in frames_of):
        return None
    board = frames_of[0][1]["board"]
    frames = [_frame(item, position) for item, position in frames_of if position["board"] == board]
    return Scrub(number=number, shape=pits(board), frames=frames,
                 fouls=[i for i, frame in enumerate(frames) if frame["kind"] == "illegal"],
                 teams={letter: named().of(letter) for letter in ("S", "N")})


def _frame(item: VerdictItem | GameItem | SetItem, position: Diagram) -> ScrubbedBoard:
    odd = differing(item["expected"], position) if item["kind"] == "verdict" else []
    return ScrubbedBoard(n=position["n"], bulls=position["bulls"], odd=odd, captured=position["captured"],
                         verdict=item["number"] if item["kind"] == "verdict" else 0,
                         kind=item["verdict"] if item["kind"] == "verdict" else item["kind"], text=_text(item))


def _text(item: VerdictItem | GameItem | SetItem) -> str:
    if item["kind"] == "game":
        return say("game.began")
    if item["kind"] == "set":
        return say("item.set")
    return f"{say('verdict.' + item['verdict'])}. {sentence_of(item)}"


def marks(scrub: Scrub | None) -> Markup:
    """Return a picture as wide as the slider with the fouls marked; its label names these moves for screen readers."""
    if scrub is None:
        return Markup("")
    last = max(1, len(scrub["frames"]) - 1)
    fouls = scrub["fouls"]
    label = say("game.marks", moves=", ".join(map(str, fouls))) if fouls else say("game.marks.none")
    lines = "".join(f'<rect x="{1000 * at / last - 4:.1f}" width="8" height="12"/>' for at in fouls)
    return Markup(f'<svg class="scrub-marks" viewBox="0 0 1000 12" preserveAspectRatio="none" role="img" '
                  f'aria-label="{escape(label)}">{lines}</svg>')
