"""Observations made by hand: what the referee would be told of a board that shows these counts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from engine.referee.observation import COUNTS, F64, LookUnderHands, Observation

SURE = 1e-6
"""Probability that a pit holds something else than is read, unless a scenario says otherwise."""


@dataclass
class ByHand:
    """A board that is observed. Every pit whose count changes, or that is said to be touched, is in a new stay."""

    pits: int
    counts: list[int] | None = None
    stays: list[int] = field(default_factory=list)
    earlier: list[list[int]] = field(default_factory=list)

    def shows(self, counts: Sequence[int], *, t: float, hands: tuple[float, float] = (0.0, 0.0), rest_s: float = 1.0,
              touched: Sequence[int] = (), read: Mapping[int, Mapping[int, float]] | None = None,
              looks: Sequence[LookUnderHands] = (), last: bool = False) -> Observation:
        """The board at one time. read: of some pits the probability of counts, by pit; touched: pits that look
        otherwise though they hold what they held."""
        if self.counts is None:
            self.counts, self.stays = list(counts), [0] * self.pits
            self.earlier = [[0] for _ in range(self.pits)]
        for pit, (was, now) in enumerate(zip(self.counts, counts, strict=True)):
            if was != now or pit in touched:
                self.stays[pit] = max(self.earlier[pit]) + 1
                self.earlier[pit].append(self.stays[pit])
        self.counts = list(counts)
        longest = max(map(len, self.earlier))
        earlier = np.array([(one + [-1] * longest)[:longest] for one in self.earlier])
        changed = np.where(earlier == np.array(self.stays)[:, None], -7.0, 7.0)
        everywhere = np.ones(self.pits, np.bool_)
        return Observation(t, loglik_of(counts, read or {}), everywhere, np.array(self.stays), earlier, changed,
                           hands, rest_s, t - rest_s - 1.0, t - rest_s, tuple(looks), last)


def loglik_of(counts: Sequence[int], read: Mapping[int, Mapping[int, float]]) -> F64:
    """float64[pits, 26], log-likelihoods of pits that are surely read as these counts, or as `read` says."""
    p = np.full((len(counts), COUNTS), SURE / COUNTS)
    p[np.arange(len(counts)), np.minimum(counts, COUNTS - 1)] = 1 - SURE
    for pit, odds in read.items():
        p[pit] = SURE / COUNTS
        for count, probability in odds.items():
            p[pit, count] = probability
    return np.asarray(np.log(p))
