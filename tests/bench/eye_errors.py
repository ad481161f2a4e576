"""What the eye makes of pits whose count is known, kept as data for `tests.bench.readings`.

    python -m tests.bench.eye_errors [tables] [layouts of each] [file]
    python -m tests.bench.eye_errors bound [file]

Simulated tables, seen by the product's own eye: the set-up teaches it the table, then legal moves are laid out one
after the other. Of every pit there is kept what is said of it when the board is quiet (the mean of several frames, as
the table takes it), what single frames of the same heap say in haste, and whether its picture is the one of before the
move: so that what is misread twice in the same way is misread twice in the bench, too. Tables differ much in how well
they are read, so the pits of one stay together. No hand is in these pictures. `bound`: what the best referee that there
could be can make of such an eye.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from device.sim.clips import chosen, drawn
from device.sim.picture import TablePicture
from device.table.window import Window
from tests.bench.readings import FILE, STEP
from tests.bench.table import Row, print_rows, share
from vision.eye import Eye
from vision.reading import COUNTS, Frame, Lesson
from vision.seeds.crops import crop_view

SEED = 9_300_000
"""Neither the networks nor the clips of the bench have seen these tables."""
FRAMES = 4
"""Quiet frames of a layout: each has noise of its own, and is read in another position."""
FIELDS = ("table", "true", "before", "same", "quiet", "looks")


def packed(loglik: NDArray[Any]) -> NDArray[np.uint8]:
    """uint8, sixteenths of a nat below the best; 255 and more are one."""
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
        """The next picture of what lies there."""
        self.number += 1
        return Frame(self.picture.frame((), self.rng), self.number * 100_000_000, self.number)

    def quiet(self) -> tuple[Window, list[NDArray[np.float32]]]:
        """The board as the table reads it once it is quiet, and what is made of each frame in haste, as while hands are
        in play."""
        window = Window(self.position.board.pits)
        looks = []
        for _ in range(FRAMES):
            frame = self.frame()
            reading = self.eye.look(frame)
            if reading.counted and self.eye.view is not None:
                window.add(reading)
                # The bench looks with the eye's own parts.
                bare = self.eye._evidence._empties.of(np.arange(len(reading.loglik)))
                crops = crop_view(frame.image, self.eye.view)
                looks.append(self.eye._counter.read(crops, first=self.number, empties=bare, again=False)[0])
        return window, looks

    def adapted(self, loglik: NDArray[np.float32]) -> NDArray[np.float64]:
        """What the counter says, float32[pits, 26], as it is to be read at this table."""
        return self.eye._adaptation.apply(loglik.astype(np.float64))

    def learn(self) -> None:
        """Tell the eye what lay there."""
        self.eye.told(Lesson(self.position.counts, errors=True))

    def play(self) -> bool:
        """Lay out what a legal move by lot leaves; whether there was one."""
        moves = self.rules.moves(self.position).moves
        if not moves:
            return False
        self.position = moves[int(self.rng.integers(len(moves)))].position
        self.picture.show(self.position.counts)
        return True


def measured(number: int, layouts: int, seed: int = SEED) -> dict[str, list[Any]]:
    """The pits of one table: what `FIELDS` names, a list each; empty where the board was not found."""
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
    """Of each pit that was seen what `FIELDS` names. was: what lay there before the move, and the numbers of the stays.
    """
    (before, stays), plain, each = was, window.loglik, [at.adapted(look) for look in looks]
    seen, lies = np.flatnonzero(window.seen), at.position.counts
    same = np.zeros(len(lies), np.bool_) if stays is None or window.stays is None else stays == window.stays
    return ([number for _ in seen], [min(lies[p], COUNTS - 1) for p in seen],
            [min(before[p], COUNTS - 1) for p in seen], [bool(same[p]) for p in seen],
            [packed(plain[p]) for p in seen], [[packed(row[p]) for row in each] for p in seen])


PITS, ONCE = 20, 1e-4
"""Pits of a board, more or less, and the share of legal moves that may be accused."""
BASIS = "simulated tables read by the product's eye (tests.bench.eye_errors)"


def bound(true: NDArray[Any], quiet: NDArray[Any], before: NDArray[Any], same: NDArray[Any]) -> list[Row]:
    """How many faults of one seed in one pit can be named at the most, if one legal move in ten thousand may be accused
    falsely: a legal move is when any of its pits is misread as surely as is asked for, so no less can be asked for
    than the surest pits that together are misread so seldom. The reader's own word is taken for how often that is, for
    what was seen of it cannot tell such small numbers. true, before: int[n]; quiet: uint8[n, 26], see `packed`; same:
    bool[n], pits whose picture is the one of before.
    """
    p = np.exp(quiet / -STEP)
    p /= p.sum(axis=1, keepdims=True)
    read, doubt = p.argmax(axis=1), 1 - p.max(axis=1)
    order = np.argsort(doubt)
    untouched = before == true

    def sure_enough(factor: float) -> int:
        """How many pits are read right and so sure, each misreading being so much rarer yet."""
        asked = int((PITS * factor * np.cumsum(doubt[order]) / len(order) <= ONCE).sum())
        return int((read == true)[order[:asked]].sum())

    sure = doubt <= 0.01
    stirred = 3 / max(1, int(untouched.sum()))  # none was seen: at most this, 95 times in 100
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
    """The bound for what was kept."""
    with np.load(path) as kept:
        return bound(kept["true"].astype(int), kept["quiet"].astype(float), kept["before"].astype(int),
                     kept["same"].astype(bool))


@click.command()
@click.argument("given", nargs=-1, metavar="[TABLES] [LAYOUTS] [FILE] | bound [FILE]")
def main(given: tuple[str, ...]) -> None:
    """What the eye makes of pits whose count is known: measure so many LAYOUTS, 6 unless given, of so many simulated
    TABLES, 60 unless given, and write FILE after every table, the one of the bench unless given.

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
    """Print the bound for one file, or for the one of the bench."""
    if len(files) > 1:
        raise click.UsageError(f"bound takes one FILE, and these are {len(files)}")
    path = Path(files[0]) if files else FILE
    if not path.is_file():
        raise click.UsageError(f"there is no file {str(path)!r}")
    print_rows(rows(path))


if __name__ == "__main__":
    main()
