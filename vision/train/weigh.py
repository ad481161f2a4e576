"""Fits the numbers of `MapLimits` and `MiddlesLimits` in `vision/seeds/parameters.py`: how reliable each kind of
evidence is on pits that the networks were not trained on."""

import math
from collections.abc import Callable, Iterator

import numpy as np
import torch
from numpy.typing import NDArray

from vision.reading import COUNTS
from vision.seeds.counter import Reader
from vision.seeds.parameters import COUNTER, MIDDLES
from vision.seeds.seed_map import evidence
from vision.seeds.seed_middles import crowd, logits

Image = NDArray[np.uint8]

AT_ONCE = 50
"""Pits that are looked at together."""
TURNS = (1, 1, 4)
"""Positions that lots of pits are looked at in, in turns: a table has time for one, a photograph for more."""
SMALL = 1e-4
"""Penalty on the squares of the weights, and of the lift."""


Looks = tuple[
    NDArray[np.float32], NDArray[np.float32], NDArray[np.float32], NDArray[np.float32], NDArray[np.int64]
]
"""What was seen of some pits, as `vision.seeds.seed_map.evidence` takes it, and their true counts int64[n]."""


def weigh(
    counter: Reader, pictures: Image, labels: NDArray[np.uint8], empties: Image
) -> dict[str, tuple[float, ...]]:
    """Fit, so that the true counts become likeliest: what the peaks of middles mean, and the weights with and without
    the look at full resolution. pictures: pits uint8[n, s, s, 3]; labels: uint8[n], their counts; covered pits are
    ignored. empties: the same pits empty, black where unknown. Only pits whose first look is not sure count for the
    weights."""
    told = labels < COUNTS
    seen = list(_looks(counter, pictures[told], labels[told], empties[told]))
    heights = [logits(one) for look in seen for one in look[3]]
    crowds = np.array([crowd(one) for look in seen for one in look[3]])
    lift, share = _lifted(heights, crowds, np.concatenate([look[4] for look in seen]))
    parts, truth = [], []
    for *looks, count in seen:
        open_ = looks[0].max(axis=1) < np.log(COUNTER.sure)
        parts.append(evidence(looks[0], looks[1], looks[2], looks[3], lift, share)[open_].astype(np.float32))
        truth.append(count[open_])
    x, y = torch.from_numpy(np.concatenate(parts)), torch.from_numpy(np.concatenate(truth))
    fast = _fitted(x[:, :, :10].contiguous(), y)
    return {"lift_scale": lift[:1], "lift_shift": lift[1:], "hidden_share": (share,), "fast_weights": fast,
            "full_weights": _fitted(x, y)}


def _looks(counter: Reader, pictures: Image, labels: NDArray[np.uint8], empties: Image) -> Iterator[Looks]:
    """Return all looks, batch after batch."""
    for lot, k in enumerate(range(0, len(pictures), AT_ONCE)):
        some = slice(k, k + AT_ONCE)
        said = counter.looks(pictures[some], empties[some], TURNS[lot % len(TURNS)], lot % 8)
        yield *said, labels[some].astype(np.int64)


def _lifted(
    heights: list[NDArray[np.float64]], crowds: NDArray[np.float64], truth: NDArray[np.int64]
) -> tuple[tuple[float, float], float]:
    """Return `vision.seeds.seed_middles.LIFT` and `MiddlesLimits.hidden_share`, fitted to the heights of peaks, logits,
    to how crowded they are, float64[n, 2], and to the true counts, int64[n]."""
    most = max(map(len, heights))
    high = torch.full((len(heights), most), -torch.inf, dtype=torch.float64)
    for k, each in enumerate(heights):
        high[k, : len(each)] = torch.from_numpy(each)
    y, plain, fill = torch.from_numpy(truth), torch.from_numpy(crowds[:, 0]), torch.from_numpy(crowds[:, 1])
    more = torch.arange(COUNTS)

    def unlikely(values: torch.Tensor) -> torch.Tensor:
        chances = torch.nn.functional.one_hot(torch.zeros_like(y), COUNTS).double()
        for k in range(most):
            p = torch.sigmoid(values[0] * high[:, k].clamp(min=-20) + values[1])
            chances = _added(chances, torch.where(torch.isinf(high[:, k]), 0.0, p))
        under = (values[2].exp() * fill * plain).clamp(1e-6, MIDDLES.most_hidden)[:, None]
        another = under / (1 + under)
        hidden = (1 - another) * another**more
        # Counts below the last one are sums; the last one is all the rest.
        joined = [(chances[:, : k + 1] * hidden[:, : k + 1].flip(1)).sum(1) for k in range(COUNTS - 1)]
        joined.append(1 - torch.stack(joined, 1).sum(1))
        said = torch.stack(joined, 1)[torch.arange(len(y)), y].clamp(min=0)
        # The penalty keeps the lift finite where a few pits are all told rightly.
        return -torch.log(said + np.exp(MIDDLES.least_loglik)).mean() + SMALL * (values**2).sum()

    scale, shift, share = _least(unlikely, torch.tensor([1.0, 0.0, math.log(0.3)]))
    return (scale, shift), round(math.exp(share), 3)


def _added(chances: torch.Tensor, p: torch.Tensor) -> torch.Tensor:
    """Return float64[n, COUNTS], the probabilities of counts after one more seed that is there with probability
    float64[n]."""
    more = torch.cat([torch.zeros(len(p), 1), chances[:, :-1]], dim=1)
    more[:, -1] += chances[:, -1]
    return chances * (1 - p)[:, None] + more * p[:, None]


def _least(value: Callable[[torch.Tensor], torch.Tensor], start: torch.Tensor) -> tuple[float, ...]:
    """Return where a function is least, found by L-BFGS."""
    at = start.double().requires_grad_()
    optimiser = torch.optim.LBFGS([at], max_iter=500, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimiser.zero_grad()
        here = value(at)
        here.backward()
        return here

    optimiser.step(loss)
    return tuple(round(float(v), 3) for v in at.detach())


def _fitted(x: torch.Tensor, y: torch.Tensor) -> tuple[float, ...]:
    """Multinomial logistic regression with one weight for each kind of evidence."""
    start = torch.zeros(x.shape[2])
    start[0] = 0.5
    x = x.double()
    return _least(lambda w: torch.nn.functional.cross_entropy(x @ w, y) + SMALL * (w**2).sum(), start)
