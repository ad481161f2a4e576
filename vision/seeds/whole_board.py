"""Reads the pits of one photograph together: counts recur from pit to pit, and so do the eye's errors.

People often photograph a board as it is set up: with as many seeds in every pit, or in every pit that is not empty. And
where seeds are hard to tell from the wood, or have two faces, it is so in every pit. So a set-up that is read well or
misread in one of these ways is a hypothesis of the whole board, beside the one that it is none and each pit is read for
itself. At a table a game's start and its moves say more.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.reading import COUNTS
from vision.seeds.parameters import WHOLE_BOARD, WholeBoardPriors

F64 = NDArray[np.float64]


def together(odds: F64, cols: int | None = None, priors: WholeBoardPriors = WHOLE_BOARD) -> F64:
    """Return float64[pits, 26], the posterior of each pit's count.

    odds: float64[pits, 26], what each pit says alone: its posterior under a uniform prior. cols: the board's number of
    columns, None if unknown.
    """
    if len(odds) < priors.least_pits:
        return odds
    set_ups, log_set_ups = _set_ups(cols, priors)
    seen = ways_of_seeing(odds, priors)
    fits = np.einsum("wpk,hk->whp", seen, set_ups)
    log_odds = np.log(fits).sum(axis=2) + log_set_ups + log_ways(odds, priors)[:, None]
    alone = _log_alone(odds, priors)
    total = np.logaddexp(alone, np.logaddexp.reduce(log_odds, axis=None))
    as_set_up = np.einsum("whp,wpk,hk->pk", np.exp(log_odds - total)[..., None] / fits, seen, set_ups)
    return np.asarray(as_set_up + np.exp(alone - total) * odds)


@lru_cache(maxsize=64)
def _set_ups(cols: int | None, priors: WholeBoardPriors) -> tuple[F64, F64]:
    """The hypotheses of a set-up: float64[n, 26], the probability of each count in any one pit, and float64[n], their
    log-priors."""
    likely = np.full(COUNTS - 1, priors.other_number / (COUNTS - 1))
    likely[0] += priors.none
    likely[4] += priors.four
    if cols is not None:
        likely[cols] += priors.columns
    counts, empty = np.arange(COUNTS), np.array(priors.empty)[:, None]
    pits = [(1 - empty) * (counts == n) + empty * (counts == 0) for n in range(COUNTS - 1)]
    odds = np.concatenate(pits) * (1 - priors.played) + priors.played / COUNTS
    return odds, np.log(priors.set_up / len(empty) * np.repeat(likely / likely.sum(), len(empty)))


def _log_alone(odds: F64, priors: WholeBoardPriors) -> float:
    """Log-probability of what is read, if it is no set-up: a pit's count is distributed geometrically, and its mean,
    the same for all pits, is one of several."""
    counts, mean = np.arange(COUNTS), np.array(priors.means)[:, None]
    played = (1 - priors.any_count) * (mean / (1 + mean)) ** counts / (1 + mean) + priors.any_count / COUNTS
    each = np.log(odds @ played.T).sum(axis=0)
    return float(np.logaddexp.reduce(each) + np.log((1 - priors.set_up) / len(mean)))


def ways_of_seeing(odds: F64, priors: WholeBoardPriors) -> F64:
    """Return float64[3, pits, 26], the likelihood of each count if the board is read well, if seeds are missed, and if
    seeds are taken for two. The surer a pit is, the less it is concerned."""
    share = np.exp(leads(odds) / priors.sure_nats)[:, None]
    misread = np.stack([odds @ one.T for one in misreadings(priors.missed, priors.doubled)])
    return np.concatenate((odds[None], (1 - share) * odds + share * misread))


def log_ways(odds: F64, priors: WholeBoardPriors) -> F64:
    """Return float64[3], the log-priors of these: the surer a board's pits are, the likelier it is read well."""
    lead = float(leads(odds).mean())
    log_odds = np.array([0.0, *(one + priors.for_each_nat * lead for one in priors.log_odds)])
    return np.asarray(log_odds - np.logaddexp.reduce(log_odds))


def leads(odds: F64) -> F64:
    """Return float64[pits], the nats by which the second-likeliest count is likelier than the likeliest; at most 0."""
    best = np.log(np.maximum(np.partition(odds, COUNTS - 2, axis=1)[:, -2:], 1e-12))
    return np.asarray(best[:, 0] - best[:, 1])


@lru_cache(maxsize=8)
def misreadings(missed: float, doubled: float) -> F64:
    """Return float64[2, 26, 26], how likely each true count (second axis) looks like each other one (third axis): if
    every seed is missed with probability `missed`, or taken for two with probability `doubled`."""
    log_factorial = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, COUNTS)))))
    of, some = np.mgrid[:COUNTS, :COUNTS]
    left = np.maximum(of - some, 0)
    choose = np.where(some <= of, np.exp(log_factorial[of] - log_factorial[some] - log_factorial[left]), 0.0)
    twice, more = choose * doubled**some * (1 - doubled) ** left, np.zeros((COUNTS, COUNTS))
    np.add.at(more, (of, np.minimum(of + some, COUNTS - 1)), twice)
    return np.stack((choose * (1 - missed) ** some * missed**left, more))
