"""What a new game can be, for the page's dialog and for checking its orders."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, TypedDict

from engine.position import Position, PositionError
from engine.rules import RulesError, games, ruleset, rulesets
from web.messages import MESSAGES
from web.words import say


class BoardOffer(TypedDict):
    """A board that a game is played on, and the names of its set-ups, the usual one first."""

    board: str
    setups: list[str]


class Offer(TypedDict):
    """A game that can be begun. boards: the smallest first; usual: the board that the game is mostly played on.
    captures: captured seeds leave the board, and are counted; bulls: pits may become bulls;
    terms: the words that are explained beside the board."""

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
    """Every game with its rulesets, its boards and their set-ups."""
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
    """The words of a game that are explained beside its moves."""
    return next((one["terms"] for one in offers() if one["game"] == game), [])


def agreed_result(table: Mapping[str, Any]) -> str:
    """What the game that is on at a table is worth where both sides agree to stop, such as 24-24; "" where its rules
    know no such end, and where no game is on."""
    game, position = table["game"], table["position"]
    if not game or not position or table["over"]:
        return ""
    try:
        over = ruleset(game["game"], game["rules"] or None, game["sets"]).agreed(Position.parse(position["line"]))
    except (RulesError, PositionError):  # of a newer table
        return ""
    return "" if over is None else "-".join(map(str, over.result))


def ruleset_of(name: str) -> str:
    """A ruleset's name as the visitor reads it: "driedger" as "Driedger's rules"."""
    return say(f"ruleset.{name}") if f"ruleset.{name}" in MESSAGES else name


def layout_of(name: str) -> str:
    """A set-up's name as the visitor reads it: "2x8-right" as "2 × 8, seeds to the right"."""
    board, _, how = name.partition("-")
    board = board.replace("x", " × ")
    return say("layout", board=board, how=say(f"layout.{how}")) if how else board


def setup_line(game: str, rules: str, board: str, name: str) -> str | None:
    """The position line of a set-up; None where that board has none of this name. Raises RulesError."""
    chosen = ruleset(game, rules or None)
    for one in chosen.boards:
        if str(one) == board and name in chosen.setups(one):
            return str(chosen.setup(name, one))
    return None
