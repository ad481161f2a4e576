"""A recording that ends early: `inkeek watch` says where, of how much, and what was not judged."""

from __future__ import annotations

import io
import json
import re
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from pathlib import Path

import pytest

from device.cli.main import main
from device.cli.watch import refereeing
from device.cli.watch.watcher import Watcher
from engine.rules import ruleset
from tests.device.cameras.films import cut_off, lossless
from tests.device.painted import FPS, PaintedEye, Script


@pytest.fixture
def broken_off(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The file of two moves' recording, without all after the moment in which the second hand is there."""
    monkeypatch.setattr(refereeing, "Watcher", partial(Watcher, eye=PaintedEye))
    script = Script(ruleset("enkeshui", "driedger")).rest(1).move().move()
    images = [image for image in script.images if image is not None]
    path = lossless(tmp_path / "game.mov", images, [number / FPS for number in range(len(images))])
    return cut_off(path, 4.7 * FPS / len(images))


def test_where_a_recording_breaks_off_it_is_said_with_what_was_not_judged(broken_off: Path, tmp_path: Path) -> None:
    out, err, report = io.StringIO(), io.StringIO(), tmp_path / "report.html"
    words = ("watch", broken_off, "--game", "enkeshui", "--rules", "driedger", "--board", "2x8", "--json",
             "--report", report)
    with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as ended:
        main([str(word) for word in words])
    forms = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [form.get("kind", form["event"]) for form in forms] == ["position", "legal", "blind"]
    why = forms[-1]["why"]
    assert re.fullmatch(r"the recording ends at \d\.\d of \d+\.\d s: the rest is missing or damaged", why)
    unjudged = r"; North's hand, over the board since 3\.\d s, was not judged\n"
    assert ended.value.code == 1 and re.fullmatch(re.escape(f"inkeek: {why}") + unjudged, err.getvalue())
    assert "legal" in report.read_text(encoding="utf-8")
