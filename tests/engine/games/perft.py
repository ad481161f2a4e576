"""Distinct positions after 1, 2, 3 … moves from every set-up under every ruleset: the perft tables of these games.

python -m tests.engine.games.perft > tests/engine/games/golden/perft.table     writes the table that is kept
"""

from collections.abc import Iterator
from pathlib import Path

from engine.board import Board
from engine.position import Position
from engine.rules import Rules, games, ruleset, rulesets

GOLDEN = Path(__file__).parent / "golden" / "perft.table"
DEEPEST, TESTED = 4, 3
"""Moves that are looked ahead in the table that is kept, and in the tests. The bench holds the last column as well."""

EXTRA = (
    ("enkeshui", "driedger", {"bulls_in_first_move": "true", "direction_choice": "never"}),
    ("enkeshui", "driedger", {"string_at_bull": "skip", "direction_choice": "move", "skip_origin": "true"}),
    ("omweso", "wikipedia", {"reverse": "false", "capture_free_turns": "1"}),
    ("omweso", "wikipedia", {"reverse_after_forward_capture": "true"}),
)
"""Rulesets with fields changed, as other programs play them, or not tried otherwise."""
AGREED = {Board(2, 10): Position.parse("0,0,0,6,6,6,6,0,0,0/0,0,0,6,6,6,6,0,0,0 S 0-0")}
"""A set-up for a board that none is written down for."""


def cases() -> Iterator[tuple[str, Rules, Position]]:
    """Every ruleset and set-up, with the words that name it."""
    plain: list[tuple[str, str, dict[str, str]]] = [(game, name, {}) for game in games() for name in rulesets(game)]
    for game, name, sets in [*plain, *EXTRA]:
        rules = ruleset(game, name, sets)
        changed = "".join(f" {key}={value}" for key, value in sets.items())
        for board in rules.boards:
            for setup in rules.setups(board):
                yield f"{game} {name} {setup}{changed}", rules, rules.setup(setup, board)
            if not rules.setups(board):
                yield f"{game} {name} agreed {board}{changed}", rules, AGREED[board]


def widths(rules: Rules, start: Position, deepest: int = DEEPEST) -> list[int]:
    """How many distinct positions there are after 1, 2 … moves.

    A position is the board with its bulls, the side to move and what each has captured.
    """
    level, found = {start}, []
    for _ in range(deepest):
        level = {move.position for position in level for move in rules.moves(position).moves}
        found.append(len(level))
    return found


def table(deepest: int = DEEPEST) -> list[str]:
    """The lines of the table."""
    return [f"{words:<90} {' '.join(map(str, widths(rules, start, deepest)))}" for words, rules, start in cases()]


def kept(deepest: int = DEEPEST) -> list[str]:
    """The lines of the table that is kept, up to so many moves."""
    lines = [line for line in GOLDEN.read_text("utf-8").splitlines() if not line.startswith("#")]
    return [f"{line[:90]} {' '.join(line[90:].split()[:deepest])}" for line in lines]


def main() -> None:
    """Print it."""
    print("# Distinct positions after 1, 2, 3 and 4 moves.")
    print("\n".join(table()))


if __name__ == "__main__":
    main()
