"""Oware as OpenSpiel plays it: move lists, boards and ends of games by lot, for holding `oware openspiel` against.

python -m tests.engine.games.openspiel [GAMES]    compares so many games (with `pip install open_spiel`), and
python -m tests.engine.games.openspiel --keep     writes golden/openspiel.moves, which the tests read without it:
a line a game, its moves, and after each `=` the seeds along the ring, what is captured and whether it ended.
"""

from __future__ import annotations

import importlib
import random
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.board import Side
from engine.position import Position
from engine.rules import Rules, ruleset

KEPT = Path(__file__).parent / "golden" / "openspiel.moves"
SEEDS_KEPT = (347, 255, 79, 413, 220, 1)
"""Of the games that are kept: two end by repetition, two where nobody can be fed, two by captures."""


@dataclass(frozen=True)
class Seen:
    """A position of OpenSpiel's. counts: along the ring; captured: South's and North's; legal: the pits that may be
    begun from, by letter, "" where the game is over, which takes the rest of the seeds off the board."""

    counts: tuple[int, ...]
    captured: tuple[int, int]
    to_move: str
    legal: str

    def __str__(self) -> str:
        """As `parse` reads it."""
        counts = ",".join(map(str, self.counts))
        return f"{counts} {self.captured[0]}-{self.captured[1]} {self.to_move} {self.legal or '-'}"

    @classmethod
    def parse(cls, line: str) -> Seen:
        """Of a line."""
        counts, captured, to_move, legal = line.split()
        south, north = map(int, captured.split("-"))
        return cls(tuple(map(int, counts.split(","))), (south, north), to_move, legal.strip("-"))

    @classmethod
    def of(cls, state: Any) -> Seen:
        """Of OpenSpiel's state, read off its text."""
        rows = [list(map(int, line.split())) for line in str(state).splitlines() if re.fullmatch(r"[ \d]+", line)]
        scores = [int(n) for n in re.findall(r"score = (\d+)", str(state))]
        player = -1 if state.is_terminal() else state.current_player()
        legal = "".join(("abcdef" if player == 0 else "ABCDEF")[action] for action in state.legal_actions())
        return cls((*rows[1], *rows[0][::-1]), (scores[1], scores[0]), "SN"[player] if player >= 0 else "-",
                   legal if player >= 0 else "")


def played(seed: int) -> Iterator[tuple[str, Seen]]:
    """A game by lot, as OpenSpiel plays it: each move, "" before the first, and what lies there then."""
    pyspiel: Any = importlib.import_module("pyspiel")  # whoever only reads what is kept needs none
    state, rng = pyspiel.load_game("oware").new_initial_state(), random.Random(seed)
    yield "", Seen.of(state)
    while not state.is_terminal():
        action = rng.choice(state.legal_actions())
        move = ("abcdef" if state.current_player() == 0 else "ABCDEF")[action]
        state.apply_action(action)
        yield move, Seen.of(state)


def kept() -> Iterator[list[tuple[str, Seen]]]:
    """The games that are kept."""
    for game in KEPT.read_text("utf-8").split("\n\n"):
        lines = [line for line in game.splitlines() if not line.startswith("#")]
        yield [(word.strip(), Seen.parse(rest)) for word, _, rest in (line.partition("=") for line in lines)]


def differences(rules: Rules, game: Iterable[tuple[str, Seen]]) -> Iterator[str]:
    """What is otherwise under these rules in a game of OpenSpiel's, a sentence each."""
    position, earlier = rules.setup(), list[Position]()
    for move, seen in game:
        if move:
            earlier.append(position)
            position = rules.play(position, move).position
        over = rules.ended(position, earlier)
        if over is None:
            legal = "".join(map(position.board.name, rules.starts(position)))
            own = str(Seen(position.counts, position.captured, position.to_move.letter, legal))
        else:
            own = f"over {over.result} {over.winner}"
        if own != (str(seen) if over is None else _ended(seen, position)):
            yield f"after {move} OpenSpiel has {seen}, and here it is {own}"


def _ended(seen: Seen, position: Position) -> str:
    """The end of a game as OpenSpiel has it, each side given what lies in its row."""
    if seen.legal:
        return "not over"
    south, north = (won + sum(seen.counts[p] for p in position.board.own(one))
                    for one, won in zip(Side, seen.captured, strict=True))
    return f"over {(south, north)} {None if south == north else Side(north > south)}"


def main() -> None:
    """Compare, or keep."""
    if "--keep" in sys.argv:
        games = ["\n".join(f"{move:1} = {seen}" for move, seen in played(seed)) for seed in SEEDS_KEPT]
        KEPT.write_text("# Games of Oware by lot, as OpenSpiel plays it; see tests/engine/games/openspiel.py.\n"
                        + "\n\n".join(games) + "\n", "utf-8")
        return
    rules, positions, found = ruleset("oware", "openspiel"), 0, 0
    for seed in range(int(sys.argv[1]) if len(sys.argv) > 1 else 200):
        game = list(played(seed))
        positions += len(game)
        for difference in differences(rules, game):
            found += 1
            print(seed, difference)
    print(f"{positions} positions, {found} differences")


if __name__ == "__main__":
    main()
