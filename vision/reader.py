"""The counter: pictures of pits in, log-likelihoods of counts out."""

from __future__ import annotations

import math
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.closer import closer, window
from vision.crops import SIZE
from vision.network import load
from vision.reading import COUNTS

Pictures = NDArray[np.uint8] | NDArray[np.float32]

WEIGHTS = Path(__file__).with_name("counter.onnx")
TEMPERATURE = 0.87
"""Divides the logits (Guo et al. 2017); fitted on rendered pits that the network was not trained on, see
`vision.train`."""
FAINT = 0.04 * 255
"""Grey levels added to a picture's spread, so that noise in an even one is not made much of."""
NEAR = 0.65
"""Weight of the look from close by beside the one at the whole pit."""
COVERED = 0.5
"""A pit that is likelier covered than not is not looked at again."""
SHORTEST = -16.0
"""Log-likelihoods are floored here below the best: no picture excludes a count by more than that."""


def prepare(pictures: Pictures, empties: Pictures | None = None) -> NDArray[np.float32]:
    """The network's input float32[n, 6, h, w] from pictures [n, h, w, 3], 0…255, and of the same pits when they were
    empty.

    Each picture has its own mean and spread taken out, so that dark rooms look like bright ones, and so has its empty
    one, with the same two numbers: what has not changed is the same in both. An empty picture that is all black is
    none, and none is all nought.
    """
    n, h, w, _ = pictures.shape
    out = np.zeros((n, 6, h, w), np.float32)
    for k in range(n):  # picture by picture: all of it stays in the processor's cache, which is six times as quick
        x = pictures[k].transpose(2, 0, 1).astype(np.float32)
        mean = x.mean()
        x -= mean
        spread = np.float32(math.sqrt(float(np.vdot(x, x)) / x.size) + FAINT)
        np.divide(x, spread, out=out[k, :3])
        if empties is not None and empties[k].any():
            np.divide(empties[k].transpose(2, 0, 1) - mean, spread, out=out[k, 3:])
    return out


def turned(pictures: NDArray[Any], k: int) -> NDArray[Any]:
    """Square pictures [n, s, s, …] in one of their eight positions: k % 4 quarter turns, mirrored from 4 on."""
    quarter = np.rot90(pictures, k % 4, axes=(1, 2))
    return np.ascontiguousarray(quarter[:, :, ::-1] if k >= 4 else quarter)


def unturned(maps: NDArray[Any], k: int) -> NDArray[Any]:
    """Square maps [n, s, s] of `turned` pictures, turned back."""
    back = maps[:, :, ::-1] if k >= 4 else maps
    return np.rot90(back, -(k % 4), axes=(1, 2))


def _shrunk(pictures: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Square pictures uint8[n, s, s, 3] as the network takes them."""
    if pictures.shape[1] == SIZE:
        return pictures
    return np.array([cv2.resize(p, (SIZE, SIZE), interpolation=cv2.INTER_AREA) for p in pictures], np.uint8)


class Reader:
    """The network with its weights. near: look from close by, too. Not for use from two threads at once."""

    def __init__(self, weights: Path = WEIGHTS, *, near: bool = True) -> None:
        self._net, self._near = load(weights), near

    def look(
        self, pictures: NDArray[np.uint8], empties: NDArray[np.uint8] | None = None
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """float32[n, 27] for pictures uint8[n, 80, 80, 3] BGR: logits of the counts 0…24, more, covered; and maps
        float32[n, 20, 20] of how much of a seed lies where. empties: of the same pits when nothing lay in them, where
        they are known; see `prepare`."""
        if len(pictures) == 0:
            return np.zeros((0, COUNTS + 1), np.float32), np.zeros((0, 1, 1), np.float32)
        self._net.setInput(prepare(pictures, empties))
        logits, maps = self._net.forward(["logits", "seeds"])
        return np.asarray(logits, np.float32) / np.float32(TEMPERATURE), np.asarray(maps, np.float32)[:, 0]

    def read(
        self,
        pictures: NDArray[np.uint8],
        turns: int = 1,
        first: int = 0,
        empties: NDArray[np.uint8] | None = None,
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Log-likelihoods float32[n, 26], normalised as if every count were as likely beforehand, and the probability
        float32[n] that the pit is covered, for pictures uint8[n, s, s, 3] with s at least 80; the network takes 80, but
        where seeds lie close together in a wide pit they are looked at once more, from close by.

        turns: 1 to 8, how many of the picture's quarter turns and mirror images are read and averaged: for single
        photographs there is time. first: the position to begin with; frame after frame another one, and the mean over
        frames is that over positions. empties: uint8[n, s, s, 3] of the same pits when nothing lay in them, all black
        where that is not known.
        """
        small = _shrunk(pictures)
        bare = None if empties is None else _shrunk(empties)
        logits, maps = self._turned(small, bare, turns, first)
        top = logits.max(axis=1, keepdims=True)
        covered = np.exp(logits[:, COUNTS:] - top).sum(axis=1) / np.exp(logits - top).sum(axis=1)
        counts = _normal(logits[:, :COUNTS])
        windows = [window(m) if self._near and c < COVERED else None for m, c in zip(maps, covered, strict=True)]
        ask = [k for k, w in enumerate(windows) if w is not None]
        if ask:
            seen = np.array([closer(pictures[k], w, SIZE) for k, w in enumerate(windows) if w is not None], np.uint8)
            bare = None
            if empties is not None:
                bare = np.array([closer(empties[k], w, SIZE) for k, w in enumerate(windows) if w is not None], np.uint8)
            again = _normal(self._turned(seen, bare, turns, first)[0][:, :COUNTS])
            counts[ask] = _normal((1 - NEAR) * counts[ask] + NEAR * again)
        return np.maximum(counts, np.float32(SHORTEST)).astype(np.float32), covered.astype(np.float32)

    def _turned(
        self, pictures: NDArray[np.uint8], empties: NDArray[np.uint8] | None, turns: int, first: int
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Mean logits and maps over so many positions of the pictures."""
        logits, maps = [], []
        for k in ((first + k) % 8 for k in range(turns)):
            said, seeds = self.look(turned(pictures, k), None if empties is None else turned(empties, k))
            logits.append(said)
            maps.append(unturned(seeds, k))
        return np.mean(logits, axis=0), np.mean(maps, axis=0)


def _normal(counts: NDArray[np.float32]) -> NDArray[np.float32]:
    """Logits [n, 26] as log-likelihoods that are normalised as if every count were as likely beforehand."""
    best = counts.max(axis=1, keepdims=True)
    return np.asarray(counts - best - np.log(np.exp(counts - best).sum(axis=1, keepdims=True)), np.float32)


@lru_cache(maxsize=1)
def reader() -> Reader:
    """The counter with the weights that come with the program."""
    return Reader()
