"""Random crops as the counter was taught with, beside real ones, so that anybody may judge how alike they are.

    python -m tests.bench.lessons_sheet SHEET.jpg [--seed S] [--folder FOLDER]

The upper half is rendered like lessons (`vision.train.fine`), from a seed that no lesson used. The lower half, if there
are photographs, shows pits chosen at random from all in boards.json and fresh.json.
"""

from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from device.cli.files import OutputError
from device.cli.photographs import write_picture
from tests.bench.photos import folder, photographs
from vision.seeds.crops import FINE, crop_circles
from vision.train.fine import fine_batch

Crops = NDArray[np.uint8]

ACROSS, ROWS = 8, 3
"""Crops in a row, and rows of rendered and of real crops each."""
SEED = 90_000_000
"""Far from the seeds of all lessons."""
GAP = 12
"""Pixels between the rendered and the real crops."""


def drawn(seed: int) -> Crops:
    """Return uint8[ACROSS × ROWS, FINE, FINE, 3]: pits as in the lessons, each of another table."""
    return np.array([fine_batch(seed + k, 1)[0][0] for k in range(ACROSS * ROWS)], np.uint8)


def real(place: Path, rng: np.random.Generator) -> Crops:
    """Return uint8[n, FINE, FINE, 3], n at most ACROSS × ROWS: random pits of the photographs in a folder."""
    found = []
    for name in ("boards", "fresh"):
        if (place / f"{name}.json").is_file():
            for image, pits, _ in photographs(place, name):
                found += [(image, (q["cx"], q["cy"], q["r"])) for q in pits]
    chosen = rng.permutation(len(found))[: ACROSS * ROWS]
    crops = [crop_circles(found[k][0], [found[k][1]])[0] for k in chosen.tolist()]
    return np.array(crops, np.uint8).reshape(-1, FINE, FINE, 3)


def sheet(*parts: Crops) -> Crops:
    """Return uint8[h, w, 3]: the crops of each part in rows, one part below the other; empty parts are left out."""
    blocks = []
    for crops in parts:
        if not len(crops):
            continue
        blank = np.zeros((-len(crops) % ACROSS, *crops.shape[1:]), np.uint8)
        rows = np.concatenate([crops, blank]).reshape(-1, ACROSS, *crops.shape[1:])
        blocks += [np.vstack([np.hstack(list(row)) for row in rows]),
                   np.full((GAP, ACROSS * FINE, 3), 255, np.uint8)]
    return np.asarray(np.vstack(blocks[:-1]), np.uint8)


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--seed", default=SEED, show_default=True)
@click.option("--folder", "place", type=click.Path(path_type=Path), help="of boards.json and fresh.json")
def main(out: Path, seed: int, place: Path | None) -> None:
    """See the module."""
    below = real(place or folder(), np.random.default_rng(seed))
    picture = sheet(drawn(seed), below)
    try:
        write_picture(out, picture)
    except OutputError as e:
        raise click.ClickException(str(e)) from e
    click.echo(f"{ACROSS * ROWS} drawn, {len(below)} real; {out}")


if __name__ == "__main__":
    main()
