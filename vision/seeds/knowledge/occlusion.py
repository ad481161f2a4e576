"""Whether the counter's word that a pit is covered can be believed at this table.

On wood so dark, or so flat, that hardly a rim is seen, it takes open pits for covered ones. Where the rules know what
lies in a pit and just that is read there, it is open, whatever the counter says: so the table teaches what its word is
worth. One thing laid over a few pits teaches nothing: a good part of the board has to be called covered wrongly.
"""

import numpy as np
from numpy.typing import NDArray

from vision.seeds.parameters import OCCLUSION


def _logit(p: NDArray[np.float32]) -> NDArray[np.float64]:
    q = np.clip(p.astype(np.float64), OCCLUSION.least_probability, 1 - OCCLUSION.least_probability)
    return np.asarray(np.log(q / (1 - q)))


class OcclusionCalibration:
    """What the counter says of the open pits of one board."""

    def __init__(self, pits: int) -> None:
        """pits: how many the board has."""
        self._said = np.full(pits, np.nan)

    def learn(self, covered: NDArray[np.float32], known: NDArray[np.bool_]) -> None:
        """Of the pits bool[pits] it is known that they are open; the counter calls them covered as likely as float32[
        pits]."""
        self._said[known] = _logit(covered)[known]

    def believed(self, covered: NDArray[np.float32]) -> NDArray[np.float32]:
        """float32[pits], how likely each pit is covered, when the counter says float32[pits]. Its word is taken as it
        is until open pits were called covered."""
        known = ~np.isnan(self._said)
        half_known = 2 * known.sum() >= len(known)
        usual = float(np.quantile(self._said[known], OCCLUSION.usual_quantile)) if half_known else 0.0
        if usual <= 0:
            return covered
        limit = OCCLUSION.margin + np.fmax(self._said, usual)
        return np.asarray(1 / (1 + np.exp(limit - _logit(covered))), np.float32)
