"""Each game has a page of rules, and the tables at its end are those of the program."""

from __future__ import annotations

import pytest

from engine.rules import game, games, ruleset
from tests.engine.games.rule_pages import end, page, row, written


@pytest.mark.parametrize("name", games())
def test_a_games_page_ends_with_its_set_ups_and_rulesets(name: str) -> None:
    """`python -m tests.engine.games.rule_pages` writes it."""
    text = page(name).read_text("utf-8")
    assert text.startswith(f"# {game(name).title}")
    assert text == written(text, game(name))


def test_every_set_up_and_ruleset_is_listed() -> None:
    for name in games():
        listed = end(game(name))
        for rules in game(name).rulesets:
            assert f"| `{rules}` | " in listed
        for board in game(name).boards:
            assert all(f"| {setup} | {board} | " in listed for setup in ruleset(name).setups(board))


def test_rows_stand_as_their_owner_sees_them() -> None:
    assert row(ruleset("enkeshui").setup("2x8-right")) == "0 0 4 4 4 4 4 4"
    assert row(ruleset("omweso").setup("4x8-outer")) == "0 0 0 0 0 0 0 0 / 4 4 4 4 4 4 4 4"


def test_a_page_without_the_mark_is_refused() -> None:
    with pytest.raises(ValueError, match="the page of endodoi has no line"):
        written("# En Dodoi\n", game("endodoi"))
