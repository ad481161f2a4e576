"""A whole game, move by move, as golden/ keeps one of every ruleset; its moves are drawn by lot, the same at every run.

python -m tests.engine.games.golden_game GAME RULESET SETUP     prints it; keep it as golden/GAME-RULESET-SETUP.txt

SETUP is the name of a set-up, such as 2x8-right. Read the game through against the rules before keeping it: the test
holds the program to it from then on.
"""

import argparse
import random
from collections.abc import Iterator

from engine.position import Position
from engine.rules import Move, Over, Rules, ruleset

SHORTEST, LONGEST = 10, 300
"""Moves: a game that ends sooner shows little, one that has not ended by then is given up."""
TRIES = 100
"""Games that are begun in search of one that ends."""


def played(rules: Rules, start: Position) -> tuple[list[Move], Over]:
    """The moves of a game by lot, and its end. Raises ValueError where no game ends within these moves."""
    for seed in range(TRIES):
        rng, position, made = random.Random(seed), start, list[Move]()
        for _ in range(LONGEST):
            over = rules.ended(position, [move.before for move in made])
            if over is not None and len(made) >= SHORTEST:
                return made, over
            moves = rules.moves(position).moves
            if not moves:
                break
            made.append(rng.choice(moves))
            position = made[-1].position
    raise ValueError(f"of {TRIES} games of {rules.title} none ended after {SHORTEST} to {LONGEST} moves")


def lines(rules: Rules, setup: str) -> Iterator[str]:
    """The lines of the file. Raises RulesError for a set-up that does not exist, ValueError as `played`."""
    start = rules.setup(setup)
    moves, over = played(rules, start)
    yield f"# {rules.title} `{rules.name}`, {setup}: a whole game, move by move."
    yield "# number player move = position after it   (laps, how it ended, seeds captured)"
    yield f"{rules.game} {rules.name} {setup}"
    yield str(start)
    width = max(len(str(move.position)) for move in moves)
    for number, move in enumerate(moves, 1):
        yield (f"{number:2} {move.before.to_move.letter} {move.name:<6} = {move.position!s:<{width}} "
               f"({move.laps} {move.ends} {move.captured})")
    winner = "-" if over.winner is None else over.winner.letter
    yield f"over {over.result[0]}-{over.result[1]} {winner} {over.reason}"


def main() -> None:
    """Print the one that the command line names."""
    asked = argparse.ArgumentParser(prog="python -m tests.engine.games.golden_game", description="Print a whole game.")
    for word in ("game", "ruleset", "setup"):
        asked.add_argument(word)
    words = asked.parse_args()
    try:
        print("\n".join(lines(ruleset(words.game, words.ruleset), words.setup)))
    except ValueError as e:
        asked.error(str(e))


if __name__ == "__main__":
    main()
