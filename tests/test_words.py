"""The project speaks plainly: no phrase that has to be read twice, and no name of a class for two things.

The phrases are looked for in the rooms that are clean; a room that becomes clean is added.
"""

import re
import subprocess
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
PRODUCT = ("engine", "vision", "device", "web")
ENDINGS = (".py", ".md", ".js", ".html", ".toml", ".service")
BANNED = (r"of which", r"as of `", r"as of\b", r"to be had", r"what nothing but", r"it is said that", r"nought\b")
PLAIN = ("web", "device/publishing", "device/sim", "device/evidence", "device/eyes", "device/films", "engine",
         "vision",          "tests/bench", "tests/engine", "tests/vision", "tests/web", "tests/libcamera",
         "tests/device/cameras", "tests/device/cli", "tests/device/evidence", "tests/device/eyes")
"""Folders in which none of the phrases stands; documents and the Makefile are covered everywhere."""


def tracked(*folders: str) -> list[Path]:
    """The project's files in these folders."""
    listed = subprocess.run(["git", "ls-files", *folders], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in listed.splitlines() if (ROOT / name).exists()]


def test_no_text_has_a_phrase_that_has_to_be_read_twice() -> None:
    files = {p for p in tracked(*PLAIN) if p.suffix in ENDINGS}
    files |= {p for p in tracked() if p.suffix == ".md" or p.name == "Makefile"}
    assert len(files) > 300
    words = re.compile(rf"\b(?:{'|'.join(BANNED)})", re.IGNORECASE)
    found = [f"{p.relative_to(ROOT)}:{number}: {line.strip()}" for p in sorted(files) if p != Path(__file__)
             for number, line in enumerate(p.read_text("utf-8").splitlines(), 1) if words.search(line)]
    assert not found


def test_a_class_has_a_name_of_its_own() -> None:
    places = defaultdict(list)
    for path in tracked(*PRODUCT):
        if path.suffix == ".py":
            for name in re.findall(r"^ *class (\w+)[(:]", path.read_text("utf-8"), re.MULTILINE):
                places[name].append(path.relative_to(ROOT).as_posix())
    assert len(places) > 500
    assert not {name: where for name, where in places.items() if len(where) > 1}
