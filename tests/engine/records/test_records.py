"""Games that other programs played, where they are beside the repository; a sample of the project's own is in golden/.
"""

import gzip
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.board import Board, Side
from engine.position import Position
from engine.rules import ruleset

RECORDS = Path(__file__).parents[4] / "shared" / "records"
SOURCES = {
    "stoneshark-enkeshui": ("enkeshui", {"bulls_in_first_move": "true", "direction_choice": "never"}),
    "stoneshark-endodoi": ("endodoi", {}),
    "ludii108-endodoi": ("endodoi", {}),
    "mcgill-omweso": ("omweso", {"reverse": "false", "capture_free_turns": "1"}),
    "solawkpatched-omweso": ("omweso", {"reverse_after_forward_capture": "true"}),
}
THERE = [name for name in SOURCES if (RECORDS / f"{name}.jsonl.gz").exists()]
ALL = [pytest.param(name, marks=pytest.mark.skipif(
    name not in THERE, reason="games that other programs played (their records in ../shared/records)"))
    for name in SOURCES]


def games(name: str) -> Iterator[dict[str, Any]]:
    with gzip.open(RECORDS / f"{name}.jsonl.gz", "rt") as lines:
        for line in lines:
            yield json.loads(line)


def position(board: Board, flat: list[int], bulls: list[str | None], player: str, won: list[int], ply: int) -> Position:
    """As recorded: rows from the bottom up, columns from South's left."""
    places = [board.place(p) for p in range(board.pits)]
    at = [(board.rows - 1 - r) * board.cols + c for r, c in places]
    owners = tuple(None if bulls[i] is None else Side.parse(str(bulls[i])) for i in at)
    return Position(board, tuple(flat[i] for i in at), owners, Side.parse(player), (won[0], won[1]), ply)


def played(board: Board, move: dict[str, Any]) -> str:
    """A recorded move by its name: the pit, and each direction chosen where the program gave the choice."""
    pit = board.at(board.rows - 1 - move["pit"][0], move["pit"][1])
    return board.name(pit) + "".join("<" if c["dir"] == "cw" else ">" for c in move.get("choices", ()))


@pytest.mark.parametrize("name", ALL)
def test_every_recorded_move_is_played_the_same(name: str) -> None:
    game, sets = SOURCES[name]
    rules, moves = ruleset(game, None, sets), 0
    for record in games(name):
        board = Board(record["rows"], record["cols"])
        none: list[str | None] = [None] * board.pits
        flat, bulls, won = record["start"], none, [0, 0]
        for ply, m in enumerate(record["moves"]):
            if m["after"] is None:
                break
            before = position(board, flat, bulls, m["player"], won, ply)
            flat, bulls = m["after"], m.get("bulls", none)
            if board.rows == 2:  # on four rows the totals are of what lies on each side
                won = m["captured_totals"]
            after = position(board, flat, bulls, before.to_move.other.letter, won, ply + 1)
            name = played(board, m)
            move = rules.play(before, name)
            assert replace(move.position, caps=(0, 0), won=None) == after, f"{before} {name}"
            assert board.rows == 2 or move.captured == m.get("captured", move.captured), f"{before} {name}"
            moves += 1
    assert moves > 500


@pytest.mark.parametrize("name", [n for n in ALL if not str(n.values[0]).startswith("solawk")])
def test_every_recorded_game_is_over_where_it_ended_with_the_same_result(name: str) -> None:
    # solawk's program looks for the end in the middle of a move, and stops there.
    game, sets = SOURCES[name]
    rules = ruleset(game, None, sets)
    for record in games(name):
        board, last = Board(record["rows"], record["cols"]), record["moves"][-1]
        none: list[str | None] = [None] * board.pits
        won = last["captured_totals"] if board.rows == 2 else [0, 0]
        turn = Side.parse(last["player"]).other.letter
        over = rules.over(position(board, last["after"], last.get("bulls", none), turn, won, len(record["moves"])))
        assert over is not None, record["seed"]
        assert (None if over.winner is None else over.winner.letter) == record["result"]["winner"]
        assert [*over.result] == record["result"].get("final", [*over.result])
