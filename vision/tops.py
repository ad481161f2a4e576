"""What the counter's map of seeds says besides the counter's own word: how much of a seed lies in all of it, and how
many tops it has.

The map (see `vision.train.nets.Counter`) marks each seed where it lies. Its tops count seeds that lie apart, or side by
side in one layer, whatever they are made of; its sum counts heaps, where tops run into one another. Neither is as right
as the counter's word on pictures like those that it was taught, but they err otherwise, and less on others.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading import COUNTS

Maps = NDArray[np.float32]
Logs = NDArray[np.float32]

FAINT = 0.02
"""A top is at least so high …"""
SHARE, OFTEN = 0.4, 70.0
"""… and so much of the height that this percentage of the pit's tops do not reach."""
FINER = 2
"""Tops are looked for in a map drawn so much finer: those of seeds that touch lie little more than two cells apart."""
FLOOR = -16.0
"""No look speaks against a count more loudly than this log-likelihood."""
HASTE = (0.272, 0.666, -0.007, 0.033, -0.418, 0.244, 0.005, -0.069, 0.285, 0.769)
LEISURE = (0.297, 0.604, -0.026, 0.160, -0.095, 0.176, 0.006, -0.056, 0.310, 0.705,
           -0.010, 0.078, -0.334, 0.214, 0.037, -0.140, 0.128, 0.900)
"""Weights of what speaks for a count, in the order of `evidence`, without and with the look at all the pixels.
Fitted on pits that the network was not taught by (`python -m vision.train weigh`)."""


def tops(maps: Maps) -> NDArray[np.int64]:
    """int[n]: how many tops maps float32[n, c, c] have."""
    out = np.zeros(len(maps), np.int64)
    around = np.ones((3, 3), np.uint8)
    for k, seeds in enumerate(maps):
        fine = cv2.resize(seeds, None, fx=FINER, fy=FINER, interpolation=cv2.INTER_CUBIC)
        highest = ((fine >= cv2.dilate(fine, around)) & (fine > FAINT)).astype(np.uint8)
        if highest.any():
            _, which = cv2.connectedComponents(highest)  # neighbours as high as one another are one top
            _, one = np.unique(which[highest > 0], return_index=True)
            heights = fine[highest > 0][one]
            out[k] = (heights > SHARE * np.percentile(heights, OFTEN)).sum()
    return out


def likeness(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """float64[n, COUNTS, 4]: in four measures, how well each count goes with numbers float64[n] that say how
    many seeds they are, more or less: by their squared and plain distance in the spread that heaps of that size have,
    by how far the count falls short, and by whether it is the nearest one."""
    counts = np.arange(COUNTS)
    away = (counts - numbers[:, None]) / np.sqrt(1 + numbers[:, None] / 4)
    near = np.abs(counts - numbers[:, None]) < 0.5
    parts = [-np.minimum(away**2, 30), -np.minimum(np.abs(away), 8), np.clip(-away, 0, 6), near]
    return np.stack([np.asarray(p, np.float64) for p in parts], axis=2)


def evidence(
    first: Logs, near: Logs, near_maps: Maps, fine_maps: Maps | None = None
) -> NDArray[np.float64]:
    """float64[n, COUNTS, 10 or 18]: all that speaks for each count, for `weighed`: the log-likelihoods float32[n,
    COUNTS] of the first look and of the one from close by, the sum and the tops of the map from close by, and those of
    the map of the whole pit with all its pixels, where that was looked at."""
    said = [np.maximum(logs, FLOOR)[:, :, None] for logs in (first, near)]
    for maps in (near_maps,) if fine_maps is None else (near_maps, fine_maps):
        said += [likeness(maps.sum(axis=(1, 2), dtype=np.float64)), likeness(tops(maps).astype(np.float64))]
    return np.concatenate(said, axis=2)


def weighed(first: Logs, near: Logs, near_maps: Maps, fine_maps: Maps | None = None) -> Logs:
    """float32[n, COUNTS], log-likelihoods but for a constant: the `evidence` in the weights that were fitted."""
    weights = HASTE if fine_maps is None else LEISURE
    return np.asarray(evidence(first, near, near_maps, fine_maps) @ np.array(weights), np.float32)
