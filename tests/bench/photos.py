"""Measures on pictures with known counts, photographs and path-traced ones: how many boards are found, and how well
pits are read, with the pits found and with the pits given."""

import json
import math
import os
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from device.cameras.pictures import load_picture
from tests.bench.ceiling import all_show
from tests.bench.table import BANDS, Pits, Row, share
from vision.board.find import find
from vision.board.handed import handed_shapes
from vision.board.lattice import ring_order
from vision.reading import BoardView, Reading
from vision.seeds.counter import Cut, reader
from vision.seeds.crops import circles_of, crop_circles, crop_view
from vision.seeds.knowledge.adaptation import Adaptation
from vision.seeds.knowledge.seed_area import SeedAreaModel
from vision.seeds.whole_board import together

HIT = 0.25
"""A pit is found when its centre is within this share of its radius."""


def folder() -> Path:
    """Return the folder of the photographs."""
    return Path(os.environ.get("INKEEK_PHOTOS", "../shared/real-boards"))


def traced_folder() -> Path:
    """Return the folder of the path-traced boards (see `tests.bench.pathtraced`)."""
    return Path(os.environ.get("INKEEK_PATHTRACED", "data/pathtraced"))


def photographs(place: Path, name: str) -> Iterator[tuple[NDArray[np.uint8], list[dict[str, Any]], str]]:
    """Yield the pictures of one list: the picture, its pits (without stores), its file's name."""
    for row in json.loads((place / f"{name}.json").read_text("utf-8")):
        image = cv2.imread(str(place / row["file"]))
        assert image is not None, row["file"]
        pits = [q for q in row["pits"] if q.get("kind", "pit") != "store"]
        yield np.asarray(image, np.uint8), pits, Path(row["file"]).name


def said(*cuts: Cut, cols: int | None = None) -> tuple[list[int], list[float]]:
    """Return the most likely counts of a board's pits and their probabilities, as `inkeek read` does. cols: its number
    of columns, None if unknown."""
    odds = np.exp(reader().study(*cuts)[0].astype(np.float64))
    odds = together(odds / odds.sum(axis=1, keepdims=True), cols)
    return odds.argmax(axis=1).tolist(), odds.max(axis=1).tolist()


def _likeliest(loglik: NDArray[np.float32]) -> tuple[list[int], list[float]]:
    """Return the most likely counts from log-likelihoods [pits, 26], and their probabilities."""
    reading = Reading(0, loglik, np.ones(len(loglik), np.bool_))
    return [int(c) for c in reading.counts], [float(row.max()) for row in reading.probabilities]


def given(place: Path, name: str, what: str) -> list[Row]:
    """Return the counter's rows with the pits' circles given. If the list tells how much every seed shows, further rows
    cover only the pits in which all seeds show enough."""
    pits, shown = Pits(), Pits()
    for image, truth, _ in photographs(place, name):
        sure = [is_sure(q) for q in truth]
        if any(sure):
            told = _Told(truth, *said(*cuts_of(image, truth)))
            told.take(sure, pits)
            told.take([is_sure(q) and "shows" in q and all_show(q["shows"]) for q in truth], shown)
    what = f"{what}, pits given"
    apart = shown.rows(f"{what}, those in which every seed shows", boards=False) if shown.n else []
    return [*pits.rows(what, boards=name == "boards"), *apart]


class _Told(NamedTuple):
    """The pits of a picture, their counts as read, and the probabilities of these."""

    truth: Sequence[dict[str, Any]]
    counts: Sequence[int]
    p: Sequence[float]

    def take(self, those: Sequence[bool], into: Pits) -> None:
        """Count the chosen pits as one board."""
        k = [i for i, one in enumerate(those) if one]
        into.board([self.truth[i]["count"] for i in k], [self.counts[i] for i in k], [self.p[i] for i in k])


def ceilings(place: Path, what: str) -> list[Row]:
    """Return the share of path-traced boards' pits in which every seed shows enough to be counted in one picture, for
    all pits and for every other one; nothing if the list lacks this for any pit."""
    boards = [row["pits"] for row in json.loads((place / "boards.json").read_text("utf-8"))]
    ways = {what: boards, f"{what}, every other pit": [pits[1::2] for pits in boards]}
    return [row for basis, some in ways.items() for row in _ceiling([q for pits in some for q in pits], basis)]


def _ceiling(pits: Sequence[dict[str, Any]], basis: str) -> list[Row]:
    if not all("shows" in q for q in pits):
        return []
    of = {f", of {name} seeds": [q for q in pits if low <= q["count"] <= high] for name, low, high in BANDS}
    return [share(f"ceiling of one picture{words}", sum(all_show(q["shows"]) for q in some), len(some), basis)
            for words, some in {"": pits, **of}.items() if some]


def is_sure(pit: dict[str, Any]) -> bool:
    """Return whether the true count of a pit is certain."""
    return pit.get("confidence", "sure") == "sure" and pit["count"] is not None


def cuts_of(image: NDArray[np.uint8], truth: Sequence[dict[str, Any]]) -> tuple[Cut, Cut]:
    """Return `inkeek read`'s two ways to cut given pits out of a picture."""
    circles = circles_given(truth)
    as_circles = partial(crop_circles, image, circles)
    return partial(as_circles, shapes=handed_shapes(circles, (image.shape[1], image.shape[0]))), as_circles


def circles_given(pits: Sequence[dict[str, Any]]) -> list[tuple[float, float, float]]:
    """Return the circles (x, y, r) of pits of a list, pixels."""
    return [(q["cx"], q["cy"], q["r"]) for q in pits]


def ablated(place: Path, what: str) -> list[Row]:
    """Return what each part is worth, on every other pit of each board: more positions, the second look at twice the
    size, more frames; and of `vision.seeds.knowledge` what the other pits teach (`adaptation`), the picture of the
    empty board (`empty_pits`), how much of a pit one seed takes up (`seed_area`), and all of it."""
    ways: dict[str, Pits] = {}
    for row in json.loads((place / "boards.json").read_text("utf-8")):
        counts = np.array([q["count"] for q in row["pits"]])
        taught = np.arange(len(counts)) % 2 == 0
        for way, loglik in _ways(place, row, counts, taught).items():
            read, p = _likeliest(loglik[~taught].astype(np.float32))
            ways.setdefault(way, Pits()).board([int(c) for c in counts[~taught]], read, p)
    return [row for name, pits in ways.items() for row in pits.rows(f"{what}, every other pit, {name}", boards=False)]


def _ways(place: Path, row: dict[str, Any], counts: NDArray[np.int64], taught: NDArray[np.bool_]
          ) -> dict[str, NDArray[np.float64]]:
    """Return a board's log-likelihoods float64[pits, 26] by each way of reading. taught: the pits that teach the
    others."""
    frames, (bare,) = _crops(place, row, row["frames"]), _crops(place, row, [row["empty"]])
    read: dict[str, NDArray[np.float64]] = {}
    for seen, empties in (("", None), (", empty board seen", bare)):
        read[f"one look{seen}"] = _read(frames[:1], empties, 1)
        read[f"one frame, eight positions{seen}"] = _read(frames[:1], empties, 8)
        read[f"one frame, eight positions, no second look{seen}"] = _read(frames[:1], empties, 8, again=False)
        read[f"{len(frames)} frames{seen}"] = several = _read(frames, empties, 1)
        read[f"{len(frames)} frames{seen}, adapted"] = _adapted(several, taught, counts)
    seed_area = SeedAreaModel()
    seed_area.learn(frames[0][taught], bare[taught], counts[taught])
    several = several + np.mean([seed_area.say(crops, bare) for crops in frames], axis=0)
    read[f"{len(frames)} frames, empty board seen, what heaps cover, adapted"] = _adapted(several, taught, counts)
    return read


def _adapted(loglik: NDArray[np.float64], taught: NDArray[np.bool_], counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the log-likelihoods after the table has learnt from the pits in `taught`."""
    table = Adaptation()
    table.learn(loglik, taught, counts)
    return table.apply(loglik)


def _crops(place: Path, row: dict[str, Any], files: Sequence[str]) -> list[NDArray[np.uint8]]:
    """Return the pits of one board in several pictures, uint8[pits, size, size, 3] each."""
    circles = circles_given(row["pits"])
    return [crop_circles(load_picture(place / file).image, circles) for file in files]


def _read(frames: Sequence[NDArray[np.uint8]], empties: NDArray[np.uint8] | None, turns: int,
          again: bool = True) -> NDArray[np.float64]:
    """Return float64[pits, 26]: mean log-likelihoods over frames, each at the next position, as the eye looks."""
    looks = [reader().read(crops, turns, k, empties, again)[0] for k, crops in enumerate(frames)]
    return np.asarray(np.mean(looks, axis=0), np.float64)


def found(place: Path, what: str) -> list[Row]:
    """Measure without a click: boards found in photographs, and pits read on them; a pit not found counts as wrong."""
    boards = n = 0
    pits = Pits()
    for image, truth, _ in photographs(place, "boards"):
        n += 1
        centres, counts, p = _found(image)
        near = [_nearest(q, centres) for q in truth]
        boards += _is_whole(centres, near)
        # The index of the pit read at each true one; -1, the lists' last entry, for a pit that was not found.
        sure = [(q, k if d <= 2 * HIT else -1) for q, (k, d) in zip(truth, near, strict=True) if is_sure(q)]
        pits.board([q["count"] for q, _ in sure], [[*counts, -1][k] for _, k in sure], [[*p, 0.0][k] for _, k in sure])
    return [share("boards found", boards, n, what), *pits.rows(f"{what}, pits found")]


def _is_whole(centres: NDArray[np.float64], near: list[tuple[int, float]]) -> bool:
    """Return whether a board is found: the right number of pits, one close enough to each. near: see `_nearest`."""
    return len(centres) == len(near) and all(d <= HIT for _, d in near)


def _found(image: NDArray[np.uint8]) -> tuple[NDArray[np.float64], list[int], list[float]]:
    """Return the centres float64[pits, 2] of a picture's pits, their counts and probabilities; empty if no board is
    found."""
    view = find(image)
    if not isinstance(view, BoardView):
        return np.zeros((0, 2)), [], []
    centres = np.array([view.centres[rc] for rc in ring_order(view.rows, view.cols)])
    as_circles = partial(crop_circles, image, circles_of(view))
    return centres, *said(partial(crop_view, image, view), as_circles, cols=view.cols)


def _nearest(pit: dict[str, Any], centres: NDArray[np.float64]) -> tuple[int, float]:
    """Return the found pit nearest to a true one, and its distance in true radii."""
    if not len(centres):
        return -1, math.inf
    d = np.hypot(centres[:, 0] - pit["cx"], centres[:, 1] - pit["cy"]) / pit["r"]
    return int(d.argmin()), float(d.min())


def rows() -> list[Row]:
    """Return all figures on photographs; one row that says "missing" if there are none."""
    place = folder()
    if not (place / "boards.json").is_file():
        return [Row("boards found, pits exact", "photographs", f"missing: nothing at {place}")]
    what = "photographs of boards"
    bowls = given(place, "bowls", "photographs of bowls") if (place / "bowls.json").is_file() else []
    return [*found(place, what), *given(place, "boards", what), *bowls]


def cycles_rows() -> list[Row]:
    """Return all figures on boards drawn by Cycles; one row that says how to make them if there are none."""
    place, what = Path(os.environ.get("INKEEK_CYCLES", "data/cycles")), "boards drawn by Cycles"
    if not (place / "boards.json").is_file():
        return [Row("boards found, pits exact", what, f"missing: python -m tests.bench.cyclesmaking {place}")]
    return [*found(place, what), *given(place, "boards", what)]


def traced_rows() -> list[Row]:
    """Return all figures on path-traced boards; one row that says how to make them if there are none."""
    place, what = traced_folder(), "path-traced boards"
    if not (place / "boards.json").is_file():
        return [Row("boards found, pits exact", what, f"missing: python -m tests.bench.pathtraced {place}")]
    whole = all("empty" in row for row in json.loads((place / "boards.json").read_text("utf-8")))
    more = ablated(place, what) if whole else []
    return [*found(place, what), *given(place, "boards", what), *ceilings(place, what), *more]
