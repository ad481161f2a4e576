"""The possible new games, for the page's dialog and for checking orders."""

from functools import lru_cache
from typing import TypedDict

from engine.position import Position, PositionError
from engine.rules import RulesError, games, ruleset, rulesets
from web.messages import MESSAGES
from web.readmodel.feed import TableNow
from web.words import say


class BoardOffer(TypedDict):
    """A board for a game, and the names of its set-ups, the usual one first."""

    board: str
    setups: list[str]


class Offer(TypedDict):
    """A game that can be begun. boards: the smallest first; usual: the board that the game is mostly played on.
    captures: whether captured seeds leave the board and are counted; bulls: whether pits may become bulls; terms: the
    words that are explained beside the board."""

    game: str
    title: str
    rules: list[str]
    boards: list[BoardOffer]
    usual: str
    captures: bool
    bulls: bool
    terms: list[str]


@lru_cache(maxsize=1)
def offers() -> list[Offer]:
    """Return every game with its rulesets, its boards and their set-ups."""
    found = []
    for game in games():
        rules = ruleset(game)
        boards = [BoardOffer(board=str(board), setups=list(rules.setups(board)))
                  for board in sorted(rules.boards, key=lambda one: one.pits)]
        found.append(Offer(game=game, title=rules.title, rules=list(rulesets(game)), boards=boards,
                           usual=str(rules.setup().board),
                           captures=not any(rules.across(pit) for pit in range(rules.boards[0].pits)),
                           bulls=rules.has_bulls, terms=list(rules.terms)))
    return found


def terms_of(game: str) -> list[str]:
    """Return the words of a game that are explained beside its moves."""
    return next((one["terms"] for one in offers() if one["game"] == game), [])


def agreed_result(table: TableNow) -> str:
    """Return the current game's result if both sides agreed to stop now, such as 24-24; "" if its rules have no such
    end, or no game is in progress."""
    game, position = table["game"], table["position"]
    if not game or not position or table["over"]:
        return ""
    try:
        over = ruleset(game["game"], game["rules"] or None, game["sets"]).agreed(Position.parse(position["line"]))
    except (RulesError, PositionError):  # written by a newer table
        return ""
    return "" if over is None else "-".join(map(str, over.result))


def ruleset_of(name: str) -> str:
    """Return a ruleset's name in the visitor's language: "Driedger's rules" for "driedger"."""
    return say(f"ruleset.{name}") if f"ruleset.{name}" in MESSAGES else name


def layout_of(name: str) -> str:
    """Return a set-up's name in the visitor's language: "2 × 8, seeds to the right" for "2x8-right"."""
    board, _, how = name.partition("-")
    board = board.replace("x", " × ")
    return say("layout", board=board, how=say(f"layout.{how}")) if how else board


def setup_line(game: str, rules: str, board: str, name: str) -> str | None:
    """Return the position line of a set-up; None if that board has no set-up of this name. Raises RulesError."""
    chosen = ruleset(game, rules or None)
    for one in chosen.boards:
        if str(one) == board and name in chosen.setups(one):
            return str(chosen.setup(name, one))
    return None
