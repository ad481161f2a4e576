"""The rules teach the eye: pits whose count is known show how the counter errs at this table, with these seeds.

The counter adds up how much of a seed lies at each place (see `vision.train.nets.Counter`). If seeds look larger,
smaller or fainter than usual, it errs by a factor that is the same in all pits of a table. Tables also differ in how
far the counter's certainty can be trusted. Two numbers correct both: a factor and a temperature (Guo et al. 2017). They
are chosen from a grid so that the known counts become likeliest, given what is usual among tables.
"""

import numpy as np
from numpy.typing import NDArray

from vision.reading import COUNTS
from vision.seeds.parameters import ADAPTATION

Array = NDArray[np.float64]

FACTORS = np.exp(np.linspace(-0.35, 0.35, 29))
TEMPERATURES = np.exp(np.linspace(-0.5, 0.5, 5))


class Adaptation:
    """What is learnt of one table. Before the first lesson nothing is changed."""

    def __init__(self) -> None:
        """Start with what is usual among tables."""
        prior = (np.log(FACTORS) / ADAPTATION.factor_sd) ** 2
        self._prior = -0.5 * (prior[:, None] + (np.log(TEMPERATURES) / ADAPTATION.temperature_sd) ** 2)
        self._learnt = np.zeros_like(self._prior)

    @property
    def chosen(self) -> tuple[float, float]:
        """The likeliest factor (seeds read per seed in the pit) and temperature (divisor of the log-likelihoods)."""
        k, t = np.unravel_index(int((self._prior + self._learnt).argmax()), self._prior.shape)
        return float(FACTORS[k]), float(TEMPERATURES[t])

    def learn(self, loglik: Array, seen: NDArray[np.bool_], counts: NDArray[np.int64]) -> None:
        """Learn from a board whose counts int[pits] are known from something other than readings.

        loglik: float64[pits, 26], what the counter said, not adapted. Pits that are not seen teach nothing.
        """
        told = seen & (counts < COUNTS - 1)
        plain, true = loglik[told], counts[told]
        at = np.arange(len(true))
        new = np.empty_like(self._learnt)
        for k, factor in enumerate(FACTORS):
            read = scaled(plain, float(factor))
            for t, temperature in enumerate(TEMPERATURES):
                new[k, t] = np.maximum(_normal(read / temperature)[at, true], ADAPTATION.worst_loglik).sum()
        self._learnt = ADAPTATION.kept * self._learnt + new

    def apply(self, loglik: Array) -> Array:
        """Return log-likelihoods float64[pits, 26], corrected for this table."""
        factor, temperature = self.chosen
        return scaled(loglik, factor) / temperature


def scaled(loglik: Array, factor: float) -> Array:
    """Return the log-likelihoods [n, 26] of the true counts, if the counter reads `factor` times as many seeds as there
    are: interpolated between counts, with the same maximum. That of "more" is unchanged."""
    at = np.clip(np.arange(COUNTS - 1) * factor, 0, COUNTS - 2)
    low = np.minimum(at.astype(np.int64), COUNTS - 3)
    part = at - low
    out = loglik.copy()
    between = loglik[:, low] * (1 - part) + loglik[:, low + 1] * part
    top = loglik[:, : COUNTS - 1].max(axis=1, keepdims=True)
    out[:, : COUNTS - 1] = between + top - between.max(axis=1, keepdims=True)
    return out


def _normal(loglik: Array) -> Array:
    top = loglik.max(axis=1, keepdims=True)
    return np.asarray(loglik - top - np.log(np.exp(loglik - top).sum(axis=1, keepdims=True)))
