"""`inkeek moves`: the kept form, streaming, and one sentence for whatever is wrong."""

import json
import random
from typing import Any

import pytest
from click.testing import CliRunner, Result

from device.cli.main import inkeek
from device.cli.moves import moves
from engine.messages import any_of
from engine.rules import games
from tests.device.cli.terminals import in_a_terminal

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
    assert [("error" in s) for s in said] == [False, True, True, True, True, False]
    assert said[1] == {"error": "row 2 has 3 pits, row 1 has 2", "position": "3,3/0,1,2 S 0-0"}
    assert said[2]["error"].startswith("47 seeds")
    assert result.exit_code == 1
    assert said[3]["error"].startswith("'' is no position line")
    assert result.stderr == "Error: 4 of 6 positions could not be used\n"


def test_a_stream_of_bytes_that_are_no_text_is_answered() -> None:
    long = b"1," * 40_000
    result = ask("-", "--game", "enkeshui", "--json", stdin=b"\xff\xfe\x00\n" + long + b"\n \n\n" + long)
    assert [("error" in s) for s in objects(result)] == [True] * 5
    assert result.exit_code == 1


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_a_terminal_with_other_letters_is_answered(form: list[str]) -> None:
    asked = "牛/é S 0-0\n🐄\n"
    result = CliRunner(charset="latin-1").invoke(
        inkeek, ["moves", "-", "--game", "enkeshui", *form], input=asked.encode())
    assert result.exit_code == 1
    assert result.stderr == "Error: 2 of 2 positions could not be used\n"
    assert (r"\u725b/\u00e9 S" if form else r"\u725b/é S") in result.stdout
    if form:
        assert [s["position"] for s in objects(result)] == asked.split("\n")[:2]


def test_fields_change_the_rules() -> None:
    line = "0,0,0,5,0,0,0,0/1,1,0,0,0,0,0,0 S 21-20 ply=30"
    for sets, captured in (([], 6), (["--set", "relay_forfeits_capture=true"], 0)):
        (said,) = objects(ask(line, "--game", "enkeshui", "--json", *sets))
        assert next(m for m in said["moves"] if m["move"] == "a")["captured"] == captured


@pytest.mark.parametrize(("args", "said"), [
    ((ENKESHUI, "--game", "chess"), f"'chess' is not a game known here: {any_of(games())}"),
    ((ENKESHUI, "--game", "enkeshui", "--rules", "x"), "'x' is not a ruleset of Enkeshui: driedger or wikipedia"),
    ((ENKESHUI, "--game", "enkeshui", "--set", "x=1"), "'x' is not a field of these rules"),
    ((ENKESHUI, "--game", "enkeshui", "--set", "x"), "'x' is not FIELD=VALUE"),
    (("1,2/3 S 0-0", "--game", "enkeshui"), "row 2 has 1 pits, row 1 has 2"),
    ((ENKESHUI.replace("21-", "20-"), "--game", "enkeshui", "--json"), "47 seeds"),
    ((ENKESHUI,), "Missing option '--game'"),
])
def test_unusable_arguments_are_one_sentence_and_exit_2(args: tuple[str, ...], said: str) -> None:
    result = ask(*args)
    assert result.exit_code == 2
    assert said in result.stderr
    assert "Traceback" not in result.output


EMPTY = "0,0,0,0,0,0,0,0"


@pytest.mark.parametrize(("game", "line", "said"), [
    # odd board sizes for Enkeshui
    *(("enkeshui", f"{'0,' * (n - 1)}24/{'0,' * (n - 1)}24 S 0-0",
       f"Enkeshui is played on 2x8, 2x10 or 2x12, not on 2x{n}") for n in (5, 7, 9, 11, 13)),
    ("enkeshui", f"{EMPTY}/{EMPTY}/{EMPTY}/0,0,0,0,0,0,0,48 S 0-0", "not on 4x8"),
    ("enkeshui", "24/24 S 0-0", "a row has 2 to 26 pits, not 1"),
    # wrong totals
    ("enkeshui", "4,4,4,4,4,4,0,0/0,0,4,4,4,4,4,5 S 0-0",
     "49 seeds (49 on the board and 0 captured): Enkeshui on 2x8 is played with 48"),
    ("enkeshui", f"{EMPTY}/{EMPTY} S 0-0", "0 seeds (0 on the board and 0 captured)"),
    ("enkeshui", "4,4,4,4,4,4,0,0/0,0,4,4,4,4,4,4 S 1-0", "49 seeds (48 on the board and 1 captured)"),
    ("endodoi", "4,4,4,4,4,4/4,4,4,4,4,3 S 0-0", "47 seeds"),
    ("omweso", f"{EMPTY}/{EMPTY}/{EMPTY}/0,0,0,0,0,0,0,63 S 0-0", "63 seeds"),
    # a bull with fewer than three seeds
    *(("enkeshui", f"0,0,{n}n,0,0,0,0,0/1,0,0,0,0,0,0,0 S {47 - n}-0",
       f"pit F is marked as a bull and holds {n}: a bull holds at least 3 seeds") for n in (1, 2)),
    ("enkeshui", "0,0,0s,0,0,0,0,0/1,0,0,0,0,0,0,0 S 47-0", "pit F is marked as a bull but is empty"),
    # bulls in a game without
    ("endodoi", "4,4,4,4,4,4/4,4,4s,4,4,4 S 0-0", "pit c is marked as a bull, and En Dodoi has none"),
    ("omweso", f"{EMPTY}/{EMPTY}/{EMPTY}/0,0,0,0,0,0,0,64n S 0-0", "pit p is marked as a bull, and Omweso has none"),
    # a side to move that is neither
    *(("enkeshui", f"0,5,0,0,0,0,0,0/1,0,1,0,0,0,0,0 {side} 21-20",
       f"'{side}' after the rows is no side to move: S or N") for side in ("X", "s", "SN", "-", "South", "0")),
    # negative or absurd counts
    *(("enkeshui", f"0,5,0,0,0,0,0,0/1,0,{n},0,0,0,0,0 S 21-20", f"'{n}' in row 2, pit 3 from the left is no count")
      for n in ("-1", "1000", "99999999999999999999", "1.5", "1e3", "٣", "+1", "", "NaN")),
    ("enkeshui", "0,5,0,0,0,0,0,0/1,0,999,0,0,0,0,0 S 21-20", "1046 seeds"),
    ("enkeshui", "0,5,0,0,0,0,0,0/1,0,1,0,0,0,0,0 S -1-42", "'-1-42' is no captured seeds South-North"),
    ("enkeshui", "0,5,0,0,0,0,0,0/1,0,1,0,0,0,0,0 S 21-1000", "'21-1000' is no captured seeds"),
    ("enkeshui", "0,5,0,0,0,0,0,0/1,0,1,0,0,0,0,0 S 21-20 ply=-1", "ply is '-1'"),
    ("enkeshui", "0,5,0,0,0,0,0,0/1,0,1,0,0,0,0,0 S 21-20 ply=10000000", "ply is '10000000'"),
])
def test_a_position_that_cannot_be_is_one_sentence_with_value_and_place(game: str, line: str, said: str) -> None:
    alone = ask(line, "--game", game)
    assert alone.exit_code == 2
    assert alone.stderr.startswith("Error: ")
    assert said in alone.stderr
    assert alone.stderr.count("\n") == 1
    (streamed,) = objects(ask("-", "--game", game, "--json", stdin=line))
    assert said in streamed["error"]
    assert streamed["position"] == line


def test_a_bull_of_three_is_one() -> None:
    assert ask("0,0,3n,0,0,0,0,0/1,0,0,0,0,0,0,0 S 44-0", "--game", "enkeshui").exit_code == 0


def test_ten_thousand_lines_of_garbage_are_each_answered_and_none_is_fatal() -> None:
    rng = random.Random(5)
    letters = "0123456789,/-= SNsn\x00\x1b\t\u202eé牛{}[]\"'\\"
    garbage = ["".join(rng.choices(letters, k=rng.randrange(60))) for _ in range(10_000)]
    garbage[5000] = ENKESHUI
    result = ask("-", "--game", "enkeshui", "--json", stdin="\n".join(garbage) + "\n")
    said = objects(result)
    assert len(said) == len(garbage)
    assert [i for i, s in enumerate(said) if "error" not in s] == [5000]
    assert all(s["error"].count("\n") == 0 and len(s["error"]) < 300 for s in said if "error" in s)
    assert result.exit_code == 1
    assert result.stderr == "Error: 9999 of 10000 positions could not be used\n"


def test_plain_text_is_for_people() -> None:
    text = ask(ENKESHUI, "--game", "enkeshui").stdout
    assert "a      0,0,0,0,0,0,0,0/0,0,1,0,0,0,0,0 N 27-20 ply=31  (1 lap, capture of 6 seeds)" in text
    over = ask("0,0,0,0,0,0,0,0/1,0,0,0,0,0,0,0 N 27-20 ply=31", "--game", "enkeshui").stdout
    assert "over: 28-20, S wins: North cannot move" in over
    assert "c      sowing never ends" in ask("1,0,1,2,1/7,2,3,1,2 S 20-0 ply=14", "--game", "endodoi").stdout


def test_who_looks_on_gets_the_board_and_how_each_move_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    said = in_a_terminal(monkeypatch, "moves", "--game", "enkeshui")
    assert "South to move: 6 legal moves" in said and "0 captured" in said
    rows = [line.split() for line in said.splitlines() if line.startswith(("c ", "e "))]
    assert rows[0][:9] == ["c", "3", "16", "capture", "c", "→", "g", "→", "D"]
    assert rows[1] == ["e", "1", "sleeps", "e", "→", "A"]
    over = in_a_terminal(monkeypatch, "moves", "0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0 N 27-21 ply=31", "--game", "enkeshui")
    assert "Over: 27-21, South wins" in over
