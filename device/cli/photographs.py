"""`inkeek read`: count the seeds in photographs, into the dicts that `--json` prints."""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from device.cameras.pictures import PictureError, load_picture
from device.cli.files import OutputError, check_output, no_file, unwritable
from device.cli.options import Unusable
from device.eyes.eyes import board_sizes, find_board, loading
from device.south import South
from device.system.replacement import replace_file
from engine.board import Board
from vision.board.geometry import Ellipse, ellipse_of, flattest, pit_affines, pit_ellipses
from vision.board.handed import handed_shapes, overlapping
from vision.board.lattice import NotFound, check_size, ring_order
from vision.board.parameters import HANDED
from vision.overlay import draw_pits
from vision.parameters import ASIDE, COVERED, DRAWING
from vision.reading import COUNTS, BoardView
from vision.seeds.counter import Cut, Reader
from vision.seeds.crops import circles_of, crop_circles, crop_view
from vision.seeds.whole_board import together

Circle = tuple[float, float, float]

MOST_PITS = 400
DARK = 40.0
"""A picture with a lower mean grey value is called dark."""
SAID = {
    "dark": "The picture is dark: give the board more light.",
    "tilted": "The camera looks from too low: near walls may hide seeds. Hold it closer to straight above.",
    "overlap": "The given pits overlap, and their places do not show the viewing angle, so a neighbour's seeds may be"
               f" counted: name all pits of the board ({HANDED.least_pits} to {HANDED.most_pits}), and as r the mean"
               " half axis of a pit's rim.",
}
"""The sentence for people of each warning."""


class BadPits(ValueError):
    """`--pits` cannot be used; one sentence that names value and place."""


def parse_pits(text: str) -> list[Circle]:
    """Parse `x,y,r;x,y,r…` into (x, y, r), pixels. Raises `BadPits`."""
    if not text.strip():
        raise BadPits("--pits is empty: write x,y,r;… in pixels, or leave it out to find a board")
    circles: list[Circle] = []
    for place, part in enumerate([p for p in text.split(";") if p.strip()], 1):
        numbers = part.split(",")
        try:
            x, y, r = (float(n) for n in numbers)
        except ValueError:
            raise BadPits(f"pit {place} of --pits is {part.strip()[:40]!r}: write x,y,r in pixels") from None
        if not all(math.isfinite(n) for n in (x, y, r)) or not 1 <= r <= 10_000 or max(abs(x), abs(y)) > 1_000_000:
            raise BadPits(f"pit {place} of --pits is {part.strip()[:40]!r}: no place in a picture with a radius from 1")
        circles.append((x, y, r))
    if not circles or len(circles) > MOST_PITS:
        raise BadPits(f"--pits names {len(circles)} pits: 1 to {MOST_PITS}")
    return circles


@dataclass(frozen=True, slots=True)
class Photograph:
    """The reading of one picture.

    form: what `--json` prints. rims: the pits' outlines in pixels, in the form's order. unusable: nothing was read
    because of the arguments: the file does not exist, or a pit lies outside the picture.
    """

    form: dict[str, Any]
    rims: Sequence[Ellipse] = ()
    unusable: bool = False


class PhotoReader:
    """Reads photographs; loads the network once, at the first photograph."""

    def __init__(self, board: Board | None = None, south: South = "bottom") -> None:
        """board: its size, None to detect it. Raises ValueError for a size that inkeek cannot find."""
        if board is not None:
            check_size(board.rows, board.cols, board_sizes())
        self._board, self._south = board, south
        self._counter: Reader | None = None

    def read(self, path: Path, circles: Sequence[Circle] | None = None) -> Photograph:
        """Read one picture. If the file cannot be read or shows no board, the form has `found` False and a reason.

        circles: the pits to count in, pixels of the file; None finds the board.
        """
        try:
            image, part = load_picture(path)
        except PictureError as error:
            return _unread(path, str(error), unusable=no_file(path))
        if circles is not None:
            unfit = _unfit(circles, (part * image.shape[1], part * image.shape[0]))
            if unfit:
                return _unread(path, unfit, unusable=True)
            unpacked = [(x / part, y / part, r / part) for x, y, r in circles]
            return _in_pixels_of_file(self._given(path, image, unpacked), part)
        begun = time.perf_counter()
        view, actual = self._looked_for(image)
        found_ms = 1000 * (time.perf_counter() - begun)
        if isinstance(view, NotFound):
            return _unread(path, _advised(view, self._board, actual))
        return _in_pixels_of_file(self._found(path, image, view, actual, found_ms), part)

    def _looked_for(self, image: NDArray[np.uint8]) -> tuple[BoardView | NotFound, Board | None]:
        """The board in a picture; and its actual size if people named a different one. If the named board is not found
        or its size is unlikely, boards of any size are looked for."""
        view = find_board(image, self._board, self._south)
        if self._board is None or (isinstance(view, BoardView) and not _is_unlikely(view)):
            return view, None
        free = find_board(image, None, self._south)
        if isinstance(free, NotFound):
            return view, None
        if (free.rows, free.cols) != (self._board.rows, self._board.cols):
            return view, Board(free.rows, free.cols)
        return (free if isinstance(view, NotFound) else view), None

    def _found(self, path: Path, image: NDArray[np.uint8], view: BoardView, actual: Board | None,
               found_ms: float) -> Photograph:
        begun = time.perf_counter()
        alone, covered = self._count(partial(crop_view, image, view),
                                     partial(crop_circles, image, circles_of(view)))
        board = Board(view.rows, view.cols)
        rims, ring = pit_ellipses(view), ring_order(view.rows, view.cols)
        beyond = np.array([_beyond(view)[place] for place in ring])
        alone[beyond] = 1 / COUNTS
        hidden = beyond | (covered > COVERED.with_hands)
        probabilities = _of_board(alone, hidden, view.cols)
        pits = []
        for pit, (row, col) in enumerate(ring):
            x, y = view.centres[row, col]
            pits.append(_pit(board.name(pit), (float(x), float(y), float(view.radii[row, col])), probabilities[pit],
                             hidden=bool(hidden[pit])))
        form = {"image": str(path), "found": True, "board": str(board), "rows": view.rows, "cols": view.cols,
                "ms": {"find": round(found_ms, 1), "count": round(1000 * (time.perf_counter() - begun), 1)},
                "pits": pits, "stores": self._stores(image, view),
                "warnings": [*_warnings(image, pit_affines(view)),
                             *(_other_sizes(view) if self._board is None else _size_warning(view, actual))],
                "sizes": [{"board": f"{rows}x{cols}", "p": round(p, 4)} for rows, cols, p in view.sizes]}
        return Photograph(form, [rims[row][col] for row, col in ring])

    def _given(self, path: Path, image: NDArray[np.uint8], circles: Sequence[Circle]) -> Photograph:
        begun = time.perf_counter()
        shapes = handed_shapes(circles, (image.shape[1], image.shape[0]))
        as_circles = partial(crop_circles, image, circles)
        alone, covered = self._count(partial(as_circles, shapes=shapes), as_circles)
        hidden = covered > COVERED.with_hands
        probabilities = _of_board(alone, hidden)
        pits = [_pit(str(i + 1), circle, probabilities[i], hidden=bool(hidden[i])) for i, circle in enumerate(circles)]
        overlap = ["overlap"] if overlapping(circles, shapes) else []
        form = {"image": str(path), "found": True, "board": None, "rows": None, "cols": None,
                "ms": {"find": 0.0, "count": round(1000 * (time.perf_counter() - begun), 1)},
                "pits": pits, "stores": [], "warnings": [*_warnings(image, shapes), *overlap], "sizes": []}
        return Photograph(form, [ellipse_of(a, (x, y)) for a, (x, y, _) in zip(shapes, circles, strict=True)])

    def _stores(self, image: NDArray[np.uint8], view: BoardView) -> list[dict[str, Any]]:
        if not view.stores:
            return []
        circles = [(x, y, max(rx, ry)) for x, y, rx, ry in view.stores]
        odds, _ = self._count(partial(crop_circles, image, circles))
        return [{"x": round(x, 1), "y": round(y, 1), "rx": round(rx, 1), "ry": round(ry, 1), "count": int(p.argmax()),
                 "p": round(float(p.max()), 4)} for (x, y, rx, ry), p in zip(view.stores, odds, strict=True)]

    def _count(self, *cuts: Cut) -> tuple[NDArray[np.float64], NDArray[np.float32]]:
        """Count the seeds in the crops of these cuts.

        Returns float64[pits, 26], the posterior of each count under a uniform prior, and float32[pits], the probability
        that the pit is covered. The posterior is mixed with a uniform one by that probability.
        """
        if self._counter is None:
            with loading():
                self._counter = Reader()
        loglik, covered = self._counter.study(*cuts)
        odds = np.exp(loglik.astype(np.float64) - loglik.max(axis=1, keepdims=True))
        odds /= odds.sum(axis=1, keepdims=True)
        return np.asarray((1 - covered[:, None]) * odds + covered[:, None] / odds.shape[1]), covered


def _of_board(alone: NDArray[np.float64], hidden: NDArray[np.bool_], cols: int | None = None) -> NDArray[np.float64]:
    """Return float64[pits, 26], the posterior of each pit's count as one of a board's. alone: by its picture alone;
    hidden pits say nothing of the others, and keep it. cols: the board's number of columns, None if unknown."""
    out = alone.copy()
    out[~hidden] = together(alone[~hidden], cols)
    return out


def _pit(name: str, circle: Circle, probabilities: NDArray[np.float64], *, hidden: bool) -> dict[str, Any]:
    best = int(probabilities.argmax())
    return {"name": name, "x": round(circle[0], 1), "y": round(circle[1], 1), "r": round(circle[2], 1), "count": best,
            "p": round(float(probabilities[best]), 4), "hidden": hidden,
            "probs": [round(float(p), 5) for p in probabilities]}


def _beyond(view: BoardView) -> NDArray[np.bool_]:
    """bool[rows, cols]: pits whose centre lies outside the picture."""
    c = view.centres
    return np.asarray(((c < 0) | (c > np.asarray(view.picture_size))).any(-1), np.bool_)


def _advised(none: NotFound, told: Board | None, actual: Board | None) -> str:
    """Why no board was found, and what to do. told: the board that people named; actual: the one in the picture."""
    if actual is not None:
        return f"no {told} board is in the picture, but a {actual} board: check the size that you gave"
    if none.likeliest is None:
        return none.reason
    rows, cols = none.likeliest
    other = "" if told is not None else f", or name its size: --board {rows}x{cols}"
    return f"{none.reason}: take all of it from straight above in more even light{other}"


def _in_pixels_of_file(read: Photograph, part: int) -> Photograph:
    """Scale the places of a reading to pixels of the file, in place. part: the picture was decoded at 1/`part` size."""
    for place in (*read.form["pits"], *read.form["stores"]) if part > 1 else ():
        place.update({key: round(part * place[key], 1) for key in ("x", "y", "r", "rx", "ry") if key in place})
    return read


def _unread(path: Path, reason: str, *, unusable: bool = False) -> Photograph:
    return Photograph({"image": str(path), "found": False, "reason": reason}, unusable=unusable)


def _unfit(circles: Sequence[Circle], size: tuple[int, int]) -> str:
    """Which pit does not fit into a picture of that (width, height), and why; "" if all fit."""
    width, height = size
    for place, (x, y, r) in enumerate(circles, 1):
        if not (0 <= x < width and 0 <= y < height):
            return f"pit {place} of --pits lies outside the picture of {width}×{height} pixels"
        if 2 * r > max(size):
            return (f"pit {place} of --pits has a radius of {r:g} pixels and is wider than the picture of"
                    f" {width}×{height} pixels")
    return ""


def draw_overlay(path: Path, read: Photograph, out: Path, stated: Sequence[int] = ()) -> None:
    """Draw a reading's pits and counts over its picture and write it to `out`; without a board nothing is written.

    stated: the true counts along the ring, which mark the misread pits. Raises `OutputError`.
    """
    if not read.form["found"]:
        return
    pits = read.form["pits"]
    image = draw_pits(load_picture(path).image, read.rims, [p["name"] for p in pits],
                      [-1 if p.get("hidden") else p["count"] for p in pits], [p["p"] for p in pits],
                      [-1 if p["hidden"] else n for p, n in zip(pits, stated, strict=True)] if stated else ())
    write_picture(out, image)


def check_overlay(out: Path, image: Path) -> None:
    """Raise `Unusable` if no drawing of the photograph `image` can be written to `out`."""
    check_output(out, "a picture", others=[image])
    if not cv2.haveImageWriter(str(out)):
        raise Unusable(f"{out}: name a file that ends in .png or .jpg for a picture")


def overlays(images: Sequence[Path], asked: Path) -> list[Path]:
    """The output file for each photograph's drawing. asked: a file for one photograph, or an existing folder. Raises
    `Unusable`."""
    if not asked.is_dir():
        if len(images) != 1:
            raise Unusable(f"--overlay {asked} is not an existing folder: {len(images)} photographs need one")
        found = [asked]
    else:
        found = [asked / (image.name if cv2.haveImageWriter(image.name) else f"{image.name}.png") for image in images]
    twice = next((out for number, out in enumerate(found) if out in found[:number]), None)
    if twice is not None:
        raise Unusable(f"two photographs would be drawn into {twice}: give them other names")
    for out in found:
        for image in images:
            check_overlay(out, image)
    return found


def write_picture(out: Path, image: NDArray[np.uint8]) -> None:
    """Write a picture, whole or not at all, in the format of its suffix. Raises `OutputError`."""
    try:
        _, data = cv2.imencode(out.suffix, image)
        replace_file(out, data.tobytes())
    except cv2.error as error:
        raise OutputError(f"{out} cannot be written: {error.err}; name a .png or .jpg") from error
    except OSError as error:
        raise unwritable(out, error) from error


def _warnings(image: NDArray[np.uint8], shapes: NDArray[np.float64]) -> list[str]:
    """What makes the whole picture doubtful, as keys of `SAID`. shapes: float64[…, 2, 2], from the unit disc to each
    pit."""
    step = max(1, max(image.shape[:2]) // 400)
    grey = cv2.cvtColor(np.ascontiguousarray(image[::step, ::step]), cv2.COLOR_BGR2GRAY)
    dark = ["dark"] if float(grey.mean()) < DARK else []
    return [*dark, *(["tilted"] if flattest(shapes) < ASIDE.flat else [])]


def _is_unlikely(view: BoardView) -> bool:
    """Whether the size that people named is unlikely; False if there are no odds."""
    return bool(view.sizes) and _own_odds(view) < DRAWING.named_size


def _own_odds(view: BoardView) -> float:
    return sum(p for rows, cols, p in view.sizes if (rows, cols) == (view.rows, view.cols))


def _size_warning(view: BoardView, actual: Board | None) -> list[str]:
    """A warning that the size which people named is unlikely; empty if it is not. actual: the board that is found if
    no size is named, None for none."""
    if not _is_unlikely(view):
        return []
    rows, cols, _ = view.sizes[0]
    likely = actual or Board(rows, cols)
    own = Board(view.rows, view.cols)
    return [f"{own}, but it looks like {likely}"] if likely != own else []


def _other_sizes(view: BoardView) -> list[str]:
    """A warning that the board may have another size; empty if its size is clear."""
    others = [f"{rows}x{cols}" for rows, cols, _ in view.sizes if (rows, cols) != (view.rows, view.cols)]
    if not others or _own_odds(view) >= DRAWING.doubtful:
        return []
    return [f"{view.rows}x{view.cols}, but it may be " + " or ".join(others)]


def read_line(form: dict[str, Any]) -> str:
    """The form as text for people: the counts, laid out like the board, with warnings; or that there are none."""
    if not form["found"]:
        return f"{form['image']}: no counts"
    return "\n".join([_counts(form), *warning_lines(form)])


def warning_lines(form: dict[str, Any]) -> list[str]:
    """A sentence for each of the form's warnings, and one for hidden pits. `size_doubt` gives the warning on the
    size."""
    hidden = [p["name"] for p in form["pits"] if p.get("hidden")]
    said = [SAID[word] for word in form.get("warnings", ()) if word in SAID]
    return [*said, *([f"Hidden, so not counted: {', '.join(hidden)}."] if hidden else [])]


def size_doubt(form: dict[str, Any]) -> str:
    """Return the form's warning that the board may have another size, such as "2x6, but it may be 2x7"; "" if there is
    none."""
    return next((w for w in form.get("warnings", ()) if w.startswith(f"{form['board']}, but")), "")


def _counts(form: dict[str, Any]) -> str:
    pits = form["pits"]
    if form["board"] is None:
        return f"{form['image']}: " + " ".join(f"{p['name']}={_shown(p)}{_doubt(p)}" for p in pits)
    board = Board(form["rows"], form["cols"])
    lines = [f"{form['image']}: a {size_doubt(form) or form['board'] + ' board'}"]
    for row in range(board.rows):
        own = [pits[board.at(row, col)] for col in range(board.cols)]
        lines.append("  " + "  ".join(f"{p['name']}{_shown(p):>3}{_doubt(p) or ' '}" for p in own))
    return "\n".join(lines)


def _shown(pit: dict[str, Any]) -> str:
    return "–" if pit.get("hidden") else str(pit["count"])


def _doubt(pit: dict[str, Any]) -> str:
    return "?" if pit["p"] < DRAWING.doubtful and not pit.get("hidden") else ""
