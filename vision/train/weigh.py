"""The weights of `vision.tops`: how far each kind of evidence is right on pits that the network was not taught by."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from numpy.typing import NDArray

from vision.reader import SURE, Reader
from vision.reading import COUNTS
from vision.tops import evidence

Image = NDArray[np.uint8]

AT_ONCE = 50
"""Pits that are looked at together."""
TURNS = (1, 1, 4)
"""Positions that lots of pits are looked at in, in turns: a table has time for one, a photograph for more."""
SMALL = 1e-4
"""Penalty on the squares of the weights."""


def weigh(
    counter: Reader, pictures: Image, labels: NDArray[np.uint8], empties: Image
) -> dict[str, tuple[float, ...]]:
    """The weights with and without the look at all the pixels under which the true counts are likeliest, for pits
    uint8[n, s, s, 3] that hold so many, uint8[n] (covered ones are passed over), and the same pits empty, black where
    that is not known. Only pits count of which the first look is not sure."""
    told = labels < COUNTS
    parts, truth = [], []
    for seen, count in _looks(counter, pictures[told], labels[told], empties[told]):
        parts.append(seen)
        truth.append(count)
    x, y = torch.from_numpy(np.concatenate(parts)), torch.from_numpy(np.concatenate(truth))
    return {"HASTE": _fitted(x[:, :, :10].contiguous(), y), "LEISURE": _fitted(x, y)}


def _looks(
    counter: Reader, pictures: Image, labels: NDArray[np.uint8], empties: Image
) -> Iterator[tuple[NDArray[np.float32], NDArray[np.int64]]]:
    """The evidence float32[k, COUNTS, 18] for those of some pits that the first look leaves open, and their counts."""
    for lot, k in enumerate(range(0, len(pictures), AT_ONCE)):
        some = slice(k, k + AT_ONCE)
        turns = TURNS[lot % len(TURNS)]
        said = counter.looks(pictures[some], empties[some], turns, lot % 8)
        open_ = said[0].max(axis=1) < np.log(SURE)
        yield evidence(*said)[open_].astype(np.float32), labels[some][open_].astype(np.int64)


def _fitted(x: torch.Tensor, y: torch.Tensor) -> tuple[float, ...]:
    """Multinomial logistic regression with one weight for each kind of evidence, by L-BFGS."""
    weights = torch.zeros(x.shape[2], requires_grad=True)
    with torch.no_grad():
        weights[0] = 0.5
    optimiser = torch.optim.LBFGS([weights], max_iter=500, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimiser.zero_grad()
        value = torch.nn.functional.cross_entropy(x @ weights, y) + SMALL * (weights**2).sum()
        value.backward()
        return value

    optimiser.step(loss)
    return tuple(round(float(w), 3) for w in weights.detach())
