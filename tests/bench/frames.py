"""Frame cost: one frame through the eye relative to one `cv2.warpPerspective` of the same size, on one thread, in one
run."""

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import cv2
import numpy as np

from tests.bench.table import Row
from vision.board.find import find
from vision.eye import Eye
from vision.reading import Frame
from vision.render.scene import RenderedTable
from vision.render.styles import SceneStyle
from vision.seeds.counter import reader
from vision.seeds.crops import SIZE, crop_view
from vision.seeds.evidence import PitEvidence

COLUMNS, MOST = 12, 6
"""Columns of the board with two rows, and the most seeds in one of its pits."""
PITS = 32
"""Pits of a board of 4 × 8."""
BASIS = "a rendered board of 2x12, 1280x720; a warp is one cv2.warpPerspective of it, on one thread"


def board() -> Frame:
    """Return a frame of the house style's board, 1280×720."""
    rng = np.random.default_rng(5)
    scene = RenderedTable(SceneStyle.house(2, COLUMNS), (1280, 720), rng.integers(0, MOST + 1, (2, COLUMNS)))
    return Frame(scene.finish(scene.image(), rng), 1_000_000_000, 0)


def median_seconds(work: Callable[[], object], runs: int) -> float:
    """Return the median time of a call, seconds."""
    spent = []
    for _ in range(runs):
        began = time.perf_counter()
        work()
        spent.append(time.perf_counter() - began)
    return statistics.median(spent)


def rows(runs: int = 25) -> list[Row]:
    """Return the ratios."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        frame = board()
        eye = Eye(2, COLUMNS)
        eye.look(frame)
        warp = median_seconds(lambda: cv2.warpPerspective(frame.image, np.eye(3) + 1e-4, (1280, 720)), runs)
        out = []
        for what, count in (("nothing moves, hands only", False), ("nothing moves, every pit as it was", True)):
            clock: Iterator[int] = iter(range(1, 10 * runs))

            def look(count: bool = count, clock: Iterator[int] = clock) -> object:
                return eye.look(replace(frame, time_ns=next(clock) * 70_000_000), count=count, revisit=False)

            out.append(Row(f"frame cost, {what}", BASIS, f"{median_seconds(look, runs) / warp:.1f} warps", runs))
        clock = iter(range(10 * runs, 20 * runs))

        def changed() -> object:
            eye._evidence = PitEvidence(eye._counter, eye._seed_area, eye._adaptation)  # starts a new stay in every pit
            return eye.look(replace(frame, time_ns=next(clock) * 70_000_000))

        out.append(Row("frame cost, hands and counts, every pit changed", BASIS,
                       f"{median_seconds(changed, runs) / warp:.1f} warps", runs))
        assert eye.view is not None
        pits = np.resize(crop_view(frame.image, eye.view, SIZE), (PITS, SIZE, SIZE, 3))
        spent = median_seconds(lambda: reader().look(pits), runs)
        out.append(Row(f"the counter's first look at {PITS} pits", BASIS,
                       f"{spent / warp:.1f} warps ({1000 * spent:.0f} ms)", runs))
        out.append(Row("finding a board", BASIS, f"{median_seconds(lambda: find(frame.image), 3) / warp:.0f} warps", 3))
        return out
    finally:
        cv2.setNumThreads(threads)
