"""Measurements are kept as data and rendered as one table; each part replaces only its own rows."""

import re
import subprocess
from functools import partial
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from tests.bench import results
from tests.bench.__main__ import PARTS, Part, main
from tests.bench.results import merged, rendered
from tests.bench.table import Pits, Row, interval, line, share, wilson

OLD = Row("pits exact", "nine photographs", "93.3 %", 90, (0.862, 0.969), part="photos", version="abc1234",
          date="2026-11-23", machine="a server", where="one core", seconds=12.4)


def row(part: str, value: str = "1") -> Row:
    """Return one figure of a part."""
    return Row("a thing", "a table", value, part=part)


def test_what_is_kept_and_its_table_are_of_one_piece() -> None:
    """Nobody writes figures into the table by hand."""
    rows = results.load()
    assert len(rows) > 20
    assert results.TABLE.read_text("utf-8") == rendered(rows)


def test_the_table_has_forty_rows_at_most_and_no_pattern_but_for_parts_that_there_are() -> None:
    assert 10 < len(results.headlines(results.load())) <= results.MOST_ROWS
    assert {pattern.split(":")[0] for pattern in results.HEADLINES} <= {*PARTS, "unseen", "scenarios"}


def test_every_row_says_when_and_where_it_was_taken_and_all_are_of_one_version() -> None:
    rows = results.load()
    for kept in rows:
        assert kept.measure and kept.basis and kept.value and kept.part, kept
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", kept.date) and kept.machine and kept.where, kept
    (only,) = {kept.version for kept in rows}
    assert re.fullmatch(r"[0-9a-f]{7,}", only), "of a commit, and of nothing that was never committed"


def test_the_version_of_the_figures_is_a_commit_of_this_history() -> None:
    try:
        shallow = results._git("rev-parse", "--is-shallow-repository")
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("the commits (a clone with its history)")
    if shallow == "true":
        pytest.skip("all commits (git fetch --unshallow)")
    assert results._git("merge-base", results.load()[0].version, "HEAD")


def test_the_readmes_figures_are_those_that_were_kept() -> None:
    readme = (results.HERE.parents[1] / "README.md").read_text("utf-8")
    kept = {(one.part, one.measure, one.basis): one for one in results.load()}
    for measure, words in (("legal moves accused", "Legal moves called illegal"),
                           ("faults called legal", "Illegal moves called legal")):
        one = kept["unseen", measure, "all clips that nobody had looked at"]
        assert one.n is not None
        wrong = round(float(one.value.removesuffix(" %")) / 100 * one.n)
        assert f"| {words} | {wrong} of {one.n} [{interval(one).replace('-', '–')} %]" in readme
    exact = kept["photos", "pits exact", "photographs of boards, pits found"]
    assert f"{exact.value} of {exact.n} pits counted exactly" in readme


def test_rows_of_several_versions_are_no_table() -> None:
    with pytest.raises(ValueError, match="several versions: abc1234 and def5678"):
        rendered([OLD, msgspec.structs.replace(OLD, version="def5678")])


def test_a_table_holds_its_headlines_in_the_columns_that_it_names() -> None:
    other = msgspec.structs.replace(OLD, measure="calibration error")
    *_, names, rule, only = rendered([other, OLD]).splitlines()
    assert [cell.strip() for cell in names.strip("|").split("|")] == list(results.COLUMNS)
    assert len(rule.split("|")) == len(names.split("|"))
    assert only == "| pits exact | nine photographs | 90 | 93.3 % | 86.2-96.9 |"


def test_a_bar_in_a_cell_ends_no_column() -> None:
    only = rendered([Row("core cost", "a | b", "d", note="e\nf", part="core")]).splitlines()[-1]
    assert only == r"| core cost | a \| b |  | d (e f) |  |"


def test_a_part_that_is_run_again_replaces_its_own_rows_alone() -> None:
    kept = [row("photos", "old"), row("photos", "old too"), row("faults"), row("by hand")]
    after = merged(kept, "photos", [row("photos", "new")], ["photos", "faults"])
    assert after == [row("photos", "new"), row("faults"), row("by hand")]


def test_figures_of_another_version_go() -> None:
    new = msgspec.structs.replace(OLD, part="faults", version="def5678")
    assert merged([OLD], "faults", [new], ["photos", "faults"]) == [new]


def test_parts_stand_in_their_order_however_they_were_run() -> None:
    after = merged([row("by hand"), row("faults")], "photos", [row("photos")], ["photos", "faults"])
    assert [one.part for one in after] == ["photos", "faults", "by hand"]


def test_what_is_missing_is_named_but_takes_no_figures_place() -> None:
    gone = [row("photos", "missing: nothing there")]
    assert merged([], "photos", gone, ["photos"]) == gone
    assert merged([row("photos", "2")], "photos", gone, ["photos"]) == [row("photos", "2")]
    assert merged([row("photos", "2")], "photos", [*gone, row("photos", "3")], []) == [*gone, row("photos", "3")]


def test_rows_come_back_as_they_were_kept(tmp_path: Path) -> None:
    path, table = tmp_path / "results.json", tmp_path / "RESULTS.md"
    judge = msgspec.structs.replace(OLD, part="faults")
    results.save([OLD, judge], path, table)
    assert results.load(path) == [OLD, judge]
    assert len(path.read_text("utf-8").splitlines()) == 4, "a row a line"
    assert table.read_text("utf-8") == rendered([OLD, judge])
    assert results.load(tmp_path / "none.json") == []


def test_what_is_measured_is_stamped() -> None:
    (taken,) = results.measured("faults", lambda: [share("right", 1, 3, "three moves")])
    assert (taken.part, taken.version, taken.where) == ("faults", results.version(), results.where())
    assert "core" in taken.machine and all(word in taken.where for word in ("OpenCV", "networks by "))
    assert taken.seconds is not None
    assert taken.interval == tuple(round(bound, 6) for bound in wilson(1, 3))


def test_the_version_is_that_before_the_work_and_a_plus_says_that_the_product_differs(
        monkeypatch: pytest.MonkeyPatch) -> None:
    said = {"log": "abc1234", "status": ""}
    monkeypatch.setattr(results, "_git", lambda *words: said[words[0]])

    def work() -> list[Row]:
        said["log"] = "def5678"  # committed meanwhile
        return [OLD]

    assert results.measured("faults", work)[0].version == "abc1234"
    said["status"] = " M engine/board.py"
    assert results.version() == "def5678+"


def test_only_what_changes_the_product_makes_another_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise each part after the first, and each document, would be a version of its own."""
    monkeypatch.setattr(results, "HERE", tmp_path)

    def commit(file: str) -> None:
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(file)
        for words in ("add .", f"-c user.name=A -c user.email=a@b.c commit -q -m {file}"):
            results._git(*words.split())

    results._git("init", "-q")
    commit("engine/board.py")
    plain = results.version()
    for other in ("tests/results.json", "engine/README.md", "README.md"):
        commit(other)
        assert results.version() == plain
    (tmp_path / "engine/README.md").write_text("more")
    assert results.version() == plain
    (tmp_path / "engine/board.py").write_text("more")
    assert results.version() == f"{plain}+"
    commit("web.py")
    commit("web/page.py")
    assert plain not in results.version()


def test_a_board_is_named_by_its_model_and_a_computer_by_its_processor(tmp_path: Path) -> None:
    model, processor = tmp_path / "model", tmp_path / "cpuinfo"
    assert results._model(model, processor) == ""
    processor.write_text("processor\t: 0\nmodel name\t: A Processor 9000\n")
    assert results._model(model, processor) == "A Processor 9000"
    model.write_bytes(b"Raspberry Pi 5 Model B Rev 1.0\0")
    assert results._model(model, processor) == "Raspberry Pi 5 Model B Rev 1.0"


@pytest.fixture
def kept_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Figures of two parts of this version, in other files; the path of the data."""
    path, table = tmp_path / "results.json", tmp_path / "RESULTS.md"
    kept = [msgspec.structs.replace(row(part, "old"), version=results.version()) for part in ("faults", "engine")]
    results.save(kept, path, table)
    monkeypatch.setattr(results, "load", partial(results.load, path))
    monkeypatch.setattr(results, "save", partial(results.save, path=path, table=table))
    monkeypatch.setitem(PARTS, "faults", Part("", lambda: [Row("a thing", "a table", "new")]))
    return path


def test_the_command_keeps_each_part_as_soon_as_it_is_done(
        kept_elsewhere: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def breaks() -> list[Row]:
        raise RuntimeError("the second part broke")

    monkeypatch.setitem(PARTS, "engine", Part("", breaks))
    with pytest.raises(RuntimeError, match="the second part broke"):
        main(["faults", "engine", "--keep"])
    assert [(one.part, one.value) for one in results.load()] == [("faults", "new"), ("engine", "old")]
    assert capsys.readouterr().out == "a table: a thing: new\n"


def test_the_command_keeps_nothing_unless_asked(kept_elsewhere: Path) -> None:
    before = kept_elsewhere.read_bytes()
    assert CliRunner().invoke(main, ["faults"]).exit_code == 0
    assert kept_elsewhere.read_bytes() == before


def test_the_command_says_how_many_figures_of_other_versions_are_gone(
        kept_elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "version", lambda: "def5678")
    done = CliRunner().invoke(main, ["faults", "--keep"])
    assert "2 rows of other versions than def5678 are gone" in done.stderr
    assert [(one.part, one.version) for one in results.load()] == [("faults", "def5678")]


def test_the_command_says_which_parts_there_are() -> None:
    asked, refused = (CliRunner().invoke(main, [word]) for word in ("--help", "nonsense"))
    lines = [line.strip() for line in asked.output.splitlines()]
    assert asked.exit_code == 0 and all(f"{name:<12}{part.what}" in lines for name, part in PARTS.items())
    assert refused.exit_code == 2 and "'nonsense' is not one of 'photos'" in refused.output


def test_the_slow_tables_rows_say_that_its_factors_are_estimates() -> None:
    from tests.bench import slow_table

    assert PARTS["slow"].rows is slow_table.rows and slow_table.FACTORS == {"Pi 5": 2.2, "Pi 4": 4.5}
    for machine in slow_table.FACTORS:
        assert "estimate until somebody measures one" in slow_table.as_on(machine)


def test_shares_have_wilsons_interval_and_places_for_their_n() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    low, high = wilson(9, 10)
    assert (round(low, 4), round(high, 4)) == (0.5958, 0.9821)
    assert [share("", 1, n).value for n in (3, 3000, 60_480)] == ["33.3 %", "0.03 %", "0.002 %"]
    assert interval(share("", 0, 60_480)) == "0.000-0.006" and interval(Row("", "", "5")) == ""
    assert (share("", 0, 0).value, share("", 0, 0).interval) == ("none measured", None)
    assert line(share("right", 3, 4, "four", "one hid")) == "four: right: 75.0 % [30.1-95.4] n=4 one hid"


def test_pits_are_counted_in_bands_and_by_how_sure_they_were() -> None:
    pits = Pits()
    pits.board([0, 3, 12], [0, 3, 10], [1.0, 0.9, 0.995])
    found = {one.measure: one for one in pits.rows("a board")}
    assert (found["pits exact"].value, found["pits exact"].n) == ("66.7 %", 3)
    assert found["pits exact, of 9-14 seeds"].value == "0.0 %" and "pits exact, of 5-8 seeds" not in found
    assert found["pits off by more than one"].value == "33.3 %" and found["boards exact"].value == "0.0 %"
    assert (found["pits wrong where p >= 0.99"].value, found["pits wrong where p >= 0.99"].n) == ("50.0 %", 2)
    assert float(found["calibration error"].value) == pytest.approx((1.0 + 0.9 + 0.995 - 2) / 3, abs=1e-3)
