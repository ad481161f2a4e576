"""A recording that ends early: `inkeek watch` says where, of how much, and what was not judged."""

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


def broken_off(path: Path, script: Script, seconds: float) -> Path:
    """The file of a script's recording, without all after so many seconds."""
    images = [image for image in script.images if image is not None]
    whole = lossless(path / "game.mov", images, [number / FPS for number in range(len(images))])
    return cut_off(whole, seconds * FPS / len(images))


@pytest.mark.parametrize(("hands", "seconds", "said", "unjudged"), [
    ((1.5, 1.5), 4.7, ["legal"], r"North's hand, over the board since 3\.\d s, was"),
    ((1.5, 0.1, 0), 6.0, ["legal"], r"North's hand, over the board since 3\.\d s, and South's hand, over the board "
                                    r"since 5\.\d s, were"),
    ((1.5, 0.1, 0, 0), 7.3, ["legal"] * 3, r"North's hand, over the board since 6\.\d s, was")],
    ids=["the second", "the second and third", "the fourth, which came as the third went"])
def test_where_a_recording_breaks_off_it_is_said_with_what_was_not_judged(
        hands: tuple[float, ...], seconds: float, said: list[str], unjudged: str, tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch) -> None:
    """hands: the rest after each, seconds."""
    monkeypatch.setattr(refereeing, "Watcher", partial(Watcher, eye=PaintedEye))
    script = Script(ruleset("enkeshui", "driedger")).rest(1)
    for rest in hands:
        script.move(rest=rest)
    script.rest(3)
    out, err, report = io.StringIO(), io.StringIO(), tmp_path / "report.html"
    words = ("watch", broken_off(tmp_path, script, seconds), "--game", "enkeshui", "--rules", "driedger", "--board",
             "2x8", "--json", "--report", report)
    with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as ended:
        main([str(word) for word in words])
    forms = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [form.get("kind", form["event"]) for form in forms] == ["position", *said, "blind"]
    why = forms[-1]["why"]
    assert re.fullmatch(r"the recording ends at \d\.\d of \d+\.\d s: the rest is missing or damaged", why)
    due = f"inkeek: {re.escape(why)}; {unjudged} not judged\n"
    assert ended.value.code == 1 and re.fullmatch(due, err.getvalue()), err.getvalue()
    assert "legal" in report.read_text(encoding="utf-8")
