"""Each game has a page of rules, and the tables at its end are those of the program."""

import pytest

from engine.rules import game, games, ruleset
from tests.engine.games.rule_pages import end, page, row, written


@pytest.mark.parametrize("name", games())
def test_a_games_page_ends_with_its_set_ups_and_rulesets(name: str) -> None:
    """`python -m tests.engine.games.rule_pages` writes it."""
    text = page(name).read_text("utf-8")
    assert text.startswith(f"# {game(name).title}")
    assert text == written(text, game(name))


def test_every_ruleset_is_listed_and_every_set_up_where_not_all_pits_hold_as_many() -> None:
    for name in games():
        listed, rules = end(game(name)), ruleset(name)
        assert all(f"| `{one}` | " in listed for one in game(name).rulesets)
        setups = {f"| {one} | {board} | ": rules.setup(one).counts for board in rules.boards
                  for one in rules.setups(board)}
        uneven = any(len(set(counts)) > 1 for counts in setups.values())
        assert all((line in listed) is uneven for line in setups), name


def test_rows_stand_as_their_owner_sees_them() -> None:
    assert row(ruleset("enkeshui").setup("2x8-right")) == "0 0 4 4 4 4 4 4"
    assert row(ruleset("omweso").setup("4x8-outer")) == "0 0 0 0 0 0 0 0 / 4 4 4 4 4 4 4 4"


def test_a_page_without_the_mark_is_refused() -> None:
    with pytest.raises(ValueError, match="the page of endodoi has no line"):
        written("# En Dodoi\n", game("endodoi"))
