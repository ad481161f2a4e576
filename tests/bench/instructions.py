"""Instructions of one frame through the eye, per stage, counted by callgrind, and the time that a Raspberry Pi would
need.

    python -m tests.bench.instructions

Needs valgrind and some minutes. One thread. The counts are x86 instructions with vectors of at most 256 bits; the Pi's
have 128. So the milliseconds are an estimate, given as a range: twice as many instructions at the slow end, as many at
the fast one.
"""

import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import click
import numpy as np

from tests.bench.table import Row, print_rows

TIMES = 2
MARK = 100_000
"""More instructions than the mark itself takes, which shows up in several functions, and fewer than any stage takes."""
STAGES = ("hands only", "hands, every pit as it was", "hands and counts, every pit changed", "finding a board")
CORES = {"Cortex-A72 of 1.8 GHz (Pi 4)": (1.8e9, 1.0, 1.6), "Cortex-A76 of 2.4 GHz (Pi 5)": (2.4e9, 1.8, 2.8)}
"""Clock in Hz, and instructions per clock at the slow and the fast end, typical for such code."""


def work(saved: Path) -> None:
    """Run each stage `TIMES` times under callgrind, with a mark before and after."""
    import cv2

    from vision.board.find import find
    from vision.eye import Eye
    from vision.reading import Frame
    from vision.seeds.evidence import PitEvidence

    cv2.setNumThreads(1)
    with np.load(saved) as file:
        image, rows, cols = file["image"], int(file["rows"]), int(file["cols"])
    eye, frame, number = Eye(rows, cols), Frame(image, 0, 0), 0

    def look(count: bool, changed: bool = False) -> Callable[[], object]:
        def once() -> object:
            nonlocal number
            number += 1
            if changed:
                eye._evidence = PitEvidence(eye._counter, eye._seed_area, eye._adaptation)
            return eye.look(replace(frame, time_ns=number * 70_000_000), count=count, revisit=changed)
        return once

    for stage in (look(False), look(True), look(True, changed=True), lambda: find(image, rows, cols)):
        stage()  # the first run prepares what later frames reuse
        time.clock_getres(time.CLOCK_MONOTONIC)  # the mark: see `counted`
        for _ in range(TIMES):
            stage()
        time.clock_getres(time.CLOCK_MONOTONIC)
    if eye.view is None:
        raise RuntimeError("the board was not found")


def counted() -> dict[str, float]:
    """Return the instructions of each stage. Raises RuntimeError if they cannot be counted."""
    if shutil.which("valgrind") is None:
        raise RuntimeError("valgrind is missing: apt-get install valgrind")
    from tests.bench.rendered import tables

    frame, scene = tables(2)[1]
    with tempfile.TemporaryDirectory(prefix="inkeek-callgrind-") as folder:
        saved = Path(folder) / "frame.npz"
        np.savez(saved, image=frame.image, rows=scene.style.rows, cols=scene.style.cols)
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", "--dump-before=*clock_getres*", f"--callgrind-out-file={folder}/out",
             sys.executable, "-W", "ignore", "-m", "tests.bench.instructions", "--work", str(saved)],
            capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"callgrind failed: {done.stderr.strip().splitlines()[-1]}")
        parts = sorted(Path(folder).glob("out.*"), key=lambda path: int(path.suffix[1:]))
        found = (re.search(r"^totals: (\d+)", part.read_text(errors="replace"), re.M) for part in parts)
        totals = [total for one in found if one is not None and (total := int(one[1])) > MARK]
    if len(totals) < 2 * len(STAGES):
        raise RuntimeError(f"callgrind saw {len(totals)} marks, {2 * len(STAGES)} were made")
    # The dumps alternate: a stage's warm-up, then the stage itself, and so on.
    return {stage: totals[-2 * len(STAGES):][2 * i + 1] / TIMES for i, stage in enumerate(STAGES)}


def rows() -> list[Row]:
    """Return the figures."""
    found = []
    for stage, count in counted().items():
        estimates = [f"{name}: {1000 * count / (clock * quick):.0f} to {2000 * count / (clock * slow):.0f} ms"
                     for name, (clock, slow, quick) in CORES.items()]
        found.append(Row(f"instructions, {stage}", "a rendered board, counted by callgrind",
                         f"{count / 1e6:.0f} million", note=f"estimate, {'; '.join(estimates)}"))
    return found


@click.command()
@click.option("--work", "saved", hidden=True, type=click.Path(dir_okay=False, path_type=Path), help="What is counted.")
def main(saved: Path | None) -> None:
    """Count the instructions of one frame through the eye, per stage, and estimate a Raspberry Pi's time. Needs
    valgrind and some minutes."""
    if saved is not None:
        work(saved)
        return
    try:
        print_rows(rows())
    except RuntimeError as error:
        raise click.ClickException(str(error)) from error


if __name__ == "__main__":
    main()
