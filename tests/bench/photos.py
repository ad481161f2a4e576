"""Real photographs with known counts: boards found, pits read with the pits found and with the pits given."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.bench.table import Pits, Row, share
from vision.crops import crop_circles, crop_view
from vision.find import find
from vision.lattice import ring_order
from vision.reader import reader
from vision.reading import BoardView, Reading

HIT = 0.25
"""A pit is found when its centre is within this share of its radius."""


def folder() -> Path:
    """Where the photographs are looked for."""
    return Path(os.environ.get("INKEEK_PHOTOS", "../shared/real-boards"))


def photographs(name: str) -> Iterator[tuple[NDArray[np.uint8], list[dict[str, Any]], str]]:
    """The pictures of one list: the picture, its pits (stores left out), its file's name."""
    for row in json.loads((folder() / f"{name}.json").read_text("utf-8")):
        image = cv2.imread(str(folder() / row["file"]))
        assert image is not None, row["file"]
        pits = [q for q in row["pits"] if q.get("kind", "pit") != "store"]
        yield np.asarray(image, np.uint8), pits, Path(row["file"]).name


def said(crops: NDArray[np.uint8]) -> tuple[list[int], list[float]]:
    """Most likely counts of pits, and their probabilities, as `inkeek read` has them."""
    loglik, _ = reader().read(crops, turns=8)
    reading = Reading(0, loglik, np.ones(len(loglik), np.bool_))
    p = reading.probabilities
    return [int(c) for c in reading.counts], [float(row.max()) for row in p]


def given(name: str) -> list[Row]:
    """The counter alone: the pits' circles are handed over."""
    pits = Pits()
    for image, truth, _ in photographs(name):
        sure = [q for q in truth if q.get("confidence", "sure") == "sure" and q["count"] is not None]
        if sure:
            counts, p = said(crop_circles(image, [(q["cx"], q["cy"], q["r"]) for q in sure]))
            pits.board([q["count"] for q in sure], counts, p)
    return pits.rows(f"real, {name}.json, pits given", boards=name == "boards")


def found() -> list[Row]:
    """The whole way from a photograph without a click: boards found, pits read on them; a pit not found is wrong."""
    boards = n = 0
    pits = Pits()
    for image, truth, _ in photographs("boards"):
        n += 1
        view = find(image)
        centres: NDArray[np.float64] = np.zeros((0, 2))
        counts: list[int] = []
        p: list[float] = []
        if isinstance(view, BoardView):
            centres = np.array([view.centres[rc] for rc in ring_order(view.rows, view.cols)])
            counts, p = said(crop_view(image, view))
        near = [_nearest(q, centres) for q in truth]
        boards += len(centres) == len(truth) and all(d <= HIT for _, d in near)
        sure = [(q, k if d <= 2 * HIT else -1) for q, (k, d) in zip(truth, near, strict=True)
                if q.get("confidence", "sure") == "sure" and q["count"] is not None]
        pits.board([q["count"] for q, _ in sure], [counts[k] if k >= 0 else -1 for _, k in sure],
                   [p[k] if k >= 0 else 0.0 for _, k in sure])
    return [("real, boards.json: boards found", share(boards, n)), *pits.rows("real, boards.json, pits found")]


def _nearest(pit: dict[str, Any], centres: NDArray[np.float64]) -> tuple[int, float]:
    """The found pit nearest to a true one, and its distance in true radii."""
    if not len(centres):
        return -1, math.inf
    d = np.hypot(centres[:, 0] - pit["cx"], centres[:, 1] - pit["cy"]) / pit["r"]
    return int(d.argmin()), float(d.min())


def rows() -> list[Row]:
    """All figures on photographs; one row that names them as missing where they are not there."""
    if not (folder() / "boards.json").is_file():
        return [("real photographs", f"missing: nothing at {folder()}")]
    return [*found(), *given("boards"), *given("bowls")]
