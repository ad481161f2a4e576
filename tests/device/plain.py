"""What tests of several cameras share: plain pictures, and patience."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray


def picture(value: int, size: tuple[int, int] = (64, 48)) -> NDArray[np.uint8]:
    return np.full((size[1], size[0], 3), value, np.uint8)


def wait_for(condition: Callable[[], object], seconds: float = 5.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.005)
