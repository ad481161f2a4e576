"""What was measured of one version of the product: kept as data in `results.json`; RESULTS.md shows its headlines.

Nothing in either is written by hand. Rows of another version go as soon as a newer one is measured: figures that stand
side by side are figures of the same program. Earlier ones are in the history of `results.json`.
"""

from __future__ import annotations

import importlib.metadata
import os
import platform
import subprocess
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from pathlib import Path
from time import monotonic

import cv2
import msgspec
from msgspec.structs import replace

from tests.bench.table import Row, interval
from vision.seeds.counter import WEIGHTS
from vision.seeds.network import load as load_network

HERE = Path(__file__).parent
KEPT = HERE / "results.json"
TABLE = HERE / "RESULTS.md"
PRODUCT = ("engine", "vision", "device", "web")
MOST_ROWS = 40
HEADLINES = (
    "unseen: verdict right: *",
    "unseen: legal moves accused: all *",
    "unseen: faults called legal: all *",
    "unseen: faults named by code and pit, of the caught: all *",
    "scenarios: *",
    "slow: verdict right: *",
    "slow: verdict delay*",
    "photos: boards found: *",
    "photos: pits exact: *",
    "photos: pits off by more than one: photographs of boards, pits given",
    "traced: pits exact: *pits given",
    "traced: ceiling of one picture: path-traced boards",
    "hands: frames of *: *2x8",
    "faults: faults: named by code and pit: *",
    "faults: faults: called legal: *",
    "faults: legal moves accused: *",
    "core: core cost*",
    "engine: moves a second: *",
)
"""What RESULTS.md shows, in its order: patterns of "part: measure: what it was measured on"."""
HEAD = """# What was measured

Of version {version}, on {days} ({machines}). Made from `results.json`, which has all
figures, by `python -m tests.bench --keep`: change nothing here by hand. [`README.md`](README.md) says what the measures
mean and rest on. 95 % intervals are Wilson's, in percent; they count moves or pits, though errors lie on few tables.

"""
COLUMNS = ("measure", "measured on", "n", "value", "95 % interval")


def load(path: Path = KEPT) -> list[Row]:
    """The rows that are kept; none where there is no file. Raises msgspec.ValidationError where a row is broken."""
    return msgspec.json.decode(path.read_bytes(), type=list[Row]) if path.exists() else []


def save(rows: Sequence[Row], path: Path = KEPT, table: Path = TABLE) -> None:
    """Keep the rows, one a line, and render their headlines."""
    lines = ",\n".join(msgspec.json.encode(row).decode() for row in rows)
    path.write_text(f"[\n{lines}\n]\n", "utf-8")
    table.write_text(rendered(rows), "utf-8")


def merged(kept: Iterable[Row], part: str, new: Sequence[Row], order: Sequence[str]) -> list[Row]:
    """The rows of the new rows' version, with those of a part replaced by its new ones. order: of the parts; others
    stand after them as they did. Where all that is new is that something is missing, the part's rows stay."""
    versions = {row.version for row in new}
    kept = [row for row in kept if row.version in versions]
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
    """The last commit that changed the product, "+" behind it where the product's files differ from that; without git
    the package's version. Commits of tests and documents alone are of the same version."""
    paths = [f":/{room}" for room in PRODUCT] + [":(exclude,top,glob)**/*.md"]
    try:
        commit = _git("log", "-1", "--format=%h", "--", *paths)
        changed = _git("status", "--porcelain", "--", *paths)
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
    """The system, the versions of what does the work, and what runs the networks."""
    system = platform.freedesktop_os_release().get("PRETTY_NAME", "Linux") if Path("/etc/os-release").exists() else (
        platform.system())
    networks = load_network(WEIGHTS, ("logits", "seeds")).runtime
    return f"{system}, Python {platform.python_version()}, OpenCV {cv2.__version__}, networks by {networks}"


def keep(part: str, rows: Sequence[Row], order: Sequence[str] = ()) -> int:
    """Keep the rows of a part that was measured. Returns how many rows of other versions went."""
    before = load()
    save(merged(before, part, rows, order))
    return sum(row.version not in {new.version for new in rows} for row in before)


def headlines(rows: Iterable[Row]) -> list[Row]:
    """The rows that RESULTS.md shows, in its order."""
    rows = list(rows)
    return [row for pattern in HEADLINES for row in rows
            if fnmatchcase(f"{row.part}: {row.measure}: {row.basis}", pattern)]


def rendered(rows: Iterable[Row]) -> str:
    """RESULTS.md: what it is, and its table. Raises ValueError where the rows are of several versions."""
    rows = list(rows)
    versions, days, machines = (" and ".join(sorted({getattr(row, name) for row in rows}))
                                for name in ("version", "date", "machine"))
    if " and " in versions:
        raise ValueError(f"the rows are of several versions: {versions}")
    lines = [_line(COLUMNS), _line(["---"] * len(COLUMNS)), *(_line(_cells(row)) for row in headlines(rows))]
    return HEAD.format(version=versions, days=days, machines=machines) + "\n".join(lines) + "\n"


def _cells(row: Row) -> list[str]:
    """What stands in a row's columns."""
    return [row.measure, row.basis, "" if row.n is None else f"{row.n:,}",
            f"{row.value} ({row.note})" if row.note else row.value, interval(row)]


def _line(cells: Iterable[str]) -> str:
    """A line of a Markdown table."""
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"
