"""`inkeek watch` for people: the terminal, the report, and the start that is read off the board."""

import io
import json
import os
import re
from base64 import b64decode
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from rich.console import Console

from device.cameras.base import CameraError
from device.cameras.files import PictureFolder, Recording
from device.cli.files import OutputError
from device.cli.main import main
from device.cli.watch import refereeing, report
from device.cli.watch.output_forms import watch_line
from device.cli.watch.refereeing import FollowedCamera
from device.cli.watch.report import Report
from device.cli.watch.starts import NOTHING, MidGame
from device.cli.watch.story import Story, clock, printable
from device.cli.watch.terminal import Terminal
from device.cli.watch.watcher import Match, Watcher
from device.films import carved
from engine.board import Side
from engine.rules import ruleset
from tests.device.painted import FPS, PaintedCamera, PaintedEye, Script, doubled

HOSTILE = "<img src=x onerror=alert(1)>&[bold]\x1b[2J\u202e.mp4"


class Film(PaintedCamera):
    """A painted recording that can be opened again, and knows how long it is."""

    def __init__(self, script: Script) -> None:
        super().__init__(script)
        self._script = script

    @property
    def duration_s(self) -> float | None:
        return len(self._script.images) / FPS

    def open(self) -> None:
        super().open()
        self._images, self._number = iter(self._script.images), 0


class Following:
    """Takes down what it is shown."""

    def __init__(self) -> None:
        self.times: list[tuple[float, float | None]] = []
        self.forms: list[dict[str, Any]] = []

    def frame(self, frame: Any, duration_s: float | None) -> None:
        self.times.append((frame.time_ns / 1e9, duration_s))

    def event(self, form: dict[str, Any]) -> None:
        self.forms.append(form)


def followed(script: Script, *followers: Any, start: str = "", say: Any = lambda _line: None,
             eye: Any = PaintedEye, known: MidGame = NOTHING) -> None:
    """Referee a painted recording for those who follow it."""
    film = FollowedCamera(Film(script), followers)
    Watcher(film, Match(script.rules, script.position.board, start, known=known), film.emit, eye=eye, say=say).run()


@pytest.fixture
def script() -> Script:
    """A legal move, a foul, and a move that is taken back."""
    script = Script(ruleset("enkeshui", "driedger")).rest(1).move()
    script.move(doubled(script.rules, script.position))
    script.position = before = replace(script.position, to_move=Side.SOUTH, ply=2)
    return script.move().move(before.counts, Side.SOUTH, rest=2)


# ---- the story

def test_a_story_counts_what_stands(script: Script) -> None:
    seen, story = Following(), Story()
    followed(script, seen)
    for form in seen.forms:
        story.take(form)
    kinds = [one.kind for one in story.verdicts]
    assert kinds == ["legal", "illegal", "legal", "withdrawn"]
    assert [bool(one.gone) for one in story.verdicts] == [False, False, True, False]
    assert story.result == "South 16, North 0; the game was not over; 2 moves, 1 foul"
    assert seen.times[0][0] < 0.2 and seen.times[-1][1] == len(script.images) / FPS


def test_a_replaced_foul_counts_no_more_and_a_withdrawn_one_does() -> None:
    position = "4,4,4,4,4,4,0,0/0,0,4,4,4,4,4,4 N 3-2"
    foul = {"event": "verdict", "kind": "illegal", "player": "S", "position": position, "t": 2.0}
    story = Story()
    story.take(foul)
    assert len(story.fouls) == 1 and story.score == (3, 2)
    story.take({"event": "verdict", "kind": "withdrawn", "player": "S", "position": position, "t": 3.0})
    assert len(story.fouls) == 1 and not story.standing("illegal")
    story.take(foul | {"kind": "legal", "t": 4.0, "instead_of": 2.0})
    assert not story.fouls and "replaced" in story.verdicts[0].gone
    story.take({"event": "end", "result": "27-21", "winner": "S", "reason": "North cannot move", "t": 5.0})
    assert story.result == "South 27, North 21; South wins: North cannot move; 1 move, 0 fouls"


@pytest.mark.parametrize(("seconds", "told"), [(0.0, "0:00.0"), (59.96, "1:00.0"), (65.32, "1:05.3"), (600, "10:00.0")])
def test_a_clock_never_shows_sixty_seconds(seconds: float, told: str) -> None:
    assert clock(seconds) == told


def test_what_steers_a_terminal_is_shown_as_an_escape() -> None:
    assert printable("a\x1b[2J\n\u202eé") == "a\\x1b[2J\\n\\u202eé"


# ---- the terminal

def plain(text: str) -> str:
    """Without the sequences that write in colour and move the cursor."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)


def test_a_terminal_gets_a_bar_a_table_and_the_result_last(script: Script) -> None:
    out = io.StringIO()
    with Terminal(Console(file=out, force_terminal=True, width=100, highlight=False), HOSTILE) as terminal:
        followed(script, terminal)
    lines = plain(out.getvalue()).splitlines()
    assert printable(HOSTILE) in lines[0] and "\x1b[2J" not in out.getvalue()
    assert any(f"of {clock(len(script.images) / FPS)}" in line for line in lines), "how far it is"
    table = [line.split() for line in lines if re.search(r"\d:\d\d\.\d +(South|North) ", line)]
    foul = next(i for i, line in enumerate(lines) if "illegal" in line)
    assert "H     G     F" in "".join(lines[foul:foul + 20]), "the board is drawn after a foul"
    assert any(re.search(r"\w: \d+, should be \d+", line) for line in lines[foul:foul + 20])
    assert any("16 captured" in line for line in lines[-9:]), "and at the end"
    assert [(row[1], row[3] if row[2] != "withdrawn" else row[2]) for row in table] == [
        ("South", "legal"), ("North", "illegal"), ("South", "legal"), ("South", "withdrawn")]
    assert lines[-1].strip() == "South 16, North 0; the game was not over; 2 moves, 1 foul"


def test_beside_a_doubt_stands_no_percentage_that_could_be_taken_for_how_sure_it_is(tmp_path: Path) -> None:
    """It is how likely the explanation is: 98 % for "perhaps c", not 98 % for "not sure"."""
    verdict = {"event": "verdict", "kind": "not-sure", "player": "S", "move": None, "pits": ["d"], "best": [],
               "position": "", "t": 1.0, "confidence": 0.98, "sentence": "Not sure what was played. Perhaps c."}
    legal = verdict | {"kind": "legal", "move": "c", "sentence": "South plays c."}
    assert watch_line(verdict).endswith("Perhaps c.") and watch_line(legal).endswith("South plays c.  (98.0 % certain)")
    out = io.StringIO()
    with Terminal(Console(file=out, width=100), "a.mp4") as terminal:
        terminal.event(verdict)
    assert "Perhaps c." in out.getvalue() and "%" not in out.getvalue()
    with Terminal(Console(file=out, width=100), "a.mp4") as terminal:
        terminal.event(legal)
    assert "98.0 %" in out.getvalue()
    for form, said in ((verdict, False), (legal, True)):
        made = Report(tmp_path / "out.html", "a.mp4", ruleset("enkeshui"))
        made.event(form)
        assert ("98.0 % certain" in made.html()) == said == ("98.0" in made.html())


def test_nothing_is_said_to_have_come_of_a_recording_that_could_not_be_read() -> None:
    out = io.StringIO()
    with pytest.raises(CameraError), Terminal(Console(file=out, force_terminal=True), "a.mp4"):
        raise CameraError("no board")
    assert "not over" not in out.getvalue()


@pytest.fixture
def film(script: Script, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A recording for the command line, whose pictures are painted."""
    monkeypatch.setattr(refereeing, "camera_of_file", lambda _path: Film(script))
    monkeypatch.setattr(refereeing, "Watcher", partial(Watcher, eye=PaintedEye))
    path = tmp_path / "film.mp4"
    path.touch()
    return path


ASKED = ("--game", "enkeshui", "--rules", "driedger", "--board", "2x8")


def command(*arguments: object) -> tuple[int, str]:
    """Exit status and standard error of the command line; standard output is as it stands."""
    err = io.StringIO()
    with redirect_stderr(err), pytest.raises(SystemExit) as ended:
        main([str(one) for one in arguments])
    assert isinstance(ended.value.code, int)
    return ended.value.code, err.getvalue()


def in_a_terminal(*arguments: object) -> str:
    """What the command writes to a terminal."""
    master, slave = os.openpty()
    heard = b""
    with os.fdopen(slave, "w") as terminal, redirect_stdout(terminal):
        os.set_blocking(master, False)
        assert command(*arguments) == (0, "")
        terminal.flush()
        while chunk := _read(master):
            heard += chunk
    os.close(master)
    return heard.decode()


def _read(handle: int) -> bytes:
    try:
        return os.read(handle, 65536)
    except BlockingIOError:
        return b""


def test_a_program_gets_the_kept_forms_and_a_terminal_the_table(film: Path, script: Script,
                                                                monkeypatch: pytest.MonkeyPatch) -> None:
    seen = Following()
    followed(script, seen)
    for more, lines in ((("--json",), [json.dumps(form, ensure_ascii=False) for form in seen.forms]),
                        ((), [watch_line(form) for form in seen.forms])):
        out = io.StringIO()
        with redirect_stdout(out):
            assert command("watch", film, *ASKED, *more) == (0, "")
        assert out.getvalue().splitlines() == lines
    monkeypatch.setenv("TERM", "dumb")  # the pseudo terminal holds little, and an animated bar would fill it
    shown = in_a_terminal("watch", film, *ASKED)
    assert shown.splitlines()[-1].strip().endswith("2 moves, 1 foul") and "withdrawn" in shown
    forms = [json.loads(line) for line in in_a_terminal("watch", film, *ASKED, "--json").splitlines()]
    assert forms == seen.forms, "--json is for programs, in a terminal too"


# ---- the report

class Page(HTMLParser):
    """What there is in a report."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def addresses(self) -> Iterator[str]:
        for _, given in self.tags:
            yield from (value or "" for name, value in given.items() if name in ("src", "href", "srcset", "action"))


@pytest.fixture
def written(script: Script, tmp_path: Path) -> str:
    """The report of a recording with a hostile name."""
    made = Report(tmp_path / "out.html", HOSTILE, script.rules)
    followed(script, made)
    made.write_out()
    return (tmp_path / "out.html").read_text("utf-8")


def test_a_report_needs_nothing_else_and_runs_nothing(written: str) -> None:
    page = Page(written)
    assert {tag for tag, _ in page.tags}.isdisjoint({"script", "link", "iframe", "object", "form", "base"})
    assert not [name for _, given in page.tags for name in given if name.startswith("on")]
    assert all(address.startswith(("data:image/jpeg;base64,", "#")) for address in page.addresses())
    assert not re.search(r"url\((?!#carved-)", written) and "@import" not in written and "default-src 'none'" in written
    assert "width=device-width" in written and "prefers-color-scheme: dark" in written
    anchors = {given["id"] for _, given in page.tags if "id" in given}
    assert {address[1:] for address in page.addresses() if address.startswith("#")} <= anchors


def test_a_report_shows_the_moves_the_foul_and_the_score(written: str) -> None:
    page = Page(written)
    assert printable(HOSTILE) in page.text, "the name is shown as it is written, and does nothing"
    assert "South 16, North 0; the game was not over; 2 moves, 1 foul" in page.text
    assert "The game began from this board:" in page.text and "withdrawn at" in page.text
    stills = [b64decode(address.partition(",")[2]) for address in page.addresses() if address.startswith("data:")]
    images = [cv2.imdecode(np.frombuffer(still, np.uint8), cv2.IMREAD_COLOR) for still in stills]
    assert [None if image is None else image.shape for image in images] == [(48, 64, 3)] * 2, "before and after"
    assert carved.STYLES.read_text("utf-8") in written, "its boards look as the page's do"
    assert len(re.findall(r"^[^{]*(?:plank|lip|ring)[^{]*{", written.replace(carved.STYLES.read_text("utf-8"), ""),
                          re.MULTILINE)) == 0, "and have no styles of their own"


def boards(text: str) -> list[tuple[list[str], dict[str, list[str]]]]:
    """Of each drawn board the counts of the pits, row by row as they stand there, and the letters by ring."""
    found = []
    for drawing in re.findall(r'<svg [^>]*class="small-board".*?</svg>', text, re.DOTALL):
        pits = re.findall(r'<g class="([a-z ]*)"><circle (?:(?!</g>).)*?<text x="([^"]+)" y="([^"]+)" class="letter">'
                          r'(\w)</text><text[^>]*>(\w+)</text>', drawing)
        rings: dict[str, list[str]] = {}
        for ring, _, _, letter, _ in pits:
            rings.setdefault(ring, []).append(letter)
        found.append(([count for *_, count in sorted(pits, key=lambda pit: (float(pit[2]), float(pit[1])))], rings))
    return found


def test_a_report_draws_the_board_after_each_move_with_letters_and_rings(script: Script, tmp_path: Path) -> None:
    seen, made = Following(), Report(tmp_path / "out.html", "a.mp4", script.rules)
    followed(script, seen, made)
    verdicts = [form for form in seen.forms if form["event"] == "verdict"]
    (start, _), *drawn = boards(made.html())
    began = next(form for form in seen.forms if form["event"] == "position")
    assert ",".join(start) == began["position"].split()[0].replace("/", ",")
    assert len(drawn) == len(verdicts) + 2, "and as it lies and as it should, larger, at the foul"
    for (counts, rings), form in zip(drawn, verdicts, strict=False):
        assert ",".join(counts) == form["position"].split()[0].replace("/", ",")
        letters = [letter for ring in rings.values() for letter in ring]
        assert sorted(letters) == sorted("abcdefghABCDEFGH")
    legal, foul = drawn[0][1], drawn[1][1]
    assert legal["played"] == [verdicts[0]["move"]] and not {"odd", "odd follows"} & set(legal)
    assert foul["odd"] and drawn[-2] == drawn[1]
    assert ",".join(drawn[-1][0]) == verdicts[1]["expected"].split()[0].replace("/", ",")
    assert drawn[-1][1]["odd"] == foul["odd"] and "played" not in drawn[-1][1]


def test_a_report_has_a_curve_of_the_score(script: Script, tmp_path: Path) -> None:
    made = Report(tmp_path / "out.html", "a.mp4", script.rules)
    followed(script, made)
    curve = next(given for tag, given in Page(made.html()).tags if tag == "svg" and given["class"] == "curve")
    said = curve["aria-label"] or ""
    assert re.fullmatch(r"Captured seeds, South and North: 0:00\.0 0-0; (0:\d\d\.\d 16-0(; )?)+", said)
    empty = Report(tmp_path / "none.html", "a.mp4", script.rules)
    assert 'class="curve"' not in empty.html(), "of nothing there is none"


def test_the_times_of_a_report_lead_into_the_film(film: Path, tmp_path: Path) -> None:
    (tmp_path / "reports").mkdir()
    named = film.rename(tmp_path / 'a "film" #1.mp4')
    with redirect_stdout(io.StringIO()):
        assert command("watch", named, *ASKED, "--report", tmp_path / "reports" / "out.html") == (0, "")
    page = Page((tmp_path / "reports" / "out.html").read_text("utf-8"))
    leads = [address for address in page.addresses() if address.startswith("..")]
    assert leads and all(re.fullmatch(r"\.\./a%20%22film%22%20%231\.mp4#t=\d+\.\d", lead) for lead in leads)
    assert float(leads[0].rpartition("=")[2]) < 3.0, "before the hand came"


def test_a_board_that_was_changed_without_a_move_is_headed_so(tmp_path: Path) -> None:
    rules = ruleset("enkeshui")
    before = rules.setup()
    after = before.with_counts((3, *before.counts[1:])) if before.counts[0] else before.with_counts(
        (1, *before.counts[1:]))
    made = Report(tmp_path / "out.html", "a.mp4", rules)
    made.event({"event": "position", "t": 0.0, "position": str(before)})
    made.event({"event": "verdict", "kind": "tampered", "player": None, "move": None, "position": str(after), "t": 5.3,
                "confidence": 0.9, "sentence": "A seed was added to a."})
    text = " ".join(Page(made.html()).text.split())
    assert "board changed without a move, at 0:05.3" in text and "Boards changed without a move" in text
    assert "tampered:" not in text and "as it should lie" in text
    start, _, lies, due = boards(made.html())  # the second is the small one in the list of moves
    assert start[0][8] == "0" and "odd" not in start[1]
    assert lies[1]["odd"] == due[1]["odd"] == ["a"] and (lies[0][8], due[0][8]) == ("1", "0")


def test_the_stills_of_a_foul_show_the_board_before_and_after_it(script: Script, tmp_path: Path,
                                                                monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[np.ndarray] = []
    monkeypatch.setattr(report, "_jpeg", lambda image: kept.append(image))
    seen = Following()
    followed(script, seen, Report(tmp_path / "out.html", "a.mp4", script.rules))
    foul = next(form for form in seen.forms if form.get("kind") == "illegal")
    legal = next(form for form in seen.forms if form.get("kind") == "legal")
    for image, form in zip(kept, (legal, foul), strict=True):
        rows = [[int(cell) for cell in row.split(",")] for row in form["position"].split()[0].split("/")]
        board = script.position.board
        assert [int(n) for n in image[0, :16, 0]] == [rows[r][c] for r, c in map(board.place, range(16))]


def test_a_report_of_hostile_events_is_text(tmp_path: Path) -> None:
    made = Report(tmp_path / "out.html", "a.mp4", ruleset("enkeshui"))
    made.event({"event": "verdict", "kind": "tampered", "player": None, "move": "<b>", "position": "", "t": 1.0,
                "confidence": 0.9, "sentence": "</span><script>alert(1)</script>"})
    page = Page(made.html())
    assert "script" not in {tag for tag, _ in page.tags} and "<script>alert(1)</script>" in page.text


def test_only_so_many_verdicts_have_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "MOST_SHOWN", 1)
    made = Report(tmp_path / "out.html", "a.mp4", ruleset("enkeshui"))
    for t in (1.0, 2.0):
        made.event({"event": "verdict", "kind": "illegal", "player": "S", "move": "c", "position": "", "t": t,
                    "confidence": 0.9, "sentence": "A foul.", "faults": [], "expected": None})
    assert made.html().count("No pictures:") == 1


def test_where_no_report_can_be_written_nothing_is_refereed(film: Path, tmp_path: Path) -> None:
    out = io.StringIO()
    with redirect_stdout(out):
        for path, why in ((tmp_path, "is a directory"), (tmp_path / "none" / "a.html", "there is no directory"),
                          (tmp_path / ("x" * 300), "cannot be written: File name too long")):
            status, said = command("watch", film, *ASKED, "--report", path)
            assert status == 2 and said.startswith("inkeek: ") and said.count("\n") == 1 and why in said
    assert not out.getvalue()
    (tmp_path / "gone").mkdir()
    made = Report(tmp_path / "gone" / "a.html", "a.mp4", ruleset("enkeshui"))
    (tmp_path / "gone").rmdir()
    with pytest.raises(OutputError, match="cannot be written: No such file"):
        made.write_out()


def test_the_command_writes_the_report(film: Path, tmp_path: Path) -> None:
    out = io.StringIO()
    with redirect_stdout(out):
        assert command("watch", film, *ASKED, "--report", tmp_path / "out.html") == (0, "")
    assert "film.mp4" in (tmp_path / "out.html").read_text("utf-8")


# ---- how long a recording is

def test_a_recording_says_how_long_it_is(tmp_path: Path) -> None:
    film = cv2.VideoWriter(str(tmp_path / "a.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (64, 48))
    for _ in range(20):
        film.write(np.zeros((48, 64, 3), np.uint8))
    film.release()
    recording = Recording(tmp_path / "a.avi")
    assert recording.duration_s is None
    recording.open()
    assert recording.duration_s == pytest.approx(2.0)
    recording.close()
    for n in range(5):
        cv2.imwrite(str(tmp_path / f"{n}.png"), np.zeros((48, 64, 3), np.uint8))
    pictures = PictureFolder(tmp_path)
    assert pictures.duration_s is None
    pictures.open()
    assert pictures.duration_s == pytest.approx(0.5)
