"""Whether a pit was touched between two looks at it, by how it looks: one measure, and one model of noise.

To see that nothing was laid into a pit or taken out is much easier than to count what lies there, in a deep heap above
all: one seed more changes the picture plainly where fourteen and fifteen read alike. Of the two pictures that part
counts that differs the most. Seeds that came or went change it by ten times what the camera's noise does, where they
stand out as usual.
"""

import numpy as np
from numpy.typing import NDArray

from vision.seeds.parameters import CHANGE

Cells = NDArray[np.float32]


def noise_of(now: Cells, then: Cells) -> float:
    """Standard deviation of the camera's noise, grey levels, by the same pits in two frames, float32[pits, k, k]: the
    root mean square of the change in a pit, the lower quartile over the pits, so that most may be touched."""
    change = now - then
    change -= np.median(change)
    return float(np.sqrt(np.quantile(np.square(change).mean(axis=(1, 2)), 0.25)))


def contrast_of(cells: Cells) -> float:
    """Grey levels by which what lies in the pits of a board, float32[pits, k, k], stands out, or their bowls do."""
    inner = within(cells)
    return float(np.quantile(inner.max(axis=-1) - inner.min(axis=-1), CHANGE.contrast_quantile))


def even_odds_grey(noise: float, contrast: float) -> float:
    """Grey levels of the greatest change by which a pit is as likely touched as not. noise, contrast: grey levels, as
    of `noise_of` and `contrast_of`."""
    plain = min(CHANGE.even_grey, max(CHANGE.least_grey, CHANGE.contrast_share * contrast))
    return max(plain, CHANGE.noise * noise)


def within(cells: Cells) -> Cells:
    """float32[..., n], the cells that lie within the pit, of pictures float32[..., k, k]: farther out the next pit's
    seeds may show over the rim, or a hand beside it."""
    y, x = (np.indices(cells.shape[-2:]) + 0.5) * 2 / cells.shape[-1] - 1
    return np.asarray(cells[..., np.hypot(x, y) <= CHANGE.pit_share], np.float32)


def touched_log_odds(now: Cells, then: Cells, even_grey: float) -> NDArray[np.float32]:
    """float32[...], log-odds that each pit was touched between two looks, by the same parts of it, float32[..., n], the
    change of light on the whole board taken out. even_grey: as of `even_odds_grey`."""
    most = np.abs(now - then).max(axis=-1)
    odds = CHANGE.slope * np.log(np.maximum(most, 1e-3) / even_grey)
    return np.asarray(np.clip(odds, -CHANGE.most_nats, CHANGE.most_nats), np.float32)


def touched_since(then: NDArray[np.int64], now: NDArray[np.int64], earlier: NDArray[np.int64],
                  changed: NDArray[np.float32]) -> NDArray[np.float64]:
    """float64[pits], log-odds that each pit was touched since it was in the stay `then`, int64[pits], the others as of
    a reading. As small as can be where it is in that stay now; 0, as likely as not, where the stay is not known."""
    known = (earlier == then[:, None]) & (then[:, None] >= 0)
    odds = np.where(known, changed, 0.0).sum(axis=1)
    return np.asarray(np.where((then == now) & (then >= 0), -CHANGE.most_nats, odds), np.float64)
