"""`inkeek watch` in its kept forms, over painted recordings."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from device.cameras.base import CameraError
from device.cameras.in_real_time import InRealTime
from device.cli.watch import watcher
from device.cli.watch.lines import SENTENCES, Lines
from device.cli.watch.output_forms import fault_form, watch_line
from device.cli.watch.recorded_game import judge_log
from device.cli.watch.watcher import Match, Watcher
from device.evidence.reading_log import Header, LogError, ReadingLog
from device.eyes.pipeline import InlineRunner
from device.journal.events import FaultSeen, GameStarted
from device.south import South
from device.turn import Turn
from engine.board import Board, Side
from engine.certainty import MOST
from engine.position import Position
from engine.rules import ruleset
from engine.verdict import Doubt
from tests.device.painted import DARK, LOST, PaintedCamera, PaintedEye, Script, doubled, painted
from vision.reading import Frame, Reading

SCENARIOS = Path(__file__).parents[2] / "scenarios"
PLAIN = 128
"""What is painted where nothing is said."""
ROUND = Turn.ROWS | Turn.COLUMNS


def logged(script: Script, path: Path, start: str = "") -> list[dict[str, Any]]:
    """What is said of a recording whose log is kept."""
    forms: list[dict[str, Any]] = []
    Watcher(PaintedCamera(script), Match(script.rules, script.position.board, start), forms.append, eye=PaintedEye,
            log=path.open("wb")).run()
    return forms


def watched(script: Script, start: str = "", forms: list[dict[str, Any]] | None = None,
            **match: Any) -> list[dict[str, Any]]:
    forms = [] if forms is None else forms
    board = match.pop("board", script.position.board)
    Watcher(PaintedCamera(script), Match(script.rules, board, start, **match), forms.append, eye=PaintedEye).run()
    for form in forms:
        assert watch_line(form).strip()
    return forms


@pytest.fixture
def script() -> Script:
    return Script(ruleset("enkeshui", "driedger")).rest(1)


def test_moves_in_the_kept_form(script: Script) -> None:
    setup = script.position
    first = script.rules.moves(setup).moves[0]
    position, verdict = watched(script.move(rest=1.5))
    assert position["event"] == "position" and position["position"] == str(setup) and position["t"] < 1
    assert verdict == {
        "t": verdict["t"], "event": "verdict", "kind": "legal", "player": "S", "move": first.name,
        "position": str(first.position), "captured": first.captured, "confidence": MOST,
        "hands_in": verdict["hands_in"], "hands_out": verdict["hands_out"], "sentence": verdict["sentence"]}
    assert 1.0 < verdict["hands_in"] < 1.2 and 2.1 < verdict["hands_out"] < 2.3
    assert verdict["hands_out"] < verdict["t"] < verdict["hands_out"] + 0.5


def test_an_illegal_move_names_fault_and_what_should_lie_there(script: Script) -> None:
    verdict = watched(script.move(doubled(script.rules, script.position)))[-1]
    assert verdict["kind"] == "illegal" and verdict["expected"]
    assert verdict["faults"] == [{"code": "double", "pit": "d", "lap": 1, "n": 1}]
    assert verdict["position"].split()[1] == "N"


def test_a_fault_of_a_barred_pit_names_the_pits_that_might_have_been_begun_from() -> None:
    form = {"code": "starved", "pit": "a", "lap": 1, "n": 0}
    assert fault_form(FaultSeen(code="starved", pit="a", lap=1, instead="e,f")) == {**form, "instead": ["e", "f"]}
    assert fault_form(FaultSeen(code="starved", pit="a", lap=1)) == form


def test_a_verdict_in_the_place_of_an_earlier_one_says_of_which(script: Script) -> None:
    """The hand comes back, lays the seeds back and makes another move: a move is at first a trial."""
    before = script.position
    first, whole = (m.position for m in script.rules.moves(before).moves[:2])
    script.move(rest=1.5)
    assert script.position == first
    script.move(whole.counts, Side.SOUTH, rest=1.5)
    said = [f for f in watched(script) if f["event"] == "verdict"]
    assert [(f["kind"], f["position"]) for f in said] == [("legal", str(first)), ("legal", str(whole))]
    assert "instead_of" not in said[0] and said[1]["instead_of"] == said[0]["t"]
    assert f"at {said[0]['t']:.2f} s" in watch_line(said[1])


def test_the_end_of_a_game(script: Script) -> None:
    rules = ruleset("endodoi")
    played = Script(rules).rest(1)
    while rules.over(played.position) is None:
        played.move(rest=0.6)
    end = watched(played)[-1]
    assert end["event"] == "end" and end["reason"]
    first, second = (int(n) for n in end["result"].split("-"))
    assert end["winner"] == ("S" if first > second else "N" if second > first else None)


def test_blind_and_sighted(script: Script) -> None:
    forms = watched(script.rest(2, trouble=DARK).rest(1))
    assert [f["event"] for f in forms] == ["position", "blind", "sighted"]
    assert "dark" in forms[1]["why"] and forms[1]["t"] < forms[2]["t"]


def test_a_start_that_does_not_lie_there_is_no_silence(script: Script) -> None:
    other = Script(script.rules, script.position.with_counts((0,) * script.position.board.pits)).rest(3)
    forms: list[dict[str, Any]] = []
    with pytest.raises(CameraError, match=r"it does not start from 4,4,4,4,4,4,0,0/0,0,4,4,4,4,4,4, but from "
                       "0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0: c holds 0 instead of 4, d .* and so on, 12 pits in all"):
        watched(other, forms=forms)
    said = forms[-1]
    assert said["event"] == "blind" and "the start is not recognised" in said["why"]
    assert "too far away" in said["why"], "a painted board's pits are two pixels in radius"


def test_a_given_start_that_does_not_lie_there_is_a_failure_that_says_what_does(script: Script) -> None:
    counts = list(script.position.counts)
    counts[2], counts[3], counts[4], counts[12], counts[13] = 7, 1, 1, 7, 0
    start = str(script.position)
    other = Script(script.rules, script.position.with_counts(tuple(counts))).rest(4).move(rest=3)
    with pytest.raises(CameraError, match=r"but from 4,4,0,7,4,4,0,0/0,0,7,1,1,4,4,4: c holds 7 instead of 4, "
                       "d holds 1 instead of 4, e holds 1 instead of 4, E holds 7 instead of 4, and so on, 5 pits in "
                       "all; inkeek watch --start auto reads the start off the board$"):
        watched(other, start)


@pytest.mark.parametrize(("turn", "said"), [
    ("turned", "; it fits better turned round: try --south top$"), ("mirrored", "; it fits better in a mirror$"),
    ("flipped", "; it fits better upside down in a mirror$")])
def test_a_start_that_fits_if_the_picture_is_turned_is_said_so(script: Script, turn: str, said: str) -> None:
    """Three heaps are misread: else the game would begin so."""
    later = script.rules.moves(script.position).moves[0].position
    counts = list(Turn.of(turn).counts(later))
    for heap in [pit for pit, n in enumerate(counts) if n > 3][:3]:
        counts[heap] -= 2
    forms: list[dict[str, Any]] = []
    with pytest.raises(CameraError, match=said):
        watched(Script(script.rules, later.with_counts(tuple(counts))).rest(5), str(later), forms)
    assert {form["event"] for form in forms} <= {"blind"}


def test_a_start_that_is_the_same_turned_round_is_not_said_to_fit_so(script: Script) -> None:
    """Three pits are wrong either way."""
    counts = list(script.position.counts)
    counts[2], counts[3], counts[4] = 7, 1, 0
    with pytest.raises(CameraError, match=r"[Ee] holds 0 instead of 4; inkeek watch --start auto "):
        watched(Script(script.rules, script.position.with_counts(tuple(counts))).rest(5), str(script.position))


class TurningEye(PaintedEye):
    """An eye to which a picture that is turned round shows the board turned round."""

    def look(self, frame: Frame, *, count: bool = True, revisit: bool = True) -> Reading:
        image = frame.image
        if not image[1, 3].all() or image[1, 3, 0] == PLAIN:
            upright = image[::-1, ::-1].copy()
            upright[0, :self.board.pits] = upright[0, ROUND.pits(self.board)]
            upright[1, :2] = upright[1, 1::-1]
            image = upright
        return super().look(replace(frame, image=image), count=count, revisit=revisit)


@pytest.fixture(scope="module")
def turned_round() -> tuple[Script, list[dict[str, Any]]]:
    """A game of six moves, and what is said of it: after the second somebody takes the telephone off its stand, and
    hangs it up again the other way round."""
    script = Script(ruleset("enkeshui", "driedger")).rest(1).move(rest=3).move(rest=3)
    hung, rng = len(script.images), np.random.default_rng(1)
    script.rest(1.5, trouble=LOST)
    before, images, forms = len(script.images), script.images, list[dict[str, Any]]()
    for k in range(hung, before):  # it shows the room
        room = painted(script.position.counts, trouble=LOST)
        room[8:] = rng.integers(0, 255, room[8:].shape)
        images[k] = room
    for _ in range(4):
        script.move(rest=5)
    images[before:] = [None if one is None else one[::-1, ::-1].copy() for one in images[before:]]
    Watcher(PaintedCamera(script), Match(script.rules, script.position.board), forms.append, eye=TurningEye).run()
    return script, forms


def test_nobody_is_accused_where_the_picture_turns_round_in_mid_game(
        turned_round: tuple[Script, list[dict[str, Any]]]) -> None:
    kinds = [form["kind"] for form in turned_round[1] if form["event"] == "verdict"]
    assert kinds[:3] == ["legal", "legal", "not-sure"] and not {"illegal", "tampered"} & set(kinds), kinds


def test_a_picture_that_turns_round_in_mid_game_is_said_to_be_so(
        turned_round: tuple[Script, list[dict[str, Any]]]) -> None:
    script, forms = turned_round
    assert any("turned" in form.get("why", "") for form in forms)
    assert (forms[-1]["kind"], forms[-1]["position"]) == ("legal", str(script.position))


def test_a_recording_in_the_dark_to_its_end_is_a_failure(script: Script) -> None:
    dark = Script(script.rules).rest(0.15).rest(3, trouble=DARK)
    with pytest.raises(CameraError, match="nothing was refereed"):
        watched(dark)


def test_a_move_that_ends_with_the_recording_is_said(script: Script) -> None:
    assert watched(script.move(doubled(script.rules, script.position), rest=0.4))[-1]["kind"] == "illegal"


def test_a_recording_from_mid_game(script: Script) -> None:
    later = script.rules.moves(script.position).moves[0].position
    forms = watched(Script(script.rules, later).rest(1).move(), str(later))
    assert forms[0]["position"] == str(later) and forms[1]["player"] == "N"


def test_a_retraction_is_no_fault(script: Script) -> None:
    setup = script.position
    script.move().move(setup.counts, Side.SOUTH)
    assert [f["kind"] for f in watched(script) if f["event"] == "verdict"] == ["legal", "withdrawn"]


def test_a_recording_without_a_board(script: Script) -> None:
    empty = Script(script.rules)
    empty.rest(2, trouble=LOST)
    with pytest.raises(CameraError, match="no board"):
        watched(empty)


def test_few_frames_are_counted(script: Script) -> None:
    eyes: list[PaintedEye] = []

    def eye(board: Any, south: Any) -> PaintedEye:
        eyes.append(PaintedEye(board, south))
        return eyes[-1]

    script.rest(30)
    Watcher(PaintedCamera(script), Match(script.rules, script.position.board), lambda _form: None, eye=eye).run()
    assert eyes[0].counted < 90 < len(script.images)


def test_a_first_move_made_before_the_board_was_seen_is_said_as_that_move(script: Script) -> None:
    start = str(script.position)
    late = Script(script.rules, script.rules.moves(script.position).moves[0].position).rest(3).move()
    first, second = (form for form in watched(late, start) if form["event"] == "verdict")
    assert (first["kind"], first["player"]) == ("legal", "S") and first["position"] == str(late.rules.moves(
        Position.parse(start)).moves[0].position)
    assert (second["kind"], second["player"]) == ("legal", "N") and second["position"] == str(late.position)


def test_a_short_first_move_made_before_the_board_was_seen_is_no_misreading(script: Script) -> None:
    """Most of the pits are as they were at the start, so that the next hand would count as the first."""
    rules = ruleset("endodoi")
    setup = rules.setup()
    line = replace(setup, counts=(4, 4, 4, 1, 0, *setup.counts[5:]), captured=(7, 0))
    after = rules.play(line, "d").position
    late = Script(rules, after).rest(2).move()
    forms = watched(late, str(line))
    assert [(form["player"], form["kind"]) for form in forms if form["event"] == "verdict"] == [
        ("S", "legal"), ("N", "legal")]


def test_nobody_is_accused_of_a_first_move_that_began_before_the_board_was_seen(script: Script) -> None:
    """The hand was there from the first picture on; then people are asked, and the game goes on."""
    rules, setup = script.rules, script.position
    counts = doubled(rules, setup)
    forms: list[dict[str, Any]] = []
    camera = PaintedCamera(Script(rules).move(counts, rest=4))
    match = Match(rules, setup.board, str(setup))
    Watcher(camera, match, forms.append, eye=PaintedEye).run()
    said = [form["kind"] for form in forms if form["event"] == "verdict"]
    assert said == ["not-sure"]


def test_of_a_start_that_is_only_hidden_it_is_not_said_that_it_is_another(script: Script) -> None:
    eyes: list[HiddenEye] = []

    def opened(board: Board, south: South) -> HiddenEye:
        eyes.append(HiddenEye(board, south))
        return eyes[-1]

    forms: list[dict[str, Any]] = []
    unsaid = "is unknown: b, d, f, h, B, D, F, H could not be read clearly"
    with pytest.raises(CameraError, match=unsaid):
        Watcher(PaintedCamera(script.rest(1)), Match(script.rules, script.position.board, str(script.position)),
                forms.append, eye=opened).run()
    assert not forms
    with pytest.raises(CameraError, match=unsaid):
        Watcher(PaintedCamera(script.rest(3)), Match(script.rules, script.position.board, str(script.position)),
                forms.append, eye=opened).run()
    assert [form["event"] for form in forms] == ["blind"], "but silence must not look like a game that goes on"


class HiddenEye(PaintedEye):
    """An eye that sees half of the pits."""

    def look(self, frame: Frame, *, count: bool = True, revisit: bool = True) -> Reading:
        reading = super().look(frame, count=count, revisit=revisit)
        return replace(reading, seen=reading.seen & (np.arange(len(reading.seen)) % 2 == 0))


def test_a_recording_is_refereed_from_its_log_as_from_its_pictures(script: Script, tmp_path: Path) -> None:
    counts = doubled(script.rules, script.position)
    script.move(rest=1.5).rest(2, trouble=DARK).rest(1).move(counts, rest=2)
    forms, again = logged(script, tmp_path / "log"), list[dict[str, Any]]()
    assert {form["event"] for form in forms} >= {"verdict", "blind", "sighted"}
    judge_log(tmp_path / "log", again.append)
    assert again == forms


def test_a_log_says_why_there_is_a_doubt_where_that_is_asked_for(script: Script, tmp_path: Path,
                                                                capsys: pytest.CaptureFixture[str]) -> None:
    counts = list(script.rules.moves(script.position).moves[0].position.counts)
    counts[0], counts[2] = counts[0] + 3, 11
    script.move(counts, rest=4.5)
    logged(script, tmp_path / "log")
    judge_log(tmp_path / "log", Lines(as_json=False).event, why=True)
    told = capsys.readouterr().out.splitlines()
    doubt = next(k for k, line in enumerate(told) if "not-sure" in line)
    assert [line.split()[0] for line in told[doubt + 1:doubt + 3]] == ["because", "weighed"], told
    judge_log(tmp_path / "log", Lines(as_json=False).event)
    assert "because" not in capsys.readouterr().out


def test_every_doubt_has_a_sentence() -> None:
    assert set(SENTENCES) == set(Doubt)


def test_a_log_in_which_nothing_comes_about_says_what_the_recording_said(script: Script, tmp_path: Path) -> None:
    script.rest(1, trouble=LOST)
    other = str(script.rules.moves(script.position).moves[0].position)
    said = []
    for referee in (lambda: logged(script, tmp_path / "log", other),
                    lambda: judge_log(tmp_path / "log", lambda _form: None)):
        with pytest.raises(CameraError) as error:
            referee()
        said.append(str(error.value))
    assert said[0] == said[1]


def test_that_nobody_reads_on_is_no_fault_of_the_log(script: Script, tmp_path: Path) -> None:
    """As by `inkeek judge LOG | head -1`."""
    logged(script.move(), tmp_path / "log")

    def gone(_form: dict[str, Any]) -> None:
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        judge_log(tmp_path / "log", gone)


def test_a_log_of_a_game_that_is_not_known_is_refused(tmp_path: Path) -> None:
    header = Header("film.mp4", GameStarted("chess", "fide", "8x8", "rnbqkbnr"), True, False)
    ReadingLog((tmp_path / "log").open("wb"), header).close()
    with pytest.raises(LogError, match=r"log: .*chess"):
        judge_log(tmp_path / "log", lambda _form: None)
    with pytest.raises(LogError, match="cannot be read"):
        judge_log(tmp_path, lambda _form: None)


def test_played_in_its_own_time_every_event_has_the_clocks(script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    """On this clock nothing but the waiting for frames takes time, so that it is the recording's."""
    now = [100.0]
    monkeypatch.setattr(watcher, "InRealTime", partial(
        InRealTime, clock=lambda: now[0], sleep=lambda seconds: now.__setitem__(0, now[0] + seconds)))
    monkeypatch.setattr(watcher, "LiveEyes", lambda _waited: PaintedEye)
    monkeypatch.setattr(watcher, "ThreadRunner", lambda **_: InlineRunner())
    forms: list[dict[str, Any]] = []
    watcher.live_watcher(PaintedCamera(script.move()), Match(script.rules, script.position.board), forms.append).run()
    assert [form["event"] for form in forms] == ["position", "verdict"]
    for form in forms:
        assert form["wall"] == pytest.approx(form["t"], abs=0.1)


def test_tells_a_move_once_though_the_light_comes_back() -> None:
    """In the log the pits looked otherwise for a moment, so a later account puts the end of H after that. It is the
    same move."""
    forms: list[dict[str, Any]] = []
    judge_log(SCENARIOS / "light-comes-back.log", forms.append)
    said = [form for form in forms if form["event"] == "verdict"]
    assert [(form["kind"], form["player"], form["move"]) for form in said] == [
        ("illegal", "S", "c"), ("legal", "N", "H")]
