"""The command line: exit status and one plain sentence for everything that cannot be."""

import io
import json
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing, redirect_stderr, redirect_stdout
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.cli.main import main
from device.journal import Journal
from device.journal.events import Sighted
from device.system.supervisor import Child, Supervisor
from device.system.table_process import Loop, Wanted
from device.table.orders import game_started
from engine.position import Position
from engine.rules import ruleset
from tests.ports import free_port
from vision.board.parameters import HANDED
from vision.parameters import DRAWING

Result = subprocess.CompletedProcess[str]


def inkeek(*arguments: str | Path) -> Result:
    """Run a command to its end, in this process."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as ended:
        main([str(a) for a in arguments])
    status = ended.value.code
    assert isinstance(status, int)
    return Result([], status, out.getvalue(), err.getvalue())


def refused(result: Result, status: int, *words: str) -> None:
    """One sentence on standard error, and that status."""
    assert result.returncode == status, result.stderr
    assert result.stderr.startswith("inkeek: ") and result.stderr.count("\n") == 1, result.stderr
    assert "Traceback" not in result.stderr
    for word in words:
        assert word in result.stderr


def test_arguments_that_cannot_be_used(tmp_path: Path) -> None:
    refused(inkeek("frob"), 2, "frob")
    refused(inkeek("watch"), 2, "VIDEO")
    refused(inkeek("watch", tmp_path, "--game", "chess"), 2, "chess")
    refused(inkeek("watch", tmp_path, "--game", "enkeshui", "--rules", "house"), 2, "house")
    refused(inkeek("watch", tmp_path, "--game", "enkeshui", "--board", "3x3"), 2, "3")
    refused(inkeek("watch", tmp_path, "--game", "enkeshui", "--start", "1,2/3"), 2, "--start")
    refused(inkeek("read", "a.jpg", "--pits", "1,2"), 2, "--pits")
    refused(inkeek("read", "a.jpg", "--pits", ""), 2, "--pits is empty")
    for more in (("--board", "2x8"), ("--south", "bottom")):
        refused(inkeek("read", "a.jpg", "--pits", "9,9,5", *more), 2, f"{more[0]} is for finding a board", "--pits")
    refused(inkeek("read", "a.jpg", "--board", "big"), 2, "big")
    refused(inkeek("read", "a.jpg", "--board", "2x3"), 2, "5 to 12 columns, not 3")
    refused(inkeek("prove", "a.jpg", "--position", "1,2/3,4 S 0-0"), 2, "5 to 12 columns, not 2")
    refused(inkeek("run", "--port", "70000"), 2, "70000")
    refused(inkeek("moves", "4,4,4,4,4,4,0,0/0,0,4,4,4,4,4,3 S 0-0", "--game", "enkeshui"), 2, "47")


def test_recordings_that_are_none(tmp_path: Path) -> None:
    empty = tmp_path / "empty.mp4"
    empty.touch()
    refused(inkeek("watch", empty, "--game", "enkeshui"), 1, "empty.mp4", "empty")
    refused(inkeek("watch", tmp_path / "none.mp4", "--game", "enkeshui"), 2, "no such file")
    (tmp_path / "pictures").mkdir()
    refused(inkeek("watch", tmp_path / "pictures", "--game", "enkeshui"), 1, "no pictures")


def test_pictures_that_are_none(tmp_path: Path) -> None:
    refused(inkeek("read", tmp_path), 2, "directory")
    text = tmp_path / "text.jpg"
    text.write_text("text")
    refused(inkeek("read", text), 1, "not a picture")
    refused(inkeek("read", tmp_path / "none.jpg"), 2, "none.jpg: no such file")
    refused(inkeek("read", tmp_path / ("x" * 300)), 2, "File name too long")
    refused(inkeek("prove", tmp_path / "none.jpg", "--position", "1,2,3,4,5/1,2,3,4,5 S 0-0"), 2, "no such file")
    result = inkeek("read", text, tmp_path / "none.jpg", "--json")
    assert result.returncode == 2 and result.stderr.count("\n") == 2
    forms = [json.loads(line) for line in result.stdout.splitlines()]
    assert [f["found"] for f in forms] == [False, False] and forms[0]["image"] == str(text)


def test_a_picture_without_a_board(tmp_path: Path) -> None:
    noise = np.random.default_rng(0).integers(0, 255, (240, 320, 3), np.uint8)
    cv2.imwrite(str(tmp_path / "noise.png"), cv2.GaussianBlur(noise, (0, 0), 3))
    result = inkeek("read", tmp_path / "noise.png", "--json")
    refused(result, 1, "noise.png")
    form = json.loads(result.stdout)
    assert form["found"] is False and form["reason"]
    seen = tmp_path / "seen.png"
    refused(inkeek("read", tmp_path / "noise.png", "--overlay", seen), 1, f"nothing is drawn into {seen}")
    refused(inkeek("prove", tmp_path / "noise.png", "--position", "1,2,3,4,5/1,2,3,4,5 S 0-0", "--overlay", seen), 1,
            f"nothing is drawn into {seen}")
    assert not seen.exists()
    for pit, why in (("400,9,5", "outside the picture of 320×240"), ("9,9,161", "radius of 161 pixels")):
        refused(inkeek("read", tmp_path / "noise.png", "--pits", f"9,9,5;{pit}"), 2, "pit 2", why)


def test_the_help_of_read_says_what_pits_are_and_what_a_question_mark_means() -> None:
    said = " ".join(inkeek("read", "--help").stdout.split())
    assert f"A count with a ? is doubtful: its probability is under {DRAWING.doubtful}." in said
    assert "In pixels of the picture, x,y is a pit's centre and r its radius" in said
    assert f"Name all pits of the board, {HANDED.least_pits} to {HANDED.most_pits}" in said


def test_libraries_say_nothing_of_broken_files(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """libjpeg, OpenCV and FFmpeg write to standard error by themselves, past Python's."""
    def heard(*arguments: str | Path) -> Result:
        with pytest.raises(SystemExit) as ended:
            main([str(a) for a in arguments])
        return Result([], int(ended.value.code or 0), *capfd.readouterr())

    noise = np.random.default_rng(0).integers(0, 255, (240, 320, 3), np.uint8)
    jpeg = cv2.imencode(".jpg", cv2.GaussianBlur(noise, (0, 0), 3))[1].tobytes()
    cut, video = tmp_path / "cut.jpg", tmp_path / "cut.avi"
    cut.write_bytes(jpeg[: len(jpeg) // 2] + b"\xff\xd9")
    refused(heard("read", cut), 1, "cut.jpg")
    refused(heard("prove", cut, "--position", "1,2,3,4,5/1,2,3,4,5 S 0-0"), 1)
    film = cv2.VideoWriter(str(video), cv2.VideoWriter.fourcc(*"MJPG"), 15.0, (320, 240))
    for _ in range(20):
        film.write(noise)
    film.release()
    whole = bytearray(video.read_bytes())
    for at in range(6000, len(whole), 2000):
        whole[at:at + 200] = bytes(200)
    video.write_bytes(whole)
    refused(heard("watch", video, "--game", "enkeshui"), 1, "no board")
    video.write_bytes(bytes(3000))
    refused(heard("watch", video, "--game", "enkeshui"), 1, "not a video")


def test_what_python_writes_to_standard_error_is_heard_while_libraries_are_not() -> None:
    words = ("import os, sys; from device.cli.files import libraries_silent\n"
             "with libraries_silent():\n    os.write(2, b'library'); print('ours', file=sys.stderr)\n"
             "os.write(2, b'after')")
    said = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True)
    assert said.stderr == "ours\nafter"


def test_run_with_a_port_in_use(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        refused(inkeek("run", "--data", tmp_path, "--port", str(port)), 1, f"port {port} is in use")
    assert not (tmp_path / "journal.sqlite3").exists(), "nothing was started"


def test_run_without_a_camera(tmp_path: Path) -> None:
    given = ["run", "--data", str(tmp_path), "--port", str(free_port()), "--camera"]
    refused(inkeek(*given, "nowhere.mp4"), 2, "nowhere.mp4", "choose")
    refused(inkeek(*given, "usb:x"), 2, "usb:N")
    begun = subprocess.run([sys.executable, "-m", "device.cli.main", *given, "usb:250"], text=True, timeout=60,
                           capture_output=True, check=False)  # the table is a process of its own, and says so itself
    refused(begun, 1, "/dev/video250", "--camera sim")


def test_run_with_settings_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "inkeek.toml").write_text("port = 'x'")
    refused(inkeek("run", "--data", tmp_path), 1, "inkeek.toml", "port")
    refused(inkeek("run", "--data", tmp_path / "inkeek.toml" / "x"), 1, "cannot be used")


@pytest.mark.parametrize(("words", "said"), [
    (("--set", "clocks=no"), "clocks"), (("--set", "race_winner=tallest"), "first_to_sleep"),
    (("--game", "omweso", "--set", "begin_seconds=0"), "1 to 60"), (("--set", "clocks"), "FIELD=VALUE")])
def test_run_with_rules_that_cannot_be(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    refused(inkeek("run", "--data", tmp_path, *words), 2, said)
    assert not (tmp_path / "journal.sqlite3").exists(), "nothing was started"


def test_run_changes_the_rules_of_the_game_that_the_table_is_in(tmp_path: Path,
                                                                monkeypatch: pytest.MonkeyPatch) -> None:
    rules = ruleset("omweso", None, {"akakyala": "yes"})
    with Journal(tmp_path / "journal.sqlite3") as journal:
        journal.append(game_started(rules, rules.setup(), "people"))
    refused(inkeek("run", "--data", tmp_path, "--set", "race_winner=went_farthest"), 2, "race_winner")
    children: list[Child] = []
    wanted: list[Wanted] = []

    def supervise(self: Supervisor) -> bool:
        children.extend(self.children)
        return True

    def play(self: Loop) -> None:
        wanted.append(self.wanted)

    monkeypatch.setattr("signal.signal", lambda *_: None)  # this process keeps its own
    monkeypatch.setattr(Supervisor, "run", supervise)
    monkeypatch.setattr(Loop, "run", play)
    inkeek("run", "--data", tmp_path, "--only", "table", "--set", "begin_seconds=7", "--set", "clocks=yes")
    first, again = children[0].command(True), children[0].command(False)
    inkeek(*first[3:])
    assert wanted[0].sets == {"begin_seconds": "7", "clocks": "yes"}
    assert "--set" not in again, "a table that is started again goes on from the journal"


def test_verify(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with Journal(path) as journal:
        events = [journal.append(Sighted()) for _ in range(3)]
    result = inkeek("verify", path)
    assert result.returncode == 0 and "3 events" in result.stdout and events[-1].hash in result.stdout
    assert inkeek("verify", tmp_path).stdout == result.stdout, "the data folder means the journal in it"
    refused(inkeek("verify", tmp_path / "none"), 2, "no such file")
    (tmp_path / "other").mkdir()
    refused(inkeek("verify", tmp_path / "other"), 2, "there is no journal in", "journal.sqlite3")
    refused(inkeek("verify", Path(__file__)), 1, "not a database")
    with closing(sqlite3.connect(path)) as db:
        db.execute("DROP TRIGGER event_stays")
        db.execute("UPDATE event SET at = 'never' WHERE number = 2")
        db.commit()
    refused(inkeek("verify", path), 1, "event 2", "changed")


def test_doctor_names_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "inkeek.toml").write_text("south = 'up'")
    result = inkeek("doctor", "--data", tmp_path)
    assert result.returncode == 1
    assert any(line.startswith("!!") and "south" in line for line in result.stdout.splitlines())
    assert all(line[:4] in ("ok  ", "!!  ") for line in result.stdout.splitlines())


def test_help_and_version() -> None:
    assert inkeek("--version").stdout.startswith("inkeek ")
    for command in ("run", "read", "watch", "moves", "verify", "doctor"):
        result = inkeek(command, "--help")
        assert result.returncode == 0 and "Usage: inkeek" in result.stdout


@pytest.mark.parametrize("name", ["moves", "prove", "watch"])
def test_the_help_of_what_takes_a_position_line_says_how_it_runs(name: str) -> None:
    said = " ".join(inkeek(name, "--help").stdout.split())
    assert "North's comes first and runs from his right to his left: " in said
    example = said.rpartition(": ")[2].removesuffix(".")
    assert not ruleset("endodoi").problem_sentences(Position.parse(example))


def test_the_help_names_every_kind_of_camera() -> None:
    said = inkeek("run", "--help").stdout
    assert all(form in said for form in ("sim", "pi", "usb:N", "folder:PATH"))


def test_a_reader_that_goes_away_is_no_traceback() -> None:
    command = f"{sys.executable} -m device.cli.main moves - --game enkeshui | head -1"
    line = "4,4,4,4,4,4,0,0/0,0,4,4,4,4,4,4 S 0-0\n"
    result = subprocess.run(["bash", "-c", command], input=line * 3000, text=True, capture_output=True, timeout=60,
                            check=False)
    assert "Traceback" not in result.stderr and len(result.stdout.splitlines()) == 1
