"""`inkeek rules`: every ruleset and field of every game, with meaning and source."""

import json
from typing import Any

import pytest
from click.testing import CliRunner, Result

from device.cli.main import inkeek
from device.journal.game import Game
from engine.messages import any_of
from engine.records.reader import read
from engine.rules import games, ruleset, rulesets
from tests.device.cli.terminals import in_a_terminal


def ask(*args: str) -> Result:
    return CliRunner().invoke(inkeek, ["rules", *args])


def objects(result: Result) -> dict[str, dict[str, Any]]:
    return {said["game"]: said for said in map(json.loads, result.stdout.splitlines())}


def test_every_game_is_told_one_a_line() -> None:
    result = ask("--json")
    said = objects(result)
    assert (result.exit_code, tuple(said)) == (0, games())
    for game, form in said.items():
        assert list(form) == ["game", "title", "boards", "rulesets", "fields"]
        assert [r["name"] for r in form["rulesets"]] == list(rulesets(game))
        for told in form["rulesets"]:
            assert told["values"] == ruleset(game, told["name"]).values
            assert told["source"]


@pytest.mark.parametrize("game", games())
def test_every_field_has_a_meaning_a_source_and_values_that_can_be_set(game: str) -> None:
    (form,) = objects(ask(game, "--json")).values()
    assert {f["name"] for f in form["fields"]} == set(ruleset(game).values)
    for field in form["fields"]:
        assert field["meaning"] and field["source"], field
        values = field["values"]
        settable = [values["least"], field["default"], values["most"]] if isinstance(values, dict) else values
        assert field["default"] in settable
        for value in settable:
            text = str(value).lower() if isinstance(value, bool) else str(value)
            assert ruleset(game, None, {field["name"]: text}).values[field["name"]] == value


def test_the_fields_of_omweso() -> None:
    fields = {f["name"]: f for f in objects(ask("omweso", "--json"))["omweso"]["fields"]}
    assert {"reverse", "reverse_after_forward_capture", "capture_free_turns", "akakyala", "akawumbi_points", "clocks",
            "begin_seconds", "move_seconds"} <= set(fields)
    assert fields["akawumbi_points"] == {
        "name": "akawumbi_points", "values": {"least": 1, "most": 100}, "default": 3,
        "meaning": "what a win by capturing from every occupied pit in one move is worth",
        "source": "Wikipedia, Omweso: tournament rules",
    }


def test_plain_text_is_for_people() -> None:
    text = ask("omweso").stdout
    assert text.startswith("Omweso (--game omweso)\n  --board 4x8: 4x8-outer, 4x8-twos\n")
    assert "  --set reverse_pits=abij|bgip  (default abij)\n" in text
    assert "--set capture_free_turns=0…100  (default 0)" in text
    assert "reverse_pits=bgip" in text
    assert max(map(len, text.splitlines())) <= 110
    assert all(f"{ruleset(name).title} (" in ask().stdout for name in games())


def test_a_game_that_is_none_is_one_sentence_and_exit_2() -> None:
    result = ask("chess")
    assert result.exit_code == 2
    assert result.stderr == f"Error: 'chess' is not a game known here: {any_of(games())}\n"


def test_a_game_is_the_same_in_capital_letters_and_as_its_title() -> None:
    for name in ("Enkeshui", "ENKESHUI", "En Dodoi", "en-dodoi", "Omweso"):
        assert ask(name).exit_code == 0, name
    assert ruleset("Enkeshui", "Driedger").name == "driedger" and ruleset("En Dodoi").game == "endodoi"


def test_a_record_and_a_journal_know_a_game_by_any_spelling() -> None:
    (record,) = read('[Game "Enkeshui"] [Rules "Driedger"] 1. f *')
    assert '[Game "enkeshui"]' in str(record)
    mine = Game()
    mine.rules = ruleset("enkeshui", "wikipedia", {"string_at_bull": "skip"})
    assert mine.rules_for("Enkeshui", "Wikipedia").sets == {"string_at_bull": "skip"}, "the fields stay changed"


@pytest.mark.parametrize("game", games())
def test_who_looks_on_gets_the_set_up_and_how_the_game_is_played(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    said = in_a_terminal(monkeypatch, "rules", game)
    assert "A move: " in said and "The end: " in said and "0 captured" in said and "\x1b[3" not in said
    letters = [line.split() for line in said.splitlines()]
    assert [*("ijklmnop" if game == "omweso" else "abcdefghijkl")][:ruleset(game).setup().board.cols] in letters
    assert max(map(len, said.splitlines())) <= 100
