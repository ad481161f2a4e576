"""Nobody takes a test that was left out for one that passed: the last line says what was not run, and what runs it."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import not_run, reasons_of

TESTS = Path(__file__).parent
REMEDY = re.compile(r"^[^()]+ \(.+\)$", re.DOTALL)
"""What is left out, and in brackets what would run it."""
LEAVING_OUT = ("skip", "skipif", "importorskip")


def test_each_reason_stands_once_and_says_how_many_tests_it_kept_out() -> None:
    browser, torch = "the page in a browser (apt install chromium)", "teaching (pip install torch)"
    assert not_run([browser, torch, browser]) == f"Not run: {browser}: 2 tests, {torch}."
    assert not_run([]) == "Not run: nothing."


def test_reasons_are_taken_from_what_was_skipped() -> None:
    skipped = pytest.CollectReport("one", "skipped", ("one.py", 3, "Skipped: a thing (its remedy)"), [])
    passed = pytest.CollectReport("two", "passed", None, [])
    assert reasons_of([passed, skipped]) == ["a thing (its remedy)"]


def test_a_runs_last_line_says_what_was_left_out(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text((TESTS / "conftest.py").read_text("utf-8"), "utf-8")
    (tmp_path / "test_it.py").write_text("import pytest\ndef test_it(): pytest.skip('a thing (its remedy)')\n", "utf-8")
    for workers in ((), ("-n", "1")):
        done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *workers, str(tmp_path)],
                              cwd=tmp_path, capture_output=True, text=True, check=True)
        assert done.stdout.rstrip().splitlines()[-1] == "Not run: a thing (its remedy)."


def said() -> Iterator[tuple[str, str | None]]:
    """Every place where a test may be left out, and the reason that stands there, None where there is none."""
    for file in sorted(TESTS.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not ast.unparse(node.func).startswith("pytest."):
                continue
            called = ast.unparse(node.func).rsplit(".", 1)[-1]
            if called in LEAVING_OUT:
                named = {k.arg: k.value for k in node.keywords}
                reason = named.get("reason", node.args[0] if node.args and called == "skip" else None)
                yield f"{file.relative_to(TESTS)}:{node.lineno}", None if reason is None else text(reason)


def text(node: ast.expr) -> str:
    """A reason as it reads, with … for what is put in when it is said; of a constant, its name."""
    if isinstance(node, ast.JoinedStr):
        return "".join(str(v.value) if isinstance(v, ast.Constant) else "…" for v in node.values)
    return str(node.value) if isinstance(node, ast.Constant) else f"{ast.unparse(node)} (a constant)"


def test_every_reason_says_what_would_run_the_test() -> None:
    found = list(said())
    assert len(found) > 8
    assert not [(where, reason) for where, reason in found if reason is None or not REMEDY.match(reason)]
