"""The measurements of one version of the product: kept as data in `results.json`; RESULTS.md shows the headlines.

Nothing in either is written by hand. When a newer version is measured, the rows of older ones are dropped, so that all
figures are of the same program. Earlier ones are in the git history of `results.json`.
"""

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
from vision.network import load as load_network
from vision.seeds.counter import WEIGHTS

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
    "unseen: * in the end: all *",
    "unseen: asked though known: all *",
    "unseen: reliability, 0.[5-9]*",
    "scenarios: *",
    "slow: verdict right: *a Pi *",
    "photos: boards found: *",
    "photos: pits exact: *",
    "traced: pits exact: *pits given",
    "traced: ceiling of one picture: path-traced boards",
    "cycles: boards found: *",
    "cycles: pits exact: *",
    "hands: frames of 'hand' *: *2x8",
    "hands: frames of 'clear' *: *2x8",
    "faults: faults: named by code and pit: *",
    "faults: faults: called legal: *",
    "faults: legal moves accused: *",
    "core: core cost*",
)
"""What RESULTS.md shows, in its order: patterns of "part: measure: what it was measured on"."""
HEAD = """# What was measured

Of version {version}, on {days} ({machines}). Made from `results.json`, which has all
figures, by `python -m tests.bench --keep`: change nothing here by hand. [`README.md`](README.md) says what the measures
mean and rest on. 95 % intervals are Wilson's, in percent; they count moves or pits, though errors lie on few tables.

"""
COLUMNS = ("measure", "measured on", "n", "value", "95 % interval")


def load(path: Path = KEPT) -> list[Row]:
    """Return the kept rows; none without a file. Raises msgspec.ValidationError for a broken row."""
    return msgspec.json.decode(path.read_bytes(), type=list[Row]) if path.exists() else []


def save(rows: Sequence[Row], path: Path = KEPT, table: Path = TABLE) -> None:
    """Write the rows, one per line, and render their headlines."""
    lines = ",\n".join(msgspec.json.encode(row).decode() for row in rows)
    path.write_text(f"[\n{lines}\n]\n", "utf-8")
    table.write_text(rendered(rows), "utf-8")


def merged(kept: Iterable[Row], part: str, new: Sequence[Row], order: Sequence[str]) -> list[Row]:
    """Return the kept rows of the new rows' version, with those of the part replaced by the new ones. order: of the
    parts; others follow in their old order. If the new rows only say "missing", the part's old rows stay."""
    versions = {row.version for row in new}
    kept = [row for row in kept if row.version in versions]
    missing = all(row.value.startswith("missing") for row in new)
    if missing and any(row.part == part for row in kept):
        return kept
    rows = [row for row in kept if row.part != part] + list(new)
    place = {name: k for k, name in enumerate(dict.fromkeys([*order, *(row.part for row in rows)]))}
    return sorted(rows, key=lambda row: place[row.part])


def measured(part: str, work: Callable[[], list[Row]]) -> list[Row]:
    """Return a part's rows with when and where they were measured, and how long that took."""
    began, by = monotonic(), version()  # later commits do not count
    rows = work()
    seconds = round(monotonic() - began, 1)
    return [replace(row, part=part, version=by, date=datetime.now(UTC).date().isoformat(), machine=machine(),
                    where=where(), seconds=seconds, interval=_rounded(row.interval)) for row in rows]


def _rounded(bounds: tuple[float, float] | None) -> tuple[float, float] | None:
    """Return the bounds of a share, rounded for keeping."""
    return None if bounds is None else (round(bounds[0], 6), round(bounds[1], 6))


def version() -> str:
    """Return the last commit that changed the product, with "+" if the product's files differ from it; without git, the
    package's version. Commits of tests and documents do not change the version."""
    paths = [f":/{room}" for room in PRODUCT] + [":(exclude,top,glob)**/*.md"]
    try:
        commit = _git("log", "-1", "--format=%h", "--", *paths)
        changed = _git("status", "--porcelain", "--", *paths)
    except (OSError, subprocess.CalledProcessError):
        return importlib.metadata.version("inkeek")
    return f"{commit}+" if changed else commit


def _git(*words: str) -> str:
    """Run git in this folder and return its output. Raises OSError without git, CalledProcessError if git fails."""
    return subprocess.run(["git", *words], cwd=HERE, text=True, capture_output=True, check=True).stdout.strip()


def machine() -> str:
    """Return the model of a single-board computer, else the processor; and the number of usable cores."""
    cores = len(os.sched_getaffinity(0))
    return f"{_model() or platform.machine()}, {cores} {'core' if cores == 1 else 'cores'}"


def _model(board: Path = Path("/proc/device-tree/model"), processor: Path = Path("/proc/cpuinfo")) -> str:
    """Return the name of the board or of the processor, "" if neither is known."""
    if board.exists():
        return board.read_text().strip("\0\n ")
    lines = processor.read_text().splitlines() if processor.exists() else []
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")


def where() -> str:
    """Return the system, the versions of the libraries, and what runs the networks."""
    system = platform.freedesktop_os_release().get("PRETTY_NAME", "Linux") if Path("/etc/os-release").exists() else (
        platform.system())
    networks = load_network(WEIGHTS, ("logits", "seeds")).runtime
    return f"{system}, Python {platform.python_version()}, OpenCV {cv2.__version__}, networks by {networks}"


def keep(part: str, rows: Sequence[Row], order: Sequence[str] = ()) -> int:
    """Keep the rows of a measured part; return how many rows of other versions were dropped."""
    before = load()
    save(merged(before, part, rows, order))
    return sum(row.version not in {new.version for new in rows} for row in before)


def headlines(rows: Iterable[Row]) -> list[Row]:
    """Return the rows that RESULTS.md shows, in its order."""
    rows = list(rows)
    return [row for pattern in HEADLINES for row in rows
            if fnmatchcase(f"{row.part}: {row.measure}: {row.basis}", pattern)]


def rendered(rows: Iterable[Row]) -> str:
    """Return the text of RESULTS.md. Raises ValueError if the rows are of several versions."""
    rows = list(rows)
    versions, days, machines = (" and ".join(sorted({getattr(row, name) for row in rows}))
                                for name in ("version", "date", "machine"))
    if " and " in versions:
        raise ValueError(f"the rows are of several versions: {versions}")
    lines = [_line(COLUMNS), _line(["---"] * len(COLUMNS)), *(_line(_cells(row)) for row in headlines(rows))]
    return HEAD.format(version=versions, days=days, machines=machines) + "\n".join(lines) + "\n"


def _cells(row: Row) -> list[str]:
    """Return the text of a row's columns."""
    return [row.measure, row.basis, "" if row.n is None else f"{row.n:,}",
            f"{row.value} ({row.note})" if row.note else row.value, interval(row)]


def _line(cells: Iterable[str]) -> str:
    """Return a line of a Markdown table."""
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"
