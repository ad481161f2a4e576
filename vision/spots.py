"""Seeds told apart by their middles: what a second network says of a pit that is seen with all its pixels.

Where seeds touch, their edges run into one another, but their middles stay apart. The network marks each middle with a
peak (`vision.train.nets.Spots`, after CenterNet, Zhou et al. 2019). A peak's height says how surely a seed is there, so
that the peaks of a pit together say how likely each count is.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading import COUNTS

Heat = NDArray[np.float32]

SMOOTH = 0.7
"""Standard deviation of the blur under which neighbouring places are one peak, in places."""
FAINT = 0.05
"""Peaks that are not so high are none."""
LIFT = (1.97, 1.833)
"""By what the logit of a peak's height is multiplied, and what is added to it, for that of the probability that a seed
is there (Platt 1999); fitted with the weights of the looks (`python -m vision.train weigh`)."""
FLOOR = -16.0
"""No look speaks against a count more loudly than this log-likelihood."""


def heat(said: NDArray[np.float32]) -> Heat:
    """float32[n, 2 h, 2 w], 0…1, from what the network says, float32[n, 4, h, w]: the four places of each cell."""
    n, _, h, w = said.shape
    places = said.reshape(n, 2, 2, h, w).transpose(0, 3, 1, 4, 2).reshape(n, 2 * h, 2 * w)
    return np.asarray(1 / (1 + np.exp(-places)), np.float32)


def peaks(seen: Heat, least: float, by: Heat | None = None) -> NDArray[np.float32]:
    """How high the peaks of a map float32[s, s] are that are higher than `least`; neighbours as high as one another are
    one peak. by: the map of the same size in which they are looked for, where it is another one."""
    by = seen if by is None else by
    highest = ((by >= cv2.dilate(by, np.ones((3, 3), np.uint8))) & (by > least)).astype(np.uint8)
    if not highest.any():
        return np.zeros(0, np.float32)
    _, which = cv2.connectedComponents(highest)
    _, one = np.unique(which[highest > 0], return_index=True)
    return np.asarray(seen[highest > 0][one], np.float32)


def logits(heated: Heat) -> NDArray[np.float64]:
    """How high the peaks of a heat float32[s, s] are, as logits."""
    found = peaks(heated, FAINT, np.asarray(cv2.GaussianBlur(heated, (0, 0), SMOOTH), np.float32))
    high = np.clip(found.astype(np.float64), 1e-6, 1 - 1e-6)
    return np.asarray(np.log(high / (1 - high)))


def seeds(heated: Heat, lift: tuple[float, float] = LIFT) -> NDArray[np.float64]:
    """How likely a seed is at each peak of a heat float32[s, s]."""
    return np.asarray(1 / (1 + np.exp(-(lift[0] * logits(heated) + lift[1]))))


def counted(likely: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    """float64[n, COUNTS], log-likelihoods of the counts, the last one that of more, by how likely each of a pit's seeds
    is there, every one by itself (a Poisson binomial distribution)."""
    out = np.zeros((len(likely), COUNTS))
    for k, each in enumerate(likely):
        chances = np.ones(1)
        for p in each:
            chances = np.convolve(chances, (1 - p, p))
        n = min(len(chances), COUNTS - 1)
        out[k, :n] = chances[:n]
        out[k, COUNTS - 1] = chances[COUNTS - 1 :].sum()
    return np.asarray(np.log(np.maximum(out, np.exp(FLOOR))))
