"""The figures of watched clips."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.bench import watching
from tests.bench.watching import Watched


def test_what_was_changed_with_no_move_counts_among_all_that_happened() -> None:
    right, *_ = Watched(Counter({"legal": 3, "tampered": 1, "right": 4}), [0.2] * 4).rows("clips")
    assert (right.measure, right.basis, right.value, right.n) == ("verdict right", "clips", "100.0 %", 4)


def test_clips_that_lie_there_are_counted_by_their_pace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    moves = [{"player": "S", "move": "c", "kind": "legal", "fault": None, "at": None, "t_in": 1.0, "t_out": 2.0}]
    for name, pace in (("clip_1", "fast"), ("clip_2", "normal"), ("clip_3", "fast")):
        (tmp_path / f"{name}.truth.json").write_text(json.dumps({"pace": pace, "moves": moves}))
        (tmp_path / f"{name}.mp4").touch()

    def said(clip: Path, truth: dict[str, object]) -> tuple[list[dict[str, object]], float]:
        kind = "illegal" if clip.stem == "clip_3" else "legal"
        return [{"t": 2.3, "kind": kind, "player": "S", "move": "c>", "faults": []}], 0.5

    monkeypatch.setattr(watching, "referee", said)
    lines = CliRunner().invoke(watching.main, ["--made", str(tmp_path)]).stdout.splitlines()
    right = [line for line in lines if "verdict right" in line]
    assert [line.split(": ")[-1].split()[0] for line in right] == ["100.0", "50.0"]
    assert "normal (1 tables)" in right[0] and "fast (2 tables)" in right[1]


def turn(kind: str, t_in: float, fault: str | None = None) -> dict[str, Any]:
    """Return a turn: S played c within two seconds."""
    return {"player": "S", "move": "c", "kind": kind, "fault": fault, "at": fault and "d", "t_in": t_in,
            "t_out": t_in + 2.0}


def word(kind: str, t: float, hands_in: float, code: str = "double") -> dict[str, Any]:
    """Return a verdict on S's c at time `t`."""
    return {"t": t, "kind": kind, "player": "S", "move": "c>", "hands_in": hands_in,
            "faults": [{"code": code, "pit": "d"}]}


@pytest.mark.parametrize(("said", "false", "back", "right"), [
    ([word("legal", 3.3, 1.0)], 0, 0, 1),
    ([word("illegal", 2.0, 1.0), word("legal", 3.3, 1.0)], 1, 1, 1),
    ([word("illegal", 2.9, 1.0), word("legal", 3.3, 1.0)], 1, 1, 1),
    ([word("illegal", 2.0, 1.0), word("legal", 3.3, 2.5)], 1, 0, 1),
    ([word("tampered", 2.0, 1.0)], 1, 0, 0),
    ([word("illegal", 2.0, 1.0), word("tampered", 3.3, 2.5)], 1, 0, 0),
    ([word("legal", 3.3, 1.0), word("tampered", 6.0, 6.0)], 1, 0, 1),
])
def test_an_accusation_said_while_a_hand_rests_is_a_false_one(
        said: list[dict[str, Any]], false: int, back: int, right: int) -> None:
    n: Counter[str] = Counter()
    watching.tally([turn("legal", 1.0)], said, n, [])
    assert (n["false"], n["taken back"], n["right"]) == (false, back, right)


@pytest.mark.parametrize(("code", "otherwise"), [("double", 0), ("palmed", 1)])
def test_before_the_verdict_on_a_fault_another_may_have_been_named(code: str, otherwise: int) -> None:
    n: Counter[str] = Counter()
    said = [word("illegal", 2.0, 1.0, code), word("illegal", 3.8, 1.0)]
    watching.tally([turn("illegal", 1.0, "double")], said, n, [])
    assert (n["otherwise"], n["diagnosed"], n["false"]) == (otherwise, 1, 0)


def test_a_word_that_came_too_early_is_not_the_verdict_of_a_move_that_nothing_was_said_of() -> None:
    n: Counter[str] = Counter()
    said = [word("illegal", 7.0, 6.0), word("legal", 8.3, 7.5)]
    watching.tally([turn("illegal", 1.0, "double"), turn("legal", 6.0)], said, n, [])
    assert (n["silent"], n["caught"], n["false"], n["right"]) == (1, 0, 1, 1)


def test_hands_of_both_sides_that_came_at_once_have_each_its_verdict() -> None:
    north = turn("legal", 1.0) | {"player": "N", "move": "C", "t_out": 4.0}
    said = [word("legal", 3.3, 1.0), word("legal", 4.3, 1.0) | {"player": "N", "move": "C"}]
    assert watching.paired([turn("legal", 1.0), north], said) == said


def lying(*last: int) -> str:
    """Return the line of a 2 x 6 board with these counts in the last pits of the lower row."""
    return f"4,4,4,4,4,4/{','.join(map(str, [4] * (6 - len(last)) + list(last)))} S 0-0 ply=2"


def told(t: float, position: str, kind: str = "") -> dict[str, Any]:
    """Return an event of the table: a verdict of that kind or, without one, a position."""
    return {"event": "verdict" if kind else "position", "t": t, "position": position} | (
        {"kind": kind, "player": "S", "move": "c", "hands_in": t - 2.0, "confidence": 0.9} if kind else {})


TWO_MOVES = {"start": lying(), "moves": [turn("legal", 1.0) | {"position": lying(3)},
                                         turn("illegal", 6.0, "double") | {"position": lying(5, 7)}]}


@pytest.mark.parametrize(("events", "pits", "right", "sure", "wrong"), [
    ([told(0.2, lying()), told(3.3, lying(3), "legal"), told(8.3, lying(5, 7), "illegal")], 24, 24, 24, 0),
    ([told(0.2, lying()), told(3.3, lying(3), "legal"), told(8.3, lying(3), "illegal")], 24, 22, 24, 2),
    ([told(0.2, lying()), told(3.3, lying(3), "legal"), told(8.3, lying(3), "not-sure")], 24, 22, 12, 0),
    ([told(0.2, lying()), told(3.3, lying(), "not-sure"), told(3.5, lying(3)), told(8.3, lying(5, 7), "illegal")],
     24, 24, 12, 0),
    ([told(0.2, lying()), told(3.3, lying(), "not-sure"), told(8.3, lying(3)), told(8.3, lying(5, 7), "illegal")],
     24, 24, 12, 0),
    ([told(0.2, lying()), told(3.3, lying(), "not-sure"), told(8.3, lying(5, 7), "illegal"), told(8.4, lying(3))],
     24, 23, 12, 0),
    ([told(0.2, lying()), told(3.3, lying(), "legal"), told(3.5, lying(3)), told(8.3, lying(5, 7), "illegal")],
     24, 23, 24, 1),
    ([told(0.2, lying()), told(8.3, lying(5, 7), "illegal")], 12, 12, 12, 0),
    ([told(0.2, lying(5)), told(3.3, lying(5), "legal")], 0, 0, 0, 0),
    ([], 0, 0, 0, 0),
])
def test_pits_are_held_against_what_the_table_has_after_each_move(
        events: list[dict[str, Any]], pits: int, right: int, sure: int, wrong: int) -> None:
    n: Counter[str] = Counter()
    watching.tally_pits(TWO_MOVES, events, n)
    assert (n["pits"], n["pits right"], n["pits sure"], n["pits sure wrong"]) == (pits, right, sure, wrong)
    assert (n["recordings"], n["other starts"]) == (1, int(not pits))


def test_pits_are_told_where_they_were_asked_for() -> None:
    asked = Counter({"recordings": 4, "other starts": 1, "pits": 24, "pits right": 18, "pits sure": 12,
                     "pits sure wrong": 3})
    assert [(row.value, row.n) for row in Watched(asked).rows("logs")[-3:]] == [
        ("75.0 %", 24), ("25.0 %", 12), ("25.0 %", 4)]
    assert not any("pits" in row.measure for row in Watched(Counter({"legal": 3})).rows("clips"))
