"""Pictures with known counts, real ones and path-traced ones: boards found, pits read with the pits found and with the
pits given."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from device.cameras.pictures import load_picture
from tests.bench.table import Pits, Row, share
from vision.board.find import find
from vision.board.lattice import ring_order
from vision.reading import BoardView, Reading
from vision.seeds.adaptation import Adaptation
from vision.seeds.counter import Cut, reader
from vision.seeds.coverage import Covers
from vision.seeds.crops import circles_of, crop_circles, crop_view

HIT = 0.25
"""A pit is found when its centre is within this share of its radius."""


def folder() -> Path:
    """Where the photographs are looked for."""
    return Path(os.environ.get("INKEEK_PHOTOS", "../shared/real-boards"))


def traced_folder() -> Path:
    """Where the path-traced boards are looked for (see `tests.bench.pathtraced`)."""
    return Path(os.environ.get("INKEEK_PATHTRACED", "data/pathtraced"))


def photographs(place: Path, name: str) -> Iterator[tuple[NDArray[np.uint8], list[dict[str, Any]], str]]:
    """The pictures of one list: the picture, its pits (stores left out), its file's name."""
    for row in json.loads((place / f"{name}.json").read_text("utf-8")):
        image = cv2.imread(str(place / row["file"]))
        assert image is not None, row["file"]
        pits = [q for q in row["pits"] if q.get("kind", "pit") != "store"]
        yield np.asarray(image, np.uint8), pits, Path(row["file"]).name


def said(*cuts: Cut) -> tuple[list[int], list[float]]:
    """Most likely counts of pits, and their probabilities, as `inkeek read` has them."""
    loglik, _ = reader().study(*cuts)
    reading = Reading(0, loglik, np.ones(len(loglik), np.bool_))
    p = reading.probabilities
    return [int(c) for c in reading.counts], [float(row.max()) for row in p]


def given(place: Path, name: str, what: str) -> list[Row]:
    """The counter alone: the pits' circles are handed over."""
    pits = Pits()
    for image, truth, _ in photographs(place, name):
        sure = [q for q in truth if q.get("confidence", "sure") == "sure" and q["count"] is not None]
        if sure:
            circles = [(q["cx"], q["cy"], q["r"]) for q in sure]
            counts, p = said(partial(crop_circles, image, circles))
            pits.board([q["count"] for q in sure], counts, p)
    return pits.rows(f"{what}, pits given", boards=name == "boards")


def ablated(place: Path, what: str) -> list[Row]:
    """What each part is worth, on every other pit of each board: more positions, the second look, at
    twice the size, more frames, what the pits between them teach (`vision.seeds.adaptation`), the picture of the empty
    board (`vision.seeds.empty_pits`), how much of it each heap covers (`vision.seeds.coverage`), all of it."""
    ways: dict[str, Pits] = {}
    for row in json.loads((place / "boards.json").read_text("utf-8")):
        frames, (bare,) = _crops(place, row, row["frames"]), _crops(place, row, [row["empty"]])
        counts = np.array([q["count"] for q in row["pits"]])
        taught = np.arange(len(counts)) % 2 == 0
        read: dict[str, NDArray[np.float64]] = {}
        for seen, empties in (("", None), (", empty board seen", bare)):
            read[f"one look{seen}"] = _read(frames[:1], empties, 1)
            read[f"one frame, eight positions{seen}"] = _read(frames[:1], empties, 8)
            read[f"one frame, eight positions, no second look{seen}"] = _read(frames[:1], empties, 8, again=False)
            read[f"{len(frames)} frames{seen}"] = several = _read(frames, empties, 1)
            table = Adaptation()
            table.learn(several, taught, counts)
            read[f"{len(frames)} frames{seen}, adapted"] = table.apply(several)
        covers, table = Covers(), Adaptation()
        covers.learn(frames[0][taught], bare[taught], counts[taught])
        shares = np.mean([covers.say(crops, bare) for crops in frames], axis=0)
        table.learn(several + shares, taught, counts)
        read[f"{len(frames)} frames, empty board seen, what heaps cover, adapted"] = table.apply(several + shares)
        for way, loglik in read.items():
            reading = Reading(0, loglik[~taught].astype(np.float32), np.ones((~taught).sum(), np.bool_))
            ways.setdefault(way, Pits()).board(
                [int(c) for c in counts[~taught]], [int(c) for c in reading.counts],
                [float(p.max()) for p in reading.probabilities])
    return [line for name, pits in ways.items() for line in pits.rows(f"{what}, every other pit, {name}", boards=False)]


def _crops(place: Path, row: dict[str, Any], files: Sequence[str]) -> list[NDArray[np.uint8]]:
    """The pits of one board in several pictures, uint8[pits, size, size, 3] each."""
    circles = [(q["cx"], q["cy"], q["r"]) for q in row["pits"]]
    return [crop_circles(load_picture(place / file), circles) for file in files]


def _read(frames: Sequence[NDArray[np.uint8]], empties: NDArray[np.uint8] | None, turns: int,
          again: bool = True) -> NDArray[np.float64]:
    """float64[pits, 26]: mean log-likelihoods over frames, each in the next position, as the eye looks at a table."""
    looks = [reader().read(crops, turns, k, empties, again)[0] for k, crops in enumerate(frames)]
    return np.asarray(np.mean(looks, axis=0), np.float64)


def found(place: Path, what: str) -> list[Row]:
    """The whole way from a photograph without a click: boards found, pits read on them; a pit not found is wrong."""
    boards = n = 0
    pits = Pits()
    for image, truth, _ in photographs(place, "boards"):
        n += 1
        view = find(image)
        centres: NDArray[np.float64] = np.zeros((0, 2))
        counts: list[int] = []
        p: list[float] = []
        if isinstance(view, BoardView):
            centres = np.array([view.centres[rc] for rc in ring_order(view.rows, view.cols)])
            counts, p = said(partial(crop_view, image, view), partial(crop_circles, image, circles_of(view)))
        near = [_nearest(q, centres) for q in truth]
        boards += len(centres) == len(truth) and all(d <= HIT for _, d in near)
        sure = [(q, k if d <= 2 * HIT else -1) for q, (k, d) in zip(truth, near, strict=True)
                if q.get("confidence", "sure") == "sure" and q["count"] is not None]
        pits.board([q["count"] for q, _ in sure], [counts[k] if k >= 0 else -1 for _, k in sure],
                   [p[k] if k >= 0 else 0.0 for _, k in sure])
    return [(f"{what}: boards found", share(boards, n)), *pits.rows(f"{what}, pits found")]


def _nearest(pit: dict[str, Any], centres: NDArray[np.float64]) -> tuple[int, float]:
    """The found pit nearest to a true one, and its distance in true radii."""
    if not len(centres):
        return -1, math.inf
    d = np.hypot(centres[:, 0] - pit["cx"], centres[:, 1] - pit["cy"]) / pit["r"]
    return int(d.argmin()), float(d.min())


def rows() -> list[Row]:
    """All figures on photographs; one row that names them as missing where they are not there."""
    place = folder()
    if not (place / "boards.json").is_file():
        return [("real photographs", f"missing: nothing at {place}")]
    what = "real, boards.json"
    return [*found(place, what), *given(place, "boards", what), *given(place, "bowls", "real, bowls.json")]


def traced_rows() -> list[Row]:
    """All figures on path-traced boards; one row that says how they are made where they are not there."""
    place = traced_folder()
    if not (place / "boards.json").is_file():
        return [("path-traced boards", f"missing: python -m tests.bench.pathtraced {place}")]
    whole = all("empty" in row for row in json.loads((place / "boards.json").read_text("utf-8")))
    more = ablated(place, "path-traced") if whole else []
    return [*found(place, "path-traced"), *given(place, "boards", "path-traced"), *more]
