"""What was measured: kept as data in `results.json`, and rendered from it as the one table of RESULTS.md.

Nothing in either is written by hand. A row says when, by which version and where it was taken, so that parts which were
measured at different times stand side by side; a part that is measured again takes the place of its own rows alone.
"""

from __future__ import annotations

import importlib.metadata
import os
import platform
import subprocess
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic

import cv2
import msgspec
from msgspec.structs import replace

from tests.bench.table import Row, interval

HERE = Path(__file__).parent
KEPT = HERE / "results.json"
TABLE = HERE / "RESULTS.md"
CARRIED = "carried over from a table that was written by hand"
HEAD = """# What was measured

Made from `tests/bench/results.json` by `make bench`: change nothing here by hand. What the measures mean, and what they
rest on, stands in [`README.md`](README.md); why the program is as it is, in [`decisions/`](decisions/README.md). 95 %
intervals are Wilson's, in percent; *seconds* are those of the part of the bench that a row is of. A row that was
*carried over* was copied once from a table that was written by hand, with the date and the version under which it stood
there; a part of the bench that is run again replaces its own.

"""
COLUMNS = ("measure", "measured on", "n", "value", "95 % interval", "version", "date", "machine", "where it was run",
           "seconds")


def load(path: Path = KEPT) -> list[Row]:
    """The rows that are kept; none where there is no file. Raises msgspec.ValidationError where a row is broken."""
    return msgspec.json.decode(path.read_bytes(), type=list[Row]) if path.exists() else []


def save(rows: Sequence[Row], path: Path = KEPT, table: Path = TABLE) -> None:
    """Keep the rows, one a line, and render them."""
    lines = ",\n".join(msgspec.json.encode(row).decode() for row in rows)
    path.write_text(f"[\n{lines}\n]\n", "utf-8")
    table.write_text(rendered(rows), "utf-8")


def merged(kept: Iterable[Row], part: str, new: Sequence[Row], order: Sequence[str]) -> list[Row]:
    """The rows with those of a part replaced by its new ones. order: of the parts; others stand after them as they did.
    Where all that is new is that something is missing, what was measured before is left as it is."""
    kept = list(kept)
    missing = all(row.value.startswith("missing") for row in new)
    if missing and any(row.part == part for row in kept):
        return kept
    rows = [row for row in kept if row.part != part] + list(new)
    place = {name: k for k, name in enumerate(dict.fromkeys([*order, *(row.part for row in rows)]))}
    return sorted(rows, key=lambda row: place[row.part])


def measured(part: str, work: Callable[[], list[Row]]) -> list[Row]:
    """The rows of a part, with when and where they were taken, and how long that took."""
    began, by = monotonic(), version()  # what is committed while it runs has no part in it
    rows = work()
    seconds = round(monotonic() - began, 1)
    return [replace(row, part=part, version=by, date=datetime.now(UTC).date().isoformat(), machine=machine(),
                    where=where(), seconds=seconds, interval=_rounded(row.interval)) for row in rows]


def _rounded(bounds: tuple[float, float] | None) -> tuple[float, float] | None:
    """Bounds of a share as they are kept."""
    return None if bounds is None else (round(bounds[0], 6), round(bounds[1], 6))


def version() -> str:
    """The commit that is measured, "+" behind it where the tree differs from it otherwise than by what is measured;
    without git the package's version."""
    try:
        commit = _git("rev-parse", "--short", "HEAD")
        changed = _git("status", "--porcelain", "--", ":/", f":!{KEPT.name}", f":!{TABLE.name}")
    except (OSError, subprocess.CalledProcessError):
        return importlib.metadata.version("inkeek")
    return f"{commit}+" if changed else commit


def _git(*words: str) -> str:
    """What git says to that, in this folder. Raises OSError without git, CalledProcessError where it refuses."""
    return subprocess.run(["git", *words], cwd=HERE, text=True, capture_output=True, check=True).stdout.strip()


def machine() -> str:
    """The machine's model where it is a single-board computer, else its processor; and the cores that may be used."""
    cores = len(os.sched_getaffinity(0))
    return f"{_model() or platform.machine()}, {cores} {'core' if cores == 1 else 'cores'}"


def _model(board: Path = Path("/proc/device-tree/model"), processor: Path = Path("/proc/cpuinfo")) -> str:
    """The name of the board or of the processor, "" where neither is known."""
    if board.exists():
        return board.read_text().strip("\0\n ")
    lines = processor.read_text().splitlines() if processor.exists() else []
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")


def where() -> str:
    """The system, and the versions of what does the work."""
    system = platform.freedesktop_os_release().get("PRETTY_NAME", "Linux") if Path("/etc/os-release").exists() else (
        platform.system())
    return f"{system}, Python {platform.python_version()}, OpenCV {cv2.__version__}"


def rendered(rows: Iterable[Row]) -> str:
    """RESULTS.md: what it is, and the table."""
    lines = [_line(COLUMNS), _line(["---"] * len(COLUMNS)), *(_line(_cells(row)) for row in rows)]
    return HEAD + "\n".join(lines) + "\n"


def _cells(row: Row) -> list[str]:
    """What stands in a row's columns."""
    place = "; ".join(words for words in (CARRIED if row.carried else "", row.where) if words)
    return [row.measure, row.basis, "" if row.n is None else f"{row.n:,}",
            f"{row.value} ({row.note})" if row.note else row.value, interval(row), row.version, row.date, row.machine,
            place, "" if row.seconds is None else f"{row.seconds:.0f}"]


def _line(cells: Iterable[str]) -> str:
    """A line of a Markdown table."""
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"
