"""How a tuned number is written down: with its unit, its range and where it comes from."""

from __future__ import annotations

from dataclasses import field
from typing import Any


def parameter(value: float | tuple[float, ...], *, unit: str, least: float, most: float, source: str) -> Any:
    """A field of a frozen dataclass of parameters. value: as it is used; of several numbers each has the same unit and
    range. least, most: the range in which it may lie. source: a fit, what it was measured on, or "guess"."""
    return field(default=value, metadata={"unit": unit, "least": least, "most": most, "source": source})
