"""Whether to believe the counter at this table when it calls a pit covered.

On very dark or flat wood, where rims hardly show, it takes open pits for covered ones. A pit is open if the rules know
its count and exactly this count is read. Such pits show how often the counter errs here. It must be wrong on a good
part of the board: one thing laid over a few pits teaches nothing.
"""

import numpy as np
from numpy.typing import NDArray

from vision.seeds.parameters import OCCLUSION


def _logit(p: NDArray[np.float32]) -> NDArray[np.float64]:
    q = np.clip(p.astype(np.float64), OCCLUSION.least_probability, 1 - OCCLUSION.least_probability)
    return np.asarray(np.log(q / (1 - q)))


class OcclusionCalibration:
    """How likely the counter calls open pits of one board covered."""

    def __init__(self, pits: int) -> None:
        """pits: their number."""
        self._said = np.full(pits, np.nan)

    def learn(self, covered: NDArray[np.float32], known: NDArray[np.bool_]) -> None:
        """Learn that the pits of `known`, bool[pits], are open. covered: float32[pits], the counter's probability that
        they are covered."""
        self._said[known] = _logit(covered)[known]

    def believed(self, covered: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return float32[pits], the probability that each pit is covered. covered: float32[pits], the counter's
        probability, which is believed until it has called open pits covered."""
        known = ~np.isnan(self._said)
        half_known = 2 * known.sum() >= len(known)
        usual = float(np.quantile(self._said[known], OCCLUSION.usual_quantile)) if half_known else 0.0
        if usual <= 0:
            return covered
        limit = OCCLUSION.margin + np.fmax(self._said, usual)
        return np.asarray(1 / (1 + np.exp(limit - _logit(covered))), np.float32)
