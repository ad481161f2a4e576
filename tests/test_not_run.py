"""Nobody takes a test that was left out for one that passed: the last line says what was not run, and what runs it."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import not_run, reasons_of, second_tries

TESTS = Path(__file__).parent
REMEDY = re.compile(r"^[^()]+ \(.+\)$", re.DOTALL)
"""What is left out, and in brackets what would run it."""
LEAVING_OUT = re.compile(r"pytest\.(mark\.skipif|mark\.skip|skip|importorskip)$")


def test_each_reason_stands_once_and_says_how_many_tests_it_kept_out() -> None:
    browser, torch = "the page in a browser (apt install chromium-headless-shell)", "teaching (pip install torch)"
    assert not_run([browser, torch, browser]) == f"Not run: {browser}: 2 tests, {torch}."
    assert not_run([]) == "Not run: nothing."


def test_reasons_are_taken_from_what_was_skipped() -> None:
    skipped = pytest.CollectReport("one", "skipped", ("one.py", 3, "Skipped: a thing (its remedy)"), [])
    passed = pytest.CollectReport("two", "passed", None, [])
    assert reasons_of([passed, skipped]) == ["a thing (its remedy)"]


def test_a_runs_last_line_says_what_was_left_out(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text((TESTS / "conftest.py").read_text("utf-8"), "utf-8")
    (tmp_path / "test_it.py").write_text("import pytest\ndef test_it(): pytest.skip('a thing (its remedy)')\n", "utf-8")
    bare = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # but for xdist, whose workers have no terminal
    for workers in ((), ("-p", "xdist", "-n", "1")):
        done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *workers, str(tmp_path)],
                              cwd=tmp_path, env=bare, capture_output=True, text=True, check=True)
        assert done.stdout.rstrip().splitlines()[-1] == "Not run: a thing (its remedy)."


def test_what_passed_at_a_second_try_is_named(tmp_path: Path) -> None:
    assert second_tries([]) is None
    (tmp_path / "conftest.py").write_text((TESTS / "conftest.py").read_text("utf-8"), "utf-8")
    test = "tries = []\ndef test_it(): tries.append(1); assert len(tries) == 2\n"
    (tmp_path / "test_it.py").write_text(test, "utf-8")
    bare = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    plugins = ("-p", "no:cacheprovider", "-p", "pytest_rerunfailures", "--reruns", "1")
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", *plugins, str(tmp_path)],
                          cwd=tmp_path, env=bare, capture_output=True, text=True, check=True)
    assert done.stdout.rstrip().splitlines()[-2:] == [
        "Tried twice, which is a defect to mend: test_it.py::test_it.", "Not run: nothing."]


def places() -> Iterator[tuple[str, ast.Call]]:
    """Every call in the tests that may leave a test out, and where it stands."""
    for file in sorted(TESTS.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            if LEAVING_OUT.match(ast.unparse(node.func)):
                yield f"{file.relative_to(TESTS)}:{node.lineno}", node


def reason(call: ast.Call) -> str:
    """The reason that it gives, "" where it gives none; what is put in when it is said is an ellipsis."""
    named = {k.arg: k.value for k in call.keywords}
    given = named.get("reason") or (call.args[0] if ast.unparse(call.func) == "pytest.skip" else None)
    if isinstance(given, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in given.values)
    return str(given.value) if isinstance(given, ast.Constant) else ""


def test_every_reason_says_what_would_run_the_test() -> None:
    found = {where: reason(call) for where, call in places()}
    assert len(found) > 8
    assert not {where: why for where, why in found.items() if not REMEDY.match(why)}
