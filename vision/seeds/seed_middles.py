"""Tells seeds apart by their middles: a second network, which looks at a pit in full resolution.

Where seeds touch, their edges merge, but their middles stay apart. The network marks each middle with a peak
(`vision.train.nets.Spots`, after CenterNet, Zhou et al. 2019). A peak's height says how surely a seed is there, so the
peaks of a pit together say how likely each count is. In heaps some seeds lie under others and have no peak; their
number is estimated from how crowded the visible ones are.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading import COUNTS
from vision.seeds.crops import MARGIN
from vision.seeds.parameters import MIDDLES

Heat = NDArray[np.float32]


LIFT = (MIDDLES.lift_scale, MIDDLES.lift_shift)
"""By what the logit of a peak's height is multiplied, and what is added to it."""


def heat(said: NDArray[np.float32]) -> Heat:
    """Return float32[n, 2 h, 2 w], 0…1, from the network's output float32[n, 4, h, w], which has four places per cell.
    """
    n, _, h, w = said.shape
    places = said.reshape(n, 2, 2, h, w).transpose(0, 3, 1, 4, 2).reshape(n, 2 * h, 2 * w)
    return np.asarray(1 / (1 + np.exp(-places)), np.float32)


def peaks(seen: Heat, least: float, by: Heat | None = None) -> NDArray[np.float32]:
    """Return the heights of the peaks above `least` in a map float32[s, s]; neighbours of equal height are one peak.
    by: another map of the same size in which to look for the peaks, None for the same map."""
    return _peaks(seen, least, seen if by is None else by)[0]


def _peaks(seen: Heat, least: float, by: Heat) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Return the peaks' heights, float32[k], and their places, int[k, 2]."""
    highest = ((by >= cv2.dilate(by, np.ones((3, 3), np.uint8))) & (by > least)).astype(np.uint8)
    if not highest.any():
        return np.zeros(0, np.float32), np.zeros((0, 2), np.int64)
    _, which = cv2.connectedComponents(highest)
    _, one = np.unique(which[highest > 0], return_index=True)
    return np.asarray(seen[highest > 0][one], np.float32), np.argwhere(highest)[one]


def logits(heated: Heat) -> NDArray[np.float64]:
    """Return the heights of the peaks of a heat float32[s, s], as logits."""
    high = np.clip(peaks(heated, MIDDLES.least_peak, _smooth(heated)).astype(np.float64), 1e-6, 1 - 1e-6)
    return np.asarray(np.log(high / (1 - high)))


def _smooth(heated: Heat) -> Heat:
    return np.asarray(cv2.GaussianBlur(heated, (0, 0), MIDDLES.blur), np.float32)


def seeds(heated: Heat, lift: tuple[float, float] = LIFT) -> NDArray[np.float64]:
    """Return the probability of a seed at each peak of a heat float32[s, s]."""
    return np.asarray(1 / (1 + np.exp(-(lift[0] * logits(heated) + lift[1]))))


def middles_of(heated: Heat) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the places of the peaks of a heat float32[s, s], int[k, 2] as x and y, and the probability of a seed at
    each."""
    return _peaks(heated, MIDDLES.least_peak, _smooth(heated))[1][:, ::-1], seeds(heated)


def crowd(heated: Heat) -> tuple[float, float]:
    """Return the number of seeds that a heat float32[s, s] shows plainly, and the share of the pit that they fill. The
    share is estimated from each seed's distance to its nearest neighbour, as if all seeds were round; 0 for fewer than
    three."""
    _, places = _peaks(heated, MIDDLES.plain_peak, _smooth(heated))
    if len(places) < 3:
        return float(len(places)), 0.0
    apart = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1).astype(np.float64))
    np.fill_diagonal(apart, np.inf)
    radius = heated.shape[0] / 2 / MARGIN
    return float(len(places)), len(places) * (float(np.median(apart.min(axis=1))) / 2 / radius) ** 2


def hidden(crowds: NDArray[np.float64], share: float = MIDDLES.hidden_share) -> NDArray[np.float64]:
    """Return float64[n], the expected number of seeds hidden under others. crowds: float64[n, 2], the results of
    `crowd`."""
    return np.asarray(np.minimum(MIDDLES.most_hidden, share * crowds[:, 1] * crowds[:, 0]))


def counted(
    likely: list[NDArray[np.float64]], under: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Return float64[n, COUNTS], log-likelihoods of the counts, the last one for "more".

    likely: for each pit, the probabilities of the seeds that show. They count as independent, so the number of these
    seeds has a Poisson binomial distribution. under: float64[n], the expected number of hidden seeds, None for none;
    their number has a geometric distribution.
    """
    out = np.zeros((len(likely), COUNTS))
    for k, each in enumerate(likely):
        chances = np.ones(1)
        for p in each:
            chances = np.convolve(chances, (1 - p, p))
        if under is not None and under[k] > 0:
            another = under[k] / (1 + under[k])
            chances = np.convolve(chances, (1 - another) * another ** np.arange(4 * COUNTS))
        n = min(len(chances), COUNTS - 1)
        out[k, :n] = chances[:n]
        out[k, COUNTS - 1] = chances[COUNTS - 1 :].sum()
    return np.asarray(np.log(np.maximum(out, np.exp(MIDDLES.least_loglik))))
