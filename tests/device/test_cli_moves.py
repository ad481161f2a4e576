"""`inkeek moves`: the kept form, streaming, and one sentence for whatever is wrong."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner, Result

from device.cli_moves import moves

ENKESHUI = "0,5,0,0,0,0,0,0/1,0,1,0,0,0,0,0 S 21-20 ply=30"


def ask(*args: str, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(moves, list(args), input=stdin)


def objects(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_the_form_of_moves() -> None:
    result = ask(ENKESHUI, "--game", "enkeshui", "--json")
    assert result.exit_code == 0
    (said,) = objects(result)
    assert list(said) == ["position", "to_move", "moves", "endless", "over"]
    assert (said["position"], said["to_move"], said["endless"], said["over"]) == (ENKESHUI, "S", [], None)
    assert said["moves"][0] == {
        "move": "a", "position": "0,0,0,0,0,0,0,0/0,0,1,0,0,0,0,0 N 27-20 ply=31", "captured": 6, "laps": 1,
        "ends": "capture",
    }


def test_the_form_of_an_end() -> None:
    (said,) = objects(ask("0,0,0,0,0,0,0,0/1,0,0,0,0,0,0,0 N 27-20 ply=31", "--game", "enkeshui", "--json"))
    assert said["moves"] == []
    assert said["over"] == {"result": "28-20", "winner": "S", "reason": "North cannot move"}


def test_endless_pits_are_named_and_unproved_ones_marked() -> None:
    (proved,) = objects(ask("1,0,1,2,1/7,2,3,1,2 S 20-0 ply=14", "--game", "endodoi", "--json"))
    assert proved["endless"] == ["c"]
    assert "unproved" not in proved
    (deep,) = objects(ask("3,0,3,0,3/7,0,4,3,4 S 10-3 ply=10", "--game", "endodoi", "--json"))
    assert (deep["endless"], deep["unproved"]) == (["a"], ["a"])


def test_without_a_line_the_setup_is_shown() -> None:
    (said,) = objects(ask("--game", "endodoi", "--json"))
    assert said["position"] == "4,4,4,4,4,4/4,4,4,4,4,4 S 0-0 ply=0"


def test_a_stream_has_an_answer_for_every_line_good_or_bad() -> None:
    lines = [ENKESHUI, "3,3/0,1,2 S 0-0", ENKESHUI.replace("21-", "20-"), "", "\x00\x1b[2J", ENKESHUI]
    result = ask("-", "--game", "enkeshui", "--json", stdin="\n".join(lines))
    said = objects(result)
    assert [("error" in s) for s in said] == [False, True, True, True, False]
    assert said[1] == {"error": "row 2 has 3 pits, row 1 has 2", "position": "3,3/0,1,2 S 0-0"}
    assert said[2]["error"].startswith("47 seeds")
    assert result.exit_code == 1
    assert result.stderr == "Error: 3 of 5 positions could not be used\n"


def test_a_stream_of_bytes_that_are_no_text_is_answered() -> None:
    result = ask("-", "--game", "enkeshui", "--json", stdin=b"\xff\xfe\x00\n" + b"1," * 40_000 + b"\n")
    assert all("error" in s for s in objects(result))
    assert result.exit_code == 1


def test_fields_change_the_rules() -> None:
    line = "0,0,0,5,0,0,0,0/1,1,0,0,0,0,0,0 S 21-20 ply=30"
    for sets, captured in (([], 6), (["--set", "relay_forfeits_capture=true"], 0)):
        (said,) = objects(ask(line, "--game", "enkeshui", "--json", *sets))
        assert next(m for m in said["moves"] if m["move"] == "a")["captured"] == captured


@pytest.mark.parametrize(("args", "said"), [
    ((ENKESHUI, "--game", "chess"), "'chess' is no game that is known here: enkeshui, endodoi or omweso"),
    ((ENKESHUI, "--game", "enkeshui", "--rules", "x"), "'x' is no ruleset of Enkeshui: driedger or wikipedia"),
    ((ENKESHUI, "--game", "enkeshui", "--set", "x=1"), "'x' is no field of these rules"),
    ((ENKESHUI, "--game", "enkeshui", "--set", "x"), "'x' is no FIELD=VALUE"),
    (("1,2/3 S 0-0", "--game", "enkeshui"), "row 2 has 1 pits, row 1 has 2"),
    ((ENKESHUI.replace("21-", "20-"), "--game", "enkeshui", "--json"), "47 seeds"),
    ((ENKESHUI,), "Missing option '--game'"),
])
def test_unusable_arguments_are_one_sentence_and_exit_2(args: tuple[str, ...], said: str) -> None:
    result = ask(*args)
    assert result.exit_code == 2
    assert said in result.stderr
    assert "Traceback" not in result.output


def test_plain_text_is_for_people() -> None:
    text = ask(ENKESHUI, "--game", "enkeshui").stdout
    assert "a      0,0,0,0,0,0,0,0/0,0,1,0,0,0,0,0 N 27-20 ply=31  (1 lap, capture of 6 seeds)" in text
    over = ask("0,0,0,0,0,0,0,0/1,0,0,0,0,0,0,0 N 27-20 ply=31", "--game", "enkeshui").stdout
    assert "over: 28-20, S wins: North cannot move" in over
    assert "c      sowing goes on past any end" in ask("1,0,1,2,1/7,2,3,1,2 S 20-0 ply=14", "--game", "endodoi").stdout
