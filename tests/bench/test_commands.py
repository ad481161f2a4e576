"""Every command of the bench explains itself."""

import runpy
import sys
import warnings
from pathlib import Path

import pytest

HERE = Path(__file__).parent
BENCH = tuple(f"tests.bench.{path.stem}" for path in sorted(HERE.glob("*.py"))
              if not path.stem.startswith("test_") and 'if __name__ == "__main__":' in path.read_text("utf-8"))


def run(name: str, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> int | str | None:
    """Run a module as `python -m` does, in this process; return its exit status."""
    monkeypatch.setattr(sys, "argv", [name, *words])
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*found in sys.modules", category=RuntimeWarning)
        with pytest.raises(SystemExit) as left:
            runpy.run_module(name, run_name="__main__", alter_sys=True)
    return left.value.code


@pytest.mark.parametrize("name", BENCH)
def test_each_command_explains_itself(
        name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "mitsuba", None)
    monkeypatch.setitem(sys.modules, "pybullet", None)
    assert run(name, ("--help",), monkeypatch) == 0
    said = capsys.readouterr()
    assert said.out.lower().startswith("usage: ") and "--help" in said.out and not said.err


@pytest.mark.parametrize("name", ["tests.bench.pathtraced", "tests.bench.tracedmaking"])
def test_where_the_tracer_is_missing_one_sentence_says_so(
        name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "mitsuba", None)
    assert run(name, (str(tmp_path / "clips"),), monkeypatch) == 1
    assert capsys.readouterr().err.removeprefix("Error: ") == "mitsuba is missing: pip install mitsuba pybullet\n"


def test_where_valgrind_is_missing_one_sentence_says_so(
        monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("shutil.which", lambda _name: None)
    assert run("tests.bench.instructions", (), monkeypatch) == 1
    assert capsys.readouterr().err == "Error: valgrind is missing: apt-get install valgrind\n"


@pytest.mark.parametrize(("name", "words", "what"), [
    ("tests.bench.engine_bench", ("soon",), "'soon'"), ("tests.bench.eye_errors", ("many",), "'many'"),
    ("tests.bench.eye_errors", ("bound", "nowhere.npz"), "'nowhere.npz'"),
    ("tests.bench.openings", ("round",), "'round'"),
])
def test_what_cannot_be_used_is_named(name: str, words: tuple[str, ...], what: str, monkeypatch: pytest.MonkeyPatch,
                                      capsys: pytest.CaptureFixture[str]) -> None:
    assert run(name, words, monkeypatch) == 2
    assert what in capsys.readouterr().err.splitlines()[-1]
