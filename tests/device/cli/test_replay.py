"""`inkeek replay`: fine records, the first thing wrong, and hostile files: one sentence each, and the exit status."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from device.cli.main import inkeek
from engine.records.reader import LARGEST

GAME = '''\
[Game "enkeshui"]
[Board "2x8"]
[South "Naisiae"]
[North "Sironka"]

1. f 2. F? (4,4,4,4,4,4,0,0/1,0,4,4,4,4,4,3 S 0-0 ply=2) {illegal} ~ 2. C *
'''
OVER = '[Game "enkeshui"] [Position "0,5,0,0,0,0,0,0/1,0,0,0,0,0,0,0 S 21-21 ply=30"]\na 27-21'


def ask(path: Path | str, *args: str, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(inkeek, ["replay", str(path), *args], input=stdin)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "game.txt"


def objects(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_a_record_that_is_right(file: Path) -> None:
    file.write_text(GAME)
    result = ask(file)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == ("game 1, Enkeshui driedger on 2x8 (Naisiae – Sironka): 2 legal moves; not played to an "
                             "end\n")


def test_the_form_of_a_record_that_is_right(file: Path) -> None:
    file.write_text(OVER)
    (said,) = objects(ask(file, "--json"))
    assert said == {
        "record": 1, "game": "enkeshui", "rules": "driedger", "moves": 1, "fouls": 0, "unread": 0, "ok": True,
        "position": "0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0 N 27-21 ply=31", "result": "27-21", "winner": "S",
    }
    assert "1 legal move; 27-21, South wins" in ask(file).stdout


def test_fouls_that_stood_and_what_nobody_could_make_out_are_counted_apart(file: Path) -> None:
    """One that was taken back counts as nothing."""
    line = "4,4,4,4,4,4,0,0/1,0,4,4,4,4,4,3"
    file.write_text(f'[Game "enkeshui"] 1. f 2. F? ({line} S 0-0 ply=2) ~ 2. F? ({line} S 0-0 ply=2) '
                    f"3. ? ({line} N 0-0 ply=3) 4. C? ({line} S 0-0 ply=4) 5. c *")
    (said,) = objects(ask(file, "--json"))
    assert (said["moves"], said["fouls"], said["unread"], said["ok"]) == (5, 2, 1, True)
    assert "2x8: 2 legal moves, 2 fouls that stood and 1 move that nobody could make out; not pl" in ask(file).stdout


def test_the_help_has_an_example_that_replays(file: Path) -> None:
    shown = CliRunner().invoke(inkeek, ["replay", "--help"]).stdout.splitlines()
    first = next(i for i, line in enumerate(shown) if "[Game" in line)
    file.write_text("\n".join(shown[first:first + 3]))
    assert "2 legal moves" in ask(file).stdout


def test_the_first_wrong_move_is_said_with_its_side_and_what_is_legal_there(file: Path) -> None:
    file.write_text(GAME.replace("2. C *", "2. b *"))
    result = ask(file)
    assert result.exit_code == 1
    assert result.stderr == (f"Error: {file}: game 1, move 2 (South), b: pit b is South's, and North is to move; "
                             "legal there: A, B, C, D, E, F, G, H\n")


def test_the_form_of_a_record_that_is_wrong(file: Path) -> None:
    file.write_text('[Game "enkeshui"] 1. f 2. C<')
    (said,) = objects(ask(file, "--json"))
    assert list(said) == ["record", "game", "rules", "moves", "fouls", "unread", "ok", "number", "player", "move",
                          "why", "position",
                          "legal", "endless"]
    assert (said["ok"], said["number"], said["player"], said["move"]) == (False, 2, "N", "C<")
    assert said["why"] == "it ends after 0 of the 1 choices"
    assert "C" in said["legal"]
    assert said["position"].endswith(" N 0-0 ply=1")


def test_every_game_of_a_file_is_checked_and_the_first_wrong_one_said(file: Path) -> None:
    wrong = '[Game "endodoi"] 1. a 2. a\n'
    file.write_text(GAME + wrong + OVER + wrong)
    result = ask(file, "--json")
    assert [s["ok"] for s in objects(result)] == [True, False, True, False]
    assert result.exit_code == 1
    assert result.stderr.startswith(f"Error: {file}: game 2, move 2 (South), a: ")
    assert result.stderr.count("\n") == 1


def test_standard_input(file: Path) -> None:
    assert ask("-", stdin=GAME).exit_code == 0
    done = ask("-", stdin="x")
    assert done.exit_code == 2 and "standard input: line 1" in done.stderr


def test_an_unreadable_record_is_said_with_line_and_column(file: Path) -> None:
    file.write_text(GAME + '[Game "enkeshui"]\n1. f 9. C')
    result = ask(file, "--json")
    assert result.exit_code == 2
    assert result.stderr == f"Error: {file}: line 8, column 6: number 9 should be 2\n"
    assert objects(result)[-1] == {"record": 2, "ok": False, "line": 8, "column": 6,
                                   "error": "line 8, column 6: number 9 should be 2"}


@pytest.mark.parametrize("content", [
    b"", b"\x00\x01\x02", b"\xff\xfe[Game]", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 50, b"{" * 100_000,
    b"((((" * 50_000,
    b"[Game \"enkeshui\"]\n" + b"9" * 100_000,
    b"[Game \"enkeshui\"] 1. f {\x1b[2J}", b"\n" * 1_000_000,
    b"[Game \"" + b"x" * 500_000 + b"\"]", b"SQLite format 3\x00" + b"\x00" * 4096,
])
def test_hostile_files_are_one_sentence(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    for args in ((), ("--json",)):
        result = ask(file, *args)
        assert result.exit_code == 2
        assert result.stderr.count("\n") == 1
        assert len(result.stderr) < 500
        assert result.stderr.isprintable() or result.stderr[:-1].isprintable()
        assert "Traceback" not in result.output


def test_files_that_are_none(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none"):
        result = ask(path)
        assert result.exit_code == 2
        assert str(path) in result.stderr
        assert result.stderr.count("\n") == 1
    assert ask("a\0b").exit_code == 2
    assert CliRunner().invoke(inkeek, ["replay"]).exit_code == 2


def test_a_file_that_is_too_large_is_not_read_whole(file: Path) -> None:
    with file.open("wb") as out:
        out.truncate(LARGEST * 40)
    result = ask(file)
    assert (result.exit_code, result.stderr) == (2, f"Error: {file} is larger than 8 MiB: too large for game records\n")
