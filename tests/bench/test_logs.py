"""The bench's cache of logs."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from device.evidence.reading_log import MAGIC
from engine import certainty
from tests.bench import logs
from tests.bench.test_watching import TWO_MOVES, lying, told

OLD = b"inkeek-log 1\nwhatever"


def test_logs_of_another_form_are_named_and_left_out(tmp_path: Path) -> None:
    (tmp_path / "sim_00001.log").write_bytes(OLD)
    result = CliRunner().invoke(logs.main, ["judge", "--folder", str(tmp_path)])
    assert result.exit_code == 0 and "sim_00001" in result.output


@pytest.mark.parametrize(("kept", "drawn"), [(OLD, True), (MAGIC, False)])
def test_a_log_of_another_form_is_made_anew(
        kept: bytes, drawn: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Drawn(Exception):
        """A clip was to be drawn."""

    def draw(_number: int, _stem: Path, _moves: int) -> dict[str, Any]:
        raise Drawn

    monkeypatch.setitem(logs.MAKINGS, "sim", draw)
    (tmp_path / "sim_00001.log").write_bytes(kept)
    if drawn:
        with pytest.raises(Drawn):
            logs.keep("sim", 1, 5, tmp_path)
    else:
        assert logs.keep("sim", 1, 5, tmp_path).read_bytes() == MAGIC


@pytest.mark.parametrize(("switch", "first", "left"), [
    ((), "1 logs of clips for figures (below 5000)", ["sim_04999"]),
    (("--figures",), "1 logs of clips for figures (below 5000)", ["sim_04999"]),
    (("--fit",), "2 logs of clips for tuning (from 5000 on)", ["flat_10000", "sim_05000"]),
])
def test_clips_for_tuning_and_clips_for_figures_are_never_refereed_together(
        switch: tuple[str, ...], first: str, left: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for stem in ("sim_04999", "sim_05000", "flat_10000"):
        (tmp_path / f"{stem}.log").write_bytes(MAGIC)
    asked: list[str] = []

    def refereed(log: Path, *, referee: bool = False) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        asked.append(log.stem)
        return {"pace": "fast", "moves": [turn("legal")]}, []

    monkeypatch.setattr(logs, "refereed", refereed)
    result = CliRunner().invoke(logs.main, ["judge", "--folder", str(tmp_path), *switch])
    assert result.exit_code == 0 and asked == left
    assert result.stdout.splitlines()[0] == first
    assert ("logs for tuning, sim, fast" in result.stdout) == ("--fit" in switch)


def test_probabilities_are_measured_without_the_bound_of_what_is_shown(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sim_00001.truth.json").write_text("{}")
    monkeypatch.setattr(logs, "judge_log", lambda _log, emit: emit({"p": certainty.shown(0.9991)}))
    assert logs.refereed(tmp_path / "sim_00001.log")[1] == [{"p": 0.999}]
    assert certainty.shown(0.9991) == certainty.MOST


def test_a_log_without_a_number_is_named(tmp_path: Path) -> None:
    (tmp_path / "sim_some.log").write_bytes(MAGIC)
    result = CliRunner().invoke(logs.main, ["judge", "--folder", str(tmp_path)])
    assert result.exit_code == 1 and "sim_some.log' is not named MAKING_NUMBER.log" in result.output


def turn(kind: str, t_in: float = 1.0, fault: str | None = None) -> dict[str, Any]:
    """Return a turn: S played c within two seconds."""
    return {"player": "S", "move": "c", "kind": kind, "fault": fault, "at": fault and "d", "t_in": t_in,
            "t_out": t_in + 2.0}


def word(kind: str, t: float, *faults: str, p: float = 0.99) -> dict[str, Any]:
    """Return a verdict on S's c at time `t`."""
    return {"event": "verdict", "t": t, "kind": kind, "player": "S", "move": "c", "hands_in": t - 2.3, "confidence": p,
            "faults": [{"code": code, "pit": "d"} for code in faults]}


def compared(folder: Path, old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """Return what `compare` prints for two files."""
    for name, said in (("old", old), ("new", new)):
        (folder / f"{name}.json").write_text(json.dumps({stem: {"events": events} for stem, events in said.items()}))
    words = ["compare", str(folder / "old.json"), str(folder / "new.json"), "--folder", str(folder)]
    return CliRunner().invoke(logs.main, words).output.splitlines()


def test_the_moves_that_two_runs_tell_differently_are_listed_with_what_was_played(tmp_path: Path) -> None:
    truth = {"pace": "fast", "moves": [turn("legal"), turn("illegal", 5.0, "double"), turn("legal", 9.0)]}
    (tmp_path / "sim_00001.truth.json").write_text(json.dumps(truth))
    old = [word("legal", 3.3), word("legal", 7.3), word("legal", 11.3)]
    new = [word("legal", 3.3, p=0.9), word("illegal", 7.3, "double"), {"event": "blind", "t": 9.0}]
    both = {"sim_00001": old, "flat_00002": old}, {"sim_00001": new}
    assert compared(tmp_path, *both) == [
        "left out, since only one of the two has them: flat_00002",
        "sim_00001, fast, move 2: illegal S c, double d | legal S c | illegal S c, double d",
        "sim_00001, fast, move 3: legal S c | legal S c | no verdict",
        "2 of 3 moves are told differently"]


def test_what_cannot_be_compared_is_named(tmp_path: Path) -> None:
    assert compared(tmp_path, {"sim_00001": []}, {"sim_00001": []})[0].startswith(
        "Error: the truth of sim_00001 is not there: ")
    for text, why in (("{", "is no JSON"), ("[]", "was not written by"), ('{"sim_00001": 3}', "was not written by")):
        (tmp_path / "old.json").write_text(text)
        words = ["compare", str(tmp_path / "old.json"), str(tmp_path / "new.json"), "--folder", str(tmp_path)]
        result = CliRunner().invoke(logs.main, words)
        assert result.exit_code == 1 and why in result.output


def test_the_figures_of_logs_tell_of_the_pits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def said(log: Path, *, referee: bool = False) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        start = lying() if log.stem == "sim_00001" else lying(9)
        return {**TWO_MOVES, "pace": "fast"}, [told(0.2, start), told(3.3, lying(2), "legal")]

    monkeypatch.setattr(logs, "refereed", said)
    found = logs.figures([tmp_path / "sim_00001.log", tmp_path / "sim_00002.log"])
    n = found["sim", "fast"].n
    assert (n["pits"], n["pits right"], n["other starts"], n["recordings"]) == (12, 11, 1, 2)
