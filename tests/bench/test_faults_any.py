"""The bench that tests the referee on faults outside its own list."""

import json
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from device.sim.fouls import KINDS, CommittedFault, draw
from engine.position import Position
from engine.rules import ruleset
from engine.verdict import Fault, Verdict
from tests.bench import faults_any
from tests.bench.faults_any import Perfect, bench, false_theft, outcome, passed, positions

GAME = faults_any.GAMES[2]
LOTS = [627, 758, 420]
"""What `lots` once gave for `1 skip-1`."""


def foul(kind: str) -> CommittedFault:
    """Return the first fault of its kind that a board shows."""
    rules = ruleset(*GAME[:2])
    source = positions(rules, GAME[2], "1")
    for number in range(60):
        found = draw(rules, next(source)[0], kind, np.random.default_rng(number))
        if found is not None and not found.alike:
            return found
    raise AssertionError(kind)


def said(one: CommittedFault, kind: str, *faults: Fault, position: Position | None = None) -> Verdict:
    """Return a verdict on the fault."""
    return Verdict(kind, one.play.before, position or one.play.after, faults=faults)


def test_a_fault_is_named_by_its_code_at_its_pit_alone() -> None:
    one = foul("skip-1")
    at = one.play.at
    assert at is not None
    elsewhere = (at + 3) % 12
    assert elsewhere not in one.pits
    right = Fault("skip", at, one.play.lap, 1)
    assert outcome(one, said(one, "illegal", right)) == "named"
    assert outcome(one, said(one, "illegal", replace(right, pit=elsewhere))) == "otherwise"
    assert outcome(one, said(one, "illegal", Fault("double", at))) == "otherwise"
    assert outcome(one, said(one, "illegal", right, Fault("palmed", at))) == "otherwise"
    assert outcome(one, said(one, "not-sure")) == "not sure"
    assert outcome(one, said(one, "legal")) == outcome(one, said(one, "unchanged")) == "legal"
    assert outcome(one, said(one, "withdrawn")) == "other"


@pytest.mark.parametrize("kind", ["palmed-1", "string-short"])
def test_what_pits_look_like_speaks_for_an_accusation_beside_what_is_read(kind: str) -> None:
    """For faults that change one pit, reading the board at rest is not enough: none may be called legal, and few be
    questioned."""
    outcomes = bench(faults_any.GAMES[0], 12, 1, chosen=(kind,)).by[kind, "perfect"].outcomes
    assert outcomes["named"] >= 8 and outcomes["legal"] == 0


def test_theft_is_false_where_no_seed_went_that_way() -> None:
    palmed, skipped = foul("palmed-2"), foul("skip-1")
    assert not false_theft(palmed, said(palmed, "illegal", Fault("palmed")))
    assert false_theft(palmed, said(palmed, "illegal", Fault("smuggled")))
    assert false_theft(skipped, said(skipped, "illegal", Fault("skip"), Fault("palmed")))
    assert not false_theft(skipped, said(skipped, "illegal", Fault("skip")))


def test_perfect_readings_are_of_the_boards_that_the_hand_made() -> None:
    one = foul("wrong-pit")
    boards = passed(one)
    assert tuple(boards[0]) == one.play.before.counts and tuple(boards[-1]) == one.play.after.counts
    seen = Perfect().watch(random.Random(1), boards, (0.3, 0.0), 1.0)
    assert (seen.after.loglik.argmax(axis=1) == boards[-1]).all()
    read = [look.loglik.argmax(axis=1) for look in seen.after.looks]
    assert all(any((row == board).all() for board in boards) for row in read)
    assert len(read) > len(boards)
    touched = np.flatnonzero(seen.after.changed[:, 0] > 0)
    assert set(np.flatnonzero((boards != boards[0]).any(axis=0))) >= set(touched) and len(touched)
    broken = replace(one, play=replace(one.play, acts=one.play.acts[:-1]))
    with pytest.raises(ValueError, match="the acts of a wrong-pit leave"):
        passed(broken)


@pytest.mark.for_bench
def test_the_bench_judges_every_draw_by_either_eye_and_writes_the_same_as_json(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "faults.json"
    words = f"faults_any --draws 2 --game {GAME[2]} --kind skip-1 --kind palmed-2 --json"
    monkeypatch.setattr("sys.argv", [*words.split(), str(file)])
    faults_any.main()
    table = capsys.readouterr().out.splitlines()
    kept = json.loads(file.read_text())
    assert kept["all"]["perfect"]["draws"] == kept["all"]["measured"]["draws"] == 4
    assert set(kept["games"][" ".join(GAME)]) == {"skip-1", "palmed-2"}
    assert len([line for line in table if line.startswith("endodoi")]) == 2
    assert table[-1].split()[:3] == ["all", "all", "0"]
    again, other = bench(GAME, 2, 1, chosen=("skip-1",)), bench(GAME, 2, 2, chosen=("skip-1",))
    assert again.by["skip-1", "measured"].plain() == kept["games"][" ".join(GAME)]["skip-1"]["measured"]
    assert other.by["skip-1", "perfect"].draws == 2


def test_a_kind_put_among_the_others_leaves_their_draws_as_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    def drawn() -> list[str]:
        found: list[CommittedFault] = []
        monkeypatch.setattr(faults_any, "judged", lambda one, *_rest: found.append(one))
        bench(GAME, 2, chosen=("skip-1", "wrong-pit"))
        return [f"{one.kind} {one.play.before} {one.play.after}" for one in found]

    as_before = drawn()
    assert len(as_before) == 8 and len(set(as_before)) == 4
    monkeypatch.setattr("tests.bench.faults_any.KINDS", {"another": KINDS["kept"], **KINDS})
    assert drawn() == as_before


def test_lots_are_the_same_in_every_process() -> None:
    assert list(faults_any.lots("1 skip-1").integers(1000, size=3)) == LOTS
    assert list(faults_any.lots("1 skip-2").integers(1000, size=3)) != LOTS


@pytest.mark.for_bench
def test_legal_moves_are_counted_at_either_pace() -> None:
    rows = faults_any.legal_rows(15)
    accused = [row.basis for row in rows if row.measure == "legal moves accused"]
    assert len(accused) == 2 and "normal pace" in accused[0] and "fast" in accused[1]
    assert all(row.n == 15 for row in rows if "right" in row.measure)
