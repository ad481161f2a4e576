"""The edge of the picture where South sits."""

from typing import Literal

South = Literal["bottom", "top", "left", "right"]
SOUTHS: tuple[South, ...] = ("bottom", "top", "left", "right")
