"""Rendered tables with seeds that no training used: boards found, pits read."""

from functools import partial

import numpy as np

from tests.bench.photos import HIT, said
from tests.bench.table import Pits, Row, share
from vision.board.find import find
from vision.board.geometry import pit_affines
from vision.board.lattice import ring_order
from vision.reading import BoardView, Frame
from vision.render.scene import RenderedTable
from vision.render.styles import SceneStyle
from vision.seeds.crops import circles_of, crop_circles, crop_view

SEED = 9_000_001
BASIS = f"rendered tables of seed {SEED}"
SHAPES = ((2, 6), (2, 8), (2, 10), (2, 12), (4, 8), (2, 7))


def tables(n: int, seed: int = SEED) -> list[tuple[Frame, RenderedTable]]:
    """Return n random tables, each with its own style, mostly with few seeds per pit, as in games."""
    out = []
    for k in range(n):
        rng = np.random.default_rng((seed, k))
        rows, cols = SHAPES[k % len(SHAPES)]
        style = SceneStyle.random(rng, rows, cols, tilt=0.52)
        counts = np.minimum(rng.geometric(0.22, (rows, cols)) - 1, 20)
        scene = RenderedTable(style, (1280, 720), counts)
        out.append((Frame(scene.finish(scene.image(), rng), 0, 0), scene))
    return out


def rows(n: int = 18) -> list[Row]:
    """Return the figures."""
    boards = 0
    pits = Pits()
    for frame, scene in tables(n):
        view = find(frame.image)
        truth = scene.circles[: scene.board_pits]
        if not isinstance(view, BoardView) or view.rows * view.cols != scene.board_pits:
            continue
        order = ring_order(view.rows, view.cols)
        centres = np.array([view.centres[rc] for rc in order])
        d = np.hypot(centres[:, None, 0] - truth[None, :, 0], centres[:, None, 1] - truth[None, :, 1]) / truth[:, 2]
        boards += bool((d.min(axis=1) <= HIT).all()) and len(pit_affines(view)) == view.rows
        lies = scene.counts().ravel()[d.argmin(axis=1)]
        as_circles = partial(crop_circles, frame.image, circles_of(view))
        counts, p = said(partial(crop_view, frame.image, view), as_circles, cols=view.cols)
        pits.board([int(c) for c in lies], counts, p)
    return [share("boards found", boards, n, BASIS), *pits.rows(f"{BASIS}, pits found")]
