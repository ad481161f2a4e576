"""Engine rate: moves applied per second on one thread, on the recorded games where available; and OpenSpiel's in the
same run. Also how wide the games are: distinct positions after 1…4 moves.

    python -m tests.bench.engine_bench [seconds]
"""

import importlib
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from engine.board import Board
from engine.position import Position
from engine.referee.faults import Work
from engine.referee.search import faulty_moves
from engine.rules import Rules, ruleset
from tests.bench.table import Row, print_rows, share
from tests.engine.games import perft
from tests.engine.games.test_golden import GAMES, MOVE
from tests.engine.records import test_records as recorded

Case = tuple[Rules, Position, str]


def cases() -> dict[str, list[Case]]:
    """Return moves by source: rules, position before, name of the move."""
    found: dict[str, list[Case]] = {}
    for name in recorded.THERE:
        game, sets = recorded.SOURCES[name]
        rules = ruleset(game, None, sets)
        for record in recorded.games(name):
            board = Board(record["rows"], record["cols"])
            first = record["moves"][0]["player"]
            position = recorded.position(board, record["start"], [None] * board.pits, first, [0, 0], 0)
            for m in record["moves"]:
                if m["after"] is None:
                    break
                played = recorded.played(board, m)
                found.setdefault(name, []).append((rules, position, played))
                position = rules.play(position, played).position
    return found or {"golden games": golden(GAMES)}


def golden(paths: list[Path]) -> list[Case]:
    """Return the moves of the project's own games, for a machine without others."""
    found = []
    for path in paths:
        lines = [line for line in path.read_text("utf-8").splitlines() if not line.startswith("#")]
        game, name, _ = lines[0].split()
        rules, position = ruleset(game, name), Position.parse(lines[1])
        for line in lines[2:-1]:
            played = MOVE.fullmatch(line)
            if played:
                found.append((rules, position, played[3]))
                position = Position.parse(played[4])
    return found


def rate(work: Callable[[], int], seconds: float) -> float:
    """Return the moves per second of processor time. work: makes some moves and returns how many."""
    began, done = time.process_time(), 0
    while (spent := time.process_time() - began) < seconds:
        done += work()
    return done / spent


def ours(listed: list[Case], *, every: bool) -> Callable[[], int]:
    """Return a function that applies the moves that were played or, with `every`, lists (and so applies) all legal
    moves."""

    def work() -> int:
        if every:
            return sum(len(rules.moves(position).moves) for rules, position, _ in listed)
        for rules, position, name in listed:
            rules.play(position, name)
        return len(listed)

    return work


def laps(listed: list[Case]) -> Callable[[], int]:
    """Return a function that lists every legal move of the positions and returns how many laps that sowed."""

    def work() -> int:
        return sum(move.laps for rules, position, _ in listed for move in rules.moves(position).moves)

    return work


def spiel(name: str) -> Callable[[], int]:
    """Return a function that plays a random game of OpenSpiel from Python. Raises ImportError if OpenSpiel is
    missing."""
    pyspiel: Any = importlib.import_module("pyspiel")
    game, rng = pyspiel.load_game(name), random.Random(1)

    def work() -> int:
        state, moves = game.new_initial_state(), 0
        while not state.is_terminal() and moves < 300:
            state.apply_action(rng.choice(state.legal_actions()))
            moves += 1
        return moves

    return work


def rows(seconds: float = 1.0) -> list[Row]:
    """Return the moves per second for every source of games, and OpenSpiel's."""
    found = []
    for name, listed in cases().items():
        played = f"{name}, moves as they were played"
        found.append(Row("moves a second", played, f"{rate(ours(listed, every=False), seconds):,.0f}", len(listed)))
        legal = f"{name}, all legal moves"
        found.append(Row("moves a second", legal, f"{rate(ours(listed, every=True), seconds):,.0f}", len(listed)))
        found.append(Row("laps a second", legal, f"{rate(laps(listed), seconds):,.0f}", len(listed)))
    found += explaining(cases())
    for name in ("mancala", "oware"):
        try:
            found.append(Row("moves a second", f"OpenSpiel {name}", f"{rate(spiel(name), seconds):,.0f}"))
        except ImportError:
            found.append(Row("moves a second", f"OpenSpiel {name}", "missing: open_spiel is not installed"))
    return found


def explaining(listed: dict[str, list[Case]], positions: int = 200) -> list[Row]:
    """Return the referee's load: the time to list all one-fault explanations, over mid-game positions from all the
    games."""
    found = []
    for game in ("enkeshui", "endodoi", "omweso"):
        here = [(rules, before) for moves in listed.values() for rules, before, _ in moves
                if rules.game == game and sum(n > 0 for n in before.counts) > before.board.pits // 3]
        spent, ways = [], 0
        for rules, before in here[:: max(1, len(here) // positions)][:positions]:
            began = time.process_time()
            ways += len(faulty_moves(rules, before, Work(1_000_000)))
            spent.append(1000 * (time.process_time() - began))
        if spent:
            spent.sort()
            figure = (f"median {spent[len(spent) // 2]:.0f} ms, mean {sum(spent) / len(spent):.0f} ms, 99th percentile "
                      f"{spent[int(0.99 * (len(spent) - 1))]:.0f} ms; {ways / len(spent):,.0f} of them")
            found.append(Row("all one-fault explanations of a position", f"{game}, positions of games", figure,
                             len(spent)))
    return found


def wide() -> list[Row]:
    """Return the share of rulesets and set-ups with as many distinct positions after 1 to 4 moves as the kept table."""
    found, kept = perft.table(), perft.kept()
    other = ", ".join(line[:90].strip() for line, old in zip(found, kept, strict=True) if line != old)
    return [share("as many positions after 1 to 4 moves as before", sum(map(str.__eq__, found, kept)), len(kept),
                  "every ruleset and set-up", f"otherwise: {other}" if other else "")]


@click.command()
@click.argument("seconds", default=1.0, type=click.FloatRange(min=0, min_open=True))
def main(seconds: float) -> None:
    """Measure moves applied per second, OpenSpiel's if it is installed, and how wide the games are. SECONDS per
    measurement, 1 by default."""
    print_rows(rows(seconds))
    print_rows(wide())


if __name__ == "__main__":
    main()
