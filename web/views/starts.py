"""The starts of a match's games: a written set-up, or a start that the players agreed on and typed."""

from collections.abc import Iterator, Mapping, Sequence

from engine.board import Board, Side
from engine.position import Position
from engine.rules import Rules
from web.readmodel.games import layout_of
from web.readmodel.reasons import message_text
from web.typed import whole_number
from web.views.draft import LIES
from web.views.orders import Refused
from web.words import say


def agrees(rules: Rules) -> bool:
    """Return whether a game can have an agreed start: not if the players arrange their own seeds before every game."""
    return not any(rules.arranges(rules.setup(name, board)) for board in rules.boards for name in rules.setups(board))


def choices(rules: Rules) -> Iterator[tuple[str, str]]:
    """Yield every board with each of its set-ups, and with an agreed start: the form's value, and the words for it."""
    for board in rules.boards:
        yield from ((f"{board}/{name}", layout_of(name)) for name in rules.setups(board))
        if agrees(rules):
            yield f"{board}/{LIES}", say("match.board.agreed", board=layout_of(str(board)))


def rows(board: Board, counts: Sequence[int]) -> tuple[str, str]:
    """Return both rows as they are typed, South's first. counts: along the ring; rows are "" for another board's
    counts."""
    if len(counts) != board.pits:
        return ("", "")
    south, north = (" ".join(str(counts[pit]) for pit in board.own(side)) for side in Side)
    return (south, north)


def line(rules: Rules, board: Board, setup: str, form: Mapping[str, str]) -> str:
    """Return the position line that the games begin from; "" for the first set-up. Raises Refused, which names the
    field."""
    written = rules.setups(board)
    if setup in written:
        return "" if setup == written[0] else str(rules.setup(setup, board))
    if setup != LIES or not agrees(rules):
        raise Refused("order.setup", at=f"board-{rules.game}", setup=setup[:40], board=board)
    counts = tuple(seeds for side in Side for seeds in _row(rules, board, side, form))
    position = Position(board, counts)
    problems = rules.problems(position)
    if problems:
        raise Refused("match.cannot", at=f"start-{rules.game}", why=message_text(problems[0]))
    return str(position)


def _row(rules: Rules, board: Board, side: Side, form: Mapping[str, str]) -> list[int]:
    at = f"start-{rules.game}-{side.letter}"
    words = form.get(at, "").replace(",", " ").split()
    found = []
    for seed in words:
        count = whole_number(seed, 2)
        if count is None:
            raise Refused("match.start.count", at=at, seed=seed[:20])
        found.append(count)
    if len(words) != board.half:
        raise Refused("match.start.pits", at=at, n=len(words), pits=board.half)
    return found
