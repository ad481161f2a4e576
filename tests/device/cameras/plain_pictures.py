"""Pictures of one grey, for tests of cameras."""

import numpy as np
from numpy.typing import NDArray


def picture(value: int, size: tuple[int, int] = (64, 48)) -> NDArray[np.uint8]:
    """uint8[height, width, 3] of one value; size: width and height."""
    return np.full((size[1], size[0], 3), value, np.uint8)
