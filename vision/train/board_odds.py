"""`python -m vision.train.board_odds`: fits the weights of the evidence for a board, and for its size
(`vision.board.odds`), on rendered pictures of boards and of other things in rows (`vision.train.views`), and writes
`vision/weights/board_odds.json`.

In every picture with a board, the hypotheses that match it must together be likely; in every other picture, "no board"
must be. The model is a softmax over all hypotheses of a picture and over "no board", whose log-odds are 0.
"""

import hashlib
import json
import pickle
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from vision.board.chains import Candidate
from vision.board.hypothesis import Scene, fit_radius, on_rims, regularise_outliers
from vision.board.lattice import SIZES, fit_lattices
from vision.board.odds import FEATURES, WEIGHTS, described, laid, windows
from vision.board.proposal_network import WEIGHTS as PITNET
from vision.board.proposals import network, united
from vision.board.rims import WORK, edges_of, round_rims
from vision.train.views import View, view

Array = NDArray[np.float64]

SEED = 72_000_001
SETTINGS = {"plain": 50, "aside": 40, "cut": 30, "hinged": 20, "carved": 20, "tray": 40, "scrap": 10, "grid": 70,
            "clutter": 20, "letters": 24}
"""Pictures of each kind."""
NEAR = 0.35
"""A hypothesis is the board when its pits' middles lie within this share of their radius of the true ones."""
ALIKE = 0.35
"""Hypotheses of one size are one when their pits lie less than this many radii apart, in the mean."""
BARE_EVERY = 3
"""Every so many pictures is looked at without the network, too."""
HOLD = 0.5
"""What a standardised weight costs, by its square."""


@dataclass(frozen=True, slots=True)
class PictureHypotheses:
    """The hypotheses of one picture. features: float64[n, len(FEATURES)]; right: bool[n], which match the board;
    centres: the pits' places of each. board: whether the picture shows a board."""

    kind: str
    number: int
    board: bool
    features: Array
    right: NDArray[np.bool_]
    centres: Sequence[Array]


def looks(kind: str, number: int, shown: View) -> Iterator[PictureHypotheses]:
    """Yield the hypotheses of a picture: with the network and, for some pictures, without it."""
    yield _look(kind, number, shown, network(shown.image))
    if number % BARE_EVERY == 1:
        yield _look(kind, number, shown, [])


def _look(kind: str, number: int, shown: View, proposed: Sequence[Candidate]) -> PictureHypotheses:
    """Return a picture's hypotheses: the lattices that may explain its circles, and each with some columns fewer or one
    more."""
    scene = Scene(edges_of(shown.image, WORK), edges_of(shown.image, WORK // 2), list(proposed))
    rims = round_rims((scene.fine, scene.coarse))
    rows: list[Array] = []
    centres: list[Array] = []
    for candidates in [scene.proposed, united(scene.proposed, rims)] if scene.proposed else [rims]:
        for lattice in fit_lattices(candidates, (shown.image.shape[1], shown.image.shape[0])):
            lot = laid(scene, on_rims(scene, fit_radius(scene, regularise_outliers(lattice))), candidates)
            for start, stop in windows(lot, SIZES):
                rows.append(described(lot, start, stop))
                centres.append(lot.window(start, stop).centres)
    features, truth = np.array(rows).reshape(-1, len(FEATURES)), shown.truth
    right = np.array([truth is not None and truth.found(c, near=NEAR) for c in centres], np.bool_)
    return PictureHypotheses(kind, number, truth is not None, features, right, centres)


# ---- the fit ----

def fitted(looked: Sequence[PictureHypotheses], rounds: int = 3, steps: int = 1500) -> Array:
    """Return float64[len(FEATURES)], the weights that make the true hypotheses likeliest. Of hypotheses for the same
    board only the likeliest counts."""
    looked = [k for k in looked if len(k.features) and (k.right.any() or not k.board)]
    scale = np.maximum(np.concatenate([k.features for k in looked]).std(0), 1e-3)
    scale[0] = 1.0
    w: Array = np.zeros(len(FEATURES))
    for _ in range(rounds):
        w = _descended([_apart(k, w) for k in looked], looked, scale, w * scale, steps) / scale
    return w


def _apart(look: PictureHypotheses, w: Array) -> NDArray[np.int64]:
    """Return the indices of a picture's hypotheses, without those for the same board as a likelier one."""
    kept: list[int] = []
    for k in np.argsort(-look.features @ w):
        if not any(_one(look.centres[k], look.centres[other]) for other in kept):
            kept.append(int(k))
    return np.array(kept, np.int64)


def _one(a: Array, b: Array) -> bool:
    if a.shape != b.shape:
        return False
    step = np.linalg.norm(np.diff(a, axis=1), axis=-1).mean()
    return float(np.linalg.norm(a - b, axis=-1).mean()) < ALIKE * 0.4 * float(step)


def _descended(kept: Sequence[NDArray[np.int64]], looked: Sequence[PictureHypotheses], scale: Array, w: Array,
               steps: int) -> Array:
    """Run Adam on all pictures at once."""
    x = np.concatenate([k.features[rows] for k, rows in zip(looked, kept, strict=True)]) / scale
    right = np.concatenate([k.right[rows] for k, rows in zip(looked, kept, strict=True)])
    of = np.repeat(np.arange(len(looked)), [len(rows) for rows in kept])
    board = np.array([k.board for k in looked])
    first, second, n = np.zeros_like(w), np.zeros_like(w), len(looked)
    for step in range(1, steps + 1):
        u = np.clip(x @ w, -40, 40)
        e = np.exp(u)
        total = 1 + np.bincount(of, e, n)
        true = np.where(board, np.bincount(of, e * right, n), 1.0)
        share = e / total[of] - np.where(board[of] & right, e / np.maximum(true[of], 1e-30), 0.0)
        slope = x.T @ share / n + HOLD * w / len(w)
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
        rate = 0.05 * (1 - step / steps) + 1e-4
        w = w - rate * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-9)
    return w


def pictures() -> Iterator[tuple[str, int, View]]:
    """Yield the pictures on which the weights are fitted."""
    for kind, n in SETTINGS.items():
        for k in range(n):
            yield kind, k, view(kind, SEED, k)


def gathered(shown: Iterable[tuple[str, int, View]], keep: Path) -> list[PictureHypotheses]:
    """Return the hypotheses of all pictures. keep: a folder with a file for each picture, so that an interrupted run
    goes on."""
    keep.mkdir(parents=True, exist_ok=True)
    out: list[PictureHypotheses] = []
    for kind, k, picture in shown:
        path = keep / f"{kind}-{k:04d}.pickle"
        if not path.exists():
            path.write_bytes(pickle.dumps(list(looks(kind, k, picture))))
        out += pickle.loads(path.read_bytes())
    return out


@click.command()
@click.option("--folder", type=click.Path(path_type=Path), default=Path("data/train/board_odds"), show_default=True)
@click.option("--out", type=click.Path(path_type=Path), default=WEIGHTS, show_default=False)
def main(folder: Path, out: Path) -> None:
    """Render, look, fit, and write the weights."""
    looked_with = hashlib.sha256(PITNET.read_bytes() + str(SEED).encode()).hexdigest()[:12]
    save(gathered(pictures(), folder / looked_with), out)


def save(looked: Sequence[PictureHypotheses], out: Path) -> None:
    """Fit the weights, and write them together with their settings."""
    w = fitted(looked)
    table = {"seed": SEED, "pictures": SETTINGS, "hold": HOLD,
             "weights": {name: round(float(v), 4) for name, v in zip(FEATURES, w, strict=True)}}
    out.write_text(json.dumps(table, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
