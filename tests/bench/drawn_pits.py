"""How many pits of drawn boards are read rightly when they are given, and of how many every seed shows.

    python -m tests.bench.drawn_pits [--seed S] [-n N] [--only KIND]

Floors carry pictures, relief or rings; seeds with two faces are dowels and discs. Seeds from `FIRST` on were never used
for lessons or for fitting.
"""

from collections.abc import Callable

import click
import numpy as np

from tests.bench.ceiling import all_show, least_shown
from tests.bench.photos import cuts_of, said
from tests.bench.table import Pits, Row, print_rows, share
from vision.render.materials import RARE
from vision.render.scene import RenderedTable
from vision.render.styles import SceneStyle
from vision.train.crops import hand_carved, other_seeds, pictured_floor

FIRST = 98_100_001
SIZES = ((1024, 576), (800, 600), (1280, 720))
MOST = 8
"""Seeds of a pit at most."""
EMPTY = 0.2
"""Share of the pits that are empty."""


def plain(rng: np.random.Generator) -> SceneStyle:
    """Return an ordinary table."""
    return SceneStyle.random(rng, 2, int(rng.integers(5, 9)), tilt=0.6)


def carved(rng: np.random.Generator) -> SceneStyle:
    """Return a table with a 4×8 board carved by hand."""
    return hand_carved(SceneStyle.random(rng, 4, 8, tilt=0.7), rng)


def floor(rng: np.random.Generator) -> SceneStyle:
    """Return a table whose pits have pictures on their floors."""
    return pictured_floor(plain(rng), rng)


def twofaced(rng: np.random.Generator) -> SceneStyle:
    """Return a table with dowels or discs for seeds."""
    return other_seeds(plain(rng), [kind for kind in RARE if "dowel" in kind.name or "disc" in kind.name], rng)


KINDS: dict[str, Callable[[np.random.Generator], SceneStyle]] = {
    style.__name__: style for style in (plain, carved, floor, twofaced)}


def drawn(kind: str, seed: int, k: int) -> tuple[RenderedTable, np.random.Generator]:
    """Return the k-th table of a kind with its seeds, and what its camera's noise is drawn with."""
    rng = np.random.default_rng([seed, k, sum(map(ord, kind))])
    style = KINDS[kind](rng)
    shape = style.rows, style.cols
    counts = np.where(rng.random(shape) < EMPTY, 0, rng.integers(1, MOST + 1, shape))
    return RenderedTable(style, SIZES[k % len(SIZES)], counts, samples=1), rng


def every_seed_shows(scene: RenderedTable, pit: int) -> bool:
    """Whether every seed of a pit shows enough to be counted; true for an empty pit."""
    shown, alone = scene.shown(pit)
    return all_show(least_shown([0] * len(shown), 1, shown, alone)[0])


def rows(kind: str, seed: int = FIRST, n: int = 20) -> list[Row]:
    """Return the figures of n tables: of all pits, and of those in which every seed shows."""
    every, clear = Pits(), Pits()
    for k in range(n):
        scene, rng = drawn(kind, seed, k)
        truth = [{"cx": x, "cy": y, "r": r} for x, y, r in scene.circles[: scene.board_pits].tolist()]
        counts = [int(c) for c in scene.counts().ravel()]
        read, p = said(*cuts_of(scene.finish(scene.image(), rng), truth), cols=scene.style.cols)
        every.board(counts, read, p)
        show = [pit for pit in range(len(counts)) if every_seed_shows(scene, pit)]
        clear.board([counts[i] for i in show], [read[i] for i in show], [p[i] for i in show])
    ceiling = [share(f"ceiling of one picture, of {band} seeds", clear.n[band], every.n[band], kind)
               for band in every.n]
    return [*every.rows(kind), *ceiling, *clear.rows(f"{kind}, pits in which every seed shows", boards=False)]


@click.command()
@click.option("--seed", default=FIRST, show_default=True, help="of the tables")
@click.option("-n", default=20, show_default=True, help="tables of each kind")
@click.option("--only", type=click.Choice(list(KINDS)), multiple=True, help="kinds of tables; all if not given")
def main(seed: int, n: int, only: tuple[str, ...]) -> None:
    """Read the pits of drawn tables."""
    for kind in only or KINDS:
        print_rows(rows(kind, seed, n))


if __name__ == "__main__":
    main()
