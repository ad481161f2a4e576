"""The judge's long bench: portions from their own seeds, and a table of what is there of this judge and eye."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec
import numpy as np
import pytest

from engine.judge import COUNTS, Evidence
from engine.rules import ruleset
from tests.bench import judge_long
from tests.bench.judge_bench import EACH, apart
from tests.bench.judge_long import KINDS, PLAYED, POSITIONS, Job, Part, folders, jobs, make, mark, portion, table

GAME = ("endodoi", "merker", "2x6")


def part(**changed: object) -> Part:
    """What became of a few moves."""
    told: dict[str, object] = {"kinds": {}, "codes": {}, "named": 0, "placed": 0, "right": 0, "cut": 0, "seconds": {},
                               "total_s": 0.0, "worst_s": 0.0, "falsely": [], "misnamed": []}
    return msgspec.convert(told | changed, Part)


def test_a_portion_is_the_same_from_the_same_seed_and_another_from_the_next() -> None:
    first, again, other = (portion(Job("modelled", "fast", GAME, n, ""), positions=2) for n in (0, 0, 1))
    for kind in KINDS:
        assert (first[kind].kinds, first[kind].codes) == (again[kind].kinds, again[kind].codes)
        assert sum(first[kind].seconds.values()) == sum(first[kind].kinds.values())
        assert first[kind].total_s >= first[kind].worst_s > 0
    assert sum(first["legal"].kinds.values()) == 2 * EACH
    assert {pair.split()[0] for pair in first["even"].kinds} == {"illegal"}
    assert any(first[kind] != other[kind] for kind in KINDS)


def test_a_run_that_was_broken_off_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []

    def quick(job: Job) -> dict[str, Part]:
        made.append(job.number)
        if len(made) == 2:
            raise KeyboardInterrupt
        return {kind: part(kinds={"legal legal": 3}, right=3) for kind in KINDS}

    monkeypatch.setattr(judge_long, "portion", quick)
    waiting = [Job("modelled", "fast", GAME, n, str(tmp_path / f"fast-{'-'.join(GAME)}-{n:04d}.json"))
               for n in range(3)]
    with pytest.raises(KeyboardInterrupt):
        for job in waiting:
            make(job)
    assert len(list(tmp_path.iterdir())) == 1
    for job in waiting:
        make(job)
    assert made == [0, 1, 1, 2]
    assert any((row.value, row.n) == ("100.0 %", 9) for row in table("modelled", tmp_path))


def test_portions_are_asked_for_in_turn_and_enough_of_them(tmp_path: Path) -> None:
    asked = list(jobs(tmp_path, ["measured"], 1000))
    for pace in ("normal", "fast"):
        for game in PLAYED:
            assert sum(POSITIONS * EACH for j in asked if (j.pace, j.game) == (pace, game)) >= 1000 / len(PLAYED)
    assert {(j.pace, j.game) for j in asked[: 2 * len(PLAYED)]} == {(j.pace, j.game) for j in asked}
    assert len({j.seed for j in asked}) == len({j.path for j in asked}) == len(asked)


def test_results_of_another_eye_lie_in_another_folder(tmp_path: Path) -> None:
    one, two = tmp_path / "one.npz", tmp_path / "two.npz"
    one.write_bytes(b"an eye")
    two.write_bytes(b"a better eye")
    assert mark("measured", one) != mark("measured", two)
    assert mark("modelled", one) == mark("modelled", two)
    assert len(set(folders(tmp_path).values())) == 3


def test_words_about_the_code_make_no_other_judge_and_code_does() -> None:
    bare = judge_long._bare
    plain = bare('def f(a):\n    return a + 1\n')
    assert bare('"""A module."""\n\ndef f(a):\n    """One more."""\n    return a + 1  # more\n') == plain
    assert bare('def f(a):\n    return a + 2\n') != plain


@pytest.mark.parametrize(("change", "told"), [
    ({0: 1}, "one seed in one pit"), ({0: 3}, "one pit"), ({0: 1, 7: -1}, "several pits"),
])
def test_faults_left_undecided_are_told_by_how_little_they_changed(change: dict[int, int], told: str) -> None:
    rules = ruleset("endodoi")
    before = rules.setup("2x6")
    legal = rules.moves(before).moves[0].position.counts
    counts = tuple(n + change.get(pit, 0) for pit, n in enumerate(legal))
    loglik = np.zeros((12, COUNTS))
    loglik[np.arange(12), counts] = 5.0
    seen = Evidence(loglik, np.ones(12, bool))
    assert apart(rules, before, counts, seen) == told
    loglik[0, counts[0] + 1] = 9.0
    assert apart(rules, before, counts, Evidence(loglik, seen.seen)) == f"{told}, misread"


def test_the_table_tells_what_is_there(tmp_path: Path, capsys: pytest.CaptureFixture[str],
                                       monkeypatch: pytest.MonkeyPatch) -> None:
    there = folders(tmp_path)["modelled"]
    there.mkdir()
    told = {
        "legal": part(kinds={"legal legal": 9, "legal illegal": 1}, right=9, seconds={2: 10}, total_s=0.08,
                      worst_s=0.009, falsely=["this one"]),
        "even": part(kinds={"illegal illegal": 4, "illegal legal": 1, "illegal tampered": 1}, named=3, placed=4, cut=2,
                     codes={"skip named": 3, "skip called double": 1, "palmed legal": 1}, seconds={1: 5, 40: 1},
                     total_s=0.2, worst_s=0.198),
        "hard": part(),
    }
    (there / f"normal-{'-'.join(GAME)}-0000.json").write_bytes(msgspec.json.encode(told))
    (there / f"normal-{'-'.join(GAME)}-0001.part").write_bytes(b"half of")
    monkeypatch.setattr(sys, "argv", ["judge_long", "--table", "--folder", str(tmp_path), "--eye", "modelled"])
    judge_long.main()
    said = capsys.readouterr().out
    for line in ("normal pace, all games: legal moves accused: 10.0 % [", "pace, endodoi merker 2x6: legal moves",
                 "faults evenly over the codes: faults caught: 66.7 % [", "code and pit right: 75.0 % [",
                 "something else: tampered 1", "cut at the bound: 12.5 % [", "worst 0.198",
                 "faults of the code skip: named 3, called double 1"):
        assert line in said, line
    monkeypatch.setattr(sys, "argv", ["judge_long", "--list", "falsely", "--folder", str(tmp_path)])
    judge_long.main()
    assert capsys.readouterr().out == "modelled normal legal: this one\n"
