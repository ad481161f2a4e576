"""Every misread pit of pictures with known counts, as a sheet of crops that shows why.

    python -m tests.bench.misread SHEET.png [--folder FOLDER] [--list boards|bowls]

Each pit is shown as it was cut out, and beside it with a ring round every seed's middle that the second network marks,
the surer the brighter; above are the count that was read, the true one, and the probability of the reading. The pits
are given, as in `tests.bench.photos`; the default folder is that of the photographs.
"""

from dataclasses import dataclass
from pathlib import Path

import click
import cv2
import numpy as np
from numpy.typing import NDArray

from device.cli.files import OutputError
from device.cli.photographs import write_picture
from tests.bench.photos import cuts_of, folder, is_sure, photographs, said
from vision.seeds.counter import reader
from vision.seeds.crops import FINE, MARGIN
from vision.seeds.seed_middles import middles_of

Image = NDArray[np.uint8]

ACROSS = 4
"""Misread pits in a row of the sheet."""
LARGER = 2
"""Magnification of the crops."""
HEAD, LETTERS = 22, 80
"""Pixels above each crop for the words, and the most letters that fit."""


@dataclass(frozen=True, slots=True)
class Misread:
    """A pit whose likeliest count is wrong, and its picture uint8[FINE, FINE, 3]."""

    name: str
    pit: int
    truth: int
    read: int
    p: float
    crop: Image

    @property
    def words(self) -> str:
        """The error in words."""
        return f"{self.name}, pit {self.pit + 1}: {self.read} for {self.truth}, at {self.p:.2f}"


def misread(place: Path, which: str) -> list[Misread]:
    """Return all misread pits of a list, among those whose true count is certain."""
    found = []
    for image, truth, name in photographs(place, which):
        if not any(map(is_sure, truth)):
            continue
        cuts = cuts_of(image, truth)
        counts, p = said(*cuts)
        crops = cuts[0](margin=MARGIN)
        found += [Misread(name, k, q["count"], counts[k], p[k], crops[k])
                  for k, q in enumerate(truth) if is_sure(q) and counts[k] != q["count"]]
    return found


def sheet(wrong: list[Misread]) -> Image:
    """Return the crops, marks and words of all misread pits, uint8[h, w, 3]."""
    side = LARGER * FINE
    cells = [_cell(one, side) for one in wrong]
    blank = np.zeros((side + HEAD, 2 * side, 3), np.uint8)
    cells += [blank] * (-len(cells) % ACROSS or (not cells) * ACROSS)
    return np.vstack([np.hstack(cells[k : k + ACROSS]) for k in range(0, len(cells), ACROSS)])


def _cell(one: Misread, side: int) -> Image:
    plain = cv2.resize(one.crop, (side, side), interpolation=cv2.INTER_CUBIC)
    marked = plain.copy()
    for (x, y), likely in zip(*middles_of(reader().heats(one.crop[None])[0]), strict=True):
        at = tuple(round(float(v + 0.5) * 2 * LARGER) for v in (x, y))
        cv2.circle(marked, at, 7, (60, round(255 * likely), round(255 * (1 - likely))), 2, cv2.LINE_AA)
    out = np.zeros((side + HEAD, 2 * side, 3), np.uint8)
    out[HEAD:] = np.hstack([plain, marked])
    cv2.putText(out, one.words[-LETTERS:], (4, HEAD - 6), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (255, 255, 255), 1,
                cv2.LINE_AA)
    return out


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--folder", "place", type=click.Path(path_type=Path), help="of boards.json or bowls.json")
@click.option("--list", "which", type=click.Choice(["boards", "bowls"]), default="boards", show_default=True)
def main(out: Path, place: Path | None, which: str) -> None:
    """See the module."""
    place = place or folder()
    if not (place / f"{which}.json").is_file():
        raise click.ClickException(f"nothing at {place / which}.json")
    wrong = misread(place, which)
    for one in wrong:
        click.echo(one.words)
    try:
        write_picture(out, sheet(wrong))
    except OutputError as e:
        raise click.ClickException(str(e)) from e
    click.echo(f"{len(wrong)} misread; {out}")


if __name__ == "__main__":
    main()
