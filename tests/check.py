"""`make check`: what can be said of a change in about a minute, without renderer, network or browser.

ruff looks at everything, mypy at what changed since `main`. The tests are those of the rules, the referee,
matches, tournaments, records, the journal, the page's read model, the table's places, rulings, set-ups and scenarios,
and of seeds without networks; those that open the page in a browser are left to `make test`.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
SEEDS = ("added", "cells", "changes", "crops", "empties", "known_counts", "seed_area")
TABLE = ("places", "rulings", "setup", "table_scenarios")
TESTS = ("tests/engine", "tests/device/journal", "tests/web/readmodel", "tests/test_words.py",
         *(f"tests/device/table/test_{name}.py" for name in TABLE),
         *(f"tests/vision/seeds/test_{name}.py" for name in SEEDS))
WORKERS = min(2, os.cpu_count() or 1)


def git(*words: str) -> list[str]:
    """The lines that git answers; none where it refuses."""
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.splitlines() if done.returncode == 0 else []


def changed() -> list[str]:
    """Python files that differ from `main`, or from the last commit where this is `main`, and those that are new."""
    since = (git("merge-base", "HEAD", "main") or ["HEAD"])[0]
    listed = {*git("diff", "--name-only", since), *git("ls-files", "--others", "--exclude-standard")}
    return sorted(name for name in listed if name.endswith(".py") and (ROOT / name).exists())


def steps(files: list[str]) -> list[tuple[str, list[str]]]:
    """What is done, each with a word for it. files: those whose types are checked; mypy is left out where none are."""
    tests = ["pytest", "-q", "-m", "not browser", "-n", str(WORKERS), "--dist", "loadfile", *TESTS]
    types = [("types of what changed", ["mypy", *files])] if files else []
    return [("lint", ["ruff", "check", "--quiet"]), *types, ("tests", tests)]


def main() -> int:
    """Do all of it, say how long each step took, and return how many failed."""
    failed = 0
    for name, words in steps(changed()):
        began = time.monotonic()
        status = subprocess.run([sys.executable, "-m", *words], cwd=ROOT, check=False).returncode
        print(f"{name}: {'done' if status == 0 else 'failed'} in {time.monotonic() - began:.0f} s", flush=True)
        failed += status != 0
    return failed


if __name__ == "__main__":
    sys.exit(main())
