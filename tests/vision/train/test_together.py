"""How boards are misread alike is learnt from tables whose counts are known."""

import numpy as np
from numpy.typing import NDArray

from vision.reading import COUNTS
from vision.seeds.parameters import WHOLE_BOARD
from vision.seeds.whole_board import misreadings
from vision.train.together import SeenTable, fitted, tables


def seen(missed: float, rng: np.random.Generator) -> SeenTable:
    """A table whose seeds are missed in such a share, and read with doubt."""
    counts = rng.integers(0, 7, 12)
    looks = rng.binomial(counts, 1 - missed)
    odds = np.full((12, COUNTS), 0.4 / (COUNTS - 1))
    odds[np.arange(12), looks] = 0.6
    return SeenTable(odds, counts)


def test_what_is_missed_on_some_boards_is_learnt() -> None:
    rng = np.random.default_rng(3)
    found = fitted([seen(missed, rng) for missed in [0.7, 0.0, 0.0] * 6], steps=(0.4,))
    assert isinstance(found["missed"], float) and abs(found["missed"] - 0.7) < 0.15
    assert set(found) < set(WHOLE_BOARD.__dataclass_fields__)
    assert misreadings(found["missed"], 0.2).shape == (2, COUNTS, COUNTS)


class CountedReader:
    """Stands in for the networks: says of every pit that it holds one seed, and remembers how many it was shown."""

    shown = 0

    def read(self, pictures: NDArray[np.uint8], turns: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """See `Reader.read`."""
        self.shown += len(pictures)
        loglik = np.full((len(pictures), COUNTS), -9.0, np.float32)
        loglik[:, 1] = 0.0
        return loglik, np.zeros(len(pictures), np.float32)


def test_a_table_is_neighbours_of_one_ratio_without_small_covered_and_overfull_pits() -> None:
    labels = np.array([1, 2, 3, 4, 5, 1, 1, 26, 25, 2, 2, 2, 2], np.uint8)
    radii = np.array([20, 20, 20, 20, 5, 20, 20, 20, 20, 20, 20, 20, 20], np.float32)
    ratios = np.array([0.2] * 5 + [0.3] * 4 + [0.4] * 4, np.float32)
    reader = CountedReader()
    found = list(tables(reader, np.zeros((13, 80, 80, 3), np.uint8), labels, radii, ratios))
    assert [table.counts.tolist() for table in found] == [[1, 2, 3, 4], [2, 2, 2, 2]] and reader.shown == 8
    assert np.allclose(found[0].odds.sum(axis=1), 1.0)
