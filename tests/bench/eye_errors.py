"""What the eye reads in pits whose count is known, kept as data for `tests.bench.readings`.

    python -m tests.bench.eye_errors [tables] [layouts of each] [file]
    python -m tests.bench.eye_errors bound [file]

The product's own eye looks at simulated tables: it learns the table from the set-up, then the boards after legal moves
are laid out one by one. For every pit the data hold the reading of the quiet board (the mean of several frames, as the
table takes it), the hasty readings of single frames of the same heap, and whether the pit looks as it did before the
move, so that a pit misread twice in the same way is misread twice in the bench, too. Some tables are read much better
than others, so the pits of one table stay together. No hand is in these pictures. `bound`: what the best possible
referee could make of such an eye.
"""

import time
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from device.sim.picture import TablePicture
from device.table.window import Window
from tests.bench.readings import FILE, STEP
from tests.bench.simulated_clips import chosen, drawn
from tests.bench.table import Row, print_rows, share
from vision.eye import Eye
from vision.reading import COUNTS, Frame, Lesson
from vision.seeds.crops import crop_view

SEED = 9_300_000
"""Neither the networks nor the clips of the bench have used these tables."""
FRAMES = 4
"""Quiet frames of a layout: each has its own noise and is read at a slightly different position."""
FIELDS = ("table", "true", "before", "same", "quiet", "looks")


def packed(loglik: NDArray[Any]) -> NDArray[np.uint8]:
    """Return log-likelihoods as uint8, in sixteenths of a nat below the best; 255 stands for 255 and more."""
    return np.asarray(np.clip(np.round((loglik.max(axis=-1, keepdims=True) - loglik) * STEP), 0, 255), np.uint8)


class Looking:
    """One table and the eye over it."""

    def __init__(self, number: int, seed: int = SEED) -> None:
        clip = chosen(seed, number)
        self.rules, self.position = clip.rules, clip.start
        self.picture: TablePicture = drawn(clip)
        self.picture._unseen.clear()
        board = self.position.board
        self.eye = Eye(board.rows, board.cols, clip.south)
        self.rng = np.random.default_rng((seed, number, 7))
        self.number = 0

    def frame(self) -> Frame:
        """Return the next picture of the board."""
        self.number += 1
        return Frame(self.picture.frame((), self.rng), self.number * 100_000_000, self.number)

    def quiet(self) -> tuple[Window, list[NDArray[np.float32]]]:
        """Return the quiet board's reading, as the table takes it, and each frame's hasty reading, as while hands are
        in play."""
        window = Window(self.position.board.pits)
        looks = []
        for _ in range(FRAMES):
            frame = self.frame()
            reading = self.eye.look(frame)
            if reading.counted and self.eye.view is not None:
                window.add(reading)
                # The bench uses the eye's own parts.
                empties = self.eye._evidence._empties.for_counter(np.arange(len(reading.loglik)))
                crops = crop_view(frame.image, self.eye.view)
                looks.append(self.eye._counter.read(crops, first=self.number, empties=empties, again=False)[0])
        return window, looks

    def adapted(self, loglik: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the counter's log-likelihoods, float32[pits, 26], corrected for this table."""
        return self.eye._adaptation.apply(loglik.astype(np.float64))

    def learn(self) -> None:
        """Tell the eye the true counts."""
        self.eye.learn(Lesson(self.position.counts, errors=True))

    def play(self) -> bool:
        """Lay out the board after a random legal move; return whether there was one."""
        moves = self.rules.moves(self.position).moves
        if not moves:
            return False
        self.position = moves[int(self.rng.integers(len(moves)))].position
        self.picture.show(self.position.counts)
        return True


def measured(number: int, layouts: int, seed: int = SEED) -> dict[str, list[Any]]:
    """Return the pits of one table: a list for each name in `FIELDS`; empty lists if the board was not found."""
    out: dict[str, list[Any]] = {name: [] for name in FIELDS}
    at = Looking(number, seed)
    at.picture.show(at.position.counts)
    window, _ = at.quiet()
    if not window.frames or not window.seen.all():
        return out
    for _ in range(layouts):
        before, stays = at.position.counts, window.stays
        at.learn()
        if not at.play():
            break
        window, looks = at.quiet()
        if len(looks) < FRAMES:
            break
        for name, values in zip(FIELDS, _read(at, number, (before, stays), window, looks), strict=True):
            out[name] += values
    return out


def _read(at: Looking, number: int, was: tuple[tuple[int, ...], NDArray[np.int64] | None], window: Window,
          looks: list[NDArray[np.float32]]) -> tuple[list[Any], ...]:
    """Return the values of `FIELDS` for each visible pit. was: the counts before the move, and the numbers of the
    stays."""
    (before, stays), plain, each = was, window.loglik, [at.adapted(look) for look in looks]
    seen, lies = np.flatnonzero(window.seen), at.position.counts
    same = np.zeros(len(lies), np.bool_) if stays is None else stays == window.stays
    return ([number for _ in seen], [min(lies[p], COUNTS - 1) for p in seen],
            [min(before[p], COUNTS - 1) for p in seen], [bool(same[p]) for p in seen],
            [packed(plain[p]) for p in seen], [[packed(row[p]) for row in each] for p in seen])


PITS, ONCE = 20, 1e-4
"""Pits of a typical board, and the share of legal moves that may be accused."""
BASIS = "simulated tables read by the product's eye (tests.bench.eye_errors)"


def bound(true: NDArray[Any], quiet: NDArray[Any], before: NDArray[Any], same: NDArray[Any]) -> list[Row]:
    """Return how many faults of one seed in one pit can be named at most, if one legal move in ten thousand may be
    accused.

    A legal move is accused if any of its pits is misread with the certainty that an accusation asks for. So an
    accusation must ask for so much that the pits at least that sure are together misread that seldom. How often they
    are is taken from the reader's own probabilities, because the sample is too small to show such rare errors. true,
    before: int[n]; quiet: uint8[n, 26], see `packed`; same: bool[n], whether the pit looks as before.
    """
    p = np.exp(quiet / -STEP)
    p /= p.sum(axis=1, keepdims=True)
    read, doubt = p.argmax(axis=1), 1 - p.max(axis=1)
    order = np.argsort(doubt)
    untouched = before == true

    def sure_enough(factor: float) -> int:
        """Return how many pits are read right with enough certainty, if each misreading is rarer by `factor`."""
        asked = int((PITS * factor * np.cumsum(doubt[order]) / len(order) <= ONCE).sum())
        return int((read == true)[order[:asked]].sum())

    sure = doubt <= 0.01
    stirred = 3 / max(1, int(untouched.sum()))  # none was seen: with 95 % confidence at most this
    return [
        share("pits exact", int((read == true).sum()), len(true), BASIS),
        share("pits wrong where p >= 0.99", int((read != true)[sure].sum()), int(sure.sum()), BASIS),
        Row("pits wrong where p >= 0.99, by the eye's own word", BASIS, f"{doubt[sure].sum():.1f}", int(sure.sum())),
        share("pits with as many seeds as before that look otherwise", int((~same & untouched).sum()),
              int(untouched.sum()), BASIS),
        share("pits with other seeds than before that look the same", int((same & ~untouched).sum()),
              int((~untouched).sum()), BASIS),
        share("one-seed faults that the board after the move can show", sure_enough(1.0), len(order), BASIS),
        share("one-seed faults that untouched pits could show besides, were no pit ever nudged", sure_enough(stirred),
              len(order), BASIS),
    ]


def rows(path: Path = FILE) -> list[Row]:
    """Return the bound for the kept data."""
    with np.load(path) as kept:
        return bound(kept["true"].astype(int), kept["quiet"].astype(float), kept["before"].astype(int),
                     kept["same"].astype(bool))


@click.command()
@click.argument("given", nargs=-1, metavar="[TABLES] [LAYOUTS] [FILE] | bound [FILE]")
def main(given: tuple[str, ...]) -> None:
    """Measure what the eye reads in pits whose count is known: LAYOUTS (default 6) of each of TABLES (default 60)
    simulated tables. FILE (default: that of the bench) is written after every table.

    bound: what the best possible referee could make of the readings in FILE.
    """
    if given[:1] == ("bound",):
        _print_bound(given[1:])
        return
    if len(given) > 3 or not all(word.isdecimal() for word in given[:2]):
        raise click.UsageError(f"{' '.join(given)[:80]!r} is not [TABLES] [LAYOUTS] [FILE]")
    tables, layouts, file = [*given, *("60", "6", str(FILE))[len(given):]]
    path = Path(file)
    taken: dict[str, list[Any]] = {name: [] for name in FIELDS}
    for number in range(int(tables)):
        began = time.monotonic()
        for name, values in measured(number, int(layouts)).items():
            taken[name] += values
        arrays: dict[str, Any] = {name: np.asarray(v, np.int16 if name == "table" else np.uint8)
                                  for name, v in taken.items()}
        np.savez_compressed(path, **arrays)
        took = time.monotonic() - began
        print(f"table {number + 1} of {tables}: {len(taken['true'])} pits, {took:.0f} s", flush=True)


def _print_bound(files: tuple[str, ...]) -> None:
    """Print the bound for one file, by default that of the bench."""
    if len(files) > 1:
        raise click.UsageError(f"bound takes one FILE, and these are {len(files)}")
    path = Path(files[0]) if files else FILE
    if not path.is_file():
        raise click.UsageError(f"there is no file {str(path)!r}")
    print_rows(rows(path))


if __name__ == "__main__":
    main()
