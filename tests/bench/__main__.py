"""`make bench`: every measure that can be measured now, as one table. Timings are ratios taken in this run."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator

from tests.bench import (
    engine_bench,
    faults_any,
    frames,
    judge_bench,
    photos,
    real_hands,
    rendered,
    soak,
    spectators,
    watching,
)
from tests.bench.table import Row

PARTS: dict[str, Callable[[], list[Row]]] = {
    "photos": photos.rows,
    "traced": photos.traced_rows,
    "rendered": rendered.rows,
    "hands": real_hands.rows,
    "watch": watching.rows,
    "soak": soak.rows,
    "spectators": spectators.rows,
    "judge": judge_bench.rows,
    "faults": faults_any.rows,
    "frames": frames.rows,
    "engine": engine_bench.rows,
    "perft": engine_bench.wide,
}


def table(names: list[str]) -> Iterator[str]:
    """The table's lines, as they come."""
    yield "| measure | figure |"
    yield "|---|---|"
    for name in names:
        began = time.monotonic()
        for what, figure in PARTS[name]():
            yield f"| {what} | {figure} |"
        print(f"{name}: {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)


def main() -> None:
    """Print it; arguments name the parts, all if none."""
    names = sys.argv[1:] or list(PARTS)
    unknown = [n for n in names if n not in PARTS]
    if unknown:
        sys.exit(f"no part of the bench is called {unknown[0]}: there are {', '.join(PARTS)}")
    for line in table(names):
        print(line, flush=True)


if __name__ == "__main__":
    main()
