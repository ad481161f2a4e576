"""Two more estimates from the counter's map of seeds, beside the count itself: the map's sum, and its number of tops.

The map (see `vision.train.nets.Counter`) marks each seed at its place. Its tops count seeds that lie apart, or side by
side in one layer, whatever they are made of; its sum counts heaps, where tops merge. On pictures like those of its
training, the counter itself is right more often than either. But the two err differently, and on other pictures they
err less.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading import COUNTS
from vision.seeds.parameters import MAPS, MIDDLES
from vision.seeds.seed_middles import LIFT, Heat, counted, crowd, hidden, peaks, seeds

Maps = NDArray[np.float32]
Logs = NDArray[np.float32]

FINER = 2
"""Tops are looked for in a map drawn so much finer: those of seeds that touch lie little more than two cells apart."""


def tops(maps: Maps) -> NDArray[np.int64]:
    """Return int[n], the number of tops of each map, float32[n, c, c]: the peaks that are at least a share of the map's
    usual peak in height."""
    out = np.zeros(len(maps), np.int64)
    for k, cells in enumerate(maps):
        heights = peaks(cv2.resize(cells, None, fx=FINER, fy=FINER, interpolation=cv2.INTER_CUBIC), MAPS.least_top)
        if len(heights):
            out[k] = (heights > MAPS.top_share * np.percentile(heights, MAPS.usual_top_percentile)).sum()
    return out


def likeness(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return float64[n, COUNTS, 4]: how well each count fits estimates float64[n] of the number of seeds, in four
    measures: the squared and the plain distance, in units of the spread of heaps of that size; how far the count falls
    short of the estimate; and whether it is the count nearest to the estimate."""
    counts = np.arange(COUNTS)
    away = (counts - numbers[:, None]) / np.sqrt(1 + numbers[:, None] / 4)
    near = np.abs(counts - numbers[:, None]) < 0.5
    parts = [-np.minimum(away**2, 30), -np.minimum(np.abs(away), 8), np.clip(-away, 0, 6), near]
    return np.stack([np.asarray(p, np.float64) for p in parts], axis=2)


def evidence(
    first: Logs,
    near: Logs,
    near_maps: Maps,
    heats: Heat | None = None,
    lift: tuple[float, float] = LIFT,
    share: float = MIDDLES.hidden_share,
) -> NDArray[np.float64]:
    """Return float64[n, COUNTS, 10], or 19 with `heats`: all evidence for each count, as `weighed` weighs it.

    first, near: log-likelihoods float32[n, COUNTS] of the first look and of the one from close by. near_maps: the maps
    from close by; their sums and tops are used. heats: of the whole pit at full resolution, None if it was not looked
    at; they give the log-likelihoods of the peaks, the expected number of seeds including those hidden under others,
    and the number of peaks that are more likely a seed than not. lift: see `vision.seeds.seed_middles.LIFT`; share: see
    `MiddlesLimits.hidden_share`.
    """
    said = [np.maximum(logs, MIDDLES.least_loglik)[:, :, None] for logs in (first, near)]
    said += [likeness(near_maps.sum(axis=(1, 2), dtype=np.float64)), likeness(tops(near_maps).astype(np.float64))]
    if heats is not None:
        there = [seeds(one, lift) for one in heats]
        below = hidden(np.array([crowd(one) for one in heats]).reshape(-1, 2), share)
        said += [counted(there, below)[:, :, None], likeness(np.array([p.sum() for p in there]) + below)]
        said += [likeness(np.array([float((p > 0.5).sum()) for p in there]))]
    return np.concatenate(said, axis=2)


def weighed(first: Logs, near: Logs, near_maps: Maps, heats: Heat | None = None) -> Logs:
    """Return float32[n, COUNTS], log-likelihoods up to a constant: the `evidence` times the fitted weights."""
    weights = MAPS.fast_weights if heats is None else MAPS.full_weights
    return np.asarray(evidence(first, near, near_maps, heats) @ np.array(weights), np.float32)
