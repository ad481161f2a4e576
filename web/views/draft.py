"""A game that somebody is about to begin: chosen in one step of the set-up, begun in another. Stored in the session."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace

from flask import session

from engine.board import Board, Side
from engine.position import Position
from engine.rules import Rules, RulesError, ruleset
from web.readmodel.book import Book
from web.readmodel.reasons import message_text, why_of
from web.views import house_rules
from web.views.orders import Refused, counts_in
from web.words import say

KEY = "draft"
COUNTS = "counts"
"""The `at` of an error that concerns all counts together."""
LIES = "lies"
"""The set-up is what people have laid: read by the camera, and confirmed pit by pit."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A chosen game. board: "2x8". setup: a set-up's name, or LIES. sets: the changed fields of the rules, as words."""

    game: str
    rules: str
    board: str
    setup: str
    sets: dict[str, str] = field(default_factory=dict)

    @property
    def ruleset(self) -> Rules:
        """The rules, from their name and changed fields. Raises RulesError."""
        return ruleset(self.game, self.rules, self.sets)

    @property
    def size(self) -> Board:
        """The board. Raises ValueError."""
        return Board.parse(self.board)


def stored() -> Draft | None:
    """Return the visitor's choice; None if there is none or an older page stored it."""
    found = session.get(KEY)
    if not isinstance(found, dict):
        return None
    try:
        draft = Draft(**found)
        _check(draft)
    except (TypeError, ValueError, Refused):
        return None
    return draft


def store(draft: Draft) -> None:
    """Store the choice for the next step."""
    session[KEY] = asdict(draft)


def forget() -> None:
    """Drop the choice, because the game has begun."""
    session.pop(KEY, None)


def chosen(form: Mapping[str, str]) -> Draft:
    """Return the choice in a form. Raises Refused, which names the field, or RulesError."""
    game = form.get("game", "")[:60]
    rules = ruleset(game, form.get(f"rules-{game}", "")[:60] or None)
    board, _, setup = form.get(f"board-{game}", "")[:60].partition("/")
    draft = Draft(game, rules.name, board, setup, house_rules.changed(game, rules.name, form))
    _check(draft)
    return draft


def last(book: Book) -> Draft | None:
    """Return the settings of the table's last game, to offer them again."""
    games = book.games()
    if not games:
        return None
    game = games[0]
    try:
        rules = ruleset(game.game, game.rules, game.sets)
        board, began = Board.parse(game.board), Position.parse(game.start)
        setup = next((name for name in rules.setups(board) if rules.setup(name, board).counts == began.counts), LIES)
        draft = Draft(game.game, rules.name, game.board, setup, rules.sets)
        _check(draft)
    except (ValueError, Refused):
        return None
    return draft


def position(draft: Draft, mover: Side, counts: Mapping[str, str] | None = None) -> Position:
    """Return the position that the game begins from. counts: a form's `n-a`, `n-b` …, for a board that people have
    laid. Raises Refused, RulesError."""
    rules, board = draft.ruleset, draft.size
    if draft.setup != LIES:
        return replace(rules.setup(draft.setup, board), to_move=mover)
    found = counts_in(counts or {}, draft.board)
    lying = Position(board, tuple(found), to_move=mover)
    problems = rules.problems(lying)
    if problems:
        raise Refused("setup.lies.wrong", at=COUNTS, why=message_text(problems[0]))
    each = rules.each(board)
    if each is not None:  # each player arranges his own seeds: none may change sides
        for side in Side:
            own = sum(found[pit] for pit in board.own(side))
            if own != each:
                raise Refused("setup.half", at=COUNTS, side=say(f"side.{side.letter}"), n=own, due=each)
    return lying


def side(letter: str) -> Side:
    """Return who moves first. Raises Refused."""
    if letter not in ("S", "N"):
        raise Refused("setup.no-first", at="first")
    return Side.parse(letter)


def _check(draft: Draft) -> None:
    """Check that there is such a game. Raises Refused or RulesError."""
    try:
        rules = draft.ruleset
    except RulesError as error:
        raise Refused("order.game", at="game", why=why_of(error)) from error
    board = next((one for one in rules.boards if str(one) == draft.board), None)
    if board is None:
        raise Refused("order.board", at=f"board-{draft.game}", game=rules.title, board=draft.board[:20])
    if draft.setup != LIES and draft.setup not in rules.setups(board):
        raise Refused("order.setup", at=f"board-{draft.game}", setup=draft.setup[:40], board=draft.board)
