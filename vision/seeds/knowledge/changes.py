"""Whether a pit was touched between two looks, judged by how it looks: one measure, and one model of noise.

It is much easier to see whether something was put into a pit or taken out than to count what lies there, above all in a
deep heap: one more seed changes the picture plainly, even where a heap of fourteen reads like one of fifteen. The
measure is that of the part of a pit that differs most. Seeds that come or go change it by ten times the camera's noise,
if they stand out as usual.
"""

import numpy as np
from numpy.typing import NDArray

from vision.seeds.parameters import TOUCH

Cells = NDArray[np.float32]


def noise_of(now: Cells, then: Cells) -> float:
    """Return the standard deviation of the camera's noise, grey levels, from the same pits in two frames, float32[pits,
    k, k]. It is the lower quartile, over the pits, of the root mean square change in a pit, so that most pits may have
    been touched."""
    change = now - then
    change -= np.median(change)
    return float(np.sqrt(np.quantile(np.square(change).mean(axis=(1, 2)), 0.25)))


def contrast_of(cells: Cells) -> float:
    """Return the grey levels by which the contents of a board's pits, float32[pits, k, k], or their bowls stand out."""
    inner = within(cells)
    return float(np.quantile(inner.max(axis=-1) - inner.min(axis=-1), TOUCH.contrast_quantile))


def even_odds_grey(noise: float, contrast: float) -> float:
    """Return the greatest change, grey levels, at which a pit is as likely touched as not. noise, contrast: see
    `noise_of` and `contrast_of`."""
    plain = min(TOUCH.even_grey, max(TOUCH.least_grey, TOUCH.contrast_share * contrast))
    return max(plain, TOUCH.noise * noise)


def within(cells: Cells) -> Cells:
    """Cut out the cells inside the pit: float32[..., n] from pictures float32[..., k, k]. The other cells may show,
    over the rim, seeds of the next pit or a hand beside the pit."""
    y, x = (np.indices(cells.shape[-2:]) + 0.5) * 2 / cells.shape[-1] - 1
    return np.asarray(cells[..., np.hypot(x, y) <= TOUCH.pit_share], np.float32)


def touched_log_odds(now: Cells, then: Cells, even_grey: float) -> NDArray[np.float32]:
    """Return float32[...], log-odds that each pit was touched between two looks. now, then: float32[..., n], the cells
    of each pit in either look, without the change of light on the whole board. even_grey: see `even_odds_grey`."""
    most = np.abs(now - then).max(axis=-1)
    odds = TOUCH.slope * np.log(np.maximum(most, 1e-3) / even_grey)
    return np.asarray(np.clip(odds, -TOUCH.most_nats, TOUCH.most_nats), np.float32)


def touched_since(then: NDArray[np.int64], now: NDArray[np.int64], earlier: NDArray[np.int64],
                  changed: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return float64[pits], log-odds that each pit was touched since the stay `then`, int64[pits]; the least possible
    if that is its present stay, 0 (as likely as not) if that stay is unknown. The other arguments: as in a reading."""
    known = (earlier == then[:, None]) & (then[:, None] >= 0)
    odds = np.where(known, changed, 0.0).sum(axis=1)
    return np.asarray(np.where((then == now) & (then >= 0), -TOUCH.most_nats, odds), np.float64)
