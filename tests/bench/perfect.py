"""Logs as a perfect eye would have written them, to find out how well the referee could do at best.

    python -m tests.bench.perfect FOLDER OUT        then: python -m tests.bench.logs judge --folder OUT

At a rest between two moves every pit gets its true count; during moves, and for touches and hands, the logs stay as
they were. `tests.bench.logs` makes logs and truths.
"""

from __future__ import annotations

import json
import shutil
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click
import numpy as np

from device.evidence.reading_log import Logged, ReadingLog, read_log
from engine.position import Position
from vision.reading import COUNTS, Reading

APART_S = 0.05
"""Seconds before a hand comes, and after it has gone, that belong to its move."""
SURE_NATS = 12.0
"""Nats by which the true count is likelier than every other."""


@dataclass(frozen=True)
class Truth:
    """The true boards over time. begins, ends: seconds of each rest; counts: int[pits] during it."""

    begins: list[float]
    ends: list[float]
    counts: list[tuple[int, ...]]

    @classmethod
    def of(cls, truth: dict[str, Any]) -> Truth:
        """Return the boards of a clip's truth."""
        moves = truth["moves"]
        return cls([0.0, *(m["t_out"] + APART_S for m in moves)], [*(m["t_in"] - APART_S for m in moves), np.inf],
                   [Position.parse(line).counts for line in (truth["start"], *(m["position"] for m in moves))])

    def told(self, reading: Reading) -> Reading:
        """Return the reading as a perfect eye would give it, if it falls into a rest; else unchanged."""
        t = reading.time_ns / 1e9
        rest = bisect_right(self.begins, t) - 1
        if not reading.counted or t > self.ends[rest] or len(reading.loglik) != len(self.counts[rest]):
            return reading
        loglik = np.full(reading.loglik.shape, -SURE_NATS, np.float32)
        loglik[np.arange(len(loglik)), np.minimum(self.counts[rest], COUNTS - 1)] = 0.0
        return replace(reading, loglik=loglik)


def rewritten(log: Path, out: Path) -> None:
    """Write a log with perfect readings, and its truth beside it."""
    truth = Truth.of(json.loads(log.with_suffix(".truth.json").read_text("utf-8")))
    header, entries = read_log(log)
    with out.open("wb") as file:
        written = ReadingLog(file, header)
        for entry in entries:
            _write(written, entry, truth)
        written.close()
    shutil.copyfile(log.with_suffix(".truth.json"), out.with_suffix(".truth.json"))


def _write(log: ReadingLog, entry: Logged, truth: Truth) -> None:
    if entry.what == "reading" and entry.reading is not None:
        log.reading(truth.told(entry.reading), entry.view, entry.now)
    elif entry.what == "frozen":
        log.frozen(entry.now)
    else:
        log.replaced(entry.now)


def _logs(folder: Path) -> Iterator[Path]:
    return (log for log in sorted(folder.glob("*.log")) if log.with_suffix(".truth.json").exists())


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("out", type=click.Path(file_okay=False, path_type=Path))
def main(folder: Path, out: Path) -> None:
    """Write the logs in FOLDER into OUT as a perfect eye would have written them."""
    out.mkdir(parents=True, exist_ok=True)
    for log in _logs(folder):
        rewritten(log, out / log.name)
        click.echo(log.name)


if __name__ == "__main__":
    main()
