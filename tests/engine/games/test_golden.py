"""Whole games, move by move, as they are written in golden/: each can be read and played along on a board."""

import re
from pathlib import Path

import pytest

from engine.position import Position
from engine.rules import games, ruleset, rulesets
from tests.engine.games import golden_game

GAMES = sorted((Path(__file__).parent / "golden").glob("*.txt"))
MOVE = re.compile(r"\s*(\d+) ([SN]) (\S+) += (.+?) +\((\d+) (\S+) (\d+)\)")


def test_there_are_games_of_every_ruleset() -> None:
    assert {"-".join(p.name.split("-")[:2]) for p in GAMES} == {
        f"{game}-{name}" for game in games() for name in rulesets(game)
    }, "python -m tests.engine.games.golden_game writes one"


@pytest.mark.parametrize("path", GAMES, ids=lambda p: p.stem)
def test_a_whole_game(path: Path) -> None:
    played_along(path.read_text("utf-8"))


@pytest.mark.parametrize("game", games())
def test_a_game_for_golden_can_be_written(game: str) -> None:
    rules = ruleset(game)
    setup = next(name for board in rules.boards for name in rules.setups(board))
    made = list(golden_game.lines(rules, setup))
    played_along("\n".join(made))
    assert made == list(golden_game.lines(rules, setup)) and len(made) > 10


def played_along(text: str) -> None:
    """Every line of a game is as the rules have it."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    game, name, setup = lines[0].split()
    rules = ruleset(game, name)
    position = rules.setup(setup)
    assert position == Position.parse(lines[1])
    for number, line in enumerate(lines[2:-1], 1):
        found = MOVE.fullmatch(line)
        assert found, line
        assert (int(found[1]), found[2]) == (number, position.to_move.letter)
        move = rules.play(position, found[3])
        assert str(move.position) == found[4], line
        assert (move.laps, move.ends, move.captured) == (int(found[5]), found[6], int(found[7])), line
        assert any(m.position == move.position for m in rules.moves(position).moves)
        position = move.position
    over = rules.over(position)
    assert over is not None
    winner = "-" if over.winner is None else over.winner.letter
    assert f"over {over.result[0]}-{over.result[1]} {winner} {over.reason}" == lines[-1]
