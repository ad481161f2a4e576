"""The hand watch on recordings of real hands over real boards, compared frame by frame with labels.

    python -m tests.bench.real_hands [--first FRAME]

The recordings and `videos.json`, which holds the labels, are expected in `../shared/real-hands` or in `$INKEEK_HANDS`.
No mancala is played in them: a lattice of pits is laid over the board's box.
"""

import json
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np

from tests.bench.table import Row, print_rows, share
from vision.hands.segmentation import HandWatch
from vision.reading import BoardView

LATTICES = ((2, 6), (2, 8), (4, 8))
"""Rows and columns of the boards that are laid over each recording."""
PIT_RADIUS = 0.4
"""The pits' radius, in column pitches; the box extends `EDGE` column pitches beyond the pits' middles on every side."""
EDGE = 0.5
HANDS = 0.006
"""Least share of the board that the table takes for a hand (`engine.referee.parameters.HandShares.seen`)."""
MEASURE = "frames with a hand seen"
CALM = 30
"""Clear frames at a recording's end that are also counted separately."""


def there() -> Path:
    """Return the folder of the recordings."""
    return Path(os.environ.get("INKEEK_HANDS", "../shared/real-hands"))


def laid_over(box: Sequence[float], rows: int, cols: int, size: tuple[int, int]) -> BoardView:
    """Return a board with that lattice that fills a box x0, y0, x1, y1, pixels of a picture of size (width, height)."""
    x0, y0, x1, y1 = box
    across = (x1 - x0) / (cols - 1 + 2 * EDGE)
    down = (y1 - y0) / (rows - 1 + 2 * EDGE)
    where = np.stack(np.meshgrid(x0 + across * (EDGE + np.arange(cols)), y0 + down * (EDGE + np.arange(rows))), -1)
    unit = min(across, down)
    homography = np.array([[unit, 0, where[0, 0, 0]], [0, unit, where[0, 0, 1]], [0, 0, 1.0]])
    return BoardView(rows, cols, where, np.full((rows, cols), PIT_RADIUS * unit), homography, PIT_RADIUS, size)


@dataclass
class Called:
    """Frames in which the watch sees a hand, and all frames, by label."""

    hand: Counter[str] = field(default_factory=Counter)
    frames: Counter[str] = field(default_factory=Counter)
    last_clear: list[bool] = field(default_factory=list)

    def rows(self, basis: str) -> list[Row]:
        """Return the figures: the share of frames with a hand that are seen, and of others that are taken for a
        hand."""
        said = {"hand": "seen", "clear": "taken for a hand", "shadow": "taken for a hand", "glitch": "taken for a hand"}
        out = [share(f"frames of '{kind}' {word}", self.hand[kind], self.frames[kind], basis)
               for kind, word in said.items() if self.frames[kind]]
        calm = self.last_clear[-CALM:]
        return [*out, share("the last clear frames taken for a hand", sum(calm), len(calm), basis)]


def watched(film: Path, video: dict[str, Any], rows: int, cols: int, first: int = 0) -> Called:
    """Watch one recording from frame `first` on, with a board of that lattice."""
    called, capture, watch = Called(), cv2.VideoCapture(str(film)), None
    kinds = {k: what.split()[0] for low, high, what in video["intervals"] for k in range(low, high + 1)}
    for number in range(video["frames"]):
        read, image = capture.read()
        if not read:
            break
        if number < first:
            continue
        watch = watch or HandWatch(laid_over(video["board_box"], rows, cols, (image.shape[1], image.shape[0])))
        seen = sum(watch.look(np.asarray(image, np.uint8), number / video["fps"]).shares) > HANDS
        kind = kinds.get(number, "unknown")
        called.frames[kind] += 1
        called.hand[kind] += seen
        if kind == "clear":
            called.last_clear.append(seen)
    capture.release()
    return called


def rows(first: int = 0) -> list[Row]:
    """Return the figures of every available recording."""
    listed = there() / "videos.json"
    if not listed.exists():
        return [Row(MEASURE, "recordings of real hands",
                    f"missing: no recordings in {there()}; INKEEK_HANDS names the folder that has videos.json")]
    out: list[Row] = []
    for video in json.loads(listed.read_text()):
        film = there() / video["file"]
        if not film.exists():
            out.append(Row(MEASURE, video["file"], "missing: not there"))
            continue
        for lattice in LATTICES:
            basis = f"{video['file']} from frame {first}, {lattice[0]}x{lattice[1]}"
            out += watched(film, video, *lattice, first).rows(basis)
    return out


@click.command()
@click.option("--first", default=0, show_default=True, help="frame to begin with")
def main(first: int) -> None:
    """Print the figures."""
    print_rows(rows(first))


if __name__ == "__main__":
    main()
