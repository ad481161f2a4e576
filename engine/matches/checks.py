"""Validation: `MatchError`, and the checks that several kinds of event share."""

from engine.board import Board
from engine.messages import Message, message
from engine.position import Position

MAX_NAME = 40
SECOND_NS = 1_000_000_000


class MatchError(ValueError):
    """An event that cannot have happened there. The message is one sentence that names the value and the place."""


def quote(text: str) -> str:
    """Foreign text made fit to show: short, and without control characters."""
    return repr(text if len(text) <= MAX_NAME else text[:MAX_NAME] + "…")


def whole(value: int, what: Message | str, least: int = 0) -> int:
    """Return a whole number of at least `least`. Raises MatchError, also for a truth value."""
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise MatchError(message("contest.whole", what=what, number=str(value)[:MAX_NAME], least=least))
    return value


def name(text: str, what: Message | str) -> str:
    """Return a person's name: 1 to 40 printable characters without space before or after. Raises MatchError."""
    if not text or len(text) > MAX_NAME or not text.isprintable() or text != text.strip():
        raise MatchError(message("contest.name", what=what, name=quote(text), most=MAX_NAME))
    return text


def lies(position: Position, board: Board, where: Message | str) -> Position:
    """Return a position that may lie on this board, lawful or not. Raises MatchError."""
    if position.board != board:
        raise MatchError(message("contest.other-board", what=where, lies=str(position.board), board=str(board)))
    below = next((p for p, n in enumerate(position.counts) if n < 0), None)
    if below is not None or min(position.captured) < 0:
        pit = "the captured seeds" if below is None else f"pit {board.name(below)}"
        raise MatchError(f"{where} has fewer than no seeds in {pit}")
    return position


def seconds(ns: int) -> str:
    """Format nanoseconds for people: `3.2 s`, `180 s`."""
    tenths = round(ns * 10 / SECOND_NS)
    return f"{tenths // 10} s" if tenths % 10 == 0 else f"{tenths / 10:.1f} s"
