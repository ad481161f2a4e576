"""Time without frames is blindness: what lies in it is open, nobody is accused of what spans it, and from when to when
nobody watched is said, in the kept forms, in the report and in the film."""

from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from device.cameras.base import CameraError
from device.cameras.files import Recording
from device.cli.watch.output_forms import watch_line
from device.cli.watch.recorded_game import Seen
from device.cli.watch.report import Report
from device.cli.watch.video import Video
from device.cli.watch.watcher import Match, Watcher
from device.journal.states import State
from engine.rules import ruleset
from tests.device.cameras.films import lossless
from tests.device.painted import FPS, PaintedEye, Script, doubled, painted
from tests.device.played_table import begun
from vision.reading import Frame

RULES = ruleset("enkeshui", "driedger")
HANDS = ((1.0, 2.2), (3.7, 4.9), (6.4, 7.6))
"""Seconds in which the hands of three moves are there."""


def three_moves(*, foul: bool = False) -> Script:
    """A game of three moves; the second is a foul or not."""
    script = Script(RULES).rest(1).move()
    script.move(doubled(RULES, script.position) if foul else None)
    return script.move()


def with_hole(script: Script, path: Path, since: float, until: float) -> Path:
    """The film of a script without the frames between two times; those of the others stay."""
    kept = [(image, k / FPS) for k, image in enumerate(script.images)
            if image is not None and not since < k / FPS < until]
    return lossless(path, [image for image, _ in kept], [t for _, t in kept])


def watched(film: Path, start: str = "", forms: list[dict[str, Any]] | None = None) -> list[dict[str, Any]]:
    """What is said of a film. forms: that is added to."""
    forms = [] if forms is None else forms
    Watcher(Recording(film), Match(RULES, Script(RULES).position.board, start), forms.append, eye=PaintedEye).run()
    return forms


@pytest.mark.parametrize(("since", "until", "foul"), [
    (0.5, 3.5, False), (0.5, 6.0, True), (1.5, 2.3, True), (1.5, 4.5, False), (2.0, 5.0, True), (2.0, 7.5, False),
    (3.0, 3.8, True), (3.0, 6.0, False), (4.5, 5.3, True), (4.5, 7.5, True)])
def test_what_lies_in_a_hole_is_open_and_nobody_is_accused_of_what_spans_it(
        tmp_path: Path, since: float, until: float, foul: bool) -> None:
    forms = watched(with_hole(three_moves(foul=foul), tmp_path / "game.mov", since, until))
    blind = next(form for form in forms if form["event"] == "blind")
    assert blind["since"] == pytest.approx(since, abs=0.1) and blind["t"] == pytest.approx(until, abs=0.1)
    assert f"{until - since:.0f}" in f"{blind['t'] - blind['since']:.0f}" and "no pictures for" in blind["why"]
    assert f"(since {blind['since']:.2f} s)" in watch_line(blind)
    for form in (form for form in forms if form["event"] == "verdict"):
        spans = form["hands_in"] < until and form["t"] > since
        if form["kind"] == "illegal":
            assert foul and not spans, form
        if form["kind"] == "legal" and spans:
            assert form["hands_out"] > until, form


def test_a_hole_above_half_a_second_is_blindness_and_a_shorter_one_is_none(tmp_path: Path) -> None:
    for long, blind in ((0.35, False), (0.55, True)):
        forms = watched(with_hole(three_moves(), tmp_path / f"{long}.mov", 1.05, 1.05 + long))
        assert any(form["event"] == "blind" for form in forms) is blind
        assert [form["kind"] for form in forms if form["event"] == "verdict"] == ["legal"] * 3, "its end was seen"


def test_no_start_is_accepted_over_a_hole(tmp_path: Path) -> None:
    forms: list[dict[str, Any]] = []
    with pytest.raises(CameraError, match="it does not start from"):
        watched(with_hole(three_moves(), tmp_path / "game.mov", 0.05, 2.9), forms=forms)
    assert {form["event"] for form in forms} == {"blind", "sighted"}
    with pytest.raises(CameraError, match="the start could not be read off the board before the first hand came"):
        watched(with_hole(three_moves(), tmp_path / "auto.mov", 0.1, 2.9), "auto")


def test_a_camera_whose_pictures_always_come_seldom_is_not_blind_between_them() -> None:
    played = begun()
    for _ in range(3):
        played.t += 0.45
        played.frames(1 / FPS)
    assert played.at(State.WATCHING)
    for _ in range(6):
        played.t += 0.7
        played.frames(1 / FPS)
    assert played.at(State.WATCHING)


def test_report_and_film_say_from_when_to_when(tmp_path: Path) -> None:
    told = [{"t": 0.5, "event": "position", "position": str(Script(RULES).position)},
            {"t": 4.0, "since": 1.0, "event": "blind", "why": "the camera gave no pictures for 3.0 s"},
            {"t": 4.4, "event": "sighted"}]
    report = Report(tmp_path / "r.html", "game.mov", RULES)
    image = np.asarray(np.kron(painted(Script(RULES).position.counts), np.ones((8, 8, 1))), np.uint8)
    with Video(tmp_path / "f.mp4", "game.mov") as video:
        for t in (0.0, 0.5, 1.0, 4.0, 4.4):
            for form in (form for form in told if form["t"] == t):
                report.event(form)
                video.event(form)
            video.seen(Seen(Frame(image, round(t * 1e9), 0), None, State.WATCHING, False))
        video.write_out()
    assert "0:01.0 to 0:04.4: the camera gave no pictures for 3.0 s" in report.html()
    with av.open(str(tmp_path / "f.mp4")) as film:
        shown = {round(float(frame.time), 3): frame.to_ndarray(format="rgb24") for frame in film.decode(video=0)}
    still = next(picture for t, picture in shown.items() if 1.0 < t < 1.2)
    foot = slice(len(still) * 3 // 4, None)
    assert np.abs(still[foot].astype(int) - shown[1.0][foot]).max() > 60, "what is shown for the hole says so"
