"""Which pits look otherwise than before the move: seeds that somebody sowed or lifted lie otherwise afterwards.

That a picture has changed is seen where a heap of fourteen is not told from one of fifteen. What by a trace nobody
touched should look as before, and what by it was touched should not; but a pit that was empty and is empty again looks
as it did, whatever passed through it meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.judge.parameters import PICTURES
from engine.judge.verdict import COUNTS, Evidence


@dataclass(frozen=True, slots=True)
class Pictures:
    """Which pits look as before and which otherwise. same, changed: bool[pits], and weighed: int64[pits], as of
    `Evidence`."""

    same: NDArray[np.bool_]
    changed: NDArray[np.bool_]
    weighed: NDArray[np.int64] | None = None

    @classmethod
    def of(cls, evidence: Evidence) -> Pictures | None:
        """Those of this evidence, None where nothing is known of them."""
        if evidence.changed is None:
            return None
        same = np.zeros(len(evidence.seen), np.bool_) if evidence.same is None else evidence.same
        return cls(same & evidence.seen, evidence.changed & evidence.seen, evidence.weighed)

    def weigh(self, loglik: NDArray[np.float64], counts: Sequence[int]) -> NDArray[np.float64]:
        """Log-likelihoods float64[pits, 26] of a board that held `counts` before."""
        held = np.asarray(counts, np.int64)
        same = self.same if self.weighed is None else self.same & (self.weighed != held)
        return with_unchanged_pictures(loglik, same, held)

    def log_likelihood(self, boards: NDArray[np.int64]) -> float:
        """Nats, at most 0, of a trace by the boards that it passes through, int64[steps, pits]."""
        touched = (boards != boards[0]).any(axis=0)
        other = boards[0] != boards[-1]
        empty = ~other & (boards[0] == 0)
        odd = (self.changed & (~touched | empty)) | (self.same & touched & ~other & ~empty)
        against = PICTURES.jostled_nats * int(odd.sum())
        against += PICTURES.unchanged_trace_nats * int((self.same & other).sum())
        return -min(PICTURES.most_pits * PICTURES.jostled_nats, against)


def with_unchanged_pictures(
    loglik: NDArray[np.float64], same: NDArray[np.bool_], counts: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Log-likelihoods float64[pits, 26] with what the pits in `same` tell, which held `counts`; -1 for one of which
    that is not known. The camera's reading of an unchanged picture is the one that it had before, right or wrong, and
    says nothing new: it only tells which other count would be the next likeliest. But of a few seeds, and where it is
    sure, it is seldom wrong: if it says otherwise then, it may be either."""
    out = loglik.copy()
    for pit in np.flatnonzero(same & (counts >= 0) & (counts < COUNTS - 1)):
        held = int(counts[pit])
        others = np.delete(out[pit], held)
        against = others.max() - out[pit, held]
        lead = PICTURES.unchanged_nats
        if against >= 0 and held <= PICTURES.few:
            lead = 0.0
        elif against >= PICTURES.reader_sure_nats:
            lead = PICTURES.unchanged_beside_sure_nats
        out[pit] -= others.max() + lead
        out[pit, held] = 0.0
    return out
