"""`inkeek watch --start auto`: the position that is read off the board."""

import io
import json
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest

from device.cameras.base import CameraError
from device.cli.watch.starts import AUTO, MidGame
from engine.board import Side
from tests.device.cli.test_watched import ASKED, Following, command, film, followed, script
from tests.device.cli.test_watcher import HiddenEye
from tests.device.painted import PaintedEye, Script
from vision.reading import Frame, Reading

__all__ = ["film", "script"]


def test_a_start_is_read_off_the_board_as_it_lies_and_said(script: Script) -> None:
    """Not the set-up, and not South's turn by any line: what lies there is taken, as from the page."""
    rules = script.rules
    lying = rules.setup().with_counts((4, 4, 4, 4, 4, 0, 4, 0, 0, 4, 0, 4, 4, 4, 4, 4))
    seen, said = Following(), list[str]()
    followed(Script(rules, lying).rest(4).move(), seen, start=AUTO, say=said.append)
    assert len(said) == 1 and said[0].startswith("the start was read off the board as it lies: ")
    start = seen.forms[0]
    assert start["event"] == "position" and start["position"] in said[0]
    assert start["position"] == "4,4,4,4,4,0,4,0/4,4,4,4,4,0,4,0 S 0-0 ply=0"
    assert [(f["kind"], f["player"]) for f in seen.forms if f["event"] == "verdict"] == [("legal", "S")]


def test_a_set_up_that_lies_there_is_the_start(script: Script) -> None:
    seen, said = Following(), list[str]()
    followed(script, seen, start=AUTO, say=said.append)
    assert said == [f"the start was read off the board as it lies: {script.rules.setup(board=script.position.board)}"]
    assert [f["kind"] for f in seen.forms if f["event"] == "verdict"] == ["legal", "illegal", "legal", "withdrawn"]


def test_a_board_from_which_no_game_begins_is_said_with_what_to_do(script: Script) -> None:
    counts = list(script.rules.setup().counts)
    counts[counts.index(4)] = 1
    short = Script(script.rules, script.rules.setup().with_counts(tuple(counts))).rest(4).move()
    with pytest.raises(CameraError, match=r"is no position of the game: .*45.*; in mid-game, give --captured and "
                                          r"--to-move, .*; name the position with --start '.* \? \?-\? ply=2'$"):
        followed(short, start=AUTO)


def test_a_board_that_cannot_be_read_is_said_with_its_pits(script: Script) -> None:
    lying = script.rules.moves(script.rules.setup()).moves[0].position
    still = Script(script.rules, lying).rest(4)
    with pytest.raises(CameraError, match=r"could not be read off the board in 30 seconds: b, d, .* could not be read "
                                          r"clearly; name the position with --start '.*\?.*', with each \? corrected$"):
        followed(still, start=AUTO, eye=HiddenEye)
    with pytest.raises(CameraError, match="never seen at rest"):
        followed(Script(script.rules, lying), start=AUTO)


class UnsureEye(PaintedEye):
    """An eye to which another number is nearly as likely as the right one in the pits of `doubt`: {pit: number}."""

    doubt: ClassVar[dict[int, int]] = {}

    def look(self, frame: Frame, *, count: bool = True, revisit: bool = True) -> Reading:
        reading = super().look(frame, count=count, revisit=revisit)
        if reading.counted:
            for pit, n in self.doubt.items():
                reading.loglik[pit, n] = -0.5  # 0.61 times as likely
        return reading


def test_a_pit_in_doubt_is_read_where_no_other_could_make_up_for_it(script: Script,
                                                                    monkeypatch: pytest.MonkeyPatch) -> None:
    """All the game's seeds are there by the likeliest counts; but two pits in doubt may make up for each other."""
    lying = script.rules.setup().with_counts((4, 4, 4, 4, 4, 0, 4, 0, 0, 4, 0, 4, 4, 4, 4, 4))
    film, said = Script(script.rules, lying).rest(4).move(), list[str]()
    monkeypatch.setattr(UnsureEye, "doubt", {0: 5, 2: 5})
    followed(film, start=AUTO, say=said.append, eye=UnsureEye)
    assert said == [f"the start was read off the board as it lies: {lying}"]
    monkeypatch.setattr(UnsureEye, "doubt", {0: 5, 2: 3})
    line = str(lying).replace("4,4,4,4,4,0,4,0 S", "4?,4,4?,4,4,0,4,0 S")
    with pytest.raises(CameraError, match="before the first hand came: a, c could not be read clearly") as error:
        followed(film, start=AUTO, eye=UnsureEye)
    assert f"name the position with --start '{line}', with each ? corrected" in str(error.value)


def test_a_game_in_its_middle_is_read_with_what_no_board_shows(script: Script,
                                                               monkeypatch: pytest.MonkeyPatch) -> None:
    """Eleven seeds are captured, and it is North's turn. A pit in doubt is read by the seeds that have to lie there."""
    counts = (4, 4, 0, 4, 4, 0, 4, 0, 0, 4, 0, 4, 4, 1, 4, 0)
    due = replace(script.rules.setup().with_counts(counts), captured=(7, 4), to_move=Side.NORTH, ply=2)
    film, seen, said = Script(script.rules, due).rest(4).move(), Following(), list[str]()
    monkeypatch.setattr(UnsureEye, "doubt", {0: 5})
    followed(film, start=AUTO, known=MidGame((7, 4), Side.NORTH), say=said.append, eye=UnsureEye)
    assert said == [f"the start was read off the board as it lies: {due}"]
    followed(film, seen, start=AUTO, known=MidGame((7, 4), Side.NORTH))
    assert [(f["kind"], f["player"]) for f in seen.forms if f["event"] == "verdict"] == [("legal", "N")]
    with pytest.raises(CameraError, match=r"is no position of the game: .*; in mid-game, give --captured"):
        followed(film, start=AUTO)
    with pytest.raises(CameraError, match=r"45 seeds \(37 on the board and 8 captured\).* --start '.* N 7-1 ply=2'$"):
        followed(film, start=AUTO, known=MidGame((7, 1), Side.NORTH))


def test_what_people_say_of_a_game_in_its_middle_has_to_be_usable(film: Path) -> None:
    for more, why in ((("--captured", "7"), "'7': write South's seeds, then North's, such as 12-9"),
                      (("--captured", "7-4"), "go with --start auto"),
                      (("--start", "4?,4,4,4,4,4,0,0/0,0,4,4,4,4,4,4 S 0-0"), "count it")):
        status, said = command("watch", film, *ASKED, *more)
        assert status == 2 and why in said and said.count("\n") == 1


def test_what_a_hand_left_is_no_start(script: Script) -> None:
    """It would be another's turn then, and a legal move would be called a move out of turn."""
    lying = script.rules.setup().with_counts((4, 4, 4, 4, 4, 0, 4, 0, 0, 4, 0, 4, 4, 4, 4, 4))
    with pytest.raises(CameraError, match="before the first hand came: the board was never seen at rest"):
        followed(Script(script.rules, lying).rest(0.2).move(rest=4), start=AUTO)
    counts = list(script.rules.setup().counts)
    counts[2], counts[3] = counts[3] - 1, counts[2] + 1
    nearly = Script(script.rules, script.rules.setup().with_counts(tuple(counts))).rest(0.6).move(rest=3)
    with pytest.raises(CameraError, match="before the first hand came"):
        followed(nearly, start=AUTO)
    laid = Script(script.rules, lying).rest(0.2).move(script.rules.setup().counts, rest=3)
    said = list[str]()
    followed(laid, start=AUTO, say=said.append)
    assert said[0].endswith(str(script.rules.setup())), "a set-up may be laid before everybody's eyes"


def test_the_line_on_the_start_stays_out_of_what_programs_read(film: Path) -> None:
    out = io.StringIO()
    with redirect_stdout(out):
        status, said = command("watch", film, *ASKED, "--start", "auto", "--json")
    assert status == 0 and said.startswith("inkeek: the start was read off the board") and said.count("\n") == 1
    assert next(json.loads(line)["event"] for line in out.getvalue().splitlines()) == "position"
