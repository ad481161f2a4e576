"""How many drawn boards are found, and how many other things in rows are taken for one.

    python -m tests.bench.drawn_boards [--seed S] [--only KIND]

The pictures are those of `vision.train.views`. Seeds from `FIRST` on were never used for lessons or for fitting.
"""

import time
from dataclasses import dataclass

import click
import numpy as np

from tests.bench.table import Row, print_rows, share
from vision.board.find import find
from vision.reading import BoardView
from vision.train.views import NEAR, BoardTruth, view

FIRST = 97_000_001
KINDS = {"plain": 10, "aside": 12, "adzed": 12, "carved": 12, "cut": 12, "covered": 12,
         "squares": 12, "tray": 8, "grid": 8, "letters": 6}
"""Pictures of each kind; the last four are no boards."""


@dataclass
class Found:
    """Of the pictures of one kind: n, boards: how many there are, and how many show a board; found, taken: boards found
    with all their columns, and other things taken for one; pits, whole: pits found, of those that lie in the picture;
    seconds: of processor time."""

    kind: str
    n: int = 0
    boards: int = 0
    found: int = 0
    taken: int = 0
    pits: int = 0
    whole: int = 0
    seconds: float = 0.0

    def take(self, seen: BoardView | None, truth: BoardTruth | None) -> None:
        """Count a picture. seen: the board found in it, None for none."""
        self.n += 1
        if truth is None:
            self.taken += seen is not None
            return
        self.boards += 1
        self.whole += int(truth.whole.sum())
        if seen is not None:
            self.found += truth.found(seen.centres)
            there = truth.circles[..., None, :]
            off = np.linalg.norm(there[..., :2] - seen.centres.reshape(-1, 2), axis=-1) / there[..., 2]
            self.pits += int(((off.min(-1) < NEAR) & truth.whole).sum())

    def rows(self) -> list[Row]:
        """Return the figures."""
        ms = Row("time to find", self.kind, f"{1000 * self.seconds / max(1, self.n):.0f} ms", self.n)
        if not self.boards:
            return [share("taken for a board", self.taken, self.n, self.kind), ms]
        return [share("boards found", self.found, self.boards, self.kind),
                share("pits found", self.pits, self.whole, self.kind), ms]


def looked(kind: str, seed: int, n: int) -> Found:
    """Look for a board in n pictures of a kind."""
    out = Found(kind)
    for k in range(n):
        shown = view(kind, seed, k)
        began = time.process_time()
        seen = find(shown.image)
        out.seconds += time.process_time() - began
        out.take(seen if isinstance(seen, BoardView) else None, shown.truth)
    return out


@click.command()
@click.option("--seed", default=FIRST, show_default=True, help="of the pictures")
@click.option("--only", type=click.Choice(list(KINDS)), multiple=True, help="kinds of pictures; all if not given")
def main(seed: int, only: tuple[str, ...]) -> None:
    """Look for boards in drawn pictures."""
    for kind in only or KINDS:
        print_rows(looked(kind, seed, KINDS[kind]).rows())


if __name__ == "__main__":
    main()
